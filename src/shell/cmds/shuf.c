/*
 * shuf: lines, arguments or numbers in an order by chance.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "toolcrib/shellfs.h"

enum { INPUT_MAX = 256 << 20, RANGE_MAX = 10000000, SOURCE = 256, SAMPLED_FROM = 8 << 20 };

static const struct tc_cmd_option options[] = {
    {'e', "e,echo", TC_CMD_NONE, NULL, "the operands are the lines"},
    {'i', "i,input-range", TC_CMD_VALUE, "LO-HI", "the numbers from LO to HI are the lines"},
    {'n', "n,head-count", TC_CMD_VALUE, "COUNT", "at most COUNT lines"},
    {'o', "o,output", TC_CMD_VALUE, "FILE", "write to FILE"},
    {SOURCE, "random-source", TC_CMD_VALUE, "FILE", "take the bytes of chance from FILE"},
    {'r', "r,repeat", TC_CMD_NONE, NULL, "a line may come more than once"},
    {'z', "z,zero-terminated", TC_CMD_NONE, NULL, "lines end with a NUL"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct wanted {
    struct tc_str *lines;
    size_t n;
    int64_t count; /* -1: all */
    const char *output;
    char end;
    bool echo, range, repeat, sampled;
    const char *source_path;
    struct tc_cmd_in *source; /* NULL: the system's */
    bool source_failed;
    uint64_t number, number_max; /* what is left of the bytes of it that were taken */
};

static bool add_range(struct tc_cmd_call *c, struct wanted *w, const char *text)
{
    const char *dash = strchr(text, '-');
    char *low = dash ? tc_arena_cstr(c->arena, tc_str_n(text, (size_t)(dash - text))) : NULL;
    int64_t from, to;

    if (!low || !tc_cmd_number(low, false, &from) || !tc_cmd_number(dash + 1, false, &to) || from > to + 1 ||
        to - from >= RANGE_MAX) {
        tc_cmd_fail(c, "invalid input range: ‘%s’", text);
        return false;
    }
    w->range = true;
    w->n = (size_t)(to - from + 1);
    w->lines = TC_ARENA_NEW_N(c->arena, struct tc_str, w->n + 1);
    for (size_t i = 0; w->lines && i < w->n; i++)
        w->lines[i] = tc_arena_printf(c->arena, "%lld", (long long)from + (long long)i);
    return w->lines || (tc_cmd_fail_memory(c), false);
}

static int read_options(struct tc_cmd_call *c, struct wanted *w)
{
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD:
            return 2;
        case 'e':
            w->echo = true;
            break;
        case 'i':
            if (!add_range(c, w, c->value))
                return 1;
            break;
        case 'n':
            if (!tc_cmd_number(c->value, false, &w->count) || w->count < 0)
                return tc_cmd_fail(c, "invalid line count: ‘%s’", c->value);
            break;
        case 'o':
            w->output = c->value;
            break;
        case SOURCE:
            w->source_path = c->value;
            break;
        case 'r':
            w->repeat = true;
            break;
        default:
            w->end = '\0';
        }
    }
    return 0;
}

static int read_lines(struct tc_cmd_call *c, struct wanted *w)
{
    const char *path = c->at < c->argc ? c->argv[c->at] : NULL;
    struct tc_cmd_in *in;
    struct tc_str text;
    struct stat stat;
    int error = tc_cmd_open(c, path, &in);

    if (!error)
        w->sampled = tc_cmd_in_stat(in, &stat) != 0 || !S_ISREG(stat.st_mode) || stat.st_size > SAMPLED_FROM;
    if (!error)
        error = tc_cmd_read_all(c, in, INPUT_MAX, &text);
    if (error)
        return tc_cmd_fail_errno(c, path ? path : "-", error);
    for (size_t i = 0; i < text.n; i++)
        w->n += text.p[i] == w->end || i == text.n - 1;
    w->lines = TC_ARENA_NEW_N(c->arena, struct tc_str, w->n + 1);
    if (!w->lines)
        return tc_cmd_fail_memory(c);
    for (size_t i = 0; i < w->n; i++)
        tc_str_split(&text, w->end, &w->lines[i]);
    return 0;
}

static void add_operands(struct tc_cmd_call *c, struct wanted *w)
{
    w->n = (size_t)(c->argc - c->at);
    w->lines = TC_ARENA_NEW_N(c->arena, struct tc_str, w->n + 1);
    for (size_t i = 0; w->lines && i < w->n; i++)
        w->lines[i] = tc_str_of(c->argv[c->at + (int)i]);
}

