/*
 * The command numfmt: numbers with units like K and Mi, from and to plain ones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "toolcrib/shellcmd.h"

enum {
    OPT_FROM = 256, OPT_TO, OPT_FROM_UNIT, OPT_TO_UNIT, OPT_PADDING, OPT_SUFFIX, OPT_FORMAT, OPT_ROUND, OPT_FIELD,
    OPT_HEADER, OPT_GROUPING, OPT_INVALID, OPT_DEBUG
};
enum scale { SCALE_NONE, SCALE_AUTO, SCALE_SI, SCALE_IEC, SCALE_IEC_I };
enum rounding { ROUND_UP, ROUND_DOWN, ROUND_FROM_ZERO, ROUND_TO_ZERO, ROUND_NEAREST };
enum invalid { INVALID_ABORT, INVALID_FAIL, INVALID_WARN, INVALID_IGNORE };
enum { TEXT_SIZE = 512, UNSCALED_MAX = 18, FIELDS_MAX = 64 };

static const char powers[] = " KMGTPEZY";

struct numfmt {
    struct tc_cmd_call *c;
    enum scale from, to;
    enum rounding round;
    enum invalid invalid;
    int64_t from_unit, to_unit, padding, header;
    const char *suffix, *before, *behind; /* before and behind: of the format */
    int precision;                        /* -1: none given */
    bool zeros, padded, grouping, debug, failed; /* failed: a field was no number */
    const char *format;
    char delimiter; /* 0: blanks */
    char ending;
    struct range {
        int64_t low, high;
    } fields[FIELDS_MAX];
    size_t fields_n;
    bool has_fields;
    int status;
};

/* The number of a word in a table that ends with NULL; -1. */
static int choice(struct numfmt *f, const char *option, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], f->c->value) == 0)
            return i;
    tc_cmd_fail_usage(f->c, "invalid argument ‘%s’ for ‘%s’", f->c->value, option);
    f->status = 1;
    return 0;
}

static int64_t count_of(struct numfmt *f, const char *what, const char *text, bool negative)
{
    int64_t n;
    const char *digits = text;
    int64_t unit = 1;
    struct tc_str s = tc_str_of(digits);
    const char *power = s.n ? strchr(powers + 1, s.p[s.n - 1]) : NULL;

    if (power && *power) {
        for (const char *p = powers; p < power; p++)
            unit *= 1000;
        s.n--;
    }
    if (tc_str_int(s, &n) && n && (negative || n > 0))
        return n * unit;
    tc_cmd_fail(f->c, "invalid %s ‘%s’", what, text);
    f->status = 1;
    return 1;
}

/* "%[0]['][-][N][.[N]]f" with text around it. */
static void read_format(struct numfmt *f, const char *format)
{
    struct tc_str text = tc_str_of(format);
    size_t at = 0;
    bool left = false;
    int64_t width = 0;

    while (at < text.n && (text.p[at] != '%' || (at + 1 < text.n && text.p[at + 1] == '%')))
        at += 1 + (text.p[at] == '%');
    f->before = tc_arena_cstr(f->c->arena, tc_str_n(format, at));
    if (at == text.n) {
        f->status = tc_cmd_fail(f->c, "format ‘%s’ has no %% directive", format);
        return;
    }
    for (at++; at < text.n && strchr("0'- ", text.p[at]); at++) {
        f->grouping |= text.p[at] == '\'';
        left |= text.p[at] == '-';
        f->zeros |= text.p[at] == '0';
    }
    for (; at < text.n && text.p[at] >= '0' && text.p[at] <= '9' && width < 100000; at++)
        width = width * 10 + (text.p[at] - '0');
    if (at < text.n && text.p[at] == '.') {
        f->precision = 0;
        for (at++; at < text.n && text.p[at] >= '0' && text.p[at] <= '9' && f->precision < 50; at++)
            f->precision = f->precision * 10 + (text.p[at] - '0');
    }
    if (at >= text.n || text.p[at] != 'f') {
        f->status = tc_cmd_fail(f->c, "invalid format ‘%s’, directive must be %%[0]['][-][N][.][N]f", format);
        return;
    }
    f->behind = format + at + 1;
    if (width) {
        if (f->debug && f->padded)
            tc_cmd_fail(f->c, "--format padding overriding --padding");
        f->padding = left ? -width : width;
        f->padded = true;
    }
    if (strchr(f->behind, '%'))
        f->status = tc_cmd_fail(f->c, "format ‘%s’ has too many %% directives", format);
}

