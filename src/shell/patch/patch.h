/*
 * What the parts of patch share: hunks as they are parsed from unified, context and
 * normal diffs, and their application to the lines of a file.
 */
#ifndef TC_SHELL_PATCH_PATCH_H
#define TC_SHELL_PATCH_PATCH_H

#include "toolcrib/shellfs.h"

enum { PATCH_LINES_MAX = 1 << 22 };

struct patch_line {
    char kind; /* ' ' both, '-' of the old file, '+' of the new one */
    struct tc_str text; /* with its end, but for the last line of a file that has none */
};

struct patch_hunk {
    struct patch_hunk *next;
    int64_t old_line, new_line; /* from 1; 0 when the side is empty at the start */
    struct patch_line *lines;
    size_t n, cap;
    size_t old_n, new_n;
};

struct patch_file { /* the part of a patch that changes one file */
    struct patch_file *next;
    struct tc_str old_name, new_name, index; /* p NULL: not told */
    struct tc_str old_header, new_header;    /* with what stands behind the names */
    bool old_is_none, new_is_none;           /* /dev/null or the epoch: made, removed */
    struct patch_hunk *hunks;
    size_t hunks_n;
};

/* All files of the patch, in the arena. NULL and *ret_fault NULL: there is none in it. */
struct patch_file *tc_patch_parse(struct tc_arena *arena, struct tc_str text, const char **ret_fault);

#endif
