/*
 * /admin/agent: agents as documents with a version, and the preview of what one
 * would be given.
 */
#include "api/agent_model.h"
#include "api/agent_preview.h"
#include "api/agent_resolve.h"
#include "api/changed.h"
#include "api/sort.h"

static const char *const apart[] = {"version", "updatedBy", NULL}; /* of an answer, not of the document */

/* The stored document with its version beside, and who made that. */
static void write_agent(struct tc_api_call *call, const struct tc_agent *agent, const struct tc_change_row *last)
{
    struct tc_jsonw *w = call->out;
    struct tc_json_iter it = tc_json_iter(tc_json_doc_root(agent->doc));
    const struct tc_json *value;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_kint(w, "version", agent->version);
    tc_changed_by(call, last);
    tc_jsonw_end(w);
}

/* They are held meanwhile: looking up their changes parks. */
static enum tc_err write_agents(struct tc_cx *cx, struct tc_api_call *call, struct tc_agent *const *agents, size_t n)
{
    struct tc_str *ids = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = ids ? TC_OK : tc_fail_memory(cx);

    if (e)
        return e;
    for (size_t i = 0; i < n; i++)
        ids[i] = tc_agent_ref(agents[i])->id;
    e = tc_changed_latest(cx, call, "agent", ids, n, &last);
    for (size_t i = 0; i < n; i++) {
        if (!e)
            write_agent(call, agents[i], &last[i]);
        tc_agent_unref(agents[i]);
    }
    return e;
}

static enum tc_err answer_agent(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, id, &agent);

    return e ? e : write_agents(cx, call, &agent, 1);
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_agent **agents;
    size_t n;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    e = write_agents(cx, call, agents, n);
    tc_jsonw_end(call->out);
    return e;
}

/* --- a page --- */

struct wanted { /* empty: any */
    struct tc_str search, channel, model, toolset;
    unsigned stage;
};

static bool holds(struct tc_str text, struct tc_str part)
{
    return tc_str_find_nocase(text, part) != SIZE_MAX;
}

static enum tc_err matches(struct tc_cx *cx, struct tc_api_call *call, const struct tc_agent *agent,
                           const struct wanted *wanted, bool *ret)
{
    const struct tc_toolsets *composites = tc_agents_toolsets(call->runtime->agents);

    *ret = (!wanted->search.n || holds(agent->id, wanted->search) || holds(agent->name, wanted->search) ||
            holds(agent->description, wanted->search)) &&
           (!wanted->channel.n || tc_str_eq(agent->model_channel, wanted->channel)) &&
           (!wanted->model.n || tc_str_eq(agent->model_name, wanted->model)) &&
           (!wanted->stage || agent->stage == wanted->stage);
    if (!*ret || !wanted->toolset.n)
        return TC_OK;
    return tc_toolset_reaches(cx, composites, agent->toolsets, agent->toolsets_n, wanted->toolset, ret);
}

static struct tc_api_rank rank(const void *row, struct tc_str by)
{
    const struct tc_agent *agent = row;
    struct tc_api_rank rank = {.text = TC_STR(""), .id = agent->id};

    if (tc_str_is(by, "stage") || tc_str_is(by, "version"))
        rank.number = tc_str_is(by, "stage") ? agent->stage : agent->version;
    else if (tc_str_is(by, "name"))
        rank.text = agent->name;
    else if (tc_str_is(by, "channel") || tc_str_is(by, "model"))
        rank.text = tc_str_is(by, "channel") ? agent->model_channel : agent->model_name;
    return rank;
}

static enum tc_err get_page(struct tc_cx *cx, struct tc_api_call *call)
{
    const struct tc_json *filters = tc_json_get_c(call->body, "filters");
    const struct tc_store_page page = tc_api_page(call, false);
    struct wanted wanted = {
        .search = page.search,
        .channel = tc_json_str(tc_json_get_c(filters, "channel")),
        .model = tc_json_str(tc_json_get_c(filters, "model")),
        .toolset = tc_json_str(tc_json_get_c(filters, "toolset")),
    };
    struct tc_api_part part;
    struct tc_agent **agents;
    size_t n, met = 0;
    enum tc_err e = tc_agents_all(cx, call->runtime->agents, &agents, &n);

