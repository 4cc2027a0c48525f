/*
 * Forked environments: subshells and $( ) on the fiber at hand, which has only to wait
 * for them; background jobs and <( ) on fibers of their own.
 */
#include "shell/exec_parts.h"

#include <fcntl.h>
#include <stdio.h>
#include "base/mem.h"
#include "shell/jobs.h"
#include "shell/redirect.h"
#include "shell/trap.h"

enum { SUBSTITUTED_FROM = 63, CAPTURE_MAX = 256 << 20, COMMAND_MAX = 1 << 20, MANY = 64 };

/* What a new fiber begins with; its own. */
struct start {
    struct tc_sh_code *code;
    const struct tc_sh_node *node;
};

static int run_start(struct tc_sh_env *env, void *arg)
{
    struct start *start = arg;
    struct tc_sh_code *code = start->code;
    int status;

    env->code = code;
    env->proc = tc_sh_sched_current(env->sh->sched);
    env->pid = tc_sh_proc_pid(env->proc);
    status = tc_sh_exec_finish(env, tc_sh_exec(env, start->node));
    tc_sh_fds_finish(&env->fds);
    tc_sh_code_unref(code);
    tc_mem_free(start);
    return status;
}

struct tc_sh_proc *tc_sh_exec_spawn(struct tc_sh_env *env, struct tc_sh_env *child, const struct tc_sh_node *node)
{
    struct start *start = tc_mem_alloc(sizeof *start);
    struct tc_sh_proc *proc;

    if (!start) {
        tc_sh_env_destroy(child);
        tc_sh_out_of_memory(env);
        return NULL;
    }
    start->code = tc_sh_code_ref(env->code);
    start->node = node;
    proc = tc_sh_sched_spawn(env->sh->sched, child, run_start, start);
    if (!proc) {
        tc_sh_code_unref(start->code);
        tc_mem_free(start);
    }
    return proc;
}

/* Runs the script, or the node when it has none. */
static enum tc_sh_flow within(struct tc_sh_env *env, struct tc_sh_env *child, const struct tc_sh_node *node,
                              const struct tc_sh_code *script)
{
    struct tc_sh_traps *traps = child->traps;

    if (!tc_sh_deeper(env)) {
        tc_sh_env_destroy(child);
        return TC_SH_STOP;
    }
    child->depth++;
    env->status = tc_sh_exec_finish(
        child, script ? tc_sh_exec_code(child, (struct tc_sh_code *)script, env->line, "command substitution: ")
                      : tc_sh_exec(child, node));
    if (child->traps != traps)
        tc_sh_trap_rearm(env);
    tc_sh_env_destroy(child);
    return tc_sh_sched_stopped(env->sh->sched) ? TC_SH_STOP : TC_SH_NEXT;
}

enum tc_sh_flow tc_sh_exec_within(struct tc_sh_env *env, struct tc_sh_env *child, const struct tc_sh_node *node)
{
    return within(env, child, node, NULL);
}

int tc_sh_exec_finish(struct tc_sh_env *env, enum tc_sh_flow flow)
{
    if (flow == TC_SH_ABORT)
        env->status = 1;
    if (flow != TC_SH_STOP && env->traps) {
        if (env->caught)
            tc_sh_trap_pending(env);
        env->in_condition = false;
        tc_sh_exec_trap(env, TC_SH_TRAP_EXIT);
    }
    return env->status;
}

enum tc_sh_flow tc_sh_exec_subshell_check(struct tc_sh_env *env, const struct tc_sh_node *node, enum tc_sh_flow flow)
{
    struct tc_buf printed;

    if (flow != TC_SH_NEXT || env->status == 0 || !env->traps || env->in_trap)
        return tc_sh_exec_check(env, flow);
    tc_buf_init(&printed, COMMAND_MAX);
    tc_sh_print_command(&printed, node);
    env->command = printed.failed ? node->source : tc_buf_get(&printed);
    flow = tc_sh_exec_check(env, flow);
    env->command = node->source;
    tc_buf_finish(&printed);
    return flow;
}

