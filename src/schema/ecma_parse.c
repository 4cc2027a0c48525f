/*
 * A recursive-descent parser of ECMA-262 patterns that writes PCRE2 text as it
 * reads. Every construct is written anew from what was understood, so nothing
 * that only PCRE2 knows (verbs, inline options, possessive quantifiers, POSIX
 * classes, \Q…\E) can pass.
 *
 * Beside the text it keeps, as long as it can, the row of sets and counts that
 * struct tc_ecma_simple describes.
 */
#include "schema/ecma_parse.h"

#include "base/utf8.h"
#include "schema/ecma.h"
#include "schema/ecma_parser.h"

enum { REPEAT_MAX = 65535 }; /* what PCRE2 can count to */

static bool parse_alternatives(struct tc_ecma_parser *p, unsigned depth);

/* --- the simple form --- */

static void not_simple(struct tc_ecma_parser *p)
{
    p->simple->ok = false;
}

/* Notes a set that lacks one character and may be repeated without limit. */
static void note_stop(struct tc_ecma_item *item)
{
    uint64_t out[2] = {~item->low[0], ~item->low[1]};

    if (!item->high || item->no_separators || item->min > 1 || item->max != UINT32_MAX ||
        __builtin_popcountll(out[0]) + __builtin_popcountll(out[1]) != 1)
        return;
    item->has_stop = true;
    item->stop = (char)(out[0] ? __builtin_ctzll(out[0]) : 64 + __builtin_ctzll(out[1]));
}

static void keep_item(struct tc_ecma_parser *p, uint32_t min, uint32_t max)
{
    struct tc_ecma_simple *s = p->simple;

    if (!s->ok)
        return;
    if (!p->plain || s->to_end || s->n == TC_ECMA_ITEMS_MAX) {
        not_simple(p);
        return;
    }
    p->item.min = min;
    p->item.max = max;
    note_stop(&p->item);
    s->items[s->n++] = p->item;
}

static bool overlap(const struct tc_ecma_item *a, const struct tc_ecma_item *b)
{
    return (a->low[0] & b->low[0]) || (a->low[1] & b->low[1]) || (a->high && b->high);
}

/* Greedy taking is right when no item of varying length can eat what a later
 * one needs. */
static bool never_goes_back(const struct tc_ecma_simple *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->items[i].min == s->items[i].max)
            continue;
        for (uint32_t j = i + 1; j < s->n; j++) {
            if (overlap(&s->items[i], &s->items[j]))
                return false;
            if (s->items[j].min > 0)
                break;
        }
    }
    return true;
}

/* --- atoms --- */

static bool parse_backreference(struct tc_ecma_parser *p)
{
    uint32_t group = 0;

    for (; more(p) && p->in.p[p->at] >= '0' && p->in.p[p->at] <= '9' && group < 10000; p->at++)
        group = group * 10 + (uint32_t)(p->in.p[p->at] - '0');
    if (group > p->groups)
        return fail(p, "a reference to a group that is not there");
    if (p->out)
        tc_buf_printf(p->out, "\\g{%u}", (unsigned)group);
    return true;
}

static bool parse_named_reference(struct tc_ecma_parser *p)
{
    struct tc_str rest = tc_str_from(p->in, p->at);
    size_t end = tc_str_chr(rest, '>');

    if (!take(p, "<") || end == SIZE_MAX)
        return fail(p, "\\k without a name");
    p->at += end;
    for (uint32_t i = 0; i < p->names_n; i++) {
        if (!tc_str_eq(p->names[i], tc_str_n(rest.p + 1, end - 1)))
            continue;
        if (p->out)
            tc_buf_printf(p->out, "\\g{%u}", (unsigned)p->name_group[i]);
        return true;
    }
    return fail(p, "a reference to a name that is not there");
}

static bool plain_char(struct tc_ecma_parser *p, uint32_t c)
{
    if (c == TC_ECMA_LONE) {
        put(p, "[" TC_ECMA_NOTHING);
        return true;
    }
    put_char(p, c);
    p->plain = c < 128;
    if (p->plain)
        set_bit(&p->item, c);
    return true;
}

