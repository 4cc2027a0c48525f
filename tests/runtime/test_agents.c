#include "support/crib.h"

#include "base/mem.h"

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

static struct tc_agent *agent_of(struct tc_cx *cx, struct test_crib *crib, const char *id)
{
    struct tc_agent *agent = NULL;

    expect_int(tc_agents_get(cx, crib->runtime->agents, tc_str_of(id), &agent), TC_OK);
    return agent;
}

static void versions(struct tc_cx *cx, struct test_crib *crib)
{
    static const struct tc_str document = TC_STR_INIT("{\"id\":\"default\",\"name\":\"D\"}"),
                               nobody = TC_STR_INIT("{\"id\":\"nobody\",\"name\":\"N\"}");
    struct tc_agents *agents = crib->runtime->agents;

    expect_int(agent_of(cx, crib, "default")->version, 1);
    expect_int(test_crib_agent(cx, crib, "\"memory\":true"), TC_OK);
    expect_int(agent_of(cx, crib, "default")->version, 2);
    expect_int(tc_agents_save(cx, agents, document, false, 1), TC_E_STORE_CONFLICT);
    expect(agent_of(cx, crib, "default")->memory);
    expect_int(tc_agents_save(cx, agents, document, true, 0), TC_E_STORE_EXISTS);
    expect_int(tc_agents_save(cx, agents, nobody, false, 0), TC_E_STORE_NOT_FOUND);
    expect_int(tc_agents_save(cx, agents, document, false, 2), TC_OK);
}

void test_agents__an_edit_of_another_version_is_refused(void **state)
{
    (void)state;
    run(versions);
}

static void removed_and_made_anew(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_view_key key = {.agent = TC_STR("default"), .client = true};
    const struct tc_view *view;

    expect_int(tc_view_borrow(cx, crib->runtime->views, &key, &view), TC_OK);
    expect_int(tc_agents_remove(cx, crib->runtime->agents, TC_STR("default")), TC_OK);
    expect_int(tc_view_borrow(cx, crib->runtime->views, &key, &view), TC_E_AGENT_NOT_FOUND);
    expect_int(tc_agents_save(cx, crib->runtime->agents, TC_STR("{\"id\":\"default\",\"name\":\"D\"}"), true, 0),
               TC_OK);
    expect_int(tc_view_borrow(cx, crib->runtime->views, &key, &view), TC_OK);
    expect_int(view->n, 2);
}

void test_agents__one_made_anew_begins_with_no_names(void **state)
{
    (void)state;
    run(removed_and_made_anew);
}

/* --- composites --- */

static enum tc_err save(struct tc_cx *cx, struct test_crib *crib, const char *json, bool create)
{
    return tc_agents_save_toolset(cx, crib->runtime->agents, tc_str_of(json), create, 0);
}

static void composites(struct tc_cx *cx, struct test_crib *crib)
{
    struct tc_agents *agents = crib->runtime->agents;

    expect_int(save(cx, crib, "{\"name\":\"mine\",\"includes\":[\"base\"]}", true), TC_OK);
    expect_int(tc_agents_toolset_version(agents, TC_STR("mine")), 1);
    expect_int(save(cx, crib, "{\"name\":\"mine\",\"includes\":[]}", false), TC_OK);
    expect_int(tc_agents_toolset_version(agents, TC_STR("mine")), 2);
    expect_int(tc_agents_toolsets(agents)->n, 1);
    expect_int(tc_agents_toolsets(agents)->items[0].includes_n, 0);
    expect_int(save(cx, crib, "{\"name\":\"base\"}", true), TC_E_TOOLSET_BUILT_IN);
    expect_int(save(cx, crib, "{\"name\":\"mcp-x\"}", true), TC_E_TOOLSET_BUILT_IN);
    expect_int(save(cx, crib, "{\"name\":\"mine\",\"inclides\":[]}", false), TC_E_TOOLSET_INVALID);
    expect_text(cx->err.field, "/inclides");
    expect_int(tc_agents_remove_toolset(cx, agents, TC_STR("mine")), TC_OK);
    expect_int(tc_agents_remove_toolset(cx, agents, TC_STR("mine")), TC_E_TOOLSET_NOT_FOUND);
    expect_int(tc_agents_toolsets(agents)->n, 0);
}

void test_agents__composites_are_kept_by_version(void **state)
{
    (void)state;
    run(composites);
}

/* Every item of the view can be read, whatever failed. */
static size_t read_view(struct test_crib *crib)
{
    const struct tc_toolsets *view = tc_agents_toolsets(crib->runtime->agents);
    size_t n = 0;

    for (size_t i = 0; i < view->n; i++)
        for (size_t k = 0; k < view->items[i].includes_n; k++)
            n += view->items[i].includes[k].n;
    return n;
}

static void starved(struct tc_cx *cx, struct test_crib *crib)
{
    enum tc_err e = TC_E_NO_MEMORY;

    expect_int(save(cx, crib, "{\"name\":\"mine\",\"includes\":[\"base\"]}", true), TC_OK);
    for (size_t nth = 1; e && nth < 500; nth++) {
        tc_mem_fail_at(nth, false);
        e = save(cx, crib, "{\"name\":\"mine\",\"includes\":[\"planning\"]}", false);
        tc_mem_fail_at(0, false);
        expect(e == TC_OK || e == TC_E_NO_MEMORY);
        expect(read_view(crib) > 0);
    }
    e = TC_E_NO_MEMORY;
    for (size_t nth = 1; e == TC_E_NO_MEMORY && nth < 500; nth++) {
        tc_mem_fail_at(nth, false);
        e = tc_agents_remove_toolset(cx, crib->runtime->agents, TC_STR("mine"));
        tc_mem_fail_at(0, false);
        read_view(crib);
    }
}

void test_agents__without_memory_the_composites_stay_readable(void **state)
{
    (void)state;
    run(starved);
}
