/*
 * The workspace itself: its root, links and races, quotas, what the runtime puts
 * into it, leftovers.
 */
#include "support/workspace.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/loop.h"

static enum tc_err put_any(struct tc_cx *cx, struct test_workspace *t, const char *path, struct tc_str bytes)
{
    struct tc_workspace_written written;

    return tc_workspace_write(cx, &t->service, tc_str_of(path), bytes, TC_WORKSPACE_IF_ANY, NULL, &written);
}

static enum tc_err get(struct tc_cx *cx, struct test_workspace *t, const char *path, struct tc_str *ret_bytes)
{
    struct tc_workspace_file file;
    enum tc_err err = tc_workspace_read(cx, &t->service, tc_str_of(path), 1 << 20, &file);

    if (!err)
        *ret_bytes = file.bytes;
    return err;
}

/* --- the root --- */

static void roots(struct tc_cx *cx, struct test_workspace *t)
{
    static const struct tc_str bad[] = {TC_STR_INIT("a/b")};
    struct tc_workspace_options options = {.path = tc_str_of(test_workspace_at(cx, t, "no/such"))};
    struct tc_workspace *workspace;
    struct stat st;

    expect_int(tc_workspace_create(cx, &options, &workspace), TC_E_WS_UNAVAILABLE);
    options.create = true;
    if (expect_int(tc_workspace_create(cx, &options, &workspace), TC_OK)) {
        expect_int(stat(test_workspace_at(cx, t, "no/such"), &st), 0);
        expect_int(st.st_mode & 0777, 0700);
        expect(tc_workspace_ref(workspace) == workspace);
        tc_workspace_unref(workspace);
        tc_workspace_unref(workspace);
    }
    test_workspace_put(t, "file", TC_STR(""));
    options.path = tc_str_of(test_workspace_at(cx, t, "file"));
    expect_int(tc_workspace_create(cx, &options, &workspace), TC_E_WS_UNAVAILABLE);
    options.path = TC_STR("relative");
    expect_int(tc_workspace_create(cx, &options, &workspace), TC_E_WS_UNAVAILABLE);
    options.path = tc_str_of(t->dir);
    options.agent_visible = (struct tc_workspace_names){bad, 1};
    expect_int(tc_workspace_create(cx, &options, &workspace), TC_E_CONFIG_INVALID);
    tc_workspace_unref(NULL);
}

void test_workspace__opens_or_makes_its_root(void **state)
{
    (void)state;
    test_workspace_run(NULL, roots);
}

static void chat(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_entry *entries;
    struct tc_str bytes;
    size_t n;
    bool more;

    test_workspace_put(t, "input/x", TC_STR("secret"));
    test_workspace_put(t, "output/a", TC_STR("a"));
    test_workspace_put(t, "skills/s", TC_STR("s"));
    expect_int(put_any(cx, t, "output/b", TC_STR("b")), TC_OK);
    expect_int(put_any(cx, t, "persist/c/d", TC_STR("c")), TC_OK);
    expect_int(put_any(cx, t, "output", TC_STR("b")), TC_E_WS_NOT_WRITABLE);
    expect_text(cx->err.hint,
                "Files below these folders can be written: output/, scratch/, plan/, summaries/, persist/.");
    expect_int(put_any(cx, t, "b", TC_STR("b")), TC_E_WS_NOT_WRITABLE);
    expect_int(put_any(cx, t, "input/y", TC_STR("b")), TC_E_WS_NOT_WRITABLE);
    expect_int(get(cx, t, "input/x", &bytes), TC_E_WS_NOT_VISIBLE);
    expect_int(get(cx, t, "skills/s", &bytes), TC_OK);
    expect_int(tc_workspace_list(cx, &t->service, TC_STR(""), 1, 100, &entries, &n, &more), TC_OK);
    expect_int(n, 3);
    expect_text(entries[0].path, "output");
    expect_text(entries[1].path, "persist");
    expect_text(entries[2].path, "skills");
}

void test_workspace__keeps_chat_stages_to_their_roots(void **state)
{
    struct tc_workspace_options options = {.stage_visible = tc_workspace_chat_roots,
                                           .stage_writable = tc_workspace_chat_roots};
    (void)state;
    test_workspace_run(&options, chat);
}

