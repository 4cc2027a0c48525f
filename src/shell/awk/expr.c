/*
 * Expressions, by precedence: ?: || && in ~ < concatenation + * unary ^ ++ $ and
 * operands. An assignment is read where its left side stands, so that `a && b = 1`
 * and `! x = y` are what they are for gawk.
 */
#include "shell/awk/parser.h"

/* Levels of binary operators, the loosest first. */
enum { LEVEL_OR = 1, LEVEL_AND, LEVEL_IN, LEVEL_MATCH, LEVEL_COMPARE, LEVEL_CONCAT, LEVEL_ADD, LEVEL_MUL };

static struct awk_node *parse_level(struct awk_parser *p, int level, unsigned flags);
static struct awk_node *parse_unary(struct awk_parser *p, unsigned flags);

static bool is_lvalue(const struct awk_node *node)
{
    return node && (node->kind == AWK_N_VAR || node->kind == AWK_N_FIELD || node->kind == AWK_N_ELEMENT);
}

static bool is_assignment(enum awk_token_kind kind)
{
    return kind >= AWK_T_ASSIGN && kind <= AWK_T_POW_TO;
}

/* The arithmetic that a token of assignment does. */
static int change_of(enum awk_token_kind kind)
{
    static const int ops[] = {AWK_T_PLUS, AWK_T_MINUS, AWK_T_STAR, AWK_T_SLASH, AWK_T_PERCENT, AWK_T_POWER};

    return ops[kind - AWK_T_ADD_TO];
}

static bool check_divisor(struct awk_parser *p, int op, const struct awk_node *by)
{
    if ((op != AWK_T_SLASH && op != AWK_T_PERCENT) || !by || by->kind != AWK_N_NUMBER || by->num != 0)
        return true;
    tc_awk_error(&p->lexer, "error: ", "division by zero attempted%s", op == AWK_T_PERCENT ? " in `%'" : "");
    return false;
}

static struct awk_node *parse_assignment(struct awk_parser *p, struct awk_node *left, unsigned flags)
{
    enum awk_token_kind kind = p->lexer.token.kind;
    struct awk_node *node, *right;

    tc_awk_next(p);
    tc_awk_skip_newlines(p);
    right = tc_awk_parse_expr(p, flags);
    if (kind == AWK_T_ASSIGN)
        return tc_awk_node_of(p, AWK_N_ASSIGN, left, right);
    if (!check_divisor(p, change_of(kind), right))
        return NULL;
    node = tc_awk_node_of(p, AWK_N_CHANGE, left, right);
    if (node)
        node->op = change_of(kind);
    return node;
}

struct awk_node *tc_awk_parse_list(struct awk_parser *p, unsigned flags, int *ret_n)
{
    struct awk_node *first = NULL, **end = &first;

    *ret_n = 0;
    for (;;) {
        *end = tc_awk_parse_expr(p, flags);
        if (!*end)
            return NULL;
        end = &(*end)->next;
        ++*ret_n;
        if (!tc_awk_accept(p, AWK_T_COMMA))
            return first;
        tc_awk_skip_newlines(p);
    }
}

static void list_depth(struct awk_node *node)
{
    for (const struct awk_node *arg = node->a; arg; arg = arg->next)
        if (arg->depth >= node->depth)
            node->depth = arg->depth + 1;
}

/* [a, b][c]… behind a name. */
static struct awk_node *parse_subscripts(struct awk_parser *p, struct awk_node *array)
{
    while (array && tc_awk_accept(p, AWK_T_LBRACKET)) {
        int n;
        struct awk_node *key = tc_awk_parse_list(p, 0, &n), *join;

        if (key && n > 1) {
            join = tc_awk_node(p, AWK_N_JOIN);
            if (!join)
                return NULL;
            join->a = key;
            join->n = n;
            list_depth(join);
            key = join;
        }
        if (!tc_awk_expect(p, AWK_T_RBRACKET))
            return NULL;
        array = tc_awk_node_of(p, AWK_N_ELEMENT, array, key);
    }
    return array;
}

struct awk_node *tc_awk_parse_name(struct awk_parser *p)
{
    struct tc_str name = p->lexer.token.text;
    struct awk_node *node = tc_awk_node(p, AWK_N_VAR);

