/*
 * Assignments: name=value, name[subscript]=value, name=(…), each also with "+=".
 * The word's parts stay on the stack while it is read: "name=" first, then those of
 * the value, so that a declaration's argument is a word and an assignment of the
 * same parts.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

struct head {
    struct tc_sh_assign *assign;
    bool complete; /* the '=' was read */
};

static void literal(struct tc_sh_parse *ps, struct tc_sh_scan *scan, size_t n)
{
    tc_sh_scan_literal(ps, scan, tc_str_n(ps->text.p + ps->at, n), false, false);
    ps->at += n;
}

/* "=" or "+=" at hand: its length. */
static size_t equals(const struct tc_sh_parse *ps, size_t k)
{
    if (tc_sh_lexer_ahead(ps, k) == '=')
        return 1;
    return tc_sh_lexer_ahead(ps, k) == '+' && tc_sh_lexer_ahead(ps, k + 1) == '=' ? 2 : 0;
}

/* A copy of the parts since the mark, which stay. */
static struct tc_sh_word *copy_word(struct tc_sh_parse *ps, struct tc_sh_scan *scan, size_t mark,
                                    const struct tc_sh_mark *begin)
{
    struct tc_sh_word *word;
    size_t top;

    if (!tc_sh_scan_flush(ps, scan))
        return NULL;
    top = ps->parts.n;
    word = tc_sh_scan_take(ps, scan, mark);
    if (!word)
        return NULL;
    ps->parts.n = top;
    word->source = tc_sh_lexer_source(ps, begin);
    return word;
}

/* At '[': a subscript if "]=" ends it; else its text becomes part of the word. */
static bool subscript(struct tc_sh_parse *ps, struct tc_sh_scan *scan, bool blanks, struct tc_sh_subscript **ret_sub)
{
    enum tc_sh_within within = scan->within;
    struct tc_sh_mark begin;
    struct tc_sh_word *text;
    size_t mark;
    int line = ps->line;

    literal(ps, scan, 1);
    if (!tc_sh_scan_flush(ps, scan))
        return false;
    mark = ps->parts.n;
    begin = tc_sh_lexer_mark(ps);
    scan->within = TC_SH_IN_SUBSCRIPT;
    scan->blank_ends = !blanks;
    if (!tc_sh_scan_run(ps, scan))
        return false;
    scan->within = within;
    scan->nesting = 0;
    scan->blank_ends = false;
    if (tc_sh_lexer_peek(ps) != ']')
        return tc_sh_lexer_peek(ps) != -1 || !blanks || tc_sh_lexer_fail_open(ps, line, ']');
    if (!equals(ps, 1))
        return true;
    text = copy_word(ps, scan, mark, &begin);
    *ret_sub = text ? tc_sh_lexer_new_subscript(ps, text) : NULL;
    if (!*ret_sub)
        return false;
    literal(ps, scan, 1);
    return true;
}

/* What is read of a value from here on, as a word of its own. */
static bool value(struct tc_sh_parse *ps, struct tc_sh_scan *scan, struct tc_sh_word **ret_value)
{
    struct tc_sh_mark begin;
    struct tc_sh_scan own;
    size_t mark;

    if (!tc_sh_scan_flush(ps, scan))
        return false;
    mark = ps->parts.n;
    begin = tc_sh_lexer_mark(ps);
    tc_sh_scan_init(ps, &own, TC_SH_IN_COMMAND, false);
    if (!tc_sh_scan_run(ps, &own))
        return false;
    if (own.nesting > 0)
        return tc_sh_lexer_fail_open(ps, ps->line, ')');
    *ret_value = copy_word(ps, &own, mark, &begin);
    scan->special = scan->special || own.special;
    scan->braces = scan->braces || own.braces;
    return *ret_value != NULL;
}

static bool item(struct tc_sh_parse *ps)
{
    struct tc_sh_array_item item = {.append = false};
    struct tc_sh_mark begin = tc_sh_lexer_mark(ps);
    struct tc_sh_scan scan;

    tc_sh_scan_init(ps, &scan, TC_SH_IN_COMMAND, false);
    if (tc_sh_lexer_peek(ps) == '[' && !subscript(ps, &scan, true, &item.subscript))
        return false;
    if (item.subscript) {
        item.append = equals(ps, 0) == 2;
        ps->at += equals(ps, 0);
        if (!value(ps, &scan, &item.value))
            return false;
        ps->parts.n = scan.parts;
    } else {
        if (!tc_sh_scan_run(ps, &scan))
            return false;
        if (scan.nesting > 0)
            return tc_sh_lexer_fail_open(ps, ps->line, ')');
        item.value = tc_sh_scan_word(ps, &scan);
        if (!item.value)
            return false;
        item.value->source = tc_sh_lexer_source(ps, &begin);
    }
    tc_buf_add(&ps->items, &item, sizeof(item));
    return true;
}

