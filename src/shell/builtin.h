/*
 * What builtins have in common: options as bash takes them, messages, numbers. A
 * builtin sets env->status and returns the flow; these helpers do both.
 */
#ifndef TC_SHELL_BUILTIN_H
#define TC_SHELL_BUILTIN_H

#include "shell/env_table.h"
#include "shell/exec.h"
#include "shell/expand.h"

enum { TC_SH_USAGE = 2 };

/* The next option of the table by its letter: its id, with c->value; TC_CMD_OPTION_END, where c->at is the
 * first operand; TC_CMD_OPTION_BAD: told, env->status is 2. Options end at the first operand. A table row
 * whose name begins with '+' is what stands behind a '+' ("+x"). */
int tc_sh_builtin_option(struct tc_sh_env *env, struct tc_cmd_call *c);
/* No options, but "--" and --help. */
bool tc_sh_builtin_plain(struct tc_sh_env *env, struct tc_cmd_call *c);

/* "bash: line 1: NAME: TEXT"; what was written so far goes first. Status 1. */
enum tc_sh_flow tc_sh_builtin_fail(struct tc_sh_env *env, struct tc_cmd_call *c, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "NAME: usage: …". Status 2. */
enum tc_sh_flow tc_sh_builtin_usage(struct tc_sh_env *env, struct tc_cmd_call *c);
static inline enum tc_sh_flow tc_sh_builtin_done(struct tc_sh_env *env, int status)
{
    env->status = status;
    return TC_SH_NEXT;
}

/* A decimal number with a sign, blanks around it; false: it is none. */
bool tc_sh_builtin_number(const char *text, int64_t *ret_value);
/* The operand of exit and return, *value when there is none; 2 when it is no number, which is told. False: there
 * are more, which is told too. */
bool tc_sh_builtin_status(struct tc_sh_env *env, struct tc_cmd_call *c, int64_t *value);
bool tc_sh_builtin_is_target(struct tc_str text); /* "x" or "x[…]" */
struct tc_str tc_sh_builtin_arg(const struct tc_cmd_call *c, int i);
/* The names of all builtins, sorted; NULL p at the end. NULL without memory. */
struct tc_str *tc_sh_builtin_names(struct tc_arena *arena);
/* The operands as strings, in c->arena. NULL without memory. */
struct tc_str *tc_sh_builtin_args(const struct tc_cmd_call *c, int from, size_t *ret_n);
/* The whole text to the builtin's standard output; it may hold NUL. */
void tc_sh_builtin_put(struct tc_cmd_call *c, struct tc_str text);
/* What a buffer holds, which is finished. */
enum tc_sh_flow tc_sh_builtin_put_buf(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_buf *buf);

enum { TC_SH_OUTPUT_MAX = 64 << 20 };

#endif
