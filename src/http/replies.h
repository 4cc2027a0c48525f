/*
 * The whole answers of one turn of the loop, copied, which leave together when the
 * turn ends, or when there are many: a client that has calls under way is then woken
 * once for several of them, and not once for each, and has work while others run.
 *
 * A connection has at most one answer here. Who writes to one that has, or closes it,
 * flushes first.
 */
#ifndef TC_HTTP_REPLIES_H
#define TC_HTTP_REPLIES_H

#include <uv.h>

#include "io/loop.h"

struct tc_conn;

enum { TC_REPLIES_MAX = 16, TC_REPLIES_BYTES = 64 * 1024 };

struct tc_replies {
    struct tc_loop *loop;
    struct tc_loop_hook turn;
    unsigned n;
    size_t used;
    struct {
        struct tc_conn *conn;
        size_t size;
    } items[TC_REPLIES_MAX];
    char bytes[TC_REPLIES_BYTES];
};

void tc_replies_init(struct tc_replies *replies, struct tc_loop *loop);
/* Takes a copy of an answer. False when it is to be sent at once: it is too large to be
 * copied, or the only one, since no other task is to run in this turn. */
bool tc_replies_put(struct tc_replies *replies, struct tc_conn *conn, const uv_buf_t *bufs, unsigned n);
/* Sends all that is here; a connection that fails is hung up. */
void tc_replies_flush(struct tc_replies *replies);

#endif