/* --- links --- */

static void links(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_workspace outside = *t;
    struct tc_str bytes;
    struct stat st;

    outside.dir = tc_arena_printf(cx->arena, "%s-outside", t->dir).p;
    expect_int(mkdir(outside.dir, 0755), 0);
    test_workspace_put(&outside, "secret", TC_STR("secret"));
    test_workspace_put(t, "a/real", TC_STR("real"));
    test_workspace_put(t, ".toolcrib/plan.json", TC_STR("plan"));
    test_workspace_put(t, "skills/s", TC_STR("skill"));
    test_workspace_link(t, "a/real", "in");
    test_workspace_link(t, "../a", "b/up");
    test_workspace_link(t, "in", "in2");
    test_workspace_link(t, outside.dir, "out");
    test_workspace_link(t, tc_arena_printf(cx->arena, "../%s/secret", strrchr(outside.dir, '/') + 1).p, "out2");
    test_workspace_link(t, test_workspace_at(cx, t, "a/real"), "absolute");
    test_workspace_link(t, ".toolcrib", "to-hidden");
    test_workspace_link(t, "skills", "to-skills");
    test_workspace_link(t, "/proc/self/root/etc/passwd", "magic");
    test_workspace_link(t, "new-target", "dangling");
    test_workspace_link(t, "y", "x");
    test_workspace_link(t, "x", "y");

    expect_int(get(cx, t, "in2", &bytes), TC_OK);
    expect_text(bytes, "real");
    expect_int(get(cx, t, "b/up/real", &bytes), TC_OK);
    expect_int(get(cx, t, "out/secret", &bytes), TC_E_WS_INVALID_PATH);
    expect_int(get(cx, t, "out2", &bytes), TC_E_WS_INVALID_PATH);
    expect_int(get(cx, t, "absolute", &bytes), TC_E_WS_INVALID_PATH);
    expect_int(get(cx, t, "magic", &bytes), TC_E_WS_INVALID_PATH);
    expect_int(get(cx, t, "x", &bytes), TC_E_WS_INVALID_PATH);
    expect_int(get(cx, t, "to-hidden/plan.json", &bytes), TC_E_WS_NOT_VISIBLE);
    expect_int(get(cx, t, "to-skills/s", &bytes), TC_OK);

    expect_int(put_any(cx, t, "out/new", TC_STR("x")), TC_E_WS_INVALID_PATH);
    expect_int(put_any(cx, t, "out2", TC_STR("x")), TC_E_WS_INVALID_PATH);
    expect_int(put_any(cx, t, "to-skills/s", TC_STR("x")), TC_E_WS_NOT_WRITABLE);
    expect_int(put_any(cx, t, "to-hidden/plan.json", TC_STR("x")), TC_E_WS_NOT_WRITABLE);
    expect_int(put_any(cx, t, "in2", TC_STR("through")), TC_OK); /* what it leads to is written, the link stays */
    expect_text(test_workspace_get(cx, t, "a/real"), "through");
    expect_int(lstat(test_workspace_at(cx, t, "in"), &st), 0);
    expect(S_ISLNK(st.st_mode));
    expect_int(put_any(cx, t, "dangling", TC_STR("made")), TC_OK);
    expect_text(test_workspace_get(cx, t, "new-target"), "made");

    expect_text(test_workspace_get(cx, t, "skills/s"), "skill");
    expect_text(test_workspace_get(cx, &outside, "secret"), "secret");
    expect(!test_workspace_get(cx, &outside, "new").p);
    test_rmtree(outside.dir);
}

void test_workspace__follows_links_inside_and_none_that_lead_out(void **state)
{
    (void)state;
    test_workspace_run(NULL, links);
}

enum { SWAP_ROUNDS = 2000, SWAP_ROUNDS_MAX = 2000000 };

/* Another thread swaps a folder and a link that leads out, as fast as it can. */
struct swapper {
    const char *a, *b;
    atomic_bool stop;
    long swaps;
};

static void *swap(void *arg)
{
    struct swapper *swapper = arg;

    while (!atomic_load(&swapper->stop))
        swapper->swaps += renameat2(AT_FDCWD, swapper->a, AT_FDCWD, swapper->b, RENAME_EXCHANGE) == 0;
    return NULL;
}

