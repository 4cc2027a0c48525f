/*
 * Programs of bc: the tree of one statement after the other, and what names stand for.
 */
#ifndef TC_SHELL_CMDS_BC_AST_H
#define TC_SHELL_CMDS_BC_AST_H

#include "base/map.h"
#include "shell/cmds/bc_num.h"
#include "toolcrib/shellcmd.h"

enum bc_kind {
    BC_NUMBER, BC_VAR, BC_ELEMENT, BC_SPECIAL, BC_ASSIGN, BC_STEP, BC_NEGATE, BC_NOT, BC_BINARY, BC_AND, BC_OR,
    BC_CALL,
    BC_SQRT, BC_LENGTH, BC_SCALE_OF, BC_GROUP, BC_ARRAY_ARG,
    BC_EXPR, BC_STRING, BC_PRINT, BC_BLOCK, BC_IF, BC_WHILE, BC_FOR, BC_BREAK, BC_CONTINUE, BC_RETURN, BC_AUTO, BC_HALT
};
enum bc_special { BC_SCALE, BC_IBASE, BC_OBASE, BC_LAST };
/* Operators of two letters; the others are their character. */
enum {
    BC_LE = 256, BC_GE, BC_EQ, BC_NE, BC_INCR, BC_DECR, BC_ANDAND, BC_OROR, BC_ASSIGN_OP, BC_NAME,
    BC_NUM, BC_TEXT, BC_END
};

struct bc_var {
    struct bc_num *value;
};

struct bc_array {
    struct bc_num **items; /* NULL: 0 */
    size_t n;
};

struct bc_param {
    bool array, by_reference;
    struct bc_var *var;
    struct bc_array *items;
};

struct bc_node {
    enum bc_kind kind;
    int op; /* of ASSIGN: the character before "=", or 0 */
    bool prefix;
    struct bc_node *a, *b, *c, *d, *next;
    struct bc_var *var;
    struct bc_array *array;
    struct bc_function *function;
    struct tc_str text; /* NUMBER: its digits, read by the ibase of the moment */
};

struct bc_function {
    struct tc_str name;
    struct bc_param *params, *autos;
    size_t n_params, n_autos;
    struct bc_node *body; /* NULL: not defined */
    bool returns_nothing;
};

struct bc {
    struct tc_cmd_call *call;
    struct tc_map vars, arrays, functions;
    struct bc_num *zero, *one, *last;
    size_t scale;
    int ibase, obase;
    size_t line_length;
    /* reading */
    struct tc_str text, name; /* name: of the file, for messages */
    size_t at;
    unsigned line;
    int token;
    int assign_op;
    struct tc_str token_text;
    bool syntax_error, refused; /* refused: the item at hand is not run, as -s wants it */
    enum { BC_ALL, BC_WARN, BC_STANDARD } extensions;
    int depth, loops;
    struct bc_function *defining;
    /* running */
    struct bc_function *running;
    int calls;
    size_t column;
    bool stop, halted; /* stop: this statement is given up */
};

enum { BC_DEPTH_MAX = 150, BC_CALLS_MAX = 600, BC_ARRAY_MAX = 65536, BC_PARAMS_MAX = 64 };

/* --- bc_lex.c, bc_parse.c, bc_statement.c --- */
void tc_bc_advance(struct bc *bc);
/* The next statements up to the end of the line, or a definition; NULL when there is nothing to run. */
struct bc_node *tc_bc_parse_line(struct bc *bc);
struct bc_var *tc_bc_var(struct bc *bc, struct tc_str name);

/* --- bc_run.c, bc_compute.c --- */
void tc_bc_run(struct bc *bc, const struct bc_node *statement);
void tc_bc_error(struct bc *bc, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* --- bc_write.c --- */
void tc_bc_write_number(struct bc *bc, const struct bc_num *num);
void tc_bc_write_text(struct bc *bc, struct tc_str text, bool escapes);

#endif
