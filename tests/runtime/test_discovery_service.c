#include "support/runtime.h"

#include "runtime/discovery.h"

struct world {
    struct test_runtime t;
    struct tc_view *view;
    struct tc_discovery_service service;
    struct tc_discovery_tool tool;
    bool found;
};

static bool open_world(struct tc_cx *cx, struct world *w, const char *const *one, const char *const *two)
{
    const struct tc_view_key key = {.agent = TC_STR("work"), .client = true};

    *w = (struct world){.view = NULL};
    if (!test_runtime_open(cx, &w->t))
        return false;
    test_runtime_server(&w->t, "one", one);
    test_runtime_server(&w->t, "two", two);
    test_runtime_agent(&w->t, "{'id':'work','toolsets':['mcp-one','mcp-two','planning'],'discovery':'on'}");
    if (!expect_ok(cx, tc_view_get(cx, w->t.runtime->views, &key, &w->view)))
        return false;
    w->service = (struct tc_discovery_service){.view = w->view, .entries = true};
    return true;
}

static void close_world(struct world *w)
{
    tc_view_unref(w->view);
    test_runtime_close(&w->t);
}

static struct tc_str pick(struct tc_cx *cx, struct world *w, struct tc_str name)
{
    expect_ok(cx, tc_discovery_select(cx, &w->service, name, &w->tool, &w->found));
    return w->found ? w->tool.name : TC_STR("(none)");
}

static void by_name(struct tc_cx *cx, void *arg)
{
    static const char *const one[] = {"read", "send_letter", "Twice", NULL};
    static const char *const two[] = {"read", "draw", "twice", NULL};
    struct tc_str near[TC_DISCOVERY_NEAR];
    struct world w;
    (void)arg;

    if (open_world(cx, &w, one, two)) {
        expect_text(pick(cx, &w, TC_STR("one__read")), "one__read");
        expect_text(pick(cx, &w, test_runtime_id(&w.t, "two", "read")), "two__read");
        expect_text(pick(cx, &w, TC_STR("mcp/two:read")), "two__read");
        expect_text(pick(cx, &w, TC_STR("draw")), "two__draw");
        expect_text(pick(cx, &w, TC_STR("DRAW")), "two__draw");
        expect_text(pick(cx, &w, TC_STR("Two__Draw")), "two__draw");
        expect_text(pick(cx, &w, TC_STR("plan.update")), "plan_update");
        expect_text(pick(cx, &w, TC_STR("read")), "(none)"); /* two have it */
        expect_text(pick(cx, &w, TC_STR("twice")), "two__twice"); /* exactly so only one */
        expect_text(pick(cx, &w, TC_STR("TWICE")), "(none)");
        expect_text(pick(cx, &w, TC_STR("")), "(none)");
        expect_text(pick(cx, &w, TC_STR("mcp/three:read")), "(none)");
        expect_int(tc_discovery_near(&w.service, TC_STR("send_lettre"), near), 1);
        expect_text(near[0], "one__send_letter");
        expect_int(tc_discovery_near(&w.service, TC_STR("reed"), near), 2);
        expect_int(tc_discovery_near(&w.service, TC_STR("quite different"), near), 0);
        expect_text(tc_discovery_scope(cx, &w.service), "6 tools of one, two");
    }
    close_world(&w);
}

void test_discovery_service__selects_by_names_that_mean_one_tool(void **state)
{
    (void)state;
    test_task_run_virtual(by_name, NULL);
}

/* So many that the index is made on another thread. */
static void many(struct tc_cx *cx, void *arg)
{
    const char *names[1002] = {NULL};
    static const char *const two[] = {"paint_house", NULL};
    struct tc_discovery_tool *tools;
    struct world w;
    size_t n = 0;
    (void)arg;

    for (int i = 0; i < 1000; i++)
        names[i] = tc_arena_printf(cx->arena, "tool_%d", i).p;
    if (open_world(cx, &w, names, two)) {
        bool *offered = TC_ARENA_NEW_N(cx->arena, bool, w.view->n + 1);
        w.service.offered = offered;
        expect_ok(cx, tc_discovery_search(cx, &w.service, TC_STR("paint the houses"), 5, &tools, &n));
        expect_int(n, 1);
        if (n == 1) {
            expect_text(tools[0].name, "two__paint_house");
            expect(!tools[0].offered);
            expect_text(tools[0].why, "paint (name), houses (name)");
            expect(tc_str_starts(tools[0].entry, TC_STR("{\"name\":\"two__paint_house\"")));
        }
        expect(w.view->search != NULL);
        offered[w.view->n - 1] = offered[0] = true;
        expect_ok(cx, tc_discovery_search(cx, &w.service, TC_STR("tool_7"), 25, &tools, &n));
        expect_int(n, 25);
        expect_text(tools[0].name, "one__tool_7");
        expect_text(tools[0].why, "its name");
        expect_ok(cx, tc_discovery_search(cx, &w.service, TC_STR("update the plan"), 5, &tools, &n));
        expect_int(n, 0); /* what is offered anyway is not searched for */
    }
    close_world(&w);
}

void test_discovery_service__searches_among_what_is_on_demand(void **state)
{
    (void)state;
    test_task_run_virtual(many, NULL);
}
