/*
 * Programs that are files: scripts of the view by their #! or without, each in an
 * environment of its own that has of its parent what a program would have: what is
 * exported, the descriptors, the working directory.
 */
#include "shell/exec_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include "shell/cmd.h"
#include "shell/env_table.h"
#include "shell/trap.h"

enum { HEAD = 128, READ = 1 << 16, STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127 };

static bool pass_functions(struct tc_sh_env *to, const struct tc_sh_env *from)
{
    struct tc_sh_code *code = to->code;
    size_t at = 0;
    struct tc_str name;
    void *value;
    bool ok = true;

    while (ok && from->functions && tc_map_next(&from->functions->map, &at, &name, &value)) {
        const struct tc_sh_function *function = value;
        if (!function->exported)
            continue;
        to->code = function->code;
        ok = tc_sh_env_define(to, name, function->node) && tc_sh_env_function_own(to, name);
        if (ok)
            tc_sh_env_function(to, name)->exported = true;
    }
    to->code = code;
    return ok;
}

static bool pass_ignored(struct tc_sh_env *to, struct tc_sh_env *from)
{
    for (int i = 1; from->traps && i < 64; i++) {
        const char *text = tc_sh_trap_get(from, i);
        if (text && text[0] == '\0' && !tc_sh_trap_set(to, i, ""))
            return false;
    }
    return true;
}

struct tc_sh_env *tc_sh_exec_fresh(struct tc_sh_env *env)
{
    struct tc_sh_env *child = tc_sh_env_create(env->sh);
    char **environ = tc_sh_vars_environ(env->vars, tc_sh_arena(env));

    if (!child || !environ)
        goto fail;
    child->proc = env->proc;
    child->umask = env->umask;
    child->depth = env->depth;
    child->line = 1;
    child->pid = tc_sh_env_next_pid(env);
    if (tc_sh_fds_copy(&child->fds, &env->fds) && tc_sh_env_set_cwd(child, env->cwd) &&
        tc_sh_env_set_arg0(child, TC_STR("bash")) && tc_sh_env_start(child, environ) && pass_functions(child, env) &&
        pass_ignored(child, env))
        return child;
fail:
    tc_sh_env_destroy(child);
    tc_sh_out_of_memory(env);
    return NULL;
}

int tc_sh_exec_whole(struct tc_sh_env *env, struct tc_str text, struct tc_str name, bool file)
{
    struct tc_sh_code *code;
    enum tc_sh_flow flow = TC_SH_STOP;

    if (!file) {
        flow = tc_sh_exec_text(env, text, (struct tc_str){0}, 1);
    } else {
        code = tc_sh_code_create(text, name);
        if (code && tc_sh_frame_push(env, code, TC_STR("main"))) {
            env->frame->line = 0;
            flow = tc_sh_exec_code(env, code, 1, "");
        } else {
            tc_sh_out_of_memory(env);
        }
        tc_sh_code_unref(code);
    }
    return tc_sh_exec_finish(env, flow == TC_SH_RETURN ? TC_SH_NEXT : flow);
}

int tc_sh_exec_main(struct tc_sh_env *env, struct tc_str text, struct tc_str name, bool file)
{
    int status = tc_sh_exec_whole(env, text, name, file);

    tc_sh_env_destroy(env);
    return status;
}

static int read_file(struct tc_sh_env *env, struct tc_sh_file *file, struct tc_str *ret_text)
{
    size_t max = env->sh->budget.max.script ? (size_t)env->sh->budget.max.script : (size_t)64 << 20;
    struct tc_buf buf;
    ssize_t got;
    int error = 0;

    tc_buf_init(&buf, max + READ);
    do {
        char *to = tc_buf_reserve(&buf, READ);
        got = to ? tc_sh_file_read(env->sh->sched, file, to, READ) : -ENOMEM;
        if (got > 0)
            buf.n += (size_t)got;
    } while (got > 0 && buf.n <= max);
    if (got < 0)
        error = (int)-got;
    else if (buf.n > max)
        error = EFBIG;
    else if (!(*ret_text = tc_buf_dup(&buf, tc_sh_arena(env))).p)
        error = ENOMEM;
    tc_buf_finish(&buf);
    return error;
}

int tc_sh_exec_read(struct tc_sh_env *env, struct tc_str path, struct tc_str *ret_text)
{
    char absolute[PATH_MAX];
    struct tc_sh_file *file;
    struct stat st;
    int error;

    if (!tc_sh_env_path(env, path, absolute))
        return ENAMETOOLONG;
    error = tc_sh_vfs_stat(env->sh->vfs, &env->fds, absolute, true, &st);
    if (!error && S_ISDIR(st.st_mode))
        error = EISDIR;
    if (!error)
        error = tc_sh_vfs_open(env->sh->vfs, &env->fds, absolute, O_RDONLY, 0, &file);
    if (error)
        return error;
    error = read_file(env, file, ret_text);
    tc_sh_file_unref(file);
    return error;
}