/* N, N-M, N- or -M. */
static bool read_range(const char *text, struct range *ret)
{
    char *end = (char *)text;

    *ret = (struct range){1, INT64_MAX};
    if (*text != '-')
        ret->low = ret->high = strtol(text, &end, 10);
    if (*end == '-')
        ret->high = end[1] ? strtol(end + 1, &end, 10) : (end++, INT64_MAX);
    return !*end && ret->low >= 1 && ret->high >= ret->low;
}

static void read_fields(struct numfmt *f, const char *text)
{
    struct tc_str list = tc_str_of(text), one;

    if (f->has_fields)
        f->status = tc_cmd_fail(f->c, "multiple field specifications");
    f->has_fields = true;
    f->fields_n = 0;
    while (!f->status && tc_str_split(&list, ',', &one)) {
        const char *range = tc_arena_cstr(f->c->arena, one);

        if (!range || f->fields_n == FIELDS_MAX || !read_range(range, &f->fields[f->fields_n++]))
            f->status = tc_cmd_fail(f->c, "invalid field value ‘%s’", text);
    }
}

static bool is_field(const struct numfmt *f, int64_t number)
{
    for (size_t i = 0; i < f->fields_n; i++)
        if (number >= f->fields[i].low && number <= f->fields[i].high)
            return true;
    return false;
}

static void option(struct numfmt *f, int id)
{
    static const char *const from[] = {"none", "auto", "si", "iec", "iec-i", NULL};
    static const char *const rounds[] = {"up", "down", "from-zero", "towards-zero", "nearest", NULL};
    static const char *const invalids[] = {"abort", "fail", "warn", "ignore", NULL};
    const char *value = f->c->value;

    if (id == OPT_FROM)
        f->from = (enum scale)choice(f, "--from", from);
    else if (id == OPT_TO)
        f->to = (enum scale)choice(f, "--to", from);
    else if (id == OPT_ROUND)
        f->round = (enum rounding)choice(f, "--round", rounds);
    else if (id == OPT_INVALID)
        f->invalid = (enum invalid)choice(f, "--invalid", invalids);
    else if (id == OPT_FROM_UNIT)
        f->from_unit = count_of(f, "unit size", value, false);
    else if (id == OPT_TO_UNIT)
        f->to_unit = count_of(f, "unit size", value, false);
    else if (id == OPT_PADDING)
        f->padding = count_of(f, "padding value", value, true), f->padded = true;
    else if (id == OPT_HEADER)
        f->header = value ? count_of(f, "header value", value, false) : 1;
    else if (id == OPT_SUFFIX)
        f->suffix = value;
    else if (id == OPT_FORMAT)
        f->format = value;
    else if (id == OPT_GROUPING)
        f->grouping = true;
    else if (id == OPT_DEBUG)
        f->debug = true;
    else if (id == OPT_FIELD)
        read_fields(f, value);
    else if (id == 'd')
        f->delimiter = value[0];
    else if (id == 'z')
        f->ending = '\0';
    if (id == OPT_TO && f->to == SCALE_AUTO)
        f->status = tc_cmd_fail_usage(f->c, "invalid argument ‘auto’ for ‘--to’") - 1;
}

/* --- numbers --- */

