/*
 * A lexeme is split into sign, significant digits, the place of the first of
 * them and the exponent as written. Exponents may have any number of digits
 * themselves: they are subtracted digit by digit and given up as FAR once no
 * mantissa that fits in memory could bridge the gap.
 */
#include "json/number.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FAR 100000000000000000 /* 1e17 */

struct decimal {
    bool negative, exp_negative;
    const char *digits; /* from the first digit that is not 0; a point may stand among them */
    size_t n;           /* digits up to the last that is not 0; 0: the value is 0 */
    int64_t lead;       /* value = 0.digits * 10^(lead + exponent) */
    struct tc_str exp;  /* digits of the exponent, no leading zeros */
};

static struct decimal split(struct tc_str a)
{
    struct decimal d = {.negative = a.p[0] == '-'};
    size_t i = d.negative, first = SIZE_MAX, last = 0, end, point;

    for (end = i; end < a.n && (a.p[end] | 0x20) != 'e'; end++)
        continue;
    for (point = i; point < end && a.p[point] != '.'; point++)
        continue;
    for (; i < end; i++) {
        if (a.p[i] == '0' || a.p[i] == '.')
            continue;
        first = first == SIZE_MAX ? i : first;
        last = i;
    }
    if (first == SIZE_MAX)
        return d;
    d.digits = a.p + first;
    d.n = last + 1 - first - (first < point && point < last);
    d.lead = first < point ? (int64_t)(point - first) : -(int64_t)(first - point - 1);
    if (end < a.n) {
        d.exp = tc_str_from(a, end + 1);
        d.exp_negative = d.exp.p[0] == '-';
        if (d.exp.p[0] == '-' || d.exp.p[0] == '+')
            d.exp = tc_str_from(d.exp, 1);
        while (d.exp.n && d.exp.p[0] == '0')
            d.exp = tc_str_from(d.exp, 1);
    }
    return d;
}

/* The digit of weight 10^place, with its sign. */
static int exponent_digit(const struct decimal *d, size_t place)
{
    int digit = place < d->exp.n ? d->exp.p[d->exp.n - 1 - place] - '0' : 0;

    return d->exp_negative ? -digit : digit;
}

/* Exponent of a less that of b, between -FAR and FAR. Beyond FAR the digits to
 * come cannot bring the difference back. */
static int64_t exponent_gap(const struct decimal *a, const struct decimal *b)
{
    int64_t gap = 0;

    for (size_t place = a->exp.n > b->exp.n ? a->exp.n : b->exp.n; place-- > 0;) {
        gap = gap * 10 + exponent_digit(a, place) - exponent_digit(b, place);
        if (gap > FAR || gap < -FAR)
            return gap > 0 ? FAR : -FAR;
    }
    return gap;
}

/* Weight of the last significant digit: value = digits * 10^this. */
static int64_t last_place(const struct decimal *d)
{
    static const struct decimal zero = {.n = 0};

    return exponent_gap(d, &zero) + d->lead - (int64_t)d->n;
}

static inline int next_digit(const char **at)
{
    if (**at == '.')
        ++*at;
    return *(*at)++ - '0';
}

static int cmp_digits(const struct decimal *a, const struct decimal *b)
{
    const char *x = a->digits, *y = b->digits;

    for (size_t i = 0; i < a->n && i < b->n; i++) {
        int difference = next_digit(&x) - next_digit(&y);
        if (difference)
            return difference;
    }
    return a->n == b->n ? 0 : a->n < b->n ? -1 : 1;
}

int tc_number_cmp(struct tc_str a, struct tc_str b)
{
    struct decimal x, y;
    int64_t gap;
    int order;

    if (tc_str_eq(a, b))
        return 0;
    x = split(a);
    y = split(b);
    if (x.n == 0)
        return y.n == 0 ? 0 : y.negative ? 1 : -1;
    if (y.n == 0 || x.negative != y.negative)
        return x.negative ? -1 : 1;
    gap = exponent_gap(&x, &y) + x.lead - y.lead;
    order = gap ? (gap < 0 ? -1 : 1) : cmp_digits(&x, &y);
    return x.negative ? -order : order;
}

bool tc_number_is_integer(struct tc_str a)
{
    struct decimal d = split(a);

    return d.n == 0 || last_place(&d) >= 0;
}

