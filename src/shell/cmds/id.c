/*
 * id: the one user of the shell.
 */
#include "toolcrib/shellfs.h"

static const struct tc_cmd_option options[] = {
    {'u', "u,user", TC_CMD_NONE, NULL, "print only the effective user ID"},
    {'g', "g,group", TC_CMD_NONE, NULL, "print only the effective group ID"},
    {'G', "G,groups", TC_CMD_NONE, NULL, "print all group IDs"},
    {'n', "n,name", TC_CMD_NONE, NULL, "print a name instead of a number, for -ugG"},
    {'r', "r,real", TC_CMD_NONE, NULL, "print the real ID, which is the same"},
    {0}};

enum { ID = 1000 };

static int run(struct tc_cmd_call *c)
{
    const char *user = tc_cmd_getenv(c, "USER");
    bool name = false, real = false;
    int option, kind = 0;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        name |= option == 'n';
        real |= option == 'r';
        if (option == 'n' || option == 'r')
            continue;
        if (kind && kind != option)
            return tc_cmd_fail(c, "cannot print \"only\" of more than one choice");
        kind = option;
    }
    user = user ? user : "user";
    if (!kind && (name || real))
        return tc_cmd_fail(c, "cannot print only names or real IDs in default format");
    if (c->at < c->argc && strcmp(c->argv[c->at], user) != 0)
        return tc_cmd_fail(c, "%s: no such user", tc_cmd_quote(c, c->argv[c->at]));
    if (!kind)
        tc_cmd_printf(c->out, "uid=%d(%s) gid=%d(%s) groups=%d(%s)\n", ID, user, ID, user, ID, user);
    else if (name)
        tc_cmd_printf(c->out, "%s\n", user);
    else
        tc_cmd_printf(c->out, "%d\n", ID);
    return 0;
}

const struct tc_cmd tc_command_id = {
    .name = "id",
    .usage = "[OPTION]... [USER]",
    .summary = "Print user and group information.",
    .options = options,
    .run = run,
};
