#include "support/shell.h"

void test_quote__printf_q_and_the_transform_q(void **state)
{
    static const struct test_shell_row rows[] = {
        {"printf '%q ' '' a 'a b' \"it's\" $'a\\nb' '$x' '*' '~' 'a~' '#c' 'a#' 'x=y' 'a:~' '!' ',' '^' "
         "'{a}' '%@+-.:/' \303\251 $'\\xff' $'\\e[1m\\a\\t\\\\' '\"'; echo; for x in '' a \"it's\" \"'\" "
         "$'a\\tb' '\"' \303\251 $'\\x01\\x7f'; do echo \"${x@Q}\"; done",
         "'' a a\\ b it\\'s $'a\\nb' \\$x \\* \\~ a~ \\#c a# x=y a:\\~ \\! \\, \\^ \\{a\\} %@+-.:/ \303\251"
         " $'\\377' $'\\E[1m\\a\\t\\\\' \\\" \n''\n'a'\n'it'\\''s'\n\\'\n$'a\\tb'\n'\"'\n'\303\251'\n$'\\"
         "001\\177'\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_quote__declare_p_and_set_x(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x='a \"b\" $c `d` \\'; declare -p x; x=$'a\\nb'; declare -p x; x=; declare -p x; a=(1 $'a\\nb' "
         "'c d' ''); declare -p a; declare -A m=([$'\\n']=5 ['$x']=7); declare -p m; unset x; declare x;"
         " declare -p x; set -x; : '' 'a b' a\\'b a~ '#' a# = '^' '{' \303\251 $'\\x01' $'a\\nb'",
         "declare -- x=\"a \\\"b\\\" \\$c \\`d\\` \\\\\"\ndeclare -- x=$'a\\nb'\ndeclare -- x=\"\"\ndecla"
         "re -a a=([0]=\"1\" [1]=$'a\\nb' [2]=\"c d\" [3]=\"\")\ndeclare -A m=([$'\\n']=\"5\" [\"\\$x\"]="
         "\"7\" )\ndeclare -- x\n",
         "+ : '' 'a b' 'a'\\''b' a~ '#' a# = '^' '{' \303\251 $'\\001' 'a\nb'\n", 0},
        {"x=1 y='a b' z='a;b'; set | grep '^[xyz]='",
         "x=1\ny='a b'\nz='a;b'\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_quote__what_is_quoted_reads_back(void **state)
{
    static const struct test_shell_row rows[] = {
        {"for i in {1..126}; do printf -v c \"\\\\x$(printf %x $i)\"; s=\"$c a$c\"; printf -v q %q \"$s\""
         "; eval \"t=$q\"; [[ $t == \"$s\" ]] || echo bad $i; eval \"t=${s@Q}\"; [[ $t == \"$s\" ]] || "
         "echo bad $i; done; echo done",
         "done\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}
