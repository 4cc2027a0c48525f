/*
 * What the rows of the store ports are made of, as data: one const table of
 * columns a row type. Both implementations copy, bind and read rows by these
 * tables, so a new column is one line here beside its SQL.
 */
#ifndef TC_STORES_ROWS_H
#define TC_STORES_ROWS_H

#include "toolcrib/cx.h"

enum tc_column_type {
    TC_COLUMN_TEXT,     /* struct tc_str; p NULL counts as empty */
    TC_COLUMN_OPTIONAL, /* struct tc_str; p NULL is kept as NULL */
    TC_COLUMN_BLOB,     /* struct tc_str of bytes */
    TC_COLUMN_INT,      /* int64_t */
    TC_COLUMN_BOOL      /* bool */
};

struct tc_column {
    enum tc_column_type type;
    size_t offset; /* in the row's struct */
};

struct tc_row_type {
    size_t size; /* of the struct */
    size_t n;
    const struct tc_column *columns; /* in the order of the struct's members */
};

extern const struct tc_row_type tc_rows_tool, tc_rows_document, tc_rows_name, tc_rows_server, tc_rows_definition,
    tc_rows_token, tc_rows_secret, tc_rows_grant, tc_rows_grant_client, tc_rows_audit, tc_rows_result,
    tc_rows_approval, tc_rows_channel, tc_rows_tape, tc_rows_tape_entry, tc_rows_run, tc_rows_run_event,
    tc_rows_change, tc_rows_setting;
/* What finishing a row of the audit sets, and at the end the id of the row. */
extern const struct tc_row_type tc_rows_audit_end;
/* What an update of a run sets, and at the end its id. */
extern const struct tc_row_type tc_rows_run_update;

/* A copy with its texts in one piece of heap memory, for tc_mem_free; NULL
 * without memory. */
void *tc_rows_dup(const struct tc_row_type *type, const void *row);
/* Copies *row to *ret_row with its texts in the arena; false without memory. */
bool tc_rows_copy(struct tc_arena *arena, const struct tc_row_type *type, const void *row, void *ret_row);
/* Sets the columns of the type in *row to those of *from; texts are borrowed. */
void tc_rows_set(const struct tc_row_type *type, void *row, const void *from);
/* Of its texts. */
size_t tc_rows_bytes(const struct tc_row_type *type, const void *row);
/* Same values in every column; an optional NULL differs from an empty text. */
bool tc_rows_equal(const struct tc_row_type *type, const void *a, const void *b);

static inline struct tc_str *tc_rows_text(const struct tc_column *column, const void *row)
{
    return (struct tc_str *)((char *)row + column->offset);
}

static inline bool tc_rows_is_text(const struct tc_column *column)
{
    return column->type <= TC_COLUMN_BLOB;
}

#endif
