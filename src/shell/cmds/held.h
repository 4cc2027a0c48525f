/*
 * What head and tail hold back of a stream: what may be among its last lines or bytes.
 */
#ifndef TC_SHELL_CMDS_HELD_H
#define TC_SHELL_CMDS_HELD_H

#include "toolcrib/shellcmd.h"

struct held {
    struct tc_buf buf;
    bool bytes;    /* are counted instead of lines */
    char end;      /* of a line */
    int64_t n;     /* how many last ones there are */
    int64_t lines; /* ends in the buffer */
};

void tc_held_init(struct held *held, bool bytes, char end, int64_t n);
void tc_held_finish(struct held *held);
/* Reads to the end; what cannot be among the last ones is written to `out`, or dropped when it is NULL. The
 * last ones are in the buffer then. -1 as tc_cmd_peek; without memory it is told. PARKS. */
ssize_t tc_held_read(struct held *held, struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out);

#endif
