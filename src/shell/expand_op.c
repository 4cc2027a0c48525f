/*
 * Beginnings and ends cut off, parts replaced, cases changed.
 */
#include "shell/expand_op.h"

static unsigned pattern_flags(const struct tc_sh_env *env, enum tc_sh_param_op op)
{
    unsigned flags = env->shopt & TC_SH_S_EXTGLOB ? TC_SH_PATTERN_EXT : 0;

    return op == TC_SH_PARAM_REPLACE && env->shopt & TC_SH_S_NOCASEMATCH ? flags | TC_SH_PATTERN_ICASE : flags;
}

/* The replacement keeps its segments, so that a quoted & is only that. */
static enum tc_sh_flow expand_replacement(struct tc_sh_op *op, const struct tc_sh_word *word)
{
    struct tc_sh_expansion *x = tc_arena_alloc(tc_sh_arena(op->env), sizeof *x);

    if (!x)
        return tc_sh_out_of_memory(op->env);
    tc_sh_expansion_init(x, op->env, TC_SH_AIM_STRING);
    x->keep = true;
    if (word)
        tc_sh_expand_parts(x, word, false, false);
    op->with = x->segs;
    op->with_n = x->n;
    return x->flow;
}

enum tc_sh_flow tc_sh_op_prepare(struct tc_sh_op *op, struct tc_sh_env *env, const struct tc_sh_param *param)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    *op = (struct tc_sh_op){.env = env, .param = param, .flags = pattern_flags(env, param->op)};
    op->pattern = TC_STR("");
    op->matches = param->arg != NULL;
    if (param->arg)
        flow = tc_sh_expand_pattern(env, param->arg, &op->pattern);
    if (flow != TC_SH_NEXT || param->op != TC_SH_PARAM_REPLACE)
        return flow;
    flow = expand_replacement(op, param->arg2);
    if (flow == TC_SH_NEXT && op->pattern.n > 0) {
        op->matcher = tc_sh_matcher_create(op->pattern, op->flags, param->anchor == '%');
        if (!op->matcher && (op->pattern.n > 1 << 20 || op->flags)) /* too deep: it matches nothing */
            op->pattern.n = 0;
    }
    return flow;
}

void tc_sh_op_finish(struct tc_sh_op *op)
{
    tc_sh_matcher_destroy(op->matcher);
    op->matcher = NULL;
}

static void put_replacement(struct tc_sh_op *op, struct tc_buf *buf, struct tc_str match)
{
    bool special = op->env->shopt & TC_SH_S_PATSUB;

    for (size_t i = 0; i < op->with_n; i++) {
        struct tc_str text = op->with[i].text;
        if (op->with[i].quoted || !special) {
            tc_buf_str(buf, text);
            continue;
        }
        for (size_t j = 0; j < text.n; j++) {
            if (text.p[j] == '\\' && j + 1 < text.n && (text.p[j + 1] == '&' || text.p[j + 1] == '\\'))
                tc_buf_char(buf, text.p[++j]);
            else if (text.p[j] == '&')
                tc_buf_str(buf, match);
            else
                tc_buf_char(buf, text.p[j]);
        }
    }
}

/* bash lets only patterns that begin with a star match the nothing at the end, or ?(…) when that is asked for. */
static bool counts(const struct tc_sh_op *op, struct tc_str value, size_t start)
{
    char first = op->pattern.p[0];

    return start < value.n || first == '*' || (first == '?' && op->param->anchor == '%');
}

