/*
 * tail: the last lines or bytes of files, or all from a certain one on; and what is
 * added to them, until the call ends. Files are read backwards from their end, of a
 * pipe what may be among the last is held in a buffer.
 */
#include <stdlib.h>
#include <unistd.h>

#include "shell/cmds/held.h"
#include "toolcrib/shellfs.h"
#include "toolcrib/shelltext.h"

enum { RETRY = 256, FOLLOW };
enum { BLOCK = 64 * 1024 };

static const struct tc_cmd_option options[] = {
    {'c', "c,bytes", TC_CMD_VALUE, "[+]NUM", "the last NUM bytes of each; with + all from byte NUM on"},
    {'f', "f", TC_CMD_NONE, NULL, "go on with what is added, until the call's time is over"},
    {FOLLOW, "follow", TC_CMD_MAYBE, "HOW", "the same; HOW is descriptor or name"},
    {'F', "F", TC_CMD_NONE, NULL, "as --follow=name --retry"},
    {'n', "n,lines", TC_CMD_VALUE, "[+]NUM", "the last NUM lines instead of 10; with + all from line NUM on"},
    {RETRY, "retry", TC_CMD_NONE, NULL, "wait for a file that is not there"},
    {'q', "q,quiet,silent", TC_CMD_NONE, NULL, "no headers with names"},
    {'s', "s,sleep-interval", TC_CMD_VALUE, "N", "with -f, look about each N seconds"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "always headers with names"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "lines end with NUL"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct followed {
    const char *name;
    int64_t at; /* -1: is not there, or has no places */
    bool piped;
};

struct tail {
    struct tc_cmd_call *c;
    bool bytes, from_start, headers, begun, follow, by_name, retry;
    char end;
    int64_t n, interval_ns;
    struct followed *files;
    size_t files_n;
    const char *shown; /* whose header was written last */
};

static bool parse_count(struct tail *tail, const char *text, bool bytes)
{
    tail->bytes = bytes;
    tail->from_start |= *text == '+';
    text += *text == '+' || *text == '-';
    if (tc_cmd_number(text, true, &tail->n))
        return true;
    tc_cmd_fail(tail->c, "invalid number of %s: %s", bytes ? "bytes" : "lines", tc_cmd_quote(tail->c, text));
    return false;
}

static ssize_t copy_rest(struct tail *tail, struct tc_cmd_in *in)
{
    struct tc_str bytes;
    ssize_t got;

    while ((got = tc_cmd_peek(tail->c, in, &bytes)) > 0 && tc_cmd_tick(tail->c, 1)) {
        tc_cmd_write(tail->c->out, bytes.p, bytes.n);
        tc_cmd_took(in, bytes.n);
    }
    return got;
}

/* From byte or line n on, counted from 1; 0 is as 1. */
static ssize_t from_start(struct tail *tail, struct tc_cmd_in *in)
{
    int64_t skip = tail->n > 0 ? tail->n - 1 : 0, at;
    struct tc_str bytes;
    ssize_t got;

    if (tail->bytes && skip > 0 && tc_cmd_in_seek(tail->c, in, skip, SEEK_CUR, &at) == 0)
        skip = 0;
    while (skip > 0 && (got = tc_cmd_peek(tail->c, in, &bytes)) > 0 && tc_cmd_tick(tail->c, 1)) {
        const char *end;

        if (tail->bytes) {
            bytes.n = (int64_t)bytes.n > skip ? (size_t)skip : bytes.n;
            skip -= (int64_t)bytes.n;
        } else if ((end = memchr(bytes.p, tail->end, bytes.n))) {
            bytes.n = (size_t)(end - bytes.p) + 1;
            skip--;
        }
        tc_cmd_took(in, bytes.n);
    }
    return skip > 0 ? got : copy_rest(tail, in);
}

/* Where the last n lines before `size` begin. -1 when reading fails. */
static int64_t find_last_lines(struct tail *tail, struct tc_cmd_in *in, int64_t begin, int64_t size, char *block)
{
    int64_t left = tail->n, at = size, where;

    while (at > begin) {
        int64_t from = at - begin > BLOCK ? at - BLOCK : begin, got = 0;

        if (tc_cmd_in_seek(tail->c, in, from, SEEK_SET, &where) != 0 || !tc_cmd_tick(tail->c, 1))
            return -1;
        while (got < at - from) {
            ssize_t n = tc_cmd_read(tail->c, in, block + got, (size_t)(at - from - got));
            if (n <= 0)
                return -1;
            got += n;
        }
        for (const char *end = block + got; (end = memrchr(block, tail->end, (size_t)(end - block)));)
            if (from + (end - block) != size - 1 && --left == 0)
                return from + (end - block) + 1;
        at = from;
    }
    return begin;
}

/* Of a file that can be read from anywhere; false when it cannot. */
static bool last_of_file(struct tail *tail, struct tc_cmd_in *in, ssize_t *ret_got)
{
    int64_t begin, from, where;
    struct stat stat;
    char *block;

    if (tc_cmd_in_stat(in, &stat) != 0 || !S_ISREG(stat.st_mode) ||
        tc_cmd_in_seek(tail->c, in, 0, SEEK_CUR, &begin) != 0 || begin > stat.st_size)
        return false;
    if (tail->n == 0) {
        from = stat.st_size;
    } else if (tail->bytes) {
        from = stat.st_size - begin > tail->n ? stat.st_size - tail->n : begin;
    } else {
        block = tc_arena_alloc(tail->c->arena, BLOCK);
        from = block ? find_last_lines(tail, in, begin, stat.st_size, block) : -1;
    }
    if (from < 0 || tc_cmd_in_seek(tail->c, in, from, SEEK_SET, &where) != 0)
        *ret_got = -1;
    else
        *ret_got = copy_rest(tail, in);
    return true;
}

static ssize_t last_of_pipe(struct tail *tail, struct tc_cmd_in *in)
{
    struct held held;
    ssize_t got;

    tc_held_init(&held, tail->bytes, tail->end, tail->n);
    got = tc_held_read(&held, tail->c, in, NULL);
    tc_cmd_write(tail->c->out, held.buf.p, held.buf.n);
    tc_held_finish(&held);
    return got;
}

static void put_header(struct tail *tail, const char *name)
{
    if (tail->headers)
        tc_cmd_printf(tail->c->out, "%s==> %s <==\n", tail->begun ? "\n" : "",
                      strcmp(name, "-") == 0 ? "standard input" : name);
    tail->begun = true;
    tail->shown = name;
}

static int tail_file(struct tail *tail, const char *name)
{
    struct tc_cmd_call *c = tail->c;
    struct followed *followed = &tail->files[tail->files_n++];
    struct tc_cmd_in *in;
    int error = tc_cmd_open(c, name, &in);
    ssize_t got;

    *followed = (struct followed){name, -1, false};
    if (error)
        return tc_cmd_fail(c, "cannot open %s for reading: %s", tc_cmd_quote_name(c, name), strerror(error));
    put_header(tail, name);
    if (tail->from_start)
        got = from_start(tail, in);
    else if (!last_of_file(tail, in, &got))
        got = last_of_pipe(tail, in);
    if (tc_cmd_in_seek(c, in, 0, SEEK_CUR, &followed->at) != 0)
        followed->piped = true;
    error = tc_cmd_in_error(in);
    tc_cmd_close(c, in);
    if (got >= 0 || tc_cmd_stopped(c))
        return 0;
    return tc_cmd_fail(c, "error reading %s: %s",
                       tc_cmd_quote_name(c, strcmp(name, "-") == 0 ? "standard input" : name), strerror(error));
}

/* What was added to a file since it was looked at. */
static void follow_file(struct tail *tail, struct followed *followed)
{
    struct tc_cmd_call *c = tail->c;
    struct tc_cmd_in *in;
    struct stat stat;
    int64_t at;
    int error;

    error = tc_cmd_stat(c, followed->name, &stat);
    if (error && tail->by_name && followed->at >= 0) {
        tc_cmd_fail(c, "%s has become inaccessible: %s", tc_cmd_quote_name(c, followed->name), strerror(error));
        followed->at = -1;
    }
    if (error || !S_ISREG(stat.st_mode))
        return;
    if (followed->at < 0) {
        if (!tail->retry)
            return;
        tc_cmd_fail(c, "%s has appeared;  following new file", tc_cmd_quote_name(c, followed->name));
        followed->at = 0;
    }
    if (stat.st_size < followed->at) {
        tc_cmd_fail(c, "%s: file truncated", tc_cmd_quote_odd(c, followed->name));
        followed->at = 0;
    }
    if (stat.st_size == followed->at || tc_cmd_open(c, followed->name, &in) != 0)
        return;
    if (tail->shown != followed->name)
        put_header(tail, followed->name);
    if (tc_cmd_in_seek(c, in, followed->at, SEEK_SET, &at) == 0 && copy_rest(tail, in) >= 0)
        tc_cmd_in_seek(c, in, 0, SEEK_CUR, &followed->at);
    tc_cmd_close(c, in);
}

/* Status 1 when there is no file to follow. */
static int follow(struct tail *tail)
{
    bool any = false;

    for (size_t i = 0; i < tail->files_n; i++)
        any = any || tail->retry || tail->files[i].at >= 0 || tail->files[i].piped;
    if (!any)
        return tc_cmd_fail(tail->c, "no files remaining");
    any = false;
    for (size_t i = 0; i < tail->files_n; i++)
        any = any || tail->retry || tail->files[i].at >= 0;
    while (any && tc_cmd_flush(tail->c->out) && tc_cmd_sleep(tail->c, tail->interval_ns))
        for (size_t i = 0; i < tail->files_n; i++)
            follow_file(tail, &tail->files[i]);
    return 0;
}

/* The form of old: -5, +5, -5c, -f, as the first word when no more than one file is named. */
static void take_old_form(struct tail *tail)
{
    struct tc_cmd_call *c = tail->c;
    char *word = c->argc > 1 ? c->argv[1] : "", *at = word + 1;
    size_t digits;
    int64_t n = 10;
    bool bytes = false, follows = false;

    bool dashes = c->argc > 2 && strcmp(c->argv[2], "--") == 0;

    if ((word[0] != '-' && word[0] != '+') || c->argc > 3 + dashes ||
        (c->argc == 3 && !dashes && c->argv[2][0] == '-' && c->argv[2][1]))
        return;
    digits = strspn(at, "0123456789");
    if (word[0] == '-' && !at[at[0] == 'c'])
        return;
    if (digits && !tc_cmd_number(tc_arena_cstr(c->arena, tc_str_n(at, digits)), false, &n))
        return;
    at += digits;
    if (*at == 'b' || *at == 'c') {
        bytes = true;
        if (*at++ == 'b' && __builtin_mul_overflow(n, 512, &n))
            n = INT64_MAX;
    } else if (*at == 'l') {
        at++;
    }
    if (*at == 'f') {
        follows = true;
        at++;
    }
    if (*at)
        return;
    tail->bytes = bytes;
    tail->follow = follows;
    tail->n = n;
    tail->from_start = word[0] == '+';
    c->option_at = 2;
}

/* Seconds, with a fraction. */
static bool parse_interval(struct tail *tail, const char *text)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end || !(seconds >= 0)) {
        tc_cmd_fail(tail->c, "invalid number of seconds: %s", tc_cmd_quote(tail->c, text));
        return false;
    }
    tail->interval_ns = seconds < 1e9 ? (int64_t)(seconds * 1e9) : (int64_t)1e18;
    if (tail->interval_ns < 1000000) /* without a pause nobody else would run */
        tail->interval_ns = 1000000;
    return true;
}

