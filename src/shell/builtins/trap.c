/*
 * trap: what runs at the end, on errors, and on signals.
 */
#include "shell/builtin.h"
#include "shell/trap.h"

static enum tc_sh_flow put(struct tc_sh_env *env, struct tc_cmd_call *c, int which)
{
    const char *text = tc_sh_trap_listed(env, which);
    struct tc_buf buf;

    if (!text)
        return TC_SH_NEXT;
    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    tc_buf_cstr(&buf, "trap -- ");
    tc_sh_quote(&buf, tc_str_of(text), TC_SH_QUOTE_AT_Q);
    tc_buf_printf(&buf, " %s\n", tc_sh_trap_name(which));
    return tc_sh_builtin_put_buf(env, c, &buf);
}

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    for (int i = 0; i < TC_SH_TRAPS && flow == TC_SH_NEXT && c->at >= c->argc; i++)
        flow = put(env, c, i);
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT; i++) {
        int which = tc_sh_trap_number(tc_sh_builtin_arg(c, i));
        if (which < 0)
            tc_sh_builtin_fail(env, c, "%s: invalid signal specification", c->argv[i]);
        else
            flow = put(env, c, which);
    }
    return flow;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool prints = false, names = false;
    const char *text;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        prints |= option == 'p';
        names |= option == 'l';
    }
    if (names) {
        tc_sh_trap_list_names(c->out);
        return TC_SH_NEXT;
    }
    if (prints || c->at >= c->argc)
        return list(env, c);
    text = c->argv[c->at];
    if (c->argc - c->at == 1) { /* a lone signal: its default */
        if (tc_sh_trap_number(tc_str_of(text)) < 0)
            return tc_sh_builtin_usage(env, c);
        text = NULL;
    } else {
        int64_t number;
        if (!strcmp(text, "-") || (tc_sh_builtin_number(text, &number) && tc_sh_trap_number(tc_str_of(text)) >= 0))
            c->at += text[0] == '-', text = NULL;
        else
            c->at++;
    }
    for (int i = c->at; i < c->argc; i++) {
        int which = tc_sh_trap_number(tc_sh_builtin_arg(c, i));
        if (which < 0)
            tc_sh_builtin_fail(env, c, "%s: invalid signal specification", c->argv[i]);
        else if (!tc_sh_trap_set(env, which, text))
            return tc_sh_out_of_memory(env);
    }
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {
    {'l', "l", TC_CMD_NONE, NULL, "list the names of signals"}, {'p', "p", TC_CMD_NONE, NULL, "list the traps"}, {0}};

const struct tc_sh_builtin tc_sh_builtin_trap = {
    .cmd = {.name = "trap",
            .usage = "[-lp] [[arg] signal_spec ...]",
            .summary = "Runs a command at EXIT, ERR, DEBUG, RETURN or on a signal; `-' takes it back, '' ignores.",
            .options = options},
    .special = true,
    .run = run};
