/*
 * Simple commands: words are expanded first, then assignments and redirections, then
 * the command is looked for and run. What a plain name means is remembered in the node,
 * but for functions, which may come and go.
 */
#include "shell/exec_simple.h"

#include "shell/declare.h"
#include "shell/env_table.h"
#include "shell/hashed.h"
#include "shell/jobs.h"
#include "shell/redirect.h"

struct cached {
    const struct tc_sh_builtin *builtin;
    const struct tc_cmd *cmd;
    bool declares; /* its arguments may be assignments */
};

static const struct cached *cache_of(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    static const char *const declaring[] = {"declare", "typeset", "local", "export", "readonly"};
    struct cached *cached = node->cache;
    struct tc_sh_found found;
    struct tc_str name;

    if (cached || node->words_n == 0 || !node->words[0]->plain || node->words[0]->n != 1)
        return cached;
    cached = TC_ARENA_NEW(&env->code->arena, struct cached);
    if (!cached)
        return NULL;
    name = node->words[0]->parts[0].text;
    tc_sh_exec_look(env, name, false, &found);
    if (found.what == TC_SH_IS_BUILTIN || found.what == TC_SH_IS_COMMAND) {
        cached->builtin = found.builtin;
        cached->cmd = found.cmd;
    }
    for (size_t i = 0; found.builtin && i < sizeof declaring / sizeof *declaring; i++)
        cached->declares |= tc_str_is(name, declaring[i]);
    ((struct tc_sh_node *)node)->cache = cached;
    return cached;
}

static void look(struct tc_sh_env *env, const struct cached *cached, struct tc_str name, struct tc_sh_found *found)
{
    *found = (struct tc_sh_found){0};
    if (!cached || (!cached->builtin && !cached->cmd) || env->disabled || env->hashed_forced) {
        tc_sh_exec_look(env, name, true, found);
        return;
    }
    if (env->functions && (found->function = tc_sh_env_function(env, name))) {
        found->what = TC_SH_IS_FUNCTION;
        return;
    }
    found->builtin = cached->builtin;
    found->cmd = cached->cmd;
    found->what = cached->builtin && !cached->builtin->program ? TC_SH_IS_BUILTIN : TC_SH_IS_COMMAND;
}

/* "name[sub]+=value" of an argument of declare. */
static enum tc_sh_flow declared_text(struct tc_sh_env *env, const struct tc_sh_assign *assign, struct tc_str *ret_text)
{
    struct tc_str value = {"", 0}, sub = {0};
    enum tc_sh_flow flow = TC_SH_NEXT;

    if (assign->subscript)
        sub = assign->subscript->kind == TC_SH_SUB_AT     ? TC_STR("@")
              : assign->subscript->kind == TC_SH_SUB_STAR ? TC_STR("*")
                                                          : assign->subscript->expr.text->source;
    if (assign->value)
        flow = tc_sh_expand_assigned(env, assign->value, &value);
    if (flow != TC_SH_NEXT)
        return flow;
    *ret_text =
        tc_arena_printf(tc_sh_arena(env), "%.*s%s%.*s%s%s%.*s", TC_STR_ARG(assign->name), assign->subscript ? "[" : "",
                        TC_STR_ARG(sub), assign->subscript ? "]" : "", assign->append ? "+=" : "=", TC_STR_ARG(value));
    return ret_text->p ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

static enum tc_sh_flow add_word(struct tc_sh_env *env, struct tc_sh_line *line, size_t *cap, struct tc_str word,
                                const struct tc_sh_assign *array)
{
    struct tc_arena *arena = tc_sh_arena(env);

    if (line->n == *cap) {
        size_t more = *cap * 2 + 8;
        struct tc_str *v = TC_ARENA_NEW_N(arena, struct tc_str, more);
        const struct tc_sh_assign **arrays = TC_ARENA_NEW_N(arena, const struct tc_sh_assign *, more);
        if (!v || !arrays)
            return tc_sh_out_of_memory(env);
        if (line->n) {
            memcpy(v, line->v, line->n * sizeof *v);
            memcpy(arrays, line->arrays, line->n * sizeof *arrays);
        }
        line->v = v;
        line->arrays = arrays;
        *cap = more;
    }
    line->arrays[line->n] = array;
    line->v[line->n++] = word;
    return TC_SH_NEXT;
}

/* The words of declare and its like: assignments are not split. */
static enum tc_sh_flow expand_declaring(struct tc_sh_env *env, const struct tc_sh_node *node, struct tc_sh_line *line)
{
    enum tc_sh_flow flow = TC_SH_NEXT;
    size_t cap = 0;

