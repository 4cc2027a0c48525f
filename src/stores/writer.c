/*
 * The queue, the thread and its transactions. Only the queue, how far the journal goes
 * and the flags beside them are shared, under `lock`; an operation belongs to the
 * thread from its queueing until the loop has been told. What the tasks of one turn
 * of the loop want to write is queued when the turn ends: the larger the batch, the
 * fewer pages a call.
 *
 * Records of the journal go first in a transaction, so an operation finds in the database
 * whatever was noted before it was asked for. Operations aside do without: the records
 * wait until they are many, or have waited long enough, as they do without operations.
 */
#include "stores/writer.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "stores/query.h"

/* Folding the log in takes tens of milliseconds, most of them for the disk. Every 4000
 * pages (32 MiB) it meets one call in hundreds, in sequence as well as in parallel. */
enum { BATCH_MAX = 256, LOG_PAGES = 4000 };

/* Records wait for each other this long, or until they are this many bytes: what a
 * call noted at its start and at its end becomes one row. More at a time are moved with
 * less work, but keep a processor for so long that calls wait for it. */
enum { GATHER_MS = 50, GATHER_BYTES = 128 * 1024 };

enum { MOVING_MAX = 256 * 1024 }; /* of the records in memory; a transaction takes many such pieces */

enum { RETRY_MS = 100, TROUBLE_MAX = 256 }; /* after records could not be moved into the database */

struct tc_writer {
    struct tc_db db;
    int log_pages; /* of the write-ahead log after the last commit */
    struct tc_loop *loop;
    struct tc_loop_hook turn;
    struct tc_op *turn_first, **turn_last; /* asked for in this turn; the loop's */
    bool has_journal;
    struct tc_notes notes;       /* the loop's */
    tc_writer_apply_fn *apply;
    struct tc_arena arena;       /* of the thread, for one batch */
    struct tc_buf moving;        /* of the thread: a piece of the journal */
    struct tc_journal_place place; /* up to there it is in the database */
    struct tc_journal_part parts[TC_JOURNAL_FILES]; /* of the journal, and its last record, when the */
    uint64_t last_noted;                            /* thread last looked */
    int64_t retry_ms;            /* no try to move them earlier; operations fail as they did */
    enum tc_err trouble;
    char trouble_text[TROUBLE_MAX];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct tc_op *first, **last; /* queued */
    struct tc_journal_part noted[TC_JOURNAL_FILES]; /* of the journal, as far as records were noted */
    uint64_t noted_last;
    size_t waiting;              /* bytes noted since the thread last looked */
    int64_t waiting_since_ms;
    bool closing;
    atomic_uint_fast64_t operations, commits;
    struct tc_event ended;
};

static enum tc_err simple(struct tc_cx *cx, struct tc_db *db, const char *sql)
{
    struct tc_query query;

    tc_query_start(&query, cx, db, sql);
    return tc_query_run(&query, NULL);
}

static bool in_transaction(struct tc_writer *writer)
{
    return sqlite3_get_autocommit(writer->db.handle) == 0;
}

static const char sql_begin[] = "BEGIN IMMEDIATE";
static const char sql_commit[] = "COMMIT";
static const char sql_rollback[] = "ROLLBACK";

