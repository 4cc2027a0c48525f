/*
 * Running what was parsed. Simple commands are looked for as bash does: functions,
 * special builtins, builtins, commands, scripts in the view of files.
 */
#ifndef TC_SHELL_EXEC_H
#define TC_SHELL_EXEC_H

#include "shell/env.h"
#include "toolcrib/shellfs.h"

/* PARKS, all of them. */
enum tc_sh_flow tc_sh_exec(struct tc_sh_env *env, const struct tc_sh_node *node);
/* Parses and runs a text in this environment: -c, eval, source, traps, a script. name: for messages. */
enum tc_sh_flow tc_sh_exec_text(struct tc_sh_env *env, struct tc_str text, struct tc_str name, int line);
/* $(…): its output without the line feeds at its end, in the scratch arena; env->status is set. */
enum tc_sh_flow tc_sh_exec_capture(struct tc_sh_env *env, const struct tc_sh_node *list, struct tc_str *ret_output);
/* The same of a text: what it has of errors of syntax is told when it comes to them. */
enum tc_sh_flow tc_sh_exec_capture_text(struct tc_sh_env *env, struct tc_str script, struct tc_str *ret_output);
/* <(…) and >(…): the path "/dev/fd/63". */
enum tc_sh_flow tc_sh_exec_process(struct tc_sh_env *env, const struct tc_sh_node *list, bool in,
                                   struct tc_str *ret_path);
/* A command by its words (command, builtin, xargs, env); functions only when told. */
enum tc_sh_flow tc_sh_exec_words(struct tc_sh_env *env, const struct tc_str *words, size_t n, bool functions);
/* Ends an environment: the EXIT trap. Its status. */
int tc_sh_exec_finish(struct tc_sh_env *env, enum tc_sh_flow flow);
/* A trap's text, the status kept. */
enum tc_sh_flow tc_sh_exec_trap(struct tc_sh_env *env, int which);

/* A builtin: it works on the environment itself. One file below src/shell/builtins, found by
 * gen-tables: `const struct tc_sh_builtin tc_sh_builtin_cd`. */
struct tc_sh_builtin {
    struct tc_cmd cmd; /* name, aliases, usage, summary, options; run is NULL */
    bool special;      /* of POSIX's special ones */
    bool twin;         /* there is a program of its name as well: /usr/bin/echo */
    bool program;      /* a program in its own right (bash): found behind builtins, as /usr/bin/NAME */
    enum tc_sh_flow (*run)(struct tc_sh_env *env, struct tc_cmd_call *c); /* env->status is set */
};

const struct tc_sh_builtin *tc_sh_builtin_find(struct tc_str name);
const struct tc_cmd *tc_sh_cmd_find(struct tc_str name);

/* How a name is understood: type, command -v, which. */
enum tc_sh_what {
    TC_SH_IS_NOTHING, TC_SH_IS_ALIAS, TC_SH_IS_KEYWORD, TC_SH_IS_FUNCTION, TC_SH_IS_BUILTIN, TC_SH_IS_COMMAND,
    TC_SH_IS_FILE
};
enum tc_sh_what tc_sh_exec_find(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_path);

#endif
