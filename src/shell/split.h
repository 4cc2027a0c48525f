/*
 * Splitting at IFS. Blanks among its characters that are space, tab and line feed are
 * white space: runs of them are one separator, and they are dropped at both ends. Each
 * other character is a separator by itself, with the white space around it.
 */
#ifndef TC_SHELL_SPLIT_H
#define TC_SHELL_SPLIT_H

#include "shell/env.h"

struct tc_sh_ifs {
    const unsigned char *kind; /* of 256 bytes: 1 white space, 2 another separator, 3 begins a longer character */
    struct tc_str text, joint; /* the value, in the scratch arena; its first character, for "$*" */
};

void tc_sh_ifs_read(struct tc_sh_env *env, struct tc_sh_ifs *ret_ifs);
/* What stands at text[at]: 0 no separator, 1 white space, 2 another; *ret_n its length. */
int tc_sh_ifs_at(const struct tc_sh_ifs *ifs, struct tc_str text, size_t at, size_t *ret_n);

#endif
