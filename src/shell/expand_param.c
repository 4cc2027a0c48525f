/*
 * ${…}: what the name stands for, then the word, pattern or numbers behind it, then the
 * value or values, and what becomes of them.
 */
#include "shell/arith.h"
#include "shell/expand_op.h"
#include "shell/special.h"

static enum tc_sh_flow fail(struct tc_sh_env *env)
{
    env->status = 1;
    return TC_SH_ABORT;
}

static void put_one(struct tc_sh_expansion *x, struct tc_str text, bool quoted)
{
    tc_sh_part_result(x, text, quoted, true);
}

/* What messages call the parameter: "x", "a[0]", "1". */
static struct tc_str spelled(struct tc_sh_env *env, const struct tc_sh_param *param)
{
    const struct tc_sh_subscript *sub = param->subscript;
    struct tc_str inside = TC_STR("@");

    if (!sub)
        return param->name;
    if (sub->kind == TC_SH_SUB_STAR)
        inside = TC_STR("*");
    else if (sub->kind == TC_SH_SUB_ONE && sub->expr.text)
        inside = sub->expr.text->source;
    return tc_arena_printf(tc_sh_arena(env), "%.*s[%.*s]", TC_STR_ARG(param->name), TC_STR_ARG(inside));
}

/* --- ${!x} --- */

static bool is_parameter(struct tc_str text)
{
    size_t open = tc_str_chr(text, '['), n = 0;

    if (text.n == 1 && strchr("@*#?-$!", text.p[0]))
        return true;
    while (n < text.n && text.p[n] >= '0' && text.p[n] <= '9')
        n++;
    if (text.n > 0 && n == text.n)
        return true;
    if (open != SIZE_MAX)
        return text.p[text.n - 1] == ']' && text.n > open + 2 && tc_sh_parser_is_name(tc_str_n(text.p, open));
    return tc_sh_parser_is_name(text);
}

static enum tc_sh_flow indirect(struct tc_sh_env *env, const struct tc_sh_param *param, struct tc_sh_target *target)
{
    struct tc_str text;
    enum tc_sh_flow flow = tc_sh_target_read(env, target);

    if (flow != TC_SH_NEXT)
        return flow;
    text = target->one;
    if (tc_sh_target_is_list(target) && target->n > 0) { /* one word is a name, more are none */
        text = target->v[0];
        if (target->n > 1)
            text = tc_arena_printf(tc_sh_arena(env), "%.*s %.*s", TC_STR_ARG(text), TC_STR_ARG(target->v[1]));
    }
    if (!target->set) {
        tc_sh_warn(env, "%.*s: invalid indirect expansion", TC_STR_ARG(spelled(env, param)));
        return fail(env);
    }
    text = tc_arena_dup(tc_sh_arena(env), text);
    if (!text.p)
        return tc_sh_out_of_memory(env);
    if (!is_parameter(text)) {
        tc_sh_warn(env, "%.*s: invalid variable name", TC_STR_ARG(text));
        return fail(env);
    }
    return tc_sh_target_of_text(env, text, target);
}

/* --- names and keys --- */

static void names(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted)
{
    struct tc_str *v = tc_sh_vars_names(x->env->vars, x->arena, param->name, 0);
    size_t n = 0, kept = 0;

    if (!v) {
        x->flow = tc_sh_out_of_memory(x->env);
        return;
    }
    for (; v[n].p; n++) { /* of names without a value bash tells nothing here */
        if (tc_sh_vars_has_value(x->env->vars, v[n]) || tc_sh_vars_flags(x->env->vars, v[n]) & TC_SH_VAR_DYNAMIC)
            v[kept++] = v[n];
    }
    tc_sh_part_list(x, v, kept, param->letter == '*', quoted);
}

static void keys(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted)
{
    struct tc_sh_target target;
    struct tc_str *v;
    size_t n;

    x->flow = tc_sh_target_find(x->env, param->name, param->subscript, &target);
    if (x->flow == TC_SH_NEXT)
        x->flow = tc_sh_target_keys(x->env, &target, &v, &n);
    if (x->flow == TC_SH_NEXT)
        tc_sh_part_list(x, v, n, target.star, quoted);
}

/* --- words instead of values --- */

static bool is_null(const struct tc_sh_target *target)
{
    if (tc_sh_target_is_list(target))
        return target->n == 0 || (target->n == 1 && target->v[0].n == 0);
    return target->one.n == 0;
}

static void put_word(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted)
{
    bool keep = x->keep;

    if (!param->arg || param->arg->n == 0) {
        tc_sh_part_result(x, TC_STR(""), quoted, false);
        return;
    }
    x->keep = true;
    tc_sh_expand_parts(x, param->arg, quoted, true);
    x->keep = keep;
    x->null = x->null || quoted;
}

