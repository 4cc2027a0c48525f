/*
 * Raw results, which come in with their audit row, and snapshots under their hash,
 * in SQLite.
 */
#include "ports/store_audit.h"
#include "stores/fault.h"
#include "stores/sqlite_private.h"

struct get_args {
    struct tc_str id;
    struct tc_result_row row;
};

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT id, at, agent, token, raw, text FROM results WHERE id = ?";
    struct get_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->id);
    err = tc_query_one(&query, &tc_rows_result, &args->row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "result", args->id) : err;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_result_row *ret_row)
{
    struct get_args args = {.id = id};
    enum tc_err err = tc_sqlite_read_noted(cx, self, get_run, &args);

    if (err)
        return err;
    *ret_row = args.row;
    return TC_OK;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] = "DELETE FROM results WHERE rowid IN (SELECT rowid FROM results WHERE at < ? LIMIT 200)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

struct snapshot_args {
    struct tc_str hash, json;
    int64_t now;
};

static enum tc_err put_snapshot_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO snapshots (hash, json, created_at) VALUES (?, ?, ?) ON CONFLICT (hash)"
                              " DO UPDATE SET created_at = max(created_at, excluded.created_at)";
    const struct snapshot_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->hash);
    tc_query_text(&query, args->json);
    tc_query_int(&query, args->now);
    return tc_query_run(&query, NULL);
}

static enum tc_err put_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str hash, struct tc_str json,
                                int64_t now)
{
    struct snapshot_args args = {hash, json, now};

    return tc_sqlite_write_one(cx, self, put_snapshot_run, &args);
}

static enum tc_err get_snapshot_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT json FROM snapshots WHERE hash = ?";
    struct snapshot_args *args = arg;
    struct tc_query query;
    bool found;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->hash);
    found = tc_query_next(&query);
    if (found)
        args->json = tc_query_read_text(&query);
    err = tc_query_end(&query);
    return err || found ? err : tc_fault_not_found(cx, "snapshot", args->hash);
}

static enum tc_err get_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str hash, struct tc_str *ret_json)
{
    struct snapshot_args args = {.hash = hash};
    enum tc_err err = tc_sqlite_read(cx, self, get_snapshot_run, &args);

    if (err)
        return err;
    *ret_json = args.json;
    return TC_OK;
}

/* created_at is when it was put last, see put_snapshot. */
static enum tc_err prune_snapshots(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] = "DELETE FROM snapshots WHERE rowid IN (SELECT rowid FROM snapshots WHERE created_at < ?"
                              " AND hash NOT IN (SELECT snapshot FROM audit UNION ALL SELECT snapshot FROM runs"
                              " UNION ALL SELECT frame FROM runs) LIMIT 1000)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

const struct tc_store_results_ops tc_sqlite_results = {
    .get = get,
    .prune = prune,
    .put_snapshot = put_snapshot,
    .get_snapshot = get_snapshot,
    .prune_snapshots = prune_snapshots,
};
