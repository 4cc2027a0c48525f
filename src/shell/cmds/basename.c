/*
 * basename: the last part of paths.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'a', "a,multiple", TC_CMD_NONE, NULL, "each operand is a NAME"},
    {'s', "s,suffix", TC_CMD_VALUE, "SUFFIX", "take SUFFIX off the end; implies -a"},
    {'z', "z,zero", TC_CMD_NONE, NULL, "end with NUL instead of a line feed"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static void put(struct tc_cmd_call *c, const char *path, const char *suffix, char end)
{
    size_t n = strlen(path), from, suffix_n = suffix ? strlen(suffix) : 0;

    while (n > 1 && path[n - 1] == '/')
        n--;
    for (from = n; from > 0 && path[from - 1] != '/';)
        from--;
    if (from == n && n > 0) /* the root */
        from = n - 1;
    if (suffix_n && n - from > suffix_n && path[from] != '/' && memcmp(path + n - suffix_n, suffix, suffix_n) == 0)
        n -= suffix_n;
    tc_cmd_write(c->out, path + from, n - from);
    tc_cmd_putc(c->out, end);
}

static int run(struct tc_cmd_call *c)
{
    const char *suffix = NULL;
    bool many = false;
    char end = '\n';
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        many |= option == 'a' || option == 's';
        if (option == 's')
            suffix = c->value;
        if (option == 'z')
            end = '\0';
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    if (!many && c->argc - c->at > 2) {
        tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at + 2]));
        return 1;
    }
    if (!many) {
        put(c, c->argv[c->at], c->argc - c->at == 2 ? c->argv[c->at + 1] : NULL, end);
        return 0;
    }
    for (int i = c->at; i < c->argc; i++)
        put(c, c->argv[i], suffix, end);
    return 0;
}

const struct tc_cmd tc_command_basename = {
    .name = "basename",
    .usage = "NAME [SUFFIX]\nOPTION... NAME...",
    .summary = "Write NAME without the folders before it, and without SUFFIX at its end.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
