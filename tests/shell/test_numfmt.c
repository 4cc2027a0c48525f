// numfmt in the shell: what GNU numfmt 9.1 writes.
#include "support/shell.h"

void test_numfmt__numbers_and_units(void **state)
{
    static const struct test_shell_row rows[] = {
        {"numfmt --to=iec 1024", "1.0K\n", "", 0},
        {"numfmt --to=si 1500", "1.5K\n", "", 0},
        {"numfmt --to=iec-i 2048", "2.0Ki\n", "", 0},
        {"numfmt --from=iec 1K", "1024\n", "", 0},
        {"numfmt --from=si 1K", "1000\n", "", 0},
        {"numfmt --from=auto 1Ki 1K", "1024\n1000\n", "", 0},
        {"numfmt --from=iec-i 1Ki", "1024\n", "", 0},
        {"numfmt --from=iec-i 1K", "", "numfmt: missing 'i' suffix in input: \342\200\2301K\342\200\231 (e.g "
         "Ki/Mi/Gi)\n", 2},
        {"numfmt --to=iec --format=%.2f 1500", "1.47K\n", "", 0},
        {"numfmt --to=si --padding=10 1500", "      1.5K\n", "", 0},
        {"numfmt --to=si --padding=-10 1500", "1.5K      \n", "", 0},
        {"numfmt --to=si --suffix=B 1500", "1.5KB\n", "", 0},
        {"numfmt --grouping 1234567", "1234567\n", "", 0},
        {"numfmt --to-unit=1024 2048", "2\n", "", 0},
        {"numfmt --from-unit=1024 2", "2048\n", "", 0},
        {"numfmt --from-unit=1K 2", "2000\n", "", 0},
        {"numfmt --round=up --to=si 1501", "1.6K\n", "", 0},
        {"numfmt --round=down --to=si 1999", "1.9K\n", "", 0},
        {"numfmt --round=nearest --to=si 1550", "1.6K\n", "", 0},
        {"numfmt --round=towards-zero --to=si 1999", "1.9K\n", "", 0},
        {"numfmt --to=iec 1048576 999 1023 0", "1.0M\n999\n1023\n0\n", "", 0},
        {"numfmt --to=si 999999", "1.0M\n", "", 0},
        {"numfmt --to=si --from=si 9.95K", "10K\n", "", 0},
        {"numfmt abc", "", "numfmt: invalid number: \342\200\230abc\342\200\231\n", 2},
        {"numfmt --from=iec 1X", "", "numfmt: invalid suffix in input: \342\200\2301X\342\200\231\n", 2},
        {"numfmt 1K", "", "numfmt: rejecting suffix in input: \342\200\2301K\342\200\231 (consider using "
         "--from)\n", 2},
        {"numfmt --to=iec -- -1500", "-1.5K\n", "", 0},
        {"numfmt --to=iec 10240 102400", "10K\n100K\n", "", 0},
        {"numfmt 1.5", "1.5\n", "", 0},
        {"numfmt --to=none 1500.7", "1500.7\n", "", 0},
        {"numfmt --format=%10.3f 5", "     5.000\n", "", 0},
        {"numfmt --format='%-10f|' 5", "5         |\n", "", 0},
        {"numfmt --format='x%fy' 5", "x5y\n", "", 0},
        {"numfmt --format='%010f' 5", "0000000005\n", "", 0},
        {"numfmt --format='%d' 5", "", "numfmt: invalid format \342\200\230%d\342\200\231, directive must be "
         "%[0]['][-][N][.][N]f\n", 1},
        {"numfmt --format='abc' 5", "", "numfmt: format \342\200\230abc\342\200\231 has no % directive\n", 1},
        {"numfmt --invalid=warn x", "x\n", "numfmt: invalid number: \342\200\230x\342\200\231\n", 0},
        {"numfmt --invalid=ignore x 5", "x\n5\n", "", 0},
        {"numfmt --invalid=fail x 5", "x\n5\n", "numfmt: invalid number: \342\200\230x\342\200\231\n", 2},
        {"numfmt --from=iec 1.5K", "1536\n", "", 0},
        {"numfmt --to=si 12345678901234", "13T\n", "", 0},
        {"numfmt --to=iec-i --suffix=B 123456", "121KiB\n", "", 0},
        {"printf 'a 1024 x\\nb 2048 y\\n' | numfmt --to=iec --field=2", "a 1.0K x\nb 2.0K y\n", "", 0},
        {"printf 'a    10240 x\\n' | numfmt --to=iec --field=2", "a      10K x\n", "", 0},
        {"printf '   10240 x\\n' | numfmt --to=iec", "     10K x\n", "", 0},
        {"printf 'h\\n1024:5\\n' | numfmt -d: --field=1 --header --to=iec", "h\n1.0K:5\n", "", 0},
        {"printf '1024 2048 3\\n' | numfmt --field=- --to=iec", "1.0K 2.0K 3\n", "", 0},
        {"printf '1024 2048 3\\n' | numfmt --field=2- --to=iec", "1024 2.0K 3\n", "", 0},
        {"printf '1024 2048 3\\n' | numfmt --field=-2 --to=iec", "1.0K 2.0K 3\n", "", 0},
        {"printf '1\\n2\\n' | numfmt --header=1 --to-unit=2", "1\n1\n", "", 0},
        {"numfmt --to=si 1e3", "", "numfmt: invalid suffix in input: \342\200\2301e3\342\200\231\n", 2},
        {"numfmt --from=si --to=iec 1M 500K", "977K\n489K\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}
