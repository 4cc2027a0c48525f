/*
 * The port of MCP servers and their definitions.
 */
#include "contract/store_contract.h"

static struct tc_server_row server(struct tc_cx *cx, const char *uuid, const char *name, int seed)
{
    struct tc_server_row row;

    store_contract_fill(cx, &tc_rows_server, &row, seed);
    row.uuid = tc_str_of(uuid);
    row.name = tc_str_of(name);
    row.version = 0;
    return row;
}

static struct tc_server_row only(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row *rows;
    size_t n;

    assert_done(store->servers->all(cx, store, &rows, &n));
    assert_int_equal(n, 1);
    return rows[0];
}

static void assert_server(struct tc_cx *cx, struct tc_store *store, const struct tc_server_row *expected)
{
    struct tc_server_row got = only(cx, store);

    assert_true(tc_rows_equal(&tc_rows_server, &got, expected));
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row row = server(cx, "u1", "git", 1), next = server(cx, "u1", "git", 2);

    assert_done(store->servers->put(cx, store, &row, 100));
    row.version = 1;
    row.created_at = row.updated_at = 100;
    assert_server(cx, store, &row);
    assert_done(store->servers->put(cx, store, &next, 200));
    next.version = 2;
    next.created_at = 100;
    next.updated_at = 200;
    assert_server(cx, store, &next);
}

static void what_was_found_is_set_alone(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row row = server(cx, "u1", "git", 1);

    assert_fails(store->servers->put_found(cx, store, TC_STR("u1"), TC_STR("{}")), TC_E_STORE_NOT_FOUND);
    assert_done(store->servers->put(cx, store, &row, 100));
    assert_done(store->servers->put_found(cx, store, TC_STR("u1"), TC_STR("{\"revision\":\"2025-11-25\"}")));
    row.version = 1;
    row.created_at = row.updated_at = 100;
    row.found = TC_STR("{\"revision\":\"2025-11-25\"}");
    assert_server(cx, store, &row);
    assert_done(store->servers->put_found(cx, store, TC_STR("u1"), TC_STR("")));
    row.found = TC_STR("");
    assert_server(cx, store, &row);
}

static void refuses_a_stale_edit(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row row = server(cx, "u1", "git", 1);

    row.version = 1;
    assert_fails(store->servers->put(cx, store, &row, 100), TC_E_STORE_NOT_FOUND);
    row.version = 0;
    assert_done(store->servers->put(cx, store, &row, 100));
    row.version = 1;
    assert_done(store->servers->put(cx, store, &row, 200));
    assert_fails(store->servers->put(cx, store, &row, 300), TC_E_STORE_CONFLICT);
    row.version = 2;
    assert_done(store->servers->put(cx, store, &row, 400));
    assert_int_equal(only(cx, store).version, 3);
    assert_int_equal(only(cx, store).updated_at, 400);
}

static void names_are_unique_and_stay(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row row = server(cx, "u1", "git", 1), other = server(cx, "u2", "git", 2);

    assert_done(store->servers->put(cx, store, &row, 100));
    assert_fails(store->servers->put(cx, store, &other, 100), TC_E_STORE_EXISTS);
    row.name = TC_STR("svn");
    assert_fails(store->servers->put(cx, store, &row, 200), TC_E_STORE_CONFLICT);
    assert_str(only(cx, store).name, "git");
    assert_int_equal(only(cx, store).version, 1);
}

static void removed_rows_stay(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row row = server(cx, "u2", "b", 1), first = server(cx, "u9", "a", 2), *rows;
    size_t n;

    row.removed = true;
    assert_done(store->servers->put(cx, store, &row, 100));
    assert_done(store->servers->put(cx, store, &first, 100));
    assert_done(store->servers->all(cx, store, &rows, &n));
    assert_int_equal(n, 2);
    assert_str(rows[0].name, "a");
    assert_str(rows[1].name, "b");
    assert_true(rows[1].removed);
}

static struct tc_definition_row definition(struct tc_cx *cx, const char *uuid, const char *name, int seed)
{
    struct tc_definition_row row;

