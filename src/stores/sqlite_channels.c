/*
 * Channels in SQLite.
 */
#include "ports/store_channels.h"

#include "stores/fault.h"
#include "stores/sqlite_row.h"

#define COLUMNS "id, label, provider, base_url, secret, json, enabled, version, created_at, updated_at"

static const struct tc_sqlite_table channel_table = {
    .noun = "channel",
    .type = &tc_rows_channel,
    .insert = "INSERT INTO channels (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    .select = "SELECT " COLUMNS " FROM channels WHERE id = ?",
};

struct all_args {
    struct tc_channel_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " COLUMNS " FROM channels ORDER BY id";
    struct all_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_rows(&query, &tc_rows_channel, &args->rows, &args->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_channel_row **ret_rows, size_t *ret_n)
{
    struct all_args args;
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_channel_row *ret_row)
{
    return tc_sqlite_row_get(cx, self, &channel_table, id, ret_row);
}

/* row->version is the new one. */
static enum tc_err update_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE channels SET label = ?2, provider = ?3, base_url = ?4, secret = ?5, json = ?6,"
                              " enabled = ?7, version = ?8, updated_at = ?10 WHERE id = ?1 AND version = ?8 - 1";
    const struct tc_channel_row *row = arg;
    struct tc_channel_row stored;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_channel, row);
    err = tc_query_run(&query, &changes);
    if (err || changes)
        return err;
    err = tc_sqlite_row_select(cx, db, &channel_table, row->id, &stored);
    return err ? err : tc_fault_version(cx, "channel", row->id, stored.version, row->version - 1);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_channel_row *row, int64_t *ret_version)
{
    struct tc_channel_row next = *row;
    enum tc_err err;

    next.version++;
    err = row->version ? tc_sqlite_write_one(cx, self, update_run, &next)
                       : tc_sqlite_row_add(cx, self, &channel_table, &next);
    if (!err)
        *ret_version = next.version;
    return err;
}

static enum tc_err remove_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "DELETE FROM channels WHERE id = ?";
    const struct tc_str *id = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, *id);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "channel", *id);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return tc_sqlite_write_one(cx, self, remove_run, &id);
}

const struct tc_store_channels_ops tc_sqlite_channels = {
    .all = all,
    .get = get,
    .put = put,
    .remove = remove_one,
};
