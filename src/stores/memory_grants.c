/*
 * Grants and clients in memory.
 */
#include "ports/store_grants.h"
#include "stores/fault.h"
#include "stores/memory_private.h"

/* How many rows from `at` on are of the server. */
static size_t count(const struct tc_table *table, size_t at, struct tc_str server)
{
    size_t n = 0;

    while (at + n < table->n && tc_table_matches(table, table->rows[at + n], &server, 1))
        n++;
    return n;
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_grant_row **ret_rows,
                       size_t *ret_n)
{
    const struct tc_table *grants = &tc_memory_of(self)->grants;
    size_t at;

    if (server.n == 0)
        return tc_memory_all(cx, grants, ret_rows, ret_n);
    at = tc_table_find(grants, &server, 1);
    return tc_table_part(cx, grants, at, count(grants, at, server), ret_rows, ret_n);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_row *row, int64_t now)
{
    struct tc_table *grants = &tc_memory_of(self)->grants;
    const struct tc_grant_row *stored = tc_table_same(grants, row);
    struct tc_grant_row next = *row;

    next.created_at = stored ? stored->created_at : now;
    next.updated_at = now;
    return tc_memory_put(cx, grants, &next);
}

static enum tc_err remove_grant(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str identity)
{
    struct tc_table *grants = &tc_memory_of(self)->grants;
    const struct tc_str key[] = {server, identity};

    if (!tc_table_get(grants, key))
        return tc_fault_not_found(cx, "login", server);
    tc_table_remove(grants, tc_table_find(grants, key, 2), 1);
    return TC_OK;
}

static enum tc_err client(struct tc_cx *cx, struct tc_store *self, struct tc_str server, struct tc_str issuer,
                          struct tc_grant_client_row *ret_row)
{
    const struct tc_table *clients = &tc_memory_of(self)->grant_clients;
    const struct tc_str key[] = {server, issuer};
    const void *row = tc_table_get(clients, key);

    return row ? tc_memory_get(cx, clients, row, ret_row) : tc_fault_not_found(cx, "client", issuer);
}

static enum tc_err put_client(struct tc_cx *cx, struct tc_store *self, const struct tc_grant_client_row *row,
                              int64_t now)
{
    struct tc_table *clients = &tc_memory_of(self)->grant_clients;
    const struct tc_grant_client_row *stored = tc_table_same(clients, row);
    struct tc_grant_client_row next = *row;

    next.created_at = stored ? stored->created_at : now;
    next.updated_at = now;
    return tc_memory_put(cx, clients, &next);
}

static void drop(struct tc_table *table, struct tc_str server)
{
    size_t at = tc_table_find(table, &server, 1);

    tc_table_remove(table, at, count(table, at, server));
}

static enum tc_err forget(struct tc_cx *cx, struct tc_store *self, struct tc_str server)
{
    (void)cx;
    drop(&tc_memory_of(self)->grants, server);
    drop(&tc_memory_of(self)->grant_clients, server);
    return TC_OK;
}

const struct tc_store_grants_ops tc_memory_grants = {
    .all = all,
    .put = put,
    .remove = remove_grant,
    .client = client,
    .put_client = put_client,
    .forget = forget,
};
