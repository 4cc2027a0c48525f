/*
 * Statements: simple ones, and those that hold others.
 */
#include "shell/awk/parser.h"
#include "shell/awk/special.h"

static struct awk_node *parse_statement(struct awk_parser *p);

/* --- simple statements --- */

static bool ends_statement(const struct awk_parser *p)
{
    return tc_awk_at(p, AWK_T_NEWLINE) || tc_awk_at(p, AWK_T_SEMI) || tc_awk_at(p, AWK_T_RBRACE) ||
           tc_awk_at(p, AWK_T_END);
}

static bool parse_redirection(struct awk_parser *p, struct awk_node *print)
{
    int op = p->lexer.token.kind;

    if (op == AWK_T_PIPE_BOTH) {
        tc_awk_error(&p->lexer, "error: ", "two-way pipes are not supported here");
        return false;
    }
    if (op != AWK_T_GT && op != AWK_T_APPEND && op != AWK_T_PIPE)
        return true;
    tc_awk_next(p);
    print->op = op;
    print->b = tc_awk_parse_target(p, true);
    return print->b != NULL;
}

static struct awk_node *parse_print(struct awk_parser *p)
{
    struct awk_node *print = tc_awk_node(p, tc_awk_at(p, AWK_T_PRINT) ? AWK_N_PRINT : AWK_N_PRINTF);

    tc_awk_next(p);
    if (!print)
        return NULL;
    if (!ends_statement(p) && !tc_awk_at(p, AWK_T_GT) && !tc_awk_at(p, AWK_T_APPEND) && !tc_awk_at(p, AWK_T_PIPE)) {
        print->a = tc_awk_parse_list(p, AWK_NO_GT, &print->n);
        if (!print->a)
            return NULL;
        if (print->a->kind == AWK_N_LIST && print->n == 1) {
            print->n = print->a->n;
            print->a = print->a->a;
        }
        for (const struct awk_node *arg = print->a; arg; arg = arg->next)
            if (arg->kind == AWK_N_LIST)
                tc_awk_syntax(p);
    }
    if (print->kind == AWK_N_PRINTF && print->n == 0) {
        tc_awk_syntax(p);
        return NULL;
    }
    return parse_redirection(p, print) && !p->lexer.failed ? print : NULL;
}

static struct awk_node *parse_delete(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_DELETE);
    bool group;

    tc_awk_next(p);
    group = tc_awk_accept(p, AWK_T_LPAREN);
    if (!tc_awk_at(p, AWK_T_NAME)) {
        tc_awk_syntax(p);
        return NULL;
    }
    if (node)
        node->a = tc_awk_parse_name(p);
    if (!node || !node->a || (group && !tc_awk_expect(p, AWK_T_RPAREN)))
        return NULL;
    return node;
}

/* next, nextfile, exit, return, break, continue. */
static struct awk_node *parse_jump(struct awk_parser *p, enum awk_node_kind kind)
{
    struct awk_node *node = tc_awk_node(p, kind);
    bool special = p->rule == AWK_BEGIN || p->rule == AWK_END || p->rule == AWK_BEGINFILE || p->rule == AWK_ENDFILE;

    if (!node)
        return NULL;
    if (kind == AWK_N_RETURN && !p->in_function)
        tc_awk_fault(&p->lexer, "`return' used outside function context");
    else if (kind == AWK_N_BREAK && !p->loops && !p->switches)
        tc_awk_error(&p->lexer, "error: ", "`break' is not allowed outside a loop or switch");
    else if (kind == AWK_N_CONTINUE && !p->loops)
        tc_awk_error(&p->lexer, "error: ", "`continue' is not allowed outside a loop");
    else if (kind == AWK_N_NEXT && special)
        tc_awk_error(&p->lexer, "error: ", "`next' used in %s action", tc_awk_rule_name(p->rule));
    else if (kind == AWK_N_NEXTFILE && special && p->rule != AWK_BEGINFILE)
        tc_awk_error(&p->lexer, "error: ", "`nextfile' used in %s action", tc_awk_rule_name(p->rule));
    tc_awk_next(p);
    if ((kind == AWK_N_EXIT || kind == AWK_N_RETURN) && !ends_statement(p))
        node->a = tc_awk_parse_expr(p, 0);
    return p->lexer.failed ? NULL : node;
}

static struct awk_node *parse_expr_statement(struct awk_parser *p, unsigned flags)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_EXPR);

    if (node)
        node->a = tc_awk_parse_expr(p, flags);
    return node && node->a ? node : NULL;
}

