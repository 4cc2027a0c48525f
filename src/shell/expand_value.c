/*
 * Targets: found, read, set.
 */
#include "shell/expand_value.h"

#include "shell/arith.h"
#include "shell/expand_parts.h"
#include "shell/special.h"

enum { STATUS_FATAL = 127 };

/* bash has 127 for bash -c, 1 for scripts of files and in subshells. */
enum tc_sh_flow tc_sh_fatal(struct tc_sh_env *env)
{
    const struct tc_sh_frame *frame = env->frame;

    while (frame && frame->outer)
        frame = frame->outer;
    env->status = env->subshell || (frame && tc_str_is(frame->name, "main")) ? 1 : STATUS_FATAL;
    return TC_SH_EXIT;
}

enum tc_sh_flow tc_sh_unbound(struct tc_sh_env *env, struct tc_str what)
{
    bool digits = what.n > 0 && what.p[0] >= '0' && what.p[0] <= '9';

    tc_sh_warn(env, "%s%.*s: unbound variable", digits || tc_str_is(what, "!") ? "$" : "", TC_STR_ARG(what));
    return tc_sh_fatal(env);
}

enum tc_sh_flow tc_sh_target_refused(struct tc_sh_env *env, enum tc_sh_set set, struct tc_str name, struct tc_str sub)
{
    const char *open = sub.p ? "[" : "", *close = sub.p ? "]" : "";

    switch (set) {
    case TC_SH_SET_OK:
        return TC_SH_NEXT;
    case TC_SH_SET_READONLY:
        tc_sh_warn(env, "%.*s: readonly variable", TC_STR_ARG(name));
        break;
    case TC_SH_SET_SUBSCRIPT:
        tc_sh_warn(env, "%.*s%s%.*s%s: bad array subscript", TC_STR_ARG(name), open, TC_STR_ARG(sub), close);
        break;
    case TC_SH_SET_TYPE:
        tc_sh_warn(env, "%.*s: cannot convert associative to indexed array", TC_STR_ARG(name));
        break;
    case TC_SH_SET_MEMORY:
        return tc_sh_out_of_memory(env);
    case TC_SH_SET_LIMIT:
        tc_sh_budget_spend(&env->sh->budget, TC_SH_LIMIT_VARIABLES);
        return TC_SH_STOP;
    }
    env->status = 1;
    return TC_SH_ABORT;
}

