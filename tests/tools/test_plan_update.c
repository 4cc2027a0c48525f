/*
 * plan.update: the list as text, its rules, and where it is kept.
 */
#include "support/workspace.h"

static struct test_result update(struct tc_cx *cx, struct test_workspace *t, const char *items, const char *more)
{
    return test_tool(cx, t, "plan.update", "{\"items\":[%s]%s}", items, more);
}

static void keeps(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str stored;
    struct test_result r;

    expect_int(tc_plan_load(cx, &t->plan, &stored), TC_OK);
    expect_int(stored.n, 0);
    r = update(cx, t,
               "{\"text\":\"read\",\"status\":\"done\"},{\"text\":\"写\",\"status\":\"in_progress\"},"
               "{\"text\":\"rest\",\"status\":\"pending\"}", ",\"note\":\"two left\"");
    expect_code(r, TC_OK);
    expect_text(r.text, "[x] read\n[>] 写\n[ ] rest\nNote: two left\n1 of 3 done.");
    expect_int(r.effect, TC_EFFECT_PLAN_UPDATED);
    expect_int(tc_plan_load(cx, &t->plan, &stored), TC_OK);
    expect(tc_str_eq(stored, r.structured));
    expect(tc_str_eq(test_workspace_get(cx, t, ".toolcrib/plan.json"), stored));
    expect_text(test_result_str(r, "note"), "two left");

    expect_text(update(cx, t, "", "").text, "The list is empty.\n0 of 0 done."); /* replaces it */
    expect_int(tc_plan_load(cx, &t->plan, &stored), TC_OK);
    expect_text(stored, "{\"items\":[]}");
}

void test_plan_update__replaces_the_list_and_keeps_it(void **state)
{
    (void)state;
    test_workspace_run(NULL, keeps);
}

static struct tc_str items_of(struct tc_cx *cx, int n, const char *text, const char *status)
{
    struct tc_buf buf;
    struct tc_str items;

    tc_buf_init(&buf, 1 << 20);
    for (int i = 0; i < n; i++)
        tc_buf_printf(&buf, "%s{\"text\":\"%s\",\"status\":\"%s\"}", i ? "," : "", text, status);
    items = tc_arena_dup(cx->arena, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return items;
}

static void rules(struct tc_cx *cx, struct test_workspace *t)
{
    const char *of_500 = tc_arena_cstr(cx->arena, test_repeat(cx, "字", 1500));
    const char *of_501 = tc_arena_cstr(cx->arena, test_repeat(cx, "字", 1503));
    struct tc_str stored;
    struct test_result r;

    expect_code(update(cx, t, items_of(cx, 1, of_500, "pending").p, ""), TC_OK);
    expect_code(update(cx, t, items_of(cx, 1, of_501, "pending").p, ""), TC_E_PLAN_INVALID);
    expect_code(update(cx, t, items_of(cx, 100, "x", "done").p, ""), TC_OK);
    expect_code(update(cx, t, items_of(cx, 101, "x", "done").p, ""), TC_E_PLAN_INVALID);
    expect_code(update(cx, t, items_of(cx, 1, "x", "in_progress").p, ""), TC_OK);
    r = update(cx, t, items_of(cx, 2, "x", "in_progress").p, "");
    expect_code(r, TC_E_PLAN_INVALID);
    expect_text(r.message, "2 items are in_progress; at most one may be.");
    expect_int(r.effect, TC_EFFECT_NONE);
    expect_code(update(cx, t, items_of(cx, 1, "  ", "pending").p, ""), TC_E_PLAN_INVALID);
    expect_code(update(cx, t, items_of(cx, 1, "x", "started").p, ""), TC_E_PLAN_INVALID);
    expect_int(tc_plan_load(cx, &t->plan, &stored), TC_OK); /* a refused list changes nothing */
    expect_text(stored, "{\"items\":[{\"text\":\"x\",\"status\":\"in_progress\"}]}");
}

void test_plan_update__refuses_lists_against_the_rules(void **state)
{
    (void)state;
    test_workspace_run(NULL, rules);
}
