// factor in the shell: what GNU factor 9.1 writes.
#include "support/shell.h"

void test_factor__primes(void **state)
{
    static const struct test_shell_row rows[] = {
        {"factor 12 97 1 0 18446744073709551615 100", "12: 2 2 3\n97: 97\n1:\n0:\n18446744073709551615: 3 5 17 "
         "257 641 65537 6700417\n100: 2 2 5 5\n", "", 0},
        {"factor 18446744073709551557 18446744073709551556", "18446744073709551557: "
         "18446744073709551557\n18446744073709551556: 2 2 11 137 547 5594472617641\n", "", 0},
        {"factor 1000000007000000049 600851475143", "1000000007000000049: 3 73 10069 103549 "
         "4379491\n600851475143: 71 839 1471 6857\n", "", 0},
        {"factor x", "", "factor: \342\200\230x\342\200\231 is not a valid positive integer\n", 1},
        {"factor +5", "5: 5\n", "", 0},
        {"printf '10 20\\n 30\\n' | factor", "10: 2 5\n20: 2 2 5\n30: 2 3 5\n", "", 0},
        {"factor 4294967297 1", "4294967297: 641 6700417\n1:\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}
