#include "support/test.h"

#include "shell/recorded.h"

static const struct row cats[] = {
    {"cat f", "a\n\n\nb\tc\015\n\200x", "", 0, NULL},
    {"cat -n f f", "     1\ta\n     2\t\n     3\t\n     4\tb\tc\015\n     5\t\200xa\n"
     "     6\t\n     7\t\n     8\tb\tc\015\n     9\t\200x", "", 0, NULL},
    {"cat -b f", "     1\ta\n\n\n     2\tb\tc\015\n     3\t\200x", "", 0, NULL},
    {"cat -s f", "a\n\nb\tc\015\n\200x", "", 0, NULL},
    {"cat -A f", "a$\n$\n$\nb^Ic^M$\nM-^@x", "", 0, NULL},
    {"cat -E f", "a$\n$\n$\nb\tc^M$\n\200x", "", 0, NULL},
    {"cat -vT f", "a\n\n\nb^Ic^M\nM-^@x", "", 0, NULL},
    {"cat -ns f", "     1\ta\n     2\t\n     3\tb\tc\015\n     4\t\200x", "", 0, NULL},
    {"cat 'a b' \"a'b\" a:b '' \303\251", "",
     "cat: 'a b': No such file or directory\ncat: \"a'b\": No such file or directory\n"
     "cat: 'a:b': No such file or directory\ncat: '': No such file or directory\n"
     "cat: \303\251: No such file or directory\n", 1, NULL},
    {"cat d nope s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"
     "19\n20\n", "cat: d: Is a directory\ncat: nope: No such file or directory\n", 1, NULL},
    {"cat -u empty", "", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | cat - empty -", "one\ntwo three\nfour\n\nfive", "", 0, NULL},
    {"cat s >> s", "", "cat: s: input file is output file\n", 1, NULL},
    {"cat l", "a\n\n\nb\tc\015\n\200x", "", 0, NULL},
};

static const struct row heads[] = {
    {"head s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "", 0, NULL},
    {"head -n 3 s f", "==> s <==\n1\n2\n3\n\n==> f <==\na\n\n\n", "", 0, NULL},
    {"head -3 s", "1\n2\n3\n", "", 0, NULL},
    {"head -c 5 s", "1\n2\n3", "", 0, NULL},
    {"head -n -17 s", "1\n2\n3\n", "", 0, NULL},
    {"head -c -40 s", "1\n2\n3\n4\n5\n6", "", 0, NULL},
    {"head -qn1 s f", "1\na\n", "", 0, NULL},
    {"head -v s", "==> s <==\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "", 0, NULL},
    {"head -n1 nope s d", "==> s <==\n1\n\n==> d <==\n",
     "head: cannot open 'nope' for reading: No such file or directory\n"
     "head: error reading 'd': Is a directory\n", 1, NULL},
    {"head -n x s", "", "head: invalid number of lines: \342\200\230x\342\200\231\n", 1, NULL},
    {"head -5c s", "1\n2\n3", "", 0, NULL},
    {"head -n 1k s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"
     "19\n20\n", "", 0, NULL},
    {"head -z s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"
     "19\n20\n", "", 0, NULL},
    {"head -n 0 s", "", "", 0, NULL},
    {"head -n -0 f", "a\n\n\nb\tc\015\n\200x", "", 0, NULL},
    {"head -2v s", "==> s <==\n1\n2\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | head -n 2", "one\ntwo three\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | head -n -2", "one\ntwo three\nfour\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | head -v - s",
     "==> standard input <==\none\ntwo three\nfour\n\nfive\n==> s <==\n"
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | { head -n 1; cat; }", "one\n", "", 0, NULL},
    {"{ head -n 1; cat; } < s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"
     "19\n20\n", "", 0, NULL},
};

static const struct row tails[] = {
    {"tail s", "11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n", "", 0, NULL},
    {"tail -n 3 s f", "==> s <==\n18\n19\n20\n\n==> f <==\n\nb\tc\015\n\200x", "", 0, NULL},
    {"tail -3 s", "18\n19\n20\n", "", 0, NULL},
    {"tail +18 s", "18\n19\n20\n", "", 0, NULL},
    {"tail -n +18 s", "18\n19\n20\n", "", 0, NULL},
    {"tail -c 5 s", "9\n20\n", "", 0, NULL},
    {"tail -c +40 s", "17\n18\n19\n20\n", "", 0, NULL},
    {"tail -n 0 s", "", "", 0, NULL},
    {"tail -n1 f", "\200x", "", 0, NULL},
    {"tail -qn1 s f", "20\n\200x", "", 0, NULL},
    {"tail -v -n1 s", "==> s <==\n20\n", "", 0, NULL},
    {"tail nope d s", "==> d <==\n\n==> s <==\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n",
     "tail: cannot open 'nope' for reading: No such file or directory\n"
     "tail: error reading 'd': Is a directory\n", 1, NULL},
    {"tail -n x s", "", "tail: invalid number of lines: \342\200\230x\342\200\231\n", 1, NULL},
    {"tail -5c s", "9\n20\n", "", 0, NULL},
    {"tail -n +0 s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"
     "19\n20\n", "", 0, NULL},
    {"tail empty", "", "", 0, NULL},
    {"tail -c 100000 s", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n"
     "19\n20\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tail -n 2", "\nfive", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tail -n +3", "four\n\nfive", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tail -c 3", "ive", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tail -v", "==> standard input <==\none\ntwo three\nfour\n\nfive",
     "", 0, NULL},
    {"tail -n 19 s", "2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n"
     "20\n", "", 0, NULL},
};

static const struct row wcs[] = {
    {"wc f s", " 4  4 11 f\n20 20 51 s\n24 24 62 total\n", "", 0, NULL},
    {"wc s", "20 20 51 s\n", "", 0, NULL},
    {"wc -l s", "20 s\n", "", 0, NULL},
    {"wc -l s f", "20 s\n 4 f\n24 total\n", "", 0, NULL},
    {"wc -cmlwL u f s", " 1  4 11 16 10 u\n 4  4 10 11  9 f\n20 20 51 51  2 s\n25 28 72 78 10 total\n", "", 0, NULL},
    {"wc nope s", "20 20 51 s\n20 20 51 total\n", "wc: nope: No such file or directory\n", 1, NULL},
    {"wc d s", "      0       0       0 d\n     20      20      51 s\n     20      20      51 total\n",
     "wc: d: Is a directory\n", 1, NULL},
    {"wc -L u", "10 u\n", "", 0, NULL},
    {"wc -w u", "4 u\n", "", 0, NULL},
    {"wc -m f", "10 f\n", "", 0, NULL},
    {"wc empty", "0 0 0 empty\n", "", 0, NULL},
    {"wc -c s", "51 s\n", "", 0, NULL},
    {"wc -l /dev/null", "0 /dev/null\n", "", 0, NULL},
    {"wc nope", "", "wc: nope: No such file or directory\n", 1, NULL},
    {"printf 's\\0f\\0' > n; wc --files0-from=n", "20 20 51 s\n 4  4 11 f\n24 24 62 total\n", "", 0, NULL},
    {"wc --files0-from=s f", "", "wc: extra operand 'f'\nfile operands cannot be combined with --files0-from\n"
     "Try 'wc --help' for more information.\n", 1, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | wc", "      4       5      24\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | wc -l", "4\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | wc -", "      4       5      24 -\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | wc - s",
     "      4       5      24 -\n     20      20      51 s\n     24      25      75 total\n", "", 0, NULL},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | wc -c", "24\n", "", 0, NULL},
};

static const struct row tees[] = {
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tee x y", "one\ntwo three\nfour\n\nfive", "", 0,
     "d/ d/e/ d/x empty f l@ s u x y "},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tee -a s", "one\ntwo three\nfour\n\nfive", "", 0,
     "d/ d/e/ d/x empty f l@ s u "},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tee nope/x d", "one\ntwo three\nfour\n\nfive",
     "tee: nope/x: No such file or directory\ntee: d: Is a directory\n", 1, "d/ d/e/ d/x empty f l@ s u "},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tee x | head -n 1", "one\n", "", 0,
     "d/ d/e/ d/x empty f l@ s u x "},
    {"printf 'one\\ntwo three\\nfour\\n\\nfive' | tee", "one\ntwo three\nfour\n\nfive", "", 0,
     "d/ d/e/ d/x empty f l@ s u "},
};