static struct awk_node *parse_simple(struct awk_parser *p)
{
    switch (p->lexer.token.kind) {
    case AWK_T_PRINT:
    case AWK_T_PRINTF:
        return parse_print(p);
    case AWK_T_DELETE:
        return parse_delete(p);
    case AWK_T_NEXT:
        return parse_jump(p, AWK_N_NEXT);
    case AWK_T_NEXTFILE:
        return parse_jump(p, AWK_N_NEXTFILE);
    case AWK_T_EXIT:
        return parse_jump(p, AWK_N_EXIT);
    case AWK_T_RETURN:
        return parse_jump(p, AWK_N_RETURN);
    case AWK_T_BREAK:
        return parse_jump(p, AWK_N_BREAK);
    case AWK_T_CONTINUE:
        return parse_jump(p, AWK_N_CONTINUE);
    default:
        return parse_expr_statement(p, 0);
    }
}

/* The end of a simple statement; "}" is left for the block. */
static bool end_statement(struct awk_parser *p)
{
    if (tc_awk_at(p, AWK_T_RBRACE) || tc_awk_at(p, AWK_T_END))
        return true;
    if (!tc_awk_at(p, AWK_T_SEMI) && !tc_awk_at(p, AWK_T_NEWLINE)) {
        tc_awk_syntax(p);
        return false;
    }
    tc_awk_next(p);
    return !p->lexer.failed;
}

/* --- statements with statements in them --- */

static struct awk_node *empty_block(struct awk_parser *p)
{
    return tc_awk_node(p, AWK_N_BLOCK);
}

/* What a loop or branch governs: ";" alone is nothing. */
static struct awk_node *parse_body(struct awk_parser *p)
{
    tc_awk_skip_newlines(p);
    if (tc_awk_accept(p, AWK_T_SEMI))
        return empty_block(p);
    return parse_statement(p);
}

static struct awk_node *parse_loop_body(struct awk_parser *p)
{
    struct awk_node *body;

    p->loops++;
    body = parse_body(p);
    p->loops--;
    return body;
}

static struct awk_node *parse_condition(struct awk_parser *p)
{
    struct awk_node *condition;

    if (!tc_awk_expect(p, AWK_T_LPAREN))
        return NULL;
    tc_awk_skip_newlines(p);
    condition = tc_awk_parse_expr(p, 0);
    tc_awk_skip_newlines(p);
    return condition && tc_awk_expect(p, AWK_T_RPAREN) ? condition : NULL;
}

/* Whether `else` follows behind line feeds and at most one ";" (which belongs to the statement before). */
static bool accept_else(struct awk_parser *p)
{
    struct awk_lexer before = p->lexer;

    while (tc_awk_at(p, AWK_T_NEWLINE) || tc_awk_at(p, AWK_T_SEMI))
        tc_awk_next(p);
    if (tc_awk_accept(p, AWK_T_ELSE))
        return true;
    p->lexer = before;
    return false;
}

static struct awk_node *parse_if(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_IF);

    tc_awk_next(p);
    if (!node || !(node->a = parse_condition(p)) || !(node->b = parse_body(p)))
        return NULL;
    if (accept_else(p) && !(node->c = parse_body(p)))
        return NULL;
    return node;
}

static struct awk_node *parse_while(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_WHILE);

    tc_awk_next(p);
    if (!node || !(node->a = parse_condition(p)))
        return NULL;
    node->b = parse_loop_body(p);
    return node->b ? node : NULL;
}

static struct awk_node *parse_do(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_DO);

    tc_awk_next(p);
    if (!node || !(node->b = parse_loop_body(p)))
        return NULL;
    while (tc_awk_at(p, AWK_T_NEWLINE) || tc_awk_at(p, AWK_T_SEMI))
        tc_awk_next(p);
    if (!tc_awk_expect(p, AWK_T_WHILE))
        return NULL;
    node->a = parse_condition(p);
    return node->a && end_statement(p) ? node : NULL;
}

/* name in array ")" at this place; else the lexer is where it was. */
static bool looks_for_in(struct awk_parser *p)
{
    struct awk_lexer before = p->lexer;
    bool is = false;
    int nested = 0;

    if (tc_awk_accept(p, AWK_T_NAME) && tc_awk_accept(p, AWK_T_IN) && tc_awk_accept(p, AWK_T_NAME)) {
        while (tc_awk_at(p, AWK_T_LBRACKET) || nested) { /* for (k in a[i]) */
            if (tc_awk_at(p, AWK_T_END))
                break;
            nested += tc_awk_at(p, AWK_T_LBRACKET) - tc_awk_at(p, AWK_T_RBRACKET);
            tc_awk_next(p);
        }
        is = tc_awk_at(p, AWK_T_RPAREN);
    }
    p->lexer = before;
    return is;
}

static struct awk_node *parse_for_in(struct awk_parser *p, struct awk_node *node)
{
    node->kind = AWK_N_FOR_IN;
    node->a = tc_awk_parse_name(p);
    tc_awk_next(p);
    node->b = tc_awk_parse_name(p);
    if (!node->a || !node->b || !tc_awk_expect(p, AWK_T_RPAREN))
        return NULL;
    node->d = parse_loop_body(p);
    return node->d ? node : NULL;
}

