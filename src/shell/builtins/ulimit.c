/*
 * ulimit: limits of the call, shown and lowered. They hold for the whole call, also when
 * a subshell lowers them; what memory may be used holds for what is started from then on.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include "shell/builtin.h"

enum { CORE, PIPE, CALL }; /* no core is ever made; a pipe is as it is; one of the budget */

static const struct row {
    char letter;
    const char *what, *unit;
    int kind;
    int64_t scale;
    size_t at; /* in struct tc_sh_limits, where 0 is no limit */
} rows[] = {{'c', "core file size", "blocks, ", CORE, 1, 0},
            {'f', "file size", "blocks, ", CALL, 1024, offsetof(struct tc_sh_limits, file_size)},
            {'n', "open files", "", CALL, 1, offsetof(struct tc_sh_limits, descriptors)},
            {'p', "pipe size", "512 bytes, ", PIPE, 1, 0},
            {'t', "cpu time", "seconds, ", CALL, 1000000000, offsetof(struct tc_sh_limits, cpu_ns)},
            {'u', "max user processes", "", CALL, 1, offsetof(struct tc_sh_limits, processes)},
            {'v', "virtual memory", "kbytes, ", CALL, 1024, offsetof(struct tc_sh_limits, memory)}};

enum { ROWS = sizeof rows / sizeof *rows, PIPE_BLOCKS = 8 };

struct request {
    const struct row *chosen[ROWS * 2];
    size_t n;
    bool all, hard, soft;
};

static const struct row *find(int letter)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].letter == letter)
            return &rows[i];
    return NULL;
}

static int64_t *limit(struct tc_sh_limits *limits, const struct row *row)
{
    return (int64_t *)((char *)limits + row->at);
}

static void put(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r, const struct row *row,
                bool labelled)
{
    struct tc_sh_budget *budget = &env->sh->budget;
    int64_t value = *limit(r->hard && !r->soft ? &budget->hard : &budget->max, row);
    char text[48];

    if (labelled) {
        snprintf(text, sizeof text, "(%s-%c)", row->unit, row->letter);
        tc_cmd_printf(c->out, "%-20s%20s ", row->what, text);
    }
    if (row->kind != CALL)
        tc_cmd_printf(c->out, "%d\n", row->kind == PIPE ? PIPE_BLOCKS : 0);
    else if (value == 0)
        tc_cmd_puts(c->out, "unlimited\n");
    else
        tc_cmd_printf(c->out, "%lld\n", (long long)(value / row->scale));
}

/* "unlimited", "hard", "soft" or a number as a limit; false: it is none of them. */
static bool parse(const struct tc_sh_budget *budget, const struct row *row, const char *text, int64_t *ret_value)
{
    int64_t number;

    if (!strcmp(text, "unlimited")) {
        *ret_value = 0;
    } else if (!strcmp(text, "hard") || !strcmp(text, "soft")) {
        *ret_value = *limit((struct tc_sh_limits *)(text[0] == 'h' ? &budget->hard : &budget->max), row);
    } else {
        if (!tc_str_int(tc_str_of(text), &number) || number < 0)
            return false;
        number = number < INT64_MAX / row->scale ? number : INT64_MAX / row->scale;
        *ret_value = number ? number * row->scale : 1; /* 0 would be no limit */
    }
    return true;
}

static bool above(int64_t value, int64_t bound)
{
    return bound && (value == 0 || value > bound);
}

/* 0 or an errno. */
static int set(struct tc_sh_env *env, const struct request *r, const struct row *row, int64_t value)
{
    struct tc_sh_budget *budget = &env->sh->budget;
    bool both = r->hard == r->soft;
    struct timespec now;

    if (row->kind != CALL)
        return row->kind == PIPE ? EINVAL : value > 1 ? EPERM : 0;
    if (above(value, *limit(&budget->hard, row)))
        return both || r->hard ? EPERM : EINVAL;
    if (!both && r->hard && above(*limit(&budget->max, row), value))
        return EINVAL;
    if (both || r->hard)
        *limit(&budget->hard, row) = value;
    if (both || r->soft)
        *limit(&budget->max, row) = value;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    if (row->letter == 't')
        budget->cpu_end = budget->max.cpu_ns ? (int64_t)now.tv_sec * 1000000000 + now.tv_nsec + budget->max.cpu_ns : 0;
    return 0;
}

static enum tc_sh_flow change(struct tc_sh_env *env, struct tc_cmd_call *c, const struct request *r,
                              const struct row *row)
{
    int64_t value;
    int error;

    if (!parse(&env->sh->budget, row, c->argv[c->at], &value))
        return tc_sh_builtin_fail(env, c, "%s: invalid number", c->argv[c->at]);
    error = set(env, r, row, value);
    return error ? tc_sh_builtin_fail(env, c, "%s: cannot modify limit: %s", row->what, strerror(error)) : TC_SH_NEXT;
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct request r = {0};
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        r.all |= option == 'a';
        r.hard |= option == 'H';
        r.soft |= option == 'S';
        if (find(option) && r.n < sizeof r.chosen / sizeof *r.chosen)
            r.chosen[r.n++] = find(option);
    }
    if (r.all) {
        for (size_t i = 0; i < ROWS; i++)
            put(env, c, &r, &rows[i], true);
        return TC_SH_NEXT;
    }
    if (r.n == 0)
        r.chosen[r.n++] = find('f');
    if (c->at < c->argc)
        return change(env, c, &r, r.chosen[r.n - 1]);
    for (size_t i = 0; i < r.n; i++)
        put(env, c, &r, r.chosen[i], r.n > 1);
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "all limits"},
                                               {'c', "c", TC_CMD_NONE, NULL, "size of core files: none are made"},
                                               {'f', "f", TC_CMD_NONE, NULL, "size of a file, in KiB"},
                                               {'n', "n", TC_CMD_NONE, NULL, "open descriptors"},
                                               {'p', "p", TC_CMD_NONE, NULL, "what a pipe takes at once, in 512 bytes"},
                                               {'t', "t", TC_CMD_NONE, NULL, "time of the processor, in seconds"},
                                               {'u', "u", TC_CMD_NONE, NULL, "processes at once"},
                                               {'v', "v", TC_CMD_NONE, NULL, "memory, in KiB"},
                                               {'H', "H", TC_CMD_NONE, NULL, "the hard limit"},
                                               {'S', "S", TC_CMD_NONE, NULL, "the soft limit"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_ulimit = {.cmd = {.name = "ulimit",
                                                           .usage = "[-SHacfnptuv] [limit]",
                                                           .summary = "Shows and lowers the limits of the call.",
                                                           .options = options},
                                                   .run = run};
