/*
 * Notes: the records that tasks have for the journal. Those of one turn of the loop
 * are gathered and written with one system call when the turn ends; a task goes on
 * when its record is in the file, so what it does next is never ahead of its record.
 *
 * All of it is the loop's, but for `applied`.
 */
#ifndef TC_STORES_NOTES_H
#define TC_STORES_NOTES_H

#include <stdatomic.h>

#include "io/loop.h"
#include "io/task.h"
#include "stores/journal.h"

struct tc_notes_waiter;

struct tc_notes {
    struct tc_loop *loop;
    struct tc_loop_hook turn;
    struct tc_journal journal;
    atomic_uint_fast64_t applied; /* number of the last record in the database; for any thread */
    struct tc_buf records;        /* of this turn; the last one may still be written */
    size_t begun;                 /* where that one begins */
    struct tc_notes_waiter *first, **last;
    int64_t paused_us; /* until then nothing is noted, since the disk was slow */
    /* Hears of n records, so many bytes, that the journal has now. */
    void (*written)(struct tc_notes *notes, unsigned n, size_t bytes);
};

/* Takes over the open journal. */
void tc_notes_init(struct tc_notes *notes, struct tc_loop *loop, const struct tc_journal *journal,
                   void (*written)(struct tc_notes *notes, unsigned n, size_t bytes));
/* Closes the journal. Nobody waits any more. */
void tc_notes_finish(struct tc_notes *notes);

/* Where the next record is to be appended; tc_notes_put follows, without parking before. */
struct tc_buf *tc_notes_record(struct tc_notes *notes);
/* Waits until that record is in the journal, whatever happens to the task meanwhile.
 * False when it is not: the disk refuses or is slow, or the database lags behind. */
PARKS bool tc_notes_put(struct tc_cx *cx, struct tc_notes *notes);

#endif
