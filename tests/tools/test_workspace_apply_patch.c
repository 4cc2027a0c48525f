/*
 * workspace.apply_patch: literal replacement, and what must have been read for it.
 */
#include "support/workspace.h"

static struct test_result patch(struct tc_cx *cx, struct test_workspace *t, const char *old, const char *new,
                                const char *more)
{
    return test_tool(cx, t, "workspace.apply_patch",
                     "{\"file_path\":\"f\",\"old_string\":\"%s\",\"new_string\":\"%s\"%s}", old, new, more);
}

static struct test_result read_lines(struct tc_cx *cx, struct test_workspace *t, const char *range)
{
    return test_tool(cx, t, "workspace.read_file", "{\"file_path\":\"f\"%s}", range);
}

static struct tc_str content(struct tc_cx *cx, struct test_workspace *t)
{
    return test_workspace_get(cx, t, "f");
}

static void once(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r, before;

    test_workspace_put(t, "f", TC_STR("alpha\nbeta\n世界 gamma\n"));
    before = read_lines(cx, t, "");
    r = patch(cx, t, "beta\\n世界", "BETA", "");
    expect_code(r, TC_OK);
    expect_text(content(cx, t), "alpha\nBETA gamma\n");
    expect_text(r.text, "Patched f: 1 replacement, now 17 characters, 3 words.");
    expect_int(test_result_int(r, "chars"), 17);
    expect_int(test_result_int(r, "words"), 3);
    expect_int(test_result_int(r, "replacements"), 1);
    expect(tc_str_eq(test_result_str(r, "oldSha256"), test_result_str(before, "sha256")));
    expect(tc_str_eq(test_result_str(r, "sha256"), test_result_str(read_lines(cx, t, ""), "sha256")));
    expect_int(r.effect, TC_EFFECT_FILE_PATCHED);
    expect_int(r.changes_n, 1);
    expect_text(r.changes[0].path, "f");
    expect_int(r.changes[0].sha256.n, 64);
    expect(tc_str_find(r.structured, r.changes[0].sha256) != SIZE_MAX);

    expect_code(patch(cx, t, "BETA gamma\\n", "", ""), TC_OK); /* empty deletes; known since the last patch */
    expect_text(content(cx, t), "alpha\n");
    expect_code(patch(cx, t, "alpha\\n", "no feed", ""), TC_OK);
    expect_text(content(cx, t), "no feed"); /* none is added */
}

void test_workspace_apply_patch__replaces_one_occurrence(void **state)
{
    (void)state;
    test_workspace_run(NULL, once);
}

static void all(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "f", TC_STR("aaa a aa"));
    read_lines(cx, t, "");
    r = patch(cx, t, "a", "b", "");
    expect_code(r, TC_E_WS_PATCH_NOT_UNIQUE);
    expect_text(r.message, "old_string occurs 6 times in \"f\".");
    r = patch(cx, t, "aa", "b", ",\"replace_all\":true"); /* from the left, without overlap */
    expect_code(r, TC_OK);
    expect_int(test_result_int(r, "replacements"), 2);
    expect_text(content(cx, t), "ba a b");
    r = patch(cx, t, "a", "aa", ",\"replace_all\":true"); /* what was put in is not searched again */
    expect_text(content(cx, t), "baa aa b");
    expect_text(r.text, "Patched f: 2 replacements, now 8 characters, 3 words.");
}

void test_workspace_apply_patch__replaces_all_when_told(void **state)
{
    (void)state;
    test_workspace_run(NULL, all);
}

