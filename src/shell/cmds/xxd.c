/*
 * xxd: a dump in hexadecimal digits, bits, or C, and back from a dump to bytes (-r).
 */
#include <fcntl.h>
#include <unistd.h>

#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'b', "b,bits", TC_CMD_NONE, NULL, "binary digit dump (incompatible with -p, -i)"},
    {'c', "c,cols", TC_CMD_VALUE, "COLS", "format COLS octets per line (default 16; 12 with -i, 30 with -p)"},
    {'e', "e", TC_CMD_NONE, NULL, "little-endian dump"},
    {'g', "g,groupsize", TC_CMD_VALUE, "BYTES", "number of octets per group in normal output (default 2, 4 with -e)"},
    {'i', "i,include", TC_CMD_NONE, NULL, "output in C include file style"},
    {'l', "l,len", TC_CMD_VALUE, "LEN", "stop after LEN octets"},
    {'o', "o,offset", TC_CMD_VALUE, "OFF", "add OFF to the displayed file position"},
    {'p', "p,ps,plain,postscript", TC_CMD_NONE, NULL, "output in postscript plain hexdump style"},
    {'r', "r,revert", TC_CMD_NONE, NULL, "reverse operation: convert hexdump into binary"},
    {'s', "s,seek", TC_CMD_VALUE, "SEEK", "start at SEEK bytes"},
    {'u', "u,uppercase", TC_CMD_NONE, NULL, "use upper case hex letters"},
    {'d', "d", TC_CMD_NONE, NULL, "show offset in decimal instead of hex"},
    {0}};

enum { COLUMNS_MAX = 256 };

struct xxd {
    struct tc_cmd_call *c;
    struct tc_cmd_out *out;
    bool bits, little, include, plain, revert, upper, decimal;
    int64_t columns, group, length, offset, seek;
};

static char digit(const struct xxd *x, unsigned value)
{
    return (x->upper ? "0123456789ABCDEF" : "0123456789abcdef")[value & 15];
}

static void put_byte(struct xxd *x, unsigned char byte)
{
    if (x->bits) {
        for (int i = 7; i >= 0; i--)
            tc_cmd_putc(x->out, byte >> i & 1 ? '1' : '0');
        return;
    }
    tc_cmd_putc(x->out, digit(x, byte >> 4));
    tc_cmd_putc(x->out, digit(x, byte));
}

static void put_line(struct xxd *x, int64_t at, const unsigned char *p, size_t n)
{
    size_t columns = (size_t)x->columns, group = (size_t)x->group, width = x->bits ? 8 : 2;

    tc_cmd_printf(x->out, x->decimal ? "%08lld: " : "%08llx: ", (long long)at);
    for (size_t i = 0; i < columns; i++) {
        size_t from = group ? i - i % group : i, last = from + (group ? group : 1) - 1;
        size_t shown = x->little ? last - (i - from) : i;

        if (shown < n)
            put_byte(x, p[shown]);
        else
            for (size_t k = 0; k < width; k++)
                tc_cmd_putc(x->out, ' ');
        if (group && i % group == group - 1)
            tc_cmd_putc(x->out, ' ');
    }
    if (!group || columns % group)
        tc_cmd_putc(x->out, ' ');
    tc_cmd_putc(x->out, ' ');
    for (size_t i = 0; i < n; i++)
        tc_cmd_putc(x->out, p[i] >= 32 && p[i] < 127 ? (char)p[i] : '.');
    tc_cmd_putc(x->out, '\n');
}

/* Up to n bytes, as many as there are. */
static size_t read_some(struct xxd *x, struct tc_cmd_in *in, unsigned char *p, size_t n)
{
    size_t got = 0;

    while (got < n) {
        ssize_t more = tc_cmd_read(x->c, in, p + got, n - got);

        if (more <= 0)
            break;
        got += (size_t)more;
    }
    return got;
}

static void include_name(struct xxd *x, const char *name)
{
    if (*name >= '0' && *name <= '9')
        tc_cmd_puts(x->out, "__");
    for (; *name; name++) {
        bool plain = (*name >= '0' && *name <= '9') || ((*name | 32) >= 'a' && (*name | 32) <= 'z');

        tc_cmd_putc(x->out, plain ? *name : '_');
    }
}

