/*
 * What every test file includes: cmocka with its prerequisites, and a call
 * context that lives for one test.
 */
#ifndef TESTS_SUPPORT_TEST_H
#define TESTS_SUPPORT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toolcrib/cx.h"

struct test_cx {
    struct tc_arena arena;
    struct tc_cx cx;
};
/* A context outside any loop, with the system clock. */
void test_cx_init(struct test_cx *test);
void test_cx_finish(struct test_cx *test);

/* Both sides are tc_str; shows both on failure. */
#define assert_str(actual, expected) test_assert_str((actual), tc_str_of(expected), __FILE__, __LINE__)
void test_assert_str(struct tc_str actual, struct tc_str expected, const char *file, int line);

/* The folder of test data sets, or NULL after one line "not run" on stdout. */
const char *test_data_dir(void);
/* A whole file into the arena; fails the test when unreadable. */
struct tc_str test_read_file(struct tc_arena *arena, const char *path);
/* A fresh folder below TMPDIR, removed by test_rmtree. */
char *test_tmpdir(struct tc_arena *arena);
void test_rmtree(const char *path);

#endif
