/*
 * What stands for a key in 64 bits, so that most comparisons are of two numbers. It is
 * exact when it holds all of the key.
 */
#include "shell/sort/sort.h"

enum { BYTES = 8, WHOLE_MAX = 31, DIGITS = 17, HUMAN_DIGITS = 14, UNITS = 11 };

/* Its first bytes as a number that orders as they do. */
static uint64_t text_prefix(struct tc_str s, bool *ret_exact)
{
    size_t n = s.n < BYTES ? s.n : BYTES;
    uint64_t prefix;

    if (n == BYTES) {
        memcpy(&prefix, s.p, BYTES);
        prefix = __builtin_bswap64(prefix);
    } else {
        prefix = 0;
        for (size_t i = 0; i < n; i++)
            prefix |= (uint64_t)(unsigned char)s.p[i] << (56 - 8 * i);
    }
    /* a NUL could not be told from the end */
    *ret_exact = n == s.n && (n == 0 || !memchr(s.p, '\0', n));
    return prefix;
}

/* How many bytes all keys have in common at their beginning. */
static size_t common_bytes(const struct sort_work *work, const struct sort_item *items, size_t n)
{
    const struct sort_line *first = &work->lines[items[0].line];
    size_t common = first->key_n;

    for (size_t i = 1; i < n && common > 0; i++) {
        const struct sort_line *line = &work->lines[items[i].line];
        size_t most = line->key_n < common ? line->key_n : common;

        if (memcmp(line->key, first->key, most) == 0)
            common = most;
        else
            for (common = 0; line->key[common] == first->key[common];)
                common++;
    }
    return common;
}

static uint64_t filtered_prefix(const struct sort_key *key, struct tc_str s)
{
    uint64_t prefix = 0;
    int taken = 0;

    for (size_t i = 0; i < s.n && taken < BYTES; i++) {
        int c = tc_sort_filter(key, s.p[i]);

        if (c >= 0)
            prefix |= (uint64_t)c << (56 - 8 * taken++);
    }
    return prefix;
}

/* The count of whole digits, then the first `digits` ones as a number; below 32 * 10 ^ digits. */
static uint64_t magnitude(const struct sort_number *n, size_t digits, bool *ret_exact)
{
    size_t whole = n->whole.n < WHOLE_MAX ? n->whole.n : WHOLE_MAX;
    uint64_t value = whole;

    for (size_t i = 0; i < digits; i++) {
        int digit = 0;

        if (whole == WHOLE_MAX)
            digit = 9; /* as large as any */
        else if (i < whole)
            digit = n->whole.p[i] - '0';
        else if (i - whole < n->fraction.n)
            digit = n->fraction.p[i - whole] - '0';
        value = value * 10 + (uint64_t)digit;
    }
    *ret_exact = whole < WHOLE_MAX && whole + n->fraction.n <= digits;
    return value;
}

static uint64_t number_prefix(struct tc_str s, bool *ret_exact)
{
    const uint64_t zero = (uint64_t)1 << 63;
    struct sort_number n = tc_sort_number(s);
    uint64_t value = magnitude(&n, DIGITS, ret_exact);

    return n.negative ? zero - value : zero + value;
}

static uint64_t human_prefix(struct tc_str s, bool *ret_exact)
{
    const uint64_t zero = (uint64_t)1 << 52;
    struct sort_number n = tc_sort_number(s);
    uint64_t value = magnitude(&n, HUMAN_DIGITS, ret_exact);

    return ((uint64_t)(tc_sort_number_unit(&n, s) + UNITS) << 53) + (n.negative ? zero - value : zero + value);
}

/* No number, no value of a number, then from the least to the largest. */
static uint64_t general_prefix(struct tc_str s, bool *ret_exact)
{
    long double value;
    double near;
    uint64_t bits;

    *ret_exact = true;
    if (!tc_sort_number_general(s, &value))
        return 0;
    if (value != value)
        return 1;
    near = value == 0 ? 0.0 : (double)value;
    *ret_exact = near == value;
    memcpy(&bits, &near, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t prefix_of(const struct sort_order *order, const struct sort_key *key, struct tc_str s, bool *ret_exact)
{
    *ret_exact = false;
    if (key->numeric)
        return number_prefix(s, ret_exact);
    if (key->human)
        return human_prefix(s, ret_exact);
    if (key->general)
        return general_prefix(s, ret_exact);
    if (key->month) {
        *ret_exact = true;
        return (uint64_t)tc_sort_month(s);
    }
    if (key->random)
        return tc_sort_hash(order, s);
    if (key->version)
        return 0;
    return filtered_prefix(key, s);
}

void tc_sort_prefix(struct sort_work *work, const struct sort_key *key, struct sort_item *items, size_t n)
{
    bool is_text = !(key->numeric || key->human || key->general || key->month || key->random || key->version ||
                     key->dictionary || key->printable || key->fold);
    size_t common;

    for (size_t i = 0; i < n; i++) {
        struct sort_line *line = &work->lines[items[i].line];
        struct tc_str text = tc_sort_key_find(work, key, line);

        line->key = text.p;
        line->key_n = text.n;
    }
    common = is_text && n > 0 ? common_bytes(work, items, n) : 0;
    for (size_t i = 0; i < n; i++) {
        const struct sort_line *line = &work->lines[items[i].line];
        struct tc_str text = tc_str_n(line->key + common, line->key_n - common);

        items[i].prefix = is_text ? text_prefix(text, &items[i].exact)
                                  : prefix_of(work->order, key, text, &items[i].exact);
        if (key->reverse)
            items[i].prefix = ~items[i].prefix;
    }
}
