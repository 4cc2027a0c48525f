/*
 * Changing the working directory: cd, pushd, popd.
 */
#ifndef TC_SHELL_CHDIR_H
#define TC_SHELL_CHDIR_H

#include "shell/env.h"

/* 0 or an errno; PWD and OLDPWD are set. */
int tc_sh_chdir(struct tc_sh_env *env, const char *path, bool physical);

#endif
