/*
 * A command's call from the shell's side: how exec runs one. The library that the
 * command itself sees is shellcmd.h and shellfs.h.
 */
#ifndef TC_SHELL_CMD_H
#define TC_SHELL_CMD_H

#include "shell/env.h"
#include "toolcrib/shellcmd.h"

/* The call for these words, in the scratch arena, which the caller has marked: argv, and streams over
 * descriptors 1 and 2 of env that take no buffer before the first write. NULL without memory. */
struct tc_cmd_call *tc_sh_cmd_begin(struct tc_sh_env *env, const struct tc_cmd *cmd, const struct tc_str *words,
                                    size_t n);
/* Flushes and closes what it has open. The status, or 1 when output was lost, which is then told
 * ("NAME: write error: No space left on device"; not for EPIPE: then it is 141, as of SIGPIPE). PARKS. */
int tc_sh_cmd_end(struct tc_cmd_call *c, int status);
/* begin, --help where the command parses options, cmd->run, end. PARKS. */
int tc_sh_cmd_run(struct tc_sh_env *env, const struct tc_cmd *cmd, const struct tc_str *words, size_t n);
/* What --help writes, for builtins too. */
void tc_sh_cmd_help(const struct tc_cmd *cmd, struct tc_cmd_out *out);

#endif
