/*
 * Allocation with an optional fault counter. The counter is atomic since pool
 * threads allocate too; it is compiled in only with TC_FAULTS.
 */
#include "base/mem.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CACHED_MAX = 1032 };

#ifdef TC_FAULTS
static atomic_size_t count, fail_at;
static atomic_bool sticky_fail;

static bool refused(void)
{
    size_t at = atomic_load(&fail_at), now = atomic_fetch_add(&count, 1) + 1;
    return at != 0 && (now == at || (now > at && atomic_load(&sticky_fail)));
}

bool tc_mem_fail_at(size_t nth, bool sticky)
{
    atomic_store(&fail_at, 0);
    atomic_store(&count, 0);
    atomic_store(&sticky_fail, sticky);
    atomic_store(&fail_at, nth);
    return true;
}

size_t tc_mem_count(void)
{
    return atomic_load(&count);
}
#else
static inline bool refused(void)
{
    return false;
}

bool tc_mem_fail_at(size_t nth, bool sticky)
{
    (void)nth, (void)sticky;
    return false;
}

size_t tc_mem_count(void)
{
    return 0;
}
#endif

void *tc_mem_alloc(size_t n)
{
    return refused() ? NULL : malloc(n ? n : 1);
}

void *tc_mem_zalloc(size_t n, size_t size)
{
    size_t bytes;
    void *p;

    if (refused())
        return NULL;
    if (__builtin_mul_overflow(n, size, &bytes) || bytes > CACHED_MAX)
        return calloc(n, size);
    p = malloc(bytes ? bytes : 1); /* calloc passes over the cache that the C library keeps for each thread */
    return p ? memset(p, 0, bytes) : NULL;
}

void *tc_mem_realloc(void *p, size_t n)
{
    return refused() ? NULL : realloc(p, n ? n : 1);
}

void tc_mem_free(void *p)
{
    free(p);
}
