/*
 * Approvals in SQLite. Which answer stands is decided by one UPDATE.
 */
#include "ports/store_approvals.h"

#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/sqlite_row.h"

#define COLUMNS                                                                                                        \
    "id, at, until, state, agent, run, invocation, call_id, audit_id, surface, principal_kind, principal_id, "         \
    "tool_id, call_name, definition, digest, arguments, channels, choices, choice, comment, channel, by_kind, by_id, " \
    "answered_at"

static const struct tc_sqlite_table approval_table = {
    .noun = "approval",
    .type = &tc_rows_approval,
    .insert = "INSERT INTO approvals (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
              " ?, ?, ?, ?, ?)",
    .select = "SELECT " COLUMNS " FROM approvals WHERE id = ?",
};

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row)
{
    return tc_sqlite_row_add(cx, self, &approval_table, row);
}

static enum tc_err settle_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE approvals SET state = ?, choice = ?, comment = ?, channel = ?, by_kind = ?,"
                              " by_id = ?, answered_at = ? WHERE id = ? AND state = 'waiting'";
    const struct tc_approval_row *row = arg;
    struct tc_approval_row stored;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, row->state);
    tc_query_text(&query, row->choice);
    tc_query_text(&query, row->comment);
    tc_query_text(&query, row->channel);
    tc_query_text(&query, row->by_kind);
    tc_query_text(&query, row->by_id);
    tc_query_int(&query, row->answered_at);
    tc_query_text(&query, row->id);
    err = tc_query_run(&query, &changes);
    if (err || changes)
        return err;
    err = tc_sqlite_row_select(cx, db, &approval_table, row->id, &stored);
    return err ? err : tc_fault_settled(cx, row->id);
}

static enum tc_err settle(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row)
{
    return tc_sqlite_write_one(cx, self, settle_run, (void *)row);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_approval_row *ret_row)
{
    return tc_sqlite_row_get(cx, self, &approval_table, id, ret_row);
}

struct page_args {
    const struct tc_store_page *page;
    const struct tc_store_approvals_filter *filter;
    struct tc_approval_row *rows;
    size_t n;
    int64_t total;
};

static enum tc_err page_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct page_args *args = arg;
    struct tc_listing listing = {
        .table = "approvals",
        .columns = COLUMNS,
        .type = &tc_rows_approval,
        .order = args->page->descending ? "at DESC, id DESC" : "at, id",
        .page = args->page,
    };

    tc_listing_text(&listing, "state = ?", args->filter->state);
    tc_listing_text(&listing, "agent = ?", args->filter->agent);
    tc_listing_text(&listing, "tool_id = ?", args->filter->tool_id);
    tc_listing_text(&listing, "call_id = ?", args->filter->call_id);
    tc_listing_search(&listing, "holds(?, tool_id, call_name, agent, call_id)");
    return tc_listing_run(cx, db, &listing, &args->rows, &args->n, &args->total);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_approvals_filter *filter, struct tc_approval_row **ret_rows,
                        size_t *ret_n, int64_t *ret_total)
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

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] = "DELETE FROM approvals WHERE rowid IN (SELECT rowid FROM approvals WHERE at < ?"
                              " AND state <> 'waiting' LIMIT 1000)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

const struct tc_store_approvals_ops tc_sqlite_approvals = {
    .add = add,
    .settle = settle,
    .get = get,
    .page = page,
    .prune = prune,
};
