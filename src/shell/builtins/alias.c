/*
 * alias: names that stand for text.
 */
#include "shell/builtin.h"

static enum tc_sh_flow put(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name, const char *text)
{
    struct tc_buf buf;

    tc_buf_init(&buf, TC_SH_OUTPUT_MAX);
    tc_buf_printf(&buf, "alias %.*s=", TC_STR_ARG(name));
    tc_sh_quote(&buf, tc_str_of(text), TC_SH_QUOTE_AT_Q);
    tc_buf_char(&buf, '\n');
    return tc_sh_builtin_put_buf(env, c, &buf);
}

static enum tc_sh_flow list(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_str *names = tc_sh_table_names(env->aliases, c->arena);
    enum tc_sh_flow flow = TC_SH_NEXT;

    if (!names)
        return tc_sh_out_of_memory(env);
    for (; names->p && flow == TC_SH_NEXT; names++)
        flow = put(env, c, *names, tc_sh_table_get(env->aliases, *names));
    return flow;
}

static bool valid(struct tc_str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (strchr(" \t\n$`=/\\'\"()<>&|;", name.p[i]))
            return false;
    return name.n > 0;
}

static enum tc_sh_flow one(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str arg)
{
    size_t at = tc_str_chr(arg, '=');
    struct tc_str name = tc_str_n(arg.p, at == SIZE_MAX ? arg.n : at);
    const char *text;

    if (at != SIZE_MAX && at > 0) {
        if (!valid(name))
            return tc_sh_builtin_fail(env, c, "`%.*s': invalid alias name", TC_STR_ARG(name));
        return tc_sh_table_put(&env->aliases, name, tc_str_from(arg, at + 1)) ? TC_SH_NEXT : tc_sh_out_of_memory(env);
    }
    text = tc_sh_table_get(env->aliases, arg);
    return text ? put(env, c, arg, text) : tc_sh_builtin_fail(env, c, "%.*s: not found", TC_STR_ARG(arg));
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    enum tc_sh_flow flow = TC_SH_NEXT;
    bool prints = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        prints |= option == 'p';
    }
    if (prints || c->at >= c->argc)
        flow = list(env, c);
    for (int i = c->at; i < c->argc && flow == TC_SH_NEXT; i++)
        flow = one(env, c, tc_sh_builtin_arg(c, i));
    return flow;
}

static const struct tc_cmd_option options[] = {{'p', "p", TC_CMD_NONE, NULL, "list the aliases"}, {0}};

const struct tc_sh_builtin tc_sh_builtin_alias = {.cmd = {.name = "alias",
                                                          .usage = "[-p] [name[=value] ... ]",
                                                          .summary = "Defines or lists aliases.",
                                                          .options = options},
                                                  .run = run};
