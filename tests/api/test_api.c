#include "support/crib.h"

#include <stdio.h>

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

/* POSTs and gives the answer as text. */
static int post(struct tc_cx *cx, struct test_crib *crib, const char *path, const char *body, struct tc_str *ret)
{
    return test_crib_ask(cx, crib, tc_arena_printf(cx->arena, "POST %s", path).p, body, NULL, ret);
}

static bool holds(struct tc_str text, const char *part)
{
    return tc_str_find(text, tc_str_of(part)) != SIZE_MAX;
}

static void bodies(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/tool/page", "{\"size\":201}", &body), 400);
    expect(holds(body, "\"field\":\"/size\""));
    expect_int(post(cx, crib, "/admin/tool/page", "{\"pages\":1}", &body), 400);
    expect(holds(body, "http.bad_request"));
    expect_int(post(cx, crib, "/admin/tool/page", "{\"page\":", &body), 400);
    expect(holds(body, "json.syntax"));
    expect_int(post(cx, crib, "/admin/tool/page", "", &body), 200);
    expect_int(test_crib_ask(cx, crib, "POST /admin/tool/page\r\nContent-Type: text/plain", "{}", NULL, &body), 415);
    expect_int(test_crib_ask(cx, crib, "POST /admin/tool/page\r\nContent-Type: application/json; charset=utf-8", "{}",
                             NULL, &body),
               200);
}

void test_api__bodies_are_checked_by_their_schema(void **state)
{
    (void)state;
    run(bodies);
}

static void pages(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/tool/page", "{\"page\":2,\"size\":1,\"sort\":\"name\"}", &body), 200);
    expect(holds(body, "\"name\":\"builtin:note.write\""));
    expect(holds(body, "\"pagination\":{\"page\":2,\"size\":1,\"total\":2}"));
    expect_int(post(cx, crib, "/admin/tool/page", "{\"page\":9223372036854775807,\"size\":200}", &body), 400);
    expect_int(post(cx, crib, "/admin/agent/page", "{\"page\":9223372036854775807,\"size\":200}", &body), 400);
    expect_int(post(cx, crib, "/admin/agent/page", "{\"page\":1000000000,\"size\":200}", &body), 200);
    expect(holds(body, "\"list\":[]"));
    expect_int(post(cx, crib, "/admin/audit/page", "{\"page\":1000000000,\"size\":200}", &body), 200);
}

void test_api__pages_have_bounds(void **state)
{
    (void)state;
    run(pages);
}

static void agents(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"default\",\"version\":1,\"memory\":true}", &body), 200);
    expect(holds(body, "\"version\":2"));
    expect(holds(body, "\"maxSteps\":50")); /* what is not named stays */
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"default\",\"version\":1,\"memory\":false}", &body),
               409);
    expect(holds(body, "store.conflict"));
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"default\",\"guards\":null}", &body), 200);
    expect(!holds(body, "maxSteps"));
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"default\",\"nmae\":\"x\"}", &body), 400);
    expect(holds(body, "name"));
    expect_int(post(cx, crib, "/admin/agent/create", "{\"id\":\"default\",\"name\":\"x\"}", &body), 409);
    expect_int(post(cx, crib, "/admin/agent/update", "{\"id\":\"defualt\",\"name\":\"x\"}", &body), 404);
    expect(holds(body, "Did you mean \\\"default\\\"?"));
}

void test_api__agents_are_edited_by_version(void **state)
{
    (void)state;
    run(agents);
}

static void tools(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/tool/update", "{\"id\":\"builtin:note.echo\",\"status\":0}", &body), 200);
    expect_int(test_crib_ask(cx, crib, "GET /admin/tool/explain?agent=default", NULL, NULL, &body), 200);
    expect(holds(body, "\"reason\":\"globally_disabled\""));
    expect_int(post(cx, crib, "/admin/tool/update", "{\"id\":\"builtin:note.echo\",\"toolset\":\"x\"}", &body), 400);
    expect_int(post(cx, crib, "/admin/tool/update", "{\"id\":\"builtin:note.echo\",\"promptHint\":\"x\"}", &body), 400);
    expect(holds(body, "tool.field_read_only"));
    expect_int(post(cx, crib, "/admin/tool/update", "{\"id\":\"builtin:nothing\",\"status\":0}", &body), 404);
}

void test_api__a_tool_is_switched_and_explained(void **state)
{
    (void)state;
    run(tools);
}

static void program(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    crib->token = test_crib_token(cx, crib, "default");
    expect_int(post(cx, crib, "/v1/tools/call",
                    "{\"name\":\"note_echo\",\"arguments\":{\"text\":\"a\"},\"callId\":\"c1\"}", &body),
               200);
    expect(holds(body, "\"callId\":\"c1\""));
    expect(holds(body, "\"isError\":false"));
    expect_int(post(cx, crib, "/v1/tools/call", "{\"name\":\"note_ekko\"}", &body), 404);
    expect(holds(body, "model.unknown_tool_call"));
    expect_int(post(cx, crib, "/v1/tools/call", "{\"name\":\"note_echo\",\"arguments\":[1]}", &body), 200);
    expect(holds(body, "tool.invalid_arguments"));
    expect_int(test_crib_ask(cx, crib, "GET /v1/tools?format=gopher", NULL, NULL, &body), 400);
    expect_int(test_crib_ask(cx, crib, "GET /v1/results/nothing", NULL, NULL, &body), 404);
    expect_int(test_crib_ask(cx, crib, "GET /v1/results/x?offset=-1", NULL, NULL, &body), 400);
}

