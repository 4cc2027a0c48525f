/*
 * Lists and figures of the audit in SQLite. All that is filtered by, but the run, is in
 * one index by time, so that counting, skipping to a page far behind and adding up
 * read no row.
 */
#include "stores/audit_sum.h"
#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/sqlite_audit.h"

/* Texts that begin with `head`: behind all of them is what ends in a byte that none holds. */
static enum tc_err add_prefix(struct tc_cx *cx, struct tc_listing *listing, const char *const sql[2],
                              struct tc_str head)
{
    struct tc_str behind = tc_arena_printf(cx->arena, "%.*s\xff", TC_STR_ARG(head));

    tc_listing_text(listing, sql[0], head);
    tc_listing_text(listing, sql[1], behind);
    return behind.p ? TC_OK : tc_fail_memory(cx);
}

/* The rows of an index of its own would be read one by one: where many pass, that is
 * dearer than looking through audit_figures, hence the plus signs. */
static enum tc_err add_prefixes(struct tc_cx *cx, struct tc_listing *listing,
                                const struct tc_store_audit_filter *filter)
{
    static const char *const code[] = {"error_code >= ?", "error_code < ?"};
    static const char *const tool[] = {"+tool_id >= ?", "+tool_id < ?"};
    struct tc_str server;
    enum tc_err err = filter->error_code.n ? add_prefix(cx, listing, code, filter->error_code) : TC_OK;

    if (err || !filter->server.n)
        return err;
    server = tc_arena_printf(cx->arena, "mcp/%.*s:", TC_STR_ARG(filter->server));
    return server.p ? add_prefix(cx, listing, tool, server) : tc_fail_memory(cx);
}

static enum tc_err add_filter(struct tc_cx *cx, struct tc_listing *listing, const struct tc_store_audit_filter *filter)
{
    tc_listing_text(listing, "agent = ?", filter->agent);
    tc_listing_text(listing, "tool_id = ?", filter->tool_id);
    tc_listing_text(listing, "state = ?", filter->state);
    tc_listing_text(listing, "surface = ?", filter->surface);
    tc_listing_text(listing, "principal_id = ?", filter->principal_id);
    tc_listing_text(listing, "run <> '' AND run = ?", filter->run);
    tc_listing_text(listing, "call_id = ?", filter->call_id);
    tc_listing_text(listing, "+tool_id IN (SELECT name FROM tools WHERE toolset = ?)", filter->toolset);
    tc_listing_text(listing, "id > ?", filter->after);
    if (filter->outcome)
        tc_listing_int(listing, "outcome = ?", filter->outcome);
    if (filter->is_error >= 0)
        tc_listing_int(listing, "is_error = ?", filter->is_error);
    if (filter->repaired)
        tc_listing_int(listing, "repaired = ?", filter->repaired > 0);
    /* Without a bound SQLite takes columns that are computed from the rows, not from the index. */
    if (filter->from || filter->outcome || filter->repaired)
        tc_listing_int(listing, "at >= ?", filter->from ? filter->from : INT64_MIN);
    if (filter->to)
        tc_listing_int(listing, "at < ?", filter->to);
    return add_prefixes(cx, listing, filter);
}

static void add_search(struct tc_listing *listing, struct tc_str search)
{
    tc_listing_text(listing, "holds(?, tool_id, call_name, agent, call_id)", search);
}

struct page_args {
    const struct tc_store_page *page;
    const struct tc_store_audit_filter *filter;
    const char *order;
    struct tc_audit_row *rows;
    size_t n;
    int64_t total;
};

static enum tc_err page_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct page_args *args = arg;
    struct tc_listing listing = {
        .table = "audit",
        .columns = TC_SQLITE_AUDIT_COLUMNS,
        .type = &tc_rows_audit,
        .order = args->order,
        .page = args->page,
    };
    enum tc_err err = add_filter(cx, &listing, args->filter);

    add_search(&listing, args->page->search);
    return err ? err : tc_listing_run(cx, db, &listing, &args->rows, &args->n, &args->total);
}

