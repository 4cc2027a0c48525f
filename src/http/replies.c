/*
 * One buffer for the answers of all connections, in the order in which they came.
 */
#include "http/replies.h"

#include <stddef.h>
#include <string.h>

#include "http/conn.h"

enum { ANSWER_MAX = 8 * 1024 }; /* larger ones are worth a system call of their own, and no copy */

static void end_turn(struct tc_loop_hook *hook)
{
    tc_replies_flush((struct tc_replies *)((char *)hook - offsetof(struct tc_replies, turn)));
}

void tc_replies_init(struct tc_replies *replies, struct tc_loop *loop)
{
    replies->loop = loop;
    replies->turn.fn = end_turn;
}

bool tc_replies_put(struct tc_replies *replies, struct tc_conn *conn, const uv_buf_t *bufs, unsigned n)
{
    size_t size = 0;

    for (unsigned i = 0; i < n; i++)
        size += bufs[i].len;
    if (size > ANSWER_MAX || (replies->n == 0 && !tc_loop_has_ready(replies->loop)))
        return false;
    if (replies->n == TC_REPLIES_MAX || size > sizeof replies->bytes - replies->used)
        tc_replies_flush(replies);
    for (unsigned i = 0; i < n; i++) {
        memcpy(replies->bytes + replies->used, bufs[i].base, bufs[i].len);
        replies->used += bufs[i].len;
    }
    replies->items[replies->n].conn = conn;
    replies->items[replies->n++].size = size;
    conn->answered = true;
    tc_loop_after_turn(replies->loop, &replies->turn);
    return true;
}

void tc_replies_flush(struct tc_replies *replies)
{
    char *at = replies->bytes;

    for (unsigned i = 0; i < replies->n; i++) {
        size_t size = replies->items[i].size;

        tc_conn_send(replies->items[i].conn, tc_str_n(at, size));
        at += size;
    }
    replies->n = 0;
    replies->used = 0;
}
