/*
 * What else a command is told: exported variables, the time, chance, other commands.
 */
#include <errno.h>

#include "base/rand.h"
#include "shell/cmd_impl.h"
#include "shell/exec.h"

extern const struct tc_cmd *const tc_cmds_table[];

const char *tc_cmd_getenv(struct tc_cmd_call *c, const char *name)
{
    struct tc_str key = tc_str_of(name), value;

    if (!(tc_sh_vars_flags(c->env->vars, key) & TC_SH_VAR_EXPORT) || !tc_sh_vars_get(c->env->vars, key, &value))
        return NULL;
    return tc_arena_cstr(c->arena, value);
}

int tc_cmd_environ(struct tc_cmd_call *c, char ***ret_environ)
{
    char **environ = tc_sh_vars_environ(c->env->vars, c->arena);

    if (!environ)
        return tc_cmd_fail_memory(c) * ENOMEM;
    *ret_environ = environ;
    return 0;
}

struct timespec tc_cmd_now(struct tc_cmd_call *c)
{
    struct timespec now;

    if (c->env->sh->now)
        return c->env->sh->now(c->env->sh->now_arg);
    clock_gettime(CLOCK_REALTIME, &now);
    return now;
}

void tc_cmd_random(struct tc_cmd_call *c, void *p, size_t n)
{
    (void)c;
    tc_rand_bytes(p, n);
}

/* Builtins that are programs as well where there are programs. */
static const char *const programs_too[] = {"[", "echo", "false", "kill", "printf", "pwd", "test", "true"};

const char *tc_cmd_which(struct tc_cmd_call *c, const char *name)
{
    struct tc_str path;
    enum tc_sh_what what = tc_sh_exec_find(c->env, tc_str_of(name), &path);

    for (size_t i = 0; what == TC_SH_IS_BUILTIN && i < sizeof programs_too / sizeof *programs_too; i++)
        if (strcmp(name, programs_too[i]) == 0)
            return tc_arena_printf(c->arena, "/usr/bin/%s", name).p;
    return what == TC_SH_IS_COMMAND || what == TC_SH_IS_FILE ? tc_arena_cstr(c->arena, path) : NULL;
}

const struct tc_cmd *const *tc_cmd_all(void)
{
    return tc_cmds_table;
}
