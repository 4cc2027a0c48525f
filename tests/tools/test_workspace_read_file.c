/*
 * workspace.read_file: what is shown, where it is cut, and what is remembered.
 */
#include "support/workspace.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/hash.h"

static struct test_result read_lines(struct tc_cx *cx, struct test_workspace *t, const char *path, const char *range)
{
    return test_tool(cx, t, "workspace.read_file", "{\"file_path\":\"%s\"%s}", path, range);
}

static struct tc_workspace_record record_of(struct test_workspace *t, const char *path)
{
    struct tc_workspace_record record;

    tc_workspace_record_get(&t->service, tc_str_of(path), &record);
    return record;
}

static void shows(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;
    char sha[TC_HASH_HEX_SIZE], want[512];

    test_workspace_put(t, "notes/a.md", TC_STR("one two\n中文\n\nlast\n"));
    tc_hash_sha256_hex(TC_STR("one two\n中文\n\nlast\n"), sha);
    r = read_lines(cx, t, "notes/a.md", "");
    expect_code(r, TC_OK);
    snprintf(want, sizeof want,
             "notes/a.md: lines 1-4 of 4, characters 0-16 of 17, 5 words, sha256 %s\n"
             "1\tone two\n2\t中文\n3\t\n4\tlast", sha);
    expect_text(r.text, want);
    snprintf(
        want, sizeof want,
        "{\"path\":\"notes/a.md\",\"sha256\":\"%s\",\"totalLines\":4,\"startLine\":1,\"endLine\":4,\"startChar\":0,"
        "\"endChar\":16,\"chars\":16,\"totalChars\":17,\"words\":5,\"totalWords\":5,\"truncated\":false,"
        "\"fullRead\":true,\"text\":\"one two\\n中文\\n\\nlast\"}",
        sha);
    expect_text(r.structured, want);
    expect_int(r.resources_n, 1);
    expect_text(r.resources[0], "notes/a.md");
    expect_int(r.effect, TC_EFFECT_NONE);
    expect(record_of(t, "notes/a.md").full);
    expect_text(tc_str_of(record_of(t, "notes/a.md").sha256), sha);
}

void test_workspace_read_file__shows_numbered_lines_and_measures(void **state)
{
    (void)state;
    test_workspace_run(NULL, shows);
}

static void ranges(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "a", TC_STR("l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\nl11"));
    r = read_lines(cx, t, "a", ",\"offset\":9,\"limit\":2");
    expect_code(r, TC_OK);
    expect_int(test_result_int(r, "startLine"), 9);
    expect_int(test_result_int(r, "endLine"), 10);
    expect_int(test_result_int(r, "startChar"), 24);
    expect_int(test_result_int(r, "endChar"), 30);
    expect_text(test_result_str(r, "text"), "l9\nl10");
    expect(tc_str_find(r.text, TC_STR("\n 9\tl9\n10\tl10")) != SIZE_MAX); /* right-aligned */
    expect(!tc_json_bool(tc_json_get_c(r.root, "fullRead"), true));
    expect(!tc_json_bool(tc_json_get_c(r.root, "truncated"), true)); /* all that was asked for */
    expect(!record_of(t, "a").full);
    expect(tc_workspace_record_seen(&t->service, TC_STR("a"), 9, 10));
    expect(!tc_workspace_record_seen(&t->service, TC_STR("a"), 8, 9));

    expect_code(read_lines(cx, t, "a", ",\"limit\":8"), TC_OK);
    expect(!record_of(t, "a").full);
    r = read_lines(cx, t, "a", ",\"offset\":11,\"limit\":9223372036854775807");
    expect_text(test_result_str(r, "text"), "l11");
    expect(tc_str_find(r.text, TC_STR("no line feed at the end")) != SIZE_MAX);
    expect(record_of(t, "a").full); /* 1-8, 9-10 and 11 are everything */

    expect_code(read_lines(cx, t, "a", ",\"offset\":12"), TC_E_WS_LINE_RANGE);
    expect_code(read_lines(cx, t, "a", ",\"offset\":0"), TC_E_WS_LINE_RANGE);
    expect_code(read_lines(cx, t, "a", ",\"limit\":0"), TC_E_WS_LINE_RANGE);
    expect_code(read_lines(cx, t, "a", ",\"offset\":11.0"), TC_OK);
}

void test_workspace_read_file__reads_ranges_and_adds_them_up(void **state)
{
    (void)state;
    test_workspace_run(NULL, ranges);
}

