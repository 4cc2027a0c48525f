/*
 * Raw results, which come in with their audit row, and snapshots under their hash,
 * in memory.
 */
#include "ports/store_agents.h"
#include "ports/store_audit.h"
#include "ports/store_runs.h"
#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_result_row *ret_row)
{
    const struct tc_table *results = &tc_memory_of(self)->results;
    const void *row = tc_table_get(results, &id);

    return row ? tc_memory_get(cx, results, row, ret_row) : tc_fault_not_found(cx, "result", id);
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    struct tc_table *results = &tc_memory_of(self)->results;
    size_t kept = 0, n = results->n;

    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_result_row *row = results->rows[i];

        if (row->at < before)
            tc_table_drop(&results->rows[i], 1);
        else
            results->rows[kept++] = row;
    }
    results->n = kept;
    *ret_n = (int64_t)(n - kept);
    return TC_OK;
}

static enum tc_err put_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str hash, struct tc_str json,
                                int64_t now)
{
    struct tc_table *snapshots = &tc_memory_of(self)->snapshots;
    struct tc_document_row row = {hash, json, 1, now, now}, *stored = tc_table_get(snapshots, &hash);

    if (!stored)
        return tc_memory_put(cx, snapshots, &row);
    if (stored->updated_at < now)
        stored->updated_at = now;
    return TC_OK;
}

static enum tc_err get_snapshot(struct tc_cx *cx, struct tc_store *self, struct tc_str hash, struct tc_str *ret_json)
{
    const struct tc_document_row *row = tc_table_get(&tc_memory_of(self)->snapshots, &hash);
    struct tc_str json;

    if (!row)
        return tc_fault_not_found(cx, "snapshot", hash);
    json = tc_arena_dup(cx->arena, row->json);
    if (!json.p)
        return tc_fail_memory(cx);
    *ret_json = json;
    return TC_OK;
}

static bool is_named(const struct tc_memory *memory, struct tc_str hash)
{
    for (size_t i = 0; i < memory->audit.n; i++)
        if (tc_str_eq(((const struct tc_audit_row *)memory->audit.rows[i])->snapshot, hash))
            return true;
    for (size_t i = 0; i < memory->runs.n; i++) {
        const struct tc_run_row *run = memory->runs.rows[i];

        if (tc_str_eq(run->snapshot, hash) || tc_str_eq(run->frame, hash))
            return true;
    }
    return false;
}

static enum tc_err prune_snapshots(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    struct tc_memory *memory = tc_memory_of(self);
    struct tc_table *snapshots = &memory->snapshots;
    size_t kept = 0, n = snapshots->n;

    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_document_row *row = snapshots->rows[i];

        if (row->updated_at < before && !is_named(memory, row->id))
            tc_table_drop(&snapshots->rows[i], 1);
        else
            snapshots->rows[kept++] = row;
    }
    snapshots->n = kept;
    *ret_n = (int64_t)(n - kept);
    return TC_OK;
}

const struct tc_store_results_ops tc_memory_results = {
    .get = get,
    .prune = prune,
    .put_snapshot = put_snapshot,
    .get_snapshot = get_snapshot,
    .prune_snapshots = prune_snapshots,
};
