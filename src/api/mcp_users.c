/*
 * Agents by the toolset of a server, and what the resolver offers each of it.
 */
#include "api/mcp_users.h"

#include "api/agent_model.h"

enum { RESOLVED_MAX = 50 /* agents: a resolution walks the whole catalog */ };

static struct tc_str toolset_of(struct tc_cx *cx, struct tc_str server)
{
    return tc_arena_printf(cx->arena, "mcp-%.*s", TC_STR_ARG(server));
}

static bool has(const struct tc_agent *agent, struct tc_str toolset)
{
    for (size_t i = 0; i < agent->toolsets_n; i++)
        if (tc_str_eq(agent->toolsets[i], toolset))
            return true;
    return false;
}

bool tc_api_mcp_uses(struct tc_cx *cx, const struct tc_agent *agent, struct tc_str server)
{
    return has(agent, toolset_of(cx, server));
}

void tc_api_mcp_write_agents(struct tc_cx *cx, struct tc_api_call *call, struct tc_str server)
{
    struct tc_str toolset = toolset_of(cx, server);
    struct tc_agent **agents;
    size_t n;

    tc_jsonw_key(call->out, "agents");
    tc_jsonw_array(call->out);
    if (tc_agents_all(cx, call->runtime->agents, &agents, &n) == TC_OK)
        for (size_t i = 0; i < n; i++)
            if (has(agents[i], toolset))
                tc_jsonw_str(call->out, agents[i]->id);
    tc_jsonw_end(call->out);
}

struct user {
    struct tc_str id, name;
};

/* Copies: counting parks. */
static size_t find_users(struct tc_cx *cx, struct tc_api_call *call, struct tc_str server, struct user **ret_users)
{
    struct tc_str toolset = toolset_of(cx, server);
    struct tc_agent **agents;
    struct user *users;
    size_t n, found = 0;

    if (tc_agents_all(cx, call->runtime->agents, &agents, &n))
        return 0;
    users = TC_ARENA_NEW_N(cx->arena, struct user, n + 1);
    for (size_t i = 0; users && i < n; i++)
        if (has(agents[i], toolset))
            users[found++] = (struct user){tc_arena_dup(cx->arena, agents[i]->id),
                                           tc_arena_dup(cx->arena, agents[i]->name)};
    *ret_users = users;
    return found;
}

static enum tc_err count_offered(struct tc_cx *cx, struct tc_api_call *call, struct tc_str agent, struct tc_str uuid,
                                 int64_t *ret_n)
{
    struct tc_view_key key = {.agent = agent, .client = true};
    struct tc_resolution *resolution;
    struct tc_agent_model model;
    int64_t n = 0;
    enum tc_err e = tc_agent_model_find(cx, call, &key, &model);

    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &key, &resolution);
    if (e)
        return e;
    for (size_t i = 0; i < resolution->tools_n; i++)
        n += tc_str_eq(resolution->input->catalog->tools[resolution->tools[i].index]->parts.subject, uuid);
    *ret_n = n;
    return TC_OK;
}

void tc_api_mcp_write_users(struct tc_cx *cx, struct tc_api_call *call, const struct tc_server_info *server)
{
    struct user *users = NULL;
    size_t n = find_users(cx, call, server->row.name, &users);
    struct tc_jsonw *w = call->out;

    tc_jsonw_key(w, "usedBy");
    tc_jsonw_array(w);
    for (size_t i = 0; users && i < n && i < RESOLVED_MAX; i++) {
        int64_t offered;
        bool known = count_offered(cx, call, users[i].id, server->row.uuid, &offered) == TC_OK;
        tc_fail_clear(cx);
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "id", users[i].id);
        tc_jsonw_kstr(w, "name", users[i].name);
        tc_jsonw_key(w, "offered");
        if (known)
            tc_jsonw_int(w, offered);
        else
            tc_jsonw_null(w);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}
