/*
 * Standard input and output as lines of messages, for `mcp serve`: one task
 * reads, any task writes, and lines are never mixed.
 */
#ifndef TC_CLI_PIPE_H
#define TC_CLI_PIPE_H

#include "io/stream.h"

struct tc_pipe {
    struct tc_stream *in, *out;   /* NULL: a file or device, which never keeps us waiting */
    struct tc_stream_lines lines;
    struct tc_str file;           /* what is left of an input that is a file */
    struct tc_event written;      /* set while nobody writes */
    bool ended;                   /* no more lines: the reader of our output is gone, or closed */
};

/* Takes pipes, sockets and terminals without changing how others see them. */
PARKS enum tc_err tc_pipe_open(struct tc_cx *cx, struct tc_pipe *ret_pipe);
/* No more lines either way; who reads or writes gets TC_E_CLOSED. */
void tc_pipe_end(struct tc_pipe *pipe);
/* Nobody reads or writes any more. */
void tc_pipe_close(struct tc_pipe *pipe);
/* The next line, borrowed until the next call. TC_E_CLOSED at the end, TC_E_LIMIT
 * for one of over 16 MiB, after which reading can go on. */
PARKS enum tc_err tc_pipe_read(struct tc_cx *cx, struct tc_pipe *pipe, struct tc_str *ret_line);
/* One message as one line: line ends inside it, which JSON has only between its
 * tokens, become blanks. A line once begun is finished, also when the task is
 * cancelled. When the reader of it is gone the pipe has ended. */
PARKS enum tc_err tc_pipe_write(struct tc_cx *cx, struct tc_pipe *pipe, struct tc_str message);

#endif
