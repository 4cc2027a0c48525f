/*
 * The link over Streamable HTTP against a server whose every answer is written here.
 */
#include <stdio.h>

#include "support/web.h"

#define RESULT "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true}}"
#define EVENT(json) "event: message\ndata: " json "\n\n"
#define INITIALIZED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"

/* --- answers --- */

static void serve_json(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    char json[100];
    (void)web;

    snprintf(json, sizeof json, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"ok\":true}}", n + 1);
    test_web_json(cx, ex, 200, json);
}

static void takes_json(struct tc_cx *cx, void *arg)
{
    const struct tc_header configured[] = {{TC_STR("X-Other"), TC_STR("configured")}};
    const struct tc_header own[] = {{TC_STR("Mcp-Method"), TC_STR("tools/call")},
                                    {TC_STR("Mcp-Name"), TC_STR("=?base64?w6Q=?=")},
                                    {TC_STR("MCP-Protocol-Version"), TC_STR("2026-07-28")}};
    struct tc_link_request request = {.method = "tools/call", .timeout_ms = 5000, .headers = {own, 3}};
    struct tc_link_reply reply;
    struct test_web web;
    struct tc_link *link;
    (void)arg;

    test_web_init(cx, &web, serve_json);
    link = test_web_link_to(cx, &web, (struct tc_remote){.headers = {configured, 1}});
    reply = test_web_ask(cx, link, "test/it");
    expect(test_web_ok(reply));
    expect_int(reply.http_status, 200);
    expect_int(reply.cause.code, TC_OK);
    expect_text(tc_buf_get(&web.log), "POST /mcp\naccept: application/json, text/event-stream\n"
                                      "content-type: application/json\nx-other: configured\n\n"
                                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"test/it\",\"params\":{}}\n---\n");
    tc_buf_clear(&web.log);
    link->ops->agreed(link, test_web_revision("2025-11-25"));
    expect(test_web_ok(test_web_send(cx, link, request)));
    expect_text(tc_buf_get(&web.log), "POST /mcp\naccept: application/json, text/event-stream\n"
                                      "content-type: application/json\nmcp-protocol-version: 2026-07-28\n"
                                      "mcp-method: tools/call\nmcp-name: =?base64?w6Q=?=\nx-other: configured\n\n"
                                      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{}}\n---\n");
    expect(test_web_ok(test_web_ask(cx, link, "test/it")));
    expect_int(test_web_count(&web, "mcp-protocol-version: 2025-11-25\n"), 1);
    expect_int(tc_server_connections(web.server), 1); /* kept and used again */
    test_web_link_finish(cx, &web, link);
}

void test_link_http__takes_an_answer_as_json(void **state)
{
    (void)state;
    test_task_run(takes_json, NULL);
}

static void serve_events(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_stream(cx, ex, ": hello\n\n");
    test_web_write(cx, ex, EVENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progress"
                                 "Token\":1,\"progress\":5}}"));
    test_web_write(cx, ex, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\ndata: \"params\":{}}\n\n"
                           "event: other\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"no\"}\n\n");
    test_web_write(cx, ex, EVENT("{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"roots/list\"}"));
    test_web_write(cx, ex, EVENT("{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}") EVENT("not json") EVENT(RESULT));
    tc_exchange_stream_end(cx, ex);
}

static void takes_events(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_events);
    int mark;
    struct tc_link_request request = {.method = "test/it", .timeout_ms = 5000, .use = &mark};
    struct tc_link_status status;
    (void)arg;

    expect(test_web_ok(test_web_send(cx, link, request)));
    expect_int(web.heard, 3);
    expect_text(tc_str_of(web.heard_what[0]), "notifications/progress {\"progressToken\":1,\"progress\":5}");
    expect_text(tc_str_of(web.heard_what[1]), "notifications/message {}");
    expect_text(tc_str_of(web.heard_what[2]), "\"q\"roots/list");
    for (int i = 0; i < 3; i++)
        expect(web.heard_use[i] == &mark);
    status = test_web_link_status(link);
    expect_int(status.late, 1);
    expect_int(status.skipped, 1);
    expect_text(status.skipped_line, "not json");
    expect_int(status.messages, 5);
    expect_int(status.in_flight, 0);
    expect_int(tc_server_connections(web.server), 1);
    test_web_link_finish(cx, &web, link);
}

