/*
 * Sealed secrets in memory.
 */
#include "ports/store_tokens.h"
#include "stores/fault.h"
#include "stores/memory_private.h"

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_secret_row **ret_rows, size_t *ret_n)
{
    struct tc_secret_row *rows;
    size_t n;
    enum tc_err err = tc_memory_all(cx, &tc_memory_of(self)->secrets, &rows, &n);

    if (err)
        return err;
    for (size_t i = 0; i < n; i++)
        rows[i].sealed = TC_STR("");
    *ret_rows = rows;
    *ret_n = n;
    return TC_OK;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str name, struct tc_secret_row *ret_row)
{
    const struct tc_table *secrets = &tc_memory_of(self)->secrets;
    const void *row = tc_table_get(secrets, &name);

    return row ? tc_memory_get(cx, secrets, row, ret_row) : tc_fault_not_found(cx, "secret", name);
}

static enum tc_err put(struct tc_cx *cx, struct tc_store *self, const struct tc_secret_row *row, int64_t now)
{
    struct tc_table *secrets = &tc_memory_of(self)->secrets;
    const struct tc_secret_row *stored = tc_table_get(secrets, &row->name);
    struct tc_secret_row next = *row;

    next.created_at = stored ? stored->created_at : now;
    next.updated_at = now;
    return tc_memory_put(cx, secrets, &next);
}

static enum tc_err remove_secret(struct tc_cx *cx, struct tc_store *self, struct tc_str name)
{
    struct tc_table *secrets = &tc_memory_of(self)->secrets;

    if (!tc_table_get(secrets, &name))
        return tc_fault_not_found(cx, "secret", name);
    tc_table_remove(secrets, tc_table_find(secrets, &name, 1), 1);
    return TC_OK;
}

const struct tc_store_secrets_ops tc_memory_secrets = {
    .all = all,
    .get = get,
    .put = put,
    .remove = remove_secret,
};
