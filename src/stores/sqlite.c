/*
 * Opening and closing an SQLite store, and the way of an operation: a write goes
 * to the writer's queue, a read takes an idle connection to a pool thread.
 *
 * An operation works in an arena of its own, since the task's is not for other
 * threads; afterwards the task's arena takes it over.
 */
#include "stores/sqlite.h"

#include <sqlite3.h>

#include "base/mem.h"
#include "io/offload.h"
#include "io/queue.h"
#include "stores/migrations.h"
#include "stores/sqlite_private.h"

enum { READERS = 4, READER_WAIT_MS = 30000 };

struct sqlite {
    struct tc_store base;
    struct tc_loop *loop;
    struct tc_writer *writer;
    struct tc_db readers[READERS];
    struct tc_queue idle; /* readers that nobody uses; not without a loop */
};

static struct sqlite *of(struct tc_store *store)
{
    return (struct sqlite *)store;
}

static void finish_arena(void *arena)
{
    tc_arena_finish(arena);
}

/* Hands the operation's memory, or the words of its failure, to the caller. */
static enum tc_err settle(struct tc_cx *cx, struct tc_op *op)
{
    struct tc_arena *reply = op->cx.arena, *kept;
    const struct tc_error *error = &op->cx.err;

    if (op->err) {
        if (op->err == TC_E_NO_MEMORY || error->code != op->err || !error->message.p)
            tc_fail_memory(cx);
        else
            tc_fail(cx, op->err, "%.*s", TC_STR_ARG(error->message));
        if (error->hint.n && cx->err.code == op->err)
            tc_fail_hint(cx, "%.*s", TC_STR_ARG(error->hint));
        tc_arena_finish(reply);
        return cx->err.code;
    }
    if (!reply->chunks)
        return TC_OK;
    kept = TC_ARENA_NEW(cx->arena, struct tc_arena);
    if (!kept || !tc_arena_defer(cx->arena, finish_arena, kept)) {
        tc_arena_finish(reply);
        return tc_fail_memory(cx);
    }
    *kept = *reply;
    return TC_OK;
}

static void op_init(struct tc_op *op, struct tc_cx *cx, struct tc_arena *reply, tc_op_fn *fn, void *arg)
{
    tc_arena_init(reply, cx->arena->max);
    *op = (struct tc_op){.fn = fn, .arg = arg, .cx = {.arena = reply, .clock = cx->clock}};
}

static enum tc_err write_op(struct tc_cx *cx, struct tc_store *store, struct tc_op *op)
{
    tc_writer_run(cx, of(store)->writer, op);
    return settle(cx, op);
}

enum tc_err tc_sqlite_write(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg)
{
    struct tc_arena reply;
    struct tc_op op;

    op_init(&op, cx, &reply, fn, arg);
    return write_op(cx, store, &op);
}

enum tc_err tc_sqlite_write_one(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg)
{
    struct tc_arena reply;
    struct tc_op op;

    op_init(&op, cx, &reply, fn, arg);
    op.atomic = true;
    return write_op(cx, store, &op);
}

enum tc_err tc_sqlite_write_aside(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg)
{
    struct tc_arena reply;
    struct tc_op op;

    op_init(&op, cx, &reply, fn, arg);
    op.aside = true;
    return write_op(cx, store, &op);
}

struct tc_notes *tc_sqlite_notes(struct tc_store *store)
{
    return tc_writer_notes(of(store)->writer);
}

struct reading {
    struct tc_op op;
    struct tc_db *db;
};

static void run_reading(void *arg)
{
    struct reading *reading = arg;

    reading->op.err = reading->op.fn(&reading->op.cx, reading->db, reading->op.arg);
}

static enum tc_err take_reader(struct tc_cx *cx, struct sqlite *sqlite, struct tc_db **ret_db)
{
    void *db;
    enum tc_err err = tc_queue_recv(cx, &sqlite->idle, READER_WAIT_MS, &db);

    if (err)
        return err;
    *ret_db = db;
    return TC_OK;
}

enum tc_err tc_sqlite_read(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg)
{
    struct sqlite *sqlite = of(store);
    struct reading reading;
    struct tc_arena reply;
    enum tc_err err;

    op_init(&reading.op, cx, &reply, fn, arg);
    if (!sqlite->loop) {
        reading.db = &sqlite->readers[0];
        run_reading(&reading);
        return settle(cx, &reading.op);
    }
    err = take_reader(cx, sqlite, &reading.db);
    if (err)
        return err;
    err = tc_offload(cx, run_reading, &reading);
    tc_queue_try_send(&sqlite->idle, reading.db);
    return err ? err : settle(cx, &reading.op);
}

static enum tc_err change_nothing(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    (void)cx, (void)db, (void)arg;
    return TC_OK;
}

enum tc_err tc_sqlite_read_noted(struct tc_cx *cx, struct tc_store *store, tc_op_fn *fn, void *arg)
{
    enum tc_err err =
        tc_writer_behind(of(store)->writer) ? tc_sqlite_write_one(cx, store, change_nothing, NULL) : TC_OK;

    return err ? err : tc_sqlite_read(cx, store, fn, arg);
}

