/*
 * Ends over Streamable HTTP: streams that break, callers that give up, links that
 * are closed, servers that mean harm.
 */
#include <stdio.h>

#include "base/clock.h"
#include "support/web.h"

#define RESULT "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"ok\":true}}"
#define EVENT(json) "event: message\ndata: " json "\n\n"
#define PROGRESS                                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}"

/* --- taking up a stream again --- */

/* The answer comes on the third stream; arg is 1 when nothing ever comes. */
static void serve_broken(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    const char *text = n == 0   ? "retry: 20\nid: p0\ndata:\n\n"
                       : n == 1 ? "id: p1\n" EVENT(PROGRESS)
                                : "id: p2\n" EVENT(RESULT);

    test_web_stream(cx, ex, n && web->arg ? ": nothing\n\n" : text);
    if (n == 0)
        tc_exchange_stream_end(cx, ex); /* a server that polls; the second one just breaks off */
}

static void resumes(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_broken);
    int mark;
    int64_t start = tc_clock_mono_us(cx->clock);
    (void)arg;

    expect(test_web_ok(test_web_send(
        cx, link, (struct tc_link_request){.method = "test/it", .timeout_ms = 5000, .use = &mark})));
    expect(tc_clock_mono_us(cx->clock) - start >= 40 * 1000);  /* twice 20 ms, as the server wished */
    expect(tc_clock_mono_us(cx->clock) - start < 1000 * 1000);
    expect(test_web_saw(cx, &web, "GET /mcp\naccept: text/event-stream\nlast-event-id: p0\n"));
    expect(test_web_saw(cx, &web, "GET /mcp\naccept: text/event-stream\nlast-event-id: p1\n"));
    expect_int(test_web_count(&web, "POST"), 1);
    expect_int(web.heard, 1);
    expect(web.heard_use[0] == &mark);
    test_web_link_finish(cx, &web, link);
}

void test_link_http_ends__takes_up_a_broken_stream_where_it_broke(void **state)
{
    (void)state;
    test_task_run(resumes, NULL);
}

static void resumes_within_bounds(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_broken);
    struct tc_link_reply reply;
    (void)arg;

    web.arg = cx; /* no stream after the first brings anything */
    reply = test_web_ask(cx, link, "test/it");
    expect_int(reply.base.outcome, TC_OUTCOME_UNKNOWN);
    expect(web.requests >= 3 && web.requests <= 7);
    expect(link->ops->alive(link));
    test_web_link_finish(cx, &web, link);
}

void test_link_http_ends__takes_up_a_stream_a_few_times_only(void **state)
{
    (void)state;
    test_task_run(resumes_within_bounds, NULL);
}

static void serve_cut(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)n;
    if (test_web_is(ex, "GET"))
        test_web_status(cx, ex, 405);
    else
        test_web_stream(cx, ex, web->arg); /* and no end */
}

static void does_not_resume(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *text, *revision;
        int requests;
    } rows[] = {
        {EVENT(PROGRESS), "2025-11-25", 1},          /* no id to go on from */
        {"id: e\n" EVENT(PROGRESS), "2026-07-28", 1}, /* nothing of that kind in this era */
        {"retry: 1\nid: e\n" EVENT(PROGRESS), "2025-11-25", 2},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_web web;
        struct tc_link *link = test_web_link(cx, &web, serve_cut);
        struct tc_link_reply reply;

        web.arg = (void *)rows[i].text;
        link->ops->agreed(link, test_web_revision(rows[i].revision));
        reply = test_web_ask(cx, link, "test/it");
        expect_int(reply.base.outcome, TC_OUTCOME_UNKNOWN);
        expect(reply.base.message.n > 0);
        expect_int(web.requests, rows[i].requests);
        test_web_link_finish(cx, &web, link);
    }
}

void test_link_http_ends__does_not_know_what_became_of_a_broken_stream(void **state)
{
    (void)state;
    test_task_run(does_not_resume, NULL);
}

/* --- giving up --- */

struct asking {
    struct tc_link *link;
    int64_t timeout_ms;
    struct tc_link_reply reply;
    enum tc_outcome outcome; /* of it: the reply's memory ends with the task */
    enum tc_err cause;
    char message[200];
    bool done;
};

static void ask_beside(struct tc_cx *cx, void *arg)
{
    struct asking *asking = arg;

    asking->reply = test_web_send(cx, asking->link,
                                  (struct tc_link_request){.method = "test/it", .timeout_ms = asking->timeout_ms});
    asking->outcome = asking->reply.base.outcome;
    asking->cause = asking->reply.cause.code;
    snprintf(asking->message, sizeof asking->message, "%.*s", TC_STR_ARG(asking->reply.base.message));
    asking->done = true;
}

