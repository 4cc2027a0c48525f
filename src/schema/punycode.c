/*
 * The generalized variable-length integers of RFC 3492, sections 3.3 and 6.
 */
#include "schema/punycode.h"

enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 128 };

static uint32_t adapt(uint32_t delta, uint32_t points, bool first)
{
    uint32_t k = 0;

    delta = first ? delta / DAMP : delta / 2;
    delta += delta / points;
    for (; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
        delta /= BASE - T_MIN;
    return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static uint32_t threshold(uint32_t k, uint32_t bias)
{
    return k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0' + 26;
    c |= 0x20;
    return c >= 'a' && c <= 'z' ? c - 'a' : -1;
}

static char char_of(uint32_t digit)
{
    return (char)(digit < 26 ? 'a' + digit : '0' + digit - 26);
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

/* One integer at *at, added to *i. */
static bool take_integer(struct tc_str text, size_t *at, uint32_t bias, uint32_t *i)
{
    uint64_t weight = 1, sum = *i;

    for (uint32_t k = BASE;; k += BASE) {
        int digit = *at < text.n ? digit_of(text.p[*at]) : -1;
        uint32_t t = threshold(k, bias);
        if (digit < 0)
            return false;
        *at += 1;
        sum += (uint64_t)digit * weight;
        if (sum > UINT32_MAX)
            return false;
        if ((uint32_t)digit < t)
            break;
        weight *= BASE - t;
    }
    *i = (uint32_t)sum;
    return true;
}

static bool decode(struct tc_str text, uint32_t *label, uint32_t *ret_n)
{
    uint32_t n = 0, c = FIRST, i = 0, bias = BIAS;
    size_t at = 0, basic = text.n;

    while (basic > 0 && text.p[basic - 1] != '-')
        basic--;
    for (; at + 1 < basic; at++)
        label[n++] = (unsigned char)lower(text.p[at]);
    at = basic;
    while (at < text.n) {
        uint32_t before = i;
        if (!take_integer(text, &at, bias, &i) || n == TC_PUNYCODE_MAX)
            return false;
        bias = adapt(i - before, n + 1, before == 0);
        if (i / (n + 1) > 0x10ffff - c)
            return false;
        c += i / (n + 1);
        i %= n + 1;
        memmove(&label[i + 1], &label[i], (n - i) * sizeof label[0]);
        label[i++] = c;
        n++;
    }
    *ret_n = n;
    return true;
}

bool tc_punycode_decode(struct tc_str text, uint32_t ret_label[TC_PUNYCODE_MAX], uint32_t *ret_n)
{
    char again[TC_PUNYCODE_MAX];
    bool wide = false;

    if (text.n == 0 || text.n > TC_PUNYCODE_MAX || !decode(text, ret_label, ret_n))
        return false;
    for (uint32_t i = 0; i < *ret_n; i++) {
        if (ret_label[i] >= 0xd800 && ret_label[i] <= 0xdfff)
            return false;
        wide = wide || ret_label[i] >= FIRST;
    }
    return wide && tc_punycode_encode(ret_label, *ret_n, again) == text.n &&
           tc_str_eq_nocase(tc_str_n(again, text.n), text);
}

struct output {
    char *to;
    size_t n;
};

static bool put(struct output *out, char c)
{
    if (out->n == TC_PUNYCODE_MAX)
        return false;
    if (out->to)
        out->to[out->n] = c;
    out->n++;
    return true;
}

static bool put_integer(struct output *out, uint32_t value, uint32_t bias)
{
    for (uint32_t k = BASE;; k += BASE) {
        uint32_t t = threshold(k, bias);
        if (value < t)
            break;
        if (!put(out, char_of(t + (value - t) % (BASE - t))))
            return false;
        value = (value - t) / (BASE - t);
    }
    return put(out, char_of(value));
}

static uint32_t next_point(const uint32_t *label, uint32_t n, uint32_t from)
{
    uint32_t next = UINT32_MAX;

    for (uint32_t i = 0; i < n; i++)
        if (label[i] >= from && label[i] < next)
            next = label[i];
    return next;
}

size_t tc_punycode_encode(const uint32_t *label, uint32_t n, char to[TC_PUNYCODE_MAX])
{
    struct output out = {to, 0};
    uint32_t done = 0, basic, c = FIRST, delta = 0, bias = BIAS;

    for (uint32_t i = 0; i < n; i++)
        if (label[i] < FIRST && (done++, !put(&out, (char)label[i])))
            return SIZE_MAX;
    basic = done;
    if (basic > 0 && !put(&out, '-'))
        return SIZE_MAX;
    while (done < n) {
        uint32_t next = next_point(label, n, c);
        delta += (next - c) * (done + 1); /* at most 0x10ffff * 64 */
        c = next;
        for (uint32_t i = 0; i < n; i++) {
            delta += label[i] < c;
            if (label[i] != c)
                continue;
            if (!put_integer(&out, delta, bias))
                return SIZE_MAX;
            bias = adapt(delta, done + 1, done == basic);
            delta = 0;
            done++;
        }
        delta++;
        c++;
    }
    return out.n;
}
