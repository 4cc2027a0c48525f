/*
 * Names and values as a table; options of single tools are gathered by tool.
 */
#include "cli/mcp_settings.h"

#include "cli/duration.h"
#include "cli/names.h"

enum kind { WORD, SPAN, COUNT, TEXT };

static const struct {
    const char *option, *key;
    enum kind kind;
} of_server[] = {
    {"permission", "permission", WORD},   {"new-tools", "newTools", WORD},
    {"on-change", "onChange", WORD},      {"timeout", "timeoutMs", SPAN},
    {"max-timeout", "maxTimeoutMs", SPAN}, {"max-concurrent", "maxConcurrent", COUNT},
    {"idle-stop", "idleStopMs", SPAN},    {"grants", "grants", WORD},
}, of_tool[] = {
    {"tool-permission", "permission", WORD},
    {"tool-timeout", "timeoutMs", SPAN},
    {"describe", "description", TEXT},
};
enum { OF_SERVER = sizeof of_server / sizeof *of_server, OF_TOOL = sizeof of_tool / sizeof *of_tool };

static bool tool_given(const struct tc_cli *cli)
{
    for (size_t i = 0; i < OF_TOOL; i++)
        if (tc_cli_has(cli, of_tool[i].option))
            return true;
    return false;
}

bool tc_cli_mcp_settings_given(const struct tc_cli *cli)
{
    for (size_t i = 0; i < OF_SERVER; i++)
        if (tc_cli_has(cli, of_server[i].option))
            return true;
    return tool_given(cli);
}

static enum tc_err write_value(struct tc_cx *cx, struct tc_jsonw *w, const char *option, enum kind kind,
                               struct tc_str value)
{
    int64_t number;

    if ((kind == TEXT && value.n == 0) || (kind != TEXT && tc_str_is(value, "default"))) {
        tc_jsonw_null(w);
        return TC_OK;
    }
    if (kind == SPAN && !tc_cli_duration(value, &number))
        return tc_fail(cx, TC_E_USAGE, "--%s takes a span such as 30s or 10m, or default, not \"%.*s\".", option,
                       TC_STR_ARG(value));
    if (kind == COUNT && !tc_str_int(value, &number))
        return tc_fail(cx, TC_E_USAGE, "--%s takes a number, or default, not \"%.*s\".", option, TC_STR_ARG(value));
    if (kind == SPAN || kind == COUNT)
        tc_jsonw_int(w, kind == SPAN ? number * 1000 : number);
    else
        tc_jsonw_str(w, value);
    return TC_OK;
}

/* TOOL=VALUE: names of tools have no "=". */
static enum tc_err split(struct tc_cx *cx, const char *option, struct tc_str text, struct tc_str *ret_tool,
                         struct tc_str *ret_value)
{
    size_t equals = tc_str_chr(text, '=');

    if (equals == SIZE_MAX || equals == 0)
        return tc_fail(cx, TC_E_USAGE, "--%s takes TOOL=VALUE, not \"%.*s\".", option, TC_STR_ARG(text));
    *ret_tool = tc_str_n(text.p, equals);
    *ret_value = tc_str_from(text, equals + 1);
    return TC_OK;
}

static enum tc_err collect_tools(struct tc_cx *cx, const struct tc_cli *cli, struct tc_cli_names *tools)
{
    struct tc_str text, tool, value;
    enum tc_err e = TC_OK;

    tc_cli_names_init(tools, cx->arena);
    for (size_t i = 0; i < OF_TOOL; i++)
        for (size_t at = 0; !e && tc_cli_next(cli, of_tool[i].option, &at, &text);) {
            e = split(cx, of_tool[i].option, text, &tool, &value);
            if (!e)
                tc_cli_names_add(tools, tool);
        }
    return !e && tools->failed ? tc_fail_memory(cx) : e;
}

/* The last value that is given for the tool counts. */
static enum tc_err write_tool(struct tc_cx *cx, const struct tc_cli *cli, struct tc_str name, struct tc_jsonw *w)
{
    struct tc_str text, tool, value, last;
    enum tc_err e = TC_OK;

    tc_jsonw_key_str(w, name);
    tc_jsonw_object(w);
    for (size_t i = 0; i < OF_TOOL && !e; i++) {
        last = tc_str_n(NULL, 0);
        for (size_t at = 0; !e && tc_cli_next(cli, of_tool[i].option, &at, &text);) {
            e = split(cx, of_tool[i].option, text, &tool, &value);
            if (!e && tc_str_eq(tool, name))
                last = value;
        }
        if (e || !last.p)
            continue;
        tc_jsonw_key(w, of_tool[i].key);
        e = write_value(cx, w, of_tool[i].option, of_tool[i].kind, last);
    }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err write_tools(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w)
{
    struct tc_cli_names tools;
    enum tc_err e = collect_tools(cx, cli, &tools);

    if (e)
        return e;
    tc_jsonw_key(w, "tools");
    tc_jsonw_object(w);
    for (size_t i = 0; i < tools.n && !e; i++)
        e = write_tool(cx, cli, tools.items[i], w);
    tc_jsonw_end(w);
    return e;
}

enum tc_err tc_cli_mcp_settings_write(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w)
{
    enum tc_err e = TC_OK;

    tc_jsonw_key(w, "settings");
    tc_jsonw_object(w);
    for (size_t i = 0; i < OF_SERVER && !e; i++) {
        struct tc_str value = tc_cli_value(cli, of_server[i].option);
        if (!value.p)
            continue;
        tc_jsonw_key(w, of_server[i].key);
        e = write_value(cx, w, of_server[i].option, of_server[i].kind, value);
    }
    if (!e && tool_given(cli))
        e = write_tools(cx, cli, w);
    if (!e)
        tc_jsonw_end(w);
    return e;
}
