#include "stores/sqlite_fixture.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "support/fault_vfs.h"

enum { ID_SIZE = 13 }; /* of an audit row here, with its NUL */

/* Tasks that write at the same time. */
struct crowd {
    struct tc_store *store;
    const char *path, *sync;
    int tasks, each; /* rows a task */
    bool with_result; /* finished rows: two statements each */
    int written, refused;
    int ack;          /* descriptor for the ids of acknowledged rows, or -1 */
    int next;
    struct tc_sqlite_stats stats;
};

static struct tc_audit_row numbered(struct tc_cx *cx, int number)
{
    return store_contract_audit_row(cx, number);
}

static void write_rows(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;
    int first = crowd->next;

    crowd->next += crowd->each;
    for (int i = 0; i < crowd->each; i++) {
        struct tc_audit_row row = numbered(cx, first + i);
        struct tc_result_row result = store_contract_result_row(cx, first + i);

        if (crowd->with_result ? crowd->store->audit->add_done(cx, crowd->store, &row, &result)
                               : crowd->store->audit->add(cx, crowd->store, &row)) {
            crowd->refused++;
            continue;
        }
        crowd->written++;
        if (crowd->ack >= 0 && write(crowd->ack, row.id.p, row.id.n + 1) < 0)
            return;
    }
}

static void spawn_writers(struct tc_cx *cx, struct crowd *crowd)
{
    struct tc_task_group group;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < crowd->tasks; i++)
        assert_done(tc_task_spawn(cx, tc_task_loop(cx), &group, "writer", write_rows, crowd));
    assert_done(tc_task_join(cx, &group));
}

static int64_t count_rows(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_page page = {.page = 1, .size = 1};
    const struct tc_store_audit_filter any = {.is_error = -1};
    struct tc_audit_row *rows;
    int64_t total = -1;
    size_t n;

    assert_done(store->audit->page(cx, store, &page, &any, &rows, &n, &total));
    return total;
}

static void open_crowd(struct tc_cx *cx, struct crowd *crowd)
{
    assert_done(tc_sqlite_open(cx, tc_task_loop(cx), crowd->path, crowd->sync, &crowd->store));
}

static void write_until_killed(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    open_crowd(cx, crowd);
    spawn_writers(cx, crowd);
}

/* Ids that a process acknowledged before it was killed, each ended by NUL. */
static struct tc_str acknowledged(struct fixture *fixture, struct crowd *crowd, size_t bytes)
{
    char *ids = tc_arena_zalloc(&fixture->test.arena, 1, 1 << 20);
    int fds[2], status;
    size_t n = 0;
    ssize_t got;
    pid_t pid;

    assert_int_equal(pipe(fds), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(fds[0]);
        crowd->ack = fds[1];
        run_on_loop(&fixture->test.cx, write_until_killed, crowd);
        _exit(0);
    }
    close(fds[1]);
    while (n < bytes && (got = read(fds[0], ids + n, bytes - n)) > 0)
        n += (size_t)got;
    kill(pid, SIGKILL);
    while (n < (1 << 20) - 1 && (got = read(fds[0], ids + n, (1 << 20) - 1 - n)) > 0) /* said before it died */
        n += (size_t)got;
    close(fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    return tc_str_n(ids, n);
}

/* First in this file: no thread has been started before it forks. */
void test_sqlite_tasks__acknowledged_rows_survive_a_kill(void **state)
{
    static const size_t after[] = {1, 50, 300, 2000}; /* acknowledged rows */
    (void)state;

    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        struct fixture fixture;
        struct tc_cx *cx = &fixture.test.cx;
        struct crowd crowd = {.sync = "normal", .tasks = 16, .each = 1000000, .ack = -1};
        struct tc_store *store;
        struct tc_audit_row row;
        struct tc_str ids;
        int64_t open = 0;
        size_t checked = 0;

        fixture_init(&fixture);
        crowd.path = fixture.path;
        ids = acknowledged(&fixture, &crowd, after[i] * ID_SIZE);
        assert_done(tc_sqlite_open(cx, NULL, fixture.path, "normal", &store));
        for (struct tc_str id; tc_str_split(&ids, '\0', &id) && ids.p; checked++)
            assert_done(store->audit->get(cx, store, id, &row));
        assert_true(checked >= after[i]);
        assert_done(store->audit->close_open(cx, store, &open));
        assert_true(open >= (int64_t)checked);
        store->close(cx, store);
        fixture_finish(&fixture);
    }
}

