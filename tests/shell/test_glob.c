#include "support/shell.h"

void test_glob__every_component_is_looked_for(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "mkdir -p a/x/deep b/y .h 's p'; for f in a/1.txt a/2.txt b/3.md .hid a/.hh z.txt "
         "\303\251.txt 'q*r' '[x]' Up.TXT a/x/f.txt a/x/deep/g.txt; do : >\"$f\"; done; p *; p */; p .*;"
         " p */*; p */*/; p a/*.txt; p */x/*; p ./*; p a//*; p */1.tx[t]; p nodir/*; p a/1.txt/*; p lnk/*"
         "; p */../a/1*; p dan[g]; p dan[g]/; p {a,b}/*.{txt,md}",
         "8:<Up.TXT><[x]><a><b><q*r><s p><z.txt><\303\251.txt>\n3:<a/><b/><s p/>\n2:<.h><.hid>\n5:<a/1.tx"
         "t><a/2.txt><a/x><b/3.md><b/y>\n2:<a/x/><b/y/>\n2:<a/1.txt><a/2.txt>\n2:<a/x/deep><a/x/f.txt>\n"
         "8:<./Up.TXT><./[x]><./a><./b><./q*r><./s p><./z.txt><./\303\251.txt>\n3:<a//1.txt><a//2.txt><a/"
         "/x>\n1:<a/1.txt>\n1:<nodir/*>\n1:<a/1.txt/*>\n1:<lnk/*>\n3:<a/../a/1.txt><b/../a/1.txt><s p/../"
         "a/1.txt>\n1:<dan[g]>\n1:<dan[g]/>\n5:<a/1.txt><a/2.txt><a/*.md><b/*.txt><b/3.md>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_glob__quoted_characters_are_literal(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "mkdir -p a/x/deep b/y .h 's p'; for f in a/1.txt a/2.txt b/3.md .hid a/.hh z.txt "
         "\303\251.txt 'q*r' '[x]' Up.TXT a/x/f.txt a/x/deep/g.txt; do : >\"$f\"; done; p '*' \\* \"*\" "
         "*\\** [[]* \"q*\"* 'a'/* \\[x\\]; x='*.txt'; p $x \"$x\"; y='q\\*r'; p $y; y='[x]'; p $y \"$y\""
         "; set -f; p *; set +f; z=a; p $z/*\"t\"; case '*' in \"$x\") echo no;; '*') echo yes;; esac",
         "10:<*><*><*><q*r><[x]><q*r><a/1.txt><a/2.txt><a/x><[x]>\n3:<z.txt><\303\251.txt><*.txt>\n1:<q\\"
         "*r>\n2:<[x]><[x]>\n1:<*>\n2:<a/1.txt><a/2.txt>\nyes\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_glob__options_change_what_is_found(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "mkdir -p a/x/deep b/y .h 's p'; for f in a/1.txt a/2.txt b/3.md .hid a/.hh z.txt "
         "\303\251.txt 'q*r' '[x]' Up.TXT a/x/f.txt a/x/deep/g.txt; do : >\"$f\"; done; shopt -s dotglob;"
         " p *; shopt -u dotglob; shopt -s nullglob; p *.none x; shopt -u nullglob; shopt -s nocaseglob;"
         " p *.txt; shopt -u nocaseglob; GLOBIGNORE='*.txt:a'; p *; unset GLOBIGNORE; p *.none",
         "10:<.h><.hid><Up.TXT><[x]><a><b><q*r><s p><z.txt><\303\251.txt>\n1:<x>\n3:<Up.TXT><z.txt><\303\251"
         ".txt>\n7:<.h><.hid><Up.TXT><[x]><b><q*r><s p>\n1:<*.none>\n", "", 0},
        {TEST_SHELL_P "mkdir -p a/x/deep b/y .h 's p'; for f in a/1.txt a/2.txt b/3.md .hid a/.hh z.txt "
         "\303\251.txt 'q*r' '[x]' Up.TXT a/x/f.txt a/x/deep/g.txt; do : >\"$f\"; done; shopt -s globstar"
         "; p **; p **/; p a/**; p **/*.txt; p **/x; p a/**/deep; p **/**; p x**; p lnk/**; p */**; p **/"
         ".hh",
         "16:<Up.TXT><[x]><a><a/1.txt><a/2.txt><a/x><a/x/deep><a/x/deep/g.txt><a/x/f.txt><b><b/3.md><b/y>"
         "<q*r><s p><z.txt><\303\251.txt>\n6:<a/><a/x/><a/x/deep/><b/><b/y/><s p/>\n7:<a/><a/1.txt><a/2.t"
         "xt><a/x><a/x/deep><a/x/deep/g.txt><a/x/f.txt>\n6:<a/1.txt><a/2.txt><a/x/deep/g.txt><a/x/f.txt><"
         "z.txt><\303\251.txt>\n1:<a/x>\n1:<a/x/deep>\n16:<Up.TXT><[x]><a><a/1.txt><a/2.txt><a/x><a/x/dee"
         "p><a/x/deep/g.txt><a/x/f.txt><b><b/3.md><b/y><q*r><s p><z.txt><\303\251.txt>\n1:<x**>\n1:<lnk/*"
         "*>\n11:<a><a/1.txt><a/2.txt><a/x><a/x/deep><a/x/deep/g.txt><a/x/f.txt><b><b/3.md><b/y><s p>\n"
         "1:<a/.hh>\n", "", 0},
        {TEST_SHELL_P "mkdir -p a/x/deep b/y .h 's p'; for f in a/1.txt a/2.txt b/3.md .hid a/.hh z.txt "
         "\303\251.txt 'q*r' '[x]' Up.TXT a/x/f.txt a/x/deep/g.txt; do : >\"$f\"; done; shopt -s extglob\n"
         "p !(a|b); p *.@(txt|md); p +([a-z]); p !(*.txt); p ?(z).txt; p @(a|b)/*; p !(a)/*; p [[:upper:]"
         "]* [!a-z]*",
         "6:<Up.TXT><[x]><q*r><s p><z.txt><\303\251.txt>\n2:<z.txt><\303\251.txt>\n2:<a><b>\n6:<Up.TXT><["
         "x]><a><b><q*r><s p>\n1:<z.txt>\n5:<a/1.txt><a/2.txt><a/x><b/3.md><b/y>\n2:<b/3.md><b/y>\n4:<Up."
         "TXT><Up.TXT><[x]><\303\251.txt>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}
