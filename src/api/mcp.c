/*
 * /admin/mcp: MCP servers. A server that is a command of this machine comes from
 * the local command or the configuration; over the network only where that is
 * switched on, and for an admin. One that is reached by a URL comes from any operator.
 */
#include "api/mcp_login.h"
#include "api/mcp_import.h"
#include "http/url.h"
#include "json/edit.h"
#include "runtime/servers.h"

/* Stands for a value that is not shown; sent back, it stands for the stored one. */
#define MASK "***"

/* "${NAME}" and nothing besides. */
static bool is_reference(struct tc_str value)
{
    return tc_str_starts(value, TC_STR("${")) && tc_str_chr(value, '}') == value.n - 1;
}

static const char *const url_keys[] = {"url", "httpUrl", "serverUrl"};
enum { URL_KEYS = sizeof url_keys / sizeof *url_keys };

static bool is_url_key(struct tc_str key)
{
    for (size_t i = 0; i < URL_KEYS; i++)
        if (tc_str_is(key, url_keys[i]))
            return true;
    return false;
}

/* Where a server is reached over HTTP; empty: it is not. */
static struct tc_str url_of(const struct tc_json *config)
{
    struct tc_str url = {"", 0};

    for (size_t i = 0; i < URL_KEYS && url.n == 0; i++)
        url = tc_json_str(tc_json_get_c(config, url_keys[i]));
    return url;
}

/* Values of env and headers may be credentials: names are shown, values are not.
 * Arguments and addresses sometimes hold some too: viewers do not see them. */
static void write_config(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str config, bool viewer)
{
    const struct tc_json *root, *value, *inner;
    struct tc_json_iter it, deep;
    struct tc_str key, name;

    tc_jsonw_key(w, "config");
    if (tc_json_parse_root(cx, config, NULL, &root)) {
        tc_fail_clear(cx);
        tc_jsonw_null(w);
        return;
    }
    tc_jsonw_object(w);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &value);) {
        tc_jsonw_key_str(w, key);
        if (viewer && (tc_str_is(key, "args") || is_url_key(key))) {
            tc_jsonw_cstr(w, MASK);
            continue;
        }
        if (!tc_str_is(key, "env") && !tc_str_is(key, "headers")) {
            tc_jsonw_value(w, value);
            continue;
        }
        tc_jsonw_object(w);
        for (deep = tc_json_iter(value); tc_json_next(&deep, &name, &inner);) {
            tc_jsonw_key_str(w, name);
            if (is_reference(tc_json_str(inner)))
                tc_jsonw_value(w, inner);
            else
                tc_jsonw_cstr(w, MASK);
        }
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

static const char *tool_state(const struct tc_server_info *server, const struct tc_definition_row *tool)
{
    if (tool->absent)
        return "absent";
    if (!tc_upstream_rules_include(server->config, tool->name))
        return "excluded";
    return tc_str_eq(tool->definition, tool->approved) ? "approved" : "changed";
}

static void write_own_rules(struct tc_jsonw *w, const struct tc_server_info *server,
                            const struct tc_definition_row *tool)
{
    struct tc_upstream_tool_rules own = tc_upstream_rules_tool(&server->rules, tool->name);
    struct tc_str given = tool->permission.n ? tool->permission : tc_str_n(NULL, 0);

    tc_jsonw_kstr(w, "permission",
                  own.has_permission ? tc_str_of(tc_permission_name(own.permission)) : given);
    tc_jsonw_kopt(w, "override", own.description);
    if (own.timeout_ms)
        tc_jsonw_kint(w, "timeoutMs", own.timeout_ms);
}

static void write_tool(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_server_info *server,
                       const struct tc_definition_row *tool, bool whole)
{
    const struct tc_json *entry = NULL;
    bool waits = !tool->absent && !tc_str_eq(tool->definition, tool->approved);

    if (tc_json_parse_root(cx, tool->entry, NULL, &entry))
        tc_fail_clear(cx);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", tool->name);
    tc_jsonw_kvalue(w, "description", tc_json_get_c(entry, "description"));
    tc_jsonw_kcstr(w, "state", tool_state(server, tool));
    write_own_rules(w, server, tool);
    tc_jsonw_kstr(w, "definition", tool->definition);
    if (whole && waits) {
        tc_jsonw_kvalue(w, "now", entry);
        tc_jsonw_key(w, "approved");
        tc_jsonw_raw(w, tool->approved_entry.n ? tool->approved_entry : TC_STR("null"));
    }
    tc_jsonw_end(w);
}

/* Ids of agents that have the server's toolset. */
static void write_agents(struct tc_cx *cx, struct tc_api_call *call, struct tc_str server)
{
    struct tc_str toolset = tc_arena_printf(cx->arena, "mcp-%.*s", TC_STR_ARG(server));
    struct tc_agent **agents;
    size_t n;

    tc_jsonw_key(call->out, "agents");
    tc_jsonw_array(call->out);
    if (tc_agents_all(cx, call->runtime->agents, &agents, &n) == TC_OK)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < agents[i]->toolsets_n; k++)
                if (tc_str_eq(agents[i]->toolsets[k], toolset))
                    tc_jsonw_str(call->out, agents[i]->id);
    tc_jsonw_end(call->out);
}

