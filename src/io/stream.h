/*
 * Byte streams for tasks: pipes, TCP, Unix sockets. One task may read while
 * another writes; never two readers or two writers at once.
 */
#ifndef TC_IO_STREAM_H
#define TC_IO_STREAM_H

#include "io/task.h"

struct tc_stream;

/* Takes over an open, connected descriptor (pipe, socket). It is closed also on
 * failure. */
enum tc_err tc_stream_open_fd(struct tc_cx *cx, struct tc_loop *loop, int fd, struct tc_stream **ret_stream);
PARKS enum tc_err tc_stream_connect_unix(struct tc_cx *cx, const char *path, struct tc_stream **ret_stream);
PARKS enum tc_err tc_stream_connect_tcp(struct tc_cx *cx, const char *address, int port,
                                        struct tc_stream **ret_stream); /* a numeric address */
/* Wakes its reader and writer with TC_E_CLOSED; freed when the handle is shut.
 * NULL is fine. */
void tc_stream_close(struct tc_stream *stream);

/* Appends what arrives to `into`, at least 1 byte. TC_E_CLOSED at the end of
 * input, TC_E_TIMEOUT after timeout_ms (negative: none), TC_E_LIMIT when the
 * buffer's maximum is reached, TC_E_IO. */
PARKS enum tc_err tc_stream_read(struct tc_cx *cx, struct tc_stream *stream, struct tc_buf *into, int64_t timeout_ms);
/* Writes all of it; parks while the peer does not take it. The bytes must stay
 * until it returns. */
PARKS enum tc_err tc_stream_write(struct tc_cx *cx, struct tc_stream *stream, struct tc_str data);

/* A reader of lines ended by LF, each at most `max` bytes. */
struct tc_stream_lines {
    struct tc_stream *stream;
    struct tc_buf buf;
    size_t taken, max;
};
void tc_stream_lines_init(struct tc_stream_lines *lines, struct tc_stream *stream, size_t max);
void tc_stream_lines_finish(struct tc_stream_lines *lines);
/* The next line without its LF, borrowed until the next call. TC_E_CLOSED at the
 * end (a last line without LF is given first). TC_E_LIMIT on a longer line: it
 * is skipped to its end and reading can go on. */
PARKS enum tc_err tc_stream_line(struct tc_cx *cx, struct tc_stream_lines *lines, int64_t timeout_ms,
                                 struct tc_str *ret_line);

#endif
