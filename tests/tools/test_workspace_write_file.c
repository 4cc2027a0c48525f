/*
 * workspace.write_file: creating, replacing what was seen, appending.
 */
#include "support/workspace.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

static struct test_result write_text(struct tc_cx *cx, struct test_workspace *t, const char *path, const char *content)
{
    return test_tool(cx, t, "workspace.write_file", "{\"file_path\":\"%s\",\"content\":\"%s\"}", path, content);
}

static struct test_result append_text(struct tc_cx *cx, struct test_workspace *t, const char *path, const char *content)
{
    return test_tool(cx, t, "workspace.write_file", "{\"file_path\":\"%s\",\"content\":\"%s\",\"mode\":\"append\"}",
                     path, content);
}

static struct test_result read_file(struct tc_cx *cx, struct test_workspace *t, const char *path, const char *range)
{
    return test_tool(cx, t, "workspace.read_file", "{\"file_path\":\"%s\"%s}", path, range);
}

static void creates(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r = write_text(cx, t, "deep/er/新 文件.md", "héllo 世界\\r\\nend");
    struct stat st;

    expect_code(r, TC_OK);
    expect_text(r.text, "Created deep/er/新 文件.md: 13 characters, 4 words.");
    expect_text(test_result_str(r, "path"), "deep/er/新 文件.md");
    expect_text(test_result_str(r, "mode"), "replace");
    expect_int(test_result_int(r, "chars"), 13);
    expect_int(test_result_int(r, "words"), 4);
    expect_int(r.effect, TC_EFFECT_FILE_WRITTEN);
    expect_int(r.changes_n, 1);
    expect_text(r.changes[0].path, "deep/er/新 文件.md");
    expect_int(r.changes[0].sha256.n, 64);
    expect(tc_str_find(r.structured, r.changes[0].sha256) != SIZE_MAX);
    expect_text(test_workspace_get(cx, t, "deep/er/新 文件.md"), "héllo 世界\r\nend");
    expect_int(stat(test_workspace_at(cx, t, "deep/er/新 文件.md"), &st), 0);
    expect_int(st.st_mode & 0777, 0644);
    expect_int(stat(test_workspace_at(cx, t, "deep"), &st), 0);
    expect_int(st.st_mode & 0777, 0755);

    r = write_text(cx, t, "empty", "");
    expect_code(r, TC_OK);
    expect_int(test_result_int(r, "chars"), 0);
    expect_int(test_workspace_get(cx, t, "empty").n, 0);
}

void test_workspace_write_file__creates_files_and_folders(void **state)
{
    (void)state;
    test_workspace_run(NULL, creates);
}

static void replaces(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_result r;
    struct stat st;

    test_workspace_put(t, "a.sh", TC_STR("old\n"));
    expect_int(chmod(test_workspace_at(cx, t, "a.sh"), 0750), 0);
    r = write_text(cx, t, "a.sh", "new");
    expect_code(r, TC_E_WS_WRITE_REQUIRES_READ);
    expect_text(r.hint, "Read it with workspace_read_file first.");
    expect_text(test_workspace_get(cx, t, "a.sh"), "old\n");

    expect_code(read_file(cx, t, "a.sh", ""), TC_OK);
    r = write_text(cx, t, "./a.sh", "new");
    expect_code(r, TC_OK);
    expect_text(r.text, "Replaced a.sh: 3 characters, 1 word.");
    expect_text(test_workspace_get(cx, t, "a.sh"), "new");
    expect_int(stat(test_workspace_at(cx, t, "a.sh"), &st), 0);
    expect_int(st.st_mode & 0777, 0750); /* as it was */

    expect_code(write_text(cx, t, "a.sh", "again"), TC_OK); /* what it wrote it knows */

    test_workspace_put(t, "a.sh", TC_STR("changed behind"));
    r = write_text(cx, t, "a.sh", "mine");
    expect_code(r, TC_E_WS_WRITE_STALE);
    expect_text(test_workspace_get(cx, t, "a.sh"), "changed behind");
    expect_code(write_text(cx, t, "a.sh", "mine"), TC_E_WS_WRITE_STALE); /* still */
    expect_code(read_file(cx, t, "a.sh", ""), TC_OK);
    expect_code(write_text(cx, t, "a.sh", "mine"), TC_OK);
}

