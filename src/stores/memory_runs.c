/*
 * Runs and their events in memory.
 */
#include "ports/store_runs.h"

#include <stdlib.h>

#include "base/mem.h"
#include "stores/fault.h"
#include "stores/memory_private.h"
#include "stores/run_sum.h"

struct event {
    struct tc_run_event event; /* first */
    struct tc_str run;
};

static const struct tc_column event_columns[] = {
    {TC_COLUMN_INT, offsetof(struct event, event.seq)},
    {TC_COLUMN_INT, offsetof(struct event, event.at)},
    {TC_COLUMN_TEXT, offsetof(struct event, event.type)},
    {TC_COLUMN_TEXT, offsetof(struct event, event.invocation)},
    {TC_COLUMN_TEXT, offsetof(struct event, event.json)},
    {TC_COLUMN_TEXT, offsetof(struct event, run)},
};
const struct tc_row_type tc_memory_run_event = {sizeof(struct event), sizeof event_columns / sizeof *event_columns,
                                                event_columns};

static struct tc_run_row *run_of(const struct tc_memory *memory, struct tc_str id)
{
    return tc_table_get(&memory->runs, &id);
}

/* Where the run's events from `seq` on begin. */
static size_t find_event(const struct tc_memory *memory, struct tc_str run, int64_t seq)
{
    const struct tc_str key[] = {run, tc_str_n((const char *)&seq, sizeof seq)};

    return tc_table_find(&memory->run_events, key, 2);
}

static enum tc_err create(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row)
{
    struct tc_memory *memory = tc_memory_of(self);
    struct tc_run_row next = *row;

    if (run_of(memory, row->id))
        return tc_fault_exists(cx, "run", row->id);
    next.events = 0;
    return tc_memory_put(cx, &memory->runs, &next);
}

static enum tc_err get(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_run_row *ret_row)
{
    const struct tc_memory *memory = tc_memory_of(self);
    const void *row = run_of(memory, id);

    return row ? tc_memory_get(cx, &memory->runs, row, ret_row) : tc_fault_not_found(cx, "run", id);
}

static bool passes(const struct tc_run_row *row, struct tc_str search, const struct tc_run_filter *filter)
{
    if (!tc_memory_is_or_any(row->agent, filter->agent) || !tc_memory_is_or_any(row->status, filter->status) ||
        !tc_memory_is_or_any(row->tape, filter->tape) || !tc_memory_is_or_any(row->principal_id, filter->principal_id))
        return false;
    return tc_memory_search(row->id, search) || tc_memory_search(row->agent, search) ||
           tc_memory_search(row->model, search);
}

static int by_time(const void *a, const void *b)
{
    const struct tc_run_row *x = *(struct tc_run_row *const *)a, *y = *(struct tc_run_row *const *)b;

    if (x->created_at != y->created_at)
        return x->created_at < y->created_at ? -1 : 1;
    return tc_str_cmp(x->id, y->id);
}

static enum tc_err page(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_run_filter *filter, struct tc_run_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total)
{
    static const char *const sorts[] = {"createdAt"};
    const struct tc_table *runs = &tc_memory_of(self)->runs;
    size_t sort, n = 0;
    void **rows;
    enum tc_err err = tc_fault_page(cx, page, sorts, 1, &sort);

    if (err)
        return err;
    rows = TC_ARENA_NEW_N(cx->arena, void *, runs->n);
    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < runs->n; i++)
        if (passes(runs->rows[i], page->search, filter))
            rows[n++] = runs->rows[i];
    qsort(rows, n, sizeof *rows, by_time);
    err = tc_memory_page(cx, &tc_rows_run, rows, n, page, ret_rows, ret_n);
    if (!err)
        *ret_total = (int64_t)n;
    return err;
}

static int by_agent(const void *a, const void *b)
{
    const struct tc_run_sum_row *x = a, *y = b;

    return tc_str_cmp(x->agent, y->agent);
}

