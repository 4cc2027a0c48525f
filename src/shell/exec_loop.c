/*
 * while, until, for, for ((;;)), select and case. A loop takes BREAK and CONTINUE as
 * long as env->levels says that they are meant for it.
 */
#include "shell/exec_parts.h"

#include <stdio.h>

enum { REPLY_MAX = 1 << 16 };

/* After the body: whether the loop goes on. */
static bool goes_on(struct tc_sh_env *env, enum tc_sh_flow *flow)
{
    if (*flow == TC_SH_NEXT)
        return true;
    if ((*flow != TC_SH_BREAK && *flow != TC_SH_CONTINUE) || --env->levels > 0)
        return false;
    if (*flow == TC_SH_CONTINUE) {
        *flow = TC_SH_NEXT;
        return true;
    }
    *flow = TC_SH_NEXT;
    return false;
}

enum tc_sh_flow tc_sh_exec_while(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    enum tc_sh_flow flow = TC_SH_NEXT;
    int last = 0;

    env->loops++;
    for (;;) {
        if (!tc_sh_tick(env, 1)) {
            flow = TC_SH_STOP;
            break;
        }
        flow = tc_sh_exec_condition(env, node->cond);
        if (flow == TC_SH_NEXT) {
            if ((env->status == 0) == (node->kind == TC_SH_UNTIL))
                break;
            flow = tc_sh_exec(env, node->body);
            last = env->status;
        }
        if (!goes_on(env, &flow))
            break;
    }
    env->loops--;
    if (flow == TC_SH_NEXT)
        env->status = last;
    return flow;
}

static enum tc_sh_flow set_name(struct tc_sh_env *env, struct tc_str name, struct tc_str value)
{
    unsigned special = TC_SH_VAR_INTEGER | TC_SH_VAR_NAMEREF | TC_SH_VAR_INDEXED | TC_SH_VAR_ASSOC;

    if (!(tc_sh_vars_flags(env->vars, name) & special) && tc_sh_vars_set(env->vars, name, value) == TC_SH_SET_OK)
        return TC_SH_NEXT;
    return tc_sh_expand_set(env, name, value);
}

/* The words behind `in`, or the positional parameters. */
static enum tc_sh_flow loop_words(struct tc_sh_env *env, const struct tc_sh_node *node, struct tc_sh_fields *ret_fields)
{
    struct tc_arena *arena = tc_sh_arena(env);

    *ret_fields = (struct tc_sh_fields){0};
    if (node->has_in)
        return tc_sh_expand_words(env, node->words, node->words_n, ret_fields);
    ret_fields->v = TC_ARENA_NEW_N(arena, struct tc_str, env->args->n + 1);
    if (!ret_fields->v)
        return tc_sh_out_of_memory(env);
    for (; ret_fields->n < env->args->n; ret_fields->n++) {
        ret_fields->v[ret_fields->n] = tc_arena_dup(arena, env->args->v[ret_fields->n]);
        if (!ret_fields->v[ret_fields->n].p)
            return tc_sh_out_of_memory(env);
    }
    return TC_SH_NEXT;
}

/* "for x in a b", as set -x and BASH_COMMAND have it. NULL p without memory. */
static struct tc_str head_of(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_str text = tc_arena_printf(tc_sh_arena(env), "%s %.*s in%s", node->kind == TC_SH_FOR ? "for" : "select",
                                         TC_STR_ARG(node->name), node->has_in ? "" : " \"$@\"");

    for (size_t i = 0; text.p && i < node->words_n; i++)
        text = tc_arena_printf(tc_sh_arena(env), "%.*s %.*s", TC_STR_ARG(text), TC_STR_ARG(node->words[i]->source));
    return text;
}

/* What comes before a pass: the DEBUG trap and the trace. */
static enum tc_sh_flow announce(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_sh_node named = *node;
    enum tc_sh_flow flow;

    env->line = node->line;
    if (!env->traps && !(env->options & TC_SH_O_XTRACE))
        return TC_SH_NEXT;
    named.source = head_of(env, node);
    if (!named.source.p)
        return tc_sh_out_of_memory(env);
    flow = tc_sh_exec_debug(env, &named);
    if (flow == TC_SH_NEXT && (env->options & TC_SH_O_XTRACE))
        tc_sh_trace_text(env, named.source);
    return flow;
}

static enum tc_sh_flow for_pass(struct tc_sh_env *env, const struct tc_sh_node *node, struct tc_str value)
{
    enum tc_sh_flow flow;

    if (!tc_sh_tick(env, 1))
        return TC_SH_STOP;
    flow = announce(env, node);
    if (flow == TC_SH_NEXT && (tc_sh_vars_flags(env->vars, node->name) & TC_SH_VAR_READONLY)) {
        tc_sh_warn(env, "%.*s: readonly variable", TC_STR_ARG(node->name));
        env->status = 1;
        env->levels = 1;
        return TC_SH_BREAK;
    }
    if (flow == TC_SH_NEXT)
        flow = set_name(env, node->name, value);
    return flow == TC_SH_NEXT ? tc_sh_exec(env, node->body) : flow;
}

