/*
 * One run of the command: read the line, attach, run the verb, write, report,
 * detach. All memory of the run is in one arena, which may grow as large as the
 * largest answer asks for.
 */
#include "cli/host.h"

#include <unistd.h>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "http/client.h"

static const size_t arena_max = (size_t)4 * 1024 * 1024 * 1024;
enum { OUT_MAX = 1024 * 1024 * 1024, REQUEST_MS = 120 * 1000 };

enum tc_err tc_cli_attach(struct tc_cx *cx, struct tc_cli *cli)
{
    enum tc_err e = tc_client_create(cx, tc_task_loop(cx), &cli->client);

    cli->attached = !e;
    return e ? e : cli->host->ops->attach(cx, cli->host, &cli->place, &cli->socket);
}

/* Our connections first: a daemon that lives here would wait for their requests. */
static void detach(struct tc_cx *cx, struct tc_cli *cli)
{
    tc_client_destroy(cli->client);
    if (cli->attached)
        cli->host->ops->detach(cx, cli->host);
}

static enum tc_err run(struct tc_cx *cx, struct tc_cli *cli)
{
    enum tc_err e;

    if (cli->version) {
        tc_cli_print(cli, "toolcrib %s\n", TC_VERSION);
    } else if (!cli->command) {
        tc_cli_usage(&cli->out, tc_cli_table, &cli->look);
    } else if (cli->help) {
        tc_cli_usage_of(&cli->out, cli->command, cli->verb, &cli->look);
    } else {
        e = cli->command->offline ? TC_OK : tc_cli_attach(cx, cli);
        return e ? e : cli->verb->run(cx, cli);
    }
    return TC_OK;
}

/* What the verb has printed counts also when it failed. */
static int finish(struct tc_cx *cx, struct tc_cli *cli, enum tc_err e)
{
    struct tc_error err = cx->err;
    enum tc_err flushed = tc_cli_flush(cx, cli);

    if (cli->code == TC_CLI_BROKEN_PIPE)
        return cli->code;
    if (!e && flushed) {
        e = flushed;
        err = cx->err;
    }
    if (!e)
        return cli->code;
    tc_cli_report(cx, cli, &err);
    return tc_err_info(e)->exit_code;
}

int tc_cli_main(struct tc_cx *cx, struct tc_cli_host *host, int argc, char **argv)
{
    struct tc_arena arena;
    struct tc_cx own = {.arena = &arena, .clock = cx->clock, .task = cx->task};
    struct tc_cli cli = {.host = host, .timeout_ms = REQUEST_MS, .look = tc_cli_look_of(STDOUT_FILENO)};
    enum tc_err e;
    int code;

    tc_arena_init(&arena, arena_max);
    tc_buf_init(&cli.out, OUT_MAX);
    e = tc_cli_parse(&own, tc_cli_table, argc, argv, &cli);
    if (!e)
        e = run(&own, &cli);
    code = finish(&own, &cli, e);
    detach(&own, &cli);
    tc_buf_finish(&cli.out);
    tc_arena_finish(&arena);
    return code;
}
