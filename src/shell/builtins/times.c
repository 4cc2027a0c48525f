/*
 * times: processor time of the shell; what it runs is part of it.
 */
#include <sys/resource.h>
#include "shell/builtin.h"

static void put(struct tc_cmd_call *c, const struct timeval *time, char behind)
{
    tc_cmd_printf(c->out, "%ldm%ld.%03lds%c", (long)time->tv_sec / 60, (long)time->tv_sec % 60, time->tv_usec / 1000,
                  behind);
}

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct rusage used = {0};

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    getrusage(RUSAGE_SELF, &used);
    put(c, &used.ru_utime, ' ');
    put(c, &used.ru_stime, '\n');
    tc_cmd_puts(c->out, "0m0.000s 0m0.000s\n");
    return TC_SH_NEXT;
}

const struct tc_sh_builtin tc_sh_builtin_times = {
    .cmd = {.name = "times", .usage = "", .summary = "Prints the processor time that was used."},
    .special = true,
    .run = run};
