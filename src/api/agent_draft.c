/*
 * The document is decoded as a stored one is; the version and the times that a form has
 * from the stored one are no part of it.
 */
#include "api/agent_draft.h"

enum { DOCUMENT_MAX = 4 * 1024 * 1024 };

static bool is_apart(struct tc_str key)
{
    return tc_str_is(key, "version") || tc_str_is(key, "createTime") || tc_str_is(key, "updateTime");
}

static enum tc_err print_document(struct tc_cx *cx, const struct tc_json *document, struct tc_str *ret_json)
{
    struct tc_json_iter it = tc_json_iter(document);
    const struct tc_json *value;
    struct tc_str key;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, DOCUMENT_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    while (tc_json_next(&it, &key, &value)) {
        if (is_apart(key))
            continue;
        tc_jsonw_key_str(&w, key);
        tc_jsonw_value(&w, value);
    }
    tc_jsonw_end(&w);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_json->p ? TC_OK : tc_fail_memory(cx);
}

static void unref(void *agent)
{
    tc_agent_unref(agent);
}

static enum tc_err read_document(struct tc_cx *cx, struct tc_api_call *call, const struct tc_json *document,
                                 struct tc_agent **ret_agent)
{
    struct tc_agent *agent;
    struct tc_str json;
    enum tc_err e = print_document(cx, document, &json);

    if (!e)
        e = tc_agent_decode(cx, json, &agent);
    if (e)
        return e;
    if (!tc_arena_defer(cx->arena, unref, agent)) {
        tc_agent_unref(agent);
        return tc_fail_memory(cx);
    }
    *ret_agent = agent;
    return tc_agents_check(cx, call->runtime->agents, agent);
}

enum tc_err tc_agent_draft_read(struct tc_cx *cx, struct tc_api_call *call, const struct tc_json *document,
                                struct tc_str id, struct tc_agent_draft *ret)
{
    const struct tc_json *model = tc_json_get_c(call->body, "model");
    struct tc_channels_ask ask = {
        .channel = tc_json_str(tc_json_get_c(model, "channel")),
        .model = tc_json_str(tc_json_get_c(model, "model")),
    };
    enum tc_err e;

    *ret = (struct tc_agent_draft){0};
    ret->key.client = tc_str_is(tc_api_field(call, "for"), "client");
    ret->key.answers = tc_json_bool(tc_json_get_c(call->body, "answers"), false);
    tc_stage_of(tc_api_field(call, "stage"), &ret->key.stage);
    if (document)
        e = read_document(cx, call, document, &ret->agent);
    else
        e = tc_agents_get(cx, call->runtime->agents, id, &ret->agent);
    if (e)
        return e;
    ret->key.agent = ret->agent->id;
    ret->key.draft = document ? ret->agent : NULL;
    return tc_agent_model_of(cx, call, ret->agent, &ask, &ret->key, &ret->model);
}