/* What is wrong with the text; NULL when it is a number, given with how many decimals it has. */
static const char *parse(struct numfmt *f, const char *text, long double *ret_value, int *ret_decimals)
{
    const char *at = text, *power;
    char *end;
    long double base;

    at += *at == '-' || *at == '+';
    if (!((*at >= '0' && *at <= '9') || (*at == '.' && at[1] >= '0' && at[1] <= '9')))
        return "invalid number: ‘%s’";
    at += strspn(at, "0123456789");
    *ret_decimals = 0;
    if (*at == '.') {
        *ret_decimals = (int)strspn(at + 1, "0123456789");
        at += 1 + *ret_decimals;
    }
    *ret_value = strtold(text, &end);
    if (!*at)
        return NULL;
    while (*at == ' ')
        at++;
    power = *at ? strchr(powers + 1, *at) : NULL;
    if (!power || !*power)
        return *at ? "invalid suffix in input: ‘%s’" : NULL;
    if (f->from == SCALE_NONE)
        return "rejecting suffix in input: ‘%s’ (consider using --from)";
    at++;
    base = f->from == SCALE_SI || (f->from == SCALE_AUTO && *at != 'i') ? 1000 : 1024;
    if (f->from == SCALE_IEC_I && *at != 'i')
        return "missing 'i' suffix in input: ‘%s’ (e.g Ki/Mi/Gi)";
    at += (f->from == SCALE_AUTO || f->from == SCALE_IEC_I) && *at == 'i';
    if (*at)
        return "invalid suffix in input: ‘%s’";
    for (; power > powers; power--)
        *ret_value *= base;
    *ret_decimals = 0;
    return NULL;
}

static long double rounded(const struct numfmt *f, long double x)
{
    switch (f->round) {
    case ROUND_UP:
        return ceill(x);
    case ROUND_DOWN:
        return floorl(x);
    case ROUND_TO_ZERO:
        return truncl(x);
    case ROUND_NEAREST:
        return x < 0 ? -floorl(-x + 0.5L) : floorl(x + 0.5L);
    default:
        return x < 0 ? floorl(x) : ceill(x);
    }
}

static void to_text(const struct numfmt *f, long double value, int decimals, char text[TEXT_SIZE])
{
    long double base = f->to == SCALE_SI ? 1000 : 1024, shift;
    int power = 0, adjust;

    if (f->to == SCALE_NONE) {
        decimals = f->precision >= 0 ? f->precision : decimals;
        shift = powl(10, decimals);
        snprintf(text, TEXT_SIZE, "%.*Lf", decimals, rounded(f, value * shift) / shift);
        return;
    }
    for (; fabsl(value) >= base && power < 8; power++)
        value /= base;
    adjust = fabsl(value) < 10;
    if (f->precision >= 0)
        adjust = 3 * power < f->precision ? 3 * power : f->precision;
    shift = powl(10, adjust);
    value = rounded(f, value * shift) / shift;
    if (fabsl(value) >= base && power < 8) {
        value /= base;
        power++;
    }
    decimals = f->precision >= 0 ? f->precision : value != 0 && fabsl(value) < 10 && power > 0;
    snprintf(text, TEXT_SIZE, "%.*Lf%.*s%s", decimals, value, power > 0, &powers[power],
             f->to == SCALE_IEC_I && power > 0 ? "i" : "");
}

static void put_padded(struct numfmt *f, struct tc_str text, int64_t width)
{
    int64_t fill = (width < 0 ? -width : width) - (int64_t)tc_utf8_count(text);

    for (int64_t i = 0; width > 0 && i < fill; i++)
        tc_cmd_putc(f->c->out, f->zeros ? '0' : ' ');
    tc_cmd_write(f->c->out, text.p, text.n);
    for (int64_t i = 0; width < 0 && i < fill; i++)
        tc_cmd_putc(f->c->out, ' ');
}

/* Told, or passed over, as --invalid wants; false: all ends here. */
static bool refuse(struct numfmt *f, const char *why, const char *text)
{
    struct tc_str message = tc_arena_printf(f->c->arena, why, text);

    f->failed = true;
    if (f->invalid != INVALID_IGNORE) {
        tc_cmd_flush(f->c->out);
        tc_cmd_fail(f->c, "%.*s", TC_STR_ARG(message));
    }
    if (f->invalid == INVALID_ABORT || f->invalid == INVALID_FAIL)
        f->status = 2;
    return f->invalid != INVALID_ABORT;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n'; /* the last with -z */
}

