/*
 * A run outlives the request that started it: a client that goes leaves it running.
 */
#include "api/running.h"

#include <stdio.h>

#include "api/changed.h"
#include "api/stream.h"

enum { EVENT_MAX = 64 * 1024 * 1024, PAGE_MAX = 500, PAGE_DEFAULT = 100 };

enum tc_err tc_running_runs(struct tc_cx *cx, const struct tc_api_call *call, struct tc_runs **ret_runs)
{
    if (!call->runtime->runs) {
        tc_fail(cx, TC_E_CHANNEL_NONE, "There are no models here, so nothing can be run.");
        return tc_fail_hint(cx, "Start the daemon with its models, or with AI_MODEL set.");
    }
    *ret_runs = call->runtime->runs;
    return TC_OK;
}

static bool is_own(const struct tc_api_call *call, const struct tc_run_row *row)
{
    const struct tc_principal *who = call->principal;

    return who->role != TC_ROLE_AGENT ||
           (tc_str_eq(row->principal_kind, who->kind) && tc_str_eq(row->principal_id, who->id) &&
            tc_str_eq(row->agent, who->agent));
}

enum tc_err tc_running_get(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id, struct tc_run_row *ret_row)
{
    struct tc_store *store = call->runtime->store;
    struct tc_run_row row;
    enum tc_err e = store->runs->get(cx, store, id, &row);

    if (e && e != TC_E_STORE_NOT_FOUND)
        return e;
    if (e || !is_own(call, &row))
        return tc_fail(cx, TC_E_RUN_NOT_FOUND, "There is no run \"%.*s\".", TC_STR_ARG(id));
    *ret_row = row;
    return TC_OK;
}

/* --- a row --- */

static void write_json(struct tc_jsonw *w, const char *key, struct tc_str json)
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

void tc_running_write(struct tc_jsonw *w, const struct tc_run_row *row, bool bodies)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", row->id);
    tc_jsonw_kstr(w, "agent", row->agent);
    tc_jsonw_kstr(w, "status", row->status);
    tc_jsonw_kstr(w, "stage", row->stage);
    tc_jsonw_kstr(w, "tape", row->tape);
    tc_jsonw_kstr(w, "channel", row->channel.n ? row->channel : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "model", row->model);
    tc_jsonw_kstr(w, "snapshot", row->snapshot.n ? row->snapshot : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "surface", row->surface);
    tc_jsonw_key(w, "principal");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "kind", row->principal_kind);
    tc_jsonw_kstr(w, "id", row->principal_id);
    tc_jsonw_end(w);
    tc_jsonw_kint(w, "steps", row->steps);
    tc_jsonw_kint(w, "events", row->events);
    write_json(w, "usage", row->usage);
    write_error(w, row);
    if (bodies)
        write_json(w, "input", row->input);
    tc_api_time(w, "createdAt", row->created_at);
    tc_api_time(w, "updatedAt", row->updated_at);
    tc_api_time(w, "endedAt", row->ended_at);
    tc_jsonw_end(w);
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

enum tc_err tc_running_write_event(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_run_event *event,
                                   bool bodies)
{
    struct tc_str data = event->json.n ? event->json : TC_STR("{}");
    enum tc_err e = TC_OK;

    tc_jsonw_object(w);
    if (event->seq) /* else it is on its way, and not kept */
        tc_jsonw_kint(w, "seq", event->seq);
    tc_api_time(w, "at", event->at);
    tc_jsonw_kstr(w, "type", event->type);
    tc_jsonw_kstr(w, "invocation", event->invocation.n ? event->invocation : tc_str_n(NULL, 0));
    tc_jsonw_key(w, "data");
    if (bodies)
        tc_jsonw_raw(w, data);
    else
        e = write_plain(cx, w, data);
    tc_jsonw_end(w);
    return e;
}

static enum tc_err send_event(struct tc_cx *cx, struct tc_api_call *call, const struct tc_run_event *event)
{
    struct tc_sse_event sent = {.type = event->type, .retry_ms = -1};
    char number[24];
    struct tc_buf json;
    struct tc_jsonw w;
    enum tc_err e;

