/*
 * Arrays by text and sparse ones: chained tables whose sizes, hashes and places in a
 * chain are gawk's, and the choice between the kinds. Nothing here recurses deeper
 * than one array behind another and one inside of another.
 */
#include "shell/awk/array.h"

#include "base/mem.h"

enum { TEXT_CHAIN = 2, SPARSE_CHAIN = 2 };

static const uint32_t table_sizes[] = {13,      127,     1021,    8191,     16381,    32749,    65497,
                                       131101,  262147,  524309,  1048583,  2097169,  4194319,  8388617,
                                       16777259, 33554467, 67108879, 134217757};
enum { TABLE_SIZES = sizeof(table_sizes) / sizeof(table_sizes[0]) };

struct awk_array *tc_awk_array_new(struct awk_heap *heap)
{
    struct awk_array *array = tc_mem_zalloc(1, sizeof(*array));

    if (!array) {
        heap->stop = heap->no_memory = true;
        return NULL;
    }
    array->refs = 1;
    return array;
}

struct awk_array *tc_awk_array_ref(struct awk_array *array)
{
    array->refs++;
    return array;
}

void tc_awk_array_unref(struct awk_heap *heap, struct awk_array *array)
{
    if (!array || --array->refs)
        return;
    tc_awk_array_clear(heap, array);
    tc_mem_free(array);
}

/* "0", "7", "-12": the way in which a number of 32 bits is written. */
static bool whole_text(struct tc_str s, int32_t *ret_num)
{
    bool minus = s.n && s.p[0] == '-';
    size_t at = minus;
    int64_t num = 0;

    if (s.n == at || s.n > 11 || (s.p[at] == '0' && s.n > 1))
        return false;
    for (; at < s.n; at++) {
        if (s.p[at] < '0' || s.p[at] > '9')
            return false;
        num = num * 10 + (s.p[at] - '0');
    }
    num = minus ? -num : num;
    *ret_num = (int32_t)num;
    return num == *ret_num;
}

struct awk_key tc_awk_key_of(const struct awk_value *v)
{
    struct awk_key key = {0};

    if (v->type == AWK_NUMBER) {
        key.whole = true;
        key.num = (int32_t)v->num;
        return key;
    }
    key.string = v->str;
    key.text = tc_awk_string_text(v->str);
    key.whole = whole_text(key.text, &key.num);
    return key;
}

static uint32_t hash_text(struct tc_str s)
{
    uint32_t hash = 0;

    for (size_t i = 0; i < s.n; i++)
        hash = hash * 65599u + (uint32_t)(int32_t)(signed char)s.p[i];
    return hash;
}

static uint32_t hash_whole(int32_t num)
{
    uint32_t k = (uint32_t)num;

    k ^= k << 3;
    k += k >> 5;
    k ^= k << 4;
    k += k >> 17;
    k ^= k << 25;
    k += k >> 6;
    return k;
}

/* A key of the part by text: whole numbers are written out. */
static struct tc_str text_of(const struct awk_key *key, char digits[24])
{
    return key->text.p ? key->text : tc_str_n(digits, tc_awk_int_print(key->num, digits));
}

static struct awk_value *text_find(const struct awk_array *array, struct tc_str text, uint32_t hash)
{
    struct awk_text_item *item;

    for (item = array->buckets ? array->texts[hash % array->buckets] : NULL; item; item = item->next)
        if (item->hash == hash && item->key->n == text.n && memcmp(item->key->p, text.p, text.n) == 0)
            return &item->value;
    return NULL;
}

static struct awk_value *sparse_find(const struct awk_array *array, int32_t num)
{
    struct awk_sparse_item *item = array->buckets ? array->sparse[hash_whole(num) % array->buckets] : NULL;

    for (; item; item = item->next)
        for (int i = 0; i < item->count; i++)
            if (item->keys[i] == num)
                return &item->values[i];
    return NULL;
}

struct awk_value *tc_awk_array_find(const struct awk_array *array, const struct awk_key *key)
{
    struct awk_value *found = NULL;
    struct tc_str text;
    char digits[24];

    switch (array->kind) {
    case AWK_EMPTY:
        return NULL;
    case AWK_TEXT:
        text = text_of(key, digits);
        return text_find(array, text, hash_text(text));
    case AWK_SPARSE:
        if (key->whole)
            return sparse_find(array, key->num);
        break;
    case AWK_DENSE:
        if (key->whole && key->num >= 0)
            found = tc_awk_dense_find(array, key->num);
        break;
    }
    return found || !array->rest ? found : tc_awk_array_find(array->rest, key);
}

static size_t next_size(size_t size)
{
    for (size_t i = 0; i < TABLE_SIZES; i++)
        if (table_sizes[i] > size)
            return table_sizes[i];
    return size;
}

static bool text_grow(struct awk_array *array)
{
    size_t size = next_size(array->buckets);
    struct awk_text_item **table, *item, *next, **at;

    if (size == array->buckets)
        return true;
    table = tc_mem_zalloc(size, sizeof(*table));
    if (!table)
        return false;
    for (size_t i = 0; i < array->buckets; i++)
        for (item = array->texts[i]; item; item = next) {
            next = item->next;
            at = &table[item->hash % size];
            item->next = *at;
            *at = item;
        }
    tc_mem_free(array->texts);
    array->texts = table;
    array->buckets = size;
    return true;
}