    tc_stage_of(tc_json_str(tc_json_get_c(filters, "stage")), &wanted.stage);
    for (size_t i = 0; !e && i < n; i++) {
        bool fits;
        e = matches(cx, call, agents[i], &wanted, &fits);
        if (!e && fits)
            agents[met++] = agents[i];
    }
    if (e)
        return e;
    tc_api_sort(agents, met, rank, &page);
    part = tc_api_page_part(&page, met);
    tc_api_page_open(call);
    e = write_agents(cx, call, agents + part.from, part.n);
    tc_api_page_close(call, &page, (int64_t)met);
    return e;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    return e ? e : answer_agent(cx, call, id);
}

/* --- changing --- */

static struct tc_str text_of(struct tc_cx *cx, const struct tc_agent *agent)
{
    return tc_json_text(cx->arena, tc_json_doc_root(agent->doc));
}

/* Notes what was done to the agent and answers with what it is now. */
static enum tc_err answer_changed(struct tc_cx *cx, struct tc_api_call *call, struct tc_changed *change)
{
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, change->object, &agent);

    if (e)
        return e;
    change->version = agent->version;
    change->after = text_of(cx, agent);
    tc_changed_note(cx, call, change);
    return answer_agent(cx, call, change->object);
}

static enum tc_err create(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "agent", .action = "create", .object = tc_api_field(call, "id")};
    struct tc_str json;
    enum tc_err e = tc_api_document(cx, call, NULL, apart, &json);

    if (!e)
        e = tc_agent_model_check(cx, call, json, NULL);
    if (!e)
        e = tc_agents_save(cx, call->runtime->agents, json, true, 0);
    return e ? e : answer_changed(cx, call, &change);
}

/* Fields of the body replace those stored; null takes one out. */
static enum tc_err update(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "agent", .action = "update", .object = tc_api_field(call, "id")};
    struct tc_agent *agent;
    struct tc_str json;
    int64_t version = 0;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, change.object, &agent);

    if (!e) { /* what was merged with is what must still be stored */
        version = agent->version;
        change.before = text_of(cx, agent);
        tc_json_int(tc_json_get_c(call->body, "version"), &version);
        e = tc_api_document(cx, call, tc_json_doc_root(agent->doc), apart, &json);
    }
    if (!e)
        e = tc_agent_model_check(cx, call, json, agent);
    if (!e)
        e = tc_agents_save(cx, call->runtime->agents, json, false, version);
    return e ? tc_changed_conflict(cx, call, e, answer_agent, change.object) : answer_changed(cx, call, &change);
}

/* Stores the document as the whole agent, be it there or not. */
static enum tc_err replace(struct tc_cx *cx, struct tc_api_call *call, struct tc_changed *change, struct tc_str json,
                           int64_t version)
{
    struct tc_agent *agent;
    bool create_it = tc_agents_get(cx, call->runtime->agents, change->object, &agent) != TC_OK;
    enum tc_err e;

    tc_fail_clear(cx);
    change->before = create_it ? TC_STR("") : text_of(cx, agent);
    e = tc_agent_model_check(cx, call, json, create_it ? NULL : agent);
    if (!e)
        e = tc_agents_save(cx, call->runtime->agents, json, create_it, version);
    return e ? tc_changed_conflict(cx, call, e, answer_agent, change->object) : answer_changed(cx, call, change);
}

/* Creates or replaces as a whole. */
static enum tc_err apply(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "agent", .action = "apply", .object = tc_api_field(call, "id")};
    struct tc_str json;
    enum tc_err e = tc_api_document(cx, call, NULL, apart, &json);

    return e ? e : replace(cx, call, &change, json, 0);
}

/* As it was after a change; one that was removed comes back. */
static enum tc_err restore(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "agent", .action = "restore", .object = tc_api_field(call, "id")};
    struct tc_store *store = call->runtime->store;
    struct tc_str id = tc_api_field(call, "change");
    struct tc_change_row row;
    int64_t version = 0;
    enum tc_err e = store->changes->get(cx, store, id, &row);

    tc_json_int(tc_json_get_c(call->body, "version"), &version);
    if (e == TC_E_STORE_NOT_FOUND ||
        (!e && (!tc_str_is(row.resource, "agent") || !tc_str_eq(row.object, change.object))))
        return tc_fail(cx, TC_E_CHANGE_NOT_FOUND, "There is no change \"%.*s\" of this agent.", TC_STR_ARG(id));
    if (!e && !row.after.n) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "After that change there was no agent: it was removed.");
        return tc_fail_hint(cx, "Name the change before it.");
    }
    return e ? e : replace(cx, call, &change, row.after, version);
}

