#include "support/run_world.h"

#include "runtime/discovery.h"

static const char *const weather[] = {"forecast", "archive", NULL};
static const char *const post[] = {"send", "read", NULL};

struct world {
    struct test_runtime t;
    struct tc_view *view;
    struct tc_str forecast, archive, send;
};

static bool open_world(struct tc_cx *cx, struct world *w, const char *agent, bool client)
{
    struct tc_view_key key = {.agent = TC_STR("work"), .client = client};

    *w = (struct world){.view = NULL};
    if (!test_runtime_open(cx, &w->t))
        return false;
    test_runtime_server(&w->t, "weather", weather);
    test_runtime_server(&w->t, "post", post);
    test_runtime_agent(&w->t, agent);
    w->forecast = test_runtime_id(&w->t, "weather", "forecast");
    w->archive = test_runtime_id(&w->t, "weather", "archive");
    w->send = test_runtime_id(&w->t, "post", "send");
    return expect_ok(cx, tc_view_get(cx, w->t.runtime->views, &key, &w->view));
}

static void close_world(struct world *w)
{
    tc_view_unref(w->view);
    test_runtime_close(&w->t);
}

/* Whether the tool is marked; false too when it is not in the view. */
static bool marked(const struct world *w, const bool *marks, struct tc_str id)
{
    const struct tc_view_tool *tool = tc_view_find_id(w->view, id);

    return tool && marks[tool - w->view->tools];
}

static size_t count(const struct world *w, const bool *marks)
{
    size_t n = 0;

    for (size_t i = 0; i < w->view->n; i++)
        n += marks[i];
    return n;
}

#define ON "{'id':'work','toolsets':['mcp-weather','mcp-post','planning'],'discovery':'on'}"

static void offers(struct tc_cx *cx, void *arg)
{
    struct world w;
    struct tc_str loaded[3];
    bool *offered;
    (void)arg;

    if (open_world(cx, &w, ON, false)) {
        loaded[0] = w.forecast;
        loaded[1] = TC_STR("mcp/00000000-0000-4000-8000-000000000000:gone");
        loaded[2] = w.send;
        expect_int(w.view->deferred_n, 4);
        expect_ok(cx, tc_discovery_offered(cx, w.view, NULL, 0, 0, &offered));
        expect_int(count(&w, offered), 2);
        expect(marked(&w, offered, TC_STR("builtin:tool.search")));
        expect(marked(&w, offered, TC_STR("builtin:plan.update")));
        expect_ok(cx, tc_discovery_offered(cx, w.view, loaded, 3, 0, &offered));
        expect_int(count(&w, offered), 4);
        expect(marked(&w, offered, w.forecast) && marked(&w, offered, w.send));
        expect_ok(cx, tc_discovery_offered(cx, w.view, loaded, 3, 3, &offered)); /* the latest load is kept */
        expect_int(count(&w, offered), 3);
        expect(marked(&w, offered, w.send));
        expect_ok(cx, tc_discovery_offered(cx, w.view, loaded, 3, 1, &offered));
        expect_int(count(&w, offered), 2);
        expect_int(tc_discovery_lasting(w.view, loaded, 3), 2);
        expect(tc_str_eq(loaded[0], w.forecast) && tc_str_eq(loaded[1], w.send));
    }
    close_world(&w);
}

void test_discovery__offers_what_is_not_deferred_and_what_was_loaded(void **state)
{
    (void)state;
    test_task_run_virtual(offers, NULL);
}

static void not_deferred(struct tc_cx *cx, void *arg)
{
    struct world w;
    bool *offered;
    (void)arg;

    if (open_world(cx, &w, "{'id':'work','toolsets':['mcp-weather','mcp-post'],'discovery':'off'}", false)) {
        expect_int(w.view->n, 4);
        expect_int(w.view->deferred_n, 0);
        expect_ok(cx, tc_discovery_offered(cx, w.view, &w.send, 1, 0, &offered));
        expect(offered == NULL);
    }
    close_world(&w);
}

void test_discovery__without_deferral_all_are_offered_and_there_is_no_search(void **state)
{
    (void)state;
    test_task_run_virtual(not_deferred, NULL);
}

