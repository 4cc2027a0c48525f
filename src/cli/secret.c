/*
 * toolcrib secret: sealed secrets. A value never comes from the command line,
 * where others could see it, and is never shown.
 */
#include "cli/input.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *secrets, *secret;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/secret/all", NULL, &secrets);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, secrets);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "SECRET|CHANGED");
    for (it = tc_json_iter(secrets); tc_json_next(&it, NULL, &secret);) {
        tc_cli_table_add(&table, tc_cli_member(cx->arena, secret, "name"));
        tc_cli_table_add(&table, tc_cli_member(cx->arena, secret, "updatedAt"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err say_done(struct tc_cli *cli, const struct tc_json *answer, const char *what)
{
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "%s secret %.*s\n", what, TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

static enum tc_err set(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    struct tc_cli_body body;
    struct tc_str value;
    enum tc_err e = tc_cli_read_secret(cx, "Value (not shown): ", &value);

    if (!e && value.n == 0)
        e = tc_fail(cx, TC_E_SECRET_INVALID, "The value is empty; the secret stays as it was.");
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "name", tc_cli_operand(cli, 0));
    tc_jsonw_kstr(&body.w, "value", value);
    e = tc_cli_post(cx, cli, "/admin/secret/update", &body, &answer);
    return e ? e : say_done(cli, answer, "Set");
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/secret/remove", tc_cli_operand(cli, 0), &answer);

    return e ? e : say_done(cli, answer, "Removed");
}

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List the names of secrets", NULL, 0, list},
    {"set", "NAME", "Set a secret; its value comes from standard input", NULL, 0, set},
    {"remove", "NAME", "Remove a secret", NULL, 0, remove_one},
};

const struct tc_cli_command tc_cli_secret = {"secret", "Keep sealed secrets", NULL, TC_CLI_VERBS(verbs), false};
