/*
 * toolcrib mcp: MCP servers, and ourselves as one over standard input and output.
 */
#include "cli/bridge.h"
#include "cli/input.h"
#include "cli/mcp_approve.h"
#include "cli/mcp_config.h"
#include "cli/mcp_login.h"
#include "cli/mcp_settings.h"
#include "cli/output.h"
#include "cli/request.h"
#include "cli/table.h"

static struct tc_str member(struct tc_cx *cx, const struct tc_json *object, const char *key)
{
    return tc_cli_member(cx->arena, object, key);
}

static enum tc_cli_colour colour_of(struct tc_str state)
{
    if (tc_str_is(state, "up") || tc_str_is(state, "idle") || tc_str_is(state, "approved"))
        return TC_CLI_GREEN;
    if (tc_str_is(state, "new"))
        return TC_CLI_YELLOW;
    return tc_str_is(state, "paused") ? TC_CLI_DIM : TC_CLI_RED;
}

static enum tc_err list(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *servers, *server;
    struct tc_cli_table table;
    struct tc_json_iter it;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/mcp/all", NULL, &servers);

    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, servers);
        return TC_OK;
    }
    tc_cli_table_init(&table, cx->arena, "SERVER|STATE|LOGIN|TOOLS|PERMISSION|AGENTS|ERROR");
    for (it = tc_json_iter(servers); tc_json_next(&it, NULL, &server);) {
        struct tc_str state = member(cx, server, "state");
        tc_cli_table_add(&table, member(cx, server, "name"));
        tc_cli_table_add_in(&table, state, colour_of(state));
        tc_cli_table_add(&table, tc_cli_mcp_logins(cx, server));
        tc_cli_table_add(&table, member(cx, tc_json_get_c(server, "counts"), "tools"));
        tc_cli_table_add(&table, member(cx, server, "permission"));
        tc_cli_table_add(&table, tc_cli_join(cx->arena, tc_json_get_c(server, "agents")));
        tc_cli_table_add(&table, member(cx, server, "error"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_tools(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *server)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(server, "tools"));
    const struct tc_json *tool;
    struct tc_cli_table table;

    tc_cli_table_init(&table, cx->arena, "TOOL|STATE|PERMISSION|DESCRIPTION");
    while (tc_json_next(&it, NULL, &tool)) {
        struct tc_str state = member(cx, tool, "state"), own = member(cx, tool, "permission");
        tc_cli_table_add(&table, member(cx, tool, "name"));
        tc_cli_table_add_in(&table, state, colour_of(state));
        tc_cli_table_add(&table, own.n ? own : member(cx, server, "permission"));
        tc_cli_table_add(&table, member(cx, tool, "description"));
    }
    return tc_cli_rows(cx, cli, &table);
}

static enum tc_err print_server(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *server)
{
    static const char *const fields[] = {
        "state",        "error",         "health",     "source", "permission", "newTools", "onChange",   "timeoutMs",
        "maxTimeoutMs", "maxConcurrent", "idleStopMs", "grants", "toolset",    "config",   "connection", "version",
    };

    if (cli->json) {
        tc_cli_json(cli, server);
        return TC_OK;
    }
    tc_cli_field(cli, "server", member(cx, server, "name"));
    tc_cli_field(cli, "label", member(cx, server, "label"));
    tc_cli_field(cli, "id", member(cx, server, "id"));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        tc_cli_field(cli, fields[i], member(cx, server, fields[i]));
    tc_cli_field(cli, "login", tc_cli_mcp_logins(cx, server));
    tc_cli_field(cli, "agents", tc_cli_join(cx->arena, tc_json_get_c(server, "agents")));
    tc_cli_print(cli, "\n");
    return print_tools(cx, cli, server);
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    const struct tc_json *server;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/mcp/info", query, &server);

    return e ? e : print_server(cx, cli, server);
}

/* --- adding --- */

static void write_choices(const struct tc_cli *cli, struct tc_jsonw *w)
{
    tc_jsonw_kopt(w, "permission", tc_cli_value(cli, "permission"));
    tc_jsonw_kopt(w, "agent", tc_cli_value(cli, "agent"));
    if (tc_cli_has(cli, "force"))
        tc_jsonw_kbool(w, "force", true);
    if (tc_cli_has(cli, "replace"))
        tc_jsonw_kbool(w, "replace", true);
}

/* Where no agent has the server's tools yet: what to type next. */
static void note_agents(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *server)
{
    if (tc_json_count(tc_json_get_c(server, "agents")) == 0)
        tc_cli_note(cx, cli, "No agent has these tools yet: toolcrib agent update default --add-toolset %.*s",
                    TC_STR_ARG(member(cx, server, "toolset")));
}

static enum tc_err add(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *server;
    struct tc_cli_body body;
    size_t n;
    enum tc_err e;

    e = tc_cli_mcp_config_check(cx, cli, true);
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "name", tc_cli_operand(cli, 0));
    e = tc_cli_mcp_config_write(cx, cli, NULL, &body.w);
    if (e) {
        tc_cli_body_finish(&body);
        return e;
    }
    write_choices(cli, &body.w);
    cli->timeout_ms = -1; /* a server may install itself first; the daemon has its own limit */
    if (cli->rest_n)
        tc_cli_progress(cx, "Starting %.*s …", TC_STR_ARG(cli->rest[0]));
    else
        tc_cli_progress(cx, "Connecting to %.*s …", TC_STR_ARG(tc_cli_operand(cli, 0)));
    e = tc_cli_post(cx, cli, "/admin/mcp/create", &body, &server);
    if (e)
        return e;
    if (cli->json) {
        tc_cli_json(cli, server);
        return TC_OK;
    }
    n = tc_json_count(tc_json_get_c(server, "tools"));
    tc_cli_print(cli, "%.*s is %.*s, with %zu tool%s\n\n", TC_STR_ARG(member(cx, server, "name")),
                 TC_STR_ARG(member(cx, server, "state")), n, n == 1 ? "" : "s");
    tc_cli_field(cli, "error", member(cx, server, "error"));
    e = print_tools(cx, cli, server);
    if (!e)
        e = tc_cli_flush(cx, cli);
    if (!e)
        note_agents(cx, cli, server);
    return e;
}

