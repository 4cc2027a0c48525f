/*
 * The address of a login goes to standard output, on a line of its own, for people
 * and for whatever follows redirects. Then this waits: the browser comes back to
 * the daemon, or, where it cannot reach this machine, somebody types in the address
 * at which it ended.
 */
#include "cli/mcp_login.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/output.h"
#include "cli/pipe.h"
#include "cli/request.h"
#include "io/process.h"

enum { WAIT_S = 20, KEY_MAX = 64 * 1024 };

static struct tc_str member(struct tc_cx *cx, const struct tc_json *object, const char *key)
{
    return tc_cli_member(cx->arena, object, key);
}

/* --- beginning --- */

static enum tc_err write_credentials(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w)
{
    struct tc_str path = tc_cli_value(cli, "private-key"), secret = TC_STR(""), key = TC_STR("");
    enum tc_err e = TC_OK;

    if (tc_cli_has(cli, "client-secret-stdin"))
        e = tc_cli_read_secret(cx, "Client secret (not shown): ", &secret);
    if (!e && path.p)
        e = tc_cli_read_file(cx, path, KEY_MAX, &key);
    if (e)
        return e;
    tc_jsonw_kopt(w, "clientId", tc_cli_value(cli, "client-id"));
    tc_jsonw_kopt(w, "clientSecret", secret);
    tc_jsonw_kopt(w, "privateKey", key);
    if (tc_cli_has(cli, "client-credentials"))
        tc_jsonw_kbool(w, "clientCredentials", true);
    return TC_OK;
}

/* Every --scope, one after the other. */
static enum tc_err write_scope(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w)
{
    struct tc_str scope = TC_STR(""), each;
    size_t at = 0;

    while (tc_cli_next(cli, "scope", &at, &each)) {
        scope = tc_arena_printf(cx->arena, "%.*s%s%.*s", TC_STR_ARG(scope), scope.n ? " " : "", TC_STR_ARG(each));
        if (!scope.p)
            return tc_fail_memory(cx);
    }
    tc_jsonw_kopt(w, "scope", scope);
    return TC_OK;
}

static enum tc_err begin(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **ret_login)
{
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kopt(&body.w, "agent", tc_cli_value(cli, "agent"));
    tc_jsonw_kopt(&body.w, "issuer", tc_cli_value(cli, "issuer"));
    e = write_credentials(cx, cli, &body.w);
    if (!e)
        e = write_scope(cx, cli, &body.w);
    if (e) {
        tc_cli_body_finish(&body);
        return e;
    }
    cli->timeout_ms = -1;
    return tc_cli_post(cx, cli, "/admin/mcp/login", &body, ret_login);
}

/* --- the browser --- */

static bool has_desktop(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

    return (x && *x) || (wayland && *wayland);
}

/* Whether it worked is seen by whether somebody comes back. */
static void open_browser(struct tc_cx *cx, struct tc_str url)
{
    const char *argv[] = {"xdg-open", tc_arena_cstr(cx->arena, url), NULL};
    struct tc_process_options options = {.argv = argv, .fds = {-1, -1, -1, -1}, .own_group = true};
    struct tc_process *process;
    int status;

    if (!argv[1])
        return;
    if (tc_process_spawn(cx, tc_task_loop(cx), &options, &process) == TC_OK) {
        tc_process_wait(cx, process, 5000, &status);
        tc_process_destroy(process);
    }
    tc_fail_clear(cx);
}

static enum tc_err show(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json *login)
{
    struct tc_str url = member(cx, login, "url"), text;
    bool watched = isatty(STDERR_FILENO);
    enum tc_err e;

    if (cli->json) {
        text = tc_json_text(cx->arena, login);
        tc_cli_print(cli, "%.*s\n", TC_STR_ARG(text));
    } else {
        if (cli->look.terminal)
            tc_cli_print(cli, "Open this address to log in:\n\n");
        tc_cli_print(cli, "%.*s\n", TC_STR_ARG(url));
        if (cli->look.terminal)
            tc_cli_print(cli, "\n");
    }
    e = tc_cli_flush(cx, cli);
    if (!e && watched && cli->look.terminal && !tc_cli_has(cli, "no-browser") && has_desktop())
        open_browser(cx, url);
    return e;
}

/* --- waiting --- */

struct waiting {
    struct tc_cli *cli;
    struct tc_str id;
    const struct tc_json *login; /* the last word on it */
    struct tc_task_group *readers;
    struct tc_error fault; /* of asking */
    enum tc_err failed;
    struct tc_arena *arena; /* of the run: the tasks' own end with them */
};

static enum tc_err ask(struct tc_cx *cx, struct waiting *w, bool *ret_over)
{
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "login", w->id);
    tc_jsonw_kint(&body.w, "seconds", WAIT_S);
    e = tc_cli_post(cx, w->cli, "/admin/mcp/loginWait", &body, &w->login);
    *ret_over = e || !tc_str_is(member(cx, w->login, "state"), "waiting");
    return e;
}

static void bring(struct tc_cx *cx, struct waiting *w, struct tc_str line)
{
    const struct tc_json *answer;
    struct tc_cli_body body;

    if (tc_str_trim(line).n == 0)
        return;
    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "url", line);
    if (tc_cli_post(cx, w->cli, "/admin/mcp/loginFinish", &body, &answer))
        tc_cli_note(cx, w->cli, "%.*s", TC_STR_ARG(cx->err.message));
    tc_fail_clear(cx);
}

