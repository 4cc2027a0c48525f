/*
 * Noting and storing. One step is written at a time: who comes meanwhile waits for it and
 * then writes what is left, so that events keep their order and tasks beside each other
 * share a step.
 */
#include "runtime/run_journal.h"

#include "base/clock.h"

enum { EVENT_MAX = 16 * 1024 * 1024, BATCH_MAX = 256 * 1024 * 1024, PAGE = 200, PAGE_BYTES = 1024 * 1024 * 1024 };

static void batch_init(struct tc_run_batch *batch)
{
    *batch = (struct tc_run_batch){0};
    tc_arena_init(&batch->arena, BATCH_MAX);
}

static void batch_clear(struct tc_run_batch *batch)
{
    tc_arena_finish(&batch->arena);
    batch_init(batch);
}

static bool is_empty(const struct tc_run_batch *batch)
{
    return batch->events_n == 0 && batch->entries_n == 0 && !batch->has_row && !batch->let_go;
}

void tc_run_journal_init(struct tc_run_journal *journal)
{
    batch_init(&journal->noted);
    batch_init(&journal->leaving);
    tc_buf_init(&journal->said.text, TC_RUN_JOURNAL_DELTAS);
}

void tc_run_journal_finish(struct tc_run_journal *journal)
{
    tc_arena_finish(&journal->noted.arena);
    tc_arena_finish(&journal->leaving.arena);
    tc_buf_finish(&journal->said.text);
}

/* --- noting --- */

/* Room for `more` items behind n; NULL without memory. */
static void *room(struct tc_arena *arena, void *items, size_t n, size_t more, size_t *cap, size_t size)
{
    size_t wide = *cap ? *cap : 8;
    void *wider;

    while (wide - n < more)
        wide *= 2;
    if (wide == *cap)
        return items;
    wider = tc_arena_zalloc(arena, wide, size);
    if (!wider)
        return NULL;
    if (n)
        memcpy(wider, items, n * size);
    *cap = wide;
    return wider;
}

/* json is the batch's. */
static enum tc_err note(struct tc_cx *cx, struct tc_run_journal *journal, const char *type, struct tc_str json)
{
    struct tc_run_batch *batch = &journal->noted;
    struct tc_run_event *events =
        json.p ? room(&batch->arena, batch->events, batch->events_n, 1, &batch->events_cap, sizeof *events) : NULL;

    if (!events)
        return tc_fail_memory(cx);
    batch->events = events;
    events[batch->events_n++] = (struct tc_run_event){
        .at = tc_clock_wall_ms(cx->clock),
        .type = tc_str_of(type),
        .invocation = journal->invocation,
        .json = json,
    };
    if (strcmp(type, "text") == 0)
        batch->told_turn = journal->turn;
    return TC_OK;
}

void tc_run_draft_begin(struct tc_run_draft *draft)
{
    tc_buf_init(&draft->buf, EVENT_MAX);
    tc_jsonw_init(&draft->w, &draft->buf);
    tc_jsonw_object(&draft->w);
}

enum tc_err tc_run_draft_end(struct tc_cx *cx, struct tc_run_journal *journal, const char *type,
                             struct tc_run_draft *draft)
{
    struct tc_str json;

    tc_jsonw_end(&draft->w);
    json = tc_buf_dup(&draft->buf, &journal->noted.arena);
    tc_buf_finish(&draft->buf);
    return note(cx, journal, type, json);
}

enum tc_err tc_run_journal_note(struct tc_cx *cx, struct tc_run_journal *journal, const char *type, struct tc_str json)
{
    return note(cx, journal, type, json.p ? tc_arena_dup(&journal->noted.arena, json) : json);
}

enum tc_err tc_run_journal_keep(struct tc_cx *cx, struct tc_run_journal *journal, const struct tc_tape_write *writes,
                                size_t n)
{
    struct tc_run_batch *batch = &journal->noted;
    struct tc_tape_entry *entries =
        room(&batch->arena, batch->entries, batch->entries_n, n, &batch->entries_cap, sizeof *entries);
    int64_t now = tc_clock_wall_ms(cx->clock), last = journal->tape->last;
    enum tc_err e;

    if (!entries)
        return tc_fail_memory(cx);
    batch->entries = entries;
    entries += batch->entries_n;
    for (size_t i = 0; i < n; i++) {
        entries[i] = (struct tc_tape_entry){
            .at = now,
            .kind = tc_str_of(tc_tape_kind_name(writes[i].kind)),
            .run = journal->run,
            .json = tc_arena_dup(&batch->arena, writes[i].json),
        };
        if (!entries[i].json.p)
            return tc_fail_memory(cx);
    }
    e = tc_tape_take(cx, journal->tape, entries, n);
    if (e)
        return e;
    if (batch->entries_n == 0)
        batch->last = last;
    batch->entries_n += n;
    return TC_OK;
}

void tc_run_journal_row(struct tc_run_journal *journal, const struct tc_run_row *row)
{
    journal->noted.row = *row;
    journal->noted.has_row = true;
}

void tc_run_journal_let_go(struct tc_run_journal *journal)
{
    journal->noted.let_go = true;
}

