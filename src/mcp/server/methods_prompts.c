/*
 * Prompts and completion: asked of the server that has them, under its own names.
 */
#include "mcp/server/content.h"
#include "mcp/server/methods.h"
#include "runtime/servers_offer.h"

enum { PARAMS_MAX = 4 * 1024 * 1024, NO_METHOD = -32601 };

static const char *const prompt_name[] = {"name"};

/* --- prompts/get --- */

static bool is_private(struct tc_str key)
{
    return tc_str_is(key, "_meta") || tc_str_is(key, "inputResponses") || tc_str_is(key, "requestState");
}

/* The object with another string at the path, without what is between client and us. */
static void write_renamed(struct tc_jsonw *w, const struct tc_json *object, const char *const *path, size_t n,
                          struct tc_str value)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *member;
    struct tc_str key;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &member)) {
        if (is_private(key))
            continue;
        tc_jsonw_key_str(w, key);
        if (!tc_str_is(key, path[0]))
            tc_jsonw_value(w, member);
        else if (n > 1)
            write_renamed(w, member, path + 1, n - 1, value);
        else
            tc_jsonw_str(w, value);
    }
    tc_jsonw_end(w);
}

static enum tc_err renamed(struct tc_cx *cx, const struct tc_json *params, const char *const *path, size_t n,
                           struct tc_str value, const struct tc_json **ret)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, PARAMS_MAX);
    tc_jsonw_init(&w, &buf);
    write_renamed(&w, params, path, n, value);
    return tc_method_parsed(cx, &buf, ret);
}

static enum tc_err write_messages(struct tc_cx *cx, const struct tc_dialog *d, struct tc_jsonw *w,
                                  const struct tc_json *result, struct tc_str uuid)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(result, "messages"));
    struct tc_content_rules rules = {.revision = d->envelope.revision};
    const struct tc_json *message;
    enum tc_err e = tc_method_links(cx, d, uuid, &rules);

    if (e)
        return e;
    tc_method_open(w, d);
    tc_jsonw_kopt(w, "description", tc_json_str(tc_json_get_c(result, "description")));
    tc_jsonw_key(w, "messages");
    tc_jsonw_array(w);
    while (!e && tc_json_next(&it, NULL, &message)) {
        tc_jsonw_object(w);
        tc_jsonw_kvalue(w, "role", tc_json_get_c(message, "role"));
        tc_jsonw_key(w, "content");
        e = tc_mcp_content_write_block(cx, w, tc_json_get_c(message, "content"), &rules);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    return e ? e : tc_method_close(cx, w, d, tc_method_meta_of(cx, result));
}

static enum tc_err unknown_prompt(struct tc_cx *cx, struct tc_str name)
{
    return tc_fail(cx, TC_E_RPC_PARAMS, "There is no prompt \"%.*s\" for you.", TC_STR_ARG(name));
}

enum tc_err tc_method_prompts_get(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                  struct tc_jsonw *w)
{
    const struct tc_json *name = tc_json_get_c(request->params, "name"), *result;
    struct tc_pass pass = {.method = "prompts/get"};
    const struct tc_offer_entry *entry;
    struct tc_offer offer;
    int code;
    enum tc_err e;

