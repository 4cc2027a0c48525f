/*
 * Requests are answered with JSON, or with an event stream when the client gave a
 * progress token and takes one: then the call runs in a task beside and this one
 * writes what comes up.
 */
#include "mcp/server/endpoint.h"

#include "base/clock.h"
#include "base/mem.h"
#include "http/header.h"
#include "http/sse.h"
#include "mcp/server/dialog.h"
#include "ports/caller.h"

enum {
    IDLE_MS = 30 * 60 * 1000,     /* of a session */
    KEEP_ALIVE_MS = 15 * 1000,    /* between comments on a quiet stream */
    SETTLE_MS = 100,              /* changes of the list within this time are told once */
    ANSWER_MAX = 256 * 1024 * 1024,
    EVENT_EXTRA = 1024,           /* around the text of an event */
    PENDING_MAX = 4 * 1024 * 1024 /* notifications not yet taken by the client */
};

struct stream { /* an open GET */
    struct stream *next;
    struct tc_event changed;
};

struct tc_endpoint {
    struct tc_runtime *runtime;
    struct tc_sessions sessions;
    struct stream *streams;
    bool ending; /* no stream stays open */
};

static void on_change(void *arg)
{
    struct tc_endpoint *endpoint = arg;

    for (struct stream *s = endpoint->streams; s; s = s->next)
        tc_event_set(&s->changed);
}

enum tc_err tc_endpoint_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_endpoint **ret_endpoint)
{
    struct tc_endpoint *endpoint = tc_mem_zalloc(1, sizeof *endpoint);

    if (!endpoint)
        return tc_fail_memory(cx);
    endpoint->runtime = runtime;
    tc_sessions_init(&endpoint->sessions, IDLE_MS);
    tc_registry_watch(runtime->registry, on_change, endpoint);
    *ret_endpoint = endpoint;
    return TC_OK;
}

void tc_endpoint_end_streams(struct tc_endpoint *endpoint)
{
    if (!endpoint)
        return;
    endpoint->ending = true;
    on_change(endpoint);
}

void tc_endpoint_destroy(struct tc_endpoint *endpoint)
{
    if (!endpoint)
        return;
    tc_registry_unwatch(endpoint->runtime->registry, endpoint);
    tc_sessions_finish(&endpoint->sessions);
    tc_mem_free(endpoint);
}

/* --- answers --- */

static const struct tc_str json_type = TC_STR_INIT("application/json");

static void reply(struct tc_cx *cx, struct tc_exchange *exchange, int status, struct tc_str body,
                  const struct tc_session *session)
{
    struct tc_header fields[] = {{TC_STR("Mcp-Session-Id"), tc_str_of(session ? session->id : "")}};
    struct tc_exchange_reply r = {
        .status = status,
        .content_type = body.n ? json_type : TC_STR(""),
        .extra = {fields, session ? 1 : 0},
        .body = body,
    };

    tc_exchange_reply(cx, exchange, &r); /* a client that is gone needs no answer */
}

/* The failure in cx as a JSON-RPC error; id: of the request as JSON text, empty
 * when there is none. */
static void refuse(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_str id)
{
    static const struct tc_header allow[] = {{TC_STR_INIT("Allow"), TC_STR_INIT("POST, GET, DELETE")}};
    int status = tc_err_info(cx->err.code)->http_status;
    struct tc_exchange_reply r = {
        .status = status < 400 ? 400 : status,
        .content_type = json_type,
        .extra = {allow, status == 405 ? 1 : 0},
    };
    struct tc_buf body;

    tc_buf_init(&body, ANSWER_MAX);
    tc_dialog_error(cx, id, &body);
    r.body = tc_buf_get(&body);
    tc_exchange_reply(cx, exchange, &r);
    tc_buf_finish(&body);
}

static bool accepts(const struct tc_exchange *exchange, const char *type)
{
    struct tc_str accept = tc_exchange_header(exchange, TC_STR("Accept"));

    return !accept.p || tc_header_has(accept, tc_str_of(type)) || tc_header_has(accept, TC_STR("*/*"));
}

