/* The bash of this machine as the judge: generated scripts are accepted by both or by
 * none, and functions are printed the same. Where pieces are put in or taken away, what
 * is left out is what bash looks at only when it runs, or gets wrong. */
#include "support/test.h"
#include "shell/parser.h"

#include <stdio.h>
#include <stdlib.h>

enum { SYNTAX = 700, FUNCTIONS = 300, DEPTH = 3 };

struct maker {
    uint32_t state;
    struct tc_buf out;
};

static uint32_t below(struct maker *m, uint32_t n)
{
    m->state ^= m->state << 13;
    m->state ^= m->state >> 17;
    m->state ^= m->state << 5;
    return m->state % n;
}

#define ALL(...) ((const char *const[]){__VA_ARGS__})
#define PICK(m, ...) pick((m), ALL(__VA_ARGS__), sizeof(ALL(__VA_ARGS__)) / sizeof(char *))
static void pick(struct maker *m, const char *const *all, size_t n)
{
    tc_buf_cstr(&m->out, all[below(m, (uint32_t)n)]);
}

static void put(struct maker *m, const char *s)
{
    tc_buf_cstr(&m->out, s);
}

static void list(struct maker *m, int depth);

static void word(struct maker *m, int depth)
{
    switch (depth > 0 ? below(m, 12) : 0) {
    case 1:
        put(m, "$( ");
        list(m, depth - 1);
        put(m, ")");
        return;
    case 2:
        put(m, "\"a $( ");
        list(m, depth - 1);
        put(m, ")\"");
        return;
    case 3:
        put(m, "<( ");
        list(m, depth - 1);
        put(m, ")");
        return;
    case 4:
        put(m, "${x:-$( ");
        list(m, depth - 1);
        put(m, ")}");
        return;
    default:
        PICK(m, "a", "b", "\"c  d\"", "'e'", "$x", "${y}", "f*", "1", "g\\ h", "$[1+2]", "x=1", "\"$x\"", "${#z}",
             "${a[1]}", "$'i\\n'", "{j,k}", "\"l\\\nm\"", "${x//a/\"b\"}", "@x", "-n");
    }
}

static void redirect(struct maker *m)
{
    PICK(m, " >", " <", " >>", " 2>", " >|", " <>", " &>", " 3<&", " >&", " <<<", " {v}>", " 2>&", " &>>");
    PICK(m, "f", " 1", "\"g\"", "$x");
}

static void simple(struct maker *m, int depth)
{
    if (below(m, 5) == 0)
        PICK(m, "x=1 ", "a=(1 2) ", "y[2]=3 ", "z+=4 ", "b=([k]=v  w) ", "c=$x ");
    else if (below(m, 12) == 0)
        PICK(m, "declare a=(1 2) ", "export b=$x ", "local c ");
    word(m, depth);
    for (uint32_t i = below(m, 3); i > 0; i--) {
        put(m, " ");
        if (below(m, 10) == 0)
            PICK(m, "if", "done", "!", "}", "in", "{");
        else
            word(m, depth);
    }
    if (below(m, 4) == 0)
        redirect(m);
}

/* A list, and what may stand before a reserved word. */
static void body(struct maker *m, int depth)
{
    list(m, depth);
    PICK(m, "; ", "\n", " & ");
}

static void loop(struct maker *m, int depth)
{
    switch (below(m, 6)) {
    case 0:
        PICK(m, "while ", "until ");
        body(m, depth);
        break;
    case 1:
        put(m, "for i in a \"$x\" b*");
        PICK(m, "; ", "\n", " ;\n");
        break;
    case 2:
        PICK(m, "for i; ", "for i\n", "select i in a b; ", "for i in; ");
        break;
    case 3:
        PICK(m, "for ((i=0; i<3; i++)); ", "for ((;;))\n", "for (( i = 0 ;; i++ )) ");
        break;
    default:
        put(m, "for i in 1 2 3; ");
    }
    put(m, "do ");
    body(m, depth);
    put(m, "done");
}

static void branch(struct maker *m, int depth)
{
    if (below(m, 2)) {
        put(m, "case $x in ");
        PICK(m, "a) ", "(a|b) ", "\"c d\" | e*) ", "\n a)\n");
        list(m, depth);
        PICK(m, ";; ", " ;& ", "\n;;& ", " ;;\n # x\n");
        PICK(m, "*) ;; esac", "esac", "*) a; esac", "*) a\nesac", "in) ;; esac");
        return;
    }
    put(m, "if ");
    body(m, depth);
    put(m, "then ");
    body(m, depth);
    if (below(m, 2)) {
        put(m, "elif ");
        body(m, depth);
        put(m, "then ");
        body(m, depth);
    }
    if (below(m, 2)) {
        put(m, "else ");
        body(m, depth);
    }
    put(m, "fi");
}

