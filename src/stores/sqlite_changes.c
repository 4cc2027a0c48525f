/*
 * Changes and settings in SQLite.
 */
#include "ports/store_changes.h"

#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/sqlite_row.h"

#define HEAD "id, at, principal_kind, principal_id, resource, object, action, version"
#define COLUMNS HEAD ", before, after"
#define BARE HEAD ", '', ''" /* what listings show */

static const struct tc_sqlite_table change_table = {
    .noun = "change",
    .type = &tc_rows_change,
    .insert = "INSERT INTO changes (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    .select = "SELECT " COLUMNS " FROM changes WHERE id = ?",
};

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_change_row *row)
{
    return tc_sqlite_row_add(cx, self, &change_table, row);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_change_row *ret_row)
{
    return tc_sqlite_row_get(cx, self, &change_table, id, ret_row);
}

struct page_args {
    const struct tc_store_page *page;
    const struct tc_store_changes_filter *filter;
    struct tc_change_row *rows;
    size_t n;
    int64_t total;
};

static enum tc_err page_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct page_args *args = arg;
    const struct tc_store_changes_filter *filter = args->filter;
    struct tc_listing listing = {
        .table = "changes",
        .columns = BARE,
        .type = &tc_rows_change,
        .order = args->page->descending ? "at DESC, id DESC" : "at, id",
        .page = args->page,
    };

    tc_listing_text(&listing, "resource = ?", filter->resource);
    tc_listing_text(&listing, "object = ?", filter->object);
    tc_listing_text(&listing, "principal_id = ?", filter->principal_id);
    tc_listing_text(&listing, "action = ?", filter->action);
    tc_listing_text(&listing, "resource <> ?", filter->without[0]);
    tc_listing_text(&listing, "resource <> ?", filter->without[1]);
    if (filter->from)
        tc_listing_int(&listing, "at >= ?", filter->from);
    if (filter->to)
        tc_listing_int(&listing, "at < ?", filter->to);
    tc_listing_search(&listing, "holds(?, resource, object, action, principal_id)");
    return tc_listing_run(cx, db, &listing, &args->rows, &args->n, &args->total);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_changes_filter *filter, struct tc_change_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"at"};
    struct page_args args = {.page = page, .filter = filter};
    size_t sort;
    enum tc_err err = tc_fault_page(cx, page, sorts, 1, &sort);

    if (!err)
        err = tc_sqlite_read(cx, self, page_run, &args);
    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    *ret_total = args.total;
    return TC_OK;
}

struct latest_args {
    struct tc_str resource;
    const struct tc_str *objects;
    size_t n;
    struct tc_change_row *rows;
};

/* One step down the index for each object: what has no change costs no more. */
static enum tc_err latest_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " BARE " FROM changes WHERE resource = ? AND object = ?"
                              " ORDER BY at DESC, id DESC LIMIT 1";
    struct latest_args *args = arg;
    enum tc_err err = TC_OK;

    args->rows = tc_arena_zalloc(cx->arena, args->n + 1, sizeof *args->rows);
    if (!args->rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < args->n && !err; i++) {
        struct tc_query query;

        args->rows[i].id = TC_STR("");
        tc_query_start(&query, cx, db, sql);
        tc_query_text(&query, args->resource);
        tc_query_text(&query, args->objects[i]);
        err = tc_query_one(&query, &tc_rows_change, &args->rows[i]);
        if (err == TC_E_STORE_NOT_FOUND)
            err = TC_OK;
    }
    return err;
}

static enum tc_err latest(struct tc_cx *cx, struct tc_store *self, struct tc_str resource,
                          const struct tc_str *objects, size_t n, struct tc_change_row **ret_rows)
{
    struct latest_args args = {.resource = resource, .objects = objects, .n = n};
    enum tc_err err = tc_sqlite_read(cx, self, latest_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    return TC_OK;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] = "DELETE FROM changes WHERE rowid IN (SELECT rowid FROM changes WHERE at < ? LIMIT 1000)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

const struct tc_store_changes_ops tc_sqlite_changes = {
    .add = add,
    .get = get,
    .page = page,
    .latest = latest,
    .prune = prune,
};

/* --- settings --- */

struct settings_args {
    struct tc_setting_row *rows;
    size_t n;
};

static enum tc_err all_settings_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT id, value, version, updated_at FROM settings ORDER BY id";
    struct settings_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_rows(&query, &tc_rows_setting, &args->rows, &args->n);
}

static enum tc_err all_settings(struct tc_cx *cx, struct tc_store *self, struct tc_setting_row **ret_rows,
                                size_t *ret_n)
{
    struct settings_args args;
    enum tc_err err = tc_sqlite_read(cx, self, all_settings_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

static enum tc_err version_of(struct tc_cx *cx, struct tc_db *db, struct tc_str id, int64_t *ret_version)
{
    static const char sql[] = "SELECT version FROM settings WHERE id = ?";
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, id);
    *ret_version = tc_query_next(&query) ? tc_query_read_int(&query) : 0;
    return tc_query_end(&query);
}

/* The first of a setting is an insert, each further one an update of its version. */
static enum tc_err put_setting_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO settings (id, value, version, updated_at) SELECT ?1, ?2, 1, ?4"
                              " WHERE ?3 = 0 OR EXISTS (SELECT 1 FROM settings WHERE id = ?1)"
                              " ON CONFLICT (id) DO UPDATE SET value = ?2, version = version + 1, updated_at = ?4"
                              " WHERE version = ?3";
    const struct tc_setting_row *row = arg;
    struct tc_query query;
    int64_t changes, stored;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_setting, row);
    err = tc_query_run(&query, &changes);
    if (err || changes)
        return err;
    err = version_of(cx, db, row->id, &stored);
    return err ? err : tc_fault_version(cx, "setting", row->id, stored, row->version);
}

static enum tc_err put_setting(struct tc_cx *cx, struct tc_store *self, const struct tc_setting_row *row)
{
    return tc_sqlite_write_one(cx, self, put_setting_run, (void *)row);
}

const struct tc_store_settings_ops tc_sqlite_settings = {
    .all = all_settings,
    .put = put_setting,
};
