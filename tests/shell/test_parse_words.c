#include "support/test.h"
#include "tree.h"

/* Scripts and their trees. */
static const struct {
    const char *script, *tree;
} words[] = {
    {"echo ${x:-a b} ${x//\\//_} ${x:1:(2)} ${!x} ${!p@} ${!p*} ${!a[@]} ${!a[*]} ${#a[@]} ${a[$i]} ${x@Q"
     "} \"${x:-\"a b\"}\"",
     "(echo ${x :default <a b>} ${x all-replace <'/'> <_>} ${x slice <'1'> <'(2)'>} ${!x} ${p names @} ${"
     "p names *} ${a[@] keys} ${a[*] keys} ${a[@] length} ${a[${i}]} ${x transform Q} \"${x :default <'a "
     "b'>}\")"},
    {"echo ${#} ${#-} ${##x} ${#x} ${#@} ${#?} ${#:-a} ${#/x/y}",
     "(echo ${#} ${- length} ${# prefix <x>} ${x length} ${@ length} ${? length} ${# :default <a>} ${# re"
     "place <x> <y>})"},
    {"echo ${x-} ${x:=b} ${x:?e} ${x+a} ${x%%/*} ${x##*/} ${x^^} ${x,,[a]} ${x~} ${x/#a/b} ${x/%a} ${x//a"
     "/} ${@:1} ${*:2:3} ${x: -1}",
     "(echo ${x default <>} ${x :assign <b>} ${x :error <e>} ${x alternate <a>} ${x all-suffix </*>} ${x "
     "all-prefix <*/>} ${x all-upper} ${x all-lower <[a]>} ${x toggle} ${x replace-# <a> <b>} ${x replace"
     "-% <a>} ${x all-replace <a> <>} ${@ slice <'1'>} ${* slice <'2'> <'3'>} ${x slice <' -1'>})"},
    {"echo ${x:y?1:2:3} ${x:$(a):${b:-1}} ${-} ${!} ${!#} ${?} ${1} ${10} $10 ${@@A} ${x////-} ${x//[ab\\"
     "/]/\"c/d\"}",
     "(echo ${x slice <'y?1:2'> <'3'>} ${x slice <\"$(a)\"> <\"${b :default <'1'>}\">} ${-} ${!} ${!#} ${"
     "?} ${1} ${10} ${1}0 ${@ transform A} ${x all-replace </> <->} ${x all-replace <[ab'/']> <'c/d'>})"},
    {"echo ${x y} ${x!} ${} ${1x} ${x@z} ${#x-a} ${x:}",
     "(echo ${bad ${x y}} ${bad ${x!}} ${bad ${}} ${bad ${1x}} ${bad ${x@z}} ${bad ${#x-a}} ${bad ${x:}})"},
    {"echo \"$x$1$@$*$#$?$-$$$!\" $ a$ \"$\" $% $.",
     "(echo \"${x}\"\"${1}\"\"${@}\"\"${*}\"\"${#}\"\"${?}\"\"${-}\"\"${$}\"\"${!}\" $ a$ '$' $% $.)"},
    {"echo \"a\\$b\\`c\\\"d\\\\e\\f\" a\\bc 'l\\n'\"\" \"\"",
     "(echo 'a$b`c\"d\\e\\f' a'b'c 'l\\n' '')"},
    {"echo \"${x#'a'}\" \"${x:-'a }'}\" ${x:-'a'} \"${x/'a'/\"b\"}\" \"${x:-a\\}b}\" \"${x:-$'a'}\"",
     "(echo \"${x prefix <'a'>}\" \"${x :default <''a }''>}\" ${x :default <'a'>} \"${x replace <'a'> <'b"
     "'>}\" \"${x :default <'a}b'>}\" \"${x :default <'a'>}\")"},
    {"a[0]=1 b[\"x y\"]=2 c[$i+1]+=3 d=$x e=\"f g\"h i+=j k=~/x",
     "(a[0]=1 b['x y']=2 c[${i}+1]+=3 d=${x} e='f g'h i+=j k=~/x)"},
    {"l=(a [1]=b [\"c\"]+=d $e [f g]=h)",
     "(l=(a [1]=b ['c']+=d ${e} [f g]=h))"},
    {"export a=$b c=\"d e\" f[1]=2 \"g=h\" $i=j",
     "(export @a=${b} @c='d e' @f[1]=2 'g=h' ${i}=j)"},
    {"command export a=$b; builtin local c=d; echo a=$b",
     "(list (command export @a=${b}); (builtin local @c=d); (echo a=${b});)"},
    {"echo {a,b} {1..3} {a} {a,\"b\"} \"{a,b}\" {a.b} a{$x,b} \\{a,b} ~/x x~ *.c a? [a] a\\* \"*\"",
     "(echo {a,b} {1..3} {a} {a,'b'} '{a,b}' {a.b} a{${x},b} '{'a,b} ~/x x~ *.c a? [a] a'*' '*')"},
    {"echo `a \\`b\\` \\$c` \"`a \\\"b\\\"`\" `` $() $(<f)",
     "(echo $(a $(b) ${c}) \"$(a 'b')\" $() $() $( <f))"},
    {"echo $(case x in (a) b;; c) d; esac) $(a # ) '\n"
     ")",
     "(echo $(case x (a (b) ;;) (c (d) ;;)) $(a))"},
    {"echo $(a \"$(b ')' $(c)) # no)\")",
     "(echo $(a \"$(b ')' $(c))\"' # no)'))"},
    {"echo $((1+2)) $(( (1+2)*3 )) $[4+5] \"$((a[\"x\"]))\" $(( '1' )) $((1 + $(a)))",
     "(echo $(('1+2')) $((' (1+2)*3 ')) $(('4+5')) \"$(('a[x]'))\" $((' '1' ')) $(('1 + '\"$(a)\")))"},
    {"echo $((a); (b)) $( (a) ) $((a) | b)",
     "(echo $(list (sub (a)); (sub (b));) $(sub (a)) $(pipe (sub (a)) (b)))"},
    {"cat <(a | b) >(c) x<(d) ${x:-<(e)}",
     "(cat <(pipe (a) (b)) >(c) x<(d) ${x :default <<(e)>})"},
    {"[[ a == b* && ! -f $x || ( c =~ ^(d e)|\"f\"$ && g -nt h ) ]]",
     "([[ (or (and (== a b*)(not (-f ${x})))(and (=~ c ^(d e)|'f'$)(-nt g h))))"},
    {"[[ $a = @(x|y z) ]]; [[ a < b ]]; [[ ! ! a ]]",
     "(list ([[ (= ${a} @(x|y z))); ([[ (< a b)); ([[ (a));)"},
    {"a 2>b 3<<<\"c d\" 12>&1 x2>y {z}>w >&3- &>>f",
     "(a x2 2>b 3<<<'c d' 12>&1 >y {z}>w >&3- &>>f)"},
    {"echo a$'b\\n'\"c\"$\"d $e\"f",
     "(echo a'b\n"
     "''cd '\"${e}\"f)"},
    {"for do in in do done; do echo if; done",
     "(for do in in do done (echo if))"},
    {"case in in in) a;; esac",
     "(case in (in (a) ;;))"},
    {"if (a) then b; fi; { (c) }; while [[ a ]] do b; done",
     "(list (if (sub (a)) (b)); (group (sub (c))); (while ([[ (a)) (b));)"},
    {"function a-b.c/d { :; }; @x() { :; }; a=b c d=e",
     "(list (function a-b.c/d (group (:))); (function @x (group (:))); (a=b c d=e);)"},
    {"a & b | c && d; e || ! f &",
     "(list (a)& (chain (pipe (b) (c)) && (d)); (chain (e) || (pipe ! (f)))&)"},
    {"time; ! ; time -p -- a; ! time b",
     "(list (pipe time); (pipe !); (pipe time-p (a)); (pipe ! time (b));)"},
    {"cat <<A\n"
     "$x ${y:-\"q\"} \\$z \\\\ \\\" \" $(echo \"a\n"
     "b\") `c` \\\n"
     "joined $((1+2)) 'q'\n"
     "A\n"
     "next",
     "(cat <<\"${x}\"' '\"${y :default <'q'>}\"' $z \\ \\\" \" '\"$(echo 'a\n"
     "b')\"' '\"$(c)\"' joined '\"$(('1+2'))\"' 'q'\n"
     "') (next)"},
    {"cat <<\"B C\" <<\\D <<-'E'F <<G$H\n"
     "$x \\$\n"
     "B C\n"
     "$x\n"
     "D\n"
     "\ty\n"
     "\tEF\n"
     "$z\n"
     "G$H",
     "(cat <<'$x \\$\n"
     "' <<'$x\n"
     "' <<'y\n"
     "' <<\"${z}\"'\n"
     "')"},
    {"x=$(cat <<E\n"
     "a \"b ' ) $(echo \")\")\n"
     "E\n"
     ")",
     "(x=$(cat <<'a \"b ' ) '\"$(echo ')')\"'\n"
     "'))"},
    {"cat <<E\n"
     "`echo \"a\"` $(cat <<F\n"
     "inner $x\n"
     "F\n"
     ")\n"
     "E",
     "(cat <<\"$(echo 'a')\"' '\"$(cat <<'inner '\"${x}\"'\n"
     "')\"'\n"
     "')"},
    {"cat <<E | b\n"
     "x\\\n"
     "E\n"
     "y\n"
     "E\n",
     "(pipe (cat <<'xE\n"
     "y\n"
     "') (b))"},
    {"cat <<E\n"
     "x\n"
     "E\\\n",
     "(cat <<'x\n"
     "')"},
    {"f() { cat <<E; }\n"
     "x\n"
     "E\n"
     "f",
     "(function f (group (cat <<'x\n"
     "'))) (f)"},
    {"for x in a; do cat <<E\n"
     "$x\n"
     "E\n"
     "done",
     "(for x in a (cat <<\"${x}\"'\n"
     "'))"},
    {"echo $(cat <<A )\n"
     "x\n"
     "A\n"
     "echo z",
     "(echo $(cat <<'x\n"
     "')) {1: command substitution: 1 unterminated here-document} (echo z)"},
    {"echo $(cat <<A\n"
     "b\n"
     "A)\n"
     "echo z",
     "(echo $(cat <<'b\n"
     "')) {3: here-document at line 1 delimited by end-of-file (wanted `A')} (echo z)"},
    {"if cat <<E; then a; fi\n"
     "x\n"
     "E",
     "(if (cat <<'x\n"
     "') (a))"},
    {"a=(\n"
     "1 # one\n"
     " 2\n"
     "\n"
     "3)",
     "(a=(1 2 3))"},
    {"if a\n"
     "then\n"
     "\n"
     " b\n"
     "fi &&\n"
     "\n"
     " c | \n"
     " # d\n"
     " e",
     "(chain (if (a) (b)) && (pipe (c) (e)))"},
    {"echo a \\\n"
     " b\\\n"
     "c \"d\\\n"
     "e\" 'f\\\n"
     "g'",
     "(echo a bc 'de' 'f\\\n"
     "g')"},
    {"echo \"  two\n"
     "  lines\"   '\n"
     " three'",
     "(echo '  two\n"
     "  lines' '\n"
     " three')"},
    {"wh\\\n"
     "ile a; do b; d\\\n"
     "one",
     "(while (a) (b))"},
    {"[[ -n a &&\n"
     " b ]] && [[ -f x\n"
     "]]",
     "(chain ([[ (and (-n a)(b))) && ([[ (-f x)))"},
    {"case x in\n"
     "\n"
     " a |\\\n"
     " b) c ;;\n"
     " # d\n"
     " *)\n"
     "esac",
     "(case x (a|b (c) ;;) (* ;;))"},
};

