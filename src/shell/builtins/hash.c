/*
 * hash: nothing is remembered here, commands are found by table.
 */
#include "shell/builtin.h"
#include "shell/exec_parts.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool paths = false, forget = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        paths |= option == 't';
        forget |= option == 'r' || option == 'd' || option == 'p';
    }
    if (c->at >= c->argc && !forget)
        tc_cmd_puts(c->out, "hash: hash table empty\n");
    for (int i = c->at; i < c->argc && !forget; i++) {
        struct tc_str path = {0};
        enum tc_sh_what what = tc_sh_exec_find(env, tc_sh_builtin_arg(c, i), &path);
        if (what == TC_SH_IS_NOTHING || (paths && what != TC_SH_IS_COMMAND && what != TC_SH_IS_FILE))
            tc_sh_builtin_fail(env, c, "%s: not found", c->argv[i]);
        else if (paths)
            tc_cmd_printf(c->out, "%.*s\n", TC_STR_ARG(path));
    }
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'r', "r", TC_CMD_NONE, NULL, "forget all"},
                                               {'d', "d", TC_CMD_NONE, NULL, "forget the names"},
                                               {'l', "l", TC_CMD_NONE, NULL, "list so that it can be read back"},
                                               {'p', "p", TC_CMD_VALUE, "pathname", "remember this path; accepted"},
                                               {'t', "t", TC_CMD_NONE, NULL, "print the path of each name"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_hash = {
    .cmd = {.name = "hash",
            .usage = "[-lr] [-p pathname] [-dt] [name ...]",
            .summary = "Remembers where commands are; here they need no search.",
            .options = options},
    .run = run};
