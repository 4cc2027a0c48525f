/*
 * Changes and settings in memory.
 */
#include "ports/store_changes.h"

#include <stdlib.h>

#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_change_row *row)
{
    struct tc_table *changes = &tc_memory_of(self)->changes;

    if (tc_table_get(changes, &row->id))
        return tc_fault_exists(cx, "change", row->id);
    return tc_memory_put(cx, changes, row);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_change_row *ret_row)
{
    const struct tc_table *changes = &tc_memory_of(self)->changes;
    const void *row = tc_table_get(changes, &id);

    return row ? tc_memory_get(cx, changes, row, ret_row) : tc_fault_not_found(cx, "change", id);
}

static bool passes(const struct tc_change_row *row, struct tc_str search, const struct tc_store_changes_filter *filter)
{
    if (!tc_memory_is_or_any(row->resource, filter->resource) || !tc_memory_is_or_any(row->object, filter->object) ||
        !tc_memory_is_or_any(row->principal_id, filter->principal_id) ||
        !tc_memory_is_or_any(row->action, filter->action) || tc_str_eq(row->resource, filter->without[0]) ||
        tc_str_eq(row->resource, filter->without[1]))
        return false;
    if ((filter->from && row->at < filter->from) || (filter->to && row->at >= filter->to))
        return false;
    return tc_memory_search(row->resource, search) || tc_memory_search(row->object, search) ||
           tc_memory_search(row->action, search) || tc_memory_search(row->principal_id, search);
}

static int compare(const struct tc_change_row *x, const struct tc_change_row *y)
{
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return tc_str_cmp(x->id, y->id);
}

static int by_time(const void *a, const void *b)
{
    return compare(*(struct tc_change_row *const *)a, *(struct tc_change_row *const *)b);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_store_changes_filter *filter, struct tc_change_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"at"};
    const struct tc_table *changes = &tc_memory_of(self)->changes;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, 1, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, changes->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < changes->n; i++)
        if (passes(changes->rows[i], page->search, filter))
            rows[n++] = changes->rows[i];
    qsort(rows, n, sizeof *rows, by_time);
    err = tc_memory_page(cx, &tc_rows_change, rows, n, page, ret_rows, ret_n);
    if (err)
        return err;
    for (size_t i = 0; i < *ret_n; i++)
        (*ret_rows)[i].before = (*ret_rows)[i].after = TC_STR("");
    *ret_total = (int64_t)n;
    return TC_OK;
}

static const struct tc_change_row *last_of(const struct tc_table *changes, struct tc_str resource, struct tc_str object)
{
    const struct tc_change_row *last = NULL;

    for (size_t i = 0; i < changes->n; i++) {
        const struct tc_change_row *row = changes->rows[i];

        if (tc_str_eq(row->object, object) && tc_str_eq(row->resource, resource) && (!last || compare(row, last) > 0))
            last = row;
    }
    return last;
}

static enum tc_err latest(struct tc_cx *cx, struct tc_store *self, struct tc_str resource,
                          const struct tc_str *objects, size_t n, struct tc_change_row **ret_rows)
{
    const struct tc_table *changes = &tc_memory_of(self)->changes;
    struct tc_change_row *rows = tc_arena_zalloc(cx->arena, n + 1, sizeof *rows);

    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++) {
        const struct tc_change_row *row = last_of(changes, resource, objects[i]);
        struct tc_change_row bare;

        rows[i].id = TC_STR("");
        if (!row)
            continue;
        bare = *row;
        bare.before = bare.after = TC_STR("");
        if (!tc_rows_copy(cx->arena, &tc_rows_change, &bare, &rows[i]))
            return tc_fail_memory(cx);
    }
    *ret_rows = rows;
    return TC_OK;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    struct tc_table *changes = &tc_memory_of(self)->changes;
    size_t kept = 0, n = changes->n;

    (void)cx;
    for (size_t i = 0; i < n; i++) {
        struct tc_change_row *row = changes->rows[i];

        if (row->at < before)
            tc_table_drop(&changes->rows[i], 1);
        else
            changes->rows[kept++] = row;
    }
    changes->n = kept;
    *ret_n = (int64_t)(n - kept);
    return TC_OK;
}

const struct tc_store_changes_ops tc_memory_changes = {
    .add = add,
    .get = get,
    .page = page,
    .latest = latest,
    .prune = prune,
};

/* --- settings --- */

static enum tc_err all_settings(struct tc_cx *cx, struct tc_store *self, struct tc_setting_row **ret_rows,
                                size_t *ret_n)
{
    return tc_memory_all(cx, &tc_memory_of(self)->settings, ret_rows, ret_n);
}

static enum tc_err put_setting(struct tc_cx *cx, struct tc_store *self, const struct tc_setting_row *row)
{
    struct tc_table *settings = &tc_memory_of(self)->settings;
    const struct tc_setting_row *stored = tc_table_get(settings, &row->id);
    struct tc_setting_row next = *row;

    if ((stored ? stored->version : 0) != row->version)
        return tc_fault_version(cx, "setting", row->id, stored ? stored->version : 0, row->version);
    next.version++;
    return tc_memory_put(cx, settings, &next);
}

const struct tc_store_settings_ops tc_memory_settings = {
    .all = all_settings,
    .put = put_setting,
};
