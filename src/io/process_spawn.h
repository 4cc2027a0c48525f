/*
 * The start of a child, for process.c only.
 */
#ifndef TC_IO_PROCESS_SPAWN_H
#define TC_IO_PROCESS_SPAWN_H

#include <sys/types.h>

#include "io/process.h"

/* Starts it; the caller watches and reaps it. */
enum tc_err tc_process_spawn_child(struct tc_cx *cx, const struct tc_process_options *options, pid_t *ret_pid);

#endif
