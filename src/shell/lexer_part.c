/*
 * What a scan collects: literals that grow piece by piece, parts, and the words they
 * make. A literal is a slice of the text as long as its pieces lie side by side.
 */
#include "shell/lexer_word.h"

void tc_sh_scan_init(struct tc_sh_parse *ps, struct tc_sh_scan *scan, enum tc_sh_within within, bool dquote)
{
    *scan = (struct tc_sh_scan){.within = within, .dquote = dquote, .line = ps->line};
    scan->parts = ps->parts.n;
    scan->bytes = ps->bytes.n;
    scan->extglob = within == TC_SH_IN_CONDITION || (within == TC_SH_IN_COMMAND && ps->extglob);
}

bool tc_sh_scan_part(struct tc_sh_parse *ps, struct tc_sh_scan *scan, struct tc_sh_part part)
{
    if (!tc_sh_scan_flush(ps, scan))
        return false;
    tc_buf_add(&ps->parts, &part, sizeof(part));
    return true;
}

bool tc_sh_scan_flush(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    struct tc_sh_part part = {.kind = TC_SH_LITERAL, .quoted = scan->literal_quoted};

    if (!scan->has_literal)
        return true;
    part.text = scan->literal;
    if (scan->copied) {
        if (ps->bytes.failed)
            return tc_sh_lexer_fail_memory(ps);
        part.text = tc_arena_dup(ps->cx->arena, tc_str_from(tc_buf_get(&ps->bytes), scan->bytes));
        if (!part.text.p)
            return tc_sh_lexer_fail_memory(ps);
        ps->bytes.n = scan->bytes;
    }
    scan->has_literal = scan->copied = false;
    tc_buf_add(&ps->parts, &part, sizeof(part));
    return true;
}

/* Notes what an unquoted piece has that expansion cares about. */
static void look_at(struct tc_sh_scan *scan, struct tc_str piece)
{
    for (size_t i = 0; i < piece.n && !tc_str_is(piece, "["); i++) { /* alone it is the command */
        switch (piece.p[i]) {
        case '*': case '?': case '[': case '~':
            scan->special = true;
            break;
        case '{':
            scan->open_brace = true;
            break;
        case ',':
            scan->braces = scan->braces || scan->open_brace;
            break;
        case '.':
            scan->braces = scan->braces || (scan->open_brace && i + 1 < piece.n && piece.p[i + 1] == '.');
            break;
        default:
            break;
        }
    }
}

void tc_sh_scan_literal(struct tc_sh_parse *ps, struct tc_sh_scan *scan, struct tc_str piece, bool quoted, bool copy)
{
    if (!quoted)
        look_at(scan, piece);
    if (scan->has_literal && scan->literal_quoted != quoted && !tc_sh_scan_flush(ps, scan))
        return;
    if (!scan->has_literal) {
        scan->has_literal = true;
        scan->literal_quoted = quoted;
        scan->literal = piece;
        scan->bytes = ps->bytes.n;
        if (!copy)
            return;
        scan->literal = TC_STR("");
    }
    if (!copy && !scan->copied && scan->literal.p + scan->literal.n == piece.p) {
        scan->literal.n += piece.n;
        return;
    }
    if (!scan->copied)
        tc_buf_str(&ps->bytes, scan->literal);
    scan->copied = true;
    tc_buf_str(&ps->bytes, piece);
}

struct tc_sh_word *tc_sh_scan_take(struct tc_sh_parse *ps, struct tc_sh_scan *scan, size_t mark)
{
    struct tc_sh_word *word;
    size_t n;

    if (ps->failed || !tc_sh_scan_flush(ps, scan))
        return NULL;
    n = ps->parts.failed ? 0 : (ps->parts.n - mark) / sizeof(struct tc_sh_part);
    word = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_word);
    if (!word) {
        tc_sh_lexer_fail_memory(ps);
        return NULL;
    }
    word->parts = tc_sh_lexer_take(ps, &ps->parts, mark);
    if (!word->parts)
        return NULL;
    word->n = n;
    word->braces = scan->braces;
    word->plain = n == 1 && word->parts[0].kind == TC_SH_LITERAL && !word->parts[0].quoted && !scan->special &&
                  !scan->braces;
    return word;
}

struct tc_sh_word *tc_sh_scan_word(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    return tc_sh_scan_take(ps, scan, scan->parts);
}

/* --- whole words --- */

struct tc_sh_word *tc_sh_lexer_word(struct tc_sh_parse *ps, enum tc_sh_within within)
{
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps);
    struct tc_sh_scan scan;
    struct tc_sh_word *word;
    int line = ps->line;

    tc_sh_scan_init(ps, &scan, within, false);
    if (!tc_sh_scan_run(ps, &scan))
        return NULL;
    if (scan.nesting > 0) {
        tc_sh_lexer_fail_open(ps, line, ')');
        return NULL;
    }
    word = tc_sh_scan_word(ps, &scan);
    if (word)
        word->source = tc_sh_lexer_source(ps, &mark);
    return word;
}

struct tc_sh_arith *tc_sh_lexer_arith(struct tc_sh_parse *ps, enum tc_sh_within within)
{
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps);
    struct tc_sh_arith *arith = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_arith);
    struct tc_sh_scan scan;

    if (!arith) {
        tc_sh_lexer_fail_memory(ps);
        return NULL;
    }
    tc_sh_scan_init(ps, &scan, within, within != TC_SH_IN_SUBSCRIPT && within != TC_SH_IN_INDEX);
    if (!tc_sh_scan_run(ps, &scan))
        return NULL;
    arith->text = tc_sh_scan_word(ps, &scan);
    if (!arith->text)
        return NULL;
    arith->text->source = tc_sh_lexer_source(ps, &mark);
    arith->arena = ps->cx->arena;
    return arith;
}

struct tc_sh_subscript *tc_sh_lexer_new_subscript(struct tc_sh_parse *ps, struct tc_sh_word *text)
{
    struct tc_sh_subscript *sub = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_subscript);

    if (!sub) {
        tc_sh_lexer_fail_memory(ps);
        return NULL;
    }
    sub->expr.text = text;
    if (tc_str_is(text->source, "@"))
        sub->kind = TC_SH_SUB_AT;
    else if (tc_str_is(text->source, "*"))
        sub->kind = TC_SH_SUB_STAR;
    return sub;
}

struct tc_sh_subscript *tc_sh_lexer_subscript(struct tc_sh_parse *ps)
{
    struct tc_sh_arith *expr;
    int line = ps->line;

    ps->at++;
    expr = tc_sh_lexer_arith(ps, TC_SH_IN_SUBSCRIPT);
    if (!expr)
        return NULL;
    if (tc_sh_lexer_peek(ps) != ']') {
        tc_sh_lexer_fail_open(ps, line, ']');
        return NULL;
    }
    ps->at++;
    return tc_sh_lexer_new_subscript(ps, expr->text);
}

struct tc_sh_word *tc_sh_lexer_literal(struct tc_sh_parse *ps, struct tc_str text, bool quoted)
{
    struct tc_sh_scan scan;
    struct tc_sh_word *word;

    tc_sh_scan_init(ps, &scan, TC_SH_IN_COMMAND, false);
    if (text.n > 0 || quoted)
        tc_sh_scan_literal(ps, &scan, text, quoted, false);
    word = tc_sh_scan_word(ps, &scan);
    if (word)
        word->source = text;
    return word;
}
