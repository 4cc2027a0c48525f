/*
 * tee: standard input to standard output and to files.
 */
#include <errno.h>
#include <fcntl.h>

#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

static const struct tc_cmd_option options[] = {
    {'a', "a,append", TC_CMD_NONE, NULL, "append to the files instead of emptying them"},
    {'i', "i,ignore-interrupts", TC_CMD_NONE, NULL, "(ignored)"},
    {'p', "p", TC_CMD_NONE, NULL, "go on with the others when a reader is gone"},
    {'p', "output-error", TC_CMD_MAYBE, "MODE", "on a failure: warn, warn-nopipe (as -p), exit or exit-nopipe"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct target {
    struct tc_cmd_out *out; /* NULL when it failed */
    const char *name;
};

struct tee {
    struct tc_cmd_call *c;
    enum { USUAL, WARN, WARN_NOPIPE, EXIT, EXIT_NOPIPE } mode;
    struct target *targets; /* standard output is the first */
    int targets_n, status;
    bool ended; /* by a failure, as the mode wants it */
};

static void fail(struct tee *tee, const char *name, int error)
{
    tee->status = tc_cmd_fail_errno(tee->c, name, error);
    tee->ended = tee->mode == EXIT || tee->mode == EXIT_NOPIPE;
}

static void open_targets(struct tee *tee, int flags)
{
    struct tc_cmd_call *c = tee->c;

    tee->targets[tee->targets_n++] = (struct target){c->out, "standard output"};
    for (int i = c->at; i < c->argc && !tee->ended; i++) {
        struct tc_cmd_out *out;
        int error = tc_cmd_create(c, c->argv[i], flags, 0666, &out);

        if (error)
            fail(tee, c->argv[i], error);
        else
            tee->targets[tee->targets_n++] = (struct target){out, c->argv[i]};
    }
}

/* Each is flushed, as tee does not hold back what came. False: nobody takes it any more. */
static bool put(struct tee *tee, struct tc_str bytes)
{
    int left = 0;

    for (int i = 0; i < tee->targets_n && !tee->ended; i++) {
        struct target *target = &tee->targets[i];
        int error;

        if (!target->out)
            continue;
        tc_cmd_write(target->out, bytes.p, bytes.n);
        left++;
        if (tc_cmd_flush(target->out))
            continue;
        left--;
        error = tc_cmd_out_error(target->out);
        target->out = NULL;
        if (error != EPIPE || tee->mode == WARN || tee->mode == EXIT)
            fail(tee, target->name, error);
        else if (tee->mode == USUAL)
            tee->ended = true;
    }
    return left > 0 && !tee->ended;
}

static bool take_mode(struct tee *tee, const char *value)
{
    static const char *const modes[] = {"warn", "warn-nopipe", "exit", "exit-nopipe", NULL};
    int mode = value ? tc_cmd_choose(tee->c, "--output-error", value, modes) : WARN_NOPIPE - WARN;

    if (mode >= 0)
        tee->mode = (unsigned)(WARN + mode);
    return mode >= 0;
}

static int run(struct tc_cmd_call *c)
{
    struct tee tee = {.c = c};
    int option, flags = O_WRONLY | O_CREAT | O_TRUNC, error;
    struct tc_cmd_in *in;
    struct tc_str bytes;
    ssize_t got = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (option == 'a')
            flags = O_WRONLY | O_CREAT | O_APPEND;
        if (option == 'p' && !take_mode(&tee, c->value))
            return 1;
    }
    tee.targets = TC_ARENA_NEW_N(c->arena, struct target, (size_t)(c->argc - c->at) + 1);
    if (!tee.targets)
        return tc_cmd_fail_memory(c);
    open_targets(&tee, flags);
    error = tc_cmd_open(c, NULL, &in);
    if (error)
        return tc_cmd_fail_errno(c, "read error", error);
    while (!tee.ended && (got = tc_cmd_peek(c, in, &bytes)) > 0 && put(&tee, bytes))
        tc_cmd_took(in, bytes.n);
    if (got < 0)
        tee.status = tc_cmd_fail_errno(c, "read error", tc_cmd_in_error(in));
    return tee.status;
}

const struct tc_cmd tc_command_tee = {
    .name = "tee",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Copy standard input to each FILE, and to standard output.",
    .options = options,
    .run = run,
};
