/*
 * od: a dump in octal and other forms, several of them below each other.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "shell/cmds/inputs.h"
#include "toolcrib/shelltext.h"

enum { OPTION_STRINGS = 256, OPTION_ENDIAN };
enum { FORMATS_MAX = 16, LINE_MAX = 4096, STRING_MAX = 1 << 26 };

static const struct tc_cmd_option options[] = {
    {'A', "A,address-radix", TC_CMD_VALUE, "RADIX", "output format for file offsets: d, o, x or n, for none"},
    {'j', "j,skip-bytes", TC_CMD_VALUE, "BYTES", "skip BYTES input bytes first"},
    {'N', "N,read-bytes", TC_CMD_VALUE, "BYTES", "limit dump to BYTES input bytes"},
    {'t', "t,format", TC_CMD_VALUE, "TYPE", "output format: a, c, d[SIZE], f[SIZE], o[SIZE], u[SIZE], x[SIZE], with z"},
    {'v', "v,output-duplicates", TC_CMD_NONE, NULL, "do not use * to mark line suppression"},
    {'w', "w,width", TC_CMD_MAYBE, "BYTES", "output BYTES bytes per output line; 32 without BYTES"},
    {'a', "a", TC_CMD_NONE, NULL, "same as -t a, named characters, ignoring high-order bit"},
    {'b', "b", TC_CMD_NONE, NULL, "same as -t o1, octal bytes"},
    {'c', "c", TC_CMD_NONE, NULL, "same as -t c, printable characters or backslash escapes"},
    {'d', "d", TC_CMD_NONE, NULL, "same as -t u2, unsigned decimal 2-byte units"},
    {'i', "i", TC_CMD_NONE, NULL, "same as -t dI, decimal ints"},
    {'l', "l", TC_CMD_NONE, NULL, "same as -t dL, decimal longs"},
    {'o', "o", TC_CMD_NONE, NULL, "same as -t o2, octal 2-byte units"},
    {'s', "s", TC_CMD_NONE, NULL, "same as -t d2, decimal 2-byte units"},
    {'x', "x", TC_CMD_NONE, NULL, "same as -t x2, hexadecimal 2-byte units"},
    {'f', "f", TC_CMD_NONE, NULL, "same as -t fF, floats"},
    {'e', "e,F", TC_CMD_NONE, NULL, "same as -t fD, doubles"},
    {'h', "h", TC_CMD_NONE, NULL, "same as -t x2"},
    {'I', "I,L", TC_CMD_NONE, NULL, "same as -t dL"},
    {'O', "O", TC_CMD_NONE, NULL, "same as -t o4"},
    {'H', "H,X", TC_CMD_NONE, NULL, "same as -t x4"},
    {'D', "D", TC_CMD_NONE, NULL, "same as -t u4"},
    {'B', "B", TC_CMD_NONE, NULL, "same as -t o2"},
    {'S', "S", TC_CMD_VALUE, "BYTES", "write strings of at least BYTES characters that a NUL ends"},
    {OPTION_STRINGS, "strings", TC_CMD_MAYBE, "BYTES", "the same; 3 without BYTES"},
    {OPTION_ENDIAN, "endian", TC_CMD_VALUE, "ORDER", "the bytes of a unit are in big or little order"},
    {0}};

struct format {
    char kind; /* a c d f o u x */
    unsigned size, digits; /* bytes of a unit; characters of its text */
    bool text;             /* z: the printable text behind the line */
    unsigned pad;          /* blanks so that all formats line up, a line's worth */
};

struct od {
    struct tc_cmd_call *c;
    struct format formats[FORMATS_MAX];
    size_t formats_n;
    char radix;
    bool all, width_set, opened, big; /* opened: there was an input */
    int64_t skip, limit, width, strings; /* strings: how long at least, or -1 */
    struct tc_inputs inputs;
};

static unsigned digits_of(char kind, unsigned size)
{
    static const unsigned char octal[] = {0, 3, 6, 0, 11, 0, 0, 0, 22}, decimal[] = {0, 4, 6, 0, 11, 0, 0, 0, 20};
    static const unsigned char plain[] = {0, 3, 5, 0, 10, 0, 0, 0, 20};

    switch (kind) {
    case 'o': return octal[size];
    case 'd': return decimal[size];
    case 'u': return plain[size];
    case 'x': return 2 * size;
    case 'f': return size == 4 ? 15 : 24;
    default: return 3;
    }
}

