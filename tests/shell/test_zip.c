/*
 * zip where an archive is there that is no good, and what it leaves then.
 */
#include "zip_bytes.h"

void test_zip__an_archive_that_is_broken_stays_as_it_is(void **state)
{
    static const struct zip_member other[] = {{.name = "a", .content = "abc", .other_name = "b"}};
    struct test_shell shell;
    struct tc_str before;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, other);
    before = test_shell_get(&shell, "a.zip");
    assert_int_equal(test_shell_run(&shell, "echo x > f; zip -q a.zip f"), 3);
    assert_str(shell.out, "\nzip error: Zip file structure invalid (a.zip)\n");
    assert_true(tc_str_eq(test_shell_get(&shell, "a.zip"), before));
    assert_int_equal(test_shell_run(&shell, "zip -d a.zip a"), 3);
    assert_true(tc_str_eq(test_shell_get(&shell, "a.zip"), before));
    test_shell_finish(&shell);
}

void test_zip__members_that_stay_are_copied_unread(void **state)
{
    static const struct zip_member members[] = {
        {.name = "../up", .content = "x"},
        {.name = "odd", .content = "abc", .method = 99},
        {.name = "sum", .content = "abc", .crc_flip = 1},
        {.name = "good", .content = "abc"},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    assert_int_equal(test_shell_run(&shell, "echo x > f; zip -q a.zip f; zip -qd a.zip good; unzip -Z1 a.zip"), 0);
    assert_str(shell.out, "../up\nodd\nsum\nf\n");
    assert_int_equal(test_shell_run(&shell, "zip -qT a.zip"), 8);
    test_shell_finish(&shell);
}

void test_zip__freshening_a_name_that_leads_out_reads_nothing_outside(void **state)
{
    static const struct zip_member members[] = {{.name = "../../etc/passwd", .content = "x"}};
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    assert_int_equal(test_shell_run(&shell, "zip -qf a.zip"), 12);
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip"), 0);
    assert_str(shell.out, "x");
    test_shell_finish(&shell);
}

void test_zip__a_limit_leaves_the_archive_that_was_there(void **state)
{
    static const struct zip_member members[] = {{.name = "a", .content = "abc"}};
    struct test_shell shell;
    struct tc_str before;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    before = test_shell_get(&shell, "a.zip");
    assert_int_equal(test_shell_run(&shell, "seq 200000 > s"), 0);
    shell.limits.work = 300;
    assert_int_equal(test_shell_run(&shell, "zip -q a.zip s"), 137);
    assert_string_equal(shell.outcome.message, "work limit of 300 steps reached");
    assert_true(tc_str_eq(test_shell_get(&shell, "a.zip"), before));
    test_shell_finish(&shell);
}
