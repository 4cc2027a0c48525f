/*
 * Agents and composite toolsets in memory: documents with a version.
 */
#include "ports/store_agents.h"

#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err create(struct tc_cx *cx, struct tc_table *table, const char *what,
                          const struct tc_document_row *row)
{
    if (tc_table_get(table, &row->id))
        return tc_fault_exists(cx, what, row->id);
    return tc_memory_put(cx, table, row);
}

static enum tc_err update(struct tc_cx *cx, struct tc_table *table, const char *what,
                          const struct tc_document_row *row)
{
    const struct tc_document_row *stored = tc_table_get(table, &row->id);
    struct tc_document_row next = *row;

    if (!stored)
        return tc_fault_not_found(cx, what, row->id);
    if (row->version != 0 && row->version != stored->version)
        return tc_fault_version(cx, what, row->id, stored->version, row->version);
    next.version = stored->version + 1;
    next.created_at = stored->created_at;
    return tc_memory_put(cx, table, &next);
}

static enum tc_err remove_row(struct tc_cx *cx, struct tc_table *table, const char *what, struct tc_str id)
{
    if (!tc_table_get(table, &id))
        return tc_fault_not_found(cx, what, id);
    tc_table_remove(table, tc_table_find(table, &id, 1), 1);
    return TC_OK;
}

static enum tc_err agents_all(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows, size_t *ret_n)
{
    return tc_memory_all(cx, &tc_memory_of(self)->agents, ret_rows, ret_n);
}

static enum tc_err agents_create(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                 int64_t now)
{
    struct tc_document_row row = {id, json, 1, now, now};

    return create(cx, &tc_memory_of(self)->agents, "agent", &row);
}

static enum tc_err agents_update(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                 int64_t version, int64_t now)
{
    struct tc_document_row row = {id, json, version, 0, now};

    return update(cx, &tc_memory_of(self)->agents, "agent", &row);
}

static void remove_names(struct tc_table *names, struct tc_str agent)
{
    size_t at = tc_table_find(names, &agent, 1), n = 0;

    while (at + n < names->n && tc_table_matches(names, names->rows[at + n], &agent, 1))
        n++;
    tc_table_remove(names, at, n);
}

static enum tc_err agents_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    struct tc_memory *memory = tc_memory_of(self);
    enum tc_err err = remove_row(cx, &memory->agents, "agent", id);

    if (err)
        return err;
    remove_names(&memory->names_index, id);
    remove_names(&memory->names, id);
    return TC_OK;
}

const struct tc_store_agents_ops tc_memory_agents = {
    .all = agents_all,
    .create = agents_create,
    .update = agents_update,
    .remove = agents_remove,
};

static enum tc_err toolsets_all(struct tc_cx *cx, struct tc_store *self, struct tc_document_row **ret_rows,
                                size_t *ret_n)
{
    return tc_memory_all(cx, &tc_memory_of(self)->toolsets, ret_rows, ret_n);
}

static enum tc_err toolsets_create(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                   int64_t now)
{
    struct tc_document_row row = {id, json, 1, now, now};

    return create(cx, &tc_memory_of(self)->toolsets, "toolset", &row);
}

static enum tc_err toolsets_update(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str json,
                                   int64_t version, int64_t now)
{
    struct tc_document_row row = {id, json, version, 0, now};

    return update(cx, &tc_memory_of(self)->toolsets, "toolset", &row);
}

static enum tc_err toolsets_remove(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return remove_row(cx, &tc_memory_of(self)->toolsets, "toolset", id);
}

const struct tc_store_toolsets_ops tc_memory_toolsets = {
    .all = toolsets_all,
    .create = toolsets_create,
    .update = toolsets_update,
    .remove = toolsets_remove,
};
