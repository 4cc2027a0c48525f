/*
 * A byte for the kind, a byte for whether a result follows, then the columns in the
 * order of their tables: texts with their length in front, numbers in eight bytes.
 */
#include "stores/record.h"

#include "stores/rows.h"

static size_t row_size(const struct tc_row_type *type, const void *row)
{
    size_t size = 0;

    for (size_t i = 0; i < type->n; i++)
        size += tc_rows_is_text(&type->columns[i]) ? sizeof(uint32_t) + tc_rows_text(&type->columns[i], row)->n
                                                   : sizeof(int64_t);
    return size;
}

static char *put(char *to, const void *p, size_t n)
{
    return n ? (char *)memcpy(to, p, n) + n : to;
}

static char *put_row(char *to, const struct tc_row_type *type, const void *row)
{
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        const void *value = (const char *)row + column->offset;

        if (tc_rows_is_text(column)) {
            const struct tc_str *text = value;
            uint32_t n = (uint32_t)text->n;

            to = put(put(to, &n, sizeof n), text->p, text->n);
        } else {
            int64_t number = column->type == TC_COLUMN_BOOL ? *(const bool *)value : *(const int64_t *)value;

            to = put(to, &number, sizeof number);
        }
    }
    return to;
}

static const struct tc_row_type *type_of(enum tc_record_kind kind)
{
    return kind == TC_RECORD_ADD ? &tc_rows_audit : &tc_rows_audit_end;
}

void tc_record_write(struct tc_buf *to, enum tc_record_kind kind, const struct tc_audit_row *row,
                     const struct tc_result_row *result)
{
    size_t size = 2 + row_size(type_of(kind), row) + (result ? row_size(&tc_rows_result, result) : 0);
    char *at = tc_buf_reserve(to, size);

    if (!at)
        return;
    *at++ = (char)kind;
    *at++ = result ? 1 : 0;
    at = put_row(at, type_of(kind), row);
    if (result)
        put_row(at, &tc_rows_result, result);
    to->n += size;
}

static bool take(struct tc_str *text, void *to, size_t n)
{
    if (text->n < n)
        return false;
    memcpy(to, text->p, n);
    *text = tc_str_from(*text, n);
    return true;
}

static bool read_row(struct tc_str *text, const struct tc_row_type *type, void *row)
{
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        void *value = (char *)row + column->offset;
        int64_t number;
        uint32_t n;

        if (tc_rows_is_text(column)) {
            if (!take(text, &n, sizeof n) || text->n < n)
                return false;
            *(struct tc_str *)value = tc_str_n(text->p, n);
            *text = tc_str_from(*text, n);
        } else {
            if (!take(text, &number, sizeof number))
                return false;
            if (column->type == TC_COLUMN_BOOL)
                *(bool *)value = number != 0;
            else
                *(int64_t *)value = number;
        }
    }
    return true;
}

bool tc_record_read(struct tc_str text, struct tc_record *ret_record)
{
    struct tc_record record = {0};
    uint8_t kind, has_result;

    if (!take(&text, &kind, 1) || !take(&text, &has_result, 1) || has_result > 1 ||
        (kind != TC_RECORD_ADD && kind != TC_RECORD_FINISH))
        return false;
    record.kind = kind;
    record.has_result = has_result;
    if (!read_row(&text, type_of(record.kind), &record.row) ||
        (has_result && !read_row(&text, &tc_rows_result, &record.result)) || text.n)
        return false;
    *ret_record = record;
    return true;
}
