/*
 * What a parameter stands for: found by name, subscript, nameref and indirection first,
 * read later, since between the two words may be expanded that run commands.
 */
#ifndef TC_SHELL_EXPAND_VALUE_H
#define TC_SHELL_EXPAND_VALUE_H

#include "shell/env.h"

enum tc_sh_target_kind {
    TC_SH_TARGET_SPECIAL, /* $? $1 */
    TC_SH_TARGET_SCALAR,  /* a variable; of an array the first element */
    TC_SH_TARGET_INDEX,   /* a[3] */
    TC_SH_TARGET_KEY,     /* a[k] */
    TC_SH_TARGET_ARGS,    /* $@ $* */
    TC_SH_TARGET_ALL      /* a[@] a[*] */
};

struct tc_sh_target {
    enum tc_sh_target_kind kind;
    struct tc_str name, key;
    int64_t index;
    unsigned flags; /* of the variable */
    bool star;      /* of ARGS and ALL: joined in quotes */
    /* by tc_sh_target_read: */
    bool set;
    struct tc_str one; /* the value, borrowed until something changes */
    struct tc_str *v;  /* of ARGS and ALL */
    size_t n;
};

static inline bool tc_sh_target_is_list(const struct tc_sh_target *target)
{
    return target->kind == TC_SH_TARGET_ARGS || target->kind == TC_SH_TARGET_ALL;
}

/* PARKS, those that evaluate subscripts. A failure was told. */
enum tc_sh_flow tc_sh_target_find(struct tc_sh_env *env, struct tc_str name, const struct tc_sh_subscript *subscript,
                                  struct tc_sh_target *ret_target);
/* From "x", "a[i]", "@", "1". */
enum tc_sh_flow tc_sh_target_of_text(struct tc_sh_env *env, struct tc_str text, struct tc_sh_target *ret_target);
enum tc_sh_flow tc_sh_target_read(struct tc_sh_env *env, struct tc_sh_target *target);
/* Keys or indices of an array (or "0" of a scalar), in the scratch arena. */
enum tc_sh_flow tc_sh_target_keys(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str **ret_v,
                                  size_t *ret_n);
/* Assigns, with the attributes: integers are evaluated. Told when it cannot be. */
enum tc_sh_flow tc_sh_target_set(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str value,
                                 bool append);
/* Tells why a change was refused; TC_SH_NEXT for OK. sub: what stood in brackets, or NULL p. */
enum tc_sh_flow tc_sh_target_refused(struct tc_sh_env *env, enum tc_sh_set set, struct tc_str name,
                                     struct tc_str sub);
/* An error that ends the shell: the status, and TC_SH_EXIT. */
enum tc_sh_flow tc_sh_fatal(struct tc_sh_env *env);
/* "name: unbound variable". */
enum tc_sh_flow tc_sh_unbound(struct tc_sh_env *env, struct tc_str what);

#endif
