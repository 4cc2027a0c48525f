/*
 * Reads an mcpServers entry. The keys are a table; those of other clients that
 * mean nothing here are named, not refused.
 */
#include "mcp/client/config.h"

#include "base/utf8.h"
#include "http/header.h"
#include "http/url.h"

enum { SHOWN_CHARS = 40 };

enum shape { STRING, STRINGS, VARIABLES, BOOLEAN };

/* httpUrl and serverUrl are what some clients write for url, transport for type. */
static const struct {
    const char *key;
    enum shape shape;
} keys[] = {
    {"command", STRING},    {"args", STRINGS},      {"env", VARIABLES},    {"cwd", STRING},      {"type", STRING},
    {"url", STRING},        {"headers", VARIABLES}, {"disabled", BOOLEAN}, {"include", STRINGS}, {"exclude", STRINGS},
    {"description", STRING}, {"transport", STRING}, {"httpUrl", STRING},   {"serverUrl", STRING},
    {"ownNetwork", BOOLEAN},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

static const char *const shape_names[] = {"a string without NUL", "an array of strings without NUL",
                                          "an object of strings without NUL", "true or false"};

static enum tc_err invalid(struct tc_cx *cx, const char *key, const char *sentence)
{
    tc_fail(cx, TC_E_MCP_SERVER_INVALID, "%s", sentence);
    return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%s", key));
}

/* A string that can be handed to a program. */
static bool is_text(const struct tc_json *v)
{
    return tc_json_is(v, TC_JSON_STRING) && tc_str_chr(tc_json_str(v), '\0') == SIZE_MAX;
}

static bool is_variable(struct tc_str name)
{
    return name.n > 0 && tc_str_chr(name, '=') == SIZE_MAX && tc_str_chr(name, '\0') == SIZE_MAX;
}

static bool fits(const struct tc_json *v, enum shape shape)
{
    struct tc_json_iter it;
    const struct tc_json *item;
    struct tc_str key;

    if (shape == STRING)
        return is_text(v);
    if (shape == BOOLEAN)
        return tc_json_is(v, TC_JSON_TRUE) || tc_json_is(v, TC_JSON_FALSE);
    if (!tc_json_is(v, shape == STRINGS ? TC_JSON_ARRAY : TC_JSON_OBJECT))
        return false;
    for (it = tc_json_iter(v); tc_json_next(&it, &key, &item);) {
        if (!is_text(item) || (shape == VARIABLES && !is_variable(key)))
            return false;
    }
    return true;
}

/* A value that could not be opened when the configuration was loaded. */
static bool holds_sealed(const struct tc_json *values)
{
    struct tc_json_iter it;
    const struct tc_json *item;
    struct tc_str key;

    for (it = tc_json_iter(values); tc_json_next(&it, &key, &item);) {
        if (tc_json_is(tc_json_get_c(item, "sealed"), TC_JSON_STRING))
            return true;
    }
    return false;
}

static enum tc_err fail_shape(struct tc_cx *cx, size_t at, const struct tc_json *v)
{
    if (keys[at].shape == VARIABLES && holds_sealed(v))
        tc_fail(cx, TC_E_SECRET_SEALED, "A value in \"%s\" of the server was sealed with another key: give it again.",
                keys[at].key);
    else
        tc_fail(cx, TC_E_MCP_SERVER_INVALID, "\"%s\" of a server must be %s.", keys[at].key,
                shape_names[keys[at].shape]);
    return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%s", keys[at].key));
}

/* Index in keys, or KEYS. */
static size_t find_key(struct tc_str key)
{
    size_t i = 0;

    while (i < KEYS && !tc_str_is(key, keys[i].key))
        i++;
    return i;
}

/* *ret_more: the diagnostics, with room for one a header. */
static enum tc_err check_keys(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *config,
                              struct tc_str **ret_more)
{
    size_t most = tc_json_count(block) + tc_json_count(tc_json_get_c(block, "headers")) + 1;
    struct tc_str *unknown = TC_ARENA_NEW_N(cx->arena, struct tc_str, most), key;
    struct tc_json_iter it;
    const struct tc_json *v;

    if (!unknown)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(block); tc_json_next(&it, &key, &v);) {
        size_t at = find_key(key);

        if (at < KEYS && !tc_json_is(v, TC_JSON_NULL) && !fits(v, keys[at].shape))
            return fail_shape(cx, at, v);
        if (at < KEYS)
            continue;
        unknown[config->diagnostics_n] = tc_arena_printf(cx->arena, "\"%.*s\" means nothing here and was left alone.",
                                                         TC_STR_ARG(tc_utf8_head(key, SHOWN_CHARS)));
        if (!unknown[config->diagnostics_n++].p)
            return tc_fail_memory(cx);
    }
    config->diagnostics = unknown;
    *ret_more = unknown;
    return TC_OK;
}

