/*
 * How a command's call begins and ends, its messages and its ticks.
 */
#include "shell/cmd.h"

#include <errno.h>
#include <stdio.h>

#include "shell/cmd_impl.h"

/* argv and its strings, in one piece. */
static bool take_words(struct tc_cmd_call *c, const struct tc_str *words, size_t n)
{
    size_t size = (n + 1) * sizeof(char *);
    char *at;

    for (size_t i = 0; i < n; i++)
        size += words[i].n + 1;
    c->argv = tc_arena_alloc(c->arena, size);
    if (!c->argv)
        return false;
    at = (char *)(c->argv + n + 1);
    for (size_t i = 0; i < n; i++) {
        c->argv[i] = at;
        if (words[i].n)
            memcpy(at, words[i].p, words[i].n);
        at += words[i].n;
        *at++ = '\0';
    }
    c->argv[n] = NULL;
    c->argc = (int)n;
    return true;
}

struct tc_cmd_call *tc_sh_cmd_begin(struct tc_sh_env *env, const struct tc_cmd *cmd, const struct tc_str *words,
                                    size_t n)
{
    struct tc_arena *arena = tc_sh_sched_arena(env->sh->sched);
    struct tc_sh_cmd *own = n < INT_MAX ? tc_arena_alloc(arena, sizeof *own) : NULL;

    if (!own)
        return NULL;
    *own = (struct tc_sh_cmd){
        .call = {.arena = arena, .cmd = cmd, .at = 0, .env = env, .option_at = 1},
        .cx = {.arena = arena},
        .sched = env->sh->sched,
        .vfs = env->sh->vfs,
    };
    own->call.cx = &own->cx;
    own->call.out = &own->out;
    own->call.err = &own->err;
    tc_sh_cmd_out_init(own, &own->out, tc_sh_fds_get(&env->fds, 1));
    tc_sh_cmd_out_init(own, &own->err, tc_sh_fds_get(&env->fds, 2));
    own->err.by_line = true;
    return take_words(&own->call, words, n) ? &own->call : NULL;
}

int tc_sh_cmd_end(struct tc_cmd_call *c, int status)
{
    struct tc_sh_cmd *cmd = tc_sh_cmd_of(c);

    tc_cmd_flush(c->out);
    if (cmd->helped)
        status = 0;
    if (c->out->error == EPIPE) {
        status = 128 + 13;
    } else if (c->out->error && !tc_sh_sched_stopped(cmd->sched)) {
        status = tc_sh_cmd_unwritten(c, status);
    }
    tc_cmd_flush(c->err);
    tc_sh_cmd_out_finish(c->out);
    tc_sh_cmd_out_finish(c->err);
    tc_sh_cmd_close_ins(cmd);
    tc_sh_cmd_close_outs(cmd);
    tc_sh_cmd_close_dirs(cmd);
    tc_sh_vfs_forget(cmd->vfs);
    return status;
}

int tc_sh_cmd_run(struct tc_sh_env *env, const struct tc_cmd *cmd, const struct tc_str *words, size_t n)
{
    struct tc_cmd_call *c = tc_sh_cmd_begin(env, cmd, words, n);

    if (!c) {
        tc_sh_budget_spend(tc_sh_sched_budget(env->sh->sched), TC_SH_LIMIT_MEMORY);
        return 1;
    }
    return tc_sh_cmd_end(c, tc_cmd_tick(c, 1) ? cmd->run(c) : 1);
}

const char *tc_cmd_called(const struct tc_cmd_call *c)
{
    const char *slash = strrchr(c->argv[0], '/');

    return slash ? slash + 1 : c->argv[0];
}

/* --- messages --- */

static void complain(struct tc_cmd_call *c, const char *fmt, va_list ap)
{
    struct tc_str text = tc_arena_vprintf(c->arena, fmt, ap);

    tc_cmd_puts(c->err, c->argv[0]);
    tc_cmd_puts(c->err, ": ");
    if (text.p)
        tc_cmd_write(c->err, text.p, text.n);
    tc_cmd_putc(c->err, '\n');
}

int tc_cmd_fail(struct tc_cmd_call *c, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    complain(c, fmt, ap);
    va_end(ap);
    return 1;
}

int tc_cmd_fail_usage(struct tc_cmd_call *c, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    complain(c, fmt, ap);
    va_end(ap);
    if (c->cmd->flags & TC_CMD_HINT_USAGE)
        tc_cmd_printf(c->err, "Usage: %s %s\n", c->argv[0], c->cmd->usage);
    if (c->cmd->flags & TC_CMD_HINT_NAMED)
        tc_cmd_printf(c->err, "%s: ", c->argv[0]);
    tc_cmd_printf(c->err, "Try '%s --help' for more information.\n", c->argv[0]);
    return 2;
}

int tc_cmd_fail_errno(struct tc_cmd_call *c, const char *what, int error)
{
    if (error == EINTR && tc_cmd_stopped(c))
        return 1;
    return tc_cmd_fail(c, "%s: %s", tc_cmd_quote_odd(c, what), strerror(error));
}

int tc_cmd_fail_memory(struct tc_cmd_call *c)
{
    tc_sh_budget_spend(tc_sh_sched_budget(tc_sh_cmd_of(c)->sched), TC_SH_LIMIT_MEMORY);
    return 1;
}

/* --- work --- */

bool tc_cmd_tick(struct tc_cmd_call *c, unsigned units)
{
    return tc_sh_sched_tick(tc_sh_cmd_of(c)->sched, units) && !c->out->error;
}

bool tc_cmd_stopped(const struct tc_cmd_call *c)
{
    return tc_sh_sched_stopped(tc_sh_cmd_of(c)->sched) || c->out->error;
}

bool tc_cmd_sleep(struct tc_cmd_call *c, int64_t ns)
{
    return tc_sh_sched_sleep(tc_sh_cmd_of(c)->sched, ns);
}
