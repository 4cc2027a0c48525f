/*
 * strings: runs of printable characters in files.
 */
#include "shell/cmds/inputs.h"

enum { TEXT_MAX = 1 << 20 };

static const struct tc_cmd_option options[] = {
    {'a', "a,all", TC_CMD_NONE, NULL, "scan the entire file (always so)"},
    {'f', "f,print-file-name", TC_CMD_NONE, NULL, "print the name of the file before each string"},
    {'n', "n,bytes", TC_CMD_VALUE, "MIN", "print sequences of at least MIN characters (default 4); also -MIN"},
    {'t', "t,radix", TC_CMD_VALUE, "RADIX", "print the location of the string in base 8 (o), 10 (d) or 16 (x)"},
    {'o', "o", TC_CMD_NONE, NULL, "an alias for --radix=o"},
    {'e', "e,encoding", TC_CMD_VALUE, "ENCODING", "characters of 7 bits (s), 8 (S), 16 (b big, l little), 32 (B, L)"},
    {'w', "w,include-all-whitespace", TC_CMD_NONE, NULL, "include all whitespace as valid string characters"},
    {'s', "s,output-separator", TC_CMD_VALUE, "STRING", "string used to separate strings in output"},
    {0}};

struct strings {
    struct tc_cmd_call *c;
    struct tc_buf run; /* the first `min` characters until the string is printed */
    bool names, white;
    char radix, encoding; /* encoding: s S b l B L */
    int64_t min;
    const char *separator;
};

static bool is_shown(const struct strings *s, uint32_t c)
{
    return (c >= 32 && c < 127) || c == '\t' || (s->white && c >= '\n' && c <= '\r') ||
           (s->encoding == 'S' && c > 127 && c < 256);
}

static size_t bytes_of(char encoding)
{
    return encoding == 'b' || encoding == 'l' ? 2 : encoding == 'B' || encoding == 'L' ? 4 : 1;
}

static uint32_t character_of(const struct strings *s, const unsigned char *p, size_t n)
{
    bool big = s->encoding == 'b' || s->encoding == 'B';
    uint32_t c = 0;

    for (size_t i = 0; i < n; i++)
        c = c << 8 | p[big ? i : n - 1 - i];
    return c;
}

static void put_head(struct strings *s, const char *name, int64_t at)
{
    if (s->names)
        tc_cmd_printf(s->c->out, "%s: ", strcmp(name, "-") ? name : "{standard input}");
    if (s->radix)
        tc_cmd_printf(s->c->out, s->radix == 'x' ? "%7llx " : s->radix == 'o' ? "%7llo " : "%7lld ", (long long)at);
}

static void end_run(struct strings *s, int64_t *length)
{
    if (*length >= s->min)
        tc_cmd_puts(s->c->out, s->separator);
    *length = 0;
    s->run.n = 0;
}

/* One more character of a run; at: where it ended. */
static void add(struct strings *s, char c, int64_t *length, const char *name, int64_t at)
{
    if (++*length > s->min) {
        tc_cmd_putc(s->c->out, c);
        return;
    }
    tc_buf_char(&s->run, c);
    if (*length == s->min) {
        put_head(s, name, at - *length * (int64_t)bytes_of(s->encoding));
        tc_cmd_write(s->c->out, s->run.p, s->run.n);
    }
}

static void scan(struct strings *s, struct tc_cmd_in *in, const char *name)
{
    size_t width = bytes_of(s->encoding), have = 0;
    int64_t at = 0, length = 0;
    unsigned char window[4];
    struct tc_str bytes;

    s->run.n = 0;
    while (tc_cmd_peek(s->c, in, &bytes) > 0 && tc_cmd_tick(s->c, 1 + (unsigned)(bytes.n >> 6))) {
        for (size_t i = 0; i < bytes.n; i++) {
            uint32_t c;

            window[have++] = (unsigned char)bytes.p[i];
            at++;
            if (have < width)
                continue;
            c = character_of(s, window, width);
            if (is_shown(s, c)) {
                add(s, (char)c, &length, name, at);
                have = 0;
            } else { /* a character may begin at any byte */
                end_run(s, &length);
                memmove(window, window + 1, --have);
            }
        }
        tc_cmd_took(in, bytes.n);
    }
    end_run(s, &length);
}

static bool set_option(struct strings *s, int option)
{
    struct tc_cmd_call *c = s->c;

    switch (option) {
    case 'f': s->names = true; return true;
    case 'w': s->white = true; return true;
    case 'o': s->radix = 'o'; return true;
    case 's': s->separator = c->value; return true;
    case 't':
        s->radix = *c->value;
        return (*c->value && !c->value[1] && strchr("odx", *c->value)) ||
               (tc_cmd_fail(c, "invalid radix %s", c->value), false);
    case 'e':
        s->encoding = *c->value;
        return (*c->value && !c->value[1] && strchr("sSblBL", *c->value)) ||
               (tc_cmd_fail(c, "invalid encoding %s", c->value), false);
    case 'n':
    case TC_CMD_OPTION_NUMBER:
        if (!tc_cmd_number(c->value, false, &s->min))
            return tc_cmd_fail(c, "invalid integer argument %s", c->value), false;
        if (s->min < 1 || s->min > TEXT_MAX)
            return tc_cmd_fail(c, "invalid minimum string length %s", c->value), false;
        return true;
    default: return true;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct strings s = {.c = c, .min = 4, .encoding = 's', .separator = "\n"};
    struct tc_inputs inputs = {0};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!set_option(&s, option))
            return 1;
    }
    tc_buf_init(&s.run, TEXT_MAX + 1);
    while (tc_inputs_next(c, &inputs))
        scan(&s, inputs.in, inputs.name);
    tc_buf_finish(&s.run);
    return inputs.status;
}

const struct tc_cmd tc_command_strings = {
    .name = "strings",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print the sequences of printable characters in files.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
