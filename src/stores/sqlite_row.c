/*
 * One statement each.
 */
#include "stores/sqlite_row.h"

#include "stores/fault.h"

struct adding {
    const struct tc_sqlite_table *table;
    const void *row;
};

struct getting {
    const struct tc_sqlite_table *table;
    struct tc_str id;
    void *row; /* in the arena, until it is known to be whole */
};

enum tc_err tc_sqlite_row_insert(struct tc_cx *cx, struct tc_db *db, const struct tc_sqlite_table *table,
                                 const void *row)
{
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, table->insert);
    tc_query_row(&query, table->type, row);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, table->noun, *tc_rows_text(&table->type->columns[0], row))
                                    : err;
}

enum tc_err tc_sqlite_row_select(struct tc_cx *cx, struct tc_db *db, const struct tc_sqlite_table *table,
                                 struct tc_str id, void *ret_row)
{
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, table->select);
    tc_query_text(&query, id);
    err = tc_query_one(&query, table->type, ret_row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, table->noun, id) : err;
}

static enum tc_err add_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct adding *adding = arg;

    return tc_sqlite_row_insert(cx, db, adding->table, adding->row);
}

enum tc_err tc_sqlite_row_add(struct tc_cx *cx, struct tc_store *store, const struct tc_sqlite_table *table,
                              const void *row)
{
    return tc_sqlite_write_one(cx, store, add_run, &(struct adding){table, row});
}

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct getting *getting = arg;

    return tc_sqlite_row_select(cx, db, getting->table, getting->id, getting->row);
}

enum tc_err tc_sqlite_row_get(struct tc_cx *cx, struct tc_store *store, const struct tc_sqlite_table *table,
                              struct tc_str id, void *ret_row)
{
    struct getting getting = {table, id, tc_arena_zalloc(cx->arena, 1, table->type->size)};
    enum tc_err err = getting.row ? tc_sqlite_read(cx, store, get_run, &getting) : tc_fail_memory(cx);

    if (!err)
        memcpy(ret_row, getting.row, table->type->size);
    return err;
}
