/*
 * toolcrib approval: calls that wait for somebody to say whether they may run.
 */
#include "cli/events.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/toolname.h"

enum { PAGE = 200 };

static struct tc_str member(struct tc_cx *cx, const struct tc_json *row, const char *key)
{
    return tc_cli_member(cx->arena, row, key);
}

static enum tc_cli_colour colour_of(struct tc_str state)
{
    if (tc_str_is(state, "waiting"))
        return TC_CLI_YELLOW;
    return tc_str_is(state, "approved") ? TC_CLI_GREEN : TC_CLI_RED;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_answer)
{
    struct tc_str agent = tc_cli_value(cli, "agent");
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kint(&body.w, "size", PAGE);
    tc_jsonw_key(&body.w, "filters");
    tc_jsonw_object(&body.w);
    if (!tc_cli_has(cli, "all"))
        tc_jsonw_kcstr(&body.w, "state", "waiting");
    tc_jsonw_kopt(&body.w, "agent", agent);
    tc_jsonw_end(&body.w);
    return tc_cli_post(cx, cli, "/admin/approval/page", &body, ret_answer);
}

static void add_row(struct tc_cx *cx, struct tc_cli_table *table, const struct tc_cli_toolnames *names,
                    const struct tc_json *row)
{
    struct tc_str state = member(cx, row, "state"), tool = tc_cli_toolname(cx, names, member(cx, row, "toolId")),
                  answer = tc_cli_show(cx->arena, tc_json_pointer(row, TC_STR("/answer/choice")));

    tc_cli_table_add(table, member(cx, row, "id"));
    tc_cli_table_add_in(table, answer.n ? answer : state, colour_of(state));
    tc_cli_table_add(table, member(cx, row, "until"));
    tc_cli_table_add(table, member(cx, row, "agent"));
    tc_cli_table_add(table, tool.n ? tool : member(cx, row, "callName"));
    tc_cli_table_add(table, member(cx, row, "arguments"));
}

/* --- watching --- */

struct watch {
    struct tc_cli *cli;
    struct tc_cli_toolnames names;
};

/* A line an event, at once. */
static enum tc_err print_event(struct tc_cx *cx, void *arg, const struct tc_json *row)
{
    struct watch *watch = arg;
    struct tc_cli *cli = watch->cli;
    struct tc_str state = member(cx, row, "state"),
                  tool = tc_cli_toolname(cx, &watch->names, member(cx, row, "toolId")),
                  comment = tc_cli_show(cx->arena, tc_json_pointer(row, TC_STR("/answer/comment")));

    if (cli->json) {
        tc_json_print(&cli->out, row);
        tc_buf_char(&cli->out, '\n');
        return tc_cli_flush(cx, cli);
    }
    tc_cli_text(cli, member(cx, row, "id"));
    tc_cli_print(cli, "  ");
    tc_cli_paint(&cli->out, &cli->look, colour_of(state), state);
    tc_cli_print(cli, "  ");
    tc_cli_text(cli, tc_arena_printf(cx->arena, "%.*s  %.*s  %.*s%s%.*s", TC_STR_ARG(member(cx, row, "agent")),
                                     TC_STR_ARG(tool.n ? tool : member(cx, row, "callName")),
                                     TC_STR_ARG(member(cx, row, "arguments")), comment.n ? "  " : "",
                                     TC_STR_ARG(comment)));
    tc_cli_print(cli, "\n");
    return tc_cli_flush(cx, cli);
}

static enum tc_err follow(struct tc_cx *cx, struct tc_cli *cli)
{
    struct watch watch = {.cli = cli};

    tc_cli_toolnames_load(cx, cli, &watch.names);
    tc_cli_progress(cx, "Waiting for questions …");
    return tc_cli_events(cx, cli, "/admin/approval/events", NULL, print_event, &watch);
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer, *row;
    struct tc_cli_toolnames names;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e;

    if (tc_cli_has(cli, "watch"))
        return follow(cx, cli);
    e = get_page(cx, cli, &answer);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, answer);
        return TC_OK;
    }
    tc_cli_toolnames_load(cx, cli, &names);
    tc_cli_table_init(&table, cx->arena, "QUESTION|ANSWER|UNTIL|AGENT|TOOL|ARGUMENTS");
    for (it = tc_json_iter(tc_json_get_c(answer, "list")); tc_json_next(&it, NULL, &row);)
        add_row(cx, &table, &names, row);
    return tc_cli_rows(cx, cli, &table);
}

/* --- one question --- */

static enum tc_err print_question(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *row)
{
    static const struct {
        const char *key, *pointer;
    } fields[] = {
        {"question", "/id"},         {"state", "/state"},        {"asked", "/at"},          {"until", "/until"},
        {"agent", "/agent"},         {"run", "/run"},            {"surface", "/surface"},   {"tool", "/toolId"},
        {"called", "/callName"},     {"arguments", "/arguments"}, {"who may", "/channels"}, {"choices", "/choices"},
        {"answer", "/answer/choice"}, {"comment", "/answer/comment"}, {"channel", "/answer/channel"},
        {"by", "/answer/by"},        {"answered", "/answer/at"}, {"call", "/auditId"},
    };

    if (cli->json) {
        tc_cli_json(cli, row);
        return TC_OK;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i].key, tc_cli_show(cx->arena, tc_json_pointer(row, tc_str_of(fields[i].pointer))));
    return TC_OK;
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *row;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/approval/info", query, &row);

    return e ? e : print_question(cx, cli, row);
}

static enum tc_err answer(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str choice = tc_cli_operand(cli, 1);
    const struct tc_json *row;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kstr(&body.w, "choice", choice);
    tc_jsonw_kopt(&body.w, "comment", tc_cli_value(cli, "comment"));
    if (!tc_str_is(choice, "once") && !tc_str_is(choice, "run") && !tc_str_is(choice, "always") &&
        !tc_str_is(choice, "no")) {
        tc_cli_body_finish(&body);
        return tc_fail(cx, TC_E_USAGE, "The answer is once, run, always or no, not \"%.*s\".", TC_STR_ARG(choice));
    }
    e = tc_cli_post(cx, cli, "/admin/approval/answer", &body, &row);
    return e ? e : print_question(cx, cli, row);
}

static const struct tc_cli_option list_options[] = {
    {"all", NULL, "Also those that are answered or over", false},
    {"agent", "AGENT", "Calls of this agent", false},
    {"watch", NULL, "Print each one that is new or answered, until interrupted", false},
};

static const struct tc_cli_option answer_options[] = {
    {"comment", "TEXT", "With a no: the model reads it", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List the calls that wait for an answer", TC_CLI_OPTIONS(list_options), list},
    {"show", "QUESTION", "Show one question", NULL, 0, show},
    {"answer", "QUESTION ANSWER", "Let a call run, or not", TC_CLI_OPTIONS(answer_options), answer},
};

const struct tc_cli_command tc_cli_approval = {
    "approval", "Answer calls that need an approval",
    "ANSWER is once (this call), run (this tool until the run ends), always (from now on,\n"
    "which changes the permission that made it ask), or no.",
    TC_CLI_VERBS(verbs), false};
