/*
 * file's look into files: names of formats, and that a file which ends early, or lies
 * about where its parts are, is told of all the same.
 */
#include "support/shell.h"

#define ELF "printf '\\x7fELF\\2\\1\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0\\x3e\\0\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0" \
            "\\xf0\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\0\\0\\0\\0\\x40\\0" \
            "\\x38\\0\\xff\\xff\\x40\\0\\xff\\xff\\xff\\xff' > elf; "

static const struct test_shell_row rows[] = {
    {"printf '{\"a\":1}' > j; printf 'a,b\\n1,2\\n3,4\\n' > c; printf '<html>' > h; file -b j c h",
     "JSON text data\nCSV text\nHTML document, ASCII text, with no line terminators\n", "", 0},
    {"printf 'def f(x):\\n  return x\\n' > p; printf '#!/usr/bin/env python3\\n' > q; file -b p q",
     "Python script, ASCII text executable\nPython script, ASCII text executable\n", "", 0},
    {"printf '\\x89PNG\\r\\n\\x1a\\n\\0\\0\\0\\rIHDR\\0\\0\\0\\3\\0\\0\\0\\2\\10\\2\\0\\0\\0' > p; file -b p; "
     "head -c 20 p | file -b -", "PNG image data, 3 x 2, 8-bit/color RGB, non-interlaced\ndata\n", "", 0},
    {ELF "file -b elf; for n in {1..64}; do head -c $n elf | file -b -; done | sort -u",
     "ELF 64-bit LSB shared object, x86-64, version 1 (SYSV), statically linked, stripped\nELF\n"
     "ELF 64-bit LSB shared object, x86-64, version 1 (SYSV), statically linked, stripped\n"
     "data\nvery short file (no magic)\n", NULL, 0},
    {"echo x > a; gzip -n a; zip -q z.zip a.gz; for f in a.gz z.zip; do for n in {2..40}; do head -c $n $f > part; "
     "file -b part; done; done | grep -vcE '^(gzip|Zip|data|ASCII|Non|ISO)'", "0\n", "", 1},
    {"head -c 3000000 /dev/zero | gzip -n > z.gz; file -b z.gz",
     "gzip compressed data, from Unix, original size modulo 2^32 3000000\n", "", 0},
    {"file --no-such", "", NULL, 2},
};

void test_magic__names_what_files_hold(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(rows);
}