/* One line a server; the first that failed gives the exit code. */
static enum tc_err print_imported(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *answer)
{
    struct tc_json_iter it = tc_json_iter(answer);
    const struct tc_json *server;
    struct tc_cli_table table;

    tc_cli_table_init(&table, cx->arena, "SERVER|STATE|TOOLS|ERROR");
    while (tc_json_next(&it, NULL, &server)) {
        const struct tc_json *error = tc_json_get_c(server, "error");
        enum tc_err code = tc_err_find(tc_json_str(tc_json_get_c(error, "code")));
        if (error && !cli->code)
            cli->code = tc_err_info(code ? code : TC_E_INTERNAL)->exit_code;
        tc_cli_table_add(&table, member(cx, server, "name"));
        tc_cli_table_add_in(&table, error ? TC_STR("failed") : TC_STR("added"), error ? TC_CLI_RED : TC_CLI_GREEN);
        tc_cli_table_add(&table, member(cx, server, "tools"));
        tc_cli_table_add(&table, tc_arena_printf(cx->arena, "%.*s %.*s", TC_STR_ARG(member(cx, error, "message")),
                                                 TC_STR_ARG(member(cx, error, "hint"))));
    }
    if (!cli->json)
        return tc_cli_rows(cx, cli, &table);
    tc_cli_json(cli, answer);
    return TC_OK;
}

static enum tc_err import(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *document, *block, *answer;
    struct tc_cli_body body;
    enum tc_err e = tc_cli_read_json(cx, tc_cli_operand(cli, 0), &document);

    if (!e)
        e = tc_cli_mcp_config_block(cx, document, &block);
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kvalue(&body.w, "mcpServers", block);
    write_choices(cli, &body.w);
    cli->timeout_ms = -1;
    tc_cli_progress(cx, "Starting %zu servers …", tc_json_count(block));
    e = tc_cli_post(cx, cli, "/admin/mcp/import", &body, &answer);
    if (e)
        return e;
    e = print_imported(cx, cli, answer);
    if (!e)
        e = tc_cli_flush(cx, cli);
    if (!e && !tc_cli_has(cli, "agent"))
        tc_cli_note(cx, cli, "Give an agent their tools: toolcrib agent update AGENT --add-toolset mcp-SERVER");
    return e;
}