enum tc_sh_flow tc_sh_exec_for(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    struct tc_sh_fields fields;
    enum tc_sh_flow flow;

    env->line = node->line;
    flow = loop_words(env, node, &fields);
    if (flow == TC_SH_NEXT)
        env->status = 0;
    env->loops++;
    for (size_t i = 0; flow == TC_SH_NEXT && i < fields.n; i++) {
        flow = for_pass(env, node, fields.v[i]);
        if (!goes_on(env, &flow))
            break;
    }
    env->loops--;
    tc_arena_rewind(arena, &mark);
    return flow;
}

/* One of the three expressions; absent is true. One that fails ends the loop. */
static enum tc_sh_flow evaluate(struct tc_sh_env *env, const struct tc_sh_node *node, int which, bool *ret_true,
                                bool *ret_failed)
{
    int64_t value = 1;
    enum tc_sh_flow flow;

    *ret_failed = false;
    if (!node->expr[which]) {
        *ret_true = true;
        return TC_SH_NEXT;
    }
    flow = tc_sh_exec_debug(env, node);
    if (flow != TC_SH_NEXT)
        return flow;
    if (env->options & TC_SH_O_XTRACE)
        tc_sh_trace_arith(env, node->expr[which]);
    env->doing = TC_STR("((");
    flow = tc_sh_arith_eval(env, node->expr[which], &value);
    *ret_true = value != 0;
    *ret_failed = flow == TC_SH_ABORT;
    return tc_sh_exec_mild(env, flow);
}

enum tc_sh_flow tc_sh_exec_for_arith(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    bool holds = true, failed;
    int last = 0;
    enum tc_sh_flow flow;

    env->line = node->line;
    env->loops++;
    flow = evaluate(env, node, 0, &holds, &failed);
    while (flow == TC_SH_NEXT && !failed) {
        if (!tc_sh_tick(env, 1)) {
            flow = TC_SH_STOP;
            break;
        }
        flow = evaluate(env, node, 1, &holds, &failed);
        if (flow != TC_SH_NEXT || failed || !holds)
            break;
        flow = tc_sh_exec(env, node->body);
        last = env->status;
        if (!goes_on(env, &flow))
            break;
        flow = evaluate(env, node, 2, &holds, &failed);
    }
    env->loops--;
    if (flow == TC_SH_NEXT)
        env->status = failed ? 1 : last;
    return flow;
}

static int digits(size_t n)
{
    int count = 1;

    for (; n >= 10; n /= 10)
        count++;
    return count;
}

/* Blanks from one column to another, tabs where they reach. */
static void indent(struct tc_buf *buf, size_t from, size_t to)
{
    while (from < to) {
        bool tab = to / 8 > from / 8;
        tc_buf_char(buf, tab ? '\t' : ' ');
        from = tab ? (from / 8 + 1) * 8 : from + 1;
    }
}

/* The menu as bash lays it out: columns of equal width, filled downwards, for a line of 80. */
static void menu(const struct tc_sh_fields *fields, struct tc_buf *buf)
{
    size_t width = 0, columns, rows;
    int first, others = digits(fields->n);

    for (size_t i = 0; i < fields->n; i++)
        width = fields->v[i].n > width ? fields->v[i].n : width;
    width += (size_t)others + 4;
    columns = width < 80 ? 80 / width : 1;
    rows = fields->n / columns + (fields->n % columns != 0);
    columns = rows ? fields->n / rows + (fields->n % rows != 0) : 1;
    if (rows == 1)
        rows = columns;
    first = digits(rows);
    for (size_t row = 0; row < rows; row++) {
        size_t at = 0;
        for (size_t i = row; i < fields->n; i += rows, at += width) {
            int number = i == row ? first : others;
            tc_buf_printf(buf, "%*zu) %.*s", number, i + 1, TC_STR_ARG(fields->v[i]));
            if (i + rows < fields->n)
                indent(buf, at + fields->v[i].n + (size_t)number + 2, at + width);
        }
        tc_buf_char(buf, '\n');
    }
}

/* Asks until a line has something on it. 1, 0 at the end of input. */
static enum tc_sh_flow ask(struct tc_sh_env *env, const struct tc_sh_fields *fields, bool show, bool *ret_more)
{
    struct tc_sh_file *in = tc_sh_fds_get(&env->fds, 0), *err = tc_sh_fds_get(&env->fds, 2);
    struct tc_str prompt;
    struct tc_buf buf;
    enum tc_sh_flow flow = TC_SH_NEXT;

