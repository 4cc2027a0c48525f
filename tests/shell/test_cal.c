// cal in the shell: tables as util-linux writes them.
#include "support/shell.h"

void test_cal__months(void **state)
{
    static const struct test_shell_row rows[] = {
        {"cal 2 2026 | head -n 4", "   February 2026    \nSu Mo Tu We Th Fr Sa\n 1  2  3  4  5  6  7\n 8  9 10 "
         "11 12 13 14\n",
         "", 0},
        {"cal -m feb 2024 | tail -n +2 | head -n 2", "Mo Tu We Th Fr Sa Su\n          1  2  3  4\n", "", 0},
        {"cal 2026 | head -n 1 | tr -d ' '; cal 2026 | wc -l", "2026\n34\n", "", 0},
        {"cal -3 1 2026 | head -n 1", "   December 2025          January 2026         February 2026    \n", "", 0},
        {"cal 13 2026", "", "cal: illegal month value: use 1-12\n", 1},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}