    if (!tc_json_is(name, TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "prompts/get needs the name of a prompt, a string.");
    e = tc_offer_get(cx, d->runtime, d->agent, TC_SOURCE_PROMPTS, TC_METHOD_WAIT_MS, &offer);
    if (e)
        return e;
    entry = tc_offer_find(&offer, tc_json_str(name));
    if (!entry)
        return unknown_prompt(cx, tc_json_str(name));
    pass.uuid = entry->server->uuid;
    e = renamed(cx, request->params, prompt_name, 1, entry->native, &pass.params);
    if (!e)
        e = renamed(cx, request->params, prompt_name, 1, entry->name, &pass.asked);
    if (!e)
        e = tc_method_meta(cx, request->params, &pass.meta);
    if (!e)
        e = tc_method_pass(cx, d, &pass, &result, &code);
    return e ? e : write_messages(cx, d, w, result, pass.uuid);
}

/* --- completion/complete --- */

static enum tc_err write_completion(struct tc_cx *cx, const struct tc_dialog *d, struct tc_jsonw *w,
                                    const struct tc_json *completion)
{
    tc_method_open(w, d);
    tc_jsonw_key(w, "completion");
    if (tc_json_is(tc_json_get_c(completion, "values"), TC_JSON_ARRAY))
        tc_jsonw_value(w, completion);
    else
        tc_jsonw_raw(w, TC_STR("{\"values\":[]}"));
    return tc_method_close(cx, w, d, TC_STR(""));
}

static const char *const prompt_ref[] = {"ref", "name"}, *const template_ref[] = {"ref", "uri"};

static bool is_prompt(const struct tc_json *ref)
{
    return tc_str_is(tc_json_str(tc_json_get_c(ref, "type")), "ref/prompt");
}

/* What a reference means: the entry, or NULL for one of our own. */
static enum tc_err resolve_ref(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_json *ref,
                               struct tc_offer *offer, const struct tc_offer_entry **ret)
{
    bool prompt = is_prompt(ref);
    struct tc_str name = tc_json_str(tc_json_get_c(ref, prompt ? "name" : "uri"));
    enum tc_err e;

    *ret = NULL;
    if (!prompt && !tc_str_is(tc_json_str(tc_json_get_c(ref, "type")), "ref/resource"))
        return tc_fail(cx, TC_E_RPC_PARAMS, "completion/complete needs a ref of type ref/prompt or ref/resource.");
    if (!prompt && tc_str_starts(name, TC_STR("toolcrib://results/")))
        return TC_OK;
    e = tc_offer_get(cx, d->runtime, d->agent, prompt ? TC_SOURCE_PROMPTS : TC_SOURCE_TEMPLATES, TC_METHOD_WAIT_MS,
                     offer);
    if (e)
        return e;
    *ret = tc_offer_find(offer, name);
    if (*ret)
        return TC_OK;
    return prompt ? unknown_prompt(cx, name)
                  : tc_fail(cx, TC_E_RPC_PARAMS, "There is no resource template \"%.*s\" for you.", TC_STR_ARG(name));
}

enum tc_err tc_method_complete(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                               struct tc_jsonw *w)
{
    const struct tc_json *ref = tc_json_get_c(request->params, "ref"),
                         *argument = tc_json_get_c(request->params, "argument");
    struct tc_source_request asked = {.method = "completion/complete", .identity = d->agent};
    const struct tc_offer_entry *entry;
    struct tc_source_reply reply;
    struct tc_offer offer;
    enum tc_err e;

    if (!tc_json_is(tc_json_get_c(argument, "name"), TC_JSON_STRING) ||
        !tc_json_is(tc_json_get_c(argument, "value"), TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "completion/complete needs an argument with name and value, strings.");
    e = resolve_ref(cx, d, ref, &offer, &entry);
    if (e)
        return e;
    if (!entry)
        return write_completion(cx, d, w, NULL);
    e = renamed(cx, request->params, is_prompt(ref) ? prompt_ref : template_ref, 2, entry->native, &asked.params);
    if (!e)
        e = tc_servers_request(cx, d->runtime->servers, entry->server->uuid, &asked, &reply);
    if (e)
        return e;
    if (reply.outcome == TC_OUTCOME_RESULT)
        return write_completion(cx, d, w, tc_json_get_c(reply.result, "completion"));
    if (reply.outcome == TC_OUTCOME_SERVER_ERROR && reply.rpc_code == NO_METHOD) /* it completes nothing */
        return write_completion(cx, d, w, NULL);
    return tc_fail(cx, reply.rpc_code == -32602 ? TC_E_RPC_PARAMS : TC_E_MCP_SERVER_ERROR,
                   "The server did not complete it: %.*s", TC_STR_ARG(reply.message));
}
