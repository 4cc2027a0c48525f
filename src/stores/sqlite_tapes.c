/*
 * Tapes in SQLite: their rows. What is on them is in sqlite_entries.c.
 */
#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/sqlite_entries.h"

#define COLUMNS "id, name, agent, owner, parent, parent_seq, last, anchor, run, created_at, updated_at"

struct get_args {
    struct tc_str id;          /* or */
    struct tc_str agent, name;
    struct tc_tape_row row;
};

enum tc_err tc_sqlite_tape_get(struct tc_cx *cx, struct tc_db *db, struct tc_str id, struct tc_tape_row *ret_row)
{
    static const char sql[] = "SELECT " COLUMNS " FROM tapes WHERE id = ?";
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, id);
    err = tc_query_one(&query, &tc_rows_tape, ret_row);
    return err == TC_E_STORE_NOT_FOUND ? tc_fault_not_found(cx, "tape", id) : err;
}

static enum tc_err get_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct get_args *args = arg;

    return tc_sqlite_tape_get(cx, db, args->id, &args->row);
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
    struct tc_tape_row parent;
    enum tc_err err;

    next.last = next.anchor = 0;
    if (!next.parent.n) {
        next.parent_seq = 0;
        return insert(cx, db, &next);
    }
    err = tc_sqlite_tape_get(cx, db, next.parent, &parent);
    if (err)
        return err;
    if (next.parent_seq < 0 || next.parent_seq > parent.last)
        return tc_fault_tape_short(cx, next.parent, parent.last);
    next.last = next.parent_seq;
    err = tc_sqlite_tape_anchor(cx, db, next.parent, next.parent_seq, &next.anchor);
    return err ? err : insert(cx, db, &next);
}

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_tape_row *row)
{
    return tc_sqlite_write_one(cx, self, create_run, (void *)row);
}

enum tc_err tc_sqlite_tape_claim(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] = "UPDATE tapes SET run = ?2 WHERE id = ?1 AND (run = '' OR run = ?2 OR ?2 = '')";
    const struct tc_sqlite_claim *args = arg;
    struct tc_tape_row stored;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, args->id);
    tc_query_text(&query, args->run);
    err = tc_query_run(&query, &changes);
    if (err || changes)
        return err;
    err = tc_sqlite_tape_get(cx, db, args->id, &stored);
    return err ? err : tc_fault_tape_taken(cx, args->id, stored.run);
}

static enum tc_err claim(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_str run)
{
    struct tc_sqlite_claim args = {id, run};

    return tc_sqlite_write_one(cx, self, tc_sqlite_tape_claim, &args);
}

/* TC_E_STORE_CONFLICT when the tape cannot go. */
static enum tc_err check_free(struct tc_cx *cx, struct tc_db *db, struct tc_str id)
{
    static const char sql[] = "SELECT id FROM tapes WHERE parent = ? AND parent <> '' LIMIT 1";
    struct tc_tape_row stored;
    struct tc_str fork = {NULL, 0};
    struct tc_query query;
    enum tc_err err = tc_sqlite_tape_get(cx, db, id, &stored);

    if (err)
        return err;
    if (stored.run.n)
        return tc_fault_tape_taken(cx, id, stored.run);
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

    tc_listing_text(&listing, "agent = ?", args->filter->agent);
    tc_listing_text(&listing, "owner = ?", args->filter->owner);
    if (args->filter->sessions)
        tc_listing_int(&listing, "(name <> '') = ?", 1);
    tc_listing_search(&listing, "holds(?, name, id)");
    return tc_listing_run(cx, db, &listing, &args->rows, &args->n, &args->total);
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
    .append = tc_sqlite_tape_append,
    .entries = tc_sqlite_tape_entries,
    .claim = claim,
    .remove = remove_one,
    .prune = prune,
};
