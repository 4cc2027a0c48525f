/*
 * What lasts longer than one request over Streamable HTTP: the session, the
 * standing stream, grants, and the end.
 */
#include <stdio.h>

#include "support/web.h"

#define RESULT(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{\"ok\":true}}"
#define EVENT(json) "event: message\ndata: " json "\n\n"
#define ERROR(id, code, text)                                                                                          \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" code ",\"message\":\"" text "\"}}"

/* Greets as the peer does. */
static void greet(struct tc_cx *cx, struct tc_link *link)
{
    expect(test_web_ok(test_web_ask(cx, link, "initialize")));
    link->ops->agreed(link, test_web_revision("2025-11-25"));
    expect_int(link->ops->notify(cx, link, "notifications/initialized", tc_str_n("", 0)), TC_OK);
}

/* A server with the session "s-1", no standing stream, and an own way to answer
 * what comes third. */
static void serve_session(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)n;
    if (test_web_is(ex, "GET") || test_web_is(ex, "DELETE"))
        test_web_status(cx, ex, test_web_is(ex, "GET") ? 405 : 200);
    else if (test_web_says(ex, "\"initialize\""))
        test_web_json_with(cx, ex, RESULT("1"), "Mcp-Session-Id", "s-1");
    else if (test_web_says(ex, "notifications/"))
        test_web_status(cx, ex, 202);
    else
        ((test_web_fn *)web->arg)(cx, web, ex, n);
}

static struct tc_link *session_link(struct tc_cx *cx, struct test_web *web, test_web_fn *third)
{
    struct tc_link *link = test_web_link(cx, web, serve_session);

    web->arg = (void *)third;
    greet(cx, link);
    expect(test_web_saw(cx, web, "GET /mcp"));
    return link;
}

/* --- sessions --- */

static void answer_second(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_json(cx, ex, 200, RESULT("2"));
}

static void keeps_the_session(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = session_link(cx, &web, answer_second);
    (void)arg;

    expect(test_web_ok(test_web_ask(cx, link, "test/it")));
    test_web_link_close(cx, link);
    expect(test_web_saw(cx, &web, "DELETE /mcp\naccept: text/event-stream\nmcp-session-id: s-1\n"
                                  "mcp-protocol-version: 2025-11-25\n"));
    expect_int(test_web_count(&web, "mcp-session-id: s-1\n"), 4); /* all but initialize */
    expect_int(test_web_count(&web, "mcp-protocol-version: 2025-11-25\n"), 4);
    expect_int(test_web_count(&web, "GET /mcp"), 1); /* 405: there is no standing stream */
    expect_int(web.ended, 0);                        /* the owner knows */
    test_web_finish(cx, &web);
}

void test_link_http_session__is_kept_and_given_back(void **state)
{
    (void)state;
    test_task_run(keeps_the_session, NULL);
}

static void say_404(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_json(cx, ex, 404, ERROR("\"server-error\"", "-32001", "Session not found"));
}

static void say_404_plain(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_status(cx, ex, 404);
}

static void say_400(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_json(cx, ex, 400, ERROR("null", "-32000", "Bad Request: No valid session ID provided"));
}

static void say_200(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_json(cx, ex, 200, ERROR("2", "-32600", "Session not found"));
}

static void loses_the_session(struct tc_cx *cx, void *arg)
{
    static test_web_fn *const ways[] = {say_404, say_404_plain, say_400, say_200};
    (void)arg;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct test_web web;
        struct tc_link *link = session_link(cx, &web, ways[i]);
        struct tc_link_reply reply = test_web_ask(cx, link, "test/it");

        expect_int(reply.base.outcome, TC_OUTCOME_NOT_SENT);
        expect_int(reply.cause.code, TC_E_MCP_SESSION_UNKNOWN);
        expect(!link->ops->alive(link));
        expect_int(link->ops->join(cx, link, 5000), TC_OK);
        expect_int(web.ended, 1);
        expect(test_web_link_status(link).forgotten);
        expect_text(test_web_link_status(link).reason, "The server does not know the session any more.");
        reply = test_web_ask(cx, link, "test/it");
        expect_int(reply.base.outcome, TC_OUTCOME_NOT_SENT);
        test_web_link_close(cx, link);
        expect_int(test_web_count(&web, "DELETE"), 0);
        expect_int(test_web_count(&web, "test/it"), 1);
        test_web_finish(cx, &web);
    }
}

void test_link_http_session__that_is_lost_ends_the_link_and_nothing_was_done(void **state)
{
    (void)state;
    test_task_run(loses_the_session, NULL);
}

static void speak_of_another(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_json(cx, ex, 200, ERROR("2", "-32000", "Browser session not found"));
}

static void is_not_misled(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = session_link(cx, &web, speak_of_another);
    struct tc_link_reply reply = test_web_ask(cx, link, "test/it");
    (void)arg;

    expect_int(reply.base.outcome, TC_OUTCOME_SERVER_ERROR);
    expect_int(reply.base.rpc_code, -32000);
    expect(link->ops->alive(link));
    test_web_link_finish(cx, &web, link);
}