    store_contract_fill(cx, &tc_rows_definition, &row, seed);
    row.server = tc_str_of(uuid);
    row.name = tc_str_of(name);
    return row;
}

static void two_servers(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_server_row one = server(cx, "u1", "one", 1), two = server(cx, "u2", "two", 2);

    assert_done(store->servers->put(cx, store, &one, 1));
    assert_done(store->servers->put(cx, store, &two, 1));
}

static void definitions_are_replaced_by_name(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_definition_row rows[] = {definition(cx, "u1", "b", 1), definition(cx, "u1", "a", 2),
                                       definition(cx, "u2", "a", 3)};
    struct tc_definition_row next[] = {definition(cx, "u1", "b", 4), definition(cx, "u1", "c", 5)}, *got;
    size_t n = 9;

    two_servers(cx, store);
    assert_done(store->servers->definitions(cx, store, TC_STR("u1"), &got, &n));
    assert_int_equal(n, 0);
    assert_done(store->servers->put_definitions(cx, store, rows, 3));
    assert_done(store->servers->put_definitions(cx, store, next, 2));
    assert_done(store->servers->definitions(cx, store, TC_STR("u1"), &got, &n));
    assert_int_equal(n, 3);
    assert_true(tc_rows_equal(&tc_rows_definition, &got[0], &rows[1]));
    assert_true(tc_rows_equal(&tc_rows_definition, &got[1], &next[0]));
    assert_true(tc_rows_equal(&tc_rows_definition, &got[2], &next[1]));
    assert_done(store->servers->definitions(cx, store, TC_STR("u2"), &got, &n));
    assert_int_equal(n, 1);
    assert_true(tc_rows_equal(&tc_rows_definition, &got[0], &rows[2]));
    assert_done(store->servers->put_definitions(cx, store, NULL, 0));
}

static void definitions_belong_to_a_server(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_definition_row rows[] = {definition(cx, "u1", "a", 1), definition(cx, "u3", "a", 2)}, *got;
    size_t n = 9;

    two_servers(cx, store);
    assert_fails(store->servers->put_definitions(cx, store, rows, 2), TC_E_STORE_NOT_FOUND);
    assert_done(store->servers->definitions(cx, store, TC_STR("u1"), &got, &n));
    assert_int_equal(n, 0);
}

static void prunes_definitions_that_vanished_long_ago(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_definition_row rows[] = {definition(cx, "u1", "gone", 1), definition(cx, "u1", "late", 2),
                                       definition(cx, "u1", "here", 3), definition(cx, "u2", "gone", 4)}, *got;
    int64_t n = -1;
    size_t left;

    two_servers(cx, store);
    rows[0].absent = rows[1].absent = rows[3].absent = true;
    rows[2].absent = false;
    rows[0].seen_at = rows[2].seen_at = rows[3].seen_at = 100;
    rows[1].seen_at = 200;
    assert_done(store->servers->put_definitions(cx, store, rows, 4));
    assert_done(store->servers->prune_definitions(cx, store, TC_STR("u1"), 100, &n));
    assert_int_equal(n, 0);
    assert_done(store->servers->prune_definitions(cx, store, TC_STR("u1"), 200, &n));
    assert_int_equal(n, 1);
    assert_done(store->servers->definitions(cx, store, TC_STR("u1"), &got, &left));
    assert_int_equal(left, 2);
    assert_str(got[0].name, "here");
    assert_str(got[1].name, "late");
    assert_done(store->servers->definitions(cx, store, TC_STR("u2"), &got, &left));
    assert_int_equal(left, 1);
}

const struct store_contract_case store_contract_servers[] = {
    {"keeps every column", keeps_every_column},
    {"what was found out of a server is set alone", what_was_found_is_set_alone},
    {"refuses a stale edit", refuses_a_stale_edit},
    {"names are unique and stay", names_are_unique_and_stay},
    {"removed rows stay", removed_rows_stay},
    {"definitions are replaced by name", definitions_are_replaced_by_name},
    {"definitions belong to a server", definitions_belong_to_a_server},
    {"prunes definitions that vanished long ago", prunes_definitions_that_vanished_long_ago},
    {0},
};
