/*
 * toolcrib explain: what an agent may use now, and why not the rest.
 */
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"
#include "cli/toolname.h"

static struct tc_str member(struct tc_cx *cx, const struct tc_json *tool, const char *key)
{
    return tc_cli_member(cx->arena, tool, key);
}

/* The entry of that id or call name in the list, or NULL. */
static const struct tc_json *find(const struct tc_json *list, struct tc_str tool)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *entry;

    while (tc_json_next(&it, NULL, &entry))
        if (tc_str_eq(tc_json_str(tc_json_get_c(entry, "id")), tool) ||
            tc_str_eq(tc_json_str(tc_json_get_c(entry, "name")), tool))
            return entry;
    return NULL;
}

/* A table under way. */
struct shown {
    struct tc_cli_table table;
    struct tc_cli_toolnames names;
};

static enum tc_err begin(struct tc_cx *cx, struct tc_cli *cli, struct shown *shown)
{
    tc_cli_toolnames_load(cx, cli, &shown->names);
    tc_cli_table_init(&shown->table, cx->arena, "TOOL|TOOLSET|STATE|DETAIL");
    return tc_task_check(cx);
}

static void add_out(struct tc_cx *cx, struct shown *shown, const struct tc_json *tool, bool all)
{
    struct tc_cli_table *table = &shown->table;
    struct tc_str name = tc_cli_toolname(cx, &shown->names, member(cx, tool, "id"));
    const struct tc_json *reasons = tc_json_get_c(tool, "reasons"), *reason;
    struct tc_json_iter it = tc_json_iter(reasons);
    bool first = true;

    while (tc_json_next(&it, NULL, &reason) && (first || all)) {
        tc_cli_table_add(table, first ? name : TC_STR(""));
        tc_cli_table_add(table, first ? member(cx, tool, "toolset") : TC_STR(""));
        tc_cli_table_add_in(table, member(cx, reason, "reason"), first ? TC_CLI_RED : TC_CLI_DIM);
        tc_cli_table_add(table, member(cx, reason, "detail"));
        first = false;
    }
}

static void add_in(struct tc_cx *cx, struct shown *shown, const struct tc_json *tool)
{
    struct tc_cli_table *table = &shown->table;
    struct tc_str permission = member(cx, tool, "permission");

    tc_cli_table_add(table, tc_cli_toolname(cx, &shown->names, member(cx, tool, "id")));
    tc_cli_table_add(table, member(cx, tool, "toolset"));
    tc_cli_table_add_in(table, tc_str_is(permission, "ask") ? TC_STR("ask") : TC_STR("in"), TC_CLI_GREEN);
    tc_cli_table_add(table, tc_arena_printf(cx->arena, "as %.*s%s", TC_STR_ARG(member(cx, tool, "name")),
                                            tc_json_bool(tc_json_get_c(tool, "deferred"), false) ? ", on demand" : ""));
}

static enum tc_err print_all(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    const struct tc_json *tool;
    struct tc_json_iter it;
    struct shown shown;
    enum tc_err e = begin(cx, cli, &shown);

    if (e)
        return e;
    for (it = tc_json_iter(tc_json_get_c(answer, "tools")); tc_json_next(&it, NULL, &tool);)
        add_in(cx, &shown, tool);
    for (it = tc_json_iter(tc_json_get_c(answer, "out")); tc_json_next(&it, NULL, &tool);)
        add_out(cx, &shown, tool, false);
    e = tc_cli_rows(cx, cli, &shown.table);
    tc_cli_diagnostics(cx, cli, answer);
    return e;
}

static enum tc_err print_one(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *in,
                             const struct tc_json *out)
{
    struct shown shown;
    enum tc_err e = begin(cx, cli, &shown);

    if (e)
        return e;
    if (in)
        add_in(cx, &shown, in);
    else
        add_out(cx, &shown, out, true);
    return tc_cli_rows(cx, cli, &shown.table);
}

/* The answer with the lists cut to one tool. */
static void json_one(struct tc_cli *cli, const struct tc_json *answer, const struct tc_json *in,
                     const struct tc_json *out)
{
    struct tc_json_iter it = tc_json_iter(answer);
    const struct tc_json *value;
    struct tc_jsonw w;
    struct tc_str key;

    tc_jsonw_init(&w, &cli->out);
    tc_jsonw_object(&w);
    while (tc_json_next(&it, &key, &value)) {
        const struct tc_json *one = tc_str_is(key, "tools") ? in : out;
        tc_jsonw_key_str(&w, key);
        if (!tc_str_is(key, "tools") && !tc_str_is(key, "out")) {
            tc_jsonw_value(&w, value);
            continue;
        }
        tc_jsonw_array(&w);
        if (one)
            tc_jsonw_value(&w, one);
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    tc_cli_print(cli, "\n");
}

static enum tc_err one_tool(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer, struct tc_str tool)
{
    const struct tc_json *tools = tc_json_get_c(answer, "tools"), *all_out = tc_json_get_c(answer, "out");
    const struct tc_json *in = find(tools, tool), *out = in ? NULL : find(all_out, tool);
    struct tc_str id;
    enum tc_err e;

    if (!in && !out) {
        e = tc_cli_tool_id(cx, cli, tool, tc_cli_value(cli, "agent"), &id);
        if (e)
            return e;
        in = find(tools, id);
        out = find(all_out, id);
    }
    if (!in && !out)
        return tc_fail(cx, TC_E_TOOL_NOT_FOUND, "\"%.*s\" is known, but not there any more.", TC_STR_ARG(tool));
    if (!cli->json)
        return print_one(cx, cli, in, out);
    json_one(cli, answer, in, out);
    return TC_OK;
}

static enum tc_err explain(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str agent = tc_cli_value(cli, "agent"), tool = tc_cli_operand(cli, 0);
    const struct tc_cli_query query[] = {{"agent", agent.p ? agent : TC_STR("default")},
                                         {"style", tc_cli_value(cli, "style")},
                                         {"for", tc_cli_value(cli, "for")},
                                         {"answers", tc_cli_has(cli, "answers") ? TC_STR("true") : TC_STR("")},
                                         {NULL, {NULL, 0}}};
    const struct tc_json *answer;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/tool/explain", query, &answer);

    if (e)
        return e;
    if (tool.p)
        return one_tool(cx, cli, answer, tool);
    if (!cli->json)
        return print_all(cx, cli, answer);
    tc_cli_json(cli, answer);
    return TC_OK;
}

static const struct tc_cli_option options[] = {
    {"agent", "AGENT", "For this agent (default: default)", false},
    {"style", "mcp|server|dmr|bare", "Names in this style", false},
    {"for", "client|run", "As a client of MCP or HTTP sees it (default), or a run", false},
    {"answers", NULL, "Where somebody is there to answer questions", false},
};

static const struct tc_cli_verb verbs[] = {
    {NULL, "[TOOL]", "Say what an agent may use now, and why not the rest", TC_CLI_OPTIONS(options), explain}};

const struct tc_cli_command tc_cli_explain = {
    "explain", "Say what an agent may use, and why not the rest",
    "With TOOL all reasons of that tool. A tool that is out is no error.", TC_CLI_VERBS(verbs), false};
