/*
 * Numbers are eight bytes in the machine's order: both ends are one installation. Texts
 * are their length, their bytes and a NUL.
 */
#include "sandbox/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FDS_MAX = 250 };

/* --- writing --- */

static void put_int(struct tc_buf *to, int64_t value)
{
    tc_buf_add(to, &value, sizeof value);
}

static void put_text(struct tc_buf *to, struct tc_str text)
{
    put_int(to, (int64_t)text.n);
    tc_buf_str(to, text);
    tc_buf_char(to, '\0');
}

static void put_paths(struct tc_buf *to, const struct tc_str *paths, size_t n)
{
    put_int(to, (int64_t)n);
    for (size_t i = 0; i < n; i++)
        put_text(to, paths[i]);
}

void tc_wire_put_request(struct tc_buf *to, const struct tc_sandbox_request *request)
{
    put_text(to, request->script);
    put_text(to, request->cwd);
    put_int(to, request->wall_ms);
    put_int(to, request->stream_bytes);
    put_int(to, request->bytes_max);
    put_int(to, request->files_max);
    put_int(to, request->bytes_used);
    put_int(to, request->files_used);
    put_int(to, request->own_tmp);
    put_int(to, (int64_t)request->grants_n);
    for (size_t i = 0; i < request->grants_n; i++) {
        put_text(to, request->grants[i].path);
        put_int(to, request->grants[i].flags);
    }
    put_paths(to, request->hidden, request->hidden_n);
    put_paths(to, request->shown, request->shown_n);
}

void tc_wire_put_file(struct tc_buf *to, const struct tc_sandbox_file *file)
{
    tc_buf_char(to, TC_WIRE_FILE);
    put_int(to, file->state);
    put_text(to, file->path);
    put_text(to, tc_str_of(file->state == TC_SANDBOX_FILE_HASHED ? file->sha256 : ""));
}

static struct tc_str clip(struct tc_str text)
{
    return tc_str_n(text.p, text.n < TC_WIRE_TEXT_MAX ? text.n : TC_WIRE_TEXT_MAX);
}

void tc_wire_put_last(struct tc_buf *to, const struct tc_wire_last *last)
{
    const struct tc_sandbox_end *end = &last->end;

    tc_buf_char(to, TC_WIRE_END);
    put_text(to, last->out);
    put_text(to, last->err);
    put_int(to, end->status);
    put_text(to, clip(end->limit));
    put_text(to, clip(end->message));
    put_int(to, end->failed);
    put_int(to, end->more_files);
    put_int(to, end->stdout_bytes);
    put_int(to, end->stderr_bytes);
    put_int(to, end->work);
    put_int(to, end->wall_ns);
    put_int(to, end->cpu_ns);
    put_int(to, end->peak_kib);
}

/* --- reading: a fault sticks, what follows it reads as zero --- */

struct reader {
    struct tc_str rest;
    bool bad;
};

static int64_t get_int(struct reader *r)
{
    int64_t value = 0;

    if (r->rest.n < sizeof value) {
        r->bad = true;
        r->rest.n = 0;
        return 0;
    }
    memcpy(&value, r->rest.p, sizeof value);
    r->rest = tc_str_from(r->rest, sizeof value);
    return value;
}

static int64_t get_count(struct reader *r, int64_t max)
{
    int64_t value = get_int(r);

    if (value >= 0 && value <= max)
        return value;
    r->bad = true;
    return 0;
}

static struct tc_str get_text(struct reader *r, size_t max)
{
    size_t n = (size_t)get_count(r, (int64_t)max);
    struct tc_str text;

    if (r->bad || n >= r->rest.n || r->rest.p[n] != '\0') {
        r->bad = true;
        return TC_STR("");
    }
    text = tc_str_n(r->rest.p, n);
    r->rest = tc_str_from(r->rest, n + 1);
    return text;
}

static struct tc_str get_path(struct reader *r)
{
    struct tc_str path = get_text(r, TC_WIRE_PATH_MAX - 1);

    if (!tc_str_starts(path, TC_STR("/")) || memchr(path.p, '\0', path.n))
        r->bad = true;
    return path;
}

static bool at_end(const struct reader *r)
{
    return !r->bad && r->rest.n == 0;
}

static struct tc_str *get_paths(struct tc_arena *arena, struct reader *r, size_t *ret_n)
{
    size_t n = (size_t)get_count(r, TC_SANDBOX_NAMES_MAX);
    struct tc_str *paths = TC_ARENA_NEW_N(arena, struct tc_str, n + 1);

    for (size_t i = 0; paths && i < n; i++)
        paths[i] = get_path(r);
    *ret_n = n;
    return paths;
}

