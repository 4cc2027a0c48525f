/*
 * The table of traps and when their texts run. The names of signals are those of
 * `kill -l`.
 */
#include "shell/trap.h"

#include <stdlib.h>
#include "base/mem.h"

static const char *const signal_names[] = {
    "EXIT",        "SIGHUP",      "SIGINT",      "SIGQUIT",     "SIGILL",      "SIGTRAP",     "SIGABRT",
    "SIGBUS",      "SIGFPE",      "SIGKILL",     "SIGUSR1",     "SIGSEGV",     "SIGUSR2",     "SIGPIPE",
    "SIGALRM",     "SIGTERM",     "SIGSTKFLT",   "SIGCHLD",     "SIGCONT",     "SIGSTOP",     "SIGTSTP",
    "SIGTTIN",     "SIGTTOU",     "SIGURG",      "SIGXCPU",     "SIGXFSZ",     "SIGVTALRM",   "SIGPROF",
    "SIGWINCH",    "SIGIO",       "SIGPWR",      "SIGSYS",      NULL,          NULL,          "SIGRTMIN",
    "SIGRTMIN+1",  "SIGRTMIN+2",  "SIGRTMIN+3",  "SIGRTMIN+4",  "SIGRTMIN+5",  "SIGRTMIN+6",  "SIGRTMIN+7",
    "SIGRTMIN+8",  "SIGRTMIN+9",  "SIGRTMIN+10", "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14",
    "SIGRTMIN+15", "SIGRTMAX-14", "SIGRTMAX-13", "SIGRTMAX-12", "SIGRTMAX-11", "SIGRTMAX-10", "SIGRTMAX-9",
    "SIGRTMAX-8",  "SIGRTMAX-7",  "SIGRTMAX-6",  "SIGRTMAX-5",  "SIGRTMAX-4",  "SIGRTMAX-3",  "SIGRTMAX-2",
    "SIGRTMAX-1",  "SIGRTMAX",    "ERR",         "DEBUG",       "RETURN"};
_Static_assert(sizeof signal_names / sizeof *signal_names == TC_SH_TRAP_RETURN + 1, "one name a trap");
static const int held[] = {TC_SH_TRAP_ERR, TC_SH_TRAP_DEBUG, TC_SH_TRAP_RETURN};

const char *tc_sh_trap_name(int which)
{
    return which >= 0 && which <= TC_SH_TRAP_RETURN ? signal_names[which] : NULL;
}

int tc_sh_trap_number(struct tc_str name)
{
    int64_t number;

    if (tc_str_int(name, &number))
        return number >= 0 && number <= 64 && signal_names[number] ? (int)number : -1;
    for (int i = 0; i <= TC_SH_TRAP_RETURN; i++) {
        struct tc_str known = tc_str_of(signal_names[i]);
        if (known.n && (tc_str_eq_nocase(name, known) ||
                        (tc_str_starts(known, TC_STR("SIG")) && tc_str_eq_nocase(name, tc_str_from(known, 3)))))
            return i;
    }
    return -1;
}

void tc_sh_trap_list_names(struct tc_cmd_out *out)
{
    int column = 0;

    for (int i = 1; i <= 64; i++)
        if (signal_names[i])
            tc_cmd_printf(out, "%2d) %s%c", i, signal_names[i], ++column % 5 == 0 ? '\n' : '\t');
    if (column % 5)
        tc_cmd_putc(out, '\n');
}

void tc_sh_traps_unref(struct tc_sh_traps *traps)
{
    if (!traps || --traps->refs > 0)
        return;
    for (int i = 0; i < TC_SH_TRAPS; i++)
        tc_mem_free(traps->text[i]);
    tc_mem_free(traps);
}

static char *copy_text(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = tc_mem_alloc(n);

    return copy ? memcpy(copy, text, n) : NULL;
}

/* Whether a subshell has this trap as its own. */
static bool passes_on(const struct tc_sh_env *env, int which, const char *text)
{
    if (which == TC_SH_TRAP_ERR)
        return (env->options & TC_SH_O_ERRTRACE) != 0;
    if (which == TC_SH_TRAP_DEBUG || which == TC_SH_TRAP_RETURN)
        return (env->options & TC_SH_O_FUNCTRACE) != 0;
    return text[0] == '\0';
}

struct tc_sh_traps *tc_sh_traps_fork(struct tc_sh_env *env)
{
    struct tc_sh_traps *copy;

    if (!env->traps)
        return NULL;
    if (env->traps->inherited) {
        env->traps->refs++;
        return env->traps;
    }
    copy = tc_mem_zalloc(1, sizeof *copy);
    if (!copy)
        return NULL;
    copy->refs = 1;
    copy->inherited = true;
    for (int i = 0; i < TC_SH_TRAPS; i++)
        if (env->traps->text[i])
            copy->text[i] = copy_text(env->traps->text[i]);
    return copy;
}

