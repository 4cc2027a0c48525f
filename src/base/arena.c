/*
 * Arena: a list of chunks, newest first, that double up to 256 KiB. Large
 * requests get a chunk of their own behind the current one, so that the free
 * part of the current chunk is not wasted. ASan sees each allocation's end.
 */
#include "toolcrib/arena.h"

#include <stdint.h>
#include <stdio.h>

#include "base/mem.h"

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif
#ifdef ASAN
#include <sanitizer/asan_interface.h>
#define POISON(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#define RED_ZONE 16u
#else
#define POISON(p, n) ((void)0)
#define UNPOISON(p, n) ((void)0)
#define RED_ZONE 0u
#endif

enum { ALIGN = 16, CHUNK_MIN = 4096, CHUNK_MAX = 256 * 1024, MAX_DEFAULT = 64 * 1024 * 1024 };

struct tc_arena_chunk {
    struct tc_arena_chunk *next;
    size_t size; /* of the data behind the header */
};

struct tc_arena_hook {
    struct tc_arena_hook *next;
    void (*fn)(void *);
    void *arg;
};

#define HEAD ((sizeof(struct tc_arena_chunk) + ALIGN - 1) / ALIGN * ALIGN)

static char *data_of(struct tc_arena_chunk *chunk)
{
    return (char *)chunk + HEAD;
}

void tc_arena_init(struct tc_arena *arena, size_t max)
{
    *arena = (struct tc_arena){.max = max ? max : MAX_DEFAULT};
}

static void run_hooks(struct tc_arena *arena, const struct tc_arena_hook *until)
{
    while (arena->hooks != until) {
        struct tc_arena_hook *hook = arena->hooks;
        arena->hooks = hook->next;
        hook->fn(hook->arg);
    }
}

/* Frees the list up to a chunk of it, or whole; returns the bytes that went. */
static size_t free_chunks(struct tc_arena_chunk *chunk, const struct tc_arena_chunk *until)
{
    size_t freed = 0;

    while (chunk != until) {
        struct tc_arena_chunk *next = chunk->next;
        freed += chunk->size;
        UNPOISON(data_of(chunk), chunk->size);
        tc_mem_free(chunk);
        chunk = next;
    }
    return freed;
}

void tc_arena_finish(struct tc_arena *arena)
{
    run_hooks(arena, NULL);
    free_chunks(arena->chunks, NULL);
    tc_arena_init(arena, arena->max);
}

void tc_arena_reset(struct tc_arena *arena)
{
    struct tc_arena_chunk *keep = arena->chunks;

    run_hooks(arena, NULL);
    if (!keep || keep->size > CHUNK_MAX) {
        tc_arena_finish(arena);
        return;
    }
    free_chunks(keep->next, NULL);
    keep->next = NULL;
    arena->used = keep->size;
    arena->at = data_of(keep);
    arena->end = arena->at + keep->size;
    POISON(arena->at, keep->size);
}

struct tc_arena_mark tc_arena_mark(const struct tc_arena *arena)
{
    return (struct tc_arena_mark){
        .chunk = arena->chunks,
        .behind = arena->chunks ? arena->chunks->next : NULL,
        .at = arena->at,
        .hooks = arena->hooks,
    };
}

void tc_arena_rewind(struct tc_arena *arena, const struct tc_arena_mark *mark)
{
    struct tc_arena_chunk *chunk = mark->chunk;

    if (!chunk) {
        tc_arena_reset(arena);
        return;
    }
    run_hooks(arena, mark->hooks);
    arena->used -= free_chunks(arena->chunks, chunk);
    arena->used -= free_chunks(chunk->next, mark->behind);
    chunk->next = mark->behind;
    arena->chunks = chunk;
    arena->at = mark->at;
    arena->end = data_of(chunk) + chunk->size;
    POISON(arena->at, (size_t)(arena->end - arena->at));
}

static struct tc_arena_chunk *add_chunk(struct tc_arena *arena, size_t size)
{
    struct tc_arena_chunk *chunk;

