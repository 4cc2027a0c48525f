/*
 * workspace.list_files: order, depth, limits, and what stays out of sight.
 */
#include "support/workspace.h"

#include <stdio.h>
#include <sys/stat.h>

static struct test_result list(struct tc_cx *cx, struct test_workspace *t, const char *arguments)
{
    return test_tool(cx, t, "workspace.list_files", "%s", arguments);
}

static void tree(struct test_workspace *t)
{
    test_workspace_put(t, "b.md", TC_STR("12345"));
    test_workspace_put(t, "a/z/deep/er/most", TC_STR(""));
    test_workspace_put(t, "a/x.md", TC_STR(""));
    test_workspace_put(t, "a.md", TC_STR(""));
    test_workspace_put(t, "中/文", TC_STR(""));
    test_workspace_put(t, ".toolcrib/plan.json", TC_STR(""));
    test_workspace_put(t, "a/.toolcrib-0123456789abcdef.tmp", TC_STR(""));
    test_workspace_put(t, "skills/s/SKILL.md", TC_STR(""));
}

static void shows(struct tc_cx *cx, struct test_workspace *t)
{
    static const char *const roots[] = {"{}", "{\"path\":null}", "{\"path\":\"\"}", "{\"path\":\".\"}",
                                        "{\"path\":\"./\"}"};
    struct test_result r;

    tree(t);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        expect_text(list(cx, t, roots[i]).text, "a/\na/x.md\na/z/\na.md\nb.md\nskills/\nskills/s/\n中/\n中/文");
    r = list(cx, t, "{\"path\":\"a\",\"depth\":1}");
    expect_text(r.text, "a/x.md\na/z/");
    expect_text(r.structured,
                "{\"entries\":[{\"path\":\"a/x.md\",\"kind\":\"file\"},{\"path\":\"a/z\",\"kind\":\"directory\"}],"
                "\"truncated\":false}");
    expect_int(r.resources_n, 2);
    expect_text(r.resources[1], "a/z");
    r = list(cx, t, "{\"path\":\"a/\",\"depth\":4}");
    expect_text(r.text, "a/x.md\na/z/\na/z/deep/\na/z/deep/er/\na/z/deep/er/most");
    r = list(cx, t, "{\"path\":\"a/z\",\"depth\":3}");
    expect_text(r.text, "a/z/deep/\na/z/deep/er/\na/z/deep/er/most");
    expect_text(list(cx, t, "{\"path\":\"b.md\"}").text, "b.md");
}

void test_workspace_list_files__shows_paths_in_order_down_to_a_depth(void **state)
{
    (void)state;
    test_workspace_run(NULL, shows);
}

static void empty(struct tc_cx *cx, struct test_workspace *t)
{
    expect_text(list(cx, t, "{}").text, "The workspace is empty.");
    expect_text(list(cx, t, "{}").structured, "{\"entries\":[],\"truncated\":false}");
    expect_int(mkdir(test_workspace_at(cx, t, "d"), 0755), 0);
    expect_text(list(cx, t, "{\"path\":\"d\"}").text, "d/ is empty.");
}

void test_workspace_list_files__says_that_a_folder_is_empty(void **state)
{
    (void)state;
    test_workspace_run(NULL, empty);
}

static void limit(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;
    char name[32];

    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "a/f%03d", i);
        test_workspace_put(t, name, TC_STR(""));
    }
    r = list(cx, t, "{\"path\":\"a\"}");
    expect_int(tc_json_count(tc_json_get_c(r.root, "entries")), 200);
    expect(!tc_json_bool(tc_json_get_c(r.root, "truncated"), true));
    test_workspace_put(t, "z", TC_STR(""));
    r = list(cx, t, "{}");
    expect_int(tc_json_count(tc_json_get_c(r.root, "entries")), 200);
    expect(tc_json_bool(tc_json_get_c(r.root, "truncated"), false));
    expect(tc_str_starts(r.text, TC_STR("a/\na/f000\n")));
    /* all of the upper level before the lower one is cut */
    expect(
        tc_str_ends(r.text, TC_STR("a/f197\nz\n[Only 200 entries are shown, there are more. List a folder of them for "
                                   "the rest.]")));
}

void test_workspace_list_files__cuts_after_200_entries_upper_levels_first(void **state)
{
    (void)state;
    test_workspace_run(NULL, limit);
}

static void refusals(struct tc_cx *cx, struct test_workspace *t)
{
    tree(t);
    expect_code(list(cx, t, "{\"depth\":5}"), TC_E_WS_DEPTH);
    expect_code(list(cx, t, "{\"path\":\"nope\"}"), TC_E_WS_PATH_NOT_FOUND);
    expect_code(list(cx, t, "{\"path\":\"b.md/x\"}"), TC_E_WS_PATH_NOT_FOUND);
    expect_code(list(cx, t, "{\"path\":\".toolcrib\"}"), TC_E_WS_NOT_VISIBLE);
    expect_code(list(cx, t, "{\"path\":\"..\"}"), TC_E_WS_INVALID_PATH);
    expect_code(list(cx, t, "{\"path\":\"/\"}"), TC_E_WS_INVALID_PATH);
    expect_int(mkfifo(test_workspace_at(cx, t, "fifo"), 0644), 0);
    expect_code(list(cx, t, "{\"path\":\"fifo\"}"), TC_E_WS_INVALID_PATH);
    expect(tc_str_find(list(cx, t, "{}").text, TC_STR("fifo")) == SIZE_MAX);
}

void test_workspace_list_files__refuses_with_a_code_for_each_reason(void **state)
{
    (void)state;
    test_workspace_run(NULL, refusals);
}

static void links(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "real/f", TC_STR("x"));
    test_workspace_link(t, "real", "dir");
    test_workspace_link(t, "real/f", "file");
    test_workspace_link(t, ".toolcrib", "hidden");
    test_workspace_link(t, "/etc", "out");
    test_workspace_link(t, "../../etc", "out2");
    test_workspace_link(t, "nowhere", "dangling");
    test_workspace_link(t, "loop", "loop");
    test_workspace_put(t, ".toolcrib/x", TC_STR(""));
    expect_text(list(cx, t, "{}").text, "dir/\nfile\nreal/\nreal/f");
    expect_text(list(cx, t, "{\"path\":\"dir\"}").text, "dir/f"); /* entered when asked for */
    expect_code(list(cx, t, "{\"path\":\"hidden\"}"), TC_E_WS_NOT_VISIBLE);
    expect_code(list(cx, t, "{\"path\":\"out\"}"), TC_E_WS_INVALID_PATH);
    expect_code(list(cx, t, "{\"path\":\"loop\"}"), TC_E_WS_INVALID_PATH);
    expect_code(list(cx, t, "{\"path\":\"dangling\"}"), TC_E_WS_PATH_NOT_FOUND);
}

void test_workspace_list_files__shows_links_as_what_they_lead_to(void **state)
{
    (void)state;
    test_workspace_run(NULL, links);
}
