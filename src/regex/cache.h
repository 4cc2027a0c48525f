/*
 * The states of an automaton that is built while it runs: each is known by a key of
 * numbers and has a row of transitions. The cache has a maximum of bytes; what is
 * full is emptied, and the automaton goes on from the state it is in.
 */
#ifndef TC_REGEX_CACHE_H
#define TC_REGEX_CACHE_H

#include "toolcrib/str.h"

/* A transition: negative when it needs a look, otherwise the next state's row, as
 * an offset in the table. State 0 is the one from which nothing can match. */
enum {
    TC_REGEX_UNKNOWN = -1,
    TC_REGEX_LOOK = INT32_MIN,  /* set with the other flag, and for state 0 */
    TC_REGEX_HIT = 1 << 30,     /* what this means is the automaton's affair */
    TC_REGEX_ROW = (1 << 30) - 1
};

struct tc_regex_state {
    uint32_t n, hash;
    size_t key;
};

struct tc_regex_cache {
    size_t stride, max; /* transitions a row and, behind them, where the key is; bytes */
    int32_t *table;
    struct tc_regex_state *states;
    uint32_t *keys, *buckets;
    uint32_t n, cap, emptied; /* emptied: how often */
    size_t keys_n, keys_cap, buckets_n;
};

enum { TC_REGEX_CACHE_FULL = -1, TC_REGEX_CACHE_NO_MEMORY = -2 };

/* Takes no memory. */
void tc_regex_cache_init(struct tc_regex_cache *cache, size_t columns, size_t max);
void tc_regex_cache_finish(struct tc_regex_cache *cache);
/* Forgets all states, keeps the memory. */
void tc_regex_cache_clear(struct tc_regex_cache *cache);
/* The row of the state with this key, made if there is none; n is at least 1.
 * Negative: TC_REGEX_CACHE_. */
int32_t tc_regex_cache_row(struct tc_regex_cache *cache, const uint32_t *key, uint32_t n);
size_t tc_regex_cache_bytes(const struct tc_regex_cache *cache);

/* The key of a row's state, borrowed until the next state is made. */
static inline const uint32_t *tc_regex_cache_key(const struct tc_regex_cache *cache, int32_t row)
{
    return cache->keys + (uint32_t)cache->table[(size_t)row + cache->stride - 1];
}

/* Its length. */
static inline uint32_t tc_regex_cache_key_n(const struct tc_regex_cache *cache, int32_t row)
{
    return cache->states[(size_t)row / cache->stride].n;
}

#endif