    if (size > arena->max || arena->used > arena->max - size)
        return NULL;
    chunk = tc_mem_alloc(HEAD + size);
    if (!chunk)
        return NULL;
    chunk->size = size;
    arena->used += size;
    POISON(data_of(chunk), size);
    return chunk;
}

static void *alloc_slow(struct tc_arena *arena, size_t need)
{
    size_t size = arena->chunks ? arena->chunks->size * 2 : CHUNK_MIN;
    struct tc_arena_chunk *chunk;

    if (size > CHUNK_MAX)
        size = CHUNK_MAX;
    if (need > size / 2) { /* its own chunk, behind the current one */
        chunk = add_chunk(arena, need);
        if (!chunk)
            return NULL;
        if (arena->chunks) {
            chunk->next = arena->chunks->next;
            arena->chunks->next = chunk;
        } else {
            chunk->next = NULL;
            arena->chunks = chunk;
            arena->at = arena->end = data_of(chunk) + need;
        }
        return data_of(chunk);
    }
    if (arena->used + size > arena->max && arena->used + need <= arena->max)
        size = arena->max - arena->used;
    chunk = add_chunk(arena, size);
    if (!chunk)
        return NULL;
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->at = data_of(chunk) + need;
    arena->end = data_of(chunk) + size;
    return data_of(chunk);
}

void *tc_arena_alloc(struct tc_arena *arena, size_t n)
{
    size_t need;
    void *p;

    if (n > SIZE_MAX / 2)
        return NULL;
    need = (n + RED_ZONE + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (need == 0)
        need = ALIGN;
    if ((size_t)(arena->end - arena->at) >= need) {
        p = arena->at;
        arena->at += need;
    } else {
        p = alloc_slow(arena, need);
    }
    if (p)
        UNPOISON(p, n);
    return p;
}

void *tc_arena_zalloc(struct tc_arena *arena, size_t count, size_t size)
{
    void *p;

    if (size && count > SIZE_MAX / 2 / size)
        return NULL;
    p = tc_arena_alloc(arena, count * size);
    if (p)
        memset(p, 0, count * size);
    return p;
}

struct tc_str tc_arena_dup(struct tc_arena *arena, struct tc_str s)
{
    char *p = tc_arena_alloc(arena, s.n + 1);

    if (!p)
        return tc_str_n(NULL, 0);
    if (s.n)
        memcpy(p, s.p, s.n);
    p[s.n] = '\0';
    return tc_str_n(p, s.n);
}

char *tc_arena_cstr(struct tc_arena *arena, struct tc_str s)
{
    return (char *)tc_arena_dup(arena, s).p;
}

/* Most texts fit into what is left of the chunk: they are formatted once, where they stay. */
struct tc_str tc_arena_vprintf(struct tc_arena *arena, const char *fmt, va_list ap)
{
    size_t room = (size_t)(arena->end - arena->at);
    char *at = arena->at, *p;
    va_list again;
    int n;

    UNPOISON(at, room);
    va_copy(again, ap);
    n = vsnprintf(at, room, fmt, again);
    va_end(again);
    POISON(at, room);
    if (n < 0)
        return tc_str_n(NULL, 0);
    p = tc_arena_alloc(arena, (size_t)n + 1);
    if (!p)
        return tc_str_n(NULL, 0);
    if (p != at)
        vsnprintf(p, (size_t)n + 1, fmt, ap);
    return tc_str_n(p, (size_t)n);
}

struct tc_str tc_arena_printf(struct tc_arena *arena, const char *fmt, ...)
{
    va_list ap;
    struct tc_str s;

    va_start(ap, fmt);
    s = tc_arena_vprintf(arena, fmt, ap);
    va_end(ap);
    return s;
}

bool tc_arena_defer(struct tc_arena *arena, void (*fn)(void *), void *arg)
{
    struct tc_arena_hook *hook = tc_arena_alloc(arena, sizeof *hook);

    if (!hook)
        return false;
    *hook = (struct tc_arena_hook){arena->hooks, fn, arg};
    arena->hooks = hook;
    return true;
}
