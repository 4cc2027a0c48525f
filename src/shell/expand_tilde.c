/*
 * ~, ~/x, ~+, ~- and ~N. There are no other users in the view: ~name stays, but for the
 * name in USER.
 */
#include "shell/expand_parts.h"

static bool variable(struct tc_sh_env *env, const char *name, struct tc_str *ret_value)
{
    return tc_sh_vars_get(env->vars, tc_str_of(name), ret_value);
}

/* ~N and ~+N count from the left of the list of directories, ~-N from its right. */
static bool directory(struct tc_sh_env *env, struct tc_str text, struct tc_str *ret_home)
{
    bool right = text.p[0] == '-';
    int64_t n;

    if (text.p[0] == '+' || text.p[0] == '-')
        text = tc_str_from(text, 1);
    if (!tc_str_int(text, &n) || n < 0 || (uint64_t)n > env->dirs_n)
        return false;
    if (right)
        n = (int64_t)env->dirs_n - n;
    *ret_home = tc_str_of(n == 0 ? env->cwd : env->dirs[n - 1]);
    return true;
}

size_t tc_sh_tilde(struct tc_sh_env *env, struct tc_str text, bool assigned, bool last, struct tc_str *ret_home)
{
    struct tc_str user, name;
    size_t n = 1;

    while (n < text.n && text.p[n] != '/' && !(assigned && text.p[n] == ':'))
        n++;
    if (n == text.n && !last) /* ~$x and ~"x" are no prefixes */
        return 0;
    name = tc_str_n(text.p + 1, n - 1);
    if (name.n == 0) {
        if (!variable(env, "HOME", ret_home))
            *ret_home = TC_STR("/");
        return n;
    }
    if (tc_str_is(name, "+"))
        return variable(env, "PWD", ret_home) ? n : 0;
    if (tc_str_is(name, "-"))
        return variable(env, "OLDPWD", ret_home) ? n : 0;
    if (directory(env, name, ret_home))
        return n;
    return variable(env, "USER", &user) && tc_str_eq(user, name) && variable(env, "HOME", ret_home) ? n : 0;
}