/* --- transport --- */

static struct tc_str text_of(const struct tc_json *block, const char *key)
{
    return tc_json_str(tc_json_get_c(block, key));
}

static struct tc_str url_of(const struct tc_json *block)
{
    static const char *const names[] = {"url", "httpUrl", "serverUrl"};
    struct tc_str url = {"", 0};

    for (size_t i = 0; i < 3 && url.n == 0; i++)
        url = text_of(block, names[i]);
    return url;
}

static const struct {
    const char *name;
    enum tc_mcp_transport transport;
} transports[] = {
    {"stdio", TC_MCP_STDIO},
    {"http", TC_MCP_STREAMABLE_HTTP},
    {"streamable-http", TC_MCP_STREAMABLE_HTTP},
    {"streamableHttp", TC_MCP_STREAMABLE_HTTP},
    {"streamable_http", TC_MCP_STREAMABLE_HTTP},
    {"sse", TC_MCP_SSE},
};
enum { TRANSPORTS = sizeof transports / sizeof transports[0] };

/* What its type says, or what it has. */
static enum tc_err read_type(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *config)
{
    bool by_type = text_of(block, "type").n > 0;
    struct tc_str type = by_type ? text_of(block, "type") : text_of(block, "transport");
    size_t i = 0;

    if (type.n == 0) {
        config->transport = url_of(block).n ? TC_MCP_ANY_HTTP : TC_MCP_STDIO;
        return TC_OK;
    }
    while (i < TRANSPORTS && !tc_str_is(type, transports[i].name))
        i++;
    if (i == TRANSPORTS)
        return invalid(cx, by_type ? "type" : "transport", "A server is of type stdio, http or sse.");
    config->transport = transports[i].transport;
    return TC_OK;
}

static enum tc_err check_url(struct tc_cx *cx, struct tc_str text)
{
    struct tc_url url;

    if (text.n == 0)
        return invalid(cx, "url", "A server over HTTP needs a url.");
    if (tc_str_find(text, TC_STR("${")) != SIZE_MAX)
        return TC_OK; /* at each start */
    if (!tc_url_parse(text, &url))
        return invalid(cx, "url", "\"url\" of a server must be an http or https URL without user and password.");
    if (url.has_fragment)
        return invalid(cx, "url", "\"url\" of a server must be without a fragment (#…).");
    return TC_OK;
}

static enum tc_err check_transport(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *config)
{
    struct tc_str command = text_of(block, "command"), url = url_of(block);
    enum tc_err code = read_type(cx, block, config);

    if (code != TC_OK)
        return code;
    if (command.n && url.n)
        return invalid(cx, "url", "A server has a command that starts it, or a url, and not both.");
    if (config->transport == TC_MCP_STDIO)
        return command.n ? TC_OK : invalid(cx, "command", "A server needs a command that starts it, or a url.");
    if (command.n)
        return invalid(cx, "command", "A server over HTTP has no command.");
    config->url = url;
    return check_url(cx, url);
}

/* --- headers --- */