void test_workspace_write_file__replaces_only_what_was_read_and_has_not_changed(void **state)
{
    (void)state;
    test_workspace_run(NULL, replaces);
}

static void vanished(struct tc_cx *cx, struct test_workspace *t)
{
    expect_code(write_text(cx, t, "a", "1"), TC_OK);
    expect_int(unlink(test_workspace_at(cx, t, "a")), 0);
    expect_code(write_text(cx, t, "a", "2"), TC_E_WS_WRITE_STALE);
    expect(!test_workspace_get(cx, t, "a").p);
    expect_code(write_text(cx, t, "a", "2"), TC_OK); /* now it is known to be new */
    expect_text(test_workspace_get(cx, t, "a"), "2");
}

void test_workspace_write_file__tells_once_that_a_file_is_gone(void **state)
{
    (void)state;
    test_workspace_run(NULL, vanished);
}

static void appends(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_record record;
    struct test_result r = append_text(cx, t, "log", "a");
    char sha[TC_HASH_HEX_SIZE];

    expect_code(r, TC_OK);
    expect_text(r.text, "Appended to log: 1 character, 1 word.");
    expect_code(append_text(cx, t, "log", "b\\n"), TC_OK);
    r = append_text(cx, t, "log", "");
    expect_text(test_workspace_get(cx, t, "log"), "ab\n");
    tc_hash_sha256_hex(TC_STR("ab\n"), sha);
    expect_text(test_result_str(r, "sha256"), sha);
    expect_code(write_text(cx, t, "log", "known"), TC_OK); /* it was new, so it is known */

    test_workspace_put(t, "old", TC_STR("1\n2\n3\n"));
    expect_code(append_text(cx, t, "old", "4"), TC_OK); /* needs no reading */
    expect_text(test_workspace_get(cx, t, "old"), "1\n2\n3\n4");
    expect_code(write_text(cx, t, "old", "x"), TC_E_WS_WRITE_REQUIRES_READ);

    expect_code(read_file(cx, t, "old", ",\"limit\":2"), TC_OK);
    expect_code(append_text(cx, t, "old", "5"), TC_OK); /* known in part: not renewed */
    expect_code(write_text(cx, t, "old", "x"), TC_E_WS_WRITE_STALE);

    expect_code(read_file(cx, t, "old", ""), TC_OK);
    expect_code(append_text(cx, t, "old", "6"), TC_OK); /* fully known: renewed */
    tc_workspace_record_get(&t->service, TC_STR("old"), &record);
    expect(record.full);
    expect_code(write_text(cx, t, "old", "x"), TC_OK);
}

void test_workspace_write_file__appends_exact_bytes(void **state)
{
    (void)state;
    test_workspace_run(NULL, appends);
}

