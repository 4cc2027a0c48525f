/*
 * What diff compares with what: two files, a file with the one of its name in a
 * folder, folders entry by entry. One struct for a run of the command.
 */
#ifndef TC_SHELL_DIFF_PATHS_H
#define TC_SHELL_DIFF_PATHS_H

#include "shell/diff/diff.h"

struct diff_pattern {
    struct diff_pattern *next;
    struct tc_str text;
};

struct diff_paths {
    struct tc_cmd_call *c;
    struct diff_options o;
    struct diff_pattern *excluded; /* names that -x leaves out */
    const char *starting;          /* -S: names before it are passed over in the folders that were told */
    struct tc_buf switches;        /* the options as given, for the line before each file of a folder */
};

/* Compares two paths as they were told. 0 the same, 1 different, 2 after a fault, which is told. PARKS. */
PARKS int tc_diff_paths(struct diff_paths *k, const char *a, const char *b);
int tc_diff_fault(struct diff_paths *k, const char *path, int error); /* tells it; 2 */

#endif
