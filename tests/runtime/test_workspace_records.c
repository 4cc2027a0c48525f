/*
 * Read records: ranges that add up, versions, the bound.
 */
#include "support/test.h"

#include <stdio.h>

#include "base/mem.h"
#include "runtime/workspace_impl.h"

#define SHA_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SHA_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

struct fixture {
    struct test_cx test;
    struct tc_workspace_service ws;
};

static void start(struct fixture *f)
{
    test_cx_init(&f->test);
    f->ws.workspace = NULL;
    assert_int_equal(tc_workspace_records_create(&f->test.cx, &f->ws.records), TC_OK);
}

static void end(struct fixture *f)
{
    tc_workspace_records_destroy(f->ws.records);
    test_cx_finish(&f->test);
}

static void saw(struct fixture *f, const char *sha, int64_t first, int64_t last, int64_t total)
{
    assert_int_equal(tc_workspace_record_read(&f->test.cx, &f->ws, TC_STR("p"), sha, first, last, total), TC_OK);
}

static bool seen(struct fixture *f, int64_t first, int64_t last)
{
    return tc_workspace_record_seen(&f->ws, TC_STR("p"), first, last);
}

static struct tc_workspace_record get(struct fixture *f)
{
    struct tc_workspace_record record;

    tc_workspace_record_get(&f->ws, TC_STR("p"), &record);
    return record;
}

void test_workspace_records__ranges_add_up_in_any_order(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    assert_false(seen(&f, 1, 1));
    assert_string_equal(get(&f).sha256, "");
    saw(&f, SHA_A, 7, 8, 10);
    saw(&f, SHA_A, 3, 4, 10);
    assert_true(seen(&f, 3, 4) && seen(&f, 7, 8) && seen(&f, 8, 8));
    assert_false(seen(&f, 4, 5) || seen(&f, 3, 8) || seen(&f, 2, 3));
    saw(&f, SHA_A, 5, 6, 10); /* touches both */
    assert_true(seen(&f, 3, 8));
    saw(&f, SHA_A, 9, 10, 10);
    assert_false(get(&f).full);
    saw(&f, SHA_A, 1, 5, 10); /* overlaps */
    assert_true(get(&f).full);
    assert_true(seen(&f, 1, 1000));
    end(&f);
}

void test_workspace_records__a_new_version_starts_anew(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    saw(&f, SHA_A, 1, 3, 3);
    assert_true(get(&f).full);
    saw(&f, SHA_B, 1, 1, 3);
    assert_string_equal(get(&f).sha256, SHA_B);
    assert_false(get(&f).full || seen(&f, 2, 2));
    saw(&f, SHA_B, 2, 1, 3); /* opened, no line shown */
    assert_false(seen(&f, 2, 2));
    saw(&f, SHA_A, 1, 0, 0); /* empty */
    assert_true(get(&f).full);
    end(&f);
}

void test_workspace_records__a_failed_patch_stays_until_all_is_read(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    tc_workspace_record_patch_failed(&f.ws, TC_STR("p")); /* nothing known: nothing to note */
    assert_string_equal(get(&f).sha256, "");
    saw(&f, SHA_A, 1, 1, 3);
    tc_workspace_record_patch_failed(&f.ws, TC_STR("p"));
    assert_true(get(&f).patch_failed);
    saw(&f, SHA_B, 1, 1, 3);
    assert_true(get(&f).patch_failed);
    saw(&f, SHA_B, 2, 3, 3);
    assert_true(get(&f).full && !get(&f).patch_failed);
    tc_workspace_record_patch_failed(&f.ws, TC_STR("p"));
    assert_false(get(&f).patch_failed);
    end(&f);
}