    *ret_more = false;
    do {
        if (!tc_sh_expand_get(env, TC_STR("PS3"), &prompt))
            prompt = TC_STR("#? ");
        tc_buf_init(&buf, REPLY_MAX);
        if (show)
            menu(fields, &buf);
        tc_buf_str(&buf, prompt);
        if (err && !buf.failed)
            tc_sh_file_write(env->sh->sched, err, buf.p, buf.n);
        tc_buf_clear(&buf);
        *ret_more = in && tc_sh_file_read_to(env->sh->sched, in, '\n', REPLY_MAX, 0, &buf) == 1 && !buf.failed;
        if (*ret_more) {
            buf.n--;
            flow = tc_sh_expand_set(env, TC_STR("REPLY"), tc_buf_get(&buf));
            show = buf.n == 0;
        } else if (tc_sh_fds_get(&env->fds, 1)) {
            tc_sh_file_write(env->sh->sched, tc_sh_fds_get(&env->fds, 1), "\n", 1);
        }
        tc_buf_finish(&buf);
    } while (*ret_more && show && flow == TC_SH_NEXT);
    return tc_sh_sched_stopped(env->sh->sched) ? TC_SH_STOP : flow;
}

static enum tc_sh_flow select_pass(struct tc_sh_env *env, const struct tc_sh_node *node,
                                   const struct tc_sh_fields *fields)
{
    struct tc_str reply = {0}, chosen = {"", 0};
    int64_t number;
    enum tc_sh_flow flow;

    tc_sh_expand_get(env, TC_STR("REPLY"), &reply);
    if (tc_str_int(tc_str_trim(reply), &number) && number >= 1 && (uint64_t)number <= fields->n)
        chosen = fields->v[number - 1];
    flow = set_name(env, node->name, chosen);
    return flow == TC_SH_NEXT ? tc_sh_exec(env, node->body) : flow;
}

enum tc_sh_flow tc_sh_exec_select(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    struct tc_sh_fields fields;
    bool more = true, show = true;
    enum tc_sh_flow flow;

    env->line = node->line;
    flow = loop_words(env, node, &fields);
    if (flow == TC_SH_NEXT)
        flow = announce(env, node);
    if (flow == TC_SH_NEXT)
        env->status = 0;
    env->loops++;
    while (flow == TC_SH_NEXT && fields.n) {
        flow = ask(env, &fields, show, &more);
        show = false;
        if (flow != TC_SH_NEXT)
            break;
        if (!more) {
            env->status = 1;
            break;
        }
        flow = select_pass(env, node, &fields);
        if (!goes_on(env, &flow))
            break;
    }
    env->loops--;
    tc_arena_rewind(arena, &mark);
    return flow;
}

static enum tc_sh_flow clause_matches(struct tc_sh_env *env, const struct tc_sh_clause *clause, struct tc_str text,
                                      bool *ret_matches)
{
    unsigned flags = TC_SH_PATTERN_EXT | (env->shopt & TC_SH_S_NOCASEMATCH ? TC_SH_PATTERN_ICASE : 0);

    *ret_matches = false;
    for (size_t i = 0; i < clause->n && !*ret_matches; i++) {
        struct tc_str pattern;
        enum tc_sh_flow flow;

        if (clause->patterns[i]->plain) {
            *ret_matches = !(flags & TC_SH_PATTERN_ICASE)
                               ? tc_str_eq(clause->patterns[i]->parts[0].text, text)
                               : tc_sh_pattern_match(clause->patterns[i]->parts[0].text, text, flags);
            continue;
        }
        flow = tc_sh_expand_pattern(env, clause->patterns[i], &pattern);
        if (flow != TC_SH_NEXT)
            return flow;
        *ret_matches = tc_sh_pattern_match(pattern, text, flags);
    }
    return TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_exec_case(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    struct tc_str text;
    bool falls = false, matches = false;
    enum tc_sh_flow flow = tc_sh_exec_debug(env, node);

    if (flow == TC_SH_NEXT)
        flow = tc_sh_expand_string(env, node->words[0], &text);
    if (flow == TC_SH_NEXT && (env->options & TC_SH_O_XTRACE))
        tc_sh_trace_text(env, tc_arena_printf(arena, "case %.*s in", TC_STR_ARG(node->words[0]->source)));
    env->status = 0;
    for (size_t i = 0; flow == TC_SH_NEXT && i < node->clauses_n; i++) {
        const struct tc_sh_clause *clause = &node->clauses[i];

        if (!falls)
            flow = clause_matches(env, clause, text, &matches);
        if (flow != TC_SH_NEXT || (!falls && !matches))
            continue;
        flow = clause->body ? tc_sh_exec(env, clause->body) : TC_SH_NEXT;
        falls = clause->end == TC_SH_CLAUSE_FALL;
        if (clause->end == TC_SH_CLAUSE_BREAK)
            break;
    }
    tc_arena_rewind(arena, &mark);
    return flow;
}