    for (size_t i = 0; i < node->words_n && flow == TC_SH_NEXT; i++) {
        const struct tc_sh_assign *assign = node->words[i]->assign;
        struct tc_sh_fields fields = {0};
        struct tc_str text = {0};

        if (assign && assign->array) {
            flow = add_word(env, line, &cap, assign->name, assign);
        } else if (assign) {
            flow = declared_text(env, assign, &text);
            if (flow == TC_SH_NEXT)
                flow = add_word(env, line, &cap, text, NULL);
        } else {
            flow = tc_sh_expand_words(env, &node->words[i], 1, &fields);
            for (size_t k = 0; k < fields.n && flow == TC_SH_NEXT; k++)
                flow = add_word(env, line, &cap, fields.v[k], NULL);
        }
    }
    return flow;
}

static enum tc_sh_flow expand_line(struct tc_sh_env *env, const struct tc_sh_node *node, const struct cached *cached,
                                   struct tc_sh_line *line)
{
    struct tc_sh_fields fields = {0};
    enum tc_sh_flow flow;

    *line = (struct tc_sh_line){0};
    if (node->words_n == 0)
        return TC_SH_NEXT;
    if (cached && cached->declares)
        return expand_declaring(env, node, line);
    flow = tc_sh_expand_words(env, node->words, node->words_n, &fields);
    line->v = fields.v;
    line->n = fields.n;
    return flow;
}

/* As bash does it in the process of the command: what expansions assign, $((i++)), ends with it. */
static enum tc_sh_flow redirect_apart(struct tc_sh_env *env, const struct tc_sh_node *node, struct tc_sh_undo *ret_undo)
{
    struct tc_sh_vars *vars = env->vars, *fork = tc_sh_vars_fork(vars);
    enum tc_sh_flow flow;

    *ret_undo = (struct tc_sh_undo){0};
    if (!fork)
        return tc_sh_out_of_memory(env);
    env->vars = fork;
    flow = tc_sh_redirect_apart(env, node->redirects, node->redirects_n, ret_undo);
    env->vars = vars;
    tc_sh_vars_destroy(fork);
    return flow;
}

/* Opens the redirections. Their words do not see what was assigned for the command: its scope is taken away
 * meanwhile. */
static enum tc_sh_flow redirect(struct tc_sh_env *env, const struct tc_sh_node *node, bool here,
                                const struct tc_sh_made *made, struct tc_sh_undo *ret_undo)
{
    enum tc_sh_flow flow;

    if (made)
        tc_sh_vars_pop(env->vars);
    flow =
        here ? tc_sh_redirect(env, node->redirects, node->redirects_n, ret_undo) : redirect_apart(env, node, ret_undo);
    if (made && !tc_sh_vars_push(env->vars) && flow == TC_SH_NEXT)
        flow = tc_sh_out_of_memory(env);
    return made && flow == TC_SH_NEXT ? tc_sh_assign_again(env, made) : flow;
}

/* The command behind its assignments (made: NULL when they have no scope): traced, redirected, run. */
static enum tc_sh_flow run_line(struct tc_sh_env *env, const struct tc_sh_node *node, const struct tc_sh_found *found,
                                const struct tc_sh_line *line, const struct tc_sh_made *made)
{
    bool special = found->builtin && found->builtin->special && found->what == TC_SH_IS_BUILTIN;
    struct tc_sh_undo undo;
    enum tc_sh_flow flow;

    if (env->options & TC_SH_O_XTRACE)
        tc_sh_trace_words(env, line->v, line->n);
    if (node->redirects_n == 0) {
        env->arrays = line->arrays;
        return tc_sh_exec_found(env, found, line->v, line->n);
    }
    flow = redirect(env, node, found->what == TC_SH_IS_BUILTIN || found->what == TC_SH_IS_FUNCTION, made, &undo);
    if (flow == TC_SH_NEXT && undo.failed && special && (env->options & TC_SH_O_POSIX)) {
        flow = TC_SH_EXIT;
    } else if (flow == TC_SH_NEXT && !undo.failed) {
        env->arrays = line->arrays;
        flow = tc_sh_exec_found(env, found, line->v, line->n);
    }
    if (env->keep_redirects && flow == TC_SH_NEXT)
        tc_sh_redirect_keep(&undo);
    else
        tc_sh_redirect_undo(env, &undo);
    env->keep_redirects = false;
    return flow;
}

/* With assignments before the command; those of POSIX's special builtins stay in its mode. */
static enum tc_sh_flow run_with(struct tc_sh_env *env, const struct tc_sh_node *node, const struct tc_sh_found *found,
                                const struct tc_sh_line *line)
{
    /* what declare declares in a function must not be of a scope that ends with it */
    bool in_scope = !line->arrays || tc_sh_assign_shows(line) || !tc_sh_declare_in_function(env);
    enum tc_sh_flow flow = TC_SH_NEXT;
    struct tc_sh_made made = {0};

    if (found->builtin && found->builtin->special && (env->options & TC_SH_O_POSIX)) {
        flow = tc_sh_assign_bare(env, node);
        return flow == TC_SH_NEXT ? run_line(env, node, found, line, NULL) : flow;
    }
    made.names = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_str, node->assigns_n);
    made.values = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_str, node->assigns_n);
    if (!made.names || !made.values || (in_scope && !tc_sh_vars_push(env->vars)))
        return tc_sh_out_of_memory(env);
    flow = tc_sh_assign_before(env, node, line, &made);
    if (flow == TC_SH_NEXT)
        flow = run_line(env, node, found, line, in_scope ? &made : NULL);
    if (in_scope)
        tc_sh_vars_pop(env->vars);
    return flow;
}

