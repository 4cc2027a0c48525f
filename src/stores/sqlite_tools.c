/*
 * Tools in SQLite. `mirror` touches only rows that differ, so that a start
 * without changes writes nothing.
 */
#include "ports/store_tools.h"

#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/sqlite_private.h"

#define COLUMNS                                                                                                        \
    "id, name, label, toolset, description, visibility, capability, status, is_core, can_disable, "                   \
    "supports_prompt_hint, prompt_hint, sort, extra, detached, version, created_at, updated_at, deleted_at"

struct rows_out {
    struct tc_tool_row *rows;
    size_t n;
};

static enum tc_err all_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " COLUMNS " FROM tools ORDER BY name";
    struct rows_out *out = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_rows(&query, &tc_rows_tool, &out->rows, &out->n);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_tool_row **ret_rows, size_t *ret_n)
{
    struct rows_out out;
    enum tc_err err = tc_sqlite_read(cx, self, all_run, &out);

    if (err)
        return err;
    *ret_rows = out.rows;
    *ret_n = out.n;
    return TC_OK;
}

struct page_args {
    const struct tc_store_page *page;
    const struct tc_store_tools_filter *filter;
    const char *order;
    struct rows_out out;
    int64_t total;
};

static enum tc_err page_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct page_args *args = arg;
    struct tc_listing listing = {
        .table = "tools", .columns = COLUMNS, .type = &tc_rows_tool, .order = args->order, .page = args->page};

    tc_listing_text(&listing, "toolset = ?", args->filter->toolset);
    tc_listing_text(&listing, "capability = ?", args->filter->capability);
    if (args->filter->status >= 0)
        tc_listing_int(&listing, "status = ?", args->filter->status);
    if (args->filter->detached >= 0)
        tc_listing_int(&listing, "detached = ?", args->filter->detached);
    tc_listing_search(&listing, "holds(?, name, label, description)");
    return tc_listing_run(cx, db, &listing, &args->out.rows, &args->out.n, &args->total);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_tools_filter *filter, struct tc_tool_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"sort", "name", "label", "toolset", "updatedAt"};
    static const char *const orders[][2] = {
        {"sort, name", "sort DESC, name DESC"},
        {"name", "name DESC"},
        {"label, name", "label DESC, name DESC"},
        {"toolset, name", "toolset DESC, name DESC"},
        {"updated_at, name", "updated_at DESC, name DESC"},
    };
    struct page_args args = {.page = page, .filter = filter};
    size_t sort;
    enum tc_err err = tc_fault_page(cx, page, sorts, sizeof sorts / sizeof *sorts, &sort);

    if (err)
        return err;
    args.order = orders[sort][page->descending];
    err = tc_sqlite_read(cx, self, page_run, &args);
    if (err)
        return err;
    *ret_rows = args.out.rows;
    *ret_n = args.out.n;
    *ret_total = args.total;
    return TC_OK;
}

struct get_args {
    struct tc_str name;
    struct tc_tool_row row;
};

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " COLUMNS " FROM tools WHERE name = ?";
    struct get_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->name);
    err = tc_query_one(&query, &tc_rows_tool, &args->row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "tool", args->name) : err;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_tool_row *ret_row)
{
    struct get_args args = {.name = name};
    enum tc_err err = tc_sqlite_read(cx, self, get_run, &args);

    if (err)
        return err;
    *ret_row = args.row;
    return TC_OK;
}

struct mirror_args {
    const struct tc_tool_row *rows;
    size_t n;
    int64_t now;
};