static enum tc_sh_flow word_text(struct tc_sh_env *env, const struct tc_sh_word *word, struct tc_str *ret_text)
{
    *ret_text = TC_STR("");
    return word && word->n ? tc_sh_expand_aim(env, word, TC_SH_AIM_STRING, ret_text) : TC_SH_NEXT;
}

static void assign_word(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                        bool quoted)
{
    struct tc_str text;

    if (target->kind == TC_SH_TARGET_SPECIAL || target->kind == TC_SH_TARGET_ARGS) {
        tc_sh_warn(x->env, "$%.*s: cannot assign in this way", TC_STR_ARG(param->name));
        x->flow = fail(x->env);
        return;
    }
    x->flow = word_text(x->env, param->arg, &text);
    if (x->flow == TC_SH_NEXT)
        x->flow = tc_sh_target_set(x->env, target, text, false);
    if (x->flow == TC_SH_NEXT)
        x->flow = tc_sh_target_read(x->env, target);
    if (x->flow == TC_SH_NEXT)
        put_one(x, target->one, quoted);
}

static void error_word(struct tc_sh_expansion *x, const struct tc_sh_param *param)
{
    struct tc_str text, name = spelled(x->env, param);

    x->flow = word_text(x->env, param->arg, &text);
    if (x->flow != TC_SH_NEXT)
        return;
    if (!param->arg || param->arg->n == 0)
        text = param->colon ? TC_STR("parameter null or not set") : TC_STR("parameter not set");
    tc_sh_warn(x->env, "%.*s: %.*s", TC_STR_ARG(name), TC_STR_ARG(text));
    x->flow = tc_sh_fatal(x->env);
}

/* ${x-w} and its like: true when that was all. */
static bool instead(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                    bool quoted)
{
    bool there = target->set && !(param->colon && is_null(target));

    if (param->op == TC_SH_PARAM_ALTERNATE) {
        if (there)
            put_word(x, param, quoted);
        else if (!tc_sh_target_is_list(target) || target->star || target->n > 0)
            tc_sh_part_result(x, TC_STR(""), quoted, false);
        return true;
    }
    if (there)
        return false;
    if (param->op == TC_SH_PARAM_DEFAULT)
        put_word(x, param, quoted);
    else if (param->op == TC_SH_PARAM_ASSIGN)
        assign_word(x, param, target, quoted);
    else if (param->op == TC_SH_PARAM_ERROR)
        error_word(x, param);
    else
        return false;
    return true;
}

/* --- what becomes of values --- */

static void transform(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                      bool quoted)
{
    char letter = param->letter;
    struct tc_str text;

    if (tc_sh_target_is_list(target) && strchr("AKk", letter)) {
        x->flow = tc_sh_transform_all(x, letter, target, quoted);
        return;
    }
    if (tc_sh_target_is_list(target)) {
        struct tc_str *v = TC_ARENA_NEW_N(x->arena, struct tc_str, target->n + 1);
        if (!v)
            x->flow = tc_sh_out_of_memory(x->env);
        for (size_t i = 0; i < target->n && x->flow == TC_SH_NEXT; i++)
            x->flow = tc_sh_transform(x->env, letter, target, target->v[i], &v[i]);
        if (x->flow == TC_SH_NEXT)
            tc_sh_part_list(x, v, target->n, target->star, quoted);
        return;
    }
    text = TC_STR("");
    if (target->set || (strchr("Aa", letter) && target->flags)) {
        struct tc_str value = tc_arena_dup(x->arena, target->one);
        x->flow = value.p ? tc_sh_transform(x->env, letter, target, value, &text) : tc_sh_out_of_memory(x->env);
    }
    if (x->flow == TC_SH_NEXT)
        put_one(x, text, quoted);
}

static void operate(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                    bool quoted)
{
    struct tc_str *v = &target->one, *made;
    bool list = tc_sh_target_is_list(target);
    struct tc_sh_op op;
    size_t n = 1;

    x->flow = tc_sh_op_prepare(&op, x->env, param);
    if (x->flow == TC_SH_NEXT)
        x->flow = tc_sh_target_read(x->env, target); /* what came in between may have changed it */
    if (x->flow == TC_SH_NEXT && list) {
        v = target->v;
        n = target->n;
    }
    made = x->flow == TC_SH_NEXT ? TC_ARENA_NEW_N(x->arena, struct tc_str, n + 1) : NULL;
    if (x->flow == TC_SH_NEXT && !made)
        x->flow = tc_sh_out_of_memory(x->env);
    for (size_t i = 0; i < n && x->flow == TC_SH_NEXT; i++)
        if (list || target->set)
            x->flow = tc_sh_op_apply(&op, v[i], &made[i]);
        else
            made[i] = TC_STR(""); /* whatever would replace an empty value */
    tc_sh_op_finish(&op);
    if (x->flow != TC_SH_NEXT)
        return;
    if (list)
        tc_sh_part_list(x, made, n, target->star, quoted);
    else
        put_one(x, made[0], quoted);
}

