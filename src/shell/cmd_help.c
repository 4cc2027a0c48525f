/*
 * What --help writes, from a command's table: usage, summary, options.
 */
#include "shell/cmd_impl.h"

enum { LEFT_MAX = 28 };

/* "-n, --lines=N" of a row. */
static void put_names(struct tc_buf *buf, const struct tc_cmd_option *row)
{
    struct tc_str rest = tc_str_of(row->name), part;
    bool first = true, is_long = false;

    while (tc_str_split(&rest, ',', &part)) {
        is_long = part.n > 1;
        tc_buf_cstr(buf, first ? (is_long ? "      " : "  ") : ", ");
        tc_buf_printf(buf, "%s%.*s", is_long ? "--" : "-", TC_STR_ARG(part));
        first = false;
    }
    if (row->arg == TC_CMD_VALUE)
        tc_buf_printf(buf, "%s%s", is_long ? "=" : " ", row->value);
    else if (row->arg == TC_CMD_MAYBE)
        tc_buf_printf(buf, is_long ? "[=%s]" : "[%s]", row->value);
}

static void put_option(struct tc_cmd_out *out, const struct tc_cmd_option *row)
{
    struct tc_buf names;

    tc_buf_init(&names, 4096);
    put_names(&names, row);
    if (names.n > LEFT_MAX)
        tc_cmd_printf(out, "%.*s\n%*s%s\n", TC_STR_ARG(tc_buf_get(&names)), LEFT_MAX + 2, "", row->help);
    else
        tc_cmd_printf(out, "%-*.*s  %s\n", LEFT_MAX, TC_STR_ARG(tc_buf_get(&names)), row->help);
    tc_buf_finish(&names);
}

void tc_sh_cmd_help(const struct tc_cmd *cmd, struct tc_cmd_out *out)
{
    struct tc_str rest = tc_str_of(cmd->usage), line;
    const char *before = "Usage:";

    while (tc_str_split(&rest, '\n', &line)) {
        tc_cmd_printf(out, "%s %s%s%.*s\n", before, cmd->name, line.n ? " " : "", TC_STR_ARG(line));
        before = "  or: ";
    }
    tc_cmd_printf(out, "%s\n\n", cmd->summary);
    for (const struct tc_cmd_option *row = cmd->options; row && row->name; row++)
        put_option(out, row);
    put_option(out, &(struct tc_cmd_option){0, "help", TC_CMD_NONE, NULL, "display this help and exit"});
}
