#include "support/tools.h"

#include <stdio.h>

#include "base/mem.h"
#include "catalog/names.h"

static const enum tc_style styles[] = {TC_STYLE_MCP, TC_STYLE_SERVER, TC_STYLE_DMR, TC_STYLE_BARE};

/* The name that a tool gets alone, in a fresh ledger. */
static struct tc_str name_of(struct test_cx *test, enum tc_style style, size_t max, const struct tc_descriptor *tool)
{
    struct tc_names ledger = {0};
    struct tc_names_round round;
    struct tc_str name;

    tc_names_round_init(&round, &ledger, style, max);
    assert_int_equal(tc_names_give(&test->cx, &round, tool, &name), TC_OK);
    tc_names_round_finish(&round);
    return name;
}

static struct tc_str mcp_name(struct test_cx *test, enum tc_style style, const char *server, const char *tool)
{
    return name_of(test, style, 64, test_named_tool(test, TEST_UUID, server, tool));
}

void test_names__join_server_and_tool_in_the_style(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_str(mcp_name(&test, TC_STYLE_MCP, "files", "read"), "mcp__files__read");
    assert_str(mcp_name(&test, TC_STYLE_SERVER, "files", "read"), "files__read");
    assert_str(mcp_name(&test, TC_STYLE_DMR, "files", "read"), "mcp_files_read");
    assert_str(mcp_name(&test, TC_STYLE_BARE, "files", "read"), "read");
    test_cx_finish(&test);
}

void test_names__normalise_segments(void **state)
{
    static const struct {
        const char *tool, *name;
    } cases[] = {
        {"a.b c/d", "s__a_b_c_d"},
        {"_a__b_", "s__a_b"},
        {"Get-It_2", "s__Get-It_2"},
        {"读文件", "s__tool"},
        {"读file读", "s__file"},
        {"...", "s__tool"},
        {"a\xf0\x9f\x98\x80z", "s__a_z"},
        {"-", "s__-"},
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(mcp_name(&test, TC_STYLE_SERVER, "s", cases[i].tool), cases[i].name);
    assert_str(mcp_name(&test, TC_STYLE_SERVER, "__", "x"), "server__x");
    test_cx_finish(&test);
}

void test_names__of_built_ins_are_fixed(void **state)
{
    static const struct tc_tool read = {.name = "workspace.read_file", .toolset = "base"};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < 4; i++)
        assert_str(name_of(&test, styles[i], 50, test_builtin(&test, &read)), "workspace_read_file");
    assert_str(tc_names_builtin(&test.arena, TC_STR("task.return")), "task_return");
    test_cx_finish(&test);
}

void test_names__of_the_contract_are_reserved(void **state)
{
    static const char *const names[] = {
        "workspace_list_files", "workspace_search_files", "workspace_read_file", "workspace_write_file",
        "workspace_apply_patch", "workspace_shell", "plan_update", "clarify", "workspace_commit", "workspace_finish",
        "chat_search", "chat_read_messages", "worldinfo_read_activated", "dice_roll", "memory_save", "memory_search",
        "memory_forget", "skill_read", "skill_read_file", "skill_manage", "agent_delegate", "agent_await",
        "agent_handoff", "task_return", "tool_search", "vision_ocr", "document_extract",
    };
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_true(tc_names_reserved(tc_str_of(names[i])));
        assert_true(tc_str_starts(mcp_name(&test, TC_STYLE_BARE, "s", names[i]), TC_STR("s__")));
    }
    assert_false(tc_names_reserved(TC_STR("")));
    assert_false(tc_names_reserved(TC_STR("workspace_read")));
    test_cx_finish(&test);
}

