/*
 * One transfer a message; an answer is JSON or a stream of events that ends with
 * it. What a transfer borrows is settled before it parks, so a renewal beside it
 * does no harm.
 */
#include "cli/uplink.h"

#include "base/percent.h"
#include "cli/request.h"
#include "http/client.h"
#include "http/sse.h"

enum {
    ANSWER_MAX = 256 * 1024 * 1024,
    HELLO_MAX = 4 * 1024 * 1024,
    HELLO_MS = 60 * 1000, /* for what begins or holds a session */
    BYE_MS = 2000,
    FIELDS = 4
};

struct transfer {
    struct tc_uplink *link;
    struct tc_str method, body;
    int64_t timeout_ms;
    tc_uplink_fn *fn;
    void *arg;
    bool outside; /* of the session */
    bool sent;
    struct tc_client_response head;
    enum tc_uplink_fate fate;
};

static enum tc_err set_socket(struct tc_cx *cx, struct tc_uplink *link, struct tc_str path)
{
    if (path.n >= sizeof link->socket)
        return tc_fail(cx, TC_E_DAEMON_UNAVAILABLE, "The path of the daemon's socket is too long.");
    memcpy(link->socket, path.p, path.n);
    link->socket[path.n] = '\0';
    return TC_OK;
}

enum tc_err tc_uplink_init(struct tc_cx *cx, struct tc_uplink *link, struct tc_cli *cli, struct tc_str agent)
{
    struct tc_buf url;

    *link = (struct tc_uplink){.cli = cli};
    tc_buf_init(&link->hello, HELLO_MAX);
    tc_buf_init(&url, 4096);
    tc_buf_cstr(&url, "http://localhost/mcp/");
    tc_percent_encode(&url, agent);
    link->url = tc_buf_dup(&url, cx->arena);
    tc_buf_finish(&url);
    return link->url.p ? set_socket(cx, link, cli->socket) : tc_fail_memory(cx);
}

void tc_uplink_finish(struct tc_uplink *link)
{
    tc_buf_finish(&link->hello);
}

/* --- answers --- */

static enum tc_err read_body(struct tc_cx *cx, struct tc_client_stream *stream, struct tc_buf *body)
{
    struct tc_str piece;
    enum tc_err e;

    while (!(e = tc_client_read(cx, stream, -1, &piece)))
        tc_buf_str(body, piece);
    if (e == TC_E_CLOSED)
        e = body->failed ? tc_fail_memory(cx) : TC_OK;
    return e;
}

static enum tc_err take_json(struct tc_cx *cx, struct transfer *t, struct tc_client_stream *stream)
{
    struct tc_buf body;
    enum tc_err e;

    tc_buf_init(&body, ANSWER_MAX);
    e = read_body(cx, stream, &body);
    if (!e && body.n)
        e = t->fn(cx, t->arg, tc_buf_get(&body));
    tc_buf_finish(&body);
    return e;
}

static enum tc_err feed(struct tc_cx *cx, struct transfer *t, struct tc_sse *sse, struct tc_str piece)
{
    struct tc_sse_event event;
    enum tc_sse_status status;
    enum tc_err e = TC_OK;

    while (!e && (status = tc_sse_feed(sse, &piece, &event)) != TC_SSE_MORE) {
        if (status == TC_SSE_TOO_LARGE)
            return tc_fail(cx, TC_E_LIMIT, "A message of the daemon is too large.");
        if (event.data.n && (event.type.n == 0 || tc_str_is(event.type, "message")))
            e = t->fn(cx, t->arg, event.data);
    }
    return e;
}

static enum tc_err take_events(struct tc_cx *cx, struct transfer *t, struct tc_client_stream *stream)
{
    struct tc_str piece;
    struct tc_sse sse;
    enum tc_err e = TC_OK;

    tc_sse_init(&sse, ANSWER_MAX);
    while (!e && !(e = tc_client_read(cx, stream, -1, &piece)))
        e = feed(cx, t, &sse, piece);
    tc_sse_finish(&sse);
    return e == TC_E_CLOSED ? TC_OK : e;
}

