/*
 * Open addressing with linear probing; removal leaves a tombstone, growth
 * sweeps them out.
 */
#include "base/map.h"

#include "base/hash.h"
#include "base/mem.h"

struct tc_map_slot {
    uint64_t hash;
    char *key; /* NULL: never used */
    size_t key_n;
    void *value; /* NULL with a key: removed */
};

void tc_map_finish(struct tc_map *map)
{
    for (size_t i = 0; i < map->cap; i++)
        tc_mem_free(map->slots[i].key);
    tc_mem_free(map->slots);
    *map = (struct tc_map){0};
}

/* The slot of the key, also when it was removed. */
static struct tc_map_slot *find(const struct tc_map *map, struct tc_str key, uint64_t hash)
{
    if (map->cap == 0)
        return NULL;
    for (size_t i = hash & (map->cap - 1);; i = (i + 1) & (map->cap - 1)) {
        struct tc_map_slot *slot = &map->slots[i];
        if (!slot->key)
            return NULL;
        if (slot->hash == hash && tc_str_eq(tc_str_n(slot->key, slot->key_n), key))
            return slot;
    }
}

static bool grow(struct tc_map *map)
{
    size_t cap = map->n * 2 < 8 ? 8 : map->cap;
    struct tc_map_slot *slots;

    while (cap < map->n * 2 + 2)
        cap *= 2;
    slots = tc_mem_zalloc(cap, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < map->cap; i++) {
        struct tc_map_slot *slot = &map->slots[i];
        size_t to = slot->hash & (cap - 1);
        if (!slot->value) {
            tc_mem_free(slot->key);
            continue;
        }
        while (slots[to].key)
            to = (to + 1) & (cap - 1);
        slots[to] = *slot;
    }
    tc_mem_free(map->slots);
    map->slots = slots;
    map->cap = cap;
    map->used = map->n;
    return true;
}

bool tc_map_put(struct tc_map *map, struct tc_str key, void *value)
{
    uint64_t hash = tc_hash_table(key);
    struct tc_map_slot *slot = find(map, key, hash);
    char *copy;
    size_t i;

    if (slot) { /* a key that comes back finds its place */
        map->n += !slot->value;
        slot->value = value;
        return true;
    }
    if (map->used + 1 > map->cap / 4 * 3 && !grow(map))
        return false;
    copy = tc_mem_alloc(key.n + 1);
    if (!copy)
        return false;
    if (key.n)
        memcpy(copy, key.p, key.n);
    copy[key.n] = '\0';
    for (i = hash & (map->cap - 1); map->slots[i].key; i = (i + 1) & (map->cap - 1)) {
    }
    map->slots[i] = (struct tc_map_slot){hash, copy, key.n, value};
    map->n++;
    map->used++;
    return true;
}

void *tc_map_get(const struct tc_map *map, struct tc_str key)
{
    struct tc_map_slot *slot = map->n ? find(map, key, tc_hash_table(key)) : NULL;

    return slot ? slot->value : NULL;
}

void *tc_map_remove(struct tc_map *map, struct tc_str key)
{
    struct tc_map_slot *slot = map->n ? find(map, key, tc_hash_table(key)) : NULL;
    void *value;

    if (!slot || !slot->value)
        return NULL;
    value = slot->value;
    slot->value = NULL;
    map->n--;
    return value;
}

bool tc_map_next(const struct tc_map *map, size_t *at, struct tc_str *ret_key, void **ret_value)
{
    while (*at < map->cap) {
        const struct tc_map_slot *slot = &map->slots[(*at)++];
        if (slot->value) {
            *ret_key = tc_str_n(slot->key, slot->key_n);
            *ret_value = slot->value;
            return true;
        }
    }
    return false;
}
