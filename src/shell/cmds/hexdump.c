/*
 * hexdump: the input of all files as one, in one of its set formats.
 */
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'b', "b,one-byte-octal", TC_CMD_NONE, NULL, "one-byte octal display"},
    {'c', "c,one-byte-char", TC_CMD_NONE, NULL, "one-byte character display"},
    {'C', "C,canonical", TC_CMD_NONE, NULL, "canonical hex+ASCII display"},
    {'d', "d,two-bytes-decimal", TC_CMD_NONE, NULL, "two-byte decimal display"},
    {'o', "o,two-bytes-octal", TC_CMD_NONE, NULL, "two-byte octal display"},
    {'x', "x,two-bytes-hex", TC_CMD_NONE, NULL, "two-byte hexadecimal display"},
    {'n', "n,length", TC_CMD_VALUE, "LENGTH", "interpret only length bytes of input"},
    {'s', "s,skip", TC_CMD_VALUE, "OFFSET", "skip offset bytes from the beginning"},
    {'v', "v,no-squeezing", TC_CMD_NONE, NULL, "output identical lines"},
    {0}};

enum { LINE = 16 };

struct hexdump {
    struct tc_cmd_call *c;
    struct tc_inputs inputs;
    char format; /* b c C d o x, or 0: as x without the wide columns */
    int64_t length, skip;
    bool all, any;
};

static size_t read_some(struct hexdump *h, unsigned char *p, size_t n)
{
    size_t got = 0;

    while (got < n) {
        ssize_t more = h->inputs.in ? tc_cmd_read(h->c, h->inputs.in, p + got, n - got) : 0;

        if (more > 0)
            got += (size_t)more;
        else if (tc_inputs_next(h->c, &h->inputs))
            h->any = true;
        else
            break;
    }
    return got;
}

static void put_character(struct tc_cmd_out *out, unsigned char byte)
{
    static const char letters[] = "abtnvfr";

    if (byte == 0)
        tc_cmd_puts(out, "  \\0");
    else if (byte >= 7 && byte <= 13)
        tc_cmd_printf(out, "  \\%c", letters[byte - 7]);
    else if (byte >= 32 && byte < 127)
        tc_cmd_printf(out, "   %c", byte);
    else
        tc_cmd_printf(out, " %03o", byte);
}

/* hex and text side by side */
static void put_canonical(struct hexdump *h, const unsigned char *p, size_t n)
{
    struct tc_cmd_out *out = h->c->out;

    for (size_t i = 0; i < LINE; i++) {
        tc_cmd_puts(out, i % 8 ? " " : "  ");
        if (i < n)
            tc_cmd_printf(out, "%02x", p[i]);
        else
            tc_cmd_puts(out, "  ");
    }
    tc_cmd_puts(out, "  |");
    for (size_t i = 0; i < n; i++)
        tc_cmd_putc(out, p[i] >= 32 && p[i] < 127 ? (char)p[i] : '.');
    tc_cmd_putc(out, '|');
}

static void put_units(struct hexdump *h, const unsigned char *p, size_t n)
{
    size_t size = h->format == 'b' || h->format == 'c' ? 1 : 2;
    int width = size == 1 ? 4 : h->format ? 8 : 5;

    for (size_t i = 0; i < LINE; i += size) {
        unsigned value = i < n ? p[i] | (size == 2 && i + 1 < n ? (unsigned)p[i + 1] << 8 : 0) : 0;

        if (i >= n)
            tc_cmd_printf(h->c->out, "%*s", width, "");
        else if (h->format == 'c')
            put_character(h->c->out, p[i]);
        else
            tc_cmd_printf(h->c->out,
                          h->format == 'b'   ? " %03o"
                          : h->format == 'd' ? "   %05u"
                          : h->format == 'o' ? "  %06o"
                          : h->format == 'x' ? "    %04x"
                                             : " %04x",
                          value);
    }
}

static bool skip(struct hexdump *h)
{
    unsigned char bytes[512];

    for (int64_t left = h->skip; left > 0;) {
        size_t got = read_some(h, bytes, left < 512 ? (size_t)left : 512);

        if (got == 0)
            return false;
        left -= (int64_t)got;
    }
    return true;
}

static void dump(struct hexdump *h)
{
    unsigned char line[LINE + 1], before[LINE];
    int64_t at = h->skip, end = h->length < 0 ? INT64_MAX : at + h->length;
    bool has_before = false, starred = false;
    size_t n;

    while ((n = read_some(h, line, end - at < LINE ? (size_t)(end - at) : LINE)) > 0 && tc_cmd_tick(h->c, 1)) {
        if (!h->all && has_before && n == LINE && memcmp(line, before, LINE) == 0) {
            if (!starred)
                tc_cmd_puts(h->c->out, "*\n");
            starred = true;
        } else {
            tc_cmd_printf(h->c->out, h->format == 'C' ? "%08llx" : "%07llx", (long long)at);
            if (h->format == 'C')
                put_canonical(h, line, n);
            else
                put_units(h, line, n);
            tc_cmd_putc(h->c->out, '\n');
            starred = false;
        }
        memcpy(before, line, LINE);
        has_before = n == LINE;
        at += (int64_t)n;
    }
    if (at > h->skip)
        tc_cmd_printf(h->c->out, h->format == 'C' ? "%08llx\n" : "%07llx\n", (long long)at);
}

static int run(struct tc_cmd_call *c)
{
    struct hexdump h = {.c = c, .length = -1};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        int64_t *number = option == 'n' ? &h.length : option == 's' ? &h.skip : NULL;

        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'v')
            h.all = true;
        else if (!number)
            h.format = (char)option;
        else if (!tc_inputs_count(c->value, number) || *number < 0)
            return tc_cmd_fail(c, "failed to parse %s: '%s'", option == 'n' ? "length" : "offset", c->value);
    }
    skip(&h);
    dump(&h);
    if (!h.any)
        return tc_cmd_fail(c, "all input file arguments failed");
    return h.inputs.status;
}

const struct tc_cmd tc_command_hexdump = {
    .name = "hexdump",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Display file contents in hexadecimal, decimal, octal, or ASCII.",
    .options = options,
    .run = run,
};