/* One type at *p, as "x2z". */
static bool parse_format(struct od *od, const char **p)
{
    struct format *format = &od->formats[od->formats_n];
    char kind = **p;

    if (!kind || !strchr("acdfoux", kind) || od->formats_n == FORMATS_MAX)
        return false;
    ++*p;
    *format = (struct format){.kind = kind, .size = 1};
    if (strchr("doux", kind)) {
        format->size = 4;
        if (**p && strchr("CSIL", **p)) {
            format->size = **p == 'C' ? 1 : **p == 'S' ? 2 : **p == 'I' ? 4 : 8;
            ++*p;
        } else if (**p >= '0' && **p <= '9') {
            format->size = (unsigned)(**p - '0');
            ++*p;
        }
    } else if (kind == 'f') {
        format->size = 8;
        if (**p == 'F' || **p == 'D' || **p == '4' || **p == '8') {
            format->size = **p == 'F' || **p == '4' ? 4 : 8;
            ++*p;
        }
    }
    if ((format->size & (format->size - 1)) || format->size > 8 || format->size == 0)
        return false;
    if (**p == 'z') {
        format->text = true;
        ++*p;
    }
    format->digits = digits_of(kind, format->size);
    od->formats_n++;
    return true;
}

static bool add_formats(struct od *od, const char *text)
{
    const char *p = text;

    while (*p)
        if (!strchr("acdfoux", *p))
            return tc_cmd_fail(od->c, "invalid character '%c' in type string %s", *p, tc_cmd_quote(od->c, text)), false;
        else if (!parse_format(od, &p))
            return tc_cmd_fail(od->c, "invalid type string %s", tc_cmd_quote(od->c, text)), false;
    return true;
}

static uint64_t unit(const unsigned char *p, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = size; i-- > 0;)
        value = value << 8 | p[i];
    return value;
}

static void put_character(unsigned char byte, char *to, size_t size)
{
    static const char letters[] = "0abtnvfr";

    if (byte == 0)
        snprintf(to, size, "\\0");
    else if (byte >= 7 && byte <= 13)
        snprintf(to, size, "\\%c", letters[byte - 6]);
    else if (byte >= 32 && byte < 127)
        snprintf(to, size, "%c", byte);
    else
        snprintf(to, size, "%03o", byte);
}

static void put_name(unsigned char byte, char *to, size_t size)
{
    static const char names[] = "nul\0soh\0stx\0etx\0eot\0enq\0ack\0bel\0bs\0\0ht\0\0nl\0\0vt\0\0"
                                "ff\0\0cr\0\0so\0\0si\0\0dle\0dc1\0dc2\0dc3\0dc4\0nak\0syn\0etb\0can\0em\0\0sub\0"
                                "esc\0fs\0\0gs\0\0rs\0\0us\0\0sp";

    byte &= 0x7f;
    if (byte <= 32)
        snprintf(to, size, "%s", names + (size_t)4 * byte);
    else
        snprintf(to, size, byte == 127 ? "del" : "%c", byte);
}

/* The shortest text that reads back as the same number. */
static void put_float(const unsigned char *p, unsigned size, char *to, size_t room)
{
    double d;
    float f;

    if (size == 4) {
        memcpy(&f, p, 4);
        for (int precision = fabsf(f) < FLT_MIN ? 1 : 6; precision <= 9; precision++) {
            float back;

            snprintf(to, room, "%.*g", precision, (double)f);
            if (sscanf(to, "%f", &back) == 1 && back == f)
                return;
        }
        return;
    }
    memcpy(&d, p, 8);
    for (int precision = fabs(d) < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        double back;

        snprintf(to, room, "%.*g", precision, d);
        if (sscanf(to, "%lf", &back) == 1 && back == d)
            return;
    }
}

static void put_unit(const struct od *od, const struct format *f, const unsigned char *p, char *to, size_t size)
{
    unsigned shift = 64 - 8 * f->size;
    unsigned char turned[8];
    uint64_t value;

    for (unsigned i = 0; od->big && i < f->size; i++)
        turned[i] = p[f->size - 1 - i];
    p = od->big ? turned : p;
    value = unit(p, f->size);

    switch (f->kind) {
    case 'a': put_name(*p, to, size); break;
    case 'c': put_character(*p, to, size); break;
    case 'd': snprintf(to, size, "%lld", (long long)((int64_t)(value << shift) >> shift)); break;
    case 'u': snprintf(to, size, "%llu", (unsigned long long)value); break;
    case 'o': snprintf(to, size, "%0*llo", (int)f->digits, (unsigned long long)value); break;
    case 'x': snprintf(to, size, "%0*llx", (int)f->digits, (unsigned long long)value); break;
    default: put_float(p, f->size, to, size);
    }
}

