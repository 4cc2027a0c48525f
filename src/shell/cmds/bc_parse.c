/*
 * Reading of bc: expressions, and what faults and extensions are told with.
 */
#include "shell/cmds/bc_parse.h"

void *tc_bc_fault_of(struct bc *bc, const char *message)
{
    if (!bc->syntax_error) {
        tc_cmd_flush(bc->call->out);
        tc_cmd_printf(bc->call->err, "%.*s %u: %s\n", TC_STR_ARG(bc->name), bc->line, message);
    }
    bc->syntax_error = true;
    return NULL;
}

void *tc_bc_fault(struct bc *bc)
{
    return tc_bc_fault_of(bc, "syntax error");
}

void tc_bc_extension(struct bc *bc, const char *what, struct tc_str name)
{
    if (bc->syntax_error || bc->extensions == BC_ALL)
        return;
    tc_cmd_flush(bc->call->out);
    tc_cmd_printf(bc->call->err, "%.*s %u: %s%s%.*s\n", TC_STR_ARG(bc->name), bc->line,
                  bc->extensions == BC_WARN ? "(Warning) " : "Error: ", what, TC_STR_ARG(name));
    bc->refused |= bc->extensions == BC_STANDARD;
}

void tc_bc_extension_if(struct bc *bc, bool is, const char *what)
{
    if (is)
        tc_bc_extension(bc, what, TC_STR(""));
}

bool tc_bc_compares(const struct bc_node *made)
{
    return made && made->kind == BC_BINARY && !strchr("+-*/%^", made->op);
}

bool tc_bc_accept(struct bc *bc, int token)
{
    if (bc->syntax_error || bc->token != token)
        return false;
    tc_bc_advance(bc);
    return true;
}

bool tc_bc_expect(struct bc *bc, int token)
{
    if (tc_bc_accept(bc, token))
        return true;
    tc_bc_fault(bc);
    return false;
}

bool tc_bc_accept_name(struct bc *bc, const char *name)
{
    if (bc->token != BC_NAME || !tc_str_is(bc->token_text, name))
        return false;
    return tc_bc_accept(bc, BC_NAME);
}

struct bc_node *tc_bc_node(struct bc *bc, enum bc_kind kind, struct bc_node *a, struct bc_node *b)
{
    struct bc_node *made = bc->syntax_error ? NULL : TC_ARENA_NEW(bc->call->arena, struct bc_node);

    if (!made)
        return NULL;
    made->kind = kind;
    made->a = a;
    made->b = b;
    return made;
}

/* What a name stands for in its table, made when it is new. */
static void *named(struct bc *bc, struct tc_map *map, struct tc_str name, size_t size)
{
    void *found = tc_map_get(map, name);

    if (found)
        return found;
    found = tc_arena_zalloc(bc->call->arena, 1, size);
    if (found && tc_map_put(map, name, found))
        return found;
    bc->stop = bc->halted = bc->syntax_error = true;
    tc_cmd_fail_memory(bc->call);
    return NULL;
}

struct bc_var *tc_bc_var(struct bc *bc, struct tc_str name)
{
    return named(bc, &bc->vars, name, sizeof(struct bc_var));
}

struct bc_array *tc_bc_array_of(struct bc *bc, struct tc_str name)
{
    return named(bc, &bc->arrays, name, sizeof(struct bc_array));
}

struct bc_function *tc_bc_function_of(struct bc *bc, struct tc_str name)
{
    struct bc_function *function = named(bc, &bc->functions, name, sizeof(*function));

    if (function)
        function->name = name;
    return function;
}

/* An argument: an expression, or an array as "a[]". */
static struct bc_node *argument(struct bc *bc)
{
    struct tc_str name = bc->token_text;
    struct bc_node *made;
    size_t at = bc->at;

    if (bc->token != BC_NAME || tc_bc_peek(bc, 0) != '[')
        return tc_bc_parse_expr(bc);
    for (at++; at < bc->text.n && bc->text.p[at] == ' '; at++)
        ;
    if (at >= bc->text.n || bc->text.p[at] != ']')
        return tc_bc_parse_expr(bc);
    tc_bc_advance(bc);
    tc_bc_advance(bc);
    tc_bc_advance(bc);
    made = tc_bc_node(bc, BC_ARRAY_ARG, NULL, NULL);
    if (made)
        made->array = tc_bc_array_of(bc, name);
    return made;
}

