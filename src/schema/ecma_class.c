/*
 * What stands for one character in a pattern: escapes, properties, classes.
 */
#include "schema/ecma_parser.h"

#include "base/utf8.h"
#include "schema/ecma_props.h"

static const char SPACE[] = "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
                            "\\x{205f}\\x{3000}\\x{feff}";
static const char NOT_SPACE[] = "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
                                "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
                                "\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
static const char NOT_DIGIT[] = "\\x{0}-\\x{2f}\\x{3a}-\\x{d7ff}\\x{e000}-\\x{10ffff}";
static const char NOT_WORD[] =
    "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{d7ff}\\x{e000}-\\x{10ffff}";

/* --- escapes --- */

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Exactly n hex digits at p->at + from. */
static bool hex_at(const struct tc_ecma_parser *p, size_t from, unsigned n, uint32_t *ret_value)
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
static bool parse_unicode(struct tc_ecma_parser *p, uint32_t *ret_c)
{
    uint32_t c = 0, low;

    if (take(p, "{")) {
        size_t from = p->at;
        for (; more(p) && hex_value(p->in.p[p->at]) >= 0 && c < TC_ECMA_END; p->at++)
            c = c * 16 + (uint32_t)hex_value(p->in.p[p->at]);
        if (p->at == from || c >= TC_ECMA_END || !take(p, "}"))
            return fail(p, "an invalid \\u{…} escape");
        *ret_c = c >= 0xd800 && c <= 0xdfff ? TC_ECMA_LONE : c;
        return true;
    }
    if (!hex_at(p, 0, 4, &c))
        return fail(p, "an invalid \\u escape");
    p->at += 4;
    if (c >= 0xd800 && c <= 0xdbff && at(p, "\\u") && hex_at(p, 2, 4, &low) && low >= 0xdc00 && low <= 0xdfff) {
        p->at += 6;
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
    }
    *ret_c = c >= 0xd800 && c <= 0xdfff ? TC_ECMA_LONE : c;
    return true;
}

bool tc_ecma_char_escape(struct tc_ecma_parser *p, uint32_t *ret_c)
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
static bool parse_property(struct tc_ecma_parser *p, bool negated)
{
    char name[TC_ECMA_PROPERTY_MAX];
    struct tc_str inside = tc_str_from(p->in, p->at);
    size_t end = tc_str_chr(inside, '}');

    if (!take(p, "{") || end == SIZE_MAX || !tc_ecma_property(tc_str_n(inside.p + 1, end - 1), name))
        return fail(p, "an unknown property in \\p{…}");
    p->at += end;
    put(p, negated ? "\\P{" : "\\p{");
    put(p, name);
    put(p, "}");
    return true;
}

static void add_range(struct tc_ecma_set *set, uint32_t from, uint32_t to)
{
    for (uint32_t c = from; c <= to && c < 128; c++)
        set_bit(&set->bits, c);
    if (to >= 128)
        set->plain = false;
}

bool tc_ecma_set_escape(struct tc_ecma_parser *p, struct tc_ecma_set *set)
{
    char c = more(p) ? p->in.p[p->at] : '\0';
    struct tc_ecma_item before = set->bits;

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
static bool parse_class_atom(struct tc_ecma_parser *p, struct tc_ecma_set *set, uint32_t *ret_c, bool *ret_set)
{
    *ret_set = false;
    if (!take(p, "\\")) {
        *ret_c = tc_utf8_next(p->in, &p->at);
        return true;
    }
    if (!more(p))
        return fail(p, "a backslash at the end");
    if (tc_ecma_set_escape(p, set)) {
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
    return tc_ecma_char_escape(p, ret_c);
}

/* Writes from-to without the surrogates, which valid text never holds. */
static void put_range(struct tc_ecma_parser *p, struct tc_ecma_set *set, uint32_t from, uint32_t to)
{
    if (from == TC_ECMA_LONE && to == TC_ECMA_LONE)
        return;
    if (from == TC_ECMA_LONE)
        from = 0xe000;
    if (to == TC_ECMA_LONE)
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

static bool parse_class_member(struct tc_ecma_parser *p, struct tc_ecma_set *set)
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
        if (to < from && from != TC_ECMA_LONE)
            return fail(p, "a range out of order");
        put_range(p, set, from, to);
        return true;
    }
    put_range(p, set, from, from);
    put_range(p, set, '-', '-');
    return parse_class_atom(p, set, &to, &to_set);
}

bool tc_ecma_class(struct tc_ecma_parser *p)
{
    struct tc_ecma_set set = {.plain = true};
    bool negated = take(p, "^");

    put(p, negated ? "[^" : "[");
    while (more(p) && !at(p, "]"))
        if (!parse_class_member(p, &set))
            return false;
    if (!take(p, "]"))
        return fail(p, "a class without its ]");
    put(p, set.any || negated ? "]" : TC_ECMA_NOTHING);
    p->plain = set.plain;
    p->item = set.bits;
    if (negated) {
        p->item.low[0] = ~p->item.low[0];
        p->item.low[1] = ~p->item.low[1];
        p->item.high = !p->item.high;
    }
    return true;
}
