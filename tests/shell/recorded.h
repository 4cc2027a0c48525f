/*
 * Rows of commands with what GNU coreutils 9.1 does, for the test_cmds files. Each row
 * runs in a workspace of its own, after a script that fills it.
 */
#ifndef TESTS_SHELL_RECORDED_H
#define TESTS_SHELL_RECORDED_H

#include "support/shell.h"

struct row {
    const char *command, *out, *err;
    int status;
    const char *tree; /* what is there then, as ls -dF shows it; NULL is not looked at */
};

static inline void check(const char *setup, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct test_shell shell;
        int status;

        test_shell_init(&shell);
        assert_int_equal(test_shell_run(&shell, setup), 0);
        status = test_shell_run(&shell, rows[i].command);
        if (status != rows[i].status || !tc_str_is(shell.out, rows[i].out) || !tc_str_is(shell.err, rows[i].err))
            print_message("in: %s\n", rows[i].command);
        assert_str(shell.out, rows[i].out);
        assert_str(shell.err, rows[i].err);
        assert_int_equal(status, rows[i].status);
        if (rows[i].tree) {
            test_shell_run(&shell, "shopt -s globstar; ls -dF ** | tr '\n' ' '");
            if (!tc_str_is(shell.out, rows[i].tree))
                print_message("after: %s\n", rows[i].command);
            assert_str(shell.out, rows[i].tree);
        }
        test_shell_finish(&shell);
    }
}
#define CHECK(setup, rows) check((setup), (rows), sizeof(rows) / sizeof *(rows))

#endif
