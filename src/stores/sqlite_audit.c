/*
 * The audit in SQLite. Adding and finishing a row are the store's hot path: small
 * ones are noted in the journal, and where both of a call come to the database
 * together they are one row. Pruning goes in portions, so that calls are recorded
 * between them.
 */
#include "ports/store_audit.h"

#include "base/map.h"
#include "stores/fault.h"
#include "stores/record.h"
#include "stores/sqlite_audit.h"

enum { SMALL = 32 * 1024 }; /* bytes of a row that is noted */

struct row_args {
    const struct tc_audit_row *row;
    const struct tc_result_row *result; /* or NULL */
};

static enum tc_err insert(struct tc_cx *cx, struct tc_db *db, const struct tc_audit_row *row)
{
    static const char sql[] = "INSERT INTO audit (" TC_SQLITE_AUDIT_COLUMNS ")"
                              " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                              " ?, ?, ?, ?, ?)";
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_audit, row);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, "audit row", row->id) : err;
}

static enum tc_err update(struct tc_cx *cx, struct tc_db *db, const struct tc_audit_row *row)
{
    static const char sql[] =
        "UPDATE audit SET state = ?, gate = ?, arguments = ?, schema = ?, permission = ?, approval = ?, wait_us = ?,"
        " exec_us = ?, total_us = ?, result_id = ?, is_error = ?, error_code = ?, result_bytes = ?, effect = ?"
        " WHERE id = ?";
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_audit_end, row);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "audit row", row->id);
}

static enum tc_err insert_result(struct tc_cx *cx, struct tc_db *db, const struct tc_result_row *row)
{
    static const char sql[] = "INSERT INTO results (id, at, agent, token, raw, text) VALUES (?, ?, ?, ?, ?, ?)";
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_result, row);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, "result", row->id) : err;
}

static enum tc_err insert_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct row_args *args = arg;
    enum tc_err err = insert(cx, db, args->row);

    return err || !args->result ? err : insert_result(cx, db, args->result);
}

static enum tc_err update_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    const struct row_args *args = arg;
    enum tc_err err = update(cx, db, args->row);

    return err || !args->result ? err : insert_result(cx, db, args->result);
}

static bool is_small(const struct row_args *args)
{
    size_t bytes = args->row->raw.n + args->row->canonical.n + args->row->repair.n + args->row->effect.n;

    if (args->result)
        bytes += args->result->raw.n + args->result->text.n;
    return bytes <= SMALL;
}

static enum tc_err write_row(struct tc_cx *cx, struct tc_store *self, enum tc_record_kind kind, struct row_args args)
{
    tc_op_fn *fn = kind == TC_RECORD_ADD ? insert_run : update_run;
    struct tc_notes *notes = is_small(&args) ? tc_sqlite_notes(self) : NULL;

    if (notes) {
        tc_record_write(tc_notes_record(notes), kind, args.row, args.result);
        if (tc_notes_put(cx, notes))
            return TC_OK;
    }
    return args.result ? tc_sqlite_write(cx, self, fn, &args) : tc_sqlite_write_one(cx, self, fn, &args);
}

static enum tc_err add(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row)
{
    return write_row(cx, self, TC_RECORD_ADD, (struct row_args){row, NULL});
}

static enum tc_err add_done(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                            const struct tc_result_row *result)
{
    return write_row(cx, self, TC_RECORD_ADD, (struct row_args){row, result});
}

static enum tc_err finish(struct tc_cx *cx, struct tc_store *self, const struct tc_audit_row *row,
                          const struct tc_result_row *result)
{
    return write_row(cx, self, TC_RECORD_FINISH, (struct row_args){row, result});
}

/* --- from the journal --- */

/* The ends among the records, by the id of their row. */
static enum tc_err find_ends(struct tc_cx *cx, struct tc_record *records, size_t n, struct tc_map *ends)
{
    for (size_t i = 0; i < n; i++)
        if (records[i].kind == TC_RECORD_FINISH && !tc_map_put(ends, records[i].row.id, &records[i]))
            return tc_fail_memory(cx);
    return TC_OK;
}

