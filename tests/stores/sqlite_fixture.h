/*
 * What the tests of the SQLite store share: a folder with a store's file, and
 * running a body in a task of a loop.
 */
#ifndef TESTS_STORES_SQLITE_FIXTURE_H
#define TESTS_STORES_SQLITE_FIXTURE_H

#include "contract/store_contract.h"

#include "io/loop.h"
#include "io/task.h"
#include "stores/sqlite.h"

struct fixture {
    struct test_cx test;
    char *folder, *path;
};

static inline void fixture_init(struct fixture *fixture)
{
    test_cx_init(&fixture->test);
    fixture->folder = test_tmpdir(&fixture->test.arena);
    fixture->path = tc_arena_cstr(&fixture->test.arena,
                                  tc_arena_printf(&fixture->test.arena, "%s/toolcrib.db", fixture->folder));
}

static inline void fixture_finish(struct fixture *fixture)
{
    test_rmtree(fixture->folder);
    test_cx_finish(&fixture->test);
}

/* Runs fn in a task and returns when every task has ended. */
static inline void run_on_loop(struct tc_cx *cx, tc_task_fn *fn, void *arg)
{
    struct tc_loop *loop;

    assert_done(tc_loop_create(cx, &loop));
    assert_done(tc_task_spawn(cx, loop, NULL, "test", fn, arg));
    tc_loop_run(loop);
    tc_loop_destroy(loop);
}

#endif
