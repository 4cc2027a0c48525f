/*
 * /admin/approval: calls that wait for somebody to say whether they may run. What they
 * would run with is for those who may answer; a viewer sees the rest.
 */
#include "api/changed.h"
#include "api/stream.h"
#include "runtime/approvals.h"

enum { WAITING_SHOWN = 200, EVENT_MAX = 64 * 1024 * 1024 };

static void write_words(struct tc_jsonw *w, const char *key, struct tc_str words)
{
    struct tc_str word;

    tc_jsonw_key(w, key);
    tc_jsonw_array(w);
    while (words.n && tc_str_split(&words, ',', &word))
        tc_jsonw_str(w, word);
    tc_jsonw_end(w);
}

static void write_principal(struct tc_jsonw *w, const char *key, struct tc_str kind, struct tc_str id)
{
    tc_jsonw_key(w, key);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "kind", kind);
    tc_jsonw_kstr(w, "id", id);
    tc_jsonw_end(w);
}

static void write_answer(struct tc_jsonw *w, const struct tc_approval_row *row)
{
    tc_jsonw_key(w, "answer");
    if (row->choice.n == 0) {
        tc_jsonw_null(w);
        return;
    }
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "choice", row->choice);
    tc_jsonw_kstr(w, "comment", row->comment);
    tc_jsonw_kstr(w, "channel", row->channel);
    write_principal(w, "by", row->by_kind, row->by_id);
    tc_api_time(w, "at", row->answered_at);
    tc_jsonw_end(w);
}

static void write_row(struct tc_jsonw *w, const struct tc_approval_row *row, bool bodies)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    tc_jsonw_kstr(w, "state", row->state);
    tc_api_time(w, "at", row->at);
    tc_api_time(w, "until", row->until);
    tc_jsonw_kstr(w, "agent", row->agent);
    tc_jsonw_kstr(w, "run", row->run.n ? row->run : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "invocation", row->invocation);
    tc_jsonw_kstr(w, "callId", row->call_id);
    tc_jsonw_kstr(w, "auditId", row->audit_id);
    tc_jsonw_kstr(w, "surface", row->surface);
    write_principal(w, "principal", row->principal_kind, row->principal_id);
    tc_jsonw_kstr(w, "toolId", row->tool_id);
    tc_jsonw_kstr(w, "callName", row->call_name);
    tc_jsonw_kstr(w, "definition", row->definition);
    tc_jsonw_kstr(w, "digest", row->digest);
    if (bodies) {
        tc_jsonw_key(w, "arguments");
        tc_jsonw_raw(w, row->arguments.n ? row->arguments : TC_STR("{}"));
    }
    write_words(w, "channels", row->channels);
    write_words(w, "choices", row->choices);
    write_answer(w, row);
    tc_jsonw_end(w);
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *f = tc_json_get_c(call->body, "filters");
    const struct tc_store_approvals_filter filter = {
        .state = tc_json_str(tc_json_get_c(f, "state")),
        .agent = tc_json_str(tc_json_get_c(f, "agent")),
        .tool_id = tc_json_str(tc_json_get_c(f, "toolId")),
        .call_id = tc_json_str(tc_json_get_c(f, "callId")),
    };
    struct tc_store *store = call->runtime->store;
    struct tc_approval_row *rows;
    struct tc_store_page page = tc_api_page(call, true);
    int64_t total;
    size_t n;
    enum tc_err e;

    e = store->approvals->page(cx, store, &page, &filter, &rows, &n, &total);
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
    struct tc_approval_row row;
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = store->approvals->get(cx, store, id, &row);
    if (e == TC_E_STORE_NOT_FOUND)
        return tc_fail(cx, TC_E_APPROVAL_NOT_FOUND, "There is no question \"%.*s\".", TC_STR_ARG(id));
    if (!e)
        write_row(call->out, &row, tc_api_sees_bodies(call));
    return e;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call)
{
    bool as_caller = tc_str_is(tc_api_field(call, "channel"), "caller");
    const struct tc_approvals_answer given = {
        .id = tc_api_field(call, "id"),
        .choice = tc_api_field(call, "choice"),
        .comment = tc_api_field(call, "comment"),
        .channel = as_caller ? TC_STR("caller") : TC_STR("operator"),
        .principal = call->principal,
    };
    struct tc_approval_row row;
    enum tc_err e = tc_approvals_answer(cx, call->runtime->approvals, &given, &row);

    if (e)
        return e;
    if (tc_str_is(given.choice, "always"))
        tc_changed_lasting(cx, call, &row);
    write_row(call->out, &row, true);
    return TC_OK;
}

/* --- watching --- */

struct watch {
    struct tc_api_call *call;
    struct tc_str call_id; /* only questions of this call; empty: all */
};

static enum tc_err send_row(struct tc_cx *cx, const struct watch *watch, const struct tc_approval_row *row)
{
    struct tc_sse_event event = {.type = TC_STR("approval"), .id = row->id, .retry_ms = -1};
    struct tc_buf json;
    struct tc_jsonw w;
    enum tc_err e;