static bool take_option(struct tail *tail, int option, bool *quiet, bool *verbose)
{
    static const char *const hows[] = {"descriptor", "name", NULL};
    const char *value = tail->c->value;
    int how;

    switch (option) {
    case TC_CMD_OPTION_NUMBER:
        tc_cmd_fail(tail->c, "option used in invalid context -- %c", value[0]);
        return false;
    case 'c':
    case 'n':
        return parse_count(tail, value, option == 'c');
    case 'F':
        tail->retry = tail->follow = tail->by_name = true;
        return true;
    case 'f':
    case FOLLOW:
        tail->follow = true;
        how = value ? tc_cmd_choose(tail->c, "--follow", value, hows) : 0;
        tail->by_name = how == 1;
        return how >= 0;
    case RETRY:
        tail->retry = true;
        return true;
    case 's':
        return parse_interval(tail, value);
    case 'z':
        tail->end = '\0';
        return true;
    default:
        *quiet = option == 'q';
        *verbose = option == 'v';
        return true;
    }
}

static int run(struct tc_cmd_call *c)
{
    struct tail tail = {.c = c, .n = 10, .end = '\n', .interval_ns = 1000000000};
    bool quiet = false, verbose = false;
    int option, status = 0;

    take_old_form(&tail);
    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        if (!take_option(&tail, option, &quiet, &verbose))
            return 1;
    }
    if (tail.retry && !tail.follow)
        tc_cmd_fail(c, "warning: --retry ignored; --retry is useful only when following");
    else if (tail.retry && !tail.by_name)
        tc_cmd_fail(c, "warning: --retry only effective for the initial open");
    tail.headers = verbose || (!quiet && c->argc - c->at > 1);
    tail.files = TC_ARENA_NEW_N(c->arena, struct followed, (size_t)(c->argc - c->at) + 1);
    if (!tail.files)
        return tc_cmd_fail_memory(c);
    if (tail.n == 0 && !tail.from_start && !tail.follow)
        return status; /* nothing would be written */
    if (c->at == c->argc)
        status = tail_file(&tail, "-");
    for (int i = c->at; i < c->argc && !tc_cmd_stopped(c); i++)
        status |= tail_file(&tail, c->argv[i]);
    if (tail.follow)
        status |= follow(&tail);
    return status;
}

const struct tc_cmd tc_command_tail = {
    .name = "tail",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Write the last 10 lines of each FILE. With no FILE, or when FILE is -, read standard input.",
    .options = options,
    .flags = TC_CMD_NUMBER,
    .run = run,
};
