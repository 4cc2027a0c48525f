/*
 * Arithmetic of bc's programs: numbers as they are written, operators with the scale
 * that the result has, and what is told when they cannot be.
 */
#include "shell/cmds/bc_run.h"

#include <stdarg.h>

void tc_bc_error(struct bc *bc, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    if (bc->stop)
        return;
    va_start(ap, fmt);
    text = tc_arena_vprintf(bc->call->arena, fmt, ap);
    va_end(ap);
    tc_cmd_flush(bc->call->out);
    tc_cmd_printf(bc->call->err, "Runtime error (func=%.*s): %.*s\n",
                  TC_STR_ARG(bc->running ? bc->running->name : TC_STR("(main)")), TC_STR_ARG(text));
    bc->stop = true;
}

void tc_bc_warn(struct bc *bc, const char *message)
{
    tc_cmd_flush(bc->call->out);
    tc_cmd_printf(bc->call->err, "Runtime warning (func=%.*s): %s\n",
                  TC_STR_ARG(bc->running ? bc->running->name : TC_STR("(main)")), message);
}

struct bc_num *tc_bc_checked(struct bc *bc, struct bc_num *num)
{
    if (num)
        return num;
    if (!bc->stop)
        tc_bc_error(bc, "number is too long, or out of memory");
    return tc_bc_ref(bc->zero);
}

static int digit_value(char c)
{
    return c >= 'A' ? c - 'A' + 10 : c - '0';
}

struct bc_num *tc_bc_read_number(struct bc *bc, struct tc_str text)
{
    struct bc_num *base = tc_bc_int(bc->ibase), *num = tc_bc_int(0), *next, *digit, *power;
    size_t decimals = 0, digits = 0;
    bool point = false;

    for (size_t i = 0; i < text.n; i++)
        digits += text.p[i] != '.' && text.p[i] != '\\' && text.p[i] != '\n';
    for (size_t i = 0; i < text.n && num && base; i++) {
        int value = digit_value(text.p[i]);

        if (text.p[i] == '.')
            point = true;
        if (text.p[i] == '.' || text.p[i] == '\\' || text.p[i] == '\n')
            continue;
        digit = tc_bc_int(digits > 1 && value >= bc->ibase ? bc->ibase - 1 : value);
        next = tc_bc_mul(num, base);
        tc_bc_unref(num);
        num = tc_bc_add(next, digit);
        tc_bc_unref(next);
        tc_bc_unref(digit);
        decimals += point;
    }
    power = tc_bc_int(1);
    for (size_t i = 0; i < decimals && power; i++) {
        next = tc_bc_mul(power, base ? base : bc->zero);
        tc_bc_unref(power);
        power = next;
    }
    if (decimals) {
        next = tc_bc_div(num, power, decimals);
        tc_bc_unref(num);
        num = next;
    }
    tc_bc_unref(power);
    tc_bc_unref(base);
    return tc_bc_checked(bc, num);
}

static struct bc_num *multiply(struct bc *bc, const struct bc_num *a, const struct bc_num *b)
{
    size_t most = a->scale > b->scale ? a->scale : b->scale, sum = a->scale + b->scale;
    struct bc_num *exact = tc_bc_mul(a, b), *cut;

    most = most > bc->scale ? most : bc->scale;
    cut = tc_bc_rescale(exact, sum < most ? sum : most);
    tc_bc_unref(exact);
    return cut;
}

static struct bc_num *modulo(struct bc *bc, const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *quotient = tc_bc_div(a, b, bc->scale), *product = tc_bc_mul(quotient ? quotient : bc->zero, b);
    struct bc_num *rest = tc_bc_sub(a, product), *cut;
    size_t scale = bc->scale + b->scale;

    cut = tc_bc_rescale(rest, scale > a->scale ? scale : a->scale);
    tc_bc_unref(quotient);
    tc_bc_unref(product);
    tc_bc_unref(rest);
    return cut;
}

static struct bc_num *power(struct bc *bc, struct bc_num *a, const struct bc_num *b)
{
    int64_t exponent = tc_bc_to_int(b), n = exponent < 0 ? -exponent : exponent;
    struct bc_num *result = tc_bc_int(1), *square = tc_bc_ref(a), *next;
    size_t scale = bc->scale, most = a->scale > bc->scale ? a->scale : bc->scale;

    if (b->scale)
        tc_bc_warn(bc, "non-zero scale in exponent");
    if (exponent == INT64_MAX || exponent == INT64_MIN) {
        tc_bc_error(bc, "exponent too large in raise");
        n = 0;
    }
    for (; n && result && square; n >>= 1) {
        if (n & 1) {
            next = tc_bc_mul(result, square);
            tc_bc_unref(result);
            result = next;
        }
        next = n > 1 ? tc_bc_mul(square, square) : tc_bc_ref(square);
        tc_bc_unref(square);
        square = next;
        if (!tc_cmd_tick(bc->call, 64))
            break;
    }
    tc_bc_unref(square);
    if (exponent < 0 && result && tc_bc_is_zero(result)) {
        tc_bc_error(bc, "Divide by zero");
        return result;
    }
    if (exponent >= 0) {
        scale = result && result->scale < most ? result->scale : most;
        next = tc_bc_rescale(result, exponent == 0 ? 0 : scale);
    } else {
        next = tc_bc_div(bc->one, result, scale);
    }
    tc_bc_unref(result);
    return next;
}

static bool holds(int op, int order)
{
    switch (op) {
    case '<':
        return order < 0;
    case '>':
        return order > 0;
    case BC_LE:
        return order <= 0;
    case BC_GE:
        return order >= 0;
    case BC_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

struct bc_num *tc_bc_compute(struct bc *bc, int op, struct bc_num *a, struct bc_num *b)
{
    if ((op == '/' || op == '%') && tc_bc_is_zero(b)) {
        tc_bc_error(bc, op == '/' ? "Divide by zero" : "Modulo by zero");
        return tc_bc_ref(bc->zero);
    }
    switch (op) {
    case '+':
        return tc_bc_checked(bc, tc_bc_add(a, b));
    case '-':
        return tc_bc_checked(bc, tc_bc_sub(a, b));
    case '*':
        return tc_bc_checked(bc, multiply(bc, a, b));
    case '/':
        return tc_bc_checked(bc, tc_bc_div(a, b, bc->scale));
    case '%':
        return tc_bc_checked(bc, modulo(bc, a, b));
    case '^':
        return tc_bc_checked(bc, power(bc, a, b));
    default:
        return tc_bc_ref(holds(op, tc_bc_cmp(a, b)) ? bc->one : bc->zero);
    }
}
