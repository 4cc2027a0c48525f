#include "support/crib.h"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static bool await(struct peer *peer, const char *part)
{
    for (int i = 0; i < 2000 && !holds(tc_buf_get(&peer->got), part); i++) {
        if (!peer_read(peer))
            return holds(tc_buf_get(&peer->got), part);
        peer_turn(peer->cx);
    }
    return holds(tc_buf_get(&peer->got), part);
}

static void open_stream(struct tc_cx *cx, struct test_crib *crib, struct peer *peer, const char **ret_post)
{
    struct tc_str got;
    size_t at;

    peer_open_tcp(cx, peer, crib->port);
    peer_send(peer, tc_arena_printf(cx->arena,
                                    "GET /sse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %.*s\r\n"
                                    "Accept: text/event-stream\r\n\r\n",
                                    TC_STR_ARG(crib->token)));
    expect(await(peer, "event: endpoint\ndata: /messages?sessionId="));
    got = tc_buf_get(&peer->got);
    at = tc_str_find(got, TC_STR("/messages?sessionId="));
    *ret_post = tc_arena_printf(cx->arena, "POST %.52s", got.p + (at == SIZE_MAX ? 0 : at)).p;
}

static int post(struct tc_cx *cx, struct test_crib *crib, const char *head, const char *body)
{
    return test_crib_ask(cx, crib, head, body, NULL, NULL);
}

static enum tc_err one_question(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller)
{
    struct tc_question question = {.method = TC_STR("roots/list")};
    enum tc_err e = tc_caller_ask(cx, caller, &question, 1);

    (void)crib;
    caller->ops->progress(caller, TC_STR("1"), TC_STR("2"), TC_STR("half"));
    return e;
}

static void talk(struct tc_cx *cx, struct test_crib *crib)
{
    struct peer peer;
    const char *head;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    crib->up.during = one_question;
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    open_stream(cx, crib, &peer, &head);
    expect_int(post(cx, crib, head,
                    "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                    "\"2024-11-05\",\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"t\","
                    "\"version\":\"1\"}}}"),
               202);
    expect(await(&peer, "\"protocolVersion\":\"2024-11-05\""));
    expect_int(post(cx, crib, head, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"), 202);
    expect_int(post(cx, crib, head,
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\","
                    "\"arguments\":{\"q\":5},\"_meta\":{\"progressToken\":\"p\"}}}"),
               202);
    expect(await(&peer, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}"));
    expect_int(post(cx, crib, head, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"roots\":[]}}"), 202);
    expect(await(&peer, "\"progressToken\":\"p\",\"progress\":1,\"total\":2}")); /* it knew no message */
    expect(await(&peer, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":"));
    expect_int(post(cx, crib, head, "{"), 400);
    expect_int(post(cx, crib, "POST /messages?sessionId=0", "{}"), 404);
    peer_close(&peer);
    test_crib_settle(cx);
    peer_turn(cx);
    test_crib_settle(cx);
    expect_int(post(cx, crib, head, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}"), 404); /* it ended */
}

void test_sse_transport__everything_comes_on_the_stream(void **state)
{
    (void)state;
    test_crib_run(talk, NULL);
}

/* A client of this transport has nowhere to poll from. */
static void without_tasks(struct tc_cx *cx, struct test_crib *crib)
{
    struct peer peer;
    const char *head;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    open_stream(cx, crib, &peer, &head);
    expect_int(post(cx, crib, head,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"),
               202);
    expect(await(&peer, "\"protocolVersion\":\"2025-11-25\""));
    expect(!holds(tc_buf_get(&peer.got), "\"tasks\""));
    expect_int(post(cx, crib, head, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}"), 202);
    expect(await(&peer, "\"id\":2,\"result\":{\"tools\":[{"));
    expect(!holds(tc_buf_get(&peer.got), "taskSupport"));
    expect_int(post(cx, crib, head,
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\","
                    "\"arguments\":{},\"task\":{}}}"),
               202);
    expect(await(&peer, "\"id\":3,\"result\":{\"content\":["));
    peer_close(&peer);
}

void test_sse_transport__offers_no_tasks(void **state)
{
    (void)state;
    test_crib_run(without_tasks, NULL);
}

static void revoked(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_token_options options = {.role = TC_ROLE_AGENT, .agent = TC_STR("default"), .label = TC_STR("x")};
    struct tc_token_row row;
    struct peer peer;
    const char *head;

    test_crib_listen(cx, crib);
    expect_int(tc_access_create_token(cx, crib->runtime->access, &options, &row, &crib->token), TC_OK);
    open_stream(cx, crib, &peer, &head);
    expect_int(tc_access_revoke(cx, crib->runtime->access, row.id), TC_OK);
    expect(await(&peer, "\r\n0\r\n\r\n")); /* an end, not a break */
    peer_close(&peer);
}

void test_sse_transport__ends_with_its_token(void **state)
{
    (void)state;
    test_crib_run(revoked, NULL);
}