    if (event->seq) {
        snprintf(number, sizeof number, "%lld", (long long)event->seq);
        sent.id = tc_str_of(number);
    }
    tc_buf_init(&json, EVENT_MAX);
    tc_jsonw_init(&w, &json);
    e = tc_running_write_event(cx, &w, event, true);
    sent.data = tc_buf_get(&json);
    if (!e)
        e = json.failed ? tc_fail_memory(cx) : tc_api_stream_send(cx, call, &sent);
    tc_buf_finish(&json);
    return e;
}

/* One step of watching in an arena of its own. *ret_more: the run goes on. */
static enum tc_err send_next(struct tc_cx *cx, struct tc_api_call *call, struct tc_run_watch *watch, bool *ret_more)
{
    struct tc_arena arena;
    struct tc_cx one = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    struct tc_run_event *events;
    bool idle = false;
    size_t n = 0;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    e = tc_run_watch_next(&one, watch, TC_API_STREAM_IDLE_MS, &events, &n);
    *ret_more = e || n > 0;
    if (e == TC_E_TIMEOUT && tc_task_check(&one) == TC_OK)
        idle = true;
    if (idle || !e)
        e = tc_api_stream_check(&one, call);
    if (!e && idle)
        e = tc_api_stream_idle(&one, call);
    for (size_t i = 0; !e && i < n; i++)
        e = send_event(&one, call, &events[i]);
    tc_arena_finish(&arena);
    return e;
}

static enum tc_err send_all(struct tc_cx *cx, struct tc_api_call *call, void *watch)
{
    bool more = true;
    enum tc_err e = TC_OK;

    while (!e && more)
        e = send_next(cx, call, watch, &more);
    return e;
}

static enum tc_err follow(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id, int64_t after)
{
    struct tc_run_watch *watch;
    struct tc_runs *runs;
    enum tc_err e = tc_running_runs(cx, call, &runs);

    if (!e)
        e = tc_runs_watch(cx, runs, id, after, &watch);
    if (e)
        return e;
    e = tc_api_stream_run(cx, call, send_all, watch);
    tc_run_watch_close(watch);
    return e;
}

static enum tc_err read_number(struct tc_cx *cx, struct tc_api_call *call, const char *name, int64_t *number)
{
    struct tc_str text = tc_api_query(cx, call, name);

    if (text.n && (!tc_str_int(text, number) || *number < 0))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "%s is a number of an event.", name);
    return TC_OK;
}

static enum tc_err write_page(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id, int64_t after)
{
    struct tc_store *store = call->runtime->store;
    int64_t before = 0, limit = PAGE_DEFAULT;
    struct tc_run_event *events;
    size_t n;
    enum tc_err e = read_number(cx, call, "before", &before);

    if (!e)
        e = read_number(cx, call, "limit", &limit);
    if (!e && (limit < 1 || limit > PAGE_MAX))
        e = tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "limit is 1 to %d.", PAGE_MAX);
    if (!e)
        e = store->runs->events(cx, store, id, after, before, limit, &events, &n);
    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_key(call->out, "events");
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n && !e; i++)
        e = tc_running_write_event(cx, call->out, &events[i], true);
    tc_jsonw_end(call->out);
    tc_jsonw_end(call->out);
    return e;
}

enum tc_err tc_running_events(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_str last = tc_exchange_header(call->exchange, TC_STR("Last-Event-ID"));
    struct tc_str accept = tc_exchange_header(call->exchange, TC_STR("Accept"));
    struct tc_run_row row;
    int64_t after = 0;
    enum tc_err e = tc_running_get(cx, call, id, &row);

    if (!e)
        e = read_number(cx, call, "after", &after);
    if (e)
        return e;
    if (!tc_header_has(accept, TC_STR("text/event-stream")))
        return write_page(cx, call, id, after);
    if (last.n)
        tc_str_int(last, &after);
    return follow(cx, call, id, after);
}

/* --- starting, answering --- */

static unsigned stage_of(const struct tc_api_call *call)
{
    unsigned stage = 0;

    tc_stage_of(tc_api_field(call, "stage"), &stage);
    return stage;
}