/* Addresses that somebody types in, until the login is over. */
static void read_task(struct tc_cx *cx, void *arg)
{
    struct waiting *w = arg;
    struct tc_pipe pipe;
    struct tc_str line;

    if (tc_pipe_open(cx, &pipe))
        return;
    while (tc_pipe_read(cx, &pipe, &line) == TC_OK)
        bring(cx, w, line);
    tc_pipe_close(&pipe);
}

static enum tc_err wait_for_end(struct tc_cx *cx, struct tc_cli *cli, const struct tc_json **login)
{
    struct waiting w = {.cli = cli, .id = member(cx, *login, "login")};
    struct tc_task_group readers;
    bool over = false, typing = isatty(STDIN_FILENO);
    enum tc_err e = TC_OK;

    tc_task_group_init(&readers, tc_task_loop(cx));
    tc_cli_progress(cx, "Waiting until you have logged in%s …",
                    typing ? "; if the browser cannot come back to this machine, type in here the address at which "
                             "it ended"
                           : "");
    if (typing)
        e = tc_task_spawn(cx, tc_task_loop(cx), &readers, "address", read_task, &w);
    while (!e && !over)
        e = ask(cx, &w, &over);
    if (typing) {
        struct tc_error fault = cx->err;

        tc_task_group_cancel(&readers, TC_E_CANCELED);
        tc_task_join(cx, &readers);
        cx->err = fault;
    }
    *login = w.login;
    if (e || !tc_str_is(member(cx, w.login, "state"), "failed"))
        return e;
    tc_fail(cx, TC_E_MCP_AUTHORIZATION, "%.*s", TC_STR_ARG(member(cx, w.login, "message")));
    return member(cx, w.login, "hint").n ? tc_fail_hint(cx, "%.*s", TC_STR_ARG(member(cx, w.login, "hint")))
                                         : TC_E_MCP_AUTHORIZATION;
}

/* --- the commands --- */

struct tc_str tc_cli_mcp_logins(struct tc_cx *cx, const struct tc_json *server)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(server, "logins"));
    struct tc_str text = TC_STR(""), state, agent;
    const struct tc_json *login;

    while (text.p && tc_json_next(&it, NULL, &login)) {
        state = member(cx, login, "state");
        agent = member(cx, login, "agent");
        text = tc_arena_printf(cx->arena, "%.*s%s%.*s%s%.*s%s", TC_STR_ARG(text), text.n ? ", " : "", TC_STR_ARG(state),
                               agent.n ? " (" : "", TC_STR_ARG(agent), agent.n ? ")" : "");
    }
    return text;
}

/* Does the login get us in? The tools are listed now, so that it is seen here. */
static enum tc_err connect(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *server;
    enum tc_err e;

    tc_cli_progress(cx, "Connecting to %.*s …", TC_STR_ARG(tc_cli_operand(cli, 0)));
    e = tc_cli_post_id(cx, cli, "/admin/mcp/test", tc_cli_operand(cli, 0), &server);
    if (e == TC_E_MCP_SERVER_PAUSED) {
        tc_fail_clear(cx);
        tc_cli_note(cx, cli, "The server is paused: toolcrib mcp resume %.*s", TC_STR_ARG(tc_cli_operand(cli, 0)));
        return TC_OK;
    }
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, server);
    else
        tc_cli_print(cli, "%zu tools\n", tc_json_count(tc_json_get_c(server, "tools")));
    return TC_OK;
}

enum tc_err tc_cli_mcp_login(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *login;
    struct tc_str agent, scope;
    enum tc_err e = begin(cx, cli, &login);

    if (!e && tc_str_is(member(cx, login, "state"), "waiting")) {
        e = show(cx, cli, login);
        if (!e)
            e = wait_for_end(cx, cli, &login);
    }
    if (e)
        return e;
    agent = member(cx, login, "agent");
    scope = member(cx, login, "scope");
    if (!cli->json)
        tc_cli_print(cli, "Logged in to %.*s%s%.*s%s%.*s\n", TC_STR_ARG(member(cx, login, "server")),
                     agent.n ? " for the agent " : "", TC_STR_ARG(agent), scope.n ? ", scope " : "", TC_STR_ARG(scope));
    e = tc_cli_flush(cx, cli);
    return e ? e : connect(cx, cli);
}

enum tc_err tc_cli_mcp_logout(struct tc_cx *cx, struct tc_cli *cli)
{
    const struct tc_json *answer;
    struct tc_cli_body body;
    enum tc_err e;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", tc_cli_operand(cli, 0));
    tc_jsonw_kopt(&body.w, "agent", tc_cli_value(cli, "agent"));
    if (tc_cli_has(cli, "all"))
        tc_jsonw_kbool(&body.w, "all", true);
    cli->timeout_ms = -1;
    e = tc_cli_post(cx, cli, "/admin/mcp/logout", &body, &answer);
    if (e)
        return e;
    if (cli->json)
        tc_cli_json(cli, answer);
    else
        tc_cli_print(cli, "Logged out of %.*s%s\n", TC_STR_ARG(tc_cli_operand(cli, 0)),
                     tc_json_bool(tc_json_get_c(answer, "revoked"), false)
                         ? "; the authorization server has revoked the tokens"
                         : "");
    return TC_OK;
}
