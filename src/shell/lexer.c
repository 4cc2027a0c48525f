/*
 * Characters under the parser: where it reads, blanks and comments between words,
 * texts of aliases that stand in for a word, and failure in bash's words.
 */
#include "shell/lexer.h"

#include <stdarg.h>
#include <stdio.h>

#include "shell/lexer_word.h"
#include "shell/parse.h"
#include "shell/print.h"

enum { STACK_MAX = 64 << 20 };

static struct tc_buf *stack_of(struct tc_sh_parse *ps, size_t i)
{
    struct tc_buf *all[TC_SH_LEXER_STACKS] = {&ps->bytes, &ps->parts, &ps->words,   &ps->assigns, &ps->redirects,
                                              &ps->nodes, &ps->ops,   &ps->clauses, &ps->items};

    return all[i];
}

static void stacks(struct tc_sh_parse *ps, void (*fn)(struct tc_buf *))
{
    for (size_t i = 0; i < TC_SH_LEXER_STACKS; i++)
        fn(stack_of(ps, i));
}

void tc_sh_lexer_stacks_mark(struct tc_sh_parse *ps, size_t *ret_marks)
{
    for (size_t i = 0; i < TC_SH_LEXER_STACKS; i++)
        ret_marks[i] = stack_of(ps, i)->n;
}

void tc_sh_lexer_stacks_cut(struct tc_sh_parse *ps, const size_t *marks)
{
    for (size_t i = 0; i < TC_SH_LEXER_STACKS; i++)
        stack_of(ps, i)->n = marks[i];
}

static void stack_init(struct tc_buf *stack)
{
    tc_buf_init(stack, STACK_MAX);
}

void tc_sh_lexer_init(struct tc_sh_parse *ps, struct tc_cx *cx, struct tc_str text, int line)
{
    *ps = (struct tc_sh_parse){.cx = cx, .text = text, .line = line, .whole = true};
    ps->here_end = &ps->here;
    stacks(ps, stack_init);
}

void tc_sh_lexer_finish(struct tc_sh_parse *ps)
{
    stacks(ps, tc_buf_finish);
}

bool tc_sh_lexer_leave(struct tc_sh_parse *ps)
{
    struct tc_sh_frame_text *frame = ps->frame;

    if (!frame)
        return false;
    ps->text = frame->text;
    ps->at = frame->at;
    ps->frame = frame->outer;
    ps->blank_alias = frame->blank;
    return true;
}

void tc_sh_lexer_count(struct tc_sh_parse *ps, const char *p, size_t n)
{
    const char *end = p + n;

    if (ps->frame)
        return;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        ps->line++;
        p++;
    }
}

bool tc_sh_lexer_is_meta(int c)
{
    switch (c) {
    case -1:
    case ' ':
    case '\t':
    case '\n':
    case '|':
    case '&':
    case ';':
    case '(':
    case ')':
    case '<':
    case '>':
        return true;
    default:
        return false;
    }
}

static void skip_comment(struct tc_sh_parse *ps)
{
    const char *from = ps->text.p + ps->at;
    const char *end = memchr(from, '\n', ps->text.n - ps->at);

    ps->at = end ? (size_t)(end - ps->text.p) : ps->text.n;
}

void tc_sh_lexer_skip_blanks(struct tc_sh_parse *ps)
{
    for (;;) {
        int c = tc_sh_lexer_peek(ps);

        if (c == ' ' || c == '\t') {
            ps->at++;
        } else if (c == '\\' && tc_sh_lexer_ahead(ps, 1) == '\n') {
            tc_sh_lexer_count(ps, "\n", 1);
            ps->at += 2;
        } else if (c == '#') {
            skip_comment(ps);
        } else {
            return;
        }
    }
}

bool tc_sh_lexer_newline(struct tc_sh_parse *ps)
{
    ps->at++;
    if (!ps->frame)
        ps->line++;
    return !ps->here || tc_sh_lexer_here_bodies(ps);
}

bool tc_sh_lexer_skip_lines(struct tc_sh_parse *ps)
{
    for (;;) {
        tc_sh_lexer_skip_blanks(ps);
        if (tc_sh_lexer_peek(ps) != '\n')
            return true;
        if (!tc_sh_lexer_newline(ps))
            return false;
    }
}

struct tc_sh_mark tc_sh_lexer_mark(struct tc_sh_parse *ps)
{
    (void)tc_sh_lexer_peek(ps);
    return (struct tc_sh_mark){ps->frame, ps->text, ps->at};
}

struct tc_sh_mark tc_sh_lexer_here(const struct tc_sh_parse *ps)
{
    return (struct tc_sh_mark){ps->frame, ps->text, ps->at};
}

/* The text from one place to another, which began in the text of an alias and went on behind it. */
static void join(struct tc_buf *bytes, const struct tc_sh_mark *from, const struct tc_sh_mark *to)
{
    struct tc_str text = from->text;
    size_t at = from->at;

    for (struct tc_sh_frame_text *f = from->frame; f && text.p != to->text.p; f = f->outer) {
        tc_buf_str(bytes, tc_str_from(text, at));
        text = f->text;
        at = f->at;
    }
    if (text.p == to->text.p && to->at >= at)
        tc_buf_add(bytes, text.p + at, to->at - at);
}

struct tc_str tc_sh_lexer_span(struct tc_sh_parse *ps, const struct tc_sh_mark *from, const struct tc_sh_mark *to)
{
    size_t base = ps->bytes.n;
    struct tc_str joined;

