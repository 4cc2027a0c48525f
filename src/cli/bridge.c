/*
 * The reader takes line after line. A request gets a task and memory of its own;
 * initialize, notifications and answers of the client are sent by the reader
 * itself, so their order stays. A request that the client cancels gets no
 * answer: the daemon is told, then its connection is closed too.
 *
 * When the daemon goes away, calls of tools that had left are answered with an
 * error that says that their outcome is unknown; everything else is sent again.
 *
 * What the daemon asks of the client comes among what it answers, and goes the same
 * way; the client's answers go back as its notifications do. Of the revisions the
 * bridge knows nothing but that a session may begin.
 */
#include "cli/bridge.h"

#include "base/mem.h"
#include "cli/pipe.h"
#include "cli/uplink.h"
#include "toolcrib/jsonw.h"

enum {
    CALLS_MAX = 1024,   /* requests taken and not answered */
    SENT_MAX = 64,      /* of them, with the daemon */
    ERROR_MAX = 1024 * 1024,
    GRACE_MS = 5000,    /* for answers after the input has ended */
    QUICK_MS = 60000,   /* for what the reader itself sends */
    SETTLE_MS = 100,    /* between two streams */
    BACKOFF_MS = 500,
    BACKOFF_MAX_MS = 30 * 1000
};

enum kind { BAD, REQUEST, NOTIFICATION, ANSWER };

struct bridge;

struct call { /* one message of the client */
    struct bridge *bridge;
    struct call *prev, *next; /* of the requests under way */
    struct tc_task *task;
    struct tc_arena arena;
    enum kind kind;
    struct tc_str text, id, method; /* id as JSON text */
    const struct tc_json *params;
    bool batch; /* an array of messages, which may have calls in it */
    bool answered, cancelled;
};

struct bridge {
    struct tc_pipe pipe;
    struct tc_uplink link;
    struct tc_task_group calls, stream;
    struct call *first;
    size_t n, sent;
    struct tc_event room; /* set when a request has ended */
    bool listening;
};

/* --- to the client --- */