static struct awk_node *parse_for(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_FOR);

    tc_awk_next(p);
    if (!node || !tc_awk_expect(p, AWK_T_LPAREN))
        return NULL;
    if (looks_for_in(p))
        return parse_for_in(p, node);
    if (!tc_awk_at(p, AWK_T_SEMI) && !(node->a = parse_simple(p)))
        return NULL;
    if (!tc_awk_expect(p, AWK_T_SEMI))
        return NULL;
    tc_awk_skip_newlines(p);
    if (!tc_awk_at(p, AWK_T_SEMI) && !(node->b = tc_awk_parse_expr(p, 0)))
        return NULL;
    if (!tc_awk_expect(p, AWK_T_SEMI))
        return NULL;
    tc_awk_skip_newlines(p);
    if (!tc_awk_at(p, AWK_T_RPAREN) && !(node->c = parse_simple(p)))
        return NULL;
    if (!tc_awk_expect(p, AWK_T_RPAREN))
        return NULL;
    node->d = parse_loop_body(p);
    return node->d ? node : NULL;
}

static bool ends_cases(const struct awk_parser *p)
{
    return tc_awk_at(p, AWK_T_CASE) || tc_awk_at(p, AWK_T_DEFAULT) || tc_awk_at(p, AWK_T_RBRACE) ||
           tc_awk_at(p, AWK_T_END);
}

/* Statements up to the end of a block or case. */
static struct awk_node *parse_statements(struct awk_parser *p, bool cases)
{
    struct awk_node *block = empty_block(p), **end;

    if (!block)
        return NULL;
    for (end = &block->a;; end = &(*end)->next) {
        while (tc_awk_at(p, AWK_T_NEWLINE) || tc_awk_at(p, AWK_T_SEMI))
            tc_awk_next(p);
        if (tc_awk_at(p, AWK_T_RBRACE) || tc_awk_at(p, AWK_T_END) || (cases && ends_cases(p)))
            return p->lexer.failed ? NULL : block;
        *end = parse_statement(p);
        if (!*end)
            return NULL;
        block->n++;
    }
}

static bool parse_case_label(struct awk_parser *p, struct awk_node *label)
{
    bool minus;

    if (tc_awk_accept(p, AWK_T_DEFAULT))
        return tc_awk_expect(p, AWK_T_COLON);
    if (!tc_awk_expect(p, AWK_T_CASE))
        return false;
    minus = tc_awk_accept(p, AWK_T_MINUS);
    label->a = tc_awk_parse_target(p, false);
    if (!label->a)
        return false;
    if (label->a->kind != AWK_N_NUMBER &&
        (minus || (label->a->kind != AWK_N_STRING && label->a->kind != AWK_N_REGEX && label->a->kind != AWK_N_TYPED)))
        tc_awk_syntax(p);
    if (minus)
        label->a->num = -label->a->num;
    return !p->lexer.failed && tc_awk_expect(p, AWK_T_COLON);
}

static struct awk_node *parse_switch(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_node(p, AWK_N_SWITCH), **end;

    tc_awk_next(p);
    if (!node || !(node->a = parse_condition(p)))
        return NULL;
    tc_awk_skip_newlines(p);
    if (!tc_awk_expect(p, AWK_T_LBRACE))
        return NULL;
    p->switches++;
    for (end = &node->b; !p->lexer.failed; end = &(*end)->next) {
        while (tc_awk_at(p, AWK_T_NEWLINE) || tc_awk_at(p, AWK_T_SEMI))
            tc_awk_next(p);
        if (tc_awk_at(p, AWK_T_RBRACE))
            break;
        *end = tc_awk_node(p, AWK_N_CASE);
        if (!*end || !parse_case_label(p, *end) || !((*end)->b = parse_statements(p, true)))
            return NULL;
    }
    p->switches--;
    return tc_awk_expect(p, AWK_T_RBRACE) ? node : NULL;
}

static struct awk_node *parse_compound(struct awk_parser *p)
{
    struct awk_node *node;

    switch (p->lexer.token.kind) {
    case AWK_T_LBRACE:
        return tc_awk_parse_block(p);
    case AWK_T_IF:
        return parse_if(p);
    case AWK_T_WHILE:
        return parse_while(p);
    case AWK_T_DO:
        return parse_do(p);
    case AWK_T_FOR:
        return parse_for(p);
    case AWK_T_SWITCH:
        return parse_switch(p);
    default:
        node = parse_simple(p);
        return node && end_statement(p) ? node : NULL;
    }
}

static struct awk_node *parse_statement(struct awk_parser *p)
{
    struct awk_node *node = tc_awk_enter(p) ? parse_compound(p) : NULL;

    tc_awk_leave(p);
    return p->lexer.failed ? NULL : node;
}

struct awk_node *tc_awk_parse_block(struct awk_parser *p)
{
    struct awk_node *block;

    if (!tc_awk_expect(p, AWK_T_LBRACE))
        return NULL;
    block = parse_statements(p, false);
    return block && tc_awk_expect(p, AWK_T_RBRACE) ? block : NULL;
}