bool tc_wire_get_request(struct tc_arena *arena, struct tc_str bytes, struct tc_sandbox_request *ret_request)
{
    struct reader r = {.rest = bytes};
    struct tc_sandbox_request request = {0};

    request.script = get_text(&r, TC_WIRE_MESSAGE_MAX);
    request.cwd = get_path(&r);
    request.wall_ms = get_count(&r, INT64_MAX / 1000000);
    request.stream_bytes = get_count(&r, INT64_MAX);
    request.bytes_max = get_count(&r, INT64_MAX);
    request.files_max = get_count(&r, INT64_MAX);
    request.bytes_used = get_count(&r, INT64_MAX);
    request.files_used = get_count(&r, INT64_MAX);
    request.own_tmp = get_count(&r, 1);
    request.grants_n = (size_t)get_count(&r, TC_SANDBOX_GRANTS_MAX);
    request.grants = TC_ARENA_NEW_N(arena, struct tc_sandbox_grant, request.grants_n + 1);
    for (size_t i = 0; request.grants && i < request.grants_n; i++) {
        struct tc_str path = get_path(&r);
        request.grants[i] = (struct tc_sandbox_grant){path, (unsigned)get_count(&r, 15), -1};
    }
    request.hidden = get_paths(arena, &r, &request.hidden_n);
    request.shown = get_paths(arena, &r, &request.shown_n);
    if (!request.grants || !request.hidden || !request.shown || request.grants_n == 0 || !at_end(&r))
        return false;
    *ret_request = request;
    return true;
}

static bool is_hex(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!((text.p[i] >= '0' && text.p[i] <= '9') || (text.p[i] >= 'a' && text.p[i] <= 'f')))
            return false;
    return text.n == TC_SANDBOX_SHA_SIZE - 1;
}

bool tc_wire_get_file(struct tc_str bytes, struct tc_sandbox_file *ret_file)
{
    struct reader r = {.rest = bytes};
    struct tc_sandbox_file file = {0};
    struct tc_str sha256;

    file.state = (enum tc_sandbox_file_state)get_count(&r, TC_SANDBOX_FILE_OTHER);
    file.path = get_path(&r);
    sha256 = get_text(&r, TC_SANDBOX_SHA_SIZE - 1);
    if (!at_end(&r) || !(file.state == TC_SANDBOX_FILE_HASHED ? is_hex(sha256) : sha256.n == 0))
        return false;
    memcpy(file.sha256, sha256.p, sha256.n);
    *ret_file = file;
    return true;
}

bool tc_wire_get_last(struct tc_str bytes, struct tc_wire_last *ret_last)
{
    struct reader r = {.rest = bytes};
    struct tc_sandbox_end end = {0};
    struct tc_str out = get_text(&r, TC_WIRE_PIECE_MAX), err = get_text(&r, TC_WIRE_PIECE_MAX - out.n);

    end.status = (int32_t)get_count(&r, 255);
    end.limit = get_text(&r, TC_WIRE_TEXT_MAX);
    end.message = get_text(&r, TC_WIRE_TEXT_MAX);
    end.failed = get_count(&r, 1);
    end.more_files = get_count(&r, 1);
    end.stdout_bytes = get_count(&r, INT64_MAX);
    end.stderr_bytes = get_count(&r, INT64_MAX);
    end.work = get_count(&r, INT64_MAX);
    end.wall_ns = get_count(&r, INT64_MAX);
    end.cpu_ns = get_count(&r, INT64_MAX);
    end.peak_kib = get_count(&r, INT64_MAX);
    if (!at_end(&r))
        return false;
    *ret_last = (struct tc_wire_last){end, out, err};
    return true;
}

/* --- sockets --- */

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
};

static void take_fds(struct msghdr *msg, struct tc_wire_in *in)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        size_t n = c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS
                       ? (c->cmsg_len - CMSG_LEN(0)) / sizeof(int)
                       : 0;
        for (size_t i = 0; i < n; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (in->fds_n < in->fds_max)
                in->fds[in->fds_n++] = fd;
            else
                close(fd);
        }
    }
}

int tc_wire_recv(int fd, int flags, struct tc_wire_in *in)
{
    union control control;
    struct iovec iov = {in->p, in->size};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    ssize_t n;

    in->n = in->fds_n = 0;
    if (in->fds_max) { /* without room for them the kernel drops descriptors that come */
        msg.msg_control = &control;
        msg.msg_controllen = sizeof control;
    }
    do
        n = recvmsg(fd, &msg, flags | MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return errno;
    if (in->fds_max)
        take_fds(&msg, in);
    if (msg.msg_flags & MSG_TRUNC) {
        while (in->fds_n)
            close(in->fds[--in->fds_n]);
        return EMSGSIZE;
    }
    in->n = (size_t)n;
    return 0;
}

int tc_wire_send(int fd, struct tc_str bytes, int flags, const int *fds, size_t fds_n)
{
    union control control;
    struct iovec iov = {(char *)bytes.p, bytes.n};
    struct msghdr msg = {.msg_iov = &iov, .msg_iovlen = 1};
    ssize_t n;

    if (fds_n > FDS_MAX)
        return EINVAL;
    if (fds_n) {
        memset(&control, 0, CMSG_SPACE(fds_n * sizeof(int)));
        msg.msg_control = &control;
        msg.msg_controllen = CMSG_SPACE(fds_n * sizeof(int));
        *CMSG_FIRSTHDR(&msg) = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(fds_n * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&msg)), fds, fds_n * sizeof(int));
    }
    do
        n = sendmsg(fd, &msg, flags | MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n < 0 ? errno : 0;
}
