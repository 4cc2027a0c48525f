/*
 * Tests inside tasks. cmocka leaves a failed assertion by longjmp, which must not
 * cross stacks, so a task uses the expect_ macros: they print, note the failure
 * and go on; the test fails when the loop has ended.
 */
#ifndef TESTS_SUPPORT_TASK_H
#define TESTS_SUPPORT_TASK_H

#include "io/loop.h"
#include "io/task.h"
#include "support/test.h"

/* Runs fn as the first task of a fresh loop until no task is left, destroys the
 * loop, and fails the test when an expectation failed or a descriptor leaked. */
void test_task_run(tc_task_fn *fn, void *arg);
/* The same with a virtual clock that starts at wall time 1,000,000 ms. */
void test_task_run_virtual(tc_task_fn *fn, void *arg);

#define expect(cond) test_expect((cond), #cond, __FILE__, __LINE__)
#define expect_int(actual, expected) \
    test_expect_int((int64_t)(actual), (int64_t)(expected), #actual, __FILE__, __LINE__)
#define expect_text(actual, expected) test_expect_text((actual), tc_str_of(expected), __FILE__, __LINE__)
bool test_expect(bool ok, const char *what, const char *file, int line);
bool test_expect_int(int64_t actual, int64_t expected, const char *what, const char *file, int line);
bool test_expect_text(struct tc_str actual, struct tc_str expected, const char *file, int line);
/* Fails the test when an expectation failed since the last call. */
void test_expect_end(void);

/* How many descriptors the process has open. */
int test_fd_count(void);

#endif
