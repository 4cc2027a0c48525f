/*
 * The command expr: one expression, an operand a token, evaluated while it is read.
 * What | and & decide is still parsed, but not computed.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "regex/regex.h"
#include "shell/cmds/bc_num.h"
#include "toolcrib/shellcmd.h"

enum { STATUS_SYNTAX = 2, STATUS_ERROR = 3, DEPTH_MAX = 500 };

struct expr {
    struct tc_cmd_call *c;
    char **at;
    int status; /* not 0 after a fault, which was told */
    int depth;
};

/* Values are texts; a number is what looks like one. */
static struct tc_str parse_or(struct expr *e, bool skip);

static struct tc_str fault(struct expr *e, int status, const char *message, const char *argument)
{
    struct tc_str text = tc_arena_printf(e->c->arena, message, argument);

    if (!e->status)
        tc_cmd_fail(e->c, "%.*s", TC_STR_ARG(text));
    e->status = e->status ? e->status : status;
    return tc_str_n("", 0);
}

static bool accept(struct expr *e, const char *token)
{
    if (e->status || !*e->at || strcmp(*e->at, token) != 0)
        return false;
    e->at++;
    return true;
}

/* A number of any length: digits, behind a '-' perhaps. */
static bool is_number(struct tc_str s)
{
    size_t at = s.n && s.p[0] == '-';

    for (size_t i = at; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > at;
}

/* What is beyond 64 bits becomes the last that fits. */
static bool to_number(struct tc_str s, int64_t *ret)
{
    if (!is_number(s))
        return false;
    if (!tc_str_int(s, ret))
        *ret = s.p[0] == '-' ? INT64_MIN : INT64_MAX;
    return true;
}

static bool is_null(struct tc_str s)
{
    size_t at = s.n && s.p[0] == '-';

    if (s.n == 0)
        return true;
    if (at == s.n)
        return false;
    for (; at < s.n; at++)
        if (s.p[at] != '0')
            return false;
    return true;
}

static struct tc_str number(struct expr *e, int64_t n)
{
    return tc_arena_printf(e->c->arena, "%lld", (long long)n);
}

static struct tc_str missing(struct expr *e)
{
    return fault(e, STATUS_SYNTAX, "syntax error: missing argument after ‘%s’", e->at[-1]);
}

/* text : regex, from the first character on: the group, or how many characters match. */
static struct tc_str match(struct expr *e, struct tc_str text, struct tc_str pattern)
{
    struct tc_regex *regex;
    struct tc_regex_match groups[2] = {{SIZE_MAX, 0}, {SIZE_MAX, 0}};
    struct tc_str result;
    bool has_group, found;

    if (tc_regex_compile(e->c->cx, pattern, TC_REGEX_BASIC, 0, &regex)) {
        struct tc_str why = tc_arena_dup(e->c->arena, e->c->cx->err.message);

        return fault(e, STATUS_SYNTAX, "%s", why.p ? why.p : "");
    }
    has_group = tc_regex_groups(regex) > 0;
    found = tc_regex_search(regex, text, 0, groups, 2) == TC_REGEX_FOUND && groups[0].start == 0;
    if (has_group)
        result = found && groups[1].start != SIZE_MAX
                     ? tc_str_n(text.p + groups[1].start, groups[1].end - groups[1].start)
                     : tc_str_n("", 0);
    else
        result = number(e, found ? (int64_t)tc_utf8_count(tc_str_n(text.p, groups[0].end)) : 0);
    tc_regex_destroy(regex);
    return result;
}

static struct tc_str substring(struct expr *e, struct tc_str text, struct tc_str start, struct tc_str length)
{
    int64_t from, n;
    size_t skipped;

    if (!to_number(start, &from) || !to_number(length, &n) || from < 1 || n < 1)
        return tc_str_n("", 0);
    skipped = tc_utf8_head(text, (size_t)from - 1).n;
    (void)e;
    return tc_utf8_head(tc_str_from(text, skipped), (size_t)n);
}

/* The first place in text of any of the characters. */
static struct tc_str index_of(struct expr *e, struct tc_str text, struct tc_str chars)
{
    int64_t place = 0;

    for (size_t at = 0; at < text.n;) {
        size_t from = at;

        tc_utf8_next(text, &at);
        place++;
        if (tc_str_find(chars, tc_str_n(text.p + from, at - from)) != SIZE_MAX)
            return number(e, place);
    }
    return number(e, 0);
}

static struct tc_str parse_primary(struct expr *e)
{
    struct tc_str value;

    if (e->status)
        return tc_str_n("", 0);
    if (!*e->at)
        return missing(e);
    if (accept(e, "(")) {
        value = parse_or(e, false);
        if (!e->status && !*e->at)
            return fault(e, STATUS_SYNTAX, "syntax error: expecting ')' after ‘%s’", e->at[-1]);
        if (!accept(e, ")"))
            return fault(e, STATUS_SYNTAX, "syntax error: expecting ')' instead of ‘%s’", *e->at);
        return value;
    }
    if (strcmp(*e->at, ")") == 0)
        return fault(e, STATUS_SYNTAX, "syntax error: unexpected ')'%s", "");
    return tc_str_of(*e->at++);
}

static struct tc_str parse_function(struct expr *e)
{
    struct tc_str a, b, c;

    if (accept(e, "+"))
        return *e->at ? tc_str_of(*e->at++) : missing(e);
    if (accept(e, "length")) {
        a = parse_function(e);
        return number(e, (int64_t)tc_utf8_count(a));
    }
    if (accept(e, "match")) {
        a = parse_function(e);
        b = parse_function(e);
        return e->status ? a : match(e, a, b);
    }
    if (accept(e, "index")) {
        a = parse_function(e);
        b = parse_function(e);
        return index_of(e, a, b);
    }
    if (accept(e, "substr")) {
        a = parse_function(e);
        b = parse_function(e);
        c = parse_function(e);
        return substring(e, a, b, c);
    }
    return parse_primary(e);
}

static struct tc_str parse_match(struct expr *e, bool skip)
{
    struct tc_str left = parse_function(e), right;

    while (accept(e, ":")) {
        right = parse_function(e);
        if (!skip && !e->status)
            left = match(e, left, right);
    }
    return left;
}

static struct bc_num *computed(char op, const struct bc_num *a, const struct bc_num *b)
{
    struct bc_num *quotient, *product, *rest;

    if (op == '+')
        return tc_bc_add(a, b);
    if (op == '-')
        return tc_bc_sub(a, b);
    if (op == '*')
        return tc_bc_mul(a, b);
    quotient = tc_bc_div(a, b, 0);
    if (op == '/')
        return quotient;
    product = tc_bc_mul(quotient, b);
    rest = tc_bc_sub(a, product);
    tc_bc_unref(quotient);
    tc_bc_unref(product);
    return rest;
}

static struct tc_str compute_long(struct expr *e, char op, struct tc_str left, struct tc_str right)
{
    struct bc_num *a = tc_bc_parse(left), *b = tc_bc_parse(right), *result = computed(op, a, b);
    struct tc_str text = {0};
    struct tc_buf buf;

    tc_buf_init(&buf, BC_DIGITS_MAX);
    if (result) {
        tc_bc_print(result, &buf);
        text = tc_arena_dup(e->c->arena, tc_buf_get(&buf));
    }
    tc_buf_finish(&buf);
    tc_bc_unref(a);
    tc_bc_unref(b);
    tc_bc_unref(result);
    if (!text.p || !tc_cmd_tick(e->c, 64 + (unsigned)(left.n * right.n >> 6)))
        return fault(e, STATUS_ERROR, "%s", "memory exhausted");
    return text;
}

static struct tc_str compute(struct expr *e, char op, struct tc_str left, struct tc_str right)
{
    int64_t a, b, result = 0;
    bool over = false;

    if (!is_number(left) || !is_number(right))
        return fault(e, STATUS_SYNTAX, "non-integer argument%s", "");
    if ((op == '/' || op == '%') && is_null(right))
        return fault(e, STATUS_SYNTAX, "division by zero%s", "");
    if (!tc_str_int(left, &a) || !tc_str_int(right, &b))
        return compute_long(e, op, left, right);
    if (op == '+')
        over = __builtin_add_overflow(a, b, &result);
    else if (op == '-')
        over = __builtin_sub_overflow(a, b, &result);
    else if (op == '*')
        over = __builtin_mul_overflow(a, b, &result);
    else if (b == -1)
        over = op == '/' && __builtin_sub_overflow((int64_t)0, a, &result);
    else
        result = op == '/' ? a / b : a % b;
    return over ? compute_long(e, op, left, right) : number(e, result);
}

static struct tc_str parse_product(struct expr *e, bool skip)
{
    struct tc_str left = parse_match(e, skip), right;

    for (;;) {
        char op = accept(e, "*") ? '*' : accept(e, "/") ? '/' : accept(e, "%") ? '%' : '\0';

        if (!op)
            return left;
        right = parse_match(e, skip);
        if (!skip && !e->status)
            left = compute(e, op, left, right);
    }
}

static struct tc_str parse_sum(struct expr *e, bool skip)
{
    struct tc_str left = parse_product(e, skip), right;

    for (;;) {
        char op = accept(e, "+") ? '+' : accept(e, "-") ? '-' : '\0';

        if (!op)
            return left;
        right = parse_product(e, skip);
        if (!skip && !e->status)
            left = compute(e, op, left, right);
    }
}

static const char *accept_comparison(struct expr *e)
{
    static const char *const ops[] = {"<", "<=", "=", "==", "!=", ">=", ">"};

    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++)
        if (accept(e, ops[i]))
            return ops[i];
    return NULL;
}

