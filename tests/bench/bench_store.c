/*
 * Audit pairs (intent, then finish with a small result) a second: through the
 * store's loop and writer with 1, 32 and 256 calls at once, against the same
 * statements in direct sqlite3 calls, one transaction each, in the same run. Then the
 * turns of runs with one call each: five events and two entries of a tape, in the two
 * steps that a run makes of them.
 *
 * usage: bench_store [pairs] [normal|full]
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"
#include "io/task.h"
#include "ports/store_audit.h"
#include "ports/store_runs.h"
#include "ports/store_tapes.h"
#include "stores/sqlite.h"

#define ARGUMENTS "{\"query\":\"weather in the mountains\",\"limit\":5,\"units\":\"metric\"}"
#define RESULT "{\"content\":[{\"type\":\"text\",\"text\":\"Sunny, 21 degrees, wind from the west.\"}]}"

static void die(const char *what)
{
    fprintf(stderr, "bench_store: %s\n", what);
    exit(1);
}

static struct tc_audit_row intent(char id[32], int number)
{
    snprintf(id, 32, "01JDQX5Z8K%016d", number);
    return (struct tc_audit_row){
        .id = tc_str_of(id),
        .at = 1700000000000 + number,
        .state = TC_STR("intent"),
        .surface = TC_STR("mcp"),
        .principal_kind = TC_STR("token"),
        .principal_id = TC_STR("01JDQX5Z8KTOKEN0000000000A"),
        .agent = TC_STR("default"),
        .invocation = TC_STR("01JDQX5Z8KINVOCATION00000A"),
        .call_id = tc_str_of(id),
        .tool_id = TC_STR("mcp/9f8b3c1e-2d4a-4b6c-8e0f-1a2b3c4d5e6f:search"),
        .call_name = TC_STR("weather__search"),
        .snapshot = TC_STR("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        .raw = TC_STR(ARGUMENTS),
        .canonical = TC_STR(ARGUMENTS),
        .gate = TC_STR("ok"),
        .arguments = TC_STR("ok"),
        .schema = TC_STR("ok"),
        .permission = TC_STR("ok"),
        .result_id = tc_str_of(id),
    };
}

static struct tc_result_row outcome(struct tc_audit_row *row)
{
    row->state = TC_STR("done");
    row->exec_us = 1234;
    row->total_us = 1300;
    row->result_bytes = sizeof RESULT - 1;
    return (struct tc_result_row){
        .id = row->result_id, .at = row->at, .agent = row->agent, .token = row->principal_id, .raw = TC_STR(RESULT)};
}

struct run;
typedef void bench_fn(struct tc_cx *cx, struct run *run);

struct run {
    struct tc_store *store;
    const char *path, *sync;
    int pairs, tasks, next;
    bench_fn *fn; /* of each task */
    double seconds;
    struct tc_sqlite_stats stats;
};

static double now(void)
{
    return (double)tc_clock_mono_us(&tc_clock_system) / 1e6;
}

static void pairs(struct tc_cx *cx, struct run *run)
{
    char id[32];

    while (run->next < run->pairs) {
        struct tc_audit_row row = intent(id, run->next++);
        struct tc_result_row result;

        if (run->store->audit->add(cx, run->store, &row))
            die("cannot add a row");
        result = outcome(&row);
        if (run->store->audit->finish(cx, run->store, &row, &result))
            die("cannot finish a row");
    }
}

/* --- turns --- */

#define REQUEST                                                                                                        \
    "{\"turn\":1,\"bytes\":48211,\"hash\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\"}"
#define REPLY "{\"turn\":1,\"finish\":\"calls\",\"usage\":{\"input\":11873,\"output\":61},\"ms\":1412}"
#define CALL                                                                                                           \
    "{\"callId\":\"k3J9xQ2pL\",\"toolId\":\"builtin:dice.roll\",\"name\":\"dice_roll\",\"ms\":2,\"isError\":false}"
#define MESSAGE                                                                                                        \
    "{\"role\":\"assistant\",\"parts\":[{\"text\":\"I roll two dice.\"},{\"call\":{\"id\":\"k3J9xQ2pL\",\"name\":"  \
    "\"dice_roll\",\"toolId\":\"builtin:dice.roll\",\"arguments\":{\"formula\":\"2d6\"}}}],\"finish\":\"calls\"}"

static struct tc_run_event event(const char *type, const char *json)
{
    return (struct tc_run_event){.at = 1700000000000, .type = tc_str_of(type), .json = tc_str_of(json)};
}