/* Leaves no transaction open; what it could fail with is known already. */
static void roll_back(struct tc_writer *writer, struct tc_cx *cx)
{
    struct tc_error kept = cx->err;

    if (in_transaction(writer))
        simple(cx, &writer->db, sql_rollback);
    cx->err = kept;
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* False when the transaction is of no use any more: it is lost, or has a part of
 * an operation that failed. A savepoint for each would take that part back, but
 * costs a fifth of SQLite's instructions so that the rare failure is cheaper. */
static bool run_inside(struct tc_writer *writer, struct tc_op *op)
{
    op->err = op->fn(&op->cx, &writer->db, op->arg);
    return in_transaction(writer) && (op->atomic || !op->err);
}

static void fail_all(struct tc_op *op, const struct tc_error *error)
{
    for (; op; op = op->next) {
        op->err = error->code;
        op->cx.err = *error;
        /* The words live in the arena of one operation; the others copy them. */
        op->cx.err.message = tc_arena_dup(op->cx.arena, error->message);
        op->cx.err.hint = tc_arena_dup(op->cx.arena, error->hint);
    }
}

/* The thread knows of records that are not in the database. */
static bool is_behind(const struct tc_writer *writer)
{
    return writer->place.next <= writer->last_noted;
}

/* What was noted goes in before any operation. */
static enum tc_err move_records(struct tc_writer *writer, struct tc_cx *cx, struct tc_journal_place *place)
{
    static const char sql[] = "UPDATE journal SET applied = ?";
    struct tc_query query;
    enum tc_err err = TC_OK;

    if (!is_behind(writer))
        return TC_OK;
    while (!err && place->next <= writer->last_noted) {
        tc_arena_reset(cx->arena);
        tc_buf_clear(&writer->moving);
        err = tc_journal_fetch(cx, writer->notes.journal.fds, writer->parts, place, &writer->moving);
        if (!err)
            err = writer->apply(cx, &writer->db, tc_buf_get(&writer->moving));
    }
    if (err)
        return err;
    tc_query_start(&query, cx, &writer->db, sql);
    tc_query_int(&query, (int64_t)place->next - 1);
    return tc_query_run(&query, NULL);
}

/* Records that cannot be moved are not tried with each operation: that would be
 * most of the work on the day on which the disk is full. */
static void set_trouble(struct tc_writer *writer, const struct tc_error *error)
{
    if (!is_behind(writer))
        return;
    writer->retry_ms = now_ms() + RETRY_MS;
    writer->trouble = error->code;
    snprintf(writer->trouble_text, sizeof writer->trouble_text, "%.*s", TC_STR_ARG(error->message));
}

static enum tc_err begin_batch(struct tc_writer *writer, struct tc_cx *cx, struct tc_journal_place *place)
{
    enum tc_err err;

    if (writer->retry_ms && now_ms() < writer->retry_ms)
        return tc_fail(cx, writer->trouble, "%s", writer->trouble_text);
    err = simple(cx, &writer->db, sql_begin);
    if (!err)
        err = move_records(writer, cx, place);
    if (err) {
        set_trouble(writer, &cx->err);
        roll_back(writer, cx);
    }
    return err;
}

static void on_committed(struct tc_writer *writer, const struct tc_journal_place *place)
{
    atomic_fetch_add_explicit(&writer->commits, 1, memory_order_relaxed);
    writer->retry_ms = 0;
    writer->place = *place;
    atomic_store_explicit(&writer->notes.applied, place->next - 1, memory_order_release);
}

/* One transaction over the records and the list. False when it was lost: nothing is
 * committed and the operations may be tried again. */
static bool run_together(struct tc_writer *writer, struct tc_op *ops)
{
    struct tc_journal_place place = writer->place;
    struct tc_cx cx = {.arena = &writer->arena};

    tc_arena_reset(&writer->arena);
    if (begin_batch(writer, &cx, &place)) {
        fail_all(ops, &cx.err);
        return true;
    }
    for (struct tc_op *op = ops; op; op = op->next) {
        if (!run_inside(writer, op)) {
            roll_back(writer, &op->cx);
            return false;
        }
    }
    if (simple(&cx, &writer->db, sql_commit)) {
        roll_back(writer, &cx);
        set_trouble(writer, &cx.err);
        if (ops && !ops->err)
            fail_all(ops, &cx.err);
        return false;
    }
    on_committed(writer, &place);
    return true;
}

static void start_again(struct tc_op *op)
{
    tc_arena_reset(op->cx.arena);
    tc_fail_clear(&op->cx);
    op->err = TC_OK;
}

static void run_batch(struct tc_writer *writer, struct tc_op *ops)
{
    uint64_t n = 0;

    for (struct tc_op *op = ops; op; op = op->next)
        n++;
    atomic_fetch_add_explicit(&writer->operations, n, memory_order_relaxed);
    if (run_together(writer, ops) || n <= 1)
        return;
    writer->retry_ms = 0;
    for (struct tc_op *op = ops, *next; op; op = next) {
        next = op->next;
        op->next = NULL;
        start_again(op);
        run_together(writer, op);
        op->next = next;
    }
}

static int on_commit(void *arg, sqlite3 *handle, const char *name, int pages)
{
    struct tc_writer *writer = arg;

    (void)handle, (void)name;
    writer->log_pages = pages;
    return SQLITE_OK;
}

/* Moves the log into the file when it is long, which syncs both: not before those
 * have been told whose rows are committed. What fails here is tried after the next
 * commit. */
static void fold_log(struct tc_writer *writer)
{
    if (writer->log_pages < LOG_PAGES)
        return;
    writer->log_pages = 0;
    sqlite3_wal_checkpoint_v2(writer->db.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

/* When the records that wait, or that could not be moved yet, are to be moved. */
static int64_t due_ms(const struct tc_writer *writer)
{
    if (writer->retry_ms)
        return writer->retry_ms;
    if (writer->waiting == 0)
        return INT64_MAX;
    return writer->waiting >= GATHER_BYTES ? 0 : writer->waiting_since_ms + GATHER_MS;
}

/* Until there is something to do. */
static void await_work(struct tc_writer *writer)
{
    while (!writer->first && !writer->closing) {
        int64_t due = due_ms(writer);
        struct timespec until = {.tv_sec = due / 1000, .tv_nsec = due % 1000 * 1000000};

        if (due == INT64_MAX)
            pthread_cond_wait(&writer->filled, &writer->lock);
        else if (due <= now_ms() || pthread_cond_timedwait(&writer->filled, &writer->lock, &until) == ETIMEDOUT)
            return;
    }
}

static void look_at_journal(struct tc_writer *writer)
{
    memcpy(writer->parts, writer->noted, sizeof writer->parts);
    writer->last_noted = writer->noted_last;
    writer->waiting = 0;
}

/* Whether there are operations, and all of them are aside. */
static bool are_aside(const struct tc_op *op)
{
    bool any = op != NULL;

    while (op && op->aside)
        op = op->next;
    return any && !op;
}

/* The next operations, at most BATCH_MAX, or none when there are only records. False
 * when closing and nothing is left, or nothing that can be moved now. */
static bool take_work(struct tc_writer *writer, struct tc_op **ret_ops)
{
    struct tc_op **last = ret_ops;
    bool any;

    pthread_mutex_lock(&writer->lock);
    await_work(writer);
    *ret_ops = writer->first;
    for (int n = 0; *last && n < BATCH_MAX; n++)
        last = &(*last)->next;
    writer->first = *last;
    if (!writer->first)
        writer->last = &writer->first;
    *last = NULL;
    if (!are_aside(*ret_ops) || due_ms(writer) <= now_ms())
        look_at_journal(writer);
    any = *ret_ops || !writer->closing || (is_behind(writer) && writer->retry_ms <= now_ms());
    pthread_mutex_unlock(&writer->lock);
    return any;
}

static void wake_batch(void *arg)
{
    /* A woken task may end and take its operation with it. */
    for (struct tc_op *op = arg, *next; op; op = next) {
        next = op->next;
        tc_event_set(&op->done);
    }
}

static void wake_owner(void *arg)
{
    struct tc_writer *writer = arg;

    tc_event_set(&writer->ended);
}

/* Tasks wait for this word and nothing else will wake them: without memory it
 * is said again. */
static void tell_loop(struct tc_writer *writer, void (*fn)(void *), void *arg)
{
    while (!tc_loop_post(writer->loop, fn, arg))
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *run_thread(void *arg)
{
    struct tc_writer *writer = arg;
    struct tc_op *ops;

    while (take_work(writer, &ops)) {
        run_batch(writer, ops);
        if (ops)
            tell_loop(writer, wake_batch, ops);
        fold_log(writer);
    }
    tc_db_close(&writer->db);
    tell_loop(writer, wake_owner, writer);
    return NULL;
}

static void end_turn(struct tc_loop_hook *hook)
{
    struct tc_writer *writer = (struct tc_writer *)((char *)hook - offsetof(struct tc_writer, turn));

    pthread_mutex_lock(&writer->lock);
    *writer->last = writer->turn_first;
    writer->last = writer->turn_last;
    pthread_mutex_unlock(&writer->lock);
    pthread_cond_signal(&writer->filled);
    writer->turn_first = NULL;
    writer->turn_last = &writer->turn_first;
}

/* --- notes --- */

/* Tells the thread how far the journal goes. */
static void hand_over(struct tc_notes *notes, unsigned n, size_t bytes)
{
    struct tc_writer *writer = (struct tc_writer *)((char *)notes - offsetof(struct tc_writer, notes));
    size_t before, after;

    pthread_mutex_lock(&writer->lock);
    memcpy(writer->noted, notes->journal.parts, sizeof writer->noted);
    writer->noted_last = notes->journal.last;
    before = writer->waiting;
    after = writer->waiting += bytes;
    if (before == 0)
        writer->waiting_since_ms = now_ms();
    pthread_mutex_unlock(&writer->lock);
    if (before == 0 || (before < GATHER_BYTES && after >= GATHER_BYTES))
        pthread_cond_signal(&writer->filled);
    atomic_fetch_add_explicit(&writer->operations, n, memory_order_relaxed);
}

struct tc_notes *tc_writer_notes(struct tc_writer *writer)
{
    return writer->has_journal ? &writer->notes : NULL;
}

bool tc_writer_behind(const struct tc_writer *writer)
{
    return writer->has_journal &&
           writer->notes.journal.last > atomic_load_explicit(&writer->notes.applied, memory_order_acquire);
}

/* --- life --- */

/* Signals are for the main thread. */
static int start_thread(struct tc_writer *writer)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rc = pthread_create(&writer->thread, NULL, run_thread, writer);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc;
}

static void free_writer(struct tc_writer *writer)
{
    if (writer->has_journal)
        tc_notes_finish(&writer->notes);
    tc_buf_finish(&writer->moving);
    tc_arena_finish(&writer->arena);
    pthread_cond_destroy(&writer->filled);
    pthread_mutex_destroy(&writer->lock);
    tc_mem_free(writer);
}

static struct tc_writer *make(struct tc_loop *loop, struct tc_db *db, const struct tc_writer_journal *journal)
{
    struct tc_writer *writer = tc_mem_zalloc(1, sizeof *writer);
    pthread_condattr_t attributes;

    if (!writer)
        return NULL;
    writer->loop = loop;
    writer->last = &writer->first;
    writer->turn.fn = end_turn;
    writer->turn_last = &writer->turn_first;
    tc_arena_init(&writer->arena, 0);
    tc_buf_init(&writer->moving, MOVING_MAX);
    pthread_mutex_init(&writer->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&writer->filled, &attributes);
    pthread_condattr_destroy(&attributes);
    writer->db = *db;
    writer->place.next = 1;
    if (journal) {
        writer->has_journal = true;
        tc_notes_init(&writer->notes, loop, &journal->journal, hand_over);
        writer->apply = journal->apply;
        writer->last_noted = writer->noted_last = journal->journal.last;
        writer->place.next = journal->journal.last + 1;
    }
    sqlite3_wal_hook(writer->db.handle, on_commit, writer);
    return writer;
}

enum tc_err tc_writer_create(struct tc_cx *cx, struct tc_loop *loop, struct tc_db *db,
                             const struct tc_writer_journal *journal, struct tc_writer **ret_writer)
{
    struct tc_writer *writer = make(loop, db, journal);
    int rc = writer && loop ? start_thread(writer) : 0;

    if (writer && rc == 0) {
        *ret_writer = writer;
        return TC_OK;
    }
    tc_db_close(writer ? &writer->db : db);
    if (writer)
        free_writer(writer);
    else if (journal)
        tc_journal_close(&(struct tc_journal){.fds = {journal->journal.fds[0], journal->journal.fds[1]}});
    return rc ? tc_fail(cx, TC_E_STORE_FAILED, "The store's writing thread cannot be started: %s.", strerror(rc))
              : tc_fail_memory(cx);
}

static void wait_for(struct tc_cx *cx, struct tc_event *event)
{
    tc_task_shield(cx);
    while (!event->set)
        tc_task_wait(cx, event, -1);
    tc_task_unshield(cx);
}

void tc_writer_run(struct tc_cx *cx, struct tc_writer *writer, struct tc_op *op)
{
    if (!writer->loop) {
        run_batch(writer, op);
        fold_log(writer);
        return;
    }
    *writer->turn_last = op;
    writer->turn_last = &op->next;
    tc_loop_after_turn(writer->loop, &writer->turn);
    wait_for(cx, &op->done);
}

void tc_writer_destroy(struct tc_cx *cx, struct tc_writer *writer)
{
    if (!writer)
        return;
    if (writer->loop) {
        pthread_mutex_lock(&writer->lock);
        writer->closing = true;
        pthread_mutex_unlock(&writer->lock);
        pthread_cond_signal(&writer->filled);
        wait_for(cx, &writer->ended);
        pthread_join(writer->thread, NULL);
    } else {
        tc_db_close(&writer->db);
    }
    if (writer->has_journal && !tc_writer_behind(writer))
        tc_journal_clear(&writer->notes.journal, writer->notes.journal.last);
    free_writer(writer);
}

struct tc_writer_stats tc_writer_stats(const struct tc_writer *writer)
{
    return (struct tc_writer_stats){
        .operations = atomic_load_explicit(&writer->operations, memory_order_relaxed),
        .commits = atomic_load_explicit(&writer->commits, memory_order_relaxed),
    };
}
