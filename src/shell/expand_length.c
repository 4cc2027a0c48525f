/*
 * ${#…}: characters of a value, elements of an array, arguments. Of ${#a[…]} bash asks
 * the variable first, by rules of its own: with set -u it has to be an array, whose
 * elements need not be there.
 */
#include "shell/expand_op.h"
#include "shell/special.h"

static void put(struct tc_sh_expansion *x, int64_t n, bool quoted)
{
    struct tc_str text = tc_sh_decimal(x->env, n);

    if (text.p)
        tc_sh_part_result(x, text, quoted, false);
    else
        x->flow = TC_SH_STOP;
}

static enum tc_sh_flow refuse(struct tc_sh_env *env, struct tc_str what, const char *why)
{
    tc_sh_warn(env, "%.*s: %s", TC_STR_ARG(what), why);
    env->status = 1;
    return TC_SH_ABORT;
}

struct holder {
    bool there, array;
    int64_t end; /* what an index below 0 counts from */
};

static struct holder look_at(struct tc_sh_env *env, const struct tc_sh_target *target)
{
    struct tc_str *v;
    size_t n;

    if (!(target->flags & TC_SH_VAR_DYNAMIC))
        return (struct holder){tc_sh_vars_has_value(env->vars, target->name),
                               target->flags & (TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC),
                               target->flags & TC_SH_VAR_INDEXED ? tc_sh_vars_end(env->vars, target->name) : 0};
    if (tc_sh_special_elements(env, target->name, &v, &n))
        return (struct holder){n > 0 || !tc_str_is(target->name, "FUNCNAME"), true, (int64_t)n};
    return (struct holder){.there = true};
}

/* ${#a[…]}. True when that was all. */
static bool without_element(struct tc_sh_expansion *x, const struct tc_sh_param *param,
                            const struct tc_sh_target *target, bool quoted)
{
    const struct holder holder = look_at(x->env, target);

    if ((!holder.there || !holder.array) && x->env->options & TC_SH_O_NOUNSET)
        x->flow = refuse(x->env, param->name, "unbound variable");
    else if (!holder.there)
        put(x, 0, quoted);
    else if (target->kind == TC_SH_TARGET_INDEX && target->index < 0 && target->index + holder.end < 0)
        x->flow = refuse(x->env, tc_arena_printf(x->arena, "%.*s]", TC_STR_ARG(target->key)), "bad array subscript");
    else
        return false;
    return true;
}

void tc_sh_length(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target, bool quoted)
{
    if (param->subscript && without_element(x, param, target, quoted))
        return;
    x->flow = tc_sh_target_read(x->env, target);
    if (x->flow != TC_SH_NEXT)
        return;
    if (tc_sh_target_is_list(target)) {
        put(x, (int64_t)target->n, quoted);
    } else if (!target->set && !param->subscript && x->env->options & TC_SH_O_NOUNSET) {
        tc_sh_warn(x->env, "%.*s: unbound variable", TC_STR_ARG(param->name));
        x->flow = tc_sh_fatal(x->env);
    } else {
        put(x, (int64_t)tc_utf8_count(target->one), quoted);
    }
}
