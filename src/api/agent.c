/*
 * /admin/agent: agents as documents with a version, and the preview of what one
 * would be given.
 */
#include "api/agent_model.h"
#include "api/agent_preview.h"
#include "api/agent_resolve.h"

static const char *const apart[] = {"version", NULL}; /* of a body, not of the document */

/* The stored document with its version beside. */
static void write_agent(struct tc_jsonw *w, const struct tc_agent *agent)
{
    struct tc_json_iter it = tc_json_iter(tc_json_doc_root(agent->doc));
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_kint(w, "version", agent->version);
    tc_jsonw_end(w);
}

static enum tc_err answer_agent(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, id, &agent);

    if (!e)
        write_agent(call->out, agent);
    return e;
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent **agents;
    size_t n;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < n; i++)
        write_agent(call->out, agents[i]);
    tc_jsonw_end(call->out);
    return TC_OK;
}

static bool matches(const struct tc_agent *agent, struct tc_str search)
{
    return search.n == 0 || tc_str_find(agent->id, search) != SIZE_MAX || tc_str_find(agent->name, search) != SIZE_MAX;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent **agents;
    struct tc_store_page page = tc_api_page(call, false);
    int64_t met = 0, from;
    size_t n;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    if (e)
        return e;
    from = (page.page - 1) * page.size;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++) {
        const struct tc_agent *agent = agents[page.descending ? n - 1 - i : i];
        if (!matches(agent, page.search))
            continue;
        if (met >= from && met < from + page.size)
            write_agent(call->out, agent);
        met++;
    }
    tc_api_page_close(call, &page, met);
    return TC_OK;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : answer_agent(cx, call, id);
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str json;
    enum tc_err e = tc_api_document(cx, call, NULL, apart, &json);

    if (!e)
        e = tc_agent_model_check(cx, call, json, NULL);
    if (!e)
        e = tc_agents_save(cx, call->runtime->agents, json, true, 0);
    return e ? e : answer_agent(cx, call, tc_api_field(call, "id"));
}

/* Fields of the body replace those stored; null takes one out. */
static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent *agent;
    struct tc_str json;
    int64_t version = 0;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, tc_api_field(call, "id"), &agent);

    if (!e) { /* what was merged with is what must still be stored */
        version = agent->version;
        tc_json_int(tc_json_get_c(call->body, "version"), &version);
        e = tc_api_document(cx, call, tc_json_doc_root(agent->doc), apart, &json);
    }
    if (!e)
        e = tc_agent_model_check(cx, call, json, agent);
    if (!e)
        e = tc_agents_save(cx, call->runtime->agents, json, false, version);
    return e ? e : answer_agent(cx, call, tc_api_field(call, "id"));
}

/* Creates or replaces as a whole. */
static enum tc_err apply(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent *agent;
    struct tc_str json;
    bool create_it = tc_agents_get(cx, call->runtime->agents, tc_api_field(call, "id"), &agent) != TC_OK;
    enum tc_err e;

    tc_fail_clear(cx);
    e = tc_api_document(cx, call, NULL, apart, &json);
    if (!e)
        e = tc_agent_model_check(cx, call, json, create_it ? NULL : agent);
    if (!e)
        e = tc_agents_save(cx, call->runtime->agents, json, create_it, 0);
    return e ? e : answer_agent(cx, call, tc_api_field(call, "id"));
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    enum tc_err e = tc_agents_remove(cx, call->runtime->agents, tc_api_field(call, "id"));

    if (!e)
        tc_api_done(call);
    return e;
}

/* The document itself is checked where it is decoded, with better words. */
#define DOCUMENT_INPUT "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"string\"}}}"
#define ID_INPUT                                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"      \
    "\"string\"}}}"

static const struct tc_api_component components[] = {
    {"AgentDocument", "{version? integer}", tc_agent_schema},
    {"AgentChange", "{version? integer}", tc_agent_schema, true},
    {"Agent", "{version integer}", tc_agent_schema},
    {"AgentPreview",
     "{agent string, model string|null, toolNames [string], deferred [string], filtered [{id string, reason string, "
     "detail string}], hints [{name string, source (operator|code), hint string}], prompt? string, "
     "parts? [{source string, toolId? string, text string}], tokens? {prompt integer, tools integer}, "
     "diagnostics [Diagnostic]}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/agent/page"}, TC_API_VIEWER, "Agents by page",
     TC_API_PAGE_INPUT("{\"type\":\"object\",\"additionalProperties\":false}"), "{list [Agent], pagination Pagination}",
     get_page},
    {{"GET", "/admin/agent/all"}, TC_API_VIEWER, "All agents", NULL, "[Agent]", get_all},
    {{"GET", "/admin/agent/info"}, TC_API_VIEWER, "One agent", NULL, "Agent", get_info, .query = tc_api_by_id},
    {{"POST", "/admin/agent/create"}, TC_API_OPERATOR, "Make an agent", DOCUMENT_INPUT, "Agent", create,
     .described = "AgentDocument"},
    {{"POST", "/admin/agent/update"}, TC_API_OPERATOR, "Change fields of an agent; null takes one out", DOCUMENT_INPUT,
     "Agent", update, .described = "AgentChange"},
    {{"POST", "/admin/agent/apply"}, TC_API_OPERATOR, "Make or replace an agent as a whole", DOCUMENT_INPUT,
     "Agent", apply, .described = "AgentDocument"},
    {{"POST", "/admin/agent/remove"}, TC_API_OPERATOR, "Remove an agent and its names", ID_INPUT, "Done",
     remove_one},
    {{"POST", "/admin/agent/previewPrompt"}, TC_API_VIEWER, "What an agent would be given", TC_AGENT_PREVIEW_INPUT,
     "AgentPreview", tc_agent_preview},
    {{"POST", "/admin/agent/resolve"}, TC_API_VIEWER, "What an agent could use, stored or not, and why not the rest",
     TC_AGENT_RESOLVE_INPUT, "Resolution", tc_agent_resolve},
};

const struct tc_api_resource tc_api_agent = {"agent", "Agents", routes, sizeof routes / sizeof *routes, components};
