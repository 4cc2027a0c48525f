/*
 * Associative arrays that give their keys in the order in which gawk gives them,
 * since scripts print in it. Like there, an array is one of three things by its
 * first key: dense (whole numbers from 0 on, in trees of leaves, listed ascending),
 * sparse (other whole numbers of 32 bits) or by text; what does not fit its kind goes
 * into a second array behind it.
 *
 * A pointer to an element is good until the next call that may insert or delete.
 */
#ifndef TC_SHELL_AWK_ARRAY_H
#define TC_SHELL_AWK_ARRAY_H

#include "shell/awk/value.h"

enum awk_array_kind { AWK_EMPTY, AWK_TEXT, AWK_SPARSE, AWK_DENSE };
enum { AWK_TREES = 32 };

struct awk_text_item {
    struct awk_text_item *next;
    struct awk_string *key;
    uint32_t hash;
    struct awk_value value;
};

struct awk_sparse_item { /* up to two elements; only the first of a chain is not full */
    struct awk_sparse_item *next;
    int count;
    int32_t keys[2];
    struct awk_value values[2];
};

struct awk_tree;

struct awk_array {
    unsigned refs;
    enum awk_array_kind kind;
    size_t n;                   /* all elements, those of `rest` too */
    struct awk_array *rest;     /* what does not fit the kind */
    size_t buckets;             /* TEXT, SPARSE */
    union {
        struct awk_text_item **texts;
        struct awk_sparse_item **sparse;
        struct awk_tree **trees; /* DENSE: by the power of two of the key */
    };
    size_t capacity; /* DENSE: elements that the leaves have room for */
};

struct awk_key {
    bool whole; /* a whole number of 32 bits in its usual writing */
    int32_t num;
    struct tc_str text;        /* of a key that is not whole */
    struct awk_string *string; /* the same as a string, when there is one */
};

struct awk_array *tc_awk_array_new(struct awk_heap *heap); /* NULL: heap->stop is set */
/* The key that a value is: a number that is whole, or a value with a string. */
struct awk_key tc_awk_key_of(const struct awk_value *v);
/* NULL when it is not there. */
struct awk_value *tc_awk_array_find(const struct awk_array *array, const struct awk_key *key);
/* Makes it, unset, when it is not there; NULL without memory. */
struct awk_value *tc_awk_array_at(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key);
void tc_awk_array_delete(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key);
void tc_awk_array_clear(struct awk_heap *heap, struct awk_array *array);
/* n keys in order: numbers, or strings of which each is a reference. values may be NULL; borrowed. */
void tc_awk_array_list(const struct awk_array *array, struct awk_value *keys, struct awk_value **values);

/* --- array_dense.c, on arrays of that kind --- */
struct awk_value *tc_awk_dense_find(const struct awk_array *array, int32_t key);
/* Whether there would be too much room for too few: the key belongs into `rest`. */
bool tc_awk_dense_refuses(const struct awk_array *array, int32_t key);
struct awk_value *tc_awk_dense_add(struct awk_heap *heap, struct awk_array *array, int32_t key);
bool tc_awk_dense_delete(struct awk_heap *heap, struct awk_array *array, int32_t key);
void tc_awk_dense_clear(struct awk_heap *heap, struct awk_array *array);
size_t tc_awk_dense_list(const struct awk_array *array, struct awk_value *keys, struct awk_value **values);

#endif
