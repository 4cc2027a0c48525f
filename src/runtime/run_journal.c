/*
 * Storing, telling, and reading on. A watcher reads what is stored from the store; what
 * it is told is only that there is more.
 */
#include "runtime/run_journal.h"

#include "base/clock.h"
#include "base/mem.h"
#include "runtime/runs.h"

enum { PAGE = 200, EVENT_MAX = 16 * 1024 * 1024 };

/* --- writing --- */

void tc_run_draft_begin(struct tc_run_draft *draft)
{
    tc_buf_init(&draft->buf, EVENT_MAX);
    tc_jsonw_init(&draft->w, &draft->buf);
    tc_jsonw_object(&draft->w);
}

static enum tc_err note(struct tc_cx *cx, struct tc_run_journal *journal, const char *type, struct tc_str json)
{
    if (journal->waiting_n == TC_RUN_JOURNAL_WAITING) {
        enum tc_err e = tc_run_journal_flush(cx, journal);
        if (e)
            return e;
    }
    journal->waiting[journal->waiting_n++] = (struct tc_run_event){
        .at = tc_clock_wall_ms(cx->clock),
        .type = tc_str_of(type),
        .invocation = journal->invocation,
        .json = json,
    };
    return TC_OK;
}

enum tc_err tc_run_draft_end(struct tc_cx *cx, struct tc_run_journal *journal, const char *type,
                             struct tc_run_draft *draft)
{
    struct tc_str json;

    tc_jsonw_end(&draft->w);
    json = tc_buf_dup(&draft->buf, cx->arena);
    tc_buf_finish(&draft->buf);
    return json.p ? note(cx, journal, type, json) : tc_fail_memory(cx);
}

static void tell(struct tc_run_journal *journal)
{
    for (struct tc_run_watch *watch = journal->watches; watch; watch = watch->next)
        tc_event_set(&watch->wake);
}

enum tc_err tc_run_journal_flush(struct tc_cx *cx, struct tc_run_journal *journal)
{
    struct tc_run_event events[TC_RUN_JOURNAL_WAITING];
    size_t n = journal->waiting_n;
    enum tc_err e;

    if (n == 0)
        return TC_OK;
    memcpy(events, journal->waiting, n * sizeof *events); /* another task may note more meanwhile */
    journal->waiting_n = 0;
    e = journal->store->runs->append(cx, journal->store, journal->run, events, n);
    if (e)
        return e;
    if (events[n - 1].seq > journal->last)
        journal->last = events[n - 1].seq;
    for (size_t i = 0; i < n; i++)
        if (tc_str_is(events[i].type, "text"))
            journal->told_turn = journal->turn;
    tell(journal);
    return TC_OK;
}

enum tc_err tc_run_journal_add(struct tc_cx *cx, struct tc_run_journal *journal, const char *type, struct tc_str json)
{
    enum tc_err e = json.p ? note(cx, journal, type, json) : tc_fail_memory(cx);

    return e ? e : tc_run_journal_flush(cx, journal);
}

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

void tc_run_journal_finish(struct tc_run_journal *journal)
{
    tc_buf_finish(&journal->said.text);
}

void tc_run_journal_end(struct tc_run_journal *journal)
{
    journal->ended = true;
    tell(journal);
}

/* --- watching --- */

void tc_run_journal_watch(struct tc_run_journal *journal, struct tc_run_watch *watch)
{
    watch->journal = journal;
    watch->next = journal->watches;
    journal->watches = watch;
    watch->deltas.turn = journal->said.turn;
    watch->deltas.lost = journal->said.lost;
    if (!journal->said.lost)
        tc_buf_str(&watch->deltas.text, tc_buf_get(&journal->said.text));
}

void tc_run_watch_close(struct tc_run_watch *watch)
{
    if (!watch)
        return;
    if (watch->journal)
        for (struct tc_run_watch **at = &watch->journal->watches; *at; at = &(*at)->next)
            if (*at == watch) {
                *at = watch->next;
                break;
            }
    tc_buf_finish(&watch->deltas.text);
    if (watch->release)
        watch->release(watch->arg);
    tc_arena_finish(&watch->arena);
    tc_mem_free(watch);
}

/* The deltas so far as one event without a number. */
static enum tc_err take_deltas(struct tc_cx *cx, struct tc_run_watch *watch, struct tc_run_event **ret_events,
                               size_t *ret_n)
{
    struct tc_run_event *event = TC_ARENA_NEW(cx->arena, struct tc_run_event);
    struct tc_run_draft draft;

    tc_run_draft_begin(&draft);
    tc_jsonw_kstr(&draft.w, "text", tc_buf_get(&watch->deltas.text));
    tc_jsonw_end(&draft.w);
    tc_buf_clear(&watch->deltas.text);
    if (event)
        *event = (struct tc_run_event){
            .at = tc_clock_wall_ms(cx->clock),
            .type = TC_STR("text_delta"),
            .invocation = TC_STR(""),
            .json = tc_buf_dup(&draft.buf, cx->arena),
        };
    tc_buf_finish(&draft.buf);
    if (!event || !event->json.p)
        return tc_fail_memory(cx);
    *ret_events = event;
    *ret_n = 1;
    return TC_OK;
}

static bool has_deltas(const struct tc_run_watch *watch)
{
    return watch->deltas.text.n && watch->journal && watch->deltas.turn > watch->journal->told_turn;
}

/* What is stored and was told: an event that is just being stored comes with its turn's
 * text ended, or its deltas would be heard after it. */
static enum tc_err read_stored(struct tc_cx *cx, struct tc_run_watch *watch, struct tc_run_event **ret_events,
                               size_t *ret_n)
{
    enum tc_err e =
        watch->store->runs->events(cx, watch->store, watch->id, watch->after, 0, PAGE, ret_events, ret_n);

    if (e)
        return e;
    while (*ret_n && watch->journal && (*ret_events)[*ret_n - 1].seq > watch->journal->last)
        --*ret_n;
    if (*ret_n)
        watch->after = (*ret_events)[*ret_n - 1].seq;
    return TC_OK;
}

enum tc_err tc_run_watch_next(struct tc_cx *cx, struct tc_run_watch *watch, int64_t timeout_ms,
                              struct tc_run_event **ret_events, size_t *ret_n)
{
    for (;;) {
        bool ended = !watch->journal || watch->journal->ended;
        enum tc_err e;

        tc_event_clear(&watch->wake);
        if (!watch->journal || watch->after < watch->journal->last) {
            e = read_stored(cx, watch, ret_events, ret_n);
            if (e || *ret_n)
                return e;
        }
        if (has_deltas(watch))
            return take_deltas(cx, watch, ret_events, ret_n);
        if (ended) {
            *ret_n = 0;
            return TC_OK;
        }
        e = tc_task_wait(cx, &watch->wake, timeout_ms);
        if (e)
            return e;
    }
}
