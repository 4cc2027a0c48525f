#include "support/shell.h"

void test_arith__operators_and_their_precedence(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo $((1+2*3)) $(((1+2)*3)) $((2**3**2)) $((-2**2)) $((7/2)) $((-7/2)) $((-7%3)) $((7%-3)) $(("
         "1<<4|1)) $((6&3^1)) $((!0)) $((~5)) $((5>3)) $((5<=3)) $((1?2:0?3:4)) $((1,2)) $((3==3&&2!=2||1"
         ")) $((- - 5)) $((+5)) $((5--3)) $((1- -1)) $((10-2-3)) $((100/10/2)) $((2+3<<1))",
         "7 9 512 4 3 -3 -1 1 17 3 1 -6 1 0 2 2 1 5 5 8 2 5 5 10\n", "", 0},
        {"i=5; echo $((i++ + i++)) $((i)) $((++i + --i)) $((i--)) $i; echo $((x=5)) $((y+=x)) $((x*=2)) "
         "$((x/=3)) $((x%=2)) $((x<<=3)) $((x>>=1)) $((x|=1)) $((x&=6)) $((x^=7)) $((a=b=3)) $a $b",
         "11 7 15 7 6\n5 5 10 3 1 8 4 5 4 3 3 3 3\n", "", 0},
        {"echo $((0x1F)) $((017)) $((2#101)) $((16#ff)) $((36#zZ)) $((64#_@)) $((62#Z)) $((10#010)) $((0)"
         ") $((00)) $(( )) $((\"1\"+2)) $((1 +\n2))",
         "31 15 5 255 1295 4094 61 10 0 0 0 3 3\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_arith__sixty_four_bits_wrap(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo $((9223372036854775807+1)) $((-9223372036854775808/-1)) $((-9223372036854775808%-1)) $((92"
         "23372036854775807*3)) $((1<<63)) $((1<<64)) $((1<<-1)) $((-1>>1)) $((2**63)) $((2**64)) $((3**0"
         ")) $((99999999999999999999)) $((-9223372036854775808-1))",
         "-9223372036854775808 -9223372036854775808 0 9223372036854775805 -9223372036854775808 1 -9223372"
         "036854775808 -1 -9223372036854775808 0 1 7766279631452241919 9223372036854775807\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_arith__names_are_variables_whose_values_are_expressions(void **state)
{
    static const struct test_shell_row rows[] = {
        {"b=1+2; echo $((b*3)) $(($b*3)); c=b; echo $((c)); e=; echo $((e)) $((unset_name)); a=(3 4 5);"
         " i=1; echo $((a)) $((a[i])) $((a[i+1]+a[0])) $((a[-1])); ((a[i]*=2)); ((a[5]=9)); echo ${a[@]};"
         " declare -A m=([k]=5 ['x y']=7); echo $((m[k]+m['x y'])) $((m[none])); ((m[k]++)); echo ${m[k]}",
         "9 7\n3\n0 0\n3 4 8 5\n3 8 5 9\n12 0\n6\n", "", 0},
        {"x=x; echo $((x))\necho next",
         "next\n",
         "bash: line 1: x: expression recursion level exceeded (error token is \"x\")\n", 0},
        {"x=y+1 y=z+1 z=5; echo $((x)); f() { local n=$1; ((n<=1)) && { echo 1; return; }; echo $((n * "
         "$(f $((n-1))))); }; f 10",
         "7\n3628800\n", "", 0},
        {"x=5; echo $((x>3?x++:x--)) $x $((0&&x++)) $((1||x++)) $x; let y=1+1 z=y*2; echo $y $z; let 'y "
         "= 3' 'y == 3' && echo yes; ((0)) || echo zero; ((x=0)); echo $?",
         "5 6 0 1 6\n2 4\nyes\nzero\n1\n", "", 0},
        {"s=0; for ((i=0, j=10; i<j; i++, j--)); do ((s+=i*j)); done; echo $s $i $j; n=$(seq -s+ 1 3000 "
         "2>/dev/null || echo 0); t=1; for ((i=0;i<12;i++)); do t=$t+$t; done; echo $((t))",
         "70 5 5\n4096\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_arith__errors_name_the_token(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo $((1 +)); echo no\necho next",
         "next\n",
         "bash: line 1: 1 +: syntax error: operand expected (error token is \"+\")\n", 0},
        {"((1 +)); echo $?",
         "1\n",
         "bash: line 1: ((: 1 +: syntax error: operand expected (error token is \"+\")\n", 0},
        {"let '1 2'; echo $?",
         "1\n",
         "bash: line 1: let: 1 2: syntax error in expression (error token is \"2\")\n", 0},
        {"echo $((1/0))\necho next",
         "next\n",
         "bash: line 1: 1/0: division by 0 (error token is \"0\")\n", 0},
        {"echo $((5%(2-2)))\necho next",
         "next\n",
         "bash: line 1: 5%(2-2): division by 0 (error token is \"(2-2)\")\n", 0},
        {"echo $((2**-1))\necho next",
         "next\n",
         "bash: line 1: 2**-1: exponent less than 0 (error token is \"1\")\n", 0},
        {"echo $((08+1))\necho next",
         "next\n",
         "bash: line 1: 08: value too great for base (error token is \"08\")\n", 0},
        {"echo $((1#1))",
         "",
         "bash: line 1: 1#1: invalid arithmetic base (error token is \"1#1\")\n", 1},
        {"echo $((65#1))",
         "",
         "bash: line 1: 65#1: invalid arithmetic base (error token is \"65#1\")\n", 1},
        {"echo $((3=4))",
         "",
         "bash: line 1: 3=4: attempted assignment to non-variable (error token is \"=4\")\n", 1},
        {"echo $(( (1 ))",
         "",
         "bash: -c: line 1: unexpected EOF while looking for matching `)'\n", 2},
        {"echo $((1 ? 2))",
         "",
         "bash: line 1: 1 ? 2: `:' expected for conditional expression (error token is \"2\")\n", 1},
        {"echo $((1 ? : 3))",
         "",
         "bash: line 1: 1 ? : 3: expression expected (error token is \": 3\")\n", 1},
        {"echo $((1.5+1))",
         "",
         "bash: line 1: 1.5+1: syntax error: invalid arithmetic operator (error token is \".5+1\")\n", 1},
        {"echo $((a b))",
         "",
         "bash: line 1: a b: syntax error in expression (error token is \"b\")\n", 1},
        {"x='1 +'; echo $((x))",
         "",
         "bash: line 1: 1 +: syntax error: operand expected (error token is \"+\")\n", 1},
        {"echo $((*3))",
         "",
         "bash: line 1: *3: syntax error: operand expected (error token is \"*3\")\n", 1},
        {"[[ 1+ -eq 2 ]]; echo $?",
         "1\n",
         "bash: line 1: [[: 1+: syntax error: operand expected (error token is \"+\")\n", 0},
        {"declare -i i; i=1+",
         "",
         "bash: line 1: 1+: syntax error: operand expected (error token is \"+\")\n", 1},
        {"x=abc; echo ${x:1+}",
         "",
         "bash: line 1: x: 1+: syntax error: operand expected (error token is \"+\")\n", 1},
        {"a[1+]=3",
         "",
         "bash: line 1: 1+: syntax error: operand expected (error token is \"+\")\n", 1},
        {"readonly r=1; echo $((r=2))\necho next",
         "next\n",
         "bash: line 1: r: readonly variable\n", 0},
        {"set -u; echo $((nope+1))",
         "",
         "bash: line 1: nope: unbound variable\n", 127},
        {"echo $((0 && 1/0)) $((1 || 1/0)) $((1 ? 2 : 1/0))",
         "0 1 2\n", "", 0},
        {"v='x+++y'; x=1 y=2; echo $((v)) $x",
         "3 2\n", "", 0},
        {"echo $((7 = 3))",
         "",
         "bash: line 1: 7 = 3: attempted assignment to non-variable (error token is \"= 3\")\n", 1},
        {"echo $((--5)) $((++5)) $((5++))",
         "",
         "bash: line 1: 5++: syntax error: operand expected (error token is \"+\")\n", 1},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}
