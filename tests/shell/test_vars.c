#include "base/mem.h"
#include "shell/vars.h"
#include "support/shell.h"

#include <stdio.h>

void test_vars__indexed_arrays_are_sparse(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "a=(1 2 3); a+=(4 5); a[10]=x; p \"${!a[@]}\" ${#a[@]} ${a[-1]} \"${#a[10]}\"; unse"
         "t 'a[1]'; p \"${a[@]}\"; a[-1]=y; p \"${a[10]}\"; a=(); p \"${#a[@]}\"",
         "9:<0><1><2><3><4><10><6><x><1>\n5:<1><3><4><5><x>\n1:<y>\n1:<0>\n", "", 0},
        {"a=([5]=x y [2]=z w); declare -p a; a[0]+=A; a[2]+=B; declare -p a; s=str; s[3]=z; declare -p "
         "s; s+=(k); declare -p s; x=(a b); x=new; declare -p x; i=1; x=([0]=a [1+1]=b [$i]=c); declare "
         "-p x",
         "declare -a a=([2]=\"z\" [3]=\"w\" [5]=\"x\" [6]=\"y\")\ndeclare -a a=([0]=\"A\" [2]=\"zB\" [3]="
         "\"w\" [5]=\"x\" [6]=\"y\")\ndeclare -a s=([0]=\"str\" [3]=\"z\")\ndeclare -a s=([0]=\"str\" [3]"
         "=\"z\" [4]=\"k\")\ndeclare -a x=([0]=\"new\" [1]=\"b\")\ndeclare -a x=([0]=\"a\" [1]=\"c\" [2]="
         "\"b\")\n", "", 0},
        {TEST_SHELL_P "a=(1 2 3); a=(\"${a[@]:1}\" \"${a[0]}\"); p \"${a[@]}\"; a=(\"${a[@]}\" more); p "
         "\"${a[@]}\"; i=1; p \"${a[i]}\" \"${a[i+1]}\" \"${a[${#a[@]}-1]}\"; a[i++]=n; p $i \"${a[@]}\";"
         " for ((k=9;k>=0;k--)); do d[k*3]=$k; done; p \"${d[@]}\"; p \"${!d[@]}\"",
         "3:<2><3><1>\n4:<2><3><1><more>\n3:<3><1><more>\n5:<2><2><n><1><more>\n10:<0><1><2><3><4><5><6><"
         "7><8><9>\n10:<0><3><6><9><12><15><18><21><24><27>\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_vars__associative_arrays_print_in_the_order_of_bash(void **state)
{
    static const struct test_shell_row rows[] = {
        {"declare -A m=([apple]=1 [banana]=2 [cherry]=3 [date]=4 [elderberry]=5 [fig]=6 [grape]=7 [\303\251"
         "]=8 ['a b']=9); echo \"${!m[@]}\"; echo \"${m[@]}\"; declare -p m; unset 'm[date]'; m[date]=x;"
         " echo \"${!m[@]}\"; m=([x]=1 [y]=2); m+=([z]=3 [x]=4); declare -p m; m=(p q r s); declare -p "
         "m",
         "cherry grape elderberry apple fig a b date banana \303\251\n3 7 5 1 6 9 4 2 8\ndeclare -A m=([c"
         "herry]=\"3\" [grape]=\"7\" [elderberry]=\"5\" [apple]=\"1\" [fig]=\"6\" [\"a b\"]=\"9\" [date]="
         "\"4\" [banana]=\"2\" [\303\251]=\"8\" )\ncherry grape elderberry apple fig a b date banana \303"
         "\251\ndeclare -A m=([z]=\"3\" [y]=\"2\" [x]=\"4\" )\ndeclare -A m=([r]=\"s\" [p]=\"q\" )\n", "", 0},
        {"declare -A m; for ((i=0;i<5000;i++)); do m[k$i]=$i; done; s=0; n=0; for k in \"${!m[@]}\"; do "
         "s=$(( (s*31+m[$k]+1)%1000003 )); n=$((n+1)); ((n<9)) && echo -n \"$k \"; done; echo $s; for ((i"
         "=0;i<5000;i+=3)); do unset \"m[k$i]\"; done; for ((i=0;i<9000;i++)); do m[n$i]=$i; done; s=0;"
         " for k in \"${!m[@]}\"; do s=$(( (s*31+m[$k]+1)%1000003 )); done; echo $s ${#m[@]}",
         "k1698 k1699 k1696 k1697 k1694 k1695 k1692 k1693 142187\n996573 12333\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_vars__counting_words_in_an_associative_array(void **state)
{
    static const struct test_shell_row rows[] = {
        {"declare -A c; for w in a b a c b a; do c[$w]=$(( ${c[$w]:-0}+1 )); done; declare -p c; for w "
         "in a x; do ((c[$w]++)); done; declare -p c; ((c[\"q r\"]+=5)); k='a b'; ((c[$k]=7)); declare "
         "-p c; k=\"it's\"; ((c[$k]++)); echo \"${c[\"it's\"]}\"",
         "declare -A c=([c]=\"1\" [b]=\"2\" [a]=\"3\" )\ndeclare -A c=([x]=\"1\" [c]=\"1\" [b]=\"2\" [a]="
         "\"4\" )\ndeclare -A c=([x]=\"1\" [c]=\"1\" [b]=\"2\" [a]=\"4\" [\"a b\"]=\"7\" [\"q r\"]=\"5\" "
         ")\n1\n", "", 0},
        {"declare -A c; while read -r w; do c[$w]=$(( ${c[$w]:-0} + 1 )); done <<< $'x\\ny\\nx'; for k "
         "in x y; do echo $k ${c[$k]}; done",
         "x 2\ny 1\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_vars__attributes_change_what_is_assigned(void **state)
{
    static const struct test_shell_row rows[] = {
        {TEST_SHELL_P "declare -i n=5; n+=3; p $n; n=2*3+1; p $n; n+=n; p $n; n=x; p $n; declare -ai a=(1"
         "+1 2*2); a[1]+=5; a+=(7/2); declare -p a",
         "1:<8>\n1:<7>\n1:<14>\n1:<0>\ndeclare -ai a=([0]=\"2\" [1]=\"9\" [2]=\"3\")\n", "", 0},
        {TEST_SHELL_P "declare -u up=abc; p $up; up=x\303\251z; p $up; declare -l lo=ABC; lo+=DEF; p $lo;"
         " declare -c ca='hELLO wORLD'; p \"$ca\"; declare -u a=(x y); p \"${a[@]}\"; x=abc; x+=def; p "
         "$x",
         "1:<ABC>\n1:<X\303\211Z>\n1:<abcdef>\n1:<Hello world>\n2:<X><Y>\n1:<abcdef>\n", "", 0},
        {"readonly a=(1 2); a[0]=3; echo no\necho \"${a[@]}\"; unset a; echo $?",
         "1 2\n1\n",
         "bash: line 1: a: readonly variable\nbash: line 2: unset: a: cannot unset: readonly variable\n", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_vars__functions_have_scopes_of_their_own(void **state)
{
    static const struct test_shell_row rows[] = {
        {"x=global; f() { local x=local; g; echo $x; }; g() { echo $x; x=changed; }; f; echo $x; h() { "
         "local x; echo ${x-unset}; x=1; unset x; echo ${x-unset}; x=2; }; h; echo $x; k() { declare -g "
         "x=new; }; k; echo $x; f2() { local -a a=(1 2); a+=(3); echo ${a[@]}; }; f2; echo ${a-none}",
         "local\nchanged\nglobal\nunset\nunset\nglobal\nnew\n1 2 3\nnone\n", "", 0},
        {"x=1; f() { local x=2; (x=3; echo $x); echo $x; unset x; echo ${x-none}; }; f; echo $x; a=(1 2);"
         " (a+=(3); echo ${#a[@]}); echo ${#a[@]}; f3() { local IFS=,; echo \"$*\"; }; f3 a b; echo \"${I"
         "FS@Q}\"",
         "3\n2\nnone\n1\n3\n2\na,b\n$' \\t\\n'\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

void test_vars__what_the_shell_makes_itself(void **state)
{
    static const struct test_shell_row rows[] = {
        {"RANDOM=42; echo $RANDOM $RANDOM $RANDOM; RANDOM=0; echo $RANDOM $RANDOM; RANDOM=-1; echo $RANDO"
         "M; unset RANDOM; echo \"[$RANDOM]\"; RANDOM=5; echo $RANDOM",
         "17772 26794 1435\n20814 24386\n16807\n[]\n5\n", "", 0},
        {"SECONDS=10; echo $SECONDS; echo $BASH_VERSION ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]} $OSTYPE;"
         " false | true | (exit 3); echo ${PIPESTATUS[@]}; f() { echo $FUNCNAME ${#FUNCNAME[@]}; }; f; "
         "echo \"[$FUNCNAME]\"; (echo $BASH_SUBSHELL); echo $BASH_SUBSHELL",
         "10\n5.2.15(1)-release 5.2 linux-gnu\n1 0 3\nf 1\n[]\n1\n0\n", "", 0},
        {"echo a b; echo $_; echo $LINENO\necho $LINENO; echo $SHELLOPTS; [[ $EPOCHSECONDS -gt 1000000 "
         "&& $EPOCHREALTIME == *.?\?\?\?\?\? && $SRANDOM -ge 0 ]] && echo ok; set -eu; echo $-",
         "a b\nb\n1\n2\nbraceexpand:hashall:interactive-comments\nok\nehuBc\n", "", 0},
    };

    (void)state;
    TEST_SHELL_ROWS(rows);
}

static struct tc_str value_of(struct tc_sh_vars *vars, const char *name)
{
    struct tc_str value;

    return tc_sh_vars_get(vars, tc_str_of(name), &value) ? value : TC_STR("(unset)");
}

void test_vars__a_fork_shares_until_one_side_writes(void **state)
{
    struct tc_sh_vars *vars = tc_sh_vars_create(0, 0), *fork;

    (void)state;
    tc_sh_vars_set(vars, TC_STR("x"), TC_STR("1"));
    tc_sh_vars_set_at(vars, TC_STR("a"), 0, TC_STR("one"));
    tc_sh_vars_set_key(vars, TC_STR("m"), TC_STR("k"), TC_STR("v"));
    fork = tc_sh_vars_fork(vars);
    tc_sh_vars_append(fork, TC_STR("x"), TC_STR("2"));
    tc_sh_vars_set_at(fork, TC_STR("a"), 1, TC_STR("two"));
    tc_sh_vars_set_key(fork, TC_STR("m"), TC_STR("k"), TC_STR("w"));
    tc_sh_vars_unset(vars, TC_STR("x"));
    assert_str(value_of(vars, "x"), "(unset)");
    assert_str(value_of(fork, "x"), "12");
    assert_int_equal(tc_sh_vars_count(vars, TC_STR("a")), 1);
    assert_int_equal(tc_sh_vars_count(fork, TC_STR("a")), 2);
    tc_sh_vars_destroy(vars);
    assert_int_equal(tc_sh_vars_end(fork, TC_STR("a")), 2);
    tc_sh_vars_destroy(fork);
}

void test_vars__limits_are_of_elements_and_bytes(void **state)
{
    struct tc_sh_vars *vars = tc_sh_vars_create(200, 1000);
    char text[1200];
    int64_t n = 0;

    (void)state;
    memset(text, 'x', sizeof text);
    assert_int_equal(tc_sh_vars_set(vars, TC_STR("s"), tc_str_n(text, sizeof text)), TC_SH_SET_LIMIT);
    assert_str(value_of(vars, "s"), "(unset)");
    assert_int_equal(tc_sh_vars_set(vars, TC_STR("s"), tc_str_n(text, 300)), TC_SH_SET_OK);
    assert_int_equal(tc_sh_vars_set(vars, TC_STR("s"), TC_STR("")), TC_SH_SET_OK);
    while (tc_sh_vars_set_at(vars, TC_STR("a"), n, TC_STR("")) == TC_SH_SET_OK)
        n++;
    assert_in_range(n, 100, 200);
    assert_int_equal(tc_sh_vars_unset(vars, TC_STR("a")), TC_SH_SET_OK);
    assert_int_equal(tc_sh_vars_set_at(vars, TC_STR("b"), 5, TC_STR("")), TC_SH_SET_OK);
    tc_sh_vars_destroy(vars);
}

/* Some of everything; whatever is refused, what is there can be read and freed. */
static void use(struct tc_sh_vars *vars)
{
    struct tc_sh_vars *fork;
    char name[16];

    for (int i = 0; i < 150; i++) {
        struct tc_str key = tc_str_n(name, (size_t)snprintf(name, sizeof name, "key%d", i));
        tc_sh_vars_set(vars, key, key);
        tc_sh_vars_set_at(vars, TC_STR("a"), i * 7 % 50, key);
        tc_sh_vars_set_key(vars, TC_STR("m"), key, TC_STR("some text that needs room of its own"));
    }
    fork = tc_sh_vars_fork(vars);
    tc_sh_vars_push(vars);
    tc_sh_vars_local(vars, TC_STR("key1"), true);
    tc_sh_vars_append(vars, TC_STR("key1"), TC_STR(", and more than there is room for"));
    tc_sh_vars_unset_at(vars, TC_STR("a"), 3);
    tc_sh_vars_unset_key(vars, TC_STR("m"), TC_STR("key9"));
    tc_sh_vars_clear(vars, TC_STR("m"), TC_SH_VAR_ASSOC);
    tc_sh_vars_pop(vars);
    tc_sh_vars_destroy(fork);
}

void test_vars__without_memory_nothing_is_half_done(void **state)
{
    (void)state;
    if (!tc_mem_fail_at(0, false))
        skip();
    for (size_t nth = 1; nth < 2000; nth += nth < 300 ? 1 : 13) {
        struct tc_sh_vars *vars;
        tc_mem_fail_at(nth, nth % 2 == 0);
        vars = tc_sh_vars_create(0, 0);
        if (vars)
            use(vars);
        tc_mem_fail_at(0, false);
        if (vars)
            tc_sh_vars_set(vars, TC_STR("after"), TC_STR("ok"));
        if (vars)
            assert_str(value_of(vars, "after"), "ok");
        tc_sh_vars_destroy(vars);
    }
}
