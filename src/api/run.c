/*
 * /admin/run: runs and their journals, to look at and to steer. What was asked and said
 * is for operators and up; a viewer sees the rest.
 */
#include "api/running.h"
#include "runtime/run_replay.h"

enum { EVENTS_DEFAULT = 100 };

#define RUN_OUTPUT                                                                                                     \
    "{\"type\":\"object\",\"required\":[\"id\",\"agent\",\"status\",\"steps\",\"events\",\"createdAt\"]}"

static enum tc_err not_found(struct tc_cx *cx, struct tc_str id)
{
    tc_fail(cx, TC_E_RUN_NOT_FOUND, "There is no run \"%.*s\".", TC_STR_ARG(id));
    return tc_fail_hint(cx, "toolcrib run list shows the runs.");
}

static void opt(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_kstr(w, key, value.n ? value : tc_str_n(NULL, 0));
}

static void raw_or_null(struct tc_jsonw *w, const char *key, struct tc_str json)
{
    tc_jsonw_key(w, key);
    tc_jsonw_raw(w, json.n ? json : TC_STR("null"));
}

static void write_error(struct tc_jsonw *w, const struct tc_run_row *row)
{
    tc_jsonw_key(w, "error");
    if (!row->error_code.n) {
        tc_jsonw_null(w);
        return;
    }
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "code", row->error_code);
    tc_jsonw_kstr(w, "message", row->error_message);
    tc_jsonw_end(w);
}

static void write_row(struct tc_jsonw *w, const struct tc_run_row *row, bool bodies)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    tc_jsonw_kstr(w, "agent", row->agent);
    tc_jsonw_kstr(w, "tape", row->tape);
    tc_jsonw_kstr(w, "status", row->status);
    tc_jsonw_kstr(w, "surface", row->surface);
    tc_jsonw_key(w, "principal");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "kind", row->principal_kind);
    tc_jsonw_kstr(w, "id", row->principal_id);
    tc_jsonw_end(w);
    tc_jsonw_kstr(w, "stage", row->stage);
    opt(w, "channel", row->channel);
    tc_jsonw_kstr(w, "model", row->model);
    if (bodies)
        raw_or_null(w, "input", row->input);
    opt(w, "snapshot", row->snapshot);
    write_error(w, row);
    raw_or_null(w, "usage", row->usage);
    tc_jsonw_kint(w, "steps", row->steps);
    tc_jsonw_kint(w, "events", row->events);
    tc_api_time(w, "createdAt", row->created_at);
    tc_api_time(w, "updatedAt", row->updated_at);
    tc_api_time(w, "endedAt", row->ended_at);
    tc_jsonw_end(w);
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *f = tc_json_get_c(call->body, "filters");
    const struct tc_run_filter filter = {
        .agent = tc_json_str(tc_json_get_c(f, "agent")),
        .status = tc_json_str(tc_json_get_c(f, "status")),
        .tape = tc_json_str(tc_json_get_c(f, "tape")),
        .principal_id = tc_json_str(tc_json_get_c(f, "principalId")),
    };
    const struct tc_store_page page = tc_api_page(call, true);
    struct tc_store *store = call->runtime->store;
    struct tc_run_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e = store->runs->page(cx, store, &page, &filter, &rows, &n, &total);

    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++)
        write_row(call->out, &rows[i], tc_api_sees_bodies(call));
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_run_row row;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = store->runs->get(cx, store, id, &row);
    if (e == TC_E_STORE_NOT_FOUND)
        return not_found(cx, id);
    if (!e)
        write_row(call->out, &row, tc_api_sees_bodies(call));
    return e;
}

/* --- the journal --- */

/* Of what an event tells, what is no body: numbers, names, codes and ids. */
static bool is_plain(struct tc_str key)
{
    static const char *const plain[] = {
        "attempt",   "audit",    "bytes",    "callId", "errorCode", "finish", "from", "hash",   "id",     "isError",
        "kind",      "max",      "mode",     "ms",     "name",      "offered", "snapshot", "status", "to", "tokens",
        "toolId",    "tools",    "turn",     "usage",  "waitMs",    "code",
    };

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (tc_str_is(key, plain[i]))
            return true;
    return false;
}

static enum tc_err write_plain(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str json)
{
    const struct tc_json *root, *value;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err e = tc_json_parse_root(cx, json, NULL, &root);

    if (e)
        return e;
    tc_jsonw_object(w);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &value);) {
        if (!is_plain(key))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_event(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_run_event *event, bool bodies)
{
    enum tc_err e = TC_OK;

    tc_jsonw_object(w);
    tc_jsonw_kint(w, "seq", event->seq);
    tc_api_time(w, "at", event->at);
    tc_jsonw_kstr(w, "type", event->type);
    opt(w, "invocation", event->invocation);
    tc_jsonw_key(w, "data");
    if (bodies)
        tc_jsonw_raw(w, event->json.n ? event->json : TC_STR("{}"));
    else
        e = write_plain(cx, w, event->json.n ? event->json : TC_STR("{}"));
    tc_jsonw_end(w);
    return e;
}

static enum tc_err get_events(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_str id = tc_api_field(call, "id");
    int64_t after = 0, before = 0, limit = EVENTS_DEFAULT;
    struct tc_run_event *events;
    size_t n;
    enum tc_err e;

    tc_json_int(tc_json_get_c(call->body, "after"), &after);
    tc_json_int(tc_json_get_c(call->body, "before"), &before);
    tc_json_int(tc_json_get_c(call->body, "limit"), &limit);
    e = store->runs->events(cx, store, id, after, before, limit, &events, &n);
    if (e == TC_E_STORE_NOT_FOUND)
        return not_found(cx, id);
    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n && !e; i++)
        e = write_event(cx, call->out, &events[i], tc_api_sees_bodies(call));
    tc_jsonw_end(call->out);
    return e;
}