enum tc_sh_flow tc_sh_exec_subshell(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_sh_env *child = tc_sh_env_fork(env);
    enum tc_sh_flow flow;

    if (!child)
        return TC_SH_STOP;
    flow = tc_sh_exec_within(env, child, node->body);
    if (env->jobs_n)
        tc_sh_jobs_notify(env);
    env->line = node->line;
    env->pipestatus[0] = env->status;
    env->pipestatus_n = 1;
    return flow;
}

enum tc_sh_flow tc_sh_exec_background(struct tc_sh_env *env, const struct tc_sh_node *node)
{
    struct tc_sh_env *child = tc_sh_env_fork(env);
    struct tc_sh_file *null = tc_sh_file_of_device(TC_SH_NULL);
    struct tc_sh_proc *proc;
    struct tc_buf printed;
    bool added;

    if (!child || !null || !tc_sh_fds_set(&child->fds, 0, null)) {
        tc_sh_env_destroy(child);
        return tc_sh_out_of_memory(env);
    }
    proc = tc_sh_exec_spawn(env, child, node);
    if (!proc)
        return TC_SH_STOP;
    env->status = 0;
    tc_buf_init(&printed, COMMAND_MAX);
    tc_sh_print_command(&printed, node);
    added = tc_sh_jobs_add(env, proc, printed.failed ? node->source : tc_buf_get(&printed), false);
    tc_buf_finish(&printed);
    if (!added)
        return tc_sh_out_of_memory(env);
    if (tc_sh_sched_live(env->sh->sched) >= MANY && !tc_sh_sched_sleep(env->sh->sched, 1000)) /* let them run first */
        return TC_SH_STOP;
    return TC_SH_NEXT;
}

/* What was captured, as $( ) gives it: without NUL and the line feeds at the end. */
static enum tc_sh_flow captured(struct tc_sh_env *env, const struct tc_buf *buf, struct tc_str *ret_output)
{
    size_t n = buf->n;
    char *text;

    if (buf->failed)
        return tc_sh_out_of_memory(env);
    while (n > 0 && buf->p[n - 1] == '\n')
        n--;
    text = tc_arena_alloc(tc_sh_arena(env), n + 1);
    if (!text)
        return tc_sh_out_of_memory(env);
    if (n && memchr(buf->p, '\0', n)) {
        size_t kept = 0;
        for (size_t i = 0; i < n; i++)
            if (buf->p[i])
                text[kept++] = buf->p[i];
        for (n = kept; n > 0 && text[n - 1] == '\n';)
            n--;
        tc_sh_warn(env, "warning: command substitution: ignored null byte in input");
    } else if (n) {
        memcpy(text, buf->p, n);
    }
    text[n] = '\0';
    *ret_output = tc_str_n(text, n);
    return TC_SH_NEXT;
}

/* $(<file): a list of one command that is one redirection and nothing else. */
static const struct tc_sh_redirect *lone_input(const struct tc_sh_node *list)
{
    while (list && list->kind == TC_SH_LIST && list->n == 1 && !(list->ops && list->ops[0] == '&'))
        list = list->children[0];
    return list && list->kind == TC_SH_SIMPLE && list->words_n == 0 && list->assigns_n == 0 && list->redirects_n == 1 &&
                   list->redirects[0]->kind == TC_SH_REDIRECT_IN && list->redirects[0]->fd <= 0
               ? list->redirects[0]
               : NULL;
}

static enum tc_sh_flow capture_file(struct tc_sh_env *env, const struct tc_sh_redirect *redirect, struct tc_buf *buf)
{
    struct tc_sh_redirect *const redirects[1] = {(struct tc_sh_redirect *)redirect};
    struct tc_sh_undo undo;
    enum tc_sh_flow flow = tc_sh_redirect(env, redirects, 1, &undo);
    ssize_t got = 1;

    env->status = undo.failed;
    while (flow == TC_SH_NEXT && !undo.failed && got > 0) {
        char *to = tc_buf_reserve(buf, 1 << 16);
        got = to ? tc_sh_file_read(env->sh->sched, tc_sh_fds_get(&env->fds, 0), to, 1 << 16) : -1;
        if (got > 0)
            buf->n += (size_t)got;
    }
    tc_sh_redirect_undo(env, &undo);
    return flow;
}

