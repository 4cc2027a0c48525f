/*
 * The command seq: numbers from the one to the other. Computed as FIRST + n * STEP in
 * long double and written with as many decimals as the operands have, as GNU's.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "toolcrib/shellcmd.h"

struct operand {
    long double value;
    int precision; /* digits behind the point; -1 when the writing does not say */
    int width;     /* of its writing */
};

struct seq {
    struct tc_cmd_call *c;
    const char *separator;
    char *format; /* for a long double, with its precision fixed */
    bool equal_width;
};

enum { NUMBER_SIZE = 8192, STEP_MAX = 200 };

static bool scan(struct tc_cmd_call *c, const char *text, struct operand *ret)
{
    char *end;
    const char *point, *exponent;
    long shift;

    ret->value = strtold(text, &end);
    if (end == text || *end || isnan(ret->value)) {
        tc_cmd_fail_usage(c, isnan(ret->value) && end != text && !*end ? "invalid ‘not-a-number’ argument: ‘%s’"
                                                                       : "invalid floating point argument: ‘%s’", text);
        return false;
    }
    while (*text == ' ' || *text == '+')
        text++;
    ret->width = (int)strlen(text);
    ret->precision = -1;
    if (strpbrk(text, "xXpPiI"))
        return true;
    point = strchr(text, '.');
    ret->precision = point ? (int)strcspn(point + 1, "eE") : 0;
    if (point && ret->precision == 0)
        ret->width--;
    else if (point && (point == text || (point == text + 1 && text[0] == '-')))
        ret->width++; /* of the 0 that is written before it */
    exponent = strpbrk(text, "eE");
    if (exponent) {
        shift = strtol(exponent + 1, NULL, 10);
        if (shift < -4000 || shift > 4000)
            return true;
        ret->precision += shift < 0 ? (int)-shift : 0;
        if (shift > 0)
            ret->precision = ret->precision > shift ? ret->precision - (int)shift : 0;
        ret->width = 0; /* taken anew from what is written */
    }
    return true;
}

/* One conversion of a floating number: the same with an L for long double. */
static char *check_format(struct tc_cmd_call *c, const char *format)
{
    char *copy = tc_arena_alloc(c->arena, strlen(format) + 2);
    size_t at = 0, to;

    if (!copy) {
        tc_cmd_fail_memory(c);
        return NULL;
    }
    while (format[at] && (format[at] != '%' || format[at + 1] == '%'))
        at += 1 + (format[at] == '%');
    if (!format[at]) {
        tc_cmd_fail(c, "format ‘%s’ has no %% directive", format);
        return NULL;
    }
    to = at + 1 + strspn(format + at + 1, "-+#0 '");
    to += strspn(format + to, "0123456789");
    if (format[to] == '.')
        to += 1 + strspn(format + to + 1, "0123456789");
    memcpy(copy, format, to);
    copy[to] = 'L';
    if (!format[to] || !strchr("efgaEFGA", format[to])) {
        tc_cmd_fail(c, "format ‘%s’ has unknown %%%c directive", format, format[to] ? format[to] : '%');
        return NULL;
    }
    memcpy(copy + to + 1, format + to, strlen(format + to) + 1);
    for (at = to + 1; format[at];)
        if (format[at] == '%' && format[at + 1] == '%')
            at += 2;
        else if (format[at++] == '%') {
            tc_cmd_fail(c, "format ‘%s’ has too many %% directives", format);
            return NULL;
        }
    return copy;
}

static int print_width(int precision, long double value)
{
    char text[NUMBER_SIZE];
    int n = snprintf(text, sizeof(text), "%.*Lf", precision, value);

    return n < NUMBER_SIZE ? n : 0;
}

/* The format that the operands ask for. */
static char *default_format(struct seq *s, const struct operand *first, const struct operand *step,
                            const struct operand *last)
{
    int precision = first->precision > step->precision ? first->precision : step->precision, width = 0;
    struct tc_str format;

    if (first->precision < 0 || step->precision < 0 || precision > 4000) {
        format = tc_arena_printf(s->c->arena, "%%Lg");
    } else if (s->equal_width && isfinite(last->value)) {
        width = print_width(precision, first->value);
        if (print_width(precision, last->value) > width)
            width = print_width(precision, last->value);
        format = tc_arena_printf(s->c->arena, "%%0%d.%dLf", width, precision);
    } else {
        format = tc_arena_printf(s->c->arena, "%%.%dLf", precision);
    }
    return (char *)format.p;
}

static bool beyond(long double x, long double step, long double last)
{
    return step < 0 ? x < last : x > last;
}

static int put(struct seq *s, const char *text)
{
    tc_cmd_puts(s->c->out, text);
    return 0;
}

/* A number past the end is still one when rounding alone took it there: it is written as the last one is. */
static bool is_last(struct seq *s, const char *text, const char *before, long double last)
{
    char shown[NUMBER_SIZE];
    long double value = strtold(text, NULL);

    snprintf(shown, sizeof(shown), s->format, last);
    return value == last && strcmp(text, shown) == 0 && strcmp(text, before) != 0;
}

