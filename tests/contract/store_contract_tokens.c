/*
 * The ports of access tokens and sealed secrets.
 */
#include "contract/store_contract.h"

static struct tc_token_row token(struct tc_cx *cx, const char *id, int seed)
{
    struct tc_token_row row;

    store_contract_fill(cx, &tc_rows_token, &row, seed);
    row.id = tc_str_of(id);
    row.created_at = 1000 + seed;
    row.revoked_at = row.used_at = 0;
    return row;
}

static struct tc_token_row *all(struct tc_cx *cx, struct tc_store *store, size_t expected)
{
    struct tc_token_row *rows;
    size_t n;

    assert_done(store->tokens->all(cx, store, &rows, &n));
    assert_int_equal(n, expected);
    return rows;
}

static void keeps_every_column_by_age(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_token_row rows[] = {token(cx, "b", 2), token(cx, "a", 3), token(cx, "c", 1)}, *got;

    rows[0].revoked_at = 77;
    rows[1].used_at = 88;
    all(cx, store, 0);
    for (int i = 0; i < 3; i++)
        assert_done(store->tokens->create(cx, store, &rows[i]));
    got = all(cx, store, 3);
    assert_true(tc_rows_equal(&tc_rows_token, &got[0], &rows[2]));
    assert_true(tc_rows_equal(&tc_rows_token, &got[1], &rows[0]));
    assert_true(tc_rows_equal(&tc_rows_token, &got[2], &rows[1]));
}

static void ids_and_hashes_are_unique(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_token_row row = token(cx, "a", 1), same_id = token(cx, "a", 2), same_hash = token(cx, "b", 3);

    same_hash.hash = row.hash;
    assert_done(store->tokens->create(cx, store, &row));
    assert_fails(store->tokens->create(cx, store, &same_id), TC_E_STORE_EXISTS);
    assert_fails(store->tokens->create(cx, store, &same_hash), TC_E_STORE_EXISTS);
    assert_true(tc_rows_equal(&tc_rows_token, &all(cx, store, 1)[0], &row));
}

static void remembers_when(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_token_row row = token(cx, "a", 1), other = token(cx, "b", 2), *got;

    assert_done(store->tokens->create(cx, store, &row));
    assert_done(store->tokens->create(cx, store, &other));
    assert_done(store->tokens->touch(cx, store, row.id, 500));
    assert_done(store->tokens->touch(cx, store, row.id, 400));
    assert_done(store->tokens->revoke(cx, store, row.id, 600));
    assert_done(store->tokens->revoke(cx, store, row.id, 700));
    got = all(cx, store, 2);
    assert_int_equal(got[0].used_at, 500);
    assert_int_equal(got[0].revoked_at, 600);
    assert_int_equal(got[1].used_at, 0);
    assert_int_equal(got[1].revoked_at, 0);
    assert_fails(store->tokens->revoke(cx, store, TC_STR("c"), 1), TC_E_STORE_NOT_FOUND);
    assert_fails(store->tokens->touch(cx, store, TC_STR("c"), 1), TC_E_STORE_NOT_FOUND);
}

static void is_labelled_anew(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_token_row row = token(cx, "a", 1), other = token(cx, "b", 2), *got;

    assert_done(store->tokens->create(cx, store, &row));
    assert_done(store->tokens->create(cx, store, &other));
    assert_done(store->tokens->label(cx, store, row.id, TC_STR("of the build machine")));
    row.label = TC_STR("of the build machine");
    got = all(cx, store, 2);
    assert_true(tc_rows_equal(&tc_rows_token, &got[0], &row));
    assert_true(tc_rows_equal(&tc_rows_token, &got[1], &other));
    assert_fails(store->tokens->label(cx, store, TC_STR("c"), TC_STR("x")), TC_E_STORE_NOT_FOUND);
}

const struct store_contract_case store_contract_tokens[] = {
    {"keeps every column, by age", keeps_every_column_by_age},
    {"ids and hashes are unique", ids_and_hashes_are_unique},
    {"remembers when", remembers_when},
    {"is labelled anew", is_labelled_anew},
    {0},
};

static const char sealed_bytes[] = "\x01\0\xff\xfe nonce and '; text\0";

static void secrets_are_bytes_under_a_name(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_secret_row row = {.name = TC_STR("k"), .sealed = tc_str_n(sealed_bytes, sizeof sealed_bytes)};
    struct tc_secret_row got = {0};

    assert_fails(store->secrets->get(cx, store, TC_STR("k"), &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->secrets->put(cx, store, &row, 100));
    assert_done(store->secrets->get(cx, store, TC_STR("k"), &got));
    assert_str(got.name, "k");
    assert_int_equal(got.sealed.n, sizeof sealed_bytes);
    assert_memory_equal(got.sealed.p, sealed_bytes, sizeof sealed_bytes);
    assert_int_equal(got.created_at, 100);
    assert_int_equal(got.updated_at, 100);
}

static void secrets_are_replaced(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_secret_row row = {.name = TC_STR("k"), .sealed = TC_STR("one")}, got;

    assert_done(store->secrets->put(cx, store, &row, 100));
    row.sealed = TC_STR("two");
    assert_done(store->secrets->put(cx, store, &row, 200));
    assert_done(store->secrets->get(cx, store, TC_STR("k"), &got));
    assert_str(got.sealed, "two");
    assert_int_equal(got.created_at, 100);
    assert_int_equal(got.updated_at, 200);
}

static void secrets_are_listed_without_their_bytes(struct tc_cx *cx, struct tc_store *store)
{
    const struct tc_secret_row b = {.name = TC_STR("b"), .sealed = TC_STR("1")};
    const struct tc_secret_row a = {.name = TC_STR("a"), .sealed = TC_STR("2")};
    struct tc_secret_row *rows;
    size_t n;

    assert_done(store->secrets->put(cx, store, &b, 100));
    assert_done(store->secrets->put(cx, store, &a, 200));
    assert_done(store->secrets->all(cx, store, &rows, &n));
    assert_int_equal(n, 2);
    assert_str(rows[0].name, "a");
    assert_str(rows[1].name, "b");
    assert_int_equal(rows[0].sealed.n + rows[1].sealed.n, 0);
    assert_int_equal(rows[0].created_at, 200);
    assert_done(store->secrets->remove(cx, store, TC_STR("a")));
    assert_fails(store->secrets->remove(cx, store, TC_STR("a")), TC_E_STORE_NOT_FOUND);
    assert_done(store->secrets->all(cx, store, &rows, &n));
    assert_int_equal(n, 1);
}

const struct store_contract_case store_contract_secrets[] = {
    {"secrets are bytes under a name", secrets_are_bytes_under_a_name},
    {"secrets are replaced", secrets_are_replaced},
    {"secrets are listed without their bytes", secrets_are_listed_without_their_bytes},
    {0},
};
