/*
 * install: modes, folders, and what is left as it is.
 */
#include "support/shell.h"

static const struct test_shell_row rows[] = {
    {"echo x > a; install a b; stat -c %a b; install -m 600 a b; stat -c %a b", "755\n600\n", "", 0},
    {"umask 077; echo x > a; install -D a p/q/r; stat -c %a p p/q p/q/r", "755\n755\n755\n", "", 0},
    {"install -dv -m 700 x/y; stat -c %a x x/y",
     "install: creating directory 'x'\ninstall: creating directory 'x/y'\n755\n700\n", "", 0},
    {"echo x > a; echo x > b; chmod 755 b; touch -d @5 b; install -C a b; stat -c %Y b; install a b; "
     "test $(stat -c %Y b) -gt 5 && echo new", "5\nnew\n", "", 0},
    {"echo x > a; ln -s a l; install a l; test -L l || echo a file", "a file\n", "", 0},
    {"echo x > a; install a a", "", "install: 'a' and 'a' are the same file\n", 1},
    {"echo x > a; install -s a b", "", NULL, 2},
};

void test_install__sets_modes_and_makes_folders(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
