/*
 * One call: the request goes to a child, what it answers is gathered until its end. A
 * child that outlives its time, or its caller, is asked to stop, then killed; one that
 * ended without a last word is accounted for by how it ended.
 *
 * What a child says is not trusted: each piece is bounded, and what is malformed ends it.
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "sandbox/pool_impl.h"

enum {
    MESSAGES_MAX = 64, /* that are read before others have their turn */
    FILES_MAX = 1000,
    FILES_BYTES_MAX = 512 * 1024, /* of their paths, each byte of which may be six in the record */
    LATE_MS = 1000,  /* after its limit a child is killed */
    STOP_MS = 1000,  /* to stop in good order when the caller is gone */
    DEATH_MS = 5000, /* until the end of one that was killed is told */
    STREAM_MAX = 16 << 20,
    CHILDREN_TRIED = 8 /* each was dead when the request came */
};

struct call {
    struct tc_sandbox_pool *pool;
    const struct tc_sandbox_request *request;
    struct tc_sandbox_result *result;
    struct tc_pool_child *child;
    struct tc_buf out, err;
    int64_t due_us; /* INT64_MAX: never */
    bool canceled, killed, over;
    size_t files_bytes;
    bool more_files; /* than the result has */
    bool late, bad; /* it was killed since its time was over, or since it answered nonsense */
};

/* --- the answer --- */

static void take_bytes(struct call *call, struct tc_buf *to, struct tc_str bytes)
{
    size_t room = (size_t)call->request->stream_bytes - to->n;

    tc_buf_add(to, bytes.p, bytes.n < room ? bytes.n : room);
}

static bool take_file(struct tc_cx *cx, struct call *call, struct tc_str bytes)
{
    struct tc_sandbox_result *result = call->result;
    struct tc_sandbox_file file;

    if (!tc_wire_get_file(bytes, &file))
        return false;
    if (!result->files)
        result->files = TC_ARENA_NEW_N(cx->arena, struct tc_sandbox_file, FILES_MAX);
    if (result->files_n == FILES_MAX || file.path.n > FILES_BYTES_MAX - call->files_bytes)
        call->more_files = true; /* nor are shorter ones taken then */
    if (!call->more_files)
        file.path = tc_arena_dup(cx->arena, file.path);
    call->more_files |= !result->files || !file.path.p;
    if (call->more_files)
        return true;
    call->files_bytes += file.path.n;
    result->files[result->files_n++] = file;
    return true;
}

static bool take_end(struct tc_cx *cx, struct call *call, struct tc_str bytes)
{
    struct tc_sandbox_end *end = &call->result->end;
    struct tc_wire_last last;

    if (!tc_wire_get_last(bytes, &last))
        return false;
    take_bytes(call, &call->out, last.out);
    take_bytes(call, &call->err, last.err);
    *end = last.end;
    end->limit = tc_arena_dup(cx->arena, end->limit);
    end->message = tc_arena_dup(cx->arena, end->message);
    call->result->known = end->limit.p && end->message.p;
    call->over = true;
    return true;
}

static bool take_message(struct tc_cx *cx, struct call *call, struct tc_str message)
{
    struct tc_str rest = tc_str_from(message, 1);

    switch (message.p[0]) {
    case TC_WIRE_STDOUT:
        take_bytes(call, &call->out, rest);
        return true;
    case TC_WIRE_STDERR:
        take_bytes(call, &call->err, rest);
        return true;
    case TC_WIRE_FILE:
        return take_file(cx, call, rest);
    case TC_WIRE_END:
        return take_end(cx, call, rest);
    default:
        return false;
    }
}

static void kill_child(struct call *call)
{
    call->killed = true;
    pidfd_send_signal(call->child->pidfd, SIGKILL, NULL, 0);
}

/* What is there, but not for ever: one that does not stop talking is read in turns. The end of the socket is
 * the end of the child. */