static void swapping(struct tc_cx *cx, struct test_workspace *t)
{
    struct test_workspace outside = *t;
    struct swapper swapper = {0};
    struct tc_arena arena, *mine = cx->arena;
    pthread_t thread;
    int inside = 0, refused = 0;

    outside.dir = tc_arena_printf(cx->arena, "%s-outside", t->dir).p;
    expect_int(mkdir(outside.dir, 0755), 0);
    test_workspace_put(&outside, "f", TC_STR("outside"));
    test_workspace_put(t, "d/f", TC_STR("inside"));
    test_workspace_link(t, outside.dir, "e");
    swapper.a = test_workspace_at(cx, t, "d");
    swapper.b = test_workspace_at(cx, t, "e");
    expect_int(pthread_create(&thread, NULL, swap, &swapper), 0);
    tc_arena_init(&arena, 0);
    cx->arena = &arena;
    /* on a busy machine the two take turns: until both outcomes were seen often enough */
    for (int i = 0; i < SWAP_ROUNDS || ((inside <= 10 || refused <= 10) && i < SWAP_ROUNDS_MAX); i++) {
        struct tc_str bytes = TC_STR("none");
        enum tc_err err = i % 2 ? put_any(cx, t, "d/f", TC_STR("inside")) : get(cx, t, "d/f", &bytes);
        if (err)
            expect(err == TC_E_WS_INVALID_PATH || err == TC_E_WS_FILE_NOT_FOUND);
        else if (i % 2 == 0)
            expect_text(bytes, "inside");
        err ? refused++ : inside++;
        tc_arena_reset(&arena);
    }
    tc_arena_finish(&arena);
    cx->arena = mine;
    atomic_store(&swapper.stop, true);
    pthread_join(thread, NULL);
    expect(swapper.swaps > 10);
    expect(inside > 10 && refused > 10); /* both happened, or the test shows nothing */
    expect_text(test_workspace_get(cx, &outside, "f"), "outside");
    expect(!test_workspace_get(cx, &outside, "new").p);
    test_rmtree(outside.dir);
}

void test_workspace__does_not_get_out_while_a_folder_turns_into_a_link(void **state)
{
    (void)state;
    test_workspace_run(NULL, swapping);
}

/* --- quotas --- */

static void bytes_quota(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str thousand = test_repeat(cx, "x", 1000), bytes;
    struct tc_workspace_written written;

    test_workspace_put(t, "there", test_repeat(cx, "y", 500));
    expect_int(put_any(cx, t, "a", tc_str_n(thousand.p, 500)), TC_OK);
    expect_int(put_any(cx, t, "b", TC_STR("1")), TC_E_WS_QUOTA);
    expect_int(get(cx, t, "b", &bytes), TC_E_WS_FILE_NOT_FOUND);
    expect_int(tc_workspace_append(cx, &t->service, TC_STR("a"), TC_STR("1"), &written), TC_E_WS_QUOTA);
    expect_int(tc_workspace_put(cx, t->workspace, TC_STR("tool-results/x"), TC_STR("1")), TC_E_WS_QUOTA);
    expect_int(put_any(cx, t, "a", tc_str_n(thousand.p, 400)), TC_OK); /* smaller is always fine */
    expect_int(put_any(cx, t, "b", tc_str_n(thousand.p, 101)), TC_E_WS_QUOTA);
    expect_int(put_any(cx, t, "b", tc_str_n(thousand.p, 100)), TC_OK);
    expect_int(put_any(cx, t, "empty", TC_STR("")), TC_OK);

    expect_int(unlink(test_workspace_at(cx, t, "there")), 0);
    tc_workspace_touched(t->workspace);
    expect_int(put_any(cx, t, "c", tc_str_n(thousand.p, 500)), TC_OK);
    test_workspace_put(t, "more", test_repeat(cx, "z", 10));
    expect_int(unlink(test_workspace_at(cx, t, "c")), 0);
    tc_workspace_touched(t->workspace);
    expect_int(put_any(cx, t, "c", tc_str_n(thousand.p, 491)), TC_E_WS_QUOTA);
    expect_int(put_any(cx, t, "c", tc_str_n(thousand.p, 490)), TC_OK);
}