static bool holds(const char *op, int order)
{
    switch (op[0]) {
    case '<':
        return op[1] ? order <= 0 : order < 0;
    case '>':
        return op[1] ? order >= 0 : order > 0;
    case '!':
        return order != 0;
    default:
        return order == 0;
    }
}

static int compare_numbers(struct tc_str left, struct tc_str right)
{
    bool minus = left.p[0] == '-' && !is_null(left);
    int order;

    if (minus != (right.p[0] == '-' && !is_null(right)))
        return minus ? -1 : 1;
    while (left.n > 1 && (left.p[0] == '-' || left.p[0] == '0'))
        left = tc_str_from(left, 1);
    while (right.n > 1 && (right.p[0] == '-' || right.p[0] == '0'))
        right = tc_str_from(right, 1);
    order = left.n != right.n ? (left.n > right.n) - (left.n < right.n) : tc_str_cmp(left, right);
    return minus ? -order : order;
}

static struct tc_str parse_comparison(struct expr *e, bool skip)
{
    struct tc_str left = parse_sum(e, skip), right;
    const char *op;

    while ((op = accept_comparison(e))) {
        int order;

        right = parse_sum(e, skip);
        order = is_number(left) && is_number(right) ? compare_numbers(left, right) : tc_str_cmp(left, right);
        left = number(e, holds(op, order));
    }
    return left;
}

