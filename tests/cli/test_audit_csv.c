#include "cli/audit_csv.h"
#include "support/test.h"

void test_audit_csv__rows_are_quoted_where_needed(void **state)
{
    const struct tc_json *row;
    struct test_cx t;
    struct tc_buf out;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 64 * 1024);
    assert_int_equal(
        tc_json_parse_root(&t.cx,
                           TC_STR("{\"id\":\"c1\",\"at\":\"2026-01-02T03:04:05.006Z\",\"state\":\"done\",\"surface\":"
                                  "\"cli\",\"principal\":{\"kind\":\"socket\",\"id\":\"uid-0\"},\"asAdmin\":false,"
                                  "\"agent\":\"a\",\"run\":null,\"invocation\":\"i\",\"callId\":\"x,\\\"y\\\"\","
                                  "\"toolId\":\"builtin:dice.roll\",\"callName\":\"dice_roll\",\"verdicts\":{\"gate\":"
                                  "\"ok\"},\"result\":{\"isError\":false,\"errorCode\":null,\"bytes\":12},\"timing\":{"
                                  "\"waitUs\":1,\"execUs\":2,\"totalUs\":3},\"arguments\":{\"canonical\":{\"d\":\"1d6"
                                  "\"}}}"),
                           NULL, &row),
        TC_OK);
    tc_cli_audit_csv_row(&out, &t.arena, row);
    assert_str(tc_buf_get(&out),
               "c1,2026-01-02T03:04:05.006Z,done,cli,socket,uid-0,false,a,,i,\"x,\"\"y\"\"\",builtin:dice.roll,"
               "dice_roll,ok,,,,false,,12,,1,2,3,\"{\"\"d\"\":\"\"1d6\"\"}\"\r\n");
    tc_buf_finish(&out);
    test_cx_finish(&t);
}

void test_audit_csv__heads_and_rows_have_the_same_columns(void **state)
{
    const struct tc_json *row;
    size_t heads = 0, cells = 0;
    struct test_cx t;
    struct tc_buf out;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 64 * 1024);
    tc_cli_audit_csv_head(&out);
    for (size_t i = 0; i < out.n; i++)
        heads += out.p[i] == ',';
    tc_buf_clear(&out);
    assert_int_equal(tc_json_parse_root(&t.cx, TC_STR("{}"), NULL, &row), TC_OK);
    tc_cli_audit_csv_row(&out, &t.arena, row);
    for (size_t i = 0; i < out.n; i++)
        cells += out.p[i] == ',';
    assert_int_equal(cells, heads);
    assert_true(heads > 20);
    tc_buf_finish(&out);
    test_cx_finish(&t);
}
