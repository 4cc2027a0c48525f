/*
 * Scopes as sets.
 */
#include "oauth/scope.h"
#include "support/test.h"

void test_scope__words_are_whole(void **state)
{
    (void)state;
    assert_true(tc_scope_has(TC_STR("a b:c d"), TC_STR("b:c")));
    assert_false(tc_scope_has(TC_STR("ab"), TC_STR("a")));
    assert_false(tc_scope_has(TC_STR(""), TC_STR("a")));
    assert_true(tc_scope_covers(TC_STR("a b c"), TC_STR(" c  a ")));
    assert_false(tc_scope_covers(TC_STR("a b"), TC_STR("a c")));
    assert_true(tc_scope_covers(TC_STR(""), TC_STR("")));
}

void test_scope__join_keeps_order_and_each_word_once(void **state)
{
    struct test_cx t;
    struct tc_str scope;

    (void)state;
    test_cx_init(&t);
    assert_int_equal(tc_scope_join(&t.cx, TC_STR("b  a b"), TC_STR("c a\td\"e"), &scope), TC_OK);
    assert_str(scope, "b a c d e");
    assert_int_equal(tc_scope_join(&t.cx, TC_STR(""), TC_STR(""), &scope), TC_OK);
    assert_str(scope, "");
    test_cx_finish(&t);
}

void test_scope__an_endless_scope_is_refused(void **state)
{
    struct test_cx t;
    struct tc_str scope;
    struct tc_buf buf;

    (void)state;
    test_cx_init(&t);
    tc_buf_init(&buf, 100000);
    for (int i = 0; i < 2000; i++)
        tc_buf_printf(&buf, "scope%d ", i);
    assert_int_equal(tc_scope_join(&t.cx, tc_buf_get(&buf), TC_STR(""), &scope), TC_E_LIMIT);
    tc_buf_finish(&buf);
    test_cx_finish(&t);
}
