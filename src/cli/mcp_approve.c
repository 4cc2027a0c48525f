/*
 * What is approved is what was shown: each tool with the hash of the definition
 * that was looked at. Without --yes only a terminal can answer.
 */
#include "cli/mcp_approve.h"

#include <unistd.h>

#include "cli/diff.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/request.h"

enum { PRETTY_MAX = 16 * 1024 * 1024 };

static struct tc_str pretty(struct tc_cx *cx, const struct tc_json *value)
{
    struct tc_str text;
    struct tc_buf buf;

    if (!value || tc_json_is(value, TC_JSON_NULL))
        return TC_STR("");
    tc_buf_init(&buf, PRETTY_MAX);
    tc_json_print_pretty(&buf, value);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}

static enum tc_err print_change(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *tool)
{
    struct tc_str before = pretty(cx, tc_json_get_c(tool, "approved")), now = pretty(cx, tc_json_get_c(tool, "now"));
    enum tc_err e;

    if (!before.p || !now.p)
        return tc_fail_memory(cx);
    tc_cli_field(cli, "changed", tc_json_str(tc_json_get_c(tool, "name")));
    e = tc_cli_diff(cx, before, now, &cli->look, &cli->out);
    tc_cli_print(cli, "\n");
    return e;
}

/* Is this one of the tools that wait, and that are asked for? */
static bool waits(const struct tc_cli *cli, const struct tc_json *tool)
{
    struct tc_str only = tc_cli_operand(cli, 1);

    return tc_str_is(tc_json_str(tc_json_get_c(tool, "state")), "changed") &&
           (!only.p || tc_str_eq(only, tc_json_str(tc_json_get_c(tool, "name"))));
}

static enum tc_err check_tool(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *server)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(server, "tools"));
    struct tc_str only = tc_cli_operand(cli, 1);
    const struct tc_json *tool;

    while (only.p && tc_json_next(&it, NULL, &tool))
        if (tc_str_eq(only, tc_json_str(tc_json_get_c(tool, "name"))))
            return TC_OK;
    if (!only.p)
        return TC_OK;
    tc_fail(cx, TC_E_TOOL_NOT_FOUND, "The server \"%.*s\" has no tool \"%.*s\".", TC_STR_ARG(tc_cli_operand(cli, 0)),
            TC_STR_ARG(only));
    return tc_fail_hint(cx, "toolcrib mcp show %.*s lists its tools.", TC_STR_ARG(tc_cli_operand(cli, 0)));
}

/* Prints what changed, and counts it. */
static enum tc_err print_changes(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *server, size_t *ret_n)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(server, "tools"));
    const struct tc_json *tool;
    size_t n = 0;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, NULL, &tool)) {
        if (!waits(cli, tool))
            continue;
        n++;
        if (!cli->json)
            e = print_change(cx, cli, tool);
    }
    *ret_n = n;
    return e ? e : tc_cli_flush(cx, cli);
}

/* May what was printed be approved? */
static enum tc_err ask(struct tc_cx *cx, struct tc_cli *cli, size_t n, bool *ret_yes)
{
    enum tc_err e;

    if (!isatty(STDIN_FILENO)) {
        tc_fail(cx, TC_E_USAGE, "%zu changed definition%s shown and not approved: nobody can be asked.", n,
                n == 1 ? " was" : "s were");
        return tc_fail_hint(cx, "Use --yes after looking at them.");
    }
    e = tc_cli_confirm(cx, n == 1 ? "Approve this definition?" : "Approve these definitions?", ret_yes);
    if (!e && !*ret_yes) {
        cli->code = 1;
        tc_cli_note(cx, cli, "Nothing was approved.");
    }
    return e;
}

static enum tc_err approve_one(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *tool,
                               const struct tc_json **ret_server)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kvalue(&body.w, "tool", tc_json_get_c(tool, "name"));
    tc_jsonw_kvalue(&body.w, "definition", tc_json_get_c(tool, "definition"));
    return tc_cli_post(cx, cli, "/admin/mcp/approve", &body, ret_server);
}

static enum tc_err approve_all(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *server,
                               const struct tc_json **ret_server)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(server, "tools"));
    const struct tc_json *tool;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, NULL, &tool))
        if (waits(cli, tool))
            e = approve_one(cx, cli, tool, ret_server);
    return e;
}

enum tc_err tc_cli_mcp_approve(struct tc_cx *cx, struct tc_cli *cli, bool *ret_done, const struct tc_json **ret_server)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    bool yes = tc_cli_has(cli, "yes");
    const struct tc_json *server;
    size_t n;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/mcp/info", query, &server);

    *ret_done = false;
    if (!e)
        e = check_tool(cx, cli, server);
    if (!e)
        e = print_changes(cx, cli, server, &n);
    if (!e && n == 0) {
        tc_cli_note(cx, cli, "No definition is waiting for approval.");
        *ret_done = cli->json;
        *ret_server = server;
    }
    if (e || n == 0)
        return e;
    if (!yes)
        e = ask(cx, cli, n, &yes);
    if (e || !yes)
        return e;
    e = approve_all(cx, cli, server, ret_server);
    *ret_done = !e;
    return e;
}
