/*
 * The port of logins at MCP servers.
 */
#include "contract/store_contract.h"

#include "ports/store_grants.h"

static struct tc_grant_row grant(struct tc_cx *cx, const char *server, const char *identity, int seed)
{
    struct tc_grant_row row;

    store_contract_fill(cx, &tc_rows_grant, &row, seed);
    row.server = tc_str_of(server);
    row.identity = tc_str_of(identity);
    return row;
}

static struct tc_grant_row *all(struct tc_cx *cx, struct tc_store *store, const char *server, size_t expected)
{
    struct tc_grant_row *rows;
    size_t n;

    assert_done(store->grants->all(cx, store, tc_str_of(server), &rows, &n));
    assert_int_equal(n, expected);
    return rows;
}

static void keeps_every_column_by_server_and_identity(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_grant_row rows[] = {grant(cx, "b", "z", 1), grant(cx, "b", "", 2), grant(cx, "a", "z", 3)}, *got;

    all(cx, store, "", 0);
    for (int i = 0; i < 3; i++) {
        assert_done(store->grants->put(cx, store, &rows[i], 100 + i));
        rows[i].created_at = rows[i].updated_at = 100 + i;
    }
    got = all(cx, store, "", 3);
    assert_true(tc_rows_equal(&tc_rows_grant, &got[0], &rows[2]));
    assert_true(tc_rows_equal(&tc_rows_grant, &got[1], &rows[1]));
    assert_true(tc_rows_equal(&tc_rows_grant, &got[2], &rows[0]));
    got = all(cx, store, "b", 2);
    assert_true(tc_rows_equal(&tc_rows_grant, &got[0], &rows[1]));
    all(cx, store, "c", 0);
    all(cx, store, "ab", 0);
}

static void a_grant_is_replaced(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_grant_row row = grant(cx, "a", "", 1), *got;

    assert_done(store->grants->put(cx, store, &row, 100));
    row.sealed = TC_STR("");
    row.challenge = TC_STR("Bearer scope=\"x\"");
    row.expires_at = 0;
    assert_done(store->grants->put(cx, store, &row, 200));
    got = all(cx, store, "a", 1);
    row.created_at = 100;
    row.updated_at = 200;
    assert_true(tc_rows_equal(&tc_rows_grant, got, &row));
}

static void a_grant_is_removed_alone(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_grant_row shared = grant(cx, "a", "", 1), own = grant(cx, "a", "x", 2);

    assert_done(store->grants->put(cx, store, &shared, 1));
    assert_done(store->grants->put(cx, store, &own, 1));
    assert_done(store->grants->remove(cx, store, TC_STR("a"), TC_STR("")));
    assert_str(all(cx, store, "a", 1)->identity, "x");
    assert_fails(store->grants->remove(cx, store, TC_STR("a"), TC_STR("")), TC_E_STORE_NOT_FOUND);
}

static void clients_are_kept_by_issuer(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_grant_client_row one = {.server = TC_STR("a"), .issuer = TC_STR("https://x"), .sealed = TC_STR("1")};
    struct tc_grant_client_row two = {.server = TC_STR("a"), .issuer = TC_STR("https://x/"), .sealed = TC_STR("2")};
    struct tc_grant_client_row got = {0};

    assert_fails(store->grants->client(cx, store, one.server, one.issuer, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->grants->put_client(cx, store, &one, 100));
    assert_done(store->grants->put_client(cx, store, &two, 100));
    one.sealed = TC_STR("3");
    assert_done(store->grants->put_client(cx, store, &one, 200));
    assert_done(store->grants->client(cx, store, one.server, one.issuer, &got));
    assert_str(got.sealed, "3");
    assert_int_equal(got.created_at, 100);
    assert_int_equal(got.updated_at, 200);
    assert_done(store->grants->client(cx, store, two.server, two.issuer, &got));
    assert_str(got.sealed, "2");
    assert_fails(store->grants->client(cx, store, TC_STR("b"), one.issuer, &got), TC_E_STORE_NOT_FOUND);
}

static void a_server_is_forgotten_as_a_whole(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_grant_client_row client = {.server = TC_STR("a"), .issuer = TC_STR("i"), .sealed = TC_STR("1")};
    struct tc_grant_row rows[] = {grant(cx, "a", "", 1), grant(cx, "a", "x", 2), grant(cx, "b", "", 3)};

    for (int i = 0; i < 3; i++)
        assert_done(store->grants->put(cx, store, &rows[i], 1));
    assert_done(store->grants->put_client(cx, store, &client, 1));
    assert_done(store->grants->forget(cx, store, TC_STR("a")));
    assert_done(store->grants->forget(cx, store, TC_STR("a")));
    assert_str(all(cx, store, "", 1)->server, "b");
    assert_fails(store->grants->client(cx, store, client.server, client.issuer, &client), TC_E_STORE_NOT_FOUND);
}

const struct store_contract_case store_contract_grants[] = {
    {"keeps every column, by server and identity", keeps_every_column_by_server_and_identity},
    {"a grant is replaced", a_grant_is_replaced},
    {"a grant is removed alone", a_grant_is_removed_alone},
    {"clients are kept by issuer", clients_are_kept_by_issuer},
    {"a server is forgotten as a whole", a_server_is_forgotten_as_a_whole},
    {0},
};
