/*
 * /admin/tool: tools as operators see, switch and explain them, and "try it".
 */
#include "api/changed.h"
#include "api/explain.h"
#include "api/tool_change.h"
#include "api/tool_list.h"

static enum tc_err write_tools(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *rows, size_t n)
{
    struct tc_str *names = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    struct tc_change_row *last;
    enum tc_err e = names ? TC_OK : tc_fail_memory(cx);

    for (size_t i = 0; !e && i < n; i++)
        names[i] = rows[i].name;
    if (!e)
        e = tc_changed_latest(cx, call, "tool", names, n, &last);
    for (size_t i = 0; !e && i < n; i++)
        e = tc_tool_row_write(cx, call, &rows[i], &last[i]);
    return e;
}

static enum tc_err get_all(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_store *store = call->runtime->store;
    struct tc_tool_row *rows;
    size_t n;
    enum tc_err e = store->tools->all(cx, store, &rows, &n);

    if (e)
        return e;
    tc_jsonw_array(call->out);
    e = write_tools(cx, call, rows, n);
    tc_jsonw_end(call->out);
    return e;
}

static enum tc_err get_info(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id;
    enum tc_err e = tc_api_need(cx, call, "id", &id);

    if (!e)
        e = tc_tool_find(cx, call, id, &id);
    return e ? e : tc_tool_show(cx, call, id);
}

static enum tc_err sync(struct tc_cx *cx, struct tc_api_call *call)
{
    size_t added, detached;
    enum tc_err e = tc_runtime_sync(cx, call->runtime, &added, &detached);

    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kint(call->out, "tools", (int64_t)tc_registry_get(call->runtime->registry).catalog->n);
    tc_jsonw_kint(call->out, "added", (int64_t)added);
    tc_jsonw_kint(call->out, "detached", (int64_t)detached);
    tc_jsonw_end(call->out);
    return TC_OK;
}

/* --- as an agent has them --- */

/* What an agent's tool tab needs: every tool with its state for this agent. */
static enum tc_err for_agent(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_view_key key = {.client = true};
    struct tc_resolution *r;
    enum tc_err e = tc_api_need(cx, call, "agent", &key.agent);

    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &key, &r);
    if (e)
        return e;
    tc_jsonw_array(call->out);
    for (size_t i = 0; i < r->input->catalog->n; i++) {
        const struct tc_descriptor *tool = r->input->catalog->tools[i];
        const struct tc_tool_row *row = tc_registry_row(call->runtime->registry, tool->id);
        uint16_t reasons = tc_resolution_reasons(r, i);
        tc_jsonw_object(call->out);
        tc_jsonw_kstr(call->out, "id", tool->id);
        tc_jsonw_kstr(call->out, "label", row ? row->label : tool->parts.native);
        tc_jsonw_kstr(call->out, "toolset", tool->toolset);
        tc_jsonw_kcstr(call->out, "capability", tc_capability_name(tool->capability));
        tc_jsonw_kbool(call->out, "isCore", tool->flags & TC_TOOL_CORE);
        tc_jsonw_kbool(call->out, "canDisable", !(tool->flags & TC_TOOL_CANNOT_DISABLE));
        tc_jsonw_kstr(call->out, "description", tool->description);
        tc_jsonw_kbool(call->out, "effective", reasons == 0);
        tc_jsonw_kcstr(call->out, "reason", reasons ? tc_reason_name(tc_reason_first(reasons)) : NULL);
        tc_jsonw_end(call->out);
    }
    tc_jsonw_end(call->out);
    return TC_OK;
}

/* --- try it --- */

/* The answer where questions made a stream of it. */
static void end_stream(struct tc_cx *cx, struct tc_asker *asker, enum tc_err e, const struct tc_call_result *result)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, (size_t)512 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    if (!e)
        tc_api_result(&w, result);
    if (buf.failed)
        tc_fail_memory(cx);
    tc_asker_end(cx, asker, e || buf.failed ? TC_STR("") : tc_buf_get(&buf));
    tc_buf_finish(&buf);
}

static enum tc_err try_it(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str agent = tc_api_field(call, "agent");
    struct tc_invocation invocation = {
        .surface = !call->sign_in.n && tc_str_is(tc_api_field(call, "surface"), "cli") ? "cli" : "ui",
        .principal = *call->principal,
        .agent = agent.n ? agent : TC_STR("default"),
        .as_admin = tc_json_bool(tc_json_get_c(call->body, "asAdmin"), false),
        .attended = tc_json_bool(tc_json_get_c(call->body, "attended"), false),
        .workspace_dir = tc_api_field(call, "workspace"),
    };
    struct tc_call_request request = {
        .name = tc_api_field(call, "tool"),
        .arguments = tc_json_get_c(call->body, "arguments"),
        .call_id = tc_api_field(call, "callId"),
    };
    struct tc_view_key key = {.agent = invocation.agent, .client = true};
    struct tc_call_result result;
    struct tc_asker asker;
    struct tc_str id;
    enum tc_err e;

    if (invocation.as_admin && call->principal->role != TC_ROLE_ADMIN)
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "Only an admin may call as admin.");
    if (invocation.workspace_dir.n && call->principal->role != TC_ROLE_ADMIN)
        return tc_fail(cx, TC_E_AUTH_FORBIDDEN, "Only an admin may name a workspace directory.");
    e = tc_pipeline_tool_id(cx, call->runtime, &key, request.name, &id);
    if (e && e != TC_E_TOOL_NOT_FOUND)
        return e;
    tc_fail_clear(cx);
    if (!e) {
        request.name = id;
        request.by_id = true;
    }
    tc_asker_init(&asker, call->exchange, call->rounds, call->principal, tc_json_get_c(call->body, "answers"));
    invocation.caller = &asker.caller;
    invocation.answers = asker.caller.abilities & TC_ABILITY_FORM;
    e = tc_pipeline_call(cx, call->runtime, &invocation, &request, &result);
    if (tc_asker_streams(&asker))
        end_stream(cx, &asker, e, &result);
    else if (!e)
        tc_api_result(call->out, &result);
    return e;
}

