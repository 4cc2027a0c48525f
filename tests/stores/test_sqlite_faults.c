#include "stores/sqlite_fixture.h"

#include "base/mem.h"
#include "support/fault_vfs.h"

enum { ROWS = 6 };

/* Writes rows while the disk fails; what was acknowledged is marked. */
struct torture {
    const char *path;
    size_t nth;
    enum fault_vfs_kind kind;
    bool sticky, struck;
    bool acknowledged[ROWS * 2];
};

static enum tc_err add_row(struct tc_cx *cx, struct tc_store *store, int i)
{
    struct tc_audit_row row = store_contract_audit_row(cx, i);
    struct tc_result_row result = store_contract_result_row(cx, i);

    return store->audit->add_done(cx, store, &row, &result);
}

static void write_under_faults(struct tc_cx *cx, struct tc_loop *loop, struct torture *torture)
{
    struct tc_store *store;

    assert_done(tc_sqlite_open(cx, loop, torture->path, "full", &store));
    fault_vfs_fail_at(torture->nth, torture->kind, torture->sticky);
    for (int i = 0; i < ROWS; i++) {
        enum tc_err err = add_row(cx, store, i);

        torture->acknowledged[i] = err == TC_OK;
        if (err)
            assert_fails(err, TC_E_STORE_FAILED);
    }
    torture->struck = fault_vfs_count() >= torture->nth;
    fault_vfs_fail_at(0, torture->kind, false);
    for (int i = ROWS; i < ROWS * 2; i++) {
        assert_done(add_row(cx, store, i));
        torture->acknowledged[i] = true;
    }
    store->close(cx, store);
}

static void write_in_task(struct tc_cx *cx, void *arg)
{
    write_under_faults(cx, tc_task_loop(cx), arg);
}

/* Acknowledged rows are there with their result, others not half. */
static void assert_kept(struct tc_cx *cx, const struct torture *torture)
{
    struct tc_store *store;

    assert_done(tc_sqlite_open(cx, NULL, torture->path, "full", &store));
    for (int i = 0; i < ROWS * 2; i++) {
        struct tc_audit_row row, expected = store_contract_audit_row(cx, i);
        struct tc_result_row result, expected_result = store_contract_result_row(cx, i);
        enum tc_err err = store->audit->get(cx, store, expected.id, &row);

        assert_true(err == TC_OK || (err == TC_E_STORE_NOT_FOUND && !torture->acknowledged[i]));
        assert_int_equal(store->results->get(cx, store, expected_result.id, &result), err);
        if (!err)
            assert_true(tc_rows_equal(&tc_rows_audit, &row, &expected) &&
                        tc_rows_equal(&tc_rows_result, &result, &expected_result));
    }
    store->close(cx, store);
}

/* Every write, truncation and sync of the run fails once. */
static void torture(enum fault_vfs_kind kind, bool sticky, bool on_loop)
{
    size_t nth = 0;
    bool struck;

    fault_vfs_install();
    do {
        struct fixture fixture;
        struct torture run = {.nth = ++nth, .kind = kind, .sticky = sticky};

        fixture_init(&fixture);
        run.path = fixture.path;
        if (on_loop)
            run_on_loop(&fixture.test.cx, write_in_task, &run);
        else
            write_under_faults(&fixture.test.cx, NULL, &run);
        assert_kept(&fixture.test.cx, &run);
        struck = run.struck;
        fixture_finish(&fixture);
    } while (struck && nth < 500);
    assert_true(nth > ROWS && nth < 500);
}

void test_sqlite_faults__an_io_error_loses_no_committed_row(void **state)
{
    (void)state;
    torture(FAULT_VFS_IO, false, false);
    torture(FAULT_VFS_IO, false, true);
}

void test_sqlite_faults__a_dead_disk_loses_no_committed_row(void **state)
{
    (void)state;
    torture(FAULT_VFS_IO, true, false);
    torture(FAULT_VFS_IO, true, true);
}

void test_sqlite_faults__a_full_disk_loses_no_committed_row(void **state)
{
    (void)state;
    torture(FAULT_VFS_FULL, true, false);
}

void test_sqlite_faults__a_torn_write_loses_no_committed_row(void **state)
{
    (void)state;
    torture(FAULT_VFS_TORN, false, false);
}

static enum tc_err make_run(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_tape_row tape = {.id = TC_STR("t"), .agent = TC_STR("ann")};
    const struct tc_run_row run = {.id = TC_STR("r"), .agent = TC_STR("ann"), .tape = TC_STR("t")};
    enum tc_err err = store->tapes->create(cx, store, &tape);

    return err ? err : store->runs->create(cx, store, &run);
}

/* Three events, and three entries behind `last`. */
static enum tc_err record_turn(struct tc_cx *cx, struct tc_store *store, int64_t last)
{
    struct tc_run_event events[3] = {{.json = TC_STR("{}")}, {.json = TC_STR("{}")}, {.json = TC_STR("{}")}};
    struct tc_tape_entry entries[3] = {{.json = TC_STR("{}")}, {.json = TC_STR("{}")}, {.json = TC_STR("{}")}};
    const struct tc_run_row row = {.id = TC_STR("r"), .steps = last / 3 + 1};
    struct tc_run_step step = {.run = row.id, .row = &row, .events = events, .events_n = 3,
                               .tape = TC_STR("t"), .last = last, .entries = entries, .entries_n = 3};

