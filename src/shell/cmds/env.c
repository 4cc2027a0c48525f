/*
 * env: a command in a changed environment, or what is exported.
 */
#include <string.h>

#include "shell/cmds/launch.h"

static const struct tc_cmd_option options[] = {
    {'i', "i,ignore-environment", TC_CMD_NONE, NULL, "begin with an empty environment"},
    {'0', "0,null", TC_CMD_NONE, NULL, "end each with a NUL instead of a line feed"},
    {'u', "u,unset", TC_CMD_VALUE, "NAME", "take the variable away"},
    {'C', "C,chdir", TC_CMD_VALUE, "DIR", "run it in this folder"},
    {'S', "S,split-string", TC_CMD_VALUE, "STRING", "take arguments from the words of STRING"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

struct wanted {
    char **environ;
    size_t n;
    const char *cwd;
    char end;
};

static void drop(struct wanted *w, const char *name, size_t name_n)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->n; i++)
        if (strncmp(w->environ[i], name, name_n) != 0 || w->environ[i][name_n] != '=')
            w->environ[kept++] = w->environ[i];
    w->n = kept;
    w->environ[kept] = NULL;
}

/* There is room for every argument. */
static bool begin(struct tc_cmd_call *c, struct wanted *w)
{
    char **all;

    if (tc_cmd_environ(c, &all))
        return false;
    for (w->n = 0; all[w->n]; w->n++) {
    }
    w->environ = TC_ARENA_NEW_N(c->arena, char *, w->n + (size_t)c->argc + 1);
    if (!w->environ)
        return false;
    memcpy(w->environ, all, w->n * sizeof *all);
    return true;
}

/* The words of -S take the place of the option: the call is begun anew with them. */
static bool split(struct tc_cmd_call *c, char *text)
{
    char **argv = TC_ARENA_NEW_N(c->arena, char *, strlen(text) + (size_t)c->argc + 2), *at = text, *word;
    int n = 0;

    if (!argv)
        return false;
    argv[n++] = c->argv[0];
    while ((word = strsep(&at, " \t\n")))
        if (*word)
            argv[n++] = word;
    for (int i = c->option_at; i < c->argc; i++)
        argv[n++] = c->argv[i];
    c->argv = argv;
    c->argc = n;
    c->at = 0;
    c->option_at = 1;
    c->option_in = 0;
    return true;
}

static int read_options(struct tc_cmd_call *c, struct wanted *w)
{
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD:
            return 2;
        case 'i':
            w->n = 0;
            break;
        case '0':
            w->end = '\0';
            break;
        case 'u':
            drop(w, c->value, strlen(c->value));
            break;
        case 'C':
            w->cwd = c->value;
            break;
        default:
            if (!split(c, c->value) || !begin(c, w))
                return tc_cmd_fail_memory(c);
        }
    }
    if (c->at < c->argc && strcmp(c->argv[c->at], "-") == 0) {
        w->n = 0;
        c->at++;
    }
    w->environ[w->n] = NULL;
    return 0;
}

static int run(struct tc_cmd_call *c)
{
    struct wanted w = {.end = '\n'};
    struct tc_cmd_run command = {0};
    int status;

    if (!begin(c, &w))
        return tc_cmd_fail_memory(c);
    status = read_options(c, &w);
    if (status)
        return status;
    for (char *equals; c->at < c->argc && (equals = strchr(c->argv[c->at], '=')); c->at++) {
        drop(&w, c->argv[c->at], (size_t)(equals - c->argv[c->at]));
        w.environ[w.n++] = c->argv[c->at];
        w.environ[w.n] = NULL;
    }
    if (c->at < c->argc) {
        if (w.end == '\0') {
            tc_cmd_fail_usage(c, "cannot specify --null (-0) with command");
            return 125;
        }
        command = (struct tc_cmd_run){.argv = c->argv + c->at, .environ = w.environ, .cwd = w.cwd};
        return tc_launch(c, &command);
    }
    for (size_t i = 0; i < w.n; i++)
        tc_cmd_printf(c->out, "%s%c", w.environ[i], w.end);
    return 0;
}

const struct tc_cmd tc_command_env = {
    .name = "env",
    .usage = "[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]",
    .summary = "Run COMMAND with each NAME set to VALUE; without one print what is exported.",
    .options = options,
    .flags = TC_CMD_IN_ORDER,
    .run = run,
};
