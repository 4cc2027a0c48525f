/*
 * A bump allocator with one lifetime: everything made while one task, request
 * or command is served lives in its arena and goes when the arena is finished.
 * Memory is never given back piecewise. The arena has a maximum; past it, and
 * when the system has no memory, allocation returns NULL and the caller fails
 * with TC_E_NO_MEMORY.
 *
 * Not safe for two threads at once: one arena belongs to one task.
 */
#ifndef TOOLCRIB_ARENA_H
#define TOOLCRIB_ARENA_H

#include <stdarg.h>
#include "toolcrib/str.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_arena_chunk;
struct tc_arena_hook;

struct tc_arena {
    struct tc_arena_chunk *chunks; /* newest first */
    char *at, *end;                /* free part of the newest chunk */
    size_t used, max;              /* bytes taken from the system, and their limit */
    struct tc_arena_hook *hooks;   /* run on reset and finish, newest first */
};

/* Takes no memory until the first allocation. max 0 means 64 MiB. */
void tc_arena_init(struct tc_arena *arena, size_t max);
/* Runs the hooks and frees all; safe on a zeroed struct and twice. */
void tc_arena_finish(struct tc_arena *arena);
/* As finish, but keeps one chunk so that the arena can serve the next request. */
void tc_arena_reset(struct tc_arena *arena);

/* Where the arena stands, and back to there: what was made since goes, its hooks run.
 * Marks nest; one is good until the arena is taken back behind it. */
struct tc_arena_mark {
    struct tc_arena_chunk *chunk, *behind;
    char *at;
    struct tc_arena_hook *hooks;
};
struct tc_arena_mark tc_arena_mark(const struct tc_arena *arena);
void tc_arena_rewind(struct tc_arena *arena, const struct tc_arena_mark *mark);

/* n bytes, aligned for any type, not cleared; NULL when over the maximum. */
void *tc_arena_alloc(struct tc_arena *arena, size_t n);
/* The same, zeroed, for count items of size bytes; overflow is NULL. */
void *tc_arena_zalloc(struct tc_arena *arena, size_t count, size_t size);
#define TC_ARENA_NEW(arena, type) ((type *)tc_arena_zalloc((arena), 1, sizeof(type)))
#define TC_ARENA_NEW_N(arena, type, n) ((type *)tc_arena_zalloc((arena), (n), sizeof(type)))

/* A copy with a NUL behind it (not counted). p is NULL on failure. */
struct tc_str tc_arena_dup(struct tc_arena *arena, struct tc_str s);
/* A copy as a C string. NULL on failure. */
char *tc_arena_cstr(struct tc_arena *arena, struct tc_str s);
/* Formatted text. p is NULL on failure. */
struct tc_str tc_arena_printf(struct tc_arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct tc_str tc_arena_vprintf(struct tc_arena *arena, const char *fmt, va_list ap);

/* Calls fn(arg) when the arena is reset or finished (references to drop, files
 * to close). False when there was no memory to note it: fn was not called. */
bool tc_arena_defer(struct tc_arena *arena, void (*fn)(void *), void *arg);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