/* --- changing --- */

static enum tc_err update(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_cli_query query[] = {{"id", tc_cli_operand(cli, 0)}, {NULL, {NULL, 0}}};
    bool config = tc_cli_mcp_config_given(cli);
    const struct tc_json *server;
    struct tc_cli_body body;
    enum tc_err e;

    if (!config && !tc_cli_mcp_settings_given(cli) && !tc_cli_has(cli, "label"))
        return tc_fail(cx, TC_E_USAGE, "Say what to change.");
    e = tc_cli_mcp_config_check(cx, cli, false);
    if (e)
        return e;
    e = tc_cli_get(cx, cli, "/admin/mcp/info", query, &server);
    if (e)
        return e;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    if (tc_cli_has(cli, "label"))
        tc_jsonw_kstr(&body.w, "label", tc_cli_value(cli, "label"));
    if (config)
        e = tc_cli_mcp_config_write(cx, cli, tc_json_get_c(server, "config"), &body.w);
    if (!e && tc_cli_mcp_settings_given(cli))
        e = tc_cli_mcp_settings_write(cx, cli, &body.w);
    if (e) {
        tc_cli_body_finish(&body);
        return e;
    }
    tc_jsonw_kvalue(&body.w, "version", tc_json_get_c(server, "version"));
    cli->timeout_ms = -1;
    e = tc_cli_post(cx, cli, "/admin/mcp/update", &body, &server);
    return e ? e : print_server(cx, cli, server);
}

static enum tc_err act(struct tc_cx *cx, struct tc_cli *cli, const char *path)
{
    const struct tc_json *server;
    enum tc_err e;

    cli->timeout_ms = -1;
    e = tc_cli_post_id(cx, cli, path, tc_cli_operand(cli, 0), &server);
    return e ? e : print_server(cx, cli, server);
}

static enum tc_err test(struct tc_cx *cx, struct tc_cli *cli)
{
    tc_cli_progress(cx, "Connecting to %.*s …", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return act(cx, cli, "/admin/mcp/test");
}

static enum tc_err pause_one(struct tc_cx *cx, struct tc_cli *cli)
{
    return act(cx, cli, "/admin/mcp/pause");
}

static enum tc_err resume(struct tc_cx *cx, struct tc_cli *cli)
{
    return act(cx, cli, "/admin/mcp/resume");
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    enum tc_err e = tc_cli_post_id(cx, cli, "/admin/mcp/remove", tc_cli_operand(cli, 0), &answer);

    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Removed server %.*s\n", TC_STR_ARG(tc_cli_operand(cli, 0)));
    return TC_OK;
}

static enum tc_err approve(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *server;
    bool done;
    enum tc_err e = tc_cli_mcp_approve(cx, cli, &done, &server);

    return e || !done ? e : print_server(cx, cli, server);
}

/* --- ourselves --- */

/* A wrong agent is told now, where the host's log shows it. */
static enum tc_err serve(struct tc_cx *cx, struct tc_cli *cli)
{
    struct tc_str agent = tc_cli_value(cli, "agent");
    const struct tc_cli_query query[] = {{"id", agent.p ? agent : TC_STR("default")}, {NULL, {NULL, 0}}};
    const struct tc_json *known;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/agent/info", query, &known);

