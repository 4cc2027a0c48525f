/*
 * Watching a run: what is stored is read from the store; what a watcher is told is only
 * that there is more. Deltas of text are handed on in memory.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "runtime/run_journal.h"
#include "runtime/runs.h"

enum { PAGE = 200 };

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
