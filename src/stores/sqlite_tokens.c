/*
 * Access tokens in SQLite.
 */
#include "ports/store_tokens.h"

#include "stores/fault.h"
#include "stores/sqlite_private.h"

#define COLUMNS "id, hash, role, agent, label, created_at, expires_at, revoked_at, used_at"

struct all_args {
    struct tc_token_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " COLUMNS " FROM tokens ORDER BY created_at, id";
    struct all_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_rows(&query, &tc_rows_token, &args->rows, &args->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_token_row **ret_rows, size_t *ret_n)
{
    struct all_args args;
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

struct create_args {
    const struct tc_token_row *row;
};

static enum tc_err create_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO tokens (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const struct create_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_token, args->row);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, "token", args->row->id) : err;
}

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_token_row *row)
{
    struct create_args args = {row};

    return tc_sqlite_write_one(cx, self, create_run, &args);
}

struct label_args {
    struct tc_str id, text;
};

static enum tc_err label_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE tokens SET label = ? WHERE id = ?";
    const struct label_args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->text);
    tc_query_text(&query, args->id);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "token", args->id);
}

static enum tc_err label(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str text)
{
    struct label_args args = {id, text};

    return tc_sqlite_write_one(cx, self, label_run, &args);
}

struct stamp_args {
    const char *sql;
    struct tc_str id;
    int64_t now;
};

static enum tc_err stamp_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct stamp_args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, args->sql);
    tc_query_text(&query, args->id);
    tc_query_int(&query, args->now);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "token", args->id);
}

static enum tc_err revoke(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now)
{
    static const char sql[] = "UPDATE tokens SET revoked_at = iif(revoked_at, revoked_at, ?2) WHERE id = ?1";
    struct stamp_args args = {sql, id, now};

    return tc_sqlite_write_one(cx, self, stamp_run, &args);
}

static enum tc_err touch(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now)
{
    static const char sql[] = "UPDATE tokens SET used_at = max(used_at, ?2) WHERE id = ?1";
    struct stamp_args args = {sql, id, now};

    return tc_sqlite_write_one(cx, self, stamp_run, &args);
}

const struct tc_store_tokens_ops tc_sqlite_tokens = {
    .all = all,
    .create = create,
    .label = label,
    .revoke = revoke,
    .touch = touch,
};
