/*
 * dirs, pushd and popd: a stack of directories whose top is the working directory.
 * env->dirs holds what is below it, the next one last.
 */
#include "base/mem.h"
#include "shell/builtin.h"
#include "shell/chdir.h"

static char *copy(const char *text)
{
    size_t n = strlen(text) + 1;
    char *to = tc_mem_alloc(n);

    return to ? memcpy(to, text, n) : NULL;
}

/* Entry i from the top; 0 is the working directory. */
static const char *entry(const struct tc_sh_env *env, size_t i)
{
    return i == 0 ? env->cwd : env->dirs[env->dirs_n - i];
}

static bool push(struct tc_sh_env *env, const char *path)
{
    char **dirs = tc_mem_realloc(env->dirs, (env->dirs_n + 1) * sizeof *dirs);

    if (dirs)
        env->dirs = dirs;
    if (!dirs || !(dirs[env->dirs_n] = copy(path)))
        return false;
    env->dirs_n++;
    return true;
}

/* Takes out entry i, from 1 on. */
static void drop(struct tc_sh_env *env, size_t i)
{
    size_t at = env->dirs_n - i;

    tc_mem_free(env->dirs[at]);
    memmove(&env->dirs[at], &env->dirs[at + 1], (i - 1) * sizeof *env->dirs);
    env->dirs_n--;
}

static void put(struct tc_sh_env *env, struct tc_cmd_call *c, const char *path, bool full)
{
    struct tc_str home = {0}, text = tc_str_of(path);

    if (!full && tc_sh_vars_get(env->vars, TC_STR("HOME"), &home) && home.n > 1 && tc_str_starts(text, home) &&
        (text.n == home.n || text.p[home.n] == '/'))
        tc_cmd_printf(c->out, "~%s", path + home.n);
    else
        tc_cmd_puts(c->out, path);
}

static void list(struct tc_sh_env *env, struct tc_cmd_call *c, bool full, int style)
{
    for (size_t i = 0; i <= env->dirs_n; i++) {
        if (style == 'v')
            tc_cmd_printf(c->out, "%2zu  ", i);
        put(env, c, entry(env, i), full);
        tc_cmd_putc(c->out, style || i == env->dirs_n ? '\n' : ' ');
    }
}

/* "+N" or "-N": which entry. False: it is neither, or out of range, which is told. */
static bool which(struct tc_sh_env *env, struct tc_cmd_call *c, const char *arg, size_t *ret_entry)
{
    int64_t n;

    if (!tc_sh_builtin_number(arg + 1, &n)) {
        tc_sh_builtin_fail(env, c, "%s: invalid number", arg);
        tc_sh_builtin_usage(env, c);
        return false;
    }
    if (n < 0 || (uint64_t)n > env->dirs_n) {
        if (env->dirs_n)
            tc_sh_builtin_fail(env, c, "%s: directory stack index out of range", arg);
        else
            tc_sh_builtin_fail(env, c, "directory stack empty");
        return false;
    }
    *ret_entry = arg[0] == '+' ? (size_t)n : env->dirs_n - (size_t)n;
    return true;
}

static bool go(struct tc_sh_env *env, struct tc_cmd_call *c, const char *path)
{
    int error = tc_sh_chdir(env, path, false);

    if (error)
        tc_sh_builtin_fail(env, c, "%s: %s", path, strerror(error));
    return !error;
}

static enum tc_sh_flow run_dirs(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool full = false, chosen = false;
    size_t at = 0;
    int style = 0;

    for (; c->at < c->argc; c->at++) {
        const char *arg = c->argv[c->at];
        int64_t number;
        if (!strcmp(arg, "-c")) {
            while (env->dirs_n)
                drop(env, 1);
            return TC_SH_NEXT;
        }
        if (!strcmp(arg, "-l"))
            full = true;
        else if (!strcmp(arg, "-p") || !strcmp(arg, "-v"))
            style = arg[1];
        else if ((arg[0] == '+' || arg[0] == '-') && (tc_sh_builtin_number(arg + 1, &number) || arg[0] == '-')) {
            if (!which(env, c, arg, &at))
                return TC_SH_NEXT;
            chosen = true;
        } else {
            tc_sh_builtin_fail(env, c, "%s: invalid option", arg);
            return tc_sh_builtin_usage(env, c);
        }
    }
    if (!chosen) {
        list(env, c, full, style);
        return TC_SH_NEXT;
    }
    put(env, c, entry(env, at), full);
    tc_cmd_putc(c->out, '\n');
    return TC_SH_NEXT;
}

