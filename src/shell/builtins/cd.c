/*
 * cd: PWD keeps the path as it was gone (-L) or as it is (-P).
 */
#include <errno.h>
#include <limits.h>
#include <unistd.h>
#include "shell/builtin.h"
#include "shell/chdir.h"

/* CDPATH, for names that do not begin with / ./ or ../ . True: gone there. */
static bool along_cdpath(struct tc_sh_env *env, struct tc_cmd_call *c, const char *name, bool physical)
{
    struct tc_str rest, folder;

    if (name[0] == '/' ||
        (name[0] == '.' && (!name[1] || name[1] == '/' || (name[1] == '.' && (!name[2] || name[2] == '/')))) ||
        !tc_sh_vars_get(env->vars, TC_STR("CDPATH"), &rest))
        return false;
    while (tc_str_split(&rest, ':', &folder)) {
        struct tc_str full =
            folder.n ? tc_arena_printf(c->arena, "%.*s/%s", TC_STR_ARG(folder), name) : tc_str_of(name);
        if (full.p && tc_sh_chdir(env, full.p, physical) == 0) {
            if (folder.n)
                tc_cmd_printf(c->out, "%s\n", env->cwd);
            return true;
        }
    }
    return false;
}

/* Where to; NULL: told. */
static const char *target(struct tc_sh_env *env, struct tc_cmd_call *c, bool *ret_tell)
{
    bool back = c->at < c->argc && !strcmp(c->argv[c->at], "-");
    struct tc_str value;
    const char *name = back ? "OLDPWD" : "HOME";

    *ret_tell = back;
    if (c->at < c->argc && !back)
        return c->argv[c->at];
    if (!tc_sh_vars_get(env->vars, tc_str_of(name), &value)) {
        tc_sh_builtin_fail(env, c, "%s not set", name);
        return NULL;
    }
    return tc_arena_cstr(c->arena, value);
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool physical = (env->options & TC_SH_O_PHYSICAL) != 0, tell;
    struct tc_str value;
    const char *name;
    int option, error;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        if (option == 'P' || option == 'L')
            physical = option == 'P';
    }
    if (c->argc - c->at > 1)
        return tc_sh_builtin_fail(env, c, "too many arguments");
    name = target(env, c, &tell);
    if (!name || along_cdpath(env, c, name, physical) || !name[0])
        return TC_SH_NEXT;
    error = tc_sh_chdir(env, name, physical);
    if (error && (env->shopt & TC_SH_S_CDABLE_VARS) && tc_sh_vars_get(env->vars, tc_str_of(name), &value)) {
        const char *there = tc_arena_cstr(c->arena, value);
        error = there ? tc_sh_chdir(env, there, physical) : ENOMEM;
        tell = true;
    }
    if (error)
        return tc_sh_builtin_fail(env, c, "%s: %s", name, strerror(error));
    if (tell)
        tc_cmd_printf(c->out, "%s\n", env->cwd);
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {
    {'L', "L", TC_CMD_NONE, NULL, "follow links as they are written"},
    {'P', "P", TC_CMD_NONE, NULL, "go by the physical path"},
    {'e', "e", TC_CMD_NONE, NULL, "with -P: fail when the working directory cannot be told"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_cd = {
    .cmd = {.name = "cd",
            .usage = "[-L|[-P [-e]] [-@]] [dir]",
            .summary = "Changes the working directory; without dir to HOME, with - to OLDPWD.",
            .options = options},
    .run = run};
