#include "support/crib.h"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

/* Reads until that has come, or nothing did for a while. */
static bool await(struct peer *peer, const char *part)
{
    for (int i = 0; i < 400 && !holds(tc_buf_get(&peer->got), part); i++) {
        if (!peer_read(peer))
            break;
        tc_task_sleep(peer->cx, 2);
    }
    return holds(tc_buf_get(&peer->got), part);
}

static void send_to(struct peer *peer, struct test_crib *crib, const char *head, const char *body)
{
    peer_send(peer, tc_arena_printf(peer->cx->arena,
                                    "%s\r\nHost: localhost\r\nAuthorization: Bearer %.*s\r\n"
                                    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                                    "Content-Length: %zu\r\n\r\n%s",
                                    head, TC_STR_ARG(crib->token), strlen(body), body));
}

static void begin(struct tc_cx *cx, struct test_crib *crib)
{
    crib->up.prompts = "[{\"name\":\"p\"}]";
    crib->up.resources = "[{\"uri\":\"x://1\",\"name\":\"one\"}]";
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    test_crib_settle(cx);
}

static void change_tools(struct test_crib *crib)
{
    crib->up.tools = "[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}},"
                     "{\"name\":\"two\",\"inputSchema\":{\"type\":\"object\"}}]";
    crib->up.events.list_changed(crib->up.events.arg, TC_SOURCE_TOOLS);
}

static void change_prompts(struct test_crib *crib)
{
    crib->up.prompts = "[{\"name\":\"q\"}]";
    crib->up.events.list_changed(crib->up.events.arg, TC_SOURCE_PROMPTS);
}

#define LISTEN(filter)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":\"L\",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":" filter ","  \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}}}"
#define LISTEN_HEAD                                                                                                    \
    "POST /mcp HTTP/1.1\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen"
#define TAG "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"L\"}"

static void listened(struct tc_cx *cx, struct test_crib *crib)
{
    struct peer peer;

    begin(cx, crib);
    peer_open_tcp(cx, &peer, crib->port);
    send_to(&peer, crib, LISTEN_HEAD, LISTEN("{\"promptsListChanged\":true,\"resourceSubscriptions\":[\"x://1\",7]}"));
    expect(await(&peer, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","
                        "\"params\":{" TAG ","
                        "\"notifications\":{\"promptsListChanged\":true,\"resourceSubscriptions\":[\"x://1\"]}}}"));
    expect_int(crib->up.requests, 1); /* the subscription */
    change_tools(crib);
    change_prompts(crib);
    expect(await(&peer, "\"method\":\"notifications/prompts/list_changed\",\"params\":{" TAG "}"));
    crib->up.events.resource_updated(crib->up.events.arg, TC_STR("x://2"));
    crib->up.events.resource_updated(crib->up.events.arg, TC_STR("x://1"));
    expect(await(&peer, "\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"x://1\"," TAG "}"));
    expect(!holds(tc_buf_get(&peer.got), "tools/list_changed")); /* not asked for */
    expect(!holds(tc_buf_get(&peer.got), "x://2"));
    tc_endpoint_end_streams(crib->endpoint);
    expect(await(&peer, "{\"jsonrpc\":\"2.0\",\"id\":\"L\",\"result\":{\"resultType\":\"complete\"," TAG "}}"));
    peer_close(&peer);
    tc_task_sleep(cx, 20);
    expect_int(crib->up.requests, 2); /* and its end */
}

void test_streams__listening_gives_what_was_asked_for(void **state)
{
    (void)state;
    test_crib_run(listened, NULL);
}

static void in_session(struct tc_cx *cx, struct test_crib *crib)
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
    send_to(&peer, crib, tc_arena_printf(cx->arena, "GET /mcp HTTP/1.1\r\n%.*s", TC_STR_ARG(session)).p, "");
    expect(await(&peer, "id: 1-0\nretry: 1000\ndata: \n\n"));
    head = tc_arena_printf(cx->arena, "POST /mcp\r\n%.*s", TC_STR_ARG(session));
    expect_int(test_crib_ask(cx, crib, head.p,
                             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/subscribe\",\"params\":{\"uri\":"
                             "\"x://1\"}}",
                             NULL, NULL),
               200);
    change_tools(crib);
    change_prompts(crib);
    expect(await(&peer, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n"));
    expect(await(&peer, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\"}\n\n"));
    crib->up.events.resource_updated(crib->up.events.arg, TC_STR("x://1"));
    crib->up.events.resource_updated(crib->up.events.arg, TC_STR("x://1"));
    expect(await(&peer, "\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"x://1\"}}"));
    /* the connection breaks: what came meanwhile is there when the client comes back */
    peer_reset(&peer);
    tc_task_sleep(cx, 20);
    crib->up.events.resource_updated(crib->up.events.arg, TC_STR("x://1/part"));
    peer_open_tcp(cx, &peer, crib->port);
    send_to(&peer, crib,
            tc_arena_printf(cx->arena, "GET /mcp HTTP/1.1\r\n%.*s\r\nLast-Event-ID: 1-3", TC_STR_ARG(session)).p, "");
    expect(await(&peer, "id: 1-4\n"));
    expect(!holds(tc_buf_get(&peer.got), "list_changed"));
    expect_int(test_crib_ask(cx, crib,
                             tc_arena_printf(cx->arena, "DELETE /mcp\r\n%.*s", TC_STR_ARG(session)).p, NULL, NULL,
                             NULL),
               204);
    expect(await(&peer, "\r\n0\r\n\r\n"));
    peer_close(&peer);
}

void test_streams__a_session_hears_and_can_come_back(void **state)
{
    (void)state;
    test_crib_run(in_session, NULL);
}

static void in_batch(struct tc_cx *cx, struct test_crib *crib)
{
    static const char head[] = "POST /mcp\r\nMCP-Protocol-Version: 2025-03-26";
    struct tc_str answer;

    begin(cx, crib);
    expect_int(test_crib_ask(cx, crib, head,
                             "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},"
                             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},"
                             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\","
                             "\"params\":{\"name\":\"s__one\"}},"
                             "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"initialize\",\"params\":{}},[1],{}]",
                             NULL, &answer),
               200);
    expect(tc_str_starts(answer, TC_STR("[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},"
                                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"content\"")));
    expect(holds(answer, "\"id\":3,\"error\":{\"code\":-32600"));
    expect(holds(answer, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600")); /* it had no id */
    expect_int(test_crib_ask(cx, crib, head, "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}]", NULL,
                             NULL),
               202);
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nMCP-Protocol-Version: 2025-06-18",
                             "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", NULL, NULL),
               400);
}

void test_streams__batches_where_the_revision_has_them(void **state)
{
    (void)state;
    test_crib_run(in_batch, NULL);
}
