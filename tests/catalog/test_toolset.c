#include "support/tools.h"

#include "catalog/toolset.h"

static const struct tc_tool read = {.name = "workspace.read_file", .toolset = "base"};

struct world {
    struct test_cx test;
    struct tc_catalog *catalog; /* toolsets: base, mcp-a, mcp-b, mcp-c */
    uint16_t ranks[4];
    struct tc_str *unknown;
    size_t unknown_n;
};

static void begin(struct world *w)
{
    static const char *const servers[] = {"a", "b", "c"};
    struct tc_descriptor *tools[4];

    test_cx_init(&w->test);
    tools[3] = test_builtin(&w->test, &read);
    for (unsigned i = 0; i < 3; i++)
        tools[i] = test_named_tool(&w->test, test_uuid(&w->test, i), servers[i], "x");
    w->catalog = test_catalog(&w->test, tools, 4);
    assert_int_equal(w->catalog->toolsets_n, 4);
}

static void expand(struct world *w, const struct tc_toolsets *composites, const char *const *names, size_t n)
{
    struct tc_str list[8];

    for (size_t i = 0; i < n; i++)
        list[i] = tc_str_of(names[i]);
    assert_int_equal(tc_toolset_expand(&w->test.cx, w->catalog, composites, list, n, w->ranks, &w->unknown,
                                       &w->unknown_n), TC_OK);
}

static void assert_ranks(const struct world *w, unsigned base, unsigned a, unsigned b, unsigned c)
{
    unsigned expected[4] = {base, a, b, c};

    for (size_t i = 0; i < 4; i++)
        if (w->ranks[i] != expected[i])
            fail_msg("toolset %zu has rank %u, not %u", i, w->ranks[i], expected[i]);
}

void test_toolset__are_those_of_the_contract(void **state)
{
    static const char *const names[] = {"base", "planning", "interaction", "chat", "memory", "skill", "crew", "vision",
                                        "document"};
    (void)state;

    assert_int_equal(tc_toolset_builtin_n, 9);
    for (size_t i = 0; i < 9; i++)
        assert_string_equal(tc_toolset_builtin[i].name, names[i]);
    assert_int_equal(tc_toolset_defaults_n, 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(tc_toolset_defaults[i], names[i]);
}

void test_toolset__names_reach_their_toolset_with_their_place(void **state)
{
    static const char *const names[] = {"mcp-c", "planning", "base", "mcp-c"};
    struct world w;
    (void)state;

    begin(&w);
    expand(&w, NULL, names, 4);
    assert_ranks(&w, 3, 0, 0, 1);
    assert_int_equal(w.unknown_n, 0);
    expand(&w, NULL, NULL, 0);
    assert_ranks(&w, 0, 0, 0, 0);
    test_cx_finish(&w.test);
}

void test_toolset__all_and_star_reach_every_one(void **state)
{
    static const char *const all[] = {"mcp-b", "all"}, *const star[] = {"*"};
    struct world w;
    (void)state;

    begin(&w);
    expand(&w, NULL, all, 2);
    assert_ranks(&w, 2, 2, 1, 2);
    expand(&w, NULL, star, 1);
    assert_ranks(&w, 1, 1, 1, 1);
    test_cx_finish(&w.test);
}

void test_toolset__cycles_and_diamonds_are_harmless(void **state)
{
    struct tc_str top[] = {TC_STR_INIT("left"), TC_STR_INIT("right")}, left[] = {TC_STR_INIT("bottom")},
                  right[] = {TC_STR_INIT("bottom"), TC_STR_INIT("mcp-c")},
                  bottom[] = {TC_STR_INIT("mcp-a"), TC_STR_INIT("top"), TC_STR_INIT("bottom")};
    struct tc_toolset items[] = {
        {.name = TC_STR_INIT("top"), .includes = top, .includes_n = 2},
        {.name = TC_STR_INIT("bottom"), .includes = bottom, .includes_n = 3},
        {.name = TC_STR_INIT("right"), .includes = right, .includes_n = 2},
        {.name = TC_STR_INIT("left"), .includes = left, .includes_n = 1},
    };
    struct tc_toolsets composites = {items, 4};
    static const char *const names[] = {"mcp-c", "top"}, *const only_left[] = {"left"};
    struct world w;
    (void)state;

    begin(&w);
    expand(&w, &composites, names, 2);
    assert_ranks(&w, 0, 2, 0, 1);
    assert_int_equal(w.unknown_n, 0);
    expand(&w, &composites, only_left, 1);
    assert_ranks(&w, 0, 1, 0, 1);
    test_cx_finish(&w.test);
}

void test_toolset__chains_have_no_depth_limit(void **state)
{
    enum { DEPTH = 5000 };
    static struct tc_toolset items[DEPTH];
    static const char *const names[] = {"chain-0"};
    struct tc_toolsets composites = {items, DEPTH};
    struct world w;
    (void)state;

    begin(&w);
    for (int i = 0; i < DEPTH; i++) {
        items[i].name = tc_arena_printf(&w.test.arena, "chain-%d", i);
        items[i].includes = TC_ARENA_NEW(&w.test.arena, struct tc_str);
        items[i].includes_n = 1;
        *items[i].includes = i + 1 < DEPTH ? tc_arena_printf(&w.test.arena, "chain-%d", i + 1) : TC_STR("mcp-b");
    }
    expand(&w, &composites, names, 1);
    assert_ranks(&w, 0, 0, 1, 0);
    test_cx_finish(&w.test);
}

void test_toolset__unknown_names_are_reported_once(void **state)
{
    struct tc_str includes[] = {TC_STR_INIT("gone"), TC_STR_INIT("mcp-lost"), TC_STR_INIT("mcp-a")};
    struct tc_toolset items[] = {{.name = TC_STR_INIT("mine"), .includes = includes, .includes_n = 3}};
    struct tc_toolsets composites = {items, 1};
    static const char *const names[] = {"gone", "mine", "vision", "Base"};
    struct world w;
    (void)state;

    begin(&w);
    expand(&w, &composites, names, 4);
    assert_ranks(&w, 0, 2, 0, 0);
    assert_int_equal(w.unknown_n, 3);
    assert_str(w.unknown[0], "gone");
    assert_str(w.unknown[1], "mcp-lost");
    assert_str(w.unknown[2], "Base");
    test_cx_finish(&w.test);
}

void test_toolset__names_have_a_form(void **state)
{
    char name[66];
    (void)state;

    memset(name, 'a', sizeof name);
    assert_true(tc_toolset_name_ok(TC_STR("mcp-files_2")));
    assert_true(tc_toolset_name_ok(TC_STR("0")));
    assert_true(tc_toolset_name_ok(tc_str_n(name, 64)));
    assert_false(tc_toolset_name_ok(tc_str_n(name, 65)));
    assert_false(tc_toolset_name_ok(TC_STR("")));
    assert_false(tc_toolset_name_ok(TC_STR("-a")));
    assert_false(tc_toolset_name_ok(TC_STR("_a")));
    assert_false(tc_toolset_name_ok(TC_STR("A")));
    assert_false(tc_toolset_name_ok(TC_STR("*")));
}