void test_names__of_this_catalogs_built_ins_are_reserved(void **state)
{
    static const struct tc_tool later = {.name = "weather.now", .toolset = "base"};
    struct test_cx test;
    struct tc_descriptor *tools[2];
    struct tc_names ledger = {0};
    struct tc_names_round round;
    struct tc_str name;
    (void)state;

    test_cx_init(&test);
    tools[0] = test_builtin(&test, &later);
    tools[1] = test_named_tool(&test, TEST_UUID, "s", "weather_now");
    tc_names_round_init(&round, &ledger, TC_STYLE_BARE, 64);
    assert_int_equal(tc_names_reserve(&test.cx, &round, test_catalog(&test, tools, 2)), TC_OK);
    assert_int_equal(tc_names_give(&test.cx, &round, tools[1], &name), TC_OK);
    assert_str(name, "s__weather_now");
    assert_int_equal(tc_names_give(&test.cx, &round, tools[0], &name), TC_OK);
    assert_str(name, "weather_now");
    tc_names_round_finish(&round);
    test_cx_finish(&test);
}

void test_names__give_way_to_what_the_ledger_has(void **state)
{
    static const struct tc_tool later = {.name = "weather.now", .toolset = "base"};
    struct test_cx test;
    struct tc_names ledger = {0};
    struct tc_names_round round;
    struct tc_str name;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_names_add(&test.cx, &ledger, TC_STR("host:a"), TC_STR("s__x")), TC_OK);
    assert_int_equal(tc_names_add(&test.cx, &ledger, TC_STR("host:b"), TC_STR("s__x__2")), TC_OK);
    assert_int_equal(tc_names_add(&test.cx, &ledger, TC_STR("host:c"), TC_STR("weather_now")), TC_OK);
    tc_names_round_init(&round, &ledger, TC_STYLE_SERVER, 50);
    assert_int_equal(tc_names_give(&test.cx, &round, test_named_tool(&test, TEST_UUID, "s", "x"), &name), TC_OK);
    assert_str(name, "s__x__3");
    assert_int_equal(tc_names_give(&test.cx, &round, test_named_tool(&test, TEST_UUID, "s", "_x"), &name), TC_OK);
    assert_str(name, "s__x__4");
    assert_int_equal(tc_names_give(&test.cx, &round, test_builtin(&test, &later), &name), TC_OK);
    assert_str(name, "weather_now__2");
    tc_names_round_finish(&round);
    tc_names_finish(&ledger);
    test_cx_finish(&test);
}

void test_names__of_two_servers_with_the_same_tool_differ(void **state)
{
    static const char *const expected[][2] = {
        {"mcp__a__get", "mcp__b__get"}, {"a__get", "b__get"}, {"mcp_a_get", "mcp_b_get"}, {"get", "b__get"}};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < 4; i++) {
        struct tc_names ledger = {0};
        struct tc_names_round round;
        struct tc_str name;
        tc_names_round_init(&round, &ledger, styles[i], 64);
        for (unsigned k = 0; k < 2; k++) {
            struct tc_descriptor *tool = test_named_tool(&test, test_uuid(&test, k), k ? "b" : "a", "get");
            assert_int_equal(tc_names_give(&test.cx, &round, tool, &name), TC_OK);
            assert_str(name, expected[i][k]);
        }
        tc_names_round_finish(&round);
    }
    test_cx_finish(&test);
}

void test_names__share_the_room_and_end_in_a_digest(void **state)
{
    struct test_cx test;
    struct tc_str name;
    char tool[121], hex[9] = "";
    (void)state;

    test_cx_init(&test);
    memset(tool, 't', 120);
    tool[120] = '\0';
    /* room 64 - 5 - 2 - 9 = 48: the server keeps 20, the tool gets 28 */
    name = mcp_name(&test, TC_STYLE_MCP, "a-server-name-of-thirty-two-byte", tool);
    assert_int_equal(name.n, 64);
    assert_true(tc_str_starts(name, TC_STR("mcp__a-server-name-of-thi__tttttttttttttttttttttttttttt_")));
    /* a short tool leaves the server more than its share */
    name = name_of(&test, TC_STYLE_MCP, 32,
                   test_named_tool(&test, TEST_UUID, "a-server-name-of-thirty-two-byte", "ab"));
    assert_int_equal(name.n, 32);
    assert_true(tc_str_starts(name, TC_STR("mcp__a-server-name-__ab_")));
    /* the same long name has the same digest, another one another */
    name = mcp_name(&test, TC_STYLE_BARE, "s", tool);
    assert_int_equal(name.n, 64);
    memcpy(hex, name.p + 56, 8);
    assert_true(tc_str_eq(name, mcp_name(&test, TC_STYLE_BARE, "s", tool)));
    tool[119] = 'u';
    assert_false(tc_str_eq(tc_str_of(hex), tc_str_from(mcp_name(&test, TC_STYLE_BARE, "s", tool), 56)));
    test_cx_finish(&test);
}

