/*
 * What the parts of bc's running share: arithmetic (bc_compute.c), places (bc_place.c),
 * calls (bc_call.c) and the walk through the tree (bc_run.c). Numbers that are returned
 * are references of the caller, and never NULL unless that is said.
 */
#ifndef TC_SHELL_CMDS_BC_RUN_H
#define TC_SHELL_CMDS_BC_RUN_H

#include "shell/cmds/bc_ast.h"

/* Takes num and returns it; when it is NULL, that is without memory, the program is given up and it is 0. */
struct bc_num *tc_bc_checked(struct bc *bc, struct bc_num *num);
void tc_bc_warn(struct bc *bc, const char *message);
/* By ibase; digits that are too large count as the largest, but for a single one. */
struct bc_num *tc_bc_read_number(struct bc *bc, struct tc_str text);
struct bc_num *tc_bc_compute(struct bc *bc, int op, struct bc_num *a, struct bc_num *b);

/* What a variable, an element or one of enum bc_special has. */
struct bc_num *tc_bc_value(struct bc *bc, const struct bc_node *node);
void tc_bc_set_special(struct bc *bc, int which, struct bc_num *value);
struct bc_num *tc_bc_assign(struct bc *bc, const struct bc_node *node);
struct bc_num *tc_bc_step(struct bc *bc, const struct bc_node *node); /* ++ and -- */

struct bc_num *tc_bc_call(struct bc *bc, const struct bc_node *node);

struct bc_num *tc_bc_eval(struct bc *bc, const struct bc_node *node);
/* What the body of a function returns, NULL when nothing. */
struct bc_num *tc_bc_run_body(struct bc *bc, const struct bc_node *body);

#endif
