/*
 * sum: the checksums of BSD and System V, with the count of blocks.
 */
#include "shell/cmds/inputs.h"
#include "shell/digest/digest.h"

static const struct tc_cmd_option options[] = {
    {'r', "r", TC_CMD_NONE, NULL, "use BSD sum algorithm (the default), use 1K blocks"},
    {'s', "s,sysv", TC_CMD_NONE, NULL, "use System V sum algorithm, use 512 bytes blocks"},
    {0}};

static int run(struct tc_cmd_call *c)
{
    struct tc_inputs inputs = {0};
    enum digest_kind kind = DIGEST_BSD;
    struct tc_str bytes;
    int option;

    while ((option = tc_cmd_option_next(c)) != TC_CMD_OPTION_END) {
        if (option == TC_CMD_OPTION_BAD)
            return 2;
        kind = option == 's' ? DIGEST_SYSV : DIGEST_BSD;
    }
    while (tc_inputs_next(c, &inputs)) {
        unsigned char digest[DIGEST_SIZE_MAX];
        struct digest d;

        tc_digest_init(&d, kind, 0);
        while (tc_cmd_peek(c, inputs.in, &bytes) > 0 && tc_cmd_tick(c, 1 + (unsigned)(bytes.n >> 8))) {
            tc_digest_add(&d, bytes);
            tc_cmd_took(inputs.in, bytes.n);
        }
        if (tc_cmd_in_error(inputs.in))
            continue;
        tc_digest_finish(&d, digest);
        if (kind == DIGEST_BSD)
            tc_cmd_printf(c->out, "%05u %5llu", (unsigned)digest[2] << 8 | digest[3],
                          (unsigned long long)(d.bytes + 1023) / 1024);
        else
            tc_cmd_printf(c->out, "%u %llu", (unsigned)digest[2] << 8 | digest[3],
                          (unsigned long long)(d.bytes + 511) / 512);
        if (c->at < c->argc)
            tc_cmd_printf(c->out, " %s", inputs.name);
        tc_cmd_putc(c->out, '\n');
    }
    return inputs.status;
}

const struct tc_cmd tc_command_sum = {
    .name = "sum",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print BSD or System V checksum and block counts for each FILE.",
    .options = options,
    .run = run,
};