static enum tc_err mirror_one(struct tc_cx *cx, struct tc_db *db, const struct tc_tool_row *row, int64_t now)
{
    static const char sql[] =
        "INSERT INTO tools (name, label, toolset, description, visibility, capability, status, is_core, can_disable,"
        " supports_prompt_hint, prompt_hint, sort, extra, detached, version, created_at, updated_at, deleted_at)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0, 1, ?14, ?14, 0)"
        " ON CONFLICT (name) DO UPDATE SET toolset = ?3, visibility = ?5, capability = ?6, is_core = ?8,"
        " can_disable = ?9, supports_prompt_hint = ?10, detached = 0, updated_at = ?14"
        " WHERE detached OR toolset <> ?3 OR visibility <> ?5 OR capability <> ?6 OR is_core <> ?8"
        " OR can_disable <> ?9 OR supports_prompt_hint <> ?10";
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, row->name);
    tc_query_text(&query, row->label);
    tc_query_text(&query, row->toolset);
    tc_query_optional(&query, row->description);
    tc_query_text(&query, row->visibility);
    tc_query_text(&query, row->capability);
    tc_query_int(&query, row->status);
    tc_query_int(&query, row->is_core);
    tc_query_int(&query, row->can_disable);
    tc_query_int(&query, row->supports_prompt_hint);
    tc_query_optional(&query, row->prompt_hint);
    tc_query_int(&query, row->sort);
    tc_query_optional(&query, row->extra);
    tc_query_int(&query, now);
    return tc_query_run(&query, NULL);
}

static enum tc_err mirror_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct mirror_args *args = arg;
    enum tc_err err = TC_OK;

    for (size_t i = 0; i < args->n && !err; i++)
        err = mirror_one(cx, db, &args->rows[i], args->now);
    return err;
}

static enum tc_err mirror(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *rows, size_t n,
                          int64_t now)
{
    struct mirror_args args = {rows, n, now};

    return tc_sqlite_write(cx, self, mirror_run, &args);
}

struct detach_args {
    const struct tc_str *names;
    size_t n;
    int64_t now;
};

static enum tc_err detach_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE tools SET detached = 1, updated_at = ?2 WHERE name = ?1 AND NOT detached";
    const struct detach_args *args = arg;
    struct tc_query query;
    enum tc_err err = TC_OK;

    for (size_t i = 0; i < args->n && !err; i++) {
        tc_query_start(&query, cx, db, sql);
        tc_query_text(&query, args->names[i]);
        tc_query_int(&query, args->now);
        err = tc_query_run(&query, NULL);
    }
    return err;
}

static enum tc_err detach(struct tc_cx *cx, struct tc_store *self, const struct tc_str *names, size_t n, int64_t now)
{
    struct detach_args args = {names, n, now};

    return tc_sqlite_write(cx, self, detach_run, &args);
}

struct update_args {
    const struct tc_tool_row *row;
    unsigned set;
    int64_t now;
};

/* Why an update met no row. */
static enum tc_err explain(struct tc_cx *cx, struct tc_db *db, const struct tc_tool_row *row)
{
    static const char sql[] = "SELECT version FROM tools WHERE name = ?";
    struct tc_query query;
    int64_t version = 0;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, row->name);
    if (tc_query_next(&query))
        version = tc_query_read_int(&query);
    err = tc_query_end(&query);
    if (err)
        return err;
    return version ? tc_fault_version(cx, "tool", row->name, version, row->version)
                   : tc_fault_not_found(cx, "tool", row->name);
}

static enum tc_err update_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] =
        "UPDATE tools SET label = iif(?1 & 1, ?2, label), description = iif(?1 & 2, ?3, description),"
        " status = iif(?1 & 4, ?4, status), prompt_hint = iif(?1 & 8, ?5, prompt_hint), sort = iif(?1 & 16, ?6, sort),"
        " extra = iif(?1 & 32, ?7, extra), version = version + 1, updated_at = ?8"
        " WHERE name = ?9 AND ?10 IN (0, version)";
    const struct update_args *args = arg;
    const struct tc_tool_row *row = args->row;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_int(&query, args->set);
    tc_query_text(&query, row->label);
    tc_query_optional(&query, row->description);
    tc_query_int(&query, row->status);
    tc_query_optional(&query, row->prompt_hint);
    tc_query_int(&query, row->sort);
    tc_query_optional(&query, row->extra);
    tc_query_int(&query, args->now);
    tc_query_text(&query, row->name);
    tc_query_int(&query, row->version);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : explain(cx, db, row);
}

static enum tc_err update(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *row, unsigned set,
                          int64_t now)
{
    struct update_args args = {row, set, now};

    return tc_sqlite_write_one(cx, self, update_run, &args);
}

const struct tc_store_tools_ops tc_sqlite_tools = {
    .all = all,
    .page = page,
    .get = get,
    .mirror = mirror,
    .detach = detach,
    .update = update,
};
