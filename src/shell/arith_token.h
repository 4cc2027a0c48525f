/*
 * Reading arithmetic, inside: the tokens of an expression and the nodes that they become.
 * Tokens are told apart as bash does it, so that errors name the same token.
 */
#ifndef TC_SHELL_ARITH_TOKEN_H
#define TC_SHELL_ARITH_TOKEN_H

#include "shell/arith.h"

enum tc_sh_arith_token {
    TC_SH_TK_END, TC_SH_TK_NUMBER, TC_SH_TK_NAME, TC_SH_TK_OP_ASSIGN,
    TC_SH_TK_BEFORE_INC, TC_SH_TK_BEFORE_DEC, TC_SH_TK_BEHIND_INC, TC_SH_TK_BEHIND_DEC,
    TC_SH_TK_EQ, TC_SH_TK_NE, TC_SH_TK_LE, TC_SH_TK_GE, TC_SH_TK_AND, TC_SH_TK_OR,
    TC_SH_TK_LEFT, TC_SH_TK_RIGHT, TC_SH_TK_POWER, TC_SH_TK_ERROR = 255
    /* all others are their own character */
};

struct tc_sh_arith_parser {
    struct tc_arena *arena;
    struct tc_str text;
    size_t at;        /* behind the token at hand */
    size_t token_at;  /* where it begins; at the end, where the last one does */
    int token, last;  /* the one at hand and the one before */
    enum tc_sh_arith_op assign; /* of TC_SH_TK_OP_ASSIGN */
    int64_t number;
    struct tc_str name, sub;
    struct tc_sh_arith_node *error; /* the first: nothing is read behind it */
    bool no_memory;
    int depth;
};

struct tc_sh_arith_node *tc_sh_arith_add(struct tc_sh_arith_parser *p, enum tc_sh_arith_op op,
                                         struct tc_sh_arith_node *a, struct tc_sh_arith_node *b);
/* The first error is kept; from then on the token is TC_SH_TK_ERROR. */
struct tc_sh_arith_node *tc_sh_arith_fail(struct tc_sh_arith_parser *p, const char *message);
void tc_sh_arith_next(struct tc_sh_arith_parser *p);
bool tc_sh_arith_is_blank(char c);

#endif
