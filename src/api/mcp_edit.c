/*
 * What callers may set of a server, and what it becomes together with what is stored: a
 * value that was masked when it was shown stays as it is.
 */
#include "api/mcp_edit.h"

#include "api/mcp_config.h"
#include "api/mcp_line.h"
#include "http/url.h"
#include "json/edit.h"

#define MASK TC_API_MCP_MASK

/* As it is typed on the machine. */
static struct tc_str line_of(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name,
                             const struct tc_json *config)
{
    const struct tc_api_mcp_line line = {
        .name = name,
        .config = config,
        .agent = tc_api_field(call, "agent"),
        .permission = tc_api_field(call, "permission"),
        .replace = tc_json_bool(tc_json_get_c(call->body, "replace"), false),
    };

    return tc_api_mcp_line(cx, &line);
}

/* What is not plainly something else counts as a command. */
enum tc_err tc_api_mcp_may(struct tc_cx *cx, const struct tc_api_call *call, struct tc_str name,
                           const struct tc_json *config)
{
    const struct tc_json *command = tc_json_get_c(config, "command");
    bool remote = tc_api_mcp_url(config).n && (!command || tc_json_is(command, TC_JSON_NULL));

    if (remote || tc_str_is(call->principal->kind, "socket"))
        return TC_OK;
    if (!call->runtime->stdio_from_api) {
        tc_fail(cx, TC_E_MCP_STDIO_REFUSED, "Servers that are commands are not added over the network here, but by a "
                                            "command on the machine (or with mcp.stdioFromApi).");
        if (!name.n)
            return tc_fail_hint(cx, "Use toolcrib mcp update there.");
        return tc_fail_hint(cx, "%.*s", TC_STR_ARG(line_of(cx, call, name, config)));
    }
    if (call->principal->role != TC_ROLE_ADMIN)
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "Adding a command needs the role admin.");
    return TC_OK;
}

/* Values of env or headers as given, the masked ones as stored. */
static void write_unmasked(struct tc_jsonw *w, const struct tc_json *given, const struct tc_json *stored)
{
    struct tc_json_iter it = tc_json_iter(given);
    const struct tc_json *value, *kept;
    struct tc_str name;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &name, &value)) {
        kept = tc_str_is(tc_json_str(value), MASK) ? tc_json_get(stored, name) : NULL;
        tc_jsonw_key_str(w, name);
        tc_jsonw_value(w, kept ? kept : value);
    }
    tc_jsonw_end(w);
}

static void write_new_config(struct tc_jsonw *w, const struct tc_json *given, const struct tc_json *stored)
{
    struct tc_json_iter it = tc_json_iter(given);
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        bool masked = (tc_str_is(key, "env") || tc_str_is(key, "headers")) && tc_json_is(value, TC_JSON_OBJECT);
        tc_jsonw_key_str(w, key);
        if (masked)
            write_unmasked(w, value, tc_json_get(stored, key));
        else
            tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
}

static void write_new_settings(struct tc_jsonw *w, const struct tc_json *given, const struct tc_json *stored)
{
    tc_json_merge(w, stored, given);
}

/* A value that is not shown goes to nobody but the server that it was given for. */
static enum tc_err check_headers(struct tc_cx *cx, const struct tc_json *given, struct tc_str stored)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(given, "headers"));
    const struct tc_json *root = NULL, *value;
    struct tc_url old, new;
    struct tc_str name;
    enum tc_err e = given && stored.n ? tc_json_parse_root(cx, stored, NULL, &root) : TC_OK;

    if (e || tc_str_eq(tc_api_mcp_url(given), tc_api_mcp_url(root)))
        return e;
    if (tc_url_parse(tc_api_mcp_url(given), &new) && tc_url_parse(tc_api_mcp_url(root), &old) &&
        tc_url_same_origin(&new, &old))
        return TC_OK;
    while (tc_json_next(&it, &name, &value))
        if (tc_str_is(tc_json_str(value), MASK)) {
            tc_fail(cx, TC_E_MCP_SERVER_INVALID, "The header %.*s was given for another URL: give it again.",
                    TC_STR_ARG(name));
            return tc_fail_field(cx, TC_STR("/config/headers"));
        }
    return TC_OK;
}

typedef void merge_fn(struct tc_jsonw *w, const struct tc_json *given, const struct tc_json *stored);

/* *document, if any, becomes the document that is to be stored. */
static enum tc_err merge(struct tc_cx *cx, struct tc_str stored, merge_fn *fn, const struct tc_json **document)
{
    const struct tc_json *root = NULL;
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    if (!*document)
        return TC_OK;
    e = stored.n ? tc_json_parse_root(cx, stored, NULL, &root) : TC_OK;
    if (e)
        return e;
    tc_buf_init(&buf, 4 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    fn(&w, *document, root);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), NULL, document);
    tc_buf_finish(&buf);
    return e;
}

enum tc_err tc_api_mcp_merge(struct tc_cx *cx, const struct tc_server_info *stored, const struct tc_json **config,
                             const struct tc_json **settings)
{
    enum tc_err e = check_headers(cx, *config, stored->row.config);

    if (!e)
        e = merge(cx, stored->row.config, write_new_config, config);
    return e ? e : merge(cx, stored->row.settings, write_new_settings, settings);
}
