/*
 * MCP servers and the definitions of their tools in memory.
 */
#include "ports/store_servers.h"

#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_server_row **ret_rows, size_t *ret_n)
{
    return tc_memory_all(cx, &tc_memory_of(self)->servers, ret_rows, ret_n);
}

/* There are dozens of servers, not thousands. */
static const struct tc_server_row *find(const struct tc_memory *memory, struct tc_str uuid)
{
    for (size_t i = 0; i < memory->servers.n; i++) {
        const struct tc_server_row *row = memory->servers.rows[i];

        if (tc_str_eq(row->uuid, uuid))
            return row;
    }
    return NULL;
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_server_row *row, int64_t now)
{
    struct tc_memory *memory = tc_memory_of(self);
    const struct tc_server_row *stored = find(memory, row->uuid);
    struct tc_server_row next = *row;

    next.updated_at = now;
    if (!stored) {
        if (row->version != 0)
            return tc_fault_not_found(cx, "server", row->uuid);
        if (tc_table_get(&memory->servers, &row->name))
            return tc_fault_exists(cx, "server", row->name);
        next.version = 1;
        next.created_at = now;
        return tc_memory_put(cx, &memory->servers, &next);
    }
    if (row->version != 0 && row->version != stored->version)
        return tc_fault_version(cx, "server", stored->name, stored->version, row->version);
    if (!tc_str_eq(row->name, stored->name))
        return tc_fault_renamed(cx, stored->name);
    next.version = stored->version + 1;
    next.created_at = stored->created_at;
    return tc_memory_put(cx, &memory->servers, &next);
}

static enum tc_err put_found(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, struct tc_str found)
{
    struct tc_memory *memory = tc_memory_of(self);
    const struct tc_server_row *stored = find(memory, uuid);
    struct tc_server_row next;

    if (!stored)
        return tc_fault_not_found(cx, "server", uuid);
    next = *stored;
    next.found = found;
    return tc_memory_put(cx, &memory->servers, &next);
}

static enum tc_err definitions(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid,
                               struct tc_definition_row **ret_rows, size_t *ret_n)
{
    const struct tc_table *table = &tc_memory_of(self)->definitions;
    size_t at = tc_table_find(table, &uuid, 1), n = 0;

    while (at + n < table->n && tc_table_matches(table, table->rows[at + n], &uuid, 1))
        n++;
    return tc_table_part(cx, table, at, n, ret_rows, ret_n);
}

static enum tc_err put_definitions(struct tc_cx *cx, struct tc_store *self, const struct tc_definition_row *rows,
                                   size_t n)
{
    struct tc_memory *memory = tc_memory_of(self);
    void **copies = TC_ARENA_NEW_N(cx->arena, void *, n);

    if (!copies || !tc_table_reserve(&memory->definitions, n))
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        if (find(memory, rows[i].server) && (copies[i] = tc_rows_dup(&tc_rows_definition, &rows[i])))
            continue;
        tc_table_drop(copies, i);
        return find(memory, rows[i].server) ? tc_fail_memory(cx) : tc_fault_not_found(cx, "server", rows[i].server);
    }
    for (size_t i = 0; i < n; i++)
        tc_table_put(&memory->definitions, copies[i]);
    return TC_OK;
}

static enum tc_err prune_definitions(struct tc_cx *cx, struct tc_store *self, struct tc_str uuid, int64_t before,
                                     int64_t *ret_n)
{
    struct tc_table *table = &tc_memory_of(self)->definitions;
    size_t kept = 0, n = table->n;

    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_definition_row *row = table->rows[i];

        if (row->absent && row->seen_at < before && tc_str_eq(row->server, uuid))
            tc_table_drop(&table->rows[i], 1);
        else
            table->rows[kept++] = row;
    }
    table->n = kept;
    *ret_n = (int64_t)(n - kept);
    return TC_OK;
}

const struct tc_store_servers_ops tc_memory_servers = {
    .all = all,
    .put = put,
    .put_found = put_found,
    .definitions = definitions,
    .put_definitions = put_definitions,
    .prune_definitions = prune_definitions,
};
