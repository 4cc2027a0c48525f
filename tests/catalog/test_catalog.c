#include "support/tools.h"

#include "base/mem.h"

static const struct tc_tool runtime = {
    .name = "task.return",
    .toolset = "runtime",
    .visibility = TC_VISIBILITY_INTERNAL,
    .scenes = TC_SCENE_CHILD,
    .flags = TC_TOOL_CANNOT_DISABLE,
};

void test_catalog__is_ordered_by_id_and_found_by_it(void **state)
{
    struct test_cx test;
    struct tc_descriptor *tools[4];
    struct tc_catalog *catalog;
    (void)state;

    test_cx_init(&test);
    tools[0] = test_named_tool(&test, TEST_UUID, "zoo", "b");
    tools[1] = test_named_tool(&test, TEST_UUID, "zoo", "a");
    tools[2] = test_builtin(&test, &runtime);
    tools[3] = test_named_tool(&test, test_uuid(&test, 7), "ant", "a");
    catalog = test_catalog(&test, tools, 4);
    assert_int_equal(catalog->n, 4);
    assert_ptr_equal(catalog->tools[0], tools[2]);
    assert_ptr_equal(catalog->tools[1], tools[3]);
    assert_ptr_equal(catalog->tools[2], tools[1]);
    assert_ptr_equal(catalog->tools[3], tools[0]);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(tc_catalog_find(catalog, catalog->tools[i]->id), i);
    assert_int_equal(tc_catalog_find(catalog, TC_STR("builtin:task.retur")), SIZE_MAX);
    assert_int_equal(tc_catalog_find(catalog, TC_STR("zzz")), SIZE_MAX);
    assert_int_equal(tc_catalog_lower_bound(catalog, TC_STR("mcp/")), 1);
    assert_int_equal(tc_catalog_lower_bound(catalog, TC_STR("z")), 4);
    test_cx_finish(&test);
}

void test_catalog__knows_the_toolset_and_traits_of_each_tool(void **state)
{
    struct test_cx test;
    struct tc_descriptor *tools[3];
    struct tc_catalog *catalog;
    (void)state;

    test_cx_init(&test);
    tools[0] = test_named_tool(&test, TEST_UUID, "zoo", "b");
    tools[1] = test_builtin(&test, &runtime);
    tools[2] = test_mcp_tool(&test, test_uuid(&test, 7), "ant", TC_STR("{\"name\":\"a\",\"inputSchema\":false}"));
    catalog = test_catalog(&test, tools, 3);
    assert_int_equal(catalog->toolsets_n, 3);
    assert_str(catalog->toolsets[0], "mcp-ant");
    assert_str(catalog->toolsets[1], "mcp-zoo");
    assert_str(catalog->toolsets[2], "runtime");
    assert_int_equal(catalog->toolset_of[0], 2);
    assert_int_equal(catalog->toolset_of[1], 0);
    assert_int_equal(catalog->toolset_of[2], 1);
    assert_int_equal(tc_catalog_toolset(catalog, TC_STR("mcp-zoo")), 1);
    assert_int_equal(tc_catalog_toolset(catalog, TC_STR("base")), SIZE_MAX);
    assert_true(catalog->traits[0].runtime && catalog->traits[0].internal);
    assert_int_equal(catalog->traits[0].scenes, TC_SCENE_CHILD);
    assert_true(catalog->traits[1].faulty && !catalog->traits[1].runtime);
    assert_false(catalog->traits[2].faulty);
    test_cx_finish(&test);
}

void test_catalog__names_the_id_that_stands_twice(void **state)
{
    struct test_cx test;
    struct tc_descriptor *tools[2];
    struct tc_catalog *catalog = NULL;
    (void)state;

    test_cx_init(&test);
    tools[0] = test_named_tool(&test, TEST_UUID, "a", "b");
    tools[1] = test_named_tool(&test, TEST_UUID, "other", "b");
    assert_int_equal(tc_catalog_create(&test.cx, tools, 2, &catalog), TC_E_TOOL_DUPLICATE);
    assert_null(catalog);
    assert_true(tc_str_find(test.cx.err.message, TC_STR("mcp/" TEST_UUID ":b")) != SIZE_MAX);
    test_cx_finish(&test);
}

void test_catalog__may_be_empty_and_shares_its_descriptors(void **state)
{
    struct test_cx test;
    struct tc_descriptor *tool;
    struct tc_catalog *first, *second;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(test_catalog(&test, NULL, 0)->n, 0);
    tool = test_named_tool(&test, TEST_UUID, "a", "b");
    assert_int_equal(tc_catalog_create(&test.cx, &tool, 1, &first), TC_OK);
    assert_int_equal(tc_catalog_create(&test.cx, &tool, 1, &second), TC_OK);
    tc_catalog_unref(tc_catalog_ref(first));
    tc_catalog_unref(first);
    assert_str(second->tools[0]->name_hint, "b");
    tc_catalog_unref(second);
    tc_catalog_unref(NULL);
    test_cx_finish(&test);
}

void test_catalog__survives_every_lack_of_memory(void **state)
{
    struct test_cx test;
    struct tc_descriptor *tool;
    struct tc_catalog *catalog;
    enum tc_err err;
    size_t nth = 0;
    (void)state;

    test_cx_init(&test);
    tool = test_named_tool(&test, TEST_UUID, "a", "b");
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        tc_mem_fail_at(++nth, true);
        err = tc_catalog_create(&test.cx, &tool, 1, &catalog);
        tc_mem_fail_at(0, false);
        assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
    } while (err);
    assert_true(nth > 4);
    tc_catalog_unref(catalog);
    test_cx_finish(&test);
}