void test_link_http__takes_an_answer_at_the_end_of_a_stream(void **state)
{
    (void)state;
    test_task_run(takes_events, NULL);
}

static void serve_batch(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_json(cx, ex, 200,
                  "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"n\":1}}," RESULT "]");
}

static void takes_a_batch(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_batch);
    (void)arg;

    expect(test_web_ok(test_web_ask(cx, link, "test/it")));
    expect_text(tc_str_of(web.heard_what[0]), "notifications/message {\"n\":1}");
    test_web_link_finish(cx, &web, link);
}

void test_link_http__takes_an_answer_in_a_batch(void **state)
{
    (void)state;
    test_task_run(takes_a_batch, NULL);
}

/* --- what became of a request --- */

struct outcome_row {
    int status;
    const char *type, *body, *field, *value;
    enum tc_outcome outcome;
    enum tc_err cause;
    const char *message;
};

static void serve_row(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    const struct outcome_row *row = web->arg;
    struct tc_header extra = {tc_str_of(row->field), tc_str_of(row->value)};
    struct tc_exchange_reply reply = {.status = row->status,
                                      .content_type = tc_str_of(row->type),
                                      .body = tc_str_of(row->body),
                                      .extra = {&extra, row->field ? 1 : 0}};

    (void)n;
    tc_exchange_reply(cx, ex, &reply);
}

#define JSON "application/json"
#define SSE "text/event-stream"
#define ERROR(code, text) "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":" code ",\"message\":\"" text "\"}}"

