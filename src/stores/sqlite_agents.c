/*
 * Agents and composite toolsets in SQLite: documents with a version, in two
 * tables of the same shape.
 */
#include "ports/store_agents.h"

#include "stores/fault.h"
#include "stores/sqlite_private.h"

/* The statements of one of the tables. */
struct documents {
    const char *what; /* "agent" */
    const char *all, *create, *update, *version, *remove;
};

#define DOCUMENTS(name, table)                                                                                         \
    {                                                                                                                  \
        name, "SELECT id, json, version, created_at, updated_at FROM " table " ORDER BY id",                           \
            "INSERT INTO " table " (id, json, version, created_at, updated_at) VALUES (?1, ?2, 1, ?3, ?3)",            \
            "UPDATE " table " SET json = ?2, version = version + 1, updated_at = ?3"                                   \
            " WHERE id = ?1 AND ?4 IN (0, version)",                                                                   \
            "SELECT version FROM " table " WHERE id = ?", "DELETE FROM " table " WHERE id = ?"                         \
    }

static const struct documents agents = DOCUMENTS("agent", "agents");
static const struct documents toolsets = DOCUMENTS("toolset", "toolsets");

struct args {
    const struct documents *documents;
    struct tc_str id, json;
    int64_t version, now;
    struct tc_document_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, args->documents->all);
    return tc_query_rows(&query, &tc_rows_document, &args->rows, &args->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, const struct documents *documents,
                       struct tc_document_row **ret_rows, size_t *ret_n)
{
    struct args args = {.documents = documents};
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

static enum tc_err create_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, args->documents->create);
    tc_query_text(&query, args->id);
    tc_query_text(&query, args->json);
    tc_query_int(&query, args->now);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, args->documents->what, args->id) : err;
}

static enum tc_err explain(struct tc_cx *cx, struct tc_db *db, const struct args *args)
{
    struct tc_query query;
    int64_t version = 0;
    enum tc_err err;

    tc_query_start(&query, cx, db, args->documents->version);
    tc_query_text(&query, args->id);
    if (tc_query_next(&query))
        version = tc_query_read_int(&query);
    err = tc_query_end(&query);
    if (err)
        return err;
    return version ? tc_fault_version(cx, args->documents->what, args->id, version, args->version)
                   : tc_fault_not_found(cx, args->documents->what, args->id);
}

static enum tc_err update_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, args->documents->update);
    tc_query_text(&query, args->id);
    tc_query_text(&query, args->json);
    tc_query_int(&query, args->now);
    tc_query_int(&query, args->version);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : explain(cx, db, args);
}

static enum tc_err remove_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct args *args = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, args->documents->remove);
    tc_query_text(&query, args->id);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, args->documents->what, args->id);
}

static enum tc_err agents_all(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows, size_t *ret_n)
{
    return all(cx, self, &agents, ret_rows, ret_n);
}

static enum tc_err agents_create(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                 int64_t now)
{
    struct args args = {.documents = &agents, .id = id, .json = json, .now = now};

    return tc_sqlite_write_one(cx, self, create_run, &args);
}

static enum tc_err agents_update(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                 int64_t version, int64_t now)
{
    struct args args = {.documents = &agents, .id = id, .json = json, .version = version, .now = now};

    return tc_sqlite_write_one(cx, self, update_run, &args);
}

static enum tc_err agents_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    struct args args = {.documents = &agents, .id = id};

    return tc_sqlite_write_one(cx, self, remove_run, &args);
}

const struct tc_store_agents_ops tc_sqlite_agents = {
    .all = agents_all,
    .create = agents_create,
    .update = agents_update,
    .remove = agents_remove,
};

static enum tc_err toolsets_all(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows,
                                size_t *ret_n)
{
    return all(cx, self, &toolsets, ret_rows, ret_n);
}

static enum tc_err toolsets_create(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                   int64_t now)
{
    struct args args = {.documents = &toolsets, .id = id, .json = json, .now = now};

    return tc_sqlite_write_one(cx, self, create_run, &args);
}

static enum tc_err toolsets_update(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                   int64_t version, int64_t now)
{
    struct args args = {.documents = &toolsets, .id = id, .json = json, .version = version, .now = now};

    return tc_sqlite_write_one(cx, self, update_run, &args);
}

static enum tc_err toolsets_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    struct args args = {.documents = &toolsets, .id = id};

    return tc_sqlite_write_one(cx, self, remove_run, &args);
}

const struct tc_store_toolsets_ops tc_sqlite_toolsets = {
    .all = toolsets_all,
    .create = toolsets_create,
    .update = toolsets_update,
    .remove = toolsets_remove,
};
