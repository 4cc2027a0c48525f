/*
 * exec: without a command its redirections stay; with one the shell ends with it.
 */
#include <errno.h>
#include <limits.h>
#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/trap.h"

enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

struct request {
    bool clean, login;
    const char *name; /* -a */
};

/* The command's own name for itself, where it does not decide what the command does. */
static bool rename_command(struct tc_cmd_call *c, const struct request *r, const struct tc_sh_found *found,
                           struct tc_str *word)
{
    struct tc_str name = r->name ? tc_str_of(r->name) : *word;

    if ((!r->name && !r->login) || found->what != TC_SH_IS_COMMAND || (found->cmd && found->cmd->aliases))
        return true;
    *word = r->login ? tc_arena_printf(c->arena, "-%.*s", TC_STR_ARG(name)) : name;
    return word->p != NULL;
}

/* Why a path cannot be run: the shell ends with the status, unless execfail holds. */
static enum tc_sh_flow refuse(struct tc_sh_env *env, struct tc_cmd_call *c, const struct tc_sh_found *found)
{
    char path[PATH_MAX];
    struct stat st;
    int error = ENOENT;

    if (!strchr(c->argv[c->at], '/')) {
        tc_sh_builtin_fail(env, c, "%s: not found", c->argv[c->at]);
    } else if (!tc_sh_env_path(env, tc_sh_builtin_arg(c, c->at), path)) {
        return tc_sh_builtin_done(env, STATUS_NOT_EXECUTABLE);
    } else {
        if (found->what != TC_SH_IS_NOTHING)
            error = tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st);
        if (!error)
            error = S_ISDIR(st.st_mode) ? EISDIR : st.st_mode & 0111 ? 0 : EACCES;
        if (!error)
            return TC_SH_NEXT;
        tc_sh_vfs_absolute(env->cwd, c->argv[c->at], path);
        tc_sh_warn(env, "%s: %s", path, strerror(error));
        if (error != ENOENT)
            tc_sh_builtin_fail(env, c, "%s: cannot execute: %s", path, strerror(error));
    }
    env->status = error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
    return env->shopt & TC_SH_S_EXECFAIL && !env->forked ? TC_SH_NEXT : TC_SH_EXIT;
}

static enum tc_sh_flow replace(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r)
{
    struct tc_sh_found found;
    size_t n;
    struct tc_str *words = tc_sh_builtin_args(c, c->at, &n), *names;
    enum tc_sh_flow flow;

    if (!words)
        return tc_sh_out_of_memory(env);
    tc_sh_exec_look(env, words[0], false, &found);
    if (found.what == TC_SH_IS_NOTHING || (found.what == TC_SH_IS_FILE && strchr(c->argv[c->at], '/'))) {
        flow = refuse(env, c, &found);
        if (flow != TC_SH_NEXT || env->status)
            return flow;
    }
    if (!rename_command(c, r, &found, &words[0]))
        return tc_sh_out_of_memory(env);
    names = r->clean ? tc_sh_vars_names(env->vars, c->arena, TC_STR(""), TC_SH_VAR_EXPORT) : NULL;
    for (; names && names->p; names++)
        tc_sh_vars_mark(env->vars, *names, 0, TC_SH_VAR_EXPORT);
    flow = tc_sh_exec_found(env, &found, words, n);
    tc_sh_traps_drop(env); /* the shell is gone, and its traps with it */
    return flow == TC_SH_STOP ? flow : TC_SH_EXIT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {0};
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        r.clean |= option == 'c';
        r.login |= option == 'l';
        r.name = option == 'a' ? c->value : r.name;
    }
    if (c->at < c->argc)
        return replace(env, c, &r);
    env->keep_redirects = true;
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_VALUE, "name", "the command's name for itself"},
                                               {'c', "c", TC_CMD_NONE, NULL, "with an empty environment"},
                                               {'l', "l", TC_CMD_NONE, NULL, "that name begins with a dash"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_exec = {
    .cmd = {.name = "exec",
            .usage = "[-cl] [-a name] [command [argument ...]] [redirection ...]",
            .summary = "Runs a command in the shell's place, or makes redirections that last.",
            .options = options},
    .special = true,
    .run = run};
