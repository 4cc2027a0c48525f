#include "support/crib.h"

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
