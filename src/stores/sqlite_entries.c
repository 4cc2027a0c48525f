/*
 * Entries of tapes in SQLite. A fork has rows for its own entries only; those that it
 * shares are read from its parents, part by part. Appending is the hot path of a run: one
 * update of a small row, which is where a conflict shows, and an insert for each entry.
 */
#include "stores/sqlite_entries.h"

#include <assert.h>

#include "stores/fault.h"

#define ENTRY_COLUMNS "seq, at, kind, run, json"

/* --- parts: the tape's own entries, and before them those that it shares --- */

/* Entries low + 1 to high of the whole are rows of that tape. */
struct part {
    struct tc_str tape;
    int64_t low, high;
    struct part *newer;
};

/* Those that hold entries from..to, the oldest first. */
static enum tc_err find_parts(struct tc_cx *cx, struct tc_db *db, struct tc_str id, int64_t from, int64_t to,
                              struct part **ret_oldest)
{
    struct part *oldest = NULL;
    bool more = true;

    while (more) {
        struct part *part = TC_ARENA_NEW(cx->arena, struct part);
        struct tc_tape_row tape;
        enum tc_err err = part ? tc_sqlite_tape_get(cx, db, id, &tape) : tc_fail_memory(cx);

        if (err)
            return err;
        *part = (struct part){tape.id, tape.parent_seq, to < tape.last ? to : tape.last, oldest};
        oldest = part;
        id = tape.parent;
        to = part->low < part->high ? part->low : part->high;
        more = tape.parent.n && part->low >= from;
    }
    *ret_oldest = oldest;
    return TC_OK;
}

enum tc_err tc_sqlite_tape_anchor(struct tc_cx *cx, struct tc_db *db, struct tc_str id, int64_t upto,
                                  int64_t *ret_anchor)
{
    static const char sql[] = "SELECT max(seq) FROM tape_entries WHERE tape = ? AND seq <= ? AND kind = 'anchor'";
    int64_t anchor = 0;
    struct part *part;
    enum tc_err err = find_parts(cx, db, id, 1, upto, &part);

    for (; part && !err; part = part->newer) {
        struct tc_query query;
        int64_t found = 0;

        tc_query_start(&query, cx, db, sql);
        tc_query_text(&query, part->tape);
        tc_query_int(&query, part->high);
        if (tc_query_next(&query))
            found = tc_query_read_int(&query);
        err = tc_query_end(&query);
        anchor = found > anchor ? found : anchor;
    }
    if (!err)
        *ret_anchor = anchor;
    return err;
}

struct entries_args {
    struct tc_str id;
    int64_t from, to, limit;
    struct tc_tape_entry *rows;
    size_t n;
};

/* Entries of a part behind those that were read; the rooms of the parts are joined. */
static enum tc_err read_part(struct tc_cx *cx, struct tc_db *db, struct entries_args *args, const struct part *part)
{
    static const char sql[] = "SELECT " ENTRY_COLUMNS " FROM tape_entries WHERE tape = ? AND seq >= ? AND seq <= ?"
                              " ORDER BY seq LIMIT ?";
    struct tc_tape_entry *rows, *joined;
    struct tc_query query;
    size_t n;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, part->tape);
    tc_query_int(&query, args->from > part->low ? args->from : part->low + 1);
    tc_query_int(&query, part->high);
    tc_query_int(&query, args->limit - (int64_t)args->n);
    err = tc_query_rows(&query, &tc_rows_tape_entry, &rows, &n);
    if (err || n == 0)
        return err;
    joined = args->n ? TC_ARENA_NEW_N(cx->arena, struct tc_tape_entry, args->n + n) : rows;
    if (!joined)
        return tc_fail_memory(cx);
    if (args->n) {
        memcpy(joined, args->rows, args->n * sizeof *joined);
        memcpy(joined + args->n, rows, n * sizeof *joined);
    }
    args->rows = joined;
    args->n += n;
    return TC_OK;
}

static enum tc_err entries_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct entries_args *args = arg;
    struct part *part;
    enum tc_err err = find_parts(cx, db, args->id, args->from, args->to, &part);

    args->rows = NULL;
    args->n = 0;
    for (; !err && part && (int64_t)args->n < args->limit; part = part->newer)
        err = read_part(cx, db, args, part);
    return err;
}

enum tc_err tc_sqlite_tape_entries(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t from, int64_t to,
                                   int64_t limit, struct tc_tape_entry **ret_entries, size_t *ret_n)
{
    struct entries_args args = {.id = id, .from = from, .to = to, .limit = limit};
    enum tc_err err = tc_fault_limit(cx, limit, INT64_MAX);

    if (!err)
        err = tc_sqlite_read(cx, self, entries_run, &args);
    if (err)
        return err;
    *ret_entries = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

/* --- appending --- */

/* Nothing was changed: there is no such tape, or it has moved on. */
static enum tc_err explain_append(struct tc_cx *cx, struct tc_db *db, const struct tc_sqlite_append *args)
{
    struct tc_tape_row stored;
    enum tc_err err = tc_sqlite_tape_get(cx, db, args->id, &stored);

    return err ? err : tc_fault_tape_moved(cx, args->id, stored.last, args->last);
}

static enum tc_err move_last(struct tc_cx *cx, struct tc_db *db, const struct tc_sqlite_append *args)
{
    static const char sql[] = "UPDATE tapes SET last = ?3, anchor = max(anchor, ?4), updated_at = ?5"
                              " WHERE id = ?1 AND last = ?2";
    int64_t anchor = 0, changes;
    struct tc_query query;
    enum tc_err err;

    for (size_t i = 0; i < args->n; i++)
        if (tc_str_is(args->entries[i].kind, "anchor"))
            anchor = args->last + 1 + (int64_t)i;
    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->id);
    tc_query_int(&query, args->last);
    tc_query_int(&query, args->last + (int64_t)args->n);
    tc_query_int(&query, anchor);
    tc_query_int(&query, args->entries[args->n - 1].at);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : explain_append(cx, db, args);
}

enum tc_err tc_sqlite_tape_add(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO tape_entries (tape, " ENTRY_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)";
    const struct tc_sqlite_append *args = arg;
    enum tc_err err = move_last(cx, db, args);

    for (size_t i = 0; i < args->n && !err; i++) {
        struct tc_tape_entry next = args->entries[i];
        struct tc_query query;

        next.seq = args->last + 1 + (int64_t)i;
        tc_query_start(&query, cx, db, sql);
        tc_query_text(&query, args->id);
        tc_query_row(&query, &tc_rows_tape_entry, &next);
        err = tc_query_run(&query, NULL);
    }
    return err;
}

enum tc_err tc_sqlite_tape_append(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t last,
                                  struct tc_tape_entry *entries, size_t n)
{
    struct tc_sqlite_append args = {id, last, entries, n};
    enum tc_err err;

    assert(n > 0);
    err = tc_sqlite_write_aside(cx, self, tc_sqlite_tape_add, &args);
    for (size_t i = 0; i < n && !err; i++)
        entries[i].seq = last + 1 + (int64_t)i;
    return err;
}
