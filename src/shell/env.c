/*
 * Making, forking and ending environments, and the parts that they share by reference:
 * parsed texts, positional parameters, frames. A fork copies pointers and small arrays;
 * variables, functions and aliases are copied by the side that writes first.
 */
#include "shell/env.h"

#include <limits.h>
#include "base/mem.h"
#include "shell/env_table.h"
#include "shell/jobs.h"
#include "shell/trap.h"

enum { STACK_RESERVE = 48 * 1024, WARN_MAX = 1 << 16 };

struct tc_sh_args *tc_sh_args_create(const struct tc_str *v, size_t n)
{
    size_t bytes = 0;
    struct tc_sh_args *args;
    char *at;

    for (size_t i = 0; i < n; i++)
        bytes += v[i].n + 1;
    args = tc_mem_alloc(sizeof *args + n * sizeof *v + bytes);
    if (!args)
        return NULL;
    args->refs = 1;
    args->n = n;
    args->v = (struct tc_str *)(args + 1);
    at = (char *)(args->v + n);
    for (size_t i = 0; i < n; i++) {
        if (v[i].n)
            memcpy(at, v[i].p, v[i].n);
        at[v[i].n] = '\0';
        args->v[i] = tc_str_n(at, v[i].n);
        at += v[i].n + 1;
    }
    return args;
}

void tc_sh_args_unref(struct tc_sh_args *args)
{
    if (args && --args->refs == 0)
        tc_mem_free(args);
}

struct tc_sh_code *tc_sh_code_create(struct tc_str text, struct tc_str name)
{
    struct tc_sh_code *code = tc_mem_zalloc(1, sizeof *code);

    if (!code)
        return NULL;
    code->refs = 1;
    tc_arena_init(&code->arena, 0);
    code->text = tc_arena_dup(&code->arena, text);
    code->name = tc_arena_dup(&code->arena, name);
    if (!code->text.p || !code->name.p) {
        tc_sh_code_unref(code);
        return NULL;
    }
    return code;
}

struct tc_sh_code *tc_sh_code_ref(struct tc_sh_code *code)
{
    if (code)
        code->refs++;
    return code;
}

void tc_sh_code_unref(struct tc_sh_code *code)
{
    if (!code || --code->refs > 0)
        return;
    tc_arena_finish(&code->arena);
    tc_mem_free(code);
}

struct tc_sh_frame *tc_sh_frame_push(struct tc_sh_env *env, struct tc_sh_code *code, struct tc_str name)
{
    struct tc_sh_frame *frame = tc_mem_zalloc(1, sizeof *frame);

    if (!frame)
        return NULL;
    frame->refs = 1;
    frame->outer = env->frame;
    frame->code = tc_sh_code_ref(code);
    frame->name = name;
    frame->source = code->name;
    frame->line = env->line;
    env->frame = frame;
    return frame;
}

static void frame_unref(struct tc_sh_frame *frame)
{
    while (frame && --frame->refs == 0) {
        struct tc_sh_frame *outer = frame->outer;
        tc_sh_code_unref(frame->code);
        tc_mem_free(frame);
        frame = outer;
    }
}

void tc_sh_frame_pop(struct tc_sh_env *env)
{
    struct tc_sh_frame *frame = env->frame;

    env->frame = frame->outer;
    if (env->frame)
        env->frame->refs++;
    if (frame->options_local)
        env->options = frame->options;
    frame_unref(frame);
}

struct tc_sh_env *tc_sh_env_create(struct tc_sh *sh)
{
    struct tc_sh_env *env = tc_mem_zalloc(1, sizeof *env);

    if (!env)
        return NULL;
    env->sh = sh;
    env->options = TC_SH_O_HASHALL | TC_SH_O_BRACE;
    env->shopt = TC_SH_S_SOURCEPATH | TC_SH_S_PATSUB | TC_SH_S_GLOBASCII | TC_SH_S_GLOBSKIPDOTS | TC_SH_S_CHECKWINSIZE |
                 TC_SH_S_CMDHIST;
    env->umask = 022;
    env->pid = 1;
    env->getopts_at = 1;
    env->pipestatus = env->pipestatus_few;
    env->pipestatus_n = 1;
    env->random = 1;
    env->captured = -1;
    env->vars = tc_sh_vars_create(sh->budget.max.variables, sh->budget.max.memory);
    env->args = tc_sh_args_create(NULL, 0);
    if (!env->vars || !env->args) {
        tc_sh_env_destroy(env);
        return NULL;
    }
    return env;
}

