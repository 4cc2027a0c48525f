/*
 * The one writer of an SQLite store: a thread that owns the connection for
 * writing. Operations are queued; the thread takes what is there into one
 * transaction, commits it, and tells the loop once. So the rows that concurrent
 * operations write share a commit, and nobody blocks the loop.
 *
 * What must be kept but not be waited for is noted: it is in the journal when
 * tc_notes_put returns, and in the database at the next transaction.
 *
 * An operation that fails takes back its own changes only: when it has several
 * statements, or the transaction itself fails, all is rolled back and each of the
 * operations is tried once more alone.
 */
#ifndef TC_STORES_WRITER_H
#define TC_STORES_WRITER_H

#include "io/task.h"
#include "stores/db.h"
#include "stores/notes.h"

struct tc_loop;
struct tc_writer;

/* Work on a connection. cx is the operation's own: its arena is where results
 * go. Does not park and does not touch the loop. May be run a second time. */
typedef enum tc_err tc_op_fn(struct tc_cx *cx, struct tc_db *db, void *arg);

struct tc_op {
    tc_op_fn *fn;
    void *arg;
    bool atomic;           /* one statement, which SQLite takes back by itself */
    bool aside;            /* does not ask for what was noted, which need not be in the database yet */
    struct tc_cx cx;       /* of the operation */
    enum tc_err err;       /* how it ended */
    struct tc_event done;
    struct tc_op *next;
};

struct tc_writer_stats {
    uint64_t operations, commits;
};

/* Puts framed records of the journal into the database, inside a transaction. May be
 * run again after it failed. */
typedef enum tc_err tc_writer_apply_fn(struct tc_cx *cx, struct tc_db *db, struct tc_str records);

struct tc_writer_journal {
    struct tc_journal journal; /* open and empty */
    tc_writer_apply_fn *apply;
};

/* Takes over the open connection and the journal, which are closed also on failure.
 * loop NULL: no thread, operations run where they are asked for. journal NULL: nothing
 * can be noted. */
enum tc_err tc_writer_create(struct tc_cx *cx, struct tc_loop *loop, struct tc_db *db,
                             const struct tc_writer_journal *journal, struct tc_writer **ret_writer);

/* For what is to be noted; NULL when nothing can be. */
struct tc_notes *tc_writer_notes(struct tc_writer *writer);
/* Something noted is not in the database yet; after any operation but one aside all of it
 * is. */
bool tc_writer_behind(const struct tc_writer *writer);

/* Runs the operation and waits for its commit, whatever happens to the task
 * meanwhile; op->err tells. */
PARKS void tc_writer_run(struct tc_cx *cx, struct tc_writer *writer, struct tc_op *op);
/* Ends the thread after what is queued, closes the connection, frees. NULL is
 * fine. */
PARKS void tc_writer_destroy(struct tc_cx *cx, struct tc_writer *writer);
/* From any thread. */
struct tc_writer_stats tc_writer_stats(const struct tc_writer *writer);

#endif
