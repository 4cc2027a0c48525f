/*
 * Byte streams over uv_poll and plain read and write on the task's own side:
 * data goes straight between the kernel and the caller's memory, no request
 * outlives the call that made it, and so a cancelled write leaves nothing behind.
 *
 * The descriptor is watched only once a task had to wait, and then stays watched
 * until it becomes ready with nobody waiting: a reader that keeps up costs no
 * epoll_ctl. The struct is on the heap, counted by the handle and by each call
 * inside it; the descriptor is closed by tc_stream_close itself.
 */
#include "io/stream.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/sched.h"

enum {
    READ_MIN = 4096, /* bytes asked for at a time, at first and at most */
    READ_MAX = 64 * 1024,
    STREAK = 16, /* calls that need not wait before others get a turn */
    BACKLOG_WAIT_MS = 5,
    BACKLOG_TRIES = 400,
};

struct tc_stream {
    uv_poll_t poll;
    int fd;      /* -1 once closed */
    int watched; /* UV_READABLE | UV_WRITABLE */
    unsigned refs;
    bool is_socket;
    bool drained; /* the last read took all there was: wait before the next */
    bool cut;     /* a write was broken off in the middle */
    bool reading, writing;
    unsigned streak; /* calls in a row that did not wait */
    size_t chunk;
    struct tc_event readable, writable; /* never set but by closing: lists of who waits */
};

static void unref(struct tc_stream *stream)
{
    if (--stream->refs == 0)
        tc_mem_free(stream);
}

static void on_closed(uv_handle_t *handle)
{
    unref(handle->data);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct tc_stream *stream = poll->data;
    int wanted = (stream->readable.waiters ? UV_READABLE : 0) | (stream->writable.waiters ? UV_WRITABLE : 0);

    if (status < 0) { /* the descriptor reports an error and libuv has let it go: read or write will tell which */
        stream->watched = 0;
        events = UV_READABLE | UV_WRITABLE;
    } else if (events & ~wanted) { /* ready for something that nobody waits for */
        stream->watched &= wanted;
        if (stream->watched)
            uv_poll_start(&stream->poll, stream->watched, on_ready);
        else
            uv_poll_stop(&stream->poll);
    }
    if (events & UV_READABLE)
        tc_sched_wake_first(&stream->readable);
    if (events & UV_WRITABLE)
        tc_sched_wake_first(&stream->writable);
}

static enum tc_err fail_closed(struct tc_cx *cx)
{
    return tc_sched_fail(cx, TC_E_CLOSED, TC_STR("The stream was closed."));
}

static enum tc_err wait_ready(struct tc_cx *cx, struct tc_stream *stream, int event, int64_t due)
{
    enum tc_err code;
    int rc;

    if (!(stream->watched & event)) {
        rc = uv_poll_start(&stream->poll, stream->watched | event, on_ready);
        if (rc != 0)
            return tc_fail(cx, TC_E_IO, "The stream could not be watched: %s.", tc_sched_errno(-rc));
        stream->watched |= event;
    }
    stream->streak = 0;
    code = tc_sched_wait(cx, event == UV_READABLE ? &stream->readable : &stream->writable, due);
    return code == TC_OK && stream->fd < 0 ? fail_closed(cx) : code;
}

/* The start of every call: whether it may go on, and a turn for others when the
 * other side is always faster than this task. */
static enum tc_err enter(struct tc_cx *cx, struct tc_stream *stream)
{
    enum tc_err code = ++stream->streak % STREAK == 0 ? tc_task_yield(cx) : tc_task_check(cx);

    return code == TC_OK && stream->fd < 0 ? fail_closed(cx) : code;
}

enum tc_err tc_stream_open_fd(struct tc_cx *cx, struct tc_loop *loop, int fd, struct tc_stream **ret_stream)
{
    struct tc_stream *stream = tc_mem_zalloc(1, sizeof *stream);
    struct sockaddr_storage name;
    socklen_t size = sizeof name;
    int rc, one = 1;