static void put_value(struct tc_sh_expansion *x, const struct tc_sh_target *target, bool quoted)
{
    if (tc_sh_target_is_list(target))
        tc_sh_part_list(x, target->v, target->n, target->star, quoted);
    else
        put_one(x, target->one, quoted);
}

static void with_value(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                       bool quoted)
{
    switch (param->op) {
    case TC_SH_PARAM_SLICE:
        if (tc_sh_target_is_list(target)) {
            tc_sh_slice_list(x, param, target, quoted);
        } else if (target->set) {
            target->one = tc_arena_dup(x->arena, target->one);
            if (target->one.p)
                tc_sh_slice_one(x, param, target->one, quoted);
            else
                x->flow = tc_sh_out_of_memory(x->env);
        } else {
            put_one(x, TC_STR(""), quoted);
        }
        return;
    case TC_SH_PARAM_TRANSFORM:
        transform(x, param, target, quoted);
        return;
    case TC_SH_PARAM_PREFIX:
    case TC_SH_PARAM_SUFFIX:
    case TC_SH_PARAM_REPLACE:
    case TC_SH_PARAM_UPPER:
    case TC_SH_PARAM_LOWER:
    case TC_SH_PARAM_TOGGLE:
        operate(x, param, target, quoted);
        return;
    default:
        put_value(x, target, quoted);
    }
}

/* $x of an ordinary variable, by one look. */
static bool plain_value(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted)
{
    struct tc_sh_var_look look;
    char c = param->name.p[0];

    if (param->op != TC_SH_PARAM_VALUE || param->subscript || param->indirect || c < 'A' ||
        !tc_sh_vars_look(x->env->vars, param->name, &look) || !look.set || look.flags & TC_SH_VAR_NAMEREF)
        return false;
    put_one(x, look.value, quoted);
    return true;
}

/* Of ${x@Z} alone it is the end of the script, unless x has no value. */
static void bad(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted)
{
    bool transform = param->letter == '@';

    if (transform && !tc_sh_expand_is_set(x->env, param->name)) {
        put_one(x, TC_STR(""), quoted);
        return;
    }
    tc_sh_warn(x->env, "%.*s: bad substitution", TC_STR_ARG(param->source));
    x->flow = transform ? tc_sh_fatal(x->env) : fail(x->env);
}

void tc_sh_expand_param(struct tc_sh_expansion *x, const struct tc_sh_param *param, bool quoted)
{
    struct tc_sh_target target;

    if (plain_value(x, param, quoted))
        return;
    if (param->op == TC_SH_PARAM_BAD) {
        bad(x, param, quoted);
        return;
    }
    if (param->op == TC_SH_PARAM_NAMES || param->op == TC_SH_PARAM_KEYS) {
        (param->op == TC_SH_PARAM_NAMES ? names : keys)(x, param, quoted);
        return;
    }
    if (param->indirect && !param->subscript && param->op == TC_SH_PARAM_VALUE &&
        tc_sh_vars_flags(x->env->vars, param->name) & TC_SH_VAR_NAMEREF) {
        struct tc_str name; /* ${!ref}: its name, not what that stands for */
        if (tc_sh_vars_get(x->env->vars, param->name, &name))
            put_one(x, name, quoted);
        return;
    }
    x->flow = tc_sh_target_find(x->env, param->name, param->subscript, &target);
    if (x->flow == TC_SH_NEXT && param->indirect)
        x->flow = indirect(x->env, param, &target);
    if (x->flow == TC_SH_NEXT && param->op == TC_SH_PARAM_LENGTH) {
        tc_sh_length(x, param, &target, quoted);
        return;
    }
    if (x->flow == TC_SH_NEXT)
        x->flow = tc_sh_target_read(x->env, &target);
    if (x->flow != TC_SH_NEXT || instead(x, param, &target, quoted))
        return;
    if (!target.set && !tc_sh_target_is_list(&target) && x->env->options & TC_SH_O_NOUNSET &&
        param->op != TC_SH_PARAM_ASSIGN) {
        x->flow = tc_sh_unbound(x->env, spelled(x->env, param));
        return;
    }
    with_value(x, param, &target, quoted);
}
