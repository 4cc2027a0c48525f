/*
 * What variables hold: byte strings and the two kinds of arrays, all of them counted
 * references that environments share until one writes. None of these looks at
 * attributes or limits; that is vars.c's.
 */
#ifndef TC_SHELL_VARS_VALUE_H
#define TC_SHELL_VARS_VALUE_H

#include "toolcrib/str.h"

struct tc_sh_value {
    int refs;
    size_t n, cap;
    char p[]; /* a NUL behind the n bytes */
};

/* NULL without memory. */
struct tc_sh_value *tc_sh_value_create(struct tc_str text);
struct tc_sh_value *tc_sh_value_ref(struct tc_sh_value *value);
void tc_sh_value_unref(struct tc_sh_value *value); /* NULL is fine */
/* Makes *value hold `text`, or end in it; in place when it is unshared. *value may be NULL. `text` may
 * lie inside of *value. False without memory: nothing has changed. */
bool tc_sh_value_set(struct tc_sh_value **value, struct tc_str text);
bool tc_sh_value_append(struct tc_sh_value **value, struct tc_str text);

static inline struct tc_str tc_sh_value_str(const struct tc_sh_value *value)
{
    return tc_str_n(value->p, value->n);
}

/* --- indexed arrays: elements sorted by index, with room at both ends --- */

struct tc_sh_item {
    int64_t index;
    struct tc_sh_value *value;
};

struct tc_sh_indexed {
    int refs;
    size_t head, n, cap; /* elements are room[head] … room[head + n - 1] */
    size_t bytes;        /* of all values */
    struct tc_sh_item *room;
};

struct tc_sh_indexed *tc_sh_indexed_create(void);
struct tc_sh_indexed *tc_sh_indexed_copy(const struct tc_sh_indexed *array); /* shares the values */
void tc_sh_indexed_unref(struct tc_sh_indexed *array);
/* Where the element is, or would be; true when it is there. */
bool tc_sh_indexed_find(const struct tc_sh_indexed *array, int64_t index, size_t *ret_at);
bool tc_sh_indexed_set(struct tc_sh_indexed *array, int64_t index, struct tc_str text);
bool tc_sh_indexed_remove(struct tc_sh_indexed *array, int64_t index);

static inline struct tc_sh_item *tc_sh_indexed_at(const struct tc_sh_indexed *array, size_t at)
{
    return &array->room[array->head + at];
}

/* --- associative arrays: found through a seeded hash, walked as bash walks its own table --- */

struct tc_sh_pair {
    struct tc_sh_value *key, *value; /* NULL both: removed */
    uint64_t hash;
};

enum { TC_SH_GROWTHS_MAX = 12 };

struct tc_sh_assoc {
    int refs;
    size_t n, used;            /* pairs that are there; with removed ones */
    size_t cap;                /* of pairs */
    size_t bytes;              /* of keys and values */
    struct tc_sh_pair *pairs;  /* in the order of their coming */
    uint32_t *slots;           /* 1 + number of a pair; 0 free */
    size_t slots_n;            /* a power of two */
    uint32_t buckets;          /* bash's table began with that many */
    size_t grown[TC_SH_GROWTHS_MAX]; /* before pair grown[i] came it had become four times as large */
    unsigned growths;
    uint32_t *order;           /* numbers of pairs as they are walked; NULL: to be made */
};

struct tc_sh_assoc *tc_sh_assoc_create(void);
struct tc_sh_assoc *tc_sh_assoc_copy(const struct tc_sh_assoc *array);
void tc_sh_assoc_unref(struct tc_sh_assoc *array);
void tc_sh_assoc_clear(struct tc_sh_assoc *array);
struct tc_sh_pair *tc_sh_assoc_find(const struct tc_sh_assoc *array, struct tc_str key); /* NULL */
bool tc_sh_assoc_set(struct tc_sh_assoc *array, struct tc_str key, struct tc_str text);
bool tc_sh_assoc_remove(struct tc_sh_assoc *array, struct tc_str key);
/* The numbers of the n pairs in bash's order; NULL without memory. */
const uint32_t *tc_sh_assoc_order(struct tc_sh_assoc *array);
uint32_t tc_sh_assoc_hash(struct tc_str key); /* bash's, which its order comes from */

#endif
