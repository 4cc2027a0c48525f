#include "support/runtime.h"

#include "runtime/gate.h"
#include "runtime/servers.h"

static const struct tc_view_key work = {.agent = TC_STR_INIT("work"), .client = true};

struct gate {
    struct test_runtime t;
    struct tc_view *view;
    const struct tc_view_tool *tool;
    struct tc_str id;
};

static bool open_gate(struct tc_cx *cx, struct gate *g, const char *const *tools, const char *agent)
{
    *g = (struct gate){.view = NULL};
    if (!test_runtime_open(cx, &g->t))
        return false;
    test_runtime_server(&g->t, "box", tools);
    test_runtime_agent(&g->t, agent);
    return expect_ok(cx, tc_view_get(cx, g->t.runtime->views, &work, &g->view));
}

static void close_gate(struct gate *g)
{
    tc_view_unref(g->view);
    test_runtime_close(&g->t);
}

static enum tc_err name(struct gate *g, const char *call_name)
{
    g->tool = NULL;
    g->id = TC_STR("");
    return tc_gate_name(g->t.cx, g->t.runtime->views, &work, g->view, tc_str_of(call_name), &g->tool, &g->id);
}

static void near_names(struct tc_cx *cx, void *arg)
{
    static const char *const tools[] = {"read_file", "read_fild", "read_five", "read_fine", "wipe", NULL};
    struct gate g;
    (void)arg;

    if (open_gate(cx, &g, tools, "{'id':'work','toolsets':['mcp-box']}")) {
        expect_int(name(&g, "box__read_file"), TC_OK);
        expect(g.tool && tc_str_is(g.tool->name, "box__read_file"));
        expect_int(name(&g, "box__read_fil"), TC_E_MODEL_UNKNOWN_TOOL_CALL);
        expect(!g.tool);
        expect_text(cx->err.message, "There is no tool \"box__read_fil\"; nothing ran. Offered: box__read_fild, "
                                     "box__read_file, box__read_fine, box__read_five, box__wipe.");
        expect(tc_str_starts(cx->err.hint, TC_STR("Did you mean box__read_fil")));
        expect(tc_str_find(cx->err.hint, TC_STR("wipe")) == SIZE_MAX);
        expect_int(name(&g, "wipe"), TC_E_MODEL_UNKNOWN_TOOL_CALL); /* never run on the near name */
        expect_text(cx->err.hint, "Did you mean box__wipe? Names are said whole, with what stands before them.");
        expect_int(name(&g, "something else entirely"), TC_E_MODEL_UNKNOWN_TOOL_CALL);
        expect_text(cx->err.hint, "");
    }
    close_gate(&g);
}

void test_gate__a_near_name_is_named_and_not_taken(void **state)
{
    (void)state;
    test_task_run_virtual(near_names, NULL);
}

static void odd_names(struct tc_cx *cx, void *arg)
{
    static const char *const tools[] = {"add", "wipe", "execute_terminal", "look_at", NULL};
    static const struct {
        const char *said, *hint;
    } names[] = {
        {"functions.box__wipe", "Did you mean box__wipe? The name stands alone, with nothing before or behind it."},
        {"functions.box__wipe:1", "Did you mean box__wipe? The name stands alone, with nothing before or behind it."},
        {"box__wipe<|channel|>commentary",
         "Did you mean box__wipe? The name stands alone, with nothing before or behind it."},
        {"google:tool:box__wipe:index:0",
         "Did you mean box__wipe? The name stands alone, with nothing before or behind it."},
        {"tool:execute_terminal", "Did you mean box__execute_terminal?"},
        {"execute_terminal",
         "Did you mean box__execute_terminal? Names are said whole, with what stands before them."},
        {"add", "Did you mean box__add or pad__add? Names are said whole, with what stands before them."},
        {"box__box__look_at", "Did you mean box__look_at?"},
        {"box__Wipe", "Did you mean box__wipe? Upper and lower case count."},
        {"BOX__WIPE", "Did you mean box__wipe? Upper and lower case count."},
        {"box__wipes", "Did you mean box__wipe or box__add?"},
        {"", ""},
    };
    struct gate g;
    (void)arg;

    g = (struct gate){.view = NULL};
    if (!test_runtime_open(cx, &g.t))
        return;
    test_runtime_server(&g.t, "box", tools);
    test_runtime_server(&g.t, "pad", (const char *const[]){"add", NULL});
    test_runtime_agent(&g.t, "{'id':'work','toolsets':['mcp-box','mcp-pad']}");
    if (expect_ok(cx, tc_view_get(cx, g.t.runtime->views, &work, &g.view)))
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            expect_int(name(&g, names[i].said), TC_E_MODEL_UNKNOWN_TOOL_CALL);
            expect(!g.tool);
            expect(tc_str_find(cx->err.message, tc_str_of(names[i].said)) != SIZE_MAX);
            expect_text(cx->err.hint, names[i].hint);
        }
    close_gate(&g);
}

