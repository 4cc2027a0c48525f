#include "api/audit_row.h"
#include "support/test.h"

static struct tc_audit_row a_row(void)
{
    return (struct tc_audit_row){
        .id = TC_STR("c1"),
        .at = 1767323045006,
        .state = TC_STR("done"),
        .surface = TC_STR("cli"),
        .principal_kind = TC_STR("socket"),
        .principal_id = TC_STR("uid-0"),
        .agent = TC_STR("a"),
        .invocation = TC_STR("i"),
        .call_id = TC_STR("x,\"y\""),
        .tool_id = TC_STR("builtin:dice.roll"),
        .call_name = TC_STR("dice_roll"),
        .gate = TC_STR("ok"),
        .canonical = TC_STR("{\"d\":\"1d6\"}"),
        .wait_us = 1,
        .exec_us = 2,
        .total_us = 3,
        .result_bytes = 12,
    };
}

static struct tc_str csv_of(struct test_cx *t, const struct tc_audit_row *row, bool bodies)
{
    struct tc_buf out;
    struct tc_str text;

    tc_buf_init(&out, 64 * 1024);
    tc_audit_row_csv(&out, row, bodies);
    text = tc_buf_dup(&out, &t->arena);
    tc_buf_finish(&out);
    return text;
}

void test_audit_row__csv_is_quoted_where_needed(void **state)
{
    struct tc_audit_row row = a_row();
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    assert_str(csv_of(&t, &row, true),
               "c1,2026-01-02T03:04:05.006Z,done,cli,socket,uid-0,false,a,,i,\"x,\"\"y\"\"\",builtin:dice.roll,"
               "dice_roll,ok,,,,false,,12,,1,2,3,ok,false,\"{\"\"d\"\":\"\"1d6\"\"}\"\r\n");
    assert_str(csv_of(&t, &row, false),
               "c1,2026-01-02T03:04:05.006Z,done,cli,socket,uid-0,false,a,,i,\"x,\"\"y\"\"\",builtin:dice.roll,"
               "dice_roll,ok,,,,false,,12,,1,2,3,ok,false,\r\n");
    test_cx_finish(&t);
}

void test_audit_row__csv_holds_no_formula(void **state)
{
    static const char *const cases[][2] = {
        {"=1+1", ",\"'=1+1\","},           {"+49", ",\"'+49\","},        {"-2", ",\"'-2\","},
        {"@SUM(A1)", ",\"'@SUM(A1)\","},   {"\t=1", ",\"'\t=1\","},     {"\r=1", ",\"'\r=1\","},
        {"=\"a\"", ",\"'=\"\"a\"\"\","},   {"a=1", ",a=1,"},           {"1-2", ",1-2,"},
        {"a\nb", ",\"a\nb\","},
    };
    struct tc_audit_row row = a_row();
    struct test_cx t;

    (void)state;
    test_cx_init(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        row.call_name = tc_str_of(cases[i][0]);
        if (tc_str_find(csv_of(&t, &row, true), tc_str_of(cases[i][1])) == SIZE_MAX)
            fail_msg("\"%s\" is not written as %s", cases[i][0], cases[i][1]);
    }
    test_cx_finish(&t);
}

void test_audit_row__heads_and_rows_have_the_same_columns(void **state)
{
    const struct tc_audit_row row = {.at = 1};
    size_t heads = 0, cells = 0;
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 64 * 1024);
    tc_audit_row_csv_head(&out);
    for (size_t i = 0; i < out.n; i++)
        heads += out.p[i] == ',';
    tc_buf_clear(&out);
    tc_audit_row_csv(&out, &row, true);
    for (size_t i = 0; i < out.n; i++)
        cells += out.p[i] == ',';
    assert_int_equal(cells, heads);
    assert_true(heads > 20);
    tc_buf_finish(&out);
}