static void native(struct tc_cx *cx, void *arg)
{
    struct tc_model_caps caps = {.native_deferral = true};
    struct tc_discovery_turn turn;
    struct world w;
    (void)arg;

    if (open_world(cx, &w, ON, false)) {
        expect_ok(cx, tc_discovery_turn(cx, w.view, &caps, &w.send, 1, &turn));
        expect_int(count(&w, turn.offered), w.view->n - 1);
        expect(!marked(&w, turn.offered, TC_STR("builtin:tool.search")));
        expect(turn.deferred && count(&w, turn.deferred) == 3 && !marked(&w, turn.deferred, w.send));
        expect(!marked(&w, turn.deferred, TC_STR("builtin:plan.update")));
        caps.tools_max = 5; /* of six: the endpoint would not take them */
        expect_ok(cx, tc_discovery_turn(cx, w.view, &caps, &w.send, 1, &turn));
        expect(!turn.deferred);
        expect_int(count(&w, turn.offered), 3);
        caps = (struct tc_model_caps){.native_deferral = false};
        expect(!tc_discovery_native(w.view, &caps));
    }
    close_world(&w);
    caps = (struct tc_model_caps){.native_deferral = true};
    if (open_world(cx, &w, "{'id':'work','toolsets':['mcp-post'],'discovery':'on'}", false))
        expect(!tc_discovery_native(w.view, &caps)); /* nothing but the search would be left */
    close_world(&w);
}

void test_discovery__a_model_that_searches_itself_is_sent_all(void **state)
{
    (void)state;
    test_task_run_virtual(native, NULL);
}

static void count_call(void *arg)
{
    ++*(int *)arg;
}

static void clients(struct tc_cx *cx, void *arg)
{
    const struct tc_principal mine = {.kind = TC_STR("token"), .id = TC_STR("a")},
                              other = {.kind = TC_STR("token"), .id = TC_STR("b")};
    struct tc_discovery_clients *all;
    uint64_t changes = 99, version;
    struct world w;
    bool *offered;
    int told = 0;
    (void)arg;

    if (open_world(cx, &w, ON, true)) {
        all = w.t.runtime->discovery;
        tc_registry_watch(w.t.runtime->registry, count_call, &told);
        version = tc_registry_get(w.t.runtime->registry).version;
        expect_ok(cx, tc_discovery_client_changes(cx, all, &mine, TC_STR("work"), &changes));
        expect_int(changes, 0);
        expect_ok(cx, tc_discovery_client_load(cx, all, &mine, TC_STR("work"), &w.send, 1));
        expect_int(told, 1);
        expect_ok(cx, tc_discovery_client_load(cx, all, &mine, TC_STR("work"), &w.send, 1));
        expect_int(told, 1); /* nothing new */
        expect_ok(cx, tc_discovery_client_changes(cx, all, &mine, TC_STR("work"), &changes));
        expect_int(changes, 1);
        expect_int(tc_registry_get(w.t.runtime->registry).version, version);
        expect_ok(cx, tc_discovery_client(cx, all, &mine, w.view, &offered));
        expect(marked(&w, offered, w.send) && !marked(&w, offered, w.forecast));
        expect_ok(cx, tc_discovery_client(cx, all, &other, w.view, &offered));
        expect(!marked(&w, offered, w.send));
        expect_ok(cx, tc_discovery_client_changes(cx, all, &mine, TC_STR("elsewhere"), &changes));
        expect_int(changes, 0);
        tc_registry_unwatch(w.t.runtime->registry, &told);
    }
    close_world(&w);
}

void test_discovery__each_client_has_its_own_loads(void **state)
{
    (void)state;
    test_task_run_virtual(clients, NULL);
}

static void bounds(struct tc_cx *cx, void *arg)
{
    struct tc_discovery_clients *all;
    struct tc_principal who = {.kind = TC_STR("token"), .id = TC_STR("first")};
    uint64_t changes;
    struct world w;
    bool *offered;
    (void)arg;

    if (open_world(cx, &w, ON, true)) {
        all = w.t.runtime->discovery;
        expect_ok(cx, tc_discovery_client_load(cx, all, &who, TC_STR("work"), &w.send, 1));
        for (int i = 0; i < TC_DISCOVERY_LOADED_MAX; i++) { /* the oldest of too many goes */
            struct tc_str id = tc_arena_printf(cx->arena, "host:%d", i);
            expect_ok(cx, tc_discovery_client_load(cx, all, &who, TC_STR("work"), &id, 1));
        }
        expect_ok(cx, tc_discovery_client(cx, all, &who, w.view, &offered));
        expect(!marked(&w, offered, w.send));
        for (int i = 0; i < 1024; i++) { /* and the client that loaded longest ago */
            who.id = tc_arena_printf(cx->arena, "%d", i);
            expect_ok(cx, tc_discovery_client_load(cx, all, &who, TC_STR("work"), &w.send, 1));
        }
        who.id = TC_STR("first");
        expect_ok(cx, tc_discovery_client_changes(cx, all, &who, TC_STR("work"), &changes));
        expect_int(changes, 0);
        who.id = TC_STR("0");
        expect_ok(cx, tc_discovery_client(cx, all, &who, w.view, &offered));
        expect(marked(&w, offered, w.send));
    }
    close_world(&w);
}

