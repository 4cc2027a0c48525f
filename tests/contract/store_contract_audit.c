/*
 * The ports of the audit, results and snapshots.
 */
#include "contract/store_contract.h"

#include "ports/store_audit_sums.h"

static struct tc_audit_row stored(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_audit_row row = {0};

    assert_done(store->audit->get(cx, store, id, &row));
    return row;
}

static void assert_audit(struct tc_cx *cx, struct tc_store *store, const struct tc_audit_row *expected)
{
    struct tc_audit_row got = stored(cx, store, expected->id);

    assert_true(tc_rows_equal(&tc_rows_audit, &got, expected));
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_audit_row rows[] = {store_contract_audit_row(cx, 1), store_contract_audit_row(cx, 2)};
    struct tc_audit_row twin = store_contract_audit_row(cx, 3), got;

    assert_done(store->audit->add(cx, store, &rows[1]));
    assert_done(store->audit->add(cx, store, &rows[0]));
    assert_audit(cx, store, &rows[0]);
    assert_audit(cx, store, &rows[1]);
    twin.id = rows[0].id;
    assert_of_no_effect(store->audit->add(cx, store, &twin), TC_E_STORE_EXISTS);
    assert_audit(cx, store, &rows[0]);
    assert_fails(store->audit->get(cx, store, TC_STR("none"), &got), TC_E_STORE_NOT_FOUND);
}

static void finishing_sets_the_outcome_only(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_audit_row row = store_contract_audit_row(cx, 1), end = store_contract_audit_row(cx, 2);

    end.id = row.id;
    end.state = TC_STR("done");
    assert_of_no_effect(store->audit->finish(cx, store, &end, NULL), TC_E_STORE_NOT_FOUND);
    assert_done(store->audit->add(cx, store, &row));
    assert_audit(cx, store, &row);
    assert_done(store->audit->finish(cx, store, &end, NULL));
    row.state = end.state;
    row.gate = end.gate;
    row.arguments = end.arguments;
    row.schema = end.schema;
    row.permission = end.permission;
    row.approval = end.approval;
    row.wait_us = end.wait_us;
    row.exec_us = end.exec_us;
    row.total_us = end.total_us;
    row.result_id = end.result_id;
    row.is_error = end.is_error;
    row.error_code = end.error_code;
    row.result_bytes = end.result_bytes;
    row.effect = end.effect;
    assert_audit(cx, store, &row);
}

static void results_come_with_their_row(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_audit_row one = store_contract_audit_row(cx, 1), two = store_contract_audit_row(cx, 2);
    struct tc_result_row first = store_contract_result_row(cx, 1), second = store_contract_result_row(cx, 2), got;

    assert_fails(store->results->get(cx, store, first.id, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->audit->add(cx, store, &one));
    assert_done(store->audit->finish(cx, store, &one, &first));
    assert_done(store->audit->add_done(cx, store, &two, &second));
    assert_done(store->results->get(cx, store, first.id, &got));
    assert_true(tc_rows_equal(&tc_rows_result, &got, &first));
    assert_done(store->results->get(cx, store, second.id, &got));
    assert_true(tc_rows_equal(&tc_rows_result, &got, &second));
    assert_audit(cx, store, &two);
}

static void row_and_result_are_written_together_or_not(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_audit_row one = store_contract_audit_row(cx, 1), two = store_contract_audit_row(cx, 2), got;
    struct tc_audit_row end = store_contract_audit_row(cx, 3);
    struct tc_result_row taken = store_contract_result_row(cx, 1), fresh = store_contract_result_row(cx, 2), result;

    assert_done(store->audit->add_done(cx, store, &one, &taken));
    assert_of_no_effect(store->audit->add_done(cx, store, &two, &taken), TC_E_STORE_EXISTS);
    assert_fails(store->audit->get(cx, store, two.id, &got), TC_E_STORE_NOT_FOUND);
    end.id = one.id;
    assert_of_no_effect(store->audit->finish(cx, store, &end, &taken), TC_E_STORE_EXISTS);
    assert_audit(cx, store, &one);
    assert_of_no_effect(store->audit->add_done(cx, store, &one, &fresh), TC_E_STORE_EXISTS);
    assert_of_no_effect(store->audit->finish(cx, store, &two, &fresh), TC_E_STORE_NOT_FOUND);
    assert_fails(store->results->get(cx, store, fresh.id, &result), TC_E_STORE_NOT_FOUND);
}

/* Rows 1 to 6: agent a or b, tool in turn, state, surface, errors. */
static void six_rows(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const tools[] = {"builtin:dice", "mcp/1:Search", "host:Run"};

    for (int i = 1; i <= 6; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i);

        row.at = i == 6 ? 1001 : 1000 + i; /* 6 is as old as 1 */
        row.agent = i % 2 ? TC_STR("alice") : TC_STR("bob");
        row.tool_id = tc_str_of(tools[i % 3]);
        row.call_name = TC_STR("name");
        row.call_id = tc_arena_printf(cx->arena, "Call-%d", i);
        row.state = i <= 2 ? TC_STR("done") : i == 3 ? TC_STR("unknown") : TC_STR("intent");
        row.surface = i == 4 ? TC_STR("rest") : TC_STR("mcp");
        row.principal_id = i == 5 ? TC_STR("tok5") : TC_STR("tok");
        row.run = i == 3 || i == 5 ? TC_STR("run-a") : TC_STR("");
        row.is_error = i == 2;
        row.error_code = i == 2 ? TC_STR("tool.failed") : TC_STR("");
        row.gate = row.arguments = row.schema = row.permission = TC_STR("ok");
        if (i == 3)
            row.repair = TC_STR("[]");
        assert_done(store->audit->add(cx, store, &row));
    }
}

