/*
 * Blocking work on the bounded thread pool: SQLite, file system, hashing of
 * megabytes, name look-ups.
 */
#ifndef TC_IO_OFFLOAD_H
#define TC_IO_OFFLOAD_H

#include "io/task.h"

/* Runs fn(arg) on a pool thread and waits for its end, whatever happens to the
 * task meanwhile, since the thread uses its memory. Returns TC_OK when fn ran;
 * a cancellation shows at the next parking call. fn must not touch the loop,
 * the task or its arena's allocator. */
PARKS enum tc_err tc_offload(struct tc_cx *cx, void (*fn)(void *arg), void *arg);

#endif
