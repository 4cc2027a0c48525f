/*
 * zip between its options (cmds/zip.c), what is to be stored and what is written.
 */
#ifndef TC_SHELL_ARCHIVE_ZIP_JOB_H
#define TC_SHELL_ARCHIVE_ZIP_JOB_H

#include "shell/archive/zip.h"

enum {
    TC_ZIP_ENTRIES_MAX = 65535,
    TC_ZIP_STATUS_BROKEN = 3,
    TC_ZIP_STATUS_NOTHING = 12,
    TC_ZIP_STATUS_FAILED = 15,
    TC_ZIP_STATUS_UNREAD = 18
};

struct tc_zip_file { /* what is to be stored */
    char *path, *name;
    struct stat stat;
    bool stored;
};

struct tc_zip_job {
    struct tc_cmd_call *c;
    const char *path; /* NULL: standard output */
    char **excludes, **includes;
    int excludes_n, includes_n, level, status;
    bool recurse, quiet, flat, delete, update, freshen, move, links, no_folders, no_extra, test, names_stdin;
    struct tc_zip old, now;
    struct tc_zip_file *files;
    size_t n, cap;
    struct tc_cmd_out *out, *words;
    uint64_t at;
    bool exists;
    struct stat archive;
};

/* Whether one of the patterns matches the name. */
bool tc_zip_matches(char **patterns, int n, const char *name);
/* "zip error: WHY (ARCHIVE)"; returns the status. */
int tc_zip_fail(struct tc_zip_job *z, int status, const char *why);
/* The files that the operands name, into z->files. False when the call is over. */
bool tc_zip_gather(struct tc_zip_job *z);
/* Writes the archive: what stays of the old one, and the files. The status. */
int tc_zip_make(struct tc_zip_job *z);

#endif
