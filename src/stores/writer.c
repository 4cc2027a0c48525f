/*
 * The queue, the thread and its transactions. Only the queue and the flags behind it
 * are shared, under `lock`; an operation belongs to the thread from its queueing
 * until the loop has been told. What the tasks of one turn of the loop want to
 * write is queued when the turn ends: the larger the batch, the fewer pages a
 * call.
 *
 * The connection is the thread's while `working` is set, else the loop's, which
 * never waits for it: what is alone and quick it commits itself.
 */
#include "stores/writer.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "stores/query.h"

/* Folding the log in takes tens of milliseconds, most of them for the disk. Every 8000
 * pages (32 MiB) it meets one call in hundreds, in sequence as well as in parallel. */
enum { BATCH_MAX = 256, LOG_PAGES = 8000 };

/* A commit on the loop that takes longer shows a disk that lets writers wait: all
 * is left to the thread for a while. */
enum { SLOW_US = 3000, SLOW_PAUSE_US = 10 * 1000 * 1000 };

struct tc_writer {
    struct tc_db db;
    int log_pages; /* of the write-ahead log after the last commit */
    struct tc_loop *loop;
    struct tc_loop_hook turn;
    struct tc_op *turn_first, **turn_last; /* asked for in this turn; the loop's */
    bool lone_here;      /* the loop may commit a lone operation */
    int64_t not_here_us; /* until then it leaves them to the thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct tc_op *first, **last; /* queued */
    bool closing, working;
    bool fold; /* the log is long */
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
static void roll_back(struct tc_writer *writer, struct tc_op *op)
{
    struct tc_error kept = op->cx.err;

    if (in_transaction(writer))
        simple(&op->cx, &writer->db, sql_rollback);
    op->cx.err = kept;
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

/* One transaction over the list. False when it was lost: nothing is committed
 * and the operations may be tried again. */
static bool run_together(struct tc_writer *writer, struct tc_op *ops)
{
    struct tc_cx *cx = &ops->cx;

    if (simple(cx, &writer->db, sql_begin)) {
        struct tc_error error = cx->err;

        fail_all(ops, &error);
        return true;
    }
    for (struct tc_op *op = ops; op; op = op->next) {
        if (!run_inside(writer, op)) {
            roll_back(writer, op);
            return false;
        }
    }
    if (simple(cx, &writer->db, sql_commit)) {
        if (!ops->err)
            ops->err = cx->err.code;
        roll_back(writer, ops);
        return false;
    }
    atomic_fetch_add_explicit(&writer->commits, 1, memory_order_relaxed);
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
    if (run_together(writer, ops) || n == 1)
        return;
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

static bool is_long(const struct tc_writer *writer)
{
    return writer->log_pages >= LOG_PAGES;
}

/* Moves the log into the file when it is long, which syncs both: not before those
 * have been told whose rows are committed. What fails here is tried after the next
 * commit. */
static void fold_log(struct tc_writer *writer)
{
    if (!is_long(writer))
        return;
    writer->log_pages = 0;
    sqlite3_wal_checkpoint_v2(writer->db.handle, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

/* The next operations, at most BATCH_MAX, or none when only the log is to be folded.
 * False when closing and nothing is left. Takes the connection, or gives it up while
 * there is nothing. */
static bool take_work(struct tc_writer *writer, struct tc_op **ret_ops)
{
    struct tc_op **last = ret_ops;
    int n = 0;

    pthread_mutex_lock(&writer->lock);
    writer->working = false;
    while (!writer->first && !writer->fold && !writer->closing)
        pthread_cond_wait(&writer->filled, &writer->lock);
    writer->working = writer->first || writer->fold;
    writer->fold = false;
    *ret_ops = writer->first;
    for (; *last && n < BATCH_MAX; n++)
        last = &(*last)->next;
    writer->first = *last;
    if (!writer->first)
        writer->last = &writer->first;
    *last = NULL;
    pthread_mutex_unlock(&writer->lock);
    return writer->working;
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
        if (ops) {
            run_batch(writer, ops);
            tell_loop(writer, wake_batch, ops);
        }
        fold_log(writer);
    }
    tc_db_close(&writer->db);
    tell_loop(writer, wake_owner, writer);
    return NULL;
}

/* True when the thread has nothing to do and waits. It stays so: only the loop gives
 * it work. */
static bool thread_idle(struct tc_writer *writer)
{
    bool idle;

    pthread_mutex_lock(&writer->lock);
    idle = !writer->working && !writer->first && !writer->fold;
    pthread_mutex_unlock(&writer->lock);
    return idle;
}

static void queue(struct tc_writer *writer, struct tc_op *first, struct tc_op **last, bool fold)
{
    bool was_empty;

    pthread_mutex_lock(&writer->lock);
    was_empty = !writer->first && !writer->fold;
    writer->fold = writer->fold || fold;
    if (first) {
        *writer->last = first;
        writer->last = last;
    }
    pthread_mutex_unlock(&writer->lock);
    if (was_empty)
        pthread_cond_signal(&writer->filled);
}

/* Commits on the loop's thread: two changes of threads cost a lone caller more than
 * the commit. False when another process has the file locked, since waiting for it is
 * the thread's part. */
static bool run_here(struct tc_writer *writer, struct tc_op *op)
{
    int64_t start = tc_clock_mono_us(op->cx.clock), now;

    sqlite3_busy_timeout(writer->db.handle, 0);
    run_batch(writer, op);
    sqlite3_busy_timeout(writer->db.handle, TC_DB_BUSY_MS);
    now = tc_clock_mono_us(op->cx.clock);
    if (now - start > SLOW_US)
        writer->not_here_us = now + SLOW_PAUSE_US;
    if (is_long(writer))
        queue(writer, NULL, NULL, true);
    return op->err != TC_E_STORE_LOCKED;
}

static void end_turn(struct tc_loop_hook *hook)
{
    struct tc_writer *writer = (struct tc_writer *)((char *)hook - offsetof(struct tc_writer, turn));
    struct tc_op *op = writer->turn_first, **last = writer->turn_last;

    writer->turn_first = NULL;
    writer->turn_last = &writer->turn_first;
    if (writer->lone_here && op->quick && !op->next && thread_idle(writer) &&
        tc_clock_mono_us(op->cx.clock) >= writer->not_here_us) {
        if (run_here(writer, op)) {
            tc_event_set(&op->done);
            return;
        }
        start_again(op);
    }
    queue(writer, op, last, false);
}

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

enum tc_err tc_writer_create(struct tc_cx *cx, struct tc_loop *loop, struct tc_db *db, bool lone_here,
                             struct tc_writer **ret_writer)
{
    struct tc_writer *writer = tc_mem_zalloc(1, sizeof *writer);
    int rc;

    if (!writer) {
        tc_db_close(db);
        return tc_fail_memory(cx);
    }
    writer->db = *db;
    writer->loop = loop;
    writer->last = &writer->first;
    writer->lone_here = lone_here;
    writer->turn.fn = end_turn;
    writer->turn_last = &writer->turn_first;
    sqlite3_wal_hook(writer->db.handle, on_commit, writer);
    pthread_mutex_init(&writer->lock, NULL);
    pthread_cond_init(&writer->filled, NULL);
    rc = loop ? start_thread(writer) : 0;
    if (rc != 0) {
        tc_db_close(&writer->db);
        tc_mem_free(writer);
        return tc_fail(cx, TC_E_STORE_FAILED, "The store's writing thread cannot be started: %s.", strerror(rc));
    }
    *ret_writer = writer;
    return TC_OK;
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
    pthread_cond_destroy(&writer->filled);
    pthread_mutex_destroy(&writer->lock);
    tc_mem_free(writer);
}

struct tc_writer_stats tc_writer_stats(const struct tc_writer *writer)
{
    return (struct tc_writer_stats){
        .operations = atomic_load_explicit(&writer->operations, memory_order_relaxed),
        .commits = atomic_load_explicit(&writer->commits, memory_order_relaxed),
    };
}
