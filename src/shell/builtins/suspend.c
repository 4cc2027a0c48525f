/*
 * suspend, fg and bg: there is no terminal whose jobs could be stopped.
 */
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    return tc_sh_builtin_fail(env, c, c->argv[0][0] == 's' ? "cannot suspend: no job control" : "no job control");
}

const struct tc_sh_builtin tc_sh_builtin_suspend = {
    .cmd = {.name = "suspend",
            .aliases = "fg bg",
            .usage = "[-f]",
            .summary = "Refused: this shell has no job control; use wait and kill."},
    .run = run};
