/*
 * Parameters that the shell makes itself, from what the environment knows.
 */
#include "shell/special.h"

#include <time.h>

#include "base/rand.h"
#include "shell/expand_parts.h"

enum { RANDOM_MAX = 32767, NS = 1000000000 };

/* --- what is declared at the start --- */

struct fixed {
    const char *name, *value;
    unsigned flags;
};

static const struct fixed fixed[] = {
    {"BASH", "/bin/bash", 0},
    {"BASH_VERSION", "5.2.15(1)-release", 0},
    {"EUID", "1000", TC_SH_VAR_INTEGER | TC_SH_VAR_READONLY},
    {"HOSTNAME", "toolcrib", 0},
    {"HOSTTYPE", "x86_64", 0},
    {"IFS", " \t\n", 0},
    {"MACHTYPE", "x86_64-pc-linux-gnu", 0},
    {"OPTERR", "1", 0},
    {"OPTIND", "1", TC_SH_VAR_INTEGER},
    {"OSTYPE", "linux-gnu", 0},
    {"PPID", "0", TC_SH_VAR_INTEGER | TC_SH_VAR_READONLY},
    {"PS4", "+ ", 0},
    {"UID", "1000", TC_SH_VAR_INTEGER | TC_SH_VAR_READONLY},
};

static const struct fixed dynamic[] = {
    {"BASHOPTS", NULL, TC_SH_VAR_READONLY},
    {"BASHPID", NULL, TC_SH_VAR_INTEGER},
    {"BASH_COMMAND", NULL, 0},
    {"BASH_LINENO", NULL, TC_SH_VAR_INDEXED},
    {"BASH_SOURCE", NULL, TC_SH_VAR_INDEXED},
    {"BASH_SUBSHELL", NULL, 0},
    {"DIRSTACK", NULL, TC_SH_VAR_INDEXED},
    {"EPOCHREALTIME", NULL, 0},
    {"EPOCHSECONDS", NULL, 0},
    {"FUNCNAME", NULL, TC_SH_VAR_INDEXED},
    {"GROUPS", NULL, TC_SH_VAR_INDEXED},
    {"HISTCMD", NULL, TC_SH_VAR_INTEGER},
    {"LINENO", NULL, 0},
    {"PIPESTATUS", NULL, TC_SH_VAR_INDEXED},
    {"RANDOM", NULL, TC_SH_VAR_INTEGER},
    {"SECONDS", NULL, TC_SH_VAR_INTEGER},
    {"SHELLOPTS", NULL, TC_SH_VAR_READONLY},
    {"SRANDOM", NULL, TC_SH_VAR_INTEGER},
    {"_", NULL, 0},
};

bool tc_sh_special_declare(struct tc_sh_vars *vars)
{
    static const char *const version[] = {"5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"};
    bool ok = true;

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        struct tc_str name = tc_str_of(fixed[i].name);
        ok = ok && tc_sh_vars_set(vars, name, tc_str_of(fixed[i].value)) == TC_SH_SET_OK &&
             tc_sh_vars_mark(vars, name, fixed[i].flags, 0) == TC_SH_SET_OK;
    }
    for (size_t i = 0; i < sizeof dynamic / sizeof *dynamic; i++)
        ok = ok && tc_sh_vars_mark(vars, tc_str_of(dynamic[i].name), dynamic[i].flags | TC_SH_VAR_DYNAMIC, 0) ==
                       TC_SH_SET_OK;
    for (size_t i = 0; i < sizeof version / sizeof *version; i++)
        ok = ok && tc_sh_vars_set_at(vars, TC_STR("BASH_VERSINFO"), (int64_t)i, tc_str_of(version[i])) == TC_SH_SET_OK;
    return ok && tc_sh_vars_mark(vars, TC_STR("BASH_VERSINFO"), TC_SH_VAR_READONLY, 0) == TC_SH_SET_OK;
}

/* --- $? and its like --- */

static bool number(struct tc_sh_env *env, int64_t n, struct tc_str *ret_value)
{
    *ret_value = tc_sh_decimal(env, n);
    if (!ret_value->p)
        *ret_value = TC_STR("");
    return true;
}