    if (watch->call_id.n && !tc_str_eq(watch->call_id, row->call_id))
        return TC_OK;
    tc_buf_init(&json, EVENT_MAX);
    tc_jsonw_init(&w, &json);
    write_row(&w, row, tc_api_sees_bodies(watch->call));
    event.data = tc_buf_get(&json);
    e = json.failed ? tc_fail_memory(cx) : tc_api_stream_send(cx, watch->call, &event);
    tc_buf_finish(&json);
    return e;
}

/* All that wait now, the oldest first. */
static enum tc_err send_waiting(struct tc_cx *cx, const struct watch *watch)
{
    const struct tc_store_page page = {.page = 1, .size = WAITING_SHOWN};
    const struct tc_store_approvals_filter waiting = {.state = TC_STR("waiting"), .call_id = watch->call_id};
    struct tc_store *store = watch->call->runtime->store;
    struct tc_approval_row *rows;
    int64_t total;
    size_t n;
    enum tc_err e = store->approvals->page(cx, store, &page, &waiting, &rows, &n, &total);

    for (size_t i = 0; !e && i < n; i++)
        e = send_row(cx, watch, &rows[i]);
    return e;
}

static enum tc_err send_change(struct tc_cx *cx, const struct watch *watch, struct tc_str id)
{
    struct tc_store *store = watch->call->runtime->store;
    struct tc_approval_row row;
    enum tc_err e;

    if (id.n == 0)
        return send_waiting(cx, watch);
    e = store->approvals->get(cx, store, id, &row);
    if (e == TC_E_STORE_NOT_FOUND) {
        tc_fail_clear(cx);
        return TC_OK;
    }
    return e ? e : send_row(cx, watch, &row);
}

/* One change, or a comment when none came. */
static enum tc_err send_next(struct tc_cx *cx, const struct watch *watch, uint64_t *at)
{
    struct tc_str id = TC_STR("");
    bool idle = false;
    enum tc_err e = tc_approvals_next(cx, watch->call->runtime->approvals, at, TC_API_STREAM_IDLE_MS, &id);

    if (e == TC_E_TIMEOUT && tc_task_check(cx) == TC_OK) {
        idle = true;
        e = TC_OK;
    }
    if (!e)
        e = tc_api_stream_check(cx, watch->call);
    if (e)
        return e;
    return idle ? tc_api_stream_idle(cx, watch->call) : send_change(cx, watch, id);
}

/* Until the client goes, what it came with ends or the daemon does. Each event has an arena of its own. */
static enum tc_err follow(struct tc_cx *cx, struct tc_api_call *call, void *arg)
{
    const struct watch *watch = arg;
    uint64_t at = tc_approvals_now(call->runtime->approvals);
    enum tc_err e = send_waiting(cx, watch);

    while (!e) {
        struct tc_arena arena;
        struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        tc_arena_init(&arena, 0);
        e = send_next(&one, watch, &at);
        tc_arena_finish(&arena);
    }
    return e;
}

static enum tc_err events(struct tc_cx *cx, struct tc_api_call *call)
{
    struct watch watch = {call, tc_api_query(cx, call, "callId")};

    return tc_api_stream_run(cx, call, follow, &watch);
}

#define STRING "{\"type\":\"string\"}"

static const struct tc_api_param of_call[] = {{"callId", false, "Only questions of this call", NULL}, {0}};

static const struct tc_api_component components[] = {
    {"Approval",
     "{id string, state (waiting|approved|denied|expired|withdrawn), at time, until time|null, agent string, "
     "run string|null, invocation string, callId string, auditId string, surface string, principal Principal, "
     "toolId string, callName string, definition string, digest string, arguments? any, channels [string], "
     "choices [(once|run|always|no)], answer ApprovalAnswer|null}"},
    {"ApprovalAnswer", "{choice (once|run|always|no), comment string, channel string, by Principal, at time}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/approval/page"}, TC_API_VIEWER, "Questions by page, newest first, with filters",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"state\":{\"enum\":["
                       "\"waiting\",\"approved\",\"denied\",\"expired\",\"withdrawn\"]},\"agent\":" STRING
                       ",\"toolId\":" STRING ",\"callId\":" STRING "}}"),
     "{list [Approval], pagination Pagination}", get_page},
    {{"GET", "/admin/approval/info"}, TC_API_VIEWER, "One question", NULL, "Approval", get_info, .query = tc_api_by_id},
    {{"POST", "/admin/approval/answer"}, TC_API_OPERATOR,
     "Say whether a call may run: once, for its run, always, or no (comment: the model reads it)",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\",\"choice\"],\"properties\":{\"id\":"
     STRING ",\"choice\":{\"enum\":[\"once\",\"run\",\"always\",\"no\"]},\"comment\":{\"type\":\"string\","
     "\"maxLength\":2000},\"channel\":{\"enum\":[\"operator\",\"caller\"]}}}",
     "Approval", answer},
    {{"GET", "/admin/approval/events"}, TC_API_VIEWER,
     "Questions as server-sent events: those that wait, then each one that is new or settled", NULL, NULL, events,
     .query = of_call, .types = "text/event-stream"},
};

const struct tc_api_resource tc_api_approval = {"approval", "Calls that wait for an approval", routes,
                                                sizeof routes / sizeof *routes, components};