/* --- POST --- */

struct live { /* a request answered as a stream */
    struct tc_caller caller;
    struct tc_dialog dialog;
    struct tc_rpc request;
    struct tc_str token;   /* progress token, JSON text */
    struct tc_buf pending; /* events not yet written */
    struct tc_buf answer;
    struct tc_event wake;
    bool done;
};

static void event(struct tc_buf *to, struct tc_str message)
{
    tc_sse_write(to,
                 &(struct tc_sse_event){.type = TC_STR("message"), .data = message, .id = {NULL, 0}, .retry_ms = -1});
}

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    struct live *live = (struct live *)self;
    struct tc_buf text;
    struct tc_jsonw w;

    if (live->pending.n > PENDING_MAX / 2) /* a client that does not read loses progress, not its result */
        return;
    tc_buf_init(&text, 64 * 1024);
    tc_rpc_open_request(&w, &text, TC_STR(""), "notifications/progress");
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "progressToken");
    tc_jsonw_raw(&w, live->token);
    tc_jsonw_key(&w, "progress");
    tc_jsonw_raw(&w, progress);
    if (total.n) {
        tc_jsonw_key(&w, "total");
        tc_jsonw_raw(&w, total);
    }
    tc_jsonw_kopt(&w, "message", message);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (!text.failed)
        event(&live->pending, tc_buf_get(&text));
    tc_buf_finish(&text);
    tc_event_set(&live->wake);
}

static const struct tc_caller_ops live_ops = {.progress = on_progress};

static void live_task(struct tc_cx *cx, void *arg)
{
    struct live *live = arg;

    if (tc_dialog_answer(cx, &live->dialog, &live->request, &live->answer)) {
        tc_buf_clear(&live->answer);
        tc_dialog_error(cx, live->request.id, &live->answer);
    }
    live->done = true;
    tc_event_set(&live->wake);
}

/* Writes what is pending; a quiet stream gets a comment now and then. */
static enum tc_err pump(struct tc_cx *cx, struct tc_exchange *exchange, struct live *live)
{
    struct tc_buf out;
    enum tc_err e;

    e = tc_task_wait(cx, &live->wake, KEEP_ALIVE_MS);
    if (e && e != TC_E_TIMEOUT)
        return e;
    tc_event_clear(&live->wake);
    if (e)
        tc_sse_comment(&live->pending, TC_STR("still running"));
    out = live->pending;
    tc_buf_init(&live->pending, PENDING_MAX);
    e = tc_exchange_stream_write(cx, exchange, tc_buf_get(&out));
    tc_buf_finish(&out);
    return e;
}

static void answer_stream(struct tc_cx *cx, struct tc_exchange *exchange, struct live *live)
{
    struct tc_header fields[] = {{TC_STR("Cache-Control"), TC_STR("no-cache")},
                                 {TC_STR("X-Accel-Buffering"), TC_STR("no")}};
    struct tc_exchange_reply head = {.status = 200, .content_type = TC_STR("text/event-stream"), .extra = {fields, 2}};
    struct tc_task_group group;
    enum tc_err e;

    tc_task_group_init(&group, tc_task_loop(cx));
    e = tc_exchange_stream_begin(cx, exchange, &head);
    if (!e)
        e = tc_task_spawn(cx, tc_task_loop(cx), &group, "mcp call", live_task, live);
    if (e)
        return;
    while (!e && !live->done)
        e = pump(cx, exchange, live);
    if (e)
        tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    if (!e) /* what came up last */
        e = tc_exchange_stream_write(cx, exchange, tc_buf_get(&live->pending));
    tc_buf_finish(&live->pending);
    tc_buf_init(&live->pending, live->answer.n + EVENT_EXTRA); /* an answer is larger than notifications may be */
    event(&live->pending, tc_buf_get(&live->answer));
    if (!e && !live->pending.failed)
        e = tc_exchange_stream_write(cx, exchange, tc_buf_get(&live->pending));
    if (!e && !live->pending.failed)
        tc_exchange_stream_end(cx, exchange);
}

