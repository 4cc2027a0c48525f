/*
 * What passes between the daemon and toolcrib-worker-shell: messages over Unix sockets
 * of the kind SOCK_SEQPACKET, so that each comes whole, with its descriptors.
 *
 * Descriptor 3 of the worker is the daemon's socket to the zygote. The zygote announces
 * each child with a socket of the child's own and its pidfd, and tells of its end. The
 * daemon sends a child one request; the child answers with pieces of output, the files
 * that were changed, and an end.
 *
 * Both sides read what they get as bytes of somebody else's: the daemon may be spoken to
 * by a child that a script has taken over.
 */
#ifndef TC_SANDBOX_WIRE_H
#define TC_SANDBOX_WIRE_H

#include "ports/sandbox.h"
#include "toolcrib/buf.h"

enum {
    TC_WIRE_MESSAGE_MAX = 192 * 1024, /* less than the kernel's default for a socket */
    TC_WIRE_PIECE_MAX = 32 * 1024, /* of output, in one message */
    TC_WIRE_PATH_MAX = 4096,
    TC_WIRE_TEXT_MAX = 512
};

/* --- with the zygote: structs of fixed size --- */

enum tc_wire_news_kind { TC_WIRE_READY = 1, TC_WIRE_ENDED, TC_WIRE_FAULT };
struct tc_wire_news { /* zygote to daemon; READY brings socket and pidfd */
    int32_t kind, pid;
    int32_t status; /* ENDED: as waitpid gives it; FAULT: errno */
};
struct tc_wire_ask { /* daemon to zygote */
    int32_t children; /* so many more */
};

/* --- the request --- */

/* Appends it; descriptors pass beside. */
void tc_wire_put_request(struct tc_buf *to, const struct tc_sandbox_request *request);
/* Texts borrow from `bytes` and are each followed by a NUL there; lists are in the
 * arena; each fd is -1. False when it is malformed, or without memory. */
bool tc_wire_get_request(struct tc_arena *arena, struct tc_str bytes, struct tc_sandbox_request *ret_request);

/* --- the answer: one byte of kind, then --- */

enum tc_wire_answer_kind {
    TC_WIRE_STDOUT = 'o', /* bytes */
    TC_WIRE_STDERR = 'e',
    TC_WIRE_FILE = 'f',   /* one tc_sandbox_file */
    TC_WIRE_END = 'x'     /* one tc_wire_last; nothing follows */
};

struct tc_wire_last { /* most calls need no other message */
    struct tc_sandbox_end end;
    struct tc_str out, err; /* what was not sent yet; together TC_WIRE_PIECE_MAX bytes at most */
};

void tc_wire_put_file(struct tc_buf *to, const struct tc_sandbox_file *file);
void tc_wire_put_last(struct tc_buf *to, const struct tc_wire_last *last);
/* The message without its first byte. Texts borrow. False when it is malformed. */
bool tc_wire_get_file(struct tc_str bytes, struct tc_sandbox_file *ret_file);
bool tc_wire_get_last(struct tc_str bytes, struct tc_wire_last *ret_last);

/* --- sockets --- */

struct tc_wire_in {
    char *p; /* room for a message */
    size_t size;
    int *fds; /* room for descriptors; may be NULL */
    size_t fds_max;
    size_t n, fds_n; /* what came; n 0: the end */
};
/* Waits for one message; its descriptors are close-on-exec. 0 or an errno: EMSGSIZE when there was
 * no room for it (it is dropped). flags as recvmsg. */
int tc_wire_recv(int fd, int flags, struct tc_wire_in *in);
/* 0 or an errno; never SIGPIPE. */
int tc_wire_send(int fd, struct tc_str bytes, int flags, const int *fds, size_t fds_n);

#endif
