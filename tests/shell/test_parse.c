#include "support/test.h"
#include "tree.h"

static void check_at(const char *script, const char *tree, bool whole, int line)
{
    struct test_cx test;
    struct tc_sh_parser parser;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, tc_str_of(script), 1);
    test_assert_str(tree_of_text(&test.cx, &parser, whole), tc_str_of(tree), __FILE__, line);
    test_cx_finish(&test);
}
#define check(script, tree) check_at((script), (tree), true, __LINE__)

void test_parse__simple_commands_lists_and_pipelines(void **state)
{
    (void)state;
    check("echo a b\tc", "(echo a b c)");
    check("a;b&c", "(list (a); (b)& (c);)");
    check("a\nb", "(a) (b)");
    check("a && b || c", "(chain (a) && (b) || (c))");
    check("a |\n b |& c", "(pipe (a) (b 2>&1) (c))");
    check("! a; time -p b | c", "(list (pipe ! (a)); (pipe time-p (b) (c));)");
    check("!", "(pipe !)");
    check("echo a#b #c", "(echo a#b)");
    check("a \\\n b", "(a b)");
    check("", "");
    check("\n # nothing\n\n", "");
    check("echo if then esac }", "(echo if then esac })");
}

void test_parse__compound_commands(void **state)
{
    (void)state;
    check("if a; then b; elif c\nthen d; else e; fi >x", "(if (a) (b) (if (c) (d) (e)) >x)");
    check("while a; do b; done; until c\ndo d\ndone", "(list (while (a) (b)); (until (c) (d));)");
    check("for x in do done; do echo; done", "(for x in do done (echo))");
    check("for x\ndo echo; done", "(for x (echo))");
    check("for x; do a; done", "(for x (a))");
    check("for x in; { a; }", "(for x in (a))");
    check("for ((i=0;i<3;i++)); do a; done", "(for(( <'i=0'> <'i<3'> <'i++'> (a))");
    check("for ((;;)) { a; }", "(for(( <> <> <> (a))");
    check("select x in a b; do c; done", "(select x in a b (c))");
    check("case $x in a|\"b*\") c;; (d) ;& e) f ;;& *) g; esac",
          "(case ${x} (a|'b*' (c) ;;) (d ;&) (e (f) ;;&) (* (g) ;;))");
    check("(a; b) | { c; }", "(pipe (sub (list (a); (b);)) (group (c)))");
    check("f() { a; } >o; function g (b)", "(list (function f (group (a) >o)); (function g (sub (b)));)");
    check("((i++)) || ((a); (b))", "(chain ((( <'i++'>) || (sub (list (sub (a)); (sub (b));)))");
    check("[[ -f a && ! $x == *.@(a|b) || ( a =~ ^(x y)|z$ ) ]]",
          "([[ (or (and (-f a)(not (== ${x} *.@(a|b))))(=~ a ^(x y)|z$)))");
}

void test_parse__redirections(void **state)
{
    (void)state;
    check("a >b 2>>c <d 3<>e >|f", "(a >b 2>>c <d 3<>e >|f)");
    check(">&2 2>&1 &>f >&g &>>h 3>&1- <&- {fd}<x", "( >&2 2>&1 &>f &>g &>>h 3>&1- <&- {fd}<x)");
    check("a <<<$b 2", "(a 2 <<<${b})");
    check("cat <<E <<-'F' x\na $b\nE\n\tc $d\n\tF\nnext",
          "(cat x <<'a '\"${b}\"'\n' <<'c $d\n') (next)");
    check("a <<E", "(a <<) {1: here-document at line 1 delimited by end-of-file (wanted `E')}");
}

void test_parse__words(void **state)
{
    (void)state;
    check("echo \"b $c d\" 'e'\\ f $'g\\n\\x41'", "(echo 'b '\"${c}\"' d' 'e 'f 'g\nA')");
    check("x=1 y[1 + 2]+=z a=(1 [2]=3 \"q r\") cmd k=v", "(x=1 y[1 + 2]+=z a=(1 [2]=3 'q r') cmd k=v)");
    check("declare -a x=(1 2) y=$z w[1]=a", "(declare -a @x=(1 2) @y=${z} @w[1]=a)");
    check("echo $(case x in a) b;; esac) `c \\`d\\``", "(echo $(case x (a (b) ;;)) $(c $(d)))");
    check("echo $((1+(2))) $((a) ; (b)) $( (c) )", "(echo $(('1+(2)')) $(list (sub (a)); (sub (b));) $(sub (c)))");
    check("cat <(ls) a>(b)", "(cat <(ls) a>(b))");
}

