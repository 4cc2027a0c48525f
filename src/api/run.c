/*
 * /admin/run: runs and their journals, to look at and to steer. What was asked and said
 * is for operators and up; a viewer sees the rest.
 */
#include "api/run_stats.h"
#include "api/running.h"
#include "runtime/run_replay.h"

enum { EVENTS_DEFAULT = 100 };

static enum tc_err not_found(struct tc_cx *cx, struct tc_str id)
{
    tc_fail(cx, TC_E_RUN_NOT_FOUND, "There is no run \"%.*s\".", TC_STR_ARG(id));
    return tc_fail_hint(cx, "toolcrib run list shows the runs.");
}

static void opt(struct tc_jsonw *w, const char *key, struct tc_str value)
{
    tc_jsonw_kstr(w, key, value.n ? value : tc_str_n(NULL, 0));
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
        tc_running_write(call->out, &rows[i], tc_api_sees_bodies(call));
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_run_row row;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = tc_running_get(cx, call, id, &row);
    if (!e)
        tc_running_write(call->out, &row, tc_api_sees_bodies(call));
    return e;
}

/* --- the journal --- */

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
        e = tc_running_write_event(cx, call->out, &events[i], tc_api_sees_bodies(call));
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
    tc_jsonw_kbool(w, "summary", request->summary);
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

static const struct tc_api_param of_journal[] = {{"id", true, "Its id", NULL}, TC_RUNNING_JOURNAL, {0}};

#define FIGURES                                                                                                        \
    "runs integer, running integer, waiting integer, completed integer, partialSuccess integer, failed integer, "      \
    "cancelled integer, interrupted integer}"

static const struct tc_api_component components[] = {
    {"Run",
     "{id string, agent string, status (running|waiting|completed|partial_success|failed|cancelled|interrupted), "
     "stage (plain|session|chat_foreground|chat_background|child), tape string, channel string|null, model string, "
     "snapshot string|null, surface string, principal Principal, steps integer, events integer, "
     "usage {* number}|null, error Fault|null, input? any, createdAt time, updatedAt time, endedAt time|null}"},
    {"RunFigures", "{" FIGURES},
    {"RunGroup", "{key string, " FIGURES},
    {"RunEvent", "{seq? integer, at time, type string, invocation string|null, data object}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/run/page"}, TC_API_VIEWER, "Runs by page, newest first, with filters",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"agent\":" STRING
                       ",\"status\":" TC_RUNNING_STATUS ",\"tape\":" STRING ",\"principalId\":" STRING "}}"),
     "{list [Run], pagination Pagination}", get_page},
    {{"GET", "/admin/run/info"}, TC_API_VIEWER, "One run", NULL, "Run", get_info, .query = tc_api_by_id},
    {{"POST", "/admin/run/events"}, TC_API_VIEWER, "Events of a run after a number, or the last ones before one",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":" STRING
     ",\"after\":" NUMBER("0", "1000000000") ",\"before\":" NUMBER("1", "1000000000") ",\"limit\":" NUMBER("1", "500")
     "}}",
     "[RunEvent]", get_events},
    {{"POST", "/admin/run/stats"}, TC_API_VIEWER, "How many runs began in a span, and how they stand",
     TC_RUN_STATS_INPUT,
     "{from time, to time, live integer, totals RunFigures, previous RunFigures, groups [RunGroup], "
     "groupsTotal integer}",
     tc_run_stats},
    {{"POST", "/admin/run/start"}, TC_API_OPERATOR, "Start a run of an agent (\"stream\", \"wait\" as for /v1/runs)",
     TC_RUNNING_CLOSED("\"agent\",\"input\"",
                       "\"agent\":" STRING ",\"workspace\":" STRING
                       ",\"channel\":" STRING ",\"model\":" STRING
                       ",\"attended\":{\"type\":\"boolean\"}," TC_RUNNING_START),
     "Run", start, .types = "text/event-stream"},
    {{"GET", "/admin/run/watch"}, TC_API_OPERATOR,
     "Its journal, or as it comes with Accept: text/event-stream", NULL,
     TC_RUNNING_EVENTS, watch, .query = of_journal, .types = "text/event-stream"},
    {{"POST", "/admin/run/answer"}, TC_API_OPERATOR, "Answer a question: clarify, approval or confirmation",
     TC_RUNNING_CLOSED("\"id\",\"question\"", ID "," TC_RUNNING_ANSWER), "Done", answer},
    {{"POST", "/admin/run/cancel"}, TC_API_OPERATOR, "Cancel a run", TC_RUNNING_CLOSED("\"id\"", ID),
     "Run", cancel},
    {{"POST", "/admin/run/resume"}, TC_API_OPERATOR, "Go on with one that was interrupted, cancelled or failed",
     TC_RUNNING_CLOSED("\"id\"", ID "," TC_RUNNING_RESUME), "Run", resume},
    {{"POST", "/admin/run/revise"}, TC_API_OPERATOR, "Ask for a change of its output, with the same tools",
     TC_RUNNING_CLOSED("\"id\",\"input\"", ID "," TC_RUNNING_REVISE), "Run", revise},
    {{"POST", "/admin/run/replay"}, TC_API_OPERATOR,
     "Put each request to its model together again and compare the hashes; runs nothing",
     TC_RUNNING_CLOSED("\"id\"", ID),
     "{id string, same boolean, requests [{turn integer, entry integer, summary boolean, same boolean, "
     "recorded string, replayed string|null, why string|null}]}", replay},
};

const struct tc_api_resource tc_api_run = {"run", "Runs of agents", routes, sizeof routes / sizeof *routes, components};
