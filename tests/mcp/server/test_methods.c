#include "support/crib.h"

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

/* A request of the metadata era; subject: what Mcp-Name has to say, or NULL. */
static int ask(struct tc_cx *cx, struct test_crib *crib, const char *method, const char *subject, const char *members,
               struct tc_str *ret)
{
    struct tc_str body = tc_arena_printf(cx->arena,
                                         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s%s"
                                         "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                                         "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
                                         method, members, *members ? "," : ""),
                  head = tc_arena_printf(cx->arena,
                                         "POST /mcp\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: %s%s%s", method,
                                         subject ? "\r\nMcp-Name: " : "", subject ? subject : "");

    return test_crib_ask(cx, crib, head.p, body.p, NULL, ret);
}

static struct tc_str answer_any(struct tc_cx *cx, struct test_crib *crib, const struct tc_source_request *request)
{
    struct tc_str params = tc_json_text(cx->arena, request->params);

    (void)crib;
    if (holds(params, "absent"))
        return TC_STR("");
    if (strcmp(request->method, "resources/read") == 0)
        return tc_arena_printf(cx->arena, "{\"contents\":[{\"uri\":%.*s,\"text\":\"it\"}],\"ttlMs\":7}",
                               TC_STR_ARG(tc_json_text(cx->arena, tc_json_get_c(request->params, "uri"))));
    if (strcmp(request->method, "completion/complete") == 0)
        return tc_arena_printf(cx->arena, "{\"completion\":{\"values\":[%.*s]}}",
                               TC_STR_ARG(tc_json_text(cx->arena, tc_json_get_c(
                                                           tc_json_get_c(request->params, "ref"), "name"))));
    return tc_arena_printf(cx->arena,
                           "{\"description\":\"d\",\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
                           "\"text\":%.*s}}]}",
                           TC_STR_ARG(tc_json_text(cx->arena, tc_json_get_c(request->params, "name"))));
}

static void begin(struct tc_cx *cx, struct test_crib *crib)
{
    crib->up.prompts = "[{\"name\":\"greet\",\"arguments\":[]}]";
    crib->up.resources = "[{\"uri\":\"x://1\",\"name\":\"one\",\"size\":3}]";
    crib->up.templates = "[{\"uriTemplate\":\"x://t/{id}\",\"name\":\"t\"}]";
    crib->up.request = answer_any;
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
}

static void offered(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_audit_row *rows;
    struct tc_str answer;
    size_t n;

    begin(cx, crib);
    expect_int(ask(cx, crib, "prompts/list", NULL, "", &answer), 200);
    expect(holds(answer, "\"prompts\":[{\"name\":\"s__greet\",\"arguments\":[]}]"));
    expect(holds(answer, "\"resultType\":\"complete\""));
    expect(holds(answer, "\"cacheScope\":\"private\""));
    expect_int(ask(cx, crib, "prompts/get", "s__greet", "\"name\":\"s__greet\"", &answer), 200);
    expect(holds(answer, "\"text\":\"greet\""));
    expect_int(ask(cx, crib, "prompts/get", "greet", "\"name\":\"greet\"", &answer), 200);
    expect(holds(answer, "-32602"));
    expect_int(ask(cx, crib, "resources/list", NULL, "", &answer), 200);
    expect(holds(answer, "\"resources\":[{\"uri\":\"x://1\",\"name\":\"one\",\"size\":3}]"));
    expect_int(ask(cx, crib, "resources/list", NULL, "\"cursor\":\"9\"", &answer), 200);
    expect(holds(answer, "-32602"));
    expect_int(ask(cx, crib, "resources/templates/list", NULL, "", &answer), 200);
    expect(holds(answer, "toolcrib://results/{id}"));
    expect(holds(answer, "x://t/{id}"));
    expect_int(ask(cx, crib, "resources/read", "x://1", "\"uri\":\"x://1\"", &answer), 200);
    expect(holds(answer, "\"contents\":[{\"uri\":\"x://1\",\"text\":\"it\"}],\"ttlMs\":7,\"cacheScope\":\"private\""));
    expect_int(ask(cx, crib, "resources/read", "toolcrib://s/x%3A1", "\"uri\":\"toolcrib://s/x%3A1\"", &answer), 200);
    expect(holds(answer, "\"uri\":\"toolcrib://s/x%3A1\"")); /* as it was asked for */
    expect_int(ask(cx, crib, "resources/read", "x://absent", "\"uri\":\"x://absent\"", &answer), 200);
    expect(holds(answer, "-32602"));
    expect(holds(answer, "\"uri\":\"x://absent\""));
    n = test_crib_rows(cx, crib, &rows);
    expect_int(n, 4); /* what a server was asked for */
    expect_text(rows[0].call_name, "prompts/get");
    expect_text(rows[0].raw, "{\"name\":\"s__greet\"}");
    expect_text(rows[1].call_name, "resources/read");
    expect_text(rows[1].raw, "{\"uri\":\"x://1\"}");
    expect(rows[3].is_error);
}

void test_methods__offer_what_the_servers_have(void **state)
{
    (void)state;
    test_crib_run(offered, NULL);
}

static void completed(struct tc_cx *cx, struct test_crib *crib)
{
    static const char argument[] = ",\"argument\":{\"name\":\"a\",\"value\":\"b\"}";
    struct tc_str answer, members;

    begin(cx, crib);
    members = tc_arena_printf(cx->arena, "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"s__greet\"}%s", argument);
    expect_int(ask(cx, crib, "completion/complete", NULL, members.p, &answer), 200);
    expect(holds(answer, "\"completion\":{\"values\":[\"greet\"]}"));
    members = tc_arena_printf(cx->arena, "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"none\"}%s", argument);
    expect_int(ask(cx, crib, "completion/complete", NULL, members.p, &answer), 200);
    expect(holds(answer, "-32602"));
    members = tc_arena_printf(cx->arena, "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"toolcrib://results/{id}\"}%s",
                              argument);
    expect_int(ask(cx, crib, "completion/complete", NULL, members.p, &answer), 200);
    expect(holds(answer, "\"completion\":{\"values\":[]}"));
    expect_int(ask(cx, crib, "completion/complete", NULL, "\"ref\":{\"type\":\"ref/other\"}", &answer), 200);
    expect(holds(answer, "-32602"));
}

void test_methods__complete_under_the_servers_names(void **state)
{
    (void)state;
    test_crib_run(completed, NULL);
}

static void discovered(struct tc_cx *cx, struct test_crib *crib)
{
    static const char *const removed[] = {"ping", "initialize", "logging/setLevel", "resources/subscribe",
                                          "resources/unsubscribe", "no/such"};
    struct tc_str answer;

    begin(cx, crib);
    expect_int(ask(cx, crib, "server/discover", NULL, "", &answer), 200);
    expect(holds(answer, "\"supportedVersions\":[\"2026-07-28\"]"));
    expect(holds(answer, "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"toolcrib\""));
    for (size_t i = 0; i < sizeof removed / sizeof *removed; i++) {
        expect_int(ask(cx, crib, removed[i], NULL, "", &answer), 404);
        expect(holds(answer, "-32601"));
        expect(holds(answer, "\"id\":1"));
    }
}

void test_methods__what_a_revision_has_not_is_not_found(void **state)
{
    (void)state;
    test_crib_run(discovered, NULL);
}
