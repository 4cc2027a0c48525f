/*
 * The lines that were typed, for `history` and `fc`: one list for all environments of a
 * call. An interactive shell fills it, and so does a script after `set -o history`.
 */
#ifndef TC_SHELL_HISTORY_H
#define TC_SHELL_HISTORY_H

#include "shell/env.h"

struct tc_sh_history {
    char **lines; /* owned */
    size_t n, cap;
    int64_t dropped;    /* how many are gone at the beginning: numbers go on */
    size_t fresh;       /* how many at the end are in no file yet: history -a */
    size_t file_lines;  /* how many lines of the file are known: history -n */
};

/* The list, made when there is none; NULL without memory. */
struct tc_sh_history *tc_sh_history_get(struct tc_sh *sh);
void tc_sh_history_destroy(struct tc_sh_history *history); /* NULL is fine */
/* At the end; the oldest goes when there are too many. False without memory. */
bool tc_sh_history_add(struct tc_sh_history *history, struct tc_str line);
void tc_sh_history_remove(struct tc_sh_history *history, size_t from, size_t to); /* [from, to) */
/* A command as it was read: its lines are joined; blank ones are passed over. */
bool tc_sh_history_note(struct tc_sh *sh, struct tc_str command);
/* The newest line below index `end` that begins so; SIZE_MAX when there is none. */
size_t tc_sh_history_find(const struct tc_sh_history *history, size_t end, struct tc_str prefix);

#endif
