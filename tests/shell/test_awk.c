// awk in the shell: right values as gawk 5.2 has them.
#include "support/shell.h"

void test_awk__fields_and_sums(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf 'a,1\\nb,2\\na,3\\n' | awk -F, '{s[$1]+=$2} END{for(k in s) print k, s[k]}'", "a 4\nb 2\n", "", 0},
        {"echo 'a b c' | awk '{$5=\"e\"; print; print NF; NF=2; print}'", "a b c  e\n5\na b\n", "", 0},
        {"echo 'one:two three' | awk -F: -v OFS=- '{$1=$1; print $2, $1; print}'", "two three-one\none-two "
         "three\n", "", 0},
        {"printf '1 2\\n3 4\\n' | awk '{ for (i = NF; i > 0; i--) printf \"%s%s\", $i, (i > 1 ? OFS : ORS) }'",
         "2 1\n4 3\n", "", 0},
        {"printf 'a\\tb c\\td\\n' | awk -F'\\t' '{print $2}'; echo atb | awk -Ft '{print $2}'", "b c\nb\n", "", 0},
        {"printf 'x  y\\n' | awk -F ' ' '{print $2}'; printf 'a|b\\n' | awk -F'|' '{print $2}'", "y\nb\n", "", 0},
        {"printf 'aXXbXc' | awk -F'X+' '{print $1 $2 $3, NF}'", "abc 3\n", "", 0},
        {"awk 'BEGIN { FIELDWIDTHS = \"2 1:3 *\" } { print $1 \"|\" $2 \"|\" $3 }' <<< abcdefgh",
         "ab|def|gh\n", "", 0},
        {"awk 'BEGIN { FPAT = \"([^,]*)|(\\\"[^\\\"]+\\\")\" } { print NF, $2 }' <<< 'a,\"b,c\",d'", "3 "
         "\"b,c\"\n", "", 0},
        {"printf 'a b\\nc\\n\\n\\nd\\n' | awk 'BEGIN { RS = \"\" } { print NR, NF, $NF }'", "1 3 c\n2 1 d\n", "", 0},
        {"printf 'a1b22c' | awk 'BEGIN { RS = \"[0-9]+\" } { print $0 \"<\" RT \">\" }'", "a<1>\nb<22>\nc<>\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__numbers_and_strings_compare_by_where_they_come_from(void **state)
{
    static const struct test_shell_row rows[] = {
        {"echo '10 9' | awk '{ print ($1 < $2), ($1 == \"10\"), (\"10\" < \"9\"), (x == 0), (x == \"\") }'",
         "0 1 1 1 1\n", "", 0},
        {"awk 'BEGIN { print 1e6, 1000000.5, 2^53, 0.1 + 0.2, (1e300 > 1e299), -0, 100 / 3 }'",
         "1000000 1e+06 9007199254740992 0.3 1 0 33.3333\n", "", 0},
        {"awk 'BEGIN { CONVFMT = \"%.2g\"; a = 3.14159; b = a \"\"; print b; OFMT = \"%.3f\"; print a, 17 }'",
         "3.1\n3.142 17\n", "", 0},
        {"awk 'BEGIN { print substr(\"hello\", 0, 2), substr(\"hello\", 4, 9), index(\"h\\303\\251\\303\\251\", "
         "\"\\303\\251\"), "
         "length(\"h\\303\\251\"), toupper(\"a\\303\\251\") }'", "he lo 2 2 A\303\211\n", "", 0},
        {"awk 'BEGIN { printf \"%5.2f|%-5d|%05d|%x|%c%c|%s|%5s|%.2s|%e\\n\", 3.14159, 42, 42, 255, 65, \"BC\", "
         "1e6, \"r\", \"abc\", 1.5 }'",
         " 3.14|42   |00042|ff|AB|1000000|    r|ab|1.500000e+00\n", "", 0},
        {"awk 'BEGIN { print length(), -3 % 2, 2 ** 3 ^ 2, !\"a\", 1 - 1, 1 \" \" -1, \"3x\" + 1 }'",
         "0 -1 512 0 0 1-1 4\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__arrays_give_their_keys_in_the_order_of_gawk(void **state)
{
    static const struct test_shell_row rows[] = {
        {"awk 'BEGIN { a[3]; a[1]; a[\"x\"]; a[\"y\"]; a[2]; for (k in a) printf \"%s \", k }'", "x y 1 2 3 ", "", 0},
        {"awk 'BEGIN { for (i = 0; i < 12; i++) a[\"k\" i]; for (k in a) printf \"%s \", k }'",
         "k1 k2 k3 k4 k5 k6 k7 k8 k10 k9 k11 k0 ", "", 0},
        {"awk 'BEGIN { for (i = -3; i < 4; i++) a[i * 70000]; for (k in a) printf \"%s \", k }'",
         "0 -140000 70000 -70000 -210000 210000 140000 ", "", 0},
        {"awk 'BEGIN { a[\"b\"] = 1; a[\"a\"] = 3; a[\"c\"] = 2; PROCINFO[\"sorted_in\"] = \"@val_num_desc\"; "
         "for (k in a) print k, a[k]; n = asorti(a, s); print n, s[1], s[3]; asort(a, t); print t[1], t[3] }'",
         "a 3\nc 2\nb 1\n3 a c\n1 3\n", "", 0},
        {"awk 'BEGIN { a[1,2] = 3; for (k in a) { split(k, p, SUBSEP); print p[1], p[2] } print ((1,2) in a); "
         "delete a[1,2]; print length(a) }'", "1 2\n1\n0\n", "", 0},
        {"awk 'BEGIN { a[\"x\"][1] = 5; a[\"x\"][2] = 6; for (i in a) for (j in a[i]) print i, j, a[i][j] }'",
         "x 1 5\nx 2 6\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__text_is_found_and_replaced(void **state)
{
    static const struct test_shell_row rows[] = {
        {"awk 'BEGIN { s = \"aaa\"; print gsub(/x*/, \"-\", s), s; s = \"hello\"; gsub(/l/, \"[&]\\\\&\", s); "
         "print s }'",
         "4 -a-a-a-\nhe[l]&[l]&o\n", "", 0},
        {"awk 'BEGIN { print gensub(/(l+)(o)/, \"<\\\\2\\\\1>\", \"g\", \"hello lo\"), gensub(/o/, \"0\", 2, "
         "\"foo boo\") }'",
         "he<oll> <ol> fo0 boo\n", "", 0},
        {"awk 'BEGIN { if (match(\"foobar\", /o(o)/, m)) print RSTART, RLENGTH, m[0], m[1], m[1, \"start\"] }'",
         "2 2 oo o 3\n", "", 0},
        {"awk 'BEGIN { n = split(\"a1b22c\", p, /[0-9]+/, s); print n, p[3], s[2]; print split(\"\", e), "
         "split(\" a  b \", f), f[2], split(\"abc\", g, \"\"), g[3]; print patsplit(\"x1y22\", h, /[0-9]+/), h[2] }'",
         "3 c 22\n0 2 b 3 c\n2 22\n", "", 0},
        {"awk 'BEGIN { s = \"cat concat\"; gsub(/\\ycat/, \"dog\", s); print s, \"a\\bc\" ~ /a\\bc/ }'",
         "dog concat 1\n", "", 0},
        {"awk 'BEGIN { IGNORECASE = 1; print (\"ABC\" ~ /b/), (\"abc\" == \"ABC\") }'", "1 1\n", "", 0},
        {"echo 'foo bar' | awk '{ sub(/o+/, \"0\"); print; print gsub(/b/, \"B\", $2), $0 }'", "f0 bar\n1 f0 "
         "Bar\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__control_and_functions(void **state)
{
    static const struct test_shell_row rows[] = {
        {"awk 'function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } BEGIN { print f(15) }'", "610\n", "", 0},
        {"awk 'function r(n) { return n ? r(n - 1) + 1 : 0 } BEGIN { print r(20000) }'", "20000\n", "", 0},
        {"awk 'function put(a, k) { a[k] = 1 } BEGIN { put(z, \"x\"); for (k in z) print k }'", "x\n", "", 0},
        {"awk 'BEGIN { switch (\"b\") { case \"a\": print 1; case /b/: print 2; case 3: print 3; break; "
         "default: print 4 } }'",
         "2\n3\n", "", 0},
        {"printf '%s\\n' 1 2 3 4 5 6 | awk 'NR==2,NR==4 { print } NR==5 { next } END { exit NR }'",
         "2\n3\n4\n", "", 6},
        {"awk 'BEGIN { while (1) { if (++i > 3) break; if (i == 2) continue; print i } do print \"d\"; while (0) }'",
         "1\n3\nd\n", "", 0},
        {"awk 'BEGIN { i = 1; a[i++] = i; for (k in a) print k, a[k] }'", "1 1\n", "", 0},
        {"awk 'function f() { next } { f(); print \"no\" } END { print NR }' <<< x", "1\n", "", 0},
        {"awk 'BEGIN { f = \"g\"; print @f(4) } function g(x) { return x * x }'", "16\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__files_and_commands(void **state)
{
    static const struct test_shell_row rows[] = {
        {"awk 'BEGIN { print \"b\" > \"o\"; print \"a\" >> \"o\"; close(\"o\"); while ((getline l < \"o\") > 0) "
         "print l }'",
         "b\na\n", "", 0},
        {"awk 'BEGIN { \"echo hi\" | getline; print; \"echo a b\" | getline x; print x; print system(\"exit 3\") }'",
         "hi\na b\n3\n", "", 0},
        {"printf 'b\\na\\n' | awk '{ print | \"sort\" } END { close(\"sort\"); print \"end\" }'",
         "a\nb\nend\n", "", 0},
        {"printf '1\\n' > f; printf '2\\n3\\n' > g; awk 'FNR == 1 { print FILENAME, NR } x { print x }' f x=5 g",
         "f 1\ng 2\n5\n5\n", "", 0},
        {"printf '1\\n2\\n' > f; awk 'BEGINFILE { print \"in\", FILENAME } ENDFILE { print \"out\", FNR } { "
         "nextfile }' f f",
         "in f\nout 1\nin f\nout 1\n", "", 0},
        {"printf '%s\\n' 'BEGIN { print v }' > p.awk; awk -v 'v=a\\tb' -f p.awk", "a\tb\n", "", 0},
        {"V=1 awk 'BEGIN { print ENVIRON[\"V\"], ARGC, ARGV[1] }' operand", "1 2 operand\n", "", 0},
        {"awk '{ print }' missing", "", "awk: fatal: cannot open file `missing' for reading: No such file or "
         "directory\n", 2},
        {"awk 'BEGIN { print \"e\" > \"/dev/stderr\"; print \"o\" }'", "o\n", "e\n", 0},
        {"awk 'BEGIN { while (1) print \"y\" }' | head -n 2", "y\ny\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__time(void **state)
{
    static const struct test_shell_row rows[] = {
        {"awk 'BEGIN { print strftime(\"%Y-%m-%d %H:%M:%S %j %a\", 1700000000), mktime(\"2024 02 30 25 61 61\") }'",
         "2023-11-14 22:13:20 318 Tue 1709344921\n", "", 0},
        {"TZ=EST5EDT awk 'BEGIN { print strftime(\"%c %Z %z\", 1720000000), mktime(\"2024 01 04 12 0 0\") }'",
         "Wed Jul  3 05:46:40 2024 EDT -0400 1704387600\n", "", 0},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_awk__faults_are_told_in_gawks_words(void **state)
{
    static const struct test_shell_row rows[] = {
        {"awk 'BEGIN { print 1 + }'", "",
         "awk: cmd. line:1: BEGIN { print 1 + }\nawk: cmd. line:1:                   ^ syntax error\n", 1},
        {"awk 'BEGIN { print \"abc }'", "",
         "awk: cmd. line:1: BEGIN { print \"abc }\nawk: cmd. line:1:               ^ unterminated string\n", 1},
        {"awk '{'", "", "awk: cmd. line:1: {\nawk: cmd. line:1:  ^ unexpected newline or end of string\n", 1},
        {"awk 'BEGIN { x = 0; print 1 / x }'", "", "awk: cmd. line:1: fatal: division by zero attempted\n", 2},
        {"awk 'BEGIN { f(1) }'", "", "awk: cmd. line:1: fatal: function `f' not defined\n", 2},
        {"awk 'BEGIN { x = 5; x[1] = 2 }'", "", "awk: cmd. line:1: fatal: attempt to use scalar `x' as an array\n", 2},
        {"awk 'BEGIN { print \"a\" ~ /(/ }'", "", "awk: cmd. line:1: error: Unmatched ( or \\(: /(/\n", 1},
        {"awk 'BEGIN { printf \"%s %s\", 1 }'", "",
         "awk: cmd. line:1: fatal: not enough arguments to satisfy format string\n\t`%s %s'\n\t    ^ ran out "
         "for this one\n", 2},
        {"echo x | awk '{ print $1 / 0 + 0 }'", "", "awk: cmd. line:1: error: division by zero attempted\n", 1},
        {"awk 'BEGIN { print \"\\q\" }'", "q\n",
         "awk: cmd. line:1: warning: escape sequence `\\q' treated as plain `q'\n", 0},
        {"awk 'BEGIN { FIELDWIDTHS = \"3 x\" }'", "", NULL, 2},
        {"awk --nonsense x", NULL, NULL, 2},
        {"awk", NULL, NULL, 2},
    };
    (void)state;
    TEST_SHELL_ROWS(rows);
}