static enum tc_err sum_span(struct tc_cx *cx, const struct tc_table *runs, const struct tc_run_sums_query *query,
                            struct tc_run_sums *ret)
{
    struct tc_run_sum_row *rows = TC_ARENA_NEW_N(cx->arena, struct tc_run_sum_row, runs->n + 1);
    size_t n = 0;

    if (!rows)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < runs->n; i++) {
        const struct tc_run_row *run = runs->rows[i];

        if (run->created_at >= query->from && run->created_at < query->to)
            rows[n++] = (struct tc_run_sum_row){tc_arena_dup(cx->arena, run->agent), run->status, 1};
        if (n && !rows[n - 1].agent.p)
            return tc_fail_memory(cx);
    }
    qsort(rows, n, sizeof *rows, by_agent);
    return tc_run_sum(cx, rows, n, query->limit, ret);
}

static enum tc_err sums(struct tc_cx *cx, struct tc_store *self, const struct tc_run_sums_query *query,
                        struct tc_run_sums *ret_sums)
{
    const struct tc_table *runs = &tc_memory_of(self)->runs;
    const struct tc_run_sums_query before = tc_run_sum_before(query);
    struct tc_run_sums now, previous;
    enum tc_err err = tc_run_sum_check(cx, query);

    if (!err)
        err = sum_span(cx, runs, query, &now);
    if (!err)
        err = sum_span(cx, runs, &before, &previous);
    if (err)
        return err;
    for (size_t i = 0; i < runs->n; i++) {
        const struct tc_run_row *run = runs->rows[i];

        now.live += tc_str_is(run->status, "running") || tc_str_is(run->status, "waiting");
    }
    now.previous = previous.totals;
    *ret_sums = now;
    return TC_OK;
}

static enum tc_err update(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row)
{
    struct tc_memory *memory = tc_memory_of(self);
    const struct tc_run_row *stored = run_of(memory, row->id);
    struct tc_run_row next;

    if (!stored)
        return tc_fault_not_found(cx, "run", row->id);
    next = *stored;
    tc_rows_set(&tc_rows_run_update, &next, row);
    return tc_memory_put(cx, &memory->runs, &next);
}

/* --- steps: what can fail comes before what changes --- */

struct recording {
    struct tc_memory_append events, entries;
    struct tc_run_row *row; /* how it will stand; NULL: as it does */
};

static bool copy_events(struct tc_memory *memory, const struct tc_run_row *run, const struct tc_run_event *events,
                        struct tc_memory_append *ret)
{
    if (!tc_table_reserve(&memory->run_events, ret->n))
        return false;
    for (size_t i = 0; i < ret->n; i++) {
        struct event next = {events[i], run->id};

        next.event.seq = run->events + 1 + (int64_t)i;
        ret->copies[i] = tc_rows_dup(&tc_memory_run_event, &next);
        if (!ret->copies[i])
            return false;
    }
    return true;
}

static enum tc_err prepare_row(struct tc_cx *cx, const struct tc_run_row *stored, const struct tc_run_step *step,
                               struct recording *recording)
{
    struct tc_run_row next = *stored;

    if (!step->row)
        return TC_OK;
    tc_rows_set(&tc_rows_run_update, &next, step->row);
    next.events += (int64_t)step->events_n;
    recording->row = tc_rows_dup(&tc_rows_run, &next);
    return recording->row ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err prepare(struct tc_cx *cx, struct tc_memory *memory, const struct tc_run_step *step,
                           struct recording *recording)
{
    const struct tc_run_row *run = run_of(memory, step->run);
    enum tc_err err = TC_OK;

