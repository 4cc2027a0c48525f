/*
 * Tapes in SQLite. A fork has rows for its own entries only; those that it shares are
 * read from its parents, part by part. Appending is the hot path of a run: one update
 * of a small row, which is where a conflict shows, and an insert for each entry.
 */
#include "ports/store_tapes.h"

#include <assert.h>

#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/sqlite_private.h"

#define COLUMNS "id, name, agent, owner, parent, parent_seq, last, anchor, run, created_at, updated_at"
#define ENTRY_COLUMNS "seq, at, kind, run, json"

struct get_args {
    struct tc_str id;          /* or */
    struct tc_str agent, name;
    struct tc_tape_row row;
};

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " COLUMNS " FROM tapes WHERE id = ?";
    struct get_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->id);
    err = tc_query_one(&query, &tc_rows_tape, &args->row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "tape", args->id) : err;
}

static enum tc_err find_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "SELECT " COLUMNS " FROM tapes WHERE agent = ? AND name = ? AND name <> ''";
    struct get_args *args = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->agent);
    tc_query_text(&query, args->name);
    err = tc_query_one(&query, &tc_rows_tape, &args->row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "tape", args->name) : err;
}

static enum tc_err read_one(struct tc_cx *cx, struct tc_store *self, tc_op_fn *fn, struct get_args *args,
                            struct tc_tape_row *ret_row)
{
    enum tc_err err = tc_sqlite_read(cx, self, fn, args);

    if (err)
        return err;
    *ret_row = args->row;
    return TC_OK;
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_tape_row *ret_row)
{
    return read_one(cx, self, get_run, &(struct get_args){.id = id}, ret_row);
}

static enum tc_err find(struct tc_cx *cx, struct tc_store *self, struct tc_str agent, struct tc_str name,
                        struct tc_tape_row *ret_row)
{
    return read_one(cx, self, find_run, &(struct get_args){.agent = agent, .name = name}, ret_row);
}

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
    struct get_args args = {.id = id};
    struct part *oldest = NULL;
    bool more = true;

    while (more) {
        struct part *part = TC_ARENA_NEW(cx->arena, struct part);
        enum tc_err err = part ? get_run(cx, db, &args) : tc_fail_memory(cx);

        if (err)
            return err;
        *part = (struct part){args.row.id, args.row.parent_seq, to < args.row.last ? to : args.row.last, oldest};
        oldest = part;
        args.id = args.row.parent;
        to = part->low < part->high ? part->low : part->high;
        more = args.row.parent.n && part->low >= from;
    }
    *ret_oldest = oldest;
    return TC_OK;
}

static enum tc_err last_anchor(struct tc_cx *cx, struct tc_db *db, struct tc_str id, int64_t upto, int64_t *ret_anchor)
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

static enum tc_err entries(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t from, int64_t to,
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

/* --- writing --- */

static enum tc_err insert(struct tc_cx *cx, struct tc_db *db, const struct tc_tape_row *row)
{
    static const char sql[] = "INSERT INTO tapes (" COLUMNS ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_tape, row);
    err = tc_query_run(&query, NULL);
    return err == TC_E_STORE_EXISTS ? tc_fault_exists(cx, "tape", row->name.n ? row->name : row->id) : err;
}

static enum tc_err create_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct tc_tape_row next = *(const struct tc_tape_row *)arg;
    struct get_args parent = {.id = next.parent};
    enum tc_err err;

    next.last = next.anchor = 0;
    if (!next.parent.n) {
        next.parent_seq = 0;
        return insert(cx, db, &next);
    }
    err = get_run(cx, db, &parent);
    if (err)
        return err;
    if (next.parent_seq < 0 || next.parent_seq > parent.row.last)
        return tc_fault_tape_short(cx, next.parent, parent.row.last);
    next.last = next.parent_seq;
    err = last_anchor(cx, db, next.parent, next.parent_seq, &next.anchor);
    return err ? err : insert(cx, db, &next);
}

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_tape_row *row)
{
    return tc_sqlite_write_one(cx, self, create_run, (void *)row);
}

struct append_args {
    struct tc_str id;
    int64_t last;
    const struct tc_tape_entry *entries;
    size_t n;
};

/* Nothing was changed: there is no such tape, or it has moved on. */
static enum tc_err explain_append(struct tc_cx *cx, struct tc_db *db, const struct append_args *args)
{
    struct get_args stored = {.id = args->id};
    enum tc_err err = get_run(cx, db, &stored);

    return err ? err : tc_fault_tape_moved(cx, args->id, stored.row.last, args->last);
}

static enum tc_err move_last(struct tc_cx *cx, struct tc_db *db, const struct append_args *args)
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