/* How it has been doing, and what is to come. */
static void write_health(struct tc_jsonw *w, const struct tc_server_info *s)
{
    const struct tc_server_health *h = &s->health;

    tc_jsonw_key(w, "health");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "state", s->state);
    tc_api_time(w, "since", h->since);
    tc_jsonw_kstr(w, "lastError", h->last_error.n ? h->last_error : tc_str_n(NULL, 0));
    tc_api_time(w, "lastErrorAt", h->last_error_at);
    tc_jsonw_kint(w, "restarts", h->restarts);
    tc_api_time(w, "listedAt", h->listed_at);
    tc_jsonw_kint(w, "listMs", h->list_ms);
    tc_api_time(w, "retryAt", h->retry_at);
    tc_jsonw_kint(w, "retryMs", h->retry_ms);
    tc_jsonw_kint(w, "retryMaxMs", TC_SERVERS_RETRY_MAX_MS);
    tc_jsonw_kint(w, "running", (int64_t)h->running);
    tc_jsonw_kint(w, "queued", (int64_t)h->queued);
    tc_jsonw_end(w);
}

static void write_limit(struct tc_jsonw *w, const char *key, int64_t value)
{
    tc_jsonw_key(w, key);
    if (value)
        tc_jsonw_int(w, value);
    else
        tc_jsonw_null(w);
}

static void write_rules(struct tc_jsonw *w, const struct tc_upstream_rules *rules)
{
    tc_jsonw_kcstr(w, "permission", tc_permission_name(rules->permission));
    tc_jsonw_kcstr(w, "newTools", tc_permission_name(rules->new_tools));
    tc_jsonw_kcstr(w, "onChange", rules->quarantine_changes ? "quarantine" : "accept");
    tc_jsonw_kcstr(w, "grants", rules->grant_each ? "agent" : "shared");
    tc_jsonw_kint(w, "timeoutMs", rules->timeout_ms);
    write_limit(w, "maxTimeoutMs", rules->max_timeout_ms);
    write_limit(w, "maxConcurrent", rules->max_concurrent);
    write_limit(w, "idleStopMs", rules->idle_stop_ms);
}

static void write_server(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *s, bool whole)
{
    struct tc_jsonw *w = call->out;

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", s->row.uuid);
    tc_jsonw_kstr(w, "name", s->row.name);
    tc_jsonw_kstr(w, "label", s->row.label);
    tc_jsonw_kcstr(w, "state", s->state);
    tc_jsonw_kstr(w, "error", s->error.n ? s->error : tc_str_n(NULL, 0));
    tc_jsonw_kstr(w, "source", s->row.source);
    write_health(w, s);
    write_rules(w, &s->rules);
    tc_jsonw_key(w, "toolset");
    tc_jsonw_printf(w, "mcp-%.*s", TC_STR_ARG(s->row.name));
    write_agents(cx, call, s->row.name);
    tc_api_logins_write(cx, call, s->row.name);
    write_config(cx, w, s->row.config, call->principal->role < TC_ROLE_OPERATOR);
    tc_jsonw_key(w, "tools");
    tc_jsonw_array(w);
    for (size_t i = 0; i < s->tools_n; i++)
        write_tool(cx, w, s, &s->tools[i], whole);
    tc_jsonw_end(w);
    if (whole) {
        tc_jsonw_key(w, "connection");
        tc_jsonw_raw(w, s->status.n ? s->status : TC_STR("null"));
    }
    tc_jsonw_kint(w, "version", s->row.version);
    tc_api_time(w, "createdAt", s->row.created_at);
    tc_api_time(w, "updatedAt", s->row.updated_at);
    tc_jsonw_end(w);
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_server_info *all;
    size_t n;
    enum tc_err e = tc_servers_all(cx, call->runtime->servers, &all, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++)
        write_server(cx, call, &all[i], false);
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_server_info info;
    enum tc_err e = tc_servers_get(cx, call->runtime->servers, name, &info);

    if (!e)
        write_server(cx, call, &info, true);
    return e;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : answer(cx, call, id);
}

/* May this caller set what is run on this machine? What is not plainly something
 * else counts as that. */
