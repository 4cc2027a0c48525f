/*
 * A recursive-descent parser of ECMA-262 patterns that writes PCRE2 text as it
 * reads. Every construct is written anew from what was understood, so nothing
 * that only PCRE2 knows (verbs, inline options, possessive quantifiers, POSIX
 * classes, \Q…\E) can pass.
 *
 * Beside the text it keeps, as long as it can, the row of sets and counts that
 * struct tc_regex_simple describes.
 */
#include "schema/regex_parse.h"

#include "base/utf8.h"
#include "schema/regex.h"
#include "schema/regex_props.h"

enum { NAMES_MAX = 32, REPEAT_MAX = 65535, END = 0x110000, LONE = 0x110001 /* a lone surrogate: matches no text */ };

struct parser {
    struct tc_str in;
    size_t at;
    struct tc_buf *out;
    struct tc_regex_simple *simple;
    struct tc_regex_item item; /* the atom just read, when plain */
    bool plain;
    bool long_repeat; /* a count that PCRE2 cannot express */
    uint32_t groups, names_n;
    struct tc_str names[NAMES_MAX];
    uint32_t name_group[NAMES_MAX];
    const char *reason;
};

/* A set of code points in the making: written out and kept as bits. */
struct set {
    struct tc_regex_item bits;
    bool plain; /* bits say all */
    bool any;   /* something was written */
};

/* PCRE2 does not repeat (?!) and []. */
#define NOTHING "^\\x{0}-\\x{10ffff}]"

static const char SPACE[] = "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
                            "\\x{205f}\\x{3000}\\x{feff}";
static const char NOT_SPACE[] = "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
                                "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
                                "\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
static const char NOT_DIGIT[] = "\\x{0}-\\x{2f}\\x{3a}-\\x{d7ff}\\x{e000}-\\x{10ffff}";
static const char NOT_WORD[] = "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{d7ff}\\x{e000}-\\x{10ffff}";

static bool parse_alternatives(struct parser *p, unsigned depth);

static bool fail(struct parser *p, const char *reason)
{
    if (!p->reason)
        p->reason = reason;
    return false;
}

static void put(struct parser *p, const char *text)
{
    if (p->out)
        tc_buf_cstr(p->out, text);
}

static void put_char(struct parser *p, uint32_t c)
{
    if (!p->out)
        return;
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        tc_buf_char(p->out, (char)c);
    else
        tc_buf_printf(p->out, "\\x{%x}", (unsigned)c);
}

static bool more(const struct parser *p)
{
    return p->at < p->in.n;
}

static bool at(const struct parser *p, const char *text)
{
    return tc_str_starts(tc_str_from(p->in, p->at), tc_str_of(text));
}

static bool take(struct parser *p, const char *text)
{
    if (!at(p, text))
        return false;
    p->at += strlen(text);
    return true;
}

/* --- the simple form --- */

static void not_simple(struct parser *p)
{
    p->simple->ok = false;
}

static void set_bit(struct tc_regex_item *item, uint32_t c)
{
    item->low[c >> 6] |= (uint64_t)1 << (c & 63);
}

/* Notes a set that lacks one character and may be repeated without limit. */
static void note_stop(struct tc_regex_item *item)
{
    uint64_t out[2] = {~item->low[0], ~item->low[1]};

    if (!item->high || item->no_separators || item->min > 1 || item->max != UINT32_MAX ||
        __builtin_popcountll(out[0]) + __builtin_popcountll(out[1]) != 1)
        return;
    item->has_stop = true;
    item->stop = (char)(out[0] ? __builtin_ctzll(out[0]) : 64 + __builtin_ctzll(out[1]));
}

static void keep_item(struct parser *p, uint32_t min, uint32_t max)
{
    struct tc_regex_simple *s = p->simple;

    if (!s->ok)
        return;
    if (!p->plain || s->to_end || s->n == TC_REGEX_ITEMS_MAX) {
        not_simple(p);
        return;
    }
    p->item.min = min;
    p->item.max = max;
    note_stop(&p->item);
    s->items[s->n++] = p->item;
}

static bool overlap(const struct tc_regex_item *a, const struct tc_regex_item *b)
{
    return (a->low[0] & b->low[0]) || (a->low[1] & b->low[1]) || (a->high && b->high);
}

/* Greedy taking is right when no item of varying length can eat what a later
 * one needs. */
