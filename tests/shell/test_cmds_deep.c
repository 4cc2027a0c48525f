/*
 * Commands that go through folders, where there is little stack left for it: called
 * deep in functions, on a deep tree. Whatever they can do, the process goes on.
 */
#include "support/shell.h"

/* A tree of 1200 folders, and f N COMMAND, which runs COMMAND N functions and thirty loops in each deep. */
#define DEEP \
    "p=d; while [ ${#p} -lt 2400 ]; do p=$p/d; done; mkdir -p $p\n" \
    "o=; e=; for i in {1..30}; do o+='for _ in 1; do if true; then '; e+='; fi; done'; done\n" \
    "eval \"f() { if (( \\$1 > 0 )); then $o f \\$(( \\$1 - 1 )) \\\"\\${@:2}\\\" $e ; else \\\"\\${@:2}\\\"; fi; }\"\n"

static const struct test_shell_row rows[] = {
    {DEEP "for c in 'du' 'chmod -R 700' 'rm -r'; do f 165 $c d >/dev/null 2>&1; done; echo alive", "alive\n", "", 0},
};

void test_cmds_deep__a_deep_tree_below_deep_functions_ends_no_process(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
