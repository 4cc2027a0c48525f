/*
 * /admin/mcp: MCP servers. A server that is a command of this machine comes from
 * the local command or the configuration; over the network only where that is
 * switched on, and for an admin. One that is reached by a URL comes from any operator.
 */
#include "api/mcp_changed.h"
#include "api/mcp_edit.h"
#include "api/mcp_import.h"
#include "api/mcp_login.h"
#include "api/mcp_page.h"
#include "api/mcp_show.h"

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_server_info *all;
    size_t n;
    enum tc_err e = tc_servers_all(cx, call->runtime->servers, &all, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    e = tc_api_mcp_write(cx, call, all, n, TC_API_MCP_ROW);
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : tc_api_mcp_answer(cx, call, id);
}

/* Notes what was done to the server and answers with what it is now. */
static enum tc_err answer_changed(struct tc_cx *cx, struct tc_api_call *call, struct tc_changed *change)
{
    enum tc_err e = tc_mcp_changed_note(cx, call, change);

    return e ? e : tc_api_mcp_answer(cx, call, change->object);
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
    struct tc_changed change;
    struct tc_agent *known;
    enum tc_err e = tc_api_mcp_may(cx, call, spec.name, spec.config);

    if (!e && agent.n)
        e = tc_agents_get(cx, call->runtime->agents, agent, &known);
    if (!e)
        e = tc_mcp_changed_begin_new(cx, call, spec.name, &change);
    if (!e)
        e = tc_servers_add(cx, call->runtime->servers, &spec, &info);
    if (!e)
        e = tc_mcp_changed_note(cx, call, &change);
    if (!e && agent.n)
        e = tc_api_mcp_give(cx, call, agent, info.row.name);
    return e ? e : tc_api_mcp_answer(cx, call, info.row.name);
}

static enum tc_err import(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(call->body, "mcpServers"));
    struct tc_str agent = tc_api_field(call, "agent");
    const struct tc_json *config;
    struct tc_agent *known;
    struct tc_str key;
    enum tc_err e = TC_OK;

    if (tc_json_bool(tc_json_get_c(call->body, "dryRun"), false))
        return tc_api_mcp_import_plan(cx, call);
    while (!e && tc_json_next(&it, &key, &config))
        e = tc_api_mcp_may(cx, call, key, config);
    if (!e && agent.n)
        e = tc_agents_get(cx, call->runtime->agents, agent, &known);
    return e ? e : tc_api_mcp_import(cx, call);
}

static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_servers_edit edit = {.label = tc_api_field(call, "label"),
                                   .config = tc_json_get_c(call->body, "config"),
                                   .settings = tc_json_get_c(call->body, "settings")};
    struct tc_str id = tc_api_field(call, "id");
    struct tc_server_info stored;
    struct tc_changed change;
    enum tc_err e = edit.config ? tc_api_mcp_may(cx, call, TC_STR(""), edit.config) : TC_OK;

    tc_json_int(tc_json_get_c(call->body, "version"), &edit.version);
    if (!e)
        e = tc_servers_get(cx, call->runtime->servers, id, &stored);
    if (!e && !edit.version) /* what is merged here is put over what it was merged with, and over nothing else */
        edit.version = stored.row.version;
    if (!e)
        e = tc_api_mcp_merge(cx, &stored, &edit.config, &edit.settings);
    if (!e)
        e = tc_mcp_changed_begin(cx, call, "update", id, &change);
    if (!e)
        e = tc_servers_update(cx, call->runtime->servers, id, &edit);
    return e ? tc_changed_conflict(cx, call, e, tc_api_mcp_answer, id) : answer_changed(cx, call, &change);
}

static enum tc_err test(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    enum tc_err e = tc_servers_refresh(cx, call->runtime->servers, id);

    return e ? e : tc_api_mcp_answer(cx, call, id);
}

static enum tc_err pause_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    struct tc_changed change;
    enum tc_err e = tc_mcp_changed_begin(cx, call, "pause", id, &change);

    if (!e)
        e = tc_servers_pause(cx, call->runtime->servers, id, true);
    return e ? e : answer_changed(cx, call, &change);
}

static enum tc_err resume(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    struct tc_changed change;
    enum tc_err e = tc_mcp_changed_begin(cx, call, "resume", id, &change);

    if (!e)
        e = tc_servers_pause(cx, call->runtime->servers, id, false);
    return e ? e : answer_changed(cx, call, &change);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_api_field(call, "id");
    struct tc_changed change;
    enum tc_err e = tc_mcp_changed_begin(cx, call, "remove", id, &change);

    if (!e)
        e = tc_api_logins_forget(cx, call, id);
    if (!e)
        e = tc_servers_remove(cx, call->runtime->servers, id);
    if (e)
        return e;
    change.version = 0;
    tc_changed_note(cx, call, &change);
    tc_api_done(call);
    return TC_OK;
}

