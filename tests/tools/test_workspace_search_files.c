/*
 * workspace.search_files: patterns, scope, limits and long lines.
 */
#include "support/workspace.h"

#include <stdio.h>

#include "base/mem.h"

static struct test_result search(struct tc_cx *cx, struct test_workspace *t, const char *pattern, const char *more)
{
    return test_tool(cx, t, "workspace.search_files", "{\"pattern\":\"%s\"%s}", pattern, more);
}

static void shows(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "a/n.md", TC_STR("foo\nbar\r\nxfoox\n"));
    test_workspace_put(t, "b.md", TC_STR("no\nFOO 世界"));
    r = search(cx, t, "foo", "");
    expect_code(r, TC_OK);
    expect_text(r.text, "2 matching lines in 1 file\na/n.md\n  1: foo\n  3: xfoox");
    expect_text(r.structured,
                "{\"matches\":[{\"path\":\"a/n.md\",\"line\":1,\"text\":\"foo\"},{\"path\":\"a/n.md\",\"line\":3,"
                "\"text\":\"xfoox\"}],\"total\":2,\"truncated\":false}");
    expect_int(r.resources_n, 2);
    expect_text(r.resources[1], "workspace:a/n.md#L3-L3");
    expect_text(search(cx, t, "(?i)foo", "").text,
                "3 matching lines in 2 files\na/n.md\n  1: foo\n  3: xfoox\nb.md\n  2: FOO 世界");
    expect_text(search(cx, t, "r$", "").text, "1 matching line in 1 file\na/n.md\n  2: bar"); /* before the CR */
    expect_text(search(cx, t, "^\\\\w+ \\\\w+$", "").text, "1 matching line in 1 file\nb.md\n  2: FOO 世界");
    expect_text(search(cx, t, "界$", ",\"path\":\"b.md\"").text, "1 matching line in 1 file\nb.md\n  2: FOO 世界");
    expect_text(search(cx, t, "o\\\\nb", "").text, "No line matches (2 files searched)."); /* within one line */
    expect_text(search(cx, t, "zzz", ",\"path\":\"a\"").text, "No line matches (1 file searched).");
    expect_text(search(cx, t, "^$", "").text, "No line matches (2 files searched)."); /* a last line feed begins none */
}

void test_workspace_search_files__shows_matching_lines_by_file(void **state)
{
    (void)state;
    test_workspace_run(NULL, shows);
}

static void scope(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "a", TC_STR("hit"));
    test_workspace_put(t, "skills/s/SKILL.md", TC_STR("hit"));
    test_workspace_put(t, "tool-results/r.txt", TC_STR("hit"));
    test_workspace_put(t, "d/skills/x", TC_STR("hit"));
    test_workspace_put(t, ".toolcrib/plan.json", TC_STR("hit"));
    test_workspace_put(t, "bin", tc_str_n("hit\0", 4));
    test_workspace_put(t, "latin1", TC_STR("hit \xe9"));
    test_workspace_link(t, "a", "link");
    test_workspace_link(t, ".", "d/round");
    expect_text(
        search(cx, t, "hit", "").text,
        "2 matching lines in 2 files\na\n  1: hit\nd/skills/x\n  1: hit\n[Not searched: 2 files that are not text.]");
    expect_text(search(cx, t, "hit", ",\"path\":\"tool-results\"").text,
                "1 matching line in 1 file\ntool-results/r.txt\n  1: hit");
    expect_text(search(cx, t, "hit", ",\"path\":\"skills/s/SKILL.md\"").text,
                "1 matching line in 1 file\nskills/s/SKILL.md\n  1: hit");
    expect_text(search(cx, t, "hit", ",\"path\":\"link\"").text, "1 matching line in 1 file\nlink\n  1: hit");
    expect_code(search(cx, t, "hit", ",\"path\":\".toolcrib\""), TC_E_WS_NOT_VISIBLE);
    expect_code(search(cx, t, "hit", ",\"path\":\"no\""), TC_E_WS_PATH_NOT_FOUND);
    expect_code(search(cx, t, "hit", ",\"path\":\"../x\""), TC_E_WS_INVALID_PATH);
}

