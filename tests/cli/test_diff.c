#include "cli/diff.h"
#include "support/test.h"

static const struct tc_cli_look plain = {0};

static void check(const char *before, const char *after, const char *expected)
{
    struct test_cx t;
    struct tc_buf out;

    test_cx_init(&t);
    tc_buf_init(&out, 1024 * 1024);
    assert_int_equal(tc_cli_diff(&t.cx, tc_str_of(before), tc_str_of(after), &plain, &out), TC_OK);
    assert_str(tc_buf_get(&out), expected);
    tc_buf_finish(&out);
    test_cx_finish(&t);
}

void test_diff__equal_texts_show_nothing(void **state)
{
    (void)state;
    check("a\nb\n", "a\nb\n", "");
    check("", "", "");
}

void test_diff__changes_stand_between_their_neighbours(void **state)
{
    (void)state;
    check("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\nX\n5\n6\n7\n", "  2\n  3\n- 4\n+ X\n  5\n  6\n");
    check("a\nb\n", "a\nb\nc\n", "  a\n  b\n+ c\n");
    check("a\nb\nc\n", "b\nc\n", "- a\n  b\n  c\n");
    check("", "new\n", "+ new\n");
    check("old", "", "- old\n");
    check("a\nx\nb\ny\n", "a\nb\nz\ny\n", "  a\n- x\n  b\n+ z\n  y\n");
}

void test_diff__what_cannot_be_compared_is_shown_whole(void **state)
{
    struct test_cx t;
    struct tc_buf before, after, out;
    size_t minus = 0, plus = 0;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&before, 1024 * 1024);
    tc_buf_init(&after, 1024 * 1024);
    tc_buf_init(&out, 1024 * 1024);
    for (int i = 0; i < 2000; i++) {
        tc_buf_printf(&before, "a%d\n", i);
        tc_buf_printf(&after, "b%d\n", i);
    }
    assert_int_equal(tc_cli_diff(&t.cx, tc_buf_get(&before), tc_buf_get(&after), &plain, &out), TC_OK);
    for (size_t i = 0; i < out.n; i++) {
        minus += out.p[i] == '-';
        plus += out.p[i] == '+';
    }
    assert_int_equal(minus, 2000);
    assert_int_equal(plus, 2000);
    tc_buf_finish(&before);
    tc_buf_finish(&after);
    tc_buf_finish(&out);
    test_cx_finish(&t);
}

void test_diff__lines_cannot_steer_the_terminal(void **state)
{
    (void)state;
    check("x\n", "\033[31mx\n", "- x\n+ \xef\xbf\xbd[31mx\n");
}