/* A refusal is a JSON-RPC error without an id. */
static enum tc_err take_refusal(struct tc_cx *cx, struct transfer *t, struct tc_client_stream *stream)
{
    const struct tc_json *root = NULL, *error, *data;
    struct tc_buf body;
    struct tc_str message;
    enum tc_err e, code;

    tc_buf_init(&body, HELLO_MAX);
    e = read_body(cx, stream, &body);
    if (!e && tc_json_parse_root(cx, tc_buf_get(&body), NULL, &root))
        root = NULL;
    tc_buf_finish(&body);
    if (e)
        return e;
    error = tc_json_get_c(root, "error");
    data = tc_json_get_c(error, "data");
    message = tc_json_str(tc_json_get_c(error, "message"));
    code = tc_err_find(tc_json_str(tc_json_get_c(data, "code")));
    if (code == TC_E_MCP_SESSION_UNKNOWN)
        t->fate = TC_UPLINK_NO_SESSION;
    if (!message.n)
        return tc_cli_refusal(cx, t->head.status, root);
    tc_fail(cx, code ? code : TC_E_INTERNAL, "%.*s", TC_STR_ARG(message));
    if (data)
        tc_fail_details(cx, tc_json_text(cx->arena, data));
    return cx->err.code;
}

static enum tc_err take_answer(struct tc_cx *cx, struct transfer *t, struct tc_client_stream *stream)
{
    struct tc_str type = tc_header_get(t->head.headers, TC_STR("Content-Type"));

    t->fate = t->head.status >= 400 ? TC_UPLINK_REFUSED : TC_UPLINK_LOST;
    if (t->head.status >= 400)
        return take_refusal(cx, t, stream);
    if (type.p && tc_header_has(type, TC_STR("text/event-stream")))
        return take_events(cx, t, stream);
    return take_json(cx, t, stream);
}

/* --- requests --- */

static size_t fields_of(const struct transfer *t, struct tc_header fields[FIELDS])
{
    const struct tc_uplink *link = t->link;
    size_t n = 0;

    fields[n++] = (struct tc_header){TC_STR("Accept"), t->body.p ? TC_STR("application/json, text/event-stream")
                                                                 : TC_STR("text/event-stream")};
    if (t->body.p)
        fields[n++] = (struct tc_header){TC_STR("Content-Type"), TC_STR("application/json")};
    if (link->session[0] && !t->outside)
        fields[n++] = (struct tc_header){TC_STR("Mcp-Session-Id"), tc_str_of(link->session)};
    if (link->version[0] && !t->outside)
        fields[n++] = (struct tc_header){TC_STR("MCP-Protocol-Version"), tc_str_of(link->version)};
    return n;
}

static enum tc_err run(struct tc_cx *cx, struct transfer *t)
{
    struct tc_header fields[FIELDS];
    struct tc_client_request request = {
        .method = t->method,
        .url = t->link->url,
        .unix_socket = tc_str_of(t->link->socket),
        .headers = {fields, fields_of(t, fields)},
        .body = t->body,
        .timeout_ms = t->timeout_ms,
        .sent = &t->sent,
    };
    struct tc_client_stream *stream;
    enum tc_err e = tc_client_open(cx, t->link->cli->client, &request, &t->head, &stream);

    if (e) {
        t->fate = t->sent ? TC_UPLINK_LOST : TC_UPLINK_NOT_SENT;
        return e;
    }
    e = take_answer(cx, t, stream);
    tc_client_close(stream);
    return e;
}

enum tc_err tc_uplink_post(struct tc_cx *cx, struct tc_uplink *link, const struct tc_uplink_send *send,
                           enum tc_uplink_fate *ret_fate)
{
    struct transfer t = {.link = link,
                         .method = TC_STR("POST"),
                         .body = send->message,
                         .timeout_ms = send->timeout_ms,
                         .fn = send->fn,
                         .arg = send->arg};
    enum tc_err e = run(cx, &t);

    *ret_fate = t.fate;
    return e;
}

enum tc_err tc_uplink_listen(struct tc_cx *cx, struct tc_uplink *link, tc_uplink_fn *fn, void *arg)
{
    struct transfer t = {.link = link, .method = TC_STR("GET"), .fn = fn, .arg = arg};

    return run(cx, &t);
}

/* --- the session --- */

