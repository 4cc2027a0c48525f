/*
 * Numbers from text and back. Plain decimals of up to 15 digits are read without
 * strtod(3), which is exact: digits and the power of ten both fit a double.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "shell/awk/value.h"

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* What strtod(3) makes of exactly these bytes. */
static double parse_slow(const char *p, size_t n)
{
    char small[64], *text = small;
    double num;

    if (n < sizeof(small)) {
        memcpy(small, p, n);
        small[n] = '\0';
        return strtod(text, NULL);
    }
    /* Digits beyond 800 change no double but through the exponent, which stands behind them. */
    char large[1024];
    size_t head = n < sizeof(large) ? n : sizeof(large) - 1;

    memcpy(large, p, head);
    large[head] = '\0';
    num = strtod(large, NULL);
    return n > head && !memchr(p, '.', head) ? num * pow(10, (double)(n - head)) : num;
}

/* "+inf" and "-nan", only with a sign and nothing behind. */
static bool parse_odd(const char *p, size_t n, double *ret_num)
{
    if (n < 4 || (p[0] != '+' && p[0] != '-') || (n > 4 && !is_blank(p[4])))
        return false;
    if (strncasecmp(p + 1, "inf", 3) == 0)
        *ret_num = p[0] == '-' ? -INFINITY : INFINITY;
    else if (strncasecmp(p + 1, "nan", 3) == 0)
        *ret_num = p[0] == '-' ? -NAN : NAN;
    else
        return false;
    return true;
}

/* The bytes of an exponent at p, 0 when none is there. */
static size_t exponent_length(const char *p, size_t n)
{
    size_t at = 1;

    if (n < 2 || (p[0] != 'e' && p[0] != 'E'))
        return 0;
    if (p[at] == '+' || p[at] == '-')
        at++;
    if (at >= n || !is_digit(p[at]))
        return 0;
    while (at < n && is_digit(p[at]))
        at++;
    return at;
}

double tc_awk_number_parse(struct tc_str text, size_t *ret_used)
{
    const char *p = text.p;
    size_t n = text.n, at = 0, start, digits = 0, fraction = 0, exponent;
    uint64_t whole = 0;
    double num;

    *ret_used = 0;
    while (at < n && is_blank(p[at]))
        at++;
    start = at;
    if (at < n && (p[at] == '-' || p[at] == '+'))
        at++;
    for (; at < n && is_digit(p[at]); at++, digits++)
        whole = whole * 10 + (uint64_t)(p[at] - '0');
    if (at < n && p[at] == '.')
        for (at++; at < n && is_digit(p[at]); at++, digits++, fraction++)
            whole = whole * 10 + (uint64_t)(p[at] - '0');
    if (digits == 0) {
        if (!parse_odd(p + start, n - start, &num))
            return 0;
        *ret_used = start + 4;
        return num;
    }
    exponent = exponent_length(p + at, n - at);
    *ret_used = at + exponent;
    if (exponent || digits > 15)
        return parse_slow(p + start, *ret_used - start);
    num = (double)whole;
    if (fraction)
        num /= power_of_ten[fraction];
    return p[start] == '-' ? -num : num;
}

bool tc_awk_number_looks(struct tc_str text, double *ret_num)
{
    size_t used;
    double num;

    if (text.n == 0)
        return false;
    num = tc_awk_number_parse(text, &used);
    if (used == 0)
        return false;
    while (used < text.n && is_blank(text.p[used]))
        used++;
    if (used < text.n)
        return false;
    *ret_num = num;
    return true;
}

static int digit_of(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static double parse_base(struct tc_str text, int base, size_t at, size_t *ret_used)
{
    double num = 0;

    for (; at < text.n && digit_of(text.p[at]) < base; at++)
        num = num * base + digit_of(text.p[at]);
    *ret_used = at;
    return num;
}

/* Whether a number that begins with 0 is octal: digits below 8 alone, no point, no exponent. */
static bool is_octal(struct tc_str text)
{
    size_t at = 0;

    while (at < text.n && text.p[at] >= '0' && text.p[at] <= '7')
        at++;
    if (at < 2 || text.p[0] != '0')
        return false;
    return at == text.n || !strchr("89.eE", text.p[at]) || text.p[at] == '\0';
}

double tc_awk_number_parse_any(struct tc_str text, size_t *ret_used)
{
    if (text.n > 2 && text.p[0] == '0' && (text.p[1] | 0x20) == 'x' && digit_of(text.p[2]) < 16)
        return parse_base(text, 16, 2, ret_used);
    if (is_octal(text))
        return parse_base(text, 8, 0, ret_used);
    return tc_awk_number_parse(text, ret_used);
}

const char *tc_awk_number_odd(double num)
{
    if (isnan(num))
        return signbit(num) ? "-nan" : "+nan";
    if (isinf(num))
        return num < 0 ? "-inf" : "+inf";
    return NULL;
}

size_t tc_awk_int_print(int64_t num, char *to)
{
    char digits[24];
    size_t n = 0, at = 0;
    uint64_t rest = num < 0 ? 0 - (uint64_t)num : (uint64_t)num;

    do
        digits[n++] = (char)('0' + rest % 10);
    while ((rest /= 10));
    if (num < 0)
        to[at++] = '-';
    while (n)
        to[at++] = digits[--n];
    return at;
}

size_t tc_awk_number_print(double num, const char *fmt, char *to, size_t size)
{
    const char *odd;
    int n;

    if (num >= -1e15 && num <= 1e15 && num == (double)(int64_t)num)
        return tc_awk_int_print((int64_t)num, to);
    odd = tc_awk_number_odd(num);
    if (odd)
        n = snprintf(to, size, "%s", odd);
    else if (num == floor(num))
        n = snprintf(to, size, "%.0f", num);
    else if (fmt[0] == AWK_WHOLE)
        n = snprintf(to, size, fmt + 1, (long)num);
    else
        n = snprintf(to, size, fmt, num);
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}
