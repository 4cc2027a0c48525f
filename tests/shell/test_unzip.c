/*
 * unzip over archives that mean harm, or are broken. What it does with sound ones is in
 * the corpus.
 */
#include "zip_bytes.h"

static void expect(struct test_shell *shell, const char *script, int status, const char *out, const char *err)
{
    assert_int_equal(test_shell_run(shell, script), status);
    assert_str(shell->out, out);
    assert_str(shell->err, err);
}

void test_unzip__no_name_leads_out_of_the_folder(void **state)
{
    static const struct zip_member members[] = {
        {.name = "../up", .content = "x"},
        {.name = "/abs", .content = "x"},
        {.name = "d/../../over", .content = "x"},
        {.name = "..", .content = "x"},
        {.name = "a/./b", .content = "x"},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    expect(&shell, "mkdir in; cd in; unzip -q ../a.zip; echo $?; cd ..; find . -type f | sort", 0,
           "warning:  skipped \"../\" path component(s) in ../up\n"
           "warning:  skipped \"../\" path component(s) in d/../../over\n"
           "warning:  skipped \"../\" path component(s) in ..\n"
           "1\n./a.zip\n./in/a/b\n./in/abs\n./in/d/over\n./in/up\n",
           "warning:  stripped absolute path spec from /abs\n");
    test_shell_finish(&shell);
}

void test_unzip__nothing_is_written_through_a_link_of_the_archive(void **state)
{
    static const struct zip_member members[] = {
        {.name = "l", .content = "../out", .mode = 0120777},
        {.name = "l/evil", .content = "x"},
        {.name = "to", .content = "/out/file", .mode = 0120777},
        {.name = "to", .content = "x"},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    test_shell_put(&shell, "out/file", "kept", 0644);
    test_shell_run(&shell, "mkdir in; unzip -qo a.zip -d in");
    expect(&shell, "find out in | sort; cat out/file in/l/evil in/to", 0,
           "in\nin/l\nin/l/evil\nin/to\nout\nout/file\nkeptxx", "");
    test_shell_finish(&shell);
}

void test_unzip__sizes_and_sums_that_are_wrong_are_told(void **state)
{
    static const struct zip_member members[] = {
        {.name = "sum", .content = "abc", .crc_flip = 1},
        {.name = "more", .content = "abc", .deflate = true, .more = 1},
        {.name = "less", .content = "abcdef", .deflate = true, .more = -1},
        {.name = "stored", .content = "abc", .more = 4},
        {.name = "odd", .content = "abc", .method = 99},
        {.name = "secret", .content = "abc", .flags = 1},
        {.name = "good", .content = "abc", .deflate = true},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    assert_int_equal(test_shell_run(&shell, "unzip -t a.zip | grep -c OK"), 0);
    assert_str(shell.out, "1\n");
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip good; unzip -p a.zip sum"), 2);
    assert_str(shell.out, "abcabc");
    assert_str(shell.err, "sum                     bad CRC 352441c2  (should be 352441c3)\n");
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip more"), 2);
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip less"), 2);
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip stored"), 2);
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip odd"), 81);
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip secret"), 81);
    test_shell_finish(&shell);
}

void test_unzip__members_do_not_share_bytes_and_have_one_name(void **state)
{
    static const struct zip_member shared[] = {{.name = "a", .content = "abcabcabc"}, {.name = "b", .shared = true}};
    static const struct zip_member other[] = {{.name = "a", .content = "abc", .other_name = "b"}};
    static const char broken[] = "error [a.zip]:  the directory of the archive is not sound\n";
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, shared);
    expect(&shell, "unzip -q a.zip; echo $?; ls", 0, "3\na.zip\n", broken);
    ZIP_PUT(&shell, other);
    expect(&shell, "unzip -q a.zip; echo $?; ls", 0, "3\na.zip\n", broken);
    test_shell_finish(&shell);
}

void test_unzip__a_directory_that_is_cut_or_lies_is_no_archive(void **state)
{
    static const struct zip_member members[] = {{.name = "a", .content = "abc"}, {.name = "b", .content = "def"}};
    struct test_shell shell;
    struct tc_str whole;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    whole = test_shell_get(&shell, "a.zip");
    for (size_t n = 0; n < whole.n; n++) {
        test_shell_put_bytes(&shell, "a.zip", tc_str_n(whole.p, n), 0644);
        assert_int_equal(test_shell_run(&shell, "unzip -qo a.zip"), 9);
    }
    for (size_t i = whole.n - 22 + 8; i < whole.n; i++) {
        char *bent = (char *)tc_arena_dup(&shell.test.arena, whole).p;

        bent[i] ^= 0x11;
        test_shell_put_bytes(&shell, "a.zip", tc_str_n(bent, whole.n), 0644);
        assert_int_not_equal(test_shell_run(&shell, "unzip -qo a.zip"), 0);
    }
    assert_int_equal(test_shell_run(&shell, "ls"), 0);
    assert_str(shell.out, "a.zip\n");
    test_shell_finish(&shell);
}

void test_unzip__a_bomb_ends_at_the_limit_it_meets(void **state)
{
    static const struct zip_member members[] = {{.name = "bomb", .zeros = 8 << 20, .deflate = true}};
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    ZIP_PUT(&shell, members);
    shell.limits.file_size = 1 << 20;
    assert_int_equal(test_shell_run(&shell, "unzip -q a.zip; echo $?; stat -c %s bomb"), 0);
    assert_str(shell.out, "50\n1048576\n");
    assert_str(shell.err, "bomb:  write error: File too large\nbash: file size limit of 1 MiB reached\n");
    shell.limits.file_size = 0;
    assert_int_equal(test_shell_run(&shell, "rm bomb"), 0);
    shell.limits.bytes = 2 << 20;
    assert_int_equal(test_shell_run(&shell, "unzip -qo a.zip; echo $?; stat -c %s bomb"), 0);
    assert_str(shell.out, "50\n2097152\n");
    assert_str(shell.err, "bomb:  write error: Disk quota exceeded\nbash: limit of 2 MiB in files reached\n");
    shell.limits.bytes = 0;
    shell.limits.output = 1 << 20;
    assert_int_equal(test_shell_run(&shell, "unzip -p a.zip"), 137);
    assert_string_equal(shell.outcome.message, "output limit of 1 MiB reached");
    shell.limits = tc_sh_limits_default();
    shell.limits.work = 10000;
    assert_int_equal(test_shell_run(&shell, "unzip -t a.zip"), 137);
    assert_string_equal(shell.outcome.message, "work limit of 10000 steps reached");
    test_shell_finish(&shell);
}