static bool is_variable(struct tc_str name)
{
    char c = name.n ? name.p[0] : '0';

    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The key of an associative array in a text that was no word: its quotes go. */
static struct tc_str bare_key(struct tc_str text)
{
    if (text.n >= 2 && (text.p[0] == '"' || text.p[0] == '\'') && text.p[text.n - 1] == text.p[0])
        return tc_str_n(text.p + 1, text.n - 2);
    return text;
}

static enum tc_sh_flow bad_subscript(struct tc_sh_env *env, struct tc_str name, struct tc_str sub)
{
    return tc_sh_target_refused(env, TC_SH_SET_SUBSCRIPT, name, sub);
}

/* An expression of a subscript or of an integer's value that failed: nothing mild comes of it. */
static enum tc_sh_flow abandoned(struct tc_sh_env *env, enum tc_sh_flow flow)
{
    if (flow == TC_SH_ABORT) {
        env->abandon = true;
        env->doing = (struct tc_str){0};
    }
    return flow;
}

/* A subscript that is text: of a nameref, of ${!x}, of arithmetic. */
static enum tc_sh_flow text_subscript(struct tc_sh_env *env, struct tc_str text, struct tc_sh_target *target)
{
    if (tc_str_is(text, "@") || tc_str_is(text, "*")) {
        target->kind = TC_SH_TARGET_ALL;
        target->star = text.p[0] == '*';
        return TC_SH_NEXT;
    }
    if (target->flags & TC_SH_VAR_ASSOC) {
        target->kind = TC_SH_TARGET_KEY;
        target->key = bare_key(text);
        return TC_SH_NEXT;
    }
    target->kind = TC_SH_TARGET_INDEX;
    target->key = text;
    if (text.n == 0)
        return bad_subscript(env, target->name, text);
    return abandoned(env, tc_sh_arith_text(env, text, &target->index));
}

static enum tc_sh_flow word_subscript(struct tc_sh_env *env, const struct tc_sh_subscript *subscript,
                                      struct tc_sh_target *target)
{
    struct tc_sh_word *text = subscript->expr.text;

    if (subscript->kind != TC_SH_SUB_ONE) {
        target->kind = TC_SH_TARGET_ALL;
        target->star = subscript->kind == TC_SH_SUB_STAR;
        return TC_SH_NEXT;
    }
    if (!text || (text->n == 0 && text->source.n == 0))
        return bad_subscript(env, target->name, TC_STR(""));
    if (target->flags & TC_SH_VAR_ASSOC) {
        enum tc_sh_flow flow = tc_sh_expand_string(env, text, &target->key);
        target->kind = TC_SH_TARGET_KEY;
        return flow;
    }
    target->kind = TC_SH_TARGET_INDEX;
    target->key = text->source;
    return abandoned(env, tc_sh_arith_eval(env, (struct tc_sh_arith *)&subscript->expr, &target->index));
}

enum tc_sh_flow tc_sh_target_find(struct tc_sh_env *env, struct tc_str name, const struct tc_sh_subscript *subscript,
                                  struct tc_sh_target *target)
{
    struct tc_str sub;

    *target = (struct tc_sh_target){.kind = TC_SH_TARGET_SPECIAL, .name = name};
    if (tc_str_is(name, "@") || tc_str_is(name, "*")) {
        target->kind = TC_SH_TARGET_ARGS;
        target->star = name.p[0] == '*';
        return TC_SH_NEXT;
    }
    if (!is_variable(name))
        return TC_SH_NEXT;
    target->kind = TC_SH_TARGET_SCALAR;
    target->flags = tc_sh_vars_flags(env->vars, name);
    if (target->flags & TC_SH_VAR_NAMEREF) {
        if (!tc_sh_vars_resolve(env->vars, name, &target->name, &sub)) {
            tc_sh_warn(env, "warning: %.*s: circular name reference", TC_STR_ARG(name));
            target->name = name;
            return TC_SH_NEXT;
        }
        target->flags = tc_sh_vars_flags(env->vars, target->name);
        target->name = tc_arena_dup(tc_sh_arena(env), target->name);
        sub = sub.p ? tc_arena_dup(tc_sh_arena(env), sub) : sub;
        if (!target->name.p)
            return tc_sh_out_of_memory(env);
        if (sub.p)
            return text_subscript(env, sub, target);
    }
    return subscript ? word_subscript(env, subscript, target) : TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_target_of_text(struct tc_sh_env *env, struct tc_str text, struct tc_sh_target *target)
{
    size_t open = tc_str_chr(text, '[');
    enum tc_sh_flow flow;

    if (open == SIZE_MAX || open == 0 || text.p[text.n - 1] != ']')
        return tc_sh_target_find(env, text, NULL, target);
    flow = tc_sh_target_find(env, tc_str_n(text.p, open), NULL, target);
    if (flow != TC_SH_NEXT || target->kind != TC_SH_TARGET_SCALAR)
        return flow;
    return text_subscript(env, tc_str_n(text.p + open + 1, text.n - open - 2), target);
}

/* --- reading --- */

static enum tc_sh_flow read_args(struct tc_sh_env *env, struct tc_sh_target *target)
{
    target->v = env->args ? env->args->v : NULL;
    target->n = env->args ? env->args->n : 0;
    target->set = target->n > 0;
    return TC_SH_NEXT;
}

static enum tc_sh_flow read_all(struct tc_sh_env *env, struct tc_sh_target *target)
{
    size_t count, at = 0;
    struct tc_str key;
    int64_t index;

    if (target->flags & TC_SH_VAR_DYNAMIC && tc_sh_special_elements(env, target->name, &target->v, &target->n)) {
        target->set = target->n > 0;
        return TC_SH_NEXT;
    }
    if (target->flags & TC_SH_VAR_DYNAMIC) { /* a scalar: its own only element */
        target->v = TC_ARENA_NEW(tc_sh_arena(env), struct tc_str);
        target->set = target->v && tc_sh_special_get(env, target->name, target->v);
        target->n = target->set;
        return target->v ? TC_SH_NEXT : tc_sh_out_of_memory(env);
    }
    count = (size_t)tc_sh_vars_count(env->vars, target->name);
    target->n = 0;
    target->v = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_str, count + 1);
    if (!target->v)
        return tc_sh_out_of_memory(env);
    while (target->n < count && tc_sh_vars_each(env->vars, target->name, &at, &index, &key, &target->v[target->n]))
        target->n++;
    if (target->n < count) /* the order of its keys took memory */
        return tc_sh_out_of_memory(env);
    target->set = target->n > 0;
    return tc_sh_tick(env, (unsigned)(count / 16)) ? TC_SH_NEXT : TC_SH_STOP;
}

static enum tc_sh_flow read_index(struct tc_sh_env *env, struct tc_sh_target *target)
{
    struct tc_str *v;
    size_t n;

    if (target->flags & TC_SH_VAR_DYNAMIC && tc_sh_special_elements(env, target->name, &v, &n)) {
        int64_t index = target->index < 0 ? target->index + (int64_t)n : target->index;
        target->set = index >= 0 && (uint64_t)index < n;
        if (target->set)
            target->one = v[index];
        return TC_SH_NEXT;
    }
    if (target->flags & TC_SH_VAR_DYNAMIC) { /* a scalar: its own element 0 */
        target->set = target->index == 0 && tc_sh_special_get(env, target->name, &target->one);
        return TC_SH_NEXT;
    }
    if (target->index < 0 && target->index + tc_sh_vars_end(env->vars, target->name) < 0)
        tc_sh_warn(env, "%.*s: bad array subscript", TC_STR_ARG(target->name));
    else
        target->set = tc_sh_vars_get_at(env->vars, target->name, target->index, &target->one);
    return TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_target_read(struct tc_sh_env *env, struct tc_sh_target *target)
{
    struct tc_sh_var_look look = {0};

    target->set = false;
    target->one = TC_STR("");
    switch (target->kind) {
    case TC_SH_TARGET_ARGS:
        return read_args(env, target);
    case TC_SH_TARGET_ALL:
        return read_all(env, target);
    case TC_SH_TARGET_INDEX:
        return read_index(env, target);
    case TC_SH_TARGET_KEY:
        target->set = tc_sh_vars_get_key(env->vars, target->name, target->key, &target->one);
        return TC_SH_NEXT;
    case TC_SH_TARGET_SPECIAL:
        target->set = tc_sh_special_parameter(env, target->name, &target->one);
        return TC_SH_NEXT;
    case TC_SH_TARGET_SCALAR:
        break;
    }
    if (target->flags & TC_SH_VAR_DYNAMIC) {
        target->set = tc_sh_special_get(env, target->name, &target->one);
    } else if (tc_sh_vars_look(env->vars, target->name, &look)) {
        target->set = look.set;
        if (look.set)
            target->one = look.value;
    }
    return TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_target_keys(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str **ret_v,
                                  size_t *ret_n)
{
    struct tc_arena *arena = tc_sh_arena(env);
    size_t count = (size_t)tc_sh_vars_count(env->vars, target->name), at = 0, n = 0;
    struct tc_str key, value, *v = NULL;
    bool dynamic = target->flags & TC_SH_VAR_DYNAMIC;
    int64_t index;

    if (dynamic && !tc_sh_special_elements(env, target->name, &v, &count))
        count = 1;
    v = TC_ARENA_NEW_N(arena, struct tc_str, count + 1);
    while (v && n < count) {
        index = (int64_t)n;
        if (!dynamic && !tc_sh_vars_each(env->vars, target->name, &at, &index, &key, &value))
            break;
        v[n] = target->flags & TC_SH_VAR_ASSOC ? tc_arena_dup(arena, key) : tc_sh_decimal(env, index);
        if (!v[n++].p)
            return tc_sh_out_of_memory(env);
    }
    if (!v || n < count)
        return tc_sh_out_of_memory(env);
    *ret_v = v;
    *ret_n = n;
    return tc_sh_tick(env, (unsigned)(count / 16)) ? TC_SH_NEXT : TC_SH_STOP;
}

/* --- setting --- */

/* The new value of an integer: old and new are evaluated and added for +=. */
static enum tc_sh_flow integer_value(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str *value,
                                     bool append)
{
    struct tc_sh_target old = *target;
    int64_t sum, before = 0;
    enum tc_sh_flow flow = tc_sh_arith_text(env, *value, &sum);

    if (flow == TC_SH_NEXT && append) {
        flow = tc_sh_target_read(env, &old);
        if (flow == TC_SH_NEXT && old.set)
            flow = tc_sh_arith_text(env, old.one, &before);
    }
    if (flow != TC_SH_NEXT)
        return abandoned(env, flow);
    *value = tc_sh_decimal(env, (int64_t)((uint64_t)sum + (uint64_t)before));
    return value->p ? TC_SH_NEXT : TC_SH_STOP;
}

static enum tc_sh_flow joined(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str *value)
{
    struct tc_sh_target old = *target;
    enum tc_sh_flow flow = tc_sh_target_read(env, &old);
    char *text;

    if (flow != TC_SH_NEXT || !old.set)
        return flow;
    text = tc_arena_alloc(tc_sh_arena(env), old.one.n + value->n + 1);
    if (!text)
        return tc_sh_out_of_memory(env);
    memcpy(text, old.one.p, old.one.n);
    if (value->n)
        memcpy(text + old.one.n, value->p, value->n);
    *value = tc_str_n(text, old.one.n + value->n);
    return TC_SH_NEXT;
}

/* A nameref that leads nowhere yet gets its target. */
static bool is_loose_nameref(struct tc_sh_env *env, const struct tc_sh_target *target)
{
    return target->kind == TC_SH_TARGET_SCALAR && target->flags & TC_SH_VAR_NAMEREF &&
           tc_sh_vars_exists(env->vars, target->name);
}

static enum tc_sh_flow set_nameref(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str value)
{
    size_t open = tc_str_chr(value, '[');
    struct tc_str name = open == SIZE_MAX ? value : tc_str_n(value.p, open);

    if (!tc_sh_parser_is_name(name)) {
        tc_sh_warn(env, "`%.*s': not a valid identifier", TC_STR_ARG(value));
        env->status = 1;
        return TC_SH_ABORT;
    }
    return tc_sh_target_refused(env, tc_sh_vars_set(env->vars, target->name, value), target->name, tc_str_n(NULL, 0));
}

static enum tc_sh_flow no_target(struct tc_sh_env *env, const struct tc_sh_target *target)
{
    if (target->kind == TC_SH_TARGET_ALL)
        tc_sh_warn(env, "%.*s[%c]: bad array subscript", TC_STR_ARG(target->name), target->star ? '*' : '@');
    else
        tc_sh_warn(env, "$%.*s: cannot assign in this way", TC_STR_ARG(target->name));
    env->status = 1;
    return TC_SH_ABORT;
}

enum tc_sh_flow tc_sh_target_set(struct tc_sh_env *env, const struct tc_sh_target *target, struct tc_str value,
                                 bool append)
{
    struct tc_str sub = tc_str_n(NULL, 0);
    enum tc_sh_flow flow = TC_SH_NEXT;
    enum tc_sh_set set = TC_SH_SET_OK;

    if (is_loose_nameref(env, target))
        return set_nameref(env, target, value);
    if (target->flags & TC_SH_VAR_READONLY)
        return tc_sh_target_refused(env, TC_SH_SET_READONLY, target->name, sub);
    if (target->flags & TC_SH_VAR_INTEGER)
        flow = integer_value(env, target, &value, append);
    else if (append && target->kind != TC_SH_TARGET_SCALAR)
        flow = joined(env, target, &value);
    if (flow != TC_SH_NEXT)
        return flow;
    if (target->flags & TC_SH_VAR_DYNAMIC) {
        tc_sh_special_set(env, target->name, value);
        return TC_SH_NEXT;
    }
    switch (target->kind) {
    case TC_SH_TARGET_SCALAR:
        set = append && !(target->flags & TC_SH_VAR_INTEGER) ? tc_sh_vars_append(env->vars, target->name, value)
                                                             : tc_sh_vars_set(env->vars, target->name, value);
        break;
    case TC_SH_TARGET_INDEX:
        set = tc_sh_vars_set_at(env->vars, target->name, target->index, value);
        sub = target->key;
        break;
    case TC_SH_TARGET_KEY:
        set = tc_sh_vars_set_key(env->vars, target->name, target->key, value);
        break;
    default:
        return no_target(env, target);
    }
    if (set == TC_SH_SET_OK && env->options & TC_SH_O_ALLEXPORT)
        set = tc_sh_vars_mark(env->vars, target->name, TC_SH_VAR_EXPORT, 0);
    return tc_sh_target_refused(env, set, target->name, sub);
}
