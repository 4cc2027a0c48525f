/*
 * Arithmetic of long numbers: what children learn at school, with digits of nine
 * decimals each, and Knuth's division.
 */
#include "shell/cmds/bc_num.h"

#include <stdio.h>

#include "base/mem.h"

enum { BASE = 1000000000, DIGITS = BC_LIMB_DIGITS, LIMBS_MAX = BC_DIGITS_MAX / BC_LIMB_DIGITS };

static const uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000};

static struct bc_num *new_num(size_t n)
{
    struct bc_num *num = n > LIMBS_MAX ? NULL : tc_mem_zalloc(1, sizeof(*num) + n * sizeof(uint32_t));

    if (num) {
        num->refs = 1;
        num->n = n;
    }
    return num;
}

/* Drops limbs of 0 at the top; zero has no sign. */
static struct bc_num *trimmed(struct bc_num *num)
{
    while (num && num->n && num->limbs[num->n - 1] == 0)
        num->n--;
    if (num && num->n == 0)
        num->minus = false;
    return num;
}

struct bc_num *tc_bc_int(int64_t value)
{
    struct bc_num *num = new_num(3);
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    if (!num)
        return NULL;
    num->minus = value < 0;
    for (size_t i = 0; i < 3; i++, rest /= BASE)
        num->limbs[i] = (uint32_t)(rest % BASE);
    return trimmed(num);
}

struct bc_num *tc_bc_parse(struct tc_str digits)
{
    bool minus = digits.n && digits.p[0] == '-';
    size_t n = digits.n - minus;
    struct bc_num *num = new_num((n + DIGITS - 1) / DIGITS);

    for (size_t i = 0; num && i < n; i++) /* from the least on */
        num->limbs[i / DIGITS] += (uint32_t)(digits.p[digits.n - 1 - i] - '0') * powers[i % DIGITS];
    if (num)
        num->minus = minus;
    return trimmed(num);
}

struct bc_num *tc_bc_ref(struct bc_num *num)
{
    if (num)
        num->refs++;
    return num;
}

void tc_bc_unref(struct bc_num *num)
{
    if (num && --num->refs == 0)
        tc_mem_free(num);
}

bool tc_bc_is_zero(const struct bc_num *a)
{
    return a->n == 0;
}

/* The same number times ten to the `by`, as a whole one: the scale is not looked at. */
static struct bc_num *shift_up(const struct bc_num *a, size_t by)
{
    size_t limbs = by / DIGITS;
    uint32_t factor = powers[by % DIGITS];
    struct bc_num *num = new_num(a->n + limbs + 1);
    uint64_t carry = 0;

    if (!num)
        return NULL;
    for (size_t i = 0; i < a->n; i++) {
        carry += (uint64_t)a->limbs[i] * factor;
        num->limbs[i + limbs] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    num->limbs[a->n + limbs] = (uint32_t)carry;
    num->minus = a->minus;
    num->scale = a->scale;
    return trimmed(num);
}

/* Divided by ten to the `by`, cut. */
static struct bc_num *shift_down(const struct bc_num *a, size_t by)
{
    size_t limbs = by / DIGITS, n = a->n > limbs ? a->n - limbs : 0;
    uint32_t divisor = powers[by % DIGITS];
    struct bc_num *num = new_num(n);
    uint64_t rest = 0;

