/*
 * Expressions to trees, by recursive descent over bash's levels of precedence.
 */
#include "shell/arith_token.h"

enum { DEPTH_MAX = 128 };

static struct tc_sh_arith_node *comma(struct tc_sh_arith_parser *p);
static struct tc_sh_arith_node *assignment(struct tc_sh_arith_parser *p);
static struct tc_sh_arith_node *unary(struct tc_sh_arith_parser *p);

static struct tc_sh_arith_node *name_node(struct tc_sh_arith_parser *p)
{
    struct tc_sh_arith_node *made = tc_sh_arith_add(p, TC_SH_AR_NAME, NULL, NULL);

    if (made) {
        made->name = p->name;
        made->sub = p->sub;
    }
    return made;
}

static struct tc_sh_arith_node *primary(struct tc_sh_arith_parser *p)
{
    struct tc_sh_arith_node *made;
    int token = p->token;

    if (token == TC_SH_TK_BEFORE_INC || token == TC_SH_TK_BEFORE_DEC) {
        tc_sh_arith_next(p);
        if (p->token != TC_SH_TK_NAME) /* there is one, or the token was no ++, but its subscript may be bad */
            return p->error;
        made = tc_sh_arith_add(p, TC_SH_AR_STEP_BEFORE, name_node(p), NULL);
        if (made)
            made->value = token == TC_SH_TK_BEFORE_INC ? 1 : -1;
        p->token = TC_SH_TK_NUMBER; /* --x=7 is an error */
        tc_sh_arith_next(p);
        return made;
    }
    if (token == '(') {
        tc_sh_arith_next(p);
        made = comma(p);
        if (p->token != ')' && p->token != TC_SH_TK_ERROR)
            return tc_sh_arith_add(p, TC_SH_AR_COMMA, made, tc_sh_arith_fail(p, "missing `)'"));
        tc_sh_arith_next(p);
        return made;
    }
    if (token == TC_SH_TK_NUMBER) {
        made = tc_sh_arith_add(p, TC_SH_AR_NUMBER, NULL, NULL);
        if (made)
            made->value = p->number;
        tc_sh_arith_next(p);
        return made;
    }
    if (token != TC_SH_TK_NAME)
        return p->error ? p->error : tc_sh_arith_fail(p, "syntax error: operand expected");
    made = name_node(p);
    tc_sh_arith_next(p);
    if (p->token == TC_SH_TK_BEHIND_INC || p->token == TC_SH_TK_BEHIND_DEC) {
        int64_t by = p->token == TC_SH_TK_BEHIND_INC ? 1 : -1;
        made = tc_sh_arith_add(p, TC_SH_AR_STEP_BEHIND, made, NULL);
        if (made)
            made->value = by;
        p->token = TC_SH_TK_NUMBER;
        tc_sh_arith_next(p);
    }
    return made;
}

static struct tc_sh_arith_node *unary(struct tc_sh_arith_parser *p)
{
    enum tc_sh_arith_op op = p->token == '!'   ? TC_SH_AR_NOT
                             : p->token == '~' ? TC_SH_AR_COMPLEMENT
                             : p->token == '-' ? TC_SH_AR_NEGATE
                             : p->token == '+' ? TC_SH_AR_PLUS
                                               : TC_SH_AR_NUMBER;
    struct tc_sh_arith_node *made;

    if (op == TC_SH_AR_NUMBER)
        return primary(p);
    if (++p->depth > DEPTH_MAX)
        return tc_sh_arith_fail(p, "expression recursion level exceeded");
    tc_sh_arith_next(p);
    made = unary(p);
    p->depth--;
    return tc_sh_arith_add(p, op, made, NULL);
}

static struct tc_sh_arith_node *power(struct tc_sh_arith_parser *p)
{
    struct tc_sh_arith_node *a = unary(p);

    if (p->token != TC_SH_TK_POWER)
        return a;
    if (++p->depth > DEPTH_MAX)
        return tc_sh_arith_fail(p, "expression recursion level exceeded");
    tc_sh_arith_next(p);
    a = tc_sh_arith_add(p, TC_SH_AR_POWER, a, power(p));
    p->depth--;
    return a;
}

/* Left-associative operators by level, the loosest first. */
static const struct {
    int token, level;
    enum tc_sh_arith_op op;
} binary[] = {
    {TC_SH_TK_OR, 0, TC_SH_AR_OR},     {TC_SH_TK_AND, 1, TC_SH_AR_AND},    {'|', 2, TC_SH_AR_BIT_OR},
    {'^', 3, TC_SH_AR_BIT_XOR},        {'&', 4, TC_SH_AR_BIT_AND},         {TC_SH_TK_EQ, 5, TC_SH_AR_EQ},
    {TC_SH_TK_NE, 5, TC_SH_AR_NE},     {TC_SH_TK_LE, 6, TC_SH_AR_LE},      {TC_SH_TK_GE, 6, TC_SH_AR_GE},
    {'<', 6, TC_SH_AR_LT},             {'>', 6, TC_SH_AR_GT},              {TC_SH_TK_LEFT, 7, TC_SH_AR_LEFT},
    {TC_SH_TK_RIGHT, 7, TC_SH_AR_RIGHT}, {'+', 8, TC_SH_AR_ADD},           {'-', 8, TC_SH_AR_SUB},
    {'*', 9, TC_SH_AR_MUL},            {'/', 9, TC_SH_AR_DIV},             {'%', 9, TC_SH_AR_MOD},
};

