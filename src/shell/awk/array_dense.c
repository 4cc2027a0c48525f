/*
 * The dense part of an array: a tree for the keys below 1024 and one for each power
 * of two above. A tree of 2^m keys has leaves of 2^((m + 1) / 2) values, or trees of
 * that size, so that few keys cost little. The sizes decide which keys are refused,
 * and with that the order of keys, so they are gawk's.
 */
#include "base/mem.h"
#include "shell/awk/array.h"

enum { FIRST = 10, SLACK = 1 << (FIRST + 1) };

struct awk_leaf_value {
    bool used;
    struct awk_value value;
};

struct awk_tree {
    int32_t base;
    int shift;   /* a child covers 2^shift keys */
    size_t n;    /* children, or values of a leaf */
    size_t used; /* elements below it */
    bool leaf;
    union {
        struct awk_tree **children;
        struct awk_leaf_value *values;
    };
};

/* Which tree: by the highest bit of the key. */
static int tree_of(int32_t key)
{
    int high = key ? 31 - __builtin_clz((unsigned)key) : 0;

    return high < FIRST ? FIRST : high + 1;
}

static struct awk_leaf_value *find(const struct awk_tree *tree, int32_t key)
{
    while (tree && !tree->leaf)
        tree = tree->children[(key - tree->base) >> tree->shift];
    return tree ? &tree->values[key - tree->base] : NULL;
}

struct awk_value *tc_awk_dense_find(const struct awk_array *array, int32_t key)
{
    struct awk_leaf_value *at = find(array->trees[tree_of(key)], key);

    return at && at->used ? &at->value : NULL;
}

bool tc_awk_dense_refuses(const struct awk_array *array, int32_t key)
{
    int size = tree_of(key) - 1;
    int64_t room, used = (int64_t)(array->n - (array->rest ? array->rest->n : 0));

    for (size = size > FIRST ? size : FIRST; size >= FIRST;)
        size = (size + 1) / 2;
    room = (int64_t)array->capacity + ((int64_t)1 << size);
    return room - used > SLACK;
}

static struct awk_tree *new_tree(int32_t base, int shift, size_t n, bool leaf)
{
    struct awk_tree *tree = tc_mem_zalloc(1, sizeof(*tree));

    if (!tree)
        return NULL;
    *tree = (struct awk_tree){.base = base, .shift = shift, .n = n, .leaf = leaf};
    if (leaf)
        tree->values = tc_mem_zalloc(n, sizeof(tree->values[0]));
    else
        tree->children = tc_mem_zalloc(n, sizeof(tree->children[0]));
    if (leaf ? (void *)tree->values : (void *)tree->children)
        return tree;
    tc_mem_free(tree);
    return NULL;
}

/* A tree of 2^size keys from base on: children of 2^((size + 1) / 2) keys each. */
static struct awk_tree *new_branch(int32_t base, int size)
{
    int shift = (size + 1) / 2;

    return new_tree(base, shift, (size_t)1 << (size - shift), false);
}

struct awk_value *tc_awk_dense_add(struct awk_heap *heap, struct awk_array *array, int32_t key)
{
    int which = tree_of(key), size = which - 1 < FIRST ? FIRST : which - 1;
    struct awk_tree **at = &array->trees[which], *tree;
    struct awk_leaf_value *value;

    if (!*at)
        *at = new_branch(which - 1 < FIRST ? 0 : (int32_t)1 << size, size);
    for (tree = *at; tree && !tree->leaf; tree = *at) {
        int32_t step = (key - tree->base) >> tree->shift, base = tree->base + step * ((int32_t)1 << tree->shift);

        tree->used++;
        at = &tree->children[step];
        if (*at)
            continue;
        *at = tree->shift > FIRST ? new_branch(base, tree->shift)
                                  : new_tree(base, 0, (size_t)1 << tree->shift, true);
        if (*at && (*at)->leaf)
            array->capacity += (*at)->n;
    }
    if (!tree) {
        heap->stop = heap->no_memory = true;
        return NULL;
    }
    tree->used++;
    value = &tree->values[key - tree->base];
    value->used = true;
    value->value.type = AWK_UNSET;
    return &value->value;
}

static void free_tree(struct awk_tree *tree)
{
    tc_mem_free(tree->leaf ? (void *)tree->values : (void *)tree->children);
    tc_mem_free(tree);
}

bool tc_awk_dense_delete(struct awk_heap *heap, struct awk_array *array, int32_t key)
{
    struct awk_tree **path[8], *tree;
    size_t depth = 0;
    struct awk_leaf_value *value = find(array->trees[tree_of(key)], key);

    if (!value || !value->used)
        return false;
    path[depth++] = &array->trees[tree_of(key)];
    while (!(tree = *path[depth - 1])->leaf) {
        path[depth] = &tree->children[(key - tree->base) >> tree->shift];
        depth++;
    }
    value->used = false;
    tc_awk_clear(heap, &value->value);
    while (depth--) {
        tree = *path[depth];
        if (--tree->used)
            continue;
        if (tree->leaf)
            array->capacity -= tree->n;
        free_tree(tree);
        *path[depth] = NULL;
    }
    return true;
}

static void clear_tree(struct awk_heap *heap, struct awk_tree *tree)
{
    for (size_t i = 0; i < tree->n; i++) {
        if (tree->leaf && tree->values[i].used)
            tc_awk_clear(heap, &tree->values[i].value);
        else if (!tree->leaf && tree->children[i])
            clear_tree(heap, tree->children[i]);
    }
    free_tree(tree);
}

void tc_awk_dense_clear(struct awk_heap *heap, struct awk_array *array)
{
    for (size_t i = 0; i < AWK_TREES; i++)
        if (array->trees[i])
            clear_tree(heap, array->trees[i]);
    tc_mem_free(array->trees);
    array->trees = NULL;
    array->capacity = 0;
}

static size_t list_tree(const struct awk_tree *tree, struct awk_value *keys, struct awk_value **values)
{
    size_t n = 0;

    for (size_t i = 0; i < tree->n; i++) {
        if (!tree->leaf) {
            if (tree->children[i])
                n += list_tree(tree->children[i], keys + n, values ? values + n : NULL);
            continue;
        }
        if (!tree->values[i].used)
            continue;
        keys[n] = tc_awk_number(tree->base + (double)i);
        if (values)
            values[n] = &tree->values[i].value;
        n++;
    }
    return n;
}

size_t tc_awk_dense_list(const struct awk_array *array, struct awk_value *keys, struct awk_value **values)
{
    size_t n = 0;

    for (size_t i = 0; i < AWK_TREES; i++)
        if (array->trees[i])
            n += list_tree(array->trees[i], keys + n, values ? values + n : NULL);
    return n;
}
