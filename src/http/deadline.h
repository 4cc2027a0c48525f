/*
 * The deadlines of a connection, looked at by the server's one sweep of all of
 * them instead of a timer each. Inside of http/ only.
 */
#ifndef TC_HTTP_DEADLINE_H
#define TC_HTTP_DEADLINE_H

#include "http/conn.h"

/* Ends what has passed its deadline: a head or body that comes too slowly (408),
 * idleness, a client that takes nothing of its answer, the time after a refusal.
 * Gives back the memory of what is idle. */
void tc_deadline_check(struct tc_conn *conn, int64_t now_us);

#endif
