/*
 * pwd: the working directory, as it was gone or as it is.
 */
#include <limits.h>
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool physical = (env->options & TC_SH_O_PHYSICAL) != 0;
    char real[PATH_MAX];
    int option, error;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        physical = option == 'P';
    }
    error = physical ? tc_sh_vfs_realpath(env->sh->vfs, env->cwd, 0, real) : 0;
    if (error)
        return tc_sh_builtin_fail(env, c, "error retrieving current directory: %s", strerror(error));
    tc_cmd_printf(c->out, "%s\n", physical ? real : env->cwd);
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'L', "L", TC_CMD_NONE, NULL, "the path as it was gone, with its links"},
                                               {'P', "P", TC_CMD_NONE, NULL, "the path without links"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_pwd = {
    .cmd = {.name = "pwd", .usage = "[-LP]", .summary = "Prints the working directory.", .options = options},
    .twin = true,
    .run = run};