static void answer_request(struct tc_cx *cx, struct tc_exchange *exchange, const struct tc_dialog *dialog,
                           const struct tc_rpc *request)
{
    const struct tc_json *token = tc_json_get_c(tc_json_get_c(request->params, "_meta"), "progressToken");
    struct live live = {.caller = {.ops = &live_ops}, .dialog = *dialog, .request = *request};
    bool initialize = tc_str_is(request->method, "initialize");

    tc_buf_init(&live.pending, PENDING_MAX);
    tc_buf_init(&live.answer, ANSWER_MAX);
    if (token && tc_exchange_header(exchange, TC_STR("Accept")).p && accepts(exchange, "text/event-stream")) {
        live.token = tc_json_text(cx->arena, token);
        live.dialog.caller = &live.caller;
        answer_stream(cx, exchange, &live);
    } else if (tc_dialog_answer(cx, dialog, request, &live.answer)) {
        refuse(cx, exchange, request->id);
    } else {
        reply(cx, exchange, 200, tc_buf_get(&live.answer), initialize ? dialog->session : NULL);
    }
    tc_buf_finish(&live.pending);
    tc_buf_finish(&live.answer);
}

/* The session of this message: a new one for initialize, the named one, or none. */
static enum tc_err settle_session(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                                  const struct tc_rpc *rpc, struct tc_dialog *dialog)
{
    struct tc_str id = tc_exchange_header(exchange, TC_STR("Mcp-Session-Id"));
    const struct tc_json *asked = tc_json_get_c(rpc->params, "protocolVersion");
    enum tc_err e;

    if (rpc->kind == TC_RPC_REQUEST && tc_str_is(rpc->method, "initialize")) {
        if (!tc_json_is(asked, TC_JSON_STRING))
            return tc_fail(cx, TC_E_RPC_PARAMS, "initialize needs protocolVersion, a string.");
        e = tc_sessions_create(cx, &endpoint->sessions, dialog->principal, dialog->agent,
                               tc_dialog_revision(tc_json_str(asked)), &dialog->session);
        if (!e)
            dialog->session->answers = tc_dialog_answers(rpc->params);
        return e;
    }
    if (!id.p)
        return TC_OK;
    return tc_sessions_enter(cx, &endpoint->sessions, id, dialog->principal, dialog->agent, &dialog->session);
}

static enum tc_err check_head(struct tc_cx *cx, struct tc_exchange *exchange)
{
    struct tc_str type = tc_exchange_header(exchange, TC_STR("Content-Type")),
                  version = tc_exchange_header(exchange, TC_STR("MCP-Protocol-Version"));
    const struct tc_mcp_revision *revision = version.p ? tc_mcp_revision_find(version) : NULL;

    if (!type.p || !tc_header_has(type, json_type))
        return tc_fail(cx, TC_E_HTTP_MEDIA_TYPE, "A message comes as application/json.");
    if (!accepts(exchange, "application/json"))
        return tc_fail(cx, TC_E_HTTP_NOT_ACCEPTABLE, "The client must accept application/json and text/event-stream.");
    if (version.p && (!revision || !tc_mcp_revision_has(revision, TC_MCP_HANDSHAKE)))
        return tc_fail(cx, TC_E_MCP_VERSION, "The protocol version \"%.*s\" is not spoken here.", TC_STR_ARG(version));
    return TC_OK;
}

static enum tc_err read_message(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_rpc *rpc)
{
    const struct tc_json *message;
    enum tc_err e = check_head(cx, exchange);

    if (!e)
        e = tc_json_parse_root(cx, tc_exchange_body(exchange), NULL, &message);
    if (!e)
        e = tc_rpc_read(cx, message, rpc);
    if (!e && rpc->kind == TC_RPC_BATCH)
        e = tc_fail(cx, TC_E_RPC_INVALID, "Batches of messages are not taken.");
    if (!e && rpc->kind == TC_RPC_INVALID)
        e = tc_fail(cx, TC_E_RPC_INVALID, "This is no JSON-RPC message: it %s.", rpc->fault);
    return e;
}

