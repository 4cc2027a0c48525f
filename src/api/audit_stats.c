/*
 * Figures of a span of the audit: the last 24 hours unless it is told.
 */
#include "api/audit_stats.h"

#include "ports/store_audit_sums.h"
#include "ports/store_servers.h"

enum { GROUPS_DEFAULT = 20 };

static const char *const keys[] = {"", "tool", "agent", "server", "surface"}; /* by enum tc_audit_by */

static enum tc_audit_by by_of(struct tc_str name)
{
    size_t by = 0;

    while (by + 1 < sizeof keys / sizeof *keys && !tc_str_is(name, keys[by]))
        by++;
    return (enum tc_audit_by)by;
}

static void maybe(struct tc_jsonw *w, const char *key, int64_t us)
{
    tc_jsonw_key(w, key);
    if (us < 0)
        tc_jsonw_null(w);
    else
        tc_jsonw_int(w, us);
}

static void write_figures(struct tc_jsonw *w, const struct tc_audit_figures *figures)
{
    tc_jsonw_kint(w, "calls", figures->calls);
    tc_jsonw_kint(w, "errors", figures->errors);
    tc_jsonw_kint(w, "refused", figures->refused);
    tc_jsonw_kint(w, "repaired", figures->repaired);
    tc_jsonw_kint(w, "unknown", figures->unknown);
    tc_jsonw_kint(w, "open", figures->open);
    maybe(w, "p50Us", figures->p50_us);
    maybe(w, "p95Us", figures->p95_us);
}

static void write_total(struct tc_jsonw *w, const char *key, const struct tc_audit_figures *figures)
{
    tc_jsonw_key(w, key);
    tc_jsonw_object(w);
    write_figures(w, figures);
    tc_jsonw_end(w);
}

/* Servers go by their names, which are theirs for ever; one that is not stored by its UUID. */
static enum tc_err name_servers(struct tc_cx *cx, struct tc_store *store, struct tc_audit_sums *sums)
{
    struct tc_server_row *rows;
    size_t n;
    enum tc_err e = store->servers->all(cx, store, &rows, &n);

    for (size_t i = 0; !e && i < sums->groups_n; i++)
        for (size_t k = 0; k < n; k++)
            if (tc_str_eq(rows[k].uuid, sums->groups[i].key)) {
                sums->groups[i].key = rows[k].name;
                break;
            }
    return e;
}

static void write_sums(struct tc_jsonw *w, const struct tc_store_audit_filter *span, const struct tc_audit_sums *sums)
{
    tc_jsonw_object(w);
    tc_api_time(w, "from", span->from);
    tc_api_time(w, "to", span->to);
    write_total(w, "totals", &sums->totals);
    write_total(w, "previous", &sums->previous);
    tc_jsonw_key(w, "series");
    tc_jsonw_array(w);
    for (size_t i = 0; i < sums->series_n; i++) {
        tc_jsonw_object(w);
        tc_api_time(w, "from", sums->series[i].from);
        write_figures(w, &sums->series[i].figures);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_key(w, "groups");
    tc_jsonw_array(w);
    for (size_t i = 0; i < sums->groups_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "key", sums->groups[i].key);
        write_figures(w, &sums->groups[i].figures);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_kint(w, "groupsTotal", sums->groups_total);
    tc_jsonw_end(w);
}

enum tc_err tc_audit_stats(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *filters = tc_json_get_c(call->body, "filters");
    struct tc_store *store = call->runtime->store;
    struct tc_store_audit_filter filter;
    struct tc_audit_sums_query query = {
        .filter = &filter,
        .search = tc_api_field(call, "search"),
        .by = by_of(tc_api_field(call, "by")),
        .limit = GROUPS_DEFAULT,
    };
    struct tc_audit_sums sums;
    enum tc_err e = tc_audit_filter_read(cx, call, filters ? filters : call->body, &filter);

    tc_json_int(tc_json_get_c(call->body, "buckets"), &query.buckets);
    tc_json_int(tc_json_get_c(call->body, "limit"), &query.limit);
    if (!e)
        e = tc_audit_filter_span(cx, call, &filter.from, &filter.to);
    if (!e)
        e = store->audit->sums(cx, store, &query, &sums);
    if (!e && query.by == TC_AUDIT_BY_SERVER)
        e = name_servers(cx, store, &sums);
    if (!e)
        write_sums(call->out, &filter, &sums);
    return e;
}