static struct bc_node *parse_call(struct bc *bc, struct tc_str name)
{
    struct bc_node *call = tc_bc_node(bc, BC_CALL, NULL, NULL), **end;

    if (!call)
        return NULL;
    call->function = tc_bc_function_of(bc, name);
    for (end = &call->a; bc->token != ')' && !bc->syntax_error; end = &(*end)->next) {
        *end = argument(bc);
        if (!*end || (bc->token != ')' && !tc_bc_expect(bc, ',')))
            return NULL;
    }
    return tc_bc_expect(bc, ')') ? call : NULL;
}

static struct bc_node *parse_inner(struct bc *bc, enum bc_kind kind)
{
    struct bc_node *inner;

    if (!tc_bc_expect(bc, '('))
        return NULL;
    inner = tc_bc_parse_expr(bc);
    return inner && tc_bc_expect(bc, ')') ? tc_bc_node(bc, kind, inner, NULL) : NULL;
}

static struct bc_node *special(struct bc *bc, enum bc_special which)
{
    struct bc_node *made = tc_bc_node(bc, BC_SPECIAL, NULL, NULL);

    if (made)
        made->op = which;
    return made;
}

static struct bc_node *parse_name(struct bc *bc)
{
    static const char *const keywords[] = {"auto", "define", "else", "quit", "void"};
    struct tc_str name = bc->token_text;
    struct bc_node *made, *index;

    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (tc_str_is(name, keywords[i]))
            return tc_bc_fault(bc);
    tc_bc_advance(bc);
    if (tc_str_is(name, "sqrt"))
        return parse_inner(bc, BC_SQRT);
    if (tc_str_is(name, "length"))
        return parse_inner(bc, BC_LENGTH);
    if (tc_str_is(name, "scale"))
        return bc->token == '(' ? parse_inner(bc, BC_SCALE_OF) : special(bc, BC_SCALE);
    if (tc_str_is(name, "ibase"))
        return special(bc, BC_IBASE);
    if (tc_str_is(name, "obase"))
        return special(bc, BC_OBASE);
    if (tc_str_is(name, "last")) {
        tc_bc_extension(bc, "Last variable", TC_STR(""));
        return special(bc, BC_LAST);
    }
    if (name.n > 1)
        tc_bc_extension(bc, "multiple letter name - ", name);
    if (tc_bc_accept(bc, '('))
        return parse_call(bc, name);
    if (tc_bc_accept(bc, '[')) {
        index = tc_bc_parse_expr(bc);
        made = index && tc_bc_expect(bc, ']') ? tc_bc_node(bc, BC_ELEMENT, index, NULL) : NULL;
        if (made)
            made->array = tc_bc_array_of(bc, name);
        return made;
    }
    made = tc_bc_node(bc, BC_VAR, NULL, NULL);
    if (made)
        made->var = tc_bc_var(bc, name);
    return made;
}

static struct bc_node *parse_primary(struct bc *bc)
{
    struct bc_node *made;

    if (bc->token == BC_NUM) {
        made = tc_bc_node(bc, BC_NUMBER, NULL, NULL);
        if (made)
            made->text = bc->token_text;
        tc_bc_advance(bc);
        return made;
    }
    if (bc->token == BC_NAME)
        return parse_name(bc);
    if (tc_bc_accept(bc, '.')) {
        tc_bc_extension(bc, "Last variable", TC_STR(""));
        return special(bc, BC_LAST);
    }
    if (tc_bc_accept(bc, '(')) {
        made = tc_bc_parse_expr(bc);
        return made && tc_bc_expect(bc, ')') ? tc_bc_node(bc, BC_GROUP, made, NULL) : NULL;
    }
    return tc_bc_fault(bc);
}

static bool is_lvalue(const struct bc_node *made)
{
    return made && (made->kind == BC_VAR || made->kind == BC_ELEMENT || made->kind == BC_SPECIAL);
}

static struct bc_node *step(struct bc *bc, struct bc_node *of, int op, bool prefix)
{
    struct bc_node *made = is_lvalue(of) ? tc_bc_node(bc, BC_STEP, of, NULL) : tc_bc_fault(bc);

    if (made) {
        made->op = op;
        made->prefix = prefix;
    }
    return made;
}