static struct awk_value *text_add(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key)
{
    char digits[24];
    struct tc_str text = text_of(key, digits);
    struct awk_text_item *item, **at;

    if (!array->buckets && !text_grow(array))
        return NULL;
    item = tc_mem_alloc(sizeof(*item));
    if (!item)
        return NULL;
    array->n++;
    if (array->n / array->buckets > TEXT_CHAIN && !text_grow(array)) {
        tc_mem_free(item);
        return NULL;
    }
    item->hash = hash_text(text);
    item->key = key->string ? tc_awk_string_ref(key->string) : tc_awk_string_of(heap, text);
    item->value.type = AWK_UNSET;
    at = &array->texts[item->hash % array->buckets];
    item->next = *at;
    *at = item;
    return &item->value;
}

/* A place in the chain, in the first item when it has one. */
static struct awk_value *sparse_insert(struct awk_sparse_item **chain, int32_t num)
{
    struct awk_sparse_item *item = *chain;

    if (!item || item->count == 2) {
        item = tc_mem_zalloc(1, sizeof(*item));
        if (!item)
            return NULL;
        item->next = *chain;
        *chain = item;
    }
    item->keys[item->count] = num;
    item->values[item->count].type = AWK_UNSET;
    return &item->values[item->count++];
}

static void sparse_free(struct awk_sparse_item **table, size_t size)
{
    struct awk_sparse_item *item, *next;

    for (size_t i = 0; i < size; i++)
        for (item = table[i]; item; item = next) {
            next = item->next;
            tc_mem_free(item);
        }
    tc_mem_free(table);
}

static bool sparse_grow(struct awk_array *array)
{
    size_t size = next_size(array->buckets);
    struct awk_sparse_item **table, *item;
    struct awk_value *to;

    if (size == array->buckets)
        return true;
    table = tc_mem_zalloc(size, sizeof(*table));
    if (!table)
        return false;
    for (size_t i = 0; i < array->buckets; i++)
        for (item = array->sparse[i]; item; item = item->next)
            for (int j = 0; j < item->count; j++) {
                to = sparse_insert(&table[hash_whole(item->keys[j]) % size], item->keys[j]);
                if (!to) {
                    sparse_free(table, size);
                    return false;
                }
                *to = item->values[j];
            }
    if (array->sparse)
        sparse_free(array->sparse, array->buckets);
    array->sparse = table;
    array->buckets = size;
    return true;
}

static struct awk_value *sparse_add(struct awk_array *array, int32_t num)
{
    size_t n;

    if (!array->buckets && !sparse_grow(array))
        return NULL;
    array->n++;
    n = array->n - (array->rest ? array->rest->n : 0);
    if (n / array->buckets > SPARSE_CHAIN && !sparse_grow(array))
        return NULL;
    return sparse_insert(&array->sparse[hash_whole(num) % array->buckets], num);
}

static enum awk_array_kind kind_for(const struct awk_key *key, bool behind_dense)
{
    if (!key->whole)
        return AWK_TEXT;
    return key->num >= 0 && !behind_dense ? AWK_DENSE : AWK_SPARSE;
}

static bool become(struct awk_array *array, enum awk_array_kind kind)
{
    if (kind == AWK_DENSE) {
        array->trees = tc_mem_zalloc(AWK_TREES, sizeof(*array->trees));
        if (!array->trees)
            return false;
    }
    array->kind = kind;
    return true;
}

/* Into the array behind this one. */
static struct awk_value *rest_add(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key)
{
    if (!array->rest) {
        array->rest = tc_awk_array_new(heap);
        if (!array->rest || !become(array->rest, kind_for(key, true)))
            return NULL;
    }
    array->n++;
    return tc_awk_array_at(heap, array->rest, key);
}

static struct awk_value *add(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key)
{
    if (array->kind == AWK_EMPTY && !become(array, kind_for(key, false)))
        return NULL;
    if (array->kind == AWK_TEXT)
        return text_add(heap, array, key);
    if (array->kind == AWK_SPARSE && key->whole)
        return sparse_add(array, key->num);
    if (array->kind == AWK_DENSE && key->whole && key->num >= 0 && !tc_awk_dense_refuses(array, key->num)) {
        struct awk_value *made = tc_awk_dense_add(heap, array, key->num);

        array->n++;
        return made;
    }
    return rest_add(heap, array, key);
}

struct awk_value *tc_awk_array_at(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key)
{
    struct awk_value *found = tc_awk_array_find(array, key);

    if (!found)
        found = add(heap, array, key);
    if (!found)
        heap->stop = heap->no_memory = true;
    return found;
}

