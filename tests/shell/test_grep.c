/*
 * grep on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "grep -c a bin",
     "1\n", "", 0},
    {TEXT_FILES
     "grep -a a enc",
     "\377a\n", "", 0},
    {TEXT_FILES
     "grep -Tn a f",
     " 1:\ta\n", "", 0},
    {TEXT_FILES
     "grep -Tnb a f",
     " 1: 0:\ta\n", "", 0},
    {TEXT_FILES
     "grep -L zz f",
     "f\n", "", 1},
    {TEXT_FILES
     "grep -L a f",
     "", "", 0},
    {TEXT_FILES
     "grep -m1 -A2 '[abc]' f",
     "a\nb\nc\n", "", 0},
    {TEXT_FILES
     "grep -m2 -A2 '[a-c]' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\0c\\n' | grep -z '^b' ",
     "", "", 1},
    {TEXT_FILES
     "printf 'a\\nb\\0c\\n' | grep -zc 'a.b' ",
     "1\n", "", 0},
    {TEXT_FILES
     "(grep -m1 a; cat) < f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "(grep -m2 -A1 '[0-9]'; echo; head -1) < s",
     "1\n2\n3\n\n3\n", "", 0},
    {TEXT_FILES
     "grep --color=always -nH a f",
     "\033[35m\033[Kf\033[m\033[K\033[36m\033[K:\033[m\033[K\033[32m\033[K1\033[m\033[K\033[36"
     "m\033[K:\033[m\033[K\033[01;31m\033[Ka\033[m\033[K\n", "", 0},
    {TEXT_FILES
     "grep --color=always -n -A1 a f",
     "\033[32m\033[K1\033[m\033[K\033[36m\033[K:\033[m\033[K\033[01;31m\033[Ka\033[m\033[K\n"
     "\033[32m\033[K2\033[m\033[K\033[36m\033[K-\033[m\033[Kb\n", "", 0},
    {TEXT_FILES
     "grep -s a nofile",
     "", "", 2},
    {TEXT_FILES
     "grep -c foo - <f",
     "1\n", "", 0},
    {TEXT_FILES
     "grep -rc a d",
     "d/x.c:1\nd/y.h:1\n", "", 0},
    {TEXT_FILES
     "grep -r a d f",
     "d/x.c:a\nd/y.h:a\nf:a\n", "", 0},
    {TEXT_FILES
     "grep -m0 a f",
     "", "", 1},
    {TEXT_FILES
     "grep -nbo 'o' f",
     "4:7:o\n4:8:o\n", "", 0},
    {TEXT_FILES
     "grep -y A f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep -o 'x*' f",
     "", "", 0},
    {TEXT_FILES
     "grep -vo a f",
     "", "", 0},
    {TEXT_FILES
     "grep -cv a f",
     "3\n", "", 0},
    {TEXT_FILES
     "grep -lc a f",
     "f\n", "", 0},
    {TEXT_FILES
     "grep -r --include='*.c' a d",
     "d/x.c:a\n", "", 0},
    {TEXT_FILES
     "grep -r --exclude='*.c' -l a d f",
     "d/y.h\nf\n", "", 0},
    {TEXT_FILES
     "grep -r --exclude-dir=d -l a d",
     "", "", 1},
    {TEXT_FILES
     "grep a - < f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep -H a  < f",
     "(standard input):a\n", "", 0},
    {TEXT_FILES
     "grep -Hc a --label=foo  < f",
     "foo:1\n", "", 0},
    {TEXT_FILES
     "grep -L a - < f",
     "", "", 0},
    {TEXT_FILES
     "grep -l a - < f",
     "(standard input)\n", "", 0},
    {TEXT_FILES
     "grep a f - < /dev/null",
     "f:a\n", "", 0},
    {TEXT_FILES
     "grep --color=auto a f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep --colour=always -o a f",
     "\033[01;31m\033[Ka\033[m\033[K\n", "", 0},
    {TEXT_FILES
     "grep --color=always -v a f",
     "b\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "grep --color=always -rl a d/x.c",
     "\033[35m\033[Kd/x.c\033[m\033[K\n", "", 0},
    {TEXT_FILES
     "grep --color=always -c a d/x.c f",
     "\033[35m\033[Kd/x.c\033[m\033[K\033[36m\033[K:\033[m\033[K1\n\033[35m\033[Kf\033[m\033[K"
     "\033[36m\033[K:\033[m\033[K1\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nx\\nx\\na\\n' | grep --color=always -C0 a",
     "\033[01;31m\033[Ka\033[m\033[K\n\033[36m\033[K--\033[m\033[K\n\033[01;31m\033[Ka\033[m"
     "\033[K\n", "", 0},
    {TEXT_FILES
     "printf 'a\\r\\nb\\r\\n' | grep 'a$'",
     "", "", 1},
    {TEXT_FILES
     "grep -c '' enc",
     "1\n", "", 0},
    {TEXT_FILES
     "grep -c . enc",
     "1\n", "", 0},
    {TEXT_FILES
     "grep -I x en2",
     "x\n", "", 0},
    {TEXT_FILES
     "grep -c x en2",
     "2\n", "", 0},
    {TEXT_FILES
     "grep -o x en2",
     "x\nx\n", "", 0},
    {TEXT_FILES
     "grep -A1 foo en2",
     "foo\nx\n", "", 0},
    {TEXT_FILES
     "grep --binary-files=without-match x b2",
     "", "", 1},
    {TEXT_FILES
     "grep -lI x b2",
     "", "", 1},
    {TEXT_FILES
     "grep -q x b2",
     "", "", 0},
    {TEXT_FILES
     "grep -n -B2 -A1 '1[05]' s",
     "8-8\n9-9\n10:10\n11-11\n--\n13-13\n14-14\n15:15\n16-16\n", "", 0},
    {TEXT_FILES
     "grep -3 15 s",
     "12\n13\n14\n15\n16\n17\n18\n", "", 0},
    {TEXT_FILES
     "grep -C1 -e 5 -e 20 s",
     "4\n5\n6\n--\n14\n15\n16\n--\n19\n20\n21\n--\n24\n25\n26\n", "", 0},
    {TEXT_FILES
     "grep -5 -n -v '[0-9]' s",
     "", "", 1},
    {TEXT_FILES
     "grep -c '' empty",
     "0\n", "", 1},
    {TEXT_FILES
     "grep '' e",
     "one\n\ntwo\n\n\nthree\n", "", 0},
    {TEXT_FILES
     "grep -n '^$' e",
     "2:\n4:\n5:\n", "", 0},
    {TEXT_FILES
     "grep -v '^$' e",
     "one\ntwo\nthree\n", "", 0},
    {TEXT_FILES
     "grep -vc '^$' e",
     "3\n", "", 0},
    {TEXT_FILES
     "grep -x foo f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep -w he h",
     "", "", 1},
    {TEXT_FILES
     "grep -w hello h",
     "hello world\n", "", 0},
    {TEXT_FILES
     "grep -iw HELLO h",
     "hello world\nHello again\n", "", 0},
    {TEXT_FILES
     "grep -i hello -o h",
     "hello\nHello\n", "", 0},
    {TEXT_FILES
     "grep -e hello -e foo h",
     "hello world\nfoo bar\n", "", 0},
    {TEXT_FILES
     "grep -F 'o' h",
     "hello world\nfoo bar\nHello again\n", "", 0},
    {TEXT_FILES
     "grep -F -x 'foo' f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep -E '(a|b)$' f",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "grep -E 'o{2}' f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep 'o\\{2\\}' f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep '\\(o\\)\\1' f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep -f f h",
     "foo bar\nHello again\n", "", 0},
    {TEXT_FILES
     "grep -f empty h",
     "", "", 1},
    {TEXT_FILES
     "grep -vf empty h",
     "hello world\nfoo bar\nHello again\nthe end\n", "", 0},
    {TEXT_FILES
     "echo | grep -f - h",
     "hello world\nfoo bar\nHello again\nthe end\n", "", 0},
    {TEXT_FILES
     "grep -n end h",
     "4:the end\n", "", 0},
    {TEXT_FILES
     "grep -b end h",
     "32:the end\n", "", 0},
    {TEXT_FILES
     "grep -ob end h",
     "36:end\n", "", 0},
    {TEXT_FILES
     "grep -c end h f s",
     "h:1\nf:0\ns:0\n", "", 0},
    {TEXT_FILES
     "grep -h end h f s",
     "the end\n", "", 0},
    {TEXT_FILES
     "grep -H end h",
     "h:the end\n", "", 0},
    {TEXT_FILES
     "grep -r end h",
     "the end\n", "", 0},
    {TEXT_FILES
     "grep -rh foo d",
     "foo\nfoo\n", "", 0},
    {TEXT_FILES
     "grep -rn foo d",
     "d/x.c:4:foo\nd/y.h:4:foo\n", "", 0},
    {TEXT_FILES
     "grep -rL zz d",
     "d/x.c\nd/y.h\n", "", 1},
    {TEXT_FILES
     "grep -o -A1 foo f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep -o -n -C1 b f",
     "2:b\n", "", 0},
    {TEXT_FILES
     "grep -A1 -c b f",
     "1\n", "", 0},
    {TEXT_FILES
     "grep -ls b f nofile",
     "f\n", "", 2},
    {TEXT_FILES
     "grep -qs b nofile",
     "", "", 2},
    {TEXT_FILES
     "grep -q b f",
     "", "", 0},
    {TEXT_FILES
     "grep -q zz f",
     "", "", 1},
    {TEXT_FILES
     "fgrep a.c f",
     "", "", 1},
    {TEXT_FILES
     "egrep 'a|c' f",
     "a\nc\n", "", 0},
    {TEXT_FILES
     "grep -E 'a|c' -n f s",
     "f:1:a\nf:3:c\n", "", 0},
    {TEXT_FILES
     "grep -A 1 -B 1 -n -H foo h",
     "h-1-hello world\nh:2:foo bar\nh-3-Hello again\n", "", 0},
    {TEXT_FILES
     "grep -m1 -v a f",
     "b\n", "", 0},
    {TEXT_FILES
     "grep -m2 -c o h",
     "2\n", "", 0},
    {TEXT_FILES
     "grep -vm1 -A1 a f",
     "b\nc\n", "", 0},
    {TEXT_FILES
     "grep --exclude=f a f",
     "", "", 1},
    {TEXT_FILES
     "grep --include='*.c' a f d/x.c",
     "d/x.c:a\n", "", 0},
    {TEXT_FILES
     "grep -d skip a d f",
     "f:a\n", "", 0},
    {TEXT_FILES
     "grep -d recurse -l a d",
     "d/x.c\nd/y.h\n", "", 0},
    {TEXT_FILES
     "grep -D skip a f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep \303\251 u",
     "\303\251\nz\303\251\n", "", 0},
    {TEXT_FILES
     "grep -c '^.$' u",
     "1\n", "", 0},
    {TEXT_FILES
     "grep -o '.' u",
     "\303\251\n\303\274\nx\nz\n\303\251\n", "", 0},
    {TEXT_FILES
     "grep -i \303\211 u",
     "\303\251\nz\303\251\n", "", 0},
    {TEXT_FILES
     "grep -P '^h\\w+' h",
     "hello world\n", "", 0},
    {TEXT_FILES
     "grep -oP 'w\\K\\w+' h",
     "orld\n", "", 0},
    {TEXT_FILES
     "grep -E '' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 'a\\0b\\0' | grep -zc .",
     "2\n", "", 0},
    {TEXT_FILES
     "grep -T foo f d/x.c",
     "f:\tfoo\nd/x.c:\tfoo\n", "", 0},
    {TEXT_FILES
     "grep -nT foo f d/x.c",
     "f: 4:\tfoo\nd/x.c: 4:\tfoo\n", "", 0},
    {TEXT_FILES
     "grep --line-buffered foo f",
     "foo\n", "", 0},
    {TEXT_FILES
     "grep -e foo -m 1 f s h",
     "f:foo\nh:foo bar\n", "", 0},
    {TEXT_FILES
     "grep -A1 a f d/x.c",
     "f:a\nf-b\n--\nd/x.c:a\nd/x.c-b\n", "", 0},
    {TEXT_FILES
     "grep -A1 -m1 . h",
     "hello world\nfoo bar\n", "", 0},
    {TEXT_FILES
     "grep -A3 -m1 -e 1 s",
     "1\n2\n3\n4\n", "", 0},
    {TEXT_FILES
     "grep -A3 -m2 -c -e 1 s",
     "2\n", "", 0},
    {TEXT_FILES
     "grep -B1 -m1 -e 3 s",
     "2\n3\n", "", 0},
    {TEXT_FILES
     "grep --max-count=1 -n o h",
     "1:hello world\n", "", 0},
    {TEXT_FILES
     "grep --no-messages a nofile",
     "", "", 2},
    {TEXT_FILES
     "grep --count a f",
     "1\n", "", 0},
    {TEXT_FILES
     "grep --regexp=a f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep --file=f f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "grep --ignore-case A f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep --no-ignore-case -i A f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep -i --no-ignore-case A f",
     "", "", 1},
    {TEXT_FILES
     "grep --context=1 b f",
     "a\nb\nc\n", "", 0},
    {TEXT_FILES
     "grep -y A -n f",
     "1:a\n", "", 0},
    {TEXT_FILES
     "grep -r 'foo' --include '*.h' .",
     "./d/y.h:foo\n", "", 0},
    {TEXT_FILES
     "grep -r --exclude-dir=. foo .",
     "", "", 1},
    {TEXT_FILES
     "grep -n 'a.*b' bin",
     "", "", 1},
    {TEXT_FILES
     "grep -vc zzz bin",
     "3\n", "", 0},
    {TEXT_FILES
     "printf 'a\\na\\0\\na\\n' | grep -c a",
     "3\n", "", 0},
    {TEXT_FILES
     "printf 'x\\n\\n' | grep -c '$'",
     "2\n", "", 0},
    {TEXT_FILES
     "printf 'foo\\n' | grep -o 'o\\|f'",
     "f\no\no\n", "", 0},
    {TEXT_FILES
     "printf 'foobar foo\\n' | grep -ow foo",
     "foo\n", "", 0},
    {TEXT_FILES
     "printf 'foo_bar foo-bar\\n' | grep -ow foo",
     "foo\n", "", 0},
    {TEXT_FILES
     "printf 'abcabc\\n' | grep -o 'b*'",
     "b\nb\n", "", 0},
    {TEXT_FILES
     "grep -E 'x|' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "grep -e a -f h f",
     "a\n", "", 0},
    {TEXT_FILES
     "grep -E -v 'a|b' -c f",
     "2\n", "", 0},
    {TEXT_FILES
     "grep -w '' e",
     "\n\n\n", "", 0},
    {TEXT_FILES
     "grep -x '' e",
     "\n\n\n", "", 0},
    {TEXT_FILES
     "grep -xn '' e",
     "2:\n4:\n5:\n", "", 0},
    {TEXT_FILES
     "grep -c -w '' e",
     "3\n", "", 0},
    {TEXT_FILES
     "grep -- -x f",
     "", "", 1},
    {TEXT_FILES
     "grep -e -x f",
     "", "", 1},
};

static const struct test_shell_row messages[] = {
    {TEXT_FILES
     "grep -n foo bin",
     "",
     "grep: bin: binary file matches\n", 0},
    {TEXT_FILES
     "grep a enc",
     "",
     "grep: enc: binary file matches\n", 0},
    {TEXT_FILES
     "grep a d",
     "",
     "grep: d: Is a directory\n", 2},
    {TEXT_FILES
     "grep",
     "",
     "Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n", 2},
    {TEXT_FILES
     "grep -A x a f",
     "",
     "grep: x: invalid context length argument\n", 2},
    {TEXT_FILES
     "grep '\\(' f",
     "",
     "grep: Unmatched ( or \\(\n", 2},
    {TEXT_FILES
     "grep nope nofile f",
     "",
     "grep: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "grep -q a nofile f",
     "",
     "grep: nofile: No such file or directory\n", 0},
    {TEXT_FILES
     "grep --binary-files=zz a f",
     "",
     "grep: unknown binary-files type\n", 2},
    {TEXT_FILES
     "grep -f nofile f",
     "",
     "grep: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "grep -m x a f",
     "",
     "grep: invalid max count\n", 2},
    {TEXT_FILES
     "grep -r a sl sd",
     "",
     "grep: sl: No such file or directory\ngrep: sd: No such file or directory\n", 2},
    {TEXT_FILES
     "grep -r a d nofile",
     "d/x.c:a\nd/y.h:a\n",
     "grep: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "grep --color=always -w a f enc",
     "\033[35m\033[Kf\033[m\033[K\033[36m\033[K:\033[m\033[K\033[01;31m\033[Ka\033[m\033[K\n",
     "grep: enc: binary file matches\n", 0},
    {TEXT_FILES
     "grep -n 'x\\|f' en2",
     "2:foo\n3:x\n",
     "grep: en2: binary file matches\n", 0},
    {TEXT_FILES
     "grep -vn foo en2",
     "3:x\n",
     "grep: en2: binary file matches\n", 0},
    {TEXT_FILES
     "grep -h x en2 f",
     "x\n",
     "grep: en2: binary file matches\n", 0},
    {TEXT_FILES
     "grep -U x b2",
     "",
     "grep: b2: binary file matches\n", 0},
    {TEXT_FILES
     "grep -l b f d/x.c nofile",
     "f\nd/x.c\n",
     "grep: nofile: No such file or directory\n", 2},
    {TEXT_FILES
     "grep -E 'a{2,1}' f",
     "",
     "grep: Invalid content of \\{\\}\n", 2},
    {TEXT_FILES
     "grep '[a' f",
     "",
     "grep: Unmatched [, [^, [:, [., or [=\n", 2},
    {TEXT_FILES
     "grep 'a\\' f",
     "",
     "grep: Trailing backslash\n", 2},
    {TEXT_FILES
     "grep '[[:foo:]]' f",
     "",
     "grep: Invalid character class name\n", 2},
    {TEXT_FILES
     "grep '[:space:]' f",
     "",
     "grep: character class syntax is [[:space:]], not [:space:]\n", 2},
    {TEXT_FILES
     "grep -P -f f f",
     "",
     "grep: the -P option only supports a single pattern\n", 2},
    {TEXT_FILES
     "grep --context b f",
     "",
     "grep: b: invalid context length argument\n", 2},
    {TEXT_FILES
     "grep -lr foo --exclude='x.c' d sd",
     "d/y.h\n",
     "grep: sd: No such file or directory\n", 2},
    {TEXT_FILES
     "grep -nv zzz bin",
     "",
     "grep: bin: binary file matches\n", 0},
    {TEXT_FILES
     "printf 'a\\na\\0\\na\\n' | grep a",
     "",
     "grep: (standard input): binary file matches\n", 0},
};

void test_grep__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}

void test_grep__tells_faults_as_the_gnu_tool_does(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(messages);
}
