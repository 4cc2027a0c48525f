/*
 * Tools in memory.
 */
#include "ports/store_tools.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_tool_row **ret_rows, size_t *ret_n)
{
    return tc_memory_all(cx, &tc_memory_of(self)->tools, ret_rows, ret_n);
}

static const struct tc_tool_row *row_at(const void *at)
{
    return *(struct tc_tool_row *const *)at;
}

static int by_name(const void *a, const void *b)
{
    return tc_str_cmp(row_at(a)->name, row_at(b)->name);
}

static int by_label(const void *a, const void *b)
{
    int order = tc_str_cmp(row_at(a)->label, row_at(b)->label);

    return order ? order : by_name(a, b);
}

static int by_toolset(const void *a, const void *b)
{
    int order = tc_str_cmp(row_at(a)->toolset, row_at(b)->toolset);

    return order ? order : by_name(a, b);
}

static int by_number(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_sort(const void *a, const void *b)
{
    int order = by_number(row_at(a)->sort, row_at(b)->sort);

    return order ? order : by_name(a, b);
}

static int by_updated_at(const void *a, const void *b)
{
    int order = by_number(row_at(a)->updated_at, row_at(b)->updated_at);

    return order ? order : by_name(a, b);
}

static bool passes(const struct tc_tool_row *row, const struct tc_store_page *page,
                   const struct tc_store_tools_filter *filter)
{
    if (filter->toolset.n && !tc_str_eq(row->toolset, filter->toolset))
        return false;
    if (filter->capability.n && !tc_str_eq(row->capability, filter->capability))
        return false;
    if ((filter->status >= 0 && row->status != (filter->status != 0)) ||
        (filter->detached >= 0 && row->detached != (filter->detached != 0)))
        return false;
    return tc_memory_search(row->name, page->search) || tc_memory_search(row->label, page->search) ||
           tc_memory_search(row->description, page->search);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_tools_filter *filter, struct tc_tool_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"sort", "name", "label", "toolset", "updatedAt"};
    static int (*const orders[])(const void *, const void *) = {by_sort, by_name, by_label, by_toolset, by_updated_at};
    const struct tc_table *tools = &tc_memory_of(self)->tools;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, sizeof sorts / sizeof *sorts, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, tools->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < tools->n; i++)
        if (passes(tools->rows[i], page, filter))
            rows[n++] = tools->rows[i];
    qsort(rows, n, sizeof *rows, orders[sort]);
    err = tc_memory_page(cx, &tc_rows_tool, rows, n, page, ret_rows, ret_n);
    if (!err)
        *ret_total = (int64_t)n;
    return err;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_tool_row *ret_row)
{
    const struct tc_table *tools = &tc_memory_of(self)->tools;
    const void *row = tc_table_get(tools, &name);

    return row ? tc_memory_get(cx, tools, row, ret_row) : tc_fault_not_found(cx, "tool", name);
}

static bool same_semantics(const struct tc_tool_row *a, const struct tc_tool_row *b)
{
    return !a->detached && tc_str_eq(a->toolset, b->toolset) && tc_str_eq(a->visibility, b->visibility) &&
           tc_str_eq(a->capability, b->capability) && a->is_core == b->is_core && a->can_disable == b->can_disable &&
           a->supports_prompt_hint == b->supports_prompt_hint;
}

/* The row as it will stand, without an id when it is new; NULL without memory. */
static struct tc_tool_row *mirrored(const struct tc_tool_row *stored, const struct tc_tool_row *row, int64_t now)
{
    struct tc_tool_row next = stored ? *stored : *row;

    next.toolset = row->toolset;
    next.visibility = row->visibility;
    next.capability = row->capability;
    next.is_core = row->is_core;
    next.can_disable = row->can_disable;
    next.supports_prompt_hint = row->supports_prompt_hint;
    next.detached = false;
    next.updated_at = now;
    if (!stored) {
        next.id = 0;
        next.version = 1;
        next.created_at = now;
        next.deleted_at = 0;
    }
    return tc_rows_dup(&tc_rows_tool, &next);
}

/* Makes the rows that differ from what is stored. False without memory. */
static bool prepare(const struct tc_memory *memory, const struct tc_tool_row *rows, size_t n, int64_t now,
                    void **next)
{
    for (size_t i = 0; i < n; i++) {
        const struct tc_tool_row *stored = tc_table_get(&memory->tools, &rows[i].name);

        if (stored && same_semantics(stored, &rows[i]))
            continue;
        next[i] = mirrored(stored, &rows[i], now);
        if (!next[i])
            return false;
    }
    return true;
}

static enum tc_err mirror(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *rows, size_t n,
                          int64_t now)
{
    struct tc_memory *memory = tc_memory_of(self);
    void **next = TC_ARENA_NEW_N(cx->arena, void *, n);

    if (!next)
        return tc_fail_memory(cx);
    if (!tc_table_reserve(&memory->tools, n) || !prepare(memory, rows, n, now, next)) {
        tc_table_drop(next, n);
        return tc_fail_memory(cx);
    }
    for (size_t i = 0; i < n; i++) {
        struct tc_tool_row *row = next[i];

        if (!row)
            continue;
        if (row->id == 0)
            row->id = ++memory->last_tool;
        tc_table_put(&memory->tools, row);
    }
    return TC_OK;
}

static enum tc_err detach(struct tc_cx *cx, struct tc_store *self, const struct tc_str *names, size_t n, int64_t now)
{
    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_tool_row *row = tc_table_get(&tc_memory_of(self)->tools, &names[i]);

        if (row && !row->detached) {
            row->detached = true;
            row->updated_at = now;
        }
    }
    return TC_OK;
}

static enum tc_err update(struct tc_cx *cx, struct tc_store *self, const struct tc_tool_row *row, unsigned set,
                          int64_t now)
{
    struct tc_table *tools = &tc_memory_of(self)->tools;
    const struct tc_tool_row *stored = tc_table_get(tools, &row->name);
    struct tc_tool_row next;

    if (!stored)
        return tc_fault_not_found(cx, "tool", row->name);
    if (row->version != 0 && row->version != stored->version)
        return tc_fault_version(cx, "tool", row->name, stored->version, row->version);
    next = *stored;
    if (set & TC_TOOL_SET_LABEL)
        next.label = row->label;
    if (set & TC_TOOL_SET_DESCRIPTION)
        next.description = row->description;
    if (set & TC_TOOL_SET_STATUS)
        next.status = row->status;
    if (set & TC_TOOL_SET_PROMPT_HINT)
        next.prompt_hint = row->prompt_hint;
    if (set & TC_TOOL_SET_SORT)
        next.sort = row->sort;
    if (set & TC_TOOL_SET_EXTRA)
        next.extra = row->extra;
    next.version++;
    next.updated_at = now;
    return tc_memory_put(cx, tools, &next);
}

const struct tc_store_tools_ops tc_memory_tools = {
    .all = all,
    .page = page,
    .get = get,
    .mirror = mirror,
    .detach = detach,
    .update = update,
};
