#include "support/test.h"

#include "runtime/server_history.h"

enum { MINUTE = 60 * 1000 };

static size_t read(struct test_cx *test, const struct tc_server_history *h, int64_t after, struct tc_server_line **ret)
{
    size_t n;

    assert_int_equal(tc_server_history_lines(&test->cx, h, after, ret, &n), TC_OK);
    return n;
}

void test_server_history__lines_have_numbers_and_the_oldest_go(void **state)
{
    struct tc_server_history h = {0};
    struct tc_server_line *lines;
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(read(&test, &h, 0, &lines), 0);
    for (int i = 1; i <= TC_SERVER_LINES_MAX + 20; i++)
        tc_server_history_say(&h, i, "info", "stderr", tc_arena_printf(&test.arena, "line %d", i));
    assert_int_equal(read(&test, &h, 0, &lines), TC_SERVER_LINES_MAX);
    assert_int_equal(lines[0].seq, 21);
    assert_str(lines[0].text, "line 21");
    assert_int_equal(lines[TC_SERVER_LINES_MAX - 1].at, TC_SERVER_LINES_MAX + 20);
    assert_int_equal(read(&test, &h, TC_SERVER_LINES_MAX + 19, &lines), 1);
    assert_str(lines[0].text, "line 520");
    assert_int_equal(read(&test, &h, TC_SERVER_LINES_MAX + 20, &lines), 0);
    tc_server_history_finish(&h);
    tc_server_history_finish(&h);
    test_cx_finish(&test);
}

void test_server_history__texts_are_bounded_each_and_together(void **state)
{
    struct tc_server_history h = {0};
    struct tc_server_line *lines;
    struct test_cx test;
    char *text;
    size_t n, bytes = 0;
    (void)state;

    test_cx_init(&test);
    text = tc_arena_alloc(&test.arena, TC_SERVER_LINE_BYTES + 1);
    memset(text, 'x', TC_SERVER_LINE_BYTES + 1);
    memcpy(text + TC_SERVER_LINE_BYTES - 1, "é", 2); /* cut before it, not in it */
    for (int i = 0; i < 100; i++)
        tc_server_history_say(&h, 1, "info", "stderr", tc_str_n(text, TC_SERVER_LINE_BYTES + 1));
    n = read(&test, &h, 0, &lines);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(lines[i].text.n, TC_SERVER_LINE_BYTES - 1);
        bytes += lines[i].text.n;
    }
    assert_true(bytes <= TC_SERVER_LINES_BYTES && bytes > TC_SERVER_LINES_BYTES - TC_SERVER_LINE_BYTES);
    assert_int_equal(lines[n - 1].seq, 100);
    tc_server_history_say(&h, 2, "info", "stderr", TC_STR(""));
    assert_int_equal(read(&test, &h, 100, &lines), 1);
    assert_int_equal(lines[0].text.n, 0);
    tc_server_history_finish(&h);
    test_cx_finish(&test);
}

void test_server_history__minutes_have_median_and_state(void **state)
{
    struct tc_server_minute m[TC_SERVER_MINUTES];
    struct tc_server_history h = {0};
    const int64_t now = (int64_t)1000 * MINUTE + 5000;
    (void)state;

    tc_server_history_minutes(&h, now, m);
    assert_int_equal(m[29].minute, 1000);
    assert_int_equal(m[0].minute, 971);
    assert_null(m[29].state);
    assert_int_equal(m[29].ms, -1);

    tc_server_history_state(&h, now - 3 * MINUTE, "up", TC_STR(""));
    tc_server_history_list(&h, now - 3 * MINUTE, 40);
    tc_server_history_call(&h, now - MINUTE, 10, false);
    tc_server_history_call(&h, now - MINUTE, 300, true);
    tc_server_history_call(&h, now - MINUTE, 20, false);
    tc_server_history_state(&h, now, "up", TC_STR(""));
    tc_server_history_state(&h, now, "down", TC_STR(""));
    tc_server_history_minutes(&h, now, m);
    assert_null(m[25].state);
    assert_string_equal(m[26].state, "up");
    assert_int_equal(m[26].ms, 40);
    assert_string_equal(m[27].state, "up"); /* as before */
    assert_int_equal(m[27].ms, -1);
    assert_int_equal(m[28].ms, 20);
    assert_int_equal(m[28].calls, 3);
    assert_int_equal(m[28].errors, 1);
    assert_string_equal(m[29].state, "down");
}

