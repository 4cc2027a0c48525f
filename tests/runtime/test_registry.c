#include "support/crib.h"
#include "support/tools.h"

#include "base/mem.h"
#include "runtime/registry.h"

/* --- by itself --- */

struct fixture {
    struct test_cx test;
    struct tc_cx *cx;
    struct tc_registry *registry;
};

static void start(struct fixture *f)
{
    test_cx_init(&f->test);
    f->cx = &f->test.cx;
    assert_int_equal(tc_registry_create(f->cx, &f->registry), TC_OK);
}

static void end(struct fixture *f)
{
    tc_registry_destroy(f->registry);
    test_cx_finish(&f->test);
}

static struct tc_registry_tool tool(struct fixture *f, const char *name)
{
    return (struct tc_registry_tool){.descriptor = test_named_tool(&f->test, TEST_UUID, "box", name),
                                     .detail = TC_STR("")};
}

static const struct tc_tool_state *state_of(struct fixture *f, const char *name)
{
    struct tc_registry_view view = tc_registry_get(f->registry);
    size_t at = tc_catalog_find(view.catalog, tc_arena_printf(&f->test.arena, "mcp/" TEST_UUID ":%s", name));

    return at == SIZE_MAX ? NULL : &view.states[at];
}

static enum tc_err set(struct fixture *f, const struct tc_registry_tool *tools, size_t n)
{
    return tc_registry_set_source(f->cx, f->registry, TC_STR("s"), tools, n);
}

void test_registry__a_source_comes_and_goes(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    assert_int_equal(tc_registry_get(f.registry).catalog->n, 0);
    struct tc_registry_tool tools[] = {tool(&f, "a"), tool(&f, "b")};
    tools[0].quarantined = true;
    tools[0].detail = TC_STR("why");
    tools[1].permission = TC_PERMISSION_ASK;
    assert_int_equal(set(&f, tools, 2), TC_OK);
    assert_int_equal(tc_registry_get(f.registry).catalog->n, 2);
    assert_true(state_of(&f, "a")->quarantined && state_of(&f, "a")->enabled);
    assert_str(state_of(&f, "a")->detail, "why");
    assert_int_equal(state_of(&f, "b")->permission, TC_PERMISSION_ASK);
    assert_int_equal(set(&f, tools + 1, 1), TC_OK);
    assert_null(state_of(&f, "a"));
    assert_int_equal(set(&f, NULL, 0), TC_OK);
    assert_int_equal(tc_registry_get(f.registry).catalog->n, 0);
    end(&f);
}

void test_registry__lists_rows_by_id_with_their_place(void **state)
{
    struct tc_tool_row rows[] = {{.name = TC_STR("mcp/" TEST_UUID ":c"), .label = TC_STR("c")},
                                 {.name = TC_STR("mcp/" TEST_UUID ":a"), .label = TC_STR("a")}};
    const struct tc_registry_row *listed;
    struct fixture f;
    size_t n;
    (void)state;

    start(&f);
    struct tc_registry_tool tools[] = {tool(&f, "b"), tool(&f, "c")};
    assert_int_equal(set(&f, tools, 2), TC_OK);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(tc_registry_set_row(f.cx, f.registry, &rows[i]), TC_OK);
    assert_int_equal(tc_registry_rows(f.cx, f.registry, &listed, &n), TC_OK);
    assert_int_equal(n, 2);
    assert_str(listed[0].row->label, "a");
    assert_true(listed[0].index == SIZE_MAX);
    assert_str(listed[1].row->label, "c");
    assert_int_equal(listed[1].index, 1);
    rows[1].label = TC_STR("z");
    rows[1].version = 1;
    assert_int_equal(tc_registry_set_row(f.cx, f.registry, &rows[1]), TC_OK);
    assert_int_equal(tc_registry_rows(f.cx, f.registry, &listed, &n), TC_OK);
    assert_str(listed[0].row->label, "z");
    end(&f);
}

void test_registry__health_is_of_the_source_and_outlives_its_tools(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    struct tc_registry_tool tools[] = {tool(&f, "a"), tool(&f, "b")};
    tools[1].detail = TC_STR("own");
    assert_int_equal(set(&f, tools, 2), TC_OK);
    assert_int_equal(tc_registry_set_health(f.cx, f.registry, TC_STR("s"), TC_SERVER_DOWN, TC_STR("gone")), TC_OK);
    assert_int_equal(state_of(&f, "a")->server, TC_SERVER_DOWN);
    assert_str(state_of(&f, "a")->detail, "gone");
    assert_str(state_of(&f, "b")->detail, "own");
    assert_int_equal(set(&f, tools, 1), TC_OK); /* a new list does not make it well */
    assert_int_equal(state_of(&f, "a")->server, TC_SERVER_DOWN);
    assert_str(state_of(&f, "a")->detail, "gone");
    assert_int_equal(tc_registry_set_health(f.cx, f.registry, TC_STR("other"), TC_SERVER_DOWN, TC_STR("")), TC_OK);
    end(&f);
}