static void read_answer(struct tc_cx *cx, struct call *call)
{
    struct tc_wire_in in = {.p = call->pool->message, .size = sizeof call->pool->message};

    for (int i = 0; i < MESSAGES_MAX && !call->over; i++) {
        int error = tc_wire_recv(call->child->socket, MSG_DONTWAIT, &in);
        if (error == EAGAIN)
            return;
        if (error == EMSGSIZE || (!error && in.n && !take_message(cx, call, tc_str_n(in.p, in.n)))) {
            kill_child(call);
            call->bad = call->over = true;
        } else if (error || in.n == 0) {
            call->over = true;
        }
    }
}

/* --- waiting --- */

static int64_t left_ms(struct tc_cx *cx, const struct call *call)
{
    int64_t left = call->due_us == INT64_MAX ? INT64_MAX : (call->due_us - tc_clock_mono_us(cx->clock)) / 1000 + 1;

    return left == INT64_MAX ? -1 : left > 0 ? left : 0;
}

static void set_due(struct tc_cx *cx, struct call *call, int64_t ms)
{
    call->due_us = tc_clock_mono_us(cx->clock) + ms * 1000;
}

/* Its caller is gone: the child sees the end of the requests and stops. From here on the task waits on,
 * so that what ran is known. */
static void cancel(struct tc_cx *cx, struct call *call)
{
    call->canceled = true;
    tc_fail_clear(cx);
    tc_task_shield(cx);
    shutdown(call->child->socket, SHUT_WR);
    set_due(cx, call, STOP_MS);
}

static void follow(struct tc_cx *cx, struct call *call)
{
    while (!call->over) {
        enum tc_err e = tc_watch_readable(cx, call->child->watch, left_ms(cx, call));
        if (!e)
            read_answer(cx, call);
        if (call->over)
            break;
        if (!call->canceled && tc_task_check(cx)) {
            cancel(cx, call);
        } else if (!e && left_ms(cx, call) != 0) {
            continue;
        } else if (!call->killed) {
            call->late = !call->canceled;
            kill_child(call);
            set_due(cx, call, DEATH_MS);
        } else {
            call->over = true;
        }
    }
}

/* How it ended, where it did not say so itself. Its last words have been read. */
static void await_death(struct tc_cx *cx, struct call *call)
{
    bool shield = !call->canceled;

    if (shield)
        tc_task_shield(cx);
    if (tc_task_wait(cx, &call->child->ended, DEATH_MS))
        kill_child(call);
    if (shield)
        tc_task_unshield(cx);
}

/* --- the result --- */

