/*
 * Byte streams for tasks: pipes, TCP, Unix sockets. One task may read while
 * another writes; never two readers or two writers at once.
 */
#ifndef TC_IO_STREAM_H
#define TC_IO_STREAM_H

#include "io/task.h"
#include "toolcrib/buf.h"

struct tc_stream;

/* Takes over an open, connected descriptor (pipe, socket) that epoll can watch.
 * It is closed also on failure. What the descriptor shares with others becomes
 * non-blocking for them too. */
enum tc_err tc_stream_open_fd(struct tc_cx *cx, struct tc_loop *loop, int fd, struct tc_stream **ret_stream);
PARKS enum tc_err tc_stream_connect_unix(struct tc_cx *cx, const char *path, struct tc_stream **ret_stream);
PARKS enum tc_err tc_stream_connect_tcp(struct tc_cx *cx, const char *address, int port,
                                        struct tc_stream **ret_stream); /* a numeric address */
/* Closes the descriptor at once and wakes its reader and writer with
 * TC_E_CLOSED; the struct is freed when both have left it. NULL is fine. */
void tc_stream_close(struct tc_stream *stream);

/* Appends what arrives to `into`, at least 1 byte. TC_E_CLOSED at the end of
 * input, TC_E_TIMEOUT after timeout_ms (negative: none), TC_E_LIMIT when the
 * buffer's maximum is reached, TC_E_IO, also when the peer broke off. */
PARKS enum tc_err tc_stream_read(struct tc_cx *cx, struct tc_stream *stream, struct tc_buf *into, int64_t timeout_ms);
/* The same up to an instant (tc_clock_mono_us; INT64_MAX: none). */
PARKS enum tc_err tc_stream_read_until(struct tc_cx *cx, struct tc_stream *stream, struct tc_buf *into,
                                       int64_t mono_us);
/* Writes all of it; parks while the peer does not take it. The bytes must stay
 * until it returns, no longer. TC_E_CLOSED when the peer is gone. When it is
 * cancelled with some of the bytes sent, the stream is of no use to write to any
 * more and later writes fail with TC_E_CLOSED: shield a message that others
 * follow. */
PARKS enum tc_err tc_stream_write(struct tc_cx *cx, struct tc_stream *stream, struct tc_str data);

/* A reader of lines ended by LF, each at most `max` bytes. */
struct tc_stream_lines {
    struct tc_stream *stream;
    struct tc_buf buf;
    size_t taken;   /* bytes at the front that were given out */
    size_t scanned; /* no LF between taken and here */
    size_t max;
    bool skipping;  /* the rest of a line that was too long */
};
void tc_stream_lines_init(struct tc_stream_lines *lines, struct tc_stream *stream, size_t max);
void tc_stream_lines_finish(struct tc_stream_lines *lines);
/* The next line without its LF, borrowed until the next call. TC_E_CLOSED at the
 * end (a last line without LF is given first). TC_E_LIMIT as soon as a line is
 * longer: the next call skips it to its end and reading can go on. The other
 * failures are those of tc_stream_read, timeout_ms counted over the whole line;
 * the part that has come is kept for the next call. */
PARKS enum tc_err tc_stream_line(struct tc_cx *cx, struct tc_stream_lines *lines, int64_t timeout_ms,
                                 struct tc_str *ret_line);

#endif
