/*
 * Lines of a stream. The buffer holds the line that was given out last, whole
 * lines behind it and the beginning of one more; it is moved only when it holds
 * no whole line, and given back after an unusually long one.
 */
#include "io/stream.h"

#include "io/sched.h"

enum { KEEP = 64 * 1024 };

void tc_stream_lines_init(struct tc_stream_lines *lines, struct tc_stream *stream, size_t max)
{
    *lines = (struct tc_stream_lines){.stream = stream, .max = max};
    tc_buf_init(&lines->buf, max + KEEP); /* room to read on behind a line that is not too long yet */
}

void tc_stream_lines_finish(struct tc_stream_lines *lines)
{
    tc_buf_finish(&lines->buf);
}

/* Drops what was given out, and all of it while a long line is skipped. */
static void make_room(struct tc_stream_lines *lines)
{
    struct tc_buf *buf = &lines->buf;

    tc_buf_drop(buf, lines->skipping ? buf->n : lines->taken);
    if (buf->n == 0 && buf->cap > KEEP)
        tc_buf_finish(buf);
    lines->taken = 0;
    lines->scanned = buf->n;
}

static enum tc_err fail_long(struct tc_cx *cx)
{
    return tc_sched_fail(cx, TC_E_LIMIT, TC_STR("A line is longer than allowed."));
}

/* The next whole line of the buffer; false when there is none. */
static bool take_line(struct tc_stream_lines *lines, struct tc_str *ret_line)
{
    const char *p = lines->buf.p, *end;

    while (lines->scanned < lines->buf.n) {
        end = memchr(p + lines->scanned, '\n', lines->buf.n - lines->scanned);
        if (!end)
            return false;
        *ret_line = tc_str_n(p + lines->taken, (size_t)(end - p) - lines->taken);
        lines->taken = lines->scanned = (size_t)(end - p) + 1;
        if (!lines->skipping)
            return true;
        lines->skipping = false;
    }
    return false;
}

static enum tc_err read_more(struct tc_cx *cx, struct tc_stream_lines *lines, int64_t due)
{
    struct tc_buf *buf = &lines->buf;
    size_t had = buf->n;
    enum tc_err code = tc_stream_read_until(cx, lines->stream, buf, due);

    if (buf->failed) { /* the line that had begun is lost with it */
        tc_buf_clear(buf);
        lines->scanned = 0;
        lines->skipping = lines->skipping || had > 0;
    }
    return code;
}

enum tc_err tc_stream_line(struct tc_cx *cx, struct tc_stream_lines *lines, int64_t timeout_ms, struct tc_str *ret_line)
{
    enum tc_err code = tc_task_check(cx);
    int64_t due = code == TC_OK ? tc_sched_due(tc_task_loop(cx), timeout_ms) : 0;
    struct tc_str line;

    while (code == TC_OK) {
        if (take_line(lines, &line)) {
            if (line.n > lines->max)
                return fail_long(cx);
            *ret_line = line;
            return TC_OK;
        }
        make_room(lines);
        if (lines->buf.n > lines->max) {
            lines->skipping = true;
            return fail_long(cx);
        }
        code = read_more(cx, lines, due);
        if (code == TC_E_CLOSED && lines->buf.n > 0 && !lines->skipping) {
            *ret_line = tc_buf_get(&lines->buf);
            lines->taken = lines->scanned = lines->buf.n;
            return TC_OK;
        }
    }
    return code;
}
