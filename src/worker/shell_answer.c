/*
 * A stream's first byte of a piece is the kind of its message, so that it is sent as it
 * lies. What comes soon after something was sent waits for more or for the end.
 */
#include "worker/shell_answer.h"

#include <errno.h>
#include <time.h>

enum { GATHER_NS = 20 * 1000 * 1000 };

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * (int64_t)1000000000 + t.tv_nsec;
}

static void init_stream(struct shell_answer *answer, struct shell_answer_stream *stream, char kind)
{
    stream->answer = answer;
    stream->kind = kind;
    stream->total = stream->taken = 0;
    stream->n = 0;
    stream->piece[0] = kind;
}

void shell_answer_init(struct shell_answer *answer, int socket, int64_t max)
{
    answer->socket = socket;
    answer->max = max;
    answer->sent_ns = now_ns();
    answer->files = 0;
    answer->more_files = answer->gone = false;
    init_stream(answer, &answer->out, TC_WIRE_STDOUT);
    init_stream(answer, &answer->err, TC_WIRE_STDERR);
}

static void send_bytes(struct shell_answer *answer, struct tc_str bytes)
{
    if (!answer->gone && tc_wire_send(answer->socket, bytes, 0, NULL, 0) != 0)
        answer->gone = true;
}

static void flush(struct shell_answer_stream *stream)
{
    if (stream->n)
        send_bytes(stream->answer, tc_str_n(stream->piece, stream->n + 1));
    stream->n = 0;
}

int shell_answer_write(void *arg, const void *p, size_t n)
{
    struct shell_answer_stream *stream = arg;
    struct shell_answer *answer = stream->answer;
    int64_t left = answer->max - stream->taken, now;
    const char *bytes = p;
    size_t keep = (int64_t)n < left ? n : (size_t)left;

    stream->total += (int64_t)n;
    stream->taken += (int64_t)keep;
    while (keep) {
        size_t room = TC_WIRE_PIECE_MAX - stream->n, part = keep < room ? keep : room;
        memcpy(stream->piece + 1 + stream->n, bytes, part);
        stream->n += part;
        bytes += part;
        keep -= part;
        if (stream->n == TC_WIRE_PIECE_MAX)
            flush(stream);
    }
    now = now_ns();
    if (now - answer->sent_ns > GATHER_NS) {
        flush(&answer->out);
        flush(&answer->err);
        answer->sent_ns = now;
    }
    return answer->gone ? EPIPE : 0;
}

void shell_answer_file(struct shell_answer *answer, const struct tc_sandbox_file *file)
{
    struct tc_buf message;

    if (answer->files == SHELL_ANSWER_FILES_MAX) {
        answer->more_files = true;
        return;
    }
    answer->files++;
    tc_buf_init(&message, TC_WIRE_PATH_MAX + 256);
    tc_wire_put_file(&message, file);
    if (!message.failed)
        send_bytes(answer, tc_buf_get(&message));
    tc_buf_finish(&message);
}

static struct tc_str piece_of(const struct shell_answer_stream *stream)
{
    return tc_str_n(stream->piece + 1, stream->n);
}

void shell_answer_end(struct shell_answer *answer, const struct tc_sandbox_end *end)
{
    struct tc_wire_last last = {.end = *end};
    struct tc_buf message;

    if (answer->out.n + answer->err.n > TC_WIRE_PIECE_MAX)
        flush(&answer->out);
    last.out = piece_of(&answer->out);
    last.err = piece_of(&answer->err);
    last.end.stdout_bytes = answer->out.total;
    last.end.stderr_bytes = answer->err.total;
    last.end.more_files |= answer->more_files;
    tc_buf_init(&message, TC_WIRE_PIECE_MAX + 4 * TC_WIRE_TEXT_MAX);
    tc_wire_put_last(&message, &last);
    if (!message.failed)
        send_bytes(answer, tc_buf_get(&message));
    tc_buf_finish(&message);
}
