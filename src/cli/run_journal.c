/*
 * Tables of runs and of what happened in one.
 */
#include "cli/run_journal.h"

#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

enum { PAGE_MAX = 200, RUNS_DEFAULT = 20, EVENTS_MAX = 500, EVENTS_DEFAULT = 100 };

static struct tc_str member(struct tc_cx *cx, const struct tc_json *row, const char *key)
{
    return tc_cli_member(cx->arena, row, key);
}

static enum tc_cli_colour colour_of(struct tc_str status)
{
    if (tc_str_is(status, "completed"))
        return TC_CLI_GREEN;
    if (tc_str_is(status, "failed"))
        return TC_CLI_RED;
    return tc_str_is(status, "cancelled") ? TC_CLI_DIM : TC_CLI_YELLOW;
}

/* --- runs --- */

static enum tc_err get_page(struct tc_cx *cx, struct tc_cli *cli, int64_t size, const struct tc_json **ret_answer)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kint(&body.w, "size", size);
    tc_jsonw_kopt(&body.w, "search", tc_cli_value(cli, "search"));
    tc_jsonw_key(&body.w, "filters");
    tc_jsonw_object(&body.w);
    tc_jsonw_kopt(&body.w, "agent", tc_cli_value(cli, "agent"));
    tc_jsonw_kopt(&body.w, "status", tc_cli_value(cli, "status"));
    tc_jsonw_kopt(&body.w, "tape", tc_cli_value(cli, "tape"));
    tc_jsonw_end(&body.w);
    return tc_cli_post(cx, cli, "/admin/run/page", &body, ret_answer);
}

enum tc_err tc_cli_run_list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer, *row;
    struct tc_cli_table table;
    struct tc_json_iter it;
    int64_t limit;
    enum tc_err e = tc_cli_limit(cx, cli, RUNS_DEFAULT, PAGE_MAX, &limit);

    if (!e)
        e = get_page(cx, cli, limit, &answer);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, answer);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "RUN|STARTED|AGENT|STATUS|STEPS|MODEL|INPUT");
    for (it = tc_json_iter(tc_json_get_c(answer, "list")); tc_json_next(&it, NULL, &row);) {
        struct tc_str status = member(cx, row, "status"), text = member(cx, tc_json_get_c(row, "input"), "text");

        tc_cli_table_add(&table, member(cx, row, "id"));
        tc_cli_table_add(&table, member(cx, row, "createdAt"));
        tc_cli_table_add(&table, member(cx, row, "agent"));
        tc_cli_table_add_in(&table, status, colour_of(status));
        tc_cli_table_add(&table, member(cx, row, "steps"));
        tc_cli_table_add(&table, member(cx, row, "model"));
        tc_cli_table_add(&table, text.n ? text : member(cx, row, "input"));
    }
    return tc_cli_rows(cx, cli, &table);
}

enum tc_err tc_cli_run_show(struct tc_cx *cx, struct tc_cli *cli)
{
    static const struct {
        const char *key, *pointer;
    } fields[] = {
        {"run", "/id"},         {"status", "/status"},     {"error", "/error/code"},   {"", "/error/message"},
        {"agent", "/agent"},    {"tape", "/tape"},         {"surface", "/surface"},    {"principal", "/principal/kind"},
        {"", "/principal/id"},  {"stage", "/stage"},       {"channel", "/channel"},    {"model", "/model"},
        {"input", "/input"},    {"usage", "/usage"},       {"steps", "/steps"},        {"events", "/events"},
        {"started", "/createdAt"}, {"changed", "/updatedAt"}, {"ended", "/endedAt"},   {"snapshot", "/snapshot"},
    };
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *row;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/run/info", query, &row);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, row);
        return TC_OK;
    }
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i].key,
                     tc_cli_show(cx->arena, tc_json_pointer(row, tc_str_of(fields[i].pointer))));
    return TC_OK;
}

/* --- events --- */

/* Those after --after, else the last ones: before a number that none has. */
static enum tc_err get_events(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_events)
{
    struct tc_str text = tc_cli_value(cli, "after");
    int64_t limit, after = 0;
    struct tc_cli_body body;
    enum tc_err e = tc_cli_limit(cx, cli, EVENTS_DEFAULT, EVENTS_MAX, &limit);

    if (e)
        return e;
    if (text.p && (!tc_str_int(text, &after) || after < 0))
        return tc_fail(cx, TC_E_USAGE, "--after takes the number of an event, not \"%.*s\".", TC_STR_ARG(text));
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kint(&body.w, "limit", limit);
    if (text.p)
        tc_jsonw_kint(&body.w, "after", after);
    else
        tc_jsonw_kint(&body.w, "before", 1000000000);
    return tc_cli_post(cx, cli, "/admin/run/events", &body, ret_events);
}

enum tc_err tc_cli_run_events(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *events, *event;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = get_events(cx, cli, &events);

    if (e)
        return e;
    tc_cli_table_init(&table, cx->arena, "EVENT|AT|TYPE|DATA");
    for (it = tc_json_iter(events); tc_json_next(&it, NULL, &event);) {
        if (cli->json) { /* a line each, as they come while a run is watched */
            tc_json_print(&cli->out, event);
            tc_buf_char(&cli->out, '\n');
            continue;
        }
        tc_cli_table_add(&table, member(cx, event, "seq"));
        tc_cli_table_add(&table, member(cx, event, "at"));
        tc_cli_table_add(&table, member(cx, event, "type"));
        tc_cli_table_add(&table, member(cx, event, "data"));
    }
    return cli->json ? TC_OK : tc_cli_rows(cx, cli, &table);
}

const struct tc_cli_option tc_cli_run_list_options[5] = {
    {"agent", "AGENT", "Runs of this agent", false},
    {"status", "running|waiting|completed|partial_success|failed|cancelled|interrupted", "Runs in this state", false},
    {"tape", "TAPE", "Runs on this tape", false},
    {"search", "TEXT", "Runs with this in their id, agent or model", false},
    {"limit", "N", "That many, at most 200 (default 20)", false},
};

const struct tc_cli_option tc_cli_run_events_options[2] = {
    {"after", "N", "Events after this number (default: the last ones)", false},
    {"limit", "N", "That many, at most 500 (default 100)", false},
};
