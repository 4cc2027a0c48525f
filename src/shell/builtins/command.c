/*
 * command: a builtin or command although a function has its name; -v and -V tell what
 * the name means.
 */
#include "shell/builtin.h"
#include "shell/describe.h"

enum { PATH_USUAL = 'p', TERSE = 'v', VERBOSE = 'V' };

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    unsigned flags = 0;
    int option, style = 0;
    size_t n;
    struct tc_str *words;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        if (option == PATH_USUAL)
            flags |= TC_SH_DESCRIBE_USUAL;
        else
            style = option;
    }
    flags |= style == TERSE ? TC_SH_DESCRIBE_TERSE : 0;
    if (style) {
        bool any = false;
        for (int i = c->at; i < c->argc; i++)
            any |= tc_sh_describe(env, c, tc_sh_builtin_arg(c, i), flags);
        return tc_sh_builtin_done(env, !any);
    }
    words = tc_sh_builtin_args(c, c->at, &n);
    return words ? tc_sh_exec_words(env, words, n, false) : tc_sh_out_of_memory(env);
}

static const struct tc_cmd_option options[] = {
    {PATH_USUAL, "p", TC_CMD_NONE, NULL, "look along the usual PATH"},
    {TERSE, "v", TC_CMD_NONE, NULL, "print what the name means, in a word"},
    {VERBOSE, "V", TC_CMD_NONE, NULL, "print what the name means, in a sentence"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_command = {
    .cmd = {.name = "command",
            .usage = "[-pVv] command [arg ...]",
            .summary = "Runs a builtin or command, passing over functions, or tells what a name means.",
            .options = options},
    .run = run};
