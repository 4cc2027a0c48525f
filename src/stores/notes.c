/*
 * One buffer with the records of the turn, framed, and a list of the tasks that wait
 * for them, in the same order. They share their fate: a write is whole or counts for
 * none of them.
 */
#include "stores/notes.h"

#include "base/clock.h"

enum { RECORDS_MAX = 256 * 1024, WRITE_BYTES = 128 * 1024 /* with more of them the turn is not waited for */ };

/* A write that takes longer shows a disk that lets writers wait: the loop leaves all
 * to the thread for a while. */
enum { SLOW_US = 20 * 1000, SLOW_PAUSE_US = 2 * 1000 * 1000 };

struct tc_notes_waiter {
    struct tc_notes_waiter *next;
    const struct tc_clock *clock;
    struct tc_event done;
    bool written;
};

/* Somebody waits. */
static void write_turn(struct tc_notes *notes)
{
    struct tc_notes_waiter *first = notes->first;
    const struct tc_clock *clock = first->clock;
    int64_t start = tc_clock_mono_us(clock), now;
    bool written = tc_journal_append(&notes->journal, &notes->records,
                                     atomic_load_explicit(&notes->applied, memory_order_acquire));
    unsigned n = 0;

    for (struct tc_notes_waiter *waiter = first; waiter; waiter = waiter->next, n++)
        waiter->written = written;
    if (written)
        notes->written(notes, n, notes->records.n);
    now = tc_clock_mono_us(clock);
    if (now - start > SLOW_US)
        notes->paused_us = now + SLOW_PAUSE_US;
    tc_buf_clear(&notes->records);
    notes->first = NULL;
    notes->last = &notes->first;
    for (struct tc_notes_waiter *waiter = first; waiter; waiter = waiter->next)
        tc_event_set(&waiter->done); /* its task runs later: it is still there */
}

static void end_turn(struct tc_loop_hook *hook)
{
    struct tc_notes *notes = (struct tc_notes *)((char *)hook - offsetof(struct tc_notes, turn));

    if (notes->first)
        write_turn(notes);
}

void tc_notes_init(struct tc_notes *notes, struct tc_loop *loop, const struct tc_journal *journal,
                   void (*written)(struct tc_notes *notes, unsigned n, size_t bytes))
{
    *notes = (struct tc_notes){
        .loop = loop,
        .turn.fn = end_turn,
        .journal = *journal,
        .applied = journal->last,
        .written = written,
    };
    notes->last = &notes->first;
    tc_buf_init(&notes->records, RECORDS_MAX);
}

void tc_notes_finish(struct tc_notes *notes)
{
    tc_journal_close(&notes->journal);
    tc_buf_finish(&notes->records);
}

struct tc_buf *tc_notes_record(struct tc_notes *notes)
{
    if (notes->records.n > WRITE_BYTES)
        write_turn(notes);
    notes->begun = tc_journal_begin(&notes->records);
    return &notes->records;
}

bool tc_notes_put(struct tc_cx *cx, struct tc_notes *notes)
{
    struct tc_notes_waiter waiter = {.clock = cx->clock};

    if (notes->paused_us && !notes->first && tc_clock_mono_us(cx->clock) < notes->paused_us) {
        tc_buf_clear(&notes->records);
        return false;
    }
    tc_journal_end(&notes->records, notes->begun);
    *notes->last = &waiter;
    notes->last = &waiter.next;
    tc_loop_after_turn(notes->loop, &notes->turn);
    tc_task_shield(cx);
    while (!waiter.done.set)
        tc_task_wait(cx, &waiter.done, -1);
    tc_task_unshield(cx);
    return waiter.written;
}