static void small(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "empty", TC_STR(""));
    r = read_lines(cx, t, "empty", "");
    expect_code(r, TC_OK);
    expect_text(r.text, "empty: empty file, 0 lines, sha256 "
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect_int(test_result_int(r, "totalLines"), 0);
    expect(record_of(t, "empty").full);
    expect_code(read_lines(cx, t, "empty", ",\"offset\":2"), TC_E_WS_LINE_RANGE);

    test_workspace_put(t, "one", TC_STR("x"));
    r = read_lines(cx, t, "one", "");
    expect_int(test_result_int(r, "totalLines"), 1);
    expect_text(test_result_str(r, "text"), "x");

    test_workspace_put(t, "feed", TC_STR("\n"));
    r = read_lines(cx, t, "feed", "");
    expect_int(test_result_int(r, "totalLines"), 1);
    expect_int(test_result_int(r, "chars"), 0);

    test_workspace_put(t, "crlf", TC_STR("a\r\nb\r\n"));
    r = read_lines(cx, t, "crlf", "");
    expect(tc_str_ends(r.text, TC_STR(", lines end with CR LF\n1\ta\n2\tb")));
    expect_text(test_result_str(r, "text"), "a\r\nb\r");
    test_workspace_put(t, "mixed", TC_STR("a\r\nb\n"));
    r = read_lines(cx, t, "mixed", "");
    expect(tc_str_find(r.text, TC_STR("CR LF")) == SIZE_MAX);
}

void test_workspace_read_file__handles_small_files_and_line_ends(void **state)
{
    (void)state;
    test_workspace_run(NULL, small);
}

static void many_lines(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "1200", test_repeat(cx, "x\n", 2400));
    r = read_lines(cx, t, "1200", "");
    expect_int(test_result_int(r, "endLine"), 1200);
    expect(!tc_json_bool(tc_json_get_c(r.root, "truncated"), true));
    expect(record_of(t, "1200").full);

    test_workspace_put(t, "1201", test_repeat(cx, "x\n", 2402));
    r = read_lines(cx, t, "1201", "");
    expect_int(test_result_int(r, "endLine"), 1200);
    expect_int(test_result_int(r, "nextLine"), 1201);
    expect(tc_json_bool(tc_json_get_c(r.root, "truncated"), false));
    expect(tc_str_ends(r.text, TC_STR("[This is a part. The next line to read is 1201: call this tool with offset "
                                      "1201.]")));
    expect(!record_of(t, "1201").full);
    r = read_lines(cx, t, "1201", ",\"offset\":1201");
    expect(tc_json_get_c(r.root, "nextLine") == NULL);
    expect(record_of(t, "1201").full);
}

void test_workspace_read_file__shows_1200_lines_at_once(void **state)
{
    (void)state;
    test_workspace_run(NULL, many_lines);
}

static void many_bytes(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str line = test_repeat(cx, "0123456789abcdef", 1023);
    struct tc_buf buf;
    struct test_result r;

    tc_buf_init(&buf, 1 << 20);
    for (int i = 0; i < 256; i++) {
        tc_buf_str(&buf, line);
        tc_buf_char(&buf, '\n');
    }
    test_workspace_put(t, "256k", tc_buf_get(&buf));
    r = read_lines(cx, t, "256k", "");
    expect_int(test_result_int(r, "endLine"), 256);
    expect_int(test_result_int(r, "chars"), 256 * 1024 - 1);

    tc_buf_char(&buf, 'x');
    test_workspace_put(t, "more", tc_buf_get(&buf));
    r = read_lines(cx, t, "more", "");
    expect_int(test_result_int(r, "endLine"), 78); /* 79 lines would be 80,895 characters */
    expect_int(test_result_int(r, "chars"), 78 * 1024 - 1);
    expect_int(test_result_int(r, "nextLine"), 79);
    tc_buf_finish(&buf);
}

void test_workspace_read_file__shows_256_kib_at_once_and_80000_characters_of_more(void **state)
{
    (void)state;
    test_workspace_run(NULL, many_bytes);
}

static void long_line(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str line = test_repeat(cx, "字", 900000); /* 300,000 characters */
    struct tc_buf buf;
    struct test_result r;

    tc_buf_init(&buf, 1 << 20);
    tc_buf_str(&buf, line);
    tc_buf_cstr(&buf, "\nend\n");
    test_workspace_put(t, "long", tc_buf_get(&buf));
    tc_buf_finish(&buf);
    r = read_lines(cx, t, "long", "");
    expect_code(r, TC_OK);
    expect_int(test_result_int(r, "chars"), 80000);
    expect_int(test_result_int(r, "endLine"), 1);
    expect_int(test_result_int(r, "nextLine"), 2);
    expect_int(test_result_str(r, "text").n, 240000);
    expect(tc_str_find(r.text, TC_STR("[Line 1 is longer; its first 80000 characters are shown.]")) != SIZE_MAX);
    expect(!tc_workspace_record_seen(&t->service, TC_STR("long"), 1, 1));
    expect_code(read_lines(cx, t, "long", ",\"offset\":2"), TC_OK);
    expect(!record_of(t, "long").full);

    test_workspace_put(t, "exact", test_repeat(cx, "y", 80000));
    r = read_lines(cx, t, "exact", ",\"limit\":1");
    expect(!tc_json_bool(tc_json_get_c(r.root, "truncated"), true));
}

