/*
 * source and `.`: a file's commands in this shell.
 */
#include <errno.h>
#include <limits.h>
#include "shell/builtin.h"
#include "shell/exec_parts.h"
#include "shell/trap.h"

/* A name without a slash is looked for along PATH, then here. */
static struct tc_str locate(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str name)
{
    struct tc_str rest, folder;
    char path[PATH_MAX];
    struct stat st;

    if (memchr(name.p, '/', name.n) || !(env->shopt & TC_SH_S_SOURCEPATH) ||
        !tc_sh_vars_get(env->vars, TC_STR("PATH"), &rest))
        return name;
    while (tc_str_split(&rest, ':', &folder)) {
        struct tc_str full = tc_arena_printf(c->arena, "%.*s/%.*s", TC_STR_ARG(folder), TC_STR_ARG(name));
        if (full.p && folder.n && tc_sh_env_path(env, full, path) &&
            tc_sh_vfs_stat(env->sh->vfs, &env->fds, path, true, &st) == 0 && S_ISREG(st.st_mode))
            return full;
    }
    return name;
}

/* With positional parameters of its own when there are any; what `set` makes of the others stays. */
static enum tc_sh_flow run_file(struct tc_sh_env *env, struct tc_cmd_call *c, struct tc_str text, struct tc_str path)
{
    struct tc_sh_code *code = tc_sh_code_create(text, path);
    struct tc_sh_args *outer = env->args, *own = NULL;
    enum tc_sh_flow flow = TC_SH_STOP;
    int line = env->line;
    size_t n;
    struct tc_str *args = tc_sh_builtin_args(c, c->at + 1, &n);

    if (n)
        own = tc_sh_args_create(args, n);
    if (!code || !args || (n && !own) || !tc_sh_frame_push(env, code, TC_STR("source"))) {
        tc_sh_code_unref(code);
        tc_sh_args_unref(own);
        return tc_sh_out_of_memory(env);
    }
    env->frame->sourced = true;
    if (own)
        env->args = own;
    env->status = env->status_before;
    flow = tc_sh_exec_code(env, code, 1, "");
    if (flow == TC_SH_RETURN)
        flow = TC_SH_NEXT;
    if (env->traps && flow == TC_SH_NEXT)
        flow = tc_sh_exec_trap(env, TC_SH_TRAP_RETURN);
    if (env->args == own && own) {
        tc_sh_args_unref(own);
        env->args = outer;
    } else if (own) {
        tc_sh_args_unref(outer);
    }
    env->line = line;
    tc_sh_frame_pop(env);
    tc_sh_code_unref(code);
    return flow;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct tc_str name, text, path;
    int error;

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    if (c->at >= c->argc) {
        tc_sh_builtin_fail(env, c, "filename argument required");
        return tc_sh_builtin_usage(env, c);
    }
    name = tc_sh_builtin_arg(c, c->at);
    path = locate(env, c, name);
    error = tc_sh_exec_read(env, path, &text);
    if (error == EISDIR)
        return tc_sh_builtin_fail(env, c, "%s: is a directory", c->argv[c->at]);
    if (error) {
        tc_sh_warn(env, "%s: %s", c->argv[c->at], strerror(error));
        return tc_sh_builtin_done(env, 1);
    }
    if (memchr(text.p, '\0', text.n < 80 ? text.n : 80))
        return tc_sh_builtin_fail(env, c, "%s: cannot execute binary file", c->argv[c->at]);
    return run_file(env, c, text, path);
}

const struct tc_sh_builtin tc_sh_builtin_source = {.cmd = {.name = "source",
                                                           .aliases = ".",
                                                           .usage = "filename [arguments]",
                                                           .summary = "Runs the commands of a file in this shell."},
                                                   .special = true,
                                                   .run = run};