static enum tc_sh_flow capture_list(struct tc_sh_env *env, const struct tc_sh_node *list,
                                    const struct tc_sh_code *script, struct tc_buf *buf)
{
    struct tc_sh_env *child = tc_sh_env_fork(env);
    struct tc_sh_file *file = tc_sh_file_of_buf(buf);

    if (!child)
        tc_sh_file_unref(file);
    if (!child || !file || !tc_sh_fds_set(&child->fds, 1, file)) {
        tc_sh_env_destroy(child);
        return tc_sh_out_of_memory(env);
    }
    if (!(env->shopt & TC_SH_S_INHERIT_ERREXIT) && !(env->options & TC_SH_O_POSIX))
        child->options &= ~(unsigned)TC_SH_O_ERREXIT;
    child->nested++;
    return within(env, child, list, script);
}

static enum tc_sh_flow capture(struct tc_sh_env *env, const struct tc_sh_node *list, const struct tc_sh_code *script,
                               struct tc_str *ret_output)
{
    const struct tc_sh_redirect *input = lone_input(list);
    struct tc_buf buf;
    enum tc_sh_flow flow;
    int line = env->line;

    tc_buf_init(&buf, CAPTURE_MAX);
    flow = input ? capture_file(env, input, &buf) : capture_list(env, list, script, &buf);
    env->line = line;
    if (flow == TC_SH_NEXT)
        flow = captured(env, &buf, ret_output);
    tc_buf_finish(&buf);
    env->captured = env->status;
    return flow;
}

enum tc_sh_flow tc_sh_exec_capture(struct tc_sh_env *env, const struct tc_sh_node *list, struct tc_str *ret_output)
{
    return capture(env, list, NULL, ret_output);
}

enum tc_sh_flow tc_sh_exec_capture_text(struct tc_sh_env *env, struct tc_str script, struct tc_str *ret_output)
{
    struct tc_sh_code *code = tc_sh_code_create(script, env->code ? env->code->name : TC_STR("environment"));
    enum tc_sh_flow flow = code ? capture(env, NULL, code, ret_output) : tc_sh_out_of_memory(env);

    tc_sh_code_unref(code);
    return flow;
}

/* The child of <( ) or >( ): its end of the pipe, and none of the ends that others hold. */
static bool plug(struct tc_sh_env *child, int fd, struct tc_sh_file *file)
{
    for (size_t i = 0; i < child->substituted_n; i++)
        tc_sh_fds_set(&child->fds, child->substituted[i], NULL);
    child->substituted_n = 0;
    child->nested++;
    return tc_sh_fds_set(&child->fds, fd, file);
}

static int substituted_fd(const struct tc_sh_env *env)
{
    int fd = SUBSTITUTED_FROM;

    while (fd > 9 && tc_sh_fds_get(&env->fds, fd))
        fd--;
    return fd;
}

enum tc_sh_flow tc_sh_exec_process(struct tc_sh_env *env, const struct tc_sh_node *list, bool in,
                                   struct tc_str *ret_path)
{
    struct tc_sh_env *child = tc_sh_env_fork(env);
    struct tc_sh_file *read_end, *write_end;
    struct tc_sh_proc *proc;
    int fd = substituted_fd(env);

    if (!child || env->substituted_n == sizeof env->substituted / sizeof *env->substituted ||
        !tc_sh_file_pipe(&read_end, &write_end)) {
        tc_sh_env_destroy(child);
        return child ? tc_sh_out_of_memory(env) : TC_SH_STOP;
    }
    if (!plug(child, in ? 1 : 0, in ? write_end : read_end) ||
        !tc_sh_fds_set(&env->fds, fd, in ? read_end : write_end)) {
        tc_sh_env_destroy(child);
        return tc_sh_out_of_memory(env);
    }
    env->substituted[env->substituted_n++] = fd;
    proc = tc_sh_exec_spawn(env, child, list);
    if (!proc)
        return TC_SH_STOP;
    *ret_path = tc_arena_printf(tc_sh_arena(env), "/dev/fd/%d", fd);
    return tc_sh_jobs_add(env, proc, TC_STR(""), true) && ret_path->p ? TC_SH_NEXT : tc_sh_out_of_memory(env);
}

void tc_sh_exec_close(struct tc_sh_env *env, size_t n)
{
    while (env->substituted_n > n)
        tc_sh_fds_set(&env->fds, env->substituted[--env->substituted_n], NULL);
}
