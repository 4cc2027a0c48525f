/*
 * Running statements. Statements of static SQL are kept by the address of their
 * text in an open-addressing table of the connection; what finds no place there
 * is prepared each time.
 */
#include "stores/query.h"

#include <sqlite3.h>

static void set_failed(struct tc_query *query)
{
    if (!query->err)
        query->err = tc_db_fail(query->cx, query->db);
}

static void start(struct tc_query *query, struct tc_cx *cx, struct tc_db *db)
{
    *query = (struct tc_query){.cx = cx, .db = db};
}

/* The statement's place, or a free one; NULL when the table is full. */
static struct tc_db_statement *slot_of(struct tc_db *db, const char *sql)
{
    size_t at = ((uintptr_t)sql >> 3) * 0x9e3779b1u;

    for (size_t i = 0; i < TC_DB_STATEMENTS; i++) {
        struct tc_db_statement *slot = &db->statements[(at + i) % TC_DB_STATEMENTS];

        if (!slot->sql || slot->sql == sql)
            return slot;
    }
    return NULL;
}

void tc_query_start(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, const char *sql)
{
    struct tc_db_statement *slot = slot_of(db, sql);

    if (!slot) {
        tc_query_start_once(query, cx, db, tc_str_of(sql));
        return;
    }
    start(query, cx, db);
    query->kept = true;
    if (!slot->stmt) {
        if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &slot->stmt, NULL) != SQLITE_OK) {
            set_failed(query);
            return;
        }
        slot->sql = sql;
    }
    query->stmt = slot->stmt;
}

void tc_query_start_once(struct tc_query *query, struct tc_cx *cx, struct tc_db *db, struct tc_str sql)
{
    start(query, cx, db);
    if (sqlite3_prepare_v2(db->handle, sql.p, (int)sql.n, &query->stmt, NULL) != SQLITE_OK)
        set_failed(query);
}

void tc_query_text(struct tc_query *query, struct tc_str text)
{
    tc_query_optional(query, text.p ? text : TC_STR(""));
}

void tc_query_optional(struct tc_query *query, struct tc_str text)
{
    if (query->err)
        return;
    if (sqlite3_bind_text64(query->stmt, ++query->bound, text.p, text.n, SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK)
        set_failed(query);
}

void tc_query_blob(struct tc_query *query, struct tc_str bytes)
{
    if (query->err)
        return;
    if (sqlite3_bind_blob64(query->stmt, ++query->bound, bytes.p ? bytes.p : "", bytes.n, SQLITE_STATIC) != SQLITE_OK)
        set_failed(query);
}

void tc_query_int(struct tc_query *query, int64_t number)
{
    if (query->err)
        return;
    if (sqlite3_bind_int64(query->stmt, ++query->bound, number) != SQLITE_OK)
        set_failed(query);
}

void tc_query_row(struct tc_query *query, const struct tc_row_type *type, const void *row)
{
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        const void *value = (const char *)row + column->offset;

        switch (column->type) {
        case TC_COLUMN_TEXT:
            tc_query_text(query, *(const struct tc_str *)value);
            break;
        case TC_COLUMN_OPTIONAL:
            tc_query_optional(query, *(const struct tc_str *)value);
            break;
        case TC_COLUMN_BLOB:
            tc_query_blob(query, *(const struct tc_str *)value);
            break;
        case TC_COLUMN_INT:
            tc_query_int(query, *(const int64_t *)value);
            break;
        case TC_COLUMN_BOOL:
            tc_query_int(query, *(const bool *)value);
            break;
        }
    }
}

bool tc_query_next(struct tc_query *query)
{
    int rc;

    if (query->err)
        return false;
    query->read = 0;
    rc = sqlite3_step(query->stmt);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        set_failed(query);
    return rc == SQLITE_ROW;
}

static struct tc_str read_value(struct tc_query *query, bool optional)
{
    int column = query->read++;
    struct tc_str text = {NULL, 0};

