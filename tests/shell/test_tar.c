/*
 * tar over archives that are made here, header by header: such as GNU tar would not
 * make, and what it says of them. What tar does with sound ones is in the corpus.
 */
#include <stdio.h>

#include "support/shell.h"

enum { BLOCK = 512, ARCHIVE_MAX = 64 * BLOCK };

struct member {
    const char *name, *link, *content;
    char type;
    const char *size, *mtime; /* NULL: what is right, and a moment in 2020; else the field, or as `bytes` has it */
    size_t bytes;
};

static void set_sum(unsigned char *head)
{
    char text[8];
    unsigned sum = 0;

    memset(head + 148, ' ', 8);
    for (int i = 0; i < BLOCK; i++)
        sum += head[i];
    snprintf(text, sizeof text, "%06o", sum);
    memcpy(head + 148, text, 7);
}

static void set_field(unsigned char *at, const char *given, size_t bytes, unsigned long usual)
{
    char text[16];

    snprintf(text, sizeof text, "%011lo", usual);
    memcpy(at, given ? given : text, given && bytes ? bytes : 11);
}

/* Writes the members and the end to a.tar. */
static void put_archive(struct test_shell *shell, const struct member *members, size_t n)
{
    unsigned char *archive = tc_arena_zalloc(&shell->test.arena, 1, ARCHIVE_MAX), *at = archive;

    assert_non_null(archive);
    for (size_t i = 0; i < n; i++) {
        const struct member *m = &members[i];
        size_t size = m->content ? strlen(m->content) : 0;

        memcpy(at, m->name, strlen(m->name));
        memcpy(at + 100, "0000644", 7);
        memcpy(at + 108, "0000000", 7);
        memcpy(at + 116, "0000000", 7);
        set_field(at + 124, m->size, m->bytes, size);
        set_field(at + 136, m->mtime, m->bytes, 1577836800);
        at[156] = (unsigned char)m->type;
        if (m->link)
            memcpy(at + 157, m->link, strlen(m->link));
        memcpy(at + 257, "ustar  ", 7);
        set_sum(at);
        if (size)
            memcpy(at + BLOCK, m->content, size);
        at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
        assert_true(at + 3 * BLOCK < archive + ARCHIVE_MAX);
    }
    test_shell_put_bytes(shell, "a.tar", tc_str_n((char *)archive, (size_t)(at - archive) + 2 * BLOCK), 0644);
}

