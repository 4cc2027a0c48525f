/*
 * What is not said stays as it is stored; values of env and headers that the daemon
 * does not show come back as it showed them, and it keeps its own.
 */
#include "cli/mcp_config.h"

#include "cli/input.h"
#include "cli/names.h"

static const char *const over_http[] = {"url", "transport", "header", "own-network"};
enum { OVER_HTTP = sizeof over_http / sizeof *over_http };

/* The first option of a server over HTTP that was given, or NULL. */
static const char *http_given(const struct tc_cli *cli)
{
    for (size_t i = 0; i < OVER_HTTP; i++)
        if (tc_cli_has(cli, over_http[i]))
            return over_http[i];
    return NULL;
}

static bool command_given(const struct tc_cli *cli)
{
    return cli->rest_n || tc_cli_has(cli, "env") || tc_cli_has(cli, "cwd");
}

bool tc_cli_mcp_config_given(const struct tc_cli *cli)
{
    return command_given(cli) || http_given(cli) || tc_cli_has(cli, "include") || tc_cli_has(cli, "exclude");
}

enum tc_err tc_cli_mcp_config_check(struct tc_cx *cx, const struct tc_cli *cli, bool whole)
{
    const char *http = http_given(cli);

    if (http && command_given(cli)) {
        tc_fail(cx, TC_E_USAGE, "--%s is for a server that is reached by a URL, not for one that is a command.", http);
        return tc_fail_hint(cx, "Give --url, or a command after --, and what belongs to it.");
    }
    if (whole && cli->rest_n == 0 && !tc_cli_has(cli, "url"))
        return tc_fail(cx, TC_E_USAGE, "Say where the server is reached (--url URL), or what starts it: after --.");
    return TC_OK;
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

/* Where the value begins to be told: '=', for headers also ':'. 0: nowhere. */
static size_t name_end(struct tc_str text, bool headers)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '=' || (headers && text.p[i] == ':'))
            return i;
    return 0;
}

/* A header is not shown: what it says may be a secret. */
static enum tc_err fail_pair(struct tc_cx *cx, const char *option, struct tc_str text, bool headers)
{
    if (headers)
        return tc_fail(cx, TC_E_USAGE, "--%s takes NAME=VALUE.", option);
    return tc_fail(cx, TC_E_USAGE, "--%s takes NAME=VALUE, not \"%.*s\".", option, TC_STR_ARG(text));
}