static bool text_delete(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key)
{
    char digits[24];
    struct tc_str text = text_of(key, digits);
    uint32_t hash = hash_text(text);
    struct awk_text_item **at, *item;

    if (!array->buckets)
        return false;
    for (at = &array->texts[hash % array->buckets]; (item = *at); at = &item->next) {
        if (item->hash != hash || !tc_str_eq(tc_awk_string_text(item->key), text))
            continue;
        *at = item->next;
        tc_awk_string_unref(heap, item->key);
        tc_awk_clear(heap, &item->value);
        tc_mem_free(item);
        return true;
    }
    return false;
}

/* The hole that is left is filled from the first item of the chain. */
static bool sparse_delete(struct awk_heap *heap, struct awk_array *array, int32_t num)
{
    struct awk_sparse_item **head, **at, *item;
    int i;

    if (!array->buckets)
        return false;
    head = &array->sparse[hash_whole(num) % array->buckets];
    for (at = head; (item = *at); at = &item->next) {
        for (i = 0; i < item->count && item->keys[i] != num; i++)
            ;
        if (i < item->count)
            break;
    }
    if (!item)
        return false;
    tc_awk_clear(heap, &item->values[i]);
    if (i == 0 && item->count == 2) {
        item->keys[0] = item->keys[1];
        item->values[0] = item->values[1];
    }
    item->count--;
    if (item->count && item != *head) {
        i = --(*head)->count;
        item->keys[1] = (*head)->keys[i];
        item->values[1] = (*head)->values[i];
        item->count++;
        at = head;
        item = *head;
    }
    if (item->count == 0) {
        *at = item->next;
        tc_mem_free(item);
    }
    return true;
}

/* What is behind takes the place of an array that holds nothing else. */
static void promote(struct awk_heap *heap, struct awk_array *array)
{
    struct awk_array *rest = array->rest;
    unsigned refs = array->refs;

    array->rest = NULL;
    array->n = 0;
    tc_awk_array_clear(heap, array);
    if (rest) {
        *array = *rest;
        array->refs = refs;
        tc_mem_free(rest);
    }
}

void tc_awk_array_delete(struct awk_heap *heap, struct awk_array *array, const struct awk_key *key)
{
    bool gone = false;
    size_t before;

    if (array->kind == AWK_TEXT)
        gone = text_delete(heap, array, key);
    else if (array->kind == AWK_SPARSE && key->whole)
        gone = sparse_delete(heap, array, key->num);
    else if (array->kind == AWK_DENSE && key->whole && key->num >= 0)
        gone = tc_awk_dense_delete(heap, array, key->num);
    if (!gone && array->rest) {
        before = array->rest->n;
        tc_awk_array_delete(heap, array->rest, key);
        gone = array->rest->n < before;
        if (array->rest->n == 0) {
            tc_awk_array_unref(heap, array->rest);
            array->rest = NULL;
        }
    }
    if (gone && --array->n == (array->rest ? array->rest->n : 0))
        promote(heap, array);
}

static void text_clear(struct awk_heap *heap, struct awk_array *array)
{
    struct awk_text_item *item, *next;

    for (size_t i = 0; i < array->buckets; i++)
        for (item = array->texts[i]; item; item = next) {
            next = item->next;
            tc_awk_string_unref(heap, item->key);
            tc_awk_clear(heap, &item->value);
            tc_mem_free(item);
        }
    tc_mem_free(array->texts);
}

static void sparse_clear(struct awk_heap *heap, struct awk_array *array)
{
    struct awk_sparse_item *item;

    for (size_t i = 0; i < array->buckets; i++)
        for (item = array->sparse[i]; item; item = item->next)
            for (int j = 0; j < item->count; j++)
                tc_awk_clear(heap, &item->values[j]);
    if (array->sparse)
        sparse_free(array->sparse, array->buckets);
}

void tc_awk_array_clear(struct awk_heap *heap, struct awk_array *array)
{
    if (array->rest)
        tc_awk_array_unref(heap, array->rest);
    if (array->kind == AWK_TEXT)
        text_clear(heap, array);
    else if (array->kind == AWK_SPARSE)
        sparse_clear(heap, array);
    else if (array->kind == AWK_DENSE)
        tc_awk_dense_clear(heap, array);
    *array = (struct awk_array){.refs = array->refs};
}

void tc_awk_array_list(const struct awk_array *array, struct awk_value *keys, struct awk_value **values)
{
    size_t n = 0;

    if (array->rest) {
        tc_awk_array_list(array->rest, keys, values);
        n = array->rest->n;
    }
    if (array->kind == AWK_DENSE) {
        tc_awk_dense_list(array, keys + n, values ? values + n : NULL);
        return;
    }
    for (size_t i = 0; i < array->buckets; i++) {
        if (array->kind == AWK_TEXT) {
            for (struct awk_text_item *item = array->texts[i]; item; item = item->next, n++) {
                keys[n] = tc_awk_string(tc_awk_string_ref(item->key));
                if (values)
                    values[n] = &item->value;
            }
            continue;
        }
        for (struct awk_sparse_item *item = array->sparse[i]; item; item = item->next)
            for (int j = 0; j < item->count; j++, n++) {
                keys[n] = tc_awk_number(item->keys[j]);
                if (values)
                    values[n] = &item->values[j];
            }
    }
}
