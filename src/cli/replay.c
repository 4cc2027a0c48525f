/*
 * toolcrib replay: checks a recorded call again, without running anything.
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

static enum tc_err replay(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/audit/replay", tc_cli_operand(cli, 0), &answer);

    if (e)
        return e;
    cli->code = tc_json_bool(tc_json_get_c(answer, "same"), false) ? 0 : 1;
    if (!cli->json)
        return print_steps(cx, cli, answer);
    tc_cli_json(cli, answer);
    return TC_OK;
}

static const struct tc_cli_verb verbs[] = {
    {NULL, "CALL", "Check a recorded call again: gate, arguments, schema, result", NULL, 0, replay}};

const struct tc_cli_command tc_cli_replay = {
    "replay", "Check a recorded call again",
    "Nothing is run. Exit code 1 when the outcome would be another one today.", TC_CLI_VERBS(verbs), false};