/* --- steering --- */

static enum tc_err start(struct tc_cx *cx, struct tc_api_call *call)
{
    if (tc_api_field(call, "workspace").n && call->principal->role != TC_ROLE_ADMIN)
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "Only an admin may name a workspace directory.");
    return tc_running_start(cx, call, tc_api_field(call, "agent"), "cli");
}

static enum tc_err watch(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : tc_running_events(cx, call, id);
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_answer(cx, call, tc_api_field(call, "id"));
}

static enum tc_err cancel(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_cancel(cx, call, tc_api_field(call, "id"));
}

static enum tc_err resume(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_resume(cx, call, tc_api_field(call, "id"));
}

static enum tc_err revise(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_revise(cx, call, tc_api_field(call, "id"));
}

static void write_request(struct tc_jsonw *w, const struct tc_run_replay_request *request)
{
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "turn", request->turn);
    tc_jsonw_kint(w, "entry", request->entry);
    tc_jsonw_kbool(w, "same", request->same);
    tc_jsonw_kstr(w, "recorded", request->recorded);
    opt(w, "replayed", request->replayed);
    opt(w, "why", request->why);
    tc_jsonw_end(w);
}

static enum tc_err replay(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    struct tc_run_replay result;
    struct tc_runs *runs;
    enum tc_err e = tc_running_runs(cx, call, &runs);

    if (!e)
        e = tc_runs_replay(cx, runs, id, &result);
    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kstr(call->out, "id", id);
    tc_jsonw_kbool(call->out, "same", result.same);
    tc_jsonw_key(call->out, "requests");
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < result.n; i++)
        write_request(call->out, &result.requests[i]);
    tc_jsonw_end(call->out);
    tc_jsonw_end(call->out);
    return TC_OK;
}

#define STRING "{\"type\":\"string\"}"
#define NUMBER(from, to) "{\"type\":\"integer\",\"minimum\":" from ",\"maximum\":" to "}"

#define ID "\"id\":" STRING

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/run/page"}, TC_API_VIEWER, "Runs by page, newest first, with filters",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"agent\":" STRING
                       ",\"status\":{\"enum\":[\"running\",\"waiting\",\"completed\",\"partial_success\",\"failed\","
                       "\"cancelled\",\"interrupted\"]},\"tape\":" STRING ",\"principalId\":" STRING "}}"),
     TC_API_PAGE_OUTPUT(RUN_OUTPUT), get_page},
    {{"GET", "/admin/run/info"}, TC_API_VIEWER, "One run (?id=)", NULL, RUN_OUTPUT, get_info},
    {{"POST", "/admin/run/events"}, TC_API_VIEWER, "Events of a run after a number, or the last ones before one",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING
     ",\"after\":" NUMBER("0", "1000000000") ",\"before\":" NUMBER("1", "1000000000") ",\"limit\":" NUMBER("1", "500")
     "}}",
     TC_API_LIST_OUTPUT("{\"type\":\"object\",\"required\":[\"seq\",\"at\",\"type\",\"data\"]}"), get_events},
    {{"POST", "/admin/run/start"}, TC_API_OPERATOR, "Start a run of an agent (\"stream\", \"wait\" as for /v1/runs)",
     TC_RUNNING_CLOSED("\"agent\",\"input\"",
                       "\"agent\":" STRING ",\"workspace\":" STRING
                       ",\"attended\":{\"type\":\"boolean\"}," TC_RUNNING_START),
     TC_RUNNING_OUTPUT, start},
    {{"GET", "/admin/run/watch"}, TC_API_OPERATOR,
     "Its journal (?id= ?after= ?before= ?limit=), or as it comes with Accept: text/event-stream", NULL,
     "{\"type\":\"object\",\"required\":[\"events\"]}", watch},
    {{"POST", "/admin/run/answer"}, TC_API_OPERATOR, "Answer a question: clarify, approval or confirmation",
     TC_RUNNING_CLOSED("\"id\",\"question\"", ID "," TC_RUNNING_ANSWER), TC_API_DONE_OUTPUT, answer},
    {{"POST", "/admin/run/cancel"}, TC_API_OPERATOR, "Cancel a run", TC_RUNNING_CLOSED("\"id\"", ID),
     TC_RUNNING_OUTPUT, cancel},
    {{"POST", "/admin/run/resume"}, TC_API_OPERATOR, "Go on with one that was interrupted, cancelled or failed",
     TC_RUNNING_CLOSED("\"id\"", ID "," TC_RUNNING_RESUME), TC_RUNNING_OUTPUT, resume},
    {{"POST", "/admin/run/revise"}, TC_API_OPERATOR, "Ask for a change of its output, with the same tools",
     TC_RUNNING_CLOSED("\"id\",\"input\"", ID "," TC_RUNNING_REVISE), TC_RUNNING_OUTPUT, revise},
    {{"POST", "/admin/run/replay"}, TC_API_OPERATOR,
     "Put each request to its model together again and compare the hashes; runs nothing",
     TC_RUNNING_CLOSED("\"id\"", ID), "{\"type\":\"object\",\"required\":[\"id\",\"same\",\"requests\"]}", replay},
};

const struct tc_api_resource tc_api_run = {"run", "Runs of agents", routes, sizeof routes / sizeof *routes};