/* The dice are of the toolset "games". */
static void keep_tool(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_tool_row tool;

    store_contract_fill(cx, &tc_rows_tool, &tool, 1);
    tool.name = TC_STR("builtin:dice");
    tool.toolset = TC_STR("games");
    assert_done(store->tools->mirror(cx, store, &tool, 1, 1000));
}

/* The numbers of the rows on a page. */
static const char *listed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_page *page,
                          const struct tc_store_audit_filter *filter, int64_t total)
{
    struct tc_audit_row *rows;
    struct tc_str text = TC_STR("");
    size_t n;
    int64_t got_total = -1;

    assert_done(store->audit->page(cx, store, page, filter, &rows, &n, &got_total));
    assert_int_equal(got_total, total);
    for (size_t i = 0; i < n; i++)
        text = tc_arena_printf(cx->arena, "%.*s%.*s", TC_STR_ARG(text), TC_STR_ARG(tc_str_from(rows[i].call_id, 5)));
    return text.p;
}

static void pages_by_time(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter any = {.is_error = -1};
    struct tc_store_page page = {.page = 1, .size = 4, .descending = true};

    assert_string_equal(listed(cx, store, &page, &any, 0), "");
    six_rows(cx, store);
    assert_string_equal(listed(cx, store, &page, &any, 6), "5432");
    page.page = 2;
    assert_string_equal(listed(cx, store, &page, &any, 6), "61");
    page = (struct tc_store_page){.page = 1, .size = 200, .sort = TC_STR("at")};
    assert_string_equal(listed(cx, store, &page, &any, 6), "162345");
    page.sort = TC_STR("id");
    assert_string_equal(listed(cx, store, &page, &any, 6), "123456");
    page.descending = true;
    assert_string_equal(listed(cx, store, &page, &any, 6), "654321");
}

static void ends_a_page_by_its_bytes(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter any = {.is_error = -1};
    struct tc_store_page page = {.page = 1, .size = 5, .sort = TC_STR("id"), .bytes = 1, .uncounted = true};
    struct tc_audit_row *rows;
    int64_t total;
    size_t n;

    assert_string_equal(listed(cx, store, &page, &any, -1), "");
    six_rows(cx, store);
    assert_string_equal(listed(cx, store, &page, &any, -1), "1");
    page.bytes = 0;
    assert_done(store->audit->page(cx, store, &page, &any, &rows, &n, &total));
    page.bytes = (int64_t)tc_rows_bytes(&tc_rows_audit, &rows[0]);
    assert_string_equal(listed(cx, store, &page, &any, -1), "1");
    page.bytes++;
    assert_string_equal(listed(cx, store, &page, &any, -1), "12");
    page.bytes = 1 << 30;
    assert_string_equal(listed(cx, store, &page, &any, -1), "12345");
}

