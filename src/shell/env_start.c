/*
 * The variables that a shell begins with: what it was given, and where that is absent
 * what bash makes itself. Those that never change are there already (special.c).
 */
#include "shell/env.h"

#include <stdio.h>

static bool set(struct tc_sh_env *env, const char *name, const char *value, unsigned flags)
{
    struct tc_str key = tc_str_of(name);

    return tc_sh_vars_set(env->vars, key, tc_str_of(value)) == TC_SH_SET_OK &&
           (!flags || tc_sh_vars_mark(env->vars, key, flags, 0) == TC_SH_SET_OK);
}

static bool set_absent(struct tc_sh_env *env, const char *name, const char *value, unsigned flags)
{
    return tc_sh_vars_exists(env->vars, tc_str_of(name)) || set(env, name, value, flags);
}

static bool import(struct tc_sh_env *env, char *const *environ)
{
    for (; *environ; environ++) {
        struct tc_str row = tc_str_of(*environ), name = row;
        size_t at = tc_str_chr(row, '=');

        name.n = at == SIZE_MAX ? 0 : at;
        if (!tc_sh_parser_is_name(name) || (tc_sh_vars_flags(env->vars, name) & TC_SH_VAR_READONLY))
            continue;
        if (tc_sh_vars_set(env->vars, name, tc_str_from(row, at + 1)) != TC_SH_SET_OK ||
            tc_sh_vars_mark(env->vars, name, TC_SH_VAR_EXPORT, 0) != TC_SH_SET_OK)
            return false;
    }
    return true;
}

static bool set_level(struct tc_sh_env *env)
{
    struct tc_str level;
    int64_t number = 0;
    char text[24];

    if (!tc_sh_vars_get(env->vars, TC_STR("SHLVL"), &level) || !tc_str_int(level, &number) || number < 0 ||
        number > 998)
        number = 0;
    snprintf(text, sizeof text, "%d", (int)number + 1);
    return set(env, "SHLVL", text, TC_SH_VAR_EXPORT);
}

bool tc_sh_env_start(struct tc_sh_env *env, char *const *environ)
{
    return import(env, environ) && set(env, "IFS", " \t\n", 0) && set(env, "OPTIND", "1", 0) &&
           set(env, "OPTERR", "1", 0) && set_absent(env, "PS4", "+ ", 0) &&
           set_absent(env, "PATH", "/usr/local/bin:/usr/bin:/bin", 0) && set(env, "PWD", env->cwd, TC_SH_VAR_EXPORT) &&
           set_absent(env, "SHELL", "/bin/bash", 0) && set_absent(env, "TERM", "dumb", 0) && set_level(env);
}
