/* Generated expressions and patterns, by this shell and by bash 5.2: what they write and leave behind must agree. */
#include <stdio.h>
#include <stdlib.h>

#include "support/shell.h"

enum { SCRIPT_MAX = 1 << 20, CASES = 250 };

struct generator {
    uint64_t seed;
    struct tc_buf buf;
};

static unsigned pick(struct generator *g, unsigned n)
{
    g->seed = g->seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(g->seed >> 33) % n;
}

#define PUT_ONE_OF(g, list) tc_buf_cstr(&(g)->buf, (list)[pick(g, sizeof(list) / sizeof *(list))])

/* --- arithmetic --- */

static void put_leaf(struct generator *g)
{
    static const char *const leaves[] = {"0", "1", "2", "7", "10", "0x1f", "017", "2#101", "36#zz", "3", "5", "x",
                                         "y", "z", "e", "u", "a[1]", "a[x]", "m[k]", "9223372036854775807"};

    PUT_ONE_OF(g, leaves);
}

static void put_expression(struct generator *g, unsigned depth)
{
    static const char *const infix[] = {"+", " - ", "*", " / ", "%", " < ", " > ", "<=", ">=", "==", "!=", " & ",
                                        "|", "^", " && ", " || ", " , "};
    static const char *const prefix[] = {"-", "+", "!", "~", "- "};
    static const char *const assign[] = {" = ", "+=", "-=", "*=", "|=", "&=", "^="};
    static const char *const names[] = {"x", "y", "z", "a[2]", "m[k]"};
    static const char *const steps[] = {"x++", "y--", "++z", "--a[1]", "m[k]++"};
    static const char *const powers[] = {" ** 2", " << 3", " >> 1", " ** 0", " << 62"};
    unsigned what = depth ? pick(g, 16) : 0;

    if (what < 3) {
        put_leaf(g);
    } else if (what < 9) {
        put_expression(g, depth - 1);
        PUT_ONE_OF(g, infix);
        put_expression(g, depth - 1);
    } else if (what < 11) {
        tc_buf_char(&g->buf, '(');
        put_expression(g, depth - 1);
        tc_buf_char(&g->buf, ')');
    } else if (what == 11) {
        PUT_ONE_OF(g, prefix);
        put_expression(g, depth - 1);
    } else if (what == 12) {
        put_expression(g, depth - 1);
        tc_buf_cstr(&g->buf, " ? ");
        put_expression(g, depth - 1);
        tc_buf_cstr(&g->buf, " : ");
        put_expression(g, depth - 1);
    } else if (what == 13) {
        tc_buf_char(&g->buf, '(');
        PUT_ONE_OF(g, names);
        PUT_ONE_OF(g, assign);
        put_expression(g, depth - 1);
        tc_buf_char(&g->buf, ')');
    } else if (what == 14) {
        PUT_ONE_OF(g, steps);
    } else {
        put_leaf(g);
        PUT_ONE_OF(g, powers);
    }
}

static void put_arithmetic(struct generator *g)
{
    tc_buf_cstr(&g->buf, "x=5 y=-7 z=0 e=x+y a=(3 4 5 6 7 8); unset u; declare -A m; m[k]=9; v='");
    put_expression(g, 4);
    tc_buf_cstr(&g->buf, "'\necho $(($v))\necho $x $y $z ${a[@]} ${m[k]}\n");
}

/* --- patterns. A group behind a star is left out: bash forgets then that it may be empty. --- */

static void put_pattern(struct generator *g, unsigned depth)
{
    static const char *const atoms[] = {"a", "b", "a", "b", "?", "*", "[ab]", "[!a]", "[a-b]", "[[:alpha:]]",
                                        "\\*", ".", "\xc3\xa9", "[\xc3\xa9.]"};
    static const char *const groups[] = {"?(", "*(", "+(", "@("};

    for (unsigned n = 1 + pick(g, 3); n > 0; n--) {
        char last = g->buf.p[g->buf.n - 1];
        if (!depth || pick(g, 4) || last == '*' || last == '?') {
            PUT_ONE_OF(g, atoms);
            continue;
        }
        PUT_ONE_OF(g, groups);
        put_pattern(g, depth - 1);
        if (pick(g, 2)) {
            tc_buf_char(&g->buf, '|');
            put_pattern(g, depth - 1);
        }
        tc_buf_char(&g->buf, ')');
    }
}

