/*
 * awk: the language as POSIX and gawk have it. The command's options are read by
 * src/shell/cmds/awk.c, which hands over what they say.
 */
#ifndef TC_SHELL_AWK_AWK_H
#define TC_SHELL_AWK_AWK_H

#include "shell/awk/source.h"

struct awk_options {
    const struct awk_source *sources; /* of the program, in their order */
    size_t n_sources;
    const char *field_separator;   /* of -F; NULL */
    const char *const *assignments; /* of -v */
    size_t n_assignments;
};

/* Runs it with the operands argv[at] …; gives the exit status. */
int tc_awk_run(struct tc_cmd_call *call, const struct awk_options *options);

#endif
