/*
 * expand: tabs to blanks.
 */
#include "shell/cmds/inputs.h"
#include "shell/cmds/tabs.h"

static const struct tc_cmd_option options[] = {
    {'i', "i,initial", TC_CMD_NONE, NULL, "do not convert tabs after non blanks"},
    {'t', "t,tabs", TC_CMD_VALUE, "LIST", "use comma separated list of tab positions, or tabs N apart; -N is -t N"},
    {0}};

static void expand_line(struct tabs *t, struct tc_str line)
{
    struct tc_cmd_out *out = t->c->out;
    size_t column = 0;
    bool convert = true;

    for (size_t i = 0; i < line.n; i++) {
        char ch = line.p[i];

        if (convert && ch == '\t') {
            size_t stop = tc_tabs_next(t, column);

            for (stop = stop ? stop : column + 1; column + 1 < stop; column++)
                tc_cmd_putc(out, ' ');
            column++;
            ch = ' ';
        } else if (ch == '\b') {
            column -= column > 0;
        } else {
            column++;
        }
        convert = convert && (t->whole_line || ch == ' ' || ch == '\t');
        tc_cmd_putc(out, ch);
    }
}

static int run(struct tc_cmd_call *c)
{
    struct tabs *t = TC_ARENA_NEW(c->arena, struct tabs);
    struct tc_inputs inputs = {0};
    struct tc_str line;
    bool ended;
    int option;

    if (!t)
        return tc_cmd_fail_memory(c);
    t->c = c;
    t->whole_line = true;
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'i')
            t->whole_line = false;
        else if (!tc_tabs_parse(t, c->value))
            return 1;
    }
    tc_tabs_settle(t);
    while (tc_inputs_line(c, &inputs, '\n', &line, &ended)) {
        expand_line(t, line);
        if (ended)
            tc_cmd_putc(c->out, '\n');
    }
    return inputs.status;
}

const struct tc_cmd tc_command_expand = {
    .name = "expand",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Convert tabs in each FILE to spaces. With no FILE, or when FILE is -, read standard input.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
