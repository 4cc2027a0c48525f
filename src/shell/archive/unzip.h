/*
 * unzip between its options (cmds/unzip.c) and its two ways: listing and extraction.
 */
#ifndef TC_SHELL_ARCHIVE_UNZIP_H
#define TC_SHELL_ARCHIVE_UNZIP_H

#include "shell/archive/zip.h"

enum { TC_UNZIP_WARNING = 1, TC_UNZIP_ERROR = 2, TC_UNZIP_BROKEN = 3, TC_UNZIP_NO_FILE = 9, TC_UNZIP_USAGE = 10 };
enum { TC_UNZIP_NONE = 11, TC_UNZIP_DISK = 50, TC_UNZIP_NO_METHOD = 81 };

struct tc_unzip_late;

struct tc_unzip {
    struct tc_cmd_call *c;
    const char *path, *folder;
    char **excludes;
    bool *met, *excludes_met;
    int excludes_n, quiet, status;
    char act; /* x l v t p c 1 */
    char old; /* what becomes of files that are there: '?', 'o' or 'n' */
    char newer; /* 'u': only what is newer or not there; 'f': only what is newer; or 0 */
    int lower;  /* 1: names of DOS in lower case; more: all */
    bool flat, icase, zipinfo;
    struct tc_zip zip;
    struct tc_unzip_late *late, **late_end;
};

/* The worst status is the command's. */
void tc_unzip_worse(struct tc_unzip *u, int status);
/* Whether the operands ask for it, and -x does not leave it out. */
bool tc_unzip_wants(struct tc_unzip *u, const char *name);
void tc_unzip_list(struct tc_unzip *u);
/* Extraction, -t, -p and -c. */
void tc_unzip_all(struct tc_unzip *u);
/* Tells of operands that met nothing. */
void tc_unzip_tell_missing(struct tc_unzip *u);
/* Unpacks, and tells what is wrong with it. `shown` stands on the line unless it is quiet. */
bool tc_unzip_content(struct tc_unzip *u, const struct tc_zip_entry *entry, const char *shown, struct tc_cmd_out *out);
/* Puts it below the folder; links wait until finish. */
void tc_unzip_extract(struct tc_unzip *u, const struct tc_zip_entry *entry);
void tc_unzip_finish(struct tc_unzip *u);

#endif