void test_gate__rows_35_36_37_38_39_41_42_43_a_name_is_not_bent_and_the_hint_says_why(void **state)
{
    (void)state;
    test_task_run_virtual(odd_names, NULL);
}

static void many(struct tc_cx *cx, void *arg)
{
    const char *tools[53] = {NULL};
    struct gate g;
    (void)arg;

    for (int i = 0; i < 52; i++)
        tools[i] = tc_arena_printf(cx->arena, "t%02d", i).p;
    if (open_gate(cx, &g, tools, "{'id':'work','toolsets':['mcp-box']}")) {
        expect_int(name(&g, "zzzzzzzzzzzzz"), TC_E_MODEL_UNKNOWN_TOOL_CALL);
        expect(tc_str_ends(cx->err.message, TC_STR("box__t49 and 2 more.")));
    }
    close_gate(&g);
}

void test_gate__lists_no_more_than_fifty(void **state)
{
    (void)state;
    test_task_run_virtual(many, NULL);
}

static void stale(struct tc_cx *cx, void *arg)
{
    static const char *const tools[] = {"add", "sub", NULL};
    struct gate g;
    (void)arg;

    if (open_gate(cx, &g, tools, "{'id':'work','toolsets':['mcp-box']}")) {
        test_runtime_agent(&g.t, "{'id':'work','toolsets':['planning']}");
        tc_view_unref(g.view);
        g.view = NULL;
        expect_ok(cx, tc_view_get(cx, g.t.runtime->views, &work, &g.view));
        expect_int(name(&g, "box__add"), TC_E_TOOL_NOT_ALLOWED);
        expect(tc_str_starts(cx->err.message, TC_STR("tool.not_allowed: agent_toolset_not_enabled.")));
        expect(tc_str_eq(g.id, test_runtime_id(&g.t, "box", "add")));
        expect(tc_str_find(cx->err.message, g.id) == SIZE_MAX); /* nothing internal for a model */
        expect(!g.tool);
    }
    close_gate(&g);
}

void test_gate__a_stale_name_has_a_reason(void **state)
{
    (void)state;
    test_task_run_virtual(stale, NULL);
}

static enum tc_err permission(struct gate *g, bool *ret_ask)
{
    *ret_ask = false;
    return tc_gate_permission(g->t.cx, g->t.runtime->registry, g->t.runtime->views, &work, g->view, g->tool, ret_ask);
}

