/*
 * What is not said stays as it is stored; values of env that the daemon does not
 * show come back as it showed them, and it keeps its own.
 */
#include "cli/mcp_config.h"

#include "cli/input.h"
#include "cli/names.h"

bool tc_cli_mcp_config_given(const struct tc_cli *cli)
{
    return cli->rest_n || tc_cli_has(cli, "env") || tc_cli_has(cli, "cwd");
}

/* "./server" is meant from here, but started elsewhere. */
static enum tc_err absolute(struct tc_cx *cx, struct tc_str command, struct tc_str *ret_command)
{
    *ret_command = command;
    if (command.p[0] == '/' || tc_str_chr(command, '/') == SIZE_MAX)
        return TC_OK;
    return tc_cli_real_path(cx, command, ret_command);
}

static enum tc_err write_command(struct tc_cx *cx, const struct tc_cli *cli, struct tc_jsonw *w)
{
    struct tc_str command;
    enum tc_err e;

    if (cli->rest[0].n == 0)
        return tc_fail(cx, TC_E_USAGE, "The command is empty.");
    e = absolute(cx, cli->rest[0], &command);
    if (e)
        return e;
    tc_jsonw_kstr(w, "command", command);
    tc_jsonw_key(w, "args");
    tc_jsonw_array(w);
    for (size_t i = 1; i < cli->rest_n; i++)
        tc_jsonw_str(w, cli->rest[i]);
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_env(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *stored,
                             struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(stored);
    const struct tc_json *value;
    struct tc_cli_names given;
    struct tc_str text, name;

    tc_cli_names_init(&given, cx->arena);
    tc_jsonw_key(w, "env");
    tc_jsonw_object(w);
    for (size_t at = 0; tc_cli_next(cli, "env", &at, &text);) {
        size_t equals = tc_str_chr(text, '=');
        if (equals == SIZE_MAX || equals == 0)
            return tc_fail(cx, TC_E_USAGE, "--env takes NAME=VALUE, not \"%.*s\".", TC_STR_ARG(text));
        name = tc_str_n(text.p, equals);
        if (tc_cli_names_has(&given, name))
            return tc_fail(cx, TC_E_USAGE, "--env gives %.*s twice.", TC_STR_ARG(name));
        tc_cli_names_add(&given, name);
        tc_jsonw_key_str(w, name);
        tc_jsonw_str(w, tc_str_from(text, equals + 1));
    }
    while (tc_json_next(&it, &name, &value)) {
        if (tc_cli_names_has(&given, name))
            continue;
        tc_jsonw_key_str(w, name);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
    return given.failed ? tc_fail_memory(cx) : TC_OK;
}

/* Members that the command line replaces. */
static bool replaced(const struct tc_cli *cli, struct tc_str key)
{
    if (tc_str_is(key, "command") || tc_str_is(key, "args"))
        return cli->rest_n > 0;
    if (tc_str_is(key, "cwd"))
        return tc_cli_has(cli, "cwd");
    return tc_str_is(key, "env");
}

enum tc_err tc_cli_mcp_config_write(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *stored,
                                    struct tc_jsonw *w)
{
    const struct tc_json *env = tc_json_get_c(stored, "env"), *value;
    struct tc_json_iter it = tc_json_iter(stored);
    struct tc_str key, cwd = tc_cli_value(cli, "cwd");
    enum tc_err e = TC_OK;

    tc_jsonw_key(w, "config");
    tc_jsonw_object(w);
    if (cli->rest_n)
        e = write_command(cx, cli, w);
    while (!e && tc_json_next(&it, &key, &value)) {
        if (replaced(cli, key))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    if (!e && (env || tc_cli_has(cli, "env")))
        e = write_env(cx, cli, env, w);
    if (!e && cwd.p)
        e = tc_cli_real_path(cx, cwd, &cwd);
    if (e)
        return e;
    if (cwd.p)
        tc_jsonw_kstr(w, "cwd", cwd);
    tc_jsonw_end(w);
    return TC_OK;
}

enum tc_err tc_cli_mcp_config_block(struct tc_cx *cx, const struct tc_json *document, const struct tc_json **ret_block)
{
    const struct tc_json *block = tc_json_get_c(document, "mcpServers"), *server;
    struct tc_json_iter it;
    struct tc_str key;

    if (!block)
        block = document;
    if (!tc_json_is(block, TC_JSON_OBJECT) || tc_json_count(block) == 0) {
        tc_fail(cx, TC_E_MCP_SERVER_INVALID, "There is no server in this document.");
        return tc_fail_hint(cx, "It must be {\"mcpServers\": {\"name\": {\"command\": …}}}, or the inner object.");
    }
    for (it = tc_json_iter(block); tc_json_next(&it, &key, &server);)
        if (!tc_json_is(server, TC_JSON_OBJECT))
            return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "The server \"%.*s\" is %s, not an object.", TC_STR_ARG(key),
                           tc_json_type_name(tc_json_type(server)));
    *ret_block = block;
    return TC_OK;
}