    if (!run)
        return tc_fault_not_found(cx, "run", step->run);
    recording->events.n = step->events_n;
    recording->events.copies = TC_ARENA_NEW_N(cx->arena, void *, step->events_n);
    if (!recording->events.copies || !copy_events(memory, run, step->events, &recording->events))
        return tc_fail_memory(cx);
    if (step->let_go && !tc_table_get(&memory->tapes, &step->tape))
        err = tc_fault_not_found(cx, "tape", step->tape);
    if (!err)
        err = prepare_row(cx, run, step, recording);
    if (!err && step->entries_n) { /* last: it leaves nothing behind when it fails */
        recording->entries.n = step->entries_n;
        err = tc_memory_tape_prepare(cx, memory, step->tape, step->last, step->entries, &recording->entries);
    }
    return err;
}

static void apply(struct tc_memory *memory, struct tc_run_step *step, const struct recording *recording)
{
    struct tc_run_row *run = run_of(memory, step->run);

    for (size_t i = 0; i < step->events_n; i++) {
        tc_table_put(&memory->run_events, recording->events.copies[i]);
        step->events[i].seq = ++run->events;
    }
    if (step->entries_n)
        tc_memory_tape_add(memory, step->tape, step->entries, &recording->entries);
    if (recording->row)
        tc_table_put(&memory->runs, recording->row);
    if (step->let_go)
        ((struct tc_tape_row *)tc_table_get(&memory->tapes, &step->tape))->run = TC_STR("");
}

static enum tc_err record(struct tc_cx *cx, struct tc_store *self, struct tc_run_step *step)
{
    struct tc_memory *memory = tc_memory_of(self);
    struct recording recording = {0};
    enum tc_err err = prepare(cx, memory, step, &recording);

    if (!err) {
        apply(memory, step, &recording);
        return TC_OK;
    }
    if (recording.events.copies)
        tc_table_drop(recording.events.copies, recording.events.n);
    tc_mem_free(recording.row);
    return err;
}

static enum tc_err events(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t after, int64_t before,
                          int64_t limit, struct tc_run_event **ret_events, size_t *ret_n)
{
    const struct tc_memory *memory = tc_memory_of(self);
    const struct tc_run_row *run = run_of(memory, id);
    int64_t from = after + 1, to;
    enum tc_err err = tc_fault_limit(cx, limit, TC_RUN_EVENTS_MAX);

    if (err)
        return err;
    if (!run)
        return tc_fault_not_found(cx, "run", id);
    to = before && before - 1 < run->events ? before - 1 : run->events;
    if (before && to - from >= limit)
        from = to - limit + 1;
    if (from < 1)
        from = 1;
    if (to - from >= limit)
        to = from + limit - 1;
    if (to < from)
        return tc_table_copy(cx, &tc_rows_run_event, NULL, 0, ret_events, ret_n);
    return tc_table_copy(cx, &tc_rows_run_event, memory->run_events.rows + find_event(memory, id, from),
                         (size_t)(to - from + 1), ret_events, ret_n);
}

static bool is_open(const struct tc_run_row *row)
{
    return tc_str_is(row->status, "running") || tc_str_is(row->status, "waiting");
}

static void free_tapes(struct tc_memory *memory)
{
    for (size_t i = 0; i < memory->tapes.n; i++) {
        struct tc_tape_row *tape = memory->tapes.rows[i];

        tape->run = TC_STR("");
    }
}

static enum tc_err close_open(struct tc_cx *cx, struct tc_store *self, int64_t now, int64_t *ret_n)
{
    struct tc_memory *memory = tc_memory_of(self);
    int64_t n = 0;

    (void)cx;
    for (size_t i = 0; i < memory->runs.n; i++) {
        struct tc_run_row *row = memory->runs.rows[i];

        if (!is_open(row))
            continue;
        row->status = TC_STR("interrupted");
        row->updated_at = row->ended_at = now;
        n++;
    }
    free_tapes(memory);
    *ret_n = n;
    return TC_OK;
}

static enum tc_err prune(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n)
{
    struct tc_memory *memory = tc_memory_of(self);
    int64_t removed = 0;

    (void)cx;
    for (size_t i = memory->runs.n; i-- > 0;) {
        const struct tc_run_row *row = memory->runs.rows[i];

        if (row->ended_at == 0 || row->ended_at >= before)
            continue;
        tc_table_remove(&memory->run_events, find_event(memory, row->id, 1), (size_t)row->events);
        tc_table_remove(&memory->runs, i, 1);
        removed++;
    }
    *ret_n = removed;
    return TC_OK;
}

const struct tc_store_runs_ops tc_memory_runs = {
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
