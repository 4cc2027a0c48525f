/*
 * A logical path is cleaned of "." and ".." by its text, as the user sees it; only
 * where that leads nowhere the physical one is taken.
 */
#include "shell/chdir.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

static int enter(struct tc_sh_env *env, const char *path)
{
    struct stat st;
    int error = tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st);

    if (error)
        return error;
    if (!S_ISDIR(st.st_mode))
        return ENOTDIR;
    return tc_sh_vfs_access(env->sh->vfs, path, X_OK);
}

static bool set(struct tc_sh_env *env, const char *name, const char *value)
{
    return tc_sh_vars_set(env->vars, tc_str_of(name), tc_str_of(value)) != TC_SH_SET_MEMORY;
}

int tc_sh_chdir(struct tc_sh_env *env, const char *path, bool physical)
{
    char absolute[PATH_MAX], real[PATH_MAX];
    const char *to = absolute;
    int error = physical ? ENOENT : tc_sh_vfs_absolute(env->cwd, path, absolute);

    if (!error)
        error = enter(env, absolute);
    if (error) {
        int first = error;
        if (!tc_sh_env_path(env, tc_str_of(path), absolute))
            return ENAMETOOLONG;
        error = tc_sh_vfs_realpath(env->sh->vfs, absolute, 0, real);
        if (!error)
            error = enter(env, real);
        if (error)
            return physical ? error : first;
        to = real;
    }
    if (!set(env, "OLDPWD", env->cwd) || !tc_sh_env_set_cwd(env, to) || !set(env, "PWD", env->cwd))
        return ENOMEM;
    tc_sh_vars_mark(env->vars, TC_STR("OLDPWD"), TC_SH_VAR_EXPORT, 0);
    return 0;
}