static void refusals(struct tc_cx *cx, struct test_workspace *t)
{
    test_workspace_put(t, "d/a", TC_STR("x"));
    expect_code(test_tool(cx, t, "workspace.write_file", "{\"file_path\":\"a\",\"content\":\"\",\"mode\":\"x\"}"),
                TC_E_WS_WRITE_MODE);
    expect_code(write_text(cx, t, "", "x"), TC_E_TOOL_INVALID_ARGUMENTS);
    expect_code(write_text(cx, t, "d", "x"), TC_E_WS_IS_DIRECTORY);
    expect_code(append_text(cx, t, "d", "x"), TC_E_WS_IS_DIRECTORY);
    expect_code(write_text(cx, t, "./", "x"), TC_E_WS_IS_DIRECTORY);
    expect_code(write_text(cx, t, "d/a/b", "x"), TC_E_WS_INVALID_PATH);
    expect_code(write_text(cx, t, "../b", "x"), TC_E_WS_INVALID_PATH);
    expect_code(write_text(cx, t, "/b", "x"), TC_E_WS_INVALID_PATH);
    expect_code(write_text(cx, t, "skills/x/SKILL.md", "x"), TC_E_WS_NOT_WRITABLE);
    expect_code(write_text(cx, t, "skills", "x"), TC_E_WS_NOT_WRITABLE);
    expect_code(append_text(cx, t, "tool-results/x", "x"), TC_E_WS_NOT_WRITABLE);
    expect_code(write_text(cx, t, "Tool-Results/x", "x"), TC_E_WS_NOT_WRITABLE);
    expect_code(write_text(cx, t, ".toolcrib/plan.json", "x"), TC_E_WS_NOT_WRITABLE);
    expect_code(write_text(cx, t, "x/.toolcrib-0123456789abcdef.tmp", "x"), TC_E_WS_NOT_WRITABLE);
    expect_int(mkfifo(test_workspace_at(cx, t, "fifo"), 0644), 0);
    expect_code(write_text(cx, t, "fifo", "x"), TC_E_WS_INVALID_PATH);
}

void test_workspace_write_file__refuses_with_a_code_for_each_reason(void **state)
{
    (void)state;
    test_workspace_run(NULL, refusals);
}

static void big(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str body = test_repeat(cx, "0123456789abcde\\n", 10 * 1024 * 1024 / 17 * 17);
    struct test_result r = test_tool(cx, t, "workspace.write_file", "{\"file_path\":\"big\",\"content\":\"%.*s\"}",
                                     TC_STR_ARG(body));

    expect_code(r, TC_OK);
    expect_int(test_workspace_get(cx, t, "big").n, 10 * 1024 * 1024 / 17 * 16);
    expect_int(test_result_int(r, "words"), 10 * 1024 * 1024 / 17);
}

void test_workspace_write_file__writes_ten_megabytes(void **state)
{
    (void)state;
    test_workspace_run(NULL, big);
}

/* Two tasks that have read the same version: one wins, the other is told. */
struct writer {
    struct test_workspace *t;
    struct test_workspace own;
    const char *content;
    enum tc_err err;
};

static void write_task(struct tc_cx *cx, void *arg)
{
    struct writer *writer = arg;

    expect_code(read_file(cx, &writer->own, "shared", ""), TC_OK);
    tc_task_sleep(cx, 5);
    writer->err = write_text(cx, &writer->own, "shared", writer->content).err;
}

static void race(struct tc_cx *cx, struct test_workspace *t)
{
    enum { WRITERS = 8 };
    struct writer writers[WRITERS];
    char contents[WRITERS][8];
    struct tc_task_group group;
    int won = 0;

    test_workspace_put(t, "shared", TC_STR("start"));
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < WRITERS; i++) {
        struct writer *w = &writers[i];
        contents[i][0] = (char)('a' + i);
        contents[i][1] = '\0';
        *w = (struct writer){.t = t, .own = *t, .content = contents[i]};
        expect_int(tc_workspace_records_create(cx, &w->own.records), TC_OK);
        tc_workspace_service_init(&w->own.service, t->workspace, w->own.records);
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "writer", write_task, w), TC_OK);
    }
    expect_int(tc_task_join(cx, &group), TC_OK);
    for (int i = 0; i < WRITERS; i++) {
        won += writers[i].err == TC_OK;
        if (writers[i].err)
            expect_int(writers[i].err, TC_E_WS_WRITE_STALE);
        else
            expect_text(test_workspace_get(cx, t, "shared"), contents[i]);
        tc_workspace_records_destroy(writers[i].own.records);
    }
    expect_int(won, 1);
}

void test_workspace_write_file__lets_one_of_many_writers_win(void **state)
{
    (void)state;
    test_workspace_run(NULL, race);
}