static unsigned random_byte(struct tc_cmd_call *c, struct wanted *w)
{
    unsigned char byte = 0;

    if (w->source_failed)
        return 0;
    if (tc_cmd_read(c, w->source, &byte, 1) != 1) {
        w->source_failed = true;
        if (!tc_cmd_stopped(c))
            tc_cmd_fail(c, "%s: end of file", tc_cmd_quote(c, w->source_path));
    }
    return byte;
}

/* From a source, of as few bytes as will do, and none of their chance is lost: the remainder serves the next. */
static size_t drawn(struct tc_cmd_call *c, struct wanted *w, uint64_t bound)
{
    uint64_t most = bound - 1, number = w->number, max = w->number_max;

    for (;;) {
        uint64_t excess, unusable;

        while (max < most) {
            number = number << 8 | random_byte(c, w);
            max = max << 8 | 255;
        }
        excess = max - most;
        unusable = excess % bound;
        if (number <= max - unusable) {
            w->number = max == most ? 0 : number / bound;
            w->number_max = max == most ? 0 : excess / bound;
            return (size_t)(number % bound);
        }
        number -= max - unusable + 1;
        max = unusable - 1;
    }
}

static size_t below(struct tc_cmd_call *c, struct wanted *w, size_t bound)
{
    uint64_t number;

    if (w->source)
        return drawn(c, w, bound);
    tc_cmd_random(c, &number, sizeof number);
    return (size_t)(number % bound);
}

/* Of an input whose length is not known beforehand some lines are kept, so that which come depends on it. */
static void sample(struct tc_cmd_call *c, struct wanted *w)
{
    size_t count = (size_t)w->count;

    for (size_t n = count; n <= w->n && tc_cmd_tick(c, 1); n++) {
        size_t which = below(c, w, n + 1); /* also where the end is found */

        if (which < count && n < w->n)
            w->lines[which] = w->lines[n];
    }
    if (w->n > count)
        w->n = count;
}

/* The first `count` lines become any of all. */
static void permute(struct tc_cmd_call *c, struct wanted *w, int64_t count)
{
    for (int64_t i = 0; i < count && !w->source_failed && tc_cmd_tick(c, 1); i++) {
        size_t which = (size_t)i + below(c, w, w->n - (size_t)i);
        struct tc_str line = w->lines[which];

        w->lines[which] = w->lines[i];
        w->lines[i] = line;
    }
}

static void put(struct tc_cmd_call *c, struct wanted *w, struct tc_cmd_out *out)
{
    int64_t count = w->count >= 0 && (w->repeat || w->count < (int64_t)w->n) ? w->count : (int64_t)w->n;
    bool endless = w->repeat && w->count < 0;

    if (!w->repeat)
        permute(c, w, count);
    for (int64_t i = 0; w->n > 0 && (endless || i < count) && tc_cmd_tick(c, 1); i++) {
        struct tc_str line = w->lines[w->repeat ? below(c, w, w->n) : (size_t)i];

        if (w->source_failed)
            return;
        tc_cmd_write(out, line.p, line.n);
        tc_cmd_putc(out, w->end);
    }
}

static int run(struct tc_cmd_call *c)
{
    struct wanted w = {.count = -1, .end = '\n'};
    struct tc_cmd_out *out = c->out;
    int error, status = read_options(c, &w);

    if (status)
        return status;
    if (w.echo && w.range)
        return tc_cmd_fail_usage(c, "cannot combine -e and -i options"), 1;
    if (!w.echo && c->argc - c->at > !w.range)
        return tc_cmd_fail_usage(c, "extra operand ‘%s’", c->argv[c->at + !w.range]), 1;
    if (w.echo)
        add_operands(c, &w);
    else if (!w.range)
        status = read_lines(c, &w);
    if (!status && w.source_path && (error = tc_cmd_open(c, w.source_path, &w.source)) != 0)
        return tc_cmd_fail(c, "%s: %s", tc_cmd_quote_odd(c, w.source_path), strerror(error));
    if (status || !w.lines)
        return status ? status : tc_cmd_fail_memory(c);
    if (w.output && (error = tc_cmd_create(c, w.output, O_WRONLY | O_CREAT | O_TRUNC, 0666, &out)) != 0)
        return tc_cmd_fail_errno(c, w.output, error);
    if (w.source && w.sampled && w.count > 0 && !w.repeat && !w.echo && !w.range)
        sample(c, &w);
    put(c, &w, out);
    return w.source_failed;
}

const struct tc_cmd tc_command_shuf = {
    .name = "shuf",
    .usage = "[OPTION]... [FILE]\n-e [OPTION]... [ARG]...\n-i LO-HI [OPTION]...",
    .summary = "Print the lines in an order by chance.",
    .options = options,
    .run = run,
};