void test_cmds_read__cat(void **state)
{
    (void)state;

    CHECK("printf 'a\\n\\n\\nb\\tc\\r\\n\\200x' > f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2"
          "0; do echo $i; done > s; mkdir -p d/e; echo hi > d/x; ln -s f l; printf '\303\251\344\270\255 x\\u00"
          "a0y\\t\\001z \\200\\n' > u; : > empty",
          cats);
}

void test_cmds_read__head(void **state)
{
    (void)state;

    CHECK("printf 'a\\n\\n\\nb\\tc\\r\\n\\200x' > f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2"
          "0; do echo $i; done > s; mkdir -p d/e; echo hi > d/x; ln -s f l; printf '\303\251\344\270\255 x\\u00"
          "a0y\\t\\001z \\200\\n' > u; : > empty",
          heads);
}

void test_cmds_read__tail(void **state)
{
    (void)state;

    CHECK("printf 'a\\n\\n\\nb\\tc\\r\\n\\200x' > f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2"
          "0; do echo $i; done > s; mkdir -p d/e; echo hi > d/x; ln -s f l; printf '\303\251\344\270\255 x\\u00"
          "a0y\\t\\001z \\200\\n' > u; : > empty",
          tails);
}

void test_cmds_read__wc(void **state)
{
    (void)state;

    CHECK("printf 'a\\n\\n\\nb\\tc\\r\\n\\200x' > f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2"
          "0; do echo $i; done > s; mkdir -p d/e; echo hi > d/x; ln -s f l; printf '\303\251\344\270\255 x\\u00"
          "a0y\\t\\001z \\200\\n' > u; : > empty",
          wcs);
}

void test_cmds_read__tee(void **state)
{
    (void)state;

    CHECK("printf 'a\\n\\n\\nb\\tc\\r\\n\\200x' > f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 2"
          "0; do echo $i; done > s; mkdir -p d/e; echo hi > d/x; ln -s f l; printf '\303\251\344\270\255 x\\u00"
          "a0y\\t\\001z \\200\\n' > u; : > empty",
          tees);
}
