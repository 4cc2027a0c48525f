/*
 * xxd: a dump in hexadecimal digits, bits, or C, and back from a dump to bytes (-r).
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "shell/cmds/inputs.h"

enum { COLUMNS_MAX = 256 };

static const struct tc_cmd_option options[] = {
    {'a', "a,autoskip", TC_CMD_NONE, NULL, "a single '*' for lines of NUL bytes"},
    {'b', "b,bits", TC_CMD_NONE, NULL, "binary digit dump (incompatible with -p, -i)"},
    {'c', "c,cols", TC_CMD_VALUE, "COLS", "format COLS octets per line (default 16; 12 with -i, 30 with -p)"},
    {'C', "C,capitalize", TC_CMD_NONE, NULL, "capitalize the names of -i"},
    {'e', "e", TC_CMD_NONE, NULL, "little-endian dump"},
    {'g', "g,groupsize", TC_CMD_VALUE, "BYTES", "number of octets per group in normal output (default 2, 4 with -e)"},
    {'i', "i,include", TC_CMD_NONE, NULL, "output in C include file style"},
    {'l', "l,len", TC_CMD_VALUE, "LEN", "stop after LEN octets"},
    {'n', "n,name", TC_CMD_VALUE, "NAME", "the name of -i"},
    {'o', "o,offset", TC_CMD_VALUE, "OFF", "add OFF to the displayed file position"},
    {'p', "p,ps,plain,postscript", TC_CMD_NONE, NULL, "output in postscript plain hexdump style"},
    {'r', "r,revert", TC_CMD_NONE, NULL, "reverse operation: convert hexdump into binary"},
    {'s', "s,seek", TC_CMD_VALUE, "SEEK", "start at SEEK bytes"},
    {'u', "u,uppercase", TC_CMD_NONE, NULL, "use upper case hex letters"},
    {'d', "d", TC_CMD_NONE, NULL, "show offset in decimal instead of hex"},
    {0}};

struct xxd {
    struct tc_cmd_call *c;
    struct tc_cmd_out *out;
    bool bits, little, include, plain, revert, upper, decimal, skips, capital;
    const char *name;
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
        bool letter = (*name | 32) >= 'a' && (*name | 32) <= 'z', plain = letter || (*name >= '0' && *name <= '9');

        tc_cmd_putc(x->out, !plain ? '_' : letter && x->capital ? (char)(*name & ~32) : *name);
    }
}

static void dump_include(struct xxd *x, struct tc_cmd_in *in, const char *name)
{
    bool named = x->name || strcmp(name, "-") != 0;
    unsigned char byte;
    int64_t n = 0;

    name = x->name ? x->name : name;
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
        tc_cmd_printf(x->out, "%s = %lld;\n", x->capital ? "_LEN" : "_len", (long long)n);
    }
}

/* With -a, of lines of NUL the first, a '*' for those between, and at the end of all the last. */
static void end_of_zeroes(struct xxd *x, int64_t at, int64_t *zeroes, bool end)
{
    static const unsigned char nothing[COLUMNS_MAX];
    int64_t between = *zeroes - 1 - end;

    if (between == 1)
        put_line(x, at - (1 + end) * x->columns, nothing, (size_t)x->columns);
    else if (between > 1)
        tc_cmd_puts(x->out, "*\n");
    if (end && *zeroes > 1)
        put_line(x, at - x->columns, nothing, (size_t)x->columns);
    *zeroes = 0;
}

static bool is_zero(const unsigned char *p, size_t n)
{
    while (n > 0 && p[n - 1] == 0)
        n--;
    return n == 0;
}

static void dump(struct xxd *x, struct tc_cmd_in *in)
{
    unsigned char line[COLUMNS_MAX];
    int64_t at = 0, zeroes = 0, shown = x->seek + x->offset;

    for (;;) {
        size_t want = (size_t)x->columns, n;

        if (x->length >= 0 && x->length - at < (int64_t)want)
            want = (size_t)(x->length - at);
        n = read_some(x, in, line, want);
        if (n == 0 || !tc_cmd_tick(x->c, 1))
            break;
        if (x->skips && n == (size_t)x->columns && is_zero(line, n)) {
            zeroes++;
            if (zeroes > 1) {
                at += (int64_t)n;
                continue;
            }
        } else {
            end_of_zeroes(x, at + shown, &zeroes, false);
        }
        if (x->plain) {
            for (size_t i = 0; i < n; i++)
                put_byte(x, line[i]);
            tc_cmd_putc(x->out, '\n');
        } else {
            put_line(x, at + shown, line, n);
        }
        at += (int64_t)n;
    }
    end_of_zeroes(x, at + shown, &zeroes, true);
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

/* As C writes numbers; what stands behind one is not looked at. */
static int64_t number(const struct xxd *x)
{
    return strtoll(x->c->value + (*x->c->value == '+'), NULL, 0);
}

/* The words of options as xxd has them, where the first letter says which it is, in the form that all
 * commands have: -cols 4, -c4 and --cols 4 are -c 4. */
static void plain_options(struct tc_cmd_call *c)
{
    static const struct {
        char letter;
        const char *flag, *long_name; /* long_name: what is no attached value */
    } known[] = {{'a', "-a", NULL},    {'b', "-b", NULL},   {'e', "-e", NULL},   {'u', "-u", NULL},
                 {'p', "-p", NULL},    {'i', "-i", NULL},   {'C', "-C", NULL},   {'d', "-d", NULL},
                 {'r', "-r", NULL},    {'c', "-c", "ols"},  {'g', "-g", "roup"}, {'o', "-o", "ffset"},
                 {'s', "-s", "eek"},   {'s', "-s", "kip"},  {'l', "-l", "en"},   {'n', "-n", "ame"}};

    for (int i = 1; i < c->argc && c->argv[i][0] == '-' && c->argv[i][1] && strcmp(c->argv[i], "--"); i++) {
        char *word = c->argv[i] + (c->argv[i][1] == '-');

        if (strcmp(word + 1, "help") == 0)
            continue;
        if (strncmp(word, "-capitalize", 11) == 0)
            word = (char *)"-C";
        for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
            if (word[1] != known[k].letter)
                continue;
            if (!known[k].long_name || strncmp(word + 2, known[k].long_name, strlen(known[k].long_name)) == 0)
                word = (char *)known[k].flag;
        }
        c->argv[i] = word;
        i += word[1] && strchr("cgosln", word[1]) && !word[2]; /* its value */
    }
}

static void set_option(struct xxd *x, int option)
{
    switch (option) {
    case 'a': x->skips = true; return;
    case 'b':
    case 'e':
    case 'i':
    case 'p': /* the last one counts */
        x->bits = option == 'b';
        x->little = option == 'e';
        x->include = option == 'i';
        x->plain = option == 'p';
        return;
    case 'c': x->columns = number(x); return;
    case 'C': x->capital = true; return;
    case 'g': x->group = number(x); return;
    case 'l': x->length = number(x); return;
    case 'n': x->name = x->c->value; return;
    case 'o': x->offset = number(x); return;
    case 'r': x->revert = true; return;
    case 's': x->seek = number(x); return;
    case 'u': x->upper = true; return;
    default: x->decimal = true; return;
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

    plain_options(c);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        set_option(&x, option);
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
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
