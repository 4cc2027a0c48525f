/*
 * How many runs began in a span, and how they stand: the last 24 hours unless it is told.
 */
#include "api/run_stats.h"

#include "ports/store_runs.h"

enum { GROUPS_DEFAULT = 20 };

static enum tc_err read_query(struct tc_cx *cx, struct tc_api_call *call, struct tc_run_sums_query *query)
{
    enum tc_err e = tc_audit_filter_span(cx, call, &query->from, &query->to);

    if (e)
        return e;
    if (tc_api_field(call, "by").n) {
        query->limit = GROUPS_DEFAULT;
        tc_json_int(tc_json_get_c(call->body, "limit"), &query->limit);
    }
    return TC_OK;
}

static void write_figures(struct tc_jsonw *w, const struct tc_run_figures *figures)
{
    static const char *const names[TC_RUN_STATUSES] = {
        [TC_RUN_RUNNING] = "running",     [TC_RUN_WAITING] = "waiting",     [TC_RUN_COMPLETED] = "completed",
        [TC_RUN_FAILED] = "failed",       [TC_RUN_CANCELLED] = "cancelled", [TC_RUN_INTERRUPTED] = "interrupted",
        [TC_RUN_PARTIAL_SUCCESS] = "partialSuccess",
    };

    tc_jsonw_kint(w, "runs", figures->runs);
    for (int i = 0; i < TC_RUN_STATUSES; i++)
        tc_jsonw_kint(w, names[i], figures->by_status[i]);
}

static void write_total(struct tc_jsonw *w, const char *key, const struct tc_run_figures *figures)
{
    tc_jsonw_key(w, key);
    tc_jsonw_object(w);
    write_figures(w, figures);
    tc_jsonw_end(w);
}

enum tc_err tc_run_stats(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_run_sums_query query = {0};
    struct tc_jsonw *w = call->out;
    struct tc_run_sums sums;
    enum tc_err e = read_query(cx, call, &query);

    if (!e)
        e = store->runs->sums(cx, store, &query, &sums);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_api_time(w, "from", query.from);
    tc_api_time(w, "to", query.to);
    tc_jsonw_kint(w, "live", sums.live);
    write_total(w, "totals", &sums.totals);
    write_total(w, "previous", &sums.previous);
    tc_jsonw_key(w, "groups");
    tc_jsonw_array(w);
    for (size_t i = 0; i < sums.groups_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "key", sums.groups[i].agent);
        write_figures(w, &sums.groups[i].figures);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_kint(w, "groupsTotal", query.limit ? sums.groups_total : 0);
    tc_jsonw_end(w);
    return TC_OK;
}