/* Assignments and redirections without a command. */
static enum tc_sh_flow run_bare(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_sh_undo undo;
    enum tc_sh_flow flow = tc_sh_assign_bare(env, node);

    if (flow != TC_SH_NEXT)
        return flow;
    env->status = env->captured >= 0 ? env->captured : 0;
    if (node->redirects_n == 0)
        return flow;
    flow = tc_sh_redirect(env, node->redirects, node->redirects_n, &undo);
    tc_sh_redirect_undo(env, &undo);
    return flow;
}

/* For `hash`; what subshells run nobody can ask for. */
static void remember(struct tc_sh_env *env, const struct tc_sh_found *found, struct tc_str name)
{
    struct tc_str path = found->path;

    if (env->forked || !(env->options & TC_SH_O_HASHALL) || memchr(name.p, '/', name.n) || tc_sh_hashed_hit(env, name))
        return;
    if (!path.n)
        path = tc_arena_printf(tc_sh_arena(env), "/usr/bin/%.*s", TC_STR_ARG(name));
    if (path.p && tc_sh_hashed_put(env, name, path, false))
        tc_sh_hashed_hit(env, name);
}

static enum tc_sh_flow simple(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    const struct cached *cached = cache_of(env, node);
    struct tc_sh_found found;
    struct tc_sh_line line;
    enum tc_sh_flow flow;
    bool program;

    env->captured = -1;
    flow = expand_line(env, node, cached, &line);
    if (flow != TC_SH_NEXT)
        return flow;
    if (line.n == 0)
        return run_bare(env, node);
    if (!tc_sh_env_set_last(env, line.v[line.n - 1]))
        return tc_sh_out_of_memory(env);
    look(env, cached, line.v[0], &found);
    program = found.what == TC_SH_IS_COMMAND || found.what == TC_SH_IS_FILE;
    if (program)
        remember(env, &found, line.v[0]);
    flow = node->assigns_n ? run_with(env, node, &found, &line) : run_line(env, node, &found, &line, NULL);
    if (program && env->jobs_n)
        tc_sh_jobs_notify(env);
    return flow;
}

enum tc_sh_flow tc_sh_exec_simple(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    size_t substituted = env->substituted_n;
    enum tc_sh_flow flow;

    if (!tc_sh_tick(env, 1))
        return TC_SH_STOP;
    flow = tc_sh_exec_debug(env, node);
    if (!env->in_trap)
        env->command = node->source;
    if (flow == TC_SH_NEXT)
        flow = simple(env, node);
    if (env->substituted_n > substituted)
        tc_sh_exec_close(env, substituted);
    tc_arena_rewind(arena, &mark);
    env->pipestatus[0] = env->status;
    env->pipestatus_n = 1;
    return tc_sh_exec_check(env, flow);
}
