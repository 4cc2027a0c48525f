/*
 * Grants and clients in SQLite.
 */
#include "ports/store_grants.h"
#include "stores/fault.h"
#include "stores/sqlite_private.h"

#define GRANT_COLUMNS "server, identity, issuer, scope, sealed, challenge, expires_at, created_at, updated_at"
#define CLIENT_COLUMNS "server, issuer, sealed, created_at, updated_at"

struct all_args {
    struct tc_str server;
    struct tc_grant_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char every[] = "SELECT " GRANT_COLUMNS " FROM grants ORDER BY server, identity";
    static const char sql[] = "SELECT " GRANT_COLUMNS " FROM grants WHERE server = ? ORDER BY identity";
    struct all_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, args->server.n ? sql : every);
    if (args->server.n)
        tc_query_text(&query, args->server);
    return tc_query_rows(&query, &tc_rows_grant, &args->rows, &args->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_grant_row **ret_rows,
                       size_t *ret_n)
{
    struct all_args args = {.server = server};
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

struct put_args {
    const struct tc_grant_row *row;
    int64_t now;
};

static enum tc_err put_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] =
        "INSERT INTO grants (" GRANT_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (server, identity) DO UPDATE SET issuer = excluded.issuer, scope = excluded.scope,"
        " sealed = excluded.sealed, challenge = excluded.challenge, expires_at = excluded.expires_at,"
        " updated_at = excluded.updated_at";
    const struct put_args *args = arg;
    struct tc_grant_row row = *args->row;
    struct tc_query query;

    row.created_at = row.updated_at = args->now;
    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_grant, &row);
    return tc_query_run(&query, NULL);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_row *row, int64_t now)
{
    struct put_args args = {row, now};

    return tc_sqlite_write_one(cx, self, put_run, &args);
}

struct key_args {
    struct tc_str server, other; /* identity or issuer */
    struct tc_grant_client_row client;
};

static enum tc_err remove_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "DELETE FROM grants WHERE server = ? AND identity = ?";
    const struct key_args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->server);
    tc_query_text(&query, args->other);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "login", args->server);
}

static enum tc_err remove_grant(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str identity)
{
    struct key_args args = {.server = server, .other = identity};

    return tc_sqlite_write_one(cx, self, remove_run, &args);
}

static enum tc_err client_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " CLIENT_COLUMNS " FROM grant_clients WHERE server = ? AND issuer = ?";
    struct key_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->server);
    tc_query_text(&query, args->other);
    err = tc_query_one(&query, &tc_rows_grant_client, &args->client);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "client", args->other) : err;
}

static enum tc_err client(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str issuer,
                          struct tc_grant_client_row *ret_row)
{
    struct key_args args = {.server = server, .other = issuer};
    enum tc_err err = tc_sqlite_read(cx, self, client_run, &args);

    if (!err)
        *ret_row = args.client;
    return err;
}

struct put_client_args {
    const struct tc_grant_client_row *row;
    int64_t now;
};

static enum tc_err put_client_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO grant_clients (" CLIENT_COLUMNS ") VALUES (?, ?, ?, ?, ?)"
                              " ON CONFLICT (server, issuer) DO UPDATE SET sealed = excluded.sealed,"
                              " updated_at = excluded.updated_at";
    const struct put_client_args *args = arg;
    struct tc_grant_client_row row = *args->row;
    struct tc_query query;

    row.created_at = row.updated_at = args->now;
    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_grant_client, &row);
    return tc_query_run(&query, NULL);
}

static enum tc_err put_client(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_client_row *row,
                              int64_t now)
{
    struct put_client_args args = {row, now};

    return tc_sqlite_write_one(cx, self, put_client_run, &args);
}

static enum tc_err forget_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char *const sql[] = {"DELETE FROM grants WHERE server = ?",
                                      "DELETE FROM grant_clients WHERE server = ?"};
    const struct key_args *args = arg;
    struct tc_query query;
    enum tc_err err = TC_OK;

    for (size_t i = 0; i < sizeof sql / sizeof *sql && !err; i++) {
        tc_query_start(&query, cx, db, sql[i]);
        tc_query_text(&query, args->server);
        err = tc_query_run(&query, NULL);
    }
    return err;
}

static enum tc_err forget(struct tc_cx *cx, struct tc_store *self, struct tc_str server)
{
    struct key_args args = {.server = server};

    return tc_sqlite_write(cx, self, forget_run, &args);
}

const struct tc_store_grants_ops tc_sqlite_grants = {
    .all = all,
    .put = put,
    .remove = remove_grant,
    .client = client,
    .put_client = put_client,
    .forget = forget,
};