static void put_format(struct od *od, const struct format *f, const unsigned char *line, size_t n)
{
    size_t units = (size_t)od->width / f->size, used = (n + f->size - 1) / f->size, pad = f->pad;
    char text[64];

    for (size_t i = 0; i < units; i++) {
        size_t next = f->pad * (units - i - 1) / units; /* the padding is spread over the line */

        if (i < used) {
            put_unit(od, f, line + i * f->size, text, sizeof text);
            tc_cmd_printf(od->c->out, "%*s", (int)(f->digits + 1 + pad - next), text);
        } else if (f->text) {
            tc_cmd_printf(od->c->out, "%*s", (int)(f->digits + 1 + pad - next), "");
        }
        pad = next;
    }
    if (f->text) {
        tc_cmd_puts(od->c->out, "  >");
        for (size_t i = 0; i < n; i++)
            tc_cmd_putc(od->c->out, line[i] >= 32 && line[i] < 127 ? (char)line[i] : '.');
        tc_cmd_putc(od->c->out, '<');
    }
    tc_cmd_putc(od->c->out, '\n');
}

static void put_address(struct od *od, int64_t at)
{
    if (od->radix != 'n')
        tc_cmd_printf(od->c->out, od->radix == 'x' ? "%06llx" : od->radix == 'd' ? "%07lld" : "%07llo", (long long)at);
}

static size_t read_line(struct od *od, unsigned char *p, size_t n)
{
    size_t got = 0;

    while (got < n) {
        ssize_t more = od->inputs.in ? tc_cmd_read(od->c, od->inputs.in, p + got, n - got) : 0;

        if (more > 0)
            got += (size_t)more;
        else if (tc_inputs_next(od->c, &od->inputs))
            od->opened = true;
        else
            break;
    }
    return got;
}

static bool skip(struct od *od)
{
    unsigned char bytes[512];
    int64_t left = od->skip;

    while (left > 0) {
        size_t want = left < 512 ? (size_t)left : 512, got = read_line(od, bytes, want);

        if (got == 0 || !tc_cmd_tick(od->c, 1))
            return tc_cmd_fail(od->c, "cannot skip past end of combined input"), false;
        left -= (int64_t)got;
    }
    return true;
}

static int dump(struct od *od)
{
    unsigned char *line = tc_arena_zalloc(od->c->arena, 2, LINE_MAX + 8), *before = line + LINE_MAX + 8;
    int64_t at = od->skip, end = od->limit < 0 ? INT64_MAX : at + od->limit;
    bool has_before = false, starred = false;

    if (!line)
        return tc_cmd_fail_memory(od->c);
    while (tc_cmd_tick(od->c, 1)) {
        size_t want = end - at < od->width ? (size_t)(end - at) : (size_t)od->width, n = read_line(od, line, want);

        if (n == 0)
            break;
        if (!od->all && has_before && n == (size_t)od->width && memcmp(line, before, n) == 0) {
            if (!starred)
                tc_cmd_puts(od->c->out, "*\n");
            starred = true;
        } else {
            memset(line + n, 0, 8);
            for (size_t i = 0; i < od->formats_n; i++) {
                if (i == 0)
                    put_address(od, at);
                else if (od->radix != 'n')
                    tc_cmd_printf(od->c->out, "%*s", od->radix == 'x' ? 6 : 7, "");
                put_format(od, &od->formats[i], line, n);
            }
            starred = false;
        }
        memcpy(before, line, n);
        has_before = n == (size_t)od->width;
        at += (int64_t)n;
    }
    if (od->radix != 'n' && od->opened) {
        put_address(od, at);
        tc_cmd_putc(od->c->out, '\n');
    }
    return od->inputs.status;
}

static void put_string(struct od *od, int64_t at, struct tc_str string)
{
    static const char letters[] = "abtnvfr";

    put_address(od, at);
    if (od->radix != 'n')
        tc_cmd_putc(od->c->out, ' ');
    for (size_t i = 0; i < string.n; i++) {
        char c = string.p[i];

        if (c >= 7 && c <= 13)
            tc_cmd_printf(od->c->out, "\\%c", letters[c - 7]);
        else
            tc_cmd_putc(od->c->out, c);
    }
    tc_cmd_putc(od->c->out, '\n');
}