void test_link_http_session__of_a_tool_is_another_matter(void **state)
{
    (void)state;
    test_task_run(is_not_misled, NULL);
}

static void give_bad_session(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)n;
    test_web_json_with(cx, ex, RESULT("1"), "Mcp-Session-Id", web->arg);
}

static void refuses_bad_ids(struct tc_cx *cx, void *arg)
{
    char *const bad[] = {"a b", "", "caf\xc3\xa9", "a\tb", (char *)tc_arena_printf(cx->arena, "%01200d", 7).p};
    (void)arg;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct test_web web;
        struct tc_link *link = test_web_link(cx, &web, give_bad_session);
        struct tc_link_reply reply;

        web.arg = bad[i];
        reply = test_web_ask(cx, link, "initialize");
        expect_int(reply.base.outcome, TC_OUTCOME_UNKNOWN);
        expect_int(reply.cause.code, TC_E_MCP_PROTOCOL);
        expect(test_web_message_has(reply.base.message, "session id"));
        test_web_ask(cx, link, "test/it");
        expect_int(test_web_count(&web, "mcp-session-id"), 0);
        test_web_link_finish(cx, &web, link);
    }
}

void test_link_http_session__id_that_cannot_be_sent_is_refused(void **state)
{
    (void)state;
    test_task_run(refuses_bad_ids, NULL);
}

/* --- the standing stream --- */

static void serve_standing(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    int *streams = web->arg;

    if (!test_web_is(ex, "GET")) {
        if (test_web_says(ex, "\"initialize\""))
            test_web_json_with(cx, ex, RESULT("1"), "Mcp-Session-Id", "s-1");
        else
            test_web_status(cx, ex, 202);
        return;
    }
    (void)n;
    if (++*streams == 3) {
        test_web_status(cx, ex, 404); /* restarted: it knows nothing */
        return;
    }
    if (*streams == 1)
        test_web_stream(cx, ex, "id: e1\nretry: 10\n" EVENT("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/"
                                                            "list_changed\"}"));
    else
        test_web_stream(cx, ex, "id: e2\n" EVENT("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\"}"));
    tc_exchange_stream_end(cx, ex);
}

static void listens(struct tc_cx *cx, void *arg)
{
    int streams = 0;
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_standing);
    (void)arg;

    web.arg = &streams;
    greet(cx, link);
    expect_int(link->ops->join(cx, link, 5000), TC_OK); /* the third stream has found the session gone */
    expect_int(web.heard, 2);
    expect_text(tc_str_of(web.heard_what[0]), "notifications/tools/list_changed");
    expect_text(tc_str_of(web.heard_what[1]), "5ping");
    expect(!web.heard_use[0] && !web.heard_use[1]);
    expect(test_web_saw(cx, &web, "GET /mcp\naccept: text/event-stream\nmcp-session-id: s-1\n"
                                  "mcp-protocol-version: 2025-11-25\n\n"));
    expect(test_web_saw(cx, &web, "last-event-id: e1\n"));
    expect(test_web_saw(cx, &web, "last-event-id: e2\n"));
    expect_int(web.ended, 1);
    expect(test_web_link_status(link).forgotten);
    test_web_link_finish(cx, &web, link);
}

void test_link_http_session__has_a_standing_stream_that_is_opened_again(void **state)
{
    (void)state;
    test_task_run(listens, NULL);
}

static void answers_the_server(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = session_link(cx, &web, answer_second);
    (void)arg;

    expect_int(link->ops->answer(cx, link, TC_STR("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}")), TC_OK);
    expect(test_web_saw(cx, &web, "mcp-session-id: s-1\nmcp-protocol-version: 2025-11-25\n\n"
                                  "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n---"));
    test_web_link_finish(cx, &web, link);
}

void test_link_http_session__takes_answers_to_the_server(void **state)
{
    (void)state;
    test_task_run(answers_the_server, NULL);
}

static void has_none_without_handshake(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_session);
    (void)arg;

    web.arg = (void *)answer_second;
    link->ops->agreed(link, test_web_revision("2026-07-28"));
    expect_int(link->ops->notify(cx, link, "notifications/initialized", tc_str_n("", 0)), TC_OK);
    tc_task_sleep(cx, 30);
    expect_int(test_web_count(&web, "GET "), 0);
    test_web_link_close(cx, link);
    expect_int(test_web_count(&web, "DELETE "), 0);
    test_web_finish(cx, &web);
}

void test_link_http_session__is_none_in_the_era_without_handshake(void **state)
{
    (void)state;
    test_task_run(has_none_without_handshake, NULL);
}

/* --- grants --- */

struct grants {
    struct tc_auth base;
    int refusals, limit;
    int last_status;
    char challenge[100];
    char identity[40];
};

static enum tc_err give_token(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity, struct tc_str *ret)
{
    struct grants *grants = (struct grants *)self;

