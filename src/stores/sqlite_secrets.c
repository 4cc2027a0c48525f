/*
 * Sealed secrets in SQLite: opaque bytes under a name.
 */
#include "ports/store_tokens.h"
#include "stores/fault.h"
#include "stores/sqlite_private.h"

struct all_args {
    struct tc_secret_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT name, x'', created_at, updated_at FROM secrets ORDER BY name";
    struct all_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_rows(&query, &tc_rows_secret, &args->rows, &args->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_secret_row **ret_rows, size_t *ret_n)
{
    struct all_args args;
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

struct get_args {
    struct tc_str name;
    struct tc_secret_row row;
};

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT name, sealed, created_at, updated_at FROM secrets WHERE name = ?";
    struct get_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->name);
    err = tc_query_one(&query, &tc_rows_secret, &args->row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "secret", args->name) : err;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_secret_row *ret_row)
{
    struct get_args args = {.name = name};
    enum tc_err err = tc_sqlite_read(cx, self, get_run, &args);

    if (err)
        return err;
    *ret_row = args.row;
    return TC_OK;
}

struct put_args {
    const struct tc_secret_row *row;
    int64_t now;
};

static enum tc_err put_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO secrets (name, sealed, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)"
                              " ON CONFLICT (name) DO UPDATE SET sealed = ?2, updated_at = ?3";
    const struct put_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->row->name);
    tc_query_blob(&query, args->row->sealed);
    tc_query_int(&query, args->now);
    return tc_query_run(&query, NULL);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_secret_row *row, int64_t now)
{
    struct put_args args = {row, now};

    return tc_sqlite_write_one(cx, self, put_run, &args);
}

static enum tc_err remove_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "DELETE FROM secrets WHERE name = ?";
    const struct get_args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->name);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "secret", args->name);
}

static enum tc_err remove_secret(struct tc_cx *cx, struct tc_store *self, struct tc_str name)
{
    struct get_args args = {.name = name};

    return tc_sqlite_write_one(cx, self, remove_run, &args);
}

const struct tc_store_secrets_ops tc_sqlite_secrets = {
    .all = all,
    .get = get,
    .put = put,
    .remove = remove_secret,
};
