/*
 * Parsing and running a text, one line at a time, so that what a line defines holds
 * for the next. After a line whose expansion failed the next one is run, as bash does.
 * What was parsed is given back at once unless a function, a job or a frame keeps it.
 */
#include "shell/exec_parts.h"

#include "base/mem.h"
#include "shell/env_table.h"
#include "shell/history.h"

bool tc_sh_exec_alias(void *arg, struct tc_str name, struct tc_str *ret_text)
{
    struct tc_sh_env *env = arg;
    const char *text = tc_sh_table_get(env->aliases, name);

    if (text)
        *ret_text = tc_str_of(text);
    return text != NULL;
}

void tc_sh_exec_put_error(struct tc_sh_env *env, struct tc_str text)
{
    struct tc_sh_file *err = tc_sh_fds_get(&env->fds, 2);

    if (err)
        tc_sh_file_write(env->sh->sched, err, text.p, text.n);
}

static void tell(struct tc_sh_env *env, const char *within, int line, const char *kind, struct tc_str message)
{
    struct tc_str text = tc_arena_printf(tc_sh_arena(env), "%.*s: %sline %d: %s%.*s\n",
                                         TC_STR_ARG(tc_sh_env_script(env)), within, line, kind, TC_STR_ARG(message));

    if (text.p)
        tc_sh_exec_put_error(env, text);
}

static void tell_warnings(struct tc_sh_env *env, const struct tc_sh_parser *parser)
{
    for (const struct tc_sh_warning *warning = parser->warnings; warning; warning = warning->next)
        tell(env, "", warning->line, "warning: ", warning->text);
}

static void tell_syntax(struct tc_sh_env *env, const struct tc_sh_parser *parser, struct tc_str message,
                        const char *within)
{
    tell(env, within, parser->line, "", message);
    if (parser->second.n)
        tell(env, within, parser->line, "", parser->second);
}

/* set -v: the lines as they are read. */
static void tell_lines(struct tc_sh_env *env, struct tc_str text, size_t from, size_t to)
{
    if (to > text.n)
        to = text.n;
    if (to > from)
        tc_sh_exec_put_error(env, tc_str_n(text.p + from, to - from));
    if (to > from && text.p[to - 1] != '\n')
        tc_sh_exec_put_error(env, TC_STR("\n"));
}

/* One line that was parsed; what a failed expansion leads to. */
static enum tc_sh_flow run_line(struct tc_sh_env *env, const struct tc_sh_node *node, bool reader)
{
    enum tc_sh_flow flow = tc_sh_exec(env, node);

    if (flow != TC_SH_ABORT)
        return flow;
    env->status = 1;
    if (env->abandon && !reader)
        return TC_SH_ABORT;
    env->abandon = false;
    return env->options & TC_SH_O_ERREXIT ? TC_SH_EXIT : TC_SH_NEXT;
}

/* top: it is the script itself. */
static enum tc_sh_flow run_lines(struct tc_sh_env *env, struct tc_sh_code *code, int line, const char *within, bool top)
{
    struct tc_cx cx = {.arena = &code->arena};
    struct tc_sh_aliases aliases = {.find = tc_sh_exec_alias, .arg = env};
    struct tc_sh_parser parser;
    enum tc_sh_flow flow = TC_SH_NEXT;
    bool ran = false;

    env->syntax_error = false;
    tc_sh_parser_init(&parser, code->text, line);
    while (flow == TC_SH_NEXT) {
        struct tc_arena_mark mark = tc_arena_mark(&code->arena);
        struct tc_sh_node *node = NULL;
        const char *text = parser.text.p;
        size_t from = parser.at;
        enum tc_sh_parsed parsed;

        parser.extglob = (env->shopt & TC_SH_S_EXTGLOB) != 0;
        parser.aliases = env->shopt & TC_SH_S_EXPAND_ALIASES ? &aliases : NULL;
        parsed = tc_sh_parser_next(&cx, &parser, true, &node);
        if (top && (env->options & TC_SH_O_HISTORY) && parser.at > from && parser.at <= code->text.n &&
            !tc_sh_history_note(env->sh, tc_str_n(code->text.p + from, parser.at - from)))
            return tc_sh_out_of_memory(env);
        if (env->options & TC_SH_O_VERBOSE)
            tell_lines(env, code->text, from, parser.at);
        if (parser.warnings)
            tell_warnings(env, &parser);
        if (parsed == TC_SH_PARSED_END)
            break;
        if (parsed != TC_SH_PARSED) {
            if (cx.err.code == TC_E_NO_MEMORY)
                return tc_sh_out_of_memory(env);
            tell_syntax(env, &parser, cx.err.message, within);
            if (!top || !parser.condition)
                env->status = 2;
            env->syntax_error = true;
            break;
        }
        if (node) {
            flow = run_line(env, node, top && !*within);
            ran = true;
        }
        if (code->refs == 1 && parser.text.p == text) /* the parser may have made a copy of the text */
            tc_arena_rewind(&code->arena, &mark);
    }
    if (!ran && !env->syntax_error)
        env->status = 0;
    return flow;
}

enum tc_sh_flow tc_sh_exec_code(struct tc_sh_env *env, struct tc_sh_code *code, int line, const char *within)
{
    struct tc_sh_code *outer = env->code;
    enum tc_sh_flow flow;

    if (!tc_sh_deeper(env))
        return TC_SH_STOP;
    env->code = code;
    env->depth++;
    flow = run_lines(env, code, line, within, !outer);
    env->depth--;
    env->code = outer;
    return flow;
}

enum tc_sh_flow tc_sh_exec_text(struct tc_sh_env *env, struct tc_str text, struct tc_str name, int line)
{
    bool file = name.n > 0;
    struct tc_sh_code *code;
    enum tc_sh_flow flow;

    if (!file)
        name = env->code ? env->code->name : TC_STR("environment");
    code = tc_sh_code_create(text, name);
    if (!code)
        return tc_sh_out_of_memory(env);
    flow = tc_sh_exec_code(env, code, line, file ? "" : env->code ? "eval: " : "-c: ");
    tc_sh_code_unref(code);
    return flow;
}
