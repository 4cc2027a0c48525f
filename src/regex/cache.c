/*
 * A hash table over keys that lie one behind the other; rows in one block, so that
 * a step of the automaton is one addition and one load.
 */
#include "regex/cache.h"

#include "base/mem.h"

enum { STATES_MIN = 8, KEYS_MIN = 64 };

void tc_regex_cache_init(struct tc_regex_cache *cache, size_t columns, size_t max)
{
    *cache = (struct tc_regex_cache){.stride = columns + 1, .max = max};
}

void tc_regex_cache_finish(struct tc_regex_cache *cache)
{
    tc_mem_free(cache->table);
    tc_mem_free(cache->states);
    tc_mem_free(cache->keys);
    tc_mem_free(cache->buckets);
    tc_regex_cache_init(cache, cache->stride - 1, cache->max);
}

void tc_regex_cache_clear(struct tc_regex_cache *cache)
{
    cache->n = cache->n ? 1 : 0;
    cache->emptied++;
    cache->keys_n = 0;
    if (cache->buckets)
        memset(cache->buckets, 0, cache->buckets_n * sizeof *cache->buckets);
}

size_t tc_regex_cache_bytes(const struct tc_regex_cache *cache)
{
    return cache->n * (cache->stride * sizeof *cache->table + sizeof *cache->states) +
           cache->keys_n * sizeof *cache->keys;
}

static bool grow(void **block, size_t size)
{
    void *p = tc_mem_realloc(*block, size);

    if (!p)
        return false;
    *block = p;
    return true;
}

static void link_state(struct tc_regex_cache *cache, uint32_t index)
{
    size_t i = cache->states[index].hash & (cache->buckets_n - 1);

    while (cache->buckets[i])
        i = (i + 1) & (cache->buckets_n - 1);
    cache->buckets[i] = index;
}

static bool grow_states(struct tc_regex_cache *cache)
{
    uint32_t cap = cache->cap ? cache->cap * 2 : STATES_MIN;
    uint32_t *buckets;

    if (!grow((void **)&cache->table, cap * cache->stride * sizeof *cache->table) ||
        !grow((void **)&cache->states, cap * sizeof *cache->states))
        return false;
    buckets = tc_mem_zalloc((size_t)cap * 2, sizeof *buckets);
    if (!buckets)
        return false;
    tc_mem_free(cache->buckets);
    cache->buckets = buckets;
    cache->buckets_n = (size_t)cap * 2;
    for (uint32_t i = 1; i < cache->n; i++)
        link_state(cache, i);
    cache->cap = cap;
    if (cache->n == 0) { /* the one that leads nowhere */
        cache->states[0] = (struct tc_regex_state){0, 0, 0};
        cache->n = 1;
    }
    return true;
}

static bool grow_keys(struct tc_regex_cache *cache, size_t n)
{
    size_t cap = cache->keys_cap ? cache->keys_cap : KEYS_MIN;

    while (cap < cache->keys_n + n)
        cap *= 2;
    if (!grow((void **)&cache->keys, cap * sizeof *cache->keys))
        return false;
    cache->keys_cap = cap;
    return true;
}

static uint32_t hash_of(const uint32_t *key, uint32_t n)
{
    uint64_t h = n;

    for (uint32_t i = 0; i < n; i++)
        h = (h ^ key[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 32;
    return (uint32_t)h;
}

static int32_t add(struct tc_regex_cache *cache, const uint32_t *key, uint32_t n, uint32_t hash)
{
    uint32_t index;

    if (tc_regex_cache_bytes(cache) + cache->stride * sizeof *cache->table + n * sizeof *key > cache->max &&
        cache->n > 1)
        return TC_REGEX_CACHE_FULL;
    if (cache->n >= cache->cap && !grow_states(cache))
        return TC_REGEX_CACHE_NO_MEMORY;
    if (cache->keys_n + n > cache->keys_cap && !grow_keys(cache, n))
        return TC_REGEX_CACHE_NO_MEMORY;
    index = cache->n++;
    cache->states[index] = (struct tc_regex_state){n, hash, cache->keys_n};
    memcpy(cache->keys + cache->keys_n, key, n * sizeof *key);
    cache->keys_n += n;
    link_state(cache, index);
    memset(cache->table + index * cache->stride, 0xff, (cache->stride - 1) * sizeof *cache->table);
    cache->table[(index + 1) * cache->stride - 1] = (int32_t)cache->states[index].key;
    return (int32_t)(index * cache->stride);
}

int32_t tc_regex_cache_row(struct tc_regex_cache *cache, const uint32_t *key, uint32_t n)
{
    uint32_t hash = hash_of(key, n);
    size_t i = cache->buckets_n ? hash & (cache->buckets_n - 1) : 0;

    for (; cache->buckets && cache->buckets[i]; i = (i + 1) & (cache->buckets_n - 1)) {
        const struct tc_regex_state *state = &cache->states[cache->buckets[i]];
        if (state->hash == hash && state->n == n && !memcmp(cache->keys + state->key, key, n * sizeof *key))
            return (int32_t)(cache->buckets[i] * cache->stride);
    }
    return add(cache, key, n, hash);
}
