/*
 * The contract of the approvals.
 */
#include "contract/store_contract.h"

static struct tc_approval_row question(struct tc_cx *cx, int seed)
{
    struct tc_approval_row row;

    store_contract_fill(cx, &tc_rows_approval, &row, seed);
    row.id = tc_arena_printf(cx->arena, "01JD%08d", seed);
    row.at = 1700000000000 + seed;
    row.state = TC_STR("waiting");
    return row;
}

static struct tc_approval_row stored(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_approval_row row;

    assert_done(store->approvals->get(cx, store, id, &row));
    return row;
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_approval_row row = question(cx, 1), got;

    assert_fails(store->approvals->get(cx, store, row.id, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->approvals->add(cx, store, &row));
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_approval, &got, &row));
    assert_fails(store->approvals->add(cx, store, &row), TC_E_STORE_EXISTS);
}

/* The first answer stands, and changes nothing of the question. */
static void the_first_answer_stands(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_approval_row row = question(cx, 1), first = question(cx, 2), second = question(cx, 3), got;

    assert_done(store->approvals->add(cx, store, &row));
    first.id = second.id = row.id;
    first.state = TC_STR("approved");
    second.state = TC_STR("denied");
    assert_done(store->approvals->settle(cx, store, &first));
    assert_fails(store->approvals->settle(cx, store, &second), TC_E_STORE_CONFLICT);
    row.state = first.state;
    row.choice = first.choice;
    row.comment = first.comment;
    row.channel = first.channel;
    row.by_kind = first.by_kind;
    row.by_id = first.by_id;
    row.answered_at = first.answered_at;
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_approval, &got, &row));
    second.id = TC_STR("nobody");
    assert_fails(store->approvals->settle(cx, store, &second), TC_E_STORE_NOT_FOUND);
}

/* Ten questions, every second one answered with no. */
static void ten(struct tc_cx *cx, struct tc_store *store)
{
    for (int i = 0; i < 10; i++) {
        struct tc_approval_row row = question(cx, i);
        row.agent = i < 5 ? TC_STR("ann") : TC_STR("bob");
        row.tool_id = tc_arena_printf(cx->arena, "host:tool-%d", i % 3);
        row.call_id = tc_arena_printf(cx->arena, "call-%d", i);
        assert_done(store->approvals->add(cx, store, &row));
        row.state = TC_STR("denied");
        if (i % 2)
            assert_done(store->approvals->settle(cx, store, &row));
    }
}

static const char *listed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_page *page,
                          const struct tc_store_approvals_filter *filter, int64_t expected)
{
    struct tc_approval_row *rows;
    char *names = tc_arena_zalloc(cx->arena, 32, 1);
    int64_t total = -1;
    size_t n;

    assert_done(store->approvals->page(cx, store, page, filter, &rows, &n, &total));
    assert_int_equal(total, expected);
    for (size_t i = 0; i < n; i++)
        names[i] = rows[i].id.p[rows[i].id.n - 1];
    return names;
}

static void pages_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_page all = {.page = 1, .size = 200, .descending = true}, second = {.page = 2, .size = 3},
                         found = {.page = 1, .size = 200, .search = TC_STR("TOOL-2")},
                         odd = {.page = 1, .size = 200, .sort = TC_STR("comment")};
    struct tc_approval_row *rows;
    int64_t total;
    size_t n;

    ten(cx, store);
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_approvals_filter){0}, 10), "9876543210");
    assert_string_equal(listed(cx, store, &second, &(struct tc_store_approvals_filter){0}, 10), "345");
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_approvals_filter){.state = TC_STR("waiting")}, 5),
                        "86420");
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_approvals_filter){.agent = TC_STR("bob")}, 5),
                        "98765");
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_approvals_filter){.call_id = TC_STR("call-4")}, 1),
                        "4");
    assert_string_equal(
        listed(cx, store, &all, &(struct tc_store_approvals_filter){.tool_id = TC_STR("host:tool-0")}, 4), "9630");
    assert_string_equal(listed(cx, store, &found, &(struct tc_store_approvals_filter){0}, 3), "258");
    assert_fails(
        store->approvals->page(cx, store, &odd, &(struct tc_store_approvals_filter){0}, &rows, &n, &total),
        TC_E_USAGE);
}

/* However old it is, one that waits stays. */
static void prunes_what_is_older_and_settled(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_store_page all = {.page = 1, .size = 200};
    int64_t n = -1;

    ten(cx, store);
    assert_done(store->approvals->prune(cx, store, 1700000000001, &n));
    assert_int_equal(n, 0);
    assert_done(store->approvals->prune(cx, store, 1700000000006, &n));
    assert_int_equal(n, 3);
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_approvals_filter){0}, 7), "0246789");
}

const struct store_contract_case store_contract_approvals[] = {
    {"keeps every column", keeps_every_column},
    {"the first answer stands", the_first_answer_stands},
    {"pages what the filter lets through", pages_what_the_filter_lets_through},
    {"prunes what is older and settled", prunes_what_is_older_and_settled},
    {0},
};
