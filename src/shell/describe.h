/*
 * What a name means, in words: type, command -v and -V.
 */
#ifndef TC_SHELL_DESCRIBE_H
#define TC_SHELL_DESCRIBE_H

#include "shell/exec.h"

enum tc_sh_describe_flag {
    TC_SH_DESCRIBE_TERSE = 1 << 0, /* command -v */
    TC_SH_DESCRIBE_KIND = 1 << 1,  /* type -t */
    TC_SH_DESCRIBE_PATH = 1 << 2,
    TC_SH_DESCRIBE_FILES = 1 << 3, /* nothing else is looked for */
    TC_SH_DESCRIBE_ALL = 1 << 4,
    TC_SH_DESCRIBE_NO_FUNCTIONS = 1 << 5,
    TC_SH_DESCRIBE_USUAL = 1 << 6 /* along the usual PATH */
};

/* False when it means nothing, which is told on stderr unless the flags ask for a short answer. */
bool tc_sh_describe(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name, unsigned flags);

#endif