static void crlf(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "f", TC_STR("one\r\ntwo\r\nthree\r\n"));
    read_lines(cx, t, "");
    expect_code(patch(cx, t, "one\\ntwo", "1\\n1b\\n2", ""), TC_OK); /* as a model sees it */
    expect_text(content(cx, t), "1\r\n1b\r\n2\r\nthree\r\n");
    expect_code(patch(cx, t, "2\\r\\nthree", "2\\r\\n3", ""), TC_OK); /* as it stands */
    expect_text(content(cx, t), "1\r\n1b\r\n2\r\n3\r\n");

    test_workspace_put(t, "f", TC_STR("one\r\ntwo\nthree"));
    read_lines(cx, t, "");
    expect_code(patch(cx, t, "one\\ntwo", "x", ""), TC_E_WS_PATCH_NOT_FOUND); /* mixed: exact bytes only */
    expect_code(patch(cx, t, "two\\nthree", "2\\n3", ""), TC_OK);
    expect_text(content(cx, t), "one\r\n2\n3");
}

void test_workspace_apply_patch__keeps_the_line_ends_of_the_file(void **state)
{
    (void)state;
    test_workspace_run(NULL, crlf);
}

static void preconditions(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "f", TC_STR("1\n2\n3\n4\n"));
    expect_code(patch(cx, t, "", "x", ""), TC_E_WS_PATCH_EMPTY);
    expect_code(patch(cx, t, "1", "1", ""), TC_E_WS_PATCH_NO_CHANGE);
    r = patch(cx, t, "1", "x", "");
    expect_code(r, TC_E_WS_PATCH_REQUIRES_READ);
    expect_text(r.hint, "Read it with workspace_read_file first.");

    read_lines(cx, t, "");
    r = patch(cx, t, "9", "x", "");
    expect_code(r, TC_E_WS_PATCH_NOT_FOUND);
    expect(r.hint.n > 0);
    expect_code(patch(cx, t, "1", "x", ""), TC_OK); /* fully read: a failure has no consequence */
    test_workspace_put(t, "f", TC_STR("other\n"));
    expect_code(patch(cx, t, "x", "y", ""), TC_E_WS_PATCH_STALE);
    expect_text(content(cx, t), "other\n");

    expect_code(test_tool(cx, t, "workspace.apply_patch",
                          "{\"file_path\":\"no\",\"old_string\":\"a\",\"new_string\":\"b\"}"), TC_E_WS_FILE_NOT_FOUND);
    expect_code(test_tool(cx, t, "workspace.apply_patch",
                          "{\"file_path\":\"skills/a\",\"old_string\":\"a\",\"new_string\":\"b\"}"),
                TC_E_WS_NOT_WRITABLE);
    expect_code(test_tool(cx, t, "workspace.apply_patch",
                          "{\"file_path\":\"../a\",\"old_string\":\"a\",\"new_string\":\"b\"}"), TC_E_WS_INVALID_PATH);
    test_workspace_put(t, "d/x", TC_STR(""));
    expect_code(test_tool(cx, t, "workspace.apply_patch",
                          "{\"file_path\":\"d\",\"old_string\":\"a\",\"new_string\":\"b\"}"), TC_E_WS_IS_DIRECTORY);
    test_workspace_put(t, "bin", tc_str_n("a\0", 2));
    expect_code(test_tool(cx, t, "workspace.apply_patch",
                          "{\"file_path\":\"bin\",\"old_string\":\"a\",\"new_string\":\"b\"}"), TC_E_WS_NOT_TEXT);
}

void test_workspace_apply_patch__refuses_with_a_code_for_each_reason(void **state)
{
    (void)state;
    test_workspace_run(NULL, preconditions);
}

