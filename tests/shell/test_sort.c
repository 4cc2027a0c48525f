/*
 * sort on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "sort k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -r k",
     "c 1 z\nb 2 x\na 2 w\na 10 y\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -n -k2 k",
     "c 1 z\na 2 w\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort -k2n k",
     "c 1 z\na 2 w\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort -k2,2n -k1,1r k",
     "c 1 z\nb 2 x\na 2 w\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort -k 2,2 -n k",
     "c 1 z\na 2 w\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort -k2 k",
     "c 1 z\na 10 y\na 2 w\nb 2 x\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -b -k2 k",
     "c 1 z\na 10 y\na 2 w\nb 2 x\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -k2b k",
     "c 1 z\na 10 y\na 2 w\nb 2 x\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -t, -k2 csv",
     "nodelim\nx,,z\n1,2,3\na,b,c\n", "", 0},
    {TEXT_FILES
     "sort -t, -k3,3 -k1 csv",
     "nodelim\n1,2,3\na,b,c\nx,,z\n", "", 0},
    {TEXT_FILES
     "sort -f k",
     "a 10 y\na 2 w\nb 2 x\nB 3 v\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -fu k",
     "a 10 y\na 2 w\nb 2 x\nB 3 v\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -u f f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sort -C s",
     "", "", 1},
    {TEXT_FILES
     "sort -cu f",
     "", "", 0},
    {TEXT_FILES
     "sort -o k k; cat k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -ro k k; cat k",
     "c 1 z\nb 2 x\na 2 w\na 10 y\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort --check=quiet k",
     "", "", 1},
    {TEXT_FILES
     "sort --check=silent k",
     "", "", 1},
    {TEXT_FILES
     "printf '10\\n9\\n-1\\n1.5\\n1.50\\n+3\\n\\nx\\n -2\\n0\\n-0\\n 007\\n' | sort -n",
     " -2\n-1\n\n+3\n-0\n0\nx\n1.5\n1.50\n 007\n9\n10\n", "", 0},
    {TEXT_FILES
     "printf '10\\n9\\n-1\\n1.5\\n1.50\\n+3\\n\\nx\\n -2\\n0\\n-0\\n 007\\n' | sort -ns",
     " -2\n-1\n+3\n\nx\n0\n-0\n1.5\n1.50\n 007\n9\n10\n", "", 0},
    {TEXT_FILES
     "printf '10\\n9\\n-1\\n1.5\\n1.50\\n+3\\n\\nx\\n -2\\n0\\n-0\\n 007\\n' | sort -nr",
     "10\n9\n 007\n1.50\n1.5\nx\n0\n-0\n+3\n\n-1\n -2\n", "", 0},
    {TEXT_FILES
     "printf '10\\n9\\n-1\\n1.5\\n1.50\\n+3\\n\\nx\\n -2\\n0\\n-0\\n 007\\n' | sort -nu",
     " -2\n-1\n+3\n1.5\n 007\n9\n10\n", "", 0},
    {TEXT_FILES
     "printf '1e3\\n10\\n-inf\\nnan\\ninf\\nx\\n\\n0x10\\n+3\\n1e-2\\n' | sort -g",
     "\nx\nnan\n-inf\n1e-2\n+3\n10\n0x10\n1e3\ninf\n", "", 0},
    {TEXT_FILES
     "printf '1K\\n10\\n1M\\n2G\\n1k\\n-1K\\n-1M\\n0\\n0K\\n1.5K\\n1T\\n5\\n' | sort -h",
     "-1M\n-1K\n0\n0K\n5\n10\n1K\n1k\n1.5K\n1M\n2G\n1T\n", "", 0},
    {TEXT_FILES
     "printf '1K\\n10\\n1M\\n2G\\n1k\\n-1K\\n-1M\\n0\\n0K\\n1.5K\\n1T\\n5\\n' | sort -hr",
     "1T\n2G\n1M\n1.5K\n1k\n1K\n10\n5\n0K\n0\n-1K\n-1M\n", "", 0},
    {TEXT_FILES
     "printf 'Feb\\njan\\nDEC\\nfoo\\n  mar\\nMayx\\n\\n' | sort -M",
     "\nfoo\njan\nFeb\n  mar\nMayx\nDEC\n", "", 0},
    {TEXT_FILES
     "printf 'a1\\na10\\na2\\na1.10\\na1.2\\na~\\na\\n.b\\n.\\n..\\n\\na.tar.gz\\na1.tar.gz\\n"
     "a-1\\nA\\n01\\n1\\n' | sort -V",
     "\n.\n..\n.b\n01\n1\nA\na~\na\na.tar.gz\na1\na1.tar.gz\na1.2\na1.10\na2\na10\na-1\n", "", 0},
    {TEXT_FILES
     "printf 'v1.9\\nv1.10\\nv1.2\\n' | sort -V",
     "v1.2\nv1.9\nv1.10\n", "", 0},
    {TEXT_FILES
     "printf 'v1.9\\nv1.10\\nv1.2\\n' | sort -rV",
     "v1.10\nv1.9\nv1.2\n", "", 0},
    {TEXT_FILES
     "printf 'a b\\nab\\na-b\\nA_c\\n' | sort -d",
     "A_c\na b\na-b\nab\n", "", 0},
    {TEXT_FILES
     "printf 'a b\\nab\\na-b\\nA_c\\n' | sort -df",
     "a b\na-b\nab\nA_c\n", "", 0},
    {TEXT_FILES
     "printf 'a\\001b\\nab\\naa\\n' | sort -i",
     "aa\na\001b\nab\n", "", 0},
    {TEXT_FILES
     "printf 'b\\na' | sort",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "sort -m f k",
     "a\nb\nb 2 x\na 10 y\nc\nc 1 z\na 2 w\nB 3 v\nfoo\n", "", 0},
    {TEXT_FILES
     "sort -m s f",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n30\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sort -mu f f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sort -m k f s",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n30\na\nb\nb 2 x\na 10 y\nc\nc 1 z\na 2 w\nB 3 v\nfoo\n", "", 0},
    {TEXT_FILES
     "sort -s -k2,2 k",
     "c 1 z\na 10 y\nb 2 x\na 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -k2,2 k",
     "c 1 z\na 10 y\na 2 w\nb 2 x\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -r -k2,2 k",
     "B 3 v\nb 2 x\na 2 w\na 10 y\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -s -r -k2,2 k",
     "B 3 v\nb 2 x\na 2 w\na 10 y\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k1.2 h",
     "Hello again\nhello world\nthe end\nfoo bar\n", "", 0},
    {TEXT_FILES
     "sort -k1.2,1.3 h",
     "Hello again\nhello world\nthe end\nfoo bar\n", "", 0},
    {TEXT_FILES
     "sort -k2.1b,2.2b h",
     "Hello again\nfoo bar\nthe end\nhello world\n", "", 0},
    {TEXT_FILES
     "sort -t: -k2 h",
     "Hello again\nfoo bar\nhello world\nthe end\n", "", 0},
    {TEXT_FILES
     "sort -u k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -nu -k2 k",
     "c 1 z\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort -k2,2nr -k1,1 k",
     "a 10 y\nB 3 v\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k1,1 -k2,2n k",
     "B 3 v\na 2 w\na 10 y\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k1,1f -k2,2n k",
     "a 2 w\na 10 y\nb 2 x\nB 3 v\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort --key=2 --numeric-sort k",
     "c 1 z\na 2 w\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort --field-separator=, -k2 csv",
     "nodelim\nx,,z\n1,2,3\na,b,c\n", "", 0},
    {TEXT_FILES
     "sort --reverse --unique k",
     "c 1 z\nb 2 x\na 2 w\na 10 y\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort --sort=numeric -k2 k",
     "c 1 z\na 2 w\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort --sort=version s",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n30\n", "", 0},
    {TEXT_FILES
     "sort --ignore-case k",
     "a 10 y\na 2 w\nb 2 x\nB 3 v\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort --stable -k2,2 k",
     "c 1 z\na 10 y\nb 2 x\na 2 w\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort --merge f s",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n30\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sort --output=out k; cat out",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -S 10M -T /tmp --parallel=2 --batch-size=4 k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -S10M k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort - < k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort f - < k",
     "B 3 v\na\na 10 y\na 2 w\nb\nb 2 x\nc\nc 1 z\nfoo\n", "", 0},
    {TEXT_FILES
     "sort empty",
     "", "", 0},
    {TEXT_FILES
     "sort empty empty",
     "", "", 0},
    {TEXT_FILES
     "printf '\\n\\n' | sort -u",
     "\n", "", 0},
    {TEXT_FILES
     "printf 'f\\0k\\0' > l; sort --files0-from=l",
     "B 3 v\na\na 10 y\na 2 w\nb\nb 2 x\nc\nc 1 z\nfoo\n", "", 0},
    {TEXT_FILES
     "sort -t '\\0' k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -t ' ' -k2,2 -k3 k",
     "c 1 z\na 10 y\na 2 w\nb 2 x\nB 3 v\n", "", 0},
    {TEXT_FILES
     "sort -k3 k",
     "B 3 v\na 2 w\nb 2 x\na 10 y\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k3,3 -k2,2nr k",
     "B 3 v\na 2 w\nb 2 x\na 10 y\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k1,2 k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k2,1 k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -k5 k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -u -k1,1f k",
     "a 10 y\nb 2 x\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -R f | sort",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf '\303\251\\nz\\na\\n\303\211\\n' | sort",
     "a\nz\n\303\211\n\303\251\n", "", 0},
    {TEXT_FILES
     "printf '\303\251\\nz\\na\\n\303\211\\n' | sort -f",
     "a\nz\n\303\211\n\303\251\n", "", 0},
    {TEXT_FILES
     "printf 'a\\tb\\na b\\n' | sort -k2",
     "a\tb\na b\n", "", 0},
    {TEXT_FILES
     "printf '  b\\n a\\nc\\n' | sort",
     "  b\n a\nc\n", "", 0},
    {TEXT_FILES
     "printf '  b\\n a\\nc\\n' | sort -b",
     " a\n  b\nc\n", "", 0},
    {TEXT_FILES
     "printf '1 b\\n1 a\\n2 a\\n' | sort -k1,1n -s",
     "1 b\n1 a\n2 a\n", "", 0},
    {TEXT_FILES
     "printf '1.10\\n1.9\\n1.1\\n' | sort -n",
     "1.1\n1.10\n1.9\n", "", 0},
    {TEXT_FILES
     "printf '1.10\\n1.9\\n1.1\\n' | sort -t. -k2n",
     "1.1\n1.9\n1.10\n", "", 0},
    {TEXT_FILES
     "printf '1,000\\n2\\n' | sort -n",
     "1,000\n2\n", "", 0},
    {TEXT_FILES
     "printf 'a:3:x\\nb:1:y\\nc:2:z\\n' | sort -t: -k2,2n",
     "b:1:y\nc:2:z\na:3:x\n", "", 0},
    {TEXT_FILES
     "printf 'a:3:x\\nb:1:y\\nc:2:z\\n' | sort -t: -k3r",
     "c:2:z\nb:1:y\na:3:x\n", "", 0},
    {TEXT_FILES
     "printf '192.168.1.10\\n192.168.1.9\\n10.0.0.1\\n' | sort -t. -k1,1n -k2,2n -k3,3n -k4,4n",
     "10.0.0.1\n192.168.1.9\n192.168.1.10\n", "", 0},
    {TEXT_FILES
     "printf '192.168.1.10\\n192.168.1.9\\n10.0.0.1\\n' | sort -V",
     "10.0.0.1\n192.168.1.9\n192.168.1.10\n", "", 0},
    {TEXT_FILES
     "printf '12345678901234567890123\\n12345678901234567890122\\n-5\\n99999999999999999999\\n"
     "' | sort -n",
     "-5\n99999999999999999999\n12345678901234567890122\n12345678901234567890123\n", "", 0},
    {TEXT_FILES
     "printf -- '-1.5\\n-1.2\\n-0.5\\n0.5\\n.5\\n-.7\\n' | sort -n",
     "-1.5\n-1.2\n-.7\n-0.5\n.5\n0.5\n", "", 0},
    {TEXT_FILES
     "sort -n -k2,2 -k1,1 k",
     "c 1 z\na 2 w\nb 2 x\nB 3 v\na 10 y\n", "", 0},
    {TEXT_FILES
     "sort -rn -k2,2 -k1,1 k",
     "a 10 y\nB 3 v\nb 2 x\na 2 w\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -rn -k2,2 -k1,1r k",
     "a 10 y\nB 3 v\nb 2 x\na 2 w\nc 1 z\n", "", 0},
    {TEXT_FILES
     "sort -d -i k",
     "B 3 v\na 10 y\na 2 w\nb 2 x\nc 1 z\n", "", 0},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "sort -c s",
     "",
     "sort: s:10: disorder: 10\n", 1},
    {TEXT_FILES
     "sort -c k",
     "",
     "sort: k:2: disorder: a 10 y\n", 1},
    {TEXT_FILES
     "sort -cu f f",
     "",
     "sort: extra operand 'f' not allowed with -c\n", 2},
    {TEXT_FILES
     "sort -n -h k",
     "",
     "sort: options '-hn' are incompatible\n", 2},
    {TEXT_FILES
     "sort -nM k",
     "",
     "sort: options '-Mn' are incompatible\n", 2},
    {TEXT_FILES
     "sort nofile",
     "",
     "sort: cannot read: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "sort -o out f nofile; ls",
     "b2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\ns\ntsv\nu\n",
     "sort: cannot read: nofile: No such file or directory\n", 0},
    {TEXT_FILES
     "sort d",
     "",
     "sort: read failed: d: Is a directory\n", 2},
    {TEXT_FILES
     "sort -m f nofile",
     "",
     "sort: cannot read: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "sort -k",
     "",
     "sort: option requires an argument -- 'k'\nTry 'sort --help' for more information.\n", 2},
    {TEXT_FILES
     "sort -k1x k",
     "",
     "sort: stray character in field spec: invalid field specification \342\200\2301x\342\200"
     "\231\n", 2},
    {TEXT_FILES
     "sort -k0 k",
     "",
     "sort: field number is zero: invalid field specification \342\200\2300\342\200\231\n", 2},
    {TEXT_FILES
     "sort -k1.0 k",
     "",
     "sort: character offset is zero: invalid field specification \342\200\2301.0\342\200\231"
     "\n", 2},
    {TEXT_FILES
     "sort -k 1,0 k",
     "",
     "sort: field number is zero: invalid field specification \342\200\2301,0\342\200\231\n", 2},
    {TEXT_FILES
     "sort -kx k",
     "",
     "sort: invalid number at field start: invalid count at start of \342\200\230x\342\200\231"
     "\n", 2},
    {TEXT_FILES
     "sort -k1,x k",
     "",
     "sort: invalid number after ',': invalid count at start of \342\200\230x\342\200\231\n", 2},
    {TEXT_FILES
     "sort -k1.x k",
     "",
     "sort: invalid number after '.': invalid count at start of \342\200\230x\342\200\231\n", 2},
    {TEXT_FILES
     "sort -t ab k",
     "",
     "sort: multi-character tab \342\200\230ab\342\200\231\n", 2},
    {TEXT_FILES
     "sort -t '' k",
     "",
     "sort: empty tab\n", 2},
    {TEXT_FILES
     "sort -t a -t b k",
     "",
     "sort: incompatible tabs\n", 2},
    {TEXT_FILES
     "sort --check k",
     "",
     "sort: k:2: disorder: a 10 y\n", 1},
    {TEXT_FILES
     "sort --check=diagnose-first k",
     "",
     "sort: k:2: disorder: a 10 y\n", 1},
    {TEXT_FILES
     "sort -c -C k",
     "",
     "sort: options '-cC' are incompatible\n", 2},
    {TEXT_FILES
     "sort -co x k",
     "",
     "sort: options '-co' are incompatible\n", 2},
    {TEXT_FILES
     "sort --files0-from=nofile",
     "",
     "sort: open failed: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "sort -dn k",
     "",
     "sort: options '-dn' are incompatible\n", 2},
    {TEXT_FILES
     "sort -k1d,1n k",
     "",
     "sort: options '-dn' are incompatible\n", 2},
};

void test_sort__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_sort__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
