/*
 * What '$' and '`' begin, and process substitutions. Commands inside are parsed by
 * the grammar on the spot, so that quotes, comments, patterns of case and
 * here-documents in them mean what they mean.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static bool is_name_start(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_name(int c)
{
    return is_name_start(c) || (c >= '0' && c <= '9');
}

size_t tc_sh_lexer_name(const struct tc_sh_parse *ps, size_t from)
{
    size_t n = 0;

    if (!is_name_start(tc_sh_lexer_ahead(ps, from)))
        return 0;
    while (is_name(tc_sh_lexer_ahead(ps, from + n)))
        n++;
    return n;
}

/* "$" is a plain character. */
static bool lone(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    tc_sh_scan_literal(ps, scan, tc_str_n(ps->text.p + ps->at++, 1), scan->dquote, false);
    return true;
}

static bool simple_param(struct tc_sh_parse *ps, struct tc_sh_scan *scan, size_t n)
{
    struct tc_sh_param *param = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_param);

    if (!param)
        return tc_sh_lexer_fail_memory(ps);
    param->name = tc_str_n(ps->text.p + ps->at + 1, n);
    param->source = tc_str_n(ps->text.p + ps->at, n + 1);
    ps->at += n + 1;
    return tc_sh_scan_part(ps, scan, (struct tc_sh_part){.kind = TC_SH_PARAM, .quoted = scan->dquote, .param = param});
}

/* At "$((" (skip 3, until "))") or "$[" (skip 2, until ']'). */
static bool arith(struct tc_sh_parse *ps, struct tc_sh_scan *scan, enum tc_sh_within within)
{
    size_t skip = within == TC_SH_IN_ARITH ? 3 : 2;
    char closing = within == TC_SH_IN_ARITH ? ')' : ']';
    struct tc_sh_part part = {.kind = TC_SH_ARITH, .quoted = scan->dquote};
    int line = ps->line;

    ps->at += skip;
    if (!tc_sh_lexer_enter(ps))
        return false;
    part.arith = tc_sh_lexer_arith(ps, within);
    ps->depth--;
    if (!part.arith)
        return false;
    for (size_t i = 1; i < skip; i++, ps->at++)
        if (tc_sh_lexer_peek(ps) != closing)
            return tc_sh_lexer_fail_open(ps, line, closing);
    return tc_sh_scan_part(ps, scan, part);
}

/* Behind "$(", "<(" or ">(". Here-documents of the line outside wait meanwhile. */
static bool command(struct tc_sh_parse *ps, struct tc_sh_node **ret_list)
{
    struct tc_sh_here *here = ps->here, **here_end = ps->here_end;
    bool ok;

    if (!tc_sh_lexer_enter(ps))
        return false;
    ps->here = NULL;
    ps->here_end = &ps->here;
    ps->commands++;
    ok = tc_sh_parse_body(ps, ret_list);
    if (ok && tc_sh_lexer_peek(ps) != ')')
        ok = tc_sh_lexer_fail_token(ps);
    ps->commands--;
    ps->depth--;
    if (!ok)
        return false;
    ps->at++;
    tc_sh_lexer_here_inner(ps, here, here_end);
    return true;
}

static bool substitution(struct tc_sh_parse *ps, struct tc_sh_scan *scan, enum tc_sh_part_kind kind)
{
    struct tc_sh_part part = {.kind = kind, .quoted = scan->dquote};
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps);

    if (!tc_sh_scan_flush(ps, scan))
        return false;
    ps->at += 2;
    if (!command(ps, &part.list))
        return false;
    part.source = tc_sh_lexer_source(ps, &mark);
    return tc_sh_scan_part(ps, scan, part);
}

bool tc_sh_scan_process(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    return substitution(ps, scan, ps->text.p[ps->at] == '<' ? TC_SH_PROCESS_IN : TC_SH_PROCESS_OUT);
}

static bool parenthesis(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    bool is_arith = false;

    if (tc_sh_lexer_ahead(ps, 2) == '(') {
        ps->at++;
        if (!tc_sh_lexer_is_arith(ps, true, &is_arith))
            return false;
        ps->at--;
    }
    return is_arith ? arith(ps, scan, TC_SH_IN_ARITH) : substitution(ps, scan, TC_SH_COMMAND);
}

