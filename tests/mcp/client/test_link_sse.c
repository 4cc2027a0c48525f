/*
 * The link over HTTP+SSE against a server whose every answer is written here.
 */
#include "mcp/client/link_sse.h"

#include <stdio.h>

#include "support/web.h"

#define EVENT(json) "event: message\ndata: " json "\n\n"
#define ENDPOINT "event: endpoint\ndata: /messages?session=s1\n\n"

/* What the tests' servers share: posts are queued for the stream. */
struct sse {
    struct test_web web;
    const char *endpoint;    /* the first event */
    struct tc_event posted;  /* something to send, or the end */
    struct tc_buf out;
    bool end;
    int post_status;
    const char *(*answer)(struct sse *sse, int n); /* to the n-th request */
    int posts;
};

static void serve_stream(struct tc_cx *cx, struct sse *sse, struct tc_exchange *ex)
{
    enum tc_err code = TC_OK;

    test_web_stream(cx, ex, sse->endpoint);
    while (code == TC_OK && !sse->end) {
        code = tc_task_wait(cx, &sse->posted, 10000);
        tc_event_clear(&sse->posted);
        if (code == TC_OK)
            code = tc_exchange_stream_write(cx, ex, tc_buf_get(&sse->out));
        tc_buf_clear(&sse->out);
    }
    if (code == TC_OK)
        tc_exchange_stream_end(cx, ex);
}

static void serve(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct sse *sse = web->arg;

    (void)n;
    if (test_web_is(ex, "GET")) {
        serve_stream(cx, sse, ex);
        return;
    }
    if (test_web_says(ex, "\"id\"") && sse->answer) {
        tc_buf_cstr(&sse->out, sse->answer(sse, ++sse->posts));
        tc_event_set(&sse->posted);
    }
    test_web_status(cx, ex, sse->post_status);
}

static void start(struct tc_cx *cx, struct sse *sse)
{
    test_web_init(cx, &sse->web, serve);
    sse->web.arg = sse;
    sse->endpoint = sse->endpoint ? sse->endpoint : ENDPOINT;
    sse->post_status = sse->post_status ? sse->post_status : 202;
    tc_buf_init(&sse->out, 1 << 20);
}

static enum tc_err open_code(struct tc_cx *cx, struct sse *sse, const char *path, struct tc_link **ret_link,
                             int *ret_status)
{
    struct tc_remote remote = {.client = sse->web.client, .url = test_web_url(cx, &sse->web, path)};
    struct tc_link_sse_options options = {.loop = tc_task_loop(cx),
                                          .remote = &remote,
                                          .identity = TC_STR(""),
                                          .message_max = TEST_WEB_MESSAGE_MAX,
                                          .ret_status = ret_status};

    return tc_link_sse_open(cx, &options, &sse->web.events, ret_link);
}

static struct tc_link *open_link(struct tc_cx *cx, struct sse *sse)
{
    struct tc_link *link = NULL;

    start(cx, sse);
    expect_int(open_code(cx, sse, "/sse", &link, NULL), TC_OK);
    return link;
}

static void finish(struct tc_cx *cx, struct sse *sse, struct tc_link *link)
{
    if (link)
        test_web_link_close(cx, link);
    test_web_finish(cx, &sse->web);
    tc_buf_finish(&sse->out);
}

/* --- messages --- */

static const char *answer_ok(struct sse *sse, int n)
{
    (void)sse;
    return n == 1 ? EVENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1"
                          "}}")
                    EVENT("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}")
                    EVENT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true}}")
                  : EVENT("[{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"none\"}}]");
}

static void calls(struct tc_cx *cx, void *arg)
{
    struct sse sse = {.answer = answer_ok};
    struct tc_link *link = open_link(cx, &sse);
    int mark;
    struct tc_link_request request = {.method = "test/it", .timeout_ms = 5000, .use = &mark};
    struct tc_link_reply reply;
    (void)arg;

    expect(test_web_ok(test_web_send(cx, link, request)));
    expect_int(sse.web.heard, 2);
    expect_text(tc_str_of(sse.web.heard_what[1]), "9ping");
    expect(sse.web.heard_use[0] == &mark);
    expect(!sse.web.heard_use[1]); /* the stream does not tell */
    reply = test_web_ask(cx, link, "test/it");
    expect_int(reply.base.outcome, TC_OUTCOME_SERVER_ERROR);
    expect_int(reply.base.rpc_code, -32601);
    expect_int(link->ops->notify(cx, link, "notifications/initialized", tc_str_n("", 0)), TC_OK);
    expect_int(link->ops->answer(cx, link, TC_STR("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}")), TC_OK);
    expect(test_web_saw(cx, &sse.web, "GET /sse\naccept: text/event-stream\n"));
    expect_int(test_web_count(&sse.web, "POST /messages\n"), 4);
    expect(test_web_saw(cx, &sse.web, "\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n---"));
    expect(test_web_saw(cx, &sse.web, "\n{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n---"));
    expect(tc_server_connections(sse.web.server) <= 2); /* the stream, and one for the rest */
    finish(cx, &sse, link);
    expect_int(sse.web.ended, 0);
}