/* POSTs of requests hang, in a stream when arg is set. */
static void serve_never(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)n;
    if (!test_web_says(ex, "test/it")) {
        test_web_status(cx, ex, 202);
        return;
    }
    if (web->arg)
        test_web_stream(cx, ex, ": wait\n\n");
    tc_task_sleep(cx, 60 * 1000);
}

static void gives_up(struct tc_cx *cx, const char *revision, bool streams, int64_t timeout_ms)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_never);
    struct asking asking = {.link = link, .timeout_ms = timeout_ms};
    struct tc_task_group group;
    bool handshake = tc_mcp_revision_has(test_web_revision(revision), TC_MCP_HANDSHAKE);

    web.arg = streams ? cx : NULL;
    link->ops->agreed(link, test_web_revision(revision));
    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "ask", ask_beside, &asking);
    expect(test_web_saw(cx, &web, "test/it"));
    if (timeout_ms > 1000)
        tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    expect_int(asking.outcome, TC_OUTCOME_UNKNOWN);
    expect_int(asking.cause, timeout_ms > 1000 ? TC_E_CANCELED : TC_E_TIMEOUT);
    expect_text(tc_str_of(asking.message), timeout_ms > 1000 ? "The call was cancelled before the server answered."
                                                             : "The server did not answer within 100 ms.");
    if (handshake)
        expect(test_web_saw(cx, &web, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                                      "{\"requestId\":1}}"));
    expect(test_web_served(cx, &web, handshake ? 2 : 1)); /* the server saw the end of its stream at once */
    expect_int(test_web_count(&web, "notifications/cancelled"), handshake);
    test_web_link_finish(cx, &web, link);
}

static void gives_up_each_way(struct tc_cx *cx, void *arg)
{
    (void)arg;
    gives_up(cx, "2025-06-18", false, 60000);
    gives_up(cx, "2025-06-18", true, 100);
    gives_up(cx, "2026-07-28", true, 60000);
    gives_up(cx, "2026-07-28", false, 100);
}

void test_link_http_ends__passes_on_that_a_caller_gave_up(void **state)
{
    (void)state;
    test_task_run(gives_up_each_way, NULL);
}

static void is_closed(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_never);
    struct asking asking = {.link = link, .timeout_ms = 60000};
    struct tc_task_group group;
    (void)arg;

    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "ask", ask_beside, &asking);
    expect(test_web_saw(cx, &web, "test/it"));
    link->ops->close(link);
    expect_int(link->ops->join(cx, link, 5000), TC_OK);
    expect(asking.done); /* settled before it ended */
    tc_task_join(cx, &group);
    expect_int(asking.outcome, TC_OUTCOME_UNKNOWN);
    expect_text(tc_str_of(asking.message), "The connection was closed.");
    expect_int(web.ended, 0);
    link->ops->unref(link);
    test_web_finish(cx, &web);
}

void test_link_http_ends__with_its_requests_settled(void **state)
{
    (void)state;
    test_task_run(is_closed, NULL);
}

/* Requests 1 and 2; the second one's answer says that the session is gone. */
static void serve_one_slow(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    if (n == 0) {
        test_web_json_with(cx, ex, RESULT, "Mcp-Session-Id", "s");
    } else if (n == 1) {
        tc_task_sleep(cx, 200);
        test_web_json(cx, ex, 200, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"ok\":true}}");
    } else {
        test_web_status(cx, ex, 404);
    }
}

static void lets_others_finish(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_one_slow);
    struct asking asking = {.link = link, .timeout_ms = 5000};
    struct tc_task_group group;
    (void)arg;

    expect(test_web_ok(test_web_ask(cx, link, "initialize")));
    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "ask", ask_beside, &asking);
    expect(test_web_saw(cx, &web, "test/it"));
    expect_int(test_web_ask(cx, link, "other").base.outcome, TC_OUTCOME_NOT_SENT);
    expect_int(web.ended, 0);
    expect_int(link->ops->join(cx, link, 5000), TC_OK);
    expect_int(web.ended, 1);
    expect_int(asking.outcome, TC_OUTCOME_RESULT);
    tc_task_join(cx, &group);
    test_web_link_finish(cx, &web, link);
}

void test_link_http_ends__only_when_other_requests_had_their_chance(void **state)
{
    (void)state;
    test_task_run(lets_others_finish, NULL);
}

/* --- servers that mean harm --- */

static struct tc_link_reply ask_raw(struct tc_cx *cx, struct test_web *web, const char *bytes, size_t n, int linger_ms)
{
    int port;
    struct test_raw *raw = test_raw_start(bytes, n, linger_ms, &port);
    struct tc_remote remote = {.url = tc_arena_printf(cx->arena, "http://127.0.0.1:%d/mcp", port)};
    struct tc_link *link = test_web_link_to(cx, web, remote);
    struct tc_link_reply reply =
        test_web_send(cx, link, (struct tc_link_request){.method = "test/it", .timeout_ms = 400});

