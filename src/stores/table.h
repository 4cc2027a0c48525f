/*
 * A table of rows in memory, in the order of its key. It owns the rows, which
 * are pieces of heap memory as tc_rows_dup makes them; an index (owner false)
 * only points to rows of another table.
 *
 * What can fail comes before what changes: dup the rows and reserve their room,
 * then add and replace, which cannot fail.
 */
#ifndef TC_STORES_TABLE_H
#define TC_STORES_TABLE_H

#include "stores/rows.h"

enum { TC_TABLE_KEY_MAX = 3 };

struct tc_table {
    const struct tc_row_type *type;
    unsigned char key[TC_TABLE_KEY_MAX]; /* columns by number; a number's part of a key is its eight bytes */
    unsigned char key_n;
    bool owner;
    void **rows;
    size_t n, cap;
};

void tc_table_finish(struct tc_table *table);
/* Where the first row stands whose key is not less than the first `given` parts
 * of `key`; n when there is none. */
size_t tc_table_find(const struct tc_table *table, const struct tc_str *key, size_t given);
/* The row with that key (all its parts), or NULL. */
void *tc_table_get(const struct tc_table *table, const struct tc_str *key);
/* The row that has the same key as `row`, or NULL. */
void *tc_table_same(const struct tc_table *table, const void *row);
/* True when the first `given` parts of the row's key are those. */
bool tc_table_matches(const struct tc_table *table, const void *row, const struct tc_str *key, size_t given);

/* Room for `more` rows; false without memory. */
bool tc_table_reserve(struct tc_table *table, size_t more);
/* Takes the row over, in place of the one with its key or as a new one. There
 * is room. */
void tc_table_put(struct tc_table *table, void *row);
/* Takes the rows from `at` on out, and frees them when it is the owner. */
void tc_table_remove(struct tc_table *table, size_t at, size_t count);
/* Frees rows that are in no table. */
void tc_table_drop(void **rows, size_t n);

/* Copies the rows from `at` on into the arena. ret_rows points to a pointer to
 * rows of the type. TC_E_NO_MEMORY. */
enum tc_err tc_table_copy(struct tc_cx *cx, const struct tc_row_type *type, void *const *rows, size_t n,
                          void *ret_rows, size_t *ret_n);
/* The same with n rows of a table, which may be empty; all of each row. */
enum tc_err tc_table_part(struct tc_cx *cx, const struct tc_table *table, size_t at, size_t n, void *ret_rows,
                          size_t *ret_n);

#endif