void test_names__fit_exactly_at_the_maximum(void **state)
{
    struct test_cx test;
    char tool[64] = "";
    (void)state;

    test_cx_init(&test);
    memset(tool, 'x', 47);
    assert_str(name_of(&test, TC_STYLE_SERVER, 50, test_named_tool(&test, TEST_UUID, "s", tool)),
               "s__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    tool[47] = 'x';
    assert_str(tc_str_n(name_of(&test, TC_STYLE_SERVER, 50, test_named_tool(&test, TEST_UUID, "s", tool)).p, 42),
               "s__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_");
    test_cx_finish(&test);
}

void test_names__number_thousands_of_equal_bases(void **state)
{
    struct test_cx test;
    struct tc_names ledger = {0};
    struct tc_names_round round;
    struct tc_str name = {0};
    char native[64];
    (void)state;

    test_cx_init(&test);
    tc_names_round_init(&round, &ledger, TC_STYLE_SERVER, TC_NAMES_MAX_LEAST);
    for (unsigned i = 0; i < 3000; i++) {
        struct tc_descriptor *tool;
        snprintf(native, sizeof native, "a%u", i);
        tool = test_named_tool(&test, TEST_UUID, "s", native);
        tool->name_hint = TC_STR("...");
        assert_int_equal(tc_names_give(&test.cx, &round, tool, &name), TC_OK);
    }
    assert_str(name, "s__tool__3000");
    tc_names_round_finish(&round);
    test_cx_finish(&test);
}

static bool is_legal(struct tc_str name, size_t max)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'))
            return false;
    }
    return name.n >= 1 && name.n <= max;
}

/* Real tools and odd ones: names are legal and unique, and the same when asked again. */
static void check_all(struct test_cx *test, struct tc_descriptor *const *tools, size_t n, enum tc_style style,
                      size_t max)
{
    struct tc_names ledger = {0}, again = {0};
    struct tc_names_round round;
    struct tc_str name;

    tc_names_round_init(&round, &ledger, style, max);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(tc_names_give(&test->cx, &round, tools[i], &name), TC_OK);
        if (!is_legal(name, max))
            fail_msg("%s %zu: \"%.*s\"", tc_style_name(style), max, TC_STR_ARG(name));
        assert_int_equal(tc_names_add(&test->cx, &again, tools[i]->id, name), TC_OK);
    }
    tc_names_round_finish(&round);
    assert_int_equal(again.n, n);
    tc_names_round_init(&round, &ledger, style, max);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(tc_names_give(&test->cx, &round, tools[i], &name), TC_OK);
        assert_true(tc_str_eq(name, tc_names_get(&again, tools[i]->id)));
    }
    tc_names_round_finish(&round);
    tc_names_finish(&again);
}

void test_names__of_odd_tools_are_legal_and_unique(void **state)
{
    static const char *const natives[] = {"a.b", "a b", "a_b", "a/b", "A_B", "...",
                                          "___", "-", "--", "读", "写", "x"};
    static const size_t maxima[] = {TC_NAMES_MAX_LEAST, 40, TC_NAMES_MAX_CLIENT, TC_NAMES_MAX_RUN};
    struct tc_descriptor *tools[32];
    struct test_cx test;
    char cjk[256], longest[128];
    size_t n = 0;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < 80; i++)
        memcpy(cjk + 3 * i, "读", 4);
    memset(longest, 'q', 120);
    longest[120] = '\0';
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        tools[n++] = test_named_tool(&test, test_uuid(&test, 1), "one", natives[i]);
    tools[n++] = test_named_tool(&test, test_uuid(&test, 1), "one", cjk);
    tools[n++] = test_named_tool(&test, test_uuid(&test, 1), "one", longest);
    tools[n++] = test_named_tool(&test, test_uuid(&test, 2), "two", cjk);
    tools[n++] = test_named_tool(&test, test_uuid(&test, 2), "two", longest);
    tools[n++] = test_named_tool(&test, test_uuid(&test, 2), "two", "task_return");
    for (size_t s = 0; s < 4; s++)
        for (size_t m = 0; m < 4; m++)
            check_all(&test, tools, n, styles[s], maxima[m]);
    test_cx_finish(&test);
}

