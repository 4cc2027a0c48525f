#include "support/crib.h"

#include <stdlib.h>

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

/* A session; *ret_head is the head of a POST in it. */
static void open_session(struct tc_cx *cx, struct test_crib *crib, const char *capabilities, struct tc_str *ret_head)
{
    struct tc_str body = tc_arena_printf(cx->arena,
                                         "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{"
                                         "\"protocolVersion\":\"2025-11-25\",\"capabilities\":%s,"
                                         "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}",
                                         capabilities),
                  head;
    size_t at;

    expect_int(test_crib_ask(cx, crib, "POST /mcp", body.p, &head, NULL), 200);
    at = tc_str_find(head, TC_STR("Mcp-Session-Id: "));
    expect(at != SIZE_MAX);
    *ret_head = tc_arena_printf(cx->arena, "Mcp-Session-Id: %.32s", head.p + at + 16);
}

static void send_request(struct peer *peer, struct test_crib *crib, struct tc_str session, const char *method,
                         const char *more, const char *body)
{
    peer_send(peer, tc_arena_printf(peer->cx->arena,
                                    "%s /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %.*s\r\n%.*s\r\n%s"
                                    "Content-Type: application/json\r\nAccept: application/json, "
                                    "text/event-stream\r\nContent-Length: %zu\r\n\r\n%s",
                                    method, TC_STR_ARG(crib->token), TC_STR_ARG(session), more, strlen(body), body));
}

/* Reads until that has come, in `got`. */
static bool await(struct peer *peer, const char *part)
{
    for (int i = 0; i < 2000 && !holds(tc_buf_get(&peer->got), part); i++) {
        if (!peer_read(peer))
            return holds(tc_buf_get(&peer->got), part);
        peer_turn(peer->cx);
    }
    return holds(tc_buf_get(&peer->got), part);
}

#define CALL                                                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\",\"arguments\":{}}}"

static enum tc_err two_at_once(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    struct tc_question questions[] = {
        {.method = TC_STR("elicitation/create"), .params = test_crib_json(cx, "{\"message\":\"Who?\"}")},
        {.method = TC_STR("roots/list")},
    };
    enum tc_err e = tc_caller_ask(cx, caller, questions, 2);

    crib->up.result = e ? "{\"content\":[],\"structuredContent\":{\"failed\":true}}"
                        : tc_arena_printf(cx->arena, "{\"content\":[],\"structuredContent\":{\"a\":%.*s,\"code\":%d}}",
                                          TC_STR_ARG(tc_json_text(cx->arena, questions[0].result)),
                                          questions[1].rpc_code).p;
    return e;
}

static void begin(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.during = two_at_once;
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
}

static int answer(struct tc_cx *cx, struct test_crib *crib, struct tc_str session, const char *message)
{
    struct tc_str head = tc_arena_printf(cx->arena, "POST /mcp\r\n%.*s", TC_STR_ARG(session));

    return test_crib_ask(cx, crib, head.p, message, NULL, NULL);
}

static void asked(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str session;
    struct peer peer;

    begin(cx, crib);
    open_session(cx, crib, "{\"elicitation\":{},\"roots\":{}}", &session);
    peer_open_tcp(cx, &peer, crib->port);
    send_request(&peer, crib, session, "POST", "", CALL);
    expect(await(&peer, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"roots/list\"}"));
    expect(holds(tc_buf_get(&peer.got), "text/event-stream"));
    expect(holds(tc_buf_get(&peer.got), "id: 1-0\nretry: ")); /* where a client would go on */
    expect(holds(tc_buf_get(&peer.got),
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\"}}"));
    expect_int(answer(cx, crib, session, "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}"), 202); /* nobody asked */
    expect_int(answer(cx, crib, session, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-7,\"message\":\"no\"}}"),
               202);
    expect_int(answer(cx, crib, session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"decline\"}}"), 202);
    expect(await(&peer, "\"structuredContent\":{\"a\":{\"action\":\"decline\"},\"code\":-7}"));
    expect(holds(tc_buf_get(&peer.got), "\"id\":5"));
    peer_close(&peer);
}