enum tc_err tc_sqlite_audit_page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                                 const struct tc_store_audit_filter *filter, struct tc_audit_row **ret_rows,
                                 size_t *ret_n, int64_t *ret_total)
{
    static const char *const sorts[] = {"at", "id"};
    static const char *const orders[][2] = {{"at, id", "at DESC, id DESC"}, {"id", "id DESC"}};
    struct page_args args = {.page = page, .filter = filter};
    size_t sort;
    enum tc_err err = tc_fault_page(cx, page, sorts, sizeof sorts / sizeof *sorts, &sort);

    if (err)
        return err;
    args.order = orders[sort][page->descending];
    err = tc_sqlite_read_noted(cx, self, page_run, &args);
    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    *ret_total = args.total;
    return TC_OK;
}

/* --- figures --- */

struct sums_args {
    const struct tc_audit_sums_query *query;
    struct tc_audit_sums sums;
};

static enum tc_err add_calls(struct tc_query *query, struct tc_audit_sum *sum)
{
    enum tc_err err = TC_OK;

    while (!err && tc_query_next(query)) {
        struct tc_audit_call call;

        call.at = tc_query_read_int(query);
        call.outcome = (enum tc_audit_outcome)tc_query_read_int(query);
        call.repaired = tc_query_read_int(query) != 0;
        call.exec_us = tc_query_read_int(query);
        call.key = tc_query_peek_text(query);
        err = tc_audit_sum_add(sum, &call);
    }
    if (err)
        query->err = err;
    return tc_query_end(query);
}

static enum tc_err sum_span(struct tc_cx *cx, struct tc_db *db, const struct tc_store_audit_filter *filter,
                            struct tc_audit_sum *sum)
{
    static const char *const columns[] = {
        [TC_AUDIT_BY_NONE] = "at, outcome, repaired, exec_us, ''",
        [TC_AUDIT_BY_TOOL] = "at, outcome, repaired, exec_us, tool_id",
        [TC_AUDIT_BY_AGENT] = "at, outcome, repaired, exec_us, agent",
        [TC_AUDIT_BY_SERVER] = "at, outcome, repaired, exec_us, tool_id",
        [TC_AUDIT_BY_SURFACE] = "at, outcome, repaired, exec_us, surface",
    };
    struct tc_listing listing = {.table = "audit", .columns = columns[sum->query->by]};
    struct tc_query query;
    enum tc_err err = add_filter(cx, &listing, filter);

    if (err)
        return err;
    add_search(&listing, sum->query->search);
    tc_listing_select(&query, cx, db, &listing);
    return add_calls(&query, sum);
}

static enum tc_err sum_one(struct tc_cx *cx, struct tc_db *db, const struct tc_audit_sums_query *query,
                           struct tc_audit_sums *ret)
{
    struct tc_audit_sum sum;
    enum tc_err err;

    tc_audit_sum_init(&sum, cx, query);
    err = sum_span(cx, db, query->filter, &sum);
    if (!err)
        err = tc_audit_sum_end(&sum, ret);
    tc_audit_sum_finish(&sum);
    return err;
}

static enum tc_err sums_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct sums_args *args = arg;
    const struct tc_store_audit_filter before = tc_audit_sum_before(args->query->filter);
    const struct tc_audit_sums_query past = {.filter = &before, .search = args->query->search};
    struct tc_audit_sums previous;
    enum tc_err err = sum_one(cx, db, args->query, &args->sums);

    if (!err)
        err = sum_one(cx, db, &past, &previous);
    args->sums.previous = previous.totals;
    return err;
}

enum tc_err tc_sqlite_audit_sums(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_sums_query *query,
                                 struct tc_audit_sums *ret_sums)
{
    struct sums_args args = {.query = query};
    enum tc_err err = tc_audit_sum_check(cx, query);

    if (!err)
        err = tc_sqlite_read_noted(cx, self, sums_run, &args);
    if (!err)
        *ret_sums = args.sums;
    return err;
}
