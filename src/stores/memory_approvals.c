/*
 * Approvals in memory.
 */
#include "ports/store_approvals.h"

#include <stdlib.h>

#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row)
{
    struct tc_table *approvals = &tc_memory_of(self)->approvals;

    if (tc_table_get(approvals, &row->id))
        return tc_fault_exists(cx, "approval", row->id);
    return tc_memory_put(cx, approvals, row);
}

static enum tc_err settle(struct tc_cx *cx, struct tc_store *self, const struct tc_approval_row *row)
{
    struct tc_table *approvals = &tc_memory_of(self)->approvals;
    const struct tc_approval_row *stored = tc_table_get(approvals, &row->id);
    struct tc_approval_row next;

    if (!stored)
        return tc_fault_not_found(cx, "approval", row->id);
    if (!tc_str_is(stored->state, "waiting"))
        return tc_fault_settled(cx, stored->id);
    next = *stored;
    next.state = row->state;
    next.choice = row->choice;
    next.comment = row->comment;
    next.channel = row->channel;
    next.by_kind = row->by_kind;
    next.by_id = row->by_id;
    next.answered_at = row->answered_at;
    return tc_memory_put(cx, approvals, &next);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_approval_row *ret_row)
{
    const struct tc_table *approvals = &tc_memory_of(self)->approvals;
    const void *row = tc_table_get(approvals, &id);

    return row ? tc_memory_get(cx, approvals, row, ret_row) : tc_fault_not_found(cx, "approval", id);
}

static bool passes(const struct tc_approval_row *row, struct tc_str search,
                   const struct tc_store_approvals_filter *filter)
{
    if (!tc_memory_is_or_any(row->state, filter->state) || !tc_memory_is_or_any(row->agent, filter->agent) ||
        !tc_memory_is_or_any(row->tool_id, filter->tool_id) || !tc_memory_is_or_any(row->call_id, filter->call_id))
        return false;
    return tc_memory_search(row->tool_id, search) || tc_memory_search(row->call_name, search) ||
           tc_memory_search(row->agent, search) || tc_memory_search(row->call_id, search);
}

static int by_time(const void *a, const void *b)
{
    const struct tc_approval_row *x = *(struct tc_approval_row *const *)a, *y = *(struct tc_approval_row *const *)b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return tc_str_cmp(x->id, y->id);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_approvals_filter *filter, struct tc_approval_row **ret_rows,
                        size_t *ret_n, int64_t *ret_total)
{
    static const char *const sorts[] = {"at"};
    const struct tc_table *approvals = &tc_memory_of(self)->approvals;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, 1, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, approvals->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < approvals->n; i++)
        if (passes(approvals->rows[i], page->search, filter))
            rows[n++] = approvals->rows[i];
    qsort(rows, n, sizeof *rows, by_time);
    err = tc_memory_page(cx, &tc_rows_approval, rows, n, page, ret_rows, ret_n);
    if (!err)
        *ret_total = (int64_t)n;
    return err;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    struct tc_table *approvals = &tc_memory_of(self)->approvals;
    size_t kept = 0, n = approvals->n;

    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_approval_row *row = approvals->rows[i];

        if (row->at < before && !tc_str_is(row->state, "waiting"))
            tc_table_drop(&approvals->rows[i], 1);
        else
            approvals->rows[kept++] = row;
    }
    approvals->n = kept;
    *ret_n = (int64_t)(n - kept);
    return TC_OK;
}

const struct tc_store_approvals_ops tc_memory_approvals = {
    .add = add,
    .settle = settle,
    .get = get,
    .page = page,
    .prune = prune,
};
