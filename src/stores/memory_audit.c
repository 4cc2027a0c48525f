/*
 * The audit in memory.
 */
#include "ports/store_audit.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stores/fault.h"
#include "stores/memory_private.h"

/* Puts the row in, and the result beside it unless that is NULL: both or none. */
static enum tc_err put_both(struct tc_cx *cx, struct tc_memory *memory, const struct tc_audit_row *row,
                            const struct tc_result_row *result)
{
    void *copy = NULL;
    enum tc_err err;

    if (result && tc_table_get(&memory->results, &result->id))
        return tc_fault_exists(cx, "result", result->id);
    if (result && (!tc_table_reserve(&memory->results, 1) || !(copy = tc_rows_dup(&tc_rows_result, result))))
        return tc_fail_memory(cx);
    err = tc_memory_put(cx, &memory->audit, row);
    if (err)
        tc_mem_free(copy);
    else if (copy)
        tc_table_put(&memory->results, copy);
    return err;
}

static enum tc_err add_done(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                            const struct tc_result_row *result)
{
    struct tc_memory *memory = tc_memory_of(self);

    if (tc_table_get(&memory->audit, &row->id))
        return tc_fault_exists(cx, "audit row", row->id);
    return put_both(cx, memory, row, result);
}

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row)
{
    return add_done(cx, self, row, NULL);
}

static enum tc_err finish(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                          const struct tc_result_row *result)
{
    struct tc_memory *memory = tc_memory_of(self);
    const struct tc_audit_row *stored = tc_table_get(&memory->audit, &row->id);
    struct tc_audit_row next;

    if (!stored)
        return tc_fault_not_found(cx, "audit row", row->id);
    next = *stored;
    next.state = row->state;
    next.gate = row->gate;
    next.arguments = row->arguments;
    next.schema = row->schema;
    next.permission = row->permission;
    next.approval = row->approval;
    next.wait_us = row->wait_us;
    next.exec_us = row->exec_us;
    next.total_us = row->total_us;
    next.result_id = row->result_id;
    next.is_error = row->is_error;
    next.error_code = row->error_code;
    next.result_bytes = row->result_bytes;
    next.effect = row->effect;
    return put_both(cx, memory, &next, result);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_audit_row *ret_row)
{
    const struct tc_table *audit = &tc_memory_of(self)->audit;
    const void *row = tc_table_get(audit, &id);

    return row ? tc_memory_get(cx, audit, row, ret_row) : tc_fault_not_found(cx, "audit row", id);
}

static bool passes(const struct tc_audit_row *row, struct tc_str search, const struct tc_store_audit_filter *filter)
{
    if (!tc_memory_is_or_any(row->agent, filter->agent) || !tc_memory_is_or_any(row->tool_id, filter->tool_id) ||
        !tc_memory_is_or_any(row->state, filter->state) || !tc_memory_is_or_any(row->surface, filter->surface) ||
        !tc_memory_is_or_any(row->principal_id, filter->principal_id) ||
        !tc_memory_is_or_any(row->error_code, filter->error_code) || !tc_memory_is_or_any(row->run, filter->run) ||
        !tc_memory_is_or_any(row->call_id, filter->call_id))
        return false;
    if (filter->is_error >= 0 && row->is_error != (filter->is_error != 0))
        return false;
    if ((filter->from && row->at < filter->from) || (filter->to && row->at >= filter->to))
        return false;
    if (filter->after.n && tc_str_cmp(row->id, filter->after) <= 0)
        return false;
    return tc_memory_search(row->tool_id, search) || tc_memory_search(row->call_name, search) ||
           tc_memory_search(row->agent, search) || tc_memory_search(row->call_id, search);
}

static int by_time(const void *a, const void *b)
{
    const struct tc_audit_row *x = *(struct tc_audit_row *const *)a, *y = *(struct tc_audit_row *const *)b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return tc_str_cmp(x->id, y->id);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_audit_filter *filter, struct tc_audit_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"at"};
    const struct tc_table *audit = &tc_memory_of(self)->audit;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, 1, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, audit->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < audit->n; i++)
        if (passes(audit->rows[i], page->search, filter))
            rows[n++] = audit->rows[i];
    qsort(rows, n, sizeof *rows, by_time);
    err = tc_memory_page(cx, &tc_rows_audit, rows, n, page, ret_rows, ret_n);
    if (!err)
        *ret_total = (int64_t)n;
    return err;
}

static enum tc_err close_open(struct tc_cx *cx, struct tc_store *self, int64_t *ret_n)
{
    struct tc_table *audit = &tc_memory_of(self)->audit;
    int64_t n = 0;

    (void)cx;
    for (size_t i = 0; i < audit->n; i++) {
        struct tc_audit_row *row = audit->rows[i];

        if (tc_str_is(row->state, "intent")) {
            row->state = TC_STR("unknown");
            n++;
        }
    }
    *ret_n = n;
    return TC_OK;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    struct tc_table *audit = &tc_memory_of(self)->audit;
    size_t kept = 0, n = audit->n;

    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_audit_row *row = audit->rows[i];

        if (row->at < before)
            tc_table_drop(&audit->rows[i], 1);
        else
            audit->rows[kept++] = row;
    }
    audit->n = kept;
    *ret_n = (int64_t)(n - kept);
    return TC_OK;
}

const struct tc_store_audit_ops tc_memory_audit = {
    .add = add,
    .add_done = add_done,
    .finish = finish,
    .get = get,
    .page = page,
    .close_open = close_open,
    .prune = prune,
};
