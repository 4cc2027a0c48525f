/*
 * A bounded queue of pointers between tasks of one loop: the sender parks when
 * it is full (back-pressure), the receiver when it is empty.
 */
#ifndef TC_IO_QUEUE_H
#define TC_IO_QUEUE_H

#include "io/task.h"

struct tc_queue {
    void **items;
    size_t cap, head, n;
    bool closed;
    struct tc_event room, filled;
};

/* cap > 0. */
enum tc_err tc_queue_init(struct tc_cx *cx, struct tc_queue *queue, size_t cap);
/* No task may wait in it. What is left in it is the owner's: take it first. */
void tc_queue_finish(struct tc_queue *queue);

/* item not NULL. TC_E_CLOSED after close. */
PARKS enum tc_err tc_queue_send(struct tc_cx *cx, struct tc_queue *queue, void *item);
bool tc_queue_try_send(struct tc_queue *queue, void *item); /* false: full or closed */
/* At most timeout_ms (negative: no limit). TC_E_CLOSED when closed and empty. */
PARKS enum tc_err tc_queue_recv(struct tc_cx *cx, struct tc_queue *queue, int64_t timeout_ms, void **ret_item);
void *tc_queue_try_recv(struct tc_queue *queue);            /* NULL: empty */
void tc_queue_close(struct tc_queue *queue);                /* wakes all; what is in it can still be received */

#endif