/* Entry n becomes the top, those above it go to the bottom. */
static bool rotate(struct tc_sh_env *env, struct tc_cmd_call *c, size_t n)
{
    const char *to = tc_arena_cstr(c->arena, tc_str_of(entry(env, n)));

    if (!to || n == 0)
        return to != NULL;
    if (!push(env, env->cwd))
        return false;
    for (size_t i = 0; i < n; i++) { /* the last of dirs goes first */
        char *top = env->dirs[env->dirs_n - 1];
        memmove(&env->dirs[1], &env->dirs[0], (env->dirs_n - 1) * sizeof *env->dirs);
        env->dirs[0] = top;
    }
    if (!go(env, c, to))
        return true;
    drop(env, 1);
    return true;
}

static enum tc_sh_flow run_pushd(struct tc_sh_env *env, struct tc_cmd_call *c, const char *arg, bool stay)
{
    const char *before = tc_arena_cstr(c->arena, tc_str_of(env->cwd));
    int64_t number;
    size_t at;

    if (!before)
        return tc_sh_out_of_memory(env);
    if (!arg && env->dirs_n == 0)
        return tc_sh_builtin_fail(env, c, "no other directory");
    if (!arg) {
        const char *to = tc_arena_cstr(c->arena, tc_str_of(entry(env, 1)));
        if (!to || !go(env, c, to))
            return to ? TC_SH_NEXT : tc_sh_out_of_memory(env);
        drop(env, 1);
        if (!push(env, before))
            return tc_sh_out_of_memory(env);
    } else if ((arg[0] == '+' || arg[0] == '-') && tc_sh_builtin_number(arg + 1, &number)) {
        if (!which(env, c, arg, &at))
            return TC_SH_NEXT;
        if (!rotate(env, c, at))
            return tc_sh_out_of_memory(env);
    } else if (stay) {
        if (!push(env, arg))
            return tc_sh_out_of_memory(env);
    } else {
        if (!go(env, c, arg))
            return TC_SH_NEXT;
        if (!push(env, before))
            return tc_sh_out_of_memory(env);
    }
    if (env->status == 0)
        list(env, c, false, 0);
    return TC_SH_NEXT;
}

static enum tc_sh_flow run_popd(struct tc_sh_env *env, struct tc_cmd_call *c, const char *arg, bool stay)
{
    size_t at = 0;

    if (env->dirs_n == 0)
        return tc_sh_builtin_fail(env, c, "directory stack empty");
    if (arg && !which(env, c, arg, &at))
        return TC_SH_NEXT;
    if (at == 0 && !stay) {
        const char *to = tc_arena_cstr(c->arena, tc_str_of(entry(env, 1)));
        if (!to || !go(env, c, to))
            return to ? TC_SH_NEXT : tc_sh_out_of_memory(env);
        drop(env, 1);
    } else {
        drop(env, at ? at : 1);
    }
    list(env, c, false, 0);
    return TC_SH_NEXT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    bool stay = false;
    const char *arg;

    c->at = 1;
    if (c->argc > 1 && !strcmp(c->argv[1], "--help"))
        return tc_sh_builtin_plain(env, c), TC_SH_NEXT;
    if (c->argv[0][0] == 'd')
        return run_dirs(env, c);
    if (c->at < c->argc && !strcmp(c->argv[c->at], "-n")) {
        stay = true;
        c->at++;
    }
    if (c->at < c->argc && !strcmp(c->argv[c->at], "--"))
        c->at++;
    if (c->argc - c->at > 1)
        return tc_sh_builtin_fail(env, c, "too many arguments");
    arg = c->at < c->argc ? c->argv[c->at] : NULL;
    return c->argv[0][1] == 'u' ? run_pushd(env, c, arg, stay) : run_popd(env, c, arg, stay);
}

const struct tc_sh_builtin tc_sh_builtin_dirs = {
    .cmd = {.name = "dirs",
            .aliases = "pushd popd",
            .usage = "[-clpv] [+N] [-N]",
            .summary = "Lists the stack of directories; pushd [-n] [+N | -N | dir] and popd [-n] [+N | -N] change it.",
            .flags = TC_CMD_RAW},
    .run = run};