/* A page that is full, one that is empty, and all that there are at once. */
static void counts_on_every_page(struct tc_cx *cx, struct tc_store *store)
{
    static const struct {
        int64_t page, size;
        const char *expected;
    } cases[] = {{1, 6, "162345"}, {2, 3, "345"}, {2, 6, ""}, {9, 4, ""}, {2, 4, "45"}, {1, 7, "162345"}};
    const struct tc_store_audit_filter any = {.is_error = -1};

    six_rows(cx, store);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct tc_store_page page = {.page = cases[i].page, .size = cases[i].size};

        assert_string_equal(listed(cx, store, &page, &any, 6), cases[i].expected);
    }
}

static void pages_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    const struct {
        struct tc_store_audit_filter filter;
        const char *expected;
    } cases[] = {
        {{.agent = TC_STR("alice"), .is_error = -1}, "135"},
        {{.tool_id = TC_STR("builtin:dice"), .is_error = -1}, "63"},
        {{.state = TC_STR("intent"), .is_error = -1}, "645"},
        {{.surface = TC_STR("rest"), .is_error = -1}, "4"},
        {{.principal_id = TC_STR("tok5"), .is_error = -1}, "5"},
        {{.error_code = TC_STR("tool.failed"), .is_error = -1}, "2"},
        {{.error_code = TC_STR("tool."), .is_error = -1}, "2"},
        {{.error_code = TC_STR("tool"), .is_error = 0}, ""},
        {{.error_code = TC_STR("ool."), .is_error = -1}, ""},
        {{.outcome = TC_AUDIT_ERROR, .is_error = -1}, "2"},
        {{.outcome = TC_AUDIT_UNKNOWN, .is_error = -1}, "3"},
        {{.outcome = TC_AUDIT_OPEN, .is_error = -1}, "645"},
        {{.outcome = TC_AUDIT_OK, .repaired = 1, .is_error = -1}, "1"},
        {{.repaired = -1, .is_error = -1}, "3"},
        {{.server = TC_STR("1"), .is_error = -1}, "14"},
        {{.server = TC_STR("1:Sea"), .is_error = -1}, ""},
        {{.toolset = TC_STR("games"), .is_error = -1}, "63"},
        {{.toolset = TC_STR("other"), .is_error = -1}, ""},
        {{.run = TC_STR("run-a"), .is_error = -1}, "35"},
        {{.call_id = TC_STR("Call-5"), .is_error = -1}, "5"},
        {{.call_id = TC_STR("Call-"), .is_error = -1}, ""},
        {{.run = TC_STR("run-a"), .call_id = TC_STR("Call-4"), .is_error = -1}, ""},
        {{.is_error = 1}, "2"},
        {{.is_error = 0}, "16345"},
        {{.is_error = -1, .from = 1002}, "2345"},
        {{.is_error = -1, .to = 1003}, "162"},
        {{.is_error = -1, .from = 1002, .to = 1004}, "23"},
        {{.is_error = -1, .after = TC_STR("01JD00000004")}, "65"},
        {{.is_error = -1, .after = TC_STR("01JD00000006")}, ""},
        {{.agent = TC_STR("bob"), .state = TC_STR("intent"), .surface = TC_STR("mcp"), .is_error = 0}, "6"},
        {{.agent = TC_STR("alice' OR 1=1 --"), .is_error = -1}, ""},
    };
    const struct tc_store_page page = {.page = 1, .size = 200},
                               searched = {.page = 1, .size = 200, .search = TC_STR("x")};
    const struct tc_store_audit_filter every = {
        TC_STR("a"), TC_STR("t"), TC_STR("done"), TC_STR("rest"), TC_STR("p"), TC_STR("e"), TC_STR("r"), TC_STR("c"),
        .is_error = 1, .from = 1, .to = 2000, .after = TC_STR("0")};

    keep_tool(cx, store);
    six_rows(cx, store);
    assert_string_equal(listed(cx, store, &searched, &every, 0), "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(listed(cx, store, &page, &cases[i].filter, (int64_t)strlen(cases[i].expected)),
                            cases[i].expected);
}