    if (!node)
        return NULL;
    node->text = name;
    node->slot = -1;
    for (int i = 0; i < p->n_params; i++)
        if (tc_str_eq(p->params[i], name)) {
            node->slot = i;
            node->local = true;
        }
    if (node->slot < 0)
        node->slot = tc_awk_program_global(p->arena, p->program, name);
    if (node->slot < 0)
        return NULL;
    tc_awk_next(p);
    return parse_subscripts(p, node);
}

/* Arguments and the closing parenthesis; the opening one is the current token. */
static bool parse_arguments(struct awk_parser *p, struct awk_node *call)
{
    tc_awk_next(p);
    tc_awk_skip_newlines(p);
    if (!tc_awk_at(p, AWK_T_RPAREN)) {
        call->a = tc_awk_parse_list(p, 0, &call->n);
        if (!call->a)
            return false;
        list_depth(call);
    }
    tc_awk_skip_newlines(p);
    if (call->n > AWK_PARAMS_MAX)
        tc_awk_fault(&p->lexer, "too many arguments");
    return !p->lexer.failed && (call->kind == AWK_N_BUILTIN || tc_awk_expect(p, AWK_T_RPAREN));
}

static struct awk_node *parse_call(struct awk_parser *p)
{
    struct awk_node *call = tc_awk_node(p, AWK_N_CALL);
    struct tc_str name = p->lexer.token.text;

    if (!call)
        return NULL;
    for (int i = 0; i < p->n_params; i++)
        if (tc_str_eq(p->params[i], name)) {
            tc_awk_error(&p->lexer, "error: ", "attempt to use non-function `%.*s' in function call", TC_STR_ARG(name));
            return NULL;
        }
    if (!tc_awk_function(p, name, &call->slot))
        return NULL;
    tc_awk_next(p);
    return parse_arguments(p, call) ? call : NULL;
}

static struct awk_node *parse_builtin(struct awk_parser *p)
{
    struct awk_node *call = tc_awk_node(p, AWK_N_BUILTIN);
    const struct awk_builtin *builtin = p->lexer.token.builtin;

    if (!call)
        return NULL;
    call->builtin = builtin;
    tc_awk_next(p);
    if (!tc_awk_at(p, AWK_T_LPAREN)) {
        if (builtin->min == 0 && tc_str_is(tc_str_of(builtin->name), "length"))
            return call;
        tc_awk_syntax(p);
        return NULL;
    }
    if (!parse_arguments(p, call))
        return NULL;
    if (tc_awk_at(p, AWK_T_RPAREN) && (call->n < builtin->min || call->n > builtin->max)) {
        tc_awk_fault(&p->lexer, "%d is invalid as number of arguments for %s", call->n, builtin->name);
        return NULL;
    }
    return tc_awk_expect(p, AWK_T_RPAREN) ? call : NULL;
}

/* The place that getline writes to, when one follows. */
static bool parse_getline_target(struct awk_parser *p, struct awk_node *getline)
{
    struct awk_node *field;

    if (tc_awk_at(p, AWK_T_NAME)) {
        getline->a = tc_awk_parse_name(p);
        return getline->a != NULL;
    }
    if (!tc_awk_at(p, AWK_T_DOLLAR))
        return true;
    tc_awk_next(p);
    field = tc_awk_node_of(p, AWK_N_FIELD, tc_awk_parse_target(p, false), NULL);
    getline->a = field;
    return field != NULL;
}

static struct awk_node *parse_getline(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_GETLINE);

    tc_awk_next(p);
    if (!node || !parse_getline_target(p, node))
        return NULL;
    if (tc_awk_accept(p, AWK_T_LT)) {
        node->op = AWK_T_LT;
        node->b = tc_awk_parse_target(p, false);
        if (!node->b)
            return NULL;
    }
    return node;
}

/* ( … ): a group, or a list that `in` or print wants. */
static struct awk_node *parse_group(struct awk_parser *p, unsigned flags)
{
    struct awk_node *node, *first;
    int n;

    tc_awk_next(p);
    tc_awk_skip_newlines(p);
    first = tc_awk_parse_list(p, 0, &n);
    tc_awk_skip_newlines(p);
    if (!first || !tc_awk_expect(p, AWK_T_RPAREN))
        return NULL;
    if (n == 1)
        return tc_awk_node_of(p, AWK_N_GROUP, first, NULL);
    node = tc_awk_node(p, AWK_N_LIST);
    if (!node)
        return NULL;
    node->a = first;
    node->n = n;
    list_depth(node);
    if (!tc_awk_at(p, AWK_T_IN) && !(flags & AWK_NO_GT)) {
        tc_awk_syntax(p);
        return NULL;
    }
    return node;
}

