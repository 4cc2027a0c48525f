/*
 * Numbers, sizes and months as sort finds them at the beginning of a text. Numbers
 * stay text, of any length and exact.
 */
#include <stdlib.h>

#include "shell/sort/sort.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t skip_blanks(struct tc_str s)
{
    size_t at = 0;

    while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t' || s.p[at] == '\n'))
        at++;
    return at;
}

struct sort_number tc_sort_number(struct tc_str text)
{
    struct sort_number n = {0};
    size_t at = skip_blanks(text), from;

    if (at < text.n && text.p[at] == '-') {
        n.negative = true;
        at++;
    }
    while (at < text.n && text.p[at] == '0')
        at++;
    for (from = at; at < text.n && is_digit(text.p[at]); at++)
        ;
    n.whole = tc_str_n(text.p + from, at - from);
    if (at < text.n && text.p[at] == '.') {
        size_t last = ++at;

        for (from = at; at < text.n && is_digit(text.p[at]); at++)
            if (text.p[at] != '0')
                last = at + 1;
        n.fraction = tc_str_n(text.p + from, last - from);
    }
    n.end = at;
    if (n.whole.n == 0 && n.fraction.n == 0)
        n.negative = false;
    return n;
}

int tc_sort_number_compare(const struct sort_number *a, const struct sort_number *b)
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

int tc_sort_number_unit(const struct sort_number *n, struct tc_str text)
{
    static const char units[] = "KMGTPEZYRQ";
    const char *unit;

    if ((n->whole.n == 0 && n->fraction.n == 0) || n->end >= text.n)
        return 0;
    unit = text.p[n->end] == 'k' ? units : text.p[n->end] ? strchr(units, text.p[n->end]) : NULL;
    if (!unit)
        return 0;
    return n->negative ? -(int)(unit - units + 1) : (int)(unit - units + 1);
}

bool tc_sort_number_general(struct tc_str text, long double *ret)
{
    char copy[512], *end;
    size_t at = skip_blanks(text), n = text.n - at < sizeof copy - 1 ? text.n - at : sizeof copy - 1;

    memcpy(copy, text.p + at, n);
    copy[n] = '\0';
    *ret = strtold(copy, &end);
    return end != copy;
}

int tc_sort_month(struct tc_str text)
{
    static const char names[] = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    size_t at = skip_blanks(text);

    for (int i = 0; i < 12 && text.n - at >= 3; i++)
        if (tc_str_eq_nocase(tc_str_n(text.p + at, 3), tc_str_n(names + 3 * i, 3)))
            return i + 1;
    return 0;
}
