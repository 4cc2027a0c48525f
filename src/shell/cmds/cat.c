/*
 * cat: files one after the other, plainly or with lines numbered, squeezed and
 * characters shown. The state of lines goes on from file to file.
 */
#include <unistd.h>

#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'A', "A,show-all", TC_CMD_NONE, NULL, "as -vET"},
    {'b', "b,number-nonblank", TC_CMD_NONE, NULL, "number the lines that are not empty, overrides -n"},
    {'e', "e", TC_CMD_NONE, NULL, "as -vE"},
    {'E', "E,show-ends", TC_CMD_NONE, NULL, "show $ at the end of each line"},
    {'n', "n,number", TC_CMD_NONE, NULL, "number all lines"},
    {'s', "s,squeeze-blank", TC_CMD_NONE, NULL, "of several empty lines show one"},
    {'t', "t", TC_CMD_NONE, NULL, "as -vT"},
    {'T', "T,show-tabs", TC_CMD_NONE, NULL, "show tabs as ^I"},
    {'u', "u", TC_CMD_NONE, NULL, "(ignored)"},
    {'v', "v,show-nonprinting", TC_CMD_NONE, NULL, "use ^ and M- for other characters but line feeds and tabs"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct cat {
    struct tc_cmd_call *c;
    bool number, number_full, squeeze, ends, tabs, visible;
    bool within; /* a line that is not yet ended */
    bool was_cr; /* held back: with -E a CR before the end is shown */
    unsigned empty; /* lines before this one */
    int64_t line;
};

static void put_visible(struct cat *cat, unsigned char ch)
{
    struct tc_cmd_out *out = cat->c->out;

    if (ch == '\t' && cat->tabs) {
        tc_cmd_write(out, "^I", 2);
        return;
    }
    if (!cat->visible || ch == '\t') {
        tc_cmd_putc(out, (char)ch);
        return;
    }
    if (ch >= 128) {
        tc_cmd_write(out, "M-", 2);
        ch -= 128;
    }
    if (ch < 32 || ch == 127) {
        tc_cmd_putc(out, '^');
        ch ^= 64;
    }
    tc_cmd_putc(out, (char)ch);
}

/* At the first byte of a line; false when the line is left out. */
static bool begin_line(struct cat *cat, bool is_empty)
{
    cat->empty = is_empty ? cat->empty + 1 : 0;
    if (cat->squeeze && cat->empty > 1)
        return false;
    if (cat->number || (cat->number_full && !is_empty))
        tc_cmd_printf(cat->c->out, "%6lld\t", (long long)++cat->line);
    return true;
}

static void put_byte(struct cat *cat, unsigned char ch)
{
    bool shown = cat->within || begin_line(cat, ch == '\n');

    cat->within = ch != '\n';
    if (!shown)
        return;
    if (cat->was_cr)
        tc_cmd_puts(cat->c->out, ch == '\n' ? "^M" : "\r");
    cat->was_cr = ch == '\r' && cat->ends && !cat->visible;
    if (cat->was_cr)
        return;
    if (ch == '\n') {
        if (cat->ends)
            tc_cmd_putc(cat->c->out, '$');
        tc_cmd_putc(cat->c->out, '\n');
    } else {
        put_visible(cat, ch);
    }
}

static void copy(struct cat *cat, struct tc_str bytes)
{
    if (!cat->number && !cat->number_full && !cat->squeeze && !cat->ends && !cat->tabs && !cat->visible) {
        tc_cmd_write(cat->c->out, bytes.p, bytes.n);
        return;
    }
    for (size_t i = 0; i < bytes.n; i++)
        put_byte(cat, (unsigned char)bytes.p[i]);
}

/* cat x >>x would never end. */
static bool is_output(struct tc_cmd_call *c, struct tc_cmd_in *in)
{
    struct stat from, to;
    int64_t at;

    return tc_cmd_in_stat(in, &from) == 0 && S_ISREG(from.st_mode) && tc_cmd_stat(c, "/dev/stdout", &to) == 0 &&
           from.st_dev == to.st_dev && from.st_ino == to.st_ino && tc_cmd_in_seek(c, in, 0, SEEK_CUR, &at) == 0 &&
           at < from.st_size;
}

static int cat_file(struct cat *cat, const char *name)
{
    struct tc_cmd_call *c = cat->c;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    ssize_t got;
    int error = tc_cmd_open(c, name, &in);

    if (error) {
        tc_cmd_flush(c->out);
        return tc_cmd_fail_errno(c, name, error);
    }
    if (is_output(c, in)) {
        tc_cmd_close(c, in);
        return tc_cmd_fail(c, "%s: input file is output file", tc_cmd_quote_odd(c, name));
    }
    while ((got = tc_cmd_peek(c, in, &bytes)) > 0 && tc_cmd_tick(c, 1)) {
        copy(cat, bytes);
        tc_cmd_took(in, bytes.n);
    }
    error = tc_cmd_in_error(in);
    tc_cmd_close(c, in);
    if (got >= 0)
        return 0;
    tc_cmd_flush(c->out);
    return tc_cmd_fail_errno(c, name, error);
}

static int run(struct tc_cmd_call *c)
{
    struct cat cat = {.c = c};
    int option, status = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        cat.number |= option == 'n';
        cat.number_full |= option == 'b';
        cat.squeeze |= option == 's';
        cat.ends |= option == 'E' || option == 'A' || option == 'e';
        cat.tabs |= option == 'T' || option == 'A' || option == 't';
        cat.visible |= option == 'v' || option == 'A' || option == 'e' || option == 't';
    }
    cat.number = cat.number && !cat.number_full;
    if (c->at == c->argc)
        status = cat_file(&cat, "-");
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++)
        status |= cat_file(&cat, c->argv[i]);
    if (cat.was_cr)
        tc_cmd_putc(c->out, '\r');
    return status;
}

const struct tc_cmd tc_command_cat = {
    .name = "cat",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the files one after the other. With no FILE, or when FILE is -, read standard input.",
    .options = options,
    .run = run,
};
