/*
 * tar between its options (cmds/tar.c) and its two ways: reading and writing archives.
 */
#ifndef TC_SHELL_ARCHIVE_TAR_H
#define TC_SHELL_ARCHIVE_TAR_H

#include "shell/archive/tar_head.h"
#include "toolcrib/shellfs.h"

enum tc_tar_act { TC_TAR_NOTHING, TC_TAR_CREATE, TC_TAR_APPEND, TC_TAR_LIST, TC_TAR_EXTRACT };

struct tc_tar {
    struct tc_cmd_call *c;
    enum tc_tar_act act;
    enum tc_flow_kind kind;
    const char *archive; /* NULL: standard streams */
    char *folder; /* of -C; "" the working directory */
    char **excludes; /* patterns */
    size_t excludes_n;
    char **names; /* operands, those of -T behind */
    size_t names_n;
    bool *met; /* which of them were found; of reading */
    int strip, verbose;
    bool to_stdout, keep_old, keep_mode, no_mtime, follow, no_recursion, wildcards, absolute;
    bool has_mtime;
    int64_t mtime;
    const char *owner, *group;
    int status;
    bool told_slash; /* of "Removing leading `/'" */
};

int tc_tar_read_all(struct tc_tar *t); /* list and extract */
int tc_tar_write_all(struct tc_tar *t); /* create and append */

/* Whether a name is left out by --exclude. */
bool tc_tar_excluded(const struct tc_tar *t, const char *name);
/* Its line of -v: the name, or with `more` all that is known. */
void tc_tar_show(const struct tc_tar *t, const struct tc_tar_entry *entry, bool more, struct tc_cmd_out *out);
/* The path in the view: folder, then name; in the arena. NULL without memory. */
char *tc_tar_path(const struct tc_tar *t, const char *name);
/* "tar: TEXT", and the status is 2. */
void tc_tar_fault(struct tc_tar *t, const char *name, const char *why);

#endif
