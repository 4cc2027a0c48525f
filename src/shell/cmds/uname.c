/*
 * uname: the system as the shell shows it, which is not the host's.
 */
#include "toolcrib/shellcmd.h"

static const struct tc_cmd_option options[] = {
    {'a', "a,all", TC_CMD_NONE, NULL, "print all information"},
    {'s', "s,kernel-name", TC_CMD_NONE, NULL, "print the kernel name"},
    {'n', "n,nodename", TC_CMD_NONE, NULL, "print the network node hostname"},
    {'r', "r,kernel-release", TC_CMD_NONE, NULL, "print the kernel release"},
    {'v', "v,kernel-version", TC_CMD_NONE, NULL, "print the kernel version"},
    {'m', "m,machine", TC_CMD_NONE, NULL, "print the machine hardware name"},
    {'p', "p,processor", TC_CMD_NONE, NULL, "print the processor type"},
    {'i', "i,hardware-platform", TC_CMD_NONE, NULL, "print the hardware platform"},
    {'o', "o,operating-system", TC_CMD_NONE, NULL, "print the operating system"},
    {0}};

static int run(struct tc_cmd_call *c)
{
    static const struct {
        char option;
        const char *text;
        bool in_all;
    } parts[] = {{'s', "Linux", true},   {'n', "toolcrib", true}, {'r', "6.1.0", true},     {'v', "#1 SMP", true},
                 {'m', "x86_64", true}, {'p', "unknown", false}, {'i', "unknown", false}, {'o', "GNU/Linux", true}};
    bool asked[256] = {false}, any = false, first = true;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        asked[option & 0xff] = any = true;
    }
    if (c->at < c->argc)
        return tc_cmd_fail_usage(c, "extra operand %s", tc_cmd_quote(c, c->argv[c->at])), 1;
    asked['s'] |= !any;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!asked[(unsigned char)parts[i].option] && !(asked['a'] && parts[i].in_all))
            continue;
        tc_cmd_printf(c->out, "%s%s", first ? "" : " ", parts[i].text);
        first = false;
    }
    tc_cmd_putc(c->out, '\n');
    return 0;
}

const struct tc_cmd tc_command_uname = {
    .name = "uname",
    .usage = "[OPTION]...",
    .summary = "Print system information.",
    .options = options,
    .run = run,
};