    if (!num)
        return NULL;
    for (size_t i = n; i-- > 0;) {
        rest = rest * BASE + a->limbs[i + limbs];
        num->limbs[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    num->minus = a->minus;
    num->scale = a->scale;
    return trimmed(num);
}

struct bc_num *tc_bc_rescale(const struct bc_num *a, size_t scale)
{
    struct bc_num *num;

    if (!a || scale > BC_DIGITS_MAX)
        return NULL;
    num = scale >= a->scale ? shift_up(a, scale - a->scale) : shift_down(a, a->scale - scale);
    if (num)
        num->scale = scale;
    return num;
}

static int cmp_limbs(const struct bc_num *a, const struct bc_num *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    return 0;
}

static struct bc_num *add_limbs(const struct bc_num *a, const struct bc_num *b)
{
    size_t n = a->n > b->n ? a->n : b->n;
    struct bc_num *num = new_num(n + 1);
    uint32_t carry = 0;

    for (size_t i = 0; num && i <= n; i++) {
        carry += (i < a->n ? a->limbs[i] : 0) + (i < b->n ? b->limbs[i] : 0);
        num->limbs[i] = carry % BASE;
        carry /= BASE;
    }
    return num;
}

/* a is not smaller. */
static struct bc_num *sub_limbs(const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *num = new_num(a->n);
    int64_t borrow = 0;

    for (size_t i = 0; num && i < a->n; i++) {
        int64_t limb = (int64_t)a->limbs[i] - (i < b->n ? b->limbs[i] : 0) - borrow;

        borrow = limb < 0;
        num->limbs[i] = (uint32_t)(limb + borrow * BASE);
    }
    return num;
}

static struct bc_num *add_signed(const struct bc_num *a, const struct bc_num *b, bool turn)
{
    size_t scale;
    struct bc_num *x, *y, *sum = NULL;
    bool y_minus;

    if (!a || !b)
        return NULL;
    scale = a->scale > b->scale ? a->scale : b->scale;
    x = tc_bc_rescale(a, scale);
    y = tc_bc_rescale(b, scale);
    if (x && y) {
        y_minus = y->minus != (turn && y->n);
        if (x->minus == y_minus || y->n == 0 || x->n == 0) {
            sum = add_limbs(x, y);
            if (sum)
                sum->minus = x->n ? x->minus : y_minus;
        } else if (cmp_limbs(x, y) >= 0) {
            sum = sub_limbs(x, y);
            if (sum)
                sum->minus = x->minus;
        } else {
            sum = sub_limbs(y, x);
            if (sum)
                sum->minus = y_minus;
        }
        if (sum)
            sum->scale = scale;
    }
    tc_bc_unref(x);
    tc_bc_unref(y);
    return trimmed(sum);
}

struct bc_num *tc_bc_add(const struct bc_num *a, const struct bc_num *b)
{
    return add_signed(a, b, false);
}

struct bc_num *tc_bc_sub(const struct bc_num *a, const struct bc_num *b)
{
    return add_signed(a, b, true);
}

struct bc_num *tc_bc_neg(const struct bc_num *a)
{
    struct bc_num *num = a ? tc_bc_rescale(a, a->scale) : NULL;

    if (num && num->n)
        num->minus = !num->minus;
    return num;
}

struct bc_num *tc_bc_mul(const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *num = a && b ? new_num(a->n + b->n) : NULL;

    if (!num)
        return NULL;
    for (size_t i = 0; i < a->n; i++) {
        uint64_t carry = 0;

        for (size_t j = 0; j < b->n; j++) {
            carry += num->limbs[i + j] + (uint64_t)a->limbs[i] * b->limbs[j];
            num->limbs[i + j] = (uint32_t)(carry % BASE);
            carry /= BASE;
        }
        num->limbs[i + b->n] = (uint32_t)carry;
    }
    num->minus = a->minus != b->minus;
    num->scale = a->scale + b->scale;
    return trimmed(num);
}

/* By one limb. */
static void divide_small(const struct bc_num *a, uint32_t by, struct bc_num *quotient)
{
    uint64_t rest = 0;

    for (size_t i = a->n; i-- > 0;) {
        rest = rest * BASE + a->limbs[i];
        quotient->limbs[i] = (uint32_t)(rest / by);
        rest %= by;
    }
}

/* Subtracts factor * v from n + 1 limbs of u; the borrow that is left. */
static bool subtract_multiple(uint32_t *u, const struct bc_num *v, uint64_t factor)
{
    uint64_t carry = 0;
    int64_t borrow = 0;

    for (size_t i = 0; i <= v->n; i++) {
        int64_t limb;

        carry += i < v->n ? factor * v->limbs[i] : 0;
        limb = (int64_t)u[i] - (int64_t)(carry % BASE) - borrow;
        carry /= BASE;
        borrow = limb < 0;
        u[i] = (uint32_t)(limb + borrow * BASE);
    }
    return borrow;
}

static void add_back(uint32_t *u, const struct bc_num *v)
{
    uint32_t carry = 0;

    for (size_t i = 0; i <= v->n; i++) {
        carry += u[i] + (i < v->n ? v->limbs[i] : 0);
        u[i] = carry % BASE;
        carry /= BASE;
    }
}

/* Knuth's algorithm D on u (one limb longer than needed) and v, both made so that v's first limb is large. */
static void divide_long(struct bc_num *u, const struct bc_num *v, struct bc_num *quotient)
{
    size_t n = v->n;

    for (size_t j = quotient->n; j-- > 0;) {
        uint64_t head = (uint64_t)u->limbs[j + n] * BASE + u->limbs[j + n - 1];
        uint64_t guess = head / v->limbs[n - 1], rest = head % v->limbs[n - 1];

        while (guess >= BASE || guess * v->limbs[n - 2] > rest * BASE + u->limbs[j + n - 2]) {
            guess--;
            rest += v->limbs[n - 1];
            if (rest >= BASE)
                break;
        }
        if (subtract_multiple(u->limbs + j, v, guess)) {
            guess--;
            add_back(u->limbs + j, v);
        }
        quotient->limbs[j] = (uint32_t)guess;
    }
}

static struct bc_num *times_small(const struct bc_num *a, uint32_t factor)
{
    struct bc_num *num = new_num(a->n + 1);
    uint64_t carry = 0;

    for (size_t i = 0; num && i <= a->n; i++) {
        carry += i < a->n ? (uint64_t)a->limbs[i] * factor : 0;
        num->limbs[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    return num;
}

/* Whole numbers; signs and scales are not looked at. */
static struct bc_num *divide(const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *quotient, *u, *v;
    uint32_t factor;

    if (a->n < b->n)
        return new_num(0);
    quotient = new_num(b->n == 1 ? a->n : a->n - b->n + 1);
    if (!quotient)
        return NULL;
    if (b->n == 1) {
        divide_small(a, b->limbs[0], quotient);
        return trimmed(quotient);
    }
    factor = BASE / (b->limbs[b->n - 1] + 1);
    u = times_small(a, factor);
    v = times_small(b, factor);
    if (u && v) {
        trimmed(v);
        divide_long(u, v, quotient);
    } else {
        tc_bc_unref(quotient);
        quotient = NULL;
    }
    tc_bc_unref(u);
    tc_bc_unref(v);
    return trimmed(quotient);
}

struct bc_num *tc_bc_div(const struct bc_num *a, const struct bc_num *b, size_t scale)
{
    struct bc_num *top, *num;
    size_t wanted;

    if (!a || !b)
        return NULL;
    wanted = scale + b->scale;
    top = wanted > BC_DIGITS_MAX ? NULL : tc_bc_rescale(a, wanted > a->scale ? wanted : a->scale);
    if (!top)
        return NULL;
    num = divide(top, b);
    if (num) {
        num->minus = num->n && a->minus != b->minus;
        num->scale = top->scale - b->scale;
    }
    tc_bc_unref(top);
    top = tc_bc_rescale(num, scale);
    tc_bc_unref(num);
    return top;
}

/* Newton's steps on whole numbers, from above. */
struct bc_num *tc_bc_sqrt(const struct bc_num *a, size_t scale)
{
    struct bc_num *whole = a ? tc_bc_rescale(a, 2 * scale) : NULL, *x = NULL, *one, *two = tc_bc_int(2), *next, *sum;

    if (whole) {
        whole->scale = 0;
        one = tc_bc_int(1);
        x = one ? shift_up(one, (tc_bc_digits(whole) + 2) / 2) : NULL;
        tc_bc_unref(one);
    }
    while (x && whole->n) {
        next = tc_bc_div(whole, x, 0);
        sum = tc_bc_add(next, x);
        tc_bc_unref(next);
        next = tc_bc_div(sum, two, 0);
        tc_bc_unref(sum);
        if (next && cmp_limbs(next, x) >= 0) {
            tc_bc_unref(next);
            break;
        }
        tc_bc_unref(x);
        x = next;
    }
    if (x && whole->n == 0)
        x->n = 0;
    if (x)
        x->scale = scale;
    tc_bc_unref(whole);
    tc_bc_unref(two);
    return x;
}

int tc_bc_cmp(const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *difference = tc_bc_sub(a, b);
    int order = !difference || difference->n == 0 ? 0 : difference->minus ? -1 : 1;

    tc_bc_unref(difference);
    return order;
}

size_t tc_bc_digits(const struct bc_num *a)
{
    size_t digits = 0;

    if (a->n == 0)
        return 0;
    while (digits < DIGITS && a->limbs[a->n - 1] >= powers[digits])
        digits++;
    return (a->n - 1) * DIGITS + digits;
}

int64_t tc_bc_to_int(const struct bc_num *a)
{
    struct bc_num *whole = tc_bc_rescale(a, 0);
    int64_t value = 0;
    bool over = !whole || tc_bc_digits(whole) > 18;

    for (size_t i = over ? 0 : whole->n; i-- > 0;)
        value = value * BASE + whole->limbs[i];
    tc_bc_unref(whole);
    if (over)
        return a->minus ? INT64_MIN : INT64_MAX;
    return a->minus ? -value : value;
}

void tc_bc_print(const struct bc_num *a, struct tc_buf *to)
{
    size_t digits = tc_bc_digits(a), shown = digits > a->scale ? digits : a->scale;

    if (a->n == 0) {
        tc_buf_char(to, '0');
        return;
    }
    if (a->minus)
        tc_buf_char(to, '-');
    for (size_t at = shown; at-- > 0;) {
        uint32_t limb = at / DIGITS < a->n ? a->limbs[at / DIGITS] : 0;

        if (at + 1 == a->scale)
            tc_buf_char(to, '.');
        tc_buf_char(to, (char)('0' + limb / powers[at % DIGITS] % 10));
    }
}