/* Behind the backslash. */
static bool parse_escape(struct tc_ecma_parser *p)
{
    struct tc_ecma_set set = {.plain = true};
    uint32_t c = 0;

    if (!more(p))
        return fail(p, "a backslash at the end");
    if (p->in.p[p->at] >= '1' && p->in.p[p->at] <= '9')
        return parse_backreference(p);
    if (take(p, "k"))
        return parse_named_reference(p);
    if (strchr("dDsSwWpP", p->in.p[p->at]) && p->in.p[p->at]) {
        put(p, "[");
        tc_ecma_set_escape(p, &set);
        put(p, "]");
        p->plain = set.plain;
        p->item = set.bits;
        return !p->reason;
    }
    return tc_ecma_char_escape(p, &c) && plain_char(p, c);
}

/* Behind "(?<": the name was read by find_groups. */
static void skip_name(struct tc_ecma_parser *p)
{
    while (!take(p, ">"))
        p->at++;
}

/* Behind the opening parenthesis. */
static bool parse_group(struct tc_ecma_parser *p, unsigned depth)
{
    if (depth >= TC_ECMA_NEST_MAX)
        return fail(p, "too many parentheses inside each other");
    if (take(p, "?:")) {
        put(p, "(?:");
    } else if (take(p, "?=")) {
        put(p, "(?=");
    } else if (take(p, "?!")) {
        put(p, "(?!");
    } else if (take(p, "?<=")) {
        put(p, "(?<=");
    } else if (take(p, "?<!")) {
        put(p, "(?<!");
    } else if (take(p, "?<")) {
        skip_name(p);
        put(p, "(");
    } else if (at(p, "?")) {
        return fail(p, "a group that ECMA-262 does not have");
    } else {
        put(p, "(");
    }
    not_simple(p);
    if (!parse_alternatives(p, depth + 1))
        return false;
    if (!take(p, ")"))
        return fail(p, "a parenthesis that is not closed");
    put(p, ")");
    return true;
}

static bool parse_dot(struct tc_ecma_parser *p)
{
    put(p, "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]");
    p->plain = true;
    p->item = (struct tc_ecma_item){
        .low = {~(((uint64_t)1 << '\n') | ((uint64_t)1 << '\r')), ~(uint64_t)0}, .high = true, .no_separators = true};
    return true;
}

/* The digits at p->at, cut at UINT32_MAX - 1; false when there are none. */
static bool parse_count(struct tc_ecma_parser *p, uint32_t *ret_n)
{
    uint64_t n = 0;
    size_t from = p->at;

    for (; more(p) && p->in.p[p->at] >= '0' && p->in.p[p->at] <= '9'; p->at++)
        n = n > UINT32_MAX ? n : n * 10 + (uint64_t)(p->in.p[p->at] - '0');
    *ret_n = n >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)n;
    return p->at > from;
}

/* {n}, {n,} or {n,m}; anything else is left where it is. */
static bool parse_braces(struct tc_ecma_parser *p, uint32_t *ret_min, uint32_t *ret_max)
{
    size_t from = p->at;
    uint32_t min, max;

    if (take(p, "{") && parse_count(p, &min)) {
        max = min;
        if (take(p, ",") && !parse_count(p, &max))
            max = UINT32_MAX;
        if (take(p, "}")) {
            *ret_min = min;
            *ret_max = max;
            return true;
        }
    }
    p->at = from;
    return false;
}

static bool at_quantifier(struct tc_ecma_parser *p)
{
    size_t from = p->at;
    uint32_t min, max;
    bool braces;

    if (at(p, "*") || at(p, "+") || at(p, "?"))
        return true;
    braces = parse_braces(p, &min, &max);
    p->at = from;
    return braces;
}

/* What follows an atom, or nothing. */
static bool parse_quantifier(struct tc_ecma_parser *p)
{
    uint32_t min = 1, max = 1;
    bool found = true;

    if (take(p, "*"))
        min = 0, max = UINT32_MAX;
    else if (take(p, "+"))
        max = UINT32_MAX;
    else if (take(p, "?"))
        min = 0;
    else
        found = parse_braces(p, &min, &max);
    keep_item(p, min, max);
    if (!found)
        return true;
    if (min > max)
        return fail(p, "a repeat count out of order");
    if (min > REPEAT_MAX || (max > REPEAT_MAX && max != UINT32_MAX))
        p->long_repeat = true;
    if (p->out && max == UINT32_MAX)
        tc_buf_printf(p->out, "{%u,}", (unsigned)min);
    else if (p->out)
        tc_buf_printf(p->out, "{%u,%u}", (unsigned)min, (unsigned)max);
    if (take(p, "?"))
        put(p, "?");
    return true;
}