static void searches_the_named_columns(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const cases[][2] = {
        {"SEARCH", "14"}, {"ALI", "135"}, {"call-6", "6"}, {"NAME", "162345"}, {"tok5", ""}, {"%", ""},
    };
    const struct tc_store_audit_filter any = {.is_error = -1};

    six_rows(cx, store);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tc_store_page page = {.page = 1, .size = 200, .search = tc_str_of(cases[i][0])};

        assert_string_equal(listed(cx, store, &page, &any, (int64_t)strlen(cases[i][1])), cases[i][1]);
    }
}

static void refuses_pages_that_are_none(struct tc_cx *cx, struct tc_store *store)
{
    static const struct tc_store_page pages[] = {
        {.page = 0, .size = 10}, {.page = 1, .size = 201}, {.page = 1, .size = 10, .sort = TC_STR_INIT("agent")}};
    const struct tc_store_audit_filter any = {.is_error = -1};
    struct tc_audit_row *rows;
    size_t n;
    int64_t total;

    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        assert_fails(store->audit->page(cx, store, &pages[i], &any, &rows, &n, &total), TC_E_USAGE);
}

/* --- figures --- */

/* Call i of 20 at 1000 + 10 i took 100 i: the last digit of i says how it ended. */
static void twenty_calls(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const tools[] = {"mcp/s1:a", "mcp/s1:b", "mcp/s2:c", "builtin:dice", ""};

    for (int i = 0; i < 20; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i);

        row.at = 1000 + 10 * i;
        row.exec_us = 100 * i;
        row.agent = i < 15 ? TC_STR("alice") : TC_STR("bob");
        row.surface = i == 19 ? TC_STR("ui") : TC_STR("mcp");
        row.tool_id = tc_str_of(tools[i % 5]);
        row.state = i % 10 == 7 ? TC_STR("unknown") : i % 10 == 8 ? TC_STR("intent") : TC_STR("done");
        row.gate = row.arguments = row.schema = row.permission = TC_STR("ok");
        if (i % 10 == 9)
            row.permission = TC_STR("tool.not_allowed");
        row.is_error = i % 10 >= 5;
        row.repair = i % 10 == 0 ? TC_STR("[{}]") : i % 10 == 1 ? TC_STR("[]") : TC_STR("");
        assert_done(store->audit->add(cx, store, &row));
    }
}

static struct tc_audit_sums summed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_audit_filter *filter,
                                   int64_t buckets, enum tc_audit_by by)
{
    const struct tc_audit_sums_query query = {.filter = filter, .buckets = buckets, .by = by, .limit = 3};
    struct tc_audit_sums sums = {0};

    assert_done(store->audit->sums(cx, store, &query, &sums));
    return sums;
}

/* "calls errors refused repaired unknown open p50 p95" */
static const char *told(struct tc_cx *cx, const struct tc_audit_figures *f)
{
    return tc_arena_printf(cx->arena, "%d %d %d %d %d %d %d %d", (int)f->calls, (int)f->errors, (int)f->refused,
                           (int)f->repaired, (int)f->unknown, (int)f->open, (int)f->p50_us, (int)f->p95_us)
        .p;
}

static void sums_a_span_and_the_one_before(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter late = {.is_error = -1, .from = 1100, .to = 1200},
                                       none = {.is_error = -1, .from = 5000, .to = 6000};
    struct tc_audit_sums sums = summed(cx, store, &late, 0, TC_AUDIT_BY_NONE);

    assert_string_equal(told(cx, &sums.totals), "0 0 0 0 0 0 -1 -1");
    twenty_calls(cx, store);
    sums = summed(cx, store, &late, 0, TC_AUDIT_BY_NONE);
    assert_string_equal(told(cx, &sums.totals), "10 2 1 1 1 1 1300 1600");
    assert_string_equal(told(cx, &sums.previous), "10 2 1 1 1 1 300 600");
    assert_int_equal(sums.series_n, 0);
    assert_int_equal(sums.groups_n, 0);
    assert_int_equal(sums.groups_total, 0);
    sums = summed(cx, store, &none, 0, TC_AUDIT_BY_NONE);
    assert_string_equal(told(cx, &sums.totals), "0 0 0 0 0 0 -1 -1");
}