static enum tc_err remove_one(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_changed change = {.resource = "agent", .action = "remove", .object = tc_api_field(call, "id")};
    struct tc_agent *agent;
    enum tc_err e = tc_agents_get(cx, call->runtime->agents, change.object, &agent);

    if (!e) {
        change.before = text_of(cx, agent);
        e = tc_agents_remove(cx, call->runtime->agents, change.object);
    }
    if (e)
        return e;
    tc_changed_note(cx, call, &change);
    tc_api_done(call);
    return TC_OK;
}

/* The document itself is checked where it is decoded, with better words. */
#define DOCUMENT_INPUT "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"string\"}}}"
#define ID_INPUT                                                                                                       \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":"      \
    "\"string\"}}}"

static const struct tc_api_component components[] = {
    {"AgentDocument", "{version? integer}", tc_agent_schema},
    {"AgentChange", "{version? integer}", tc_agent_schema, true},
    {"Agent", "{version integer, updatedBy UpdatedBy|null}", tc_agent_schema},
    {"AgentPreview", TC_AGENT_PREVIEW_SHAPE},
    {"AgentSummary", TC_AGENT_SUMMARY_SHAPE},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/agent/page"}, TC_API_VIEWER, "Agents by page",
     TC_API_SORTED_PAGE_INPUT("\"id\",\"name\",\"channel\",\"model\",\"stage\",\"version\"",
                              "\"channel\":{\"type\":\"string\"},\"model\":{\"type\":\"string\"},\"toolset\":{"
                              "\"type\":\"string\"},\"stage\":" TC_AGENT_STAGES),
     "{list [Agent], pagination Pagination}", get_page},
    {{"GET", "/admin/agent/all"}, TC_API_VIEWER, "All agents", NULL, "[Agent]", get_all},
    {{"GET", "/admin/agent/info"}, TC_API_VIEWER, "One agent", NULL, "Agent", get_info, .query = tc_api_by_id},
    {{"POST", "/admin/agent/create"}, TC_API_OPERATOR, "Make an agent", DOCUMENT_INPUT, "Agent", create,
     .described = "AgentDocument"},
    {{"POST", "/admin/agent/update"}, TC_API_OPERATOR, "Change fields of an agent; null takes one out", DOCUMENT_INPUT,
     "Agent", update, .described = "AgentChange"},
    {{"POST", "/admin/agent/apply"}, TC_API_OPERATOR, "Make or replace an agent as a whole", DOCUMENT_INPUT,
     "Agent", apply, .described = "AgentDocument"},
    {{"POST", "/admin/agent/restore"}, TC_API_OPERATOR, "Make an agent again what it was after a change",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\",\"change\"],\"properties\":{\"id\":{"
     "\"type\":\"string\",\"minLength\":1},\"change\":{\"type\":\"string\",\"minLength\":1},\"version\":{\"type\":"
     "\"integer\"}}}",
     "Agent", restore},
    {{"POST", "/admin/agent/remove"}, TC_API_OPERATOR, "Remove an agent and its names", ID_INPUT, "Done",
     remove_one},
    {{"POST", "/admin/agent/previewPrompt"}, TC_API_VIEWER, "What an agent would be given", TC_AGENT_PREVIEW_INPUT,
     "AgentPreview", tc_agent_preview},
    {{"POST", "/admin/agent/resolve"}, TC_API_VIEWER, "What an agent could use, stored or not, and why not the rest",
     TC_AGENT_RESOLVE_INPUT, "Resolution", tc_agent_resolve},
    {{"POST", "/admin/agent/summary"}, TC_API_VIEWER, "How many tools agents have, and why not the others",
     TC_AGENT_SUMMARY_INPUT, "[AgentSummary]", tc_agent_summary},
};

const struct tc_api_resource tc_api_agent = {"agent", "Agents", routes, sizeof routes / sizeof *routes, components};