static struct awk_node *parse_constant(struct awk_parser *p, enum awk_node_kind kind)
{
    struct awk_node *node = tc_awk_node(p, kind);

    if (!node)
        return NULL;
    node->num = p->lexer.token.num;
    node->text = p->lexer.token.text;
    tc_awk_next(p);
    return node;
}

/* @/regex/ and @name(…). */
static struct awk_node *parse_at(struct awk_parser *p)
{
    struct awk_node *node;

    tc_awk_next(p);
    if (tc_awk_at(p, AWK_T_SLASH) || tc_awk_at(p, AWK_T_DIV_TO)) {
        tc_awk_lex_regex(&p->lexer);
        return tc_awk_at(p, AWK_T_REGEX) ? parse_constant(p, AWK_N_TYPED) : NULL;
    }
    if (!tc_awk_at(p, AWK_T_FUNC_NAME)) {
        tc_awk_syntax(p);
        return NULL;
    }
    node = tc_awk_node(p, AWK_N_INDIRECT);
    if (!node)
        return NULL;
    node->b = tc_awk_parse_name(p);
    return node->b && parse_arguments(p, node) ? node : NULL;
}

/* A name with a space before "(": a call when it is a function's. */
static struct awk_node *parse_variable(struct awk_parser *p)
{
    struct tc_str name = p->lexer.token.text;

    if (tc_map_get(&p->program->function_slots, name)) {
        tc_awk_error(&p->lexer, "error: ", "function `%.*s' called with space between name and `(',\n"
                     "or used as a variable or an array", TC_STR_ARG(name));
        return NULL;
    }
    return tc_awk_parse_name(p);
}

static struct awk_node *parse_operand(struct awk_parser *p, unsigned flags)
{
    switch (p->lexer.token.kind) {
    case AWK_T_NUMBER:
        return parse_constant(p, AWK_N_NUMBER);
    case AWK_T_STRING:
        return parse_constant(p, AWK_N_STRING);
    case AWK_T_SLASH:
    case AWK_T_DIV_TO:
        tc_awk_lex_regex(&p->lexer);
        return tc_awk_at(p, AWK_T_REGEX) ? parse_constant(p, AWK_N_REGEX) : NULL;
    case AWK_T_NAME:
        return parse_variable(p);
    case AWK_T_FUNC_NAME:
        return parse_call(p);
    case AWK_T_BUILTIN:
        return parse_builtin(p);
    case AWK_T_GETLINE:
        return parse_getline(p);
    case AWK_T_LPAREN:
        return parse_group(p, flags);
    case AWK_T_AT:
        return parse_at(p);
    default:
        tc_awk_syntax(p);
        return NULL;
    }
}

static struct awk_node *step(struct awk_parser *p, struct awk_node *of, int op, bool prefix)
{
    struct awk_node *node = tc_awk_node_of(p, AWK_N_STEP, of, NULL);

    if (node) {
        node->op = op;
        node->prefix = prefix;
    }
    return node;
}

/* An operand with $ and ++ around it, not yet with ^. */
static struct awk_node *parse_postfix(struct awk_parser *p, unsigned flags)
{
    struct awk_node *node;
    int op = p->lexer.token.kind;

    if (!tc_awk_enter(p))
        return NULL;
    if (op == AWK_T_DOLLAR) {
        tc_awk_next(p);
        if (tc_awk_at(p, AWK_T_MINUS) || tc_awk_at(p, AWK_T_PLUS) || tc_awk_at(p, AWK_T_NOT)) {
            op = p->lexer.token.kind;
            tc_awk_next(p);
            node = tc_awk_node_of(p, op == AWK_T_MINUS ? AWK_N_MINUS : op == AWK_T_NOT ? AWK_N_NOT : AWK_N_PLUS,
                                  parse_postfix(p, flags), NULL);
        } else if (tc_awk_at(p, AWK_T_INCR) || tc_awk_at(p, AWK_T_DECR) || tc_awk_at(p, AWK_T_DOLLAR)) {
            node = parse_postfix(p, flags);
        } else {
            node = parse_operand(p, 0);
        }
        node = tc_awk_node_of(p, AWK_N_FIELD, node, NULL);
    } else if (op == AWK_T_INCR || op == AWK_T_DECR) {
        tc_awk_next(p);
        node = parse_postfix(p, flags);
        if (node && !is_lvalue(node)) {
            tc_awk_syntax(p);
            node = NULL;
        }
        node = node ? step(p, node, op, true) : NULL;
    } else {
        node = parse_operand(p, flags);
    }
    if (is_lvalue(node) && (tc_awk_at(p, AWK_T_INCR) || tc_awk_at(p, AWK_T_DECR))) {
        op = p->lexer.token.kind;
        tc_awk_next(p);
        node = step(p, node, op, false);
    }
    tc_awk_leave(p);
    return node;
}

