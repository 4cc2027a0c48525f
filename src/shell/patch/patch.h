/*
 * What the parts of patch share: hunks as they are parsed from unified, context and
 * normal diffs (parse.c), the file that they go to (name.c), where in it they fit
 * (apply.c), how those that fit nowhere are kept (reject.c), and what of git's headers is
 * not done (git.c).
 */
#ifndef TC_SHELL_PATCH_PATCH_H
#define TC_SHELL_PATCH_PATCH_H

#include "toolcrib/shellfs.h"

enum { PATCH_LINES_MAX = 1 << 22, PATCH_TEXT_MAX = 256 << 20 };

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
    struct tc_str function; /* what stands behind the ranges or the stars, with its blank */
};

enum patch_style { PATCH_UNIFIED, PATCH_CONTEXT, PATCH_NORMAL, PATCH_STYLES };

struct patch_file { /* the part of a patch that changes one file */
    struct patch_file *next;
    enum patch_style style;
    struct tc_str old_name, new_name, index; /* p NULL: not told */
    struct tc_str old_header, new_header;    /* with what stands behind the names */
    bool old_is_none, new_is_none;           /* /dev/null or the epoch: made, removed */
    bool stripped_cr;                        /* its lines ended by CR and LF */
    struct patch_hunk *hunks;
    size_t hunks_n;
    struct tc_str lead; /* the text before its first hunk, from the end of the file before */
    size_t line;        /* of the text, where the first hunk begins */
};

struct patch_reading {
    bool binary;                 /* the CR of lines stay */
    bool styles[PATCH_STYLES];   /* what is looked for; all when none is told */
};
/* All files of the patch up to a fault, in the arena; *ret_fault NULL: there is none. */
struct patch_file *tc_patch_parse(struct tc_arena *arena, struct tc_str text, struct patch_reading how,
                                  const char **ret_fault);

/* A run of the command. */
struct patch {
    struct tc_cmd_call *c;
    struct tc_cmd_out *out; /* where messages go */
    int64_t strip, fuzz;    /* strip -1: the last part of the name */
    bool ignore_space, reversed /* -R */, remove_empty, backup, no_mismatch, dry_run, silent, forward, batch, force;
    struct patch_reading reading;
    const char *input, *output, *reject, *suffix, *folder;
    int status;
    bool ended; /* by a fault: nothing follows */
    /* of the file at hand */
    bool reverse;
    struct tc_str *lines;
    size_t n;
    struct tc_buf result, rejects;
    size_t done;            /* lines that are in the result */
    int64_t offset, gained; /* of the last hunk; lines that the result is longer by */
    size_t failed;
    bool mismatch, skipped; /* skipped: its hunks are ignored */
    bool foreseen;          /* before any was looked at */
};

/* The file that is to be changed, or NULL. */
const char *tc_patch_name(struct patch *p, const struct patch_file *file);
/* A name as the view of files knows it: below the folder of -d. NULL: no memory, which is told. */
const char *tc_patch_path(struct patch *p, const char *name);

/* Splits the text of a file; memory of the arena. */
bool tc_patch_lines(struct patch *p, struct tc_str text);
/* Asks when the patch is to make what is there, or to empty what is empty; may turn it round or skip it. */
void tc_patch_foresee(struct patch *p, const struct patch_file *file, const char *name, bool exists);
/* Applies all hunks to the lines; what fits nowhere becomes a reject. */
PARKS void tc_patch_apply(struct patch *p, const struct patch_file *file);

/* A line on stderr for each thing in headers of git that is not done; the status is then 1. */
void tc_patch_tell_git(struct patch *p, struct tc_str text);

void tc_patch_put_reject(struct patch *p, const struct patch_file *file, const struct patch_hunk *hunk);

#endif