    expect(link->ops->alive(link));
    test_web_link_close(cx, link);
    test_raw_stop(raw);
    return reply;
}

static void serve_nothing(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_status(cx, ex, 500);
}

#define HEAD(type) "HTTP/1.1 200 OK\r\nContent-Type: " type "\r\n"

static void survives_bytes(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *bytes;
        int linger_ms;
        enum tc_outcome outcome;
        const char *message;
    } rows[] = {
        {"", 0, TC_OUTCOME_UNKNOWN, "Empty reply"},
        {"", 2000, TC_OUTCOME_UNKNOWN, "did not answer within 400 ms"},
        {"SSH-2.0-OpenSSH\r\n", 0, TC_OUTCOME_UNKNOWN, "failed: the answer is not HTTP"},
        {"HTTP/1.1 200 OK\r\nContent-", 0, TC_OUTCOME_UNKNOWN, ""},
        {HEAD("application/json") "Content-Length: 100\r\n\r\n{\"jsonrpc\"", 0, TC_OUTCOME_UNKNOWN, "failed"},
        {HEAD("application/json") "Content-Length: 100\r\n\r\n{\"jsonrpc\"", 2000, TC_OUTCOME_UNKNOWN,
         "did not answer within 400 ms"},
        {HEAD("application/json") "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}", 0, TC_OUTCOME_UNKNOWN, "failed"},
        {HEAD("text/event-stream") "Transfer-Encoding: chunked\r\n\r\n5\r\ndata: ", 0, TC_OUTCOME_UNKNOWN, "failed"},
        {HEAD("text/event-stream") "\r\n\xff\xfe\0\0garbage: \r\r\r\n\n\ndata\n\n:\n:\n", 0, TC_OUTCOME_UNKNOWN,
         "before it was complete"},
        {HEAD("text/event-stream") "\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":NaN}\n\n", 0,
         TC_OUTCOME_UNKNOWN, "before it was complete"},
        {HEAD("application/json") "\r\n" RESULT, 0, TC_OUTCOME_RESULT, ""}, /* until it closes */
        {"HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer \x01\x02\r\nContent-Length: 0\r\n\r\n", 0, TC_OUTCOME_NOT_SENT,
         "HTTP 401"},
        {"HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n", 0, TC_OUTCOME_UNKNOWN, "HTTP 999"},
    };
    struct test_web web;
    (void)arg;

    test_web_init(cx, &web, serve_nothing);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tc_link_reply reply = ask_raw(cx, &web, rows[i].bytes, strlen(rows[i].bytes), rows[i].linger_ms);

        if (!expect_int(reply.base.outcome, rows[i].outcome) ||
            !expect(test_web_message_has(reply.base.message, rows[i].message)))
            print_error("row %zu\n", i);
    }
    test_web_finish(cx, &web);
}

void test_link_http_ends__survives_what_is_no_http(void **state)
{
    (void)state;
    test_task_run(survives_bytes, NULL);
}

/* A body without end: of one text, of one event, of small events, of comments. */
static void serve_flood(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    const char *const *piece = web->arg;
    struct tc_exchange_reply reply = {.status = 200, .content_type = tc_str_of(piece[0])};
    struct tc_buf buf;
    enum tc_err code = tc_exchange_stream_begin(cx, ex, &reply);

    (void)n;
    tc_buf_init(&buf, 1 << 20);
    while (buf.n < 60000)
        tc_buf_cstr(&buf, piece[1]);
    if (*piece[2])
        code = tc_exchange_stream_write(cx, ex, tc_str_of(piece[2]));
    while (code == TC_OK)
        code = tc_exchange_stream_write(cx, ex, tc_buf_get(&buf));
    tc_buf_finish(&buf);
}

static void bounds_floods(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *piece[3];
        enum tc_outcome outcome;
        const char *message;
    } rows[] = {
        {{"application/json", "[[[[[[[[", ""}, TC_OUTCOME_UNSUPPORTED, "is longer than allowed"},
        {{"text/event-stream", "xxxxxxxxxxxxxxxx", "data: "}, TC_OUTCOME_UNSUPPORTED, "is longer than allowed"},
        {{"text/event-stream", "data: xxxxxxxxxxxxxxxx\n", ""}, TC_OUTCOME_UNSUPPORTED, "is longer than allowed"},
        {{"text/event-stream", "data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n", ""}, TC_OUTCOME_UNKNOWN,
         "did not answer within 500 ms"},
        {{"text/event-stream", ": on and on\n\n", ""}, TC_OUTCOME_UNKNOWN, "did not answer within 500 ms"},
        {{"text/html", "<p>", ""}, TC_OUTCOME_UNSUPPORTED, "text/html"},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct test_web web;
        struct tc_link *link = test_web_link(cx, &web, serve_flood);
        struct tc_link_reply reply;

        web.arg = (void *)rows[i].piece;
        link->ops->agreed(link, test_web_revision("2026-07-28"));
        reply = test_web_send(cx, link, (struct tc_link_request){.method = "test/it", .timeout_ms = 500});
        if (!expect_int(reply.base.outcome, rows[i].outcome) ||
            !expect(test_web_message_has(reply.base.message, rows[i].message)))
            print_error("row %zu\n", i);
        expect(test_web_served(cx, &web, 1));
        test_web_link_finish(cx, &web, link);
    }
}

