/*
 * toolcrib audit: the record of calls. A list shows the newest first; an export is
 * the daemon's, all of them, oldest first.
 */
#include "cli/events.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"
#include "cli/toolname.h"

enum { PAGE_MAX = 200, LIMIT_DEFAULT = 20 };

/* TOOL as ToolId, empty: all; one that is gone from the catalog still has its record. */
static enum tc_err read_tool(struct tc_cx *cx, struct tc_cli *cli, struct tc_str *ret_tool)
{
    struct tc_str tool = tc_cli_value(cli, "tool");
    enum tc_err e = TC_OK;

    *ret_tool = TC_STR("");
    if (tool.p)
        e = tc_cli_tool_id(cx, cli, tool, tc_cli_value(cli, "agent"), ret_tool);
    if (e == TC_E_TOOL_NOT_FOUND && tc_str_chr(tool, ':') != SIZE_MAX) {
        tc_fail_clear(cx);
        *ret_tool = tool;
        e = TC_OK;
    }
    return e;
}

/* Options and the words of the API for them. */
static const struct {
    const char *option, *filter;
} filters[] = {
    {"agent", "agent"},     {"server", "server"}, {"toolset", "toolset"}, {"state", "state"}, {"outcome", "outcome"},
    {"surface", "surface"}, {"code", "errorCode"}, {"run", "run"},        {"from", "from"},   {"to", "to"},
};
enum { FILTERS_N = sizeof filters / sizeof *filters };

static enum tc_err get_page(struct tc_cx *cx, struct tc_cli *cli, struct tc_str tool, int64_t size,
                            const struct tc_json **ret_answer)
{
    struct tc_cli_body body;
    struct tc_jsonw *w = &body.w;

    tc_cli_body_init(&body);
    tc_jsonw_kint(w, "size", size);
    tc_jsonw_kopt(w, "search", tc_cli_value(cli, "search"));
    tc_jsonw_key(w, "filters");
    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "toolId", tool);
    for (size_t i = 0; i < FILTERS_N; i++)
        tc_jsonw_kopt(w, filters[i].filter, tc_cli_value(cli, filters[i].option));
    if (tc_cli_has(cli, "errors"))
        tc_jsonw_kbool(w, "isError", true);
    tc_jsonw_end(w);
    return tc_cli_post(cx, cli, "/admin/audit/page", &body, ret_answer);
}

static void add_row(struct tc_cx *cx, struct tc_cli_table *table, const struct tc_cli_toolnames *names,
                    const struct tc_json *row)
{
    const struct tc_json *result = tc_json_get_c(row, "result");
    struct tc_str state = tc_cli_member(cx->arena, row, "state"), error = tc_cli_member(cx->arena, result, "errorCode"),
                  tool = tc_cli_toolname(cx, names, tc_cli_member(cx->arena, row, "toolId")), shown = state;
    bool failed = tc_json_bool(tc_json_get_c(result, "isError"), false);
    int64_t total = 0;

    if (tc_str_is(state, "done"))
        shown = !failed ? TC_STR("ok") : error.n ? error : TC_STR("error");
    tc_json_int(tc_json_pointer(row, TC_STR("/timing/totalUs")), &total);
    tc_cli_table_add(table, tc_cli_member(cx->arena, row, "id"));
    tc_cli_table_add(table, tc_cli_member(cx->arena, row, "at"));
    tc_cli_table_add(table, tc_cli_member(cx->arena, row, "agent"));
    tc_cli_table_add(table, tool.n ? tool : tc_cli_member(cx->arena, row, "callName"));
    tc_cli_table_add_in(table, shown,
                        failed ? TC_CLI_RED : tc_str_is(state, "done") ? TC_CLI_GREEN : TC_CLI_YELLOW);
    tc_cli_table_add(table, tc_arena_printf(cx->arena, "%lld.%03lld ms", (long long)(total / 1000),
                                            (long long)(total % 1000)));
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer, *row;
    struct tc_str tool;
    int64_t size;
    struct tc_cli_toolnames names;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_limit(cx, cli, LIMIT_DEFAULT, PAGE_MAX, &size);

    if (!e)
        e = read_tool(cx, cli, &tool);
    if (!e)
        e = get_page(cx, cli, tool, size, &answer);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, answer);
        return TC_OK;
    }
    tc_cli_toolnames_load(cx, cli, &names);
    tc_cli_table_init(&table, cx->arena, "CALL|AT|AGENT|TOOL|OUTCOME|TIME");
    for (it = tc_json_iter(tc_json_get_c(answer, "list")); tc_json_next(&it, NULL, &row);)
        add_row(cx, &table, &names, row);
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    static const struct {
        const char *key, *pointer;
    } fields[] = {
        {"call", "/id"},           {"at", "/at"},
        {"state", "/state"},       {"surface", "/surface"},
        {"principal", "/principal/kind"}, {"", "/principal/id"},
        {"as admin", "/asAdmin"},  {"agent", "/agent"},
        {"run", "/run"},           {"call id", "/callId"},
        {"tool", "/toolId"},       {"called", "/callName"},
        {"raw", "/arguments/raw"}, {"arguments", "/arguments/canonical"},
        {"repair", "/arguments/repair"}, {"verdicts", "/verdicts"},
        {"approval", "/approval"}, {"timing", "/timing"},
        {"result", "/result"},     {"effect", "/effect"},
        {"snapshot", "/snapshot"},
    };
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *row;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/audit/info", query, &row);

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