void test_link_sse__posts_and_hears_the_answers_on_its_stream(void **state)
{
    (void)state;
    test_task_run(calls, NULL);
}

/* --- the start --- */

static void serve_refusal(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct tc_str path = tc_exchange_request(ex)->path;

    (void)n;
    if (tc_str_is(path, "/html"))
        tc_exchange_reply(cx, ex, &(struct tc_exchange_reply){.status = 200, .content_type = TC_STR("text/html")});
    else if (tc_str_is(path, "/405"))
        test_web_status(cx, ex, 405);
    else if (tc_str_is(path, "/401"))
        test_web_status(cx, ex, 401);
    else
        serve_stream(cx, web->arg, ex);
}

static void fails_to_start(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *path, *endpoint;
        bool end;
        enum tc_err code;
        int status;
        const char *message;
    } rows[] = {
        {"/405", NULL, false, TC_E_HTTP_UPSTREAM, 405, "no MCP endpoint at this path (HTTP 405)"},
        {"/401", NULL, false, TC_E_MCP_AUTHORIZATION, 401, "does not take the credentials"},
        {"/html", NULL, false, TC_E_MCP_PROTOCOL, 200, "has no stream of events at this path"},
        {"/sse", ": nothing\n\n", true, TC_E_MCP_PROTOCOL, 0, "ended the stream before it named an endpoint"},
        {"/sse", "event: endpoint\ndata: http://169.254.169.254/x\n\n", false, TC_E_MCP_PROTOCOL, 0,
         "wants messages sent to http://169.254.169.254, which is another origin"},
        {"/sse", "event: endpoint\ndata: //evil.example/x\n\n", false, TC_E_MCP_PROTOCOL, 0, "another origin"},
        {"/sse", "event: endpoint\ndata: file:///etc/passwd\n\n", false, TC_E_MCP_PROTOCOL, 0, "that is no URL"},
        {"/sse", "event: endpoint\ndata: /a\ndata: Evil: 1\n\n", false, TC_E_MCP_PROTOCOL, 0, "that is no URL"},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sse sse = {.endpoint = rows[i].endpoint, .end = rows[i].end};
        struct tc_link *link = NULL;
        int status = 0;

        start(cx, &sse);
        sse.web.serve = serve_refusal;
        if (!expect_int(open_code(cx, &sse, rows[i].path, &link, &status), rows[i].code) ||
            !expect_int(cx->err.code, rows[i].code) || !expect_int(status, rows[i].status) ||
            !expect(test_web_message_has(cx->err.message, rows[i].message)))
            print_error("row %zu\n", i);
        expect_int(sse.web.ended, 0);
        finish(cx, &sse, link);
    }
}

void test_link_sse__says_why_it_could_not_start(void **state)
{
    (void)state;
    test_task_run(fails_to_start, NULL);
}

/* --- ends --- */

static const char *answer_nothing(struct sse *sse, int n)
{
    (void)n;
    sse->end = true;
    return ": bye\n\n";
}

static void loses_its_stream(struct tc_cx *cx, void *arg)
{
    struct sse sse = {.answer = answer_nothing};
    struct tc_link *link = open_link(cx, &sse);
    struct tc_link_reply reply = test_web_ask(cx, link, "test/it");
    (void)arg;

    expect_int(reply.base.outcome, TC_OUTCOME_UNKNOWN);
    expect_text(reply.base.message, "The server ended the stream.");
    expect_int(link->ops->join(cx, link, 2000), TC_OK);
    expect_int(sse.web.ended, 1);
    reply = test_web_ask(cx, link, "test/it");
    expect_int(reply.base.outcome, TC_OUTCOME_NOT_SENT);
    expect_int(reply.cause.code, TC_E_CLOSED);
    finish(cx, &sse, link);
}

