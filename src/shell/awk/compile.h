/*
 * What the halves of the compiler share: expressions, statements, emission.
 */
#ifndef TC_SHELL_AWK_COMPILE_H
#define TC_SHELL_AWK_COMPILE_H

#include "shell/awk/ops.h"
#include "shell/awk/vm.h"

struct awk_compiler {
    struct awk_vm *vm;
    struct awk_program *program;
    struct awk_code *code;
    int depth, deepest;    /* of the stack in the function or rule being compiled */
    unsigned line, source; /* of what is being compiled */
    bool failed;
    struct awk_exits *exits; /* of the loop or switch around */
};

/* Jumps that leave a loop or switch, to be patched at its end. */
struct awk_exits {
    struct awk_exits *outer;
    int *breaks, *continues;
    int n_breaks, n_continues, breaks_size, continues_size;
    bool is_switch;
};

enum { AWK_CODE_MAX = 1 << 22 };

/* Appends one and gives its place; `change` is what it adds to the stack's depth. */
int tc_awk_emit(struct awk_compiler *c, awk_op *run, int change);
struct awk_ins *tc_awk_last(struct awk_compiler *c); /* the one just emitted; never NULL */
int tc_awk_emit_jump(struct awk_compiler *c, awk_op *run, int change);
void tc_awk_patch(struct awk_compiler *c, int jump); /* to here */
void tc_awk_emit_back(struct awk_compiler *c, int to);

/* --- compile_expr.c --- */
void tc_awk_compile_value(struct awk_compiler *c, const struct awk_node *node);
void tc_awk_compile_effect(struct awk_compiler *c, const struct awk_node *node); /* leaves nothing */
/* Jumps when it is false; the jump is to be patched. */
int tc_awk_compile_condition(struct awk_compiler *c, const struct awk_node *node);
/* Assigns the top of the stack. */
void tc_awk_compile_store(struct awk_compiler *c, const struct awk_node *lvalue, bool drop);
/* Pushes the array, unless the instruction that follows finds it by itself: that is filled into place and slot. */
void tc_awk_compile_array(struct awk_compiler *c, const struct awk_node *array, uint8_t *ret_place, int *ret_slot);
void tc_awk_compile_key(struct awk_compiler *c, const struct awk_node *key);
/* a[b] as a value; any: it may be an array too. */
void tc_awk_compile_element(struct awk_compiler *c, const struct awk_node *node, bool any);

/* --- compile_call.c --- */
void tc_awk_compile_call(struct awk_compiler *c, const struct awk_node *node);
void tc_awk_compile_builtin(struct awk_compiler *c, const struct awk_node *node);
void tc_awk_compile_getline(struct awk_compiler *c, const struct awk_node *node);
struct awk_regex *tc_awk_compile_regex(struct awk_compiler *c, const struct awk_node *node); /* a constant */
void tc_awk_compile_regex_constant(struct awk_compiler *c, const struct awk_node *node);

/* Without the parentheses around it. */
static inline const struct awk_node *tc_awk_strip(const struct awk_node *node)
{
    while (node->kind == AWK_N_GROUP)
        node = node->a;
    return node;
}

/* Special variables that are not kept among the globals. */
static inline bool tc_awk_is_kept_special(const struct awk_node *var)
{
    return !var->local && var->slot <= AWK_V_FNR;
}

#endif