    return store->runs->record(cx, store, &step);
}

/* Whatever was told of it, no step is there by half. */
static int64_t assert_whole_turns(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tape_entry *entries;
    struct tc_run_event *events;
    struct tc_tape_row tape;
    struct tc_run_row run;
    size_t n;

    assert_done(store->runs->events(cx, store, TC_STR("r"), 0, 0, 100, &events, &n));
    assert_int_equal(n % 3, 0);
    assert_done(store->runs->get(cx, store, TC_STR("r"), &run));
    assert_int_equal(run.steps, n / 3);
    assert_done(store->tapes->get(cx, store, TC_STR("t"), &tape));
    assert_done(store->tapes->entries(cx, store, TC_STR("t"), 1, 100, 100, &entries, &n));
    assert_int_equal(n, tape.last);
    assert_int_equal(n, run.events);
    return tape.last;
}

void test_sqlite_faults__a_turn_is_recorded_whole_or_not(void **state)
{
    size_t nth = 0;
    bool struck;
    (void)state;

    fault_vfs_install();
    do {
        struct fixture fixture;
        struct tc_cx *cx = &fixture.test.cx;
        struct tc_store *store;
        enum tc_err err;

        fixture_init(&fixture);
        assert_done(tc_sqlite_open(cx, NULL, fixture.path, "full", &store));
        assert_done(make_run(cx, store));
        fault_vfs_fail_at(++nth, FAULT_VFS_IO, false);
        err = record_turn(cx, store, 0);
        struck = fault_vfs_count() >= nth;
        fault_vfs_fail_at(0, FAULT_VFS_IO, false);
        assert_int_equal(err, struck ? TC_E_STORE_FAILED : TC_OK);
        assert_done(record_turn(cx, store, assert_whole_turns(cx, store)));
        store->close(cx, store);
        assert_done(tc_sqlite_open(cx, NULL, fixture.path, "full", &store));
        assert_whole_turns(cx, store);
        store->close(cx, store);
        fixture_finish(&fixture);
    } while (struck && nth < 100);
    assert_true(nth > 2 && nth < 100);
}

void test_sqlite_faults__a_full_disk_is_called_so(void **state)
{
    struct fixture fixture;
    struct tc_cx *cx = &fixture.test.cx;
    struct tc_store *store;
    (void)state;

    fault_vfs_install();
    fixture_init(&fixture);
    assert_done(tc_sqlite_open(cx, NULL, fixture.path, "normal", &store));
    fault_vfs_fail_at(1, FAULT_VFS_FULL, true);
    assert_fails(add_row(cx, store, 1), TC_E_STORE_FAILED);
    assert_str(cx->err.message, "The disk of the store is full, nothing was written.");
    assert_true(cx->err.hint.n > 0);
    fault_vfs_fail_at(0, FAULT_VFS_FULL, false);
    assert_done(add_row(cx, store, 1));
    store->close(cx, store);
    fixture_finish(&fixture);
}

void test_sqlite_faults__a_start_that_failed_can_be_repeated(void **state)
{
    size_t nth = 0;
    bool struck;
    (void)state;

    fault_vfs_install();
    do {
        struct fixture fixture;
        struct tc_cx *cx = &fixture.test.cx;
        struct tc_store *store = NULL;
        enum tc_err err;

        fixture_init(&fixture);
        fault_vfs_fail_at(++nth, FAULT_VFS_IO, false);
        err = tc_sqlite_open(cx, NULL, fixture.path, "full", &store);
        struck = fault_vfs_count() >= nth;
        fault_vfs_fail_at(0, FAULT_VFS_IO, false);
        assert_int_equal(err, struck ? TC_E_STORE_FAILED : TC_OK);
        if (err) {
            assert_null(store);
            assert_done(tc_sqlite_open(cx, NULL, fixture.path, "full", &store));
        }
        assert_done(add_row(cx, store, 1));
        store->close(cx, store);
        fixture_finish(&fixture);
    } while (struck && nth < 500);
    assert_true(nth > 10 && nth < 500);
}

/* Every allocation of the run fails once. */
void test_sqlite_faults__without_memory_operations_fail_whole(void **state)
{
    size_t nth = 0;
    enum tc_err err;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        struct fixture fixture;
        struct tc_cx *cx = &fixture.test.cx;
        struct tc_store *store = NULL;
        struct tc_audit_row row, got;
        struct tc_result_row result;
        enum tc_err read_err = TC_OK;

        fixture_init(&fixture);
        row = store_contract_audit_row(cx, 1);
        result = store_contract_result_row(cx, 1);
        tc_mem_fail_at(++nth, false);
        err = tc_sqlite_open(cx, NULL, fixture.path, "normal", &store);
        if (!err)
            err = store->audit->add_done(cx, store, &row, &result);
        if (!err)
            read_err = store->audit->get(cx, store, row.id, &got);
        tc_mem_fail_at(0, false);
        if (err || read_err)
            assert_int_equal(err ? err : read_err, TC_E_NO_MEMORY);
        err = err ? err : read_err;
        if (store) {
            enum tc_err row_err = store->audit->get(cx, store, row.id, &got);

            assert_int_equal(store->results->get(cx, store, result.id, &result), row_err);
            store->close(cx, store);
        }
        fixture_finish(&fixture);
    } while (err && nth < 100);
    assert_true(nth > 3 && nth < 100);
}
