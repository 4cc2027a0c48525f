/*
 * The end of a stream, in a buffer from whose front goes what is known to be before it.
 */
#include "shell/cmds/held.h"

static const size_t HELD_MAX = (size_t)1 << 32;

void tc_held_init(struct held *held, bool bytes, char end, int64_t n)
{
    *held = (struct held){.bytes = bytes, .end = end, .n = n};
    tc_buf_init(&held->buf, HELD_MAX);
}

void tc_held_finish(struct held *held)
{
    tc_buf_finish(&held->buf);
}

/* How many bytes at the front are not among the last ones. */
static size_t before_last(struct held *held)
{
    const struct tc_buf *buf = &held->buf;
    int64_t total = held->lines + (buf->n > 0 && buf->p[buf->n - 1] != held->end);
    size_t at = 0;

    if (held->bytes)
        return (int64_t)buf->n > held->n ? buf->n - (size_t)held->n : 0;
    for (; total > held->n; total--) {
        const char *end = memchr(buf->p + at, held->end, buf->n - at);

        if (!end)
            return buf->n;
        at = (size_t)(end - buf->p) + 1;
        held->lines--;
    }
    return at;
}

ssize_t tc_held_read(struct held *held, struct tc_cmd_call *c, struct tc_cmd_in *in, struct tc_cmd_out *out)
{
    struct tc_str bytes;
    ssize_t got;

    while ((got = tc_cmd_peek(c, in, &bytes)) > 0 && tc_cmd_tick(c, 1)) {
        size_t n;

        for (size_t i = 0; !held->bytes && i < bytes.n; i++)
            held->lines += bytes.p[i] == held->end;
        tc_buf_str(&held->buf, bytes);
        tc_cmd_took(in, bytes.n);
        if (held->buf.failed) {
            tc_cmd_fail_memory(c);
            return 0;
        }
        n = before_last(held);
        if (out)
            tc_cmd_write(out, held->buf.p, n);
        tc_buf_drop(&held->buf, n);
    }
    return got;
}