static void put_matching(struct generator *g)
{
    static const char *const chars[] = {"a", "b", "a", "b", ".", "*", "\xc3\xa9", "A"};

    tc_buf_cstr(&g->buf, "s='");
    for (unsigned n = pick(g, 8); n > 0; n--)
        PUT_ONE_OF(g, chars);
    tc_buf_cstr(&g->buf, "' p='");
    put_pattern(g, 2);
    tc_buf_cstr(&g->buf, "'\ncase $s in $p) echo \"$s $p\";; *) echo no;; esac\n");
    tc_buf_cstr(&g->buf, "echo \"<${s#$p}><${s##$p}><${s%$p}><${s%%$p}><${s/$p/-}><${s//$p/-}>\"\n");
}

/* What bash writes of it, or NULL p. */
static struct tc_str ask_bash(struct test_shell *shell, struct tc_str script)
{
    const char *path = tc_arena_printf(&shell->test.arena, "%s/script", shell->tmp).p;
    FILE *file = fopen(path, "w"), *pipe;
    struct tc_buf out;
    size_t n;
    char *to;

    assert_non_null(file);
    assert_int_equal(fwrite(script.p, 1, script.n, file), script.n);
    fclose(file);
    tc_buf_init(&out, SCRIPT_MAX);
    pipe = popen(tc_arena_printf(&shell->test.arena, "LC_ALL=C.UTF-8 bash %s 2>/dev/null", path).p, "r");
    assert_non_null(pipe);
    do {
        to = tc_buf_reserve(&out, 4096);
        n = to ? fread(to, 1, 4096, pipe) : 0;
        out.n += n;
    } while (n > 0);
    n = pclose(pipe) == 0 ? 1 : 0;
    script = tc_buf_dup(&out, &shell->test.arena);
    tc_buf_finish(&out);
    return n ? script : tc_str_n(NULL, 0);
}

static bool has_bash(void)
{
    return system("bash -c '[[ $BASH_VERSION == 5.2.* ]]' 2>/dev/null") == 0;
}

static void agree(uint64_t seed, void (*put)(struct generator *g))
{
    struct generator g = {.seed = seed};
    struct test_shell shell;
    struct tc_str expected;

    if (!has_bash()) {
        print_message("not run: there is no bash 5.2\n");
        return;
    }
    test_shell_init(&shell);
    tc_buf_init(&g.buf, SCRIPT_MAX);
    tc_buf_cstr(&g.buf, "shopt -s extglob\n");
    for (int i = 0; i < CASES; i++)
        put(&g);
    tc_buf_cstr(&g.buf, "exit 0\n");
    tc_buf_char(&g.buf, '\0');
    assert_false(g.buf.failed);
    expected = ask_bash(&shell, tc_str_n(g.buf.p, g.buf.n - 1));
    assert_non_null(expected.p);
    assert_int_equal(test_shell_run_as(&shell, g.buf.p, "script", NULL, true), 0);
    assert_true(expected.n > CASES);
    if (!tc_str_eq(shell.out, expected)) {
        size_t at = 0, line;
        while (at < shell.out.n && at < expected.n && shell.out.p[at] == expected.p[at])
            at++;
        for (line = at; line > 0 && expected.p[line - 1] != '\n'; line--) {
        }
        fail_msg("bash has: %.200s\nhere is: %.200s", expected.p + line, shell.out.p + line);
    }
    tc_buf_finish(&g.buf);
    test_shell_finish(&shell);
}

void test_expand_peer__expressions_have_the_values_of_bash(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        agree(seed, put_arithmetic);
}

void test_expand_peer__patterns_match_what_bash_matches(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        agree(seed, put_matching);
}
