/*
 * Tab stops of expand and unexpand, from -t: one for all, a list, and behind it /N
 * (multiples of N) or +N (N apart).
 */
#ifndef TC_SHELL_CMDS_TABS_H
#define TC_SHELL_CMDS_TABS_H

#include "toolcrib/shellcmd.h"

enum { TC_TABS_MAX = 1024 };

struct tabs {
    struct tc_cmd_call *c;
    size_t stops[TC_TABS_MAX], n;
    size_t size; /* all apart; 0: see the stops */
    size_t extend, increment;
    bool whole_line; /* not only its first blanks */
};

/* Adds those of a list. False: the message is written. */
bool tc_tabs_parse(struct tabs *t, const char *list);
/* When all lists were read. */
void tc_tabs_settle(struct tabs *t);
/* The stop behind a column; 0 behind the last one. */
size_t tc_tabs_next(const struct tabs *t, size_t column);

#endif
