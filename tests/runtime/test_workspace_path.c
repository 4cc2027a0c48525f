/*
 * Normalising paths, and the rules on what may be seen and written.
 */
#include "support/test.h"

#include "runtime/workspace_impl.h"

static enum tc_err normalise(struct test_cx *test, struct tc_str path, struct tc_str *ret)
{
    *ret = TC_STR("untouched");
    return tc_workspace_path(&test->cx, path, ret);
}

void test_workspace_path__normalises(void **state)
{
    static const char *const rows[][2] = {{"a", "a"}, {"", ""}, {".", ""}, {"./", ""}, {"./.", ""}, {"a/b", "a/b"},
                                          {"a//b///c/", "a/b/c"}, {"./a/./b/.", "a/b"}, {"a\\b", "a/b"},
                                          {"a\\.\\b/", "a/b"}, {"...", "..."}, {"a/...b", "a/...b"}, {".a/b.", ".a/b."},
                                          {"目录/文件", "目录/文件"}, {"a b/ c ", "a b/ c "}, {"ab:c", "ab:c"}, {"~/x", "~/x"}};
    struct test_cx test;
    struct tc_str got;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(normalise(&test, tc_str_of(rows[i][0]), &got), TC_OK);
        assert_str(got, rows[i][1]);
    }
    test_cx_finish(&test);
}

void test_workspace_path__refuses(void **state)
{
    static const struct tc_str rows[] = {TC_STR_INIT("/a"),
                                         TC_STR_INIT("\\a"),
                                         TC_STR_INIT("/"),
                                         TC_STR_INIT(".."),
                                         TC_STR_INIT("a/../b"),
                                         TC_STR_INIT("a/.."),
                                         TC_STR_INIT("a\\..\\b"),
                                         TC_STR_INIT("../a"),
                                         TC_STR_INIT("C:"),
                                         TC_STR_INIT("c:/a"),
                                         TC_STR_INIT("c:a"),
                                         TC_STR_INIT("./c:/a"),
                                         TC_STR_INIT(".\\C:"),
                                         TC_STR_INIT("a\0b"),
                                         TC_STR_INIT("a\nb"),
                                         TC_STR_INIT("a\x7f"),
                                         TC_STR_INIT("\xff"),
                                         TC_STR_INIT("a/\xed\xa0\x80"),
                                         TC_STR_INIT("\xc0\xae\xc0\xae/a")};
    struct test_cx test;
    struct tc_str got;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(normalise(&test, rows[i], &got), TC_E_WS_INVALID_PATH);
        assert_str(got, "untouched");
        assert_true(test.cx.err.message.n > 0 && test.cx.err.hint.n > 0);
    }
    test_cx_finish(&test);
}

void test_workspace_path__is_bounded(void **state)
{
    char text[4096];
    struct test_cx test;
    struct tc_str got;
    (void)state;

    test_cx_init(&test);
    memset(text, 'x', sizeof text);
    assert_int_equal(normalise(&test, tc_str_n(text, 255), &got), TC_OK);
    assert_int_equal(normalise(&test, tc_str_n(text, 256), &got), TC_E_WS_INVALID_PATH);
    for (size_t i = 1; i < sizeof text; i += 2)
        text[i] = '/';
    assert_int_equal(normalise(&test, tc_str_n(text, 127), &got), TC_OK); /* 64 segments */
    assert_int_equal(normalise(&test, tc_str_n(text, 129), &got), TC_E_WS_INVALID_PATH);
    memset(text, '/', sizeof text);
    text[0] = 'a';
    assert_int_equal(normalise(&test, tc_str_n(text, 2048), &got), TC_OK);
    assert_str(got, "a");
    assert_int_equal(normalise(&test, tc_str_n(text, 2049), &got), TC_E_WS_INVALID_PATH);
    test_cx_finish(&test);
}

struct rule {
    const char *path;
    bool visible, writable;
};

static void check(const struct tc_workspace *workspace, const struct rule *rules, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (tc_workspace_path_visible(workspace, tc_str_of(rules[i].path)) != rules[i].visible)
            fail_msg("visible: %s", rules[i].path);
        if (tc_workspace_path_writable(workspace, tc_str_of(rules[i].path)) != rules[i].writable)
            fail_msg("writable: %s", rules[i].path);
    }
}

