/*
 * Runs and their events in SQLite. Recording a step is the hot path: events leave the
 * run's row alone, and the number of a run's last event is looked up in its index.
 */
#include "ports/store_runs.h"

#include "stores/fault.h"
#include "stores/listing.h"
#include "stores/run_sum.h"
#include "stores/sqlite_entries.h"
#include "stores/sqlite_row.h"

#define STORED                                                                                                         \
    "id, agent, tape, surface, principal_kind, principal_id, status, stage, channel, model, input, snapshot, "         \
    "error_code, error_message, usage, frame, steps, "
#define TIMES "created_at, updated_at, ended_at"
#define COLUMNS STORED "(SELECT coalesce(max(seq), 0) FROM run_events WHERE run = runs.id), " TIMES
#define EVENT_COLUMNS "seq, at, type, invocation, json"

static const struct tc_sqlite_table run_table = {
    .noun = "run",
    .type = &tc_rows_run,
    /* ?18 is `events`, which has no column. */
    .insert = "INSERT INTO runs (" STORED TIMES ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
              " ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?19, ?20, ?21)",
    .select = "SELECT " COLUMNS " FROM runs WHERE id = ?",
};

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row)
{
    return tc_sqlite_row_add(cx, self, &run_table, row);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_run_row *ret_row)
{
    return tc_sqlite_row_get(cx, self, &run_table, id, ret_row);
}

static enum tc_err update_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char sql[] =
        "UPDATE runs SET status = ?, stage = ?, channel = ?, model = ?, snapshot = ?, error_code = ?,"
        " error_message = ?, usage = ?, frame = ?, steps = ?, updated_at = ?, ended_at = ? WHERE id = ?";
    const struct tc_run_row *row = arg;
    struct tc_query query;
    int64_t changes;
    enum tc_err err;

    tc_query_start(&query, cx, db, sql);
    tc_query_row(&query, &tc_rows_run_update, row);
    err = tc_query_run(&query, &changes);
    return err || changes ? err : tc_fault_not_found(cx, "run", row->id);
}

static enum tc_err update(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row)
{
    return tc_sqlite_write_one(cx, self, update_run, (void *)row);
}

/* --- steps --- */

struct recording {
    const struct tc_run_step *step;
    int64_t last; /* event before them */
};

static enum tc_err last_event(struct tc_cx *cx, struct tc_db *db, struct recording *recording)
{
    static const char sql[] = "SELECT coalesce(max(seq), 0) FROM run_events WHERE run = ?";
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    tc_query_text(&query, recording->step->run);
    if (tc_query_next(&query))
        recording->last = tc_query_read_int(&query);
    return tc_query_end(&query);
}

static enum tc_err add_events(struct tc_cx *cx, struct tc_db *db, struct recording *recording)
{
    static const char sql[] = "INSERT INTO run_events (run, " EVENT_COLUMNS ") VALUES (?, ?, ?, ?, ?, ?)";
    const struct tc_run_step *step = recording->step;
    enum tc_err err = last_event(cx, db, recording);

    for (size_t i = 0; i < step->events_n && !err; i++) {
        struct tc_run_event next = step->events[i];
        struct tc_query query;

        next.seq = recording->last + 1 + (int64_t)i;
        tc_query_start(&query, cx, db, sql);
        tc_query_text(&query, step->run);
        tc_query_row(&query, &tc_rows_run_event, &next);
        err = tc_query_run(&query, NULL);
        if (err == TC_E_STORE_NOT_FOUND)
            err = tc_fault_not_found(cx, "run", step->run);
    }
    return err;
}

