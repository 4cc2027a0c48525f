/*
 * The contract of the changes and of the settings.
 */
#include "contract/store_contract.h"

static struct tc_change_row change(struct tc_cx *cx, int seed)
{
    struct tc_change_row row;

    store_contract_fill(cx, &tc_rows_change, &row, seed);
    row.id = tc_arena_printf(cx->arena, "01JD%08d", seed);
    row.at = 1700000000000 + seed;
    return row;
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_change_row row = change(cx, 1), got;

    assert_fails(store->changes->get(cx, store, row.id, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->changes->add(cx, store, &row));
    assert_done(store->changes->get(cx, store, row.id, &got));
    assert_true(tc_rows_equal(&tc_rows_change, &got, &row));
    assert_fails(store->changes->add(cx, store, &row), TC_E_STORE_EXISTS);
}

/* Ten changes: the agents a, b, c in turn, the even ones by ann. */
static void ten(struct tc_cx *cx, struct tc_store *store)
{
    for (int i = 0; i < 10; i++) {
        struct tc_change_row row = change(cx, i);

        row.resource = i < 7 ? TC_STR("agent") : TC_STR("toolset");
        row.object = tc_arena_printf(cx->arena, "%c", 'a' + i % 3);
        row.action = i < 3 ? TC_STR("create") : TC_STR("update");
        row.principal_id = i % 2 ? TC_STR("bob") : TC_STR("ann");
        assert_done(store->changes->add(cx, store, &row));
    }
}

static const char *listed(struct tc_cx *cx, struct tc_store *store, const struct tc_store_page *page,
                          const struct tc_store_changes_filter *filter, int64_t expected)
{
    struct tc_change_row *rows;
    char *names = tc_arena_zalloc(cx->arena, 32, 1);
    int64_t total = -1;
    size_t n;

    assert_done(store->changes->page(cx, store, page, filter, &rows, &n, &total));
    assert_int_equal(total, expected);
    for (size_t i = 0; i < n; i++) {
        names[i] = rows[i].id.p[rows[i].id.n - 1];
        assert_int_equal(rows[i].before.n + rows[i].after.n, 0);
    }
    return names;
}

static void pages_what_the_filter_lets_through(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_page all = {.page = 1, .size = 200, .descending = true}, second = {.page = 2, .size = 3},
                               found = {.page = 1, .size = 200, .search = TC_STR("TOOLS")},
                               odd = {.page = 1, .size = 200, .sort = TC_STR("action")};
    const struct tc_store_changes_filter any = {0};
    struct tc_change_row *rows;
    int64_t total;
    size_t n;

    ten(cx, store);
    assert_string_equal(listed(cx, store, &all, &any, 10), "9876543210");
    assert_string_equal(listed(cx, store, &second, &any, 10), "345");
    assert_string_equal(listed(cx, store, &found, &any, 3), "789");
    assert_string_equal(
        listed(cx, store, &all,
               &(struct tc_store_changes_filter){.resource = TC_STR("agent"), .object = TC_STR("a")}, 3),
        "630");
    assert_string_equal(
        listed(cx, store, &all, &(struct tc_store_changes_filter){.principal_id = TC_STR("bob")}, 5), "97531");
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_changes_filter){.action = TC_STR("create")}, 3),
                        "210");
    assert_string_equal(
        listed(cx, store, &all, &(struct tc_store_changes_filter){.from = 1700000000002, .to = 1700000000005}, 3),
        "432");
    assert_string_equal(
        listed(cx, store, &all,
               &(struct tc_store_changes_filter){.without = {TC_STR("secret"), TC_STR("agent")}}, 3),
        "987");
    assert_fails(store->changes->page(cx, store, &odd, &any, &rows, &n, &total), TC_E_USAGE);
}

static void knows_the_last_change_of_each(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_str objects[] = {TC_STR("c"), TC_STR("nobody"), TC_STR("a")};
    struct tc_change_row *rows;

    ten(cx, store);
    assert_done(store->changes->latest(cx, store, TC_STR("agent"), objects, 3, &rows));
    assert_true(tc_str_is(rows[0].id, "01JD00000005"));
    assert_true(tc_str_is(rows[0].action, "update"));
    assert_int_equal(rows[0].at, 1700000000005);
    assert_int_equal(rows[0].before.n + rows[0].after.n, 0);
    assert_int_equal(rows[1].id.n, 0);
    assert_true(tc_str_is(rows[2].id, "01JD00000006"));
    assert_done(store->changes->latest(cx, store, TC_STR("channel"), objects, 3, &rows));
    assert_int_equal(rows[0].id.n + rows[1].id.n + rows[2].id.n, 0);
    assert_done(store->changes->latest(cx, store, TC_STR("agent"), objects, 0, &rows));
}

static void prunes_what_is_older(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_store_page all = {.page = 1, .size = 200};
    int64_t n = -1;

    ten(cx, store);
    assert_done(store->changes->prune(cx, store, 1700000000000, &n));
    assert_int_equal(n, 0);
    assert_done(store->changes->prune(cx, store, 1700000000006, &n));
    assert_int_equal(n, 6);
    assert_string_equal(listed(cx, store, &all, &(struct tc_store_changes_filter){0}, 4), "6789");
}

const struct store_contract_case store_contract_changes[] = {
    {"keeps every column", keeps_every_column},
    {"pages what the filter lets through", pages_what_the_filter_lets_through},
    {"knows the last change of each", knows_the_last_change_of_each},
    {"prunes what is older", prunes_what_is_older},
    {0},
};

/* --- settings --- */

static void counts_versions(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_setting_row row = {.id = TC_STR("b"), .value = TC_STR("1"), .version = 1, .updated_at = 7}, *rows;
    size_t n;

    assert_fails(store->settings->put(cx, store, &row), TC_E_STORE_CONFLICT);
    row.version = 0;
    assert_done(store->settings->put(cx, store, &row));
    assert_fails(store->settings->put(cx, store, &row), TC_E_STORE_CONFLICT);
    row = (struct tc_setting_row){.id = TC_STR("b"), .value = TC_STR("\"天气\""), .version = 1, .updated_at = 8};
    assert_done(store->settings->put(cx, store, &row));
    assert_fails(store->settings->put(cx, store, &row), TC_E_STORE_CONFLICT);
    row = (struct tc_setting_row){.id = TC_STR("a"), .value = TC_STR(""), .version = 0, .updated_at = 9};
    assert_done(store->settings->put(cx, store, &row));
    assert_done(store->settings->all(cx, store, &rows, &n));
    assert_int_equal(n, 2);
    assert_true(tc_str_is(rows[0].id, "a"));
    assert_int_equal(rows[0].value.n, 0);
    assert_int_equal(rows[0].version, 1);
    assert_true(tc_str_is(rows[1].value, "\"天气\""));
    assert_int_equal(rows[1].version, 2);
    assert_int_equal(rows[1].updated_at, 8);
}

const struct store_contract_case store_contract_settings[] = {
    {"counts versions", counts_versions},
    {0},
};
