/*
 * The files that split writes: their names, one after the other, and one that is open.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "shell/cmds/launch.h"
#include "shell/cmds/split.h"

enum { LENGTH_LEAST = 2, SIGNALLED = 128 };

/* --- names --- */

bool tc_split_set_length(struct split *s)
{
    size_t letters = strlen(s->alphabet), need = 0;

    s->grows = !s->from && s->length == 0 && s->way < SPLIT_BY_CHUNKS;
    if (s->way >= SPLIT_BY_CHUNKS) {
        int64_t last = s->size - 1, from = s->from ? strtoll(s->from, NULL, 10) : 0;

        last += from < s->size ? from : 0;
        need = last % (int64_t)letters != 0;
        while (last /= (int64_t)letters)
            need++;
    }
    if (s->length > 0 && s->length < need)
        return tc_cmd_fail(s->c, "the suffix length needs to be at least %zu", need), false;
    if (s->length == 0)
        s->length = need > LENGTH_LEAST ? need : LENGTH_LEAST;
    if (s->from && strlen(s->from) > s->length) {
        tc_cmd_fail_usage(s->c, "numerical suffix start value is too large for the suffix length");
        return false;
    }
    for (size_t n = s->from ? strlen(s->from) : 0, i = 0; i < n; i++)
        s->digits[s->length - n + i] = (unsigned char)(strchr(s->alphabet, s->from[i]) - s->alphabet);
    return true;
}

/* The next suffix; false when there is none. */
static bool step(struct split *s)
{
    size_t letters = strlen(s->alphabet);

    for (size_t i = s->length; i-- > 0;) {
        s->digits[i]++;
        if (s->grows && i == 0 && s->digits[0] + 1u == letters) {
            if (s->length == SPLIT_LENGTH_MAX)
                return false;
            s->wide++;
            s->length++;
            memset(s->digits, 0, sizeof s->digits);
            return true;
        }
        if (s->digits[i] < letters)
            return true;
        s->digits[i] = 0;
    }
    return false;
}

static char *next_name(struct split *s)
{
    char letters[2 * SPLIT_LENGTH_MAX + 1], *name;
    size_t n = 0;

    if (s->begun && !step(s))
        return tc_cmd_fail(s->c, "output file suffixes exhausted"), NULL;
    s->begun = true;
    for (int i = 0; i < s->wide; i++)
        letters[n++] = s->alphabet[strlen(s->alphabet) - 1];
    for (size_t i = 0; i < s->length; i++)
        letters[n++] = s->alphabet[s->digits[i]];
    letters[n] = '\0';
    name = (char *)tc_arena_printf(s->c->arena, "%s%s%s", s->base, letters, s->more).p;
    return name ? name : (tc_cmd_fail_memory(s->c), NULL);
}

/* --- files --- */

bool tc_split_open_next(struct split *s)
{
    struct tc_cmd_call *c = s->c;
    struct stat there;
    int error;

    s->name = next_name(s);
    if (!s->name)
        return false;
    if (s->verbose)
        tc_cmd_printf(c->out, s->filter ? "executing with FILE=%s\n" : "creating file %s\n",
                      s->filter ? tc_cmd_quote_odd(c, s->name) : tc_cmd_quote_name(c, s->name));
    if (s->filter) {
        s->filtering = true;
        return true;
    }
    if (tc_cmd_stat(c, s->name, &there) == 0 && S_ISREG(there.st_mode) && there.st_ino == s->input.st_ino &&
        there.st_dev == s->input.st_dev)
        return tc_cmd_fail(c, "%s would overwrite input; aborting", tc_cmd_quote_name(c, s->name)), false;
    error = tc_cmd_create(c, s->name, O_WRONLY | O_CREAT | O_TRUNC, 0666, &s->out);
    if (error) {
        s->out = NULL;
        return tc_cmd_fail_errno(c, s->name, error), false;
    }
    return true;
}

/* PARKS. Runs the command with what the file would have got. */
static bool run_filter(struct split *s)
{
    struct tc_cmd_call *c = s->c;
    char *argv[] = {"sh", "-c", (char *)s->filter, NULL};
    struct tc_str input = tc_buf_get(&s->piece);
    struct tc_cmd_run run = {.argv = argv, .environ = tc_launch_environ(c, "FILE", s->name), .input = &input};

    s->filtering = false;
    if (!run.environ || s->piece.failed)
        return tc_cmd_fail_memory(c), false;
    s->status = tc_cmd_spawn(c, &run);
    tc_buf_clear(&s->piece);
    if (s->status == SIGNALLED + SIGPIPE) /* it had enough */
        s->status = 0;
    if (s->status > SIGNALLED && sigabbrev_np(s->status - SIGNALLED))
        tc_cmd_fail(c, "with FILE=%s, signal %s from command: %s", s->name, sigabbrev_np(s->status - SIGNALLED),
                    s->filter);
    else if (s->status > 0)
        tc_cmd_fail(c, "with FILE=%s, exit %d from command: %s", s->name, s->status, s->filter);
    return s->status == 0;
}

bool tc_split_close_file(struct split *s)
{
    int error;

    if (s->filtering)
        return run_filter(s);
    error = s->out ? tc_cmd_out_close(s->c, s->out) : 0;
    s->out = NULL;
    return !error || (tc_cmd_fail_errno(s->c, s->name, error), false);
}

bool tc_split_put(struct split *s, struct tc_str bytes)
{
    if (!tc_cmd_tick(s->c, 1 + (unsigned)(bytes.n >> 8)) || (!s->out && !s->filtering && !tc_split_open_next(s)))
        return false;
    if (s->filtering)
        tc_buf_str(&s->piece, bytes);
    else
        tc_cmd_write(s->out, bytes.p, bytes.n);
    return true;
}