static void function(struct maker *m, int depth)
{
    PICK(m, "f() ", "function g ", "function h() ", "i()\n");
    if (below(m, 3) == 0) {
        PICK(m, "( a; b )", "[[ -n a ]]", "((1))", "for i in a; do b; done", "(a) >f");
        return;
    }
    put(m, "{ ");
    body(m, depth);
    put(m, "}");
}

static void command(struct maker *m, int depth)
{
    if (depth <= 0 || below(m, 5) < 2) {
        simple(m, depth);
        return;
    }
    depth--;
    switch (below(m, 7)) {
    case 0:
        loop(m, depth);
        break;
    case 1:
        branch(m, depth);
        break;
    case 2:
        function(m, depth);
        return;
    case 3:
        put(m, "( ");
        list(m, depth);
        PICK(m, ")", " )", ";)", "\n)", "& )");
        break;
    case 4:
        put(m, "{ ");
        body(m, depth);
        put(m, "}");
        break;
    case 5:
        PICK(m, "(( i + 1 ))", "[[ a ]]", "[[ -f a && ! $b ]]", "[[ a == b* || ( c =~ (d e)|f ) ]]", "[[ a < b ]]",
             "[[ a -nt $b &&\n c ]]");
        break;
    default:
        simple(m, depth);
        return;
    }
    if (below(m, 5) == 0)
        redirect(m);
}

static void pipeline(struct maker *m, int depth)
{
    if (below(m, 6) == 0)
        put(m, "! ");
    do
        command(m, depth);
    while (below(m, 6) == 0 && (PICK(m, " | ", " |& ", " |\n"), true));
}

static void list(struct maker *m, int depth)
{
    for (uint32_t n = below(m, 3);; n--) {
        pipeline(m, depth);
        if (below(m, 6) == 0) {
            PICK(m, " && ", " || ", " &&\n");
            pipeline(m, depth);
        }
        if (n == 0)
            return;
        PICK(m, "; ", "\n", " ;\n", " & ", " # c\n");
    }
}

/* A script with a piece put in, taken away, or doubled. */
static void damage(struct maker *m)
{
    static const char *const pieces[] = {
        "if ", "then ", "fi ", "for ", "in ", "do ", "done ", "while ", "case ", "esac ", "{ ", "} ", "( ", ") ",
        "[[ ", "]] ", "! ", "&& ", "|| ", "| ", "; ", "& ", ";; ", "\n", "> ", "< ", "2> ", "a ", "x=1 ", "$x", "\"",
        "'", "$(", "${", "f() ", "function ", "else ", "#", "y=(1 ", "a[", "== ", "=~ "};
    struct tc_buf whole = m->out;
    size_t at = below(m, (uint32_t)whole.n + 1), cut = below(m, 2) ? below(m, 4) : 0;

    tc_buf_init(&m->out, 1 << 20);
    tc_buf_add(&m->out, whole.p, at);
    if (below(m, 3))
        pick(m, pieces, sizeof(pieces) / sizeof(pieces[0]));
    if (at + cut < whole.n)
        tc_buf_add(&m->out, whole.p + at + cut, whole.n - at - cut);
    tc_buf_finish(&whole);
}

/* --- what both say --- */

/* Whether bash itself is no judge of a damaged script. */
static bool is_left_out(struct tc_str script)
{
    static const char *const out[] = {"((", "=(", "`", "<<", "[[", "${", "$[", "{v}>"};

    for (size_t i = 0; i < sizeof(out) / sizeof(out[0]); i++)
        if (tc_str_find(script, tc_str_of(out[i])) != SIZE_MAX)
            return true;
    return false;
}

static bool accepts(struct tc_cx *cx, struct tc_str script)
{
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    enum tc_sh_parsed parsed;

    tc_sh_parser_init(&parser, script, 1);
    while ((parsed = tc_sh_parser_next(cx, &parser, true, &node)) == TC_SH_PARSED) {
    }
    return parsed == TC_SH_PARSED_END;
}

static void save(const char *dir, int n, struct tc_str script)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%04d", dir, n);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(script.p, 1, script.n, file), script.n);
    fclose(file);
}

