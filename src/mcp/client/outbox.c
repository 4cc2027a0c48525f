/*
 * Two buffers that change places: one fills while the other is written.
 */
#include "mcp/client/outbox.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

enum {
    ROOM = 1 << 20,  /* senders wait above it */
    MAX = 256 << 20, /* a bound that only one message of its size can reach */
    KEEP = 256 << 10 /* memory kept between bursts */
};

void tc_outbox_init(struct tc_outbox *outbox)
{
    *outbox = (struct tc_outbox){0};
    tc_buf_init(&outbox->next, MAX);
    tc_buf_init(&outbox->flight, MAX);
    tc_event_set(&outbox->room);
}

void tc_outbox_finish(struct tc_outbox *outbox)
{
    tc_buf_finish(&outbox->next);
    tc_buf_finish(&outbox->flight);
}

bool tc_outbox_has_room(const struct tc_outbox *outbox)
{
    return !outbox->closed && outbox->whole <= ROOM;
}

bool tc_outbox_commit(struct tc_outbox *outbox, uint64_t *ret_start, uint64_t *ret_end)
{
    tc_buf_char(&outbox->next, '\n');
    if (outbox->next.failed) {
        tc_outbox_close(outbox);
        return false;
    }
    *ret_start = outbox->queued;
    outbox->queued += outbox->next.n - outbox->whole;
    outbox->whole = outbox->next.n;
    *ret_end = outbox->queued - 1; /* without the line end: some servers take a last line that has none */
    if (outbox->whole > ROOM)
        tc_event_clear(&outbox->room);
    tc_event_set(&outbox->filled);
    return true;
}

bool tc_outbox_withdraw(struct tc_outbox *outbox, uint64_t start, uint64_t end)
{
    uint64_t first = outbox->queued - outbox->whole;
    size_t n = (size_t)(end - start) + 1, at;

    if (start < first || outbox->closed)
        return false;
    at = (size_t)(start - first);
    assert(outbox->next.n == outbox->whole && at + n <= outbox->whole);
    memmove(outbox->next.p + at, outbox->next.p + at + n, outbox->whole - at - n);
    outbox->next.n -= n;
    outbox->whole -= n;
    outbox->queued -= n;
    if (outbox->whole <= ROOM)
        tc_event_set(&outbox->room);
    return true;
}

void tc_outbox_close(struct tc_outbox *outbox)
{
    outbox->closed = true;
    tc_event_set(&outbox->filled);
    tc_event_set(&outbox->room);
}

/* What waited becomes what is written. */
static void turn(struct tc_outbox *outbox)
{
    struct tc_buf empty = outbox->flight;

    tc_buf_clear(&empty);
    if (empty.cap > KEEP)
        tc_buf_finish(&empty);
    outbox->flight = outbox->next;
    outbox->next = empty;
    outbox->whole = 0;
    tc_event_clear(&outbox->filled);
    if (!outbox->closed)
        tc_event_set(&outbox->room);
}

/* As much as the pipe takes at once, counted exactly. When it is full, a piece
 * of PIPE_BUF bytes waits for room: such a piece goes whole or not at all, so
 * that the count stays exact also when the wait fails. */
static enum tc_err write_flight(struct tc_cx *cx, struct tc_outbox *outbox, struct tc_stream *stream, int fd)
{
    struct tc_str rest = tc_buf_get(&outbox->flight);
    enum tc_err code;
    ssize_t n;

    while (rest.n && !outbox->closed) {
        n = write(fd, rest.p, rest.n);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN)
            return tc_fail(cx, TC_E_CLOSED, "The server takes no more input.");
        if (n < 0) {
            n = rest.n < PIPE_BUF ? (ssize_t)rest.n : PIPE_BUF;
            code = tc_stream_write(cx, stream, tc_str_n(rest.p, (size_t)n));
            if (code != TC_OK)
                return code;
        }
        outbox->written += (size_t)n;
        rest = tc_str_from(rest, (size_t)n);
    }
    return TC_OK;
}

enum tc_err tc_outbox_run(struct tc_cx *cx, struct tc_outbox *outbox, struct tc_stream *stream, int fd)
{
    enum tc_err code;

    do {
        code = tc_task_wait(cx, &outbox->filled, -1);
        if (code == TC_OK && !outbox->closed) {
            turn(outbox);
            code = write_flight(cx, outbox, stream, fd);
        }
    } while (code == TC_OK && !outbox->closed);
    tc_outbox_close(outbox);
    return code;
}
