/*
 * ${…} in full. What is no valid form is read up to its '}' and told when it is
 * reached, as bash does.
 */
#include "shell/lexer_word.h"
#include "shell/parse.h"

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_special(int c)
{
    return c > 0 && strchr("@*#?-$!", c) != NULL;
}

/* The length of a parameter's name k bytes on. */
static size_t name_length(const struct tc_sh_parse *ps, size_t k)
{
    size_t n = tc_sh_lexer_name(ps, k);

    if (n > 0)
        return n;
    while (is_digit(tc_sh_lexer_ahead(ps, k + n)))
        n++;
    return n ? n : is_special(tc_sh_lexer_ahead(ps, k));
}

/* What # and ! before a name mean: they can be the name themselves. */
static void prefix(struct tc_sh_parse *ps, struct tc_sh_param *param)
{
    int c = tc_sh_lexer_ahead(ps, 0), next = tc_sh_lexer_ahead(ps, 1);
    bool closed = tc_sh_lexer_ahead(ps, 2) == '}', taken;

    if (c == '#') {
        taken = (name_length(ps, 1) > 0 && !is_special(next)) || (is_special(next) && closed);
        param->op = taken ? TC_SH_PARAM_LENGTH : TC_SH_PARAM_VALUE;
    } else if (c == '!') {
        taken = name_length(ps, 1) > 0 && (!is_special(next) || (closed && next != '-') || next == '#');
        param->indirect = taken;
    } else {
        taken = false;
    }
    ps->at += taken;
}

static bool subscript(struct tc_sh_parse *ps, struct tc_sh_param *param)
{
    struct tc_sh_arith *expr;

    if (tc_sh_lexer_peek(ps) != '[' || is_digit(param->name.p[0]) || is_special(param->name.p[0]))
        return true;
    ps->at++;
    expr = tc_sh_lexer_arith(ps, TC_SH_IN_INDEX);
    if (!expr)
        return false;
    if (tc_sh_lexer_peek(ps) != ']') {
        param->op = TC_SH_PARAM_BAD;
        return true;
    }
    ps->at++;
    param->subscript = tc_sh_lexer_new_subscript(ps, expr->text);
    return param->subscript != NULL;
}

static bool argument(struct tc_sh_parse *ps, enum tc_sh_within within, bool dquote, struct tc_sh_word **ret_word)
{
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps);
    struct tc_sh_scan scan;

    tc_sh_scan_init(ps, &scan, within, dquote);
    if (within == TC_SH_IN_REPLACE && tc_sh_lexer_peek(ps) == '/')
        tc_sh_scan_literal(ps, &scan, tc_str_n(ps->text.p + ps->at++, 1), false, false);
    if (!tc_sh_scan_run(ps, &scan))
        return false;
    *ret_word = tc_sh_scan_word(ps, &scan);
    if (*ret_word)
        (*ret_word)->source = tc_sh_lexer_source(ps, &mark);
    return *ret_word != NULL;
}

static bool slice(struct tc_sh_parse *ps, struct tc_sh_param *param)
{
    param->op = tc_sh_lexer_peek(ps) == '}' ? TC_SH_PARAM_BAD : TC_SH_PARAM_SLICE;
    param->offset = tc_sh_lexer_arith(ps, TC_SH_IN_SLICE);
    if (!param->offset || tc_sh_lexer_peek(ps) != ':')
        return param->offset != NULL;
    ps->at++;
    param->length = tc_sh_lexer_arith(ps, TC_SH_IN_SLICE);
    return param->length != NULL;
}

static bool replace(struct tc_sh_parse *ps, struct tc_sh_param *param)
{
    int c = tc_sh_lexer_peek(ps);

    param->op = TC_SH_PARAM_REPLACE;
    param->all = c == '/';
    if (c == '#' || c == '%')
        param->anchor = (char)c;
    ps->at += param->all || param->anchor;
    if (param->anchor && tc_sh_lexer_peek(ps) == '/') { /* an empty pattern is at either end: ${x/#/new} */
        ps->at++;
        return argument(ps, TC_SH_IN_BRACE, false, &param->arg2);
    }
    if (!argument(ps, TC_SH_IN_REPLACE, false, &param->arg))
        return false;
    if (tc_sh_lexer_peek(ps) != '/')
        return true;
    ps->at++;
    return argument(ps, TC_SH_IN_BRACE, false, &param->arg2);
}

/* # % ^ , ~ with their doubled forms. */
static bool pattern(struct tc_sh_parse *ps, struct tc_sh_param *param, int op, bool optional)
{
    if (tc_sh_lexer_peek(ps) == op) {
        param->all = true;
        ps->at++;
    }
    return (optional && tc_sh_lexer_peek(ps) == '}') || argument(ps, TC_SH_IN_BRACE, false, &param->arg);
}