static bool flag(const struct tc_api_call *call, const char *name)
{
    return tc_json_bool(tc_json_get_c(call->body, name), false);
}

enum tc_err tc_running_start(struct tc_cx *cx, struct tc_api_call *call, struct tc_str agent, const char *surface)
{
    const struct tc_run_request request = {
        .agent = agent,
        .surface = surface,
        .principal = *call->principal,
        .text = tc_api_field(call, "input"),
        .session = tc_api_field(call, "session"),
        .instructions = tc_api_field(call, "instructions"),
        .workspace_dir = tc_api_field(call, "workspace"),
        .channel = tc_api_field(call, "channel"),
        .model = tc_api_field(call, "model"),
        .stage = stage_of(call),
        .answers = flag(call, "answers"),
        .attended = flag(call, "attended"),
        .confirms = flag(call, "confirms"),
    };
    struct tc_run_row row;
    struct tc_runs *runs;
    struct tc_str id;
    enum tc_err e = tc_running_runs(cx, call, &runs);

    if (!e)
        e = tc_runs_start(cx, runs, &request, &id);
    if (e)
        return e;
    if (flag(call, "stream"))
        return follow(cx, call, id, 0);
    if (flag(call, "wait"))
        e = tc_runs_wait(cx, runs, id, &row);
    else
        e = tc_running_get(cx, call, id, &row);
    if (e)
        return e;
    tc_running_write(call->out, &row, true);
    return TC_OK;
}

/* An approval may be answered here, too. */
static void note_lasting(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str question)
{
    struct tc_store *store = call->runtime->store;
    struct tc_approval_row row;

    if (!tc_str_is(tc_api_field(call, "choice"), "always"))
        return;
    tc_task_shield(cx); /* the caller may have gone, what it said stands */
    if (store->approvals->get(cx, store, question, &row))
        tc_fail_clear(cx); /* a question of another kind */
    else if (tc_str_is(row.choice, "always"))
        tc_changed_lasting(cx, call, &row);
    tc_task_unshield(cx);
}

enum tc_err tc_running_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    const struct tc_run_answer answer = {tc_api_field(call, "question"), call->principal, call->body};
    struct tc_run_row row;
    struct tc_runs *runs;
    enum tc_err e = tc_running_get(cx, call, id, &row);

    if (!e)
        e = tc_running_runs(cx, call, &runs);
    if (!e)
        e = tc_runs_answer(cx, runs, id, &answer);
    if (e)
        return e;
    note_lasting(cx, call, answer.question);
    tc_api_done(call);
    return TC_OK;
}

/* --- what is done to one --- */

enum tc_err tc_running_show(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_run_row row;
    enum tc_err e = tc_running_get(cx, call, id, &row);

    if (!e)
        tc_running_write(call->out, &row, true);
    return e;
}

static enum tc_err change(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id,
                          enum tc_err (*fn)(struct tc_cx *cx, struct tc_api_call *call, struct tc_runs *runs,
                                            struct tc_str id))
{
    struct tc_run_row row;
    struct tc_runs *runs;
    enum tc_err e = tc_running_get(cx, call, id, &row);

    if (!e)
        e = tc_running_runs(cx, call, &runs);
    if (!e)
        e = fn(cx, call, runs, id);
    return e ? e : tc_running_show(cx, call, id);
}

static enum tc_err cancel(struct tc_cx *cx, struct tc_api_call *call, struct tc_runs *runs, struct tc_str id)
{
    (void)call;
    return tc_runs_cancel(cx, runs, id);
}

static enum tc_err resume(struct tc_cx *cx, struct tc_api_call *call, struct tc_runs *runs, struct tc_str id)
{
    return tc_runs_resume(cx, runs, id, flag(call, "acceptUnknown"));
}

static enum tc_err revise(struct tc_cx *cx, struct tc_api_call *call, struct tc_runs *runs, struct tc_str id)
{
    return tc_runs_revise(cx, runs, id, tc_api_field(call, "input"));
}

enum tc_err tc_running_cancel(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    return change(cx, call, id, cancel);
}

enum tc_err tc_running_resume(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    return change(cx, call, id, resume);
}

enum tc_err tc_running_revise(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    return change(cx, call, id, revise);
}
