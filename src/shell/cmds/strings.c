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
    {'w', "w,include-all-whitespace", TC_CMD_NONE, NULL, "include all whitespace as valid string characters"},
    {'s', "s,output-separator", TC_CMD_VALUE, "STRING", "string used to separate strings in output"},
    {0}};

struct strings {
    struct tc_cmd_call *c;
    struct tc_buf run; /* the first `min` characters until the string is printed */
    bool names, white;
    char radix;
    int64_t min;
    const char *separator;
};

static bool is_shown(const struct strings *s, char c)
{
    return (c >= 32 && c < 127) || c == '\t' || (s->white && (c == '\n' || c == '\r' || c == '\v' || c == '\f'));
}

static void put_head(struct strings *s, const char *name, int64_t at)
{
    if (s->names)
        tc_cmd_printf(s->c->out, "%s: ", strcmp(name, "-") ? name : "{standard input}");
    if (s->radix)
        tc_cmd_printf(s->c->out, s->radix == 'x' ? "%7llx " : s->radix == 'o' ? "%7llo " : "%7lld ", (long long)at);
}

static void scan(struct strings *s, struct tc_cmd_in *in, const char *name)
{
    struct tc_str bytes;
    int64_t at = 0, length = 0;

    s->run.n = 0;
    while (tc_cmd_peek(s->c, in, &bytes) > 0 && tc_cmd_tick(s->c, 1 + (unsigned)(bytes.n >> 6))) {
        for (size_t i = 0; i < bytes.n; i++, at++) {
            if (!is_shown(s, bytes.p[i])) {
                if (length >= s->min)
                    tc_cmd_puts(s->c->out, s->separator);
                length = 0;
                s->run.n = 0;
                continue;
            }
            if (++length > s->min) {
                tc_cmd_putc(s->c->out, bytes.p[i]);
                continue;
            }
            tc_buf_char(&s->run, bytes.p[i]);
            if (length == s->min) {
                put_head(s, name, at - length + 1);
                tc_cmd_write(s->c->out, s->run.p, s->run.n);
            }
        }
        tc_cmd_took(in, bytes.n);
    }
    if (length >= s->min)
        tc_cmd_puts(s->c->out, s->separator);
}

static int run(struct tc_cmd_call *c)
{
    struct strings s = {.c = c, .min = 4, .separator = "\n"};
    struct tc_inputs inputs = {0};
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        s.names |= option == 'f';
        s.white |= option == 'w';
        if (option == 'o')
            s.radix = 'o';
        if (option == 's')
            s.separator = c->value;
        if (option == 't') {
            if (!*c->value || c->value[1] || !strchr("odx", *c->value))
                return tc_cmd_fail(c, "invalid radix %s", c->value);
            s.radix = *c->value;
        }
        if ((option == 'n' || option == TC_CMD_OPTION_NUMBER) &&
            (!tc_cmd_number(c->value, false, &s.min) || s.min < 1 || s.min > TEXT_MAX))
            return tc_cmd_fail(c, "invalid minimum string length %s", c->value);
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
