/*
 * dd: which bytes go where, and what is told of it.
 */
#include "support/shell.h"

static const struct test_shell_row rows[] = {
    {"printf 0123456789 | dd bs=4 status=none", "0123456789", "", 0},
    {"printf 0123456789 | dd bs=4 skip=1 count=1 status=noxfer", "4567", "1+0 records in\n1+0 records out\n", 0},
    {"(printf ab; sleep 0.05; printf cd) | dd bs=4 count=1 status=noxfer", "abcd",
     "1+0 records in\n1+0 records out\n", 0},
    {"printf 0123456789 > f; printf XY | dd of=f bs=1 seek=3 conv=notrunc status=none; cat f", "012XY56789", "", 0},
    {"printf 0123456789 > f; printf XY | dd of=f bs=1 seek=3 status=none; cat f", "012XY", "", 0},
    {"printf abc | dd conv=ucase,swab status=none", "BAC", "", 0},
    {"printf abc | dd bs=1 seek=1 status=none", "", "dd: 'standard output': cannot seek: Illegal seek\n", 1},
    {"dd bs=1G count=0", "", "dd: blocks of 1073741824 bytes are too large\n", 1},
    {"dd conv=ascii", "", NULL, 1},
    {"dd --no-such", "", NULL, 2},
};

void test_dd__copies_blocks_to_their_places(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
