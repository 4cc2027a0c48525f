/*
 * A server as operators see it. Names of what may be a secret are shown, values are not.
 */
#include "api/mcp_show.h"

#include "api/mcp_edit.h"
#include "api/mcp_login.h"

/* "${NAME}" and nothing besides. */
static bool is_reference(struct tc_str value)
{
    return tc_str_starts(value, TC_STR("${")) && tc_str_chr(value, '}') == value.n - 1;
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
        if (viewer && (tc_str_is(key, "args") || tc_api_mcp_is_url(key))) {
            tc_jsonw_cstr(w, TC_API_MCP_MASK);
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
                tc_jsonw_cstr(w, TC_API_MCP_MASK);
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

void tc_api_mcp_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *s, bool whole)
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

enum tc_err tc_api_mcp_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str name)
{
    struct tc_server_info info;
    enum tc_err e = tc_servers_get(cx, call->runtime->servers, name, &info);

    if (!e)
        tc_api_mcp_write(cx, call, &info, true);
    return e;
}
