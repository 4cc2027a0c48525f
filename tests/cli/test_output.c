#include "cli/output.h"
#include "cli/request.h"
#include "support/test.h"

static const struct tc_cli_look plain = {0};

void test_output__an_error_is_a_sentence_with_its_code_and_a_hint(void **state)
{
    struct tc_error err = {.code = TC_E_TOOL_NOT_FOUND,
                           .message = TC_STR("There is no tool \"x\"."),
                           .hint = TC_STR("toolcrib tools list shows them.")};
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 4096);
    tc_cli_report_text(&out, &err, &plain);
    assert_str(tc_buf_get(&out), "error: There is no tool \"x\". (tool.not_found)\n"
                                 "hint: toolcrib tools list shows them.\n");
    tc_buf_clear(&out);
    err.hint = TC_STR("");
    err.field = TC_STR("/tools/allow");
    tc_cli_report_text(&out, &err, &plain);
    assert_str(tc_buf_get(&out), "error: There is no tool \"x\". (tool.not_found at /tools/allow)\n");
    tc_buf_finish(&out);
}

void test_output__as_json_it_is_one_line(void **state)
{
    struct tc_error err = {.code = TC_E_AGENT_INVALID,
                           .message = TC_STR("a \"b\"\nc"),
                           .field = TC_STR("/x"),
                           .details = TC_STR("{\"n\":1}")};
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 4096);
    tc_cli_report_json(&out, &err);
    assert_str(tc_buf_get(&out), "{\"error\":{\"code\":\"agent.invalid\",\"message\":\"a \\\"b\\\"\\nc\","
                                 "\"field\":\"/x\",\"details\":{\"n\":1}}}\n");
    tc_buf_finish(&out);
}

static const struct tc_json *json(struct test_cx *t, const char *text)
{
    const struct tc_json *root;

    assert_int_equal(tc_json_parse_root(&t->cx, tc_str_of(text), NULL, &root), TC_OK);
    return root;
}

void test_output__pieces_of_json_read_as_text(void **state)
{
    struct test_cx t;
    const struct tc_json *root;

    (void)state;
    test_cx_init(&t);
    root = json(&t, "{\"s\":\"a b\",\"n\":1.50,\"o\":{\"k\":[1]},\"z\":null,\"l\":[\"a\",2,\"c\"]}");
    assert_str(tc_cli_member(&t.arena, root, "s"), "a b");
    assert_str(tc_cli_member(&t.arena, root, "n"), "1.50");
    assert_str(tc_cli_member(&t.arena, root, "o"), "{\"k\":[1]}");
    assert_str(tc_cli_member(&t.arena, root, "z"), "");
    assert_str(tc_cli_member(&t.arena, root, "absent"), "");
    assert_str(tc_cli_join(&t.arena, tc_json_get_c(root, "l")), "a, 2, c");
    assert_str(tc_cli_join(&t.arena, NULL), "");
    test_cx_finish(&t);
}

void test_output__refusals_keep_code_hint_field_and_exit_code(void **state)
{
    struct test_cx t;
    enum tc_err e;

    (void)state;
    test_cx_init(&t);
    e = tc_cli_refusal(&t.cx, 409,
                       json(&t, "{\"error\":{\"code\":\"store.conflict\",\"message\":\"Changed since.\","
                                "\"hint\":\"Read it again.\",\"field\":\"/version\",\"details\":[1]}}"));
    assert_int_equal(e, TC_E_STORE_CONFLICT);
    assert_int_equal(tc_err_info(e)->exit_code, 5);
    assert_str(t.cx.err.message, "Changed since.");
    assert_str(t.cx.err.hint, "Read it again.");
    assert_str(t.cx.err.field, "/version");
    assert_str(t.cx.err.details, "[1]");
    test_cx_finish(&t);
}

void test_output__an_unknown_code_is_judged_by_its_status(void **state)
{
    static const struct {
        int status, exit_code;
    } rows[] = {{400, 2}, {401, 3}, {403, 3}, {404, 4}, {409, 5}, {413, 3}, {503, 6}, {500, 70}};
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum tc_err e = tc_cli_refusal(&t.cx, rows[i].status,
                                       json(&t, "{\"error\":{\"code\":\"future.code\",\"message\":\"m\"}}"));
        assert_int_equal(tc_err_info(e)->exit_code, rows[i].exit_code);
        assert_str(t.cx.err.message, "m");
        assert_int_equal(tc_cli_refusal(&t.cx, rows[i].status, NULL), e);
    }
    test_cx_finish(&t);
}

void test_output__exit_codes_of_the_contract(void **state)
{
    static const struct {
        const char *name;
        int exit_code;
    } rows[] = {
        {"usage", 2},
        {"tool.not_allowed", 3},
        {"tool.invalid_arguments", 1},
        {"mcp.tool_error", 1},
        {"model.unknown_tool_call", 4},
        {"tool.not_found", 4},
        {"agent.not_found", 4},
        {"store.conflict", 5},
        {"store.locked", 5},
        {"daemon.unavailable", 6},
        {"mcp.not_sent", 6},
        {"mcp.call_outcome_unknown", 7},
        {"internal", 70},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum tc_err code = tc_err_find(tc_str_of(rows[i].name));
        assert_int_not_equal(code, TC_OK);
        assert_int_equal(tc_err_info(code)->exit_code, rows[i].exit_code);
    }
}

void test_output__urls_encode_what_is_asked(void **state)
{
    const struct tc_cli_query query[] = {
        {"id", TC_STR_INIT("mcp/a b:c&d")}, {"agent", {NULL, 0}}, {"style", TC_STR_INIT("工")}, {NULL, {NULL, 0}}};
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(tc_cli_url(&t.cx, "/admin/tool/info", query),
               "http://localhost/admin/tool/info?id=mcp%2Fa%20b%3Ac%26d&style=%E5%B7%A5");
    assert_str(tc_cli_url(&t.cx, "/admin/tool/all", NULL), "http://localhost/admin/tool/all");
    test_cx_finish(&t);
}