    if (!stream) {
        close(fd);
        return tc_fail_memory(cx);
    }
    rc = fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 ? -errno : uv_poll_init(tc_loop_uv(loop), &stream->poll, fd);
    if (rc != 0) {
        tc_mem_free(stream);
        close(fd);
        return tc_fail(cx, TC_E_IO, "Descriptor %d cannot be used as a stream: %s.", fd, tc_sched_errno(-rc));
    }
    stream->is_socket = getsockname(fd, (struct sockaddr *)&name, &size) == 0;
    if (stream->is_socket && (name.ss_family == AF_INET || name.ss_family == AF_INET6))
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    stream->poll.data = stream;
    stream->fd = fd;
    stream->refs = 1;
    stream->drained = true;
    stream->chunk = READ_MIN;
    *ret_stream = stream;
    return TC_OK;
}

void tc_stream_close(struct tc_stream *stream)
{
    int fd;

    if (!stream)
        return;
    assert(stream->fd >= 0);
    fd = stream->fd;
    stream->fd = -1;
    uv_close((uv_handle_t *)&stream->poll, on_closed);
    close(fd);
    tc_event_set(&stream->readable);
    tc_event_set(&stream->writable);
}

/* Connecting */

static int try_connect(struct tc_cx *cx, struct tc_stream *stream, const struct sockaddr *address, socklen_t size)
{
    for (int i = 0; i < BACKLOG_TRIES; i++) {
        if (connect(stream->fd, address, size) == 0)
            return 0;
        if (errno != EAGAIN) /* a Unix socket whose queue is full does not announce room in it */
            return errno == EINTR ? EINPROGRESS : errno;
        if (tc_task_sleep(cx, BACKLOG_WAIT_MS) != TC_OK)
            return ECANCELED;
    }
    return EAGAIN;
}

static enum tc_err finish_connect(struct tc_cx *cx, struct tc_stream *stream, const struct sockaddr *address,
                                  socklen_t size, const char *shown)
{
    int err = try_connect(cx, stream, address, size);
    socklen_t len = sizeof err;
    enum tc_err code;

    if (err == ECANCELED)
        return cx->err.code;
    if (err == EINPROGRESS) {
        code = wait_ready(cx, stream, UV_WRITABLE, INT64_MAX);
        if (code != TC_OK)
            return code;
        uv_poll_stop(&stream->poll);
        stream->watched = 0;
        if (getsockopt(stream->fd, SOL_SOCKET, SO_ERROR, &err, &len) != 0)
            err = errno;
    }
    if (err != 0)
        return tc_fail(cx, TC_E_IO, "Connecting to %s failed: %s.", shown, tc_sched_errno(err));
    return TC_OK;
}

static enum tc_err connect_to(struct tc_cx *cx, const struct sockaddr *address, socklen_t size, const char *shown,
                              struct tc_stream **ret_stream)
{
    enum tc_err code = tc_task_check(cx);
    struct tc_stream *stream;
    int fd;

    if (code != TC_OK)
        return code;
    fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return tc_fail(cx, TC_E_IO, "No socket for %s: %s.", shown, tc_sched_errno(errno));
    code = tc_stream_open_fd(cx, tc_task_loop(cx), fd, &stream);
    if (code != TC_OK)
        return code;
    code = finish_connect(cx, stream, address, size, shown);
    if (code != TC_OK) {
        tc_stream_close(stream);
        return code;
    }
    *ret_stream = stream;
    return TC_OK;
}

enum tc_err tc_stream_connect_unix(struct tc_cx *cx, const char *path, struct tc_stream **ret_stream)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path)
        return tc_fail(cx, TC_E_IO, "The socket path %s is longer than the system allows (%zu bytes).", path,
                       sizeof address.sun_path - 1);
    memcpy(address.sun_path, path, strlen(path) + 1);
    return connect_to(cx, (const struct sockaddr *)&address, sizeof address, path, ret_stream);
}

enum tc_err tc_stream_connect_tcp(struct tc_cx *cx, const char *address, int port, struct tc_stream **ret_stream)
{
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (port > 0 && port <= 65535) {
        if (uv_ip4_addr(address, port, &v4) == 0)
            return connect_to(cx, (const struct sockaddr *)&v4, sizeof v4, address, ret_stream);
        if (uv_ip6_addr(address, port, &v6) == 0)
            return connect_to(cx, (const struct sockaddr *)&v6, sizeof v6, address, ret_stream);
    }
    return tc_fail(cx, TC_E_USAGE, "\"%s\", port %d, is not a numeric address.", address, port);
}