static size_t load(struct test_cx *test, const char *file, struct tc_descriptor **tools, size_t room)
{
    struct tc_str path = tc_arena_printf(&test->arena, "%s/tools/%s", test_data_dir(), file), key;
    const struct tc_json *root, *entry;
    struct tc_json_iter it;
    struct tc_str servers[256];
    size_t n = 0, servers_n = 0;

    assert_int_equal(tc_json_parse_root(&test->cx, test_read_file(&test->arena, path.p), NULL, &root), TC_OK);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &entry);) {
        struct tc_str server = tc_json_str(tc_json_get_c(entry, "_s"));
        size_t k = 0;
        bool twice = false;
        while (k < servers_n && !tc_str_eq(servers[k], server))
            k++;
        if (k == servers_n)
            servers[servers_n++] = server;
        assert_true(n < room && servers_n < 256);
        assert_int_equal(tc_descriptor_of_mcp(&test->cx, tc_str_of(test_uuid(test, (unsigned)k)),
                                              server, entry, &tools[n]), TC_OK);
        for (size_t i = 0; i < n; i++)
            twice |= tc_str_eq(tools[i]->id, tools[n]->id);
        if (twice)
            tc_descriptor_unref(tools[n]);
        else
            n++;
    }
    return n;
}

void test_names__of_real_tools_are_legal_and_unique(void **state)
{
    static const char *const files[] = {"livemcp_tools.json", "docker_tools.json"};
    static struct tc_descriptor *tools[1000];
    struct test_cx test;
    size_t n;
    (void)state;

    if (!test_data_dir())
        skip();
    for (size_t f = 0; f < 2; f++) {
        test_cx_init(&test);
        n = load(&test, files[f], tools, sizeof tools / sizeof *tools);
        assert_true(n > 400);
        for (size_t s = 0; s < 4; s++) {
            check_all(&test, tools, n, styles[s], TC_NAMES_MAX_LEAST);
            check_all(&test, tools, n, styles[s], TC_NAMES_MAX_CLIENT);
            check_all(&test, tools, n, styles[s], TC_NAMES_MAX_RUN);
        }
        for (size_t i = 0; i < n; i++)
            tc_descriptor_unref(tools[i]);
        test_cx_finish(&test);
    }
}

void test_names__survive_every_lack_of_memory(void **state)
{
    struct test_cx test, lasting;
    struct tc_descriptor *tool;
    struct tc_names ledger = {0};
    struct tc_names_round round;
    struct tc_catalog *catalog;
    struct tc_str name;
    enum tc_err err;
    size_t nth = 0;
    (void)state;

    test_cx_init(&lasting);
    tool = test_named_tool(&lasting, TEST_UUID, "s", "get");
    catalog = test_catalog(&lasting, &tool, 1);
    assert_int_equal(tc_names_add(&lasting.cx, &ledger, TC_STR("host:a"), TC_STR("get")), TC_OK);
    assert_int_equal(tc_names_add(&lasting.cx, &ledger, TC_STR("host:b"), TC_STR("s__get")), TC_OK);
    if (tc_mem_fail_at(0, false)) {
        do {
            test_cx_init(&test);
            tc_mem_fail_at(++nth, true);
            tc_names_round_init(&round, &ledger, TC_STYLE_BARE, 50);
            err = tc_names_reserve(&test.cx, &round, catalog);
            if (!err)
                err = tc_names_give(&test.cx, &round, tool, &name);
            tc_mem_fail_at(0, false);
            assert_true(err == TC_OK || err == TC_E_NO_MEMORY);
            if (!err)
                assert_str(name, "s__get__2");
            tc_names_round_finish(&round);
            test_cx_finish(&test);
        } while (err);
        assert_true(nth > 3);
    }
    tc_names_finish(&ledger);
    test_cx_finish(&lasting);
}
