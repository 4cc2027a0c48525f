/*
 * A growing byte buffer on the heap with a mandatory maximum. A failed append
 * (no memory, or over the maximum) frees the bytes and makes the buffer sticky
 * failed: later appends do nothing, so callers check once, at the end.
 */
#ifndef TOOLCRIB_BUF_H
#define TOOLCRIB_BUF_H

#include <stdarg.h>
#include "toolcrib/arena.h"
#include "toolcrib/str.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_buf {
    char *p;
    size_t n, cap, max;
    bool failed;
};

/* max is in bytes and not 0. Takes no memory yet. */
void tc_buf_init(struct tc_buf *buf, size_t max);
/* Frees; safe on a zeroed struct and twice. The buffer can be used again. */
void tc_buf_finish(struct tc_buf *buf);
/* Empties, keeps the memory, clears a failure. */
void tc_buf_clear(struct tc_buf *buf);

void tc_buf_add(struct tc_buf *buf, const void *p, size_t n);
void tc_buf_str(struct tc_buf *buf, struct tc_str s);
void tc_buf_cstr(struct tc_buf *buf, const char *s);
void tc_buf_char(struct tc_buf *buf, char c);
void tc_buf_printf(struct tc_buf *buf, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tc_buf_vprintf(struct tc_buf *buf, const char *fmt, va_list ap);

/* Room for n bytes at the end, to be written by the caller, who then adds to
 * buf->n what was written; NULL when the buffer has failed. */
char *tc_buf_reserve(struct tc_buf *buf, size_t n);
/* Drops the first n bytes. */
void tc_buf_drop(struct tc_buf *buf, size_t n);

/* What is in it, borrowed until the next change. */
static inline struct tc_str tc_buf_get(const struct tc_buf *buf)
{
    return tc_str_n(buf->p ? buf->p : "", buf->n);
}

/* A copy in the arena; p is NULL when the buffer or the copy failed. */
struct tc_str tc_buf_dup(const struct tc_buf *buf, struct tc_arena *arena);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