static bool operator_at(const struct tc_sh_arith_parser *p, int least, size_t *ret_row)
{
    for (size_t i = 0; i < sizeof binary / sizeof *binary; i++) {
        if (binary[i].token == p->token && binary[i].level >= least) {
            *ret_row = i;
            return true;
        }
    }
    return false;
}

/* A node more behind `last` in its chain; `first` is the chain's left operand when there is none yet. */
static struct tc_sh_arith_node *chain(struct tc_sh_arith_parser *p, enum tc_sh_arith_op op,
                                      struct tc_sh_arith_node *last, struct tc_sh_arith_node *first,
                                      struct tc_sh_arith_node *operand)
{
    struct tc_sh_arith_node *made = tc_sh_arith_add(p, op, last ? NULL : first, operand);

    if (last)
        last->c = made;
    return made;
}

/* Operands joined by operators of at least that level; those of one level are a chain, however long. */
static struct tc_sh_arith_node *infix(struct tc_sh_arith_parser *p, int least)
{
    struct tc_sh_arith_node *a = power(p), *last = NULL;
    int level = -1;
    size_t row;

    while (operator_at(p, least, &row) && !p->no_memory) {
        bool same = binary[row].level == level;
        struct tc_sh_arith_node *operand;
        size_t at;
        level = binary[row].level;
        tc_sh_arith_next(p);
        at = p->token_at;
        operand = infix(p, level + 1);
        last = chain(p, binary[row].op, same ? last : NULL, a, operand);
        if (!same)
            a = last;
        if (last)
            last->token = at; /* division by 0 points at what it divides by */
    }
    return a;
}

static struct tc_sh_arith_node *conditional(struct tc_sh_arith_parser *p)
{
    struct tc_sh_arith_node *made, *test = infix(p, 0);

    if (p->token != '?')
        return test;
    if (++p->depth > DEPTH_MAX)
        return tc_sh_arith_fail(p, "expression recursion level exceeded");
    tc_sh_arith_next(p);
    made = tc_sh_arith_add(p, TC_SH_AR_COND, test, NULL);
    if (!made)
        return NULL;
    if (p->token == TC_SH_TK_END || p->token == ':') {
        made->b = made->c = tc_sh_arith_fail(p, "expression expected");
        return made;
    }
    made->b = comma(p);
    if (p->token != ':') {
        made->c = p->error ? p->error : tc_sh_arith_fail(p, "`:' expected for conditional expression");
        return made;
    }
    tc_sh_arith_next(p);
    if (p->token == TC_SH_TK_END)
        made->c = tc_sh_arith_fail(p, "expression expected");
    else
        made->c = conditional(p);
    p->depth--;
    return made;
}

static struct tc_sh_arith_node *assignment(struct tc_sh_arith_parser *p)
{
    struct tc_sh_arith_node *made, *left;

    if (++p->depth > DEPTH_MAX)
        return tc_sh_arith_fail(p, "expression recursion level exceeded");
    left = conditional(p);
    p->depth--;
    if (p->token != '=' && p->token != TC_SH_TK_OP_ASSIGN)
        return left;
    if (!left || left->op != TC_SH_AR_NAME)
        return tc_sh_arith_add(p, TC_SH_AR_COMMA, left, tc_sh_arith_fail(p, "attempted assignment to non-variable"));
    made = tc_sh_arith_add(p, TC_SH_AR_ASSIGN, left, NULL);
    if (!made)
        return NULL;
    made->assign = p->token == '=' ? TC_SH_AR_ASSIGN : p->assign;
    tc_sh_arith_next(p);
    if (++p->depth > DEPTH_MAX)
        return tc_sh_arith_fail(p, "expression recursion level exceeded");
    made->b = assignment(p);
    p->depth--;
    made->value = p->error != NULL; /* then nothing is assigned */
    made->token = p->token_at;
    return made;
}

static struct tc_sh_arith_node *comma(struct tc_sh_arith_parser *p)
{
    struct tc_sh_arith_node *a = assignment(p), *last = NULL;

    while (p->token == ',' && !p->no_memory) {
        tc_sh_arith_next(p);
        last = chain(p, TC_SH_AR_COMMA, last, a, assignment(p));
        if (last && last->a)
            a = last;
    }
    return a;
}

bool tc_sh_arith_parse(struct tc_arena *arena, struct tc_str text, struct tc_sh_arith_tree **ret_tree)
{
    struct tc_sh_arith_tree *tree = TC_ARENA_NEW(arena, struct tc_sh_arith_tree);
    struct tc_sh_arith_parser p = {.arena = arena, .token = TC_SH_TK_END, .last = TC_SH_TK_END};

    if (!tree)
        return false;
    while (text.n && tc_sh_arith_is_blank(text.p[0]))
        text = tc_str_from(text, 1);
    tree->text = p.text = tc_arena_dup(arena, text);
    if (!tree->text.p)
        return false;
    tree->arena = arena;
    *ret_tree = tree;
    if (text.n == 0)
        return true;
    tc_sh_arith_next(&p);
    tree->root = comma(&p);
    if (p.token != TC_SH_TK_END && p.token != TC_SH_TK_ERROR) {
        struct tc_sh_arith_node *error = tc_sh_arith_fail(&p, "syntax error in expression");
        tree->root = tc_sh_arith_add(&p, TC_SH_AR_COMMA, tree->root, error);
    }
    tree->error = p.error;
    return !p.no_memory;
}
