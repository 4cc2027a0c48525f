#include "support/shell.h"

void test_brace__lists_and_ranges(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "p {a,b} x{a,b}y {a,b}{1,2} {a,{b,c},d} {a,b {a} {} {a,} x{,y}z {1..5} {5..1} {1..1"
         "0..3} {10..1..3} {01..10..3} {-2..2} {-02..2} {a..e} {e..a} {a..j..3}",
         "64:<a><b><xay><xby><a1><a2><b1><b2><a><b><c><d><{a,b><{a}><{}><a><xz><xyz><1><2><3><4><5><5><4>"
         "<3><2><1><1><4><7><10><10><7><4><1><01><04><07><10><-2><-1><0><1><2><-02><-01><000><001><002><a"
         "><b><c><d><e><e><d><c><b><a><a><d><g><j>\n", "", 0},
        {TEST_SHELL_P "p {1..a} {1..2..} {1..} {..2} {1...3} {a,b}} {{a,b} {{a,b},c} a{b{c,d a{b,c}{d {0."
         ".0} {1..3..0} {a..b..c} {1..3,5} {{1..3},{a..c}} {a,\"b c\"} {'a b',c} {a,b}{,} {\"\",a}",
         "38:<{1..a}><{1..2..}><{1..}><{..2}><{1...3}><a}><b}><{a><{b><a><b><c><a{b{c,d><ab{d><ac{d><0><1"
         "><2><3><{a..b..c}><1..3><5><1><2><3><a><b><c><a><b c><a b><c><a><a><b><b><><a>\n", "", 0},
        {TEST_SHELL_P "x=1; p {$x,2} {\"1\"..3} {1..$x} ${x}{a,b} $x{a,b} \"{a,b}\" \\{a,b} {a\\,b,c} $(e"
         "cho {1,2}) {$(echo a,b),c}; for i in {1..3}; do echo $i; done; a=({1..4}); p ${#a[@]}; v={a,b};"
         " p $v; HOME=/h; p {~,x}/y",
         "14:<1><2><{1..3}><{1..1}><1a><1b><{a,b}><{a,b}><a,b><c><1><2><a,b><c>\n1\n2\n3\n1:<4>\n1:<{a,b}"
         ">\n2:</h/y><x/y>\n", "", 0},
        {TEST_SHELL_P "set +B; p {a,b}; set -B; p file{1,2}.{txt,md} --{foo,bar}=x {9223372036854775806.."
         "9223372036854775807} {z..x}{1..2}",
         "1:<{a,b}>\n14:<file1.txt><file1.md><file2.txt><file2.md><--foo=x><--bar=x><9223372036854775806>"
         "<9223372036854775807><z1><z2><y1><y2><x1><x2>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}