void test_workspace__keeps_the_quota_of_bytes(void **state)
{
    struct tc_workspace_options options = {.quota_bytes = 1000};
    (void)state;
    test_workspace_run(&options, bytes_quota);
}

static void files_quota(struct tc_cx *cx, struct test_workspace *t)
{
    expect_int(put_any(cx, t, "a/b/c", TC_STR("x")), TC_OK); /* two folders, one file */
    expect_int(put_any(cx, t, "a/d/e", TC_STR("x")), TC_OK);
    expect_int(put_any(cx, t, "a/b/f", TC_STR("x")), TC_E_WS_QUOTA);
    expect_int(put_any(cx, t, "a/b/c", TC_STR("a longer text")), TC_OK); /* no new file */
    expect(!test_workspace_get(cx, t, "a/b/f").p);
}

void test_workspace__keeps_the_quota_of_files(void **state)
{
    struct tc_workspace_options options = {.quota_files = 5};
    (void)state;
    test_workspace_run(&options, files_quota);
}

static void deleted_behind(struct tc_cx *cx, struct test_workspace *t)
{
    expect_int(put_any(cx, t, "a", test_repeat(cx, "x", 1000)), TC_OK);
    expect_int(unlink(test_workspace_at(cx, t, "a")), 0);
    tc_task_sleep(cx, 1100);
    expect_int(put_any(cx, t, "b", test_repeat(cx, "x", 1000)), TC_OK); /* counted again before it is refused */
}

void test_workspace__counts_again_before_it_refuses(void **state)
{
    struct tc_workspace_options options = {.quota_bytes = 1000};
    (void)state;
    test_workspace_run(&options, deleted_behind);
}

static void file_max(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_written written;
    char *big = tc_mem_alloc(TC_WORKSPACE_FILE_MAX + 1);

    memset(big, 'x', TC_WORKSPACE_FILE_MAX + 1);
    expect_int(put_any(cx, t, "a", tc_str_n(big, TC_WORKSPACE_FILE_MAX + 1)), TC_E_WS_QUOTA);
    expect_int(put_any(cx, t, "a", tc_str_n(big, TC_WORKSPACE_FILE_MAX)), TC_OK);
    expect_int(tc_workspace_append(cx, &t->service, TC_STR("a"), TC_STR("1"), &written), TC_E_WS_QUOTA);
    tc_mem_free(big);
}

void test_workspace__takes_files_of_64_mib_and_no_larger(void **state)
{
    (void)state;
    test_workspace_run(NULL, file_max);
}

/* --- the runtime's files --- */

static void internal(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_file file;

    expect_int(tc_workspace_put(cx, t->workspace, TC_STR("tool-results/i/round-001.txt"), TC_STR("long")), TC_OK);
    expect_int(tc_workspace_read(cx, &t->service, TC_STR("tool-results/i/round-001.txt"), 100, &file), TC_OK);
    expect_text(file.bytes, "long");
    expect(file.text);
    expect_int(tc_workspace_put(cx, t->workspace, TC_STR(".toolcrib/x"), tc_str_n("\0\1", 2)), TC_OK);
    expect_int(tc_workspace_read(cx, &t->service, TC_STR(".toolcrib/x"), 100, &file), TC_E_WS_NOT_VISIBLE);
    expect_int(tc_workspace_load(cx, t->workspace, TC_STR(".toolcrib/x"), 100, &file), TC_OK);
    expect(!file.text);
    expect_int(file.bytes.n, 2);
    expect_int(tc_workspace_load(cx, t->workspace, TC_STR(".toolcrib/x"), 1, &file), TC_E_WS_READ_TOO_LARGE);
    expect_int(tc_workspace_put(cx, t->workspace, TC_STR("../x"), TC_STR("x")), TC_E_WS_INVALID_PATH);
    expect_int(tc_workspace_put(cx, t->workspace, TC_STR(""), TC_STR("x")), TC_E_WS_IS_DIRECTORY);

    test_workspace_put(t, "mine/f", TC_STR("mine")); /* a link in its place is not followed */
    expect_int(rename(test_workspace_at(cx, t, ".toolcrib"), test_workspace_at(cx, t, "moved")), 0);
    test_workspace_link(t, "mine", ".toolcrib");
    expect_int(tc_workspace_put(cx, t->workspace, TC_STR(".toolcrib/f"), TC_STR("x")), TC_E_WS_INVALID_PATH);
    expect_int(tc_workspace_load(cx, t->workspace, TC_STR(".toolcrib/f"), 100, &file), TC_E_WS_INVALID_PATH);
    expect_text(test_workspace_get(cx, t, "mine/f"), "mine");
}

