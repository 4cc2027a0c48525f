/*
 * Operations on borrowed byte strings.
 */
#include "toolcrib/str.h"

int tc_str_cmp(struct tc_str a, struct tc_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;

    if (order == 0)
        order = a.n < b.n ? -1 : a.n > b.n;
    return order;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

bool tc_str_eq_nocase(struct tc_str a, struct tc_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (a.p[i] != b.p[i] && lower(a.p[i]) != lower(b.p[i]))
            return false;
    return true;
}

size_t tc_str_find(struct tc_str s, struct tc_str needle)
{
    const char *at;

    if (needle.n == 0)
        return 0;
    if (s.n < needle.n)
        return SIZE_MAX;
    at = memmem(s.p, s.n, needle.p, needle.n);
    return at ? (size_t)(at - s.p) : SIZE_MAX;
}

size_t tc_str_chr(struct tc_str s, char c)
{
    const char *at = s.n ? memchr(s.p, c, s.n) : NULL;

    return at ? (size_t)(at - s.p) : SIZE_MAX;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

struct tc_str tc_str_trim(struct tc_str s)
{
    while (s.n && is_blank(s.p[0]))
        s.p++, s.n--;
    while (s.n && is_blank(s.p[s.n - 1]))
        s.n--;
    return s;
}

bool tc_str_split(struct tc_str *rest, char sep, struct tc_str *ret_part)
{
    size_t at;

    if (!rest->p)
        return false;
    at = tc_str_chr(*rest, sep);
    if (at == SIZE_MAX) {
        *ret_part = *rest;
        *rest = tc_str_n(NULL, 0);
    } else {
        *ret_part = tc_str_n(rest->p, at);
        *rest = tc_str_n(rest->p + at + 1, rest->n - at - 1);
    }
    return true;
}

bool tc_str_int(struct tc_str s, int64_t *ret_value)
{
    bool negative = s.n && s.p[0] == '-';
    uint64_t value = 0, limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    size_t i = negative;

    if (i == s.n)
        return false;
    for (; i < s.n; i++) {
        unsigned digit = (unsigned char)s.p[i] - (unsigned)'0';
        if (digit > 9 || value > (limit - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *ret_value = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* What follows the last * has its one place: the quickest way to say no. */
static bool tail_fits(struct tc_str pattern, struct tc_str s)
{
    for (size_t k = 1; k <= pattern.n && pattern.p[pattern.n - k] != '*'; k++)
        if (k > s.n || (pattern.p[pattern.n - k] != '?' && pattern.p[pattern.n - k] != s.p[s.n - k]))
            return false;
    return true;
}

bool tc_str_glob(struct tc_str pattern, struct tc_str s)
{
    size_t p = 0, i = 0, star = SIZE_MAX, from = 0;

    if (!tail_fits(pattern, s))
        return false;
    while (i < s.n) {
        if (p < pattern.n && pattern.p[p] == '*') {
            star = p;
            from = i;
        } else if (p < pattern.n && (pattern.p[p] == '?' || pattern.p[p] == s.p[i])) {
            p++, i++;
            continue;
        } else if (star != SIZE_MAX) {
            from++;
        } else {
            return false;
        }
        p = star + 1;
        if (p == pattern.n)
            return true;
        if (pattern.p[p] != '*' && pattern.p[p] != '?') { /* only where this byte is can the rest begin */
            const char *hit = memchr(s.p + from, pattern.p[p], s.n - from);
            if (!hit)
                return false;
            from = (size_t)(hit - s.p);
        }
        i = from;
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}

size_t tc_str_distance(struct tc_str a, struct tc_str b, size_t limit)
{
    enum { CUT = 128 };
    uint8_t row[CUT + 1];

    a.n = a.n > CUT ? CUT : a.n;
    b.n = b.n > CUT ? CUT : b.n;
    for (size_t j = 0; j <= b.n; j++)
        row[j] = (uint8_t)j;
    for (size_t i = 1; i <= a.n; i++) {
        uint8_t diagonal = row[0];
        row[0] = (uint8_t)i;
        for (size_t j = 1; j <= b.n; j++) {
            uint8_t up = row[j], best = (uint8_t)(diagonal + (a.p[i - 1] != b.p[j - 1]));
            if (up + 1 < best)
                best = (uint8_t)(up + 1);
            if (row[j - 1] + 1 < best)
                best = (uint8_t)(row[j - 1] + 1);
            row[j] = best;
            diagonal = up;
        }
    }
    return row[b.n] > limit ? limit + 1 : row[b.n];
}
