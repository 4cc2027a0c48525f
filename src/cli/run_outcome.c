/*
 * How a run ended, as failure or exit code of the command.
 */
#include "cli/output.h"
#include "cli/run_follow.h"

static enum tc_err fail_as(struct tc_cx *cx, struct tc_cli *cli, const struct tc_run_outcome *outcome)
{
    enum tc_err code = tc_err_find(outcome->code);
    struct tc_str message = outcome->message.n ? outcome->message : TC_STR("The run failed.");

    cli->code = 1;
    if (!code) {
        tc_cli_note(cx, cli, "%.*s%s%.*s%s", TC_STR_ARG(message), outcome->code.n ? " (" : "",
                    TC_STR_ARG(outcome->code), outcome->code.n ? ")" : "");
        return TC_OK;
    }
    tc_fail(cx, code, "%.*s", TC_STR_ARG(message));
    return outcome->hint.n ? tc_fail_hint(cx, "%.*s", TC_STR_ARG(outcome->hint)) : code;
}

enum tc_err tc_run_follow_judge(struct tc_cx *cx, struct tc_cli *cli, const struct tc_run_outcome *outcome)
{
    struct tc_str status = outcome->status;

    if (tc_str_is(status, "completed"))
        return TC_OK;
    if (tc_str_is(status, "failed"))
        return fail_as(cx, cli, outcome);
    cli->code = outcome->interrupted ? TC_CLI_INTERRUPTED : 1;
    if (outcome->left)
        return TC_OK;
    if (tc_str_is(status, "partial_success"))
        tc_cli_note(cx, cli, "The run ended with a part of its work: %.*s (%.*s)", TC_STR_ARG(outcome->message),
                    TC_STR_ARG(outcome->code));
    else if (tc_str_is(status, "cancelled"))
        tc_cli_note(cx, cli, "Cancelled. toolcrib run resume %.*s goes on with it.", TC_STR_ARG(outcome->id));
    else
        tc_cli_note(cx, cli, "The run is %.*s. toolcrib run resume %.*s goes on with it.", TC_STR_ARG(status),
                    TC_STR_ARG(outcome->id));
    return TC_OK;
}
