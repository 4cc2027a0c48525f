/*
 * The functions that the two libraries call for memory.
 */
#include "shell/archive/memory.h"

#include "base/mem.h"

static void *take(void *arena, unsigned items, unsigned size)
{
    return tc_arena_alloc(arena, (size_t)items * size);
}

static void give(void *arena, void *p)
{
    (void)arena;
    (void)p;
}

static void *take_block(void *unused, int items, int size)
{
    (void)unused;
    return tc_mem_alloc((size_t)items * (size_t)size);
}

static void give_block(void *unused, void *p)
{
    (void)unused;
    tc_mem_free(p);
}

void tc_archive_memory_zlib(z_stream *z, struct tc_arena *arena)
{
    z->zalloc = take;
    z->zfree = give;
    z->opaque = arena;
}

void tc_archive_memory_bzip2(bz_stream *bz)
{
    bz->bzalloc = take_block;
    bz->bzfree = give_block;
}
