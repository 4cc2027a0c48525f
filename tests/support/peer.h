/*
 * A client of raw bytes for tests: plain sockets on loopback, used from a task
 * of the same loop as the server, which gets its turns by yielding. Bounds are
 * in real time, also on a virtual loop.
 */
#ifndef TESTS_SUPPORT_PEER_H
#define TESTS_SUPPORT_PEER_H

#include "io/task.h"
#include "support/test.h"
#include "toolcrib/buf.h"

struct peer {
    struct tc_cx *cx;
    int fd;
    struct tc_buf got; /* not yet looked at */
    bool eof;
};

void peer_open_tcp(struct tc_cx *cx, struct peer *peer, int port);
void peer_open_tcp6(struct tc_cx *cx, struct peer *peer, int port);
void peer_open_unix(struct tc_cx *cx, struct peer *peer, const char *path);
void peer_close(struct peer *peer);
/* With RST instead of FIN. */
void peer_reset(struct peer *peer);
void peer_send(struct peer *peer, struct tc_str data);
/* Reads what is there; false at the end of input or on a reset. */
bool peer_read(struct peer *peer);
/* Lets the loop turn once. */
void peer_turn(struct tc_cx *cx);
/* Waits for the next whole response with a Content-Length (or to HEAD) and gives
 * its status; head and body are in the arena. -1 at the end of input. */
int peer_response(struct peer *peer, bool head_only, struct tc_str *ret_head, struct tc_str *ret_body);
/* Reads until the server has closed; what came is in got. */
void peer_drain(struct peer *peer);
/* Turns until *flag equals value, at most 5 s. */
void peer_await(struct tc_cx *cx, const int *flag, int value);

#endif
