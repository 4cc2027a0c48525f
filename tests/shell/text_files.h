/*
 * The files that the tests of the text commands work on, made by the script itself.
 */
#ifndef TESTS_SHELL_TEXT_FILES_H
#define TESTS_SHELL_TEXT_FILES_H

#include "support/shell.h"

#define TEXT_FILES \
    "mkdir d; " \
    "printf 'a\\nb\\nc\\nfoo\\n' > f; " \
    "cat f > d/x.c; " \
    "cat f > d/y.h; " \
    "printf 'a\\0b\\nfoo\\n' > bin; " \
    "printf '\\377a\\n' > enc; " \
    "printf 'x\\377\\nfoo\\nx\\n' > en2; " \
    "printf 'x\\0y\\n' > b2; " \
    "printf 'hello world\\nfoo bar\\nHello again\\nthe end' > h; " \
    "printf '%d\\n' {1..30} > s; " \
    "printf 'one\\n\\ntwo\\n\\n\\nthree\\n' > e; " \
    ": > empty; " \
    "printf 'b 2 x\\na 10 y\\nc 1 z\\na 2 w\\nB 3 v\\n' > k; " \
    "printf 'a,b,c\\n1,2,3\\nx,,z\\nnodelim\\n' > csv; " \
    "printf 'a\\tb\\tc\\n1\\t2\\t3\\n' > tsv; " \
    "printf '\\303\\251\\n\\303\\274x\\nz\\303\\251\\n' > u; "

#endif
