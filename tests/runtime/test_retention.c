#include "support/crib.h"

#include "base/clock.h"
#include "io/loop.h"
#include "ports/store_runs.h"
#include "ports/store_tapes.h"
#include "runtime/retention.h"

static void forgets(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_retention retention = {.audit_days = 90, .results_days = 30, .journal_days = 30};
    struct tc_store *store = crib->store;
    struct tc_call_result result;
    struct tc_audit_row row;
    struct tc_str json;

    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_OK);
    row = test_crib_row(cx, crib);
    tc_loop_advance(tc_task_loop(cx), (int64_t)80 * 24 * 60 * 60 * 1000);
    expect_int(tc_retention_run(cx, crib->runtime, &retention), TC_OK);
    expect_int(store->results->get_snapshot(cx, store, row.snapshot, &json), TC_OK);
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_OK);
    tc_loop_advance(tc_task_loop(cx), (int64_t)20 * 24 * 60 * 60 * 1000);
    expect_int(tc_retention_run(cx, crib->runtime, &retention), TC_OK);
    row = test_crib_row(cx, crib); /* one is gone, the later one names the snapshot */
    expect_int(store->results->get_snapshot(cx, store, row.snapshot, &json), TC_OK);
    tc_loop_advance(tc_task_loop(cx), (int64_t)80 * 24 * 60 * 60 * 1000);
    expect_int(tc_retention_run(cx, crib->runtime, &retention), TC_OK);
    expect_int(store->results->get_snapshot(cx, store, row.snapshot, &json), TC_E_STORE_NOT_FOUND);
    expect_int(test_crib_call(cx, crib, "note_write", "{}", &result), TC_OK); /* the same view puts it again */
    row = test_crib_row(cx, crib);
    expect_int(store->results->get_snapshot(cx, store, row.snapshot, &json), TC_OK);
}

enum { DAY_MS = 24 * 60 * 60 * 1000 };

static void make_run(struct tc_cx *cx, struct tc_store *store, const char *id, const char *session, bool ends)
{
    int64_t now = tc_clock_wall_ms(cx->clock);
    const struct tc_tape_row tape = {.id = tc_str_of(id), .name = tc_str_of(session), .agent = TC_STR("default"),
                                     .created_at = now, .updated_at = now};
    const struct tc_run_row run = {.id = tc_str_of(id), .agent = TC_STR("default"), .tape = tc_str_of(id),
                                   .status = ends ? TC_STR("completed") : TC_STR("waiting"), .created_at = now,
                                   .updated_at = now, .ended_at = ends ? now : 0};

    expect_int(store->tapes->create(cx, store, &tape), TC_OK);
    expect_int(store->runs->create(cx, store, &run), TC_OK);
    if (!ends)
        expect_int(store->tapes->claim(cx, store, tape.id, run.id), TC_OK);
}

static bool has_run(struct tc_cx *cx, struct tc_store *store, const char *id)
{
    struct tc_run_row row;

    return store->runs->get(cx, store, tc_str_of(id), &row) == TC_OK;
}

static bool has_tape(struct tc_cx *cx, struct tc_store *store, const char *id)
{
    struct tc_tape_row row;

    return store->tapes->get(cx, store, tc_str_of(id), &row) == TC_OK;
}

static void forgets_runs(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_retention retention = {.audit_days = 90, .results_days = 30, .journal_days = 7};
    struct tc_store *store = crib->store;

    make_run(cx, store, "old", "", true);
    make_run(cx, store, "talk", "talk", true);
    make_run(cx, store, "waits", "", false);
    tc_loop_advance(tc_task_loop(cx), (int64_t)5 * DAY_MS);
    make_run(cx, store, "new", "", true);
    expect_int(tc_retention_run(cx, crib->runtime, &retention), TC_OK);
    test_expect(has_run(cx, store, "old") && has_tape(cx, store, "old"), "they stay seven days", __FILE__, __LINE__);
    tc_loop_advance(tc_task_loop(cx), (int64_t)3 * DAY_MS);
    expect_int(tc_retention_run(cx, crib->runtime, &retention), TC_OK);
    test_expect(!has_run(cx, store, "old") && !has_tape(cx, store, "old"), "then both go", __FILE__, __LINE__);
    test_expect(!has_run(cx, store, "talk") && has_tape(cx, store, "talk"), "a session stays", __FILE__, __LINE__);
    test_expect(has_run(cx, store, "waits") && has_tape(cx, store, "waits"), "what has not ended stays", __FILE__,
                __LINE__);
    test_expect(has_run(cx, store, "new") && has_tape(cx, store, "new"), "what is newer stays", __FILE__, __LINE__);
}

void test_retention__runs_go_with_their_tapes(void **state)
{
    (void)state;
    test_crib_run_virtual(forgets_runs, NULL);
}

void test_retention__snapshots_go_with_the_last_call_that_names_them(void **state)
{
    (void)state;
    test_crib_run_virtual(forgets, NULL);
}