struct greeting {
    struct tc_uplink *link;
    const struct tc_uplink_send *send;
};

static void copy_to(char *to, size_t size, struct tc_str from)
{
    size_t n = from.n < size ? from.n : 0; /* one that does not fit is no good in part */

    if (n)
        memcpy(to, from.p, n);
    to[n] = '\0';
}

static enum tc_err on_greeting(struct tc_cx *cx, void *arg, struct tc_str message)
{
    struct greeting *g = arg;
    const struct tc_json *root, *version;
    enum tc_err e = tc_json_parse_root(cx, message, NULL, &root);

    if (e)
        return e;
    version = tc_json_get_c(tc_json_get_c(root, "result"), "protocolVersion");
    if (version)
        copy_to(g->link->version, sizeof g->link->version, tc_json_str(version));
    return g->send->fn(cx, g->send->arg, message);
}

static enum tc_err greet(struct tc_cx *cx, struct tc_uplink *link, const struct tc_uplink_send *send,
                         enum tc_uplink_fate *ret_fate)
{
    struct greeting g = {link, send};
    struct transfer t = {.link = link,
                         .method = TC_STR("POST"),
                         .body = send->message,
                         .timeout_ms = send->timeout_ms,
                         .fn = on_greeting,
                         .arg = &g,
                         .outside = true};
    enum tc_err e = run(cx, &t);

    *ret_fate = t.fate;
    if (e)
        return e;
    copy_to(link->session, sizeof link->session, tc_header_get(t.head.headers, TC_STR("Mcp-Session-Id")));
    link->generation++;
    return TC_OK;
}

enum tc_err tc_uplink_hello(struct tc_cx *cx, struct tc_uplink *link, const struct tc_uplink_send *send,
                            enum tc_uplink_fate *ret_fate)
{
    enum tc_err e = greet(cx, link, send, ret_fate);

    if (e)
        return e;
    tc_buf_clear(&link->hello);
    tc_buf_str(&link->hello, send->message);
    return link->hello.failed ? tc_fail_memory(cx) : TC_OK;
}

static enum tc_err ignore(struct tc_cx *cx, void *arg, struct tc_str message)
{
    (void)cx, (void)arg, (void)message;
    return TC_OK;
}

static enum tc_err begin_again(struct tc_cx *cx, struct tc_uplink *link)
{
    const struct tc_uplink_send hello = {tc_buf_dup(&link->hello, cx->arena), HELLO_MS, ignore, NULL},
                                ready = {TC_STR("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"),
                                         HELLO_MS, ignore, NULL};
    struct tc_cli_host *host = link->cli->host;
    enum tc_uplink_fate fate;
    struct tc_str socket;
    enum tc_err e = hello.message.p ? host->ops->attach(cx, host, &link->cli->place, &socket) : tc_fail_memory(cx);

    if (!e)
        e = set_socket(cx, link, socket);
    if (e)
        return e;
    if (hello.message.n == 0) {
        link->generation++;
        return TC_OK;
    }
    e = greet(cx, link, &hello, &fate);
    return e ? e : tc_uplink_post(cx, link, &ready, &fate);
}

enum tc_err tc_uplink_renew(struct tc_cx *cx, struct tc_uplink *link, unsigned generation)
{
    unsigned attempts = link->attempts;
    enum tc_err e = TC_OK;

    while (!e && link->renewing)
        e = tc_task_wait(cx, &link->renewed, -1);
    if (e || link->generation != generation)
        return e;
    if (link->attempts != attempts)
        return tc_fail(cx, TC_E_DAEMON_UNAVAILABLE, "The daemon went away and cannot be reached again.");
    link->renewing = true;
    tc_event_clear(&link->renewed);
    e = begin_again(cx, link);
    link->renewing = false;
    link->attempts++;
    tc_event_set(&link->renewed);
    return e;
}

void tc_uplink_bye(struct tc_cx *cx, struct tc_uplink *link)
{
    struct transfer t = {.link = link, .method = TC_STR("DELETE"), .timeout_ms = BYE_MS, .fn = ignore};

    if (link->session[0] && run(cx, &t))
        tc_fail_clear(cx); /* who is gone needs no farewell */
}
