/*
 * Reading of a command line by the tables. Pure.
 *
 * Options stand anywhere, "--name value" or "--name=value"; "--" ends them. A
 * lone "-" and negative numbers are operands.
 */
#ifndef TC_CLI_OPTIONS_H
#define TC_CLI_OPTIONS_H

#include "cli/cli.h"

/* How many operands a verb takes, read from the text that help shows. */
struct tc_cli_operand_rule {
    size_t min, max;      /* max SIZE_MAX: any number */
    bool rest, rest_must; /* what follows "--" is kept apart; something must */
    bool script;          /* "[-c …": -c or the first operand ends the options, all from there on are operands */
};
struct tc_cli_operand_rule tc_cli_operand_rule(const char *operands);

/* Fills command, verb, given, operands, rest, place and the switches of ret_cli,
 * in cx->arena. TC_E_USAGE, with the nearest right word as hint; command, verb
 * and json are then set as far as they were understood. */
enum tc_err tc_cli_parse(struct tc_cx *cx, const struct tc_cli_command *const *commands, int argc, char *const *argv,
                         struct tc_cli *ret_cli);
/* The command of that name, or NULL. */
const struct tc_cli_command *tc_cli_command_find(const struct tc_cli_command *const *commands, struct tc_str name);

#endif