void test_workspace_records__an_edit_moves_the_lines(void **state)
{
    struct tc_workspace_edit edit = {SHA_A, 5, 6, 2};
    struct fixture f;
    (void)state;

    start(&f);
    saw(&f, SHA_A, 1, 2, 20);
    saw(&f, SHA_A, 4, 7, 20);
    saw(&f, SHA_A, 10, 11, 20);
    tc_workspace_records_patched(f.ws.records, TC_STR("p"), SHA_B, &edit);
    assert_string_equal(get(&f).sha256, SHA_B);
    assert_true(seen(&f, 1, 2) && seen(&f, 4, 9) && seen(&f, 12, 13));
    assert_false(seen(&f, 3, 3) || seen(&f, 10, 10) || seen(&f, 11, 12) || seen(&f, 14, 14));
    edit = (struct tc_workspace_edit){SHA_B, 1, 2, -2}; /* a whole range goes */
    tc_workspace_records_patched(f.ws.records, TC_STR("p"), SHA_A, &edit);
    assert_true(seen(&f, 2, 7) && seen(&f, 10, 11));
    assert_false(seen(&f, 1, 1));
    edit = (struct tc_workspace_edit){SHA_A, 1, 3, 0}; /* not all of it was seen: forgotten */
    tc_workspace_records_patched(f.ws.records, TC_STR("p"), SHA_B, &edit);
    assert_false(seen(&f, 4, 4));
    assert_true(seen(&f, 10, 11));
    end(&f);
}

void test_workspace_records__many_ranges_are_bounded(void **state)
{
    struct fixture f;
    int64_t known = 0;
    (void)state;

    start(&f);
    for (int64_t line = 1; line <= 2001; line += 2)
        saw(&f, SHA_A, line, line, 5000);
    for (int64_t line = 1; line <= 2001; line += 2)
        known += seen(&f, line, line);
    assert_int_equal(known, 256);
    assert_true(seen(&f, 2001, 2001));
    assert_false(seen(&f, 2000, 2000));
    end(&f);
}

void test_workspace_records__forget_the_least_recently_used_of_10000(void **state)
{
    struct tc_workspace_record record;
    struct fixture f;
    char path[16];
    int known = 0;
    (void)state;

    start(&f);
    for (int i = 0; i < 12000; i++) {
        snprintf(path, sizeof path, "f%d", i);
        tc_workspace_records_written(f.ws.records, tc_str_of(path), SHA_A);
        tc_workspace_record_get(&f.ws, TC_STR("f0"), &record); /* in use */
        assert_string_equal(record.sha256, SHA_A);
    }
    for (int i = 0; i < 12000; i++) {
        snprintf(path, sizeof path, "f%d", i);
        tc_workspace_record_get(&f.ws, tc_str_of(path), &record);
        known += record.sha256[0] != '\0';
        if (i > 0 && i <= 2000)
            assert_string_equal(record.sha256, "");
    }
    assert_int_equal(known, 10000);
    end(&f);
}

void test_workspace_records__survive_without_memory(void **state)
{
    struct fixture f;
    (void)state;

    start(&f);
    assert_true(tc_mem_fail_at(0, false)); /* built with TC_FAULTS */
    for (size_t nth = 1; nth < 12; nth++) {
        tc_mem_fail_at(nth, true);
        tc_workspace_record_read(&f.test.cx, &f.ws, TC_STR("p"), SHA_A, (int64_t)nth * 2, (int64_t)nth * 2, 100);
        tc_workspace_records_written(f.ws.records, TC_STR("q"), SHA_B);
        tc_mem_fail_at(0, false);
        assert_false(seen(&f, 1, 1));
    }
    saw(&f, SHA_A, 1, 100, 100);
    assert_true(get(&f).full);
    tc_workspace_records_forget(f.ws.records, TC_STR("p"));
    assert_string_equal(get(&f).sha256, "");
    end(&f);
}

void test_workspace_records__may_be_absent(void **state)
{
    struct tc_workspace_service ws = {0};
    struct tc_workspace_record record;
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    assert_int_equal(tc_workspace_record_read(&test.cx, &ws, TC_STR("p"), SHA_A, 1, 1, 1), TC_OK);
    tc_workspace_record_get(&ws, TC_STR("p"), &record);
    assert_string_equal(record.sha256, "");
    assert_false(tc_workspace_record_seen(&ws, TC_STR("p"), 1, 1));
    tc_workspace_records_written(NULL, TC_STR("p"), SHA_A);
    tc_workspace_records_forget(NULL, TC_STR("p"));
    test_cx_finish(&test);
}