static bool names_or_transform(struct tc_sh_parse *ps, struct tc_sh_param *param, int c)
{
    int letter = tc_sh_lexer_peek(ps);

    if (param->indirect && letter == '}') {
        param->op = TC_SH_PARAM_NAMES;
        param->letter = (char)c;
        param->indirect = false;
        return true;
    }
    param->op = TC_SH_PARAM_BAD;
    param->letter = (char)c;
    if (c == '@' && letter > 0 && strchr("UuLQEPAaKk", letter) && tc_sh_lexer_ahead(ps, 1) == '}') {
        param->op = TC_SH_PARAM_TRANSFORM;
        param->letter = (char)letter;
        ps->at++;
    }
    return true;
}

static enum tc_sh_param_op word_op(int c)
{
    return c == '-'   ? TC_SH_PARAM_DEFAULT
           : c == '=' ? TC_SH_PARAM_ASSIGN
           : c == '?' ? TC_SH_PARAM_ERROR
                      : TC_SH_PARAM_ALTERNATE;
}

/* What stands between the name and '}'. */
static bool operation(struct tc_sh_parse *ps, struct tc_sh_param *param, bool dquote)
{
    int c = tc_sh_lexer_ahead(ps, 0), next = tc_sh_lexer_ahead(ps, 1);

    ps->at++;
    switch (c) {
    case ':':
        if (next != '-' && next != '=' && next != '?' && next != '+')
            return slice(ps, param);
        param->colon = true;
        ps->at++;
        c = next;
        /* fallthrough */
    case '-':
    case '=':
    case '?':
    case '+':
        param->op = word_op(c);
        return argument(ps, TC_SH_IN_BRACE, dquote, &param->arg);
    case '#':
    case '%':
        param->op = c == '#' ? TC_SH_PARAM_PREFIX : TC_SH_PARAM_SUFFIX;
        return pattern(ps, param, c, false);
    case '^':
    case ',':
    case '~':
        param->op = c == '^' ? TC_SH_PARAM_UPPER : c == ',' ? TC_SH_PARAM_LOWER : TC_SH_PARAM_TOGGLE;
        return pattern(ps, param, c, true);
    case '/':
        return replace(ps, param);
    case '@':
    case '*':
        return names_or_transform(ps, param, c);
    default:
        ps->at--;
        param->op = TC_SH_PARAM_BAD;
        return true;
    }
}

/* A form that is none from the start on: its text is looked at as any other. */
static bool no_form(struct tc_sh_parse *ps, struct tc_sh_param *param, size_t start)
{
    param->op = TC_SH_PARAM_BAD;
    ps->at = start;
    return true;
}

static bool has_operation(int c)
{
    return strchr(":-=?+#%^,~/@*", c) != NULL;
}

/* Behind "${", up to what should be '}'. */
static bool form(struct tc_sh_parse *ps, struct tc_sh_param *param, bool dquote)
{
    size_t n, start = ps->at;
    int c;

    prefix(ps, param);
    n = name_length(ps, 0);
    param->name = tc_str_n(ps->text.p + ps->at, n);
    ps->at += n;
    if (n == 0)
        return no_form(ps, param, start);
    if (!subscript(ps, param))
        return false;
    c = tc_sh_lexer_peek(ps);
    if (c != '}' && c != -1 && !has_operation(c) && !param->subscript)
        return no_form(ps, param, start);
    if (c != '}' && c != -1 && param->op == TC_SH_PARAM_LENGTH)
        param->op = TC_SH_PARAM_BAD;
    if (c == '}' && param->indirect && param->subscript && param->subscript->kind != TC_SH_SUB_ONE) {
        param->op = TC_SH_PARAM_KEYS;
        param->indirect = false;
    }
    return c == '}' || c == -1 || param->op != TC_SH_PARAM_VALUE || operation(ps, param, dquote);
}

bool tc_sh_scan_param(struct tc_sh_parse *ps, struct tc_sh_scan *scan)
{
    struct tc_sh_mark mark = tc_sh_lexer_mark(ps);
    struct tc_sh_part part = {.kind = TC_SH_PARAM, .quoted = scan->dquote};
    struct tc_sh_word *rest;
    int line = ps->line;

    part.param = TC_ARENA_NEW(ps->cx->arena, struct tc_sh_param);
    if (!part.param)
        return tc_sh_lexer_fail_memory(ps);
    if (!tc_sh_scan_flush(ps, scan) || !tc_sh_lexer_enter(ps))
        return false;
    ps->at += 2;
    if (!form(ps, part.param, scan->dquote))
        return false;
    if (tc_sh_lexer_peek(ps) != '}' && tc_sh_lexer_peek(ps) != -1) {
        part.param->op = TC_SH_PARAM_BAD;
        if (!argument(ps, TC_SH_IN_BRACE, scan->dquote, &rest))
            return false;
    }
    ps->depth--;
    if (tc_sh_lexer_peek(ps) == -1)
        return tc_sh_lexer_fail_open(ps, line, '}');
    ps->at++;
    part.param->source = tc_sh_lexer_source(ps, &mark);
    return tc_sh_scan_part(ps, scan, part);
}
