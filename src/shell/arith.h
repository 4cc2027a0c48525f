/*
 * Arithmetic, inside: an expression is read into a tree once, and walked each time. A
 * syntax error is a node of it, since bash evaluates what stands before the error.
 */
#ifndef TC_SHELL_ARITH_H
#define TC_SHELL_ARITH_H

#include "shell/expand.h"

enum tc_sh_arith_op {
    TC_SH_AR_NUMBER, TC_SH_AR_NAME, /* leaves */
    TC_SH_AR_COMMA, TC_SH_AR_ASSIGN, TC_SH_AR_COND, TC_SH_AR_OR, TC_SH_AR_AND,
    TC_SH_AR_BIT_OR, TC_SH_AR_BIT_XOR, TC_SH_AR_BIT_AND, TC_SH_AR_EQ, TC_SH_AR_NE,
    TC_SH_AR_LE, TC_SH_AR_GE, TC_SH_AR_LT, TC_SH_AR_GT, TC_SH_AR_LEFT, TC_SH_AR_RIGHT,
    TC_SH_AR_ADD, TC_SH_AR_SUB, TC_SH_AR_MUL, TC_SH_AR_DIV, TC_SH_AR_MOD, TC_SH_AR_POWER,
    TC_SH_AR_NOT, TC_SH_AR_COMPLEMENT, TC_SH_AR_NEGATE, TC_SH_AR_PLUS,
    TC_SH_AR_STEP_BEFORE, TC_SH_AR_STEP_BEHIND, /* ++x and x--: value is +1 or -1 */
    TC_SH_AR_ERROR  /* message and token; value: where the text shown ends, 0 all of it */
};

struct tc_sh_arith_node {
    enum tc_sh_arith_op op, assign; /* assign: of ASSIGN, the operator of +=; ASSIGN for = */
    struct tc_sh_arith_node *a, *b, *c; /* of operators c is the next of a chain: its left side is what came before */
    int64_t value;
    struct tc_str name, sub; /* of NAME; sub has NULL p without [ ] */
    const char *message;
    size_t token; /* offset that messages point at */
    struct tc_sh_arith_tree *subscript; /* `sub` as an expression, once it was one */
};

struct tc_sh_arith_tree {
    struct tc_arena *arena; /* that it lives in */
    struct tc_str text; /* a copy */
    struct tc_sh_arith_node *root, *error; /* root NULL: empty, 0 */
};

/* Reads `text` into the arena; false without memory. */
bool tc_sh_arith_parse(struct tc_arena *arena, struct tc_str text, struct tc_sh_arith_tree **ret_tree);
/* A number as bash writes them; false: *ret_message says why not. */
bool tc_sh_arith_number(struct tc_str text, int64_t *ret_value, const char **ret_message);

#endif
