/*
 * rev: the characters of each line in reverse. What is not UTF-8 is reversed by bytes.
 */
#include "base/utf8.h"
#include "shell/cmds/inputs.h"

static const struct tc_cmd_option options[] = {{0}};

static void put_reversed(struct tc_cmd_call *c, struct tc_str line)
{
    size_t at = line.n;

    while (at > 0) {
        size_t from = at - 1;

        while (from > 0 && at - from < 4 && ((unsigned char)line.p[from] & 0xc0) == 0x80)
            from--;
        if (tc_utf8_sequence((const unsigned char *)line.p + from, at - from) != at - from)
            from = at - 1;
        tc_cmd_write(c->out, line.p + from, at - from);
        at = from;
    }
}

static int run(struct tc_cmd_call *c)
{
    int option, status = 0, n;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD)
            return 2;
    n = c->argc - c->at;
    for (int i = 0; i < (n ? n : 1) && !tc_cmd_stopped(c); i++) {
        const char *name = n ? c->argv[c->at + i] : "-";
        struct tc_cmd_in *in;
        struct tc_str line;
        bool ended;
        int error = tc_cmd_open(c, name, &in);

        if (error) {
            status = tc_cmd_fail(c, "cannot open %s: %s", name, strerror(error));
            continue;
        }
        while (tc_cmd_line(c, in, '\n', &line, &ended) > 0 && tc_cmd_tick(c, 1)) {
            put_reversed(c, line);
            if (ended)
                tc_cmd_putc(c->out, '\n');
        }
        if (tc_cmd_in_error(in) && !tc_cmd_stopped(c))
            status = tc_cmd_fail(c, "%s: %s", name, strerror(tc_cmd_in_error(in)));
        tc_cmd_close(c, in);
    }
    return status;
}

const struct tc_cmd tc_command_rev = {
    .name = "rev",
    .usage = "[FILE]...",
    .summary = "Reverse lines characterwise.",
    .options = options,
    .run = run,
};
