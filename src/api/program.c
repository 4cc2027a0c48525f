/*
 * /v1 for programs with their own loop: the tools of the token's agent, calls,
 * and stored results.
 */
#include "api/formats.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "runtime/discovery.h"

static enum tc_err borrow_view(struct tc_cx *cx, struct tc_api_call *call, const struct tc_view **ret)
{
    struct tc_view_key key = {.agent = call->agent, .client = true};

    return tc_view_borrow(cx, call->runtime->views, &key, ret);
}

static void write_diagnostics(struct tc_jsonw *w, const struct tc_resolution *resolution)
{
    for (size_t i = 0; i < resolution->diagnostics_n; i++) {
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "code", resolution->diagnostics[i].code);
        tc_jsonw_kstr(w, "message", resolution->diagnostics[i].message);
        tc_jsonw_kstr(w, "toolId", resolution->diagnostics[i].tool_id);
        tc_jsonw_end(w);
    }
}

/* The tools of the view that this client is offered. */
static enum tc_err list_tools(struct tc_cx *cx, struct tc_api_call *call, struct tc_api_tools *ret_tools)
{
    struct tc_api_tools tools;
    bool *offered;
    enum tc_err e = borrow_view(cx, call, &tools.view);

    if (!e)
        e = tc_discovery_client(cx, call->runtime->discovery, call->principal, tools.view, &offered);
    if (!e)
        e = tc_discovery_positions(cx, tools.view, offered, &tools.positions, &tools.n);
    if (!e)
        *ret_tools = tools;
    return e;
}

/* A client that has this very list gets none again. */
static enum tc_err tag(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str known = tc_exchange_header(call->exchange, TC_STR("If-None-Match")), etag;
    struct tc_header *field = TC_ARENA_NEW(cx->arena, struct tc_header);
    char hex[TC_HASH_HEX_SIZE];

    tc_hash_sha256_hex(tc_buf_get(call->out->buf), hex);
    etag = tc_arena_printf(cx->arena, "\"%.32s\"", hex);
    if (!etag.p || !field)
        return tc_fail_memory(cx);
    *field = (struct tc_header){TC_STR("ETag"), etag};
    call->extra = (struct tc_header_list){field, 1};
    if (tc_header_has(known, TC_STR("*")) || tc_header_has(known, etag) ||
        tc_header_has(known, tc_arena_printf(cx->arena, "W/%.*s", TC_STR_ARG(etag)))) {
        call->status = 304;
        call->type = ""; /* there is no content */
    }
    return TC_OK;
}

static enum tc_err get_tools(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str provider = tc_api_query(cx, call, "format");
    struct tc_view_key key = {.agent = call->agent, .client = true};
    bool mcp = !provider.n || tc_str_is(provider, "mcp");
    struct tc_resolution *resolution;
    struct tc_api_format format;
    struct tc_api_tools tools;
    enum tc_err e = list_tools(cx, call, &tools);

    if (!e && !mcp)
        e = tc_api_format_tools(cx, call, provider, &tools, &format);
    if (!e)
        e = tc_view_explain(cx, call->runtime->views, &key, &resolution);
    if (e)
        return e;
    tc_jsonw_object(call->out);
    tc_jsonw_kcstr(call->out, "snapshot", tools.view->snapshot);
    tc_jsonw_key(call->out, "tools");
    if (mcp) {
        tc_jsonw_array(call->out);
        for (size_t i = 0; i < tools.n; i++)
            tc_jsonw_raw(call->out, tc_view_text(tools.view, tools.positions[i]));
        tc_jsonw_end(call->out);
    } else {
        tc_jsonw_raw(call->out, format.tools);
    }
    tc_jsonw_key(call->out, "diagnostics");
    tc_jsonw_array(call->out);
    write_diagnostics(call->out, resolution);
    if (!mcp)
        tc_api_format_diagnostics(call->out, &format, &tools);
    tc_jsonw_end(call->out);
    tc_jsonw_end(call->out);
    return tag(cx, call);
}

