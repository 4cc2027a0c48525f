/*
 * Growing buffer: doubles, never past its maximum, sticky on failure.
 */
#include "toolcrib/buf.h"

#include <assert.h>
#include <stdio.h>

#include "base/mem.h"

enum { FIRST = 256 };

void tc_buf_init(struct tc_buf *buf, size_t max)
{
    assert(max > 0);
    *buf = (struct tc_buf){.max = max};
}

void tc_buf_finish(struct tc_buf *buf)
{
    tc_mem_free(buf->p);
    *buf = (struct tc_buf){.max = buf->max};
}

void tc_buf_clear(struct tc_buf *buf)
{
    buf->n = 0;
    buf->failed = false;
}

static void fail(struct tc_buf *buf)
{
    tc_buf_finish(buf);
    buf->failed = true;
}

static char *grow(struct tc_buf *buf, size_t n)
{
    size_t cap;
    char *p;

    if (buf->failed)
        return NULL;
    if (n > buf->max || buf->n > buf->max - n) {
        fail(buf);
        return NULL;
    }
    cap = buf->cap ? buf->cap : FIRST;
    while (cap < buf->n + n)
        cap *= 2;
    if (cap > buf->max)
        cap = buf->max;
    p = tc_mem_realloc(buf->p, cap);
    if (!p) {
        fail(buf);
        return NULL;
    }
    buf->p = p;
    buf->cap = cap;
    return buf->p + buf->n;
}

/* A buffer that has failed has no room. */
static inline char *reserve(struct tc_buf *buf, size_t n)
{
    return n <= buf->cap - buf->n ? buf->p + buf->n : grow(buf, n);
}

char *tc_buf_reserve(struct tc_buf *buf, size_t n)
{
    return reserve(buf, n);
}

void tc_buf_add(struct tc_buf *buf, const void *p, size_t n)
{
    char *to;

    if (n == 0)
        return;
    to = reserve(buf, n);
    if (to) {
        memcpy(to, p, n);
        buf->n += n;
    }
}

void tc_buf_str(struct tc_buf *buf, struct tc_str s)
{
    tc_buf_add(buf, s.p, s.n);
}

void tc_buf_cstr(struct tc_buf *buf, const char *s)
{
    tc_buf_add(buf, s, strlen(s));
}

void tc_buf_char(struct tc_buf *buf, char c)
{
    char *to = reserve(buf, 1);

    if (to) {
        *to = c;
        buf->n++;
    }
}

void tc_buf_vprintf(struct tc_buf *buf, const char *fmt, va_list ap)
{
    size_t room = buf->cap - buf->n;
    va_list again;
    int n;
    char *to;

    va_copy(again, ap);
    n = vsnprintf(room ? buf->p + buf->n : NULL, room, fmt, again); /* which will do, mostly */
    va_end(again);
    if (n < 0) {
        fail(buf);
        return;
    }
    to = reserve(buf, (size_t)n + 1);
    if (to) {
        if ((size_t)n >= room)
            vsnprintf(to, (size_t)n + 1, fmt, ap);
        buf->n += (size_t)n;
    }
}

void tc_buf_printf(struct tc_buf *buf, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    tc_buf_vprintf(buf, fmt, ap);
    va_end(ap);
}

void tc_buf_drop(struct tc_buf *buf, size_t n)
{
    assert(n <= buf->n);
    buf->n -= n;
    if (buf->n)
        memmove(buf->p, buf->p + n, buf->n);
}

struct tc_str tc_buf_dup(const struct tc_buf *buf, struct tc_arena *arena)
{
    return buf->failed ? tc_str_n(NULL, 0) : tc_arena_dup(arena, tc_buf_get(buf));
}
