/*
 * Filling rows and looking at outcomes.
 */
#include "contract/store_contract.h"

void store_contract_fill(struct tc_cx *cx, const struct tc_row_type *type, void *row, int seed)
{
    memset(row, 0, type->size);
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        char *value = (char *)row + column->offset;

        switch (column->type) {
        case TC_COLUMN_TEXT:
        case TC_COLUMN_OPTIONAL:
        case TC_COLUMN_BLOB:
            *(struct tc_str *)(void *)value = tc_arena_printf(cx->arena, "value %zu of row %d, 天气", i, seed);
            break;
        case TC_COLUMN_INT:
            *(int64_t *)(void *)value = 1000000007LL * (int64_t)(i + 1) + seed;
            break;
        case TC_COLUMN_BOOL:
            *(bool *)value = (i + (size_t)seed) % 2;
            break;
        }
    }
}

struct tc_audit_row store_contract_audit_row(struct tc_cx *cx, int seed)
{
    struct tc_audit_row row;

    store_contract_fill(cx, &tc_rows_audit, &row, seed);
    row.id = tc_arena_printf(cx->arena, "01JD%08d", seed);
    row.at = 1700000000000 + seed;
    row.state = TC_STR("intent");
    return row;
}

struct tc_result_row store_contract_result_row(struct tc_cx *cx, int seed)
{
    struct tc_result_row row;

    store_contract_fill(cx, &tc_rows_result, &row, seed);
    row.at = 1700000000000 + seed;
    return row;
}

void store_contract_failed(struct tc_cx *cx, enum tc_err actual, enum tc_err expected, const char *file, int line)
{
    if (actual == expected && cx->err.code == expected && cx->err.message.n &&
        cx->err.message.p[cx->err.message.n - 1] == '.')
        return;
    print_error("expected %s, got %s: \"%.*s\"\n", tc_err_info(expected)->name, tc_err_info(actual)->name,
                TC_STR_ARG(cx->err.message));
    _fail(file, line);
}

void store_contract_of_no_effect(struct tc_cx *cx, enum tc_err actual, enum tc_err expected, const char *file,
                                 int line)
{
    if (actual)
        store_contract_failed(cx, actual, expected, file, line);
}

void store_contract_done(struct tc_cx *cx, enum tc_err err, const char *file, int line)
{
    if (err == TC_OK)
        return;
    print_error("%s: \"%.*s\"\n", tc_err_info(err)->name, TC_STR_ARG(cx->err.message));
    _fail(file, line);
}