static void begin_run(struct tc_cx *cx, struct run *run, const char *id)
{
    const struct tc_tape_row tape = {.id = tc_str_of(id), .agent = TC_STR("default"), .created_at = 1700000000000};
    const struct tc_run_row row = {.id = tc_str_of(id), .agent = TC_STR("default"), .tape = tc_str_of(id),
                                   .status = TC_STR("running"), .input = TC_STR("{\"text\":\"Roll two dice.\"}")};

    if (run->store->tapes->create(cx, run->store, &tape) || run->store->runs->create(cx, run->store, &row))
        die("cannot begin a run");
}

static void take_turn(struct tc_cx *cx, struct tc_store *store, struct tc_str id, int64_t last)
{
    struct tc_run_event asked[] = {event("tool_call_completed", CALL), event("model_request", REQUEST)},
                        called[] = {event("model_reply", REPLY), event("tool_call_requested", CALL),
                                    event("tool_call_started", CALL)};
    struct tc_tape_entry result = {.at = 1700000000000, .kind = TC_STR("result"), .run = id, .json = TC_STR(RESULT)},
                         message = {.at = 1700000000000, .kind = TC_STR("message"), .run = id, .json = TC_STR(MESSAGE)};
    struct tc_run_step ask = {.run = id, .events = asked, .events_n = 2,
                              .tape = id, .last = last, .entries = &result, .entries_n = 1},
                       call = {.run = id, .events = called, .events_n = 3,
                               .tape = id, .last = last + 1, .entries = &message, .entries_n = 1};

    if (store->runs->record(cx, store, &ask) || store->runs->record(cx, store, &call))
        die("cannot record a turn");
}

static void turns(struct tc_cx *cx, struct run *run)
{
    enum { TURNS = 20 }; /* of a run */
    int64_t last = TURNS;
    char id[32] = "";

    for (int i = 0; run->next < run->pairs; i++) {
        run->next++;
        if (i % TURNS == 0) {
            snprintf(id, sizeof id, "01JDQX5Z8R%016d", run->next);
            begin_run(cx, run, id);
            last = 0;
        }
        take_turn(cx, run->store, tc_str_of(id), last);
        last += 2;
    }
}

static void run_one(struct tc_cx *cx, void *arg)
{
    struct run *run = arg;

    run->fn(cx, run);
}

static void run_task(struct tc_cx *cx, void *arg)
{
    struct run *run = arg;
    struct tc_task_group group;
    double from;

    if (tc_sqlite_open(cx, tc_task_loop(cx), run->path, run->sync, &run->store))
        die("cannot open the store");
    tc_task_group_init(&group, tc_task_loop(cx));
    from = now();
    for (int i = 0; i < run->tasks; i++)
        if (tc_task_spawn(cx, tc_task_loop(cx), &group, "bench", run_one, run))
            die("cannot spawn");
    tc_task_join(cx, &group);
    run->seconds = now() - from;
    run->stats = tc_sqlite_stats(run->store);
    run->store->close(cx, run->store);
}

static void through_the_loop(struct tc_cx *cx, struct run *run)
{
    struct tc_loop *loop;

    if (tc_loop_create(cx, &loop) || tc_task_spawn(cx, loop, NULL, "bench", run_task, run))
        die("cannot start the loop");
    tc_loop_run(loop);
    tc_loop_destroy(loop);
}

/* --- direct calls --- */

static void bind(sqlite3_stmt *stmt, int at, struct tc_str text)
{
    sqlite3_bind_text(stmt, at, text.p ? text.p : "", (int)text.n, SQLITE_STATIC);
}

static void step(sqlite3_stmt *stmt)
{
    if (sqlite3_step(stmt) != SQLITE_DONE)
        die("a direct statement failed");
    sqlite3_reset(stmt);
}

struct direct {
    sqlite3 *db;
    sqlite3_stmt *begin, *commit, *insert, *update, *result;
};

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;

    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL) != SQLITE_OK)
        die(sqlite3_errmsg(db));
    return stmt;
}

