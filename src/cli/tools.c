/*
 * toolcrib tools: the tool table, as operators see and change it.
 */
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"
#include "cli/toolname.h"

static struct tc_str member(struct tc_cx *cx, const struct tc_json *tool, const char *key)
{
    return tc_cli_member(cx->arena, tool, key);
}

static const char *state_of(const struct tc_json *tool)
{
    int64_t status = 0;

    if (tc_json_bool(tc_json_get_c(tool, "detached"), false))
        return "detached";
    tc_json_int(tc_json_get_c(tool, "status"), &status);
    return status ? "enabled" : "disabled";
}

static bool contains(struct tc_cx *cx, const struct tc_json *tool, const char *key, struct tc_str text)
{
    return tc_str_find(member(cx, tool, key), text) != SIZE_MAX;
}

static bool wanted(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *tool)
{
    struct tc_str toolset = tc_cli_value(cli, "toolset"), search = tc_cli_value(cli, "search");

    if (toolset.p && !tc_str_eq(toolset, member(cx, tool, "toolset")))
        return false;
    return !search.p || contains(cx, tool, "name", search) || contains(cx, tool, "label", search) ||
           contains(cx, tool, "description", search);
}

static void print_array(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *tools)
{
    struct tc_json_iter it = tc_json_iter(tools);
    const struct tc_json *tool;
    struct tc_jsonw w;

    tc_jsonw_init(&w, &cli->out);
    tc_jsonw_array(&w);
    while (tc_json_next(&it, NULL, &tool))
        if (wanted(cx, cli, tool))
            tc_jsonw_value(&w, tool);
    tc_jsonw_end(&w);
    tc_cli_print(cli, "\n");
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *tools, *tool;
    struct tc_cli_toolnames names;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/tool/all", NULL, &tools);

    if (e)
        return e;
    if (cli->json) {
        print_array(cx, cli, tools);
        return TC_OK;
    }
    tc_cli_toolnames_load(cx, cli, &names);
    tc_cli_table_init(&table, cx->arena, "TOOL|TOOLSET|STATE|CAPABILITY|DESCRIPTION");
    for (it = tc_json_iter(tools); tc_json_next(&it, NULL, &tool);) {
        const char *state = state_of(tool);
        if (!wanted(cx, cli, tool))
            continue;
        tc_cli_table_add(&table, tc_cli_toolname(cx, &names, member(cx, tool, "name")));
        tc_cli_table_add(&table, member(cx, tool, "toolset"));
        tc_cli_table_add_in(&table, tc_str_of(state), state[0] == 'e' ? TC_CLI_GREEN : TC_CLI_DIM);
        tc_cli_table_add(&table, member(cx, tool, "capability"));
        tc_cli_table_add(&table, member(cx, tool, "description"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_tool(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *tool)
{
    static const char *const fields[] = {"label",      "toolset", "group",   "server",      "visibility",
                                         "capability", "isCore",  "canDisable", "promptHint", "defaultPromptHint",
                                         "sort",       "version", "schemaFault", "description"};

    if (cli->json) {
        tc_cli_json(cli, tool);
        return TC_OK;
    }
    tc_cli_field(cli, "tool", member(cx, tool, "name"));
    tc_cli_field(cli, "state", tc_str_of(state_of(tool)));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i], member(cx, tool, fields[i]));
    if (tc_json_is(tc_json_get_c(tool, "inputSchema"), TC_JSON_OBJECT)) {
        tc_cli_print(cli, "\n");
        tc_json_print_pretty(&cli->out, tc_json_get_c(tool, "inputSchema"));
        tc_cli_print(cli, "\n");
    }
    return TC_OK;
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *tool;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/tool/info", query, &tool);

    return e ? e : print_tool(cx, cli, tool);
}

static enum tc_err set_status(struct tc_cx *cx, struct tc_cli *cli, int status)
{
    const struct tc_json *tool;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kint(&body.w, "status", status);
    e = tc_cli_post(cx, cli, "/admin/tool/update", &body, &tool);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, tool);
    else
        tc_cli_print(cli, "%.*s is %s\n", TC_STR_ARG(member(cx, tool, "name")), state_of(tool));
    return TC_OK;
}

static enum tc_err enable(struct tc_cx *cx, struct tc_cli *cli)
{
    return set_status(cx, cli, 1);
}

static enum tc_err disable(struct tc_cx *cx, struct tc_cli *cli)
{
    return set_status(cx, cli, 0);
}

/* An empty text takes the operator's own out, so that the code's counts again. */
static void add_text(struct tc_cli_body *body, const struct tc_cli *cli, const char *option, const char *key)
{
    struct tc_str text = tc_cli_value(cli, option);

    if (text.p)
        tc_jsonw_kstr(&body->w, key, text.n ? text : tc_str_n(NULL, 0));
}

static enum tc_err update(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str sort = tc_cli_value(cli, "sort");
    const struct tc_json *tool;
    struct tc_cli_body body;
    int64_t number = 0;
    enum tc_err e;

    if (sort.p && !tc_str_int(sort, &number))
        return tc_fail(cx, TC_E_USAGE, "--sort takes a whole number, not \"%.*s\".", TC_STR_ARG(sort));
    if (cli->given_n == 0 || !(sort.p || tc_cli_has(cli, "label") || tc_cli_has(cli, "description") ||
                               tc_cli_has(cli, "hint")))
        return tc_fail(cx, TC_E_USAGE, "Say what to change: --label, --description, --hint or --sort.");
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    if (tc_cli_has(cli, "label"))
        tc_jsonw_kstr(&body.w, "label", tc_cli_value(cli, "label"));
    add_text(&body, cli, "description", "description");
    add_text(&body, cli, "hint", "promptHint");
    if (sort.p)
        tc_jsonw_kint(&body.w, "sort", number);
    e = tc_cli_post(cx, cli, "/admin/tool/update", &body, &tool);
    return e ? e : print_tool(cx, cli, tool);
}

static const struct tc_cli_option list_options[] = {
    {"toolset", "NAME", "Only tools of this toolset", false},
    {"search", "TEXT", "Only tools whose id, label or description has this text", false},
};

static const struct tc_cli_option update_options[] = {
    {"label", "TEXT", "Name shown to people", false},
    {"description", "TEXT", "Description for the model; empty: that of the code", false},
    {"hint", "TEXT", "Guidance in the prompt; empty: that of the code", false},
    {"sort", "NUMBER", "Place in lists", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List all tools", TC_CLI_OPTIONS(list_options), list},
    {"show", "TOOL", "Show one tool and its input schema", NULL, 0, show},
    {"enable", "TOOL", "Switch a tool on for all agents", NULL, 0, enable},
    {"disable", "TOOL", "Switch a tool off for all agents", NULL, 0, disable},
    {"update", "TOOL", "Change what operators may change", TC_CLI_OPTIONS(update_options), update},
};

const struct tc_cli_command tc_cli_tools = {
    "tools", "See and switch tools",
    "TOOL is a tool id (builtin:dice.roll), a call name, or mcp/<server name>:<tool>.", TC_CLI_VERBS(verbs), false};
