/*
 * printf: a directive is read into its parts and handed to the C library with one
 * argument converted for it, so that flags, widths and roundings are those of C.
 */
#include "shell/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/utf8.h"
#include "base/zone.h"
#include "shell/builtin.h"

enum {
    WIDTH_MAX = TC_SH_OUTPUT_MAX, /* and with one byte more, no output at all */
    SPEC_MAX = 64,
    TIME_MAX = 1024
};

static const int64_t TIME_LAST = 67768036191676799; /* of the year 2 ^ 31 + 1899 */

struct run {
    struct tc_sh_env *env;
    struct tc_cmd_call *c;
    struct tc_buf *out;
    const struct tc_str *args;
    size_t n, at;
    int status;
    bool stop; /* \c, or a bad directive */
    size_t directives; /* in this pass that took an argument */
};

struct spec {
    char flags[8];
    int width, precision; /* -1: none */
    char letter;
};

static void fail(struct run *run, const char *fmt, struct tc_str what)
{
    struct tc_str text = tc_arena_printf(run->c->arena, fmt, TC_STR_ARG(what));

    tc_sh_builtin_fail(run->env, run->c, "%.*s", TC_STR_ARG(text));
    run->status = 1;
}

static bool next_arg(struct run *run, struct tc_str *ret_arg)
{
    run->directives++;
    *ret_arg = run->at < run->n ? run->args[run->at] : TC_STR("");
    return run->at++ < run->n;
}

/* 'c and "c are the code of the character. */
static bool code_of(struct tc_str arg, int64_t *ret_value)
{
    size_t at = 1;
    uint32_t c;

    if (arg.n == 0 || (arg.p[0] != '\'' && arg.p[0] != '"'))
        return false;
    if (arg.n == 1) {
        *ret_value = 0;
        return true;
    }
    c = tc_utf8_next(arg, &at);
    *ret_value = c == 0xfffd ? (unsigned char)arg.p[1] : c;
    return true;
}

/* Tells what is wrong with a number that ended at `end`. */
static void judge(struct run *run, struct tc_str arg, const char *end)
{
    int status = run->status;

    if (errno == ERANGE) {
        fail(run, "warning: %.*s: Numerical result out of range", arg);
        run->status = status;
    } else if (end == arg.p || end < arg.p + arg.n) {
        fail(run,
             arg.p[0] == '0' && arg.p[1] >= '0' && arg.p[1] <= '9' ? "%.*s: invalid octal number"
             : arg.p[0] == '0' && arg.p[1] == 'x'                  ? "%.*s: invalid hex number"
                                                                   : "%.*s: invalid number",
             arg);
    }
}

static int64_t integer(struct run *run, bool is_signed)
{
    struct tc_str arg;
    char *end;
    int64_t value;

    if (!next_arg(run, &arg) || arg.n == 0)
        return 0;
    if (code_of(arg, &value))
        return value;
    errno = 0;
    value = is_signed ? strtoll(arg.p, &end, 0) : (int64_t)strtoull(arg.p, &end, 0);
    judge(run, arg, end);
    return value;
}

static long double real(struct run *run)
{
    struct tc_str arg;
    long double value;
    int64_t code;
    char *end;

    if (!next_arg(run, &arg) || arg.n == 0)
        return 0;
    if (code_of(arg, &code))
        return code;
    errno = 0;
    value = strtold(arg.p, &end);
    if (errno == ERANGE && value != 0 && value < 1 && value > -1)
        errno = 0;
    judge(run, arg, end);
    return value;
}

static void blanks(struct tc_buf *out, size_t n)
{
    for (; n > 0 && !out->failed; n--)
        tc_buf_char(out, ' ');
}

static void pad(struct run *run, const struct spec *spec, struct tc_str text)
{
    size_t width = spec->width > 0 ? (size_t)spec->width : 0;
    bool left = strchr(spec->flags, '-') != NULL;

    if (spec->precision >= 0 && text.n > (size_t)spec->precision)
        text.n = (size_t)spec->precision;
    width = width > text.n ? width - text.n : 0;
    blanks(run->out, left ? 0 : width);
    tc_buf_str(run->out, text);
    blanks(run->out, left ? width : 0);
}

