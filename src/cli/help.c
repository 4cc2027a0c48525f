/*
 * toolcrib help: the same texts as --help.
 */
#include "cli/options.h"
#include "cli/usage.h"

static const struct tc_cli_verb *verb_of(const struct tc_cli_command *command, struct tc_str name)
{
    for (size_t i = 0; i < command->verbs_n; i++)
        if (command->verbs[i].name && tc_str_is(name, command->verbs[i].name))
            return &command->verbs[i];
    return NULL;
}

static enum tc_err help(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str name = tc_cli_operand(cli, 0), word = tc_cli_operand(cli, 1);
    const struct tc_cli_command *command = tc_cli_command_find(tc_cli_table, name);
    const struct tc_cli_verb *verb = command && word.p ? verb_of(command, word) : NULL;

    if (!name.p) {
        tc_cli_usage(&cli->out, tc_cli_table, &cli->look);
        return TC_OK;
    }
    if (!command || (word.p && !verb)) {
        tc_fail(cx, TC_E_USAGE, "There is no command \"%.*s%s%.*s\".", TC_STR_ARG(name), word.p ? " " : "",
                TC_STR_ARG(word));
        return tc_fail_hint(cx, "toolcrib help lists them.");
    }
    tc_cli_usage_of(&cli->out, command, verb, &cli->look);
    return TC_OK;
}

static const struct tc_cli_verb verbs[] = {{NULL, "[COMMAND] [VERB]", "Say how a command is used", NULL, 0, help}};

const struct tc_cli_command tc_cli_help = {"help", "Say how a command is used", NULL, TC_CLI_VERBS(verbs), true};
