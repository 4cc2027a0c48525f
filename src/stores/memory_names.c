/*
 * The ledger of call names in memory: one table by tool that owns the rows, and
 * an index by name.
 */
#include "ports/store_agents.h"
#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err of(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str style,
                      struct tc_name_row **ret_rows, size_t *ret_n)
{
    const struct tc_table *names = &tc_memory_of(self)->names;
    const struct tc_str key[] = {agent, style};
    size_t at = tc_table_find(names, key, 2), n = 0;

    while (at + n < names->n && tc_table_matches(names, names->rows[at + n], key, 2))
        n++;
    return tc_table_part(cx, names, at, n, ret_rows, ret_n);
}

static enum tc_err add_one(struct tc_cx *cx, struct tc_memory *memory, const struct tc_name_row *row)
{
    void *copy;

    if (!tc_table_get(&memory->agents, &row->agent))
        return tc_fault_not_found(cx, "agent", row->agent);
    if (tc_table_same(&memory->names, row) || tc_table_same(&memory->names_index, row))
        return tc_fault_name_taken(cx, row->name, row->tool_id);
    copy = tc_rows_dup(&tc_rows_name, row);
    if (!copy)
        return tc_fail_memory(cx);
    tc_table_put(&memory->names, copy);
    tc_table_put(&memory->names_index, copy);
    return TC_OK;
}

static void take_back(struct tc_memory *memory, const struct tc_name_row *row)
{
    const struct tc_str by_name[] = {row->agent, row->style, row->name};
    const struct tc_str by_tool[] = {row->agent, row->style, row->tool_id};

    tc_table_remove(&memory->names_index, tc_table_find(&memory->names_index, by_name, 3), 1);
    tc_table_remove(&memory->names, tc_table_find(&memory->names, by_tool, 3), 1);
}

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_name_row *rows, size_t n, int64_t now)
{
    struct tc_memory *memory = tc_memory_of(self);
    enum tc_err err = TC_OK;
    size_t added = 0;

    (void)now;
    if (!tc_table_reserve(&memory->names, n) || !tc_table_reserve(&memory->names_index, n))
        return tc_fail_memory(cx);
    while (added < n && !(err = add_one(cx, memory, &rows[added])))
        added++;
    while (err && added > 0)
        take_back(memory, &rows[--added]);
    return err;
}

const struct tc_store_names_ops tc_memory_names = {
    .of = of,
    .add = add,
};