struct pruning {
    const char *sql;
    int64_t before, removed;
};

static enum tc_err run_pruning(struct tc_cx *cx, struct tc_db *db, void *arg)
{
    struct pruning *pruning = arg;
    struct tc_query query;

    tc_query_start(&query, cx, db, pruning->sql);
    tc_query_int(&query, pruning->before);
    return tc_query_run(&query, &pruning->removed);
}

enum tc_err tc_sqlite_prune(struct tc_cx *cx, struct tc_store *store, const char *sql, int64_t before, int64_t *ret_n)
{
    struct pruning pruning = {sql, before, 0};
    int64_t total = 0;
    enum tc_err err;

    do {
        err = tc_sqlite_write_one(cx, store, run_pruning, &pruning);
        if (err)
            return err;
        total += pruning.removed;
    } while (pruning.removed > 0);
    *ret_n = total;
    return TC_OK;
}

/* What is opened off the loop. */
struct opening {
    struct tc_cx cx;
    const char *path;
    bool full;
    struct tc_db db, *readers;
    size_t readers_n;
    struct tc_journal journal; /* open on success */
    enum tc_err err;
};

static enum tc_err use_wal(struct tc_cx *cx, struct tc_db *db, bool full)
{
    int64_t is_wal;
    /* A new file's pages: rows of calls are appended, so fewer and larger ones are less work. */
    enum tc_err err = tc_db_exec(cx, db, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL");

    if (err)
        return err;
    err = tc_db_number(cx, db, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &is_wal);
    if (err)
        return err;
    if (!is_wal) {
        tc_fail(cx, TC_E_STORE_FAILED, "The store's folder cannot hold a write-ahead log.");
        return tc_fail_hint(cx, "Put the data folder on a local file system.");
    }
    /* Rows are appended: the pages that are written again are few. */
    if ((err = tc_db_exec(cx, db, "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -1000")))
        return err;
    return tc_db_exec(cx, db, full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
}

static enum tc_err open_writer(struct opening *opening)
{
    struct tc_cx *cx = &opening->cx;
    struct tc_db *db = &opening->db;
    int64_t version;
    enum tc_err err = tc_db_open(cx, db, opening->path, TC_DB_CREATE);

    if (err)
        return err;
    /* A file that is refused is left as it is, its log included. */
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    err = tc_migrations_check(cx, db, &version);
    if (err)
        return err;
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
    if ((err = use_wal(cx, db, opening->full)))
        return err;
    return tc_migrations_apply(cx, db, tc_migrations_n);
}

/* In one transaction with the number that says so. */
static enum tc_err apply_records(struct tc_cx *cx, struct tc_db *db, struct tc_str records, int64_t last)
{
    enum tc_err err = tc_db_exec(cx, db, "BEGIN IMMEDIATE");
    struct tc_query query;

    if (!err)
        err = tc_sqlite_audit_apply(cx, db, records);
    if (!err) {
        tc_query_start_once(&query, cx, db, TC_STR("UPDATE journal SET applied = ?"));
        tc_query_int(&query, last);
        err = tc_query_run(&query, NULL);
    }
    if (!err)
        err = tc_db_exec(cx, db, "COMMIT");
    if (err && !sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    return err;
}

/* What a killed process had noted and not moved. */
static enum tc_err recover(struct tc_cx *cx, struct tc_db *db, struct tc_journal *journal)
{
    struct tc_buf records;
    int64_t applied, last;
    enum tc_err err = tc_db_number(cx, db, "SELECT applied FROM journal", &applied);

    if (err)
        return err;
    tc_buf_init(&records, (size_t)4 * TC_JOURNAL_FILE_MAX);
    err = tc_journal_read(cx, journal, (uint64_t)applied, &records);
    last = applied;
    for (int i = 0; i < TC_JOURNAL_FILES; i++)
        last = (int64_t)journal->parts[i].last > last ? (int64_t)journal->parts[i].last : last;
    if (!err && records.n)
        err = apply_records(cx, db, tc_buf_get(&records), last);
    if (!err)
        tc_journal_clear(journal, (uint64_t)last);
    tc_buf_finish(&records);
    return err;
}

static enum tc_err open_journal(struct opening *opening)
{
    enum tc_err err = tc_journal_open(&opening->cx, &opening->journal, opening->path);

    if (err)
        return err;
    err = recover(&opening->cx, &opening->db, &opening->journal);
    if (err)
        tc_journal_close(&opening->journal);
    return err;
}

static void run_opening(void *arg)
{
    struct opening *opening = arg;

    opening->err = open_writer(opening);
    if (!opening->err)
        opening->err = open_journal(opening);
    for (size_t i = 0; i < opening->readers_n && !opening->err; i++)
        opening->err = tc_db_open(&opening->cx, &opening->readers[i], opening->path, TC_DB_READ);
}

static void close_readers(struct sqlite *sqlite)
{
    for (size_t i = 0; i < READERS; i++)
        if (sqlite->readers[i].handle)
            tc_db_close(&sqlite->readers[i]);
}

static void close_store(struct tc_cx *cx, struct tc_store *self)
{
    struct sqlite *sqlite = of(self);

    /* The writer is the last to close, so that the log is folded in there. */
    close_readers(sqlite);
    tc_writer_destroy(cx, sqlite->writer);
    if (sqlite->loop)
        tc_queue_finish(&sqlite->idle);
    tc_mem_free(sqlite);
}

/* Nothing is noted where each commit must reach the disk, nor without a loop. */
static enum tc_err create_writer(struct tc_cx *cx, struct sqlite *sqlite, struct opening *opening)
{
    struct tc_writer_journal journal = {opening->journal, tc_sqlite_audit_apply};
    bool noting = sqlite->loop && !opening->full;

    if (!noting)
        tc_journal_close(&opening->journal);
    return tc_writer_create(cx, sqlite->loop, &opening->db, noting ? &journal : NULL, &sqlite->writer);
}

static enum tc_err open_files(struct tc_cx *cx, struct sqlite *sqlite, const char *path, bool full)
{
    struct tc_arena arena;
    struct opening opening = {.path = path, .full = full, .readers = sqlite->readers, .journal.fds = {-1, -1}};
    struct tc_op outcome;
    enum tc_err err = TC_OK;

    op_init(&outcome, cx, &arena, NULL, NULL);
    opening.cx = outcome.cx;
    opening.readers_n = sqlite->loop ? READERS : 1;
    if (sqlite->loop)
        err = tc_offload(cx, run_opening, &opening);
    else
        run_opening(&opening);
    if (!err) {
        outcome.err = opening.err;
        outcome.cx = opening.cx;
        err = settle(cx, &outcome);
    }
    if (err) {
        tc_db_close(&opening.db);
        tc_journal_close(&opening.journal);
    } else {
        err = create_writer(cx, sqlite, &opening);
    }
    if (err)
        close_readers(sqlite);
    return err;
}

static enum tc_err open_queue(struct tc_cx *cx, struct sqlite *sqlite)
{
    enum tc_err err = tc_queue_init(cx, &sqlite->idle, READERS);

    for (size_t i = 0; i < READERS && !err; i++)
        tc_queue_try_send(&sqlite->idle, &sqlite->readers[i]);
    return err;
}

static enum tc_err sync_of(struct tc_cx *cx, const char *sync, bool *ret_full)
{
    if (strcmp(sync, "normal") != 0 && strcmp(sync, "full") != 0) {
        tc_fail(cx, TC_E_CONFIG_INVALID, "store.sync is \"normal\" or \"full\", not \"%s\".", sync);
        return tc_fail_field(cx, TC_STR("/store/sync"));
    }
    *ret_full = sync[0] == 'f';
    return TC_OK;
}

/* Who has to mend the file wants to know which one. */
static enum tc_err name_file(struct tc_cx *cx, enum tc_err err, const char *path)
{
    struct tc_error fault = cx->err;

    if (err == TC_E_NO_MEMORY)
        return err;
    tc_fail(cx, err, "%.*s It is %s.", TC_STR_ARG(fault.message), path);
    return fault.hint.n ? tc_fail_hint(cx, "%.*s", TC_STR_ARG(fault.hint)) : err;
}

enum tc_err tc_sqlite_open(struct tc_cx *cx, struct tc_loop *loop, const char *path, const char *sync,
                           struct tc_store **ret_store)
{
    struct sqlite *sqlite;
    bool full = false;
    enum tc_err err = sync_of(cx, sync, &full);

    if (err)
        return err;
    sqlite = tc_mem_zalloc(1, sizeof *sqlite);
    if (!sqlite)
        return tc_fail_memory(cx);
    sqlite->base = (struct tc_store){
        .driver = "sqlite",
        .tools = &tc_sqlite_tools,
        .agents = &tc_sqlite_agents,
        .toolsets = &tc_sqlite_toolsets,
        .servers = &tc_sqlite_servers,
        .names = &tc_sqlite_names,
        .tokens = &tc_sqlite_tokens,
        .secrets = &tc_sqlite_secrets,
        .grants = &tc_sqlite_grants,
        .audit = &tc_sqlite_audit,
        .results = &tc_sqlite_results,
        .approvals = &tc_sqlite_approvals,
        .channels = &tc_sqlite_channels,
        .tapes = &tc_sqlite_tapes,
        .runs = &tc_sqlite_runs,
        .changes = &tc_sqlite_changes,
        .settings = &tc_sqlite_settings,
        .close = close_store,
    };
    sqlite->loop = loop;
    err = open_files(cx, sqlite, path, full);
    if (err) {
        tc_mem_free(sqlite);
        return name_file(cx, err, path);
    }
    if (loop && (err = open_queue(cx, sqlite))) {
        close_store(cx, &sqlite->base);
        return err;
    }
    *ret_store = &sqlite->base;
    return TC_OK;
}

struct tc_sqlite_stats tc_sqlite_stats(const struct tc_store *store)
{
    struct tc_writer_stats stats = tc_writer_stats(((const struct sqlite *)store)->writer);

    return (struct tc_sqlite_stats){.operations = stats.operations, .commits = stats.commits};
}
