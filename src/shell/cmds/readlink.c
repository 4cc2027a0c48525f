/*
 * readlink: what links say, or with -f, -e, -m where paths lead.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'f', "f,canonicalize", TC_CMD_NONE, NULL, "follow all links; all parts but the last must exist"},
    {'e', "e,canonicalize-existing", TC_CMD_NONE, NULL, "follow all links; all parts must exist"},
    {'m', "m,canonicalize-missing", TC_CMD_NONE, NULL, "follow all links; no part need exist"},
    {'n', "n,no-newline", TC_CMD_NONE, NULL, "no line feed at the end"},
    {'q', "q,quiet,s,silent", TC_CMD_NONE, NULL, "no messages (default)"},
    {'v', "v,verbose", TC_CMD_NONE, NULL, "messages"},
    {'z', "z,zero", TC_CMD_NONE, NULL, "end with NUL instead of a line feed"},
    {0, NULL, TC_CMD_NONE, NULL, NULL},
};

static int run(struct tc_cmd_call *c)
{
    bool canonical = false, no_end = false, verbose = false;
    int option, status = 0, missing = 0;
    char end = '\n';

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        switch (option) {
        case TC_CMD_OPTION_BAD: return 2;
        case 'f': case 'e': case 'm':
            canonical = true;
            missing = option == 'f' ? 1 : option == 'e' ? 0 : -1;
            break;
        case 'n': no_end = true; break;
        case 'z': end = '\0'; break;
        default: verbose = option == 'v'; break;
        }
    }
    if (c->at == c->argc) {
        tc_cmd_fail_usage(c, "missing operand");
        return 1;
    }
    if (no_end && c->argc - c->at > 1) {
        tc_cmd_fail(c, "ignoring --no-newline with multiple arguments");
        no_end = false;
    }
    for (int i = c->at; i < c->argc && tc_cmd_tick(c, 1); i++) {
        char *target;
        int error = canonical ? tc_cmd_realpath(c, c->argv[i], missing, &target)
                              : tc_cmd_readlink(c, c->argv[i], &target);

        if (error) {
            status = 1;
            if (verbose)
                tc_cmd_fail_errno(c, c->argv[i], error);
            continue;
        }
        tc_cmd_puts(c->out, target);
        if (!no_end)
            tc_cmd_putc(c->out, end);
    }
    return status;
}

const struct tc_cmd tc_command_readlink = {
    .name = "readlink",
    .usage = "[OPTION]... FILE...",
    .summary = "Write what each symbolic link says, or where each FILE leads.",
    .options = options,
    .run = run,
};