static char *copy_bytes(const char *p, size_t n)
{
    char *copy = tc_mem_alloc(n + 1);

    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, p, n);
    copy[n] = '\0';
    return copy;
}

bool tc_sh_env_set_arg0(struct tc_sh_env *env, struct tc_str name)
{
    char *copy = copy_bytes(name.p, name.n);

    if (!copy)
        return false;
    tc_mem_free((char *)env->arg0.p);
    env->arg0 = tc_str_n(copy, name.n);
    return true;
}

bool tc_sh_env_set_cwd(struct tc_sh_env *env, const char *path)
{
    char *copy = copy_bytes(path, strlen(path));

    if (!copy)
        return false;
    tc_mem_free(env->cwd);
    env->cwd = copy;
    return true;
}

bool tc_sh_env_set_last(struct tc_sh_env *env, struct tc_str text)
{
    char *p = (char *)env->last_arg.p;

    if (text.n + 1 > env->last_arg_cap) {
        p = tc_mem_realloc(p, text.n + 32);
        if (!p)
            return false;
        env->last_arg_cap = text.n + 32;
    }
    if (text.n)
        memmove(p, text.p, text.n);
    p[text.n] = '\0';
    env->last_arg = tc_str_n(p, text.n);
    return true;
}

bool tc_sh_env_set_pipestatus(struct tc_sh_env *env, const int *status, size_t n)
{
    int *to = env->pipestatus_few;

    if (n > sizeof env->pipestatus_few / sizeof *to) {
        to = tc_mem_alloc(n * sizeof *to);
        if (!to)
            return false;
    }
    memcpy(to, status, n * sizeof *to);
    if (env->pipestatus != env->pipestatus_few)
        tc_mem_free(env->pipestatus);
    env->pipestatus = to;
    env->pipestatus_n = n;
    return true;
}

static bool copy_dirs(struct tc_sh_env *to, const struct tc_sh_env *from)
{
    if (from->dirs_n == 0)
        return true;
    to->dirs = tc_mem_zalloc(from->dirs_n, sizeof *to->dirs);
    if (!to->dirs)
        return false;
    for (; to->dirs_n < from->dirs_n; to->dirs_n++) {
        to->dirs[to->dirs_n] = copy_bytes(from->dirs[to->dirs_n], strlen(from->dirs[to->dirs_n]));
        if (!to->dirs[to->dirs_n])
            return false;
    }
    return true;
}

/* What each side must own of its own. */
static bool copy_owned(struct tc_sh_env *to, struct tc_sh_env *from)
{
    to->vars = tc_sh_vars_fork(from->vars);
    return to->vars && tc_sh_fds_copy(&to->fds, &from->fds) && tc_sh_env_set_arg0(to, from->arg0) &&
           (!from->cwd || tc_sh_env_set_cwd(to, from->cwd)) && tc_sh_env_set_last(to, from->last_arg) &&
           tc_sh_env_set_pipestatus(to, from->pipestatus, from->pipestatus_n) && copy_dirs(to, from) &&
           tc_sh_jobs_copy(to, from);
}

struct tc_sh_env *tc_sh_env_fork(struct tc_sh_env *env)
{
    struct tc_sh_env *copy = tc_mem_alloc(sizeof *copy);

    if (!copy) {
        tc_sh_out_of_memory(env);
        return NULL;
    }
    *copy = *env;
    copy->vars = NULL;
    copy->fds = (struct tc_sh_fds){0};
    copy->arg0 = copy->last_arg = (struct tc_str){0};
    copy->last_arg_cap = 0;
    copy->cwd = NULL;
    copy->dirs = NULL;
    copy->dirs_n = 0;
    copy->jobs = NULL;
    copy->jobs_n = 0;
    copy->pipestatus = copy->pipestatus_few;
    copy->functions = tc_sh_table_ref(env->functions);
    copy->aliases = tc_sh_table_ref(env->aliases);
    copy->disabled = tc_sh_table_ref(env->disabled);
    copy->hashed = tc_sh_table_ref(env->hashed);
    copy->forked = true;
    copy->traps = tc_sh_traps_fork(env);
    copy->caught = 0;
    copy->args->refs++;
    if (copy->frame)
        copy->frame->refs++;
    copy->loops = 0;
    copy->subshell++;
    copy->captured = -1;
    copy->in_trap = false;
    copy->pid = tc_sh_env_next_pid(env);
    if (!copy_owned(copy, env)) {
        tc_sh_env_destroy(copy);
        tc_sh_out_of_memory(env);
        return NULL;
    }
    return copy;
}