static void do_post(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                    struct tc_dialog *dialog)
{
    struct tc_rpc rpc = {.id = TC_STR("")};
    enum tc_err e = read_message(cx, exchange, &rpc);

    if (!e)
        e = settle_session(cx, endpoint, exchange, &rpc, dialog);
    if (e) {
        refuse(cx, exchange, rpc.kind == TC_RPC_REQUEST || rpc.kind == TC_RPC_INVALID ? rpc.id : TC_STR(""));
        return;
    }
    if (rpc.kind == TC_RPC_REQUEST) {
        answer_request(cx, exchange, dialog, &rpc);
    } else {
        if (rpc.kind == TC_RPC_NOTIFICATION)
            tc_dialog_notice(cx, dialog, &rpc);
        reply(cx, exchange, 202, TC_STR(""), NULL);
    }
    if (dialog->session)
        tc_sessions_leave(&endpoint->sessions, dialog->session, tc_clock_wall_ms(cx->clock));
}

/* --- GET --- */

static enum tc_err snapshot_of(struct tc_cx *cx, const struct tc_dialog *dialog, char snapshot[65])
{
    struct tc_view_key key = {.agent = dialog->agent, .client = true, .answers = dialog->session->answers};
    struct tc_view *view;
    enum tc_err e = tc_view_get(cx, dialog->runtime->views, &key, &view);

    if (e)
        return e;
    memcpy(snapshot, view->snapshot, sizeof view->snapshot);
    tc_view_unref(view);
    return TC_OK;
}

/* One wait: a notification when this agent's list is another one, else a comment. */
static enum tc_err watch(struct tc_cx *cx, struct tc_exchange *exchange, const struct tc_dialog *dialog,
                         struct stream *stream, char snapshot[65])
{
    char former[65];
    struct tc_buf out;
    struct tc_arena arena; /* of this round: the stream may live for days */
    struct tc_cx round = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    enum tc_err e = tc_task_wait(cx, &stream->changed, KEEP_ALIVE_MS);

    tc_arena_init(&arena, 0);
    tc_buf_init(&out, 4096);
    if (e == TC_E_TIMEOUT) {
        tc_sse_comment(&out, TC_STR("keep-alive"));
        e = TC_OK;
    } else if (!e) {
        e = tc_task_sleep(cx, SETTLE_MS);
        tc_event_clear(&stream->changed);
        memcpy(former, snapshot, sizeof former);
        if (!e)
            e = snapshot_of(&round, dialog, snapshot);
        if (!e && strcmp(former, snapshot) != 0)
            event(&out, TC_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}"));
    }
    if (!e)
        e = tc_exchange_stream_write(cx, exchange, tc_buf_get(&out));
    tc_buf_finish(&out);
    tc_arena_finish(&arena);
    return dialog->session->ended ? TC_E_CLOSED : e;
}

static void serve_stream(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                         const struct tc_dialog *dialog)
{
    struct tc_header fields[] = {{TC_STR("Cache-Control"), TC_STR("no-cache")},
                                 {TC_STR("X-Accel-Buffering"), TC_STR("no")}};
    struct tc_exchange_reply head = {.status = 200, .content_type = TC_STR("text/event-stream"), .extra = {fields, 2}};
    struct stream stream = {0}, **at;
    char snapshot[65];
    enum tc_err e;

    if (snapshot_of(cx, dialog, snapshot)) {
        refuse(cx, exchange, TC_STR(""));
        return;
    }
    stream.next = endpoint->streams; /* only now: others came and went meanwhile */
    endpoint->streams = &stream;
    e = tc_exchange_stream_begin(cx, exchange, &head);
    while (!e && !endpoint->ending)
        e = watch(cx, exchange, dialog, &stream, snapshot);
    if (!e)
        tc_exchange_stream_end(cx, exchange);
    for (at = &endpoint->streams; *at != &stream; at = &(*at)->next) {
    }
    *at = stream.next;
}