static enum tc_err record_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct recording *recording = arg;
    const struct tc_run_step *step = recording->step;
    struct tc_sqlite_append entries = {step->tape, step->last, step->entries, step->entries_n};
    struct tc_run_row known;
    enum tc_err err = TC_OK;

    if (step->events_n)
        err = add_events(cx, db, recording);
    if (!err && step->row)
        err = update_run(cx, db, (void *)step->row);
    if (!err && !step->events_n && !step->row) /* what follows would not miss it */
        err = tc_sqlite_row_select(cx, db, &run_table, step->run, &known);
    if (!err && step->entries_n)
        err = tc_sqlite_tape_add(cx, db, &entries);
    if (!err && step->let_go)
        err = tc_sqlite_tape_claim(cx, db, &(struct tc_sqlite_claim){step->tape, TC_STR("")});
    return err;
}

static enum tc_err record(struct tc_cx *cx, struct tc_store *self, struct tc_run_step *step)
{
    struct recording recording = {.step = step};
    enum tc_err err = tc_sqlite_write_aside(cx, self, record_run, &recording);

    if (err)
        return err;
    for (size_t i = 0; i < step->events_n; i++)
        step->events[i].seq = recording.last + 1 + (int64_t)i;
    for (size_t i = 0; i < step->entries_n; i++)
        step->entries[i].seq = step->last + 1 + (int64_t)i;
    return TC_OK;
}

/* --- events --- */

struct events_args {
    struct tc_str id;
    int64_t after, before, limit;
    struct tc_run_event *rows;
    size_t n;
};

static enum tc_err events_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char forward[] = "SELECT " EVENT_COLUMNS " FROM run_events WHERE run = ? AND seq > ?"
                                  " ORDER BY seq LIMIT ?";
    static const char backward[] = "SELECT " EVENT_COLUMNS " FROM (SELECT " EVENT_COLUMNS " FROM run_events"
                                   " WHERE run = ? AND seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?) ORDER BY seq";
    struct events_args *args = arg;
    struct tc_run_row run;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, args->before ? backward : forward);
    tc_query_text(&query, args->id);
    tc_query_int(&query, args->after);
    if (args->before)
        tc_query_int(&query, args->before);
    tc_query_int(&query, args->limit);
    err = tc_query_rows(&query, &tc_rows_run_event, &args->rows, &args->n);
    return err || args->n ? err : tc_sqlite_row_select(cx, db, &run_table, args->id, &run);
}

static enum tc_err events(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t after, int64_t before,
                          int64_t limit, struct tc_run_event **ret_events, size_t *ret_n)
{
    struct events_args args = {.id = id, .after = after, .before = before, .limit = limit};
    enum tc_err err = tc_fault_limit(cx, limit, TC_RUN_EVENTS_MAX);

    if (!err)
        err = tc_sqlite_read(cx, self, events_run, &args);
    if (err)
        return err;
    *ret_events = args.rows;
    *ret_n = args.n;
    return TC_OK;
}

/* --- all of them --- */

struct page_args {
    const struct tc_store_page *page;
    const struct tc_run_filter *filter;
    struct tc_run_row *rows;
    size_t n;
    int64_t total;
};

static enum tc_err page_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct page_args *args = arg;
    struct tc_listing listing = {
        .table = "runs",
        .columns = COLUMNS,
        .type = &tc_rows_run,
        .order = args->page->descending ? "created_at DESC, id DESC" : "created_at, id",
        .page = args->page,
    };

    tc_listing_text(&listing, "agent = ?", args->filter->agent);
    tc_listing_text(&listing, "status = ?", args->filter->status);
    tc_listing_text(&listing, "tape = ?", args->filter->tape);
    tc_listing_text(&listing, "principal_id = ?", args->filter->principal_id);
    tc_listing_search(&listing, "holds(?, id, agent, model)");
    return tc_listing_run(cx, db, &listing, &args->rows, &args->n, &args->total);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_run_filter *filter, struct tc_run_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"createdAt"};
    struct page_args args = {.page = page, .filter = filter};
    size_t sort;
    enum tc_err err = tc_fault_page(cx, page, sorts, 1, &sort);

    if (!err)
        err = tc_sqlite_read(cx, self, page_run, &args);
    if (err)
        return err;
    *ret_rows = args.rows;
    *ret_n = args.n;
    *ret_total = args.total;
    return TC_OK;
}