void test_parse_words__keep_their_quoting_part_by_part(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        struct test_cx test;
        struct tc_sh_parser parser;

        test_cx_init(&test);
        tc_sh_parser_init(&parser, tc_str_of(words[i].script), 1);
        assert_str(tree_of_text(&test.cx, &parser, true), words[i].tree);
        test_cx_finish(&test);
    }
}

static const struct tc_sh_word *only_word(struct tc_cx *cx, const char *script, size_t which)
{
    struct tc_sh_parser parser;
    struct tc_sh_node *node;

    tc_sh_parser_init(&parser, tc_str_of(script), 1);
    assert_int_equal(tc_sh_parser_next(cx, &parser, true, &node), TC_SH_PARSED);
    assert_true(node->words_n > which);
    return node->words[which];
}

void test_parse_words__that_expand_to_themselves_are_plain(void **state)
{
    static const char *const plain[] = {"a", "a/b.c-d_e", "--x=y", "a,b", "..", "{}", "{a}", "]", "a]b",
                                        "@x", "é"};
    static const char *const not[] = {"'a'", "\"a\"", "a\\b", "*", "a?", "[a]", "~", "a~", "{a,b}", "{1..2}", "$x",
                                      "a$x", "`a`", "a\"\"", "<(a)", "$'a'"};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
        assert_true(only_word(&test.cx, tc_arena_printf(&test.arena, "x %s", plain[i]).p, 1)->plain);
    for (size_t i = 0; i < sizeof(not) / sizeof(not[0]); i++)
        assert_false(only_word(&test.cx, tc_arena_printf(&test.arena, "x %s", not[i]).p, 1)->plain);
    test_cx_finish(&test);
}

