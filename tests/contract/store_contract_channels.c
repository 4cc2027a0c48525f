/*
 * The contract of the channels.
 */
#include "contract/store_contract.h"

static struct tc_channel_row channel(struct tc_cx *cx, int seed)
{
    struct tc_channel_row row;

    store_contract_fill(cx, &tc_rows_channel, &row, seed);
    row.id = tc_arena_printf(cx->arena, "channel-%d", seed);
    row.version = 0;
    return row;
}

static struct tc_channel_row stored(struct tc_cx *cx, struct tc_store *store, struct tc_str id)
{
    struct tc_channel_row row;

    assert_done(store->channels->get(cx, store, id, &row));
    return row;
}

static void keeps_every_column(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_channel_row row = channel(cx, 1), got;
    int64_t version = 0;

    assert_fails(store->channels->get(cx, store, row.id, &got), TC_E_STORE_NOT_FOUND);
    assert_done(store->channels->put(cx, store, &row, &version));
    assert_int_equal(version, 1);
    row.version = 1;
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_channel, &got, &row));
    row.version = 0;
    assert_fails(store->channels->put(cx, store, &row, &version), TC_E_STORE_EXISTS);
}

static void edits_are_made_on_what_is_stored(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_channel_row row = channel(cx, 1), edit = channel(cx, 2), got;
    int64_t version = 0;

    edit.id = row.id;
    edit.version = 1;
    assert_fails(store->channels->put(cx, store, &edit, &version), TC_E_STORE_NOT_FOUND);
    assert_done(store->channels->put(cx, store, &row, &version));
    assert_done(store->channels->put(cx, store, &edit, &version));
    assert_int_equal(version, 2);
    edit.version = 2;
    edit.created_at = row.created_at;
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_channel, &got, &edit));
    row.version = 1;
    version = 77;
    assert_fails(store->channels->put(cx, store, &row, &version), TC_E_STORE_CONFLICT);
    assert_int_equal(version, 77);
    got = stored(cx, store, row.id);
    assert_true(tc_rows_equal(&tc_rows_channel, &got, &edit));
}

static void lists_all_by_id_and_removes(struct tc_cx *cx, struct tc_store *store)
{
    struct tc_channel_row b = channel(cx, 2), a = channel(cx, 1), *rows;
    int64_t version;
    size_t n = 99;

    assert_done(store->channels->all(cx, store, &rows, &n));
    assert_int_equal(n, 0);
    assert_done(store->channels->put(cx, store, &b, &version));
    assert_done(store->channels->put(cx, store, &a, &version));
    assert_done(store->channels->all(cx, store, &rows, &n));
    assert_int_equal(n, 2);
    assert_str(rows[0].id, "channel-1");
    assert_str(rows[1].id, "channel-2");
    assert_done(store->channels->remove(cx, store, a.id));
    assert_fails(store->channels->remove(cx, store, a.id), TC_E_STORE_NOT_FOUND);
    assert_done(store->channels->all(cx, store, &rows, &n));
    assert_int_equal(n, 1);
    assert_str(rows[0].id, "channel-2");
}

const struct store_contract_case store_contract_channels[] = {
    {"keeps every column", keeps_every_column},
    {"edits are made on what is stored", edits_are_made_on_what_is_stored},
    {"lists all by id, and removes", lists_all_by_id_and_removes},
    {0},
};
