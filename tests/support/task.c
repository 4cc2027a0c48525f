/*
 * Loops for tests, and expectations that are kept until the loop has ended.
 */
#include "support/task.h"

#include <dirent.h>
#include <stdatomic.h>

static atomic_int failures;

bool test_expect(bool ok, const char *what, const char *file, int line)
{
    if (!ok) {
        print_error("%s:%d: not so: %s\n", file, line, what);
        atomic_fetch_add(&failures, 1);
    }
    return ok;
}

bool test_expect_int(int64_t actual, int64_t expected, const char *what, const char *file, int line)
{
    if (actual != expected) {
        print_error("%s:%d: %s is %lld, expected %lld\n", file, line, what, (long long)actual, (long long)expected);
        atomic_fetch_add(&failures, 1);
    }
    return actual == expected;
}

bool test_expect_text(struct tc_str actual, struct tc_str expected, const char *file, int line)
{
    if (!tc_str_eq(actual, expected)) {
        print_error("%s:%d: is \"%.*s\", expected \"%.*s\"\n", file, line, TC_STR_ARG(actual), TC_STR_ARG(expected));
        atomic_fetch_add(&failures, 1);
        return false;
    }
    return true;
}

void test_expect_end(void)
{
    int n = atomic_exchange(&failures, 0);

    if (n)
        fail_msg("%d expectations failed, see above", n);
}

int test_fd_count(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;

    assert_non_null(dir);
    while (readdir(dir))
        n++;
    closedir(dir);
    return n;
}

static void run(struct test_cx *test, struct tc_loop *loop, tc_task_fn *fn, void *arg)
{
    assert_int_equal(tc_task_spawn(&test->cx, loop, NULL, "test", fn, arg), TC_OK);
    tc_loop_run(loop);
    tc_loop_destroy(loop);
}

void test_task_run(tc_task_fn *fn, void *arg)
{
    struct test_cx test;
    struct tc_loop *loop;
    int fds;

    test_cx_init(&test);
    assert_int_equal(tc_loop_create(&test.cx, &loop), TC_OK);
    tc_loop_destroy(loop); /* the first loop of a process opens a pipe that stays */
    fds = test_fd_count();
    assert_int_equal(tc_loop_create(&test.cx, &loop), TC_OK);
    run(&test, loop, fn, arg);
    test_cx_finish(&test);
    test_expect_end();
    assert_int_equal(test_fd_count(), fds);
}

void test_task_run_virtual(tc_task_fn *fn, void *arg)
{
    struct test_cx test;
    struct tc_loop *loop;

    test_cx_init(&test);
    assert_int_equal(tc_loop_create_virtual(&test.cx, 1000000, &loop), TC_OK);
    run(&test, loop, fn, arg);
    test_cx_finish(&test);
    test_expect_end();
}