void test_workspace_search_files__leaves_out_what_was_not_asked_for(void **state)
{
    (void)state;
    test_workspace_run(NULL, scope);
}

static void patterns(struct tc_cx *cx, struct test_workspace *t)
{
    static const char *const wrong[] = {"(", "a{2,1}",         "[z-a]", "(a)\\\\1",   "(?<n>a)\\\\k<n>",
                                        "*", "(?P<n>x)(?P=n)", "\\\\C", "\\\\p{Nope}"};
    struct test_result r;

    test_workspace_put(t, "a", TC_STR("aa"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        r = search(cx, t, wrong[i], "");
        if (!expect_code(r, TC_E_WS_PATTERN))
            print_error("pattern: %s\n", wrong[i]);
        expect(r.hint.n > 0);
    }
    expect_code(search(cx, t, "", ""), TC_E_TOOL_INVALID_ARGUMENTS);
    expect_code(search(cx, t, tc_arena_cstr(cx->arena, test_repeat(cx, "a", 1000)), ""), TC_OK);
    expect_code(search(cx, t, tc_arena_cstr(cx->arena, test_repeat(cx, "a", 1001)), ""), TC_E_WS_PATTERN);
}

void test_workspace_search_files__refuses_wrong_patterns_and_backreferences(void **state)
{
    (void)state;
    test_workspace_run(NULL, patterns);
}

static void hard(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_buf buf;

    tc_buf_init(&buf, 1 << 20);
    tc_buf_str(&buf, test_repeat(cx, "a", 3000));
    tc_buf_cstr(&buf, "b\n");
    tc_buf_str(&buf, test_repeat(cx, "a", 3000));
    tc_buf_cstr(&buf, "c\n");
    test_workspace_put(t, "a", tc_buf_get(&buf));
    tc_buf_finish(&buf);
    /* backtracking would take longer than the world lasts */
    expect_int(test_result_int(search(cx, t, "^(a|aa)+[cd]$", ""), "total"), 1);
    expect_int(test_result_int(search(cx, t, "^(?:a?){40}a{40}[^b]*$", ""), "total"), 1);
    expect_int(test_result_int(search(cx, t, "(x+x+)+y", ""), "total"), 0);
}

void test_workspace_search_files__answers_hard_patterns_in_bounded_time(void **state)
{
    (void)state;
    test_workspace_run(NULL, hard);
}

static void limits(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;
    char name[64];

    test_workspace_put(t, "many", test_repeat(cx, "hit\n", 400));
    r = search(cx, t, "hit", "");
    expect_int(r.resources_n, 100);
    expect(!tc_json_bool(tc_json_get_c(r.root, "truncated"), true));
    test_workspace_put(t, "many", test_repeat(cx, "hit\n", 1000));
    r = search(cx, t, "hit", "");
    expect(tc_str_starts(r.text, TC_STR("250 matching lines in 1 file\n")));
    expect(tc_str_ends(r.text,
                       TC_STR("\n  100: hit\n[The first 100 of 250 matching lines are shown. Narrow the pattern or "
                              "the path.]")));
    expect_int(tc_json_count(tc_json_get_c(r.root, "matches")), 100);
    expect_int(test_result_int(r, "total"), 250);
    expect(tc_json_bool(tc_json_get_c(r.root, "truncated"), false));

    test_workspace_put(t, "deep/2/3/4/5/6/7/eight", TC_STR("end\n"));
    test_workspace_put(t, "deep/2/3/4/5/6/7/8/nine", TC_STR("end\n"));
    r = search(cx, t, "end", "");
    expect_int(test_result_int(r, "total"), 1);
    expect(tc_json_bool(tc_json_get_c(r.root, "truncated"), false));
    expect(tc_str_find(r.text, TC_STR("[The search stopped early, ")) != SIZE_MAX);
    expect_int(test_result_int(search(cx, t, "end", ",\"path\":\"deep\""), "total"), 2);

    for (int i = 0; i < 1001; i++) {
        snprintf(name, sizeof name, "files/f%04d", i);
        test_workspace_put(t, name, TC_STR("one\n"));
    }
    r = search(cx, t, "one", ",\"path\":\"files\"");
    expect_int(test_result_int(r, "total"), 1000);
    expect(tc_json_bool(tc_json_get_c(r.root, "truncated"), false));
}

void test_workspace_search_files__stops_at_100_lines_8_levels_1000_files(void **state)
{
    (void)state;
    test_workspace_run(NULL, limits);
}

static void long_lines(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_buf buf;
    struct test_result r;
    struct tc_str text;

    tc_buf_init(&buf, 4 << 20);
    tc_buf_str(&buf, test_repeat(cx, "字", 3000000)); /* a million characters before it */
    tc_buf_cstr(&buf, "needle");
    tc_buf_str(&buf, test_repeat(cx, "z", 100000));
    test_workspace_put(t, "long", tc_buf_get(&buf));
    r = search(cx, t, "needle", "");
    expect_int(test_result_int(r, "total"), 1);
    text = tc_json_str(tc_json_pointer(r.root, TC_STR("/matches/0/text")));
    expect(tc_str_starts(text, TC_STR("…字")));
    expect(tc_str_ends(text, TC_STR("z…")));
    expect_int(tc_call_measure(text).chars, 302);
    expect_int(test_result_int(search(cx, t, "^字+needle", ""), "total"), 0); /* longer than any window */
    expect_int(test_result_int(search(cx, t, "^needle|needle$", ""), "total"),
               0); /* no window has line ends of its own */
    expect_int(test_result_int(search(cx, t, "^字", ""), "total"), 1);
    expect_int(test_result_int(search(cx, t, "z$", ""), "total"), 1);
    tc_buf_finish(&buf);

    test_workspace_put(t, "300", test_repeat(cx, "字", 900));
    r = search(cx, t, "字", ",\"path\":\"300\"");
    expect_int(tc_json_str(tc_json_pointer(r.root, TC_STR("/matches/0/text"))).n, 900);
}

void test_workspace_search_files__cuts_long_lines_around_the_match(void **state)
{
    (void)state;
    test_workspace_run(NULL, long_lines);
}

static void windows(struct tc_cx *cx, struct test_workspace *t)
{
    char path[32];

    /* a match at every offset around the seam of two windows is found */
    for (size_t at = 16384 - 12; at < 16384 + 4; at++) {
        struct tc_buf buf;
        tc_buf_init(&buf, 1 << 20);
        tc_buf_str(&buf, test_repeat(cx, "é", at));
        tc_buf_cstr(&buf, "needle");
        tc_buf_str(&buf, test_repeat(cx, "-", 20000));
        snprintf(path, sizeof path, "%zu", at);
        if (at % 2 == 0)
            test_workspace_put(t, path, tc_buf_get(&buf));
        tc_buf_finish(&buf);
    }
    expect_int(test_result_int(search(cx, t, "éneedle-", ""), "total"), 8);
}

void test_workspace_search_files__misses_nothing_between_windows(void **state)
{
    (void)state;
    test_workspace_run(NULL, windows);
}

static void without_memory(struct tc_cx *cx, struct test_workspace *t)
{
    const struct tc_workspace_query query = {
        .pattern = TC_STR("(x|aa)+[bc]"), .max_depth = 8, .max_files = 10, .max_lines = 10, .max_chars = 300};
    struct tc_workspace_found found;
    enum tc_err err = TC_E_NO_MEMORY;

    test_workspace_put(t, "d/a", test_repeat(cx, "a", 3000));
    for (size_t nth = 1; err && nth < 200; nth++) {
        if (!tc_mem_fail_at(nth, false))
            return;
        err = tc_workspace_search(cx, &t->service, &query, &found);
        tc_mem_fail_at(0, false);
        if (err)
            expect_int(err, TC_E_NO_MEMORY);
    }
    expect_int(err, TC_OK);
}

void test_workspace_search_files__says_when_memory_runs_out(void **state)
{
    (void)state;
    test_workspace_run(NULL, without_memory);
}

static void large(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "17m", test_repeat(cx, "hit\n", (16 << 20) + 1));
    r = search(cx, t, "hit", "");
    expect_text(r.text, "No line matches (0 files searched).\n[Not searched: 1 file over 16 MiB.]");
}

void test_workspace_search_files__counts_files_that_are_too_large(void **state)
{
    (void)state;
    test_workspace_run(NULL, large);
}