static void write_together(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    open_crowd(cx, crowd);
    spawn_writers(cx, crowd);
    assert_int_equal(count_rows(cx, crowd->store), crowd->written);
    crowd->stats = tc_sqlite_stats(crowd->store);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__concurrent_writes_share_commits(void **state)
{
    struct fixture fixture;
    struct crowd crowd = {.sync = "full", .tasks = 200, .each = 5, .ack = -1};
    (void)state;

    fixture_init(&fixture);
    crowd.path = fixture.path;
    run_on_loop(&fixture.test.cx, write_together, &crowd);
    assert_int_equal(crowd.written, 1000);
    assert_int_equal(crowd.stats.operations, 1000);
    assert_true(crowd.stats.commits >= 5 && crowd.stats.commits <= 250);
    fixture_finish(&fixture);
}

static void write_with_twins(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    open_crowd(cx, crowd);
    spawn_writers(cx, crowd);
    crowd->next = 0; /* the same rows again, beside new ones */
    crowd->each = 15;
    spawn_writers(cx, crowd);
    assert_int_equal(count_rows(cx, crowd->store), crowd->written);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__a_refused_write_does_not_void_its_siblings(void **state)
{
    (void)state;
    for (int with_result = 0; with_result < 2; with_result++) {
        struct fixture fixture;
        struct crowd crowd = {.sync = "full", .tasks = 20, .each = 10, .with_result = with_result, .ack = -1};

        fixture_init(&fixture);
        crowd.path = fixture.path;
        run_on_loop(&fixture.test.cx, write_with_twins, &crowd);
        assert_int_equal(crowd.written, 300);
        assert_int_equal(crowd.refused, 200);
        fixture_finish(&fixture);
    }
}

static int64_t stand_still(const struct tc_clock *clock)
{
    (void)clock;
    return 1;
}

/* A call: its intent, then its end with a result. However long a note takes, it is
 * none too slow for more of them. */
static void note_calls(struct tc_cx *cx, struct crowd *crowd)
{
    static const struct tc_clock clock = {.wall_ms = stand_still, .mono_us = stand_still};
    const struct tc_clock *kept = cx->clock;

    cx->clock = &clock;
    for (int i = 0; i < crowd->each; i++) {
        struct tc_audit_row row = numbered(cx, i);
        struct tc_result_row result = store_contract_result_row(cx, i);

        row.state = TC_STR("intent");
        assert_done(crowd->store->audit->add(cx, crowd->store, &row));
        row.state = TC_STR("done");
        assert_done(crowd->store->audit->finish(cx, crowd->store, &row, &result));
    }
    cx->clock = kept;
}

static void read_calls(struct tc_cx *cx, struct crowd *crowd)
{
    struct tc_audit_row row;
    struct tc_result_row result, expected;

    for (int i = 0; i < crowd->each; i++) {
        assert_done(crowd->store->audit->get(cx, crowd->store, numbered(cx, i).id, &row));
        assert_str(row.state, "done");
        expected = store_contract_result_row(cx, i);
        assert_done(crowd->store->results->get(cx, crowd->store, expected.id, &result));
        assert_true(tc_rows_equal(&tc_rows_result, &result, &expected));
    }
    assert_int_equal(count_rows(cx, crowd->store), crowd->each);
}

static void note_and_read(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    open_crowd(cx, crowd);
    note_calls(cx, crowd);
    read_calls(cx, crowd);
    crowd->stats = tc_sqlite_stats(crowd->store);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__noted_calls_share_commits_and_are_read_at_once(void **state)
{
    struct fixture fixture;
    struct crowd crowd = {.sync = "normal", .each = 3000, .ack = -1};
    (void)state;

    fixture_init(&fixture);
    crowd.path = fixture.path;
    run_on_loop(&fixture.test.cx, note_and_read, &crowd);
    assert_true(crowd.stats.operations >= 6000);
    assert_in_range(crowd.stats.commits, 1, 200);
    fixture_finish(&fixture);
}

/* Rows of the audit that another process would see. */
static int moved_rows(const char *path)
{
    sqlite3_stmt *stmt;
    sqlite3 *db;
    int n;

    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM audit", -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    n = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return n;
}

static void step(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_run_event event = {.type = TC_STR("text"), .json = TC_STR("{}")};
    struct tc_run_step step = {.run = id, .events = &event, .events_n = 1};

    assert_done(store->runs->record(cx, store, &step));
}

/* Steps of a run leave noted calls where they are, but not for ever. */
static void note_beside_steps(struct tc_cx *cx, void *arg)
{
    const struct tc_run_row run = {.id = TC_STR("r")};
    struct crowd *crowd = arg;
    int steps = 0;

    open_crowd(cx, crowd);
    assert_done(crowd->store->runs->create(cx, crowd->store, &run));
    note_calls(cx, crowd);
    step(cx, crowd->store, run.id);
    read_calls(cx, crowd);
    crowd->next = 1000; /* five others */
    crowd->tasks = 1;
    spawn_writers(cx, crowd);
    while (moved_rows(crowd->path) < 10 && steps++ < 10000)
        step(cx, crowd->store, run.id);
    assert_int_equal(moved_rows(crowd->path), 10);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__steps_of_runs_do_not_keep_noted_calls_back(void **state)
{
    struct fixture fixture;
    struct crowd crowd = {.sync = "normal", .each = 5, .ack = -1};
    (void)state;

    fixture_init(&fixture);
    crowd.path = fixture.path;
    run_on_loop(&fixture.test.cx, note_beside_steps, &crowd);
    fixture_finish(&fixture);
}

static void note_while_the_disk_fails(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;
    struct tc_str large = tc_arena_printf(cx->arena, "%060000d", 7);
    struct tc_audit_row row = numbered(cx, 100);
    struct tc_result_row result = store_contract_result_row(cx, 100);

    open_crowd(cx, crowd);
    fault_vfs_fail_at(1, FAULT_VFS_FULL, true);
    note_calls(cx, crowd); /* the journal takes them */
    result.raw = large;
    assert_fails(crowd->store->audit->add_done(cx, crowd->store, &row, &result), TC_E_STORE_FAILED);
    assert_fails(crowd->store->audit->get(cx, crowd->store, numbered(cx, 1).id, &row), TC_E_STORE_FAILED);
    fault_vfs_fail_at(0, FAULT_VFS_FULL, false);
    tc_task_sleep(cx, 150); /* it is tried again each 100 ms */
    read_calls(cx, crowd);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__noted_calls_wait_for_a_disk_that_is_full(void **state)
{
    struct fixture fixture;
    struct crowd crowd = {.sync = "normal", .each = 50, .ack = -1};
    (void)state;

    fault_vfs_install();
    fixture_init(&fixture);
    crowd.path = fixture.path;
    run_on_loop(&fixture.test.cx, note_while_the_disk_fails, &crowd);
    fixture_finish(&fixture);
}

static void note_until_refused(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    open_crowd(cx, crowd);
    fault_vfs_fail_at(1, FAULT_VFS_FULL, true);
    crowd->tasks = 1;
    spawn_writers(cx, crowd);
    assert_true(crowd->written > 100 && crowd->refused > 0);
    crowd->store->close(cx, crowd->store); /* gives up what it cannot move */
    fault_vfs_fail_at(0, FAULT_VFS_FULL, false);
    open_crowd(cx, crowd);
    assert_int_equal(count_rows(cx, crowd->store), crowd->written);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__what_could_not_be_moved_is_found_at_the_next_opening(void **state)
{
    struct fixture fixture;
    struct crowd crowd = {.sync = "normal", .each = 25000, .ack = -1};
    (void)state;

    fault_vfs_install();
    fixture_init(&fixture);
    crowd.path = fixture.path;
    run_on_loop(&fixture.test.cx, note_until_refused, &crowd);
    fixture_finish(&fixture);
}

static void write_while_the_disk_fails_once(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    open_crowd(cx, crowd);
    fault_vfs_fail_at((size_t)crowd->ack, FAULT_VFS_IO, false);
    crowd->ack = -1;
    spawn_writers(cx, crowd);
    assert_true(fault_vfs_count() > 1);
    fault_vfs_fail_at(0, FAULT_VFS_IO, false);
    assert_int_equal(count_rows(cx, crowd->store), crowd->written);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__a_lost_transaction_is_tried_again_by_parts(void **state)
{
    (void)state;
    fault_vfs_install();
    for (int nth = 1; nth < 12; nth++) {
        struct fixture fixture;
        struct crowd crowd = {.sync = "full", .tasks = 50, .each = 2, .ack = nth};

        fixture_init(&fixture);
        crowd.path = fixture.path;
        run_on_loop(&fixture.test.cx, write_while_the_disk_fails_once, &crowd);
        /* A transaction of one is not tried again; one of several is. */
        assert_true(crowd.written >= 99);
        fixture_finish(&fixture);
    }
}

struct cancelled {
    struct tc_store *store;
    const char *path;
    enum tc_err write_err, read_err;
};

static void write_then_read(struct tc_cx *cx, void *arg)
{
    struct cancelled *cancelled = arg;
    struct tc_audit_row row = numbered(cx, 1);

    cancelled->write_err = cancelled->store->audit->add(cx, cancelled->store, &row);
    cancelled->read_err = cancelled->store->audit->get(cx, cancelled->store, row.id, &row);
}

static void cancel_a_writer(struct tc_cx *cx, void *arg)
{
    struct cancelled *cancelled = arg;
    struct tc_task_group group;
    struct tc_task *task;
    struct tc_audit_row row;

    assert_done(tc_sqlite_open(cx, tc_task_loop(cx), cancelled->path, "full", &cancelled->store));
    tc_task_group_init(&group, tc_task_loop(cx));
    assert_done(tc_task_spawn_ref(cx, tc_task_loop(cx), &group, "writer", write_then_read, cancelled, &task));
    tc_task_yield(cx); /* it has queued its write by now */
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    assert_done(cancelled->store->audit->get(cx, cancelled->store, numbered(cx, 1).id, &row));
    cancelled->store->close(cx, cancelled->store);
}

void test_sqlite_tasks__a_cancelled_write_is_done_a_cancelled_read_fails(void **state)
{
    struct fixture fixture;
    struct cancelled cancelled = {0};
    (void)state;

    fixture_init(&fixture);
    cancelled.path = fixture.path;
    run_on_loop(&fixture.test.cx, cancel_a_writer, &cancelled);
    assert_int_equal(cancelled.write_err, TC_OK);
    assert_int_equal(cancelled.read_err, TC_E_CANCELED);
    fixture_finish(&fixture);
}

static void read_rows(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;

    for (int i = 0; i < 20; i++) {
        struct tc_audit_row row, expected = numbered(cx, i);

        assert_done(crowd->store->audit->get(cx, crowd->store, expected.id, &row));
        assert_true(tc_rows_equal(&tc_rows_audit, &row, &expected));
        crowd->written++;
    }
}

static void read_beside_writes(struct tc_cx *cx, void *arg)
{
    struct crowd *crowd = arg;
    struct tc_task_group group;

    open_crowd(cx, crowd);
    spawn_writers(cx, crowd);
    crowd->written = 0;
    crowd->next = 1000;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 30; i++) {
        assert_done(tc_task_spawn(cx, tc_task_loop(cx), &group, "reader", read_rows, crowd));
        assert_done(tc_task_spawn(cx, tc_task_loop(cx), &group, "writer", write_rows, crowd));
    }
    assert_done(tc_task_join(cx, &group));
    assert_int_equal(count_rows(cx, crowd->store), 40 + 30 * 2);
    crowd->store->close(cx, crowd->store);
}

void test_sqlite_tasks__more_readers_than_connections_take_turns(void **state)
{
    struct fixture fixture;
    struct crowd crowd = {.sync = "normal", .tasks = 20, .each = 2, .ack = -1};
    (void)state;

    fixture_init(&fixture);
    crowd.path = fixture.path;
    run_on_loop(&fixture.test.cx, read_beside_writes, &crowd);
    assert_int_equal(crowd.written, 30 * 20 + 30 * 2);
    fixture_finish(&fixture);
}

struct locked {
    const char *path;
    struct tc_store *store;
    bool ended;
    int ticks;
};

static void tick(struct tc_cx *cx, void *arg)
{
    struct locked *locked = arg;

    for (; !locked->ended; locked->ticks++)
        tc_task_sleep(cx, 10);
}

static void write_while_locked(struct tc_cx *cx, void *arg)
{
    struct locked *locked = arg;
    struct tc_audit_row row = numbered(cx, 1);
    sqlite3 *other;

    assert_done(tc_sqlite_open(cx, tc_task_loop(cx), locked->path, "normal", &locked->store));
    assert_int_equal(sqlite3_open(locked->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_done(tc_task_spawn(cx, tc_task_loop(cx), NULL, "tick", tick, locked));
    assert_fails(locked->store->results->put_snapshot(cx, locked->store, TC_STR("h"), TC_STR("{}"), 1),
                 TC_E_STORE_LOCKED);
    assert_int_equal(count_rows(cx, locked->store), 0); /* reading goes on */
    assert_done(locked->store->audit->add(cx, locked->store, &row)); /* and calls are noted */
    assert_fails(locked->store->audit->get(cx, locked->store, row.id, &row), TC_E_STORE_LOCKED);
    sqlite3_close(other);
    tc_task_sleep(cx, 150); /* it is tried again each 100 ms */
    assert_int_equal(count_rows(cx, locked->store), 1);
    locked->ended = true;
    locked->store->close(cx, locked->store);
}

void test_sqlite_tasks__a_foreign_lock_is_named_and_blocks_only_writes(void **state)
{
    struct fixture fixture;
    struct locked locked = {0};
    (void)state;

    fixture_init(&fixture);
    locked.path = fixture.path;
    run_on_loop(&fixture.test.cx, write_while_locked, &locked);
    assert_true(locked.ticks > 50); /* in the 5 s of waiting */
    fixture_finish(&fixture);
}
