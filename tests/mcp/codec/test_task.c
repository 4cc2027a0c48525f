#include "support/test.h"

#include "mcp/codec/task.h"

static const struct tc_json *parse(struct test_cx *test, const char *text)
{
    const struct tc_json *v;

    assert_int_equal(tc_json_parse_root(&test->cx, tc_str_of(text), NULL, &v), TC_OK);
    return v;
}

void test_task__reads_both_wires(void **state)
{
    struct test_cx test;
    struct tc_mcp_task task;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_mcp_task_read(&test.cx,
                                      parse(&test, "{\"taskId\":\"a\",\"status\":\"working\",\"pollInterval\":20,"
                                                   "\"ttl\":null,\"statusMessage\":\"half\"}"),
                                      &task),
                     TC_OK);
    assert_str(task.id, "a");
    assert_int_equal(task.status, TC_MCP_TASK_WORKING);
    assert_int_equal(task.poll_ms, 20);
    assert_str(task.message, "half");
    assert_int_equal(tc_mcp_task_read(&test.cx,
                                      parse(&test, "{\"taskId\":\"b\",\"status\":\"completed\",\"pollIntervalMs\":7,"
                                                   "\"result\":{\"content\":[]}}"),
                                      &task),
                     TC_OK);
    assert_int_equal(task.status, TC_MCP_TASK_COMPLETED);
    assert_int_equal(task.poll_ms, 7);
    assert_non_null(task.result);
    assert_int_equal(tc_mcp_task_read(&test.cx,
                                      parse(&test, "{\"taskId\":\"c\",\"status\":\"failed\",\"pollIntervalMs\":-1}"),
                                      &task),
                     TC_OK);
    assert_int_equal(task.poll_ms, 0);
    test_cx_finish(&test);
}

void test_task__refuses_what_is_no_task(void **state)
{
    static const char *const rows[] = {
        "{}",
        "7",
        "{\"taskId\":\"\",\"status\":\"working\"}",
        "{\"taskId\":7,\"status\":\"working\"}",
        "{\"taskId\":\"a\"}",
        "{\"taskId\":\"a\",\"status\":\"Working\"}",
        "{\"taskId\":\"a\",\"status\":[]}",
    };
    struct test_cx test;
    struct tc_mcp_task task;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(tc_mcp_task_read(&test.cx, parse(&test, rows[i]), &task), TC_E_MCP_UNSUPPORTED_RESPONSE);
    test_cx_finish(&test);
}
