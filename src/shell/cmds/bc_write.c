/*
 * What bc writes: numbers in any base and texts, on lines that are broken as bc's.
 */
#include <stdio.h>

#include "shell/cmds/bc_ast.h"

static void put(struct bc *bc, char c)
{
    if (c == '\n') {
        bc->column = 0;
        tc_cmd_putc(bc->call->out, c);
        return;
    }
    if (bc->line_length && bc->column + 2 >= bc->line_length) {
        tc_cmd_write(bc->call->out, "\\\n", 2);
        bc->column = 0;
    }
    bc->column++;
    tc_cmd_putc(bc->call->out, c);
}

static void put_text(struct bc *bc, struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++)
        put(bc, text.p[i]);
}

static void put_digit(struct bc *bc, int64_t digit)
{
    static const char digits[] = "0123456789ABCDEF";
    char text[24];

    if (bc->obase <= 16) {
        put(bc, digits[digit & 15]);
        return;
    }
    snprintf(text, sizeof(text), "%lld", (long long)bc->obase - 1);
    snprintf(text, sizeof(text), " %0*lld", (int)strlen(text), (long long)digit);
    put_text(bc, tc_str_of(text));
}

/* The digits of the whole part, the last one first. */
static bool whole_digits(struct bc *bc, const struct bc_num *num, struct tc_buf *digits)
{
    struct bc_num *base = tc_bc_int(bc->obase), *rest = tc_bc_rescale(num, 0), *next, *product, *digit;
    int64_t value;

    while (base && rest && !tc_bc_is_zero(rest)) {
        next = tc_bc_div(rest, base, 0);
        product = tc_bc_mul(next ? next : bc->zero, base);
        digit = tc_bc_sub(rest, product);
        value = digit ? tc_bc_to_int(digit) : 0;
        tc_buf_add(digits, &value, sizeof(value));
        tc_bc_unref(product);
        tc_bc_unref(digit);
        tc_bc_unref(rest);
        rest = next;
        if (!tc_cmd_tick(bc->call, 1))
            break;
    }
    tc_bc_unref(base);
    tc_bc_unref(rest);
    return !digits->failed;
}

/* As many digits of the fraction as its decimals are worth. */
static void put_fraction(struct bc *bc, const struct bc_num *num)
{
    struct bc_num *base = tc_bc_int(bc->obase), *whole = tc_bc_rescale(num, 0), *rest = tc_bc_sub(num, whole);
    struct bc_num *reached = tc_bc_int(1), *next, *digit;

    put(bc, '.');
    while (base && rest && reached && tc_bc_digits(reached) <= num->scale && tc_cmd_tick(bc->call, 1)) {
        next = tc_bc_mul(rest, base);
        tc_bc_unref(rest);
        digit = next ? tc_bc_rescale(next, 0) : NULL;
        if (digit)
            put_digit(bc, tc_bc_to_int(digit));
        rest = tc_bc_sub(next, digit);
        tc_bc_unref(next);
        tc_bc_unref(digit);
        next = tc_bc_rescale(rest, num->scale);
        tc_bc_unref(rest);
        rest = next;
        next = tc_bc_mul(reached, base);
        tc_bc_unref(reached);
        reached = next;
    }
    tc_bc_unref(base);
    tc_bc_unref(whole);
    tc_bc_unref(rest);
    tc_bc_unref(reached);
}

static void put_in_base(struct bc *bc, const struct bc_num *num)
{
    struct bc_num *positive = num->minus ? tc_bc_neg(num) : tc_bc_rescale(num, num->scale);
    struct tc_buf digits;
    int64_t digit;

    tc_buf_init(&digits, BC_DIGITS_MAX * 8);
    if (num->minus)
        put(bc, '-');
    if (positive && whole_digits(bc, positive, &digits)) {
        for (size_t at = digits.n; at > 0; at -= sizeof(digit)) {
            memcpy(&digit, digits.p + at - sizeof(digit), sizeof(digit));
            put_digit(bc, digit);
        }
        if (num->scale)
            put_fraction(bc, positive);
    }
    tc_buf_finish(&digits);
    tc_bc_unref(positive);
}

void tc_bc_write_number(struct bc *bc, const struct bc_num *num)
{
    struct tc_buf text;

    if (bc->obase != 10 && !tc_bc_is_zero(num)) {
        put_in_base(bc, num);
        return;
    }
    tc_buf_init(&text, BC_DIGITS_MAX + 16);
    tc_bc_print(num, &text);
    put_text(bc, tc_buf_get(&text));
    tc_buf_finish(&text);
}

void tc_bc_write_text(struct bc *bc, struct tc_str text, bool escapes)
{
    static const char known[] = "abfnqrt\\", stands[] = "\a\b\f\n\"\r\t\\";
    const char *at;

    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];

        if (escapes && c == '\\' && i + 1 < text.n) {
            at = strchr(known, text.p[++i]);
            if (!at || !*at)
                continue;
            c = stands[at - known];
        }
        tc_cmd_putc(bc->call->out, c);
        bc->column = c == '\n' ? 0 : bc->column + 1;
    }
}
