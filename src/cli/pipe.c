/*
 * A pipe or terminal is opened anew through /proc, since O_NONBLOCK belongs to
 * the open file and a shell shares that of its terminal with us. Sockets cannot
 * be opened again and are duplicated.
 */
#include "cli/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "io/offload.h"

enum { LINE_BYTES = 16 * 1024 * 1024, FILE_BYTES = 256 * 1024 * 1024 };

static bool waits(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd));
}

static enum tc_err open_stream(struct tc_cx *cx, int fd, int flags, struct tc_stream **ret_stream)
{
    char path[32];
    int own;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    own = open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (own < 0)
        own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (own < 0)
        return tc_fail(cx, TC_E_IO, "Descriptor %d cannot be used: %s.", fd, strerror(errno));
    return tc_stream_open_fd(cx, tc_task_loop(cx), own, ret_stream);
}

enum tc_err tc_pipe_open(struct tc_cx *cx, struct tc_pipe *ret_pipe)
{
    struct tc_pipe *pipe = ret_pipe;
    enum tc_err e = TC_OK;

    *pipe = (struct tc_pipe){0};
    tc_event_set(&pipe->written);
    if (waits(STDIN_FILENO))
        e = open_stream(cx, STDIN_FILENO, O_RDONLY, &pipe->in);
    else
        e = tc_cli_read_file(cx, TC_STR("-"), FILE_BYTES, &pipe->file);
    if (!e && waits(STDOUT_FILENO))
        e = open_stream(cx, STDOUT_FILENO, O_WRONLY, &pipe->out);
    if (pipe->in)
        tc_stream_lines_init(&pipe->lines, pipe->in, LINE_BYTES);
    if (e)
        tc_pipe_close(pipe);
    return e;
}

void tc_pipe_end(struct tc_pipe *pipe)
{
    pipe->ended = true;
    tc_stream_close(pipe->in);
    tc_stream_close(pipe->out);
    pipe->in = pipe->out = NULL;
}

void tc_pipe_close(struct tc_pipe *pipe)
{
    tc_pipe_end(pipe);
    tc_stream_lines_finish(&pipe->lines);
}

enum tc_err tc_pipe_read(struct tc_cx *cx, struct tc_pipe *pipe, struct tc_str *ret_line)
{
    if (pipe->ended)
        return tc_fail(cx, TC_E_CLOSED, "The client is gone.");
    if (pipe->in)
        return tc_stream_line(cx, &pipe->lines, -1, ret_line);
    if (!tc_str_split(&pipe->file, '\n', ret_line))
        return tc_fail(cx, TC_E_CLOSED, "The input has ended.");
    return TC_OK;
}

struct writing {
    struct tc_str data;
    int err;
};

static void write_file(void *arg)
{
    struct writing *w = arg;

    while (w->data.n && !w->err) {
        ssize_t n = write(STDOUT_FILENO, w->data.p, w->data.n);
        if (n >= 0)
            w->data = tc_str_from(w->data, (size_t)n);
        else if (errno != EINTR)
            w->err = errno;
    }
}

static enum tc_err write_out(struct tc_cx *cx, struct tc_pipe *pipe, struct tc_str data)
{
    struct writing w = {data, 0};
    enum tc_err e;

    if (pipe->out)
        return tc_stream_write(cx, pipe->out, data);
    e = tc_offload(cx, write_file, &w);
    if (!e && w.err)
        e = tc_fail(cx, TC_E_IO, "The output cannot be written: %s.", strerror(w.err));
    return e;
}

enum tc_err tc_pipe_write(struct tc_cx *cx, struct tc_pipe *pipe, struct tc_str message)
{
    struct tc_buf line;
    enum tc_err e = TC_OK;

    tc_buf_init(&line, message.n + 2);
    tc_buf_str(&line, message);
    for (size_t i = 0; i < line.n; i++)
        if (line.p[i] == '\n' || line.p[i] == '\r')
            line.p[i] = ' ';
    tc_buf_char(&line, '\n');
    while (!e && !pipe->written.set)
        e = tc_task_wait(cx, &pipe->written, -1);
    if (!e && line.failed)
        e = tc_fail_memory(cx);
    if (!e && pipe->ended)
        e = tc_fail(cx, TC_E_CLOSED, "The client is gone.");
    if (!e) {
        tc_event_clear(&pipe->written);
        tc_task_shield(cx);
        e = write_out(cx, pipe, tc_buf_get(&line));
        tc_task_unshield(cx);
        tc_event_set(&pipe->written);
        if (e == TC_E_CLOSED || e == TC_E_IO)
            tc_pipe_end(pipe);
    }
    tc_buf_finish(&line);
    return e;
}
