/*
 * How two lines compare: key by key, each in its ordering, and as a last resort by
 * their bytes. Numbers are compared as text, of any length and exact.
 */
#include "shell/sort/sort.h"

#include <sodium.h>
#include <stdlib.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static size_t skip_blanks(struct tc_str s, size_t at)
{
    while (at < s.n && is_blank(s.p[at]))
        at++;
    return at;
}

/* Behind the next field: its separator is skipped too when `over`. */
static size_t skip_field(const struct sort_order *order, struct tc_str s, size_t at, bool over)
{
    if (order->tab >= 0) {
        const char *tab = memchr(s.p + at, order->tab, s.n - at);

        return tab ? (size_t)(tab - s.p) + over : s.n;
    }
    at = skip_blanks(s, at);
    while (at < s.n && !is_blank(s.p[at]))
        at++;
    return at;
}

static struct tc_str find_key(const struct sort_order *order, const struct sort_key *key, struct tc_str line)
{
    size_t from = 0, to = line.n;

    for (size_t i = key->start_field; i > 0 && from < line.n; i--)
        from = skip_field(order, line, from, true);
    if (key->skip_start_blanks)
        from = skip_blanks(line, from);
    from = line.n - from > key->start_char ? from + key->start_char : line.n;
    if (key->end_field != SIZE_MAX) {
        size_t fields = key->end_field + (key->end_char == 0);

        to = 0;
        for (; fields > 0 && to < line.n; fields--)
            to = skip_field(order, line, to, fields > 1 || key->end_char);
        if (key->end_char) {
            if (key->skip_end_blanks)
                to = skip_blanks(line, to);
            to = line.n - to > key->end_char ? to + key->end_char : line.n;
        }
    }
    return tc_str_n(line.p + from, to > from ? to - from : 0);
}

