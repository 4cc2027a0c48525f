/*
 * tar between its options (cmds/tar.c) and its two ways: reading and writing archives.
 */
#ifndef TC_SHELL_ARCHIVE_TAR_H
#define TC_SHELL_ARCHIVE_TAR_H

#include "shell/archive/tar_head.h"
#include "toolcrib/shellfs.h"

enum tc_tar_act {
    TC_TAR_NOTHING,
    TC_TAR_CREATE,
    TC_TAR_APPEND,
    TC_TAR_UPDATE, /* append what is newer */
    TC_TAR_JOIN,   /* append what other archives hold */
    TC_TAR_DELETE,
    TC_TAR_LIST,
    TC_TAR_EXTRACT,
    TC_TAR_DIFF
};

enum { TC_TAR_CHUNK = 64 * 1024 }; /* that is copied or compared at a time */

/* What becomes of a file that is there. */
enum tc_tar_old { TC_TAR_REPLACE, TC_TAR_OVERWRITE, TC_TAR_KEEP, TC_TAR_SKIP, TC_TAR_KEEP_NEWER };

/* Which names an expression of --transform changes. */
enum tc_tar_kind { TC_TAR_NAMES = 1, TC_TAR_SYMLINKS = 2, TC_TAR_HARD_LINKS = 4, TC_TAR_ALL_KINDS = 7 };

struct tc_tar_name { /* an operand, or a line of -T */
    char *text;
    const char *folder; /* of the -C before it; "" without */
    bool met;
};

struct tc_tar_owner {
    const char *name; /* NULL: not given; "" a number alone */
    unsigned id;
};

struct tc_tar {
    struct tc_cmd_call *c;
    enum tc_tar_act act;
    enum tc_flow_kind kind;
    const char *archive; /* NULL: standard streams */
    const char *folder; /* of the last -C, or of the name at hand; "" the working directory */
    char **excludes; /* patterns */
    size_t excludes_n;
    struct tc_tar_name *names;
    size_t names_n, names_cap;
    int taken; /* operands that are among the names already */
    int strip, verbose;
    enum tc_tar_old old;
    struct tc_tar_transform *transforms; /* their sed is heap: tc_tar_finish_transforms */
    unsigned transform_kinds; /* of what --transform is for when its flags do not say */
    bool wants_top, no_vcs;
    const char *top; /* of --one-top-level; NULL */
    char separator; /* of names in files: a line feed, or NUL */
    bool to_stdout, keep_mode, no_mtime, follow, no_recursion, wildcards, no_wildcards, absolute;
    bool numeric, full_time, remove, ignore_failed, has_mtime;
    int64_t mtime;
    struct tc_tar_owner owner, group;
    int status;
    bool told_slash; /* of "Removing leading `/'" */
};

struct tc_tar_data { /* of an entry that is read */
    struct tc_flow *flow;
    char *chunk; /* TC_TAR_CHUNK bytes of room */
};

PARKS int tc_tar_read_all(struct tc_tar *t); /* list, extract and compare */
PARKS int tc_tar_write_all(struct tc_tar *t); /* all that makes an archive */

/* The operands that stand before the option at hand, n in all, belong to the -C before it. False without memory. */
bool tc_tar_take_operands(struct tc_tar *t, int n);
/* -T, -X and -C, which is relative to the one before: 0 or the status. */
int tc_tar_add_names(struct tc_tar *t, const char *path);
int tc_tar_add_patterns(struct tc_tar *t, const char *path);
int tc_tar_set_folder(struct tc_tar *t, const char *value);
/* "tar: WHAT: Cannot open: …", and that is the end: 2. */
int tc_tar_cannot_open(struct tc_cmd_call *c, const char *what, int error);

/* Compares an entry with what is there. What of its data was not read. */
int64_t tc_tar_diff(struct tc_tar *t, const struct tc_tar_data *data, const struct tc_tar_entry *entry);

/* An argument of --transform: NULL, or what is wrong with it. */
PARKS const char *tc_tar_add_transform(struct tc_tar *t, const char *text);
void tc_tar_finish_transforms(struct tc_tar *t);
/* The name as --transform makes it, the '/' behind a folder's aside. NULL: that was told. */
PARKS char *tc_tar_transform(struct tc_tar *t, enum tc_tar_kind kind, char *name);
/* Likewise the name of an entry, and the one that it links to; false: that was told. */
PARKS bool tc_tar_transform_entry(struct tc_tar *t, struct tc_tar_entry *entry);

/* Whether a name, or what a link holds, has ".." in it. */
bool tc_tar_has_dots(const char *name);
/* Without its first folders, as --strip-components says; NULL when nothing is left. */
const char *tc_tar_stripped(const struct tc_tar *t, const char *name);
/* The name under which an entry is extracted: NULL when it is not. */
const char *tc_tar_place(struct tc_tar *t, const char *name);
/* What --one-top-level takes when it is given no folder: the archive's name without suffix; NULL: it has none. */
const char *tc_tar_top_of(struct tc_cmd_call *c, const char *archive);

/* Whether a name is left out by --exclude or --exclude-vcs. */
bool tc_tar_excluded(const struct tc_tar *t, const char *name);
/* Whether the operands ask for it; without any all is asked for. */
bool tc_tar_wanted(struct tc_tar *t, const char *name);
/* Tells of operands that no entry met. */
void tc_tar_tell_missing(struct tc_tar *t);
/* Tells once that leading slashes are taken off; the name without them. */
const char *tc_tar_relative(struct tc_tar *t, const char *name);
/* Its line of -v: the name, or with `more` all that is known. */
void tc_tar_show(const struct tc_tar *t, const struct tc_tar_entry *entry, bool more, struct tc_cmd_out *out);
/* The path in the view: folder, then name; in the arena. NULL without memory. */
char *tc_tar_path(const struct tc_tar *t, const char *name);
/* "tar: TEXT", and the status is 2. */
void tc_tar_fault(struct tc_tar *t, const char *name, const char *why);

#endif