void tc_sh_env_leave(struct tc_sh_env *env)
{
    tc_sh_jobs_finish(env);
    tc_sh_fds_finish(&env->fds);
}

void tc_sh_env_destroy(struct tc_sh_env *env)
{
    if (!env)
        return;
    tc_sh_env_leave(env);
    tc_sh_vars_destroy(env->vars);
    tc_sh_table_unref(env->functions);
    tc_sh_table_unref(env->aliases);
    tc_sh_table_unref(env->disabled);
    tc_sh_table_unref(env->hashed);
    tc_sh_traps_unref(env->traps);
    tc_sh_args_unref(env->args);
    frame_unref(env->frame);
    tc_mem_free((char *)env->arg0.p);
    tc_mem_free((char *)env->last_arg.p);
    tc_mem_free(env->cwd);
    for (size_t i = 0; i < env->dirs_n; i++)
        tc_mem_free(env->dirs[i]);
    tc_mem_free(env->dirs);
    if (env->pipestatus != env->pipestatus_few)
        tc_mem_free(env->pipestatus);
    tc_mem_free(env);
}

int tc_sh_env_next_pid(struct tc_sh_env *env)
{
    return ++env->sh->pids;
}

bool tc_sh_env_path(const struct tc_sh_env *env, struct tc_str path, char *absolute)
{
    size_t n = 0;

    if (path.n && memchr(path.p, '\0', path.n))
        return false;
    if (path.n == 0 || path.p[0] != '/') {
        n = strlen(env->cwd);
        if (n + 1 + path.n >= PATH_MAX)
            return false;
        memcpy(absolute, env->cwd, n);
        if (n > 1)
            absolute[n++] = '/';
    }
    if (n + path.n >= PATH_MAX)
        return false;
    if (path.n)
        memcpy(absolute + n, path.p, path.n);
    absolute[n + path.n] = '\0';
    return true;
}

struct tc_str tc_sh_env_script(const struct tc_sh_env *env)
{
    return env->frame && env->frame->source.n ? env->frame->source : env->arg0;
}

void tc_sh_warn(struct tc_sh_env *env, const char *fmt, ...)
{
    struct tc_sh_file *file = tc_sh_fds_get(&env->fds, 2);
    struct tc_buf buf;
    va_list ap;

    if (!file)
        return;
    tc_buf_init(&buf, WARN_MAX);
    tc_buf_str(&buf, tc_sh_env_script(env));
    if (env->sh->interactive && !env->frame)
        tc_buf_cstr(&buf, ": ");
    else
        tc_buf_printf(&buf, ": line %d: ", env->line);
    va_start(ap, fmt);
    tc_buf_vprintf(&buf, fmt, ap);
    va_end(ap);
    tc_buf_char(&buf, '\n');
    if (!buf.failed)
        tc_sh_file_write(env->sh->sched, file, buf.p, buf.n);
    tc_buf_finish(&buf);
}

enum tc_sh_flow tc_sh_out_of_memory(struct tc_sh_env *env)
{
    tc_sh_budget_spend(&env->sh->budget, TC_SH_LIMIT_MEMORY);
    return TC_SH_STOP;
}

bool tc_sh_tick(struct tc_sh_env *env, unsigned units)
{
    return tc_sh_sched_tick(env->sh->sched, units);
}

struct tc_arena *tc_sh_arena(struct tc_sh_env *env)
{
    return tc_sh_sched_arena(env->sh->sched);
}

bool tc_sh_deeper(struct tc_sh_env *env)
{
    int64_t most = env->sh->budget.max.depth;

    if ((most && env->depth >= most) || tc_sh_sched_stack_left(env->sh->sched) < STACK_RESERVE)
        return tc_sh_budget_spend(&env->sh->budget, TC_SH_LIMIT_DEPTH);
    return true;
}