/* The directive for the C library: its flags, '*' for width and precision, a length. */
static const char *rebuilt(const struct spec *spec, const char *length, char *text)
{
    snprintf(text, SPEC_MAX, "%%%s*.*%s%c", spec->flags, length, spec->letter);
    return text;
}

static void put_integer(struct run *run, struct spec *spec)
{
    char text[SPEC_MAX];
    bool is_signed = spec->letter == 'd' || spec->letter == 'i';
    int64_t value = integer(run, is_signed);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (is_signed)
        tc_buf_printf(run->out, rebuilt(spec, "ll", text), spec->width < 0 ? 0 : spec->width, spec->precision,
                      (long long)value);
    else
        tc_buf_printf(run->out, rebuilt(spec, "ll", text), spec->width < 0 ? 0 : spec->width, spec->precision,
                      (unsigned long long)value);
}

static void put_real(struct run *run, struct spec *spec)
{
    char text[SPEC_MAX];

    tc_buf_printf(run->out, rebuilt(spec, "L", text), spec->width < 0 ? 0 : spec->width, spec->precision, real(run));
#pragma GCC diagnostic pop
}

/* %b, %q and %Q: the argument made over, then cut and padded. */
static void put_made(struct run *run, const struct spec *spec)
{
    struct spec shape = *spec;
    struct tc_str arg;
    struct tc_buf buf;

    next_arg(run, &arg);
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    if (spec->letter == 'b') {
        run->stop = !tc_sh_format_escapes(run->c, &buf, arg);
    } else {
        if (spec->letter == 'Q' && spec->precision >= 0) {
            arg.n = arg.n > (size_t)spec->precision ? (size_t)spec->precision : arg.n;
            shape.precision = -1;
        }
        tc_sh_quote(&buf, arg, TC_SH_QUOTE_PRINTF);
    }
    if (buf.failed)
        run->out->failed = true;
    else
        pad(run, &shape, tc_buf_get(&buf));
    tc_buf_finish(&buf);
}

/* %(FORMAT)T: seconds since 1970; -1 is now, -2 when the shell began. */
static void put_time(struct run *run, const struct spec *spec, struct tc_str format)
{
    bool given = run->at < run->n;
    int64_t time = given ? integer(run, true) : -1;
    struct tc_zone zone;
    struct tc_civil civil;
    struct tc_buf text;

    if (!given)
        run->directives++;
    if (time == -1 || time == -2)
        time = run->env->sh->now(run->env->sh->now_arg).tv_sec;
    if (time > TIME_LAST || time < -TIME_LAST)
        time = 0; /* whose year does not fit an int */
    tc_zone_init(&zone, tc_cmd_getenv(run->c, "TZ"));
    tc_zone_civil(&zone, time, &civil);
    tc_buf_init(&text, TIME_MAX);
    tc_zone_format(&text, format.n ? format : TC_STR("%X"), &civil, time, -1);
    if (!text.failed)
        pad(run, spec, tc_buf_get(&text));
    tc_buf_finish(&text);
}

static void put_count(struct run *run)
{
    struct tc_str name;
    char text[24];

    if (!next_arg(run, &name) || name.n == 0)
        return;
    snprintf(text, sizeof text, "%zu", run->out->n);
    if (!tc_sh_builtin_is_target(name)) {
        fail(run, "`%.*s': not a valid identifier", name);
        run->stop = true;
        return;
    }
    if (tc_sh_expand_set(run->env, name, tc_str_of(text)) != TC_SH_NEXT)
        run->status = 1;
}

static void put_directive(struct run *run, struct spec *spec, struct tc_str format)
{
    struct tc_str arg;

    switch (spec->letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        put_integer(run, spec);
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        put_real(run, spec);
        break;
    case 's':
        next_arg(run, &arg);
        pad(run, spec, arg);
        break;
    case 'c':
        next_arg(run, &arg);
        spec->precision = -1;
        pad(run, spec, arg.n ? tc_str_n(arg.p, 1) : tc_str_n("", 1));
        break;
    case 'b':
    case 'q':
    case 'Q':
        put_made(run, spec);
        break;
    case 'n':
        put_count(run);
        break;
    case 'T':
        put_time(run, spec, format);
        break;
    default:
        fail(run, "`%.*s': invalid format character", tc_str_n(&spec->letter, 1));
        run->stop = true;
    }
}

