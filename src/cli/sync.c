/*
 * toolcrib sync: mirrors the catalog into the tool table.
 */
#include "cli/output.h"
#include "cli/request.h"

static enum tc_err sync_tools(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    e = tc_cli_post(cx, cli, "/admin/tool/sync", &body, &answer);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "%.*s tools, %.*s added, %.*s detached\n",
                     TC_STR_ARG(tc_cli_member(cx->arena, answer, "tools")),
                     TC_STR_ARG(tc_cli_member(cx->arena, answer, "added")),
                     TC_STR_ARG(tc_cli_member(cx->arena, answer, "detached")));
    return TC_OK;
}

static const struct tc_cli_verb verbs[] = {
    {NULL, NULL, "Take tools that came or went into the tool table", NULL, 0, sync_tools}};

const struct tc_cli_command tc_cli_sync = {"sync", "Bring the tool table up to date", NULL, TC_CLI_VERBS(verbs), false};