static void dump_include(struct xxd *x, struct tc_cmd_in *in, const char *name)
{
    bool named = strcmp(name, "-") != 0;
    unsigned char byte;
    int64_t n = 0;

    if (named) {
        tc_cmd_puts(x->out, "unsigned char ");
        include_name(x, name);
        tc_cmd_puts(x->out, "[] = {\n");
    }
    while ((x->length < 0 || n < x->length) && read_some(x, in, &byte, 1) == 1 && tc_cmd_tick(x->c, 1)) {
        tc_cmd_puts(x->out, n == 0 ? "  " : n % x->columns ? ", " : ",\n  ");
        tc_cmd_printf(x->out, x->upper ? "0X%02X" : "0x%02x", byte);
        n++;
    }
    if (n)
        tc_cmd_putc(x->out, '\n');
    if (named) {
        tc_cmd_puts(x->out, "};\nunsigned int ");
        include_name(x, name);
        tc_cmd_printf(x->out, "_len = %lld;\n", (long long)n);
    }
}

static void dump(struct xxd *x, struct tc_cmd_in *in)
{
    unsigned char line[COLUMNS_MAX];
    int64_t at = 0;

    for (;;) {
        size_t want = (size_t)x->columns, n;

        if (x->length >= 0 && x->length - at < (int64_t)want)
            want = (size_t)(x->length - at);
        n = read_some(x, in, line, want);
        if (n == 0 || !tc_cmd_tick(x->c, 1))
            return;
        if (x->plain) {
            for (size_t i = 0; i < n; i++)
                put_byte(x, line[i]);
            tc_cmd_putc(x->out, '\n');
        } else {
            put_line(x, at + x->seek + x->offset, line, n);
        }
        at += (int64_t)n;
    }
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The bytes of a line of a plain dump: pairs of digits, blanks between them are nothing. */
static void revert_plain(struct xxd *x, struct tc_str line, int *half)
{
    for (size_t i = 0; i < line.n; i++) {
        int value = hex_value(line.p[i]);

        if (value < 0) {
            if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r')
                return;
            continue;
        }
        if (*half < 0) {
            *half = value;
        } else {
            tc_cmd_putc(x->out, (char)(*half << 4 | value));
            *half = -1;
        }
    }
}

/* A line of a dump: its position, then groups until two blanks. */
static void revert_line(struct xxd *x, struct tc_str line, int64_t *at)
{
    int64_t position = 0;
    size_t i = 0, taken = 0;

    while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
        i++;
    for (; i < line.n && hex_value(line.p[i]) >= 0 && position < INT64_MAX >> 8; i++)
        position = position << 4 | hex_value(line.p[i]);
    if (i >= line.n || line.p[i] != ':')
        return;
    for (; *at < position + x->seek && position - *at < 1 << 26; ++*at)
        tc_cmd_putc(x->out, '\0');
    for (i++; i < line.n && taken < (size_t)x->columns;) {
        int high, low;

        if (line.p[i] == ' ') {
            if (i + 1 < line.n && line.p[i + 1] == ' ' && taken)
                return;
            i++;
            continue;
        }
        high = hex_value(line.p[i]);
        low = i + 1 < line.n ? hex_value(line.p[i + 1]) : -1;
        if (high < 0 || low < 0)
            return;
        tc_cmd_putc(x->out, (char)(high << 4 | low));
        ++*at;
        taken++;
        i += 2;
    }
}

static void revert(struct xxd *x, struct tc_cmd_in *in)
{
    struct tc_str line;
    int64_t at = 0;
    int half = -1;

    while (tc_cmd_line(x->c, in, '\n', &line, NULL) > 0 && tc_cmd_tick(x->c, 1)) {
        if (x->plain)
            revert_plain(x, line, &half);
        else
            revert_line(x, line, &at);
    }
}

/* A number in decimal, or with 0x. */
static bool number(struct xxd *x, int option, int64_t *ret)
{
    const char *text = x->c->value;
    int64_t n = 0;

    if (text[0] == '0' && (text[1] | 32) == 'x') {
        for (text += 2; hex_value(*text) >= 0 && n < INT64_MAX >> 8; text++)
            n = n << 4 | hex_value(*text);
        *ret = n;
        return !*text;
    }
    if (!tc_cmd_number(text + (*text == '+' || *text == '-'), false, ret))
        return tc_cmd_fail(x->c, "invalid number for -%c: %s", option, text), false;
    if (*text == '-')
        *ret = -*ret;
    return true;
}

static bool set_option(struct xxd *x, int option)
{
    switch (option) {
    case 'b': x->bits = true; return true;
    case 'c': return number(x, option, &x->columns);
    case 'e': x->little = true; return true;
    case 'g': return number(x, option, &x->group);
    case 'i': x->include = true; return true;
    case 'l': return number(x, option, &x->length);
    case 'o': return number(x, option, &x->offset);
    case 'p': x->plain = true; return true;
    case 'r': x->revert = true; return true;
    case 's': return number(x, option, &x->seek);
    case 'u': x->upper = true; return true;
    default: x->decimal = true; return true;
    }
}

static bool settle(struct xxd *x)
{
    if (x->columns < 0)
        x->columns = x->plain ? 30 : x->include ? 12 : x->bits ? 6 : 16;
    if (x->columns == 0)
        x->columns = x->plain ? COLUMNS_MAX : 16;
    if (x->group < 0)
        x->group = x->bits ? 1 : x->little ? 4 : 2;
    if (x->columns > COLUMNS_MAX && !x->include)
        return tc_cmd_fail(x->c, "invalid number of columns (max. %d).", COLUMNS_MAX), false;
    if (x->little && x->group > 1 && (x->group & (x->group - 1)))
        return tc_cmd_fail(x->c, "number of octets per group must be a power of 2 with -e."), false;
    if (x->revert && x->bits)
        return tc_cmd_fail(x->c, "Sorry, cannot revert this type of hexdump"), false;
    x->group = x->group > x->columns ? x->columns : x->group;
    return true;
}

static bool skip(struct xxd *x, struct tc_cmd_in *in)
{
    struct tc_str bytes;
    int64_t left = x->seek, at;

    if (left < 0)
        return !tc_cmd_in_seek(x->c, in, left, SEEK_END, &at) && (x->seek = at, true);
    while (left > 0 && tc_cmd_peek(x->c, in, &bytes) > 0) {
        size_t n = (int64_t)bytes.n < left ? bytes.n : (size_t)left;

        tc_cmd_took(in, n);
        left -= (int64_t)n;
    }
    return true;
}

static int run(struct tc_cmd_call *c)
{
    struct xxd x = {.c = c, .out = c->out, .columns = -1, .group = -1, .length = -1};
    const char *name;
    struct tc_cmd_in *in;
    int option, error;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&x, option))
            return 1;
    }
    if (!settle(&x))
        return 1;
    name = c->at < c->argc ? c->argv[c->at] : "-";
    error = tc_cmd_open(c, name, &in);
    if (error)
        return tc_cmd_fail(c, "%s: %s", name, strerror(error)), 2;
    if (c->argc - c->at > 1 && strcmp(c->argv[c->at + 1], "-")) {
        error = tc_cmd_create(c, c->argv[c->at + 1], O_WRONLY | O_CREAT | O_TRUNC, 0666, &x.out);
        if (error)
            return tc_cmd_fail(c, "%s: %s", c->argv[c->at + 1], strerror(error)), 3;
    }
    if (x.revert) {
        revert(&x, in);
    } else if (!skip(&x, in)) {
        return tc_cmd_fail(c, "Sorry, cannot seek."), 4;
    } else if (x.include) {
        dump_include(&x, in, name);
    } else {
        dump(&x, in);
    }
    if (tc_cmd_in_error(in) && !tc_cmd_stopped(c))
        return tc_cmd_fail(c, "%s: %s", name, strerror(tc_cmd_in_error(in)));
    return 0;
}

const struct tc_cmd tc_command_xxd = {
    .name = "xxd",
    .usage = "[OPTION]... [INFILE [OUTFILE]]\n-r [-p] [INFILE [OUTFILE]]",
    .summary = "Make a hexdump or do the reverse.",
    .options = options,
    .run = run,
};
