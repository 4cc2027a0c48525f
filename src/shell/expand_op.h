/*
 * What ${…} makes of one value: pure but for memory. Results are in the scratch arena
 * or are part of the value.
 */
#ifndef TC_SHELL_EXPAND_OP_H
#define TC_SHELL_EXPAND_OP_H

#include "shell/expand_parts.h"
#include "shell/expand_value.h"
#include "shell/pattern.h"

struct tc_sh_op {
    struct tc_sh_env *env;
    const struct tc_sh_param *param;
    unsigned flags;        /* of patterns */
    bool matches;          /* there is a pattern */
    struct tc_str pattern; /* of PREFIX, SUFFIX, REPLACE and the cases */
    struct tc_sh_seg *with; /* of REPLACE; & in what is not quoted is the match */
    size_t with_n;
    struct tc_sh_matcher *matcher; /* of REPLACE, for all values */
};

enum tc_sh_flow tc_sh_op_prepare(struct tc_sh_op *op, struct tc_sh_env *env, const struct tc_sh_param *param);
enum tc_sh_flow tc_sh_op_apply(struct tc_sh_op *op, struct tc_str value, struct tc_str *ret_value);
void tc_sh_op_finish(struct tc_sh_op *op);

/* PARKS, both. value: in the scratch arena. */
void tc_sh_slice_one(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_str value, bool quoted);
void tc_sh_slice_list(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                      bool quoted);

void tc_sh_length(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target, bool quoted);

/* ${x@Q} and its like, of one value. target: whose attributes and name are asked for. */
enum tc_sh_flow tc_sh_transform(struct tc_sh_env *env, char letter, const struct tc_sh_target *target,
                                struct tc_str value, struct tc_str *ret_value);
/* @A, @K and @k of a whole array. */
enum tc_sh_flow tc_sh_transform_all(struct tc_sh_expansion *x, char letter, struct tc_sh_target *target, bool quoted);

#endif