static enum tc_err append_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "INSERT INTO tape_entries (tape, " ENTRY_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)";
    const struct append_args *args = arg;
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

static enum tc_err append(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t last,
                          struct tc_tape_entry *entries, size_t n)
{
    struct append_args args = {id, last, entries, n};
    enum tc_err err;

    assert(n > 0);
    err = tc_sqlite_write(cx, self, append_run, &args);
    for (size_t i = 0; i < n && !err; i++)
        entries[i].seq = last + 1 + (int64_t)i;
    return err;
}

struct claim_args {
    struct tc_str id, run;
};

static enum tc_err claim_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE tapes SET run = ?2 WHERE id = ?1 AND (run = '' OR run = ?2 OR ?2 = '')";
    const struct claim_args *args = arg;
    struct get_args stored = {.id = args->id};
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->id);
    tc_query_text(&query, args->run);
    err = tc_query_run(&query, &changes);
    if (err || changes)
        return err;
    err = get_run(cx, db, &stored);
    return err ? err : tc_fault_tape_taken(cx, args->id, stored.row.run);
}

static enum tc_err claim(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str run)
{
    struct claim_args args = {id, run};

    return tc_sqlite_write_one(cx, self, claim_run, &args);
}

/* TC_E_STORE_CONFLICT when the tape cannot go. */
static enum tc_err check_free(struct tc_cx *cx, struct tc_db *db, struct tc_str id)
{
    static const char sql[] = "SELECT id FROM tapes WHERE parent = ? AND parent <> '' LIMIT 1";
    struct get_args stored = {.id = id};
    struct tc_str fork = {NULL, 0};
    struct tc_query query;
    enum tc_err err = get_run(cx, db, &stored);

    if (err)
        return err;
    if (stored.row.run.n)
        return tc_fault_tape_taken(cx, id, stored.row.run);
    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, id);
    if (tc_query_next(&query))
        fork = tc_query_read_text(&query);
    err = tc_query_end(&query);
    return err || !fork.n ? err : tc_fault_tape_forked(cx, id, fork);
}

static enum tc_err remove_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "DELETE FROM tapes WHERE id = ?";
    const struct tc_str *id = arg;
    struct tc_query query;
    enum tc_err err = check_free(cx, db, *id);

    if (err)
        return err;
    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, *id);
    return tc_query_run(&query, NULL);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_store *self, struct tc_str id)
{
    return tc_sqlite_write_one(cx, self, remove_run, &id);
}

/* Few at a time: each takes its entries with it. */
static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] =
        "DELETE FROM tapes WHERE rowid IN (SELECT rowid FROM tapes AS t WHERE updated_at < ? AND name = ''"
        " AND run = '' AND NOT EXISTS (SELECT 1 FROM tapes WHERE parent = t.id AND parent <> '') LIMIT 20)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

/* --- pages --- */

struct page_args {
    const struct tc_store_page *page;
    const struct tc_tape_filter *filter;
    size_t sort;
    struct tc_tape_row *rows;
    size_t n;
    int64_t total;
};

static enum tc_err page_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char *const orders[][2] = {{"updated_at, id", "updated_at DESC, id DESC"},
                                            {"created_at, id", "created_at DESC, id DESC"}};
    struct page_args *args = arg;
    struct tc_listing listing = {
        .table = "tapes",
        .columns = COLUMNS,
        .type = &tc_rows_tape,
        .order = orders[args->sort][args->page->descending],
        .page = args->page,
    };
    enum tc_err err;

    tc_listing_text(&listing, "agent = ?", args->filter->agent);
    tc_listing_text(&listing, "owner = ?", args->filter->owner);
    if (args->filter->sessions)
        tc_listing_int(&listing, "(name <> '') = ?", 1);
    err = tc_listing_search(cx, &listing, "instr(lower(name || char(10) || id), ?) > 0");
    return err ? err : tc_listing_run(cx, db, &listing, &args->rows, &args->n, &args->total);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_tape_filter *filter, struct tc_tape_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"updatedAt", "createdAt"};
    struct page_args args = {.page = page, .filter = filter};
    enum tc_err err = tc_fault_page(cx, page, sorts, 2, &args.sort);

    if (!err)
        err = tc_sqlite_read(cx, self, page_run, &args);
    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    *ret_total = args.total;
    return TC_OK;
}

const struct tc_store_tapes_ops tc_sqlite_tapes = {
    .create = create,
    .get = get,
    .find = find,
    .page = page,
    .append = append,
    .entries = entries,
    .claim = claim,
    .remove = remove_one,
    .prune = prune,
};