static enum tc_err export(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_cli_query query[FILTERS_N + 5] = {{"format", tc_cli_value(cli, "format")},
                                                {"search", tc_cli_value(cli, "search")},
                                                {"isError", tc_cli_has(cli, "errors") ? TC_STR("true") : TC_STR("")}};
    struct tc_str tool;
    enum tc_err e = read_tool(cx, cli, &tool);

    query[3] = (struct tc_cli_query){"toolId", tool};
    for (size_t i = 0; i < FILTERS_N; i++)
        query[4 + i] = (struct tc_cli_query){filters[i].filter, tc_cli_value(cli, filters[i].option)};
    return e ? e : tc_cli_copy(cx, cli, "/admin/audit/export", query);
}

#define FILTERS                                                                                                        \
    {"agent", "AGENT", "Calls of this agent", false}, {"tool", "TOOL", "Calls of this tool", false},                   \
        {"server", "NAME", "Calls of this server's tools", false},                                                     \
        {"toolset", "NAME", "Calls of this toolset's tools", false},                                                   \
        {"state", "intent|done|unknown", "Calls in this state", false},                                                \
        {"outcome", "ok|error|refused|unknown|open", "Calls that ended so", false},                                    \
        {"surface", "mcp|rest|cli|ui|run", "Calls that came this way", false},                                         \
        {"code", "CODE", "Calls whose error begins with this", false}, {"run", "RUN", "Calls of this run", false},     \
        {"from", "TIME", "Calls at this time or later, such as 2026-11-29T22:36", false},                              \
        {"to", "TIME", "Calls before this time", false},                                                               \
        {"errors", NULL, "Calls that failed or were refused", false},                                                  \
        {"search", "TEXT", "Calls whose record has this text", false}

static const struct tc_cli_option list_options[] = {
    FILTERS,
    {"limit", "N", "That many, at most 200 (default 20)", false},
};

static const struct tc_cli_option export_options[] = {
    FILTERS,
    {"format", "jsonl|csv", "A row a line as JSON (default) or CSV", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List calls, the newest first", TC_CLI_OPTIONS(list_options), list},
    {"show", "CALL", "Show the record of one call", NULL, 0, show},
    {"export", NULL, "Print all records, the oldest first", TC_CLI_OPTIONS(export_options), export},
};

const struct tc_cli_command tc_cli_audit = {"audit", "See what was called", NULL, TC_CLI_VERBS(verbs), false};
