/*
 * look: lines by their beginning.
 */
#include "support/shell.h"

static const struct test_shell_row rows[] = {
    {"seq 100000 | sort > f; look 9999 f",
     "9999\n99990\n99991\n99992\n99993\n99994\n99995\n99996\n99997\n99998\n99999\n",
     "", 0},
    {"printf 'a\\nb' > f; look b f", "b", "", 0},
    {": > f; look b f", "", "", 1},
    {"printf 'a b\\na-c\\n' > f; look -d ac f", "a-c\n", "", 0},
    {"look x none", "", "look: none: No such file or directory\n", 1},
    {"look --no-such", "", NULL, 2},
};

void test_look__finds_lines_by_their_beginning(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