static bool parse_atom(struct tc_ecma_parser *p, unsigned depth)
{
    if (take(p, "."))
        return parse_dot(p);
    if (take(p, "["))
        return tc_ecma_class(p);
    if (take(p, "\\"))
        return parse_escape(p);
    if (take(p, "("))
        return parse_group(p, depth);
    if (at_quantifier(p))
        return fail(p, "a quantifier with nothing to repeat");
    return plain_char(p, tc_utf8_next(p->in, &p->at));
}

/* ^ $ \b \B. False when it is none. */
static bool parse_assertion(struct tc_ecma_parser *p, size_t start)
{
    if (take(p, "^")) {
        put(p, "^");
        if (start != 0)
            not_simple(p);
        return true;
    }
    if (take(p, "$")) {
        put(p, "$");
        p->simple->to_end = true;
        return true;
    }
    if (at(p, "\\b") || at(p, "\\B")) {
        put(p, p->in.p[p->at + 1] == 'b' ? "\\b" : "\\B");
        p->at += 2;
        not_simple(p);
        return true;
    }
    return false;
}

static bool parse_alternatives(struct tc_ecma_parser *p, unsigned depth)
{
    while (more(p) && !at(p, ")")) {
        if (take(p, "|")) {
            put(p, "|");
            not_simple(p);
            continue;
        }
        if (parse_assertion(p, p->at)) {
            if (at_quantifier(p))
                return fail(p, "a quantifier with nothing to repeat");
            continue;
        }
        p->plain = false;
        p->item = (struct tc_ecma_item){.high = false};
        if (!parse_atom(p, depth) || !parse_quantifier(p))
            return false;
    }
    return true;
}

static bool name_char(char c, bool first)
{
    return (unsigned char)c >= 0x80 || c == '$' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (!first && c >= '0' && c <= '9');
}

/* Notes the name at `from`, behind "(?<". */
static bool note_name(struct tc_ecma_parser *p, size_t from)
{
    size_t end = from;
    struct tc_str name;

    while (end < p->in.n && name_char(p->in.p[end], end == from))
        end++;
    name = tc_str_n(p->in.p + from, end - from);
    p->at = from;
    if (name.n == 0 || end == p->in.n || p->in.p[end] != '>')
        return fail(p, "an invalid group name");
    for (uint32_t i = 0; i < p->names_n; i++)
        if (tc_str_eq(p->names[i], name))
            return fail(p, "a group name that is there twice");
    if (p->names_n == TC_ECMA_NAMES_MAX)
        return fail(p, "too many group names");
    p->names[p->names_n] = name;
    p->name_group[p->names_n++] = p->groups;
    return true;
}

/* Groups are counted first: a reference may stand before its group. */
static bool find_groups(struct tc_ecma_parser *p)
{
    bool in_class = false;

    for (size_t i = 0; i < p->in.n; i++) {
        char c = p->in.p[i];
        struct tc_str rest = tc_str_from(p->in, i);
        if (c == '\\') {
            i++;
        } else if (in_class) {
            in_class = c != ']';
        } else if (c == '[') {
            in_class = true;
        } else if (c == '(' && !tc_str_starts(rest, TC_STR("(?"))) {
            p->groups++;
        } else if (tc_str_starts(rest, TC_STR("(?<")) && !tc_str_starts(rest, TC_STR("(?<=")) &&
                   !tc_str_starts(rest, TC_STR("(?<!"))) {
            p->groups++;
            if (!note_name(p, i + 3))
                return false;
        }
    }
    p->at = 0;
    return true;
}

bool tc_ecma_parse(struct tc_str pattern, struct tc_buf *text, struct tc_ecma_simple *simple,
                    struct tc_ecma_fault *ret_fault)
{
    struct tc_ecma_simple own;
    struct tc_ecma_parser p = {.in = pattern, .out = text, .simple = simple ? simple : &own};

    p.simple->n = 0;
    p.simple->to_end = false;
    p.simple->ok = tc_str_starts(pattern, TC_STR("^"));
    if (pattern.n > TC_ECMA_PATTERN_MAX)
        fail(&p, "a pattern of more than 4096 bytes");
    else if (find_groups(&p) && parse_alternatives(&p, 0) && more(&p))
        fail(&p, "a parenthesis that was not opened");
    p.simple->ok = p.simple->ok && never_goes_back(p.simple);
    if (!p.reason && p.long_repeat && !p.simple->ok)
        fail(&p, "a repeat count over 65535");
    *ret_fault = (struct tc_ecma_fault){p.reason, p.at};
    return !p.reason;
}