void test_workspace__puts_the_runtimes_own_files_past_the_rules(void **state)
{
    (void)state;
    test_workspace_run(NULL, internal);
}

/* --- changes --- */

static void conditions(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_workspace_written one, two;
    struct tc_workspace_edit edit = {one.sha256, 1, 1, 0};
    struct tc_str path = TC_STR("f");

    expect_int(tc_workspace_write(cx, &t->service, path, TC_STR("1"), TC_WORKSPACE_IF_ABSENT, NULL, &one), TC_OK);
    expect_int(tc_workspace_write(cx, &t->service, path, TC_STR("2"), TC_WORKSPACE_IF_ABSENT, NULL, &two),
               TC_E_WS_WRITE_STALE);
    expect_int(tc_workspace_write(cx, &t->service, path, TC_STR("2"), TC_WORKSPACE_IF_SAME, one.sha256, &two), TC_OK);
    expect_int(tc_workspace_write(cx, &t->service, path, TC_STR("3"), TC_WORKSPACE_IF_SAME, one.sha256, &two),
               TC_E_WS_WRITE_STALE);
    expect_int(tc_workspace_patch(cx, &t->service, path, TC_STR("3"), &edit, &two), TC_E_WS_PATCH_STALE);
    expect_text(test_workspace_get(cx, t, "f"), "2");
    expect_int(unlink(test_workspace_at(cx, t, "f")), 0);
    expect_int(tc_workspace_patch(cx, &t->service, path, TC_STR("3"), &edit, &two), TC_E_WS_PATCH_STALE);
    expect_int(put_any(cx, t, "f/g", TC_STR("x")), TC_OK);
    expect_int(tc_workspace_write(cx, &t->service, path, TC_STR("2"), TC_WORKSPACE_IF_ABSENT, NULL, &two),
               TC_E_WS_IS_DIRECTORY);
}

void test_workspace__writes_only_while_its_condition_holds(void **state)
{
    (void)state;
    test_workspace_run(NULL, conditions);
}

struct appender {
    struct test_workspace *t;
    char c;
};

static void append_many(struct tc_cx *cx, void *arg)
{
    struct appender *appender = arg;
    struct tc_workspace_written written;

    for (int i = 0; i < 20; i++)
        expect_int(tc_workspace_append(cx, &appender->t->service, TC_STR("log"), tc_str_n(&appender->c, 1), &written),
                   TC_OK);
}

static void appending(struct tc_cx *cx, struct test_workspace *t)
{
    struct appender appenders[8];
    struct tc_task_group group;
    struct tc_str log;
    int counts[8] = {0};

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 8; i++) {
        appenders[i] = (struct appender){t, (char)('a' + i)};
        expect_int(tc_task_spawn(cx, tc_task_loop(cx), &group, "append", append_many, &appenders[i]), TC_OK);
    }
    expect_int(tc_task_join(cx, &group), TC_OK);
    log = test_workspace_get(cx, t, "log");
    expect_int(log.n, 160);
    for (size_t i = 0; i < log.n; i++)
        counts[log.p[i] - 'a']++;
    for (int i = 0; i < 8; i++)
        expect_int(counts[i], 20);
}

void test_workspace__loses_nothing_when_many_append(void **state)
{
    (void)state;
    test_workspace_run(NULL, appending);
}

static void cancelled(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str bytes;

    expect_int(put_any(cx, t, "a", TC_STR("x")), TC_OK);
    tc_task_cancel(cx->task, TC_E_CANCELED);
    expect_int(put_any(cx, t, "a", TC_STR("y")), TC_E_CANCELED);
    expect_int(get(cx, t, "a", &bytes), TC_E_CANCELED);
    tc_task_shield(cx);
    expect_int(put_any(cx, t, "b", TC_STR("z")), TC_OK); /* the lock is free */
    tc_task_unshield(cx);
    expect_text(test_workspace_get(cx, t, "a"), "x");
}

