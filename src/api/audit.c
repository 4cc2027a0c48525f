/*
 * /admin/audit: one row a call, its stored result, and its replay. Bodies are
 * for operators and up; a viewer sees the rest of the row.
 */
#include "api/audit_export.h"
#include "api/audit_filter.h"
#include "api/audit_image.h"
#include "api/audit_result.h"
#include "api/audit_row.h"
#include "api/audit_stats.h"
#include "runtime/replay.h"

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    const struct tc_json *filters = tc_json_get_c(call->body, "filters");
    struct tc_store_audit_filter filter;
    struct tc_store_page page = tc_api_page(call, true);
    struct tc_audit_row *rows;
    size_t n;
    int64_t total;
    enum tc_err e;

    e = tc_audit_filter_read(cx, call, filters ? filters : call->body, &filter);
    if (!e)
        e = store->audit->page(cx, store, &page, &filter, &rows, &n, &total);
    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++)
        tc_audit_row_write(cx, call, call->out, &rows[i]);
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_audit_row row;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = store->audit->get(cx, store, id, &row);
    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_AUDIT_NOT_FOUND, "There is no record of a call \"%.*s\".", TC_STR_ARG(id));
    if (!e)
        tc_audit_row_write(cx, call, call->out, &row);
    return e;
}

static enum tc_err replay(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_jsonw *w = call->out;
    struct tc_replay r;
    enum tc_err e = tc_replay_call(cx, call->runtime, tc_api_field(call, "id"), &r);

    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", r.audit_id);
    tc_jsonw_kbool(w, "same", r.same);
    tc_jsonw_key(w, "steps");
    tc_jsonw_array(w);
    for (size_t i = 0; i < r.n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "name", r.steps[i].name);
        tc_jsonw_kbool(w, "same", r.steps[i].same);
        tc_jsonw_kbool(w, "skipped", r.steps[i].skipped);
        tc_jsonw_kstr(w, "recorded", r.steps[i].recorded);
        tc_jsonw_kstr(w, "replayed", r.steps[i].replayed);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

#define FIGURES                                                                                                        \
    "calls integer, errors integer, refused integer, repaired integer, unknown integer, open integer, "                \
    "p50Us integer|null, p95Us integer|null}"

static const struct tc_api_component components[] = {
    {"AuditRow",
     "{id string, at time, state (intent|done|unknown), outcome (ok|error|refused|unknown|open), repaired boolean, "
     "surface (mcp|rest|cli|ui|run), principal {kind string, id string, label string}, "
     "asAdmin boolean, agent string, run string|null, invocation string, callId string, toolId string|null, "
     "callName string, snapshot string|null, arguments {raw? any, canonical? object|null, repair? [{path string, "
     "from any, to any}]}, verdicts {gate string|null, arguments string|null, schema string|null, "
     "permission string|null}, approval CallApproval|null, timing {waitUs integer, execUs integer, totalUs integer}, "
     "result {id string|null, isError boolean, errorCode string|null, bytes integer}, effect object|null}"},
    {"CallApproval", "{id string, state (waiting|approved|denied|expired|withdrawn), choice? (once|run|always|no), "
                     "comment? string, channel? string, by? Principal, askedAt? time, answeredAt? time}"},
    {"AuditFigures", "{" FIGURES},
    {"AuditPart", "{from time, " FIGURES},
    {"AuditGroup", "{key string, " FIGURES},
    {0}};

static const struct tc_api_param of_export[] = {
    {"format", false, "A row a line as JSON, or CSV; jsonl", "{\"enum\":[\"jsonl\",\"csv\"]}"},
    {"search", false, "Part of the tool, its name, the agent or the call's id", NULL},
    TC_AUDIT_FILTER_QUERY,
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/audit/page"}, TC_API_VIEWER, "Calls by page, newest first, with filters",
     TC_API_PAGE_INPUT(TC_AUDIT_FILTER_INPUT), "{list [AuditRow], pagination Pagination}", get_page},
    {{"GET", "/admin/audit/info"}, TC_API_VIEWER, "One call", NULL, "AuditRow", get_info, .query = tc_api_by_id},
    {{"GET", "/admin/audit/result"}, TC_API_OPERATOR, "What one call gave, as it is stored", NULL,
     "{id string, text string|null, result object}", tc_audit_result, .query = tc_api_by_id},
    {{"GET", "/admin/audit/image"}, TC_API_OPERATOR, "An image of what one call gave", NULL, NULL, tc_audit_image,
     .query = tc_audit_image_query, .types = TC_AUDIT_IMAGE_TYPES},
    {{"POST", "/admin/audit/stats"}, TC_API_VIEWER, "What the calls of a span add up to, and those of the one before",
     TC_AUDIT_STATS_INPUT,
     "{from time, to time, totals AuditFigures, previous AuditFigures, series [AuditPart], groups [AuditGroup], "
     "groupsTotal integer}",
     tc_audit_stats},
    {{"GET", "/admin/audit/export"}, TC_API_VIEWER, "All calls, oldest first, as a file", NULL, NULL, tc_audit_export,
     .query = of_export, .types = "application/jsonl, text/csv"},
    {{"POST", "/admin/audit/replay"}, TC_API_OPERATOR, "Check one call again from its record; runs nothing",
     TC_API_CLOSED("\"id\"", "\"id\":" TC_API_STRING),
     "{id string, same boolean, steps [{name string, same boolean, skipped boolean, recorded string|null, "
     "replayed string|null}]}", replay},
};

const struct tc_api_resource tc_api_audit = {"audit", "Calls and their record", routes,
                                             sizeof routes / sizeof *routes, components};
