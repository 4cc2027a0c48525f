#include "support/test.h"
#include "tree.h"

struct row {
    const char *name, *text;
};

static bool find(void *arg, struct tc_str name, struct tc_str *ret_text)
{
    for (const struct row *row = arg; row->name; row++)
        if (tc_str_is(name, row->name)) {
            *ret_text = tc_str_of(row->text);
            return true;
        }
    return false;
}

static void check_at(const char *script, const char *tree, int line)
{
    static struct row rows[] = {
        {"ll", "echo x"}, {"e", "echo "}, {"a", "b"}, {"b", "echo B"}, {"n", ""}, {"w", "while"}, {"d", "done"},
        {"i", "if true;"}, {"p", "echo 1 |"}, {"loop", "loop2"}, {"loop2", "loop 1"}, {"self", "self -x"},
        {"q", "echo '"}, {"semi", "x; y"}, {"open", "{ in;"}, {"sudo", "do "}, {"sub", "echo $(ll) `ll`"},
        {"two", "x\ny"}, {NULL, NULL}};
    const struct tc_sh_aliases aliases = {find, rows};
    struct test_cx test;
    struct tc_sh_parser parser;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, tc_str_of(script), 1);
    parser.aliases = &aliases;
    test_assert_str(tree_of_text(&test.cx, &parser, true), tc_str_of(tree), __FILE__, line);
    test_cx_finish(&test);
}
#define check(script, tree) check_at((script), (tree), __LINE__)

void test_parse_alias__stands_in_for_the_first_word(void **state)
{
    (void)state;
    check("ll y", "(echo x y)");
    check("x ll", "(x ll)");
    check("x=1 ll | ll && ! ll", "(chain (pipe (x=1 echo x) (echo x)) && (pipe ! (echo x)))");
    check("(ll); { ll; }; f() { ll; }; $(ll 1)",
          "(list (sub (echo x)); (group (echo x)); (function f (group (echo x))); ($(echo x 1));)");
    check("for ll in ll; do ll; done", "(for ll in ll (echo x))");
    check("case ll in ll) ll;; esac", "(case ll (ll (echo x) ;;))");
    check("n ll", "(echo x)");
    check("sub", "(echo $(echo x) $(echo x))");
}

void test_parse_alias__that_is_quoted_is_none(void **state)
{
    (void)state;
    check("\\ll; 'll'; l\"l\"; ll$x", "(list ('l'l); ('ll'); (l'l'); (ll${x});)");
}

void test_parse_alias__that_ends_in_a_blank_hands_on(void **state)
{
    (void)state;
    check("e ll; e e ll; e x ll", "(list (echo echo x); (echo echo echo x); (echo x ll);)");
}

void test_parse_alias__is_not_expanded_in_itself(void **state)
{
    (void)state;
    check("self y", "(self -x y)");
    check("loop", "(loop 1)");
    check("a z", "(echo B z)");
}

void test_parse_alias__may_be_any_piece_of_grammar(void **state)
{
    (void)state;
    check("w x; do y; d", "(while (x) (y))");
    check("i then y; fi", "(if (true) (y))");
    check("p cat", "(pipe (echo 1) (cat))");
    check("semi z", "(list (x); (y z);)");
    check("q a b'", "(echo ' a b')");
    check("open }", "error 1: syntax error near unexpected token `in' | `{ in;'");
    check("two z\nx", "(list (x); (y z);) (x)");
}
