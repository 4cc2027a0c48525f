#include "support/test.h"
#include "shell/parser.h"

/* What bash 5.2 prints with declare -f. */
static const struct {
    const char *name, *script, *printed;
} functions[] = {
    {"lists",
     "f() { echo a; echo b & c && d || e; ! x; time -p y | z; time { a; }; a & b & }",
     "f () \n"
     "{ \n"
     "    echo a;\n"
     "    echo b & c && d || e;\n"
     "    ! x;\n"
     "    time -p y | z;\n"
     "    time { \n"
     "        a\n"
     "    };\n"
     "    a & b &\n"
     "}"},
    {"subshell_body",
     "f() ( a; b ) >out 2>&1",
     "f () \n"
     "{ \n"
     "    ( a;\n"
     "    b ) > out 2>&1\n"
     "}"},
    {"branches",
     "f() { if a; then b; elif c; then d; else e; fi; if a & then b & fi; }",
     "f () \n"
     "{ \n"
     "    if a; then\n"
     "        b;\n"
     "    else\n"
     "        if c; then\n"
     "            d;\n"
     "        else\n"
     "            e;\n"
     "        fi;\n"
     "    fi;\n"
     "    if a & then\n"
     "        b &\n"
     "    fi\n"
     "}"},
    {"loops",
     "f() { while x; do y; done >z; until x; do y; done; for i in a \"b c\"; do d; done; for i; "
     "do d; done; for ((i=0; i<3; i++)); do x; done; for ((;;)) { a; }; select z in a b; do c; d"
     "one; }",
     "f () \n"
     "{ \n"
     "    while x; do\n"
     "        y;\n"
     "    done > z;\n"
     "    until x; do\n"
     "        y;\n"
     "    done;\n"
     "    for i in a \"b c\";\n"
     "    do\n"
     "        d;\n"
     "    done;\n"
     "    for i in \"$@\";\n"
     "    do\n"
     "        d;\n"
     "    done;\n"
     "    for ((i=0; i<3; i++))\n"
     "    do\n"
     "        x;\n"
     "    done;\n"
     "    for ((1; 1; 1))\n"
     "    do\n"
     "        a;\n"
     "    done;\n"
     "    select z in a b;\n"
     "    do\n"
     "        c;\n"
     "    done\n"
     "}"},
    {"cases",
     "f() { case $x in a|b) c;; \"d\") ;& (e) f; g ;;& *) ;; esac; case x in esac >f; }",
     "f () \n"
     "{ \n"
     "    case $x in \n"
     "        a | b)\n"
     "            c\n"
     "        ;;\n"
     "        \"d\")\n"
     "\n"
     "        ;&\n"
     "        e)\n"
     "            f;\n"
     "            g\n"
     "        ;;&\n"
     "        *)\n"
     "\n"
     "        ;;\n"
     "    esac;\n"
     "    case x in \n"
     "    esac > f\n"
     "}"},
    {"redirections",
     "f() { x=1 y[2]+=3 a=(1   2 [3]=4 ) cmd >f 2>>g <h <<<i 3>&1 4<&- >&- &>j >|k <>l {fd}>m |&"
     " n; >&2; >&$x; >&f; 3>&4-; >a; }",
     "f () \n"
     "{ \n"
     "    x=1 y[2]+=3 a=(1 2 [3]=4) cmd > f 2>> g < h <<< i 3>&1 4>&- 1>&- &> j >| k 0<> l {fd}>"
     " m 2>&1 | n;\n"
     "    1>&2;\n"
     "    >&$x;\n"
     "    >&f;\n"
     "    3>&4-;\n"
     "    > a\n"
     "}"},
    {"here_documents",
     "f() { cat <<E && echo x; cat <<-'F' | wc\n"
     "a $x\n"
     "E\n"
     "\tb\n"
     "\tF\n"
     "cat <<E\n"
     "z\n"
     "E\n"
     "}",
     "f () \n"
     "{ \n"
     "    cat <<E && \n"
     "a $x\n"
     "E\n"
     " echo x\n"
     "    cat <<-'F' |\n"
     "b\n"
     "F\n"
     "  wc\n"
     "    cat <<E\n"
     "z\n"
     "E\n"
     "\n"
     "}"},
    {"conditions",
     "f() { ((i++)); [[ -f x && ! $y == \"z\" || ( a =~ b|c ) ]]; [[ x ]]; [[ ! ! a < b ]]; }",
     "f () \n"
     "{ \n"
     "    ((i++));\n"
     "    [[ -f x && ! $y == \"z\" || ( a =~ b|c ) ]];\n"
     "    [[ -n x ]];\n"
     "    [[ a < b ]]\n"
     "}"},
    {"words",
     "f() { echo $(  a;b ) \"$(c   d)\" `e   f` <( g;h ) ${x:-$( y;z )} $'a\\n' $\"b\" 'c' a\\\n"
     "b $( (a) ) $(<f) $(a\n"
     "b) $(if a; then b; fi); }",
     "f () \n"
     "{ \n"
     "    echo $(a; b) \"$(c d)\" `e   f` <(g; h) ${x:-$(y; z)} 'a\n"
     "' \"b\" 'c' ab $( ( a )) $(< f) $(a\n"
     "b) $(if a; then\n"
     "    b;\n"
     "fi)\n"
     "}"},
    {"nested",
     "f() { o() { p; } >t; function q ( r; ); { { a; }; }; ( b ) <x; }",
     "f () \n"
     "{ \n"
     "    function o () \n"
     "    { \n"
     "        p\n"
     "    } > t;\n"
     "    function q () \n"
     "    { \n"
     "        ( r )\n"
     "    };\n"
     "    { \n"
     "        { \n"
     "            a\n"
     "        }\n"
     "    };\n"
     "    ( b ) < x\n"
     "}"},
    {"bare_body",
     "f() if a; then b; fi",
     "f () \n"
     "{ \n"
     "    if a; then\n"
     "        b;\n"
     "    fi\n"
     "}"},
    {"outer_redirection",
     "f() { a; } <in",
     "f () \n"
     "{ \n"
     "    a\n"
     "} < in"},
};

static struct tc_str print(struct tc_cx *cx, struct tc_str script)
{
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    struct tc_buf buf;
    struct tc_str printed;

    tc_sh_parser_init(&parser, script, 1);
    assert_int_equal(tc_sh_parser_next(cx, &parser, true, &node), TC_SH_PARSED);
    assert_int_equal(node->kind, TC_SH_FUNCTION);
    tc_buf_init(&buf, 1 << 20);
    tc_sh_print_function(&buf, node->name, node->body);
    printed = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return printed;
}

void test_print__functions_are_printed_as_bash_does(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        assert_str(print(&test.cx, tc_str_of(functions[i].script)), functions[i].printed);
    test_cx_finish(&test);
}

void test_print__what_was_printed_prints_the_same(void **state)
{
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        assert_str(print(&test.cx, tc_str_of(functions[i].printed)), functions[i].printed);
    test_cx_finish(&test);
}

void test_print__a_command_stands_in_one_line(void **state)
{
    struct test_cx test;
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    struct tc_buf buf;
    (void)state;

    test_cx_init(&test);
    tc_buf_init(&buf, 1 << 20);
    tc_sh_parser_init(&parser, TC_STR("{ a   b; (c;d) >e; } | f"), 1);
    assert_int_equal(tc_sh_parser_next(&test.cx, &parser, true, &node), TC_SH_PARSED);
    tc_sh_print_command(&buf, node);
    assert_str(tc_buf_get(&buf), "{ a b; ( c; d ) > e; } | f");
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}
