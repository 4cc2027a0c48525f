/*
 * What a command says, and its status, when its output could not be written. Most say
 * "NAME: write error: …" and end with 1; the table has the others.
 */
#include "shell/cmd_impl.h"

enum { STDIO_BUFFER = 4096 };

struct row {
    const char *name;
    int few_status, status; /* when up to one buffer of stdio was written, and more */
    const char *few, *many; /* before the reason, likewise; "": the command has told */
    const char *after;
};

static const struct row rows[] = {
    {"awk", 1, 2, "awk: warning: error writing standard output: ", NULL, "\n"},
    {"cmp", 2, 2, "cmp: standard output: ", "cmp: standard output: ", "\n"},
    {"dd", 1, 1, "", "", NULL},
    {"diff", 2, 2, "diff: standard output: ", "diff: standard output: ", "\n"},
    {"env", 125, 125, NULL, NULL, NULL},
    {"expr", 3, 3, NULL, NULL, NULL},
    {"getopt", 3, 3, NULL, NULL, NULL},
    {"grep", 2, 2, NULL, NULL, NULL},
    {"gzip", 1, 1, "\ngzip: stdout: ", "\ngzip: stdout: ", "\n"},
    {"head", 1, 1, NULL, "head: error writing 'standard output': ", "\n"},
    {"jq", 2, 2, "Error: writing output failed: ", "Error: writing output failed: ", "\n"},
    {"ls", 2, 2, NULL, NULL, NULL},
    {"printenv", 2, 2, NULL, NULL, NULL},
    {"sed", 4, 4, "sed: couldn't flush stdout: ", NULL, "\n"},
    {"sort", 2, 2, "sort: fflush failed: 'standard output': ", "sort: write failed: 'standard output': ",
     "\nsort: write error\n"},
    {"tail", 1, 1, NULL, "tail: error writing 'standard output': ", "\n"},
    {"tar", 2, 2, NULL, NULL, NULL},
    {"tee", 1, 1, "", "", NULL},
    {"xxd", 3, 3, "xxd: ", "xxd: ", "\n"},
    {"yes", 1, 1, "yes: standard output: ", "yes: standard output: ", "\n"},
};

int tc_sh_cmd_unwritten(struct tc_cmd_call *c, int status)
{
    const struct row *row = NULL;
    const char *before;
    bool few;

    if (!c->cmd->run) {
        tc_sh_warn(c->env, "%s: write error: %s", c->argv[0], strerror(c->out->error));
        return status ? status : 1;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, c->cmd->name) == 0)
            row = &rows[i];
    few = c->out->tried <= STDIO_BUFFER;
    before = !row ? NULL : few ? row->few : row->many;
    if (before && *before)
        tc_cmd_printf(c->err, "%s%s%s", before, strerror(c->out->error), row->after);
    else if (!before)
        tc_cmd_fail(c, "write error: %s", strerror(c->out->error));
    return row ? (few ? row->few_status : row->status) : status ? status : 1;
}
