#include "contract/store_contract.h"

#include "stores/record.h"

struct bed {
    struct test_cx test;
    struct tc_buf text;
    struct tc_audit_row row;
    struct tc_result_row result;
};

static void bed_init(struct bed *bed)
{
    test_cx_init(&bed->test);
    tc_buf_init(&bed->text, 1 << 20);
    bed->row = store_contract_audit_row(&bed->test.cx, 7);
    bed->result = store_contract_result_row(&bed->test.cx, 7);
}

static void bed_finish(struct bed *bed)
{
    tc_buf_finish(&bed->text);
    test_cx_finish(&bed->test);
}

void test_record__every_column_comes_back(void **state)
{
    struct bed bed;
    struct tc_record record;
    (void)state;

    bed_init(&bed);
    tc_record_write(&bed.text, TC_RECORD_ADD, &bed.row, &bed.result);
    assert_true(tc_record_read(tc_buf_get(&bed.text), &record));
    assert_int_equal(record.kind, TC_RECORD_ADD);
    assert_true(record.has_result);
    assert_true(tc_rows_equal(&tc_rows_audit, &record.row, &bed.row));
    assert_true(tc_rows_equal(&tc_rows_result, &record.result, &bed.result));
    bed_finish(&bed);
}

void test_record__an_end_has_what_finishing_sets(void **state)
{
    struct bed bed;
    struct tc_record record;
    (void)state;

    bed_init(&bed);
    tc_record_write(&bed.text, TC_RECORD_FINISH, &bed.row, NULL);
    assert_true(tc_record_read(tc_buf_get(&bed.text), &record));
    assert_int_equal(record.kind, TC_RECORD_FINISH);
    assert_false(record.has_result);
    assert_true(tc_rows_equal(&tc_rows_audit_end, &record.row, &bed.row));
    assert_int_equal(record.row.tool_id.n, 0);
    bed_finish(&bed);
}

void test_record__nothing_shorter_or_longer_is_taken(void **state)
{
    struct bed bed;
    struct tc_record record;
    struct tc_str text;
    (void)state;

    bed_init(&bed);
    tc_record_write(&bed.text, TC_RECORD_ADD, &bed.row, &bed.result);
    text = tc_buf_get(&bed.text);
    for (size_t n = 0; n < text.n; n++)
        assert_false(tc_record_read(tc_str_n(text.p, n), &record));
    tc_buf_char(&bed.text, 'x');
    assert_false(tc_record_read(tc_buf_get(&bed.text), &record));
    bed.text.p[0] = 9;
    assert_false(tc_record_read(text, &record));
    bed_finish(&bed);
}