void test_link_sse__ends_with_its_stream(void **state)
{
    (void)state;
    test_task_run(loses_its_stream, NULL);
}

static void refuses(struct tc_cx *cx, void *arg)
{
    static const struct {
        int status;
        enum tc_outcome outcome;
        bool alive;
    } rows[] = {{404, TC_OUTCOME_NOT_SENT, false},
                {410, TC_OUTCOME_NOT_SENT, false},
                {413, TC_OUTCOME_NOT_SENT, true},
                {400, TC_OUTCOME_UNKNOWN, true},
                {500, TC_OUTCOME_UNKNOWN, true}};
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sse sse = {.post_status = rows[i].status};
        struct tc_link *link = open_link(cx, &sse);
        struct tc_link_reply reply = test_web_ask(cx, link, "test/it");

        expect_int(reply.base.outcome, rows[i].outcome);
        expect_int(reply.http_status, rows[i].status);
        expect_int(link->ops->alive(link), rows[i].alive);
        expect_int(test_web_link_status(link).forgotten, !rows[i].alive);
        finish(cx, &sse, link);
    }
}

void test_link_sse__tells_what_became_of_a_refused_request(void **state)
{
    (void)state;
    test_task_run(refuses, NULL);
}

static void gives_up(struct tc_cx *cx, void *arg)
{
    struct sse sse = {0};
    struct tc_link *link = open_link(cx, &sse);
    struct tc_link_reply reply =
        test_web_send(cx, link, (struct tc_link_request){.method = "test/it", .timeout_ms = 100});
    (void)arg;

    expect_int(reply.base.outcome, TC_OUTCOME_UNKNOWN);
    expect_int(reply.cause.code, TC_E_TIMEOUT);
    expect_text(reply.base.message, "The server did not answer within 100 ms.");
    expect(test_web_saw(cx, &sse.web, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                                      "{\"requestId\":1}}"));
    tc_buf_cstr(&sse.out, EVENT("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"));
    tc_event_set(&sse.posted);
    for (int i = 0; i < 400 && !test_web_link_status(link).late; i++)
        tc_task_sleep(cx, 5);
    expect_int(test_web_link_status(link).late, 1);
    finish(cx, &sse, link);
}

void test_link_sse__passes_on_that_a_caller_gave_up(void **state)
{
    (void)state;
    test_task_run(gives_up, NULL);
}

static void asks_for_long(struct tc_cx *cx, void *arg)
{
    struct tc_link *link = arg;
    struct tc_link_reply reply =
        test_web_send(cx, link, (struct tc_link_request){.method = "test/it", .timeout_ms = 60000});

    expect_int(reply.base.outcome, TC_OUTCOME_UNKNOWN);
    expect_text(reply.base.message, "The connection was closed.");
}

static void is_closed(struct tc_cx *cx, void *arg)
{
    struct sse sse = {0};
    struct tc_link *link = open_link(cx, &sse);
    struct tc_task_group group;
    (void)arg;

    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "ask", asks_for_long, link);
    expect(test_web_saw(cx, &sse.web, "test/it"));
    link->ops->close(link);
    expect_int(link->ops->join(cx, link, 2000), TC_OK);
    tc_task_join(cx, &group);
    expect_int(sse.web.ended, 0);
    finish(cx, &sse, link);
}

void test_link_sse__is_closed_with_its_requests_settled(void **state)
{
    (void)state;
    test_task_run(is_closed, NULL);
}

static void is_bounded(struct tc_cx *cx, void *arg)
{
    struct sse sse = {0};
    struct tc_link *link = open_link(cx, &sse);
    (void)arg;

    tc_buf_finish(&sse.out);
    tc_buf_init(&sse.out, 4 << 20);
    tc_buf_cstr(&sse.out, "data: ");
    while (sse.out.n < 2 << 20)
        tc_buf_cstr(&sse.out, "0123456789abcdef");
    tc_event_set(&sse.posted);
    expect_int(link->ops->join(cx, link, 5000), TC_OK);
    expect_text(test_web_link_status(link).reason, "The server sent an event that is longer than allowed.");
    expect_int(test_web_link_status(link).too_long, 1);
    finish(cx, &sse, link);
}

void test_link_sse__ends_with_an_event_without_end(void **state)
{
    (void)state;
    test_task_run(is_bounded, NULL);
}