static void direct_pair(const struct direct *d, int number)
{
    char id[32];
    struct tc_audit_row row = intent(id, number);
    struct tc_result_row result;
    const struct tc_str texts[] = {row.id,     row.state,   row.surface, row.principal_kind, row.principal_id,
                                   row.agent,  row.run,     row.invocation, row.call_id,     row.tool_id,
                                   row.call_name, row.snapshot, row.raw, row.canonical,      row.repair,
                                   row.gate,   row.arguments, row.schema, row.permission,    row.approval,
                                   row.result_id, row.error_code, row.effect};

    step(d->begin);
    for (int i = 0; i < 23; i++)
        bind(d->insert, i + 1, texts[i]);
    sqlite3_bind_int64(d->insert, 24, row.at);
    step(d->insert);
    step(d->commit);
    result = outcome(&row);
    step(d->begin);
    bind(d->update, 1, row.state);
    sqlite3_bind_int64(d->update, 2, row.exec_us);
    sqlite3_bind_int64(d->update, 3, row.total_us);
    sqlite3_bind_int64(d->update, 4, row.result_bytes);
    bind(d->update, 5, row.id);
    step(d->update);
    bind(d->result, 1, result.id);
    sqlite3_bind_int64(d->result, 2, result.at);
    bind(d->result, 3, result.agent);
    bind(d->result, 4, result.token);
    bind(d->result, 5, result.raw);
    step(d->result);
    step(d->commit);
}

static double directly(struct tc_cx *cx, const char *path, const char *sync, int pairs)
{
    struct tc_store *store;
    struct direct d;
    double from;

    if (tc_sqlite_open(cx, NULL, path, sync, &store)) /* makes the tables */
        die("cannot make the store");
    store->close(cx, store);
    if (sqlite3_open_v2(path, &d.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        die("cannot open the file");
    sqlite3_exec(d.db, sync[0] == 'f' ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
    d.begin = prepare(d.db, "BEGIN IMMEDIATE");
    d.commit = prepare(d.db, "COMMIT");
    d.insert = prepare(d.db, "INSERT INTO audit (id, state, surface, principal_kind, principal_id, agent, run,"
                             " invocation, call_id, tool_id, call_name, snapshot, raw, canonical, repair, gate,"
                             " arguments, schema, permission, approval, result_id, error_code, effect, at, as_admin,"
                             " wait_us, exec_us, total_us, is_error, result_bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?,"
                             " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)");
    d.update = prepare(d.db, "UPDATE audit SET state = ?, exec_us = ?, total_us = ?, result_bytes = ? WHERE id = ?");
    d.result = prepare(d.db, "INSERT INTO results (id, at, agent, token, raw, text) VALUES (?, ?, ?, ?, ?, '')");
    from = now();
    for (int i = 0; i < pairs; i++)
        direct_pair(&d, i);
    from = now() - from;
    sqlite3_finalize(d.begin);
    sqlite3_finalize(d.commit);
    sqlite3_finalize(d.insert);
    sqlite3_finalize(d.update);
    sqlite3_finalize(d.result);
    sqlite3_close(d.db);
    return from;
}

static void remove_files(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    char name[4200];

    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        unlink(name);
    }
}

int main(int argc, char **argv)
{
    static const int tasks[] = {1, 32, 256};
    int pairs_n = argc > 1 ? atoi(argv[1]) : 20000;
    const char *sync = argc > 2 ? argv[2] : "normal", *base = getenv("TMPDIR");
    char folder[4096], path[4128];
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    double direct;

    if (pairs_n < 1)
        die("pairs must be a positive number");
    tc_arena_init(&arena, 0);
    snprintf(folder, sizeof folder, "%s/tc-bench-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder))
        die("cannot make a folder");
    snprintf(path, sizeof path, "%s/bench.db", folder);
    directly(&cx, path, sync, pairs_n); /* warms up */
    remove_files(path);
    direct = directly(&cx, path, sync, pairs_n);
    remove_files(path);
    printf("store, sync %s, %d pairs of intent and finish\n", sync, pairs_n);
    printf("  %-22s %9.0f pairs/s  ratio 1.00\n", "direct calls", pairs_n / direct);
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        struct run run = {.path = path, .sync = sync, .pairs = pairs_n, .tasks = tasks[i], .fn = pairs};

        through_the_loop(&cx, &run);
        printf("  %3d at once           %9.0f pairs/s  ratio %.2f  %5.1f operations a commit\n", tasks[i],
               pairs_n / run.seconds, direct / run.seconds, (double)run.stats.operations / (double)run.stats.commits);
        remove_files(path);
    }
    printf("turns of runs with one call: five events, two entries\n");
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        struct run run = {.path = path, .sync = sync, .pairs = pairs_n / 4, .tasks = tasks[i], .fn = turns};

        through_the_loop(&cx, &run);
        printf("  %3d at once           %9.0f turns/s  %6.0f us a turn of one  %5.1f operations a commit\n", tasks[i],
               run.pairs / run.seconds, run.seconds * 1e6 / run.pairs * run.tasks,
               (double)run.stats.operations / (double)run.stats.commits);
        remove_files(path);
    }
    rmdir(folder);
    tc_arena_finish(&arena);
    return 0;
}
