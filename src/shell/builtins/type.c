/*
 * type: what a name means.
 */
#include "shell/builtin.h"
#include "shell/describe.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    int option, failed = 0;
    unsigned flags = 0;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case 't':
            flags |= TC_SH_DESCRIBE_KIND;
            break;
        case 'p':
            flags |= TC_SH_DESCRIBE_PATH;
            break;
        case 'P':
            flags |= TC_SH_DESCRIBE_PATH | TC_SH_DESCRIBE_FILES;
            break;
        case 'a':
            flags |= TC_SH_DESCRIBE_ALL;
            break;
        case 'f':
            flags |= TC_SH_DESCRIBE_NO_FUNCTIONS;
            break;
        default:
            return TC_SH_NEXT;
        }
    }
    for (int i = c->at; i < c->argc; i++)
        failed |= !tc_sh_describe(env, c, tc_sh_builtin_arg(c, i), flags);
    return tc_sh_builtin_done(env, failed);
}

static const struct tc_cmd_option options[] = {
    {'a', "a", TC_CMD_NONE, NULL, "all meanings"},
    {'f', "f", TC_CMD_NONE, NULL, "pass over functions"},
    {'t', "t", TC_CMD_NONE, NULL, "one word: alias, keyword, function, builtin or file"},
    {'p', "p", TC_CMD_NONE, NULL, "the path of a command, nothing for other meanings"},
    {'P', "P", TC_CMD_NONE, NULL, "the path of a command, although there are other meanings"},
    {0}};

const struct tc_sh_builtin tc_sh_builtin_type = {.cmd = {.name = "type",
                                                         .usage = "[-afptP] name [name ...]",
                                                         .summary = "Tells what names mean.",
                                                         .options = options},
                                                 .run = run};
