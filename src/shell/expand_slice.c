/*
 * ${x:offset:length}: characters of a value, elements of a list.
 */
#include "shell/chars.h"
#include "shell/expand_op.h"

static enum tc_sh_flow bounds(struct tc_sh_env *env, const struct tc_sh_param *param, int64_t *ret_offset,
                              int64_t *ret_length)
{
    struct tc_str doing = env->doing;
    enum tc_sh_flow flow = TC_SH_NEXT;

    *ret_offset = 0;
    *ret_length = INT64_MAX;
    env->doing = param->name; /* begins the message of a bad expression */
    if (param->offset)
        flow = tc_sh_arith_eval(env, param->offset, ret_offset);
    if (flow == TC_SH_NEXT && param->length)
        flow = tc_sh_arith_eval(env, param->length, ret_length);
    env->doing = doing;
    return flow;
}

static enum tc_sh_flow negative(struct tc_sh_env *env, const struct tc_sh_param *param, int64_t length)
{
    struct tc_sh_word *word = param->length ? param->length->text : NULL;

    if (word && word->source.n)
        tc_sh_warn(env, "%.*s: substring expression < 0", TC_STR_ARG(word->source));
    else
        tc_sh_warn(env, "%lld: substring expression < 0", (long long)length);
    env->status = 1;
    return TC_SH_ABORT;
}

/* [*from, *to) of n things; false when that is nothing. */
static bool clip(int64_t offset, int64_t length, int64_t n, int64_t *from, int64_t *to)
{
    if (offset < 0)
        offset += n;
    if (offset < 0 || offset > n)
        return false;
    *from = offset;
    *to = length > n - offset ? n : offset + length;
    return true;
}

void tc_sh_slice_one(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_str value, bool quoted)
{
    int64_t offset, length, from, to, n;
    size_t start, end;

    x->flow = bounds(x->env, param, &offset, &length);
    if (x->flow != TC_SH_NEXT)
        return;
    n = (int64_t)tc_utf8_count(value);
    if (!clip(offset, length < 0 ? 0 : length, n, &from, &to)) {
        tc_sh_part_result(x, TC_STR(""), quoted, false);
        return;
    }
    if (length < 0) {
        to = n + length;
        if (to < from) {
            x->flow = negative(x->env, param, length);
            return;
        }
    }
    start = tc_sh_chars_skip(value, 0, (size_t)from);
    end = to == n ? value.n : tc_sh_chars_skip(value, start, (size_t)(to - from));
    tc_sh_part_result(x, tc_str_n(value.p + start, end - start), quoted, true);
}

/* Elements from an index on; of $@ from a number on, 0 being $0. */
void tc_sh_slice_list(struct tc_sh_expansion *x, const struct tc_sh_param *param, struct tc_sh_target *target,
                       bool quoted)
{
    bool args = target->kind == TC_SH_TARGET_ARGS;
    struct tc_str *v;
    int64_t offset, length, from, to, n;

    x->flow = bounds(x->env, param, &offset, &length);
    if (x->flow == TC_SH_NEXT)
        x->flow = tc_sh_target_read(x->env, target); /* as it is now */
    if (x->flow != TC_SH_NEXT)
        return;
    if (length < 0) {
        x->flow = negative(x->env, param, length);
        return;
    }
    v = target->v;
    n = (int64_t)target->n;
    if (args) { /* $0 stands before them */
        v = TC_ARENA_NEW_N(x->arena, struct tc_str, target->n + 1);
        if (!v) {
            x->flow = tc_sh_out_of_memory(x->env);
            return;
        }
        v[0] = x->env->arg0;
        if (n)
            memcpy(v + 1, target->v, (size_t)n * sizeof *v);
        n++;
    } else if (!(target->flags & TC_SH_VAR_DYNAMIC)) { /* an offset is an index: holes are skipped */
        bool assoc = target->flags & TC_SH_VAR_ASSOC;
        if (offset < 0)
            offset += assoc ? n : tc_sh_vars_end(x->env->vars, target->name);
        else if (assoc && offset > 0)
            offset--; /* bash counts these from 1, too */
        if (offset < 0)
            offset = n + 1;
        else if (!assoc)
            offset = tc_sh_vars_before(x->env->vars, target->name, offset);
    }
    if (clip(offset, length, n, &from, &to))
        tc_sh_part_list(x, v + from, (size_t)(to - from), target->star, quoted);
    else
        tc_sh_part_list(x, v, 0, target->star, quoted);
}
