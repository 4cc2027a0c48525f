/*
 * Associative arrays. Pairs are kept in the order of their coming and found through a
 * table with the seeded hash, so that no keys make it slow. What scripts see is the
 * order of bash 5.2's own table: FNV-1 of the key, 1024 buckets, four times as many
 * once there are two entries a bucket, the newest entry first in its bucket. That
 * order is worked out when the array is walked, from the pairs and from when the table
 * would have grown.
 */
#include "shell/vars_value.h"

#include <assert.h>

#include "base/hash.h"
#include "base/mem.h"

enum { BUCKETS = 1024, PER_BUCKET = 2, GROWTH = 4, PAIRS_MIN = 8 };

struct tc_sh_assoc *tc_sh_assoc_create(void)
{
    struct tc_sh_assoc *array = tc_mem_zalloc(1, sizeof *array);

    if (array) {
        array->refs = 1;
        array->buckets = BUCKETS;
    }
    return array;
}

static uint32_t buckets_now(const struct tc_sh_assoc *array)
{
    uint32_t n = array->buckets;

    for (unsigned i = 0; i < array->growths; i++)
        n *= GROWTH;
    return n;
}

static void drop_pairs(struct tc_sh_assoc *array)
{
    for (size_t i = 0; i < array->used; i++) {
        tc_sh_value_unref(array->pairs[i].key);
        tc_sh_value_unref(array->pairs[i].value);
    }
    tc_mem_free(array->pairs);
    tc_mem_free(array->slots);
    tc_mem_free(array->order);
}

void tc_sh_assoc_unref(struct tc_sh_assoc *array)
{
    if (!array || --array->refs > 0)
        return;
    drop_pairs(array);
    tc_mem_free(array);
}

void tc_sh_assoc_clear(struct tc_sh_assoc *array)
{
    uint32_t buckets = buckets_now(array); /* bash empties its table without making it smaller */

    drop_pairs(array);
    *array = (struct tc_sh_assoc){.refs = array->refs, .buckets = buckets};
}

static void enter(struct tc_sh_assoc *array, size_t number)
{
    size_t at = array->pairs[number].hash & (array->slots_n - 1);

    while (array->slots[at])
        at = (at + 1) & (array->slots_n - 1);
    array->slots[at] = (uint32_t)number + 1;
}

/* Sweeps removed pairs out and makes room for half as many more. */
static bool rebuild(struct tc_sh_assoc *array, size_t room)
{
    size_t slots_n = PAIRS_MIN * 2, cap = room + room / 2 + PAIRS_MIN, n = 0, next = 0;
    struct tc_sh_pair *pairs = tc_mem_alloc(cap * sizeof *pairs);
    uint32_t *slots;

    while (slots_n < cap * 2)
        slots_n *= 2;
    slots = tc_mem_zalloc(slots_n, sizeof *slots);
    if (!pairs || !slots) {
        tc_mem_free(pairs);
        tc_mem_free(slots);
        return false;
    }
    for (size_t i = 0; i <= array->used; i++) {
        while (next < array->growths && array->grown[next] == i)
            array->grown[next++] = n;
        if (i < array->used && array->pairs[i].key)
            pairs[n++] = array->pairs[i];
    }
    tc_mem_free(array->pairs);
    tc_mem_free(array->slots);
    tc_mem_free(array->order);
    array->order = NULL;
    array->pairs = pairs;
    array->slots = slots;
    array->slots_n = slots_n;
    array->cap = cap;
    array->used = n;
    for (size_t i = 0; i < n; i++)
        enter(array, i);
    return true;
}

struct tc_sh_assoc *tc_sh_assoc_copy(const struct tc_sh_assoc *array)
{
    struct tc_sh_assoc *copy = tc_sh_assoc_create(), own;

    if (!copy)
        return NULL;
    own = *array;
    own.slots = NULL; /* rebuild frees what it replaces: nothing of the other's */
    own.order = NULL;
    own.refs = 1;
    own.pairs = array->used ? tc_mem_alloc(array->used * sizeof *own.pairs) : NULL;
    if (array->used && !own.pairs) {
        tc_mem_free(copy);
        return NULL;
    }
    if (array->used)
        memcpy(own.pairs, array->pairs, array->used * sizeof *own.pairs);
    *copy = own;
    if (!rebuild(copy, copy->n)) {
        tc_mem_free(own.pairs);
        tc_mem_free(copy);
        return NULL;
    }
    for (size_t i = 0; i < copy->used; i++) {
        tc_sh_value_ref(copy->pairs[i].key);
        tc_sh_value_ref(copy->pairs[i].value);
    }
    return copy;
}

struct tc_sh_pair *tc_sh_assoc_find(const struct tc_sh_assoc *array, struct tc_str key)
{
    uint64_t hash;