/* Variables or headers: those given, and the stored ones that were not. */
static enum tc_err write_pairs(struct tc_cx *cx, const struct tc_cli *cli, const char *option,
                               const struct tc_json *stored, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(stored);
    const struct tc_json *value;
    bool headers = strcmp(option, "header") == 0;
    struct tc_cli_names given;
    struct tc_str text, name;

    tc_cli_names_init(&given, cx->arena);
    tc_jsonw_object(w);
    for (size_t at = 0; tc_cli_next(cli, option, &at, &text);) {
        size_t end = name_end(text, headers);
        if (end == 0)
            return fail_pair(cx, option, text, headers);
        name = tc_str_n(text.p, end);
        if (tc_cli_names_has(&given, name))
            return tc_fail(cx, TC_E_USAGE, "--%s gives %.*s twice.", option, TC_STR_ARG(name));
        tc_cli_names_add(&given, name);
        tc_jsonw_key_str(w, name);
        tc_jsonw_str(w, headers ? tc_str_trim(tc_str_from(text, end + 1)) : tc_str_from(text, end + 1));
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

static enum tc_err write_group(struct tc_cx *cx, const struct tc_cli *cli, const char *option,
                               const struct tc_json *stored, struct tc_jsonw *w)
{
    if (!stored && !tc_cli_has(cli, option))
        return TC_OK;
    tc_jsonw_key(w, strcmp(option, "header") == 0 ? "headers" : option);
    return write_pairs(cx, cli, option, stored, w);
}

/* A server that becomes another kind keeps nothing of the old one. */
static bool changes_kind(const struct tc_cli *cli, const struct tc_json *stored)
{
    return (cli->rest_n && !tc_json_get_c(stored, "command")) ||
           (tc_cli_has(cli, "url") && tc_json_get_c(stored, "command"));
}

/* Members that the command line replaces. */
static bool replaced(const struct tc_cli *cli, struct tc_str key)
{
    if (tc_str_is(key, "command") || tc_str_is(key, "args"))
        return cli->rest_n > 0;
    if (tc_str_is(key, "httpUrl") || tc_str_is(key, "serverUrl"))
        return tc_cli_has(cli, "url");
    if (tc_str_is(key, "type") || tc_str_is(key, "transport"))
        return tc_cli_has(cli, "transport");
    if (tc_str_is(key, "include") || tc_str_is(key, "exclude"))
        return tc_cli_has(cli, tc_str_is(key, "include") ? "include" : "exclude");
    if (tc_str_is(key, "ownNetwork"))
        return tc_cli_has(cli, "own-network");
    if (tc_str_is(key, "cwd") || tc_str_is(key, "url"))
        return tc_cli_has(cli, tc_str_is(key, "cwd") ? "cwd" : "url");
    return tc_str_is(key, "env") || tc_str_is(key, "headers");
}

static void write_kept(const struct tc_cli *cli, const struct tc_json *stored, struct tc_jsonw *w)
{
    struct tc_json_iter it = tc_json_iter(stored);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        if (replaced(cli, key))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
}

/* The option's values are the list; an empty one adds nothing, so that a list can be
 * emptied. */
static void write_globs(const struct tc_cli *cli, const char *option, struct tc_jsonw *w)
{
    struct tc_str glob;

    if (!tc_cli_has(cli, option))
        return;
    tc_jsonw_key(w, option);
    tc_jsonw_array(w);
    for (size_t at = 0; tc_cli_next(cli, option, &at, &glob);)
        if (glob.n)
            tc_jsonw_str(w, glob);
    tc_jsonw_end(w);
}

enum tc_err tc_cli_mcp_config_write(struct tc_cx *cx, const struct tc_cli *cli, const struct tc_json *stored,
                                    struct tc_jsonw *w)
{
    struct tc_str cwd = tc_cli_value(cli, "cwd");
    enum tc_err e = TC_OK;

    if (changes_kind(cli, stored))
        stored = NULL;
    tc_jsonw_key(w, "config");
    tc_jsonw_object(w);
    if (cli->rest_n)
        e = write_command(cx, cli, w);
    write_kept(cli, stored, w);
    if (!e)
        e = write_group(cx, cli, "env", tc_json_get_c(stored, "env"), w);
    if (!e)
        e = write_group(cx, cli, "header", tc_json_get_c(stored, "headers"), w);
    if (!e && cwd.p)
        e = tc_cli_real_folder(cx, cwd, &cwd);
    if (e)
        return e;
    if (cwd.p)
        tc_jsonw_kstr(w, "cwd", cwd);
    tc_jsonw_kopt(w, "url", tc_cli_value(cli, "url"));
    tc_jsonw_kopt(w, "type", tc_cli_value(cli, "transport"));
    if (tc_cli_has(cli, "own-network"))
        tc_jsonw_kbool(w, "ownNetwork", true);
    write_globs(cli, "include", w);
    write_globs(cli, "exclude", w);
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
        return tc_fail_hint(cx, "It must be {\"mcpServers\": {\"name\": {\"command\" or \"url\": …}}}, or the inner"
                                " object.");
    }
    for (it = tc_json_iter(block); tc_json_next(&it, &key, &server);)
        if (!tc_json_is(server, TC_JSON_OBJECT))
            return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "The server \"%.*s\" is %s, not an object.", TC_STR_ARG(key),
                           tc_json_type_name(tc_json_type(server)));
    *ret_block = block;
    return TC_OK;
}
