/*
 * toolcrib token: access tokens. The text of one is printed when it is made, and
 * is all that is then printed on standard output.
 */
#include "cli/duration.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static struct tc_str member(struct tc_cx *cx, const struct tc_json *token, const char *key)
{
    return tc_cli_member(cx->arena, token, key);
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *tokens, *token;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/token/all", NULL, &tokens);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, tokens);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "TOKEN|ROLE|AGENT|STATE|EXPIRES|LAST USE|LABEL");
    for (it = tc_json_iter(tokens); tc_json_next(&it, NULL, &token);) {
        bool revoked = tc_json_is(tc_json_get_c(token, "revokedAt"), TC_JSON_STRING);
        tc_cli_table_add(&table, member(cx, token, "id"));
        tc_cli_table_add(&table, member(cx, token, "role"));
        tc_cli_table_add(&table, member(cx, token, "agent"));
        tc_cli_table_add_in(&table, revoked ? TC_STR("revoked") : TC_STR("valid"),
                            revoked ? TC_CLI_DIM : TC_CLI_GREEN);
        tc_cli_table_add(&table, member(cx, token, "expiresAt"));
        tc_cli_table_add(&table, member(cx, token, "usedAt"));
        tc_cli_table_add(&table, member(cx, token, "label"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err check_create(struct tc_cx *cx, const struct tc_cli *cli, int64_t *ret_seconds)
{
    struct tc_str expires = tc_cli_value(cli, "expires");

    if (!tc_cli_has(cli, "agent") && !tc_cli_has(cli, "role"))
        return tc_fail(cx, TC_E_USAGE, "Say whose it is: --agent AGENT or --role viewer|operator|admin.");
    if (expires.p && !tc_cli_duration(expires, ret_seconds))
        return tc_fail(cx, TC_E_USAGE, "--expires takes a span such as 12h, 30d or 1y, not \"%.*s\".",
                       TC_STR_ARG(expires));
    return TC_OK;
}

static enum tc_err create(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *token;
    struct tc_cli_body body;
    int64_t seconds = 0;
    enum tc_err e = check_create(cx, cli, &seconds);

    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kopt(&body.w, "role", tc_cli_value(cli, "role"));
    tc_jsonw_kopt(&body.w, "agent", tc_cli_value(cli, "agent"));
    tc_jsonw_kopt(&body.w, "label", tc_cli_value(cli, "label"));
    if (seconds)
        tc_jsonw_kint(&body.w, "expiresInSeconds", seconds);
    e = tc_cli_post(cx, cli, "/admin/token/create", &body, &token);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, token);
        return TC_OK;
    }
    tc_cli_print(cli, "%.*s\n", TC_STR_ARG(member(cx, token, "token")));
    e = tc_cli_flush(cx, cli);
    if (e)
        return e;
    tc_cli_note(cx, cli, "Token %.*s of role %.*s%s%.*s. It is shown this once.", TC_STR_ARG(member(cx, token, "id")),
                TC_STR_ARG(member(cx, token, "role")), member(cx, token, "agent").n ? " for agent " : "",
                TC_STR_ARG(member(cx, token, "agent")));
    return TC_OK;
}

static enum tc_err revoke(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/token/remove", tc_cli_operand(cli, 0), &answer);

    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Revoked token %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

static const struct tc_cli_option create_options[] = {
    {"agent", "AGENT", "For MCP and HTTP clients of this agent", false},
    {"role", "viewer|operator|admin|agent", "For the admin API", false},
    {"label", "TEXT", "What it is for", false},
    {"expires", "SPAN", "Valid that long: 12h, 30d, 1y (default: for ever)", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List all tokens, without their text", NULL, 0, list},
    {"create", NULL, "Make a token and print it", TC_CLI_OPTIONS(create_options), create},
    {"revoke", "ID", "Make a token invalid at once", NULL, 0, revoke},
};

const struct tc_cli_command tc_cli_token = {"token", "Make and revoke access tokens", NULL, TC_CLI_VERBS(verbs), false};
