/*
 * The assignments of simple commands: alone, where they stay, and before a command,
 * where they last as long as it does, unless the command declares their names.
 */
#include "shell/exec_simple.h"

#include "shell/declare.h"

/* One assignment of a command without words. */
static enum tc_sh_flow assign_traced(struct tc_sh_env *env, const struct tc_sh_assign *assign)
{
    struct tc_str value = {"", 0};
    struct tc_sh_part part = {.kind = TC_SH_LITERAL, .quoted = true};
    struct tc_sh_word word = {.parts = &part, .n = 1};
    struct tc_sh_assign known = *assign;
    enum tc_sh_flow flow;

    if (assign->array) {
        flow = tc_sh_expand_assign(env, assign);
        tc_sh_trace_assign(env, assign, value);
        return flow;
    }
    flow = assign->value ? tc_sh_expand_assigned(env, assign->value, &value) : TC_SH_NEXT;
    if (flow != TC_SH_NEXT)
        return flow;
    tc_sh_trace_assign(env, assign, value);
    part.text = value;
    known.value = &word;
    return tc_sh_expand_assign(env, &known);
}

enum tc_sh_flow tc_sh_assign_bare(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    for (size_t i = 0; i < node->assigns_n && flow == TC_SH_NEXT; i++) {
        flow = env->options & TC_SH_O_XTRACE ? assign_traced(env, node->assigns[i])
                                             : tc_sh_expand_assign(env, node->assigns[i]);
        if (flow == TC_SH_NEXT && (env->options & TC_SH_O_ALLEXPORT))
            tc_sh_vars_mark(env->vars, node->assigns[i]->name, TC_SH_VAR_EXPORT, 0);
    }
    return flow;
}

/* Where an assignment before a command goes. */
enum place {
    SCOPE,         /* one that lasts as long as the command */
    LOCAL, GLOBAL, /* it stays, exported, since the command declares the name: x=1 export x */
    NOWHERE        /* only evaluated */
};

/* What declare and its like are to do. */
enum task {
    SHOW,   /* declare -p x */
    DEFINE,
    OTHER   /* lists, arrays, globals from within a function: assignments before it do not count */
};

static enum task task_of(const struct tc_sh_line *line)
{
    enum task task = DEFINE;
    size_t i = 1;

    for (; i < line->n && line->v[i].n > 1 && (line->v[i].p[0] == '-' || line->v[i].p[0] == '+'); i++) {
        if (line->v[i].p[0] == '-' && tc_str_chr(line->v[i], 'p') != SIZE_MAX)
            task = SHOW;
        else if (tc_str_chr(line->v[i], 'g') != SIZE_MAX)
            return OTHER;
    }
    if (i == line->n)
        return OTHER;
    for (; i < line->n; i++)
        if (line->arrays[i])
            return OTHER;
    return task;
}

static bool declares(const struct tc_sh_line *line, struct tc_str name)
{
    for (size_t i = 1; i < line->n; i++) {
        struct tc_str word = line->v[i];
        if (tc_str_starts(word, name) && (word.n == name.n || strchr("=+[", word.p[name.n])))
            return true;
    }
    return false;
}

static enum place place_of(const struct tc_sh_env *env, const struct tc_sh_line *line, struct tc_str name)
{
    enum task task = line->arrays ? task_of(line) : SHOW;
    bool function = tc_sh_declare_in_function(env);

    if (task != DEFINE)
        return task == SHOW ? SCOPE : NOWHERE;
    if (!declares(line, name))
        return function ? NOWHERE : SCOPE;
    if (function)
        return LOCAL;
    return tc_str_is(line->v[0], "export") || tc_str_is(line->v[0], "readonly") ? GLOBAL : SCOPE;
}

static enum tc_sh_flow put(struct tc_sh_env *env, struct tc_str name, struct tc_str value, enum place place)
{
    enum tc_sh_set set = TC_SH_SET_OK;

    if (place == GLOBAL)
        tc_sh_vars_global(env->vars, true);
    else
        set = tc_sh_vars_local(env->vars, name, false);
    if (set == TC_SH_SET_OK)
        set = tc_sh_vars_set(env->vars, name, value);
    if (set == TC_SH_SET_OK)
        set = tc_sh_vars_mark(env->vars, name, TC_SH_VAR_EXPORT, 0);
    if (place == GLOBAL)
        tc_sh_vars_global(env->vars, false);
    return set == TC_SH_SET_OK ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

/* One assignment before a command. */
static enum tc_sh_flow temporary(struct tc_sh_env *env, const struct tc_sh_assign *assign, enum place place,
                                 struct tc_sh_made *made)
{
    struct tc_str value = {"", 0}, old;
    enum tc_sh_flow flow = assign->value ? tc_sh_expand_assigned(env, assign->value, &value) : TC_SH_NEXT;

    if (flow != TC_SH_NEXT || place == NOWHERE)
        return flow;
    if (tc_sh_vars_flags(env->vars, assign->name) & TC_SH_VAR_READONLY) {
        tc_sh_warn(env, "%.*s: readonly variable", TC_STR_ARG(assign->name));
        return TC_SH_NEXT;
    }
    if (assign->append && tc_sh_vars_get(env->vars, assign->name, &old))
        value = tc_arena_printf(tc_sh_arena(env), "%.*s%.*s", TC_STR_ARG(old), TC_STR_ARG(value));
    if (!value.p)
        return tc_sh_out_of_memory(env);
    if (env->options & TC_SH_O_XTRACE)
        tc_sh_trace_assign(env, assign, value);
    if (place == SCOPE) {
        made->names[made->n] = assign->name;
        made->values[made->n++] = value;
    }
    return put(env, assign->name, value, place);
}

bool tc_sh_assign_shows(const struct tc_sh_line *line)
{
    return task_of(line) == SHOW;
}

enum tc_sh_flow tc_sh_assign_before(struct tc_sh_env *env, const struct tc_sh_node *node, const struct tc_sh_line *line,
                                    struct tc_sh_made *ret_made)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    for (size_t i = 0; i < node->assigns_n && flow == TC_SH_NEXT; i++)
        flow = temporary(env, node->assigns[i], place_of(env, line, node->assigns[i]->name), ret_made);
    return flow;
}

enum tc_sh_flow tc_sh_assign_again(struct tc_sh_env *env, const struct tc_sh_made *made)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    for (size_t i = 0; i < made->n && flow == TC_SH_NEXT; i++)
        flow = put(env, made->names[i], made->values[i], SCOPE);
    return flow;
}