/* A width or precision: digits, or '*' that takes an argument. */
static int size_of(struct run *run, struct tc_str format, size_t *at)
{
    int64_t value = 0;

    if (*at < format.n && format.p[*at] == '*') {
        ++*at;
        value = integer(run, true);
        return (int)(value > WIDTH_MAX ? WIDTH_MAX : value < -WIDTH_MAX ? -WIDTH_MAX : value);
    }
    for (; *at < format.n && format.p[*at] >= '0' && format.p[*at] <= '9'; ++*at)
        value = value < WIDTH_MAX ? value * 10 + format.p[*at] - '0' : WIDTH_MAX;
    return (int)(value < WIDTH_MAX ? value : WIDTH_MAX);
}

static void parse_size(struct run *run, struct tc_str format, size_t *at, struct spec *spec)
{
    size_t flags = strlen(spec->flags);

    spec->width = size_of(run, format, at);
    if (spec->width < 0) {
        spec->width = -spec->width;
        if (flags + 1 < sizeof spec->flags)
            spec->flags[flags] = '-';
    }
    if (*at < format.n && format.p[*at] == '.') {
        ++*at;
        spec->precision = size_of(run, format, at);
    }
}

/* The directive behind a '%'. */
static void directive(struct run *run, struct tc_str format, size_t *at)
{
    struct spec spec = {.width = -1, .precision = -1};
    struct tc_str time = {0};
    size_t flags = 0, start = *at;

    for (; *at < format.n && strchr("#-+ 0'", format.p[*at]); ++*at)
        if (flags + 2 < sizeof spec.flags && !strchr(spec.flags, format.p[*at]))
            spec.flags[flags++] = format.p[*at];
    parse_size(run, format, at, &spec);
    while (*at < format.n && strchr("hjlLtz", format.p[*at]))
        ++*at;
    if (*at < format.n && format.p[*at] == '(') {
        size_t end = tc_str_find(tc_str_from(format, *at), TC_STR(")T"));
        if (end == SIZE_MAX) {
            int status = run->status;
            fail(run, "warning: `%.*s': invalid time format specification", tc_str_from(format, format.n - 1));
            run->status = status;
            tc_buf_char(run->out, '%');
            *at = start;
            return;
        }
        time = tc_str_n(format.p + *at + 1, end - 1);
        *at += end + 1;
    } else if (*at < format.n && format.p[*at] == 'T') {
        fail(run, "`%.*s': invalid format character", TC_STR("T"));
        run->stop = true;
        return;
    }
    if (*at >= format.n) {
        fail(run, "`%.*s': missing format character", tc_str_from(format, start - 1));
        run->stop = true;
        return;
    }
    spec.letter = format.p[(*at)++];
    put_directive(run, &spec, time);
}

static void pass(struct run *run, struct tc_str format)
{
    run->directives = 0;
    for (size_t i = 0; i < format.n && !run->stop;) {
        char c = format.p[i];

        if (c == '\\') {
            i++;
            tc_sh_format_escape(run->c, run->out, format, &i, false);
        } else if (c == '%' && i + 1 < format.n && format.p[i + 1] == '%') {
            tc_buf_char(run->out, '%');
            i += 2;
        } else if (c == '%') {
            i++;
            directive(run, format, &i);
        } else {
            tc_buf_char(run->out, c);
            i++;
        }
    }
}

enum tc_sh_flow tc_sh_format(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str format,
                             const struct tc_str *args, size_t n, struct tc_buf *out, int *ret_status)
{
    struct run run = {.env = env, .c = c, .out = out, .args = args, .n = n};

    do {
        if (!tc_sh_tick(env, 1))
            return TC_SH_STOP;
        pass(&run, format);
    } while (!run.stop && run.at < run.n && run.directives && !out->failed);
    *ret_status = run.status;
    return TC_SH_NEXT;
}