/* What cannot be written for sure without a unit is refused; the message, or NULL. */
static const char *too_large(struct numfmt *f, long double value, int decimals)
{
    int digits = 0;

    for (long double rest = fabsl(value); rest >= 10; rest /= 10)
        digits++;
    if (f->to != SCALE_NONE || digits + decimals <= UNSCALED_MAX)
        return NULL;
    if (decimals)
        return tc_arena_printf(f->c->arena, "value/precision too large to be printed: '%Lg/%d' (consider using --to)",
                               value, decimals).p;
    return tc_arena_printf(f->c->arena, "value too large to be printed: '%Lg' (consider using --to)", value).p;
}

/* One field, with the blanks before it. */
static bool put_field(struct numfmt *f, struct tc_str field, bool first)
{
    size_t blanks = 0, suffix = strlen(f->suffix);
    struct tc_str text;
    const char *plain, *why;
    long double value = 0;
    int decimals = 0;
    char number[TEXT_SIZE];
    int64_t width = f->padding;

    while (!f->delimiter && blanks < field.n && is_blank(field.p[blanks]))
        blanks++;
    text = tc_str_from(field, blanks);
    if (suffix && tc_str_ends(text, tc_str_of(f->suffix)))
        text.n -= suffix;
    plain = tc_arena_cstr(f->c->arena, text);
    if (!plain)
        return false;
    why = parse(f, plain, &value, &decimals);
    if (why) {
        if (!refuse(f, why, plain))
            return false;
        tc_cmd_write(f->c->out, field.p, field.n);
        return true;
    }
    value = value * (long double)f->from_unit / (long double)f->to_unit;
    why = too_large(f, value, f->precision >= 0 ? f->precision : decimals);
    if (why) {
        if (!refuse(f, "%s", why))
            return false;
        tc_cmd_write(f->c->out, field.p, field.n);
        return true;
    }
    to_text(f, value, decimals, number);
    if (!f->padded && !f->delimiter && (blanks || !first))
        width = (int64_t)field.n;
    text = tc_arena_printf(f->c->arena, "%s%s", number, f->suffix);
    tc_cmd_puts(f->c->out, f->before);
    put_padded(f, text, width);
    tc_cmd_puts(f->c->out, f->behind);
    return text.p != NULL;
}

/* The end of the field that begins at `at`. */
static size_t field_end(const struct numfmt *f, struct tc_str line, size_t at)
{
    if (f->delimiter) {
        while (at < line.n && line.p[at] != f->delimiter)
            at++;
        return at;
    }
    while (at < line.n && is_blank(line.p[at]))
        at++;
    while (at < line.n && !is_blank(line.p[at]))
        at++;
    return at;
}

static bool put_line(struct numfmt *f, struct tc_str line, bool ended)
{
    struct tc_arena_mark mark = tc_arena_mark(f->c->arena);
    int64_t number = 1;
    bool ok = true;

    for (size_t at = 0; ok; number++) {
        size_t end = field_end(f, line, at);
        struct tc_str field = tc_str_n(line.p + at, end - at);

        if (is_field(f, number))
            ok = put_field(f, field, number == 1);
        else
            tc_cmd_write(f->c->out, field.p, field.n);
        if (end >= line.n)
            break;
        if (ok)
            tc_cmd_putc(f->c->out, f->delimiter ? f->delimiter : ' ');
        at = end + 1;
    }
    if (ok && ended)
        tc_cmd_putc(f->c->out, f->ending);
    tc_arena_rewind(f->c->arena, &mark);
    return ok && tc_cmd_tick(f->c, 1);
}

static void put_lines(struct numfmt *f)
{
    struct tc_cmd_in *in;
    struct tc_str line;
    bool ended;
    int error = tc_cmd_open(f->c, NULL, &in);

    if (error) {
        f->status = tc_cmd_fail_errno(f->c, "-", error);
        return;
    }
    for (; f->header > 0 && tc_cmd_line(f->c, in, f->ending, &line, &ended) == 1; f->header--) {
        tc_cmd_write(f->c->out, line.p, line.n);
        if (ended)
            tc_cmd_putc(f->c->out, f->ending);
    }
    while (tc_cmd_line(f->c, in, f->ending, &line, &ended) == 1)
        if (!put_line(f, line, ended))
            return;
}

