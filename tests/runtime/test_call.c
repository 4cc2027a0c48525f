/*
 * The call as a handler uses it: copies, order, limits.
 */
#include "support/test.h"

#include "base/mem.h"
#include "runtime/call.h"

struct fixture {
    struct test_cx test;
    struct tc_call call;
};

static void start(struct fixture *f)
{
    test_cx_init(&f->test);
    tc_call_init(&f->call, &f->test.arena, NULL);
}

static void end(struct fixture *f)
{
    tc_call_finish(&f->call);
    tc_call_finish(&f->call); /* twice is fine */
    test_cx_finish(&f->test);
}

static struct tc_str name_of(void *arg, struct tc_str tool_id)
{
    return tc_str_is(tool_id, "builtin:a.b") ? tc_str_of(arg) : TC_STR("");
}

void test_call__is_empty_at_first(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    assert_null(tc_call_arguments(&f.call));
    assert_null(tc_call_workspace(&f.call));
    assert_null(tc_call_plan(&f.call));
    assert_str(tc_call_name_of(&f.call, "builtin:a.b"), "");
    f.call.name_of = name_of;
    f.call.name_arg = "a_b";
    assert_str(tc_call_name_of(&f.call, "builtin:a.b"), "a_b");
    assert_str(tc_call_name_of(&f.call, "builtin:other"), "");
    end(&f);
}

void test_call__copies_what_it_is_given(void **state)
{
    char text[] = "one", json[] = "{}", ref[] = "p";
    struct fixture f;
    (void)state;

    start(&f);
    assert_int_equal(tc_call_text(&f.test.cx, &f.call, tc_str_of(text)), TC_OK);
    assert_int_equal(tc_call_printf(&f.test.cx, &f.call, "-%d", 2), TC_OK);
    assert_int_equal(tc_call_structured(&f.test.cx, &f.call, tc_str_of(json)), TC_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(tc_call_resource(&f.test.cx, &f.call, tc_str_of(ref)), TC_OK);
    text[0] = json[0] = ref[0] = '!';
    tc_call_effect(&f.call, TC_EFFECT_FILE_WRITTEN, TC_STR("p"));
    assert_str(tc_buf_get(&f.call.text), "one-2");
    assert_str(f.call.structured, "{}");
    assert_int_equal(f.call.resources_n, 20);
    assert_str(f.call.resources[0], "p");
    assert_str(f.call.resources[19], "p");
    assert_int_equal(f.call.effect, TC_EFFECT_FILE_WRITTEN);
    assert_str(f.call.subject, "p");
    end(&f);
}

void test_call__bounds_text_and_resources(void **state)
{
    struct fixture f;
    char *big = tc_mem_zalloc(1, TC_CALL_TEXT_MAX);
    (void)state;

    start(&f);
    assert_int_equal(tc_call_text(&f.test.cx, &f.call, tc_str_n(big, TC_CALL_TEXT_MAX - 1)), TC_OK);
    assert_int_equal(tc_call_text(&f.test.cx, &f.call, TC_STR("ab")), TC_E_TOOL_RESULT_TOO_LARGE);
    assert_int_equal(tc_call_text(&f.test.cx, &f.call, TC_STR("a")), TC_OK);
    assert_int_equal(tc_call_text(&f.test.cx, &f.call, TC_STR("")), TC_OK);
    for (int i = 0; i < TC_CALL_RESOURCES_MAX; i++)
        assert_int_equal(tc_call_resource(&f.test.cx, &f.call, TC_STR("r")), TC_OK);
    assert_int_equal(tc_call_resource(&f.test.cx, &f.call, TC_STR("r")), TC_E_LIMIT);
    tc_mem_free(big);
    end(&f);
}

void test_call__measures_and_rolls(void **state)
{
    struct fixture f;
    bool seen[3] = {false};
    (void)state;

    start(&f);
    assert_int_equal(tc_call_measure(TC_STR("ab 中文 c")).chars, 7);
    assert_int_equal(tc_call_measure(TC_STR("ab 中文 c")).words, 4);
    for (int i = 0; i < 200; i++) {
        uint32_t roll = tc_call_random(&f.call, 3);
        assert_true(roll < 3);
        seen[roll] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    assert_int_equal(tc_call_random(&f.call, 1), 0);
    end(&f);
}
