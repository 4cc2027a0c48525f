#include "support/test.h"
#include "tree.h"

/* Scripts, and the messages of bash 5.2 with the line that it shows. */
static const struct {
    const char *script, *error;
} faults[] = {
    {"fi",
     "error 1: syntax error near unexpected token `fi' | `fi'"},
    {"echo a\n( b\nc",
     "error 4: syntax error: unexpected end of file"},
    {"echo (b",
     "error 1: syntax error near unexpected token `b' | `echo (b'"},
    {"a && && b",
     "error 1: syntax error near unexpected token `&&' | `a && && b'"},
    {"a; ; b",
     "error 1: syntax error near unexpected token `;' | `a; ; b'"},
    {"a | | b",
     "error 1: syntax error near unexpected token `|' | `a | | b'"},
    {"&& a",
     "error 1: syntax error near unexpected token `&&' | `&& a'"},
    {"a &&",
     "error 2: syntax error: unexpected end of file"},
    {"| a",
     "error 1: syntax error near unexpected token `|' | `| a'"},
    {";;",
     "error 1: syntax error near unexpected token `;;' | `;;'"},
    {"for",
     "error 1: syntax error near unexpected token `newline' | `for'"},
    {"for x",
     "error 2: syntax error: unexpected end of file"},
    {"for x in",
     "error 2: syntax error: unexpected end of file"},
    {"for x in a; echo",
     "error 1: syntax error near unexpected token `echo' | `for x in a; echo'"},
    {"for 2>f",
     "error 1: syntax error near unexpected token `2' | `for 2>f'"},
    {"for x do",
     "error 2: syntax error: unexpected end of file"},
    {"while; do a; done",
     "error 1: syntax error near unexpected token `;' | `while; do a; done'"},
    {"while a; done",
     "error 1: syntax error near unexpected token `done' | `while a; done'"},
    {"while a; do done",
     "error 1: syntax error near unexpected token `done' | `while a; do done'"},
    {"if a; then fi",
     "error 1: syntax error near unexpected token `fi' | `if a; then fi'"},
    {"if a; fi",
     "error 1: syntax error near unexpected token `fi' | `if a; fi'"},
    {"if a; then b; else fi",
     "error 1: syntax error near unexpected token `fi' | `if a; then b; else fi'"},
    {"if a; then b; elif c; fi",
     "error 1: syntax error near unexpected token `fi' | `if a; then b; elif c; fi'"},
    {"case",
     "error 1: syntax error near unexpected token `newline' | `case'"},
    {"case x",
     "error 2: syntax error: unexpected end of file"},
    {"case x in a",
     "error 1: syntax error near unexpected token `newline' | `case x in a'"},
    {"case x in a) b",
     "error 2: syntax error: unexpected end of file"},
    {"case x in a b) c;; esac",
     "error 1: syntax error near unexpected token `b' | `case x in a b) c;; esac'"},
    {"case x in ) c;; esac",
     "error 1: syntax error near unexpected token `)' | `case x in ) c;; esac'"},
    {"case x in a|) c;; esac",
     "error 1: syntax error near unexpected token `)' | `case x in a|) c;; esac'"},
    {"{ }",
     "error 1: syntax error near unexpected token `}' | `{ }'"},
    {"{ a }",
     "error 2: syntax error: unexpected end of file"},
    {"{a; }",
     "error 1: syntax error near unexpected token `}' | `{a; }'"},
    {"( )",
     "error 1: syntax error near unexpected token `)' | `( )'"},
    {"(a",
     "error 2: syntax error: unexpected end of file"},
    {"a)",
     "error 1: syntax error near unexpected token `)' | `a)'"},
    {"a }; }",
     "error 1: syntax error near unexpected token `}' | `a }; }'"},
    {"f() a",
     "error 1: syntax error near unexpected token `a' | `f() a'"},
    {"f(a) { b; }",
     "error 1: syntax error near unexpected token `a' | `f(a) { b; }'"},
    {"function",
     "error 1: syntax error near unexpected token `newline' | `function'"},
    {"function f",
     "error 2: syntax error: unexpected end of file"},
    {"function f g",
     "error 1: syntax error near unexpected token `g' | `function f g'"},
    {"x() { a",
     "error 2: syntax error: unexpected end of file"},
    {"[[ a b ]]",
     "error 1: conditional binary operator expected"},
    {"[[ -f ]]",
     "error 1: unexpected argument `]]' to conditional unary operator"},
    {"[[ a == ]]",
     "error 1: unexpected argument `]]' to conditional binary operator"},
    {"[[ a == b c ]]",
     "error 1: syntax error in conditional expression"},
    {"[[ a =~ b c ]]",
     "error 1: syntax error in conditional expression"},
    {"[[ ( a ]]",
     "error 1: unexpected token `]]', expected `)'"},
    {"[[ a ) ]]",
     "error 1: syntax error in conditional expression: unexpected token `)'"},
    {"[[ ( ) ]]",
     "error 1: unexpected token `)' in conditional command | expected `)'"},
    {"[[ ; ]]",
     "error 1: unexpected token `;' in conditional command"},
    {"[[ a ; ]]",
     "error 1: unexpected token `;', conditional binary operator expected"},
    {"[[ a &&",
     "error 2: unexpected token `EOF' in conditional command"},
    {"[[ a\n&& b ]]",
     "error 1: unexpected token `newline', conditional binary operator expected"},
    {"[[ a == (b) ]]",
     "error 1: unexpected argument `(' to conditional binary operator"},
    {"((1",
     "error 1: unexpected EOF while looking for matching `)'"},
    {"echo $((1",
     "error 1: unexpected EOF while looking for matching `)'"},
    {"echo $((1)",
     "error 1: unexpected EOF while looking for matching `)'"},
    {"for ((i=0;i<3)); do a; done",
     "error 1: syntax error: arithmetic expression required | syntax error: `((i=0;i<3))'"},
    {"for ((;;;)); do a; done",
     "error 1: syntax error: `;' unexpected | syntax error: `((;;;))'"},
    {"echo \"abc",
     "error 1: unexpected EOF while looking for matching `\"'"},
    {"echo 'abc",
     "error 1: unexpected EOF while looking for matching `''"},
    {"echo `a",
     "error 1: unexpected EOF while looking for matching ``'"},
    {"echo $(a",
     "error 2: unexpected EOF while looking for matching `)'"},
    {"echo ${a",
     "error 1: unexpected EOF while looking for matching `}'"},
    {"echo $'a",
     "error 1: unexpected EOF while looking for matching `''"},
    {"echo \"$(a\"",
     "error 1: unexpected EOF while looking for matching `\"'"},
    {"echo \"${a\"",
     "error 1: unexpected EOF while looking for matching `\"'"},
    {"a=(1 2",
     "error 1: unexpected EOF while looking for matching `)'"},
    {"a=(1 & 2)",
     "error 1: syntax error near unexpected token `&' | `a=(1 & 2)'"},
    {"a=(1 (2))",
     "error 1: syntax error near unexpected token `(' | `a=(1 (2))'"},
    {"x[1",
     "error 1: unexpected EOF while looking for matching `]'"},
    {"a >",
     "error 1: syntax error near unexpected token `newline' | `a >'"},
    {"a > > b",
     "error 1: syntax error near unexpected token `>' | `a > > b'"},
    {"a <<",
     "error 1: syntax error near unexpected token `newline' | `a <<'"},
    {"a 2>",
     "error 1: syntax error near unexpected token `newline' | `a 2>'"},
    {"echo a >&",
     "error 1: syntax error near unexpected token `newline' | `echo a >&'"},
    {"! ! a | ! b",
     "error 1: syntax error near unexpected token `!' | `! ! a | ! b'"},
    {"in",
     "error 1: syntax error near unexpected token `in' | `in'"},
    {"do a",
     "error 1: syntax error near unexpected token `do' | `do a'"},
    {"then",
     "error 1: syntax error near unexpected token `then' | `then'"},
    {"done",
     "error 1: syntax error near unexpected token `done' | `done'"},
    {"esac",
     "error 1: syntax error near unexpected token `esac' | `esac'"},
    {"a=1 f() { :; }",
     "error 1: syntax error near unexpected token `(' | `a=1 f() { :; }'"},
    {"a b() { :; }",
     "error 1: syntax error near unexpected token `(' | `a b() { :; }'"},
    {"echo $(if)",
     "error 1: syntax error near unexpected token `)' | `echo $(if)'"},
    {"echo $(fi)",
     "error 1: syntax error near unexpected token `fi' | `echo $(fi)'"},
    {"echo $(a;;)",
     "error 1: syntax error near unexpected token `;;' | `echo $(a;;)'"},
    {"echo \"a\n$(b\n",
     "error 3: unexpected EOF while looking for matching `)'"},
    {"cat <(a",
     "error 2: unexpected EOF while looking for matching `)'"},
    {"cat <(a;",
     "error 2: unexpected EOF while looking for matching `)'"},
    {"if a\nthen b\n",
     "error 3: syntax error: unexpected end of file"},
    {"select x in a; b",
     "error 1: syntax error near unexpected token `b' | `select x in a; b'"},
    {"until a; do b",
     "error 2: syntax error: unexpected end of file"},
    {"time | a",
     "error 1: syntax error near unexpected token `|' | `time | a'"},
    {"echo a\nfor x in a; do\nb\nfi",
     "error 4: syntax error near unexpected token `fi' | `fi'"},
    {"f() { if a; then b; }",
     "error 1: syntax error near unexpected token `}' | `f() { if a; then b; }'"},
    {"while a; do b; fi",
     "error 1: syntax error near unexpected token `fi' | `while a; do b; fi'"},
    {"echo ${x:-\"a}",
     "error 1: unexpected EOF while looking for matching `\"'"},
    {"[[ a -lt ]]",
     "error 1: unexpected argument `]]' to conditional binary operator"},
    {"command x=(1)",
     "error 1: syntax error near unexpected token `(' | `command x=(1)'"},
    {"builtin declare x=(1)",
     "error 1: syntax error near unexpected token `(' | `builtin declare x=(1)'"},
    {"a=b c=(1) d e=(2)",
     "error 1: syntax error near unexpected token `(' | `a=b c=(1) d e=(2)'"},
};

