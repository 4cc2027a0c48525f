/*
 * times: processor time of the shell; what it runs is part of it.
 */
#include <time.h>
#include "shell/builtin.h"

static enum tc_sh_flow run(struct tc_sh_env *env, struct tc_cmd_call *c)
{
    struct timespec used = {0};

    if (!tc_sh_builtin_plain(env, c))
        return TC_SH_NEXT;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    tc_cmd_printf(c->out, "%ldm%ld.%03lds 0m0.000s\n0m0.000s 0m0.000s\n", (long)used.tv_sec / 60,
                  (long)used.tv_sec % 60, used.tv_nsec / 1000000);
    return TC_SH_NEXT;
}

const struct tc_sh_builtin tc_sh_builtin_times = {
    .cmd = {.name = "times", .usage = "", .summary = "Prints the processor time that was used."},
    .special = true,
    .run = run};
