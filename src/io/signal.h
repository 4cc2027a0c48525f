/*
 * Signals on a loop: while one is watched it calls a function on the loop's thread
 * instead of ending the process. When the last watch of a signal is closed its
 * default handling is back.
 */
#ifndef TC_IO_SIGNAL_H
#define TC_IO_SIGNAL_H

#include "toolcrib/cx.h"

struct tc_loop;
struct tc_signal;

/* fn must not park. A watch does not keep the loop running. TC_E_IO. */
enum tc_err tc_signal_open(struct tc_cx *cx, struct tc_loop *loop, int number, void (*fn)(void *arg), void *arg,
                           struct tc_signal **ret_signal);
void tc_signal_close(struct tc_signal *signal); /* NULL is fine */

#endif
