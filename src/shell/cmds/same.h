/*
 * Whether what cp and mv are told to write is what they read.
 */
#ifndef TC_SHELL_CMDS_SAME_H
#define TC_SHELL_CMDS_SAME_H

#include "toolcrib/shellfs.h"

struct tc_same {
    bool moves;        /* mv, which follows no link */
    bool follows;      /* a link that is read is followed */
    bool backup;       /* what is there is moved aside */
    bool remove_first; /* what is there is removed */
    bool link, symlink; /* links are made instead of copies */
};

enum tc_same_answer { TC_SAME_NOT, TC_SAME_REFUSED, TC_SAME_DONE /* there is nothing to do */ };

/* `to` may be missing: then it is another one. PARKS. */
enum tc_same_answer tc_same_file(struct tc_cmd_call *c, const struct tc_same *how, const char *from, const char *to);

#endif