static enum tc_sh_flow refuse(struct tc_sh_env *env, struct tc_str path, const char *why, int status)
{
    tc_sh_warn(env, "%.*s: %s", TC_STR_ARG(path), why);
    env->status = status;
    return TC_SH_NEXT;
}

int tc_sh_exec_access(struct tc_sh_env *env, struct tc_str path)
{
    char absolute[PATH_MAX];
    struct stat st;
    int error = ENAMETOOLONG;

    if (tc_sh_env_path(env, path, absolute))
        error = tc_sh_vfs_stat(env->sh->vfs, &env->fds, absolute, true, &st);
    if (error)
        return error;
    if (S_ISDIR(st.st_mode))
        return EISDIR;
    return st.st_mode & 0111 ? 0 : EACCES;
}

/* The words behind #!, the path of the program cut to its name; `env` and its -S are passed over. */
static size_t interpreter(struct tc_str line, struct tc_str words[2])
{
    struct tc_str rest = tc_str_trim(line);
    size_t blank, slash, n = 0;

    while (n == 0 && rest.n) {
        for (blank = 0; blank < rest.n && rest.p[blank] != ' ' && rest.p[blank] != '\t';)
            blank++;
        words[0] = tc_str_n(rest.p, blank);
        rest = tc_str_trim(tc_str_from(rest, blank));
        while ((slash = tc_str_chr(words[0], '/')) != SIZE_MAX)
            words[0] = tc_str_from(words[0], slash + 1);
        n = !tc_str_is(words[0], "env") && !tc_str_is(words[0], "-S");
    }
    words[1] = rest;
    return n ? n + (rest.n > 0) : 0;
}

/* INTERPRETER [ARGUMENT] PATH ARGUMENTS… */
static enum tc_sh_flow run_interpreter(struct tc_sh_env *env, struct tc_str head, struct tc_str path,
                                       const struct tc_str *words, size_t n)
{
    struct tc_str with[2], *line;
    size_t known = interpreter(head, with);
    struct tc_sh_found found;

    tc_sh_exec_look(env, known ? with[0] : TC_STR(""), false, &found);
    if (found.what != TC_SH_IS_COMMAND) {
        tc_sh_warn(env, "%.*s: cannot execute: required file not found: %.*s", TC_STR_ARG(path),
                   TC_STR_ARG(tc_str_trim(head)));
        env->status = STATUS_NOT_FOUND;
        return TC_SH_NEXT;
    }
    line = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_str, known + n);
    if (!line)
        return tc_sh_out_of_memory(env);
    memcpy(line, with, known * sizeof *line);
    line[known] = path;
    memcpy(line + known + 1, words + 1, (n - 1) * sizeof *line);
    return tc_sh_exec_found(env, &found, line, known + n);
}

static bool is_binary(struct tc_str text)
{
    size_t n = text.n < HEAD ? text.n : HEAD, line = tc_str_chr(tc_str_n(text.p, n), '\n');

    return memchr(text.p, '\0', line == SIZE_MAX ? n : line) != NULL;
}

/* A script in a shell of its own. */
static enum tc_sh_flow run_script(struct tc_sh_env *env, struct tc_str text, struct tc_str path,
                                  const struct tc_str *words, size_t n)
{
    struct tc_sh_env *child;
    struct tc_sh_args *args;

    if (!tc_sh_deeper(env) || !(child = tc_sh_exec_fresh(env)))
        return TC_SH_STOP;
    args = tc_sh_args_create(words + 1, n - 1);
    if (!args || !tc_sh_env_set_arg0(child, path)) {
        tc_sh_args_unref(args);
        tc_sh_env_destroy(child);
        return tc_sh_out_of_memory(env);
    }
    tc_sh_args_unref(child->args);
    child->args = args;
    child->depth++;
    env->status = tc_sh_exec_main(child, text, path, true);
    if (env->traps)
        tc_sh_trap_rearm(env);
    return tc_sh_sched_stopped(env->sh->sched) ? TC_SH_STOP : TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_exec_file(struct tc_sh_env *env, struct tc_str path, const struct tc_str *words, size_t n)
{
    struct tc_str text, head;
    int error = tc_sh_exec_access(env, path);

    if (error)
        return refuse(env, path, strerror(error), error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE);
    error = tc_sh_exec_read(env, path, &text);
    if (error)
        return refuse(env, path, strerror(error), STATUS_NOT_EXECUTABLE);
    if (tc_str_starts(text, TC_STR("#!"))) {
        head = tc_str_from(text, 2);
        head.n = tc_str_chr(head, '\n') == SIZE_MAX ? head.n : tc_str_chr(head, '\n');
        return run_interpreter(env, head, path, words, n);
    }
    if (is_binary(text))
        return refuse(env, path, "cannot execute binary file: Exec format error", STATUS_NOT_EXECUTABLE);
    return run_script(env, text, path, words, n);
}