static void meanwhile(struct tc_cx *cx, void *arg)
{
    static const char *const tools[] = {"add", NULL};
    struct gate g;
    bool ask;
    (void)arg;

    if (open_gate(cx, &g, tools, "{'id':'work','toolsets':['mcp-box']}")) {
        expect_int(name(&g, "box__add"), TC_OK);
        expect_int(permission(&g, &ask), TC_OK);
        tc_registry_touch(g.t.runtime->registry, TC_PULSE_AGENTS); /* something else changed */
        expect_int(permission(&g, &ask), TC_OK);
        expect(!ask);
        test_runtime_agent(&g.t, "{'id':'work','toolsets':['mcp-box'],'tools':{'permissions':{'mcp/*':'ask'}}}");
        expect_int(permission(&g, &ask), TC_OK);
        expect(ask);
        test_runtime_agent(&g.t, "{'id':'work','toolsets':['mcp-box'],'tools':{'permissions':{'mcp/*':'off'}}}");
        expect_int(permission(&g, &ask), TC_E_TOOL_NOT_ALLOWED);
        test_runtime_agent(&g.t, "{'id':'work','toolsets':['mcp-box']}");
        expect_ok(cx, tc_servers_pause(cx, g.t.runtime->servers, TC_STR("box"), true));
        expect_int(permission(&g, &ask), TC_E_TOOL_NOT_ALLOWED);
        expect(tc_str_starts(cx->err.message, TC_STR("tool.not_allowed: server_paused.")));
        expect_ok(cx, tc_agents_remove(cx, g.t.runtime->agents, TC_STR("work")));
        expect_int(permission(&g, &ask), TC_E_TOOL_NOT_ALLOWED);
    }
    close_gate(&g);
}

void test_gate__permission_is_that_of_the_moment(void **state)
{
    (void)state;
    test_task_run_virtual(meanwhile, NULL);
}

/* --- the contract of a turn --- */

static enum tc_err in_turn(struct gate *g, const struct tc_turn *turn, const char *call_name)
{
    g->tool = NULL;
    g->id = TC_STR("");
    return tc_gate_turn(g->t.cx, g->t.runtime->views, &work, g->view, turn, tc_str_of(call_name), &g->tool, &g->id);
}

static void turns(struct tc_cx *cx, void *arg)
{
    static const char *const tools[] = {"read", "reap", "wipe", NULL};
    bool offered[3] = {false};
    struct tc_turn turn = {.offered = offered};
    struct gate g;
    (void)arg;

    if (open_gate(cx, &g, tools, "{'id':'work','toolsets':['mcp-box']}")) {
        turn.snapshot = tc_str_of(g.view->snapshot);
        offered[tc_view_find(g.view, TC_STR("box__read")) - g.view->tools] = true;
        expect_int(in_turn(&g, &turn, "box__read"), TC_OK);
        expect(g.tool != NULL);
        expect_int(in_turn(&g, &turn, "box__reap"), TC_E_MODEL_UNKNOWN_TOOL_CALL);
        expect(!g.tool);
        expect_text(cx->err.message, "There is no tool \"box__reap\"; nothing ran. Offered: box__read.");
        expect_text(cx->err.hint, "Did you mean box__read?");

        turn.choice = TC_CHOICE_NONE;
        expect_int(in_turn(&g, &turn, "box__read"), TC_E_MODEL_TOOL_CHOICE_VIOLATION);
        turn.choice = TC_CHOICE_REQUIRED;
        expect_int(in_turn(&g, &turn, "box__read"), TC_OK);
        turn.choice = TC_CHOICE_TOOL;
        turn.choice_id = test_runtime_id(&g.t, "box", "wipe");
        expect_int(in_turn(&g, &turn, "box__read"), TC_E_MODEL_TOOL_CHOICE_VIOLATION);
        expect(!g.tool);
        turn.choice_id = test_runtime_id(&g.t, "box", "read");
        expect_int(in_turn(&g, &turn, "box__read"), TC_OK);

        turn.snapshot = TC_STR("another");
        expect_int(in_turn(&g, &turn, "box__read"), TC_E_TOOL_TURN_SNAPSHOT_MISMATCH);
    }
    close_gate(&g);
}

void test_gate__a_turn_calls_what_it_was_offered_and_had_the_choice_of(void **state)
{
    (void)state;
    test_task_run_virtual(turns, NULL);
}