/* What bash says about all the files of a folder: the output of a script that runs there. */
static struct tc_str ask(struct tc_cx *cx, const char *dir, const char *script)
{
    char command[1024];
    FILE *pipe;
    struct tc_buf buf;
    struct tc_str all;
    size_t n;

    snprintf(command, sizeof(command), "cd %s && LC_ALL=C.UTF-8 bash -c '%s' 2>/dev/null", dir, script);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    tc_buf_init(&buf, 64 << 20);
    while ((n = fread(tc_buf_reserve(&buf, 4096), 1, 4096, pipe)) > 0)
        buf.n += n;
    pclose(pipe);
    all = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return all;
}

static bool has_bash(void)
{
    if (system("bash -c '[[ $BASH_VERSION == 5.2.* ]]' 2>/dev/null") == 0)
        return true;
    print_message("not run: no bash 5.2\n");
    return false;
}

static struct tc_str made(struct tc_cx *cx, struct maker *m)
{
    struct tc_str script = tc_buf_dup(&m->out, cx->arena);

    tc_buf_clear(&m->out);
    return script;
}

void test_parse_bash__accepts_the_same_scripts(void **state)
{
    struct maker m = {.state = 20161};
    struct test_cx test;
    struct tc_str scripts[SYNTAX], answers;
    char *dir;
    int refused = 0;
    (void)state;

    if (!has_bash())
        skip();
    test_cx_init(&test);
    tc_buf_init(&m.out, 1 << 20);
    dir = test_tmpdir(&test.arena);
    for (int i = 0; i < SYNTAX; i++) { /* every third is undamaged */
        do {
            tc_buf_clear(&m.out);
            list(&m, DEPTH);
            for (int k = i % 3; k > 0; k--)
                damage(&m);
            scripts[i] = made(&test.cx, &m);
        } while (i % 3 > 0 && is_left_out(scripts[i]));
        save(dir, i, scripts[i]);
    }
    answers = ask(&test.cx, dir, "for f in *; do [[ -z $(bash -n $f 2>&1) ]] && echo -n y || echo -n n; done");
    assert_int_equal(answers.n, SYNTAX);
    for (int i = 0; i < SYNTAX; i++) {
        bool theirs = answers.p[i] == 'y';

        refused += !theirs;
        if (accepts(&test.cx, scripts[i]) != theirs)
            fail_msg("bash %s: %.*s", theirs ? "accepts" : "refuses", TC_STR_ARG(scripts[i]));
    }
    assert_in_range(refused, SYNTAX / 5, SYNTAX * 2 / 3);
    tc_buf_finish(&m.out);
    test_rmtree(dir);
    test_cx_finish(&test);
}

static struct tc_str printed(struct tc_cx *cx, struct tc_str script)
{
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    struct tc_buf buf;
    struct tc_str text;

    tc_sh_parser_init(&parser, script, 1);
    if (tc_sh_parser_next(cx, &parser, true, &node) != TC_SH_PARSED)
        fail_msg("%.*s: %.*s", TC_STR_ARG(cx->err.message), TC_STR_ARG(script));
    tc_buf_init(&buf, 1 << 20);
    tc_sh_print_function(&buf, node->name, node->body);
    tc_buf_char(&buf, '\n');
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}

void test_parse_bash__prints_the_same_functions(void **state)
{
    struct maker m = {.state = 4711};
    struct test_cx test;
    struct tc_str scripts[FUNCTIONS], answers, answer;
    char *dir;
    (void)state;

    if (!has_bash())
        skip();
    test_cx_init(&test);
    tc_buf_init(&m.out, 1 << 20);
    dir = test_tmpdir(&test.arena);
    for (int i = 0; i < FUNCTIONS; i++) {
        put(&m, "f() {\n");
        list(&m, DEPTH);
        put(&m, "\n}\n");
        scripts[i] = made(&test.cx, &m);
        save(dir, i, scripts[i]);
    }
    answers = ask(&test.cx, dir, "for f in *; do (. ./$f; declare -f f); echo -ne \"\\0\"; done");
    for (int i = 0; i < FUNCTIONS; i++) {
        assert_true(tc_str_split(&answers, '\0', &answer));
        assert_str(printed(&test.cx, scripts[i]), tc_arena_cstr(&test.arena, answer));
        assert_str(printed(&test.cx, answer), tc_arena_cstr(&test.arena, answer));
    }
    tc_buf_finish(&m.out);
    test_rmtree(dir);
    test_cx_finish(&test);
}
