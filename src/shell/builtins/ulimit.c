/*
 * ulimit: the limits of the call's budget. They are shown; nobody can change them.
 */
#include <stdio.h>
#include "shell/builtin.h"

struct row {
    char letter;
    const char *what, *unit;
    int64_t (*value)(const struct tc_sh_limits *max); /* 0: unlimited */
};

static int64_t file_size(const struct tc_sh_limits *max)
{
    return max->file_size / 1024;
}

static int64_t descriptors(const struct tc_sh_limits *max)
{
    return max->descriptors;
}

static int64_t seconds(const struct tc_sh_limits *max)
{
    return max->wall_ns / 1000000000;
}

static int64_t processes(const struct tc_sh_limits *max)
{
    return max->processes;
}

static int64_t memory(const struct tc_sh_limits *max)
{
    return max->memory / 1024;
}

static int64_t pipe_size(const struct tc_sh_limits *max)
{
    (void)max;
    return 128;
}

static int64_t none(const struct tc_sh_limits *max)
{
    (void)max;
    return 0;
}

static const struct row rows[] = {
    {'c', "core file size", "blocks, ", none},  {'f', "file size", "kbytes, ", file_size},
    {'n', "open files", "", descriptors},       {'p', "pipe size", "512 bytes, ", pipe_size},
    {'t', "cpu time", "seconds, ", seconds},    {'u', "max user processes", "", processes},
    {'v', "virtual memory", "kbytes, ", memory}};

static const struct row *find(char letter)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].letter == letter)
            return &rows[i];
    return NULL;
}

static void put(struct tc_sh_env *env, struct tc_cmd_call *c, const struct row *row, bool labelled)
{
    int64_t value = row->value(&env->sh->budget.max);
    char text[48];

    if (labelled) {
        snprintf(text, sizeof text, "(%s-%c)", row->unit, row->letter);
        tc_cmd_printf(c->out, "%-22s%18s ", row->what, text);
    }
    if (value == 0 && row->value != none)
        tc_cmd_puts(c->out, "unlimited\n");
    else
        tc_cmd_printf(c->out, "%lld\n", (long long)value);
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    const struct row *chosen[8];
    size_t n = 0;
    bool all = false;
    int option;

    while ((option = tc_sh_builtin_option(env, c)) != TC_CMD_OPTION_END) {
        if (option < 0)
            return TC_SH_NEXT;
        all |= option == 'a';
        if (find((char)option) && n < sizeof chosen / sizeof *chosen)
            chosen[n++] = find((char)option);
    }
    if (c->at < c->argc)
        return tc_sh_builtin_fail(env, c, "%s: cannot modify limit: Operation not permitted", c->argv[c->at]);
    if (all)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            put(env, c, &rows[i], true);
    else if (n == 0)
        put(env, c, find('f'), false);
    for (size_t i = 0; i < n && !all; i++)
        put(env, c, chosen[i], n > 1);
    return TC_SH_NEXT;
}

static const struct tc_cmd_option options[] = {{'a', "a", TC_CMD_NONE, NULL, "all limits"},
                                               {'c', "c", TC_CMD_NONE, NULL, "size of core files: none are made"},
                                               {'f', "f", TC_CMD_NONE, NULL, "size of a file"},
                                               {'n', "n", TC_CMD_NONE, NULL, "open descriptors"},
                                               {'p', "p", TC_CMD_NONE, NULL, "size of a pipe"},
                                               {'t', "t", TC_CMD_NONE, NULL, "time of the call"},
                                               {'u', "u", TC_CMD_NONE, NULL, "processes at once"},
                                               {'v', "v", TC_CMD_NONE, NULL, "memory"},
                                               {'H', "H", TC_CMD_NONE, NULL, "the hard limit; there is one kind"},
                                               {'S', "S", TC_CMD_NONE, NULL, "the soft limit; there is one kind"},
                                               {0}};

const struct tc_sh_builtin tc_sh_builtin_ulimit = {
    .cmd = {.name = "ulimit", .usage = "[-SHacfnptuv]", .summary = "Shows the limits of the call.", .options = options},
    .run = run};