static const struct outcome_row outcome_rows[] = {
    {200, JSON "; charset=utf-8", RESULT, NULL, NULL, TC_OUTCOME_RESULT, TC_OK, ""},
    {200, NULL, RESULT, NULL, NULL, TC_OUTCOME_RESULT, TC_OK, ""},
    {200, JSON, ERROR("-32602", "no"), NULL, NULL, TC_OUTCOME_SERVER_ERROR, TC_OK, "no"},
    {400, JSON, ERROR("-32020", "header"), NULL, NULL, TC_OUTCOME_SERVER_ERROR, TC_OK, "header"},
    {404, JSON, ERROR("-32601", "method"), NULL, NULL, TC_OUTCOME_SERVER_ERROR, TC_OK, "method"},
    {500, JSON, "{\"jsonrpc\":\"2.0\",\"id\":\"server-error\",\"error\":{\"code\":-32603,\"message\":\"bad\"}}", NULL,
     NULL, TC_OUTCOME_SERVER_ERROR, TC_OK, "bad"},
    {400, JSON, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"parse\"}}", NULL, NULL,
     TC_OUTCOME_SERVER_ERROR, TC_OK, "parse"},
    /* of no use */
    {200, JSON, "", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_MCP_PROTOCOL, "ended its answer before it was complete"},
    {200, JSON, "{\"jsonrpc\":\"2.0\",", NULL, NULL, TC_OUTCOME_UNSUPPORTED, TC_OK, "is no valid JSON"},
    {200, JSON, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}", NULL, NULL, TC_OUTCOME_UNSUPPORTED, TC_OK,
     "belongs to another request"},
    {200, JSON, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{},\"error\":{}}", NULL, NULL, TC_OUTCOME_UNSUPPORTED, TC_OK,
     "has both a result and an error"},
    {200, "text/html", "<p>Log in", NULL, NULL, TC_OUTCOME_UNSUPPORTED, TC_OK, "is of the type \"text/html\""},
    {200, "text/plain", RESULT, NULL, NULL, TC_OUTCOME_UNSUPPORTED, TC_OK, "is of the type \"text/plain\""},
    {202, NULL, "", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_MCP_PROTOCOL, "without answering it (HTTP 202)"},
    {204, NULL, "", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_MCP_PROTOCOL, "without answering it (HTTP 204)"},
    {200, SSE, "data: nonsense\n\n", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_MCP_PROTOCOL, "before it was complete"},
    {200, SSE, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\"", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_MCP_PROTOCOL,
     "before it was complete"},
    /* turned away: nothing came of it */
    {401, JSON, RESULT, NULL, NULL, TC_OUTCOME_NOT_SENT, TC_E_MCP_AUTHORIZATION, "does not take the credentials"},
    {404, NULL, "gone", NULL, NULL, TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM, "no MCP endpoint at this path (HTTP 404)"},
    {405, NULL, "", NULL, NULL, TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM, "no MCP endpoint at this path (HTTP 405)"},
    {413, NULL, "", NULL, NULL, TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM, "answered with HTTP 413"},
    {403, NULL, "", "WWW-Authenticate", "Bearer error=\"insufficient_scope\"", TC_OUTCOME_NOT_SENT,
     TC_E_MCP_AUTHORIZATION, "refuses the request (HTTP 403)"},
    /* perhaps not */
    {403, NULL, "", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_MCP_AUTHORIZATION, "refuses the request (HTTP 403)"},
    {400, NULL, "bad", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_HTTP_UPSTREAM, "answered with HTTP 400"},
    {400, JSON, "{\"error\":\"bad\"}", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_HTTP_UPSTREAM, "answered with HTTP 400"},
    {429, NULL, "", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_HTTP_UPSTREAM, "too many requests"},
    {500, "text/html", "<p>", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_HTTP_UPSTREAM, "answered with HTTP 500"},
    {503, JSON, "{}", NULL, NULL, TC_OUTCOME_UNKNOWN, TC_E_HTTP_UPSTREAM, "answered with HTTP 503"},
    /* elsewhere */
    {307, NULL, "", "Location", "https://evil.example/mcp", TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM,
     "redirects to https://evil.example; nothing is sent to another origin"},
    {308, NULL, "", "Location", "http://169.254.169.254/latest", TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM,
     "redirects to http://169.254.169.254"},
    {302, NULL, "", "Location", "/login", TC_OUTCOME_UNKNOWN, TC_E_HTTP_UPSTREAM, "redirects (HTTP 302)"},
    {307, NULL, "", NULL, NULL, TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM, "redirects (HTTP 307) to nowhere"},
    {307, NULL, "", "Location", "file:///etc/passwd", TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM, "to nowhere"},
    {307, NULL, "", "Location", "/mcp", TC_OUTCOME_NOT_SENT, TC_E_HTTP_UPSTREAM, "without end"},
};

static void tells_outcomes(struct tc_cx *cx, void *arg)
{
    (void)arg;

    for (size_t i = 0; i < sizeof outcome_rows / sizeof outcome_rows[0]; i++) {
        const struct outcome_row *row = &outcome_rows[i];
        struct test_web web;
        struct tc_link *link = test_web_link(cx, &web, serve_row);
        struct tc_link_reply reply;

        web.arg = (void *)row;
        reply = test_web_ask(cx, link, "test/it");
        if (!expect_int(reply.base.outcome, row->outcome) || !expect_int(reply.cause.code, row->cause) ||
            !expect(test_web_message_has(reply.base.message, row->message)))
            print_error("row %zu\n", i);
        expect(link->ops->alive(link)); /* one request, not the link */
        test_web_link_finish(cx, &web, link);
    }
}


void test_link_http__tells_what_became_of_a_request(void **state)
{
    (void)state;
    test_task_run(tells_outcomes, NULL);
}