    if (query->err || (optional && sqlite3_column_type(query->stmt, column) == SQLITE_NULL))
        return text;
    text.p = sqlite3_column_blob(query->stmt, column);
    text.n = (size_t)sqlite3_column_bytes(query->stmt, column);
    if (text.p || sqlite3_errcode(query->db->handle) != SQLITE_NOMEM)
        text = tc_arena_dup(query->cx->arena, text);
    if (!text.p)
        query->err = tc_fail_memory(query->cx);
    return text;
}

struct tc_str tc_query_read_text(struct tc_query *query)
{
    return read_value(query, false);
}

struct tc_str tc_query_peek_text(struct tc_query *query)
{
    int column = query->read++;
    const void *p = query->err ? NULL : sqlite3_column_blob(query->stmt, column);

    return p ? tc_str_n(p, (size_t)sqlite3_column_bytes(query->stmt, column)) : TC_STR("");
}

int64_t tc_query_read_int(struct tc_query *query)
{
    return query->err ? 0 : sqlite3_column_int64(query->stmt, query->read++);
}

void tc_query_read_row(struct tc_query *query, const struct tc_row_type *type, void *ret_row)
{
    for (size_t i = 0; i < type->n; i++) {
        const struct tc_column *column = &type->columns[i];
        void *value = (char *)ret_row + column->offset;

        switch (column->type) {
        case TC_COLUMN_TEXT:
        case TC_COLUMN_BLOB:
            *(struct tc_str *)value = read_value(query, false);
            break;
        case TC_COLUMN_OPTIONAL:
            *(struct tc_str *)value = read_value(query, true);
            break;
        case TC_COLUMN_INT:
            *(int64_t *)value = tc_query_read_int(query);
            break;
        case TC_COLUMN_BOOL:
            *(bool *)value = tc_query_read_int(query) != 0;
            break;
        }
    }
}

enum tc_err tc_query_end(struct tc_query *query)
{
    if (query->kept && query->stmt) {
        sqlite3_reset(query->stmt);
        sqlite3_clear_bindings(query->stmt);
    } else {
        sqlite3_finalize(query->stmt);
    }
    query->stmt = NULL;
    return query->err;
}

enum tc_err tc_query_run(struct tc_query *query, int64_t *ret_changes)
{
    while (tc_query_next(query))
        ;
    if (!query->err && ret_changes)
        *ret_changes = sqlite3_changes64(query->db->handle);
    return tc_query_end(query);
}

/* Rows that were collected so far move to twice the room; the arena keeps the
 * old one until it ends. */
static void *grow(struct tc_query *query, const void *rows, size_t n, size_t room, size_t size)
{
    void *more = tc_arena_zalloc(query->cx->arena, room, size);

    if (!more)
        query->err = tc_fail_memory(query->cx);
    else if (n)
        memcpy(more, rows, n * size);
    return more;
}

enum tc_err tc_query_rows(struct tc_query *query, const struct tc_row_type *type, void *ret_rows, size_t *ret_n)
{
    char *rows = NULL;
    size_t n = 0, room = 0, bytes = 0;

    while ((!query->bytes || bytes < query->bytes) && tc_query_next(query)) {
        if (n == room) {
            room = room ? room * 2 : 16;
            rows = grow(query, rows, n, room, type->size);
            if (!rows)
                break;
        }
        tc_query_read_row(query, type, rows + n * type->size);
        bytes += query->bytes ? tc_rows_bytes(type, rows + n * type->size) : 0;
        n++;
    }
    if (!query->err) {
        *(void **)ret_rows = rows;
        *ret_n = n;
    }
    return tc_query_end(query);
}

enum tc_err tc_query_one(struct tc_query *query, const struct tc_row_type *type, void *ret_row)
{
    if (tc_query_next(query))
        tc_query_read_row(query, type, ret_row);
    else if (!query->err)
        query->err = TC_E_STORE_NOT_FOUND;
    return tc_query_end(query);
}
