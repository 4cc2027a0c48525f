/*
 * /v1/chat/completions and /v1/models: an agent as a model, for programs that speak
 * OpenAI's protocol. Tools are the agent's and run inside; what the model says between
 * them is part of the answer.
 */
#include "api/chat_answer.h"
#include "api/chat_messages.h"
#include "base/clock.h"

/* --- the request --- */

static enum tc_err check_request(struct tc_cx *cx, const struct tc_api_call *call)
{
    struct tc_str model = tc_api_field(call, "model");
    const struct tc_json *n = tc_json_get_c(call->body, "n");
    int64_t count = 1;

    if (!tc_str_eq(model, call->agent)) {
        tc_fail(cx, TC_E_AGENT_NOT_FOUND, "There is no model \"%.*s\" for this token.", TC_STR_ARG(model));
        return tc_fail_hint(cx, "Here an agent is a model: use \"%.*s\".", TC_STR_ARG(call->agent));
    }
    if (tc_json_count(tc_json_get_c(call->body, "tools")) || tc_json_count(tc_json_get_c(call->body, "functions"))) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "A request's own tools are not taken: the agent has its own.");
        return tc_fail_hint(cx, "Add them to Toolcrib, for example as an MCP server, and leave \"tools\" out.");
    }
    if (n && (!tc_json_int(n, &count) || count != 1))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "n is 1: a run has one answer.");
    return TC_OK;
}

static enum tc_err start(struct tc_cx *cx, struct tc_api_call *call, struct tc_runs *runs, struct tc_str *ret_id)
{
    struct tc_run_request request = {
        .agent = call->agent, .surface = "rest", .principal = *call->principal, .stage = TC_SCENE_PLAIN};
    enum tc_err e = tc_chat_messages(cx, tc_json_get_c(call->body, "messages"), &request);

    return e ? e : tc_runs_start(cx, runs, &request, ret_id);
}

static enum tc_err complete(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_chat_answer answer = {.call = call, .streams = tc_json_bool(tc_json_get_c(call->body, "stream"), false)};
    struct tc_runs *runs;
    struct tc_str id;
    enum tc_err e = check_request(cx, call);

    if (!e)
        e = tc_running_runs(cx, call, &runs);
    if (!e)
        e = start(cx, call, runs, &id);
    if (e)
        return e;
    answer.created = tc_clock_wall_ms(cx->clock);
    answer.id = tc_arena_printf(cx->arena, "chatcmpl-%.*s", TC_STR_ARG(id));
    e = tc_chat_answer(cx, &answer, runs, id);
    if (e == TC_E_CANCELED || tc_task_check(cx)) { /* the client has gone, and nobody else knows of its run */
        tc_task_shield(cx);
        tc_runs_cancel(cx, runs, id);
        tc_task_unshield(cx);
    }
    return e;
}

/* --- models --- */

static void write_model(struct tc_jsonw *w, struct tc_str id, int64_t created)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", id);
    tc_jsonw_kcstr(w, "object", "model");
    tc_jsonw_kint(w, "created", created / 1000);
    tc_jsonw_kcstr(w, "owned_by", "toolcrib");
    tc_jsonw_end(w);
}

static enum tc_err models(struct tc_cx *cx, struct tc_api_call *call)
{
    (void)cx;
    tc_jsonw_object(call->out);
    tc_jsonw_kcstr(call->out, "object", "list");
    tc_jsonw_key(call->out, "data");
    tc_jsonw_array(call->out);
    write_model(call->out, call->agent, call->runtime->started_at);
    tc_jsonw_end(call->out);
    tc_jsonw_end(call->out);
    return TC_OK;
}

static enum tc_err model(struct tc_cx *cx, struct tc_api_call *call)
{
    struct tc_str id = tc_router_param(call->match, TC_STR("id"));

    if (!tc_str_eq(id, call->agent))
        return tc_fail(cx, TC_E_AGENT_NOT_FOUND, "There is no model \"%.*s\" for this token.", TC_STR_ARG(id));
    write_model(call->out, id, call->runtime->started_at);
    return TC_OK;
}

/* Clients of that protocol add what they like. */
static const struct tc_api_param any[] = {{.name = "*"}, {0}};

static const struct tc_api_component components[] = {
    {"ChatCompletion",
     "{id string, object string, created integer, model string, choices [{index integer, message {role (assistant), "
     "content string, refusal string|null}, logprobs null, finish_reason (stop|length)}], "
     "usage {prompt_tokens integer, completion_tokens integer, total_tokens integer}}"},
    {"Model", "{id string, object (model), created integer, owned_by string}"},
    {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/v1/chat/completions"}, TC_API_AGENT, "An agent as a model, in OpenAI's protocol, its tools run inside",
     "{\"type\":\"object\",\"required\":[\"model\",\"messages\"],\"properties\":{\"model\":{\"type\":\"string\"},"
     "\"messages\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"object\",\"required\":[\"role\"],"
     "\"properties\":{\"role\":{\"enum\":[\"system\",\"developer\",\"user\",\"assistant\",\"tool\",\"function\"]},"
     "\"content\":{\"type\":[\"string\",\"array\",\"null\"],\"items\":{\"type\":\"object\"}}}}},"
     "\"stream\":{\"type\":[\"boolean\",\"null\"]},\"stream_options\":{\"type\":[\"object\",\"null\"]}}}",
     "ChatCompletion", complete,
     .query = any, .types = "text/event-stream"},
    {{"GET", "/v1/models"}, TC_API_AGENT, "The models of this token: its agent", NULL,
     "{object (list), data [Model]}", models, .query = any},
    {{"GET", "/v1/models/{id}"}, TC_API_AGENT, "One model", NULL, "Model", model,
     .query = any},
};

const struct tc_api_resource tc_api_chat = {"chat", "An agent as a model", routes,
                                            sizeof routes / sizeof *routes, components};
