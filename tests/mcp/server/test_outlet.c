#include "support/crib.h"

#include "io/loop.h"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static bool await(struct peer *peer, const char *part)
{
    for (int i = 0; i < 2000 && !holds(tc_buf_get(&peer->got), part); i++) {
        if (!peer_read(peer))
            break;
        peer_turn(peer->cx);
    }
    return holds(tc_buf_get(&peer->got), part);
}

static void send_to(struct peer *peer, struct test_crib *crib, const char *head, const char *accept, const char *body)
{
    peer_send(peer, tc_arena_printf(peer->cx->arena,
                                    "%s\r\nHost: localhost\r\nAuthorization: Bearer %.*s\r\n"
                                    "Content-Type: application/json\r\nAccept: %s\r\nContent-Length: %zu\r\n\r\n%s",
                                    head, TC_STR_ARG(crib->token), accept, strlen(body), body));
}

/* Virtual time in small steps, with turns between. */
static void pass(struct tc_cx *cx, int seconds)
{
    for (int i = 0; i < seconds; i++) {
        tc_loop_advance(tc_task_loop(cx), 1000);
        peer_turn(cx);
        test_crib_settle(cx);
    }
}

#define EVENTS "application/json, text/event-stream"
#define CALL                                                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\",\"arguments\":{}}}"

static enum tc_err until_released(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    (void)caller;
    return tc_task_wait(cx, &crib->up.go, -1);
}

static void begin(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.during = until_released;
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
}

static void plain(struct tc_cx *cx, struct test_crib *crib)
{
    struct peer patient, plain_one;

    begin(cx, crib);
    peer_open_tcp(cx, &patient, crib->port);
    peer_open_tcp(cx, &plain_one, crib->port);
    send_to(&patient, crib, "POST /mcp HTTP/1.1", EVENTS, CALL);
    send_to(&plain_one, crib, "POST /mcp HTTP/1.1", "application/json", CALL);
    peer_await(cx, &crib->up.calls, 2);
    pass(cx, 3);
    peer_read(&patient);
    expect_int(patient.got.n, 0);
    pass(cx, 5);
    expect(await(&patient, "Content-Type: text/event-stream")); /* it takes long: somebody may lose patience */
    expect(!holds(tc_buf_get(&patient.got), "id: ")); /* without a session there is no coming back */
    pass(cx, 20);
    expect(await(&patient, ": still here\n\n"));
    peer_read(&plain_one);
    expect_int(plain_one.got.n, 0);
    tc_event_set(&crib->up.go);
    expect(await(&patient, "data: {\"jsonrpc\":\"2.0\",\"id\":5,\"result\":"));
    expect(await(&plain_one, "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":"));
    expect(holds(tc_buf_get(&plain_one.got), "Content-Type: application/json"));
    peer_close(&patient);
    peer_close(&plain_one);
}

void test_outlet__an_answer_that_takes_long_becomes_a_stream(void **state)
{
    (void)state;
    test_crib_run_virtual(plain, NULL);
}

static void sent_away(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str head, session;
    struct peer peer;

    begin(cx, crib);
    expect_int(test_crib_ask(cx, crib, "POST /mcp",
                             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                             "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}",
                             &head, NULL),
               200);
    session = tc_str_n(head.p + tc_str_find(head, TC_STR("Mcp-Session-Id: ")), 48);
    peer_open_tcp(cx, &peer, crib->port);
    send_to(&peer, crib, tc_arena_printf(cx->arena, "POST /mcp HTTP/1.1\r\n%.*s", TC_STR_ARG(session)).p, EVENTS, CALL);
    peer_await(cx, &crib->up.calls, 1);
    pass(cx, 8);
    expect(await(&peer, "id: 1-0\nretry: 1000\n"));
    pass(cx, 5 * 60);
    peer_drain(&peer); /* the stream has ended, and the connection; the call has not */
    expect(tc_str_ends(tc_buf_get(&peer.got), TC_STR("\r\n0\r\n\r\n")));
    expect_int(crib->runtime->calls.n, 1);
    peer_close(&peer);
    peer_open_tcp(cx, &peer, crib->port);
    send_to(&peer, crib,
            tc_arena_printf(cx->arena, "GET /mcp HTTP/1.1\r\n%.*s\r\nLast-Event-ID: 1-0", TC_STR_ARG(session)).p,
            "text/event-stream", "");
    test_crib_settle(cx);
    tc_event_set(&crib->up.go);
    expect(await(&peer, "id: 1-1\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":5,\"result\":"));
    peer_close(&peer);
}

void test_outlet__a_client_is_sent_away_and_comes_back(void **state)
{
    (void)state;
    test_crib_run_virtual(sent_away, NULL);
}