static struct awk_node *binary(struct awk_parser *p, enum awk_node_kind kind, int op, struct awk_node *a,
                               struct awk_node *b)
{
    struct awk_node *node = check_divisor(p, op, b) ? tc_awk_node_of(p, kind, a, b) : NULL;

    if (node)
        node->op = op;
    return node;
}

static struct awk_node *parse_power(struct awk_parser *p, unsigned flags)
{
    struct awk_node *node = parse_postfix(p, flags);

    if (is_lvalue(node) && is_assignment(p->lexer.token.kind))
        return parse_assignment(p, node, flags);
    if (!node || !tc_awk_accept(p, AWK_T_POWER))
        return node;
    return binary(p, AWK_N_BINARY, AWK_T_POWER, node, parse_unary(p, flags)); /* 2 ^ -3, and from the right */
}

static struct awk_node *parse_unary(struct awk_parser *p, unsigned flags)
{
    enum awk_token_kind op = p->lexer.token.kind;
    struct awk_node *node;

    if (op != AWK_T_MINUS && op != AWK_T_PLUS && op != AWK_T_NOT)
        return parse_power(p, flags);
    if (!tc_awk_enter(p))
        return NULL;
    tc_awk_next(p);
    node = parse_unary(p, flags);
    tc_awk_leave(p);
    if (op == AWK_T_NOT)
        return tc_awk_node_of(p, AWK_N_NOT, node, NULL);
    return tc_awk_node_of(p, op == AWK_T_MINUS ? AWK_N_MINUS : AWK_N_PLUS, node, NULL);
}

static bool starts_operand(enum awk_token_kind kind)
{
    switch (kind) {
    case AWK_T_NUMBER:
    case AWK_T_STRING:
    case AWK_T_NAME:
    case AWK_T_FUNC_NAME:
    case AWK_T_BUILTIN:
    case AWK_T_DOLLAR:
    case AWK_T_NOT:
    case AWK_T_LPAREN:
    case AWK_T_MINUS:
    case AWK_T_PLUS:
    case AWK_T_INCR:
    case AWK_T_DECR:
    case AWK_T_AT:
        return true;
    default:
        return false;
    }
}

/* "cmd" | getline, as often as it stands there. */
static struct awk_node *parse_piped(struct awk_parser *p, struct awk_node *command)
{
    while (command && tc_awk_at(p, AWK_T_PIPE)) {
        struct awk_lexer before = p->lexer;
        struct awk_node *node;

        tc_awk_next(p);
        if (!tc_awk_at(p, AWK_T_GETLINE)) {
            p->lexer = before;
            return command;
        }
        node = tc_awk_node(p, AWK_N_GETLINE);
        tc_awk_next(p);
        if (!node || !parse_getline_target(p, node))
            return NULL;
        node->op = AWK_T_PIPE;
        node->b = command;
        node->depth = command->depth + 1;
        command = node;
    }
    return command;
}

static struct awk_node *parse_concat(struct awk_parser *p, unsigned flags)
{
    struct awk_node *first = parse_level(p, LEVEL_ADD, flags), **end, *node;

    if (!first || !starts_operand(p->lexer.token.kind) || first->kind == AWK_N_LIST)
        return first;
    node = tc_awk_node(p, AWK_N_CONCAT);
    if (!node)
        return NULL;
    node->a = first;
    node->n = 1;
    for (end = &first->next; starts_operand(p->lexer.token.kind); end = &(*end)->next) {
        *end = parse_level(p, LEVEL_ADD, flags);
        if (!*end)
            return NULL;
        node->n++;
    }
    list_depth(node);
    return node;
}

static struct awk_node *parse_in(struct awk_parser *p, struct awk_node *key)
{
    struct awk_node *array;

