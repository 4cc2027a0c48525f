/*
 * The ledger of call names in SQLite. It belongs to its agent, with which it is
 * removed.
 */
#include "ports/store_agents.h"
#include "stores/fault.h"
#include "stores/sqlite_private.h"

struct of_args {
    struct tc_str agent, style;
    struct tc_name_row *rows;
    size_t n;
};

static enum tc_err of_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] =
        "SELECT agent, style, tool_id, name FROM names WHERE agent = ? AND style = ? ORDER BY tool_id";
    struct of_args *args = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->agent);
    tc_query_text(&query, args->style);
    return tc_query_rows(&query, &tc_rows_name, &args->rows, &args->n);
}

static enum tc_err of(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str style,
                      struct tc_name_row **ret_rows, size_t *ret_n)
{
    struct of_args args = {.agent = agent, .style = style};
    enum tc_err err = tc_sqlite_read(cx, self, of_run, &args);

    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

struct add_args {
    const struct tc_name_row *rows;
    size_t n;
    int64_t now;
};

static enum tc_err add_one(struct tc_cx *cx, struct tc_db *db, const struct tc_name_row *row, int64_t now)
{
    static const char sql[] = "INSERT INTO names (agent, style, tool_id, name, created_at) VALUES (?, ?, ?, ?, ?)";
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_name, row);
    tc_query_int(&query, now);
    err = tc_query_run(&query, NULL);
    if (err == TC_E_STORE_EXISTS)
        return tc_fault_name_taken(cx, row->name, row->tool_id);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "agent", row->agent) : err;
}

static enum tc_err add_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct add_args *args = arg;
    enum tc_err err = TC_OK;

    for (size_t i = 0; i < args->n && !err; i++)
        err = add_one(cx, db, &args->rows[i], args->now);
    return err;
}

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_name_row *rows, size_t n, int64_t now)
{
    struct add_args args = {rows, n, now};

    return tc_sqlite_write(cx, self, add_run, &args);
}

const struct tc_store_names_ops tc_sqlite_names = {
    .of = of,
    .add = add,
};
