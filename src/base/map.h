/*
 * A hash table from byte strings to pointers, for tables that change. Keys are
 * copied into the table, values are borrowed. Seeded, open addressing.
 */
#ifndef TC_BASE_MAP_H
#define TC_BASE_MAP_H

#include "toolcrib/str.h"

struct tc_map_slot;

struct tc_map {
    struct tc_map_slot *slots;
    size_t n, used, cap; /* live entries; with tombstones; a power of two or 0 */
};

/* A zeroed struct is an empty map. */
void tc_map_finish(struct tc_map *map); /* frees keys and table, not the values */
/* False without memory. A key that is there gets the new value. value not NULL. */
bool tc_map_put(struct tc_map *map, struct tc_str key, void *value);
void *tc_map_get(const struct tc_map *map, struct tc_str key); /* NULL when absent */
/* Takes it out and returns its value; NULL when absent. */
void *tc_map_remove(struct tc_map *map, struct tc_str key);
/* Walks in no order: size_t at = 0; while (tc_map_next(map, &at, &key, &value)).
 * The entry just returned may be removed meanwhile; nothing may be added. */
bool tc_map_next(const struct tc_map *map, size_t *at, struct tc_str *ret_key, void **ret_value);

#endif