void test_discovery__forgets_the_oldest_of_too_many(void **state)
{
    (void)state;
    test_task_run_virtual(bounds, NULL);
}

/* --- in a run --- */

static bool sent(const struct run_world *w, const char *name)
{
    return tc_str_find(w->models.tools, tc_str_of(name)) != SIZE_MAX;
}

static void loads(struct run_world *w)
{
    test_runtime_server(&w->t, "weather", weather);
    w->request.session = TC_STR("s");
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(tc_str_find(run_world_seen(w, 1),
                       TC_STR("error(aaaaaaaaa: The tool \"mcp__weather__forecast\" is not loaded; nothing ran.\n"
                              "Load it with tool_search {\"query\": \"select:mcp__weather__forecast\"}, look at its "
                              "parameters, then call it.)")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("result(bbbbbbbbb: Loaded; they can be called from now on:\n"
                                                    "- mcp__weather__forecast")) != SIZE_MAX);
    expect(tc_str_find(run_world_seen(w, 2), TC_STR("result(ccccccccc: {\"city\":\"Oslo\"}")) != SIZE_MAX);
    expect_text(run_world_event(w, "tools_loaded"),
                tc_arena_printf(w->cx->arena, "{\"tools\":[\"%.*s\"],\"found\":[],\"unknown\":[]}",
                                TC_STR_ARG(test_runtime_id(&w->t, "weather", "forecast"))).p);
    expect(sent(w, "mcp__weather__forecast") && sent(w, "tool_search") && !sent(w, "mcp__weather__archive"));

    run_world_restart(w); /* the tape knows */
    expect_text(tc_str_of(run_world_run(w, "again")), "completed");
    expect(sent(w, "mcp__weather__forecast") && !sent(w, "mcp__weather__archive"));
    w->request.session = TC_STR("other");
    expect_text(tc_str_of(run_world_run(w, "elsewhere")), "completed");
    expect(!sent(w, "mcp__weather__forecast") && sent(w, "tool_search"));
}

void test_discovery__a_run_loads_for_its_tape(void **state)
{
    (void)state;
    run_world(loads, "'toolsets':['mcp-weather'],'discovery':'on'",
              "{'calls':[{'id':'aaaaaaaaa','name':'mcp__weather__forecast','arguments':{}},"
              "{'id':'bbbbbbbbb','name':'tool_search','arguments':{'query':'select:forecast'}}]}\n"
              "{'calls':[{'id':'ccccccccc','name':'mcp__weather__forecast','arguments':{'city':'Oslo'}}]}\n"
              "{'text':'Done.'}\n{'text':'Again.'}\n{'text':'Elsewhere.'}");
}

static void all_at_once(struct run_world *w)
{
    test_runtime_server(&w->t, "weather", weather);
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(sent(w, "mcp__weather__forecast") && sent(w, "mcp__weather__archive") && !sent(w, "tool_search"));
}

void test_discovery__a_run_with_few_tools_is_offered_all(void **state)
{
    (void)state;
    run_world(all_at_once, "'toolsets':['mcp-weather']", "{'text':'Done.'}");
}

static void natively(struct run_world *w)
{
    w->models.caps.native_deferral = true;
    test_runtime_server(&w->t, "weather", weather);
    expect_text(tc_str_of(run_world_run(w, "go")), "completed");
    expect(sent(w, "mcp__weather__forecast") && sent(w, "plan_update") && !sent(w, "tool_search"));
    expect(tc_str_find(run_world_seen(w, 1), TC_STR("result(aaaaaaaaa: {\"city\":\"Oslo\"}")) != SIZE_MAX);
}

void test_discovery__a_model_that_searches_itself_calls_what_it_finds(void **state)
{
    (void)state;
    run_world(natively, "'toolsets':['mcp-weather','planning'],'discovery':'on'",
              "{'calls':[{'id':'aaaaaaaaa','name':'mcp__weather__forecast','arguments':{'city':'Oslo'}}]}\n"
              "{'text':'Done.'}");
}
