/*
 * Lines on their way to a server. Tasks append whole lines; one writing task
 * takes all that has gathered and writes it in one go. It knows to the byte what
 * the pipe has taken, so that a request can be said not to have left.
 */
#ifndef TC_MCP_CLIENT_OUTBOX_H
#define TC_MCP_CLIENT_OUTBOX_H

#include "io/stream.h"

struct tc_outbox {
    struct tc_buf next;      /* lines that wait, and the one that is being appended */
    size_t whole;            /* bytes of next that are whole lines */
    struct tc_buf flight;    /* being written */
    uint64_t queued;         /* bytes of whole lines ever appended */
    uint64_t written;        /* bytes ever taken by the pipe */
    struct tc_event filled;  /* next is not empty, or closed */
    struct tc_event room;    /* next is not too long, or closed */
    bool closed;
};

void tc_outbox_init(struct tc_outbox *outbox);
void tc_outbox_finish(struct tc_outbox *outbox);

/* Whether there is room for a line that may be dropped instead. */
bool tc_outbox_has_room(const struct tc_outbox *outbox);
/* A message is appended to outbox->next and then committed, with no parking in
 * between: the line end is added, and *ret_start and *ret_end say where the
 * message lies among all bytes sent; it has left when written reaches the end.
 * False when memory failed: all lines that waited are lost, the outbox is closed. */
bool tc_outbox_commit(struct tc_outbox *outbox, uint64_t *ret_start, uint64_t *ret_end);
/* Takes back a message that has not begun to leave; false when it has. What lies
 * behind it moves up by end - start + 1 bytes. */
bool tc_outbox_withdraw(struct tc_outbox *outbox, uint64_t start, uint64_t end);

/* Writes what comes until the outbox is closed or the pipe fails. fd is the
 * stream's own descriptor, a pipe. */
PARKS enum tc_err tc_outbox_run(struct tc_cx *cx, struct tc_outbox *outbox, struct tc_stream *stream, int fd);
/* Nothing more is written. */
void tc_outbox_close(struct tc_outbox *outbox);

#endif