void test_server_history__a_state_from_before_the_window_holds(void **state)
{
    struct tc_server_minute m[TC_SERVER_MINUTES];
    struct tc_server_history h = {0};
    const int64_t then = (int64_t)1000 * MINUTE;
    (void)state;

    tc_server_history_state(&h, then, "up", TC_STR(""));
    tc_server_history_minutes(&h, then + (int64_t)500 * MINUTE, m);
    assert_string_equal(m[0].state, "up"); /* nothing since: it is still in its slot */
    tc_server_history_call(&h, then + 30 * MINUTE, 5, false); /* in the place of that minute */
    tc_server_history_minutes(&h, then + 30 * MINUTE, m);
    assert_string_equal(m[0].state, "up");
    assert_string_equal(m[29].state, "up");
    assert_int_equal(m[29].calls, 1);
}

void test_server_history__spans_last_from_a_state_to_the_next(void **state)
{
    struct tc_server_history h = {0};
    struct tc_server_span *spans;
    struct test_cx test;
    size_t n;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_server_history_spans(&test.cx, &h, &spans, &n), TC_OK);
    assert_int_equal(n, 0);
    tc_server_history_state(&h, 1000, "up", TC_STR(""));
    tc_server_history_state(&h, 2000, "up", TC_STR(""));
    tc_server_history_state(&h, 3000, "down", TC_STR("exit 1"));
    tc_server_history_state(&h, 4000, "down", TC_STR("exit 2"));
    tc_server_history_state(&h, 5000, "idle", TC_STR(""));
    assert_int_equal(tc_server_history_spans(&test.cx, &h, &spans, &n), TC_OK);
    assert_int_equal(n, 3);
    assert_string_equal(spans[0].state, "up");
    assert_int_equal(spans[0].from, 1000);
    assert_int_equal(spans[0].to, 3000);
    assert_int_equal(spans[0].error.n, 0);
    assert_string_equal(spans[1].state, "down");
    assert_int_equal(spans[1].from, 3000);
    assert_int_equal(spans[1].to, 5000);
    assert_str(spans[1].error, "exit 2");
    assert_string_equal(spans[2].state, "idle");
    assert_int_equal(spans[2].to, 0);

    for (int i = 0; i < 100; i++) /* the oldest go */
        tc_server_history_state(&h, 6000 + i, i % 2 ? "up" : "down", i % 2 ? TC_STR("") : TC_STR("exit 3"));
    assert_int_equal(tc_server_history_spans(&test.cx, &h, &spans, &n), TC_OK);
    assert_int_equal(n, TC_SERVER_SPANS);
    assert_int_equal(spans[0].from, 6068);
    assert_int_equal(spans[0].to, 6069);
    assert_str(spans[0].error, "exit 3");
    assert_int_equal(spans[31].from, 6099);
    assert_int_equal(spans[31].to, 0);
    assert_int_equal(spans[31].error.n, 0);
    tc_server_history_finish(&h);
    test_cx_finish(&test);
}

void test_server_history__of_many_calls_the_last_count(void **state)
{
    struct tc_server_minute m[TC_SERVER_MINUTES];
    struct tc_server_history h = {0};
    (void)state;

    for (int i = 0; i < 1000; i++)
        tc_server_history_call(&h, MINUTE, i < 900 ? 1000 : 7, false);
    tc_server_history_minutes(&h, MINUTE, m);
    assert_int_equal(m[29].calls, 1000);
    assert_int_equal(m[29].ms, 7);
}