static struct bc_node *parse_unary(struct bc *bc)
{
    struct bc_node *made;
    int op = bc->token;

    if (++bc->depth > BC_DEPTH_MAX)
        return tc_bc_fault(bc);
    if (tc_bc_accept(bc, '-')) {
        made = parse_unary(bc);
        made = made ? tc_bc_node(bc, BC_NEGATE, made, NULL) : NULL;
    } else if (tc_bc_accept(bc, BC_INCR) || tc_bc_accept(bc, BC_DECR)) {
        made = step(bc, parse_primary(bc), op, true);
    } else {
        made = parse_primary(bc);
        if (is_lvalue(made) && (bc->token == BC_INCR || bc->token == BC_DECR)) {
            op = bc->token;
            tc_bc_advance(bc);
            made = step(bc, made, op, false);
        }
    }
    bc->depth--;
    return made;
}

static struct bc_node *binary(struct bc *bc, int op, struct bc_node *a, struct bc_node *b)
{
    struct bc_node *made = a && b ? tc_bc_node(bc, BC_BINARY, a, b) : NULL;

    if (made)
        made->op = op;
    return made;
}

static struct bc_node *parse_power(struct bc *bc)
{
    struct bc_node *left = parse_unary(bc);

    if (!left || bc->token != '^')
        return left;
    tc_bc_advance(bc);
    return binary(bc, '^', left, parse_power(bc));
}

static struct bc_node *parse_product(struct bc *bc)
{
    struct bc_node *left = parse_power(bc);

    while (left && (bc->token == '*' || bc->token == '/' || bc->token == '%')) {
        int op = bc->token;

        tc_bc_advance(bc);
        left = binary(bc, op, left, parse_power(bc));
    }
    return left;
}

static struct bc_node *parse_sum(struct bc *bc)
{
    struct bc_node *left = parse_product(bc);

    while (left && (bc->token == '+' || bc->token == '-')) {
        int op = bc->token;

        tc_bc_advance(bc);
        left = binary(bc, op, left, parse_product(bc));
    }
    return left;
}

static struct bc_node *parse_assignment(struct bc *bc)
{
    struct bc_node *left = parse_sum(bc), *right;
    int op = bc->assign_op;

    if (!left || bc->token != BC_ASSIGN_OP)
        return left;
    if (!is_lvalue(left))
        return tc_bc_fault(bc);
    tc_bc_advance(bc);
    right = parse_assignment(bc);
    left = right ? tc_bc_node(bc, BC_ASSIGN, left, right) : NULL;
    if (left)
        left->op = op;
    return left;
}

static struct bc_node *parse_relation(struct bc *bc)
{
    struct bc_node *left = parse_assignment(bc);
    int op = bc->token;

    if (!left || !(op == '<' || op == '>' || op == BC_LE || op == BC_GE || op == BC_EQ || op == BC_NE))
        return left;
    tc_bc_advance(bc);
    return binary(bc, op, left, parse_assignment(bc));
}

static struct bc_node *parse_not(struct bc *bc)
{
    struct bc_node *made;

    if (!tc_bc_accept(bc, '!'))
        return parse_relation(bc);
    made = parse_not(bc);
    tc_bc_extension_if(bc, made, "! operator");
    return made ? tc_bc_node(bc, BC_NOT, made, NULL) : NULL;
}

static struct bc_node *parse_and(struct bc *bc)
{
    struct bc_node *left = parse_not(bc), *right;

    while (left && tc_bc_accept(bc, BC_ANDAND)) {
        tc_bc_extension(bc, "&& operator", TC_STR(""));
        right = parse_not(bc);
        left = right ? tc_bc_node(bc, BC_AND, left, right) : NULL;
    }
    return left;
}

struct bc_node *tc_bc_parse_expr(struct bc *bc)
{
    struct bc_node *left, *right;

    if (++bc->depth > BC_DEPTH_MAX)
        return tc_bc_fault(bc);
    left = parse_and(bc);
    while (left && tc_bc_accept(bc, BC_OROR)) {
        tc_bc_extension(bc, "|| operator", TC_STR(""));
        right = parse_and(bc);
        left = right ? tc_bc_node(bc, BC_OR, left, right) : NULL;
    }
    bc->depth--;
    return left;
}