/* Reading */

/* One read(2): the bytes that came, 0 at the end, or a negative errno. */
static ssize_t read_once(struct tc_stream *stream, char *to, size_t room)
{
    ssize_t n;

    do
        n = read(stream->fd, to, room);
    while (n < 0 && errno == EINTR);
    stream->drained = n != 0 && n < (ssize_t)room;
    if (n == (ssize_t)stream->chunk && stream->chunk < READ_MAX)
        stream->chunk *= 2;
    return n < 0 ? -errno : n;
}

static enum tc_err read_wait(struct tc_cx *cx, struct tc_stream *stream, struct tc_buf *into, int64_t due)
{
    for (;;) {
        size_t room = into->max - into->n < stream->chunk ? into->max - into->n : stream->chunk;
        enum tc_err code = stream->drained ? wait_ready(cx, stream, UV_READABLE, due) : TC_OK;
        ssize_t n;
        char *to;

        if (code != TC_OK)
            return code;
        to = tc_buf_reserve(into, room); /* only now: one that waits need not hold memory */
        if (!to)
            return tc_fail_memory(cx);
        n = read_once(stream, to, room);
        if (n > 0) {
            into->n += (size_t)n;
            return TC_OK;
        }
        if (n == 0)
            return tc_sched_fail(cx, TC_E_CLOSED, TC_STR("The other side ended the stream."));
        if (n != -EAGAIN)
            return tc_fail(cx, TC_E_IO, "Reading from a stream failed: %s.", tc_sched_errno((int)-n));
    }
}

enum tc_err tc_stream_read_until(struct tc_cx *cx, struct tc_stream *stream, struct tc_buf *into, int64_t mono_us)
{
    enum tc_err code;

    assert(!stream->reading);
    stream->reading = true;
    stream->refs++;
    code = enter(cx, stream);
    if (code == TC_OK && !into->failed && into->n == into->max)
        code = tc_sched_fail(cx, TC_E_LIMIT, TC_STR("More data came than may be kept."));
    if (code == TC_OK)
        code = read_wait(cx, stream, into, mono_us);
    stream->reading = false;
    unref(stream);
    return code;
}

enum tc_err tc_stream_read(struct tc_cx *cx, struct tc_stream *stream, struct tc_buf *into, int64_t timeout_ms)
{
    return tc_stream_read_until(cx, stream, into, tc_sched_due(tc_task_loop(cx), timeout_ms));
}

/* Writing */

/* One write: the bytes taken or a negative errno. */
static ssize_t write_once(struct tc_stream *stream, struct tc_str data)
{
    ssize_t n;

    do
        n = stream->is_socket ? send(stream->fd, data.p, data.n, MSG_NOSIGNAL) : write(stream->fd, data.p, data.n);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

static enum tc_err write_wait(struct tc_cx *cx, struct tc_stream *stream, struct tc_str data)
{
    size_t done = 0;

    while (done < data.n) {
        ssize_t n = write_once(stream, tc_str_from(data, done));
        enum tc_err code;

        if (n >= 0) {
            done += (size_t)n;
            continue;
        }
        if (n == -EPIPE || n == -ECONNRESET)
            return tc_sched_fail(cx, TC_E_CLOSED, TC_STR("The other side of the stream is gone."));
        if (n != -EAGAIN)
            return tc_fail(cx, TC_E_IO, "Writing to a stream failed: %s.", tc_sched_errno((int)-n));
        code = wait_ready(cx, stream, UV_WRITABLE, INT64_MAX);
        if (code != TC_OK) {
            stream->cut = done > 0;
            return code;
        }
    }
    return TC_OK;
}

enum tc_err tc_stream_write(struct tc_cx *cx, struct tc_stream *stream, struct tc_str data)
{
    enum tc_err code;

    assert(!stream->writing);
    stream->writing = true;
    stream->refs++;
    code = enter(cx, stream);
    if (code == TC_OK && stream->cut)
        code = tc_sched_fail(cx, TC_E_CLOSED, TC_STR("An earlier write to this stream was broken off."));
    if (code == TC_OK)
        code = write_wait(cx, stream, data);
    stream->writing = false;
    unref(stream);
    return code;
}
