/*
 * hexdump: the input of all files as one, in formats of its own or of the user's.
 */
#include "shell/cmds/hexdump_format.h"
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {
    {'b', "b,one-byte-octal", TC_CMD_NONE, NULL, "one-byte octal display"},
    {'c', "c,one-byte-char", TC_CMD_NONE, NULL, "one-byte character display"},
    {'C', "C,canonical", TC_CMD_NONE, NULL, "canonical hex+ASCII display"},
    {'d', "d,two-bytes-decimal", TC_CMD_NONE, NULL, "two-byte decimal display"},
    {'o', "o,two-bytes-octal", TC_CMD_NONE, NULL, "two-byte octal display"},
    {'x', "x,two-bytes-hex", TC_CMD_NONE, NULL, "two-byte hexadecimal display"},
    {'e', "e,format", TC_CMD_VALUE, "FORMAT", "a format: [COUNT][/SIZE] \"TEXT with %\" ..."},
    {'f', "f,format-file", TC_CMD_VALUE, "FILE", "formats, one a line"},
    {'n', "n,length", TC_CMD_VALUE, "LENGTH", "interpret only length bytes of input"},
    {'s', "s,skip", TC_CMD_VALUE, "OFFSET", "skip offset bytes from the beginning"},
    {'v', "v,no-squeezing", TC_CMD_NONE, NULL, "output identical lines"},
    {0}};

enum { FILE_MAX = 1 << 20 };

/* What the letters stand for; 0 is what there is without any. */
static const struct {
    char letter;
    const char *texts[3];
} formats_of[] = {
    {'b', {"\"%07.7_Ax\\n\"", "\"%07.7_ax \" 16/1 \"%03o \" \"\\n\""}},
    {'c', {"\"%07.7_Ax\\n\"", "\"%07.7_ax \" 16/1 \"%3_c \" \"\\n\""}},
    {'C', {"\"%08.8_Ax\\n\"", "\"%08.8_ax  \" 8/1 \"%02x \" \"  \" 8/1 \"%02x \"",
           "\"  |\" 16/1 \"%_p\" \"|\\n\""}},
    {'d', {"\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"  %05u \" \"\\n\""}},
    {'o', {"\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \" %06o \" \"\\n\""}},
    {'x', {"\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"   %04x \" \"\\n\""}},
    {'\0', {"\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"%04x \" \"\\n\""}},
};

struct hexdump {
    struct tc_cmd_call *c;
    struct tc_inputs inputs;
    struct hexdump_format *formats;
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

/* How far it came. */
static int64_t skip(struct hexdump *h)
{
    unsigned char bytes[512];
    int64_t at = 0;

    while (at < h->skip) {
        size_t got = read_some(h, bytes, h->skip - at < 512 ? (size_t)(h->skip - at) : 512);

        if (got == 0)
            break;
        at += (int64_t)got;
    }
    return at;
}

static int dump(struct hexdump *h)
{
    size_t size = tc_hexdump_format_settle(h->c, h->formats), n;
    unsigned char *block = tc_arena_zalloc(h->c->arena, 2, size + 1), *before = block + size + 1;
    bool has_before = false, starred = false;
    int64_t at, end;

    if (!size)
        return 1;
    if (!block)
        return tc_cmd_fail_memory(h->c);
    at = skip(h);
    end = h->length < 0 ? INT64_MAX : at + h->length;
    while ((n = read_some(h, block, end - at < (int64_t)size ? (size_t)(end - at) : size)) > 0 &&
           tc_cmd_tick(h->c, 1)) {
        if (!h->all && has_before && n == size && memcmp(block, before, size) == 0) {
            if (!starred)
                tc_cmd_puts(h->c->out, "*\n");
            starred = true;
        } else {
            memset(block + n, 0, size - n);
            tc_hexdump_format_put(h->c, h->formats, block, n, at);
            starred = false;
        }
        memcpy(before, block, size);
        has_before = n == size;
        at += (int64_t)n;
    }
    if (at > 0)
        tc_hexdump_format_end(h->c, h->formats, at);
    if (!h->any)
        return tc_cmd_fail(h->c, "all input file arguments failed");
    return h->inputs.status;
}

static bool add_letter(struct hexdump *h, char letter)
{
    for (size_t i = 0; i < sizeof formats_of / sizeof *formats_of; i++)
        for (size_t k = 0; formats_of[i].letter == letter && k < 3 && formats_of[i].texts[k]; k++)
            if (!tc_hexdump_format_add(h->c, &h->formats, tc_str_of(formats_of[i].texts[k])))
                return false;
    return true;
}

static bool add_file(struct hexdump *h, const char *path)
{
    struct tc_str text, line;

    if (!tc_inputs_read(h->c, path, FILE_MAX, &text))
        return false;
    while (tc_str_split(&text, '\n', &line)) {
        line = tc_str_trim(line);
        if (line.n && line.p[0] != '#' && !tc_hexdump_format_add(h->c, &h->formats, line))
            return false;
    }
    return true;
}

static bool set_option(struct hexdump *h, int option)
{
    const char *value = h->c->value;
    int64_t *number = option == 'n' ? &h->length : option == 's' ? &h->skip : NULL;

    if (number) {
        if (tc_inputs_count(value, number) && *number >= 0)
            return true;
        tc_cmd_fail(h->c, "failed to parse %s: '%s'", option == 'n' ? "length" : "offset", value);
        return false;
    }
    if (option == 'e')
        return tc_hexdump_format_add(h->c, &h->formats, tc_str_of(value));
    if (option == 'f')
        return add_file(h, value);
    if (option == 'v')
        return h->all = true;
    return add_letter(h, (char)option);
}

static int run(struct tc_cmd_call *c)
{
    struct hexdump h = {.c = c, .length = -1};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&h, option))
            return 1;
    }
    if (!h.formats && !add_letter(&h, '\0'))
        return 1;
    return dump(&h);
}

const struct tc_cmd tc_command_hexdump = {
    .name = "hexdump",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Display file contents in hexadecimal, decimal, octal, or ASCII.",
    .options = options,
    .run = run,
};