/* Runs of printable characters that a NUL ends. */
static int dump_strings(struct od *od)
{
    int64_t at = od->skip, end = od->limit < 0 ? INT64_MAX : at + od->limit;
    unsigned char byte;
    struct tc_buf run;

    tc_buf_init(&run, STRING_MAX);
    while (at < end && read_line(od, &byte, 1) == 1 && tc_cmd_tick(od->c, 1)) {
        at++;
        if (byte >= 32 && byte < 127) {
            tc_buf_char(&run, (char)byte);
            continue;
        }
        if (byte == 0 && (int64_t)run.n >= od->strings && !run.failed)
            put_string(od, at - 1 - (int64_t)run.n, tc_buf_get(&run));
        tc_buf_clear(&run);
    }
    if (at >= end && (int64_t)run.n >= od->strings && od->strings > 0) /* what -N cuts counts as ended */
        put_string(od, at - 1 - (int64_t)run.n, tc_buf_get(&run));
    if (run.failed)
        tc_cmd_fail_memory(od->c);
    tc_buf_finish(&run);
    return od->inputs.status;
}

/* The width of a line, and the blanks that make the units of all formats line up. */
static bool settle(struct od *od)
{
    unsigned common = 1, widest = 0;

    if (od->formats_n == 0)
        add_formats(od, "o2");
    for (size_t i = 0; i < od->formats_n; i++)
        common = od->formats[i].size > common ? od->formats[i].size : common;
    if (!od->width_set)
        od->width = common < 16 ? 16 / common * common : common;
    if (od->width <= 0 || od->width > LINE_MAX || od->width % common) {
        tc_cmd_fail(od->c, "warning: invalid width %lld; using %u instead", (long long)od->width, common);
        od->width = common;
    }
    for (size_t i = 0; i < od->formats_n; i++) {
        unsigned whole = (od->formats[i].digits + 1) * (unsigned)(od->width / od->formats[i].size);

        widest = whole > widest ? whole : widest;
    }
    for (size_t i = 0; i < od->formats_n; i++)
        od->formats[i].pad = widest - (od->formats[i].digits + 1) * (unsigned)(od->width / od->formats[i].size);
    return true;
}

static bool set_option(struct od *od, int option)
{
    static const char *const short_forms[] = {"aa", "bo1", "cc", "du2", "idI", "ldL", "oo2", "sd2", "xx2",
                                              "ffF", "efD", "hx2", "IdL", "Oo4", "Hx4", "Du4", "Bo2"};
    static const char *const orders[] = {"little", "big", NULL};
    const char *value = od->c->value;
    int order;

    switch (option) {
    case 'A':
        if (!*value || value[1] || !strchr("doxn", *value))
            return tc_cmd_fail(od->c, "invalid output address radix '%c'; it must be one character from [doxn]",
                               *value), false;
        od->radix = *value;
        return true;
    case 'j':
        return (tc_inputs_count(value, &od->skip) && od->skip >= 0) ||
               (tc_cmd_fail(od->c, "invalid -j argument %s", tc_cmd_quote_name(od->c, value)), false);
    case 'N':
        return (tc_inputs_count(value, &od->limit) && od->limit >= 0) ||
               (tc_cmd_fail(od->c, "invalid -N argument %s", tc_cmd_quote_name(od->c, value)), false);
    case 't': return add_formats(od, value);
    case 'v': od->all = true; return true;
    case 'w':
        od->width_set = true;
        od->width = 32;
        return !value || tc_inputs_count(value, &od->width) ||
               (tc_cmd_fail(od->c, "invalid -w argument %s", tc_cmd_quote_name(od->c, value)), false);
    case 'S':
    case OPTION_STRINGS:
        od->strings = 3;
        return !value || (tc_inputs_count(value, &od->strings) && od->strings >= 0) ||
               (tc_cmd_fail(od->c, "invalid -S argument %s", tc_cmd_quote_name(od->c, value)), false);
    case OPTION_ENDIAN:
        order = tc_cmd_choose(od->c, "--endian", value, orders);
        od->big = order == 1;
        return order >= 0;
    default:
        for (size_t i = 0; i < sizeof short_forms / sizeof short_forms[0]; i++)
            if (short_forms[i][0] == option)
                return add_formats(od, short_forms[i] + 1);
        return false;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct od od = {.c = c, .radix = 'o', .limit = -1, .strings = -1};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&od, option))
            return 1;
    }
    if (od.strings >= 0 && od.formats_n)
        return tc_cmd_fail(c, "no type may be specified when dumping strings");
    if (!settle(&od) || !skip(&od))
        return 1;
    return od.strings >= 0 ? dump_strings(&od) : dump(&od);
}

const struct tc_cmd tc_command_od = {
    .name = "od",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write an unambiguous representation, octal bytes by default, of FILE to standard output.",
    .options = options,
    .run = run,
};
