/*
 * A person approves what was shown: without --yes the differences come first,
 * and only a terminal can answer.
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

/* Prints what changed of the tools asked for, and counts it. */
static enum tc_err print_changes(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *server, size_t *ret_n)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(server, "tools"));
    struct tc_str only = tc_cli_operand(cli, 1);
    const struct tc_json *tool;
    size_t n = 0;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, NULL, &tool)) {
        if (!tc_str_is(tc_json_str(tc_json_get_c(tool, "state")), "changed"))
            continue;
        if (only.p && !tc_str_eq(only, tc_json_str(tc_json_get_c(tool, "name"))))
            continue;
        n++;
        if (!cli->json)
            e = print_change(cx, cli, tool);
    }
    *ret_n = n;
    return e ? e : tc_cli_flush(cx, cli);
}

/* May it be approved? False in *ret_yes: nothing to do, or no. */
static enum tc_err look_and_ask(struct tc_cx *cx, struct tc_cli *cli, bool *ret_yes)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *server;
    size_t n;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/mcp/info", query, &server);

    *ret_yes = false;
    if (!e)
        e = print_changes(cx, cli, server, &n);
    if (e)
        return e;
    if (n == 0) {
        tc_cli_note(cx, cli, "No definition is waiting for approval.");
        return TC_OK;
    }
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

enum tc_err tc_cli_mcp_approve(struct tc_cx *cx, struct tc_cli *cli, bool *ret_done, const struct tc_json **ret_server)
{
    struct tc_cli_body body;
    bool yes = tc_cli_has(cli, "yes");
    enum tc_err e = yes ? TC_OK : look_and_ask(cx, cli, &yes);

    *ret_done = false;
    if (e || !yes)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kopt(&body.w, "tool", tc_cli_operand(cli, 1));
    e = tc_cli_post(cx, cli, "/admin/mcp/approve", &body, ret_server);
    *ret_done = !e;
    return e;
}