static void partial(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "f", TC_STR("1\n2\n3\n4\n5\n6\n"));
    read_lines(cx, t, ",\"offset\":2,\"limit\":2");
    expect_code(patch(cx, t, "2", "two", ",\"replace_all\":true"), TC_E_WS_PATCH_REQUIRES_FULL_READ);
    expect_code(patch(cx, t, "2\\n3", "a\\nb\\nc", ""), TC_OK);
    expect_text(content(cx, t), "1\na\nb\nc\n4\n5\n6\n");
    expect_code(patch(cx, t, "c\\n", "C\\n", ""), TC_OK); /* what was put in is known */
    expect_code(patch(cx, t, "C", "c", ",\"replace_all\":true"), TC_E_WS_PATCH_REQUIRES_FULL_READ); /* still partial */

    expect_code(patch(cx, t, "5", "x", ""), TC_E_WS_PATCH_REQUIRES_FULL_READ); /* not seen */
    expect_code(patch(cx, t, "a", "A", ""), TC_E_WS_PATCH_REQUIRES_FULL_READ); /* and now all must be read */
    read_lines(cx, t, ",\"offset\":2,\"limit\":2");
    expect_code(patch(cx, t, "a", "A", ""), TC_E_WS_PATCH_REQUIRES_FULL_READ);
    read_lines(cx, t, "");
    expect_code(patch(cx, t, "a", "A", ""), TC_OK);
    expect_text(content(cx, t), "1\nA\nb\nC\n4\n5\n6\n");
}

void test_workspace_apply_patch__allows_only_what_a_partial_reading_showed(void **state)
{
    (void)state;
    test_workspace_run(NULL, partial);
}

static void failed_partial(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "f", TC_STR("1\n1\n3\n4\n"));
    read_lines(cx, t, ",\"limit\":3");
    expect_code(patch(cx, t, "1", "x", ""), TC_E_WS_PATCH_NOT_UNIQUE);
    expect_code(patch(cx, t, "3", "x", ""), TC_E_WS_PATCH_REQUIRES_FULL_READ);

    test_workspace_put(t, "f", TC_STR("1\n2\n3\n4\n")); /* a new version does not make it good */
    read_lines(cx, t, ",\"limit\":3");
    expect_code(patch(cx, t, "3", "x", ""), TC_E_WS_PATCH_REQUIRES_FULL_READ);
    read_lines(cx, t, ",\"offset\":4");
    expect_code(patch(cx, t, "3", "x", ""), TC_OK);
}

void test_workspace_apply_patch__wants_a_full_reading_after_a_failure(void **state)
{
    (void)state;
    test_workspace_run(NULL, failed_partial);
}

static void joined(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "f", TC_STR("1\n2\n3\n4\n5\n"));
    read_lines(cx, t, ",\"offset\":2,\"limit\":1");
    expect_code(patch(cx, t, "2\\n", "", ""), TC_OK); /* line 3 moves up; it was not seen */
    expect_text(content(cx, t), "1\n3\n4\n5\n");
    expect_code(patch(cx, t, "3", "x", ""), TC_E_WS_PATCH_REQUIRES_FULL_READ);

    test_workspace_put(t, "f", TC_STR("1\n2\n3\n4\n5\n"));
    read_lines(cx, t, "");
    read_lines(cx, t, ",\"offset\":4,\"limit\":1");
    expect_code(patch(cx, t, "1\\n", "", ""), TC_OK);
    expect_code(patch(cx, t, "4", "four", ""), TC_OK); /* seen lines move along */
    expect_text(content(cx, t), "2\n3\nfour\n5\n");
}

void test_workspace_apply_patch__follows_lines_that_move(void **state)
{
    (void)state;
    test_workspace_run(NULL, joined);
}

static void big(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_buf buf;
    struct test_result r;

    tc_buf_init(&buf, 16 << 20);
    tc_buf_str(&buf, test_repeat(cx, "0123456789abcdef\n", 10 * 1024 * 1024));
    tc_buf_cstr(&buf, "needle\n");
    test_workspace_put(t, "f", tc_buf_get(&buf));
    read_lines(cx, t, ",\"offset\":616810");
    r = patch(cx, t, "needle", "pin", "");
    expect_code(r, TC_OK);
    expect_int(test_result_int(r, "chars"), 10 * 1024 * 1024 + 4);
    expect(tc_str_ends(content(cx, t), TC_STR("pin\n")));
    tc_buf_finish(&buf);
}

void test_workspace_apply_patch__patches_ten_megabytes_read_in_part(void **state)
{
    (void)state;
    test_workspace_run(NULL, big);
}
