/*
 * printf: formats with the flags, widths and conversions of gawk. Widths and
 * precisions count characters.
 */
#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "shell/awk/vm.h"

enum { WIDTH_MAX = 10000000 };

struct spec {
    bool left, plus, space, alternate, zero;
    int width, precision; /* precision -1: not given */
    char conversion;
};

struct formatter {
    struct awk_vm *vm;
    struct awk_value *args;
    int n, next; /* arguments */
    struct tc_str format;
    size_t spec_at; /* where the conversion being done begins */
    int chosen;     /* the argument that it names, as %2$s does; 0 */
    struct tc_buf *to;
};

static struct awk_value *argument(struct formatter *f)
{
    if (f->chosen)
        return &f->args[f->chosen];
    if (f->next < f->n)
        return &f->args[f->next++];
    tc_awk_fatal(f->vm, "not enough arguments to satisfy format string\n\t`%.*s'\n\t%*s^ ran out for this one",
                 TC_STR_ARG(f->format), (int)tc_utf8_count(tc_str_n(f->format.p, f->spec_at)) + 1, "");
    return NULL;
}

static void pad(struct formatter *f, char c, size_t n)
{
    char *to = n ? tc_buf_reserve(f->to, n) : NULL;

    if (!to)
        return;
    memset(to, c, n);
    f->to->n += n;
}

static void add_padded(struct formatter *f, const struct spec *spec, struct tc_str text)
{
    size_t chars = tc_utf8_count(text);
    size_t fill = spec->width > 0 && (size_t)spec->width > chars ? (size_t)spec->width - chars : 0;

    if (!spec->left)
        pad(f, ' ', fill);
    tc_buf_str(f->to, text);
    if (spec->left)
        pad(f, ' ', fill);
}

static void format_string(struct formatter *f, const struct spec *spec)
{
    struct awk_value *arg = argument(f);
    struct tc_str text;

    if (!arg)
        return;
    text = tc_awk_str(f->vm, arg);
    if (spec->precision >= 0)
        text = tc_utf8_head(text, (size_t)spec->precision);
    add_padded(f, spec, text);
}

static void format_char(struct formatter *f, const struct spec *spec)
{
    struct awk_value *arg = argument(f);
    struct tc_str text;
    char bytes[8];

    if (!arg)
        return;
    tc_awk_settle(arg);
    if (arg->type == AWK_NUMBER || arg->type == AWK_STRNUM || arg->type == AWK_UNSET) {
        double num = tc_awk_to_number(arg);
        uint32_t c = num >= 0 && num < 0x110000 ? (uint32_t)num : (uint32_t)(unsigned char)(int64_t)num;
        bool valid = num >= 0 && num < 0x110000 && !(c >= 0xd800 && c < 0xe000);

        bytes[0] = (char)c;
        text = tc_str_n(bytes, valid && c >= 128 ? tc_utf8_put(c, bytes) : 1);
    } else {
        text = tc_awk_str(f->vm, arg);
        text = text.n == 0 ? tc_str_n(text.p, 1) : tc_utf8_head(text, 1); /* "" has its NUL */
    }
    add_padded(f, spec, text);
}

/* "%-+ #0*.*" with the flags that are set, and the conversion behind. */
static void c_format(const struct spec *spec, const char *conversion, char to[32])
{
    snprintf(to, 32, "%%%s%s%s%s%s*.*%s", spec->left ? "-" : "", spec->plus ? "+" : "", spec->space ? " " : "",
             spec->alternate ? "#" : "", spec->zero ? "0" : "", conversion);
}

/* Room for what snprintf says that it needs. */
static void format_double(struct formatter *f, const struct spec *spec, double num, char conversion)
{
    char format[32], name[2] = {conversion, '\0'}, *to;
    int n;

    c_format(spec, name, format);
    n = snprintf(NULL, 0, format, spec->width, spec->precision, num);
    to = n >= 0 ? tc_buf_reserve(f->to, (size_t)n + 1) : NULL;
    if (!to)
        return;
    snprintf(to, (size_t)n + 1, format, spec->width, spec->precision, num);
    f->to->n += (size_t)n;
}

static void format_int(struct formatter *f, const struct spec *spec, const char *conversion, int64_t num)
{
    char format[32], *to;
    int n;

    c_format(spec, conversion, format);
    n = snprintf(NULL, 0, format, spec->width, spec->precision, num);
    to = n >= 0 ? tc_buf_reserve(f->to, (size_t)n + 1) : NULL;
    if (!to)
        return;
    snprintf(to, (size_t)n + 1, format, spec->width, spec->precision, num);
    f->to->n += (size_t)n;
}

/* inf and nan have a sign always, and no zeros before them. */
static bool format_odd(struct formatter *f, const struct spec *spec, double num)
{
    const char *odd = tc_awk_number_odd(num);

    if (!odd)
        return false;
    add_padded(f, spec, tc_str_of(odd));
    return true;
}

