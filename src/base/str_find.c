/*
 * Finding a text in any case, in time that grows with both lengths and not with their
 * product: what is searched for comes from outside, and so does what is searched.
 *
 * Looking for the first letter and comparing there is quickest for all that people write.
 * What repeats itself may make that slow; when it has compared too much, the rest is left
 * to the two-way method of Crochemore and Perrin, which needs no memory and never compares
 * a letter more than twice.
 */
#include "toolcrib/str.h"

enum { WORK_A_BYTE = 4, WORK_FREE = 1024 };

static unsigned char fold(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
}

static bool same(char a, char b)
{
    return fold(a) == fold(b);
}

/* --- two-way --- */

/* Where the suffix begins that is greatest in this order of letters, and its period. */
static size_t greatest_suffix(struct tc_str s, bool reversed, size_t *ret_period)
{
    size_t start = 0, at = 1, k = 0, period = 1; /* s[start + k] against s[at + k] */

    while (at + k < s.n) {
        unsigned char a = fold(s.p[at + k]), b = fold(s.p[start + k]);
        if (a == b) {
            if (++k == period) {
                at += period;
                k = 0;
            }
        } else if (reversed ? a > b : a < b) {
            at += k + 1;
            k = 0;
            period = at - start;
        } else {
            start = at++;
            k = 0;
            period = 1;
        }
    }
    *ret_period = period;
    return start;
}

static bool repeats(struct tc_str needle, size_t middle, size_t period)
{
    return middle + period <= needle.n &&
           tc_str_eq_nocase(tc_str_n(needle.p, middle), tc_str_n(needle.p + period, middle));
}

static size_t find_two_way(struct tc_str s, struct tc_str needle)
{
    size_t period, other, at = 0, known = 0; /* so many of the needle's first letters are known to fit */
    size_t middle = greatest_suffix(needle, false, &period), rival = greatest_suffix(needle, true, &other);
    bool periodic;

    if (rival > middle) {
        middle = rival;
        period = other;
    }
    periodic = repeats(needle, middle, period);
    if (!periodic)
        period = (middle > needle.n - middle ? middle : needle.n - middle) + 1;
    while (at + needle.n <= s.n) {
        size_t i = known > middle ? known : middle;
        while (i < needle.n && same(needle.p[i], s.p[at + i]))
            i++;
        if (i < needle.n) {
            at += i - middle + 1;
            known = 0;
            continue;
        }
        for (i = middle; i > known && same(needle.p[i - 1], s.p[at + i - 1]); i--) {
        }
        if (i <= known)
            return at;
        at += period;
        known = periodic ? needle.n - period : 0;
    }
    return SIZE_MAX;
}

/* --- the usual way --- */

static size_t common(const char *a, const char *b, size_t n)
{
    size_t i = 0;

    while (i < n && same(a[i], b[i]))
        i++;
    return i;
}

/* The first place that has one of the two, or the end. */
static const char *next(const char *at, const char *end, char small, char large)
{
    while (at < end && *at != small && *at != large)
        at++;
    return at;
}

size_t tc_str_find_nocase(struct tc_str s, struct tc_str needle)
{
    const char *at = s.p, *end;
    char small, large;
    size_t work = 0;

    if (needle.n == 0)
        return 0;
    if (needle.n > s.n)
        return SIZE_MAX;
    small = large = needle.p[0];
    if ((small | 32) >= 'a' && (small | 32) <= 'z') {
        small |= 32;
        large &= ~32;
    }
    end = s.p + s.n - needle.n + 1; /* of places where it may begin */
    while ((at = next(at, end, small, large)) < end) {
        size_t n = 1 + common(at + 1, needle.p + 1, needle.n - 1), before = (size_t)(++at - s.p);
        if (n == needle.n)
            return before - 1;
        work += n;
        if (work > WORK_FREE + WORK_A_BYTE * before) {
            size_t rest = find_two_way(tc_str_from(s, before), needle);
            return rest == SIZE_MAX ? SIZE_MAX : before + rest;
        }
    }
    return SIZE_MAX;
}
