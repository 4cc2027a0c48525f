/*
 * Copying files and trees: cp, mv from one mount to another, install.
 */
#ifndef TC_SHELL_CMDS_COPY_H
#define TC_SHELL_CMDS_COPY_H

#include "shell/cmds/target.h"

struct tc_copy_seen;

struct tc_copy {
    struct tc_cmd_call *c;
    struct tc_target *target;
    bool recursive;
    enum { TC_COPY_FOLLOW_USUAL, TC_COPY_FOLLOW_NONE, TC_COPY_FOLLOW_OPERANDS, TC_COPY_FOLLOW_ALL } follow;
    bool mode, times, links; /* that are preserved */
    bool no_mode;            /* not even the mode of a new file */
    bool force, ask, no_clobber, update, remove_first, verbose;
    bool link, symlink, attributes_only;
    bool quiet_name; /* mv tells itself */
    const char *from, *to; /* the operand's */
    dev_t into_device;     /* the folder that it is copied to: what lies in it is not copied as well */
    ino_t into;
    struct tc_copy_seen *seen; /* inodes with several names, and where they were copied to */
};

/* Copies `from` to `to`, with all that is below. The status; what failed is told. */
int tc_copy(struct tc_copy *copy, const char *from, const char *to);

#endif