static struct tc_str print(struct tc_cx *cx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static struct tc_str print(struct tc_cx *cx, const char *fmt, ...)
{
    struct tc_str text;
    va_list ap;

    va_start(ap, fmt);
    text = tc_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    return text;
}

static void fill_limited(struct tc_cx *cx, struct call *call, const char *limit)
{
    bool wall = strcmp(limit, "wall") == 0;

    call->result->how = TC_SANDBOX_LIMITED;
    call->result->end.limit = tc_str_of(limit);
    call->result->end.message =
        wall ? print(cx, "time limit of %lld s reached", (long long)(call->request->wall_ms / 1000))
             : TC_STR("limit of processor time reached");
}

static void fill_dead(struct tc_cx *cx, struct call *call)
{
    struct tc_sandbox_result *result = call->result;
    const struct tc_pool_child *child = call->child;
    int signal = child->ended.set && WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;

    result->how = TC_SANDBOX_FAILED;
    result->end = (struct tc_sandbox_end){.limit = TC_STR(""), .message = TC_STR("")};
    if (call->canceled)
        result->how = TC_SANDBOX_CANCELED;
    else if (signal == SIGALRM || call->late)
        fill_limited(cx, call, "wall");
    else if (signal == SIGXCPU)
        fill_limited(cx, call, "cpu");
    else if (child->ended.set && child->status == -1)
        result->end.message = TC_STR("The shell's helper program ended, and the script with it.");
    else if (call->bad)
        result->end.message = TC_STR("The shell's process gave an answer that makes no sense and was ended.");
    else if (signal == SIGSYS)
        result->end.message = TC_STR("The shell did what its sandbox forbids and was ended (SIGSYS).");
    else if (signal == SIGKILL)
        result->end.message = TC_STR("The shell was killed by the system, as when memory runs out (SIGKILL).");
    else if (signal)
        result->end.message = print(cx, "The shell crashed (SIG%s).", sigabbrev_np(signal));
    else
        result->end.message = TC_STR("The shell ended without a result.");
}

static enum tc_err fill(struct tc_cx *cx, struct call *call)
{
    struct tc_sandbox_result *result = call->result;

    if (!result->known)
        fill_dead(cx, call);
    else if (result->end.failed)
        result->how = TC_SANDBOX_FAILED;
    else if (call->canceled)
        result->how = TC_SANDBOX_CANCELED;
    else
        result->how = result->end.limit.n ? TC_SANDBOX_LIMITED : TC_SANDBOX_EXITED;
    result->end.more_files |= call->more_files;
    result->out = tc_buf_dup(&call->out, cx->arena);
    result->err = tc_buf_dup(&call->err, cx->arena);
    return result->out.p && result->err.p && result->end.message.p ? TC_OK : tc_fail_memory(cx);
}

/* --- all of it --- */

/* 0 or an errno. */
static int send_request(const struct call *call)
{
    const struct tc_sandbox_request *request = call->request;
    struct tc_buf message;
    int fds[TC_SANDBOX_GRANTS_MAX], error = EMSGSIZE;

    for (size_t i = 0; i < request->grants_n; i++)
        fds[i] = request->grants[i].fd;
    tc_buf_init(&message, TC_WIRE_MESSAGE_MAX);
    tc_wire_put_request(&message, request);
    if (!message.failed)
        error = tc_wire_send(call->child->socket, tc_buf_get(&message), MSG_DONTWAIT, fds, request->grants_n);
    tc_buf_finish(&message);
    return error;
}

/* To a child that lives: one that stood ready may have been killed, or its zygote. */
static enum tc_err hand_over(struct tc_cx *cx, struct call *call)
{
    int error = EPIPE;

    for (int i = 0; i < CHILDREN_TRIED && (error == EPIPE || error == ECONNRESET); i++) {
        enum tc_err e = tc_pool_take(cx, call->pool, &call->child);
        if (e)
            return e;
        error = send_request(call);
        if (error)
            tc_pool_give(call->pool, call->child);
    }
    if (error == EMSGSIZE)
        return tc_fail(cx, TC_E_WS_SHELL_FAILED, "The script and its view of files are too large to be handed over.");
    return error ? tc_fail(cx, TC_E_WS_SHELL_FAILED, "The shell's process could not be reached: %s.", strerror(error))
                 : TC_OK;
}

enum tc_err tc_pool_shell(struct tc_cx *cx, struct tc_sandbox *self, const struct tc_sandbox_request *request,
                          struct tc_sandbox_result *ret_result)
{
    struct tc_sandbox_pool *pool = (struct tc_sandbox_pool *)self; /* its first member */
    struct call call = {.pool = pool, .request = request, .result = ret_result, .due_us = INT64_MAX};
    enum tc_err e;

    assert(request->grants_n > 0 && request->grants_n <= TC_SANDBOX_GRANTS_MAX &&
           request->hidden_n <= TC_SANDBOX_NAMES_MAX && request->shown_n <= TC_SANDBOX_NAMES_MAX &&
           request->stream_bytes < STREAM_MAX);
    *ret_result = (struct tc_sandbox_result){.out = TC_STR(""), .err = TC_STR("")};
    e = hand_over(cx, &call);
    if (e)
        return e;
    tc_buf_init(&call.out, STREAM_MAX);
    tc_buf_init(&call.err, STREAM_MAX);
    if (request->wall_ms)
        set_due(cx, &call, request->wall_ms + LATE_MS);
    follow(cx, &call);
    if (!ret_result->known)
        await_death(cx, &call);
    e = fill(cx, &call);
    if (ret_result->known)
        pool->pause_ms = 0;
    if (call.canceled)
        tc_task_unshield(cx);
    tc_buf_finish(&call.out);
    tc_buf_finish(&call.err);
    tc_pool_give(pool, call.child);
    return e;
}
