/*
 * /v1/chat/completions and /v1/models: an agent as a model, for programs that speak
 * OpenAI's protocol. Tools are the agent's and run inside; what the model says between
 * them is part of the answer.
 */
#include "api/chat_answer.h"
#include "base/clock.h"

enum { TEXT_MAX = 64 * 1024 * 1024 };

/* --- the request --- */

/* The text of a message: a string, or an array of text parts. */
static enum tc_err read_content(struct tc_cx *cx, const struct tc_json *content, struct tc_str *ret_text)
{
    const struct tc_json *part;
    struct tc_buf text;

    if (!content || tc_json_is(content, TC_JSON_STRING) || tc_json_is(content, TC_JSON_NULL)) {
        *ret_text = tc_json_str(content);
        return TC_OK;
    }
    tc_buf_init(&text, TEXT_MAX);
    for (size_t i = 0; (part = tc_json_at(content, i)); i++) {
        if (!tc_str_is(tc_json_str(tc_json_get_c(part, "type")), "text")) {
            tc_buf_finish(&text);
            return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Parts of the type \"%.*s\" are not taken here, only text.",
                           TC_STR_ARG(tc_json_str(tc_json_get_c(part, "type"))));
        }
        if (text.n)
            tc_buf_char(&text, '\n');
        tc_buf_str(&text, tc_json_str(tc_json_get_c(part, "text")));
    }
    *ret_text = tc_buf_dup(&text, cx->arena);
    tc_buf_finish(&text);
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

struct conversation {
    struct tc_buf instructions; /* of system and developer messages */
    struct tc_buf history;      /* JSON array of those before the last */
    struct tc_jsonw w;
    struct tc_str text;         /* the last one */
};

static enum tc_err take_message(struct tc_cx *cx, struct conversation *c, const struct tc_json *message, bool last)
{
    struct tc_str role = tc_json_str(tc_json_get_c(message, "role")), text;
    bool is_user = tc_str_is(role, "user");
    enum tc_err e = read_content(cx, tc_json_get_c(message, "content"), &text);

    if (e)
        return e;
    if (tc_json_get_c(message, "tool_calls") || tc_str_is(role, "tool") || tc_str_is(role, "function"))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Tools are the agent's own here, so their calls are not taken.");
    if (tc_str_is(role, "system") || tc_str_is(role, "developer")) {
        if (c->instructions.n)
            tc_buf_str(&c->instructions, TC_STR("\n\n"));
        tc_buf_str(&c->instructions, text);
        return TC_OK;
    }
    if (last) {
        c->text = text;
        if (is_user && text.n)
            return TC_OK;
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The last message is to be the user's, with text.");
    }
    tc_jsonw_object(&c->w);
    tc_jsonw_kcstr(&c->w, "role", is_user ? "user" : "assistant");
    tc_jsonw_kstr(&c->w, "content", text);
    tc_jsonw_end(&c->w);
    return TC_OK;
}

static enum tc_err read_messages(struct tc_cx *cx, const struct tc_json *messages, struct conversation *c)
{
    size_t n = tc_json_count(messages);
    enum tc_err e = TC_OK;

    tc_buf_init(&c->instructions, TEXT_MAX);
    tc_buf_init(&c->history, TEXT_MAX);
    tc_jsonw_init(&c->w, &c->history);
    tc_jsonw_array(&c->w);
    for (size_t i = 0; !e && i < n; i++)
        e = take_message(cx, c, tc_json_at(messages, i), i + 1 == n);
    tc_jsonw_end(&c->w);
    return e ? e : c->instructions.failed || c->history.failed ? tc_fail_memory(cx) : TC_OK;
}

static void finish_conversation(struct conversation *c)
{
    tc_buf_finish(&c->instructions);
    tc_buf_finish(&c->history);
}

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
    struct tc_run_request request = {.agent = call->agent, .surface = "rest", .principal = *call->principal};
    struct conversation c = {.text = TC_STR("")};
    enum tc_err e = read_messages(cx, tc_json_get_c(call->body, "messages"), &c);

    if (!e)
        e = tc_json_parse_root(cx, tc_buf_get(&c.history), NULL, &request.history);
    if (!e) {
        request.text = c.text;
        request.instructions = tc_buf_get(&c.instructions);
        request.stage = TC_SCENE_PLAIN;
        e = tc_runs_start(cx, runs, &request, ret_id);
    }
    finish_conversation(&c);
    return e;
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

static const struct tc_api_route routes[] = {
    {{"POST", "/v1/chat/completions"}, TC_API_AGENT, "An agent as a model, in OpenAI's protocol, its tools run inside",
     "{\"type\":\"object\",\"required\":[\"model\",\"messages\"],\"properties\":{\"model\":{\"type\":\"string\"},"
     "\"messages\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"type\":\"object\",\"required\":[\"role\"],"
     "\"properties\":{\"role\":{\"enum\":[\"system\",\"developer\",\"user\",\"assistant\",\"tool\",\"function\"]},"
     "\"content\":{\"type\":[\"string\",\"array\",\"null\"],\"items\":{\"type\":\"object\"}}}}},"
     "\"stream\":{\"type\":[\"boolean\",\"null\"]},\"stream_options\":{\"type\":[\"object\",\"null\"]}}}",
     "{\"type\":\"object\",\"required\":[\"id\",\"object\",\"choices\",\"usage\"]}", complete},
    {{"GET", "/v1/models"}, TC_API_AGENT, "The models of this token: its agent", NULL,
     "{\"type\":\"object\",\"required\":[\"object\",\"data\"]}", models},
    {{"GET", "/v1/models/{id}"}, TC_API_AGENT, "One model", NULL, "{\"type\":\"object\",\"required\":[\"id\"]}", model},
};

const struct tc_api_resource tc_api_chat = {"chat", "An agent as a model", routes, sizeof routes / sizeof *routes};