static enum tc_err approve(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_servers_approval approval = {
        tc_api_field(call, "id"), tc_api_field(call, "tool"), tc_api_field(call, "definition")};
    struct tc_changed change;
    enum tc_err e = tc_mcp_changed_approval(cx, call, approval.name, approval.tool, &change);

    if (!e)
        e = tc_servers_approve(cx, call->runtime->servers, &approval);
    if (e)
        return e;
    tc_changed_note(cx, call, &change);
    return tc_api_mcp_answer(cx, call, approval.name);
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

#define ROW                                                                                                            \
    "id string, name string, label string, state (up|idle|down|paused), error string|null, "                           \
    "source (operator|config), editable boolean, transport (stdio|http|sse), "                                         \
    "health {state (up|idle|down|paused), since time|null, lastError string|null, "                                    \
    "lastErrorAt time|null, startedAt time|null, restarts integer, listedAt time|null, listMs integer, "               \
    "retryAt time|null, retryMs integer, retryMaxMs integer, running integer, queued integer}, "                       \
    "permission (allow|ask|off), newTools (allow|ask|off), onChange (quarantine|accept), grants (agent|shared), "      \
    "timeoutMs integer, maxTimeoutMs integer|null, maxConcurrent integer|null, idleStopMs integer|null, "              \
    "toolset string, agents [string], logins [{agent string|null, state (missing|expired|active), issuer? string, "    \
    "scope? string, wanted? string, expiresAt time|null}], config object|null, counts {tools integer, held integer, "  \
    "new integer, absent integer, excluded integer, badSchema integer}, "                                              \
    "firstHeld {name string, seenAt time|null}|null, history [McpMinute], spans [McpSpan], "                           \
    "version integer, createdAt time, updatedAt time, updatedBy UpdatedBy|null"

static const struct tc_api_component components[] = {
    {"McpRow", "{" ROW "}"},
    {"McpServer", "{" ROW ", tools [McpTool], connection object|null, lists {prompts "
                  "integer|null, resources integer|null, templates integer|null}, usedBy [{id string, name string, "
                  "offered integer|null}]}"},
    {"McpTool",
     "{id string, name string, title string|null, description string|null, "
     "state (approved|changed|new|absent|excluded|badSchema), why string|null, permission (allow|ask|off)|null, "
     "effective (allow|ask|off), override? string, timeoutMs? integer, traits {readOnly boolean, destructive boolean, "
     "idempotent boolean, openWorld boolean}, definition string, approvedDefinition string|null, seenAt time|null, "
     "now? object|null, approved? object|null, changes? [McpChange], approvedBy UpdatedBy|null}"},
    {"McpChange",
     "{kind (readOnlyRemoved|destructiveAdded|descriptionChanged|propertyAdded|propertyRemoved|requiredAdded|"
     "defaultChanged|annotationsChanged|outputChanged|titleChanged|schemaChanged), path string, from any, to any, "
     "severity (low|medium|high), orders boolean, phrase string|null}"},
    {"McpSpan", "{state (up|idle|down|paused), from time, to time|null, error string|null}"},
    {"McpMinute", "{at time, state string|null, ms integer|null, calls integer, errors integer}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/mcp/all"}, TC_API_VIEWER, "All MCP servers, without their tools", NULL, "[McpRow]", get_all},
    {{"POST", "/admin/mcp/page"}, TC_API_VIEWER, "Servers by page, without their tools", TC_API_MCP_PAGE_INPUT,
     TC_API_PAGE_OUTPUT(TC_API_REF("McpRow")), tc_api_mcp_page},
    {{"GET", "/admin/mcp/info"}, TC_API_VIEWER, "One server", NULL, "McpServer", get_info,
     .query = by_name},
    {{"POST", "/admin/mcp/create"}, TC_API_OPERATOR, "Start a server, validate its catalog, store both",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\",\"config\"],\"properties\":{\"name\":{"
     "\"type\":\"string\"},\"label\":{\"type\":\"string\"},\"config\":{\"type\":\"object\"}," CHOICES "}}",
     "McpServer", create},
    {{"POST", "/admin/mcp/import"}, TC_API_OPERATOR,
     "Add the servers of an mcpServers block; dryRun: only say what would come of each",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"mcpServers\"],\"properties\":{"
     "\"mcpServers\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"object\"}},\"dryRun\":{\"type\":"
     "\"boolean\"}," CHOICES "}}",
     "[{key string, name string, added boolean, tools integer, plan? (add|replace|unchanged|refuse), line? string, "
     "error? Fault}]", import},
    {{"POST", "/admin/mcp/update"}, TC_API_OPERATOR, "Change label, settings, the configuration (*** keeps a value)",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"
     "\"string\"},\"label\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":200},\"config\":{\"type\":\"object\"},"
     "\"settings\":" SETTINGS ",\"version\":{\"type\":\"integer\"}}}",
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