void test_registry__rows_take_effect_before_and_after_their_tool(void **state)
{
    struct tc_tool_row row = {.name = TC_STR("mcp/" TEST_UUID ":a"), .label = TC_STR("A"), .status = false,
                              .prompt_hint = TC_STR("use it")};
    struct fixture f;
    size_t at = 0;
    (void)state;

    start(&f);
    assert_null(tc_registry_row(f.registry, row.name));
    assert_int_equal(tc_registry_set_row(f.cx, f.registry, &row), TC_OK);
    struct tc_registry_tool tools[] = {tool(&f, "a")};
    assert_int_equal(set(&f, tools, 1), TC_OK);
    assert_false(state_of(&f, "a")->enabled);
    assert_str(state_of(&f, "a")->prompt_hint, "use it");
    row.status = true;
    row.prompt_hint = tc_str_n(NULL, 0);
    assert_int_equal(tc_registry_set_row(f.cx, f.registry, &row), TC_OK);
    assert_true(state_of(&f, "a")->enabled);
    assert_null(state_of(&f, "a")->prompt_hint.p);
    assert_str(tc_registry_next_row(f.registry, &at)->label, "A");
    assert_null(tc_registry_next_row(f.registry, &at));
    end(&f);
}

static void count(void *arg)
{
    ++*(int *)arg;
}

void test_registry__each_change_counts_and_is_told(void **state)
{
    struct tc_tool_row row = {.name = TC_STR("x:y"), .label = TC_STR("A")};
    struct fixture f;
    uint64_t version;
    int told = 0;
    (void)state;

    start(&f);
    tc_registry_watch(f.registry, count, &told);
    version = tc_registry_get(f.registry).version;
    struct tc_registry_tool tools[] = {tool(&f, "a")};
    assert_int_equal(set(&f, tools, 1), TC_OK);
    assert_int_equal(tc_registry_set_health(f.cx, f.registry, TC_STR("s"), TC_SERVER_PAUSED, TC_STR("")), TC_OK);
    assert_int_equal(tc_registry_set_health(f.cx, f.registry, TC_STR("s"), TC_SERVER_PAUSED, TC_STR("")), TC_OK);
    assert_int_equal(tc_registry_set_row(f.cx, f.registry, &row), TC_OK);
    tc_registry_touch(f.registry, TC_PULSE_AGENTS);
    assert_int_equal(told, 4); /* the same health again is no change */
    assert_int_equal(tc_registry_get(f.registry).version, version + 4);
    tc_registry_unwatch(f.registry, &told);
    tc_registry_touch(f.registry, TC_PULSE_AGENTS);
    assert_int_equal(told, 4);
    end(&f);
}

void test_registry__the_same_id_in_two_sources_changes_nothing(void **state)
{
    struct fixture f;
    uint64_t version;
    (void)state;

    start(&f);
    struct tc_registry_tool tools[] = {tool(&f, "a")};
    assert_int_equal(set(&f, tools, 1), TC_OK);
    version = tc_registry_get(f.registry).version;
    assert_int_equal(tc_registry_set_source(f.cx, f.registry, TC_STR("t"), tools, 1), TC_E_TOOL_DUPLICATE);
    assert_int_equal(tc_registry_get(f.registry).catalog->n, 1);
    assert_int_equal(tc_registry_get(f.registry).version, version);
    assert_int_equal(tc_registry_set_source(f.cx, f.registry, TC_STR("t"), NULL, 0), TC_OK);
    end(&f);
}

void test_registry__without_memory_all_stays_as_it_was(void **state)
{
    struct fixture f;
    enum tc_err e = TC_E_NO_MEMORY;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    start(&f);
    struct tc_registry_tool old[] = {tool(&f, "a")}, fresh[] = {tool(&f, "b"), tool(&f, "c")};
    assert_int_equal(set(&f, old, 1), TC_OK);
    for (size_t nth = 1; e; nth++) {
        tc_mem_fail_at(nth, false);
        e = set(&f, fresh, 2);
        tc_mem_fail_at(0, false);
        assert_true(e == TC_OK || e == TC_E_NO_MEMORY);
        assert_int_equal(tc_registry_get(f.registry).catalog->n, e ? 1 : 2);
        assert_true(!e || state_of(&f, "a"));
    }
    end(&f);
}

/* --- in a runtime --- */

static void run(test_crib_fn *body)
{
    test_crib_run(body, NULL);
}

static bool has_row(struct test_crib *crib, struct tc_cx *cx, const char *server, const char *tool)
{
    struct tc_str uuid = tc_servers_uuid(crib->runtime->servers, tc_str_of(server));

    return tc_registry_row(crib->runtime->registry,
                           tc_arena_printf(cx->arena, "mcp/%.*s:%s", TC_STR_ARG(uuid), tool)) != NULL;
}

static void followed(struct tc_cx *cx, struct test_crib *crib)
{
    expect_int(test_crib_add(cx, crib, "s"), TC_OK);
    test_crib_settle(cx);
    expect(has_row(crib, cx, "s", "one"));
    expect_int(test_crib_add(cx, crib, "t"), TC_OK);
    test_crib_settle(cx);
    expect(has_row(crib, cx, "t", "one"));
}

void test_registry__the_tool_table_follows_the_catalog(void **state)
{
    (void)state;
    run(followed);
}

static void stale_row(struct tc_cx *cx, struct test_crib *crib)
{
    static const struct tc_str id = TC_STR_INIT("builtin:note.echo");
    struct tc_registry *registry = crib->runtime->registry;
    struct tc_tool_row row = {.name = id, .label = TC_STR("Echo"), .toolset = TC_STR("base"),
                              .visibility = TC_STR("tool"), .capability = TC_STR("text"), .can_disable = true};

    row.version = tc_registry_row(registry, id)->version + 1;
    expect_int(tc_registry_set_row(cx, registry, &row), TC_OK);
    expect(!tc_registry_row(registry, id)->status);
    row.version--;
    row.status = true;
    expect_int(tc_registry_set_row(cx, registry, &row), TC_OK);
    expect(!tc_registry_row(registry, id)->status);
}

void test_registry__a_row_read_before_a_change_does_not_undo_it(void **state)
{
    (void)state;
    run(stale_row);
}