static void sums_parts_of_a_span(struct tc_cx *cx, struct tc_store *store)
{
    static const char *const expected[] = {"4 0 0 1 0 0 100 300", "3 2 0 0 0 0 500 600", "3 0 1 0 1 1 -1 -1"};
    const struct tc_store_audit_filter filter = {.is_error = -1, .from = 1000, .to = 1100};
    struct tc_audit_sums sums;

    twenty_calls(cx, store);
    sums = summed(cx, store, &filter, 3, TC_AUDIT_BY_NONE);
    assert_int_equal(sums.series_n, 3);
    for (int i = 0; i < 3; i++)
        assert_string_equal(told(cx, &sums.series[i].figures), expected[i]);
    assert_int_equal(sums.series[0].from, 1000);
    assert_int_equal(sums.series[1].from, 1034);
    assert_int_equal(sums.series[2].from, 1067);
    sums = summed(cx, store, &filter, 200, TC_AUDIT_BY_NONE); /* more parts than there are moments */
    assert_int_equal(sums.series_n, 200);
    assert_int_equal(sums.series[0].figures.calls, 1);
    assert_int_equal(sums.series[20].figures.calls, 1);
    assert_int_equal(sums.series[21].figures.calls, 0);
}

/* "key:calls:errors:p50 …" */
static const char *grouped(struct tc_cx *cx, struct tc_store *store, enum tc_audit_by by, int64_t total)
{
    const struct tc_store_audit_filter all = {.is_error = -1, .from = 1, .to = 9000};
    struct tc_audit_sums sums = summed(cx, store, &all, 0, by);
    struct tc_str text = TC_STR("");

    assert_int_equal(sums.groups_total, total);
    for (size_t i = 0; i < sums.groups_n; i++) {
        const struct tc_audit_group *group = &sums.groups[i];

        text = tc_arena_printf(cx->arena, "%.*s%.*s:%d:%d:%d ", TC_STR_ARG(text), TC_STR_ARG(group->key),
                               (int)group->figures.calls, (int)group->figures.errors, (int)group->figures.p50_us);
    }
    return text.p;
}

static void sums_by_every_key(struct tc_cx *cx, struct tc_store *store)
{
    twenty_calls(cx, store);
    assert_string_equal(grouped(cx, store, TC_AUDIT_BY_AGENT, 2), "alice:15:2:500 bob:5:2:1500 ");
    assert_string_equal(grouped(cx, store, TC_AUDIT_BY_SURFACE, 2), "mcp:19:4:600 ui:1:0:-1 ");
    assert_string_equal(grouped(cx, store, TC_AUDIT_BY_SERVER, 2), "s1:8:4:600 s2:4:0:200 ");
    /* the limit is 3 of 4 */
    assert_string_equal(grouped(cx, store, TC_AUDIT_BY_TOOL, 4),
                        "builtin:dice:4:0:300 mcp/s1:a:4:2:500 mcp/s1:b:4:2:600 ");
}

/* A thousand times in no order, and what never ran beside them. */
static void percentiles_are_of_what_ran(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter all = {.is_error = -1, .from = 1, .to = 9000};
    struct tc_audit_sums sums;

    for (int i = 0; i < 1000; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i);

        row.at = 2000 + i;
        row.exec_us = (int64_t)(i * 617 % 1000 + 1) * 7000000; /* each number once, beyond 32 bits */
        row.state = TC_STR("done");
        row.gate = row.arguments = row.schema = row.permission = TC_STR("ok");
        row.is_error = false;
        assert_done(store->audit->add(cx, store, &row));
    }
    for (int i = 1000; i < 1100; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i); /* an intent */

        row.at = 2000 + i;
        assert_done(store->audit->add(cx, store, &row));
    }
    sums = summed(cx, store, &all, 0, TC_AUDIT_BY_NONE);
    assert_int_equal(sums.totals.calls, 1100);
    assert_int_equal(sums.totals.open, 100);
    assert_true(sums.totals.p50_us == INT64_C(500) * 7000000);
    assert_true(sums.totals.p95_us == INT64_C(950) * 7000000);
}

static void sums_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter of_alice = {.is_error = -1, .from = 1, .to = 9000, .agent = TC_STR("alice")},
                                       of_server = {.is_error = -1, .from = 1, .to = 9000, .server = TC_STR("s1")};
    struct tc_audit_sums_query query = {.filter = &of_alice, .limit = 1, .search = TC_STR("DICE")};
    struct tc_audit_sums sums;

    twenty_calls(cx, store);
    sums = summed(cx, store, &of_alice, 0, TC_AUDIT_BY_NONE);
    assert_int_equal(sums.totals.calls, 15);
    sums = summed(cx, store, &of_server, 0, TC_AUDIT_BY_NONE);
    assert_int_equal(sums.totals.calls, 8);
    assert_done(store->audit->sums(cx, store, &query, &sums));
    assert_int_equal(sums.totals.calls, 3);
}

