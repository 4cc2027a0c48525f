/*
 * Sorted arrays of row pointers: binary search, and moving the pointers behind
 * when a row comes or goes. Rows of the audit come in order, so they are
 * appended.
 */
#include "stores/table.h"

#include <assert.h>

#include "base/mem.h"

static const struct tc_column *key_column(const struct tc_table *table, size_t i)
{
    return &table->type->columns[table->key[i]];
}

static struct tc_str part(const struct tc_table *table, const void *row, size_t i)
{
    const struct tc_column *column = key_column(table, i);

    if (tc_rows_is_text(column))
        return *tc_rows_text(column, row);
    return tc_str_n((const char *)row + column->offset, sizeof(int64_t));
}

void tc_table_finish(struct tc_table *table)
{
    if (table->owner)
        tc_table_drop(table->rows, table->n);
    tc_mem_free(table->rows);
    table->rows = NULL;
    table->n = table->cap = 0;
}

static int compare_numbers(struct tc_str a, struct tc_str b)
{
    int64_t x, y;

    memcpy(&x, a.p, sizeof x);
    memcpy(&y, b.p, sizeof y);
    return x < y ? -1 : x > y;
}

static int compare(const struct tc_table *table, const void *row, const struct tc_str *key, size_t given)
{
    for (size_t i = 0; i < given; i++) {
        int order = tc_rows_is_text(key_column(table, i)) ? tc_str_cmp(part(table, row, i), key[i])
                                                          : compare_numbers(part(table, row, i), key[i]);

        if (order != 0)
            return order;
    }
    return 0;
}

size_t tc_table_find(const struct tc_table *table, const struct tc_str *key, size_t given)
{
    size_t low = 0, high = table->n;

    if (table->n && compare(table, table->rows[table->n - 1], key, given) < 0)
        return table->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(table, table->rows[middle], key, given) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tc_table_matches(const struct tc_table *table, const void *row, const struct tc_str *key, size_t given)
{
    return compare(table, row, key, given) == 0;
}

void *tc_table_get(const struct tc_table *table, const struct tc_str *key)
{
    size_t at = tc_table_find(table, key, table->key_n);

    return at < table->n && tc_table_matches(table, table->rows[at], key, table->key_n) ? table->rows[at] : NULL;
}

static void key_of(const struct tc_table *table, const void *row, struct tc_str key[TC_TABLE_KEY_MAX])
{
    for (size_t i = 0; i < table->key_n; i++)
        key[i] = part(table, row, i);
}

void *tc_table_same(const struct tc_table *table, const void *row)
{
    struct tc_str key[TC_TABLE_KEY_MAX];

    key_of(table, row, key);
    return tc_table_get(table, key);
}

bool tc_table_reserve(struct tc_table *table, size_t more)
{
    size_t cap = table->cap ? table->cap : 16;
    void **rows;

    while (cap - table->n < more)
        cap *= 2;
    if (cap == table->cap)
        return true;
    rows = tc_mem_realloc(table->rows, cap * sizeof *rows);
    if (!rows)
        return false;
    table->rows = rows;
    table->cap = cap;
    return true;
}

void tc_table_put(struct tc_table *table, void *row)
{
    struct tc_str key[TC_TABLE_KEY_MAX];
    size_t at;

    key_of(table, row, key);
    at = tc_table_find(table, key, table->key_n);
    if (at < table->n && tc_table_matches(table, table->rows[at], key, table->key_n)) {
        if (table->owner)
            tc_mem_free(table->rows[at]);
    } else {
        assert(table->n < table->cap);
        memmove(table->rows + at + 1, table->rows + at, (table->n - at) * sizeof *table->rows);
        table->n++;
    }
    table->rows[at] = row;
}

void tc_table_remove(struct tc_table *table, size_t at, size_t count)
{
    if (count == 0)
        return;
    if (table->owner)
        tc_table_drop(table->rows + at, count);
    memmove(table->rows + at, table->rows + at + count, (table->n - at - count) * sizeof *table->rows);
    table->n -= count;
}

void tc_table_drop(void **rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tc_mem_free(rows[i]);
}

enum tc_err tc_table_copy(struct tc_cx *cx, const struct tc_row_type *type, void *const *rows, size_t n,
                          void *ret_rows, size_t *ret_n)
{
    char *copies = tc_arena_zalloc(cx->arena, n, type->size);

    if (!copies)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        if (!tc_rows_copy(cx->arena, type, rows[i], copies + i * type->size))
            return tc_fail_memory(cx);
    *(void **)ret_rows = copies;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_table_part(struct tc_cx *cx, const struct tc_table *table, size_t at, size_t n, void *ret_rows,
                          size_t *ret_n)
{
    return tc_table_copy(cx, table->type, n ? table->rows + at : NULL, n, ret_rows, ret_n);
}
