/*
 * test and [: by the number of arguments as POSIX has it up to four, by precedence
 * (! -a -o and parentheses) above.
 */
#include "shell/builtin.h"
#include "shell/cond.h"

struct run {
    struct tc_sh_env *env;
    struct tc_cmd_call *c;
    char **v;
    int at, n;
    bool failed; /* told; the status is 2 */
};

/* "WHAT: TEXT", or TEXT alone. */
static bool fail(struct run *run, const char *what, const char *text)
{
    if (!run->failed)
        tc_sh_builtin_fail(run->env, run->c, "%s%s%s", what, what[0] ? ": " : "", text);
    run->failed = true;
    return false;
}

static bool is_binary(const char *op)
{
    struct tc_str text = tc_str_of(op);

    return tc_sh_cond_numbers(0, text, 0) >= 0 || !strcmp(op, "=") || !strcmp(op, "==") || !strcmp(op, "!=") ||
           !strcmp(op, "<") || !strcmp(op, ">") || !strcmp(op, "-nt") || !strcmp(op, "-ot") || !strcmp(op, "-ef");
}

static bool is_unary(const char *op)
{
    return op[0] == '-' && op[1] && !op[2] && strchr("abcdefghkLnoprsStuvwxzGNOR", op[1]);
}

static bool number(struct run *run, const char *text, int64_t *ret_value)
{
    return tc_sh_builtin_number(text, ret_value) || fail(run, text, "integer expression expected");
}

static bool unary(struct run *run, const char *op, const char *operand)
{
    return tc_sh_cond_unary(run->env, op[1], tc_str_of(operand)) == 1;
}

static bool binary(struct run *run, const char *a, const char *op, const char *b)
{
    struct tc_str left = tc_str_of(a), right = tc_str_of(b);
    int64_t x, y;

    if (op[0] == '=')
        return tc_str_eq(left, right);
    if (op[0] == '!')
        return !tc_str_eq(left, right);
    if (op[0] == '<')
        return tc_str_cmp(left, right) < 0;
    if (op[0] == '>')
        return tc_str_cmp(left, right) > 0;
    if (tc_sh_cond_numbers(0, tc_str_of(op), 0) >= 0)
        return number(run, a, &x) && number(run, b, &y) && tc_sh_cond_numbers(x, tc_str_of(op), y) == 1;
    return tc_sh_cond_files(run->env, left, tc_str_of(op), right) == 1;
}

static bool any_of(struct run *run);

/* --- more than four: by precedence --- */

static bool primary(struct run *run)
{
    const char *word;
    bool holds;

    if (run->at >= run->n)
        return fail(run, "", "argument expected");
    word = run->v[run->at];
    if (!strcmp(word, "!")) {
        run->at++;
        holds = primary(run);
        return !run->failed && !holds;
    }
    if (!strcmp(word, "(") && run->n - run->at > 1) {
        run->at++;
        holds = any_of(run);
        if (run->failed)
            return false;
        if (run->at >= run->n || strcmp(run->v[run->at], ")"))
            return fail(run, "", "`)' expected");
        run->at++;
        return holds;
    }
    if (run->n - run->at >= 3 && is_binary(run->v[run->at + 1])) {
        run->at += 3;
        return binary(run, word, run->v[run->at - 2], run->v[run->at - 1]);
    }
    if (is_unary(word) && run->n - run->at >= 2) {
        run->at += 2;
        return unary(run, word, run->v[run->at - 1]);
    }
    run->at++;
    return word[0] != '\0';
}

static bool all_of(struct run *run)
{
    bool holds;

    if (!tc_sh_deeper(run->env))
        return fail(run, "", "too deeply nested");
    run->env->depth++;
    holds = primary(run);
    while (!run->failed && run->at < run->n && !strcmp(run->v[run->at], "-a")) {
        run->at++;
        holds = primary(run) && holds;
    }
    run->env->depth--;
    return holds;
}

static bool any_of(struct run *run)
{
    bool holds = all_of(run);

    while (!run->failed && run->at < run->n && !strcmp(run->v[run->at], "-o")) {
        run->at++;
        holds = all_of(run) || holds;
    }
    return holds;
}

static bool many(struct run *run)
{
    bool holds = any_of(run);

    if (!run->failed && run->at < run->n)
        return fail(run, "", "too many arguments");
    return holds;
}

/* --- up to four --- */

static bool two(struct run *run, char **v)
{
    if (!strcmp(v[0], "!"))
        return v[1][0] == '\0';
    if (is_unary(v[0]))
        return unary(run, v[0], v[1]);
    return fail(run, v[0], "unary operator expected");
}

static bool three(struct run *run, char **v)
{
    if (is_binary(v[1]))
        return binary(run, v[0], v[1], v[2]);
    if (!strcmp(v[1], "-a"))
        return v[0][0] && v[2][0];
    if (!strcmp(v[1], "-o"))
        return v[0][0] || v[2][0];
    if (!strcmp(v[0], "!")) {
        bool holds = two(run, v + 1);
        return !run->failed && !holds;
    }
    if (!strcmp(v[0], "(") && !strcmp(v[2], ")"))
        return v[1][0] != '\0';
    return fail(run, v[1], "binary operator expected");
}

static bool four(struct run *run, char **v)
{
    bool holds;

    if (!strcmp(v[0], "!")) {
        holds = three(run, v + 1);
        return !run->failed && !holds;
    }
    if (!strcmp(v[0], "(") && !strcmp(v[3], ")"))
        return two(run, v + 1);
    return many(run);
}

static bool evaluate(struct run *run)
{
    switch (run->n) {
    case 0:
        return false;
    case 1:
        return run->v[0][0] != '\0';
    case 2:
        return two(run, run->v);
    case 3:
        return three(run, run->v);
    case 4:
        return four(run, run->v);
    default:
        return many(run);
    }
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct run run = {.env = env, .c = c, .v = c->argv + 1, .n = c->argc - 1};
    bool holds;

    if (*tc_cmd_called(c) == '[') {
        if (run.n == 0 || strcmp(run.v[run.n - 1], "]")) {
            tc_sh_builtin_fail(env, c, "missing `]'");
            return tc_sh_builtin_done(env, TC_SH_USAGE);
        }
        run.n--;
    }
    holds = evaluate(&run);
    return tc_sh_builtin_done(env, run.failed ? TC_SH_USAGE : !holds);
}

const struct tc_sh_builtin tc_sh_builtin_test = {
    .cmd = {.name = "test",
            .aliases = "[",
            .usage = "[expr]",
            .summary = "Evaluates a condition: -f FILE, -n TEXT, A = B, X -lt Y, ! -a -o and more; `[' ends with `]'.",
            .flags = TC_CMD_RAW},
    .twin = true,
    .run = run};
