/*
 * Commands that run another one in a way of their own.
 */
#include "shell/cmds/launch.h"

#include <errno.h>
#include <string.h>

int tc_launch(struct tc_cmd_call *c, const struct tc_cmd_run *run)
{
    const char *name = run->argv[0];
    const char *how = strcmp(c->argv[0], "timeout") == 0 ? "failed to run command " : "";

    if (!strchr(name, '/') && !tc_cmd_which(c, name)) {
        tc_cmd_fail(c, "%s‘%s’: %s", how, name, strerror(ENOENT));
        return 127;
    }
    if (!tc_cmd_flush(c->out))
        return 1;
    return tc_cmd_spawn(c, run);
}