/* The matches, one by one, into `buf`; false when there is none. */
static bool replace_into(struct tc_sh_op *op, struct tc_buf *buf, struct tc_str value)
{
    size_t from = 0, start, end;

    if (op->param->anchor) {
        bool tail = op->param->anchor == '%';
        end = tc_sh_matcher_run(op->matcher, value, tail ? value.n : 0, true);
        if (end == SIZE_MAX)
            return false;
        start = tail ? end : 0;
        end = tail ? value.n : end;
        if (!counts(op, value, start))
            return false;
        tc_buf_add(buf, value.p, start);
        put_replacement(op, buf, tc_str_n(value.p + start, end - start));
        tc_buf_str(buf, tc_str_from(value, end));
        return true;
    }
    if (!tc_sh_matcher_find(op->matcher, value, 0, &start, &end) || !counts(op, value, start))
        return false;
    do {
        tc_buf_add(buf, value.p + from, start - from);
        if (end == start) { /* an empty match stands before the next character */
            if (start == value.n && start > 0 && !counts(op, value, start)) {
                from = start;
                break;
            }
            put_replacement(op, buf, tc_str_n(value.p + start, 0));
            end = tc_sh_chars_skip(value, start, 1);
            tc_buf_add(buf, value.p + start, end - start);
        } else {
            put_replacement(op, buf, tc_str_n(value.p + start, end - start));
        }
        from = end;
    } while (op->param->all && from < value.n && tc_sh_tick(op->env, 1) && !buf->failed &&
             tc_sh_matcher_find(op->matcher, value, from, &start, &end));
    tc_buf_str(buf, tc_str_from(value, from));
    return true;
}

static enum tc_sh_flow take(struct tc_sh_op *op, struct tc_buf *buf, struct tc_str *ret_value)
{
    *ret_value = tc_buf_dup(buf, tc_sh_arena(op->env));
    tc_buf_finish(buf);
    return ret_value->p ? TC_SH_NEXT : tc_sh_out_of_memory(op->env);
}

static enum tc_sh_flow replace(struct tc_sh_op *op, struct tc_str value, struct tc_str *ret_value)
{
    struct tc_buf buf;

    *ret_value = value;
    tc_buf_init(&buf, SIZE_MAX / 2);
    if (op->pattern.n == 0 && op->param->anchor == '#')
        put_replacement(op, &buf, TC_STR(""));
    if (op->pattern.n == 0 || !op->matcher) {
        bool both = op->pattern.n == 0 && op->param->anchor;
        if (!both)
            return TC_SH_NEXT;
        tc_buf_str(&buf, value);
        if (op->param->anchor == '%')
            put_replacement(op, &buf, TC_STR(""));
        return take(op, &buf, ret_value);
    }
    return replace_into(op, &buf, value) ? take(op, &buf, ret_value) : TC_SH_NEXT;
}

static enum tc_sh_flow change_case(struct tc_sh_op *op, struct tc_str value, struct tc_str *ret_value)
{
    enum tc_sh_case how = op->param->op == TC_SH_PARAM_UPPER   ? TC_SH_CASE_UPPER
                        : op->param->op == TC_SH_PARAM_LOWER ? TC_SH_CASE_LOWER
                                                             : TC_SH_CASE_TOGGLE;
    struct tc_buf buf;
    size_t length;

    tc_buf_init(&buf, SIZE_MAX / 2);
    for (size_t at = 0; at < value.n; at += length) {
        uint32_t c = tc_sh_char_at(value.p + at, value.n - at, &length);
        struct tc_str one = tc_str_n(value.p + at, length);
        if (op->pattern.n == 0 || tc_sh_pattern_match(op->pattern, one, op->flags))
            tc_sh_char_put(&buf, tc_sh_char_case(c, how));
        else
            tc_buf_str(&buf, one);
        if (op->param->all)
            continue;
        tc_buf_str(&buf, tc_str_from(value, at + length));
        break;
    }
    return take(op, &buf, ret_value);
}

enum tc_sh_flow tc_sh_op_apply(struct tc_sh_op *op, struct tc_str value, struct tc_str *ret_value)
{
    size_t at;

    *ret_value = value;
    switch (op->param->op) {
    case TC_SH_PARAM_PREFIX:
        at = tc_sh_pattern_prefix(op->pattern, value, op->param->all, op->flags);
        if (at != SIZE_MAX)
            *ret_value = tc_str_from(value, at);
        return TC_SH_NEXT;
    case TC_SH_PARAM_SUFFIX:
        at = tc_sh_pattern_suffix(op->pattern, value, op->param->all, op->flags);
        if (at != SIZE_MAX)
            *ret_value = tc_str_n(value.p, at);
        return TC_SH_NEXT;
    case TC_SH_PARAM_REPLACE:
        return replace(op, value, ret_value);
    case TC_SH_PARAM_UPPER:
    case TC_SH_PARAM_LOWER:
    case TC_SH_PARAM_TOGGLE:
        return change_case(op, value, ret_value);
    default:
        return TC_SH_NEXT;
    }
}