static void write_error(struct tc_cx *cx, struct bridge *b, struct tc_str id, const struct tc_error *err)
{
    const struct tc_err_info *info = tc_err_info(err->code);
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, ERROR_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kcstr(&w, "jsonrpc", "2.0");
    tc_jsonw_key(&w, "id");
    tc_jsonw_raw(&w, id.n ? id : TC_STR("null"));
    tc_jsonw_key(&w, "error");
    tc_jsonw_object(&w);
    tc_jsonw_kint(&w, "code", info->rpc_code);
    tc_jsonw_kstr(&w, "message", err->message);
    tc_jsonw_key(&w, "data");
    if (err->details.n) {
        tc_jsonw_raw(&w, err->details);
    } else {
        tc_jsonw_object(&w);
        tc_jsonw_kcstr(&w, "code", info->name);
        tc_jsonw_kopt(&w, "hint", err->hint);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (!buf.failed)
        tc_pipe_write(cx, &b->pipe, tc_buf_get(&buf)); /* a client that is gone ends the reader */
    tc_buf_finish(&buf);
}

/* What comes back for a request; the one with a result or an error is its answer. */
static enum tc_err on_message(struct tc_cx *cx, void *arg, struct tc_str message)
{
    struct call *call = arg;
    const struct tc_json *root;
    struct tc_json_limits limits = {.max_bytes = message.n + 1};
    struct tc_json_doc *doc;
    enum tc_err e = call->cancelled ? TC_E_CANCELED : tc_json_parse(cx, message, &limits, &doc);

    if (e)
        return e;
    root = tc_json_doc_root(doc); /* an array is the answer to one */
    call->answered |= tc_json_is(root, TC_JSON_ARRAY) || tc_json_get_c(root, "result") || tc_json_get_c(root, "error");
    tc_json_doc_unref(doc);
    return tc_pipe_write(cx, &call->bridge->pipe, message);
}

static enum tc_err on_notice(struct tc_cx *cx, void *arg, struct tc_str message)
{
    struct bridge *b = arg;

    return tc_pipe_write(cx, &b->pipe, message);
}

/* --- requests --- */

static bool is_loss(enum tc_err e)
{
    return e == TC_E_HTTP_UPSTREAM || e == TC_E_CLOSED || e == TC_E_IO || e == TC_E_MCP_SESSION_UNKNOWN;
}

/* Sends it, and once more with a new session where that repeats nothing. */
static enum tc_err carry(struct tc_cx *cx, struct call *call)
{
    struct bridge *b = call->bridge;
    bool is_call = call->batch || tc_str_is(call->method, "tools/call"),
         is_hello = tc_str_is(call->method, "initialize");
    const struct tc_uplink_send send = {
        call->text, call->kind == REQUEST && !is_hello ? -1 : QUICK_MS, on_message, call};
    bool again = false;
    enum tc_uplink_fate fate;
    unsigned generation;
    enum tc_err e;

    for (;; again = true) {
        generation = b->link.generation;
        e = is_hello ? tc_uplink_hello(cx, &b->link, &send, &fate) : tc_uplink_post(cx, &b->link, &send, &fate);
        if (!e && call->kind == REQUEST && !call->answered) {
            fate = TC_UPLINK_LOST;
            e = tc_fail(cx, TC_E_CLOSED, "The answer ended before it was complete.");
        }
        if (!e || b->pipe.ended || call->answered || fate == TC_UPLINK_REFUSED || !is_loss(e))
            return e;
        if (is_call && fate == TC_UPLINK_LOST)
            return tc_fail(cx, TC_E_MCP_OUTCOME_UNKNOWN,
                           "The daemon went away while this call was running. Whether it was done is unknown: check "
                           "before repeating it.");
        if (again)
            return tc_fail(cx, TC_E_DAEMON_UNAVAILABLE, "The daemon went away twice during this request.");
        e = tc_uplink_renew(cx, &b->link, generation);
        if (e)
            return e;
    }
}

static void answer_failure(struct tc_cx *cx, struct call *call, enum tc_err e)
{
    struct tc_error err = cx->err;

    if (e && !call->answered && !call->cancelled && e != TC_E_SHUTDOWN)
        write_error(cx, call->bridge, call->id, &err);
}

static enum tc_err take_turn(struct tc_cx *cx, struct bridge *b)
{
    enum tc_err e = TC_OK;

    while (!e && b->sent >= SENT_MAX) {
        tc_event_clear(&b->room);
        e = tc_task_wait(cx, &b->room, -1);
    }
    b->sent += !e;
    return e;
}

static void destroy_call(struct call *call)
{
    tc_arena_finish(&call->arena);
    tc_mem_free(call);
}

static void forget(struct call *call)
{
    struct bridge *b = call->bridge;

    if (call->prev)
        call->prev->next = call->next;
    else
        b->first = call->next;
    if (call->next)
        call->next->prev = call->prev;
    b->n--;
    tc_event_set(&b->room);
    destroy_call(call);
}

static void call_task(struct tc_cx *cx, void *arg)
{
    struct call *call = arg;
    struct bridge *b = call->bridge;
    struct tc_cx own = {.arena = &call->arena, .clock = cx->clock, .task = cx->task};
    enum tc_err e = take_turn(&own, b);

    if (!e) {
        e = carry(&own, call);
        b->sent--;
    }
    answer_failure(&own, call, e);
    forget(call);
}

static enum tc_err start_call(struct tc_cx *cx, struct call *call)
{
    struct bridge *b = call->bridge;
    enum tc_err e = TC_OK;

    while (!e && b->n >= CALLS_MAX) {
        tc_event_clear(&b->room);
        e = tc_task_wait(cx, &b->room, -1);
    }
    if (!e)
        e = tc_task_spawn_ref(cx, tc_task_loop(cx), &b->calls, "mcp request", call_task, call, &call->task);
    if (e)
        return e;
    call->next = b->first;
    if (b->first)
        b->first->prev = call;
    b->first = call;
    b->n++;
    return TC_OK;
}

/* --- what the daemon says by itself --- */

static void stream_task(struct tc_cx *cx, void *arg)
{
    struct bridge *b = arg;
    int64_t backoff = BACKOFF_MS;
    enum tc_err e = TC_OK;

    while (!e && !b->pipe.ended) {
        struct tc_arena arena;
        struct tc_cx round = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        unsigned generation = b->link.generation;
        tc_arena_init(&arena, 0);
        e = tc_uplink_listen(&round, &b->link, on_notice, b);
        if (!e || is_loss(e))
            e = tc_uplink_renew(&round, &b->link, generation);
        tc_arena_finish(&arena);
        if (e == TC_E_HTTP_METHOD || tc_task_check(cx))
            return;
        backoff = !e ? BACKOFF_MS : backoff * 2 < BACKOFF_MAX_MS ? backoff * 2 : BACKOFF_MAX_MS;
        e = tc_task_sleep(cx, e ? backoff : SETTLE_MS);
    }
}

/* --- messages of the client --- */

static bool is_request(const struct tc_json *message)
{
    return tc_json_get_c(message, "id") && tc_json_is(tc_json_get_c(message, "method"), TC_JSON_STRING);
}

/* An array counts as a request when it has one. */
static enum kind classify(const struct tc_json *root)
{
    bool id = tc_json_get_c(root, "id") != NULL;
    struct tc_json_iter it = tc_json_iter(root);
    const struct tc_json *item;

    if (tc_json_is(root, TC_JSON_ARRAY) && tc_json_count(root)) {
        while (tc_json_next(&it, NULL, &item))
            if (is_request(item))
                return REQUEST;
        return NOTIFICATION;
    }
    if (!tc_json_is(root, TC_JSON_OBJECT))
        return BAD;
    if (tc_json_is(tc_json_get_c(root, "method"), TC_JSON_STRING))
        return id ? REQUEST : NOTIFICATION;
    return id && (tc_json_get_c(root, "result") || tc_json_get_c(root, "error")) ? ANSWER : BAD;
}

static enum tc_err read_call(struct tc_cx *cx, struct tc_str line, struct call *call)
{
    const struct tc_json *root;
    enum tc_err e = tc_json_parse_root(cx, line, NULL, &root);

    if (e)
        return e;
    call->kind = classify(root);
    if (call->kind == BAD)
        return tc_fail(cx, TC_E_RPC_INVALID, "This line is no JSON-RPC message.");
    call->batch = tc_json_is(root, TC_JSON_ARRAY);
    call->text = tc_arena_dup(cx->arena, line);
    call->method = tc_json_str(tc_json_get_c(root, "method"));
    call->params = tc_json_get_c(root, "params");
    call->id = is_request(root) ? tc_json_text(cx->arena, tc_json_get_c(root, "id")) : TC_STR("");
    return call->text.p && call->id.p ? TC_OK : tc_fail_memory(cx);
}

/* The request that the client gives up, if it is still under way. */
static struct call *cancelled_by(struct tc_cx *cx, struct bridge *b, const struct call *notice)
{
    const struct tc_json *asked = tc_json_get_c(notice->params, "requestId");
    struct tc_str id = asked ? tc_json_text(cx->arena, asked) : TC_STR("");
    struct call *call = tc_str_is(notice->method, "notifications/cancelled") ? b->first : NULL;

    while (call && !(id.n && tc_str_eq(call->id, id)))
        call = call->next;
    if (call)
        call->cancelled = true;
    return call;
}

/* Sent in its place in the order. Its failure concerns nobody who waits. */
static void forward(struct tc_cx *cx, struct call *call)
{
    struct bridge *b = call->bridge;
    struct call *cancelled = cancelled_by(cx, b, call), *known;

    carry(cx, call);
    tc_fail_clear(cx);
    for (known = b->first; cancelled && known; known = known->next)
        if (known == cancelled) /* not ended meanwhile */
            tc_task_cancel(known->task, TC_E_CANCELED);
}

static enum tc_err begin(struct tc_cx *cx, struct call *call)
{
    struct bridge *b = call->bridge;
    enum tc_err e = carry(cx, call);

    answer_failure(cx, call, e);
    if (e || b->listening)
        return TC_OK;
    e = tc_task_spawn(cx, tc_task_loop(cx), &b->stream, "mcp stream", stream_task, b);
    b->listening = !e;
    return e;
}

/* A request given to a task is that task's; everything else ends here. */
static enum tc_err take_line(struct tc_cx *cx, struct bridge *b, struct tc_str line)
{
    struct call *call = tc_mem_zalloc(1, sizeof *call);
    struct tc_cx own = {.clock = cx->clock, .task = cx->task};
    struct tc_error err;
    enum tc_err e;

    if (!call)
        return tc_fail_memory(cx);
    tc_arena_init(&call->arena, 0);
    own.arena = &call->arena;
    call->bridge = b;
    e = read_call(&own, line, call);
    err = own.err;
    if (e) {
        write_error(&own, b, TC_STR(""), &err);
        e = TC_OK;
    } else if (call->kind == REQUEST && !tc_str_is(call->method, "initialize")) {
        e = start_call(&own, call);
        if (!e)
            return tc_task_yield(cx); /* it is on its way before the next message */
    } else if (call->kind == REQUEST) {
        e = begin(&own, call);
    } else {
        forward(&own, call);
    }
    destroy_call(call);
    return e;
}

static void read_lines(struct tc_cx *cx, struct bridge *b)
{
    const struct tc_error too_long = {.code = TC_E_HTTP_TOO_LARGE, .message = TC_STR("The line is too long.")};
    struct tc_str line;
    enum tc_err e = TC_OK;

    while (!e) {
        e = tc_pipe_read(cx, &b->pipe, &line);
        if (e == TC_E_LIMIT) {
            write_error(cx, b, TC_STR(""), &too_long);
            e = TC_OK;
        } else if (!e && tc_str_trim(line).n) {
            e = take_line(cx, b, tc_str_trim(line));
        }
    }
}

/* Answers that are due soon are still given. */
static void drain(struct tc_cx *cx, struct bridge *b)
{
    int64_t until = GRACE_MS;

    while (b->n && !b->pipe.ended && until > 0 && !tc_task_check(cx)) {
        tc_event_clear(&b->room);
        if (tc_task_wait(cx, &b->room, until) == TC_E_TIMEOUT)
            break;
    }
}

enum tc_err tc_bridge_run(struct tc_cx *cx, struct tc_cli *cli, struct tc_str agent)
{
    struct bridge b = {0};
    enum tc_err e = tc_uplink_init(cx, &b.link, cli, agent);

    if (!e)
        e = tc_pipe_open(cx, &b.pipe);
    if (e) {
        tc_uplink_finish(&b.link);
        return e;
    }
    tc_task_group_init(&b.calls, tc_task_loop(cx));
    tc_task_group_init(&b.stream, tc_task_loop(cx));
    read_lines(cx, &b);
    drain(cx, &b);
    tc_pipe_end(&b.pipe);
    tc_task_group_cancel(&b.calls, TC_E_SHUTDOWN);
    tc_task_group_cancel(&b.stream, TC_E_SHUTDOWN);
    tc_task_join(cx, &b.calls);
    tc_task_join(cx, &b.stream);
    tc_uplink_bye(cx, &b.link);
    tc_pipe_close(&b.pipe);
    tc_uplink_finish(&b.link);
    return TC_OK;
}
