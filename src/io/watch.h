/*
 * Waiting until there is something to read at a descriptor that its owner reads
 * himself, such as a socket of messages.
 */
#ifndef TC_IO_WATCH_H
#define TC_IO_WATCH_H

#include "io/task.h"

struct tc_watch;

/* The descriptor stays the caller's, and open until the watch is closed. TC_E_IO. */
enum tc_err tc_watch_open(struct tc_cx *cx, struct tc_loop *loop, int fd, struct tc_watch **ret_watch);
/* Wakes who waits, with TC_E_CLOSED. NULL is fine. */
void tc_watch_close(struct tc_watch *watch);
/* Until a read would not wait, also for the end; at most timeout_ms (negative: no limit):
 * TC_E_TIMEOUT, or the reason of a cancellation. One task at a time. */
PARKS enum tc_err tc_watch_readable(struct tc_cx *cx, struct tc_watch *watch, int64_t timeout_ms);

#endif