/* Options that do not go together; what --debug tells. */
static int settle(struct numfmt *f)
{
    struct tc_cmd_call *c = f->c;

    if (f->format && f->grouping)
        return tc_cmd_fail(c, "--grouping cannot be combined with --format");
    if (f->debug && f->from == SCALE_NONE && f->to == SCALE_NONE && !f->grouping && !f->padding && !f->format)
        tc_cmd_fail(c, "no conversion option specified");
    if (f->format)
        read_format(f, f->format);
    if (f->status)
        return f->status;
    if (f->grouping && f->to != SCALE_NONE)
        return tc_cmd_fail(c, "grouping cannot be combined with --to");
    if (f->grouping && f->debug)
        tc_cmd_fail(c, "grouping has no effect in this locale");
    if (f->debug && f->header && c->at < c->argc)
        tc_cmd_fail(c, "--header ignored with command-line input");
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct numfmt f = {.c = c, .round = ROUND_FROM_ZERO, .from_unit = 1, .to_unit = 1, .suffix = "", .before = "",
                       .behind = "", .precision = -1, .ending = '\n', .fields = {{1, 1}}, .fields_n = 1};
    int id;

    while (!f.status && (id = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (id == TC_CMD_OPTION_BAD)
            return 2;
        option(&f, id);
    }
    if (f.status || (f.status = settle(&f)) != 0)
        return f.status;
    if (c->at == c->argc)
        put_lines(&f);
    for (int i = c->at; i < c->argc; i++)
        if (!put_line(&f, tc_str_of(c->argv[i]), true))
            break;
    if (f.debug && f.failed && f.invalid != INVALID_ABORT)
        tc_cmd_fail(c, "failed to convert some of the input numbers");
    return f.status;
}

static const struct tc_cmd_option options[] = {
    {OPT_FROM, "from", TC_CMD_VALUE, "UNIT", "what letters mean in the input: none, auto, si, iec or iec-i"},
    {OPT_TO, "to", TC_CMD_VALUE, "UNIT", "with letters in the output: none, si, iec or iec-i"},
    {OPT_FROM_UNIT, "from-unit", TC_CMD_VALUE, "N", "the input counts units of N"},
    {OPT_TO_UNIT, "to-unit", TC_CMD_VALUE, "N", "the output counts units of N"},
    {OPT_PADDING, "padding", TC_CMD_VALUE, "N", "fill to N characters, on the right when N is negative"},
    {OPT_SUFFIX, "suffix", TC_CMD_VALUE, "TEXT", "put TEXT behind numbers, and accept it there"},
    {OPT_FORMAT, "format", TC_CMD_VALUE, "FORMAT", "write by a format of printf with one %f"},
    {OPT_ROUND, "round", TC_CMD_VALUE, "HOW", "up, down, from-zero, towards-zero or nearest"},
    {OPT_FIELD, "field", TC_CMD_VALUE, "N-M", "change these fields instead of the first"},
    {OPT_HEADER, "header", TC_CMD_MAYBE, "N", "let the first N lines, or one, pass"},
    {OPT_DEBUG, "debug", TC_CMD_NONE, NULL, "tell of odd options and of what was no number"},
    {OPT_GROUPING, "grouping", TC_CMD_NONE, NULL, "accepted; the locale has no grouping"},
    {OPT_INVALID, "invalid", TC_CMD_VALUE, "HOW", "at what is no number: abort, fail, warn or ignore"},
    {'d', "d,delimiter", TC_CMD_VALUE, "C", "fields are separated by C instead of blanks"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "lines end with NUL"},
    {0},
};

const struct tc_cmd tc_command_numfmt = {
    .name = "numfmt",
    .usage = "[OPTION]... [NUMBER]...",
    .summary = "Write numbers with units, or without.",
    .options = options,
    .run = run,
};
