/*
 * Tables of runs and of what happened in one, also while it happens.
 */
#include "cli/run_journal.h"

#include "cli/output.h"
#include "cli/run_follow.h"
#include "cli/table.h"

enum { PAGE_MAX = 200, RUNS_DEFAULT = 20, EVENTS_MAX = 500, EVENTS_DEFAULT = 100, EVENT_MAX = 64 * 1024 * 1024 };

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

enum tc_err tc_cli_run_get(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_row)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};

    return tc_cli_get(cx, cli, "/admin/run/info", query, ret_row);
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
    const struct tc_json *row;
    enum tc_err e = tc_cli_run_get(cx, cli, &row);

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

static enum tc_err read_after(struct tc_cx *cx, const struct tc_cli *cli, int64_t *ret_after)
{
    struct tc_str text = tc_cli_value(cli, "after");

    *ret_after = 0;
    if (text.p && (!tc_str_int(text, ret_after) || *ret_after < 0))
        return tc_fail(cx, TC_E_USAGE, "--after takes the number of an event, not \"%.*s\".", TC_STR_ARG(text));
    return TC_OK;
}

/* Those after --after, else the last ones: before a number that none has. */
static enum tc_err get_events(struct tc_cx *cx, struct tc_cli *cli, int64_t after, int64_t limit,
                              const struct tc_json **ret_events)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kint(&body.w, "limit", limit);
    if (tc_cli_has(cli, "after"))
        tc_jsonw_kint(&body.w, "after", after);
    else
        tc_jsonw_kint(&body.w, "before", 1000000000);
    return tc_cli_post(cx, cli, "/admin/run/events", &body, ret_events);
}

static void write_json(struct tc_cli *cli, const struct tc_json *event)
{
    tc_json_print(&cli->out, event);
    tc_buf_char(&cli->out, '\n');
}

static enum tc_err list_events(struct tc_cx *cx, struct tc_cli *cli, int64_t after, int64_t limit)
{
    const struct tc_json *events, *event;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = get_events(cx, cli, after, limit, &events);

    if (e)
        return e;
    tc_cli_table_init(&table, cx->arena, "EVENT|AT|TYPE|DATA");
    for (it = tc_json_iter(events); tc_json_next(&it, NULL, &event);) {
        if (cli->json) { /* a line each, as they come while a run is watched */
            write_json(cli, event);
            continue;
        }
        tc_cli_table_add(&table, member(cx, event, "seq"));
        tc_cli_table_add(&table, member(cx, event, "at"));
        tc_cli_table_add(&table, member(cx, event, "type"));
        tc_cli_table_add(&table, member(cx, event, "data"));
    }
    return cli->json ? TC_OK : tc_cli_rows(cx, cli, &table);
}

/* --- events as they come --- */

/* A row whose columns are as wide as they may become. Pieces of a text have no number:
 * the whole text is an event as well. */
static void write_event(struct tc_cli *cli, const struct tc_json *event)
{
    struct tc_str at = tc_json_str(tc_json_get_c(event, "at")), type = tc_json_str(tc_json_get_c(event, "type"));
    size_t before = 5 + 2 + 24 + 2 + 24 + 2;
    struct tc_buf data, line;
    int64_t seq;

    if (!tc_json_int(tc_json_get_c(event, "seq"), &seq))
        return;
    if (cli->json) {
        write_json(cli, event);
        return;
    }
    tc_buf_init(&data, EVENT_MAX);
    tc_buf_init(&line, EVENT_MAX);
    tc_json_print(&data, tc_json_get_c(event, "data"));
    tc_cli_safe(&line, tc_buf_get(&data), false);
    tc_cli_print(cli, "%-5lld  %-24.*s  %-24.*s  ", (long long)seq, TC_STR_ARG(at), TC_STR_ARG(type));
    if (cli->look.width > before + 8 && tc_cli_width(tc_buf_get(&line)) > cli->look.width - before)
        tc_cli_print(cli, "%.*s…\n", TC_STR_ARG(tc_cli_head(tc_buf_get(&line), cli->look.width - before - 1)));
    else
        tc_cli_print(cli, "%.*s\n", TC_STR_ARG(tc_buf_get(&line)));
    tc_buf_finish(&data);
    tc_buf_finish(&line);
}

/* The last ones, or those after --after, and then what comes. */
static enum tc_err follow_events(struct tc_cx *cx, struct tc_cli *cli, int64_t after, int64_t limit)
{
    struct tc_run_follow what = {.watches = true, .write = write_event};
    struct tc_run_outcome outcome;
    const struct tc_json *row;
    int64_t events = 0;
    enum tc_err e = tc_cli_run_get(cx, cli, &row);

    if (e)
        return e;
    tc_json_int(tc_json_get_c(row, "events"), &events);
    what.id = member(cx, row, "id");
    what.after = tc_cli_has(cli, "after") ? after : events > limit ? events - limit : 0;
    if (what.after >= events && !tc_json_is(tc_json_get_c(row, "endedAt"), TC_JSON_NULL))
        return TC_OK; /* nothing comes any more */
    e = tc_run_follow(cx, cli, &what, &outcome);
    if (!e && outcome.left)
        cli->code = TC_CLI_INTERRUPTED;
    return e;
}

enum tc_err tc_cli_run_events(struct tc_cx *cx, struct tc_cli *cli)
{
    int64_t limit, after;
    enum tc_err e = tc_cli_limit(cx, cli, EVENTS_DEFAULT, EVENTS_MAX, &limit);

    if (!e)
        e = read_after(cx, cli, &after);
    if (e)
        return e;
    return tc_cli_has(cli, "follow") ? follow_events(cx, cli, after, limit) : list_events(cx, cli, after, limit);
}

const struct tc_cli_option tc_cli_run_list_options[5] = {
    {"agent", "AGENT", "Runs of this agent", false},
    {"status", "running|waiting|completed|partial_success|failed|cancelled|interrupted", "Runs in this state", false},
    {"tape", "TAPE", "Runs on this tape", false},
    {"search", "TEXT", "Runs with this in their id, agent or model", false},
    {"limit", "N", "That many, at most 200 (default 20)", false},
};

const struct tc_cli_option tc_cli_run_events_options[3] = {
    {"follow", NULL, "Go on with what comes until the run ends", false},
    {"after", "N", "Events after this number (default: the last ones)", false},
    {"limit", "N", "That many, at most 500 (default 100)", false},
};