static enum tc_err may_command(struct tc_cx *cx, const struct tc_api_call *call, const struct tc_json *config)
{
    const struct tc_json *command = tc_json_get_c(config, "command");
    bool remote = url_of(config).n && (!command || tc_json_is(command, TC_JSON_NULL));

    if (remote || tc_str_is(call->principal->kind, "socket"))
        return TC_OK;
    if (!call->runtime->stdio_from_api) {
        tc_fail(cx, TC_E_MCP_STDIO_REFUSED, "Servers that are commands are not added over the network here.");
        return tc_fail_hint(cx, "Use toolcrib mcp add on the machine, or set mcp.stdioFromApi.");
    }
    if (call->principal->role != TC_ROLE_ADMIN)
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "Adding a command needs the role admin.");
    return TC_OK;
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_server_spec spec = {
        .name = tc_api_field(call, "name"),
        .label = tc_api_field(call, "label"),
        .config = tc_json_get_c(call->body, "config"),
        .permission = tc_api_field(call, "permission"),
        .force = tc_json_bool(tc_json_get_c(call->body, "force"), false),
        .replace = tc_json_bool(tc_json_get_c(call->body, "replace"), false),
    };
    struct tc_str agent = tc_api_field(call, "agent");
    struct tc_server_info info;
    struct tc_agent *known;
    enum tc_err e = may_command(cx, call, spec.config);

    if (!e && agent.n)
        e = tc_agents_get(cx, call->runtime->agents, agent, &known);
    if (!e)
        e = tc_servers_add(cx, call->runtime->servers, &spec, &info);
    if (!e && agent.n)
        e = tc_api_mcp_give(cx, call->runtime, agent, info.row.name);
    return e ? e : answer(cx, call, info.row.name);
}

static enum tc_err import(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(call->body, "mcpServers"));
    struct tc_str agent = tc_api_field(call, "agent");
    const struct tc_json *config;
    struct tc_agent *known;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, NULL, &config))
        e = may_command(cx, call, config);
    if (!e && agent.n)
        e = tc_agents_get(cx, call->runtime->agents, agent, &known);
    return e ? e : tc_api_mcp_import(cx, call);
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

/* What is not given stays, null takes out. */
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

    if (e || tc_str_eq(url_of(given), url_of(root)))
        return e;
    if (tc_url_parse(url_of(given), &new) && tc_url_parse(url_of(root), &old) && tc_url_same_origin(&new, &old))
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

static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *config = tc_json_get_c(call->body, "config"),
                         *settings = tc_json_get_c(call->body, "settings");
    struct tc_str id = tc_api_field(call, "id");
    struct tc_server_info stored;
    int64_t version = 0;
    enum tc_err e = config ? may_command(cx, call, config) : TC_OK;

    tc_json_int(tc_json_get_c(call->body, "version"), &version);
    if (!e)
        e = tc_servers_get(cx, call->runtime->servers, id, &stored);
    if (!e)
        e = check_headers(cx, config, stored.row.config);
    if (!e)
        e = merge(cx, stored.row.config, write_new_config, &config);
    if (!e)
        e = merge(cx, stored.row.settings, write_new_settings, &settings);
    if (!e)
        e = tc_servers_update(cx, call->runtime->servers, id, config, settings, version);
    return e ? e : answer(cx, call, id);
}

static enum tc_err test(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    enum tc_err e = tc_servers_refresh(cx, call->runtime->servers, id);

    return e ? e : answer(cx, call, id);
}

static enum tc_err pause_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    enum tc_err e = tc_servers_pause(cx, call->runtime->servers, id, true);

    return e ? e : answer(cx, call, id);
}

static enum tc_err resume(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    enum tc_err e = tc_servers_pause(cx, call->runtime->servers, id, false);

    return e ? e : answer(cx, call, id);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    enum tc_err e = tc_api_logins_forget(cx, call, id);

    if (!e)
        e = tc_servers_remove(cx, call->runtime->servers, id);
    if (!e)
        tc_api_done(call);
    return e;
}

static enum tc_err approve(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_servers_approval approval = {
        tc_api_field(call, "id"), tc_api_field(call, "tool"), tc_api_field(call, "definition")};
    enum tc_err e = tc_servers_approve(cx, call->runtime->servers, &approval);

    return e ? e : answer(cx, call, approval.name);
}

#define ID_INPUT                                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"      \
    "\"string\"}}}"
