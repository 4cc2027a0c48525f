/*
 * `always`: the permission that made the call ask becomes `allow`, in the agent and at
 * the server, where an operator sees it and takes it back: toolcrib agent show, and
 * toolcrib mcp show and update --tool-permission.
 */
#include "json/edit.h"
#include "runtime/approvals.h"
#include "runtime/servers.h"

static bool asks(const struct tc_agent_permission *permission, struct tc_str tool_id)
{
    return permission->permission == TC_PERMISSION_ASK && tc_str_glob(permission->pattern, tool_id);
}

bool tc_approvals_can_last(const struct tc_agent *agent, struct tc_str tool_id)
{
    for (size_t i = 0; i < agent->permissions_n; i++)
        if (asks(&agent->permissions[i], tool_id) && !tc_str_eq(agent->permissions[i].pattern, tool_id))
            return false;
    return true;
}

/* The agent's own entry for this tool, if that asks. */
static enum tc_err permit_in_agent(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id,
                                   struct tc_str tool_id)
{
    const struct tc_str path[] = {TC_STR("tools"), TC_STR("permissions"), tool_id};
    struct tc_agent *agent;
    struct tc_str json;
    bool found = false;
    enum tc_err e = tc_agents_get(cx, runtime->agents, id, &agent);

    if (e)
        return e;
    for (size_t i = 0; i < agent->permissions_n; i++)
        found = found || asks(&agent->permissions[i], tool_id);
    if (!found)
        return TC_OK;
    if (!tc_approvals_can_last(agent, tool_id))
        return tc_fail(cx, TC_E_APPROVAL_CHOICE,
                       "A pattern of the agent asks for this tool and others; change it there.");
    json = tc_json_edited(cx->arena, tc_json_doc_root(agent->doc), path, 3, TC_STR("\"allow\""));
    return json.p ? tc_agents_save(cx, runtime->agents, json, false, agent->version) : tc_fail_memory(cx);
}

enum tc_err tc_approvals_lasting(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str agent,
                                 struct tc_str tool_id)
{
    struct tc_tool_id parts;
    enum tc_err e = permit_in_agent(cx, runtime, agent, tool_id);

    if (!e)
        e = tc_tool_id_parse(cx, tool_id, &parts);
    if (e || parts.provider != TC_PROVIDER_MCP)
        return e;
    return tc_servers_permit(cx, runtime->servers, parts.subject, parts.native);
}
