/*
 * The streams are buffers of the test; everything else is a call as the worker makes it.
 */
#include "support/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_MAX = 64 << 20, ARGS_MAX = 16 };

void test_shell_init(struct test_shell *shell)
{
    *shell = (struct test_shell){.limits = tc_sh_limits_default()};
    test_cx_init(&shell->test);
    shell->root = test_tmpdir(&shell->test.arena);
    shell->tmp = test_tmpdir(&shell->test.arena);
}

void test_shell_finish(struct test_shell *shell)
{
    test_rmtree(shell->root);
    test_rmtree(shell->tmp);
    test_cx_finish(&shell->test);
}

static int append(void *arg, const void *p, size_t n)
{
    tc_buf_add(arg, p, n);
    return 0;
}

static struct tc_str kept(struct test_shell *shell, struct tc_buf *buf)
{
    struct tc_str text = tc_buf_dup(buf, &shell->test.arena);

    assert_non_null(text.p);
    tc_buf_finish(buf);
    return text;
}

static int open_dir(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    assert_true(fd >= 0);
    return fd;
}

int test_shell_run_as(struct test_shell *shell, const char *script, const char *name, const char *const *args,
                      bool file)
{
    struct tc_str v[ARGS_MAX];
    struct tc_sh_mount mounts[] = {{.path = "/", .dirfd = open_dir(shell->root)},
                                   {.path = "/tmp", .dirfd = open_dir(shell->tmp), .hidden = true}};
    struct tc_sh_call call = {
        .limits = shell->limits, .mounts = mounts, .mounts_n = 2, .cwd = "/", .args = v, .file = file};
    struct tc_buf out, err;

    for (; args && args[call.args_n]; call.args_n++)
        v[call.args_n] = tc_str_of(args[call.args_n]);
    tc_buf_init(&out, OUTPUT_MAX);
    tc_buf_init(&err, OUTPUT_MAX);
    call.script = tc_str_of(script);
    call.name = tc_str_of(name);
    call.in = tc_sh_file_of_text(tc_str_of(shell->input ? shell->input : ""));
    call.out = tc_sh_file_of_sink(append, &out);
    call.err = tc_sh_file_of_sink(append, &err);
    tc_sh_call_run(&call, &shell->outcome, NULL, NULL);
    shell->out = kept(shell, &out);
    shell->err = kept(shell, &err);
    return shell->outcome.status;
}

int test_shell_run(struct test_shell *shell, const char *script)
{
    return test_shell_run_as(shell, script, "bash", NULL, false);
}

static char *path_of(struct test_shell *shell, const char *path)
{
    struct tc_str full = tc_arena_printf(&shell->test.arena, "%s/%s", shell->root, path);

    assert_non_null(full.p);
    return (char *)full.p;
}

void test_shell_put(struct test_shell *shell, const char *path, const char *text, unsigned mode)
{
    test_shell_put_bytes(shell, path, tc_str_of(text), mode);
}

void test_shell_put_bytes(struct test_shell *shell, const char *path, struct tc_str bytes, unsigned mode)
{
    char *full = path_of(shell, path);
    FILE *file;

    for (char *slash = strchr(full + strlen(shell->root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(full, 0755) != 0)
            assert_int_equal(errno, EEXIST);
        *slash = '/';
    }
    file = fopen(full, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.p, 1, bytes.n, file), bytes.n);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(full, mode), 0);
}

struct tc_str test_shell_get(struct test_shell *shell, const char *path)
{
    return test_read_file(&shell->test.arena, path_of(shell, path));
}

static bool differs(struct tc_str actual, const char *expected, const char *what, const char *script)
{
    if (!expected || tc_str_is(actual, expected))
        return false;
    print_error("%s\n  %s is      \"%.*s\"\n  and not \"%s\"\n", script, what, TC_STR_ARG(actual), expected);
    return true;
}

void test_shell_rows(const struct test_shell_row *rows, size_t n)
{
    size_t wrong = 0;

    for (size_t i = 0; i < n; i++) {
        struct test_shell shell;
        int status;
        bool differ;

        test_shell_init(&shell);
        status = test_shell_run(&shell, rows[i].script);
        differ = differs(shell.out, rows[i].out, "stdout", rows[i].script);
        differ |= differs(shell.err, rows[i].err, "stderr", rows[i].script);
        if (status != rows[i].status) {
            print_error("%s\n  status is %d and not %d\n", rows[i].script, status, rows[i].status);
            differ = true;
        }
        wrong += differ;
        test_shell_finish(&shell);
    }
    assert_int_equal(wrong, 0);
}
