/*
 * split on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "support/shell.h"

void test_split__answers_as_the_tool_does(void **state)
{
    static const struct test_shell_row rows[] = {
        {"seq 5 > t; split -l 2 t; cat xaa; cat xac; ls",
         "1\n2\n5\nt\nxaa\nxab\nxac\n",
         "", 0},
        {"printf abcdefg > t; split -b 3 -d t p; head p*; split -b 3 -x --additional-suffix=.q t q; ls q*",
         "==> p00 <==\nabc\n==> p01 <==\ndef\n==> p02 <==\ngq00.q\nq01.q\nq02.q\n",
         "", 0},
        {"seq 6 > t; split -n 2 t n; cat nab; split -n l/2/3 t; split -n r/1/2 t",
         "4\n5\n6\n3\n4\n1\n3\n5\n",
         "", 0},
        {"printf 'aa\\nbbbb\\nc\\n' > t; split -C 4 t c; head c*",
         "==> caa <==\naa\n\n==> cab <==\nbbbb\n==> cac <==\n\nc\n",
         "", 0},
        {"seq 3 | split -l 1 --verbose - v; cat vac; printf 'a:b:c' | split -t : -l 1 - s; cat sab",
         "creating file 'vaa'\ncreating file 'vab'\ncreating file 'vac'\n3\nb:",
         "", 0},
        {"seq 30 > t; split -l 1 -a 1 t; echo $?; ls | wc -l",
         "1\n27\n",
         "split: output file suffixes exhausted\n", 0},
        {"seq 3 > t; split -l 2 -b 3 t; echo $?; split -n 0 t; echo $?; split -n 3/2 t; echo $?; split nofile; echo"
         " $?",
         "1\n1\n1\n1\n",
         "split: cannot split in more than one way\nTry 'split --help' for more information.\nsplit: invalid number"
         " of chunks: \342\200\2300\342\200\231: Numerical result out of range\nsplit: invalid chunk number: \342"
         "\200\2303\342\200\231: Numerical result out of range\nsplit: cannot open 'nofile' for reading: No such fi"
         "le or directory\n", 0}};

    (void)state;
    TEST_SHELL_ROWS(rows);
}
