#include "stores/sqlite_fixture.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stores/migrations.h"

static struct tc_store *open_direct(struct fixture *fixture)
{
    struct tc_cx *cx = &fixture->test.cx;
    struct tc_store *store = NULL;

    assert_done(tc_sqlite_open(cx, NULL, fixture->path, "normal", &store));
    return store;
}

static void keeps_one(struct tc_cx *cx, struct tc_loop *loop, const char *path, const struct store_contract_case *one)
{
    struct tc_store *store;

    print_message("  %s%s\n", one->behaviour, loop ? ", on a loop" : "");
    assert_done(tc_sqlite_open(cx, loop, path, "normal", &store));
    one->run(cx, store);
    store->close(cx, store);
}

struct contract_run {
    const struct store_contract_case *one;
    const char *path;
};

static void keep_in_task(struct tc_cx *cx, void *arg)
{
    struct contract_run *run = arg;

    keeps_one(cx, tc_task_loop(cx), run->path, run->one);
}

static void keeps(const struct store_contract_case *cases)
{
    for (; cases->run; cases++) {
        struct fixture direct, looped;
        struct contract_run run = {.one = cases};

        fixture_init(&direct);
        keeps_one(&direct.test.cx, NULL, direct.path, cases);
        fixture_finish(&direct);
        fixture_init(&looped);
        run.path = looped.path;
        run_on_loop(&looped.test.cx, keep_in_task, &run);
        fixture_finish(&looped);
    }
}

void test_sqlite__keeps_the_contract_of_tools(void **state)
{
    (void)state;
    keeps(store_contract_tools);
}

void test_sqlite__keeps_the_contract_of_agents(void **state)
{
    (void)state;
    keeps(store_contract_agents);
}

void test_sqlite__keeps_the_contract_of_toolsets(void **state)
{
    (void)state;
    keeps(store_contract_toolsets);
}

void test_sqlite__keeps_the_contract_of_names(void **state)
{
    (void)state;
    keeps(store_contract_names);
}

void test_sqlite__keeps_the_contract_of_servers(void **state)
{
    (void)state;
    keeps(store_contract_servers);
}

void test_sqlite__keeps_the_contract_of_tokens(void **state)
{
    (void)state;
    keeps(store_contract_tokens);
}

void test_sqlite__keeps_the_contract_of_secrets(void **state)
{
    (void)state;
    keeps(store_contract_secrets);
}

void test_sqlite__keeps_the_contract_of_grants(void **state)
{
    (void)state;
    keeps(store_contract_grants);
}

void test_sqlite__keeps_the_contract_of_audit(void **state)
{
    (void)state;
    keeps(store_contract_audit);
}

void test_sqlite__keeps_the_contract_of_results(void **state)
{
    (void)state;
    keeps(store_contract_results);
}

void test_sqlite__keeps_the_contract_of_approvals(void **state)
{
    (void)state;
    keeps(store_contract_approvals);
}

void test_sqlite__keeps_the_contract_of_channels(void **state)
{
    (void)state;
    keeps(store_contract_channels);
}

void test_sqlite__keeps_the_contract_of_tapes(void **state)
{
    (void)state;
    keeps(store_contract_tapes);
}

void test_sqlite__keeps_the_contract_of_runs(void **state)
{
    (void)state;
    keeps(store_contract_runs);
}

void test_sqlite__keeps_the_contract_of_changes(void **state)
{
    (void)state;
    keeps(store_contract_changes);
}

void test_sqlite__keeps_the_contract_of_settings(void **state)
{
    (void)state;
    keeps(store_contract_settings);
}