static struct tc_str parse_and(struct expr *e, bool skip)
{
    struct tc_str left = parse_comparison(e, skip), right;

    while (accept(e, "&")) {
        right = parse_comparison(e, skip || is_null(left));
        if (is_null(left) || is_null(right))
            left = TC_STR("0");
    }
    return left;
}

static struct tc_str parse_or(struct expr *e, bool skip)
{
    struct tc_str left, right;

    if (++e->depth > DEPTH_MAX)
        return fault(e, STATUS_ERROR, "expression is nested too deeply%s", "");
    left = parse_and(e, skip);
    while (accept(e, "|")) {
        right = parse_and(e, skip || !is_null(left));
        if (is_null(left))
            left = is_null(right) ? TC_STR("0") : right;
    }
    e->depth--;
    return left;
}

static int run(struct tc_cmd_call *c)
{
    struct expr e = {.c = c, .at = c->argv + 1};
    struct tc_str value;

    if (*e.at && strcmp(*e.at, "--") == 0)
        e.at++;
    if (!*e.at)
        return tc_cmd_fail_usage(c, "missing operand");
    value = parse_or(&e, false);
    if (!e.status && *e.at)
        fault(&e, STATUS_SYNTAX, "syntax error: unexpected argument ‘%s’", *e.at);
    if (e.status)
        return e.status;
    tc_cmd_write(c->out, value.p, value.n);
    tc_cmd_putc(c->out, '\n');
    return is_null(value);
}

const struct tc_cmd tc_command_expr = {
    .name = "expr",
    .usage = "EXPRESSION",
    .summary = "Evaluate an expression: | & < <= = != >= > + - * / % : match substr index length ( ).",
    .flags = TC_CMD_RAW,
    .run = run,
};
