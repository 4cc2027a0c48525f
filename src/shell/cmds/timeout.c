/*
 * timeout: a command that is ended when its time is over.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "shell/cmds/duration.h"
#include "shell/cmds/launch.h"

enum { STATUS_TIMED_OUT = 124, STATUS_FAILED = 125, STATUS_SIGNAL = 128, SIGNAL_MAX = 64 };

static const struct tc_cmd_option options[] = {
    {'s', "s,signal", TC_CMD_VALUE, "SIGNAL", "send this one instead of TERM"},
    {'k', "k,kill-after", TC_CMD_VALUE, "DURATION", "send KILL too, if it still runs that much later"},
    {'p', "preserve-status", TC_CMD_NONE, NULL, "exit with the status of COMMAND even when it timed out"},
    {'f', "foreground", TC_CMD_NONE, NULL, "(ignored)"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "tell of the signal on standard error"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct wanted {
    struct tc_cmd_run run;
    bool keep_status, verbose;
};

/* A number, or a name with or without SIG; 0 when it is none. */
static int signal_of(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);
    const char *name = strncmp(text, "SIG", 3) == 0 ? text + 3 : text;

    if (end != text && !*end)
        return number > 0 && number <= SIGNAL_MAX ? (int)number : 0;
    for (int i = 1; i < SIGNAL_MAX; i++) {
        const char *known = sigabbrev_np(i);
        if (known && strcmp(known, name) == 0)
            return i;
    }
    return 0;
}

static int bad(struct tc_cmd_call *c, const char *what, const char *text)
{
    tc_cmd_fail_usage(c, "%s ‘%s’", what, text);
    return STATUS_FAILED;
}

static int read_options(struct tc_cmd_call *c, struct wanted *w)
{
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD:
            return 2;
        case 's':
            w->run.signal = signal_of(c->value);
            if (!w->run.signal) {
                tc_cmd_fail_usage(c, "‘%s’: invalid signal", c->value);
                return STATUS_FAILED;
            }
            break;
        case 'k':
            if (!tc_duration_parse(c->value, &w->run.kill_again_ns))
                return bad(c, "invalid time interval", c->value);
            break;
        case 'p':
            w->keep_status = true;
            break;
        case 'v':
            w->verbose = true;
            break;
        default:
            break;
        }
    }
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct wanted w = {.run.signal = SIGTERM};
    bool timed_out = false, killed;
    int status = read_options(c, &w);

    if (status)
        return status;
    if (c->argc - c->at < 2) {
        tc_cmd_printf(c->err, "Try '%s --help' for more information.\n", c->argv[0]); /* GNU says no more */
        return STATUS_FAILED;
    }
    if (!tc_duration_parse(c->argv[c->at], &w.run.kill_ns))
        return bad(c, "invalid time interval", c->argv[c->at]);
    w.run.argv = c->argv + c->at + 1;
    w.run.ret_timed_out = &timed_out;
    status = tc_launch(c, &w.run);
    if (!timed_out)
        return status;
    killed = status == STATUS_SIGNAL + SIGKILL && (w.run.kill_again_ns || w.run.signal == SIGKILL);
    if (w.verbose) {
        tc_cmd_fail(c, "sending signal %s to command ‘%s’", sigabbrev_np(w.run.signal), w.run.argv[0]);
        if (killed && w.run.signal != SIGKILL)
            tc_cmd_fail(c, "sending signal KILL to command ‘%s’", w.run.argv[0]);
    }
    return w.keep_status || killed ? status : STATUS_TIMED_OUT;
}

const struct tc_cmd tc_command_timeout = {
    .name = "timeout",
    .usage = "[OPTION]... DURATION COMMAND [ARG]...",
    .summary = "Run COMMAND, and end it when it still runs after DURATION (a number with s, m, h or d behind it).",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
