/*
 * Scripts of the virtual shell on a temporary directory as its workspace: what they
 * write, their status, the files that they leave.
 */
#ifndef TESTS_SUPPORT_SHELL_H
#define TESTS_SUPPORT_SHELL_H

#include "shell/shell.h"
#include "support/test.h"

struct test_shell {
    struct test_cx test;
    char *root, *tmp;           /* the workspace, and what is /tmp */
    struct tc_sh_limits limits; /* tc_sh_limits_default; a test may lower them */
    const char *input;          /* of standard input; NULL: none */
    struct tc_str out, err;     /* of the last run */
    struct tc_sh_outcome outcome;
};

void test_shell_init(struct test_shell *shell);
void test_shell_finish(struct test_shell *shell);
/* As `bash -c script`. Its status. */
int test_shell_run(struct test_shell *shell, const char *script);
/* The same as `name args…`, the arguments ending with NULL; file: as of a script with that name. */
int test_shell_run_as(struct test_shell *shell, const char *script, const char *name, const char *const *args,
                      bool file);
/* A file in the workspace, made with its folders. */
void test_shell_put(struct test_shell *shell, const char *path, const char *text, unsigned mode);
void test_shell_put_bytes(struct test_shell *shell, const char *path, struct tc_str bytes, unsigned mode);
struct tc_str test_shell_get(struct test_shell *shell, const char *path); /* fails the test when absent */

struct test_shell_row {
    const char *script, *out, *err; /* as bash 5.2 writes them; NULL: not looked at */
    int status;
};
/* Each row in a workspace of its own; the script is told when one differs. */
void test_shell_rows(const struct test_shell_row *rows, size_t n);
/* Before a script that shows fields: p a 'b c' writes 2:<a><b c>. */
#define TEST_SHELL_P "p() { printf '%d:' $#; printf '<%s>' \"$@\"; echo; }; "
#define TEST_SHELL_ROWS(rows) test_shell_rows((rows), sizeof(rows) / sizeof *(rows))

#endif