void test_parse_errors__are_told_in_the_words_of_bash(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct test_cx test;
        struct tc_sh_parser parser;
        struct tc_str told;
        size_t at;

        test_cx_init(&test);
        tc_sh_parser_init(&parser, tc_str_of(faults[i].script), 1);
        told = tree_of_text(&test.cx, &parser, true);
        at = tc_str_find(told, TC_STR("error "));
        assert_str(tc_str_from(told, at), faults[i].error);
        test_cx_finish(&test);
    }
}

/* Each beginning of a script that ends inside of a command wants more, and says nothing. */
void test_parse_errors__a_beginning_wants_more(void **state)
{
    static const char *const beginnings[] = {
        "if", "if a", "if a\n", "if a; then b\n", "for x", "for x in a b", "while a; do", "case x in", "case x in a)",
        "{ a", "(a", "f()", "f() {", "a &&", "a |", "a ||\n", "[[ a &&", "((1", "a=(1\n2", "echo \"a", "echo 'a\n",
        "echo $(a", "echo `a", "echo ${a", "echo ${a:-\"b", "echo $'a", "cat <<E\n", "cat <<E\nx\n", "a $(cat <<E\nx\n",
        "cat <<E", "x[1", "select x in a\ndo", "! {", "time {", "function f {"};

    (void)state;
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
        struct test_cx test;
        struct tc_sh_parser parser;
        struct tc_sh_node *node;

        test_cx_init(&test);
        tc_sh_parser_init(&parser, tc_str_of(beginnings[i]), 1);
        assert_int_equal(tc_sh_parser_next(&test.cx, &parser, false, &node), TC_SH_PARSED_MORE);
        assert_int_equal(parser.at, 0);
        tc_sh_parser_init(&parser, tc_str_of(beginnings[i]), 1);
        assert_int_not_equal(tc_sh_parser_next(&test.cx, &parser, true, &node), TC_SH_PARSED_MORE);
        test_cx_finish(&test);
    }
}

