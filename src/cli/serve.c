/*
 * toolcrib serve: the daemon itself.
 */
#include "cli/cli.h"

static enum tc_err serve(struct tc_cx *cx, struct tc_cli *cli)
{
    cli->place.listen = tc_cli_value(cli, "listen");
    return cli->host->ops->serve(cx, cli->host, &cli->place);
}

static const struct tc_cli_option options[] = {
    {"listen", "HOST:PORT", "Listen there (default 127.0.0.1:8420)", false},
};

static const struct tc_cli_verb verbs[] = {
    {NULL, NULL, "Run the daemon: HTTP, MCP and the admin API, until SIGINT or SIGTERM", TC_CLI_OPTIONS(options),
     serve},
};

const struct tc_cli_command tc_cli_serve = {
    "serve", "Run the daemon", "The first start prints an admin token and the token of an agent, once.",
    TC_CLI_VERBS(verbs), true};
