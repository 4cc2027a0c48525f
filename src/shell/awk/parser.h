/*
 * What the parts of the parser share: expressions, statements, rules.
 */
#ifndef TC_SHELL_AWK_PARSER_H
#define TC_SHELL_AWK_PARSER_H

#include "shell/awk/ast.h"
#include "shell/awk/builtin.h"

struct awk_parser {
    struct tc_arena *arena;
    struct awk_lexer lexer;
    struct awk_program *program;
    struct tc_str *params; /* of the function being read */
    int n_params;
    int depth;             /* of the recursion */
    int loops, switches;   /* around the statement being read */
    bool in_function;
    int rule;              /* of what rule the action is: enum of awk_rule, -1 in a function */
};

enum awk_expr_flag {
    AWK_NO_GT = 1 << 0,  /* > is a redirection */
    AWK_NO_IN = 1 << 1,  /* `in` belongs to the for around it */
    AWK_NO_PIPE = 1 << 2 /* | is a redirection, unless getline follows */
};

/* --- expr.c; NULL after a fault --- */
struct awk_node *tc_awk_parse_expr(struct awk_parser *p, unsigned flags);
/* An operand of getline's < and of print's >: without operators of two sides but by juxtaposition of none. */
struct awk_node *tc_awk_parse_target(struct awk_parser *p, bool concatenation);
/* Expressions up to a closing token or the end of the statement; *ret_n counts. */
struct awk_node *tc_awk_parse_list(struct awk_parser *p, unsigned flags, int *ret_n);
struct awk_node *tc_awk_parse_name(struct awk_parser *p); /* the VAR that the current NAME is, with its subscripts */

/* --- statement.c; NULL after a fault --- */
struct awk_node *tc_awk_parse_block(struct awk_parser *p); /* { … } */

/* --- parse.c --- */
struct awk_node *tc_awk_node(struct awk_parser *p, enum awk_node_kind kind);
/* With operands; takes their depth into account. NULL when one is or the tree gets too deep. */
struct awk_node *tc_awk_node_of(struct awk_parser *p, enum awk_node_kind kind, struct awk_node *a, struct awk_node *b);
bool tc_awk_enter(struct awk_parser *p); /* one level of recursion more; false after a fault */
void tc_awk_leave(struct awk_parser *p);
bool tc_awk_expect(struct awk_parser *p, enum awk_token_kind kind); /* and moves on */
void tc_awk_syntax(struct awk_parser *p);                           /* "syntax error" at the current token */
void tc_awk_skip_newlines(struct awk_parser *p);
/* The function of that name, made when it is not known; NULL without memory. */
struct awk_function *tc_awk_function(struct awk_parser *p, struct tc_str name, int *ret_slot);

static inline bool tc_awk_at(const struct awk_parser *p, enum awk_token_kind kind)
{
    return p->lexer.token.kind == kind;
}

static inline void tc_awk_next(struct awk_parser *p)
{
    tc_awk_lex(&p->lexer);
}

static inline bool tc_awk_accept(struct awk_parser *p, enum awk_token_kind kind)
{
    if (!tc_awk_at(p, kind))
        return false;
    tc_awk_next(p);
    return true;
}

#endif