    if (key->kind == AWK_N_LIST)
        key->kind = AWK_N_JOIN;
    tc_awk_next(p);
    if (!tc_awk_at(p, AWK_T_NAME)) {
        tc_awk_syntax(p);
        return NULL;
    }
    array = tc_awk_parse_name(p);
    return tc_awk_node_of(p, AWK_N_IN, key, array);
}

/* The level of the operator that is the current token; 0 when it is none that is allowed here. */
static int level_of(const struct awk_parser *p, unsigned flags)
{
    switch (p->lexer.token.kind) {
    case AWK_T_OR:
        return LEVEL_OR;
    case AWK_T_AND:
        return LEVEL_AND;
    case AWK_T_IN:
        return flags & AWK_NO_IN ? 0 : LEVEL_IN;
    case AWK_T_MATCH:
    case AWK_T_NOMATCH:
        return LEVEL_MATCH;
    case AWK_T_GT:
        return flags & AWK_NO_GT ? 0 : LEVEL_COMPARE;
    case AWK_T_GE:
    case AWK_T_LT:
    case AWK_T_LE:
    case AWK_T_EQ:
    case AWK_T_NE:
        return LEVEL_COMPARE;
    case AWK_T_PLUS:
    case AWK_T_MINUS:
        return LEVEL_ADD;
    case AWK_T_STAR:
    case AWK_T_SLASH:
    case AWK_T_PERCENT:
        return LEVEL_MUL;
    default:
        return 0;
    }
}

static enum awk_node_kind kind_of(int level)
{
    static const enum awk_node_kind kinds[] = {
        [LEVEL_OR] = AWK_N_OR, [LEVEL_AND] = AWK_N_AND, [LEVEL_MATCH] = AWK_N_MATCH,
        [LEVEL_COMPARE] = AWK_N_COMPARE, [LEVEL_ADD] = AWK_N_BINARY, [LEVEL_MUL] = AWK_N_BINARY};

    return kinds[level];
}

static struct awk_node *parse_tighter(struct awk_parser *p, int level, unsigned flags)
{
    if (level == LEVEL_COMPARE)
        return parse_piped(p, parse_concat(p, flags));
    return level == LEVEL_MUL ? parse_unary(p, flags) : parse_level(p, level + 1, flags);
}

/* Operators of this level and of those that bind tighter. */
static struct awk_node *parse_level(struct awk_parser *p, int level, unsigned flags)
{
    struct awk_node *node = parse_tighter(p, level, flags);

    while (node && level_of(p, flags) == level) {
        int op = p->lexer.token.kind;

        if (level == LEVEL_IN) {
            node = parse_in(p, node);
            continue;
        }
        tc_awk_next(p);
        if (level <= LEVEL_AND)
            tc_awk_skip_newlines(p);
        node = binary(p, kind_of(level), op, node, parse_tighter(p, level, flags));
        if (level == LEVEL_COMPARE) {
            node = parse_piped(p, node);
            if (node && level_of(p, flags) == LEVEL_COMPARE) { /* a < b < c is no expression */
                tc_awk_syntax(p);
                return NULL;
            }
        }
    }
    return node;
}

struct awk_node *tc_awk_parse_target(struct awk_parser *p, bool concatenation)
{
    return concatenation ? parse_concat(p, AWK_NO_GT | AWK_NO_IN) : parse_postfix(p, 0);
}

struct awk_node *tc_awk_parse_expr(struct awk_parser *p, unsigned flags)
{
    struct awk_node *node, *choice;

    if (!tc_awk_enter(p))
        return NULL;
    node = parse_level(p, LEVEL_OR, flags);
    if (node && tc_awk_at(p, AWK_T_QUESTION)) {
        tc_awk_next(p);
        tc_awk_skip_newlines(p);
        choice = tc_awk_node_of(p, AWK_N_CHOICE, node, tc_awk_parse_expr(p, flags));
        tc_awk_skip_newlines(p);
        if (choice && tc_awk_expect(p, AWK_T_COLON)) {
            tc_awk_skip_newlines(p);
            choice->c = tc_awk_parse_expr(p, flags);
            if (choice->c && choice->c->depth >= choice->depth)
                choice->depth = choice->c->depth + 1;
        }
        node = choice && choice->c ? choice : NULL;
    }
    tc_awk_leave(p);
    return node;
}