bool tc_sh_parse_items(struct tc_sh_parse *ps, struct tc_sh_assign *assign, int line)
{
    size_t mark = ps->items.n;

    assign->array = true;
    for (;;) {
        if (!tc_sh_lexer_skip_lines(ps))
            return false;
        if (tc_sh_lexer_peek(ps) == ')')
            break;
        if (tc_sh_lexer_peek(ps) == -1)
            return tc_sh_lexer_fail_open(ps, line, ')');
        if (!tc_sh_parse_is_word(ps))
            return tc_sh_lexer_fail_token(ps);
        if (!item(ps))
            return false;
    }
    ps->at++;
    assign->n = ps->items.failed ? 0 : (ps->items.n - mark) / sizeof(struct tc_sh_array_item);
    assign->items = tc_sh_lexer_take(ps, &ps->items, mark);
    return assign->items != NULL;
}

/* "name=" or "name[sub]=", onto the scan. */
static bool read_head(struct tc_sh_parse *ps, struct tc_sh_scan *scan, bool blanks, struct head *ret_head)
{
    size_t n = tc_sh_lexer_name(ps, 0);
    struct tc_sh_subscript *sub = NULL;
    struct tc_str name = tc_str_n(ps->text.p + ps->at, n);

    ret_head->complete = false;
    if (n == 0 || (!equals(ps, n) && tc_sh_lexer_ahead(ps, n) != '['))
        return true;
    literal(ps, scan, n);
    if (tc_sh_lexer_peek(ps) == '[' && !subscript(ps, scan, blanks, &sub))
        return false;
    n = equals(ps, 0);
    if (n == 0 || (tc_sh_lexer_ahead(ps, 0) == '[' && !sub))
        return true;
    ret_head->assign = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_assign);
    if (!ret_head->assign)
        return tc_sh_lexer_fail_memory(ps);
    ret_head->assign->name = name;
    ret_head->assign->subscript = sub;
    ret_head->assign->append = n == 2;
    ret_head->complete = true;
    literal(ps, scan, n);
    return true;
}

static bool read_value(struct tc_sh_parse *ps, struct tc_sh_scan *scan, struct tc_sh_assign *assign, bool arrays)
{
    int line = ps->line;

    if (arrays && tc_sh_lexer_peek(ps) == '(') {
        ps->at++;
        if (!tc_sh_parse_items(ps, assign, line))
            return false;
        /* bash makes one string of "(…)x", which nobody means */
        return tc_sh_lexer_is_meta(tc_sh_lexer_peek(ps)) || tc_sh_lexer_fail_token(ps);
    }
    if (!value(ps, scan, &assign->value))
        return false;
    if (assign->value->n == 0)
        assign->value = NULL;
    return true;
}

bool tc_sh_parse_word(struct tc_sh_parse *ps, enum tc_sh_parse_place place, struct tc_sh_word **ret_word,
                      struct tc_sh_assign **ret_assign)
{
    struct tc_sh_mark begin = tc_sh_lexer_mark(ps);
    struct tc_sh_scan scan;
    struct head head = {.complete = false};
    int line = ps->line;

    *ret_assign = NULL;
    tc_sh_scan_init(ps, &scan, TC_SH_IN_COMMAND, false);
    if (place != TC_SH_AT_WORD && !read_head(ps, &scan, place == TC_SH_AT_COMMAND, &head))
        return false;
    if (!(head.complete ? read_value(ps, &scan, head.assign, place != TC_SH_AT_ARGUMENT) : tc_sh_scan_run(ps, &scan)))
        return false;
    if (scan.nesting > 0)
        return tc_sh_lexer_fail_open(ps, line, ')');
    if (head.complete && head.assign->array && place != TC_SH_AT_COMMAND) {
        ps->parts.n = scan.parts;
        scan.has_literal = false;
        tc_sh_scan_literal(ps, &scan, tc_sh_lexer_source(ps, &begin), false, false);
    }
    *ret_assign = head.complete ? head.assign : NULL;
    if (head.complete && place == TC_SH_AT_COMMAND) {
        ps->parts.n = scan.parts;
        return true;
    }
    *ret_word = tc_sh_scan_word(ps, &scan);
    if (!*ret_word)
        return false;
    (*ret_word)->source = tc_sh_lexer_source(ps, &begin);
    (*ret_word)->assign = *ret_assign;
    return true;
}