void test_parse_errors__what_is_wrong_already_wants_no_more(void **state)
{
    static const char *const scripts[] = {"fi", "a && &&", "echo (b", "if ; ", "[[ a b ]]", "for x in a; do )"};

    (void)state;
    for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
        struct test_cx test;
        struct tc_sh_parser parser;
        struct tc_sh_node *node;

        test_cx_init(&test);
        tc_sh_parser_init(&parser, tc_str_of(scripts[i]), 1);
        assert_int_equal(tc_sh_parser_next(&test.cx, &parser, false, &node), TC_SH_PARSED_ERROR);
        test_cx_finish(&test);
    }
}

/* Where bash does something that nobody can mean. */
void test_parse_errors__what_would_be_a_surprise_is_refused(void **state)
{
    struct test_cx test;
    struct tc_sh_parser parser;
    (void)state;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, TC_STR("a=(1 2)x"), 1);
    assert_str(tree_of_text(&test.cx, &parser, true), "error 1: syntax error near unexpected token `x' | `a=(1 2)x'");
    tc_sh_parser_init(&parser, TC_STR("[[ ]]"), 1);
    assert_str(tree_of_text(&test.cx, &parser, true), "error 1: unexpected token `]]' in conditional command");
    tc_sh_parser_init(&parser, TC_STR("coproc a"), 1);
    assert_str(tree_of_text(&test.cx, &parser, true), "error 1: coproc: coprocesses are not supported");
    test_cx_finish(&test);
}

void test_parse_errors__lines_before_the_fault_are_parsed(void **state)
{
    struct test_cx test;
    struct tc_sh_parser parser;
    (void)state;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, TC_STR("a\nb\n\n;; c\nd"), 10);
    assert_str(tree_of_text(&test.cx, &parser, true),
               "(a) (b) error 13: syntax error near unexpected token `;;' | `;; c'");
    test_cx_finish(&test);
}
