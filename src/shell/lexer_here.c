/*
 * Here-documents: noted where their operator stands, read when the line ends.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static void warn(struct tc_sh_parse *ps, int line, struct tc_str text)
{
    struct tc_sh_warning *warning = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_warning);

    if (!warning || !text.p || !ps->parser)
        return;
    warning->line = line;
    warning->text = text;
    *ps->parser->warnings_end = warning;
    ps->parser->warnings_end = &warning->next;
}

static void warn_missing(struct tc_sh_parse *ps, const struct tc_sh_here *here, int line)
{
    warn(ps, line, tc_arena_printf(ps->cx->arena, "here-document at line %d delimited by end-of-file (wanted `%.*s')",
                                   here->line, TC_STR_ARG(here->delimiter)));
}

/* The end of the line at hand; joined lines are one, but in a literal document. */
static size_t line_end(const struct tc_sh_parse *ps, bool literal)
{
    size_t at = ps->at;

    for (;; at++) {
        const char *end = memchr(ps->text.p + at, '\n', ps->text.n - at);
        size_t slashes = 0;

        if (!end)
            return ps->text.n;
        at = (size_t)(end - ps->text.p);
        while (!literal && at - slashes > ps->at && end[-1 - (ptrdiff_t)slashes] == '\\')
            slashes++;
        if (slashes % 2 == 0)
            return at;
    }
}

/* Whether a line is the delimiter, which joined lines can make up. */
static bool is_delimiter(struct tc_str line, const struct tc_sh_here *here)
{
    size_t i = 0;

    for (size_t at = 0; at < line.n; at++) {
        if (!here->literal && line.p[at] == '\\' && at + 1 < line.n && line.p[at + 1] == '\n')
            at++;
        else if (i == here->delimiter.n || line.p[at] != here->delimiter.p[i++])
            return false;
    }
    return i == here->delimiter.n;
}

/* "EOF)" ends a document inside of $(…) too, with a warning. */
static bool ends_with_paren(const struct tc_sh_parse *ps, struct tc_str line, const struct tc_sh_here *here)
{
    return ps->commands > 0 && tc_str_starts(line, here->delimiter) &&
           tc_str_chr(tc_str_from(line, here->delimiter.n), ')') != SIZE_MAX;
}

/* The lines up to the delimiter: their bytes, onto the stack as well where they are no slice of the
 * text. False when the text ends first. */
static bool read_lines(struct tc_sh_parse *ps, const struct tc_sh_here *here, bool copy, size_t *ret_n)
{
    for (*ret_n = 0; tc_sh_lexer_peek(ps) != -1;) {
        size_t end = line_end(ps, here->literal), feed = end < ps->text.n;
        struct tc_str line = tc_str_n(ps->text.p + ps->at, end - ps->at);

        while (here->tabs && line.n > 0 && *line.p == '\t')
            line = tc_str_from(line, 1);
        if (ends_with_paren(ps, line, here)) {
            ps->at = (size_t)(line.p - ps->text.p) + here->delimiter.n;
            warn_missing(ps, here, ps->line);
            return true;
        }
        tc_sh_lexer_count(ps, ps->text.p + ps->at, end - ps->at + feed);
        ps->at = end + feed;
        if (is_delimiter(line, here))
            return true;
        *ret_n += line.n + feed;
        if (copy)
            tc_buf_add(&ps->bytes, line.p, line.n + feed);
    }
    return false;
}

/* The body as a word: parsed as in double quotes, but for a quoted delimiter. */
static struct tc_sh_word *body_word(struct tc_sh_parse *ps, struct tc_str text, bool literal, int line)
{
    struct tc_sh_inner inner;
    struct tc_sh_scan scan;
    struct tc_sh_word *word;

    if (literal)
        return tc_sh_lexer_literal(ps, text, true);
    tc_sh_parse_inner(ps, &inner, text, line);
    tc_sh_scan_init(ps, &scan, TC_SH_IN_HERE, true);
    if (!tc_sh_scan_run(ps, &scan))
        return NULL;
    word = tc_sh_scan_word(ps, &scan);
    if (!word || !tc_sh_lexer_here_missing(ps))
        return NULL;
    word->source = text;
    tc_sh_parse_outer(ps, &inner);
    return word;
}

static bool read_body(struct tc_sh_parse *ps, const struct tc_sh_here *here)
{
    bool copy = tc_sh_lexer_peek(ps) != -1 && (here->tabs || ps->frame);
    size_t base = ps->bytes.n, n;
    struct tc_str text = tc_str_n(ps->text.p + ps->at, 0);
    int line = ps->line;

    if (!read_lines(ps, here, copy, &n)) {
        if (!ps->whole && !ps->sub)
            return tc_sh_lexer_fail_open(ps, line, '\0'); /* more is to come */
        warn_missing(ps, here, ps->line - (ps->text.n > 0 && ps->text.p[ps->text.n - 1] == '\n'));
    }
    text.n = n;
    if (copy) {
        if (ps->bytes.failed)
            return tc_sh_lexer_fail_memory(ps);
        text = tc_arena_dup(ps->cx->arena, tc_str_from(tc_buf_get(&ps->bytes), base));
        ps->bytes.n = base;
        if (!text.p)
            return tc_sh_lexer_fail_memory(ps);
    }
    here->redirect->word = body_word(ps, text, here->literal, line);
    return here->redirect->word != NULL;
}

bool tc_sh_lexer_here_bodies(struct tc_sh_parse *ps)
{
    struct tc_sh_here *here = ps->here;

    ps->here = NULL;
    ps->here_end = &ps->here;
    for (; here; here = here->next)
        if (!read_body(ps, here))
            return false;
    return true;
}

bool tc_sh_lexer_here_missing(struct tc_sh_parse *ps)
{
    return !ps->here || tc_sh_lexer_here_bodies(ps);
}

void tc_sh_lexer_here_inner(struct tc_sh_parse *ps, struct tc_sh_here *outer, struct tc_sh_here **outer_end)
{
    struct tc_sh_here *inner = ps->here, **inner_end = ps->here_end;
    int n = 0;

    for (const struct tc_sh_here *here = inner; here; here = here->next)
        n++;
    if (n > 0)
        warn(ps, ps->line, tc_arena_printf(ps->cx->arena, "command substitution: %d unterminated here-document%s", n,
                                           n > 1 ? "s" : ""));
    ps->here = outer ? outer : inner;
    if (outer)
        *outer_end = inner;
    ps->here_end = inner ? inner_end : outer ? outer_end : &ps->here;
}
