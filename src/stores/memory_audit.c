/*
 * The audit in memory.
 */
#include "ports/store_audit.h"

#include <stdlib.h>

#include "base/mem.h"
#include "ports/store_tools.h"
#include "stores/audit_sum.h"
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

static bool is_of_tool(const struct tc_memory *memory, const struct tc_audit_row *row,
                       const struct tc_store_audit_filter *filter)
{
    const struct tc_tool_row *tool;
    struct tc_str id = row->tool_id;

    if (!tc_memory_is_or_any(id, filter->tool_id))
        return false;
    if (filter->server.n &&
        !(tc_str_starts(id, TC_STR("mcp/")) && tc_str_starts(tc_str_from(id, 4), filter->server) &&
          id.n > 4 + filter->server.n && id.p[4 + filter->server.n] == ':'))
        return false;
    if (!filter->toolset.n)
        return true;
    tool = tc_table_get(&memory->tools, &id);
    return tool && tc_str_eq(tool->toolset, filter->toolset);
}

static bool passes(const struct tc_memory *memory, const struct tc_audit_row *row, struct tc_str search,
                   const struct tc_store_audit_filter *filter)
{
    if (!tc_memory_is_or_any(row->agent, filter->agent) || !tc_memory_is_or_any(row->state, filter->state) ||
        !tc_memory_is_or_any(row->surface, filter->surface) ||
        !tc_memory_is_or_any(row->principal_id, filter->principal_id) || !tc_memory_is_or_any(row->run, filter->run) ||
        !tc_memory_is_or_any(row->call_id, filter->call_id) || !is_of_tool(memory, row, filter))
        return false;
    if (!tc_str_starts(row->error_code, filter->error_code) ||
        (filter->is_error >= 0 && row->is_error != (filter->is_error != 0)) ||
        (filter->outcome && tc_store_audit_outcome(row) != filter->outcome) ||
        (filter->repaired && tc_store_audit_repaired(row) != (filter->repaired > 0)))
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
    static const char *const sorts[] = {"at", "id"};
    const struct tc_memory *memory = tc_memory_of(self);
    const struct tc_table *audit = &memory->audit;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, sizeof sorts / sizeof *sorts, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, audit->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < audit->n; i++)
        if (passes(memory, audit->rows[i], page->search, filter))
            rows[n++] = audit->rows[i];
    if (sort == 0) /* they are in order of their ids */
        qsort(rows, n, sizeof *rows, by_time);
    err = tc_memory_page(cx, &tc_rows_audit, rows, n, page, ret_rows, ret_n);
    if (!err)
        *ret_total = page->uncounted ? -1 : (int64_t)n;
    return err;
}

static struct tc_str key_of(const struct tc_audit_row *row, enum tc_audit_by by)
{
    switch (by) {
    case TC_AUDIT_BY_TOOL:
    case TC_AUDIT_BY_SERVER:
        return row->tool_id;
    case TC_AUDIT_BY_AGENT:
        return row->agent;
    case TC_AUDIT_BY_SURFACE:
        return row->surface;
    case TC_AUDIT_BY_NONE:
        break;
    }
    return TC_STR("");
}

static enum tc_err sum_one(struct tc_cx *cx, const struct tc_memory *memory, const struct tc_audit_sums_query *query,
                           struct tc_audit_sums *ret)
{
    const struct tc_table *audit = &memory->audit;
    struct tc_audit_sum sum;
    enum tc_err err = TC_OK;

    tc_audit_sum_init(&sum, cx, query);
    for (size_t i = 0; i < audit->n && !err; i++) {
        const struct tc_audit_row *row = audit->rows[i];

        if (passes(memory, row, query->search, query->filter))
            err = tc_audit_sum_add(&sum, &(struct tc_audit_call){row->at, row->exec_us, tc_store_audit_outcome(row),
                                                                 tc_store_audit_repaired(row), key_of(row, query->by)});
    }
    if (!err)
        err = tc_audit_sum_end(&sum, ret);
    tc_audit_sum_finish(&sum);
    return err;
}

static enum tc_err sums(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_sums_query *query,
                        struct tc_audit_sums *ret_sums)
{
    struct tc_store_audit_filter before;
    struct tc_audit_sums_query past;
    struct tc_audit_sums now, previous;
    enum tc_err err = tc_audit_sum_check(cx, query);

    if (err)
        return err;
    before = tc_audit_sum_before(query->filter);
    past = (struct tc_audit_sums_query){.filter = &before, .search = query->search};
    err = sum_one(cx, tc_memory_of(self), query, &now);
    if (!err)
        err = sum_one(cx, tc_memory_of(self), &past, &previous);
    if (err)
        return err;
    *ret_sums = now;
    ret_sums->previous = previous.totals;
    return TC_OK;
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
    .sums = sums,
    .close_open = close_open,
    .prune = prune,
};