    if (from->text.p == to->text.p)
        return tc_str_n(from->text.p + from->at, to->at > from->at ? to->at - from->at : 0);
    join(&ps->bytes, from, to);
    if (ps->bytes.failed)
        return TC_STR("");
    joined = tc_arena_dup(ps->cx->arena, tc_str_from(tc_buf_get(&ps->bytes), base));
    ps->bytes.n = base;
    return joined.p ? joined : TC_STR("");
}

struct tc_str tc_sh_lexer_source(struct tc_sh_parse *ps, const struct tc_sh_mark *from)
{
    struct tc_sh_mark to = tc_sh_lexer_here(ps);

    return tc_sh_lexer_span(ps, from, &to);
}

bool tc_sh_lexer_enter(struct tc_sh_parse *ps)
{
    if (ps->depth >= TC_SH_AST_DEPTH_MAX)
        return tc_sh_lexer_fail(ps, ps->line, "syntax error: nested more than %d levels deep", TC_SH_AST_DEPTH_MAX);
    ps->depth++;
    return true;
}

bool tc_sh_lexer_fail_memory(struct tc_sh_parse *ps)
{
    tc_fail_memory(ps->cx);
    ps->failed = TC_SH_PARSED_ERROR;
    return false;
}

bool tc_sh_lexer_fail(struct tc_sh_parse *ps, int line, const char *fmt, ...)
{
    struct tc_str message;
    va_list ap;

    va_start(ap, fmt);
    message = tc_arena_vprintf(ps->cx->arena, fmt, ap);
    va_end(ap);
    if (!message.p)
        return tc_sh_lexer_fail_memory(ps);
    tc_fail(ps->cx, TC_E_USAGE, "%.*s", TC_STR_ARG(message));
    ps->line = line;
    ps->failed = TC_SH_PARSED_ERROR;
    return false;
}

/* The text ends where it must not: more can come to an interactive shell. */
static bool may_go_on(struct tc_sh_parse *ps)
{
    if (ps->whole || ps->sub)
        return false;
    ps->failed = TC_SH_PARSED_MORE;
    return true;
}

bool tc_sh_lexer_fail_open(struct tc_sh_parse *ps, int line, char closing)
{
    if (may_go_on(ps))
        return false;
    return tc_sh_lexer_fail(ps, line, "unexpected EOF while looking for matching `%c'", closing);
}

/* The line on which bash finds the end: behind the last one. */
static int end_line(const struct tc_sh_parse *ps)
{
    return ps->line + (ps->text.n > 0 && ps->text.p[ps->text.n - 1] != '\n');
}

static bool fail_end(struct tc_sh_parse *ps)
{
    if (ps->commands > 0)
        return tc_sh_lexer_fail_open(ps, end_line(ps), ')');
    return !may_go_on(ps) && tc_sh_lexer_fail(ps, end_line(ps), "syntax error: unexpected end of file");
}

/* The line of the script that holds a byte, as the second message shows it. */
static struct tc_str line_around(struct tc_str text, size_t at)
{
    size_t from = at, to = at;

    while (from > 0 && text.p[from - 1] != '\n')
        from--;
    while (to < text.n && text.p[to] != '\n')
        to++;
    return tc_str_n(text.p + from, to - from);
}

static bool fail_near(struct tc_sh_parse *ps, struct tc_str token, struct tc_str line_text, int line)
{
    tc_sh_lexer_fail(ps, line, "syntax error near unexpected token `%.*s'", TC_STR_ARG(token));
    if (ps->parser)
        ps->parser->second = tc_arena_printf(ps->cx->arena, "`%.*s'", TC_STR_ARG(line_text));
    return false;
}

struct tc_str tc_sh_lexer_operator(const struct tc_sh_parse *ps)
{
    static const char *const all[] = {"<<<", "<<-", "<<", "<&", "<>", "<", "&>>", "&>", "&&", "&",  "||", "|&",
                                      "|",   ";;&", ";;", ";&", ";",  "(", ")",   ">>", ">&", ">|", ">"};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        if (tc_sh_lexer_looks(ps, all[i]))
            return tc_str_of(all[i]);
    return TC_STR("");
}

/* A word as messages show it: as it would be printed. */
static struct tc_str printed(struct tc_sh_parse *ps, const struct tc_sh_word *word)
{
    struct tc_buf buf;
    struct tc_str copy;

    tc_buf_init(&buf, STACK_MAX);
    tc_sh_print_word(&buf, word);
    copy = tc_buf_dup(&buf, ps->cx->arena);
    tc_buf_finish(&buf);
    return copy.p ? copy : TC_STR("");
}

/* The token at hand as messages show it; false when reading it fails. */
static bool token_at(struct tc_sh_parse *ps, struct tc_str *ret_token)
{
    size_t prefix = tc_sh_parse_redirected(ps);
    struct tc_sh_mark begin = tc_sh_lexer_mark(ps);
    struct tc_sh_assign *assign;
    struct tc_sh_word *word;

    if (prefix > 0) {
        *ret_token = tc_str_n(ps->text.p + ps->at, prefix);
    } else if (!tc_sh_parse_is_word(ps)) {
        *ret_token = tc_sh_lexer_peek(ps) == '\n' ? TC_STR("newline") : tc_sh_lexer_operator(ps);
    } else {
        if (!tc_sh_parse_word(ps, TC_SH_AT_COMMAND, &word, &assign))
            return false;
        *ret_token = assign ? tc_sh_lexer_source(ps, &begin) : printed(ps, word);
    }
    return true;
}

bool tc_sh_lexer_fail_token(struct tc_sh_parse *ps)
{
    struct tc_str token, around;
    int line = ps->line;

    if (ps->failed)
        return false;
    if (tc_sh_lexer_peek(ps) == -1)
        return fail_end(ps);
    around = line_around(ps->text, ps->at);
    return token_at(ps, &token) && fail_near(ps, token, around, line);
}
