/*
 * What else a command is told: exported variables, the time, chance, other commands.
 */
#include <errno.h>

#include "base/rand.h"
#include "shell/cmd_impl.h"
#include "shell/exec_parts.h"

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

const char *const *tc_cmd_which(struct tc_cmd_call *c, const char *name)
{
    struct tc_str rest = {0}, path = tc_str_of(name);
    struct tc_sh_found found;
    size_t n = 0, most = 1;
    const char **paths;

    tc_sh_vars_get(c->env->vars, TC_STR("PATH"), &rest);
    for (size_t i = 0; i < rest.n; i++)
        most += rest.p[i] == ':';
    paths = TC_ARENA_NEW_N(c->arena, const char *, most + 1);
    if (paths && strchr(name, '/')) {
        tc_sh_exec_look(c->env, path, false, &found);
        paths[0] = found.what == TC_SH_IS_NOTHING ? NULL : name;
        return paths;
    }
    while (paths && n < most && *name && tc_sh_exec_along(c->env, tc_str_of(name), &rest, &path))
        if (!(paths[n++] = tc_arena_cstr(c->arena, path)))
            return NULL;
    return paths;
}

const struct tc_cmd *const *tc_cmd_all(void)
{
    return tc_cmds_table;
}
