/*
 * Access tokens in memory.
 */
#include "ports/store_tokens.h"

#include <stdlib.h>

#include "stores/fault.h"
#include "stores/memory_private.h"

static int by_age(const void *a, const void *b)
{
    const struct tc_token_row *x = a, *y = b;

    if (x->created_at != y->created_at)
        return x->created_at < y->created_at ? -1 : 1;
    return tc_str_cmp(x->id, y->id);
}

static enum tc_err all(struct tc_cx *cx, struct tc_store *self, struct tc_token_row **ret_rows, size_t *ret_n)
{
    struct tc_token_row *rows;
    size_t n;
    enum tc_err err = tc_memory_all(cx, &tc_memory_of(self)->tokens, &rows, &n);

    if (err)
        return err;
    qsort(rows, n, sizeof *rows, by_age);
    *ret_rows = rows;
    *ret_n = n;
    return TC_OK;
}

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_token_row *row)
{
    struct tc_table *tokens = &tc_memory_of(self)->tokens;

    for (size_t i = 0; i < tokens->n; i++) {
        const struct tc_token_row *other = tokens->rows[i];

        if (tc_str_eq(other->id, row->id) || tc_str_eq(other->hash, row->hash))
            return tc_fault_exists(cx, "token", row->id);
    }
    return tc_memory_put(cx, tokens, row);
}

static enum tc_err label(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str text)
{
    struct tc_table *tokens = &tc_memory_of(self)->tokens;
    const struct tc_token_row *stored = tc_table_get(tokens, &id);
    struct tc_token_row next;

    if (!stored)
        return tc_fault_not_found(cx, "token", id);
    next = *stored;
    next.label = text;
    return tc_memory_put(cx, tokens, &next);
}

static enum tc_err revoke(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now)
{
    struct tc_token_row *row = tc_table_get(&tc_memory_of(self)->tokens, &id);

    if (!row)
        return tc_fault_not_found(cx, "token", id);
    if (row->revoked_at == 0)
        row->revoked_at = now;
    return TC_OK;
}

static enum tc_err touch(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t now)
{
    struct tc_token_row *row = tc_table_get(&tc_memory_of(self)->tokens, &id);

    if (!row)
        return tc_fault_not_found(cx, "token", id);
    if (row->used_at < now)
        row->used_at = now;
    return TC_OK;
}

const struct tc_store_tokens_ops tc_memory_tokens = {
    .all = all,
    .create = create,
    .label = label,
    .revoke = revoke,
    .touch = touch,
};