void test_tar__a_size_that_no_file_has_is_malformed(void **state)
{
    static const struct member huge[] = {
        {"a", .type = '0', .size = "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", .bytes = 12}};
    static const struct member negative[] = {
        {"a", .type = '0', .size = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", .bytes = 12}};
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    put_archive(&shell, huge, 1);
    assert_int_equal(test_shell_run(&shell, "tar -xf a.tar"), 2);
    assert_str(shell.err, "tar: Malformed header: the size is out of range\n"
                          "tar: Error is not recoverable: exiting now\n");
    put_archive(&shell, negative, 1);
    assert_int_equal(test_shell_run(&shell, "tar -tf a.tar"), 2);
    assert_str(shell.out, "");
    test_shell_finish(&shell);
}

void test_tar__times_beyond_the_calendar_are_shown_as_numbers(void **state)
{
    static const struct member members[] = {
        {"far", .type = '0', .content = "", .mtime = "\x80\0\0\0\x40\0\0\0\0\0\0\1", .bytes = 12},
        {"late", .type = '0', .content = "", .mtime = "\x80\0\0\0\0\0\x17\x0b\xc0\0\0\0", .bytes = 12},
        {"before", .type = '0', .mtime = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xfb", .bytes = 12},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    put_archive(&shell, members, 3);
    assert_int_equal(test_shell_run(&shell, "tar -tvf a.tar"), 0);
    assert_str(shell.out, "-rw-r--r-- 0/0               0 4611686018427387905 far\n"
                          "-rw-r--r-- 0/0               0 804938-05-04 05:56 late\n"
                          "-rw-r--r-- 0/0               0 1969-12-31 23:59 before\n");
    test_shell_finish(&shell);
}

void test_tar__no_name_leads_out_of_the_folder(void **state)
{
    static const struct member members[] = {
        {"../up", .type = '0', .content = "x"},
        {"d/../../over", .type = '0', .content = "x"},
        {"/abs", .type = '0', .content = "x"},
        {"h", .type = '1', .link = "../kept"},
        {"fifo", .type = '6'},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    put_archive(&shell, members, 5);
    test_shell_put(&shell, "kept", "kept", 0644);
    assert_int_equal(test_shell_run(&shell, "mkdir in; tar -xf a.tar -C in; echo $?; find . -type f | sort"), 0);
    assert_str(shell.out, "2\n./a.tar\n./in/abs\n./kept\n");
    assert_str(shell.err, "tar: ../up: Member name contains '..'\n"
                          "tar: d/../../over: Member name contains '..'\n"
                          "tar: Removing leading `/' from member names\n"
                          "tar: ../kept: Member name contains '..'\n"
                          "tar: fifo: is neither a file, a folder nor a link: left out\n"
                          "tar: Exiting with failure status due to previous errors\n");
    test_shell_finish(&shell);
}

void test_tar__nothing_is_written_through_a_link_that_leads_out(void **state)
{
    static const struct member members[] = {
        {"l", .type = '2', .link = "../out"},      {"l/evil", .type = '0', .content = "x"},
        {"h", .type = '1', .link = "l"},           {"h/evil", .type = '0', .content = "x"},
        {"to", .type = '2', .link = "/out/file"},  {"to", .type = '0', .content = "x"},
        {"again", .type = '2', .link = "../out"},
    };
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    put_archive(&shell, members, 7);
    test_shell_put(&shell, "out/file", "kept", 0644);
    assert_int_equal(test_shell_run(&shell, "mkdir in; tar -xf a.tar -C in"), 2);
    assert_str(shell.err, "tar: l/evil: Cannot open: Not a directory\n"
                          "tar: h/evil: Cannot open: Not a directory\n"
                          "tar: Exiting with failure status due to previous errors\n");
    assert_int_equal(test_shell_run(&shell, "find out in | sort; readlink in/l in/h in/again; cat out/file in/to"), 0);
    assert_str(shell.out, "in\nin/again\nin/h\nin/l\nin/to\nout\nout/file\n../out\n../out\n../out\nkeptx");
    test_shell_finish(&shell);
}

void test_tar__a_bomb_ends_at_the_limit_it_meets(void **state)
{
    struct test_shell shell;
    (void)state;

    test_shell_init(&shell);
    assert_int_equal(test_shell_run(&shell, "head -c 8M /dev/zero > b; tar -cjf a.t b; gzip -k b; bzip2 b"), 0);
    shell.limits.work = 20000;
    for (size_t i = 0; i < 3; i++) {
        static const char *const scripts[] = {"tar -tf a.t", "gzip -t b.gz", "bzip2 -t b.bz2"};

        assert_int_equal(test_shell_run(&shell, scripts[i]), 137);
        assert_string_equal(shell.outcome.message, "work limit of 20000 steps reached");
    }
    shell.limits = tc_sh_limits_default();
    shell.limits.output = 1 << 20;
    assert_int_equal(test_shell_run(&shell, "zcat b.gz"), 137);
    assert_string_equal(shell.outcome.message, "output limit of 1 MiB reached");
    shell.limits = tc_sh_limits_default();
    shell.limits.file_size = 1 << 20;
    assert_int_equal(test_shell_run(&shell, "tar -xf a.t"), 2);
    assert_str(shell.err, "tar: b: Cannot write: File too large\n"
                          "tar: Exiting with failure status due to previous errors\n"
                          "bash: file size limit of 1 MiB reached\n");
    assert_int_equal(test_shell_run(&shell, "rm b; gunzip b.gz"), 1);
    assert_int_equal(test_shell_run(&shell, "ls"), 0);
    assert_str(shell.out, "a.t\nb.bz2\nb.gz\n");
    test_shell_finish(&shell);
}
