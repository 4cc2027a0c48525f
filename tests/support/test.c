/*
 * Contexts, whole-value comparison and files for tests.
 */
#include "support/test.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

void test_cx_init(struct test_cx *test)
{
    tc_arena_init(&test->arena, 0);
    test->cx = (struct tc_cx){.arena = &test->arena, .clock = &tc_clock_system};
}

void test_cx_finish(struct test_cx *test)
{
    tc_arena_finish(&test->arena);
}

void test_assert_str(struct tc_str actual, struct tc_str expected, const char *file, int line)
{
    if (tc_str_eq(actual, expected))
        return;
    print_error("expected: \"%.*s\"\n  actual: \"%.*s\"\n", TC_STR_ARG(expected), TC_STR_ARG(actual));
    _fail(file, line);
}

const char *test_data_dir(void)
{
    const char *dir = getenv("TOOLCRIB_TEST_DATA");

    if (!dir || !*dir) {
        printf("not run: TOOLCRIB_TEST_DATA is not set\n");
        return NULL;
    }
    return dir;
}

struct tc_str test_read_file(struct tc_arena *arena, const char *path)
{
    FILE *f = fopen(path, "rb");
    char *p;
    long size;

    if (!f)
        fail_msg("cannot open %s", path);
    fseek(f, 0, SEEK_END);
    size = ftell(f);
    rewind(f);
    p = tc_arena_alloc(arena, (size_t)size + 1);
    assert_non_null(p);
    assert_int_equal(fread(p, 1, (size_t)size, f), size);
    p[size] = '\0';
    fclose(f);
    return tc_str_n(p, (size_t)size);
}

char *test_tmpdir(struct tc_arena *arena)
{
    const char *base = getenv("TMPDIR");
    char *path = tc_arena_cstr(arena, tc_arena_printf(arena, "%s/tc-test-XXXXXX", base ? base : "/tmp"));

    assert_non_null(path);
    assert_non_null(mkdtemp(path));
    return path;
}

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *ftw)
{
    (void)sb, (void)type, (void)ftw;
    return remove(path);
}

void test_rmtree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