static void do_get(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                   struct tc_dialog *dialog)
{
    struct tc_str id = tc_exchange_header(exchange, TC_STR("Mcp-Session-Id"));
    enum tc_err e;

    if (!accepts(exchange, "text/event-stream"))
        e = tc_fail(cx, TC_E_HTTP_NOT_ACCEPTABLE, "GET opens an event stream: accept text/event-stream.");
    else if (!id.p)
        e = tc_fail(cx, TC_E_RPC_INVALID, "GET needs the Mcp-Session-Id that initialize gave.");
    else
        e = tc_sessions_enter(cx, &endpoint->sessions, id, dialog->principal, dialog->agent, &dialog->session);
    if (e) {
        refuse(cx, exchange, TC_STR(""));
        return;
    }
    dialog->session->streams++;
    serve_stream(cx, endpoint, exchange, dialog);
    dialog->session->streams--;
    tc_sessions_leave(&endpoint->sessions, dialog->session, tc_clock_wall_ms(cx->clock));
}

static void do_delete(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                      struct tc_dialog *dialog)
{
    struct tc_str id = tc_exchange_header(exchange, TC_STR("Mcp-Session-Id"));
    enum tc_err e = id.p ? TC_OK : tc_fail(cx, TC_E_RPC_INVALID, "DELETE needs the Mcp-Session-Id to end.");

    if (!e)
        e = tc_sessions_enter(cx, &endpoint->sessions, id, dialog->principal, dialog->agent, &dialog->session);
    if (e) {
        refuse(cx, exchange, TC_STR(""));
        return;
    }
    tc_sessions_end(&endpoint->sessions, dialog->session);
    on_change(endpoint); /* its stream finds out and ends */
    reply(cx, exchange, 204, TC_STR(""), NULL);
    tc_sessions_leave(&endpoint->sessions, dialog->session, tc_clock_wall_ms(cx->clock));
}

/* --- who may --- */

static enum tc_err agent_of(struct tc_cx *cx, const struct tc_principal *principal, struct tc_str path_agent,
                            struct tc_str *ret_agent)
{
    if (principal->role == TC_ROLE_AGENT) {
        if (path_agent.n && !tc_str_eq(path_agent, principal->agent)) {
            tc_fail(cx, TC_E_AUTH_AGENT_MISMATCH, "This token is bound to another agent than \"%.*s\".",
                    TC_STR_ARG(path_agent));
            return tc_fail_hint(cx, "Use /mcp, or a token of that agent.");
        }
        *ret_agent = principal->agent;
        return TC_OK;
    }
    if (principal->role == TC_ROLE_ADMIN && path_agent.n) {
        *ret_agent = path_agent;
        return TC_OK;
    }
    tc_fail(cx, TC_E_AUTH_AGENT_REQUIRED, "MCP needs a token that is bound to an agent.");
    return tc_fail_hint(cx, "Make one with toolcrib token create --agent NAME; an admin may use /mcp/<agent>.");
}

void tc_endpoint_serve(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                       const struct tc_principal *principal, struct tc_str path_agent)
{
    struct tc_dialog dialog = {.runtime = endpoint->runtime, .principal = principal};
    struct tc_str method = tc_exchange_request(exchange)->method;
    struct tc_agent *agent;
    enum tc_err e = agent_of(cx, principal, path_agent, &dialog.agent);

    if (!e)
        e = tc_agents_get(cx, endpoint->runtime->agents, dialog.agent, &agent);
    if (e) {
        refuse(cx, exchange, TC_STR(""));
    } else if (tc_str_is(method, "POST")) {
        do_post(cx, endpoint, exchange, &dialog);
    } else if (tc_str_is(method, "GET")) {
        do_get(cx, endpoint, exchange, &dialog);
    } else if (tc_str_is(method, "DELETE")) {
        do_delete(cx, endpoint, exchange, &dialog);
    } else {
        tc_fail(cx, TC_E_HTTP_METHOD, "The MCP endpoint takes POST, GET and DELETE.");
        refuse(cx, exchange, TC_STR(""));
    }
}