/* $-: the letters of what is on, as bash orders them, and c for a script in an argument. */
static bool letters(struct tc_sh_env *env, struct tc_str *ret_value)
{
    static const struct {
        char letter;
        unsigned bit;
    } flags[] = {
        {'a', TC_SH_O_ALLEXPORT}, {'b', TC_SH_O_NOTIFY}, {'e', TC_SH_O_ERREXIT}, {'f', TC_SH_O_NOGLOB},
        {'h', TC_SH_O_HASHALL}, {'i', TC_SH_O_INTERACTIVE}, {'k', TC_SH_O_KEYWORD}, {'m', TC_SH_O_MONITOR},
        {'n', TC_SH_O_NOEXEC}, {'p', TC_SH_O_PRIVILEGED}, {'t', TC_SH_O_ONECMD}, {'u', TC_SH_O_NOUNSET},
        {'v', TC_SH_O_VERBOSE}, {'x', TC_SH_O_XTRACE}, {'B', TC_SH_O_BRACE}, {'C', TC_SH_O_NOCLOBBER},
        {'E', TC_SH_O_ERRTRACE}, {'P', TC_SH_O_PHYSICAL}, {'T', TC_SH_O_FUNCTRACE},
    };
    size_t count = sizeof flags / sizeof *flags, n = 0;
    char *text = tc_arena_alloc(tc_sh_arena(env), count + 2);

    if (!text) {
        tc_sh_out_of_memory(env);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (env->options & flags[i].bit)
            text[n++] = flags[i].letter;
    text[n++] = 'c';
    text[n] = '\0';
    *ret_value = tc_str_n(text, n);
    return true;
}

bool tc_sh_special_parameter(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_value)
{
    uint64_t n = 0;

    switch (name.p[0]) {
    case '?': return number(env, env->status, ret_value);
    case '#': return number(env, env->args ? (int64_t)env->args->n : 0, ret_value);
    case '$': return number(env, 1, ret_value);
    case '-': return letters(env, ret_value);
    case '!': return env->last_background && number(env, env->last_background, ret_value);
    default: break;
    }
    for (size_t i = 0; i < name.n && n < UINT32_MAX; i++)
        n = n * 10 + (uint64_t)(name.p[i] - '0');
    if (n == 0) {
        *ret_value = env->arg0;
        return true;
    }
    if (!env->args || n > env->args->n)
        return false;
    *ret_value = env->args->v[n - 1];
    return true;
}

/* --- RANDOM: bash 5.2's generator, so that a seed gives the numbers that it gives there --- */

static void seed(struct tc_sh_env *env, uint32_t value)
{
    env->random = value;
    env->random_last = 0;
    env->random_pid = (uint32_t)env->pid;
}

static int64_t next_random(struct tc_sh_env *env)
{
    uint32_t value;

    if (env->random_pid != (uint32_t)env->pid) /* a subshell has numbers of its own */
        seed(env, (uint32_t)tc_rand_u64());
    do {
        uint32_t x = env->random ? env->random : 123459876, high = x / 127773, low = x % 127773;
        int32_t next = (int32_t)(16807 * low - 2836 * high);
        env->random = (uint32_t)(next < 0 ? next + INT32_MAX : next);
        value = ((env->random >> 16) ^ (env->random & 65535)) & RANDOM_MAX;
    } while (value == env->random_last);
    env->random_last = value;
    return value;
}

static struct timespec now(struct tc_sh_env *env)
{
    struct timespec time;

    if (env->sh->now)
        return env->sh->now(env->sh->now_arg);
    clock_gettime(CLOCK_REALTIME, &time);
    return time;
}

static int64_t seconds(struct tc_sh_env *env)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return ((int64_t)time.tv_sec * NS + time.tv_nsec - env->sh->began) / NS;
}

void tc_sh_special_set(struct tc_sh_env *env, struct tc_str name, struct tc_str value)
{
    int64_t n;

    if (!tc_str_int(value, &n))
        n = 0;
    if (tc_str_is(name, "RANDOM"))
        seed(env, (uint32_t)n);
    else if (tc_str_is(name, "SECONDS"))
        env->seconds = (int64_t)((uint64_t)n - (uint64_t)seconds(env));
    else if (tc_str_is(name, "LINENO"))
        env->line = (int)n;
}

/* --- options by name --- */

static bool on_names(struct tc_sh_env *env, const struct tc_sh_option_row *rows, unsigned bits,
                     struct tc_str *ret_value)
{
    struct tc_buf buf;

    tc_buf_init(&buf, 4096);
    for (; rows->name; rows++) {
        if (rows->bit ? !(bits & rows->bit) : !rows->on)
            continue;
        if (buf.n)
            tc_buf_char(&buf, ':');
        tc_buf_cstr(&buf, rows->name);
    }
    *ret_value = tc_buf_dup(&buf, tc_sh_arena(env));
    tc_buf_finish(&buf);
    if (!ret_value->p)
        tc_sh_out_of_memory(env);
    return ret_value->p != NULL;
}