static enum tc_err delete_result(struct tc_cx *cx, struct tc_db *db, struct tc_str id)
{
    static const char sql[] = "DELETE FROM results WHERE id = ?";
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, id);
    return tc_query_run(&query, NULL);
}

static bool is_left_out(enum tc_err err)
{
    return err == TC_E_STORE_EXISTS || err == TC_E_STORE_NOT_FOUND || err == TC_E_STORE_CONFLICT;
}

/* What is there already, or has no row to finish, is left out, with its result: it
 * must not keep the rest waiting. */
static enum tc_err put_one(struct tc_cx *cx, struct tc_db *db, const struct tc_record *record)
{
    enum tc_err err = record->has_result ? insert_result(cx, db, &record->result) : TC_OK;
    bool with_result = record->has_result && !err;

    if (!err)
        err = record->kind == TC_RECORD_ADD ? insert(cx, db, &record->row) : update(cx, db, &record->row);
    if (!is_left_out(err))
        return err;
    tc_fail_clear(cx);
    return with_result ? delete_result(cx, db, record->result.id) : TC_OK;
}

static enum tc_err put_all(struct tc_cx *cx, struct tc_db *db, struct tc_record *records, size_t n)
{
    struct tc_map ends = {0};
    enum tc_err err = find_ends(cx, records, n, &ends);

    for (size_t i = 0; i < n && !err; i++) {
        struct tc_record *record = &records[i],
                         *end = record->kind == TC_RECORD_ADD ? tc_map_get(&ends, record->row.id) : NULL;

        if (end > record) { /* the whole call at once, where it ended */
            tc_rows_set(&tc_rows_audit_end, &record->row, &end->row);
            end->row = record->row;
            end->kind = TC_RECORD_ADD;
            tc_map_remove(&ends, record->row.id);
        } else {
            err = put_one(cx, db, record);
        }
    }
    tc_map_finish(&ends);
    return err;
}

enum tc_err tc_sqlite_audit_apply(struct tc_cx *cx, struct tc_db *db, struct tc_str framed)
{
    struct tc_record *records;
    struct tc_str text;
    uint64_t number;
    size_t n = 0, room = 0;

    for (size_t at = 0; tc_journal_next(framed, &at, &text, &number);)
        room++;
    records = TC_ARENA_NEW_N(cx->arena, struct tc_record, room + 1);
    if (!records)
        return tc_fail_memory(cx);
    for (size_t at = 0; tc_journal_next(framed, &at, &text, &number);)
        n += tc_record_read(text, &records[n]);
    return put_all(cx, db, records, n);
}

struct get_args {
    struct tc_str id;
    struct tc_audit_row row;
};

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " TC_SQLITE_AUDIT_COLUMNS " FROM audit WHERE id = ?";
    struct get_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->id);
    err = tc_query_one(&query, &tc_rows_audit, &args->row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "audit row", args->id) : err;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_audit_row *ret_row)
{
    struct get_args args = {.id = id};
    enum tc_err err = tc_sqlite_read_noted(cx, self, get_run, &args);

    if (err)
        return err;
    *ret_row = args.row;
    return TC_OK;
}

static enum tc_err close_open_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE audit SET state = 'unknown' WHERE state = 'intent'";
    int64_t *changes = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_run(&query, changes);
}

static enum tc_err close_open(struct tc_cx *cx, struct tc_store *self, int64_t *ret_n)
{
    int64_t changes;
    enum tc_err err = tc_sqlite_write_one(cx, self, close_open_run, &changes);

    if (err)
        return err;
    *ret_n = changes;
    return TC_OK;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] = "DELETE FROM audit WHERE rowid IN (SELECT rowid FROM audit WHERE at < ? LIMIT 1000)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

const struct tc_store_audit_ops tc_sqlite_audit = {
    .add = add,
    .add_done = add_done,
    .finish = finish,
    .get = get,
    .page = tc_sqlite_audit_page,
    .sums = tc_sqlite_audit_sums,
    .close_open = close_open,
    .prune = prune,
};
