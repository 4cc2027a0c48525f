#include "support/tools.h"

#include "runtime/guards.h"

static const struct tc_json *object(struct test_cx *t, const char *text)
{
    const struct tc_json *root = NULL;

    assert_int_equal(tc_json_parse_root(&t->cx, test_quotes(t, text), NULL, &root), TC_OK);
    return root;
}

void test_guards__arguments_count_as_what_they_are(void **state)
{
    struct test_cx t;
    struct tc_guards guards;
    struct tc_descriptor *tool, *other;
    (void)state;

    test_cx_init(&t);
    tool = test_named_tool(&t, TEST_UUID, "box", "one");
    other = test_named_tool(&t, TEST_UUID, "box", "two");
    tc_guards_init(&guards, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tc_guards_check(&t.cx, &guards, tool, object(&t, "{'a':1,'b':2}")), TC_OK);
        assert_int_equal(tc_guards_answered(&t.cx, &guards, tool, object(&t, "{'b':2,'a':1}"), TC_STR("x"), false),
                         TC_OK);
    }
    assert_int_equal(tc_guards_check(&t.cx, &guards, tool, object(&t, "{'a':1,'b':2}")), TC_E_AGENT_SAME_CALL);
    assert_int_equal(tc_guards_check(&t.cx, &guards, tool, object(&t, "{'a':1,'b':3}")), TC_OK);
    assert_int_equal(tc_guards_check(&t.cx, &guards, other, object(&t, "{'a':1,'b':2}")), TC_OK);
    tc_guards_finish(&guards);
    test_cx_finish(&t);
}

void test_guards__another_result_or_a_change_begins_anew(void **state)
{
    struct test_cx t;
    struct tc_guards guards;
    struct tc_descriptor *tool, *other;
    const struct tc_json *none;
    (void)state;

    test_cx_init(&t);
    tool = test_named_tool(&t, TEST_UUID, "box", "one");
    other = test_named_tool(&t, TEST_UUID, "box", "two");
    none = object(&t, "{}");
    tc_guards_init(&guards, 2);
    assert_int_equal(tc_guards_answered(&t.cx, &guards, tool, none, TC_STR("x"), false), TC_OK);
    assert_int_equal(tc_guards_answered(&t.cx, &guards, tool, none, TC_STR("y"), false), TC_OK);
    assert_int_equal(tc_guards_check(&t.cx, &guards, tool, none), TC_OK);
    assert_int_equal(tc_guards_answered(&t.cx, &guards, tool, none, TC_STR("y"), false), TC_OK);
    assert_int_equal(tc_guards_check(&t.cx, &guards, tool, none), TC_E_AGENT_SAME_CALL);
    assert_int_equal(tc_guards_answered(&t.cx, &guards, other, none, TC_STR("z"), true), TC_OK);
    assert_int_equal(tc_guards_check(&t.cx, &guards, tool, none), TC_OK);
    /* what it changes itself does not excuse it */
    assert_int_equal(tc_guards_answered(&t.cx, &guards, other, none, TC_STR("z"), true), TC_OK);
    assert_int_equal(tc_guards_check(&t.cx, &guards, other, none), TC_E_AGENT_SAME_CALL);
    tc_guards_finish(&guards);
    tc_guards_init(&guards, 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(tc_guards_answered(&t.cx, &guards, tool, none, TC_STR("x"), false), TC_OK);
    assert_int_equal(tc_guards_check(&t.cx, &guards, tool, none), TC_OK);
    tc_guards_finish(&guards);
    test_cx_finish(&t);
}