/* Set by the transport, the protocol or the client, for each request. */
static bool is_ours(struct tc_str name)
{
    static const char *const ours[] = {"accept",       "content-type",   "content-length",       "transfer-encoding",
                                       "connection",   "host",           "te",                   "upgrade",
                                       "trailer",      "keep-alive",     "expect",               "last-event-id",
                                       "mcp-session-id", "mcp-method",   "mcp-protocol-version", "mcp-name"};

    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (tc_str_eq_nocase(name, tc_str_of(ours[i])))
            return true;
    }
    return false;
}

static enum tc_err read_headers(struct tc_cx *cx, const struct tc_json *headers, struct tc_str *more,
                                struct tc_mcp_config *config)
{
    struct tc_mcp_variable *list = TC_ARENA_NEW_N(cx->arena, struct tc_mcp_variable, tc_json_count(headers) + 1);
    struct tc_json_iter it;
    const struct tc_json *value;
    struct tc_str name;

    if (!list)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(headers); tc_json_next(&it, &name, &value);) {
        if (!tc_header_name_ok(name) || !tc_header_value_ok(tc_json_str(value)))
            return invalid(cx, "headers", "\"headers\" of a server must be names and values of HTTP header fields.");
        if (!is_ours(name)) {
            list[config->headers_n++] = (struct tc_mcp_variable){name, tc_json_str(value)};
            continue;
        }
        more[config->diagnostics_n] =
            tc_arena_printf(cx->arena, "The header \"%.*s\" is set by Toolcrib itself and was left out.",
                            TC_STR_ARG(tc_utf8_head(name, SHOWN_CHARS)));
        if (!more[config->diagnostics_n++].p)
            return tc_fail_memory(cx);
    }
    config->headers = list;
    return TC_OK;
}

/* --- commands --- */

static enum tc_err read_args(struct tc_cx *cx, const struct tc_json *args, struct tc_mcp_config *config)
{
    struct tc_str *list = TC_ARENA_NEW_N(cx->arena, struct tc_str, tc_json_count(args) + 1), key;
    struct tc_json_iter it;
    const struct tc_json *arg;

    if (!list)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(args); tc_json_next(&it, &key, &arg);)
        list[config->args_n++] = tc_json_str(arg);
    config->args = list;
    return TC_OK;
}

static enum tc_err read_env(struct tc_cx *cx, const struct tc_json *env, struct tc_mcp_config *config)
{
    struct tc_mcp_variable *list = TC_ARENA_NEW_N(cx->arena, struct tc_mcp_variable, tc_json_count(env) + 1);
    struct tc_json_iter it;
    const struct tc_json *value;
    struct tc_str name;

    if (!list)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(env); tc_json_next(&it, &name, &value);)
        list[config->env_n++] = (struct tc_mcp_variable){name, tc_json_str(value)};
    config->env = list;
    return TC_OK;
}

enum tc_err tc_mcp_config_read(struct tc_cx *cx, const struct tc_json *block, struct tc_mcp_config *ret_config)
{
    struct tc_mcp_config config = {0};
    struct tc_str *more;
    enum tc_err code;

    if (!tc_json_is(block, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MCP_SERVER_INVALID, "A server is described by an object.");
    code = check_keys(cx, block, &config, &more);
    if (code == TC_OK)
        code = check_transport(cx, block, &config);
    if (code == TC_OK)
        code = read_headers(cx, tc_json_get_c(block, "headers"), more, &config);
    if (code == TC_OK)
        code = read_args(cx, tc_json_get_c(block, "args"), &config);
    if (code == TC_OK)
        code = read_env(cx, tc_json_get_c(block, "env"), &config);
    if (code != TC_OK)
        return code;
    config.command = tc_json_str(tc_json_get_c(block, "command"));
    config.cwd = tc_json_str(tc_json_get_c(block, "cwd"));
    config.own_network = tc_json_bool(tc_json_get_c(block, "ownNetwork"), false);
    config.disabled = tc_json_bool(tc_json_get_c(block, "disabled"), false);
    *ret_config = config;
    return TC_OK;
}