void test_asks__questions_come_on_the_stream_of_their_call(void **state)
{
    (void)state;
    test_crib_run(asked, NULL);
}

static enum tc_err page(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    struct tc_question question = {
        .method = TC_STR("elicitation/create"),
        .params = test_crib_json(cx, "{\"mode\":\"url\",\"url\":\"https://a.example/\",\"message\":\"Go\"}")};
    enum tc_err e = tc_caller_ask(cx, caller, &question, 1);

    (void)crib;
    if (!e)
        caller->ops->elicited(caller, TC_STR("e1"));
    return e;
}

/* Of a server whose revision has no ids; the client's has. */
static void opened(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str session;
    struct peer peer;

    begin(cx, crib);
    crib->up.during = page;
    open_session(cx, crib, "{\"elicitation\":{\"url\":{}}}", &session);
    peer_open_tcp(cx, &peer, crib->port);
    send_request(&peer, crib, session, "POST", "", CALL);
    expect(await(&peer, "\"url\":\"https://a.example/\",\"message\":\"Go\",\"elicitationId\":\""));
    expect_int(answer(cx, crib, session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}"), 202);
    expect(await(&peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/elicitation/complete\",\"params\":"
                        "{\"elicitationId\":\"e1\"}}"));
    expect(await(&peer, "\"id\":5,\"result\""));
    peer_close(&peer);
}

void test_asks__a_page_has_an_id_and_its_end_is_told(void **state)
{
    (void)state;
    test_crib_run(opened, NULL);
}

static void strangers(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str session, other;
    struct peer peer;

    begin(cx, crib);
    open_session(cx, crib, "{\"elicitation\":{}}", &session);
    open_session(cx, crib, "{\"elicitation\":{}}", &other);
    peer_open_tcp(cx, &peer, crib->port);
    send_request(&peer, crib, session, "POST", "", CALL);
    expect(await(&peer, "elicitation/create"));
    expect(!holds(tc_buf_get(&peer.got), "roots/list")); /* not declared */
    expect_int(answer(cx, crib, other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}"), 202);
    test_crib_settle(cx);
    expect(!holds(tc_buf_get(&peer.got), "accept"));
    /* the call is given up: so is its question */
    expect_int(answer(cx, crib, session,
                      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}"),
               202);
    expect(await(&peer, "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1"));
    peer_close(&peer);
}

void test_asks__another_session_cannot_answer(void **state)
{
    (void)state;
    test_crib_run(strangers, NULL);
}

/* The connection breaks; the client reads on where it was and answers. */
static void resumed(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str session;
    struct peer peer;

    begin(cx, crib);
    open_session(cx, crib, "{\"elicitation\":{}}", &session);
    peer_open_tcp(cx, &peer, crib->port);
    send_request(&peer, crib, session, "POST", "", CALL);
    expect(await(&peer, "elicitation/create"));
    peer_reset(&peer);
    test_crib_settle(cx);
    expect_int(crib->runtime->calls.n, 1); /* leaving is no cancelling */
    peer_open_tcp(cx, &peer, crib->port);
    send_request(&peer, crib, session, "GET", "Last-Event-ID: 1-0\r\n", "");
    expect(await(&peer, "elicitation/create"));
    expect_int(answer(cx, crib, session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\"}}"), 202);
    expect(await(&peer, "\"a\":{\"action\":\"accept\"}"));
    expect(holds(tc_buf_get(&peer.got), "id: 1-2\n"));
    peer_close(&peer);
    /* once more, from the middle */
    peer_open_tcp(cx, &peer, crib->port);
    send_request(&peer, crib, session, "GET", "Last-Event-ID: 1-1\r\n", "");
    expect(await(&peer, "\"a\":{\"action\":\"accept\"}"));
    expect(!holds(tc_buf_get(&peer.got), "elicitation/create"));
    peer_close(&peer);
    expect_int(answer(cx, crib, session, CALL), 200); /* plain JSON: nobody can be asked on it */
}

void test_asks__a_client_can_come_back_for_the_rest(void **state)
{
    (void)state;
    test_crib_run(resumed, NULL);
}
