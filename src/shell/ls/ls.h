/*
 * What the parts of ls share: cmds/ls.c takes the options, list.c gathers and sorts,
 * tc_ls_show.c writes.
 */
#ifndef TC_SHELL_LS_LS_H
#define TC_SHELL_LS_LS_H

#include "base/zone.h"
#include "toolcrib/shellfs.h"

enum ls_format { LS_ONE, LS_LONG, LS_DOWN, LS_ACROSS, LS_COMMAS };
enum ls_sort { LS_BY_NAME, LS_BY_SIZE, LS_BY_TIME, LS_BY_EXTENSION, LS_BY_VERSION, LS_BY_WIDTH, LS_UNSORTED };
enum ls_time { LS_MODIFIED, LS_ACCESSED, LS_CHANGED };
enum ls_mark { LS_NO_MARK, LS_MARK_DIRS, LS_MARK_TYPES, LS_MARK_ALL };
enum ls_quoting { LS_LITERAL, LS_SHELL, LS_SHELL_ALWAYS, LS_SHELL_ESCAPE, LS_SHELL_ESCAPE_ALWAYS, LS_C, LS_ESCAPE };
enum ls_follow { LS_FOLLOW_USUAL, LS_FOLLOW_NONE, LS_FOLLOW_DIRS, LS_FOLLOW_OPERANDS, LS_FOLLOW_ALL };

struct ls {
    struct tc_cmd_call *c;
    enum ls_format format;
    enum ls_sort sort;
    enum ls_time time;
    enum ls_mark mark;
    enum ls_quoting quoting;
    enum ls_follow follow;
    enum { LS_VISIBLE, LS_ALMOST_ALL, LS_ALL } which;
    bool reverse, dirs_first, recursive, immediate, inode, blocks, numeric, no_owner, no_group, author;
    bool no_backups, hide_control;
    char end;
    unsigned human;     /* base of -h and --si; 0 none */
    int64_t block_size; /* of -s and totals */
    int64_t size_unit;  /* of the sizes in -l; 0 bytes */
    const char *unit;   /* written behind them: "K" when --block-size=K was asked for */
    size_t width, tab;  /* width 0: no limit */
    const char *recent_format, *old_format;
    char **ignore, **hide; /* patterns; NULL at the end */
    struct timespec now;
    struct tc_zone zone;
    bool begun; /* something was written */
    int status;
};

struct ls_file {
    const char *name;  /* as it is shown */
    const char *shown; /* with quotes */
    struct stat stat;
    bool has_stat, target_there;
    unsigned char type; /* DT_… */
    char *target;
    mode_t target_mode;
    size_t width;
};

/* Lists the operands, files first, then what is in folders. */
void tc_ls_operands(struct ls *ls, char **names, size_t n);
/* Writes files in the order they have. */
void tc_ls_show(struct ls *ls, struct ls_file **files, size_t n);
/* "total 12" */
void tc_ls_show_total(struct ls *ls, struct ls_file **files, size_t n);
/* The name as it is written. NULL without memory. */
const char *tc_ls_quote(struct ls *ls, const char *name);
bool tc_ls_is_dir(const struct ls_file *file);

#endif