static void refuses_sums_that_are_none(struct tc_cx *cx, struct tc_store *store)
{
    static const struct {
        int64_t from, to, buckets, limit;
    } cases[] = {{0, 10, 1, 1}, {10, 10, 1, 1}, {10, 5, 1, 1}, {1, INT64_MAX, 1, 1}, {1, 10, -1, 1}, {1, 10, 201, 1},
                 {1, 10, 1, 0}, {1, 10, 1, 20001}};
    struct tc_audit_sums sums;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct tc_store_audit_filter filter = {.is_error = -1, .from = cases[i].from, .to = cases[i].to};
        const struct tc_audit_sums_query query = {
            .filter = &filter, .buckets = cases[i].buckets, .limit = cases[i].limit};

        assert_fails(store->audit->sums(cx, store, &query, &sums), TC_E_USAGE);
    }
}

static void closes_what_was_left_open(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter unknown = {.state = TC_STR("unknown"), .is_error = -1};
    const struct tc_store_page page = {.page = 1, .size = 200};
    int64_t n = -1;

    assert_done(store->audit->close_open(cx, store, &n));
    assert_int_equal(n, 0);
    six_rows(cx, store);
    assert_done(store->audit->close_open(cx, store, &n));
    assert_int_equal(n, 3);
    assert_string_equal(listed(cx, store, &page, &unknown, 4), "6345");
    assert_done(store->audit->close_open(cx, store, &n));
    assert_int_equal(n, 0);
}

static void prunes_what_is_older(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_audit_filter any = {.is_error = -1};
    const struct tc_store_page page = {.page = 1, .size = 200};
    int64_t n = -1;

    six_rows(cx, store);
    assert_done(store->audit->prune(cx, store, 1001, &n));
    assert_int_equal(n, 0);
    assert_done(store->audit->prune(cx, store, 1003, &n));
    assert_int_equal(n, 3);
    assert_string_equal(listed(cx, store, &page, &any, 3), "345");
}

static void prunes_thousands(struct tc_cx *cx, struct tc_store *store)
{
    int64_t n = -1;

    for (int i = 0; i < 2500; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i);
        struct tc_result_row result = store_contract_result_row(cx, i);

        assert_done(store->audit->add_done(cx, store, &row, &result));
    }
    assert_done(store->audit->prune(cx, store, 1700000000000 + 2400, &n));
    assert_int_equal(n, 2400);
    assert_done(store->results->prune(cx, store, 1700000000000 + 2300, &n));
    assert_int_equal(n, 2300);
    assert_done(store->audit->prune(cx, store, INT64_MAX, &n));
    assert_int_equal(n, 100);
    assert_done(store->results->prune(cx, store, INT64_MAX, &n));
    assert_int_equal(n, 200);
}

const struct store_contract_case store_contract_audit[] = {
    {"keeps every column", keeps_every_column},
    {"finishing sets the outcome only", finishing_sets_the_outcome_only},
    {"results come with their row", results_come_with_their_row},
    {"row and result are written together or not", row_and_result_are_written_together_or_not},
    {"pages by time", pages_by_time},
    {"ends a page by its bytes", ends_a_page_by_its_bytes},
    {"counts on every page", counts_on_every_page},
    {"pages what the filter lets through", pages_what_the_filter_lets_through},
    {"searches the named columns", searches_the_named_columns},
    {"refuses pages that are none", refuses_pages_that_are_none},
    {"sums a span and the one before", sums_a_span_and_the_one_before},
    {"sums parts of a span", sums_parts_of_a_span},
    {"sums by every key", sums_by_every_key},
    {"percentiles are of what ran", percentiles_are_of_what_ran},
    {"sums what the filter lets through", sums_what_the_filter_lets_through},
    {"refuses sums that are none", refuses_sums_that_are_none},
    {"closes what was left open", closes_what_was_left_open},
    {"prunes what is older", prunes_what_is_older},
    {"prunes thousands", prunes_thousands},
    {0},
};