static bool micros(struct tc_sh_env *env, struct tc_str *ret_value)
{
    struct timespec time = now(env);

    *ret_value = tc_arena_printf(tc_sh_arena(env), "%lld.%06ld", (long long)time.tv_sec, time.tv_nsec / 1000);
    return ret_value->p != NULL;
}

bool tc_sh_special_get(struct tc_sh_env *env, struct tc_str name, struct tc_str *ret_value)
{
    struct tc_str *v;
    size_t n;

    if (tc_str_is(name, "RANDOM"))
        return number(env, next_random(env), ret_value);
    if (tc_str_is(name, "LINENO"))
        return number(env, env->line, ret_value);
    if (tc_str_is(name, "SECONDS"))
        return number(env, seconds(env) + env->seconds, ret_value);
    if (tc_str_is(name, "BASHPID"))
        return number(env, env->pid, ret_value);
    if (tc_str_is(name, "BASH_SUBSHELL"))
        return number(env, env->subshell, ret_value);
    if (tc_str_is(name, "SRANDOM"))
        return number(env, (uint32_t)tc_rand_u64(), ret_value);
    if (tc_str_is(name, "HISTCMD"))
        return number(env, 0, ret_value);
    if (tc_str_is(name, "EPOCHSECONDS"))
        return number(env, now(env).tv_sec, ret_value);
    if (tc_str_is(name, "SHELLOPTS"))
        return on_names(env, tc_sh_option_rows, env->options, ret_value);
    if (tc_str_is(name, "BASHOPTS"))
        return on_names(env, tc_sh_shopt_rows, env->shopt, ret_value);
    if (tc_str_is(name, "EPOCHREALTIME"))
        return micros(env, ret_value);
    if (tc_str_is(name, "_") || tc_str_is(name, "BASH_COMMAND")) {
        *ret_value = name.n == 1 ? env->last_arg : env->command;
        if (!ret_value->p)
            *ret_value = TC_STR("");
        return true;
    }
    if (!tc_sh_special_elements(env, name, &v, &n) || n == 0)
        return false;
    *ret_value = v[0];
    return true;
}

/* --- arrays --- */

/* FUNCNAME has nothing while no more than the script itself runs. */
static size_t frames(const struct tc_sh_env *env, char which)
{
    size_t n = 0;

    for (const struct tc_sh_frame *frame = env->frame; frame; frame = frame->outer)
        n++;
    return n == 1 && which == 'F' && tc_str_is(env->frame->name, "main") ? 0 : n;
}

static void fill_frames(struct tc_sh_env *env, char which, struct tc_str *v)
{
    for (const struct tc_sh_frame *frame = env->frame; frame; frame = frame->outer, v++) {
        if (which == 'F')
            *v = frame->sourced ? TC_STR("source") : frame->name;
        else if (which == 'S')
            *v = frame->source;
        else
            number(env, frame->line, v);
    }
}

bool tc_sh_special_elements(struct tc_sh_env *env, struct tc_str name, struct tc_str **ret_v, size_t *ret_n)
{
    char which = tc_str_is(name, "FUNCNAME") ? 'F' : tc_str_is(name, "BASH_SOURCE") ? 'S'
               : tc_str_is(name, "BASH_LINENO") ? 'L' : tc_str_is(name, "PIPESTATUS") ? 'P'
               : tc_str_is(name, "DIRSTACK") ? 'D' : tc_str_is(name, "GROUPS") ? 'G' : 0;
    size_t n = which == 'P' ? env->pipestatus_n : which == 'D' ? env->dirs_n + 1 : which == 'G' ? 1
                                                                                 : frames(env, which);
    struct tc_str *v;

    if (!which)
        return false;
    v = TC_ARENA_NEW_N(tc_sh_arena(env), struct tc_str, n + 1);
    *ret_v = v;
    *ret_n = v ? n : 0;
    if (!v) {
        tc_sh_out_of_memory(env);
        return true;
    }
    if (which == 'G') {
        v[0] = TC_STR("1000");
    } else if (which == 'P') {
        for (size_t i = 0; i < n; i++)
            number(env, env->pipestatus[i], &v[i]);
    } else if (which == 'D') {
        for (size_t i = 0; i < n; i++)
            v[i] = tc_str_of(i == 0 ? env->cwd : env->dirs[i - 1]);
    } else {
        fill_frames(env, which, v);
    }
    return true;
}
