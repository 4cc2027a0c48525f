/*
 * fold: lines cut at a width, which counts columns (tabs, backspaces and carriage
 * returns move) or with -b bytes.
 */
#include "shell/cmds/inputs.h"

enum { LINE_MAX = 256 << 20 };

static const struct tc_cmd_option options[] = {
    {'b', "b,bytes", TC_CMD_NONE, NULL, "count bytes rather than columns"},
    {'s', "s,spaces", TC_CMD_NONE, NULL, "break at spaces"},
    {'w', "w,width", TC_CMD_VALUE, "WIDTH", "use WIDTH columns instead of 80; -WIDTH is the same"},
    {0}};

struct fold {
    struct tc_cmd_call *c;
    struct tc_buf line;
    size_t width, column;
    bool bytes, spaces;
};

static size_t column_after(const struct fold *f, size_t column, char c)
{
    if (f->bytes)
        return column + 1;
    switch (c) {
    case '\b': return column ? column - 1 : 0;
    case '\r': return 0;
    case '\t': return column - column % 8 + 8;
    default: return column + 1;
    }
}

/* Writes the line up to `n` with an end; the rest stays. */
static void cut(struct fold *f, size_t n)
{
    tc_cmd_write(f->c->out, f->line.p, n);
    tc_cmd_putc(f->c->out, '\n');
    tc_buf_drop(&f->line, n);
    f->column = 0;
    for (size_t i = 0; i < f->line.n; i++)
        f->column = column_after(f, f->column, f->line.p[i]);
}

static void add(struct fold *f, char c)
{
    while (column_after(f, f->column, c) > f->width && f->line.n > 0) {
        size_t at = f->line.n;

        while (f->spaces && at > 0 && f->line.p[at - 1] != ' ' && f->line.p[at - 1] != '\t')
            at--;
        cut(f, f->spaces && at > 0 ? at : f->line.n);
    }
    f->column = column_after(f, f->column, c);
    tc_buf_char(&f->line, c);
}

static int fold_files(struct fold *f)
{
    struct tc_inputs inputs = {0};
    struct tc_str bytes;

    while (tc_inputs_next(f->c, &inputs)) {
        while (tc_cmd_peek(f->c, inputs.in, &bytes) > 0 && tc_cmd_tick(f->c, 1 + (unsigned)(bytes.n >> 6))) {
            for (size_t i = 0; i < bytes.n; i++) {
                if (bytes.p[i] != '\n') {
                    add(f, bytes.p[i]);
                    continue;
                }
                cut(f, f->line.n);
            }
            tc_cmd_took(inputs.in, bytes.n);
        }
        tc_cmd_write(f->c->out, f->line.p, f->line.n);
        f->line.n = f->column = 0;
        if (f->line.failed)
            return tc_cmd_fail_memory(f->c);
    }
    return inputs.status;
}

static int run(struct tc_cmd_call *c)
{
    struct fold f = {.c = c, .width = 80};
    int option, status;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        int64_t width;

        if (option == TC_CMD_OPTION_BAD)
            return 2;
        f.bytes |= option == 'b';
        f.spaces |= option == 's';
        if (option != 'w' && option != TC_CMD_OPTION_NUMBER)
            continue;
        if (!tc_cmd_number(c->value, false, &width) || width < 1)
            return tc_cmd_fail(c, "invalid number of columns: ‘%s’%s", c->value,
                               !strcmp(c->value, "0") ? ": Numerical result out of range" : "");
        f.width = (size_t)width;
    }
    tc_buf_init(&f.line, LINE_MAX);
    status = fold_files(&f);
    tc_buf_finish(&f.line);
    return status;
}

const struct tc_cmd tc_command_fold = {
    .name = "fold",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Wrap input lines in each FILE, writing to standard output.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
