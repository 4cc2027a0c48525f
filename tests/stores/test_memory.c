#include "contract/store_contract.h"

#include "base/mem.h"
#include "stores/memory.h"

static void keeps(const struct store_contract_case *cases)
{
    for (; cases->run; cases++) {
        struct test_cx test;
        struct tc_store *store;

        print_message("  %s\n", cases->behaviour);
        test_cx_init(&test);
        assert_int_equal(tc_memory_open(&test.cx, &store), TC_OK);
        cases->run(&test.cx, store);
        store->close(&test.cx, store);
        test_cx_finish(&test);
    }
}

void test_memory__keeps_the_contract_of_tools(void **state)
{
    (void)state;
    keeps(store_contract_tools);
}

void test_memory__keeps_the_contract_of_agents(void **state)
{
    (void)state;
    keeps(store_contract_agents);
}

void test_memory__keeps_the_contract_of_toolsets(void **state)
{
    (void)state;
    keeps(store_contract_toolsets);
}

void test_memory__keeps_the_contract_of_names(void **state)
{
    (void)state;
    keeps(store_contract_names);
}

void test_memory__keeps_the_contract_of_servers(void **state)
{
    (void)state;
    keeps(store_contract_servers);
}

void test_memory__keeps_the_contract_of_tokens(void **state)
{
    (void)state;
    keeps(store_contract_tokens);
}

void test_memory__keeps_the_contract_of_secrets(void **state)
{
    (void)state;
    keeps(store_contract_secrets);
}

void test_memory__keeps_the_contract_of_grants(void **state)
{
    (void)state;
    keeps(store_contract_grants);
}

void test_memory__keeps_the_contract_of_audit(void **state)
{
    (void)state;
    keeps(store_contract_audit);
}

void test_memory__keeps_the_contract_of_results(void **state)
{
    (void)state;
    keeps(store_contract_results);
}

void test_memory__keeps_the_contract_of_approvals(void **state)
{
    (void)state;
    keeps(store_contract_approvals);
}

void test_memory__keeps_the_contract_of_channels(void **state)
{
    (void)state;
    keeps(store_contract_channels);
}

void test_memory__keeps_the_contract_of_tapes(void **state)
{
    (void)state;
    keeps(store_contract_tapes);
}

void test_memory__keeps_the_contract_of_runs(void **state)
{
    (void)state;
    keeps(store_contract_runs);
}

void test_memory__keeps_the_contract_of_changes(void **state)
{
    (void)state;
    keeps(store_contract_changes);
}

void test_memory__keeps_the_contract_of_settings(void **state)
{
    (void)state;
    keeps(store_contract_settings);
}

/* What each write does when the nth allocation fails: all or nothing. */
static enum tc_err write_some(struct tc_cx *cx, struct tc_store *store, struct tc_audit_row *row,
                              struct tc_result_row *result)
{
    const struct tc_name_row names[] = {
        {TC_STR("a"), TC_STR("mcp"), TC_STR("x:1"), TC_STR("one")},
        {TC_STR("a"), TC_STR("mcp"), TC_STR("x:2"), TC_STR("two")},
    };
    const struct tc_tool_row tools[] = {{.name = TC_STR("x:1")}, {.name = TC_STR("x:2")}};
    const struct tc_tape_row tape = {.id = TC_STR("t")};
    const struct tc_run_row run = {.id = TC_STR("r")};
    struct tc_tape_entry entries[3] = {{.at = 7}, {.at = 8}, {.at = 9}};
    struct tc_run_event events[3] = {{.at = 7}, {.at = 8}, {.at = 9}};
    const struct tc_run_row ended = {.id = run.id, .status = TC_STR("completed")};
    struct tc_run_step step = {.run = run.id, .row = &ended, .events = events, .events_n = 3,
                               .tape = tape.id, .last = 3, .entries = entries, .entries_n = 3, .let_go = true};
    enum tc_err err = store->agents->create(cx, store, TC_STR("a"), TC_STR("{}"), 1);

    if (!err)
        err = store->names->add(cx, store, names, 2, 1);
    if (!err)
        err = store->tools->mirror(cx, store, tools, 2, 1);
    if (!err)
        err = store->tapes->create(cx, store, &tape);
    if (!err)
        err = store->runs->create(cx, store, &run);
    if (!err)
        err = store->tapes->append(cx, store, tape.id, 0, entries, 3);
    if (!err)
        err = store->runs->record(cx, store, &step);
    return err ? err : store->audit->add_done(cx, store, row, result);
}

static void assert_all_or_nothing(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_name_row *names;
    struct tc_tool_row *tools;
    struct tc_audit_row *rows;
    struct tc_result_row result;
    struct tc_tape_entry *entries;
    struct tc_run_event *events;
    struct tc_run_row run;
    size_t on_tape = 0;
    const struct tc_store_page page = {.page = 1, .size = 10};
    const struct tc_store_audit_filter any = {.is_error = -1};
    int64_t total;
    size_t n;

    assert_done(store->names->of(cx, store, TC_STR("a"), TC_STR("mcp"), &names, &n));
    assert_true(n == 0 || n == 2);
    assert_done(store->tools->all(cx, store, &tools, &n));
    assert_true(n == 0 || n == 2);
    if (!store->tapes->entries(cx, store, TC_STR("t"), 1, 9, 9, &entries, &on_tape))
        assert_true(on_tape == 0 || on_tape == 3 || on_tape == 6);
    if (!store->runs->get(cx, store, TC_STR("r"), &run)) {
        assert_done(store->runs->events(cx, store, TC_STR("r"), 0, 0, 9, &events, &n));
        assert_int_equal(n, on_tape == 6 ? 3 : 0);
        assert_str(run.status, on_tape == 6 ? "completed" : "");
        assert_int_equal(run.events, n);
    }
    tc_fail_clear(cx);
    assert_done(store->audit->page(cx, store, &page, &any, &rows, &n, &total));
    if (n)
        assert_done(store->results->get(cx, store, store_contract_result_row(cx, 1).id, &result));
    else
        assert_fails(store->results->get(cx, store, store_contract_result_row(cx, 1).id, &result),
                     TC_E_STORE_NOT_FOUND);
}

void test_memory__writes_all_or_nothing_without_memory(void **state)
{
    size_t nth = 1;
    enum tc_err err;
    (void)state;

    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    do {
        struct test_cx test;
        struct tc_cx *cx = &test.cx;
        struct tc_store *store;
        struct tc_audit_row row;
        struct tc_result_row result;

        test_cx_init(&test);
        row = store_contract_audit_row(cx, 1);
        result = store_contract_result_row(cx, 1);
        assert_done(tc_memory_open(cx, &store));
        tc_mem_fail_at(nth, false);
        err = write_some(cx, store, &row, &result);
        tc_mem_fail_at(0, false);
        if (err)
            assert_int_equal(err, TC_E_NO_MEMORY);
        assert_all_or_nothing(cx, store);
        store->close(cx, store);
        test_cx_finish(&test);
    } while (nth++ < 100 && err);
    assert_true(nth > 8 && nth < 100);
}