static bool never_goes_back(const struct tc_regex_simple *s)
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

/* --- escapes --- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Exactly n hex digits at p->at + from. */
static bool hex_at(const struct parser *p, size_t from, unsigned n, uint32_t *ret_value)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n; i++) {
        int digit = p->at + from + i < p->in.n ? hex_value(p->in.p[p->at + from + i]) : -1;
        if (digit < 0)
            return false;
        value = value * 16 + (uint32_t)digit;
    }
    *ret_value = value;
    return true;
}

/* Behind \u. */
static bool parse_unicode(struct parser *p, uint32_t *ret_c)
{
    uint32_t c = 0, low;

    if (take(p, "{")) {
        size_t from = p->at;
        for (; more(p) && hex_value(p->in.p[p->at]) >= 0 && c < END; p->at++)
            c = c * 16 + (uint32_t)hex_value(p->in.p[p->at]);
        if (p->at == from || c >= END || !take(p, "}"))
            return fail(p, "an invalid \\u{…} escape");
        *ret_c = c >= 0xd800 && c <= 0xdfff ? LONE : c;
        return true;
    }
    if (!hex_at(p, 0, 4, &c))
        return fail(p, "an invalid \\u escape");
    p->at += 4;
    if (c >= 0xd800 && c <= 0xdbff && at(p, "\\u") && hex_at(p, 2, 4, &low) && low >= 0xdc00 && low <= 0xdfff) {
        p->at += 6;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    *ret_c = c >= 0xd800 && c <= 0xdfff ? LONE : c;
    return true;
}

/* An escape that stands for one character, p->at behind the backslash. */
static bool parse_char_escape(struct parser *p, uint32_t *ret_c)
{
    static const char from[] = "tnvfr", to[] = "\t\n\v\f\r";
    char c = p->in.p[p->at];
    const char *known = c ? strchr(from, c) : NULL;
    uint32_t value;

    if ((unsigned char)c >= 0x80) {
        *ret_c = tc_utf8_next(p->in, &p->at);
        return true;
    }
    p->at++;
    if (known) {
        *ret_c = (uint32_t)to[known - from];
        return true;
    }
    switch (c) {
    case 'u':
        return parse_unicode(p, ret_c);
    case 'x':
        if (!hex_at(p, 0, 2, &value))
            return fail(p, "an invalid \\x escape");
        p->at += 2;
        *ret_c = value;
        return true;
    case 'c':
        if (!more(p) || (p->in.p[p->at] | 0x20) < 'a' || (p->in.p[p->at] | 0x20) > 'z')
            return fail(p, "an invalid \\c escape");
        *ret_c = (uint32_t)p->in.p[p->at++] & 31;
        return true;
    case '0':
        if (more(p) && p->in.p[p->at] >= '0' && p->in.p[p->at] <= '9')
            return fail(p, "an octal escape");
        *ret_c = 0;
        return true;
    default:
        if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\0')
            return fail(p, "an escape that ECMA-262 does not have");
        *ret_c = (uint32_t)c;
        return true;
    }
}

/* \p{…} or \P{…}, p->at behind the letter. */
static bool parse_property(struct parser *p, bool negated)
{
    char name[TC_REGEX_PROPERTY_MAX];
    struct tc_str inside = tc_str_from(p->in, p->at);
    size_t end = tc_str_chr(inside, '}');

    if (!take(p, "{") || end == SIZE_MAX || !tc_regex_property(tc_str_n(inside.p + 1, end - 1), name))
        return fail(p, "an unknown property in \\p{…}");
    p->at += end;
    put(p, negated ? "\\P{" : "\\p{");
    put(p, name);
    put(p, "}");
    return true;
}

static void add_range(struct set *set, uint32_t from, uint32_t to)
{
    for (uint32_t c = from; c <= to && c < 128; c++)
        set_bit(&set->bits, c);
    if (to >= 128)
        set->plain = false;
}

/* \d \D \s \S \w \W \p \P: writes the members of the set, without brackets.
 * False when it is another escape; nothing is taken then. */
static bool parse_set_escape(struct parser *p, struct set *set)
{
    char c = more(p) ? p->in.p[p->at] : '\0';
    struct tc_regex_item before = set->bits;

    if (!c || !strchr("dDsSwWpP", c))
        return false;
    p->at++;
    switch (c | 0x20) {
    case 'd':
        put(p, c == 'd' ? "0-9" : NOT_DIGIT);
        add_range(set, '0', '9');
        break;
    case 'w':
        put(p, c == 'w' ? "A-Za-z0-9_" : NOT_WORD);
        add_range(set, '0', '9'), add_range(set, 'A', 'Z'), add_range(set, 'a', 'z'), add_range(set, '_', '_');
        break;
    case 's':
        put(p, c == 's' ? SPACE : NOT_SPACE);
        set->plain = false;
        break;
    default:
        set->plain = false;
        return parse_property(p, c == 'P');
    }
    if (c == 'D' || c == 'W') { /* the complement, added to what was there before */
        for (unsigned i = 0; i < 2; i++)
            set->bits.low[i] = before.low[i] | ~(set->bits.low[i] & ~before.low[i]);
        set->bits.high = true;
    }
    return true;
}

/* --- classes --- */

/* One end of a range. *ret_set: it was a set, already written. */
static bool parse_class_atom(struct parser *p, struct set *set, uint32_t *ret_c, bool *ret_set)
{
    *ret_set = false;
    if (!take(p, "\\")) {
        *ret_c = tc_utf8_next(p->in, &p->at);
        return true;
    }
    if (!more(p))
        return fail(p, "a backslash at the end");
    if (parse_set_escape(p, set)) {
        set->any = true;
        *ret_set = true;
        return true;
    }
    if (p->reason)
        return false;
    if (take(p, "b")) {
        *ret_c = '\b';
        return true;
    }
    return parse_char_escape(p, ret_c);
}

/* Writes from-to without the surrogates, which valid text never holds. */
static void put_range(struct parser *p, struct set *set, uint32_t from, uint32_t to)
{
    if (from == LONE && to == LONE)
        return;
    if (from == LONE)
        from = 0xe000;
    if (to == LONE)
        to = 0xd7ff;
    if (from > to)
        return;
    set->any = true;
    add_range(set, from, to);
    if (from < 0xd800 && to > 0xdfff) {
        put_char(p, from), put(p, "-\\x{d7ff}\\x{e000}-"), put_char(p, to);
        return;
    }
    put_char(p, from);
    if (to != from)
        put(p, "-"), put_char(p, to);
}

static bool parse_class_member(struct parser *p, struct set *set)
{
    uint32_t from, to;
    bool from_set, to_set;

    if (!parse_class_atom(p, set, &from, &from_set))
        return false;
    if (!at(p, "-") || at(p, "-]")) {
        if (!from_set)
            put_range(p, set, from, from);
        return true;
    }
    p->at++;
    if (!more(p))
        return fail(p, "a class without its ]");
    if (from_set) { /* the dash is a character */
        put_range(p, set, '-', '-');
        return true;
    }
    if (!at(p, "\\") || !(p->at + 1 < p->in.n && strchr("dDsSwWpP", p->in.p[p->at + 1]))) {
        if (!parse_class_atom(p, set, &to, &to_set))
            return false;
        if (to < from && from != LONE)
            return fail(p, "a range out of order");
        put_range(p, set, from, to);
        return true;
    }
    put_range(p, set, from, from);
    put_range(p, set, '-', '-');
    return parse_class_atom(p, set, &to, &to_set);
}

/* Behind the opening bracket. */
static bool parse_class(struct parser *p)
{
    struct set set = {.plain = true};
    bool negated = take(p, "^");

    put(p, negated ? "[^" : "[");
    while (more(p) && !at(p, "]"))
        if (!parse_class_member(p, &set))
            return false;
    if (!take(p, "]"))
        return fail(p, "a class without its ]");
    put(p, set.any || negated ? "]" : NOTHING);
    p->plain = set.plain;
    p->item = set.bits;
    if (negated) {
        p->item.low[0] = ~p->item.low[0];
        p->item.low[1] = ~p->item.low[1];
        p->item.high = !p->item.high;
    }
    return true;
}

/* --- atoms --- */

static bool parse_backreference(struct parser *p)
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

static bool parse_named_reference(struct parser *p)
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

static bool plain_char(struct parser *p, uint32_t c)
{
    if (c == LONE) {
        put(p, "[" NOTHING);
        return true;
    }
    put_char(p, c);
    p->plain = c < 128;
    if (p->plain)
        set_bit(&p->item, c);
    return true;
}

/* Behind the backslash. */
static bool parse_escape(struct parser *p)
{
    struct set set = {.plain = true};
    uint32_t c = 0;

    if (!more(p))
        return fail(p, "a backslash at the end");
    if (p->in.p[p->at] >= '1' && p->in.p[p->at] <= '9')
        return parse_backreference(p);
    if (take(p, "k"))
        return parse_named_reference(p);
    if (strchr("dDsSwWpP", p->in.p[p->at]) && p->in.p[p->at]) {
        put(p, "[");
        parse_set_escape(p, &set);
        put(p, "]");
        p->plain = set.plain;
        p->item = set.bits;
        return !p->reason;
    }
    return parse_char_escape(p, &c) && plain_char(p, c);
}

/* Behind "(?<": the name was read by find_groups. */
static void skip_name(struct parser *p)
{
    while (!take(p, ">"))
        p->at++;
}

/* Behind the opening parenthesis. */
static bool parse_group(struct parser *p, unsigned depth)
{
    if (depth >= TC_REGEX_NEST_MAX)
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

static bool parse_dot(struct parser *p)
{
    put(p, "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]");
    p->plain = true;
    p->item = (struct tc_regex_item){.low = {~(((uint64_t)1 << '\n') | ((uint64_t)1 << '\r')), ~(uint64_t)0},
                                     .high = true, .no_separators = true};
    return true;
}

/* The digits at p->at, cut at UINT32_MAX - 1; false when there are none. */
static bool parse_count(struct parser *p, uint32_t *ret_n)
{
    uint64_t n = 0;
    size_t from = p->at;

    for (; more(p) && p->in.p[p->at] >= '0' && p->in.p[p->at] <= '9'; p->at++)
        n = n > UINT32_MAX ? n : n * 10 + (uint64_t)(p->in.p[p->at] - '0');
    *ret_n = n >= UINT32_MAX ? UINT32_MAX - 1 : (uint32_t)n;
    return p->at > from;
}

/* {n}, {n,} or {n,m}; anything else is left where it is. */
static bool parse_braces(struct parser *p, uint32_t *ret_min, uint32_t *ret_max)
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

static bool at_quantifier(struct parser *p)
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
static bool parse_quantifier(struct parser *p)
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

static bool parse_atom(struct parser *p, unsigned depth)
{
    if (take(p, "."))
        return parse_dot(p);
    if (take(p, "["))
        return parse_class(p);
    if (take(p, "\\"))
        return parse_escape(p);
    if (take(p, "("))
        return parse_group(p, depth);
    if (at_quantifier(p))
        return fail(p, "a quantifier with nothing to repeat");
    return plain_char(p, tc_utf8_next(p->in, &p->at));
}

/* ^ $ \b \B. False when it is none. */
static bool parse_assertion(struct parser *p, size_t start)
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

static bool parse_alternatives(struct parser *p, unsigned depth)
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
        p->item = (struct tc_regex_item){.high = false};
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
static bool note_name(struct parser *p, size_t from)
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
    if (p->names_n == NAMES_MAX)
        return fail(p, "too many group names");
    p->names[p->names_n] = name;
    p->name_group[p->names_n++] = p->groups;
    return true;
}

/* Groups are counted first: a reference may stand before its group. */
static bool find_groups(struct parser *p)
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

bool tc_regex_parse(struct tc_str pattern, struct tc_buf *text, struct tc_regex_simple *simple,
                    struct tc_regex_fault *ret_fault)
{
    struct tc_regex_simple own;
    struct parser p = {.in = pattern, .out = text, .simple = simple ? simple : &own};

    p.simple->n = 0;
    p.simple->to_end = false;
    p.simple->ok = tc_str_starts(pattern, TC_STR("^"));
    if (pattern.n > TC_REGEX_PATTERN_MAX)
        fail(&p, "a pattern of more than 4096 bytes");
    else if (find_groups(&p) && parse_alternatives(&p, 0) && more(&p))
        fail(&p, "a parenthesis that was not opened");
    p.simple->ok = p.simple->ok && never_goes_back(p.simple);
    if (!p.reason && p.long_repeat && !p.simple->ok)
        fail(&p, "a repeat count over 65535");
    *ret_fault = (struct tc_regex_fault){p.reason, p.at};
    return !p.reason;
}