void test_api__programs_call_tools(void **state)
{
    (void)state;
    run(program);
}

static void as_admin(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;
    struct tc_audit_row *rows;
    size_t n;

    test_crib_listen(cx, crib);
    expect_int(test_crib_agent(cx, crib, "\"toolsets\":[\"planning\"]"), TC_OK);
    expect_int(post(cx, crib, "/admin/tool/call", "{\"tool\":\"builtin:note.write\"}", &body), 200);
    expect(holds(body, "tool.not_allowed"));
    expect_int(crib->written, 0);
    expect_int(post(cx, crib, "/admin/tool/call", "{\"tool\":\"builtin:note.write\",\"arguments\":{\"times\":\"x\"},"
                                                  "\"asAdmin\":true}",
                    &body),
               200);
    expect(holds(body, "tool.invalid_arguments")); /* authorization only is skipped */
    expect_int(post(cx, crib, "/admin/tool/call", "{\"tool\":\"builtin:note.write\",\"asAdmin\":true}", &body), 200);
    expect_int(crib->written, 1);
    n = test_crib_rows(cx, crib, &rows);
    expect_int(n, 3);
    expect(!rows[0].as_admin && rows[1].as_admin && rows[2].as_admin);
}

void test_api__calling_as_admin_skips_authorization_only_and_is_marked(void **state)
{
    (void)state;
    run(as_admin);
}

static void secrets(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body, viewer;

    test_crib_listen(cx, crib);
    expect_int(post(cx, crib, "/admin/secret/update", "{\"name\":\"key\",\"value\":\"hunter2hunter2\"}", &body), 200);
    expect_int(test_crib_ask(cx, crib, "GET /admin/secret/all", NULL, NULL, &body), 200);
    expect(holds(body, "\"name\":\"key\"") && !holds(body, "hunter2"));
    expect_int(post(cx, crib, "/admin/mcp/create",
                    "{\"name\":\"s\",\"config\":{\"command\":\"x\",\"args\":[\"--depth=3\"],\"env\":{\"A\":\"hunter2\","
                    "\"B\":\"${B}\",\"C\":"
                    "\"${B}hunter2\"}}}",
                    &body),
               200);
    expect(!holds(body, "hunter2"));
    expect(holds(body, "\"B\":\"${B}\""));
    expect_int(test_crib_ask(cx, crib, "GET /admin/mcp/all", NULL, NULL, &body), 200);
    expect(!holds(body, "hunter2"));
    expect_int(post(cx, crib, "/admin/token/create", "{\"role\":\"viewer\"}", &body), 200);
    viewer = tc_str_n(body.p + tc_str_find(body, TC_STR("tcr_")), 47);
    expect_int(test_crib_ask(cx, crib, "GET /admin/token/all", NULL, NULL, &body), 200);
    expect(!holds(body, "tcr_"));
    expect_int(test_crib_ask(cx, crib, "GET /admin/mcp/all", NULL, NULL, &body), 200);
    expect(holds(body, "--depth=3"));
    expect_int(test_crib_ask(cx, crib,
                             tc_arena_printf(cx->arena, "GET /admin/mcp/all\r\nAuthorization: Bearer %.*s",
                                             TC_STR_ARG(viewer))
                                 .p,
                             NULL, NULL, &body),
               200);
    expect(holds(body, "\"command\":\"x\"") && !holds(body, "--depth=3"));
}

void test_api__secrets_go_in_and_never_come_out(void **state)
{
    (void)state;
    run(secrets);
}

static void described(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_json *root = NULL;
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(test_crib_ask(cx, crib, "GET /openapi.json\r\nX-Authorization: none", NULL, NULL, &body), 200);
    expect_int(tc_json_parse_root(cx, body, NULL, &root), TC_OK);
    expect(tc_json_get_c(tc_json_get_c(root, "paths"), "/v1/tools/call") != NULL);
}

void test_api__the_description_is_json(void **state)
{
    (void)state;
    run(described);
}

static void numbers(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_str body;

    test_crib_listen(cx, crib);
    expect_int(test_crib_add(cx, crib, "box"), TC_OK);
    expect_int(test_crib_ask(cx, crib, "GET /metrics", NULL, NULL, &body), 200);
    expect(holds(body, "\ntoolcrib_approvals_waiting 0\n"));
    expect(holds(body, "\ntoolcrib_approvals_total{state=\"approved\"} 0\n"));
    expect(holds(body, "\ntoolcrib_server_up{server=\"box\"} 1\n"));
    expect(holds(body, "\ntoolcrib_server_calls{server=\"box\",state=\"queued\"} 0\n"));
    expect_int(test_crib_ask(cx, crib, "GET /metrics\r\nAuthorization: none", NULL, NULL, &body), 401);
}

void test_api__numbers_are_for_who_may_read(void **state)
{
    (void)state;
    run(numbers);
}