    return e ? e : tc_bridge_run(cx, cli, query[0].value);
}

#define PERMISSION {"permission", "allow|ask|off", "What its tools may (default: allow)", false}
#define ENV {"env", "NAME=VALUE", "In the environment of the command", true}
#define CWD {"cwd", "DIR", "Where the command runs (default: the data folder)", false}
#define URL {"url", "URL", "Where the server is reached over HTTP", false}
#define TRANSPORT {"transport", "http|sse", "How it speaks there (default: found out)", false}
#define HEADER {"header", "NAME=VALUE", "With every request to it; ${VAR} takes variables of mcp.env", true}
#define OWN_NETWORK {"own-network", NULL, "Its name may lead to an address that is not public", false}
#define INCLUDE {"include", "GLOB", "Only its tools that match (empty: all)", true}
#define EXCLUDE {"exclude", "GLOB", "None of its tools that match (empty: none is left out)", true}
#define AGENT {"agent", "AGENT", "Give its tools to this agent", false}
#define FORCE {"force", NULL, "Save it, paused, also when it does not start", false}
#define REPLACE {"replace", NULL, "In place of another one of that name", false}

static const struct tc_cli_option add_options[] = {AGENT,     PERMISSION, URL, TRANSPORT, HEADER,
                                                   OWN_NETWORK, ENV,      CWD, INCLUDE,   EXCLUDE, FORCE, REPLACE};
static const struct tc_cli_option import_options[] = {AGENT, PERMISSION, FORCE, REPLACE};
static const struct tc_cli_option update_options[] = {
    {"label", "TEXT", "What people read; the name stays", false},
    TC_CLI_MCP_SETTINGS,
    INCLUDE,
    EXCLUDE,
    URL,
    TRANSPORT,
    HEADER,
    OWN_NETWORK,
    ENV,
    CWD,
};
static const struct tc_cli_option approve_options[] = {
    {"yes", NULL, "Without asking", false},
};
static const struct tc_cli_option login_options[] = {
    {"agent", "AGENT", "For this agent alone, at a server with grants: agent", false},
    {"scope", "SCOPE", "Ask for this, not for what the server wants", true},
    {"client-id", "ID", "As this client, which you have registered there", false},
    {"client-secret-stdin", NULL, "Its secret comes on standard input", false},
    {"private-key", "FILE", "Its private key in PEM, in place of a secret", false},
    {"client-credentials", NULL, "As the client itself, without a person", false},
    {"issuer", "URL", "At this authorization server, which may be on a private address", false},
    {"no-browser", NULL, "Only print the address", false},
};
static const struct tc_cli_option logout_options[] = {
    {"agent", "AGENT", "The login of this agent", false},
    {"all", NULL, "Every login at this server", false},
};
static const struct tc_cli_option serve_options[] = {
    {"agent", "AGENT", "As this agent (default: default)", false},
};

static const struct tc_cli_verb verbs[] = {
    {"list", NULL, "List all servers", NULL, 0, list},
    {"show", "NAME", "Show one server and its tools", NULL, 0, show},
    {"add", "NAME [-- COMMAND [ARG...]]", "Connect to a server (--url) or start one, check its tools, keep it",
     TC_CLI_OPTIONS(add_options), add},
    {"import", "FILE", "Add the servers of another client's configuration (- is standard input)",
     TC_CLI_OPTIONS(import_options), import},
    {"update", "NAME [-- COMMAND [ARG...]]", "Change command or URL, environment, headers or settings",
     TC_CLI_OPTIONS(update_options), update},
    {"test", "NAME", "Connect and list the tools now", NULL, 0, test},
    {"login", "NAME", "Log in to a server that wants to know who calls", TC_CLI_OPTIONS(login_options),
     tc_cli_mcp_login},
    {"logout", "NAME", "Revoke and forget a login", TC_CLI_OPTIONS(logout_options), tc_cli_mcp_logout},
    {"pause", "NAME", "Stop a server; its tools are out", NULL, 0, pause_one},
    {"resume", "NAME", "Start it again", NULL, 0, resume},
    {"approve", "NAME [TOOL]", "Look at changed definitions and approve them", TC_CLI_OPTIONS(approve_options),
     approve},
    {"remove", "NAME", "Remove a server; its names stay its own", NULL, 0, remove_one},
    {"serve", NULL, "Be an MCP server on standard input and output", TC_CLI_OPTIONS(serve_options), serve},
};

const struct tc_cli_command tc_cli_mcp = {"mcp", "Use MCP servers, and be one", NULL, TC_CLI_VERBS(verbs), false};
