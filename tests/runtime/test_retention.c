#include "support/crib.h"

#include "io/loop.h"
#include "runtime/retention.h"

static void forgets(struct tc_cx *cx, struct test_crib *crib)
{
    const struct tc_retention retention = {.audit_days = 90, .results_days = 30};
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

void test_retention__snapshots_go_with_the_last_call_that_names_them(void **state)
{
    (void)state;
    test_crib_run_virtual(forgets, NULL);
}
