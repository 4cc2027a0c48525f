/*
 * See tools.h: thin wrappers that fail the test and tie lifetimes to its arena.
 */
#include "support/tools.h"

static void check(struct test_cx *test, enum tc_err err)
{
    if (err)
        fail_msg("%s: %.*s (%.*s)", tc_err_info(err)->name, TC_STR_ARG(test->cx.err.message),
                 TC_STR_ARG(test->cx.err.field));
}

static void drop_descriptor(void *p)
{
    tc_descriptor_unref(p);
}

static void drop_catalog(void *p)
{
    tc_catalog_unref(p);
}

static void drop_agent(void *p)
{
    tc_agent_unref(p);
}

struct tc_descriptor *test_mcp_tool(struct test_cx *test, const char *uuid, const char *server, struct tc_str entry)
{
    const struct tc_json *json;
    struct tc_descriptor *descriptor;

    check(test, tc_json_parse_root(&test->cx, entry, NULL, &json));
    check(test, tc_descriptor_of_mcp(&test->cx, tc_str_of(uuid), tc_str_of(server), json, &descriptor));
    assert_true(tc_arena_defer(&test->arena, drop_descriptor, descriptor));
    return descriptor;
}

struct tc_descriptor *test_named_tool(struct test_cx *test, const char *uuid, const char *server, const char *name)
{
    return test_mcp_tool(test, uuid, server, tc_arena_printf(&test->arena, "{\"name\":\"%s\"}", name));
}

struct tc_descriptor *test_builtin(struct test_cx *test, const struct tc_tool *tool)
{
    struct tc_descriptor *descriptor;

    check(test, tc_descriptor_of_builtin(&test->cx, tool, &descriptor));
    assert_true(tc_arena_defer(&test->arena, drop_descriptor, descriptor));
    return descriptor;
}

struct tc_catalog *test_catalog(struct test_cx *test, struct tc_descriptor *const *tools, size_t n)
{
    struct tc_catalog *catalog;

    check(test, tc_catalog_create(&test->cx, tools, n, &catalog));
    assert_true(tc_arena_defer(&test->arena, drop_catalog, catalog));
    return catalog;
}

struct tc_str test_quotes(struct test_cx *test, const char *text)
{
    struct tc_str s = tc_arena_dup(&test->arena, tc_str_of(text));

    for (char *p = (char *)s.p; *p; p++)
        if (*p == '\'')
            *p = '"';
    return s;
}

struct tc_agent *test_agent(struct test_cx *test, const char *json)
{
    struct tc_agent *agent;

    check(test, tc_agent_decode(&test->cx, test_quotes(test, json), &agent));
    assert_true(tc_arena_defer(&test->arena, drop_agent, agent));
    return agent;
}

const char *test_uuid(struct test_cx *test, unsigned n)
{
    return tc_arena_printf(&test->arena, "00000000-0000-4000-8000-%012x", n).p;
}