static void keeps_megabytes(struct tc_cx *cx, struct tc_store *store)
{
    enum { SIZE = 5 * 1024 * 1024 };
    struct tc_audit_row row = store_contract_audit_row(cx, 1);
    struct tc_result_row result = store_contract_result_row(cx, 1), got;
    char *raw = tc_arena_alloc(cx->arena, SIZE);

    for (size_t i = 0; i < SIZE; i++)
        raw[i] = (char)(i * 31 + i / 4096);
    result.raw = tc_str_n(raw, SIZE);
    assert_done(store->audit->add_done(cx, store, &row, &result));
    assert_done(store->results->get(cx, store, result.id, &got));
    assert_int_equal(got.raw.n, SIZE);
    assert_memory_equal(got.raw.p, raw, SIZE);
}

static void snapshots_are_kept_by_hash(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_str json = TC_STR("unset");

    assert_fails(store->results->get_snapshot(cx, store, TC_STR("h1"), &json), TC_E_STORE_NOT_FOUND);
    assert_str(json, "unset");
    assert_done(store->results->put_snapshot(cx, store, TC_STR("h1"), TC_STR("[1]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("h2"), TC_STR("[2]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("h1"), TC_STR("[other]"), 200));
    assert_done(store->results->get_snapshot(cx, store, TC_STR("h1"), &json));
    assert_str(json, "[1]");
    assert_done(store->results->get_snapshot(cx, store, TC_STR("h2"), &json));
    assert_str(json, "[2]");
}

/* Putting it again says that it is in use; a row that names it keeps it for ever. */
static void prunes_snapshots_that_no_row_names(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_audit_row row = store_contract_audit_row(cx, 1);
    struct tc_str json;
    int64_t n = -1;

    row.snapshot = TC_STR("named");
    assert_done(store->audit->add(cx, store, &row));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("named"), TC_STR("[1]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("used"), TC_STR("[2]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("old"), TC_STR("[3]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("used"), TC_STR("[2]"), 300));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("used"), TC_STR("[2]"), 200));
    assert_done(store->results->prune_snapshots(cx, store, 100, &n));
    assert_int_equal(n, 0);
    assert_done(store->results->prune_snapshots(cx, store, 300, &n));
    assert_int_equal(n, 1);
    assert_fails(store->results->get_snapshot(cx, store, TC_STR("old"), &json), TC_E_STORE_NOT_FOUND);
    assert_done(store->results->get_snapshot(cx, store, TC_STR("named"), &json));
    assert_done(store->results->get_snapshot(cx, store, TC_STR("used"), &json));
    assert_done(store->audit->prune(cx, store, INT64_MAX, &n));
    assert_done(store->results->prune_snapshots(cx, store, 1000, &n));
    assert_int_equal(n, 2);
}

/* What a run goes on with, and is replayed from, is kept as long as its row. */
static void keeps_snapshots_that_a_run_names(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_run_row run;
    struct tc_str json;
    int64_t n = -1;

    store_contract_fill(cx, &tc_rows_run, &run, 1);
    run.id = TC_STR("r1");
    run.snapshot = TC_STR("tools");
    run.frame = TC_STR("frame");
    run.ended_at = 100;
    assert_done(store->runs->create(cx, store, &run));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("tools"), TC_STR("[1]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("frame"), TC_STR("[2]"), 100));
    assert_done(store->results->put_snapshot(cx, store, TC_STR("neither"), TC_STR("[3]"), 100));
    assert_done(store->results->prune_snapshots(cx, store, 1000, &n));
    assert_int_equal(n, 1);
    assert_done(store->results->get_snapshot(cx, store, TC_STR("tools"), &json));
    assert_done(store->results->get_snapshot(cx, store, TC_STR("frame"), &json));
    assert_done(store->runs->prune(cx, store, 200, &n));
    assert_int_equal(n, 1);
    assert_done(store->results->prune_snapshots(cx, store, 1000, &n));
    assert_int_equal(n, 2);
}

const struct store_contract_case store_contract_results[] = {
    {"keeps megabytes", keeps_megabytes},
    {"snapshots are kept by hash", snapshots_are_kept_by_hash},
    {"prunes snapshots that no row names", prunes_snapshots_that_no_row_names},
    {"keeps snapshots that a run names", keeps_snapshots_that_a_run_names},
    {0},
};