static void format_number(struct formatter *f, struct spec *spec)
{
    struct awk_value *arg = argument(f);
    double num;
    bool decimal = spec->conversion == 'd' || spec->conversion == 'i';

    if (!arg)
        return;
    num = tc_awk_to_number(arg);
    if (format_odd(f, spec, num))
        return;
    if (strchr("eEfFgGaA", spec->conversion)) {
        format_double(f, spec, num, spec->conversion);
        return;
    }
    num = trunc(num);
    if (num >= 9223372036854775808.0 || num < -9223372036854775808.0 || (!decimal && num < 0 && num < -9e15)) {
        if (!decimal && num > 0 && num < 18446744073709551616.0) {
            char name[] = {'l', spec->conversion, '\0'};

            format_int(f, spec, name, (int64_t)(uint64_t)num);
            return;
        }
        spec->precision = 0;
        format_double(f, spec, num, 'f');
        return;
    }
    if (spec->precision >= 0)
        spec->zero = false;
    format_int(f, spec, decimal ? "ld" : (char[]){'l', spec->conversion, '\0'}, (int64_t)num);
}

/* Digits, or a star for the next argument; -1 when neither is there. */
static int read_count(struct formatter *f, size_t *at)
{
    struct awk_value *arg;
    double num = 0;
    bool any = false;

    if (*at < f->format.n && f->format.p[*at] == '*') {
        ++*at;
        arg = argument(f);
        num = arg ? tc_awk_to_number(arg) : 0;
        any = true;
    }
    for (; *at < f->format.n && f->format.p[*at] >= '0' && f->format.p[*at] <= '9'; ++*at, any = true)
        num = num * 10 + (f->format.p[*at] - '0');
    if (!any)
        return -1;
    if (num > WIDTH_MAX || num < -WIDTH_MAX) {
        tc_awk_fatal(f->vm, "a width or precision in a format is too large");
        return 0;
    }
    return (int)num;
}

static void read_flags(struct formatter *f, struct spec *spec, size_t *at)
{
    for (; *at < f->format.n; ++*at) {
        switch (f->format.p[*at]) {
        case '-':
            spec->left = true;
            break;
        case '+':
            spec->plus = true;
            break;
        case ' ':
            spec->space = true;
            break;
        case '#':
            spec->alternate = true;
            break;
        case '0':
            spec->zero = true;
            break;
        case '\'':
            break;
        default:
            return;
        }
    }
}

/* The argument of that number is the one to convert. */
static bool choose(struct formatter *f, int number)
{
    if (number > 0 && number < f->n) {
        f->chosen = number;
        return true;
    }
    if (number < 1)
        tc_awk_fatal(f->vm, "argument index with `$' must be > 0");
    else
        tc_awk_fatal(f->vm, "argument index %d greater than total number of supplied arguments", number);
    return false;
}

/* The conversion whose "%" stands at *at; moves behind it. */
static void convert(struct formatter *f, size_t *at)
{
    struct spec spec = {.precision = -1};

    f->spec_at = (*at)++;
    f->chosen = 0;
    read_flags(f, &spec, at);
    spec.width = read_count(f, at);
    if (*at < f->format.n && f->format.p[*at] == '$') {
        if (!choose(f, spec.width))
            return;
        ++*at;
        read_flags(f, &spec, at);
        spec.width = read_count(f, at);
    }
    if (spec.width < -1)
        spec.left = true, spec.width = -spec.width;
    if (spec.width < 0)
        spec.width = 0;
    if (*at < f->format.n && f->format.p[*at] == '.') {
        ++*at;
        spec.precision = read_count(f, at);
        if (spec.precision < 0)
            spec.precision = f->format.p[*at - 1] == '*' ? -1 : 0;
    }
    while (*at < f->format.n && strchr("hlLqjzt", f->format.p[*at]) && f->format.p[*at])
        ++*at;
    if (f->vm->heap.stop)
        return;
    spec.conversion = *at < f->format.n ? f->format.p[(*at)++] : '\0';
    if (spec.conversion == 's')
        format_string(f, &spec);
    else if (spec.conversion == 'c')
        format_char(f, &spec);
    else if (spec.conversion && strchr("diouxXeEfFgGaA", spec.conversion))
        format_number(f, &spec);
    else if (spec.conversion == '%')
        tc_buf_char(f->to, '%');
    else
        tc_buf_str(f->to, tc_str_n(f->format.p + f->spec_at, *at - f->spec_at));
}

void tc_awk_format(struct awk_vm *vm, struct awk_value *args, int n, struct tc_buf *to)
{
    struct formatter f = {.vm = vm, .args = args, .n = n, .next = 1, .to = to};
    size_t at = 0, end;

    f.format = tc_awk_str(vm, &args[0]);
    while (at < f.format.n && !vm->heap.stop) {
        end = tc_str_chr(tc_str_from(f.format, at), '%');
        if (end == SIZE_MAX) {
            tc_buf_str(to, tc_str_from(f.format, at));
            break;
        }
        tc_buf_str(to, tc_str_n(f.format.p + at, end));
        at += end;
        convert(&f, &at);
    }
}
