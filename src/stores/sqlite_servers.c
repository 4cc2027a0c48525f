/*
 * MCP servers and the definitions of their tools in SQLite.
 */
#include "ports/store_servers.h"

#include "stores/fault.h"
#include "stores/sqlite_private.h"

#define SERVER_COLUMNS                                                                                                 \
    "uuid, name, label, config, settings, source, found, paused, removed, version, created_at, updated_at"
#define DEFINITION_COLUMNS                                                                                             \
    "server, name, entry, definition, approved, approved_entry, permission, absent, seen_at"

struct all_args {
    struct tc_server_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " SERVER_COLUMNS " FROM servers ORDER BY name";
    struct all_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_rows(&query, &tc_rows_server, &args->rows, &args->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_server_row **ret_rows, size_t *ret_n)
{
    struct all_args args;
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

struct put_args {
    const struct tc_server_row *row;
    int64_t now;
};

static enum tc_err insert(struct tc_cx *cx, struct tc_db *db, const struct put_args *args)
{
    static const char sql[] =
        "INSERT INTO servers (" SERVER_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    struct tc_server_row row = *args->row;
    struct tc_query query;
    enum tc_err err;

    if (row.version != 0)
        return tc_fault_not_found(cx, "server", row.uuid);
    row.version = 1;
    row.created_at = row.updated_at = args->now;
    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_server, &row);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, "server", row.name) : err;
}

static enum tc_err update(struct tc_cx *cx, struct tc_db *db, const struct put_args *args)
{
    static const char sql[] = "UPDATE servers SET label = ?, config = ?, settings = ?, source = ?, found = ?,"
                              " paused = ?, removed = ?, version = version + 1, updated_at = ? WHERE uuid = ?";
    const struct tc_server_row *row = args->row;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, row->label);
    tc_query_text(&query, row->config);
    tc_query_text(&query, row->settings);
    tc_query_text(&query, row->source);
    tc_query_text(&query, row->found);
    tc_query_int(&query, row->paused);
    tc_query_int(&query, row->removed);
    tc_query_int(&query, args->now);
    tc_query_text(&query, row->uuid);
    return tc_query_run(&query, NULL);
}

static enum tc_err put_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " SERVER_COLUMNS " FROM servers WHERE uuid = ?";
    const struct put_args *args = arg;
    struct tc_server_row stored;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->row->uuid);
    err = tc_query_one(&query, &tc_rows_server, &stored);
    if (err == TC_E_STORE_NOT_FOUND)
        return insert(cx, db, args);
    if (err)
        return err;
    if (args->row->version != 0 && args->row->version != stored.version)
        return tc_fault_version(cx, "server", stored.name, stored.version, args->row->version);
    if (!tc_str_eq(args->row->name, stored.name))
        return tc_fault_renamed(cx, stored.name);
    return update(cx, db, args);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_server_row *row, int64_t now)
{
    struct put_args args = {row, now};

    return tc_sqlite_write_one(cx, self, put_run, &args);
}

struct found_args {
    struct tc_str uuid, found;
};

static enum tc_err found_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE servers SET found = ? WHERE uuid = ?";
    const struct found_args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->found);
    tc_query_text(&query, args->uuid);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "server", args->uuid);
}

static enum tc_err put_found(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, struct tc_str found)
{
    struct found_args args = {uuid, found};

    return tc_sqlite_write_one(cx, self, found_run, &args);
}

struct definitions_args {
    struct tc_str uuid;
    struct tc_definition_row *rows;
    size_t n;
};

static enum tc_err definitions_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " DEFINITION_COLUMNS " FROM definitions WHERE server = ? ORDER BY name";
    struct definitions_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->uuid);
    return tc_query_rows(&query, &tc_rows_definition, &args->rows, &args->n);
}

static enum tc_err definitions(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid,
                               struct tc_definition_row **ret_rows, size_t *ret_n)
{
    struct definitions_args args = {.uuid = uuid};
    enum tc_err err = tc_sqlite_read(cx, self, definitions_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

struct put_definitions_args {
    const struct tc_definition_row *rows;
    size_t n;
};

static enum tc_err put_definitions_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] =
        "INSERT INTO definitions (" DEFINITION_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (server, name) DO UPDATE SET entry = excluded.entry, definition = excluded.definition,"
        " approved = excluded.approved, approved_entry = excluded.approved_entry, permission = excluded.permission,"
        " absent = excluded.absent, seen_at = excluded.seen_at";
    const struct put_definitions_args *args = arg;
    struct tc_query query;
    enum tc_err err = TC_OK;

    for (size_t i = 0; i < args->n && !err; i++) {
        tc_query_start(&query, cx, db, sql);
        tc_query_row(&query, &tc_rows_definition, &args->rows[i]);
        err = tc_query_run(&query, NULL);
        if (err == TC_E_STORE_NOT_FOUND)
            err = tc_fault_not_found(cx, "server", args->rows[i].server);
    }
    return err;
}

static enum tc_err put_definitions(struct tc_cx *cx, struct tc_store *self, const struct tc_definition_row *rows,
                                   size_t n)
{
    struct put_definitions_args args = {rows, n};

    return tc_sqlite_write(cx, self, put_definitions_run, &args);
}

struct prune_args {
    struct tc_str uuid;
    int64_t before, changes;
};

static enum tc_err prune_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "DELETE FROM definitions WHERE server = ? AND absent = 1 AND seen_at < ?";
    struct prune_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->uuid);
    tc_query_int(&query, args->before);
    return tc_query_run(&query, &args->changes);
}

static enum tc_err prune_definitions(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, int64_t before,
                                     int64_t *ret_n)
{
    struct prune_args args = {.uuid = uuid, .before = before};
    enum tc_err err = tc_sqlite_write_one(cx, self, prune_run, &args);

    if (err)
        return err;
    *ret_n = args.changes;
    return TC_OK;
}

const struct tc_store_servers_ops tc_sqlite_servers = {
    .all = all,
    .put = put,
    .put_found = put_found,
    .definitions = definitions,
    .put_definitions = put_definitions,
    .prune_definitions = prune_definitions,
};
