/*
 * toolcrib replay: checks a recorded call or run again, without running anything.
 */
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static enum tc_err print_steps(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(answer, "steps"));
    const struct tc_json *step;
    struct tc_cli_table table;

    tc_cli_table_init(&table, cx->arena, "STEP|VERDICT|RECORDED|REPLAYED");
    while (tc_json_next(&it, NULL, &step)) {
        bool same = tc_json_bool(tc_json_get_c(step, "same"), false),
             skipped = tc_json_bool(tc_json_get_c(step, "skipped"), false);
        tc_cli_table_add(&table, tc_cli_member(cx->arena, step, "name"));
        tc_cli_table_add_in(&table, skipped ? TC_STR("skipped") : same ? TC_STR("same") : TC_STR("differs"),
                            skipped ? TC_CLI_DIM : same ? TC_CLI_GREEN : TC_CLI_RED);
        tc_cli_table_add(&table, same ? TC_STR("") : tc_cli_member(cx->arena, step, "recorded"));
        tc_cli_table_add(&table, same ? TC_STR("") : tc_cli_member(cx->arena, step, "replayed"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_requests(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(answer, "requests"));
    const struct tc_json *request;
    struct tc_cli_table table;

    tc_cli_table_init(&table, cx->arena, "TURN|ENTRY|VERDICT|DETAIL");
    while (tc_json_next(&it, NULL, &request)) {
        bool same = tc_json_bool(tc_json_get_c(request, "same"), false),
             made = tc_json_str(tc_json_get_c(request, "replayed")).n > 0;
        tc_cli_table_add(&table, tc_cli_member(cx->arena, request, "turn"));
        tc_cli_table_add(&table, tc_cli_member(cx->arena, request, "entry"));
        tc_cli_table_add_in(&table, same ? TC_STR("same") : made ? TC_STR("differs") : TC_STR("gone"),
                            same ? TC_CLI_GREEN : made ? TC_CLI_RED : TC_CLI_DIM);
        tc_cli_table_add(&table, tc_cli_member(cx->arena, request, "why"));
    }
    return tc_cli_rows(cx, cli, &table);
}

/* The record of a call, else a run of that id. */
static enum tc_err replay(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str id = tc_cli_operand(cli, 0);
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/audit/replay", id, &answer);
    bool of_run = e == TC_E_AUDIT_NOT_FOUND;

    if (of_run)
        e = tc_cli_post_id(cx, cli, "/admin/run/replay", id, &answer);
    if (e == TC_E_RUN_NOT_FOUND) {
        tc_fail(cx, e, "There is neither a call nor a run \"%.*s\".", TC_STR_ARG(id));
        return tc_fail_hint(cx, "toolcrib audit list shows the calls, toolcrib run list the runs.");
    }
    if (e)
        return e;
    cli->code = tc_json_bool(tc_json_get_c(answer, "same"), false) ? 0 : 1;
    if (!cli->json)
        return of_run ? print_requests(cx, cli, answer) : print_steps(cx, cli, answer);
    tc_cli_json(cli, answer);
    return TC_OK;
}

static const struct tc_cli_verb verbs[] = {
    {NULL, "CALL|RUN", "Check a recorded call or run again", NULL, 0, replay}};

const struct tc_cli_command tc_cli_replay = {
    "replay", "Check a recorded call or run again",
    "Of a call: gate, arguments, schema, repair and result; of a run: each request that its\n"
    "model was sent, by its hash, whatever the settings are now. Nothing is run. Exit code 1\n"
    "when something differs, or what it needs is not kept any more.",
    TC_CLI_VERBS(verbs), false};
