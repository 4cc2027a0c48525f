/*
 * Assignments: of scalars, elements and whole arrays, from the parser or from text.
 */
#include "shell/arith.h"
#include "shell/expand_parts.h"
#include "shell/expand_value.h"

/* x="$x,more": what the word has before that is in place, so only the rest is appended. Parts that could
 * change x or see it half done are not of this kind. */
static bool grows_itself(struct tc_sh_env *env, const struct tc_sh_assign *assign, const struct tc_sh_target *target)
{
    const struct tc_sh_word *word = assign->value;
    struct tc_sh_var_look look;

    if (assign->append || !word || word->n < 2 || target->kind != TC_SH_TARGET_SCALAR ||
        (target->flags & ~(unsigned)TC_SH_VAR_EXPORT))
        return false;
    for (size_t i = 0; i < word->n; i++) {
        const struct tc_sh_part *part = &word->parts[i];
        if (part->kind == TC_SH_LITERAL && i > 0 && (part->quoted || tc_str_chr(part->text, '~') == SIZE_MAX))
            continue;
        if (part->kind != TC_SH_PARAM || part->param->op != TC_SH_PARAM_VALUE || part->param->subscript ||
            part->param->indirect)
            return false;
        if (i == 0 && (!tc_str_eq(part->param->name, assign->name) ||
                       tc_sh_vars_flags(env->vars, assign->name) & TC_SH_VAR_NAMEREF))
            return false;
    }
    return tc_sh_vars_look(env->vars, assign->name, &look) && look.set;
}

static enum tc_sh_flow append_rest(struct tc_sh_env *env, const struct tc_sh_assign *assign,
                                   const struct tc_sh_target *target)
{
    struct tc_sh_word rest = *assign->value;
    struct tc_str text;
    enum tc_sh_flow flow;

    rest.parts++;
    rest.n--;
    rest.plain = false;
    flow = tc_sh_expand_aim(env, &rest, TC_SH_AIM_STRING, &text);
    return flow == TC_SH_NEXT ? tc_sh_target_set(env, target, text, true) : flow;
}

/* --- arrays --- */

struct filling {
    struct tc_sh_env *env;
    struct tc_sh_target target;
    struct tc_sh_fields pairs; /* of an associative array: words without subscripts are keys and values */
    int64_t next;
};

static enum tc_sh_flow put(struct filling *f, int64_t index, struct tc_str value, bool append)
{
    struct tc_sh_target one = f->target;

    one.kind = TC_SH_TARGET_INDEX;
    one.index = index;
    one.key = TC_STR(""); /* it is good: no message shows it */
    f->next = index < INT64_MAX ? index + 1 : index;
    return tc_sh_target_set(f->env, &one, value, append);
}

static enum tc_sh_flow put_subscripted(struct filling *f, const struct tc_sh_array_item *item)
{
    struct tc_sh_target one;
    struct tc_str value = TC_STR("");
    enum tc_sh_flow flow;

    flow = tc_sh_target_find(f->env, f->target.name, item->subscript, &one);
    if (flow == TC_SH_NEXT && item->value)
        flow = tc_sh_expand_assigned(f->env, item->value, &value);
    if (flow != TC_SH_NEXT)
        return flow;
    if (one.kind == TC_SH_TARGET_KEY)
        return tc_sh_target_set(f->env, &one, value, item->append);
    if (one.kind != TC_SH_TARGET_INDEX) {
        tc_sh_warn(f->env, "[%c]=%.*s: cannot assign to non-numeric index", one.star ? '*' : '@', TC_STR_ARG(value));
        return TC_SH_NEXT;
    }
    if (one.index < 0)
        one.index += tc_sh_vars_end(f->env->vars, f->target.name);
    if (one.index < 0) {
        tc_sh_warn(f->env, "[%.*s]=%.*s: bad array subscript", TC_STR_ARG(one.key), TC_STR_ARG(value));
        f->env->status = 1;
        return TC_SH_NEXT;
    }
    return put(f, one.index, value, item->append);
}