    if (array->n == 0)
        return NULL;
    hash = tc_hash_table(key);
    for (size_t at = hash & (array->slots_n - 1); array->slots[at]; at = (at + 1) & (array->slots_n - 1)) {
        struct tc_sh_pair *pair = &array->pairs[array->slots[at] - 1];
        if (pair->key && pair->hash == hash && tc_str_eq(tc_sh_value_str(pair->key), key))
            return pair;
    }
    return NULL;
}

static bool add(struct tc_sh_assoc *array, struct tc_str key, struct tc_str text)
{
    struct tc_sh_pair pair = {.hash = tc_hash_table(key)};

    if (array->used == array->cap && !rebuild(array, array->n))
        return false;
    pair.key = tc_sh_value_create(key);
    pair.value = tc_sh_value_create(text);
    if (!pair.key || !pair.value) {
        tc_sh_value_unref(pair.key);
        tc_sh_value_unref(pair.value);
        return false;
    }
    if (array->n >= (size_t)buckets_now(array) * PER_BUCKET && array->growths < TC_SH_GROWTHS_MAX)
        array->grown[array->growths++] = array->used;
    array->pairs[array->used] = pair;
    enter(array, array->used++);
    array->n++;
    array->bytes += key.n + text.n;
    tc_mem_free(array->order);
    array->order = NULL;
    return true;
}

bool tc_sh_assoc_set(struct tc_sh_assoc *array, struct tc_str key, struct tc_str text)
{
    struct tc_sh_pair *pair = tc_sh_assoc_find(array, key);
    size_t before;

    assert(array->refs == 1);
    if (!pair)
        return add(array, key, text);
    before = pair->value->n;
    if (!tc_sh_value_set(&pair->value, text))
        return false;
    array->bytes += text.n - before;
    return true;
}

bool tc_sh_assoc_remove(struct tc_sh_assoc *array, struct tc_str key)
{
    struct tc_sh_pair *pair = tc_sh_assoc_find(array, key);

    assert(array->refs == 1);
    if (!pair)
        return false;
    array->bytes -= pair->key->n + pair->value->n;
    tc_sh_value_unref(pair->key);
    tc_sh_value_unref(pair->value);
    pair->key = pair->value = NULL;
    array->n--;
    tc_mem_free(array->order);
    array->order = NULL;
    return true;
}

/* --- bash's order --- */

uint32_t tc_sh_assoc_hash(struct tc_str key)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < key.n; i++)
        hash = hash * 16777619u ^ (uint32_t)(signed char)key.p[i];
    return hash;
}

struct chains {
    uint32_t *first, *next, *hashes; /* 1 + number of a pair, 0 none */
    uint32_t n;
};

static void put_first(struct chains *chains, uint32_t link)
{
    uint32_t bucket = chains->hashes[link - 1] & (chains->n - 1);

    chains->next[link - 1] = chains->first[bucket];
    chains->first[bucket] = link;
}

static void grow_chains(struct chains *chains, uint32_t *wider)
{
    uint32_t *old = chains->first, n = chains->n;

    chains->first = wider;
    chains->n = n * GROWTH;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t link = old[i], next; link; link = next) {
            next = chains->next[link - 1];
            put_first(chains, link);
        }
    }
    tc_mem_free(old);
}

/* False without memory. */
static bool chain(const struct tc_sh_assoc *array, struct chains *chains)
{
    unsigned growth = 0;

    for (size_t i = 0; i <= array->used; i++) {
        while (growth < array->growths && array->grown[growth] == i) {
            uint32_t *wider = tc_mem_zalloc((size_t)chains->n * GROWTH, sizeof *wider);
            if (!wider)
                return false;
            grow_chains(chains, wider);
            growth++;
        }
        if (i < array->used && array->pairs[i].key) {
            chains->hashes[i] = tc_sh_assoc_hash(tc_sh_value_str(array->pairs[i].key));
            put_first(chains, (uint32_t)i + 1);
        }
    }
    return true;
}

const uint32_t *tc_sh_assoc_order(struct tc_sh_assoc *array)
{
    struct chains chains = {.n = array->buckets};
    size_t n = 0;

    if (array->order)
        return array->order;
    chains.first = tc_mem_zalloc(chains.n, sizeof *chains.first);
    chains.next = tc_mem_alloc((array->used + 1) * 2 * sizeof *chains.next);
    array->order = tc_mem_alloc((array->n + 1) * sizeof *array->order);
    chains.hashes = chains.next ? chains.next + array->used + 1 : NULL;
    if (chains.first && chains.next && array->order && chain(array, &chains)) {
        for (uint32_t i = 0; i < chains.n; i++)
            for (uint32_t link = chains.first[i]; link; link = chains.next[link - 1])
                array->order[n++] = link - 1;
    } else {
        tc_mem_free(array->order);
        array->order = NULL;
    }
    tc_mem_free(chains.first);
    tc_mem_free(chains.next);
    return array->order;
}