/* --- storing --- */

static void tell(struct tc_run_journal *journal)
{
    for (struct tc_run_watch *watch = journal->watches; watch; watch = watch->next)
        tc_event_set(&watch->wake);
}

static enum tc_err store(struct tc_cx *cx, struct tc_run_journal *journal, struct tc_run_batch *batch)
{
    struct tc_run_step step = {
        .run = journal->run,
        .row = batch->has_row ? &batch->row : NULL,
        .events = batch->events,
        .events_n = batch->events_n,
        .last = batch->last,
        .entries = batch->entries,
        .entries_n = batch->entries_n,
        .let_go = batch->let_go,
    };
    enum tc_err e;

    if (is_empty(batch))
        return TC_OK;
    if (journal->tape)
        step.tape = journal->tape->id;
    e = journal->store->runs->record(cx, journal->store, &step);
    if (e)
        return e;
    if (batch->events_n)
        journal->last = batch->events[batch->events_n - 1].seq;
    if (batch->has_row)
        tc_pulse_beat(journal->pulse, TC_PULSE_RUNS);
    if (batch->told_turn)
        journal->told_turn = batch->told_turn;
    batch_clear(batch);
    tell(journal);
    return TC_OK;
}

/* Until nobody else writes. */
static void await_turn(struct tc_cx *cx, struct tc_run_journal *journal)
{
    tc_task_shield(cx);
    while (journal->writing)
        tc_task_wait(cx, &journal->written, -1);
    tc_task_unshield(cx);
}

enum tc_err tc_run_journal_flush(struct tc_cx *cx, struct tc_run_journal *journal)
{
    enum tc_err e;

    await_turn(cx, journal);
    journal->writing = true;
    tc_event_clear(&journal->written);
    e = store(cx, journal, &journal->leaving);
    if (!e && !is_empty(&journal->noted)) {
        journal->leaving = journal->noted;
        batch_init(&journal->noted);
        e = store(cx, journal, &journal->leaving);
    }
    journal->writing = false;
    tc_event_set(&journal->written);
    return e;
}

enum tc_err tc_run_journal_add(struct tc_cx *cx, struct tc_run_journal *journal, const char *type, struct tc_str json)
{
    enum tc_err e = tc_run_journal_note(cx, journal, type, json);

    return e ? e : tc_run_journal_flush(cx, journal);
}

void tc_run_journal_drop(struct tc_run_journal *journal)
{
    batch_clear(&journal->noted);
    batch_clear(&journal->leaving);
}

/* --- text on its way --- */

/* A text that has lost a piece has lost what follows too: nobody hears it with a gap. */
static void gather(struct tc_run_deltas *deltas, int64_t turn, struct tc_str text)
{
    if (deltas->turn != turn) {
        tc_buf_clear(&deltas->text);
        deltas->lost = false;
    }
    deltas->turn = turn;
    if (!deltas->lost && text.n <= TC_RUN_JOURNAL_DELTAS - deltas->text.n)
        tc_buf_str(&deltas->text, text);
    else
        deltas->lost = true;
    deltas->lost |= deltas->text.failed;
}

static void forget(struct tc_run_deltas *deltas)
{
    tc_buf_clear(&deltas->text);
    deltas->lost = false;
}

void tc_run_journal_delta(struct tc_run_journal *journal, struct tc_str text)
{
    gather(&journal->said, journal->turn, text);
    for (struct tc_run_watch *watch = journal->watches; watch; watch = watch->next) {
        gather(&watch->deltas, journal->turn, text);
        tc_event_set(&watch->wake);
    }
}

void tc_run_journal_void(struct tc_run_journal *journal)
{
    forget(&journal->said);
    for (struct tc_run_watch *watch = journal->watches; watch; watch = watch->next)
        forget(&watch->deltas);
}

void tc_run_journal_end(struct tc_run_journal *journal)
{
    journal->ended = true;
    tell(journal);
}

/* --- reading back --- */

static enum tc_err read_page(struct tc_cx *cx, struct tc_store *store, struct tc_str run, int64_t *after,
                             struct tc_run_event **ret_events, size_t *ret_n)
{
    enum tc_err e = store->runs->events(cx, store, run, *after, 0, PAGE, ret_events, ret_n);

    if (!e && *ret_n)
        *after = (*ret_events)[*ret_n - 1].seq;
    return e;
}

enum tc_err tc_run_journal_each(struct tc_cx *cx, struct tc_store *store, struct tc_str run, tc_run_journal_fn *fn,
                                void *arg)
{
    int64_t after = 0;
    size_t n = 1;
    enum tc_err e = TC_OK;

    while (!e && n > 0) {
        struct tc_arena arena;
        struct tc_cx page = {.arena = &arena, .clock = cx->clock, .task = cx->task};
        struct tc_run_event *events;
        tc_arena_init(&arena, PAGE_BYTES);
        e = read_page(&page, store, run, &after, &events, &n);
        for (size_t i = 0; !e && i < n; i++)
            e = fn(&page, arg, &events[i]);
        if (e)
            tc_fail_from(cx, &page);
        tc_arena_finish(&arena);
    }
    return e;
}