static enum tc_sh_flow put_words(struct filling *f, const struct tc_sh_array_item *item)
{
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow = tc_sh_expand_words(f->env, &item->value, 1, &fields);

    for (size_t i = 0; i < fields.n && flow == TC_SH_NEXT; i++) {
        if (f->target.flags & TC_SH_VAR_ASSOC)
            flow = tc_sh_fields_add(f->env, &f->pairs, fields.v[i]) ? TC_SH_NEXT : TC_SH_STOP;
        else
            flow = put(f, f->next, fields.v[i], false);
    }
    return flow;
}

static enum tc_sh_flow put_pairs(struct filling *f)
{
    struct tc_sh_target one = f->target;
    enum tc_sh_flow flow = TC_SH_NEXT;

    one.kind = TC_SH_TARGET_KEY;
    for (size_t i = 0; i < f->pairs.n && flow == TC_SH_NEXT; i += 2) {
        struct tc_str value = i + 1 < f->pairs.n ? f->pairs.v[i + 1] : TC_STR("");
        one.key = f->pairs.v[i];
        if (one.key.n == 0) {
            tc_sh_warn(f->env, "%.*s: bad array subscript", TC_STR_ARG(one.key));
            continue;
        }
        flow = tc_sh_target_set(f->env, &one, value, false);
    }
    return flow;
}

/* What words of the list say of the array itself is of before the assignment. */
static bool mentions(const struct tc_sh_assign *assign)
{
    for (size_t i = 0; i < assign->n; i++) {
        const struct tc_sh_word *word = assign->items[i].value;
        if (assign->items[i].subscript || (word && !word->plain))
            return true;
    }
    return false;
}

/* The list made in a variable of its own, so that the old values can be read meanwhile. */
static enum tc_sh_flow expand_first(struct tc_sh_env *env, const struct tc_sh_assign *assign,
                                    struct tc_sh_assign *ret_known)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_sh_array_item *items = NULL;
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < assign->n; i++) {
        const struct tc_sh_array_item *item = &assign->items[i];
        struct tc_sh_fields fields = {0};
        struct tc_str one = TC_STR("");
        enum tc_sh_flow flow;
        if (item->subscript)
            flow = item->value ? tc_sh_expand_assigned(env, item->value, &one) : TC_SH_NEXT;
        else
            flow = tc_sh_expand_words(env, &item->value, 1, &fields);
        if (flow != TC_SH_NEXT)
            return flow;
        if (item->subscript) {
            fields.v = &one;
            fields.n = 1;
        }
        for (size_t j = 0; j < fields.n; j++) {
            struct tc_sh_word *word = TC_ARENA_NEW(arena, struct tc_sh_word);
            if (n == cap) {
                struct tc_sh_array_item *grown = TC_ARENA_NEW_N(arena, struct tc_sh_array_item, cap * 2 + 8);
                if (!grown)
                    return tc_sh_out_of_memory(env);
                if (n)
                    memcpy(grown, items, n * sizeof *items);
                items = grown;
                cap = cap * 2 + 8;
            }
            if (word)
                word->parts = TC_ARENA_NEW(arena, struct tc_sh_part);
            if (!word || !word->parts)
                return tc_sh_out_of_memory(env);
            word->parts[0] = (struct tc_sh_part){.kind = TC_SH_LITERAL, .quoted = true, .text = fields.v[j]};
            word->n = 1;
            items[n++] = (struct tc_sh_array_item){item->subscript, item->append, word};
        }
    }
    *ret_known = *assign;
    ret_known->items = items;
    ret_known->n = n;
    return TC_SH_NEXT;
}

static enum tc_sh_flow assign_array(struct tc_sh_env *env, const struct tc_sh_assign *assign,
                                    struct tc_sh_target *target)
{
    unsigned kind = target->flags & TC_SH_VAR_ASSOC ? TC_SH_VAR_ASSOC : TC_SH_VAR_INDEXED;
    struct filling f = {.env = env};
    struct tc_sh_assign known = *assign;
    enum tc_sh_flow flow = TC_SH_NEXT;
    enum tc_sh_set set;

