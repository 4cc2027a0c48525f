/*
 * /admin/audit: one row a call, its stored result, and its replay. Bodies are
 * for operators and up; a viewer sees the rest of the row.
 */
#include "api/api.h"
#include "ports/store_audit.h"
#include "runtime/replay.h"

static void raw_or_null(struct tc_jsonw *w, const char *key, struct tc_str json)
{
    tc_jsonw_key(w, key);
    tc_jsonw_raw(w, json.n ? json : TC_STR("null"));
}

/* Raw arguments that are no JSON are shown as the string that they were. */
static void write_raw(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str raw)
{
    const struct tc_json *root;

    tc_jsonw_key(w, "raw");
    if (raw.n == 0)
        tc_jsonw_null(w);
    else if (tc_json_parse_root(cx, raw, NULL, &root) == TC_OK)
        tc_jsonw_raw(w, raw);
    else
        tc_jsonw_str(w, raw);
    tc_fail_clear(cx);
}

static void write_arguments(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_audit_row *row, bool bodies)
{
    tc_jsonw_key(w, "arguments");
    tc_jsonw_object(w);
    if (bodies) {
        write_raw(cx, w, row->raw);
        raw_or_null(w, "canonical", row->canonical);
        tc_jsonw_key(w, "repair");
        tc_jsonw_raw(w, row->repair.n ? row->repair : TC_STR("[]"));
    }
    tc_jsonw_end(w);
}

static void opt(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_kstr(w, key, value.n ? value : tc_str_n(NULL, 0));
}

static void write_row(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_audit_row *row, bool bodies)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    tc_api_time(w, "at", row->at);
    tc_jsonw_kstr(w, "state", row->state);
    tc_jsonw_kstr(w, "surface", row->surface);
    tc_jsonw_key(w, "principal");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "kind", row->principal_kind);
    tc_jsonw_kstr(w, "id", row->principal_id);
    tc_jsonw_end(w);
    tc_jsonw_kbool(w, "asAdmin", row->as_admin);
    tc_jsonw_kstr(w, "agent", row->agent);
    opt(w, "run", row->run);
    tc_jsonw_kstr(w, "invocation", row->invocation);
    tc_jsonw_kstr(w, "callId", row->call_id);
    opt(w, "toolId", row->tool_id);
    tc_jsonw_kstr(w, "callName", row->call_name);
    opt(w, "snapshot", row->snapshot);
    write_arguments(cx, w, row, bodies);
    tc_jsonw_key(w, "verdicts");
    tc_jsonw_object(w);
    opt(w, "gate", row->gate);
    opt(w, "arguments", row->arguments);
    opt(w, "schema", row->schema);
    opt(w, "permission", row->permission);
    tc_jsonw_end(w);
    raw_or_null(w, "approval", row->approval);
    tc_jsonw_key(w, "timing");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "waitUs", row->wait_us);
    tc_jsonw_kint(w, "execUs", row->exec_us);
    tc_jsonw_kint(w, "totalUs", row->total_us);
    tc_jsonw_end(w);
    tc_jsonw_key(w, "result");
    tc_jsonw_object(w);
    opt(w, "id", row->result_id);
    tc_jsonw_kbool(w, "isError", row->is_error);
    opt(w, "errorCode", row->error_code);
    tc_jsonw_kint(w, "bytes", row->result_bytes);
    tc_jsonw_end(w);
    raw_or_null(w, "effect", row->effect);
    tc_jsonw_end(w);
}

static void read_filter(const struct tc_api_call *call, struct tc_store_audit_filter *ret)
{
    const struct tc_json *f = tc_json_get_c(call->body, "filters"), *is_error = tc_json_get_c(f, "isError");

    *ret = (struct tc_store_audit_filter){
        .agent = tc_json_str(tc_json_get_c(f, "agent")),
        .tool_id = tc_json_str(tc_json_get_c(f, "toolId")),
        .state = tc_json_str(tc_json_get_c(f, "state")),
        .surface = tc_json_str(tc_json_get_c(f, "surface")),
        .principal_id = tc_json_str(tc_json_get_c(f, "principalId")),
        .run = tc_json_str(tc_json_get_c(f, "run")),
        .call_id = tc_json_str(tc_json_get_c(f, "callId")),
        .error_code = tc_json_str(tc_json_get_c(f, "errorCode")),
        .after = tc_json_str(tc_json_get_c(f, "after")),
        .is_error = is_error ? tc_json_bool(is_error, false) : -1,
    };
    tc_json_int(tc_json_get_c(f, "from"), &ret->from);
    tc_json_int(tc_json_get_c(f, "to"), &ret->to);
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_store_audit_filter filter;
    struct tc_store_page page = tc_api_page(call, true);
    struct tc_audit_row *rows;
    size_t n;
    int64_t total;
    enum tc_err e;

    read_filter(call, &filter);
    e = store->audit->page(cx, store, &page, &filter, &rows, &n, &total);
    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++)
        write_row(cx, call->out, &rows[i], tc_api_sees_bodies(call));
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
        write_row(cx, call->out, &row, tc_api_sees_bodies(call));
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

#define STRING "{\"type\":\"string\"}"

static const struct tc_api_component components[] = {
    {"AuditRow",
     "{id string, at time, state (intent|done|unknown), surface (mcp|rest|cli|ui|run), principal Principal, "
     "asAdmin boolean, agent string, run string|null, invocation string, callId string, toolId string|null, "
     "callName string, snapshot string|null, arguments {raw? any, canonical? object|null, repair? [{path string, "
     "from any, to any}]}, verdicts {gate string|null, arguments string|null, schema string|null, "
     "permission string|null}, approval object|null, timing {waitUs integer, execUs integer, totalUs integer}, "
     "result {id string|null, isError boolean, errorCode string|null, bytes integer}, effect object|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/audit/page"}, TC_API_VIEWER, "Calls by page, newest first, with filters",
     TC_API_PAGE_INPUT(
         "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"agent\":" STRING ",\"toolId\":" STRING
         ",\"state\":{\"enum\":[\"intent\",\"done\",\"unknown\"]},\"surface\":{\"enum\":[\"mcp\",\"rest\",\"cli\","
         "\"ui\",\"run\"]},\"principalId\":" STRING ",\"errorCode\":" STRING ",\"run\":" STRING
         ",\"callId\":" STRING ",\"isError\":{\"type\":\"boolean\"},"
         "\"from\":{\"type\":\"integer\"},\"to\":{\"type\":\"integer\"},\"after\":" STRING "}}"),
     "{list [AuditRow], pagination Pagination}", get_page},
    {{"GET", "/admin/audit/info"}, TC_API_VIEWER, "One call", NULL, "AuditRow", get_info, .query = tc_api_by_id},
    {{"POST", "/admin/audit/replay"}, TC_API_OPERATOR, "Check one call again from its record; runs nothing",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING "}}",
     "{id string, same boolean, steps [{name string, same boolean, skipped boolean, recorded string|null, "
     "replayed string|null}]}", replay},
};

const struct tc_api_resource tc_api_audit = {"audit", "Calls and their record", routes,
                                             sizeof routes / sizeof *routes, components};
