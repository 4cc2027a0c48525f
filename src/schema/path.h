/*
 * The way from the root of an instance to a value, innermost step first.
 */
#ifndef TC_SCHEMA_PATH_H
#define TC_SCHEMA_PATH_H

#include "toolcrib/arena.h"

struct tc_path {
    const struct tc_path *up; /* NULL: the first step below the root */
    struct tc_str key;        /* p NULL: an item */
    uint32_t index;
    uint32_t depth; /* 1 for the first step */
};

static inline uint32_t tc_path_depth(const struct tc_path *path)
{
    return path ? path->depth : 0;
}

/* A step below `up` in the arena; NULL without memory. */
const struct tc_path *tc_path_key(struct tc_arena *arena, const struct tc_path *up, struct tc_str key);
const struct tc_path *tc_path_index(struct tc_arena *arena, const struct tc_path *up, uint32_t index);
/* As a JSON Pointer; a NULL path is the root, "". p is NULL without memory. */
struct tc_str tc_path_text(struct tc_arena *arena, const struct tc_path *path);

#endif
