/*
 * toolcrib shell: the virtual shell for a person. The worker program runs the script in
 * the sandbox that it has for models; this one becomes it, or stays before it to edit the
 * lines of an interactive shell.
 */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/lines.h"
#include "cli/output.h"
#include "io/process.h"
#include "io/signal.h"
#include "io/watch.h"

enum { WORDS = 16, PROMPT_BYTES = 4096 };

/* --- the worker's command line --- */

struct command {
    const char **argv;
    size_t n;
};

static void add(struct command *command, const char *word)
{
    command->argv[command->n++] = word;
}

/* What to run, as the worker's option for it. */
static void add_script(struct tc_cx *cx, const struct tc_cli *cli, struct command *command, bool interactive)
{
    size_t at = 0;

    if (interactive) {
        add(command, "-i");
    } else if (cli->operands_n == 0) {
        add(command, "-f");
        add(command, "-");
    } else if (!tc_str_is(cli->operands[0], "-c")) {
        add(command, "-f");
    }
    for (; at < cli->operands_n; at++)
        add(command, tc_arena_cstr(cx->arena, cli->operands[at]));
}

static enum tc_err make_command(struct tc_cx *cx, const struct tc_cli *cli, bool interactive,
                                struct command *ret_command)
{
    struct command command = {TC_ARENA_NEW_N(cx->arena, const char *, cli->operands_n + WORDS), 0};
    struct tc_str workspace = tc_cli_value(cli, "workspace");
    enum tc_err e = workspace.p ? tc_cli_real_folder(cx, workspace, &workspace) : TC_OK;

    if (e)
        return e;
    if (!command.argv)
        return tc_fail_memory(cx);
    add(&command, tc_process_helper(cx->arena, "toolcrib-worker-shell"));
    if (!command.argv[0] || access(command.argv[0], X_OK) != 0) {
        tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "The program toolcrib-worker-shell is not installed.");
        return tc_fail_hint(cx, "Install it beside toolcrib, or in ../libexec/toolcrib.");
    }
    add(&command, "--once");
    if (tc_cli_has(cli, "no-limits"))
        add(&command, "--no-limits");
    if (workspace.p) {
        add(&command, "--workspace");
        add(&command, tc_arena_cstr(cx->arena, workspace));
    }
    add_script(cx, cli, &command, interactive);
    for (size_t i = 0; i < command.n; i++)
        if (!command.argv[i])
            return tc_fail_memory(cx);
    *ret_command = command;
    return TC_OK;
}

/* --- an interactive shell --- */

struct session {
    struct tc_lines *lines;
    struct tc_watch *watch;
    int fd; /* the worker asks for lines here */
};

static void hear_nothing(void *arg)
{
    (void)arg;
}

/* One line for a prompt. False at the end, on either side. */
static enum tc_err answer(struct tc_cx *cx, struct session *session, struct tc_str prompt)
{
    struct tc_str line, reply = TC_STR("E");
    enum tc_err e;

    tc_lines_prompt(session->lines, prompt);
    e = tc_lines_read(cx, session->lines, &line);
    if (e)
        return e;
    if (tc_lines_interrupted(session->lines))
        reply = TC_STR("I");
    else if (line.p)
        reply = tc_arena_printf(cx->arena, "L%.*s", TC_STR_ARG(line));
    if (!reply.p)
        return tc_fail_memory(cx);
    if (send(session->fd, reply.p, reply.n, MSG_NOSIGNAL) < 0)
        return tc_fail(cx, TC_E_CLOSED, "The shell has ended.");
    return TC_OK;
}

static enum tc_err converse(struct tc_cx *cx, struct session *session)
{
    struct tc_arena *run = cx->arena, arena;
    char prompt[PROMPT_BYTES];
    enum tc_err e = TC_OK;
    ssize_t n;

    while (!e) {
        e = tc_watch_readable(cx, session->watch, -1);
        n = e ? -1 : recv(session->fd, prompt, sizeof prompt, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN && !e)
            continue;
        if (n <= 0)
            break;
        tc_arena_init(&arena, 0); /* the memory of a line goes with it */
        cx->arena = &arena;
        e = answer(cx, session, tc_str_n(prompt, (size_t)n - (prompt[0] == '\0')));
        cx->arena = run;
        tc_arena_finish(&arena);
    }
    if (e == TC_E_CLOSED) {
        tc_fail_clear(cx);
        e = TC_OK;
    }
    return e;
}

static enum tc_err follow(struct tc_cx *cx, struct tc_cli *cli, struct session *session, struct tc_process *process)
{
    struct tc_signal *interrupt = NULL;
    int status = 0;
    enum tc_err e = tc_lines_open(cx, "$ ", &session->lines);

    if (!e) /* what is running is interrupted, not this */
        e = tc_signal_open(cx, tc_task_loop(cx), SIGINT, hear_nothing, NULL, &interrupt);
    if (!e)
        e = tc_watch_open(cx, tc_task_loop(cx), session->fd, &session->watch);
    if (!e)
        e = converse(cx, session);
    shutdown(session->fd, SHUT_RDWR);
    if (!e)
        e = tc_process_wait(cx, process, -1, &status);
    tc_watch_close(session->watch);
    tc_signal_close(interrupt);
    tc_lines_close(cx, session->lines);
    cli->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return e;
}

static enum tc_err interact(struct tc_cx *cx, struct tc_cli *cli, const struct command *command)
{
    struct tc_process_options options = {.argv = command->argv, .fds = {0, 1, 2, -1}};
    struct tc_process *process = NULL;
    struct session session = {0};
    int pair[2];
    enum tc_err e;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return tc_fail(cx, TC_E_IO, "No socket for the shell: %s.", strerror(errno));
    session.fd = pair[0];
    options.fds[3] = pair[1];
    e = tc_process_spawn(cx, tc_task_loop(cx), &options, &process);
    close(pair[1]);
    if (!e)
        e = follow(cx, cli, &session, process);
    close(pair[0]);
    tc_process_destroy(process);
    return e;
}

/* --- the command --- */

static enum tc_err shell(struct tc_cx *cx, struct tc_cli *cli)
{
    bool interactive = cli->operands_n == 0 && isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    struct command command;
    enum tc_err e;

    if (cli->operands_n == 1 && tc_str_is(cli->operands[0], "-c"))
        return tc_fail(cx, TC_E_USAGE, "-c needs a script.");
    e = make_command(cx, cli, interactive, &command);
    if (e)
        return e;
    if (interactive)
        return interact(cx, cli, &command);
    execv(command.argv[0], (char *const *)command.argv);
    return tc_fail(cx, TC_E_IO, "%s cannot be started: %s.", command.argv[0], strerror(errno));
}

static const struct tc_cli_option options[] = {
    {"workspace", "DIR", "The folder that is / for the script (default: an empty one, removed afterwards)", false},
    {"no-limits", NULL, "Neither time nor work nor sizes are limited", false},
};

static const struct tc_cli_verb verbs[] = {{NULL, "[-c SCRIPT [NAME [ARG...]] | FILE [ARG...] | -]",
                                            "Run a bash script in the sandbox that agents have",
                                            TC_CLI_OPTIONS(options), shell}};

const struct tc_cli_command tc_cli_shell = {
    "shell", "Run scripts as workspace.shell does",
    "The script sees the files of DIR and nothing else of this machine: no programs, no network,\n"
    "no environment. Without FILE and -c it is read from standard input, at a terminal line by\n"
    "line. The exit code is that of the script; 126 when none could be run. Options stand before\n"
    "-c and FILE: what is behind them is handed to the script.",
    TC_CLI_VERBS(verbs), true};