static enum tc_err call_tool(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_invocation invocation = {.surface = "rest", .principal = *call->principal, .agent = call->agent};
    struct tc_call_request request = {
        .name = tc_api_field(call, "name"),
        .arguments = tc_json_get_c(call->body, "arguments"),
        .call_id = tc_api_field(call, "callId"),
        .snapshot = tc_api_field(call, "snapshot"),
    };
    struct tc_call_result result;
    enum tc_err e = tc_pipeline_call(cx, call->runtime, &invocation, &request, &result);

    if (!e)
        tc_api_result(call->out, &result);
    return e;
}

/* ?offset= and ?limit= count characters of the readable text. */
static enum tc_err get_result(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_router_param(call->match, TC_STR("id")), offset = tc_api_query(cx, call, "offset"),
                  limit = tc_api_query(cx, call, "limit"), part;
    struct tc_stored_result stored;
    int64_t from = 0, count = INT64_MAX;
    enum tc_err e;

    if ((offset.n && (!tc_str_int(offset, &from) || from < 0)) ||
        (limit.n && (!tc_str_int(limit, &count) || count < 1)))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "offset is at least 0 and limit at least 1, both in characters.");
    e = tc_pipeline_stored(cx, call->runtime, call->principal, call->agent, id, &stored);
    if (e)
        return e;
    part = tc_str_from(stored.text, tc_utf8_head(stored.text, (size_t)from).n);
    part = tc_utf8_head(part, (size_t)count);
    tc_jsonw_object(call->out);
    tc_jsonw_kstr(call->out, "id", id);
    tc_jsonw_kcstr(call->out, "mimeType", stored.mime);
    tc_jsonw_kint(call->out, "chars", (int64_t)tc_utf8_count(stored.text));
    tc_jsonw_kint(call->out, "offset", from);
    tc_jsonw_kstr(call->out, "text", part);
    tc_jsonw_end(call->out);
    return TC_OK;
}

#define COUNT(from) "{\"type\":\"integer\",\"minimum\":" from "}"

static const struct tc_api_param of_list[] = {{"format", false, "The protocol they are written for; mcp", NULL}, {0}};
static const struct tc_api_param of_calls[] = {
    {"format", false, "The protocol of the message; found out", NULL},
    {"snapshot", false, "Of the list that the message was made from", "{\"type\":\"string\",\"maxLength\":64}"},
    {0}};
static const struct tc_api_param of_result[] = {{"offset", false, "In characters; 0", COUNT("0")},
                                                {"limit", false, "In characters; the rest", COUNT("1")},
                                                {0}};

static const struct tc_api_route routes[] = {
    {{"GET", "/v1/tools"}, TC_API_AGENT, "The tools that this token's agent may use now", NULL,
     "{snapshot string, tools [object], diagnostics [Diagnostic]}", get_tools, .query = of_list,
     .statuses = {200, 304}},
    {{"POST", "/v1/tools/call"}, TC_API_AGENT, "Call a tool",
     "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":"
     "\"string\",\"minLength\":1},\"arguments\":true,\"callId\":{\"type\":\"string\",\"maxLength\":256},\"snapshot\":{"
     "\"type\":\"string\",\"maxLength\":64}}}",
     "CallResult", call_tool},
    {{"POST", "/v1/tools/calls"}, TC_API_AGENT,
     "Run the calls of an assistant's message as a provider sent it",
     "{\"type\":[\"object\",\"array\"]}",
     "{format string, messages [object], calls [{callId string, toolId string, name string, isError boolean, "
     "errorCode? string}]}",
     tc_api_format_calls, .query = of_calls},
    {{"GET", "/v1/results/{id}"}, TC_API_AGENT, "Read a stored result", NULL,
     "{id string, mimeType string, chars integer, offset integer, text string}", get_result, .query = of_result},
};

const struct tc_api_resource tc_api_program = {"program", "For programs with their own loop", routes,
                                               sizeof routes / sizeof *routes};