bool tc_sh_scan_dollar(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    int c = tc_sh_lexer_ahead(ps, 1);
    size_t n = tc_sh_lexer_name(ps, 1);

    if (n > 0)
        return simple_param(ps, scan, n);
    switch (c) {
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
    case '@':
    case '*':
    case '#':
    case '?':
    case '-':
    case '$':
    case '!':
        return simple_param(ps, scan, 1);
    case '{':
        return tc_sh_scan_param(ps, scan);
    case '(':
        return parenthesis(ps, scan);
    case '[':
        return arith(ps, scan, TC_SH_IN_BRACKET);
    case '\'':
        return scan->dquote && scan->within != TC_SH_IN_BRACE ? lone(ps, scan) : tc_sh_scan_ansi(ps, scan);
    case '"':
        if (scan->dquote)
            return lone(ps, scan);
        ps->at++;
        return tc_sh_scan_double(ps, scan);
    default:
        return lone(ps, scan);
    }
}

/* --- `…` --- */

/* Its text up to the '`', without the backslashes that are the quotes' own. */
static bool inner_text(struct tc_sh_parse *ps, bool dquote, struct tc_str *ret_text)
{
    size_t base = ps->bytes.n, from = ps->at;
    int line = ps->line;

    for (;;) {
        int c = tc_sh_lexer_peek(ps), next = tc_sh_lexer_ahead(ps, 1);

        if (c == -1)
            return tc_sh_lexer_fail_open(ps, line, '`');
        if (c == '`')
            break;
        if (c == '\\' && (next == '`' || next == '\\' || next == '$' || (dquote && next == '"')))
            ps->at++;
        tc_sh_lexer_count(ps, ps->text.p + ps->at, 1);
        tc_buf_char(&ps->bytes, ps->text.p[ps->at++]);
    }
    if (ps->bytes.failed)
        return tc_sh_lexer_fail_memory(ps);
    *ret_text = tc_str_n(ps->text.p + from, ps->at - from);
    if (ret_text->n != ps->bytes.n - base)
        *ret_text = tc_arena_dup(ps->cx->arena, tc_str_from(tc_buf_get(&ps->bytes), base));
    ps->bytes.n = base;
    return ret_text->p || tc_sh_lexer_fail_memory(ps);
}

/* Back to what was before the inner text, which has an error: its part is the text itself. */
static bool leave_unparsed(struct tc_sh_parse *ps, const size_t *marks, struct tc_str text, struct tc_sh_part *part)
{
    if (ps->cx->err.code == TC_E_NO_MEMORY)
        return false;
    tc_sh_lexer_stacks_cut(ps, marks);
    ps->failed = TC_SH_PARSED;
    ps->cx->err = (struct tc_error){0};
    if (ps->parser) {
        ps->parser->second = (struct tc_str){0};
        ps->parser->condition = false;
    }
    part->kind = TC_SH_UNPARSED;
    part->text = text;
    return true;
}

bool tc_sh_scan_backquote(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    size_t marks[TC_SH_LEXER_STACKS];
    struct tc_sh_part part = {.kind = TC_SH_COMMAND, .quoted = scan->dquote};
    struct tc_sh_inner inner;
    struct tc_str text;
    int line = ps->line, depth = ps->depth;

    if (!tc_sh_scan_flush(ps, scan))
        return false;
    ps->at++;
    if (!inner_text(ps, scan->dquote, &text) || !tc_sh_lexer_enter(ps))
        return false;
    ps->at++;
    tc_sh_lexer_stacks_mark(ps, marks);
    tc_sh_parse_inner(ps, &inner, text, line);
    if (!(tc_sh_parse_body(ps, &part.list) && (tc_sh_lexer_peek(ps) == -1 || tc_sh_lexer_fail_token(ps)) &&
          tc_sh_lexer_here_missing(ps)) &&
        !leave_unparsed(ps, marks, text, &part))
        return false;
    tc_sh_parse_outer(ps, &inner);
    ps->depth = depth;
    return tc_sh_scan_part(ps, scan, part);
}
