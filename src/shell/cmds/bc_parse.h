/*
 * What the parts of bc's parser share: tokens (bc_lex.c), expressions (bc_parse.c) and
 * statements (bc_statement.c). After a fault everything gives NULL or false until the
 * line is given up.
 */
#ifndef TC_SHELL_CMDS_BC_PARSE_H
#define TC_SHELL_CMDS_BC_PARSE_H

#include "shell/cmds/bc_ast.h"

/* The byte so far ahead of the token at hand; NUL behind the end. */
char tc_bc_peek(const struct bc *bc, size_t ahead);
bool tc_bc_accept(struct bc *bc, int token);
bool tc_bc_expect(struct bc *bc, int token); /* a fault when it is another one */
bool tc_bc_accept_name(struct bc *bc, const char *name);

/* Tells what is wrong, once a line. */
void *tc_bc_fault(struct bc *bc);
void *tc_bc_fault_of(struct bc *bc, const char *message);
/* What POSIX's bc has not: -w warns of it, with -s the item is given up. */
void tc_bc_extension(struct bc *bc, const char *what, struct tc_str name);
void tc_bc_extension_if(struct bc *bc, bool is, const char *what);

struct bc_node *tc_bc_node(struct bc *bc, enum bc_kind kind, struct bc_node *a, struct bc_node *b);
struct bc_node *tc_bc_parse_expr(struct bc *bc);
bool tc_bc_compares(const struct bc_node *made); /* is it a comparison? */
/* What a name stands for, made when it is new; NULL without memory. */
struct bc_array *tc_bc_array_of(struct bc *bc, struct tc_str name);
struct bc_function *tc_bc_function_of(struct bc *bc, struct tc_str name);

#endif