/* --- figures --- */

struct sums_args {
    const struct tc_run_sums_query *query;
    struct tc_run_sums sums;
};

static enum tc_err sum_span(struct tc_cx *cx, struct tc_db *db, const struct tc_run_sums_query *query,
                            struct tc_run_sums *ret)
{
    static const char sql[] = "SELECT agent, status, count(*) FROM runs WHERE created_at >= ? AND created_at < ?"
                              " GROUP BY agent, status";
    static const struct tc_column columns[] = {
        {TC_COLUMN_TEXT, offsetof(struct tc_run_sum_row, agent)},
        {TC_COLUMN_TEXT, offsetof(struct tc_run_sum_row, status)},
        {TC_COLUMN_INT, offsetof(struct tc_run_sum_row, runs)},
    };
    static const struct tc_row_type type = {sizeof(struct tc_run_sum_row), sizeof columns / sizeof *columns, columns};
    struct tc_run_sum_row *rows;
    struct tc_query run;
    size_t n;
    enum tc_err err;

    tc_query_start(&run, cx, db, sql);
    tc_query_int(&run, query->from);
    tc_query_int(&run, query->to);
    err = tc_query_rows(&run, &type, &rows, &n);
    return err ? err : tc_run_sum(cx, rows, n, query->limit, ret);
}

static enum tc_err sums_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct sums_args *args = arg;
    const struct tc_run_sums_query before = tc_run_sum_before(args->query);
    struct tc_run_sums previous;
    enum tc_err err = sum_span(cx, db, args->query, &args->sums);

    if (!err)
        err = sum_span(cx, db, &before, &previous);
    if (err)
        return err;
    args->sums.previous = previous.totals;
    return tc_db_number(cx, db, "SELECT count(*) FROM runs WHERE status = 'running' OR status = 'waiting'",
                        &args->sums.live);
}

static enum tc_err sums(struct tc_cx *cx, struct tc_store *self, const struct tc_run_sums_query *query,
                        struct tc_run_sums *ret_sums)
{
    struct sums_args args = {.query = query};
    enum tc_err err = tc_run_sum_check(cx, query);

    if (!err)
        err = tc_sqlite_read(cx, self, sums_run, &args);
    if (!err)
        *ret_sums = args.sums;
    return err;
}

struct closing {
    int64_t now, changes;
};

static enum tc_err close_open_run(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    static const char free_tapes[] = "UPDATE tapes SET run = '' WHERE run <> ''";
    static const char close_runs[] = "UPDATE runs SET status = 'interrupted', updated_at = ?1, ended_at = ?1"
                                     " WHERE status = 'running' OR status = 'waiting'";
    struct closing *closing = arg;
    struct tc_query query;
    enum tc_err err;

    tc_query_start(&query, cx, db, free_tapes);
    err = tc_query_run(&query, NULL);
    if (err)
        return err;
    tc_query_start(&query, cx, db, close_runs);
    tc_query_int(&query, closing->now);
    return tc_query_run(&query, &closing->changes);
}

static enum tc_err close_open(struct tc_cx *cx, struct tc_store *self, int64_t now, int64_t *ret_n)
{
    struct closing closing = {.now = now};
    enum tc_err err = tc_sqlite_write(cx, self, close_open_run, &closing);

    if (!err)
        *ret_n = closing.changes;
    return err;
}

/* Few at a time: each takes its events with it. */
static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    static const char sql[] = "DELETE FROM runs WHERE rowid IN (SELECT rowid FROM runs WHERE ended_at > 0"
                              " AND ended_at < ? LIMIT 20)";

    return tc_sqlite_prune(cx, self, sql, before, ret_n);
}

const struct tc_store_runs_ops tc_sqlite_runs = {
    .create = create,
    .get = get,
    .page = page,
    .sums = sums,
    .update = update,
    .record = record,
    .events = events,
    .close_open = close_open,
    .prune = prune,
};