static enum tc_err answer_questions(struct tc_cx *cx, struct tc_api_call *call)
{
    enum tc_err e = tc_open_rounds_answer(cx, call->rounds, call->principal, tc_api_field(call, "id"),
                                          tc_json_get_c(call->body, "answers"));

    if (!e)
        tc_api_done(call);
    return e;
}

#define AGENT_ID "The id of an agent"

static const struct tc_api_param which[] = {
    {"id", true, "A ToolId, mcp/<server>:<tool>, or a call name of the agent", NULL},
    {"agent", false, AGENT_ID "; default", NULL},
    {0}};
static const struct tc_api_param of_agent[] = {{"agent", true, AGENT_ID, NULL}, {0}};
static const struct tc_api_param of_explain[] = {
    {"agent", true, AGENT_ID, NULL},
    {"for", false, "Whose tools: those of a client, or of a run", "{\"enum\":[\"client\",\"run\"]}"},
    {"style", false, "Of call names; as the agent has it",
     "{\"enum\":[\"mcp\",\"server\",\"dmr\",\"bare\"]}"},
    {"answers", false, "Whether the caller answers questions", TC_API_BOOLEAN},
    {0}};

static const struct tc_api_component components[] = {
    TC_TOOL_COMPONENTS,
    TC_TOOL_FACETS_COMPONENTS,
    TC_TOOL_OUTCOME_COMPONENT,
    {"ToolForAgent",
     "{id string, label string, toolset string, capability (text|vision|multimodal), isCore boolean, "
     "canDisable boolean, description string, effective boolean, reason string|null}"},
    TC_RESOLUTION_COMPONENTS,
    {"CallResult",
     "{callId string, toolId string, content [object], structuredContent any, isError boolean, "
     "errorCode string|null, resources [string], images [{path string, mimeType string}], auditId string, "
     "resultId string|null}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/admin/tool/page"}, TC_API_VIEWER, "Tools by page, with filters",
     TC_TOOL_PAGE_INPUT, "{list [Tool], groups? [ToolSource], pagination Pagination}", tc_tool_page},
    {{"GET", "/admin/tool/facets"}, TC_API_VIEWER, "How many tools there are of each kind", NULL, "ToolFacets",
     tc_tool_facets},
    {{"GET", "/admin/tool/all"}, TC_API_VIEWER, "All tools", NULL, "[Tool]", get_all},
    {{"GET", "/admin/tool/info"}, TC_API_VIEWER, "One tool with its schemas and what it needs", NULL, "ToolInfo",
     get_info, .query = which},
    {{"POST", "/admin/tool/update"}, TC_API_OPERATOR, "Change label, description, status, prompt hint, sort or extra",
     TC_TOOL_UPDATE_INPUT, "ToolInfo", tc_tool_update},
    {{"POST", "/admin/tool/updateAll"}, TC_API_OPERATOR, "One change of up to 500 tools; what came of each",
     TC_TOOL_UPDATE_ALL_INPUT, "[ToolOutcome]", tc_tool_update_all},
    {{"POST", "/admin/tool/sync"}, TC_API_OPERATOR, "Mirror the catalog into the tool table",
     "{\"type\":\"object\",\"additionalProperties\":false}",
     "{tools integer, added integer, detached integer}", sync},
    {{"GET", "/admin/tool/forAgent"}, TC_API_VIEWER, "Every tool with its state for an agent", NULL,
     "[ToolForAgent]", for_agent, .query = of_agent},
    {{"GET", "/admin/tool/explain"}, TC_API_VIEWER, "What an agent may use now, and why not the rest", NULL,
     "Resolution", tc_api_explain, .query = of_explain},
    {{"POST", "/admin/tool/call"}, TC_API_OPERATOR, "Call a tool as an agent",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"tool\"],\"properties\":{\"tool\":{\"type\":"
     "\"string\",\"minLength\":1},\"agent\":{\"type\":\"string\"},\"arguments\":true,\"callId\":{\"type\":\"string\","
     "\"maxLength\":256},\"asAdmin\":{\"type\":\"boolean\"},\"attended\":{\"type\":\"boolean\"},\"workspace\":{"
     "\"type\":\"string\"},\"surface\":{\"enum\":[\"cli\",\"ui\"]},\"answers\":{\"type\":\"array\",\"items\":{"
     "\"enum\":[\"form\",\"url\"]}}}}",
     "CallResult", try_it,
     .types = "text/event-stream"},
    {{"POST", "/admin/tool/answer"}, TC_API_OPERATOR, "Answer what a call asks that said what it answers",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"id\",\"answers\"],\"properties\":{\"id\":{"
     "\"type\":\"string\"},\"answers\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"additionalProperties\":"
     "false,\"properties\":{\"result\":{\"type\":\"object\"},\"error\":{\"type\":\"object\",\"required\":[\"code\","
     "\"message\"],\"properties\":{\"code\":{\"type\":\"integer\"},\"message\":{\"type\":\"string\"}}}},"
     "\"minProperties\":1,\"maxProperties\":1}}}}",
     "Done", answer_questions},
};

const struct tc_api_resource tc_api_tool = {"tool", "Tools", routes, sizeof routes / sizeof *routes, components};