void test_link_http_ends__bounds_answers_without_end(void **state)
{
    (void)state;
    test_task_run(bounds_floods, NULL);
}

static void names_unreachable(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *url;
        bool public_only;
        enum tc_err cause;
        const char *message;
    } rows[] = {
        {"http://127.0.0.1:1/mcp?key=secret", false, TC_E_HTTP_UPSTREAM, "http://127.0.0.1:1 failed"},
        {"http://localhost:1/mcp", true, TC_E_HTTP_ADDRESS, "http://localhost:1 has an address that is not public"},
        {"http://169.254.169.254/latest/meta-data", false, TC_E_HTTP_ADDRESS, "http://169.254.169.254 has an address"},
        {"http://no-such-host.invalid/mcp", false, TC_E_HTTP_UPSTREAM, "http://no-such-host.invalid failed"},
    };
    struct test_web web;
    (void)arg;

    test_web_init(cx, &web, serve_nothing);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tc_remote remote = {.url = tc_str_of(rows[i].url), .public_only = rows[i].public_only};
        struct tc_link *link = test_web_link_to(cx, &web, remote);
        struct tc_link_reply reply = test_web_ask(cx, link, "test/it");

        expect_int(reply.base.outcome, TC_OUTCOME_NOT_SENT);
        expect_int(reply.cause.code, rows[i].cause);
        expect(test_web_message_has(reply.base.message, rows[i].message));
        expect(tc_str_find(reply.base.message, TC_STR("secret")) == SIZE_MAX);
        test_web_link_close(cx, link);
    }
    test_web_finish(cx, &web);
}

void test_link_http_ends__names_servers_that_are_not_reached(void **state)
{
    (void)state;
    test_task_run(names_unreachable, NULL);
}

static void serve_many(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    tc_task_sleep(cx, 300);
    test_web_status(cx, ex, 500);
}

static void bounds_its_requests(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_many);
    static struct asking asking[257];
    struct tc_task_group group;
    int refused = 0;
    (void)arg;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 257; i++) {
        asking[i] = (struct asking){.link = link, .timeout_ms = 5000};
        tc_task_spawn(cx, tc_task_loop(cx), &group, "ask", ask_beside, &asking[i]);
    }
    tc_task_yield(cx);
    expect_int(test_web_link_status(link).in_flight, 256);
    tc_task_join(cx, &group);
    for (int i = 0; i < 257; i++)
        refused += asking[i].outcome == TC_OUTCOME_NOT_SENT && asking[i].cause == TC_E_LIMIT;
    expect_int(refused, 1);
    test_web_link_finish(cx, &web, link);
}

void test_link_http_ends__bounds_how_many_requests_are_under_way(void **state)
{
    (void)state;
    test_task_run(bounds_its_requests, NULL);
}

static void stands(struct tc_cx *cx, void *arg)
{
    struct asking *asking = arg;

    asking->reply = test_web_send(cx, asking->link,
                                  (struct tc_link_request){.method = "test/it", .timeout_ms = -1, .standing = true});
    asking->outcome = asking->reply.base.outcome;
    asking->done = true;
}

static void does_not_wait_for_standing(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_never);
    struct asking asking = {.link = link};
    struct tc_task_group group;
    (void)arg;

    tc_task_group_init(&group, tc_task_loop(cx));
    tc_task_spawn(cx, tc_task_loop(cx), &group, "stand", stands, &asking);
    expect(test_web_saw(cx, &web, "test/it"));
    expect_int(test_web_link_status(link).in_flight, 0);
    expect(!asking.done);
    link->ops->close(link);
    expect_int(link->ops->join(cx, link, 2000), TC_OK);
    expect(asking.done);
    tc_task_join(cx, &group);
    expect_int(asking.outcome, TC_OUTCOME_UNKNOWN);
    link->ops->unref(link);
    test_web_finish(cx, &web);
}

void test_link_http_ends__with_requests_that_stand(void **state)
{
    (void)state;
    test_task_run(does_not_wait_for_standing, NULL);
}
