/*
 * tee: standard input to standard output and to files.
 */
#include <errno.h>
#include <fcntl.h>

#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'a', "a,append", TC_CMD_NONE, NULL, "append to the files instead of emptying them"},
    {'i', "i,ignore-interrupts", TC_CMD_NONE, NULL, "(ignored)"},
    {'p', "p", TC_CMD_NONE, NULL, "go on when a reader is gone"},
    {'p', "output-error", TC_CMD_MAYBE, "MODE", "the same; MODE is warn, warn-nopipe, exit or exit-nopipe"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct target {
    struct tc_cmd_out *out; /* NULL when it failed */
    const char *name;
};

static int open_targets(struct tc_cmd_call *c, struct target *targets, int flags)
{
    int status = 0;

    for (int i = c->at; i < c->argc; i++) {
        struct target *target = &targets[i - c->at];
        int error = tc_cmd_create(c, c->argv[i], flags, 0666, &target->out);

        target->name = c->argv[i];
        if (error) {
            target->out = NULL;
            status = tc_cmd_fail_errno(c, c->argv[i], error);
        }
    }
    return status;
}

/* Each is flushed, as tee does not hold back what came. */
static int put(struct tc_cmd_call *c, struct target *targets, int n, struct tc_str bytes)
{
    int status = 0;

    for (int i = 0; i < n; i++) {
        if (!targets[i].out)
            continue;
        tc_cmd_write(targets[i].out, bytes.p, bytes.n);
        if (tc_cmd_flush(targets[i].out))
            continue;
        status = tc_cmd_fail_errno(c, targets[i].name, tc_cmd_out_error(targets[i].out));
        targets[i].out = NULL;
    }
    return status;
}

static int run(struct tc_cmd_call *c)
{
    int option, flags = O_WRONLY | O_CREAT | O_TRUNC, status, n, error;
    bool keep_on = false;
    struct target *targets;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    ssize_t got;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'a')
            flags = O_WRONLY | O_CREAT | O_APPEND;
        keep_on = keep_on || option == 'p';
    }
    n = c->argc - c->at;
    targets = TC_ARENA_NEW_N(c->arena, struct target, (size_t)n + 1);
    if (!targets)
        return tc_cmd_fail_memory(c);
    status = open_targets(c, targets, flags);
    error = tc_cmd_open(c, NULL, &in);
    if (error)
        return tc_cmd_fail_errno(c, "read error", error);
    while ((got = tc_cmd_peek(c, in, &bytes)) > 0) {
        tc_cmd_write(c->out, bytes.p, bytes.n);
        if (!tc_cmd_flush(c->out) && !keep_on)
            return 1;
        status |= put(c, targets, n, bytes);
        tc_cmd_took(in, bytes.n);
    }
    if (got < 0)
        status = tc_cmd_fail_errno(c, "read error", tc_cmd_in_error(in));
    return status;
}

const struct tc_cmd tc_command_tee = {
    .name = "tee",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Copy standard input to each FILE, and to standard output.",
    .options = options,
    .run = run,
};