bool tc_number_is_divisor(struct tc_str b)
{
    struct decimal d = split(b);

    return d.n > 0 && d.n <= TC_NUMBER_DIVISOR_DIGITS && !d.negative;
}

/* Whether digits * 10^zeros is a multiple of by; by * 10 must not overflow. */
static bool divides64(const struct decimal *d, int zeros, uint64_t by)
{
    const char *at = d->digits;
    uint64_t rest = 0;

    for (size_t i = 0; i < d->n; i++)
        rest = (rest * 10 + (unsigned)next_digit(&at)) % by;
    while (rest && zeros-- > 0)
        rest = rest * 10 % by;
    return rest == 0;
}

static bool divides128(const struct decimal *d, int zeros, unsigned __int128 by)
{
    const char *at = d->digits;
    unsigned __int128 rest = 0;

    for (size_t i = 0; i < d->n; i++)
        rest = (rest * 10 + (unsigned)next_digit(&at)) % by;
    while (rest && zeros-- > 0)
        rest = rest * 10 % by;
    return rest == 0;
}

bool tc_number_multiple_of(struct tc_str a, struct tc_str b)
{
    enum { ZEROS_MAX = 128 }; /* more than the powers of 2 or 5 in a divisor: further zeros change nothing */
    struct decimal x = split(a), y = split(b);
    unsigned __int128 by = 0;
    const char *at = y.digits;
    int64_t zeros;

    assert(tc_number_is_divisor(b));
    if (x.n == 0)
        return true;
    zeros = exponent_gap(&x, &y) + (x.lead - (int64_t)x.n) - (y.lead - (int64_t)y.n);
    if (zeros < 0) /* the digits of x would have to end in 0, and they never do */
        return false;
    if (zeros > ZEROS_MAX)
        zeros = ZEROS_MAX;
    for (size_t i = 0; i < y.n && i < TC_NUMBER_DIVISOR_DIGITS; i++)
        by = by * 10 + (unsigned)next_digit(&at);
    return y.n <= 18 ? divides64(&x, (int)zeros, (uint64_t)by) : divides128(&x, (int)zeros, by);
}

bool tc_number_int(struct tc_str a, int64_t *ret_value)
{
    struct decimal d = split(a);
    const char *at = d.digits;
    uint64_t value = 0, limit = (uint64_t)INT64_MAX + d.negative;
    int64_t zeros;

    if (d.n > 0) {
        zeros = last_place(&d);
        if (zeros < 0 || zeros > 18 || d.n + (size_t)zeros > 19)
            return false;
        for (size_t i = 0; i < d.n; i++)
            value = value * 10 + (unsigned)next_digit(&at);
        while (zeros-- > 0)
            value *= 10;
        if (value > limit)
            return false;
    }
    *ret_value = d.negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

/* What a double holds exactly, times or over a power of 10 that it holds too,
 * rounds once: the result is the nearest. */
static bool small_double(const struct decimal *d, int64_t place, double *ret_value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *at = d->digits;
    uint64_t whole = 0;

    if (d->n > 15 || place > 22 || place < -22)
        return false;
    for (size_t i = 0; i < d->n; i++)
        whole = whole * 10 + (unsigned)next_digit(&at);
    *ret_value = place < 0 ? (double)whole / powers[-place] : (double)whole * powers[place];
    return true;
}

/* Through strtod, as digits and an exponent without a point, since the point is
 * the locale's. A double is decided by 768 digits and whether more follow. */
static double large_double(const struct decimal *d, int64_t place)
{
    enum { DIGITS = 780, EXPONENT = 9999 };
    char text[DIGITS + 32];
    const char *at = d->digits;
    size_t n = 0;

    for (; n < d->n && n < DIGITS; n++)
        text[n] = (char)('0' + next_digit(&at));
    place += (int64_t)(d->n - n);
    if (n < d->n) {
        text[n++] = '1';
        place--;
    }
    place = place > EXPONENT ? EXPONENT : place < -EXPONENT ? -EXPONENT : place;
    snprintf(text + n, sizeof text - n, "e%d", (int)place);
    return strtod(text, NULL);
}

bool tc_number_double(struct tc_str a, double *ret_value)
{
    struct decimal d = split(a);
    double value = 0;

    if (d.n > 0) {
        int64_t place = last_place(&d);
        if (!small_double(&d, place, &value))
            value = large_double(&d, place);
        if (!isfinite(value))
            return false;
    }
    *ret_value = d.negative ? -value : value;
    return true;
}
