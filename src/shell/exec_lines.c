/*
 * A script that comes line by line, from standard input or a terminal: a command is run
 * as soon as it is complete, so that it finds the rest of the input unread.
 */
#include "shell/exec_lines.h"

#include "shell/exec_parts.h"

enum { STATUS_INTERRUPTED = 130, STATUS_KILLED = 137 };

/* Whether the text is a whole command. */
static bool complete(struct tc_sh_env *env, struct tc_str text)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_sh_aliases aliases = {.find = tc_sh_exec_alias, .arg = env};
    struct tc_sh_parser parser;
    struct tc_sh_node *node;
    enum tc_sh_parsed parsed;

    tc_arena_init(&arena, 0);
    tc_sh_parser_init(&parser, text, 1);
    parser.extglob = (env->shopt & TC_SH_S_EXTGLOB) != 0;
    parser.aliases = env->shopt & TC_SH_S_EXPAND_ALIASES ? &aliases : NULL;
    do
        parsed = tc_sh_parser_next(&cx, &parser, false, &node);
    while (parsed == TC_SH_PARSED);
    tc_arena_finish(&arena);
    return parsed != TC_SH_PARSED_MORE;
}

static enum tc_sh_flow run(struct tc_sh_env *env, const struct tc_buf *buf, int line)
{
    struct tc_sh_code *code;
    enum tc_sh_flow flow;

    if (buf->failed)
        return tc_sh_out_of_memory(env);
    code = tc_sh_code_create(tc_buf_get(buf), TC_STR(""));
    if (!code)
        return tc_sh_out_of_memory(env);
    flow = tc_sh_exec_code(env, code, line, "");
    tc_sh_code_unref(code);
    if (env->sh->interactive && flow != TC_SH_EXIT && flow != TC_SH_STOP)
        return TC_SH_NEXT;
    return flow == TC_SH_NEXT && env->syntax_error ? TC_SH_EXIT : flow;
}

/* A limit or Ctrl-C ends a command of an interactive shell, not the shell. */
static enum tc_sh_flow go_on(struct tc_sh_env *env, enum tc_sh_flow flow)
{
    struct tc_sh_budget *budget = &env->sh->budget;
    enum tc_sh_limit limit = budget->spent;
    char text[160];

    if (!env->sh->interactive)
        return flow;
    tc_sh_limit_text(budget, limit ? limit : budget->quota, text, sizeof text);
    if (!limit) {
        if (budget->quota)
            tc_sh_warn(env, "%s", text);
        tc_sh_budget_restart(budget);
        return flow;
    }
    tc_sh_sched_restart(env->sh->sched);
    if (limit != TC_SH_LIMIT_CANCELED)
        tc_sh_warn(env, "%s", text);
    env->status = limit == TC_SH_LIMIT_CANCELED ? STATUS_INTERRUPTED : STATUS_KILLED;
    return TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_exec_lines(struct tc_sh_env *env, const struct tc_sh_lines *lines)
{
    size_t max = env->sh->budget.max.script ? (size_t)env->sh->budget.max.script : (size_t)64 << 20;
    enum tc_sh_flow flow = TC_SH_NEXT;
    struct tc_buf buf;
    int line = 1, begun = 1;

    tc_buf_init(&buf, max);
    while (flow == TC_SH_NEXT) {
        int more = lines->next(lines->arg, env, buf.n > 0, &buf);

        if (more == 0 && buf.n == 0)
            break;
        line++;
        if (more < 0) {
            tc_buf_clear(&buf);
            begun = line;
            continue;
        }
        if (more > 0 && !buf.failed && !complete(env, tc_buf_get(&buf)))
            continue;
        if (tc_str_trim(tc_buf_get(&buf)).n) /* an empty line leaves $? as it is */
            flow = go_on(env, run(env, &buf, begun));
        tc_buf_clear(&buf);
        begun = line;
        if (more == 0)
            break;
    }
    tc_buf_finish(&buf);
    return flow;
}
