// Generated programs and inputs, run by awk of the shell and by gawk of the machine: the
// same output. Seeds are fixed; without gawk this is not run.
#include <stdio.h>
#include <stdlib.h>

#include "support/shell.h"

enum { PROGRAMS = 150, OUTPUT_MAX = 1 << 20 };

static unsigned next(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16;
}

static const char *pick(unsigned *seed, const char *const *from, size_t n)
{
    return from[next(seed) % n];
}

static const char *const values[] = {
    "$1", "$2", "$NF", "$0", "NR", "NF", "x", "n", "a[$1]", "length($0)", "substr($0, 2, 3)", "index($0, \"a\")",
    "$2 + 1", "$1 $2", "-$2", "$2 * 1.5", "toupper($1)", "($1 < $2)", "($2 > 5)", "($1 ~ /[aeiou]/)", "$2 % 3",
    "int($2 / 3)", "sprintf(\"%5.2f|%-4s|%03d\", $2, $1, $2)", "(NR % 2 ? \"odd\" : \"even\")", "a[NR - 1]",
    "match($0, /[0-9]+/) \":\" RLENGTH", "!$2", "$2 ^ 2", "\"<\" $3 \">\"", "split($0, p, /[ ,]/) p[1]",
    "gensub(/([a-z])([0-9])/, \"\\\\2\\\\1\", \"g\")", "tolower($0)", "($3 == \"\")", "x++ + n", "length(a)"};
static const char *const effects[] = {
    "x = x $1", "n += $2", "a[$1]++", "a[$1] = a[$1] $2", "$2 = \"\"", "gsub(/a/, \"<&>\")", "sub(/[0-9]/, \"#\", $1)",
    "NF = 2", "$5 = NR", "delete a[$1]", "a[NR] = $0", "if ($2 > 3) n++; else n--",
    "for (i = 1; i <= NF; i++) s = s $i",
    "x = substr(x, 2)", "while (n > 10) n -= 7", "$0 = $2 \" \" $1", "a[$2, $1] = NR", "x = n > 3 ? \"big\" : $1"};
static const char *const patterns[] = {
    "", "NR > 1", "/a/", "$2 > 4", "$1 ~ \"^[a-m]\"", "NR == 2, NR == 4", "!/b/",
     "NF", "$1 == \"b\" || $2", "NR % 3 == 1"};
static const char *const ends[] = {
    "for (k in a) print k, a[k]", "print n, x", "print length(a), NR",
    "n = asorti(a, b); for (i = 1; i <= n; i++) print b[i]",
    "PROCINFO[\"sorted_in\"] = \"@ind_str_asc\"; for (k in a) print k, a[k]", "print s; print $0, NF"};
static const char *const words[] = {"alpha", "b", "a1", "3", "10", "x9y", "banana", "-4.5", "", "0", "zz",
    "007", "1e2"};

#define PICK(seed, from) pick((seed), (from), sizeof(from) / sizeof *(from))

static void make_program(unsigned *seed, struct tc_buf *to)
{
    tc_buf_cstr(to, "BEGIN { a[0]; delete a }\n"); /* it is an array for whoever asks first */
    for (unsigned rules = 1 + next(seed) % 3; rules; rules--) {
        tc_buf_printf(to, "%s { ", PICK(seed, patterns));
        for (unsigned n = 1 + next(seed) % 3; n; n--)
            tc_buf_printf(to, "%s; ", PICK(seed, effects));
        tc_buf_printf(to, "print %s, ", PICK(seed, values));
        tc_buf_printf(to, "%s }\n", PICK(seed, values));
    }
    tc_buf_printf(to, "END { %s }\n", PICK(seed, ends));
}

static void make_input(unsigned *seed, struct tc_buf *to)
{
    for (unsigned lines = 3 + next(seed) % 12; lines; lines--)
        for (unsigned n = 1 + next(seed) % 4; n; n--)
            tc_buf_printf(to, "%s%s", PICK(seed, words), n > 1 ? (next(seed) % 5 ? " " : ",") : "\n");
}

static void put(struct test_shell *shell, const char *path, struct tc_buf *text)
{
    tc_buf_char(text, '\0');
    assert_false(text->failed);
    test_shell_put(shell, path, text->p, 0644);
}

/* What gawk writes in the same folder. */
static void run_gawk(struct test_shell *shell, struct tc_buf *out)
{
    char command[512];
    FILE *pipe;
    size_t n;
    char *to;

    snprintf(command, sizeof(command), "cd %s && LC_ALL=C.UTF-8 gawk -f p.awk in 2>/dev/null", shell->root);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    while ((to = tc_buf_reserve(out, 65536)) && (n = fread(to, 1, 65536, pipe)) > 0)
        out->n += n;
    pclose(pipe);
}

void test_awk_gawk__generated_programs_write_the_same(void **state)
{
    int differ = 0;

    (void)state;
    if (system("gawk --version >/dev/null 2>&1") != 0) {
        print_message("not run: there is no gawk\n");
        return;
    }
    for (unsigned i = 1; i <= PROGRAMS; i++) {
        unsigned seed = i * 7919;
        struct test_shell shell;
        struct tc_buf program, input, wanted;

        test_shell_init(&shell);
        tc_buf_init(&program, OUTPUT_MAX);
        tc_buf_init(&input, OUTPUT_MAX);
        tc_buf_init(&wanted, OUTPUT_MAX);
        make_program(&seed, &program);
        make_input(&seed, &input);
        put(&shell, "p.awk", &program);
        put(&shell, "in", &input);
        run_gawk(&shell, &wanted);
        test_shell_run(&shell, "awk -f p.awk in 2>/dev/null");
        if (!tc_str_eq(shell.out, tc_buf_get(&wanted))) {
            print_message("%s--- on\n%s--- gawk\n%.*s--- awk\n%.*s", program.p, input.p,
                          TC_STR_ARG(tc_buf_get(&wanted)), TC_STR_ARG(shell.out));
            differ++;
        }
        tc_buf_finish(&program);
        tc_buf_finish(&input);
        tc_buf_finish(&wanted);
        test_shell_finish(&shell);
    }
    assert_int_equal(differ, 0);
}
