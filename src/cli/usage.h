/*
 * Help and man page from the tables. Pure.
 */
#ifndef TC_CLI_USAGE_H
#define TC_CLI_USAGE_H

#include "cli/cli.h"

/* All commands, one line each. */
void tc_cli_usage(struct tc_buf *to, const struct tc_cli_command *const *commands, const struct tc_cli_look *look);
/* One command with its verbs, or one verb with its options (verb may be NULL). */
void tc_cli_usage_of(struct tc_buf *to, const struct tc_cli_command *command, const struct tc_cli_verb *verb,
                     const struct tc_cli_look *look);
/* toolcrib(1) in roff. */
void tc_cli_man(struct tc_buf *to, const struct tc_cli_command *const *commands);

/* Exit codes as help and man page state them; ends with a NULL text. */
struct tc_cli_exit_code {
    int code;
    const char *text;
};
extern const struct tc_cli_exit_code tc_cli_exit_codes[];

#endif