void test_workspace_path__whole_tree(void **state)
{
    static const struct rule rules[] = {{"", true, false},
                                        {"a", true, true},
                                        {"a/b", true, true},
                                        {"skills", true, false},
                                        {"skills/a", true, false},
                                        {"tool-results/x", true, false},
                                        {"Skills/a", true, false},
                                        {".toolcrib", false, false},
                                        {".toolcrib/plan.json", false, false},
                                        {".ToolCrib/x", false, false},
                                        {"a/.toolcrib", true, true},
                                        {"a/skills/b", true, true},
                                        {"skillset", true, true},
                                        {".toolcrib-0123456789abcdef.tmp", false, false},
                                        {"a/.toolcrib-0123456789abcdef.tmp", false, false},
                                        {".toolcrib-0123456789abcdeg.tmp", true, true}};
    struct tc_workspace workspace = {0};
    (void)state;

    check(&workspace, rules, sizeof rules / sizeof *rules);
}

void test_workspace_path__chat_roots(void **state)
{
    static const struct rule rules[] = {
        {"", true, false},           {"output", true, false},      {"output/a", true, true},
        {"scratch/a/b", true, true}, {"plan/a", true, true},       {"summaries/a", true, true},
        {"persist/a", true, true},   {"skills/a", true, false},    {"tool-results/a", true, false},
        {"input", false, false},     {"input/x", false, false},    {"outputs/a", false, false},
        {"a", false, false},         {".toolcrib/x", false, false}};
    struct tc_workspace workspace = {.stage_visible = tc_workspace_chat_roots,
                                     .stage_writable = tc_workspace_chat_roots};
    (void)state;

    check(&workspace, rules, sizeof rules / sizeof *rules);
}

void test_workspace_path__agent_only_narrows(void **state)
{
    static const struct tc_str see[] = {TC_STR_INIT("output"), TC_STR_INIT("input"), TC_STR_INIT("plan")};
    static const struct tc_str write[] = {TC_STR_INIT("output"), TC_STR_INIT("scratch"), TC_STR_INIT("skills")};
    static const struct rule chat[] = {{"output/a", true, true}, {"plan/a", true, false}, {"scratch/a", false, false},
                                       {"input/a", false, false}, {"skills/a", true, false}};
    static const struct rule whole[] = {{"output/a", true, true}, {"output", true, false}, {"input/a", true, false},
                                        {"scratch/a", false, false}, {"a", false, false}, {"skills/a", true, false}};
    static const struct rule nothing[] = {{"a", false, false}, {"skills/a", true, false}};
    struct tc_workspace workspace = {.stage_visible = tc_workspace_chat_roots,
                                     .stage_writable = tc_workspace_chat_roots,
                                     .agent_visible = {see, 3},
                                     .agent_writable = {write, 3}};
    (void)state;

    check(&workspace, chat, sizeof chat / sizeof *chat);
    workspace.stage_visible = workspace.stage_writable = (struct tc_workspace_names){0};
    check(&workspace, whole, sizeof whole / sizeof *whole);
    workspace.agent_visible.n = 0; /* an empty list is not no list */
    check(&workspace, nothing, sizeof nothing / sizeof *nothing);
}

void test_workspace_path__order_puts_a_folder_before_what_it_holds(void **state)
{
    static const char *const sorted[] = {"a", "a/b", "a/z/y", "a b", "a.md", "ab", "b", "中"};
    (void)state;

    for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++)
        for (size_t k = 0; k < sizeof sorted / sizeof *sorted; k++) {
            int order = tc_workspace_path_cmp(tc_str_of(sorted[i]), tc_str_of(sorted[k]));
            assert_int_equal((order > 0) - (order < 0), (i > k) - (i < k));
        }
}

void test_workspace_path__takes_paths_apart(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_str(tc_workspace_path_first(TC_STR("a/b/c")), "a");
    assert_str(tc_workspace_path_first(TC_STR("a")), "a");
    assert_str(tc_workspace_path_parent(TC_STR("a/b/c")), "a/b");
    assert_str(tc_workspace_path_parent(TC_STR("a")), "");
    assert_str(tc_workspace_path_parent(TC_STR("")), "");
    assert_str(tc_workspace_path_last(TC_STR("a/b/c")), "c");
    assert_str(tc_workspace_path_last(TC_STR("a")), "a");
    assert_str(tc_workspace_path_join(&test.arena, TC_STR("a/b"), TC_STR("c")), "a/b/c");
    assert_str(tc_workspace_path_join(&test.arena, TC_STR(""), TC_STR("c")), "c");
    test_cx_finish(&test);
}