struct number {
    bool negative;
    struct tc_str whole, fraction; /* without zeroes that say nothing */
    size_t end;                    /* where it ends in the text */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct number parse_number(struct tc_str s)
{
    struct number n = {0};
    size_t at = skip_blanks(s, 0), from;

    if (at < s.n && s.p[at] == '-') {
        n.negative = true;
        at++;
    }
    while (at < s.n && s.p[at] == '0')
        at++;
    for (from = at; at < s.n && is_digit(s.p[at]); at++)
        ;
    n.whole = tc_str_n(s.p + from, at - from);
    if (at < s.n && s.p[at] == '.') {
        size_t last = ++at;

        for (from = at; at < s.n && is_digit(s.p[at]); at++)
            if (s.p[at] != '0')
                last = at + 1;
        n.fraction = tc_str_n(s.p + from, last - from);
    }
    n.end = at;
    if (n.whole.n == 0 && n.fraction.n == 0)
        n.negative = false;
    return n;
}

static int compare_numbers(const struct number *a, const struct number *b)
{
    int result;

    if (a->negative != b->negative)
        return a->negative ? -1 : 1;
    if (a->whole.n != b->whole.n)
        result = a->whole.n < b->whole.n ? -1 : 1;
    else if ((result = tc_str_cmp(a->whole, b->whole)) == 0)
        result = tc_str_cmp(a->fraction, b->fraction);
    return a->negative ? -result : result;
}

/* 0 without a unit, 1 for K, 2 for M; negative for a negative number. */
static int unit_order(const struct number *n, struct tc_str s)
{
    static const char units[] = "KMGTPEZYRQ";
    const char *unit;

    if ((n->whole.n == 0 && n->fraction.n == 0) || n->end >= s.n)
        return 0;
    unit = s.p[n->end] == 'k' ? units : s.p[n->end] ? strchr(units, s.p[n->end]) : NULL;
    if (!unit)
        return 0;
    return n->negative ? -(int)(unit - units + 1) : (int)(unit - units + 1);
}

/* strtold of a text without a NUL; false when it is no number. */
static bool parse_general(struct tc_str s, long double *ret)
{
    char text[512], *end;
    size_t at = skip_blanks(s, 0), n = s.n - at < sizeof text - 1 ? s.n - at : sizeof text - 1;

    memcpy(text, s.p + at, n);
    text[n] = '\0';
    *ret = strtold(text, &end);
    return end != text;
}

static int compare_general(struct tc_str a, struct tc_str b)
{
    long double x = 0, y = 0;
    bool is_x = parse_general(a, &x), is_y = parse_general(b, &y);

    if (!is_x || !is_y)
        return is_x - is_y;
    if (x != x || y != y) /* what is not a number comes before all that are */
        return (x == x) - (y == y);
    return (x > y) - (x < y);
}

static int month(struct tc_str s)
{
    static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    size_t at = skip_blanks(s, 0);

    for (int i = 0; i < 12 && s.n - at >= 3; i++)
        if (tc_str_eq_nocase(tc_str_n(s.p + at, 3), tc_str_n(names + 3 * i, 3)))
            return i + 1;
    return 0;
}

static int compare_random(const struct sort_order *order, struct tc_str a, struct tc_str b)
{
    unsigned char x[crypto_shorthash_BYTES], y[crypto_shorthash_BYTES];
    int result;

    crypto_shorthash(x, (const unsigned char *)a.p, a.n, order->seed);
    crypto_shorthash(y, (const unsigned char *)b.p, b.n, order->seed);
    result = memcmp(x, y, sizeof x);
    return result ? result : tc_str_cmp(a, b);
}

static bool is_ignored(const struct sort_key *key, char c)
{
    if (key->dictionary && !is_digit(c) && !((c | 32) >= 'a' && (c | 32) <= 'z') && c != ' ' && c != '\t')
        return true;
    return key->printable && (c < 0x20 || c > 0x7e);
}

/* Text with what is ignored left out, and upper case when folded. */
static int compare_filtered(const struct sort_key *key, struct tc_str a, struct tc_str b)
{
    size_t i = 0, j = 0;

    for (;; i++, j++) {
        unsigned char x, y;

        while (i < a.n && is_ignored(key, a.p[i]))
            i++;
        while (j < b.n && is_ignored(key, b.p[j]))
            j++;
        if (i >= a.n || j >= b.n)
            return (i < a.n) - (j < b.n);
        x = (unsigned char)a.p[i];
        y = (unsigned char)b.p[j];
        if (key->fold) {
            x = x >= 'a' && x <= 'z' ? x - 32 : x;
            y = y >= 'a' && y <= 'z' ? y - 32 : y;
        }
        if (x != y)
            return x < y ? -1 : 1;
    }
}

static int compare_key(const struct sort_order *order, const struct sort_key *key, struct tc_str a, struct tc_str b)
{
    if (key->numeric || key->human) {
        struct number x = parse_number(a), y = parse_number(b);
        int result = key->human ? unit_order(&x, a) - unit_order(&y, b) : 0;

        return result ? result : compare_numbers(&x, &y);
    }
    if (key->general)
        return compare_general(a, b);
    if (key->month)
        return month(a) - month(b);
    if (key->random)
        return compare_random(order, a, b);
    if (key->version)
        return tc_sort_version(a, b);
    if (key->dictionary || key->printable || key->fold)
        return compare_filtered(key, a, b);
    return tc_str_cmp(a, b);
}

/* The first eight bytes as a number that orders as they do. */
static uint64_t text_prefix(struct tc_str s)
{
    uint64_t prefix = 0;

    for (size_t i = 0; i < 8; i++)
        prefix = prefix << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
    return prefix;
}

/* The whole part, cut at what 62 bits hold, moved up so that it is not negative. */
static uint64_t number_prefix(struct tc_str s)
{
    struct number n = parse_number(s);
    int64_t whole = 0;

    if (n.whole.n > 18)
        whole = INT64_MAX / 2;
    else
        for (size_t i = 0; i < n.whole.n; i++)
            whole = whole * 10 + (n.whole.p[i] - '0');
    return (uint64_t)(n.negative ? -whole : whole) + ((uint64_t)1 << 63);
}

void tc_sort_line_prepare(const struct sort_order *order, struct sort_line *line)
{
    const struct sort_key *key = order->keys;
    struct tc_str text = tc_str_n(line->p, line->n);

    line->prefix = 0;
    if (!key) {
        line->prefix = text_prefix(text);
        return;
    }
    text = find_key(order, key, text);
    line->key = text.p;
    line->key_n = text.n;
    if (key->numeric)
        line->prefix = number_prefix(text);
    else if (!key->general && !key->human && !key->month && !key->version && !key->random && !key->dictionary &&
             !key->printable && !key->fold)
        line->prefix = text_prefix(text);
}

int tc_sort_compare(const struct sort_order *order, const struct sort_line *a, const struct sort_line *b)
{
    struct tc_str x = tc_str_n(a->p, a->n), y = tc_str_n(b->p, b->n);
    int result;

    if (order->keys) {
        const struct sort_key *key = order->keys;

        if (a->prefix != b->prefix)
            return (a->prefix < b->prefix) != key->reverse ? -1 : 1;
        result = compare_key(order, key, tc_str_n(a->key, a->key_n), tc_str_n(b->key, b->key_n));
        for (; result == 0 && (key = key->next);)
            result = compare_key(order, key, find_key(order, key, x), find_key(order, key, y));
        if (result)
            return key->reverse ? -result : result;
        if (order->stable || order->unique)
            return 0;
    } else if (a->prefix != b->prefix) {
        return (a->prefix < b->prefix) != order->reverse ? -1 : 1;
    }
    result = tc_str_cmp(x, y);
    return order->reverse ? -result : result;
}
