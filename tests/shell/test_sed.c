/*
 * sed on small files, as the tools of Debian 12 answered in C.UTF-8.
 */
#include "shell/text_files.h"

static const struct test_shell_row results[] = {
    {TEXT_FILES
     "echo | sed 's/x*//'; echo | sed 's/x*/y/'",
     "\ny\n", "", 0},
    {TEXT_FILES
     "echo 'a|b' | sed 's|a\\|b|X|'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo aab | sed 's+a\\+b+X+'",
     "aab\n", "", 0},
    {TEXT_FILES
     "echo axb | sed 's.a\\.b.X.'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo a | sed 's/a/b/ ;p'",
     "b\nb\n", "", 0},
    {TEXT_FILES
     "echo a | sed 's/a/b/ p'",
     "b\nb\n", "", 0},
    {TEXT_FILES
     "echo a | sed 'y/a/\\t/'",
     "\t\n", "", 0},
    {TEXT_FILES
     "echo 'abq' | sed 'y/a\\q/12/'",
     "1b2\n", "", 0},
    {TEXT_FILES
     "echo 'abq\\' | sed 'y/a\\\\/12/'",
     "1bq2\n", "", 0},
    {TEXT_FILES
     "echo 'a/b' | sed 'y/\\//x/'",
     "axb\n", "", 0},
    {TEXT_FILES
     "echo baaac | sed 's/a*/x/g'",
     "xbxcx\n", "", 0},
    {TEXT_FILES
     "echo baaac | sed 's/a*/x/2'",
     "bxc\n", "", 0},
    {TEXT_FILES
     "echo abc | sed 's/b*/-/2'",
     "a-c\n", "", 0},
    {TEXT_FILES
     "echo abc | sed 's/x*/-/g'",
     "-a-b-c-\n", "", 0},
    {TEXT_FILES
     "echo abcabcabc | sed 's/b/X/2g'",
     "abcaXcaXc\n", "", 0},
    {TEXT_FILES
     "echo abcabcabc | sed 's/b/X/g2'",
     "abcaXcaXc\n", "", 0},
    {TEXT_FILES
     "cp f q; sed -i 2q q; cat q",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "echo a | sed 'a\\'",
     "a\n", "", 0},
    {TEXT_FILES
     "echo a | sed -e 'a\\' -e 'foo'",
     "a\nfoo\n", "", 0},
    {TEXT_FILES
     "echo a | sed -e 'a foo\\' -e 'bar'",
     "a\nfoo\nbar\n", "", 0},
    {TEXT_FILES
     "echo a | sed 'a foo\\'",
     "a\nfoo\n", "", 0},
    {TEXT_FILES
     "echo a | sed ': x'",
     "a\n", "", 0},
    {TEXT_FILES
     "echo a | sed '1,2='",
     "1\na\n", "", 0},
    {TEXT_FILES
     "printf 'p\\ns/a/b/\\n' > scr; sed -f scr f",
     "a\nb\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 's/a/b/\\n\\n# comment\\n$d\\n' > scr; sed -f scr -e 2d f",
     "b\nc\n", "", 0},
    {TEXT_FILES
     "echo a | sed '/a/s//x/'",
     "x\n", "", 0},
    {TEXT_FILES
     "echo a | sed 'v;p'",
     "a\na\n", "", 0},
    {TEXT_FILES
     "echo a | sed 'v4.2;p'",
     "a\na\n", "", 0},
    {TEXT_FILES
     "echo a | sed '#n'",
     "", "", 0},
    {TEXT_FILES
     "echo a | sed $'#n\\np'",
     "a\n", "", 0},
    {TEXT_FILES
     "echo a | sed $'#no\\np'",
     "a\n", "", 0},
    {TEXT_FILES
     "echo a | sed -e '#n' -e p",
     "a\n", "", 0},
    {TEXT_FILES
     "printf 'a\\tb\\\\\303\251\\x01\\n' | sed -n l",
     "a\\tb\\\\\\303\\251\\001$\n", "", 0},
    {TEXT_FILES
     "printf '\\ta\\tb\\tc\\t' | sed -n 'l 6'",
     "\\ta\\t\\\nb\\tc\\\n\\t$\n", "", 0},
    {TEXT_FILES
     "echo a | sed 's/\\x61/\\x26x/'",
     "&x\n", "", 0},
    {TEXT_FILES
     "echo 'a^b' | sed 's/\\x5e/b/'",
     "ba^b\n", "", 0},
    {TEXT_FILES
     "echo 'a*b' | sed 's/\\x2a/X/g'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo a.b | sed 's/[\\x2e]/X/'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a\\nb' | sed 's/\\cA//'",
     "a\\nb\n", "", 0},
    {TEXT_FILES
     "echo a | sed 's/a/\\o101\\d066\\x43\\cA\\c[/' ",
     "ABC\001\033\n", "", 0},
    {TEXT_FILES
     "sed -s -n '$=' f h",
     "4\n4\n", "", 0},
    {TEXT_FILES
     "sed -n '$=' f h",
     "8\n", "", 0},
    {TEXT_FILES
     "sed F f",
     "f\na\nf\nb\nf\nc\nf\nfoo\n", "", 0},
    {TEXT_FILES
     "echo a | sed F",
     "-\na\n", "", 0},
    {TEXT_FILES
     "echo 'hello world' | sed 's/\\(h\\)\\(e\\)/\\2\\1/'",
     "ehllo world\n", "", 0},
    {TEXT_FILES
     "echo 'hello world' | sed -E 's/(h)(e)/\\2\\1/'",
     "ehllo world\n", "", 0},
    {TEXT_FILES
     "echo 'hello world' | sed 's/\\w\\+/\\u&/g'",
     "Hello World\n", "", 0},
    {TEXT_FILES
     "echo 'hello world' | sed 's/.*/\\U&/'",
     "HELLO WORLD\n", "", 0},
    {TEXT_FILES
     "echo 'hello world' | sed -E 's/(\\w+) (\\w+)/\\U\\1\\E \\2/'",
     "HELLO world\n", "", 0},
    {TEXT_FILES
     "echo 'HELLO WORLD' | sed 's/\\w\\+/\\L\\u&/g'",
     "Hello World\n", "", 0},
    {TEXT_FILES
     "echo 'foo bar' | sed -E 's/(o)(o)/\\u\\1\\2x\\Uy\\lZZ\\Ez/'",
     "fOoxYzZz bar\n", "", 0},
    {TEXT_FILES
     "echo '\303\251a' | sed 's/./\\U&/'",
     "\303\211a\n", "", 0},
    {TEXT_FILES
     "echo '\303\251a' | sed 's/.*/\\U&/'",
     "\303\211A\n", "", 0},
    {TEXT_FILES
     "echo 'foo' | sed 's/\\(x*\\)foo/\\u\\1bar/'",
     "Bar\n", "", 0},
    {TEXT_FILES
     "echo 'a b' | sed 's/ /\\n/'",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "echo 'a b' | sed 's/a/\\&/'",
     "& b\n", "", 0},
    {TEXT_FILES
     "echo 'a/b' | sed 's/\\//|/'",
     "a|b\n", "", 0},
    {TEXT_FILES
     "echo 'a,b' | sed 's,\\,,|,'",
     "a|b\n", "", 0},
    {TEXT_FILES
     "echo 'aXb' | sed 's/x/_/i'",
     "a_b\n", "", 0},
    {TEXT_FILES
     "echo 'aXb' | sed 's/x/_/I'",
     "a_b\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/^b/X/M'",
     "a\nX\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/^b/X/'",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/a$/X/M'",
     "X\nb\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/^/> /Mg'",
     "> a\n> b\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/$/ </mg'",
     "a <\nb <\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/a.b/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;s/[^x]*/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\n' | sed 'N;l;D'",
     "a\\nb$\nb\n", "", 0},
    {TEXT_FILES
     "printf 'a' | sed p",
     "a\na", "", 0},
    {TEXT_FILES
     "printf 'a' | sed 'a foo'",
     "a\nfoo\n", "", 0},
    {TEXT_FILES
     "printf 'a' | sed 'i foo'",
     "foo\na", "", 0},
    {TEXT_FILES
     "printf 'a' | sed '='",
     "1\na", "", 0},
    {TEXT_FILES
     "printf 'a' | sed -n 'p;p'",
     "a\na", "", 0},
    {TEXT_FILES
     "printf 'a\\nb' | sed -n '$p'",
     "b", "", 0},
    {TEXT_FILES
     "printf 'a\\nb' | sed 'N;P;D'",
     "a\nb", "", 0},
    {TEXT_FILES
     "printf 'a\\nb' | sed 'x;$G'",
     "\na\nb", "", 0},
    {TEXT_FILES
     "printf 'a' > x1; printf 'b' > x2; sed p x1 x2",
     "a\na\nb\nb", "", 0},
    {TEXT_FILES
     "printf 'a' > x1; printf 'b' > x2; sed -s p x1 x2",
     "a\na\nb\nb", "", 0},
    {TEXT_FILES
     "printf 'a' > x1; printf 'b' > x2; sed -i p x1 x2; cat x1 x2",
     "a\nab\nb", "", 0},
    {TEXT_FILES
     "printf 'a' > x1; printf 'b' > x2; sed 'r x2' x1",
     "a\nb", "", 0},
    {TEXT_FILES
     "printf 'a' > x1; sed 'r x1' f",
     "a\nab\nac\nafoo\na", "", 0},
    {TEXT_FILES
     "printf 'a\\nb\\nc' | sed -z 's/\\n/,/g' ",
     "a,b,c", "", 0},
    {TEXT_FILES
     "sed -i 's/a/X/' f; cat f",
     "X\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -i.bak 's/a/X/' f; cat f f.bak",
     "X\nb\nc\nfoo\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -i'old_*' 's/a/X/' f; ls",
     "b2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nh\nk\nold_f\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "sed --in-place=.b 's/a/X/' f; ls",
     "b2\nbin\ncsv\nd\ne\nempty\nen2\nenc\nf\nf.b\nh\nk\ns\ntsv\nu\n", "", 0},
    {TEXT_FILES
     "sed -i '1i top' f h; cat f h",
     "top\na\nb\nc\nfoo\ntop\nhello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "sed -i -e '$a end' f h; cat f h",
     "a\nb\nc\nfoo\nend\nhello world\nfoo bar\nHello again\nthe end\nend\n", "", 0},
    {TEXT_FILES
     "sed -n -i 2p f; cat f",
     "b\n", "", 0},
    {TEXT_FILES
     "sed -i 's/a/X/w /dev/stdout' f; cat f",
     "X\nX\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -s 1d f h",
     "b\nc\nfoo\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "sed 1d f h",
     "b\nc\nfoo\nhello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "sed -s -n '1p;$p' f h",
     "a\nfoo\nhello world\nthe end", "", 0},
    {TEXT_FILES
     "sed -n '2,/o/p' f h",
     "b\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -s -n '2,/o/p' f h",
     "b\nc\nfoo\nfoo bar\nHello again\n", "", 0},
    {TEXT_FILES
     "cat f | sed '1d' - h",
     "b\nc\nfoo\nhello world\nfoo bar\nHello again\nthe end", "", 0},
    {TEXT_FILES
     "sed --expression=p --quiet f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed --regexp-extended 's/(a)/<\\1>/' f",
     "<a>\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -r 's/(a|b)+/<\\1>/' f",
     "<a>\n<b>\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -n -e '/a/{' -e p -e '}' f",
     "a\n", "", 0},
    {TEXT_FILES
     "sed -n '/a/{p;p}' f",
     "a\na\n", "", 0},
    {TEXT_FILES
     "sed '/a/{s/a/b/;s/b/c/}' f",
     "c\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '/a/{;s/a/b/;}' f",
     "b\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '/a/ { s/a/b/ ; } ; s/c/d/' f",
     "b\nb\nd\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 's/a/b/;;s/b/c/' f",
     "c\nc\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed ';;p' f",
     "a\na\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -e '' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -n '' f",
     "", "", 0},
    {TEXT_FILES
     "sed 's/a/b/ # comment' f",
     "b\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'p # comment' f",
     "a\na\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'y/abc/xyz/;y/x/\303\251/' f",
     "\303\251\ny\nz\nfoo\n", "", 0},
    {TEXT_FILES
     "echo 'a\303\251b' | sed 'y/\303\251/e/'",
     "aeb\n", "", 0},
    {TEXT_FILES
     "sed 't;s/a/b/' f",
     "b\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "echo 1234567 | sed -e :a -e 's/\\(.*[0-9]\\)\\([0-9]\\{3\\}\\)/\\1,\\2/;ta'",
     "1,234,567\n", "", 0},
    {TEXT_FILES
     "(sed -u 2q >/dev/null; cat) < s",
     "3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26"
     "\n27\n28\n29\n30\n", "", 0},
    {TEXT_FILES
     "(sed 2q >/dev/null; cat) < s",
     "3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26"
     "\n27\n28\n29\n30\n", "", 0},
    {TEXT_FILES
     "echo abc | sed 's/\\(b\\|x\\)/[\\1]/'",
     "a[b]c\n", "", 0},
    {TEXT_FILES
     "echo abc | sed -E 's/b?/[&]/g'",
     "[]a[b]c[]\n", "", 0},
    {TEXT_FILES
     "echo 'a.b.c' | sed 's/\\./-/2'",
     "a.b-c\n", "", 0},
    {TEXT_FILES
     "echo foo | sed 's/o/0/3'",
     "foo\n", "", 0},
    {TEXT_FILES
     "echo aaa | sed 's/a/b/2p'",
     "aba\naba\n", "", 0},
    {TEXT_FILES
     "echo aaa | sed -n 's/a/b/2gp'",
     "abb\n", "", 0},
    {TEXT_FILES
     "echo abc | sed 's/B/x/Ig;s/C/y/ig'",
     "axy\n", "", 0},
    {TEXT_FILES
     "echo 'path/to' | sed 's#/#\\\\#g'",
     "path\\to\n", "", 0},
    {TEXT_FILES
     "echo 'x' | sed 's/x/a\\tb/'",
     "a\tb\n", "", 0},
    {TEXT_FILES
     "echo 'tab\tx' | sed 's/\\t/TAB/'",
     "tabTABx\n", "", 0},
    {TEXT_FILES
     "echo 'tab\tx' | sed 's/[\\t]/TAB/'",
     "tabTABx\n", "", 0},
    {TEXT_FILES
     "echo 'a\\b' | sed 's/[\\]/X/'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a]b' | sed 's/[]]/X/'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a/b' | sed 's/[/]/X/'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a b' | sed 's/\\s/_/;s/\\S/X/'",
     "X_b\n", "", 0},
    {TEXT_FILES
     "echo 'foo bar' | sed 's/\\bbar\\b/X/;s/\\<foo\\>/Y/'",
     "Y X\n", "", 0},
    {TEXT_FILES
     "echo 'foo bar' | sed 's/\\Bo/X/g'",
     "fXX bar\n", "", 0},
    {TEXT_FILES
     "echo aXbXc | sed 's/X\\(.\\)X/<\\1>/'",
     "a<b>c\n", "", 0},
    {TEXT_FILES
     "echo abab | sed -E 's/(ab)\\1/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'a+b' | sed 's/a+b/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'a+b' | sed -E 's/a\\+b/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'a{2}' | sed 's/a{2}/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'aa' | sed -E 's/a{2}/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'aa' | sed 's/a\\{2\\}/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'aab' | sed 's/a\\?b/X/'",
     "aX\n", "", 0},
    {TEXT_FILES
     "echo '^a' | sed 's/a^/X/;s/\\^a/Y/'",
     "Y\n", "", 0},
    {TEXT_FILES
     "echo 'a$b' | sed 's/a$b/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo '*a' | sed 's/*a/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'ab' | sed 's/\\(*a\\)/X/'",
     "ab\n", "", 0},
    {TEXT_FILES
     "sed 's/x/y/' -n f",
     "", "", 0},
    {TEXT_FILES
     "sed -n 2p f --quiet",
     "b\n", "", 0},
    {TEXT_FILES
     "sed -- p f",
     "a\na\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed p -- f",
     "a\na\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 2,3s/[0-9]/x/ s",
     "1\nx\nx\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n30\n", "", 0},
    {TEXT_FILES
     "sed 10,20d s",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n", "", 0},
    {TEXT_FILES
     "sed '1~2d' s",
     "2\n4\n6\n8\n10\n12\n14\n16\n18\n20\n22\n24\n26\n28\n30\n", "", 0},
    {TEXT_FILES
     "sed '$d' s",
     "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n2"
     "5\n26\n27\n28\n29\n", "", 0},
    {TEXT_FILES
     "sed '/^$/d' e",
     "one\ntwo\nthree\n", "", 0},
    {TEXT_FILES
     "sed '/^$/N;/\\n$/D' e",
     "one\n\ntwo\n\nthree\n", "", 0},
    {TEXT_FILES
     "sed -n '/one/,/two/{//!p}' e",
     "\n", "", 0},
    {TEXT_FILES
     "sed '/one/,/two/s/^/# /' e",
     "# one\n# \n# two\n\n\nthree\n", "", 0},
    {TEXT_FILES
     "sed 's/[^,]*,//2' csv",
     "a,c\n1,3\nx,z\nnodelim\n", "", 0},
    {TEXT_FILES
     "sed -E 's/^([^,]*),(.*)$/\\2,\\1/' csv",
     "b,c,a\n2,3,1\n,z,x\nnodelim\n", "", 0},
    {TEXT_FILES
     "sed 'a\\' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1!G;h;$!d' f",
     "foo\nc\nb\na\n", "", 0},
    {TEXT_FILES
     "sed -n '$!{h;d};x;G;p' f",
     "c\nfoo\n", "", 0},
    {TEXT_FILES
     "sed = f | sed 'N;s/\\n/\\t/'",
     "1\ta\n2\tb\n3\tc\n4\tfoo\n", "", 0},
    {TEXT_FILES
     "sed 's/a/b/;ta;s/$/x/;:a;s/^/y/' f",
     "yb\nybx\nycx\nyfoox\n", "", 0},
    {TEXT_FILES
     "sed '/b/Q' f",
     "a\n", "", 0},
    {TEXT_FILES
     "sed '/b/q3' f",
     "a\nb\n", "", 3},
    {TEXT_FILES
     "sed '2q;3p' f",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "sed 'q 5' f",
     "a\n", "", 5},
    {TEXT_FILES
     "sed '/b/,$d' f",
     "a\n", "", 0},
    {TEXT_FILES
     "sed '/b/,+1d' f",
     "a\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '2,3{/b/d}' f",
     "a\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'i\\' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1i\\\\tfoo' f",
     "\tfoo\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1i\\\tfoo' f",
     "\tfoo\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1i foo\\nbar' f",
     "foo\nbar\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'y/abc/\\n\\t\\\\/' f",
     "\n\n\t\n\\\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'N;N;N;y/\\n/,/' f",
     "a,b,c,foo\n", "", 0},
    {TEXT_FILES
     "sed ':a s/x/y/' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'b;p' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '{p;{p}}' f",
     "a\na\na\nb\nb\nb\nc\nc\nc\nfoo\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '{p};p' f",
     "a\na\na\nb\nb\nb\nc\nc\nc\nfoo\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'p;p;' f",
     "a\na\na\nb\nb\nb\nc\nc\nc\nfoo\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 'p ; p' f",
     "a\na\na\nb\nb\nb\nc\nc\nc\nfoo\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1 , 2 p' f",
     "a\na\nb\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1,2 ! p' f",
     "a\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '1! p' f",
     "a\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '/a/,/b/ p' f",
     "a\na\nb\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '/a/ , /b/p' f",
     "a\na\nb\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '/a/I p' f",
     "a\na\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed '/A/Ip;/B/I,/C/Is/^/x/' f",
     "a\na\nxb\nxc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 's/\\n//' f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed -n '/\\n/p' f",
     "", "", 0},
    {TEXT_FILES
     "sed 's/a\\|b/X/' f",
     "X\nX\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 's/\\(a\\|b\\)/X\\1/' f",
     "Xa\nXb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed 's/.*/\"&\"/' f",
     "\"a\"\n\"b\"\n\"c\"\n\"foo\"\n", "", 0},
    {TEXT_FILES
     "sed \"s/.*/'&'/\" f",
     "'a'\n'b'\n'c'\n'foo'\n", "", 0},
    {TEXT_FILES
     "sed -E 's/a**/X/g' f",
     "X\nXbX\nXcX\nXfXoXoX\n", "", 0},
    {TEXT_FILES
     "sed --line-length=5 -n l h",
     "hell\\\no wo\\\nrld$\nfoo \\\nbar$\nHell\\\no ag\\\nain$\nthe \\\nend$\n", "", 0},
    {TEXT_FILES
     "sed --null-data -n p f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed --separate -n '$p' f h",
     "foo\nthe end", "", 0},
    {TEXT_FILES
     "sed --silent p f",
     "a\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed --unbuffered p f",
     "a\na\nb\nb\nc\nc\nfoo\nfoo\n", "", 0},
    {TEXT_FILES
     "echo 'a b' | sed $'s/ /\\\\\\n/'",
     "a\nb\n", "", 0},
    {TEXT_FILES
     "sed $'2{\\nd\\n}' f",
     "a\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed $'1a foo\\\\\\nbar' f",
     "a\nfoo\nbar\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed $'s/b/\\\\\\n/;s/\\\\n/N/' f",
     "a\nN\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "sed $'1a\\\\\\n  foo\\\\\\n\\n2p' f",
     "a\n  foo\n\nb\nb\nc\nfoo\n", "", 0},
    {TEXT_FILES
     "echo 'a[b' | sed 's/[[]/X/;s/[^[:alpha:]X]/Y/'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a:b' | sed 's/[[:alpha:]:]*/X/'",
     "X\n", "", 0},
    {TEXT_FILES
     "echo 'a|b' | sed 's|[|]|X|'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a/b' | sed 's/[\\/]/X/'",
     "aXb\n", "", 0},
    {TEXT_FILES
     "echo 'a\\/b' | sed 's/[\\/]/X/g'",
     "aXXb\n", "", 0},
    {TEXT_FILES
     "printf 'a\\nb' | sed 'H;x'",
     "\na\na\nb", "", 0},
    {TEXT_FILES
     "sed p f | sed '$!N;s/\\n/ /'",
     "a a\nb b\nc c\nfoo foo\n", "", 0},
    {TEXT_FILES
     "sed 's/\\(.\\)\\(.\\)\\(.\\)/\\3\\2\\1/' h",
     "lehlo world\noof bar\nleHlo again\neht end", "", 0},
    {TEXT_FILES
     "sed -E 's/(.)(.)?/[\\2]/' f",
     "[]\n[]\n[]\n[o]o\n", "", 0},
};

void test_sed__writes_what_the_gnu_tool_writes(void **state)
{
    (void)state;
    TEST_SHELL_ROWS(results);
}
