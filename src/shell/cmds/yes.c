/*
 * yes: a line again and again, until nobody reads it.
 */
#include "toolcrib/shellcmd.h"

static const struct tc_cmd_option options[] = {{0}};

enum { LINE_MAX = 1 << 20, BLOCK = 8192 };

static int run(struct tc_cmd_call *c)
{
    struct tc_buf line;
    size_t one;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END)
        if (option == TC_CMD_OPTION_BAD)
            return 2;
    tc_buf_init(&line, LINE_MAX);
    for (int i = c->at; i < c->argc; i++) {
        if (i > c->at)
            tc_buf_char(&line, ' ');
        tc_buf_cstr(&line, c->argv[i]);
    }
    if (c->at >= c->argc)
        tc_buf_char(&line, 'y');
    tc_buf_char(&line, '\n');
    one = line.n;
    tc_buf_reserve(&line, BLOCK); /* so that the line stays where it is while it is copied */
    while (!line.failed && line.n + one <= BLOCK)
        tc_buf_add(&line, line.p, one);
    if (line.failed)
        return tc_cmd_fail_memory(c);
    while (tc_cmd_tick(c, 1))
        tc_cmd_write(c->out, line.p, line.n);
    tc_buf_finish(&line);
    return 1;
}

const struct tc_cmd tc_command_yes = {
    .name = "yes",
    .usage = "[STRING]...",
    .summary = "Repeatedly output a line with all specified STRING(s), or 'y'.",
    .options = options,
    .run = run,
};