void test_parse__errors_are_those_of_bash(void **state)
{
    (void)state;
    check("fi", "error 1: syntax error near unexpected token `fi' | `fi'");
    check("a\necho (b", "(a) error 2: syntax error near unexpected token `b' | `echo (b'");
    check("a && && b", "error 1: syntax error near unexpected token `&&' | `a && && b'");
    check("for", "error 1: syntax error near unexpected token `newline' | `for'");
    check("if true", "error 2: syntax error: unexpected end of file");
    check("if true\n", "error 2: syntax error: unexpected end of file");
    check("echo \"abc\n\n", "error 1: unexpected EOF while looking for matching `\"'");
    check("echo $(if", "error 2: unexpected EOF while looking for matching `)'");
    check("[[ a b ]]", "error 1: conditional binary operator expected");
}

/* What users of such shells reported of others. */
void test_parse__reserved_words_are_words_in_a_list_of_for(void **state)
{
    (void)state;
    check("for w in do done if then; do echo $w; done", "(for w in do done if then (echo ${w}))");
    check("for do in done; do echo; done", "(for do in done (echo))");
}

void test_parse__quoted_patterns_of_case_stay_quoted(void **state)
{
    (void)state;
    check("case $x in \"*\") a;; '?'b) c;; \\[) d;; \"$y\"*) e;; esac",
          "(case ${x} ('*' (a) ;;) ('?'b (c) ;;) ('[' (d) ;;) (\"${y}\"* (e) ;;))");
}

void test_parse__a_broken_substitution_is_an_error(void **state)
{
    (void)state;
    check("echo $(echo a", "error 2: unexpected EOF while looking for matching `)'");
    check("echo \"$(echo a\"", "error 1: unexpected EOF while looking for matching `\"'");
    check("echo $(if)", "error 1: syntax error near unexpected token `)' | `echo $(if)'");
    check("echo $(a | )", "error 1: syntax error near unexpected token `)' | `echo $(a | )'");
}

void test_parse__quotes_in_a_here_document_of_a_substitution_are_text(void **state)
{
    (void)state;
    check("x=$(cat <<'EOF'\nit's \"one ) quote\nEOF\n)\necho \"$x\"",
          "(x=$(cat <<'it's \"one ) quote\n')) (echo \"${x}\")");
    check("x=\"$(cat <<EOF\nit's $y \"\nEOF\n)\"", "(x=\"$(cat <<'it's '\"${y}\"' \"\n')\")");
}

void test_parse__blanks_in_strings_of_many_lines_stay(void **state)
{
    (void)state;
    check("echo \"a\n    b\n\tc\" '\n  d'", "(echo 'a\n    b\n\tc' '\n  d')");
    check("x=\"\n  {\n    \\\"k\\\": 1\n  }\"", "(x='\n  {\n    \"k\": 1\n  }')");
}

void test_parse__a_cluster_of_options_is_a_plain_word(void **state)
{
    (void)state;
    check("set -euo pipefail", "(set -euo pipefail)");
    check("set -euo pipefail; IFS=$'\\n\\t'", "(list (set -euo pipefail); (IFS='\n\t');)");
}

/* The line of each command, as LINENO has it: bash knows a first word when it has read the second. */
void test_parse__commands_know_their_line(void **state)
{
    static const char script[] = "a \"\n\" b\ncat <<E; c \\\n d\nx\nE\n{\ne\n}\nf=\"\n\"\ng $(\nh)\n";
    static const int lines[] = {2, 3, 4, 8, 11, 13};
    struct test_cx test;
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    size_t n = 0;
    (void)state;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, tc_str_of(script), 1);
    while (tc_sh_parser_next(&test.cx, &parser, true, &node) == TC_SH_PARSED) {
        const struct tc_sh_node *const lone[] = {node->kind == TC_SH_GROUP ? node->body : node};
        const struct tc_sh_node *const *all = node->kind == TC_SH_LIST ? (const void *)node->children : lone;

        for (size_t i = 0; i < (node->kind == TC_SH_LIST ? node->n : 1); i++)
            assert_int_equal(all[i]->line, lines[n++]);
    }
    assert_int_equal(n, sizeof(lines) / sizeof(lines[0]));
    test_cx_finish(&test);
}