void test_parse_words__with_braces_are_marked(void **state)
{
    static const char *const braces[] = {"{a,b}", "x{1..3}y", "{a,\"b\"}", "{$x,y}", "{a,{b", "{a..", "'{'{,"};
    static const char *const not[] = {"{a}", "a,b", "\"{a,b}\"", "\\{a,b}", "{a.b}", "a,{b", "${x:-{a,b}}"};
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    for (size_t i = 0; i < sizeof(braces) / sizeof(braces[0]); i++)
        assert_true(only_word(&test.cx, tc_arena_printf(&test.arena, "x %s", braces[i]).p, 1)->braces);
    for (size_t i = 0; i < sizeof(not) / sizeof(not[0]); i++)
        assert_false(only_word(&test.cx, tc_arena_printf(&test.arena, "x %s", not[i]).p, 1)->braces);
    test_cx_finish(&test);
}

void test_parse_words__keep_their_source(void **state)
{
    static const char script[] = "x a\\ 'b c'\"$d ${e:-\"f\"}\"$(g  h) 2>i";
    const struct tc_sh_word *word;
    struct test_cx test;
    (void)state;

    test_cx_init(&test);
    word = only_word(&test.cx, script, 1);
    assert_str(word->source, "a\\ 'b c'\"$d ${e:-\"f\"}\"$(g  h)");
    assert_str(word->parts[word->n - 1].source, "$(g  h)");
    test_cx_finish(&test);
}

/* Extended patterns are one word when they are on; in [[ ]] they always are. */
void test_parse_words__extended_patterns_hold_blanks(void **state)
{
    struct test_cx test;
    struct tc_sh_parser parser;
    (void)state;

    test_cx_init(&test);
    tc_sh_parser_init(&parser, TC_STR("a @(b|c d) !(e)f +(g$(h) \"i j\")"), 1);
    parser.extglob = true;
    assert_str(tree_of_text(&test.cx, &parser, true), "(a @(b|c d) !(e)f +(g$(h) 'i j'))");
    tc_sh_parser_init(&parser, TC_STR("a @(b)"), 1);
    assert_str(tree_of_text(&test.cx, &parser, true), "error 1: syntax error near unexpected token `(' | `a @(b)'");
    test_cx_finish(&test);
}
