/*
 * shopt: the other options of bash, and with -o those of set.
 */
#include "shell/builtin.h"

static bool is_on(unsigned bits, const struct tc_sh_option_row *row)
{
    return row->bit ? (bits & row->bit) != 0 : row->on;
}

static void put(struct tc_cmd_call *c, const struct tc_sh_option_row *row, bool on, bool as_commands, bool of_set)
{
    if (as_commands && of_set)
        tc_cmd_printf(c->out, "set %co %s\n", on ? '-' : '+', row->name);
    else if (as_commands)
        tc_cmd_printf(c->out, "shopt -%c %s\n", on ? 's' : 'u', row->name);
    else
        tc_cmd_printf(c->out, "%-15s\t%s\n", row->name, on ? "on" : "off");
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool as_commands = false, quiet = false, of_set = false;
    const struct tc_sh_option_row *rows, *row;
    int option, way = 0, status = 0;
    unsigned *bits;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        as_commands |= option == 'p';
        quiet |= option == 'q';
        of_set |= option == 'o';
        if ((option == 's' || option == 'u') && way && way != option)
            return tc_sh_builtin_fail(env, c, "cannot set and unset shell options simultaneously");
        if (option == 's' || option == 'u')
            way = option;
    }
    rows = of_set ? tc_sh_option_rows : tc_sh_shopt_rows;
    bits = of_set ? &env->options : &env->shopt;
    for (row = rows; c->at >= c->argc && !quiet && row->name; row++)
        if (!way || is_on(*bits, row) == (way == 's'))
            put(c, row, is_on(*bits, row), as_commands, of_set);
    for (int i = c->at; i < c->argc; i++) {
        row = tc_sh_option_find(rows, tc_sh_builtin_arg(c, i));
        if (!row) {
            tc_sh_builtin_fail(env, c, of_set ? "%s: invalid option name" : "%s: invalid shell option name",
                               c->argv[i]);
            status = 1;
        } else if (way) {
            *bits = way == 's' ? *bits | row->bit : *bits & ~row->bit;
        } else {
            status |= !is_on(*bits, row);
            if (!quiet)
                put(c, row, is_on(*bits, row), as_commands, of_set);
        }
    }
    return tc_sh_builtin_done(env, status);
}

static const struct tc_cmd_option options[] = {{'o', "o", TC_CMD_NONE, NULL, "the options of set -o"},
                                               {'p', "p", TC_CMD_NONE, NULL, "list so that it can be read back"},
                                               {'q', "q", TC_CMD_NONE, NULL, "the status alone tells"},
                                               {'s', "s", TC_CMD_NONE, NULL, "switch on"},
                                               {'u', "u", TC_CMD_NONE, NULL, "switch off"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_shopt = {.cmd = {.name = "shopt",
                                                          .usage = "[-pqsu] [-o] [optname ...]",
                                                          .summary = "Sets and lists options of the shell.",
                                                          .options = options},
                                                  .run = run};
