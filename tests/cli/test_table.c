#include "cli/table.h"
#include "base/mem.h"
#include "support/test.h"

static const struct tc_cli_look plain = {0};

void test_table__wide_characters_take_two_columns_and_combining_ones_none(void **state)
{
    (void)state;
    assert_int_equal(tc_cli_width(TC_STR("abc")), 3);
    assert_int_equal(tc_cli_width(TC_STR("工具")), 4);
    assert_int_equal(tc_cli_width(TC_STR("カタ")), 4);
    assert_int_equal(tc_cli_width(TC_STR("한글")), 4);
    assert_int_equal(tc_cli_width(TC_STR("é")), 1);
    assert_int_equal(tc_cli_width(TC_STR("e\xcc\x81")), 1);
    assert_int_equal(tc_cli_width(TC_STR("🎲")), 2);
    assert_int_equal(tc_cli_width(TC_STR("")), 0);
}

void test_table__columns_are_aligned_by_width(void **state)
{
    struct test_cx t;
    struct tc_cli_table table;
    struct tc_buf out;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 4096);
    tc_cli_table_init(&table, &t.arena, "NAME|STATE|NOTE");
    tc_cli_table_add(&table, TC_STR("工具"));
    tc_cli_table_add(&table, TC_STR("up"));
    tc_cli_table_add(&table, TC_STR("x"));
    tc_cli_table_add(&table, TC_STR("long-name"));
    tc_cli_table_add(&table, TC_STR("down"));
    tc_cli_table_add(&table, TC_STR(""));
    assert_int_equal(tc_cli_table_print(&t.cx, &table, &plain, &out), TC_OK);
    assert_str(tc_buf_get(&out), "NAME       STATE  NOTE\n"
                                 "工具       up     x\n"
                                 "long-name  down\n");
    tc_buf_finish(&out);
    test_cx_finish(&t);
}

void test_table__many_rows_keep_their_order(void **state)
{
    struct test_cx t;
    struct tc_cli_table table;
    struct tc_buf out, expected;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 64 * 1024);
    tc_buf_init(&expected, 64 * 1024);
    tc_cli_table_init(&table, &t.arena, "A|B");
    tc_buf_cstr(&expected, "A    B\n");
    for (int i = 100; i < 400; i++) {
        struct tc_str n = tc_arena_printf(&t.arena, "%d", i);
        tc_cli_table_add(&table, n);
        tc_cli_table_add(&table, n);
        tc_buf_printf(&expected, "%d  %d\n", i, i);
    }
    assert_int_equal(tc_cli_table_print(&t.cx, &table, &plain, &out), TC_OK);
    test_assert_str(tc_buf_get(&out), tc_buf_get(&expected), __FILE__, __LINE__);
    tc_buf_finish(&out);
    tc_buf_finish(&expected);
    test_cx_finish(&t);
}

void test_table__the_last_column_is_cut_at_the_width_of_the_terminal(void **state)
{
    const struct tc_cli_look narrow = {.terminal = true, .width = 14};
    struct test_cx t;
    struct tc_cli_table table;
    struct tc_buf out;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 4096);
    tc_cli_table_init(&table, &t.arena, "A|TEXT");
    tc_cli_table_add(&table, TC_STR("x"));
    tc_cli_table_add(&table, TC_STR("12345678901"));
    tc_cli_table_add(&table, TC_STR("y"));
    tc_cli_table_add(&table, TC_STR("123456789012"));
    tc_cli_table_add(&table, TC_STR("z"));
    tc_cli_table_add(&table, TC_STR("工具工具工具"));
    assert_int_equal(tc_cli_table_print(&t.cx, &table, &narrow, &out), TC_OK);
    assert_str(tc_buf_get(&out), "A  TEXT\n"
                                 "x  12345678901\n"
                                 "y  1234567890…\n"
                                 "z  工具工具工…\n");
    tc_buf_finish(&out);
    test_cx_finish(&t);
}

void test_table__colour_surrounds_the_text_and_not_the_gap(void **state)
{
    const struct tc_cli_look colour = {.terminal = true, .colour = true};
    struct test_cx t;
    struct tc_cli_table table;
    struct tc_buf out;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&out, 4096);
    tc_cli_table_init(&table, &t.arena, "S|N");
    tc_cli_table_add_in(&table, TC_STR("up"), TC_CLI_GREEN);
    tc_cli_table_add(&table, TC_STR("1"));
    assert_int_equal(tc_cli_table_print(&t.cx, &table, &colour, &out), TC_OK);
    assert_str(tc_buf_get(&out), "\033[1mS\033[0m   \033[1mN\033[0m\n\033[32mup\033[0m  1\n");
    tc_buf_finish(&out);
    test_cx_finish(&t);
}

void test_table__text_from_outside_cannot_steer_the_terminal(void **state)
{
    struct tc_buf out;

    (void)state;
    tc_buf_init(&out, 4096);
    tc_cli_safe(&out, TC_STR("a\033[2Jb\x07" "c\xc2\x9b" "d\xe2\x80\xae" "e\xff" "f\n\tg\r"), false);
    assert_str(tc_buf_get(&out), "a\xef\xbf\xbd[2Jb\xef\xbf\xbd" "c\xef\xbf\xbd" "d\xef\xbf\xbd" "e\xef\xbf\xbd"
                                 "f  g ");
    tc_buf_clear(&out);
    tc_cli_safe(&out, TC_STR("a\n\tb\rc 工\xef\xbf\xbd"), true);
    assert_str(tc_buf_get(&out), "a\n\tb\xef\xbf\xbd" "c 工\xef\xbf\xbd");
    tc_buf_finish(&out);
}

static enum tc_err fill_and_print(struct tc_buf *out)
{
    struct test_cx t;
    struct tc_cli_table table;
    enum tc_err e;

    test_cx_init(&t);
    tc_cli_table_init(&table, &t.arena, "A|B");
    for (int i = 0; i < 200; i++)
        tc_cli_table_add(&table, TC_STR("a\tcell of some length"));
    e = tc_cli_table_print(&t.cx, &table, &plain, out);
    test_cx_finish(&t);
    return e;
}

void test_table__running_out_of_memory_is_told(void **state)
{
    bool whole = false;

    (void)state;
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (size_t nth = 1; !whole; nth++) {
        struct tc_buf out;
        enum tc_err e;
        tc_buf_init(&out, 64 * 1024);
        tc_mem_fail_at(nth, false);
        e = fill_and_print(&out);
        tc_mem_fail_at(0, false);
        assert_true(e == TC_OK || e == TC_E_NO_MEMORY);
        whole = e == TC_OK && !out.failed;
        if (whole)
            assert_int_equal(out.n, 25 + 100 * (2 * 21 + 2 + 1));
        tc_buf_finish(&out);
        assert_true(nth < 2000);
    }
}