    if (target->flags & TC_SH_VAR_DYNAMIC)
        return TC_SH_NEXT;
    if (target->flags & TC_SH_VAR_READONLY)
        return tc_sh_target_refused(env, TC_SH_SET_READONLY, target->name, tc_str_n(NULL, 0));
    if (mentions(assign))
        flow = expand_first(env, assign, &known);
    if (flow != TC_SH_NEXT)
        return flow;
    set = assign->append ? tc_sh_vars_mark(env->vars, target->name, kind, 0)
                         : tc_sh_vars_clear(env->vars, target->name, kind);
    if (set == TC_SH_SET_OK && assign->append && !tc_sh_vars_has_value(env->vars, target->name))
        set = tc_sh_vars_clear(env->vars, target->name, kind);
    if (set != TC_SH_SET_OK)
        return tc_sh_target_refused(env, set, target->name, tc_str_n(NULL, 0));
    target->flags |= kind;
    f.target = *target;
    f.next = kind == TC_SH_VAR_INDEXED ? tc_sh_vars_end(env->vars, target->name) : 0;
    for (size_t i = 0; i < known.n && flow == TC_SH_NEXT; i++)
        flow = known.items[i].subscript ? put_subscripted(&f, &known.items[i]) : put_words(&f, &known.items[i]);
    if (flow == TC_SH_NEXT)
        flow = put_pairs(&f);
    if (flow == TC_SH_NEXT && env->options & TC_SH_O_ALLEXPORT)
        tc_sh_vars_mark(env->vars, target->name, TC_SH_VAR_EXPORT, 0);
    return flow;
}

/* --- the face --- */

enum tc_sh_flow tc_sh_expand_assign(struct tc_sh_env *env, const struct tc_sh_assign *assign)
{
    struct tc_sh_target target;
    struct tc_str value = TC_STR("");
    enum tc_sh_flow flow;

    if (assign->array && assign->subscript) {
        tc_sh_warn(env, "%.*s[%.*s]: cannot assign list to array member", TC_STR_ARG(assign->name),
                   TC_STR_ARG(assign->subscript->expr.text ? assign->subscript->expr.text->source : TC_STR("@")));
        env->status = 1;
        return TC_SH_ABORT;
    }
    flow = tc_sh_target_find(env, assign->name, assign->subscript, &target);
    if (flow != TC_SH_NEXT)
        return flow;
    if (assign->array)
        return assign_array(env, assign, &target);
    if (grows_itself(env, assign, &target))
        return append_rest(env, assign, &target);
    if (assign->value)
        flow = tc_sh_expand_assigned(env, assign->value, &value);
    return flow == TC_SH_NEXT ? tc_sh_target_set(env, &target, value, assign->append) : flow;
}

enum tc_sh_flow tc_sh_expand_set(struct tc_sh_env *env, struct tc_str text, struct tc_str value)
{
    struct tc_sh_target target;
    enum tc_sh_flow flow = tc_sh_target_of_text(env, text, &target);

    return flow == TC_SH_NEXT ? tc_sh_target_set(env, &target, value, false) : flow;
}

bool tc_sh_expand_get(struct tc_sh_env *env, struct tc_str text, struct tc_str *ret_value)
{
    struct tc_sh_target target;

    if (text.n == 0 || tc_sh_target_of_text(env, text, &target) != TC_SH_NEXT ||
        tc_sh_target_read(env, &target) != TC_SH_NEXT || !target.set)
        return false;
    *ret_value = tc_sh_target_is_list(&target) ? target.v[0] : target.one;
    return true;
}

bool tc_sh_expand_is_set(struct tc_sh_env *env, struct tc_str text)
{
    struct tc_str value;

    return tc_sh_expand_get(env, text, &value);
}