#define PERMISSION "{\"enum\":[\"allow\",\"ask\",\"off\"]}"
#define OR_NULL(kind) "{\"type\":[\"" kind "\",\"null\"]}"
/* A change of the settings (RFC 7396); runtime/upstream_rules.h says what they are. */
#define SETTINGS                                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{\"permission\":" OR_NULL("string")            \
    ",\"newTools\":" OR_NULL("string") ",\"onChange\":" OR_NULL("string") ",\"grants\":" OR_NULL("string")            \
    ",\"timeoutMs\":" OR_NULL("integer")                                                                               \
    ",\"maxTimeoutMs\":" OR_NULL("integer") ",\"maxConcurrent\":" OR_NULL("integer") ",\"idleStopMs\":"                \
    OR_NULL("integer") ",\"tools\":{\"type\":[\"object\",\"null\"],\"additionalProperties\":{\"type\":[\"object\","    \
    "\"null\"],\"additionalProperties\":false,\"properties\":{\"permission\":" OR_NULL("string") ",\"description\":"   \
    OR_NULL("string") ",\"timeoutMs\":" OR_NULL("integer") "}}}}}"
#define CHOICES                                                                                                        \
    "\"permission\":" PERMISSION ",\"agent\":{\"type\":\"string\"},\"force\":{\"type\":\"boolean\"},\"replace\":{"     \
    "\"type\":\"boolean\"}"

static const struct tc_api_param by_name[] = {{"id", true, "Its name or UUID", NULL}, {0}};

static const struct tc_api_component components[] = {
    {"McpServer",
     "{id string, name string, label string, state string, error string|null, source string, health {state string, "
     "since time|null, lastError string|null, lastErrorAt time|null, restarts integer, listedAt time|null, "
     "listMs integer, retryAt time|null, retryMs integer, retryMaxMs integer, running integer, queued integer}, "
     "permission (allow|ask|off), newTools (allow|ask|off), onChange (quarantine|accept), grants (agent|shared), "
     "timeoutMs integer, maxTimeoutMs integer|null, maxConcurrent integer|null, idleStopMs integer|null, "
     "toolset string, agents [string], logins [{agent string|null, state (missing|expired|active), issuer? string, "
     "scope? string, wanted? string, expiresAt time|null}], config object|null, tools [McpTool], "
     "connection? object|null, version integer, createdAt time|null, updatedAt time|null}"},
    {"McpTool",
     "{name string, description string|null, state (approved|changed|absent|excluded), permission string|null, "
     "override? string, timeoutMs? integer, definition string, now? object|null, approved? object|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/mcp/all"}, TC_API_VIEWER, "All MCP servers", NULL, "[McpServer]", get_all},
    {{"GET", "/admin/mcp/info"}, TC_API_VIEWER, "One server", NULL, "McpServer", get_info,
     .query = by_name},
    {{"POST", "/admin/mcp/create"}, TC_API_OPERATOR, "Start a server, validate its catalog, store both",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\",\"config\"],\"properties\":{\"name\":{"
     "\"type\":\"string\"},\"label\":{\"type\":\"string\"},\"config\":{\"type\":\"object\"}," CHOICES "}}",
     "McpServer", create},
    {{"POST", "/admin/mcp/import"}, TC_API_OPERATOR, "Add the servers of an mcpServers block",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"mcpServers\"],\"properties\":{"
     "\"mcpServers\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\"}}," CHOICES "}}",
     "[{key string, name string, added boolean, tools integer, error? Fault}]", import},
    {{"POST", "/admin/mcp/update"}, TC_API_OPERATOR, "Replace the configuration (*** keeps a value), change settings",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
     "\"string\"},\"config\":{\"type\":\"object\"},\"settings\":" SETTINGS ",\"version\":{\"type\":\"integer\"}}}",
     "McpServer", update},
    {{"POST", "/admin/mcp/test"}, TC_API_OPERATOR, "Connect and list now", ID_INPUT, "McpServer", test},
    {{"POST", "/admin/mcp/pause"}, TC_API_OPERATOR, "Stop it; its tools are out", ID_INPUT, "McpServer", pause_one},
    {{"POST", "/admin/mcp/resume"}, TC_API_OPERATOR, "Start it again", ID_INPUT, "McpServer", resume},
    {{"POST", "/admin/mcp/remove"}, TC_API_OPERATOR, "Remove it; its names stay its own", ID_INPUT, "Done",
     remove_one},
    {{"POST", "/admin/mcp/approve"}, TC_API_OPERATOR,
     "Approve changed definitions, of all tools or of one (definition: the hash that was looked at)",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
     "\"string\"},\"tool\":{\"type\":\"string\"},\"definition\":{\"type\":\"string\"}},\"dependentRequired\":{"
     "\"definition\":[\"tool\"]}}",
     "McpServer", approve},
};

const struct tc_api_resource tc_api_mcp = {"mcp", "MCP servers", routes, sizeof routes / sizeof *routes, components};
