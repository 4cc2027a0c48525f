/* What tools say of themselves when a view is made. */
#include "support/runtime.h"

#include "base/clock.h"
#include "runtime/view.h"

#define NOTHING "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{}}"
#define TOOL(id, how)                                                                                                  \
    {.name = id, .toolset = "base", .title = id, .description = "Written.", .input_schema = NOTHING, .describe = how, \
     .run = done}

static enum tc_err done(struct tc_cx *cx, struct tc_call *call)
{
    return tc_call_text(cx, call, TC_STR("done"));
}

static enum tc_err late(struct tc_cx *cx, struct tc_discovery_service *tools, struct tc_str *ret_text)
{
    (void)tools;
    *ret_text = TC_STR("Late.");
    return tc_task_sleep(cx, 60 * 1000);
}

static enum tc_err in_time(struct tc_cx *cx, struct tc_discovery_service *tools, struct tc_str *ret_text)
{
    (void)tools;
    *ret_text = TC_STR("In time, after {{tool:builtin:a.late}} and {{tool:builtin:none}}.");
    return tc_task_sleep(cx, 900);
}

static enum tc_err blank(struct tc_cx *cx, struct tc_discovery_service *tools, struct tc_str *ret_text)
{
    (void)cx, (void)tools;
    *ret_text = TC_STR(" \n");
    return TC_OK;
}

static enum tc_err torn(struct tc_cx *cx, struct tc_discovery_service *tools, struct tc_str *ret_text)
{
    (void)cx, (void)tools;
    *ret_text = tc_str_n("a\xff\0b", 4);
    return TC_OK;
}

static const struct tc_tool tool_late = TOOL("a.late", late), tool_time = TOOL("b.time", in_time),
                            tool_blank = TOOL("c.blank", blank), tool_torn = TOOL("d.torn", torn);
static const struct tc_tool *const tools[] = {&tool_late, &tool_time, &tool_blank, &tool_torn, NULL};

/* Lets time pass, a tenth of a second at a time. */
static void pass_time(struct tc_cx *cx, void *arg)
{
    const bool *over = arg;

    while (!*over && !tc_task_yield(cx))
        tc_loop_advance(tc_task_loop(cx), 100);
}

static void say(struct tc_cx *cx, void *arg)
{
    static const char *const said[] = {"Written.", "In time, after a_late and (not available).", "Written.",
                                       ("a\xEF\xBF\xBD" "b")};
    const struct tc_view_key key = {.agent = TC_STR("work"), .client = true};
    struct test_runtime t;
    struct tc_view *view;
    bool over = false;
    int64_t took;
    (void)arg;

    if (test_runtime_open(cx, &t)) {
        test_runtime_restart_with(&t, tools);
        test_runtime_agent(&t, "{'id':'work','toolsets':['base']}");
        took = tc_clock_mono_us(cx->clock);
        expect_ok(cx, tc_task_spawn(cx, tc_task_loop(cx), NULL, "time", pass_time, &over));
        if (expect_ok(cx, tc_view_get(cx, t.runtime->views, &key, &view))) {
            took = (tc_clock_mono_us(cx->clock) - took) / 1000;
            expect(took >= TC_DESCRIBE_MS + 900 && took < TC_DESCRIBE_MS + 1500);
            expect_int(view->n, 4);
            for (size_t i = 0; i < view->n; i++)
                expect_text(view->tools[i].description, said[i]);
            expect(tc_str_find(view->snapshot_json, TC_STR("In time, after")) != SIZE_MAX);
            tc_view_unref(view);
        }
        over = true;
        test_runtime_settle(&t);
    }
    test_runtime_close(&t);
}

void test_description__a_tool_has_a_second_to_describe_itself(void **state)
{
    (void)state;
    test_task_run_virtual(say, NULL);
}