const char *tc_sh_trap_listed(const struct tc_sh_env *env, int which)
{
    return env->traps ? env->traps->text[which] : NULL;
}

const char *tc_sh_trap_get(const struct tc_sh_env *env, int which)
{
    const char *text = tc_sh_trap_listed(env, which);

    return text && env->traps->inherited && !passes_on(env, which, text) ? NULL : text;
}

/* A table that nobody else has, without what is only listed. */
static bool own(struct tc_sh_env *env)
{
    struct tc_sh_traps *copy;

    if (env->traps && env->traps->refs == 1 && !env->traps->inherited)
        return true;
    copy = tc_mem_zalloc(1, sizeof *copy);
    if (!copy)
        return false;
    copy->refs = 1;
    for (int i = 0; env->traps && i < TC_SH_TRAPS; i++) {
        const char *text = tc_sh_trap_get(env, i);
        if (text && !(copy->text[i] = copy_text(text))) {
            tc_sh_traps_unref(copy);
            return false;
        }
    }
    tc_sh_traps_unref(env->traps);
    env->traps = copy;
    return true;
}

void tc_sh_trap_rearm(struct tc_sh_env *env)
{
    uint64_t mask = 0;

    for (int i = 1; i < 64; i++)
        if (tc_sh_trap_get(env, i))
            mask |= (uint64_t)1 << i;
    tc_sh_sched_catch(env->sh->sched, mask, mask ? &env->caught : NULL); /* the process may outlive this environment */
}

bool tc_sh_trap_set(struct tc_sh_env *env, int which, const char *text)
{
    char *copy = text ? copy_text(text) : NULL;

    if ((text && !copy) || !own(env)) {
        tc_mem_free(copy);
        return false;
    }
    tc_mem_free(env->traps->text[which]);
    env->traps->text[which] = copy;
    if (which > 0 && which < 64)
        tc_sh_trap_rearm(env);
    return true;
}

void tc_sh_traps_drop(struct tc_sh_env *env)
{
    tc_sh_traps_unref(env->traps);
    env->traps = NULL;
    tc_sh_trap_rearm(env);
}

enum tc_sh_flow tc_sh_exec_trap(struct tc_sh_env *env, int which)
{
    const char *text = tc_sh_trap_get(env, which);
    struct tc_arena *arena = tc_sh_arena(env);
    struct tc_arena_mark mark = tc_arena_mark(arena);
    int status = env->status, line = env->line, loops = env->loops;
    bool in_trap = env->in_trap, in_condition = env->in_condition;
    struct tc_str copy;
    enum tc_sh_flow flow;

    if (!text || text[0] == '\0')
        return TC_SH_NEXT;
    copy = tc_arena_dup(arena, tc_str_of(text));
    if (!copy.p)
        return tc_sh_out_of_memory(env);
    env->in_trap = true;
    env->loops = 0;
    flow = tc_sh_exec_text(env, copy, (struct tc_str){0}, which == TC_SH_TRAP_EXIT ? 1 : line);
    env->in_trap = in_trap;
    env->in_condition = in_condition;
    env->loops = loops;
    env->line = line;
    if (flow == TC_SH_NEXT)
        env->status = status;
    tc_arena_rewind(arena, &mark);
    return flow;
}

enum tc_sh_flow tc_sh_trap_pending(struct tc_sh_env *env)
{
    enum tc_sh_flow flow = TC_SH_NEXT;

    for (int i = 1; i < 64 && env->caught && flow == TC_SH_NEXT; i++) {
        if (!(env->caught & (uint64_t)1 << i))
            continue;
        env->caught &= ~((uint64_t)1 << i);
        flow = tc_sh_exec_trap(env, i);
    }
    return flow;
}

void tc_sh_trap_hold(struct tc_sh_env *env, bool traced, struct tc_sh_trap_saved *saved)
{
    bool keep_err = (env->options & TC_SH_O_ERRTRACE) != 0;
    bool keep_debug = traced || (env->options & TC_SH_O_FUNCTRACE) != 0;

    *saved = (struct tc_sh_trap_saved){0};
    if (!env->traps || (keep_err && keep_debug) ||
        (!env->traps->text[held[0]] && !env->traps->text[held[1]] && !env->traps->text[held[2]]))
        return;
    if (!own(env))
        return;
    saved->active = true;
    for (int i = 0; i < 3; i++) {
        if (i == 0 ? keep_err : keep_debug)
            continue;
        saved->text[i] = env->traps->text[held[i]];
        env->traps->text[held[i]] = NULL;
    }
}

void tc_sh_trap_restore(struct tc_sh_env *env, struct tc_sh_trap_saved *saved)
{
    if (!saved->active)
        return;
    for (int i = 0; i < 3; i++) {
        if (!saved->text[i])
            continue;
        if (env->traps->text[held[i]] || !own(env)) { /* the function set one of its own */
            tc_mem_free(saved->text[i]);
            continue;
        }
        env->traps->text[held[i]] = saved->text[i];
    }
}
