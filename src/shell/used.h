/*
 * Which options of which commands were used, for the report on the corpus of tests: a
 * byte for each row of each table of options, builtins behind the commands.
 */
#ifndef TC_SHELL_USED_H
#define TC_SHELL_USED_H

#include "toolcrib/shellcmd.h"

struct tc_sh_used_row {
    const struct tc_cmd *cmd;
    const struct tc_cmd_option *option;
};
/* Row `number`, from 0 on; false behind the last. */
bool tc_sh_used_row(size_t number, struct tc_sh_used_row *ret_row);
/* Sets the bytes of the rows of `cmd` with that id. */
void tc_sh_used_note(unsigned char *used, const struct tc_cmd *cmd, int id);

#endif