void test_workspace__does_nothing_for_a_cancelled_task(void **state)
{
    (void)state;
    test_workspace_run(NULL, cancelled);
}

static void leftovers(struct tc_cx *cx, struct test_workspace *t)
{
    const struct timespec old[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    struct tc_workspace_entry *entries;
    size_t n;
    bool more;

    test_workspace_put(t, "d/.toolcrib-00000000000000aa.tmp", TC_STR("old"));
    test_workspace_put(t, "d/.toolcrib-00000000000000bb.tmp", TC_STR("under way"));
    test_workspace_put(t, "d/.toolcrib-notes.tmp", TC_STR("not ours"));
    expect_int(utimensat(AT_FDCWD, test_workspace_at(cx, t, "d/.toolcrib-00000000000000aa.tmp"), old, 0), 0);
    expect_int(utimensat(AT_FDCWD, test_workspace_at(cx, t, "d/.toolcrib-notes.tmp"), old, 0), 0);
    expect_int(put_any(cx, t, "a", TC_STR("x")), TC_OK);
    expect(!test_workspace_get(cx, t, "d/.toolcrib-00000000000000aa.tmp").p);
    expect(test_workspace_get(cx, t, "d/.toolcrib-00000000000000bb.tmp").p != NULL);
    expect(test_workspace_get(cx, t, "d/.toolcrib-notes.tmp").p != NULL);
    expect_int(tc_workspace_list(cx, &t->service, TC_STR("d"), 1, 100, &entries, &n, &more), TC_OK);
    expect_int(n, 1);
    expect_text(entries[0].path, "d/.toolcrib-notes.tmp");
}

void test_workspace__removes_temporary_files_of_a_crash(void **state)
{
    (void)state;
    test_workspace_run(NULL, leftovers);
}

static void read_only(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str bytes;

    if (geteuid() == 0)
        return; /* the system lets root through */
    test_workspace_put(t, "d/a", TC_STR("x"));
    expect_int(chmod(test_workspace_at(cx, t, "d/a"), 0000), 0);
    expect_int(get(cx, t, "d/a", &bytes), TC_E_WS_NOT_VISIBLE);
    expect_int(chmod(test_workspace_at(cx, t, "d"), 0500), 0);
    expect_int(put_any(cx, t, "d/b", TC_STR("x")), TC_E_WS_NOT_WRITABLE);
    expect_int(chmod(test_workspace_at(cx, t, "d"), 0700), 0);
}

void test_workspace__tells_when_the_system_refuses(void **state)
{
    (void)state;
    test_workspace_run(NULL, read_only);
}

static void without_memory(struct tc_cx *cx, struct test_workspace *t)
{
    struct tc_str bytes = {0};
    enum tc_err err = TC_E_NO_MEMORY;
    struct tc_workspace_entry *entries;
    size_t n;
    bool more;

    expect_int(put_any(cx, t, "a/b", TC_STR("first")), TC_OK);
    if (!tc_mem_fail_at(0, false))
        return;
    for (size_t nth = 1; err && nth < 200; nth++) {
        tc_mem_fail_at(nth, false);
        err = put_any(cx, t, "a/b", TC_STR("next"));
        tc_mem_fail_at(0, false);
        if (err)
            expect_int(err, TC_E_NO_MEMORY);
        expect_text(test_workspace_get(cx, t, "a/b"), err ? "first" : "next");
        test_workspace_put(t, "a/b", TC_STR("first"));
    }
    expect_int(err, TC_OK);
    for (size_t nth = 1; nth < 60; nth++) {
        tc_mem_fail_at(nth, true);
        err = get(cx, t, "a/b", &bytes);
        if (!err)
            err = tc_workspace_list(cx, &t->service, TC_STR(""), 2, 10, &entries, &n, &more);
        tc_mem_fail_at(0, false);
        if (err)
            expect_int(err, TC_E_NO_MEMORY);
    }
}

void test_workspace__changes_nothing_when_memory_runs_out(void **state)
{
    (void)state;
    test_workspace_run(NULL, without_memory);
}
