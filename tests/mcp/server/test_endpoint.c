#include "support/crib.h"

#include <string.h>

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","      \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

static void open_it(struct tc_cx *cx, struct test_crib *crib)
{
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
}

static int post(struct tc_cx *cx, struct test_crib *crib, const char *body, struct tc_str *ret)
{
    return test_crib_ask(cx, crib, "POST /mcp", body, NULL, ret);
}

static void refusals(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    open_it(cx, crib);
    expect_int(post(cx, crib, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{}}", &body), 400);
    expect(holds(body, "\"id\":7"));
    expect(holds(body, "-32602"));
    expect_int(post(cx, crib, "{", &body), 400);
    expect(!holds(body, "\"id\""));
    expect_int(post(cx, crib, "[]", &body), 400);
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nMcp-Session-Id: gone",
                             "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"ping\"}", NULL, &body),
               404);
    expect(holds(body, "\"id\":8"));
    expect_int(post(cx, crib, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"nothing\"}", &body), 200);
    expect(holds(body, "-32601"));
    expect_int(post(cx, crib, "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"tools/call\",\"params\":{\"name\":\"no\"}}",
                    &body),
               200);
    expect(holds(body, "-32602"));
    expect(holds(body, "model.unknown_tool_call"));
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nContent-Type: text/plain", "{}", NULL, NULL), 415);
    expect_int(test_crib_ask(cx, crib, "POST /mcp\r\nAccept: text/html", "{}", NULL, NULL), 406);
    expect_int(test_crib_ask(cx, crib, "GET /mcp\r\nAccept: text/event-stream", NULL, NULL, NULL), 405);
}

void test_endpoint__refusals_carry_the_id_of_their_request(void **state)
{
    (void)state;
    run(refusals);
}

/* Everything that comes until the connection ends. */
static size_t stream_size(struct tc_cx *cx, struct test_crib *crib, const char *body)
{
    struct peer peer;
    size_t n;

    peer_open_tcp(cx, &peer, crib->port);
    peer_send(&peer, tc_arena_printf(cx->arena,
                                     "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: "
                                     "Bearer %.*s\r\nContent-Type: application/json\r\nAccept: application/json, "
                                     "text/event-stream\r\nContent-Length: %zu\r\n\r\n%s",
                                     TC_STR_ARG(crib->token), strlen(body), body));
    peer_drain(&peer);
    n = peer.got.n;
    expect(tc_str_starts(tc_buf_get(&peer.got), TC_STR("HTTP/1.1 200")));
    expect(holds(tc_buf_get(&peer.got), "\"id\":1"));
    expect(holds(tc_buf_get(&peer.got), "THE END"));
    peer_close(&peer);
    return n;
}

/* A result that is larger than what may wait of notifications. */
static void large(struct tc_cx *cx, struct test_crib *crib)
{
    size_t size = 6 << 20;
    struct tc_buf result;

    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    tc_buf_init(&result, 16 << 20);
    tc_buf_cstr(&result, "{\"content\":[],\"structuredContent\":{\"a\":\"");
    memset(tc_buf_reserve(&result, size), 'x', size);
    result.n += size;
    tc_buf_cstr(&result, "THE END\"}}");
    crib->up.result = tc_arena_cstr(cx->arena, tc_buf_get(&result));
    tc_buf_finish(&result);
    open_it(cx, crib);
    expect(stream_size(cx, crib,
                       "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"s__one\","
                       "\"arguments\":{},\"_meta\":{\"progressToken\":1}}}") > size);
}

void test_endpoint__a_large_result_comes_whole_over_a_stream(void **state)
{
    (void)state;
    run(large);
}

static void sessions(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str head, body, id;
    size_t at;

    open_it(cx, crib);
    expect_int(test_crib_ask(cx, crib, "POST /mcp", INITIALIZE, &head, &body), 200);
    expect(holds(body, "\"protocolVersion\":\"2025-06-18\""));
    at = tc_str_find(head, TC_STR("Mcp-Session-Id: "));
    expect(at != SIZE_MAX);
    id = tc_str_n(head.p + at + 16, 32);
    head = tc_arena_printf(cx->arena, "POST /mcp\r\nMcp-Session-Id: %.*s", TC_STR_ARG(id));
    expect_int(test_crib_ask(cx, crib, head.p, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL,
                             NULL),
               202);
    expect_int(test_crib_ask(cx, crib, head.p, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", NULL, &body),
               200);
    expect(holds(body, "note_echo"));
    crib->token = test_crib_token(cx, crib, "default"); /* another token may not use it */
    expect_int(test_crib_ask(cx, crib, head.p, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}", NULL, NULL), 404);
}

void test_endpoint__a_session_belongs_to_its_token(void **state)
{
    (void)state;
    run(sessions);
}
