/*
 * /admin/client: MCP clients that came since the start.
 */
#include "api/api.h"

static void write_text(struct tc_jsonw *w, const char *key, const char *text)
{
    tc_jsonw_kcstr(w, key, *text ? text : NULL);
}

static void write_client(struct tc_jsonw *w, const struct tc_client *client)
{
    tc_jsonw_object(w);
    write_text(w, "name", client->name);
    write_text(w, "version", client->version);
    tc_jsonw_kcstr(w, "protocolVersion", client->protocol);
    tc_jsonw_kcstr(w, "agent", client->agent);
    tc_jsonw_key(w, "principal");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "kind", client->principal_kind);
    tc_jsonw_kcstr(w, "id", client->principal_id);
    tc_jsonw_end(w);
    tc_api_time(w, "cameAt", client->came_at);
    tc_api_time(w, "listedAt", client->listed_at);
    tc_api_time(w, "calledAt", client->called_at);
    tc_jsonw_end(w);
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_clients *clients = &call->runtime->clients;
    struct tc_str agent = tc_api_query(cx, call, "agent");

    tc_jsonw_array(call->out);
    for (size_t i = 0; i < TC_CLIENTS_MAX; i++) {
        const struct tc_client *client = &clients->all[i];
        if (client->came_at && (!agent.n || tc_str_is(agent, client->agent)))
            write_client(call->out, client);
    }
    tc_jsonw_end(call->out);
    return TC_OK;
}

static const struct tc_api_component components[] = {
    {"Client", "{name string|null, version string|null, protocolVersion string, agent string, principal Principal, "
               "cameAt time, listedAt time|null, calledAt time|null}"},
    {0}};

static const struct tc_api_param of_all[] = {{"agent", false, "Only those that came as this agent", NULL}, {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/admin/client/all"}, TC_API_VIEWER,
     "MCP clients that came since the start, and what they asked for last", NULL, "[Client]", get_all,
     .query = of_all},
};

const struct tc_api_resource tc_api_client = {"client", "Clients that speak MCP", routes,
                                              sizeof routes / sizeof *routes, components};