static int print_all(struct seq *s, long double first, long double step, long double last)
{
    char text[NUMBER_SIZE], before[NUMBER_SIZE] = "";
    bool any = false;

    for (long double n = 0;; n++) {
        long double x = first + n * step;

        snprintf(text, sizeof(text), s->format, x);
        if (beyond(x, step, last) && !(any && is_last(s, text, before, last)))
            break;
        if (any)
            put(s, s->separator);
        put(s, text);
        any = true;
        memcpy(before, text, strlen(text) + 1);
        if (beyond(x, step, last) || !tc_cmd_tick(s->c, 1) || tc_cmd_out_error(s->c->out))
            break;
    }
    if (any)
        put(s, "\n");
    return 0;
}

static bool is_whole(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

static struct tc_str without_zeroes(const char *text)
{
    while (text[0] == '0' && text[1])
        text++;
    return tc_str_of(text);
}

/* Whole numbers of any length, upwards: the digits themselves are counted on. */
static int print_whole(struct seq *s, struct tc_str first, unsigned step, struct tc_str last)
{
    size_t size = (first.n > last.n ? first.n : last.n) + 4, n = first.n;
    char *digits = tc_arena_alloc(s->c->arena, size), *end = digits + size;
    bool any = false;

    if (!digits)
        return tc_cmd_fail_memory(s->c);
    memset(digits, '0', size);
    memcpy(end - n, first.p, n);
    while (n < last.n || (n == last.n && memcmp(end - n, last.p, n) <= 0)) {
        unsigned carry = step;

        if (any)
            put(s, s->separator);
        tc_cmd_write(s->c->out, end - n, n);
        any = true;
        if (!tc_cmd_tick(s->c, 1) || tc_cmd_out_error(s->c->out))
            break;
        for (char *p = end - 1; carry && p >= digits; p--) {
            carry += (unsigned)(*p - '0');
            *p = (char)('0' + carry % 10);
            carry /= 10;
        }
        for (size_t width = n + 3 < size ? n + 3 : size; width > n; width--) /* a step has three digits at most */
            if (end[-(ptrdiff_t)width] != '0')
                n = width;
    }
    if (any)
        put(s, "\n");
    return 0;
}

/* Whether the next word is a negative number, which is no option. */
static bool is_number_operand(struct tc_cmd_call *c)
{
    const char *word = c->option_at < c->argc ? c->argv[c->option_at] : "";

    if (c->option_in > 0 && !word[c->option_in]) { /* all letters of this word were read */
        c->option_in = 0;
        word = ++c->option_at < c->argc ? c->argv[c->option_at] : "";
    }
    return c->option_in == 0 && word[0] == '-' && (word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
}

/* As GNU's: of operands the status is 1. */
static int misused(struct tc_cmd_call *c, const char *message, const char *operand)
{
    struct tc_str text = tc_arena_printf(c->arena, message, operand);

    tc_cmd_fail_usage(c, "%.*s", TC_STR_ARG(text));
    return 1;
}

static int run_operands(struct seq *s, int at)
{
    struct tc_cmd_call *c = s->c;
    int n = c->argc - at;
    struct operand operands[3], first = {1, 0, 1}, step = {1, 0, 1}, last;

    if (n < 1)
        return misused(c, "missing operand%s", "");
    if (n > 3)
        return misused(c, "extra operand ‘%s’", c->argv[at + 3]);
    for (int i = 0; i < n; i++)
        if (!scan(c, c->argv[at + i], &operands[i]))
            return 1;
    last = operands[n - 1];
    if (n > 1)
        first = operands[0];
    if (n > 2)
        step = operands[1];
    if (step.value == 0)
        return misused(c, "invalid Zero increment value: ‘%s’", c->argv[at + 1]);
    if (!s->format && !s->equal_width && is_whole(c->argv[at]) && is_whole(c->argv[at + n - 1]) &&
        (n < 3 || is_whole(c->argv[at + 1])) && step.value <= STEP_MAX)
        return print_whole(s, without_zeroes(n > 1 ? c->argv[at] : "1"), (unsigned)step.value,
                           without_zeroes(c->argv[at + n - 1]));
    if (!s->format)
        s->format = default_format(s, &first, &step, &last);
    return s->format ? print_all(s, first.value, step.value, last.value) : tc_cmd_fail_memory(c);
}

static int run(struct tc_cmd_call *c)
{
    struct seq s = {.c = c, .separator = "\n"};
    int id = TC_CMD_OPTION_END, at = -1;

    while (at < 0) {
        if (is_number_operand(c)) {
            at = c->option_at;
            break;
        }
        id = tc_cmd_option_next(c);
        if (id == TC_CMD_OPTION_BAD)
            return 2;
        if (id == TC_CMD_OPTION_END)
            at = c->at;
        else if (id == 's')
            s.separator = c->value;
        else if (id == 'w')
            s.equal_width = true;
        else if (!(s.format = check_format(c, c->value)))
            return 1;
    }
    if (s.format && s.equal_width)
        return misused(c, "format string may not be specified when printing equal width strings%s", "");
    return run_operands(&s, at);
}

static const struct tc_cmd_option options[] = {
    {'f', "f,format", TC_CMD_VALUE, "FORMAT", "write by a format of printf for floating numbers"},
    {'s', "s,separator", TC_CMD_VALUE, "TEXT", "put TEXT between the numbers instead of a line feed"},
    {'w', "w,equal-width", TC_CMD_NONE, NULL, "make all as wide as the widest, with zeros in front"},
    {0},
};

const struct tc_cmd tc_command_seq = {
    .name = "seq",
    .usage = "[OPTION]... LAST\n[OPTION]... FIRST LAST\n[OPTION]... FIRST INCREMENT LAST",
    .summary = "Write numbers from FIRST to LAST.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