    snprintf(grants->identity, sizeof grants->identity, "%.*s", TC_STR_ARG(identity));
    *ret = grants->refusals ? tc_arena_printf(cx->arena, "t%d", grants->refusals) : TC_STR("");
    return TC_OK;
}

static enum tc_err take_refusal(struct tc_cx *cx, struct tc_auth *self, struct tc_str identity,
                                const struct tc_auth_refusal *refusal)
{
    struct grants *grants = (struct grants *)self;

    (void)identity;
    grants->last_status = refusal->status;
    snprintf(grants->challenge, sizeof grants->challenge, "%.*s", TC_STR_ARG(refusal->challenge));
    if (++grants->refusals <= grants->limit)
        return TC_OK;
    tc_fail(cx, TC_E_MCP_LOGIN_REQUIRED, "Nobody has logged in.");
    return tc_fail_hint(cx, "Type: toolcrib mcp login x");
}

static const struct tc_auth_ops grants_ops = {give_token, take_refusal};

/* Wants the token t2, after 401 and 403. */
static void serve_guarded(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct tc_str token = tc_exchange_header(ex, TC_STR("Authorization"));
    struct tc_header wide = {TC_STR("WWW-Authenticate"), TC_STR("Bearer error=\"insufficient_scope\", scope=\"w\"")};
    struct tc_exchange_reply refusal = {.status = token.p ? 403 : 401, .extra = {&wide, token.p ? 1 : 0}};

    (void)web, (void)n;
    if (tc_str_is(token, "Bearer t2"))
        test_web_json(cx, ex, 200, RESULT("1"));
    else
        tc_exchange_reply(cx, ex, &refusal);
}

static void asks_for_tokens(struct tc_cx *cx, void *arg)
{
    struct grants grants = {.base.ops = &grants_ops, .limit = 9};
    struct test_web web;
    struct tc_link *link;
    struct tc_link_request request = {.method = "test/it", .timeout_ms = 5000, .identity = TC_STR("someone")};
    (void)arg;

    test_web_init(cx, &web, serve_guarded);
    link = test_web_link_to(cx, &web, (struct tc_remote){.auth = &grants.base});
    expect(test_web_ok(test_web_send(cx, link, request)));
    expect_int(grants.refusals, 2);
    expect_int(grants.last_status, 403);
    expect_text(tc_str_of(grants.challenge), "Bearer error=\"insufficient_scope\", scope=\"w\"");
    expect_text(tc_str_of(grants.identity), "someone");
    expect_int(test_web_count(&web, "authorization: Bearer t1\n"), 1);
    expect_int(test_web_count(&web, "\"id\":1,"), 3); /* the same request each time */
    test_web_link_finish(cx, &web, link);
}

void test_link_http_session__asks_for_a_token_and_for_a_better_one(void **state)
{
    (void)state;
    test_task_run(asks_for_tokens, NULL);
}

static void always_401(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web, (void)n;
    test_web_status(cx, ex, 401);
}

static void gives_up_on_tokens(struct tc_cx *cx, void *arg)
{
    static const int limits[] = {0, 1000};
    (void)arg;

    for (int i = 0; i < 2; i++) {
        struct grants grants = {.base.ops = &grants_ops, .limit = limits[i]};
        struct test_web web;
        struct tc_link *link;
        struct tc_link_reply reply;

        test_web_init(cx, &web, always_401);
        link = test_web_link_to(cx, &web, (struct tc_remote){.auth = &grants.base});
        reply = test_web_ask(cx, link, "test/it");
        expect_int(reply.base.outcome, TC_OUTCOME_NOT_SENT);
        expect_int(reply.cause.code, TC_E_MCP_LOGIN_REQUIRED);
        expect_int(web.requests, i == 0 ? 1 : 4);
        if (i == 0)
            expect_text(reply.cause.hint, "Type: toolcrib mcp login x");
        test_web_link_finish(cx, &web, link);
    }
}

void test_link_http_session__gives_up_on_tokens(void **state)
{
    (void)state;
    test_task_run(gives_up_on_tokens, NULL);
}

/* --- redirects --- */

static void serve_moved(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    struct tc_header location = {TC_STR("Location"), TC_STR("/mcp/")};
    struct tc_exchange_reply moved = {.status = 307, .extra = {&location, 1}};

    (void)web, (void)n;
    if (tc_str_is(tc_exchange_request(ex)->path, "/mcp/"))
        test_web_json(cx, ex, 200, RESULT("1"));
    else
        tc_exchange_reply(cx, ex, &moved);
}

static void follows_within_the_origin(struct tc_cx *cx, void *arg)
{
    struct test_web web;
    struct tc_link *link = test_web_link(cx, &web, serve_moved);
    (void)arg;

    expect(test_web_ok(test_web_ask(cx, link, "test/it")));
    expect_int(test_web_count(&web, "\"method\":\"test/it\""), 2);
    test_web_link_finish(cx, &web, link);
}

void test_link_http_session__follows_redirects_within_the_origin(void **state)
{
    (void)state;
    test_task_run(follows_within_the_origin, NULL);
}
