/*
 * What the files of exec promise each other. PARKS, all that return a flow.
 */
#ifndef TC_SHELL_EXEC_PARTS_H
#define TC_SHELL_EXEC_PARTS_H

#include "shell/env_table.h"
#include "shell/exec.h"
#include "shell/expand.h"

/* --- exec.c --- */
/* After a command: signals that came, the ERR trap, set -e. */
enum tc_sh_flow tc_sh_exec_check(struct tc_sh_env *env, enum tc_sh_flow flow);
/* The list as a condition: set -e and ERR hold back. */
enum tc_sh_flow tc_sh_exec_condition(struct tc_sh_env *env, const struct tc_sh_node *node);
/* The DEBUG trap, when there is one. */
enum tc_sh_flow tc_sh_exec_debug(struct tc_sh_env *env, const struct tc_sh_node *node);
/* A failed expression of (( )), [[ ]] or for ((;;)), which env->doing names, is status 1 and no more; what fails
 * while its words are expanded is not. */
enum tc_sh_flow tc_sh_exec_mild(struct tc_sh_env *env, enum tc_sh_flow flow);

/* --- exec_text.c --- */
/* As tc_sh_exec_text; `within` stands in messages of syntax: "eval: ", "-c: ", "". */
enum tc_sh_flow tc_sh_exec_code(struct tc_sh_env *env, struct tc_sh_code *code, int line, const char *within);
/* For struct tc_sh_aliases, with the environment as its arg. */
bool tc_sh_exec_alias(void *arg, struct tc_str name, struct tc_str *ret_text);
void tc_sh_exec_put_error(struct tc_sh_env *env, struct tc_str text); /* to descriptor 2, as it is */

/* --- exec_loop.c --- */
enum tc_sh_flow tc_sh_exec_while(struct tc_sh_env *env, const struct tc_sh_node *node);
enum tc_sh_flow tc_sh_exec_for(struct tc_sh_env *env, const struct tc_sh_node *node);
enum tc_sh_flow tc_sh_exec_for_arith(struct tc_sh_env *env, const struct tc_sh_node *node);
enum tc_sh_flow tc_sh_exec_select(struct tc_sh_env *env, const struct tc_sh_node *node);
enum tc_sh_flow tc_sh_exec_case(struct tc_sh_env *env, const struct tc_sh_node *node);

/* --- exec_simple.c --- */
enum tc_sh_flow tc_sh_exec_simple(struct tc_sh_env *env, const struct tc_sh_node *node);

/* --- exec_find.c --- */
struct tc_sh_found {
    enum tc_sh_what what;
    struct tc_sh_function *function;
    const struct tc_sh_builtin *builtin;
    const struct tc_cmd *cmd;
    struct tc_str path; /* of a file, in the scratch arena */
};
void tc_sh_exec_look(struct tc_sh_env *env, struct tc_str name, bool functions, struct tc_sh_found *ret_found);
/* The next place along a PATH, which is cut, where the name can be run; in the scratch arena. False: no more. */
bool tc_sh_exec_along(struct tc_sh_env *env, struct tc_str name, struct tc_str *rest, struct tc_str *ret_path);
/* Tells that there is no such command and what to do about it; status 127. */
void tc_sh_exec_missing(struct tc_sh_env *env, struct tc_str name);

/* --- exec_call.c --- */
/* Runs what was found; the words begin with its name. */
enum tc_sh_flow tc_sh_exec_found(struct tc_sh_env *env, const struct tc_sh_found *found, const struct tc_str *words,
                                 size_t n);
enum tc_sh_flow tc_sh_exec_function(struct tc_sh_env *env, struct tc_sh_function *function,
                                    const struct tc_str *words, size_t n);
enum tc_sh_flow tc_sh_exec_builtin(struct tc_sh_env *env, const struct tc_sh_builtin *builtin,
                                   const struct tc_str *words, size_t n);

/* --- exec_script.c --- */
/* A file of the view as a program: by its #!, else as a script. */
/* 0, or why no program can be made of that file: EISDIR, EACCES, ENOENT … */
int tc_sh_exec_access(struct tc_sh_env *env, struct tc_str path);
enum tc_sh_flow tc_sh_exec_file(struct tc_sh_env *env, struct tc_str path, const struct tc_str *words, size_t n);
/* A shell of its own: a new environment with what is exported; runs on this fiber. */
struct tc_sh_env *tc_sh_exec_fresh(struct tc_sh_env *env);
/* Runs a whole script in it, as its main text; the status that it ends with. The second destroys it. */
int tc_sh_exec_whole(struct tc_sh_env *env, struct tc_str text, struct tc_str name, bool file);
int tc_sh_exec_main(struct tc_sh_env *env, struct tc_str text, struct tc_str name, bool file);
/* All of a file, NUL-free check left to the caller; 0 or an errno; in the scratch arena. */
int tc_sh_exec_read(struct tc_sh_env *env, struct tc_str path, struct tc_str *ret_text);

/* --- exec_pipe.c --- */
enum tc_sh_flow tc_sh_exec_pipeline(struct tc_sh_env *env, const struct tc_sh_node *node);
/* --- exec_fork.c --- */
enum tc_sh_flow tc_sh_exec_subshell(struct tc_sh_env *env, const struct tc_sh_node *node);
/* tc_sh_exec_check after it and its redirections; BASH_COMMAND is then the subshell as bash prints it. */
enum tc_sh_flow tc_sh_exec_subshell_check(struct tc_sh_env *env, const struct tc_sh_node *node, enum tc_sh_flow flow);
enum tc_sh_flow tc_sh_exec_background(struct tc_sh_env *env, const struct tc_sh_node *node);
/* A fiber that runs the node in `child`, which it takes. NULL: told, or out of memory. */
struct tc_sh_proc *tc_sh_exec_spawn(struct tc_sh_env *env, struct tc_sh_env *child, const struct tc_sh_node *node);
/* Runs the node in `child` on this fiber and destroys it; its status. */
enum tc_sh_flow tc_sh_exec_within(struct tc_sh_env *env, struct tc_sh_env *child, const struct tc_sh_node *node);
/* Closes what <( ) opened since there were n. */
void tc_sh_exec_close(struct tc_sh_env *env, size_t n);

/* --- exec_time.c --- */
struct tc_sh_times {
    double real, user, sys;
};
void tc_sh_times_now(struct tc_sh_times *ret_times);
/* What was used since then, to descriptor 2. PARKS. */
void tc_sh_times_tell(struct tc_sh_env *env, bool posix, const struct tc_sh_times *begun);

/* --- exec_trace.c --- */
void tc_sh_trace_words(struct tc_sh_env *env, const struct tc_str *words, size_t n);
void tc_sh_trace_assign(struct tc_sh_env *env, const struct tc_sh_assign *assign, struct tc_str value);
void tc_sh_trace_arith(struct tc_sh_env *env, const struct tc_sh_arith *arith); /* "+ (( TEXT ))" */
/* "+ TEXT", the text as it is. */
void tc_sh_trace_text(struct tc_sh_env *env, struct tc_str text);

#endif