void test_workspace_read_file__cuts_a_line_that_is_too_long_and_does_not_count_it_as_seen(void **state)
{
    (void)state;
    test_workspace_run(NULL, long_line);
}

static void big(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "10m", test_repeat(cx, "0123456789\n", 10 * 1024 * 1024));
    r = read_lines(cx, t, "10m", ",\"offset\":953000,\"limit\":3");
    expect_code(r, TC_OK);
    expect_int(test_result_int(r, "totalChars"), 10 * 1024 * 1024);
    expect_int(test_result_int(r, "totalLines"), 953251);
    expect_int(test_result_int(r, "startChar"), 952999 * 11);
    expect_text(test_result_str(r, "text"), "0123456789\n0123456789\n0123456789");
    test_workspace_put(t, "33m", test_repeat(cx, "x\n", 32 * 1024 * 1024 + 1));
    expect_code(read_lines(cx, t, "33m", ",\"limit\":1"), TC_E_WS_READ_TOO_LARGE);
}

void test_workspace_read_file__reads_a_part_of_ten_megabytes_and_refuses_more_than_32(void **state)
{
    (void)state;
    test_workspace_run(NULL, big);
}

static void refusals(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;

    test_workspace_put(t, "d/a", TC_STR("x"));
    test_workspace_put(t, "nul", tc_str_n("a\0b", 3));
    test_workspace_put(t, "latin1", TC_STR("caf\xe9"));
    test_workspace_put(t, ".toolcrib/plan.json", TC_STR("{}"));
    expect_int(mkfifo(test_workspace_at(cx, t, "fifo"), 0644), 0);

    expect_code(read_lines(cx, t, "nul", ""), TC_E_WS_NOT_TEXT);
    expect_code(read_lines(cx, t, "latin1", ""), TC_E_WS_NOT_TEXT);
    expect_int(record_of(t, "latin1").sha256[0], 0);
    expect_code(read_lines(cx, t, "fifo", ""), TC_E_WS_INVALID_PATH);
    expect_code(read_lines(cx, t, ".toolcrib/plan.json", ""), TC_E_WS_NOT_VISIBLE);
    expect_code(read_lines(cx, t, "./.toolcrib//plan.json", ""), TC_E_WS_NOT_VISIBLE);
    expect_code(read_lines(cx, t, ".TOOLCRIB/plan.json", ""), TC_E_WS_NOT_VISIBLE);
    expect_code(read_lines(cx, t, "missing", ""), TC_E_WS_FILE_NOT_FOUND);
    expect_code(read_lines(cx, t, "d/a/b", ""), TC_E_WS_FILE_NOT_FOUND);
    r = read_lines(cx, t, "d", "");
    expect_code(r, TC_E_WS_IS_DIRECTORY);
    expect_text(r.hint, "List what it holds with workspace_list_files.");
    expect_code(read_lines(cx, t, ".", ""), TC_E_WS_IS_DIRECTORY);
    expect_code(read_lines(cx, t, "  ", ""), TC_E_TOOL_INVALID_ARGUMENTS);
    expect_code(read_lines(cx, t, "/etc/passwd", ""), TC_E_WS_INVALID_PATH);
    expect_code(read_lines(cx, t, "../x", ""), TC_E_WS_INVALID_PATH);
    expect_code(read_lines(cx, t, "d\\\\..\\\\a", ""), TC_E_WS_INVALID_PATH);
    expect_code(read_lines(cx, t, "C:/x", ""), TC_E_WS_INVALID_PATH);
    expect_code(read_lines(cx, t, "a\\u0000b", ""), TC_E_WS_INVALID_PATH);
    expect_code(read_lines(cx, t, " d\\\\a ", ""), TC_OK);
}

void test_workspace_read_file__refuses_with_a_code_for_each_reason(void **state)
{
    (void)state;
    test_workspace_run(NULL, refusals);
}

static void without(struct tc_cx *cx, void *arg)
{
    (void)arg;
    expect_code(test_tool(cx, NULL, "workspace.read_file", "{\"file_path\":\"a\"}"), TC_E_WS_UNAVAILABLE);
}

void test_workspace_read_file__says_when_there_is_no_workspace(void **state)
{
    (void)state;
    test_task_run(without, NULL);
}
