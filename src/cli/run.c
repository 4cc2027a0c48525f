/*
 * toolcrib run: an agent at work on what it is told, in the foreground, and what can be
 * done to runs that are there.
 */
#include "cli/input.h"
#include "cli/output.h"
#include "cli/run_follow.h"
#include "cli/run_journal.h"

enum { TEXT_MAX = 4000000 };

/* "TEXT", "@FILE" or "-". */
static enum tc_err read_text(struct tc_cx *cx, struct tc_str operand, struct tc_str *ret_text)
{
    enum tc_err e = tc_cli_read_text(cx, operand, TEXT_MAX, ret_text);

    if (!e && tc_str_trim(*ret_text).n == 0)
        return tc_fail(cx, TC_E_USAGE, "There is no text to run.");
    return e;
}

static enum tc_err follow(struct tc_cx *cx, struct tc_cli *cli, const struct tc_run_follow *what)
{
    struct tc_run_outcome outcome;
    enum tc_err e = tc_run_follow(cx, cli, what, &outcome);

    return e ? e : tc_run_follow_judge(cx, cli, &outcome);
}

static enum tc_err run(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_run_start start = {
        .agent = tc_cli_value(cli, "agent"),
        .session = tc_cli_value(cli, "session"),
        .workspace = tc_cli_value(cli, "workspace"),
        .channel = tc_cli_value(cli, "channel"),
        .model = tc_cli_value(cli, "model"),
    };
    struct tc_cli_body body;
    const struct tc_run_follow what = {
        .path = "/admin/run/start", .body = &body, .asks = true, .whole = tc_cli_has(cli, "no-stream")};
    enum tc_err e = read_text(cx, tc_cli_operand(cli, 0), &start.text);

    if (!e)
        e = tc_run_start_body(cx, cli, &start, &body);
    return e ? e : follow(cx, cli, &what);
}

/* --- runs that are there --- */

/* Takes the run up by a request and shows what it does from there on. */
static enum tc_err take_up(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_cli_body *body)
{
    struct tc_run_follow what = {
        .path = path, .body = body, .asks = true, .whole = tc_cli_has(cli, "no-stream")};
    const struct tc_json *row;
    enum tc_err e = tc_cli_run_get(cx, cli, &row);

    if (e) {
        tc_cli_body_finish(body);
        return e;
    }
    tc_json_int(tc_json_get_c(row, "events"), &what.after);
    return follow(cx, cli, &what);
}

static enum tc_err resume(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    if (tc_cli_has(cli, "accept-unknown"))
        tc_jsonw_kbool(&body.w, "acceptUnknown", true);
    return take_up(cx, cli, "/admin/run/resume", &body);
}

static enum tc_err revise(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_cli_body body;
    struct tc_str text;
    enum tc_err e = read_text(cx, tc_cli_operand(cli, 1), &text);

    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kstr(&body.w, "input", text);
    return take_up(cx, cli, "/admin/run/revise", &body);
}

static enum tc_err cancel(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *row;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/run/cancel", tc_cli_operand(cli, 0), &row);

    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, row);
    else
        tc_cli_print(cli, "Run %.*s is %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)),
                     TC_STR_ARG(tc_json_str(tc_json_get_c(row, "status"))));
    return TC_OK;
}

#define NO_STREAM                                                                                                      \
    {"no-stream", NULL, "Write a text when all of it is there", false}

static const struct tc_cli_option run_options[] = {
    {"agent", "AGENT", "The agent that works (default: default)", false},
    {"session", "NAME", "Go on in this session, or begin it", false},
    {"workspace", "DIR", "Let it work in this folder", false},
    {"channel", "CHANNEL", "Reach the model through this channel", false},
    {"model", "MODEL", "Use this model", false},
    NO_STREAM,
};
static const struct tc_cli_option resume_options[] = {
    {"accept-unknown", NULL, "Go on although the outcome of a call is not known", false},
    NO_STREAM,
};
static const struct tc_cli_option revise_options[] = {NO_STREAM};

static const struct tc_cli_verb verbs[] = {
    {NULL, "TEXT|@FILE|-", "Let an agent work on a text", TC_CLI_OPTIONS(run_options), run},
    {"list", NULL, "List runs, the newest first", TC_CLI_OPTIONS(tc_cli_run_list_options), tc_cli_run_list},
    {"show", "RUN", "Show how a run stands", NULL, 0, tc_cli_run_show},
    {"events", "RUN", "Show what happened in a run", TC_CLI_OPTIONS(tc_cli_run_events_options), tc_cli_run_events},
    {"cancel", "RUN", "End a run", NULL, 0, cancel},
    {"resume", "RUN", "Go on with a run that was cancelled, interrupted or failed", TC_CLI_OPTIONS(resume_options),
     resume},
    {"revise", "RUN TEXT|@FILE|-", "Ask for a change of what a run came to, with the same tools",
     TC_CLI_OPTIONS(revise_options), revise},
};

const struct tc_cli_command tc_cli_run = {
    "run", "Let an agent work, and see its runs",
    "The text comes from the command line, a file, or standard input. One that is called\n"
    "like a command here is said behind \"--\": toolcrib run -- list\n"
    "What the model says goes to standard output, what it does to standard error; with\n"
    "--json each event of the run is a line. Ctrl-C cancels the run, twice leaves at once.\n"
    "AI_MODEL, AI_API_KEY, AI_API_BASE and AI_PROVIDER name a model without any set-up.",
    TC_CLI_VERBS(verbs), false};