static int mode_of(const struct fixture *fixture, const char *suffix)
{
    char path[4096];
    struct stat st;

    snprintf(path, sizeof path, "%s%s", fixture->path, suffix);
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

void test_sqlite__files_are_for_their_owner_only(void **state)
{
    struct fixture fixture;
    struct tc_store *store;
    mode_t before = umask(0);
    (void)state;

    fixture_init(&fixture);
    store = open_direct(&fixture);
    assert_int_equal(mode_of(&fixture, ""), 0600);
    assert_int_equal(mode_of(&fixture, "-wal"), 0600);
    assert_int_equal(mode_of(&fixture, "-shm"), 0600);
    store->close(&fixture.test.cx, store);
    umask(before);
    fixture_finish(&fixture);
}

void test_sqlite__what_was_written_is_there_after_reopening(void **state)
{
    struct fixture fixture;
    struct tc_cx *cx = &fixture.test.cx;
    struct tc_store *store;
    struct tc_audit_row row, got;
    struct tc_result_row result, got_result;
    struct tc_document_row *agents;
    size_t n;
    (void)state;

    fixture_init(&fixture);
    store = open_direct(&fixture);
    row = store_contract_audit_row(cx, 1);
    result = store_contract_result_row(cx, 1);
    assert_done(store->agents->create(cx, store, TC_STR("a"), TC_STR("{}"), 1));
    assert_done(store->audit->add_done(cx, store, &row, &result));
    store->close(cx, store);
    store = open_direct(&fixture);
    assert_done(store->agents->all(cx, store, &agents, &n));
    assert_int_equal(n, 1);
    assert_done(store->audit->get(cx, store, row.id, &got));
    assert_true(tc_rows_equal(&tc_rows_audit, &got, &row));
    assert_done(store->results->get(cx, store, result.id, &got_result));
    assert_true(tc_rows_equal(&tc_rows_result, &got_result, &result));
    store->close(cx, store);
    fixture_finish(&fixture);
}

static void run_sql(const struct fixture *fixture, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(fixture->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* A file as the version with that many steps left it. */
static void make_old(struct fixture *fixture, size_t steps)
{
    struct tc_cx *cx = &fixture->test.cx;
    struct tc_db db;

    assert_done(tc_db_open(cx, &db, fixture->path, TC_DB_CREATE));
    assert_done(tc_db_exec(cx, &db, "PRAGMA journal_mode = WAL"));
    assert_done(tc_migrations_apply(cx, &db, steps));
    assert_done(tc_db_exec(cx, &db, "INSERT INTO agents VALUES ('old', '{}', 3, 10, 20)"));
    tc_db_close(&db);
}

static int64_t version_of(struct fixture *fixture)
{
    struct tc_cx *cx = &fixture->test.cx;
    struct tc_db db;
    int64_t version;

    assert_done(tc_db_open(cx, &db, fixture->path, TC_DB_READ));
    assert_done(tc_db_number(cx, &db, "PRAGMA user_version", &version));
    tc_db_close(&db);
    return version;
}

void test_sqlite__older_files_are_brought_forward(void **state)
{
    (void)state;
    for (size_t steps = 1; steps < tc_migrations_n; steps++) {
        struct fixture fixture;
        struct tc_cx *cx = &fixture.test.cx;
        struct tc_store *store;
        struct tc_document_row *rows;
        struct tc_audit_row row;
        size_t n;

        fixture_init(&fixture);
        make_old(&fixture, steps);
        assert_int_equal(version_of(&fixture), steps);
        store = open_direct(&fixture);
        assert_done(store->agents->all(cx, store, &rows, &n));
        assert_int_equal(n, 1);
        assert_str(rows[0].id, "old");
        assert_int_equal(rows[0].version, 3);
        row = store_contract_audit_row(cx, 1);
        assert_done(store->audit->add(cx, store, &row));
        store->close(cx, store);
        assert_int_equal(version_of(&fixture), tc_migrations_n);
        fixture_finish(&fixture);
    }
}

/* Opening fails with that code and a hint, and the file keeps its bytes. */
static void assert_refused(struct fixture *fixture, enum tc_err code)
{
    struct tc_cx *cx = &fixture->test.cx;
    struct tc_str before = test_read_file(cx->arena, fixture->path), after;
    struct tc_store *store = NULL;

    assert_fails(tc_sqlite_open(cx, NULL, fixture->path, "normal", &store), code);
    assert_true(cx->err.hint.n > 0);
    assert_null(store);
    after = test_read_file(cx->arena, fixture->path);
    assert_int_equal(after.n, before.n);
    assert_memory_equal(after.p, before.p, before.n);
}

void test_sqlite__newer_files_are_refused_untouched(void **state)
{
    struct fixture fixture;
    (void)state;

    fixture_init(&fixture);
    make_old(&fixture, tc_migrations_n);
    run_sql(&fixture, "PRAGMA user_version = 999");
    assert_refused(&fixture, TC_E_STORE_NEWER);
    assert_true(tc_str_find(fixture.test.cx.err.message, TC_STR("999")) != SIZE_MAX);
    fixture_finish(&fixture);
}

static void write_file(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

void test_sqlite__a_refused_file_keeps_its_log(void **state)
{
    struct fixture left, copy;
    struct tc_str log, again;
    char *left_log, *copy_log;
    sqlite3 *db;
    (void)state;

    fixture_init(&left);
    fixture_init(&copy);
    left_log = tc_arena_cstr(&left.test.arena, tc_arena_printf(&left.test.arena, "%s-wal", left.path));
    copy_log = tc_arena_cstr(&left.test.arena, tc_arena_printf(&left.test.arena, "%s-wal", copy.path));
    make_old(&left, tc_migrations_n);
    assert_int_equal(sqlite3_open(left.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL), SQLITE_OK);
    log = test_read_file(&left.test.arena, left.path); /* both as a killed process leaves them */
    write_file(copy.path, log.p, log.n);
    log = test_read_file(&left.test.arena, left_log);
    assert_true(log.n > 0);
    write_file(copy_log, log.p, log.n);
    assert_refused(&copy, TC_E_STORE_NEWER);
    again = test_read_file(&left.test.arena, copy_log);
    assert_true(tc_str_eq(again, log));
    sqlite3_close(db);
    fixture_finish(&left);
    fixture_finish(&copy);
}

static void overwrite(const struct fixture *fixture, long at, size_t n)
{
    FILE *f = fopen(fixture->path, "r+b");

    assert_non_null(f);
    assert_int_equal(fseek(f, at, SEEK_SET), 0);
    for (size_t i = 0; i < n; i++)
        fputc((int)(i * 37 + 11) & 0xff, f);
    fclose(f);
}

void test_sqlite__what_is_no_store_is_refused_untouched(void **state)
{
    static const char text[] = "This is a letter to nobody, and it is longer than a header would be. "
                               "It goes on for a while so that its size is no reason to look away.";
    struct fixture fixture;
    (void)state;

    fixture_init(&fixture);
    write_file(fixture.path, text, sizeof text);
    assert_refused(&fixture, TC_E_STORE_BROKEN);
    write_file(fixture.path, "xy", 2);
    assert_refused(&fixture, TC_E_STORE_BROKEN);
    unlink(fixture.path);
    run_sql(&fixture, "CREATE TABLE letters (text)");
    assert_refused(&fixture, TC_E_STORE_BROKEN);
    run_sql(&fixture, "PRAGMA application_id = 7");
    assert_refused(&fixture, TC_E_STORE_BROKEN);
    fixture_finish(&fixture);
}

void test_sqlite__damaged_files_are_refused_untouched(void **state)
{
    static const struct {
        long at;
        size_t n;
    } damages[] = {{0, 100}, {16, 2}, {100, 4000}, {4096 * 3, 4096}, {4096 * 7, 4096}};
    (void)state;

    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct fixture fixture;

        fixture_init(&fixture);
        make_old(&fixture, tc_migrations_n);
        overwrite(&fixture, damages[i].at, damages[i].n);
        assert_refused(&fixture, TC_E_STORE_BROKEN);
        fixture_finish(&fixture);
    }
}

void test_sqlite__truncated_files_are_refused_untouched(void **state)
{
    static const off_t sizes[] = {50, 100, 4000, 4096, 4096 * 5};
    (void)state;

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct fixture fixture;

        fixture_init(&fixture);
        make_old(&fixture, tc_migrations_n);
        assert_int_equal(truncate(fixture.path, sizes[i]), 0);
        assert_refused(&fixture, TC_E_STORE_BROKEN);
        fixture_finish(&fixture);
    }
}

void test_sqlite__an_empty_file_becomes_a_store(void **state)
{
    struct fixture fixture;
    struct tc_cx *cx = &fixture.test.cx;
    struct tc_store *store;
    (void)state;

    fixture_init(&fixture);
    write_file(fixture.path, "", 0);
    store = open_direct(&fixture);
    assert_done(store->agents->create(cx, store, TC_STR("a"), TC_STR("{}"), 1));
    store->close(cx, store);
    fixture_finish(&fixture);
}

void test_sqlite__places_without_a_file_are_named(void **state)
{
    struct fixture fixture;
    struct tc_cx *cx = &fixture.test.cx;
    struct tc_store *store = NULL;
    char *nowhere;
    (void)state;

    fixture_init(&fixture);
    nowhere = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/none/toolcrib.db", fixture.folder));
    assert_fails(tc_sqlite_open(cx, NULL, nowhere, "normal", &store), TC_E_STORE_FAILED);
    assert_true(tc_str_find(cx->err.message, tc_str_of(nowhere)) != SIZE_MAX);
    assert_fails(tc_sqlite_open(cx, NULL, fixture.folder, "normal", &store), TC_E_STORE_FAILED);
    assert_fails(tc_sqlite_open(cx, NULL, fixture.path, "sometimes", &store), TC_E_CONFIG_INVALID);
    assert_str(cx->err.field, "/store/sync");
    assert_null(store);
    assert_int_equal(access(fixture.path, F_OK), -1);
    fixture_finish(&fixture);
}

void test_sqlite__damage_shows_when_it_is_read(void **state)
{
    struct fixture fixture;
    struct tc_cx *cx = &fixture.test.cx;
    struct tc_store *store;
    enum tc_err err = TC_OK;
    (void)state;

    fixture_init(&fixture);
    store = open_direct(&fixture);
    for (int i = 0; i < 200; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i);
        struct tc_result_row result = store_contract_result_row(cx, i);
        char *raw = tc_arena_alloc(cx->arena, 100000); /* past what is checked at the start */

        memset(raw, 'x', 100000);
        result.raw = tc_str_n(raw, 100000);
        assert_done(store->audit->add_done(cx, store, &row, &result));
    }
    store->close(cx, store);
    overwrite(&fixture, 4096 * 100, 4096 * 3000);
    store = open_direct(&fixture);
    for (int i = 0; i < 200 && !err; i++) {
        struct tc_audit_row row;

        err = store->audit->get(cx, store, store_contract_audit_row(cx, i).id, &row);
    }
    assert_fails(err, TC_E_STORE_BROKEN);
    assert_true(cx->err.hint.n > 0);
    store->close(cx, store);
    fixture_finish(&fixture);
}

void test_sqlite__the_log_is_folded_in_while_it_runs(void **state)
{
    enum { ROWS = 2500, LIMIT = 40 << 20 }; /* some 50 MB of log when nothing folds it */
    struct fixture fixture;
    struct tc_cx *cx = &fixture.test.cx;
    struct tc_store *store;
    struct stat log, file;
    (void)state;

    fixture_init(&fixture);
    store = open_direct(&fixture);
    for (int i = 0; i < ROWS; i++) {
        struct tc_audit_row row = store_contract_audit_row(cx, i);

        assert_done(store->audit->add(cx, store, &row));
    }
    assert_int_equal(stat(tc_arena_printf(cx->arena, "%s-wal", fixture.path).p, &log), 0);
    assert_int_equal(stat(fixture.path, &file), 0);
    assert_true(log.st_size > 0 && log.st_size < LIMIT);
    assert_true(file.st_size > 256 << 10);
    store->close(cx, store);
    fixture_finish(&fixture);
}
