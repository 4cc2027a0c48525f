/*
 * Commands that run another one in a way of their own.
 */
#include "shell/cmds/launch.h"

#include <string.h>

int tc_launch(struct tc_cmd_call *c, const struct tc_cmd_run *run)
{
    const char *how = strcmp(tc_cmd_called(c), "timeout") == 0 ? "failed to run command " : "";
    struct tc_cmd_run known = *run;
    int status, error = 0;

    known.ret_error = &error;
    if (!tc_cmd_flush(c->out))
        return 1;
    status = tc_cmd_spawn(c, &known);
    if (error)
        tc_cmd_fail(c, "%s‘%s’: %s", how, run->argv[0], strerror(error));
    return status;
}

char **tc_launch_environ(struct tc_cmd_call *c, const char *name, const char *value)
{
    size_t n = strlen(name), kept = 0;
    char **all, **environ, **to;

    if (tc_cmd_environ(c, &all))
        return NULL;
    while (all[kept])
        kept++;
    environ = to = TC_ARENA_NEW_N(c->arena, char *, kept + 2);
    if (!environ)
        return NULL;
    for (; *all; all++)
        if (strncmp(*all, name, n) != 0 || (*all)[n] != '=')
            *to++ = *all;
    *to++ = (char *)tc_arena_printf(c->arena, "%s=%s", name, value).p;
    *to = NULL;
    return environ;
}
