/*
 * What Responses answers. Text is taken as it comes; everything else when its item is
 * done, since only then it is true. What the end of the answer lists and no event
 * brought is taken from there.
 */
#include "models/responses_answer.h"

#include "models/fault.h"
#include "toolcrib/jsonw.h"

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* Items */

/* The members of an item that have to be sent back with it, or nothing. */
static enum tc_err signature_of(struct tc_cx *cx, const struct tc_json *item, const char *const *keys,
                                struct tc_str *ret_json)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str json = TC_STR("");

    tc_buf_init(&buf, TC_BUILDER_BYTES_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    for (; *keys; keys++) {
        const struct tc_json *value = tc_json_get_c(item, *keys);
        if (tc_json_type(value) != TC_JSON_NULL)
            tc_jsonw_kvalue(&w, *keys, value);
    }
    tc_jsonw_end(&w);
    if (buf.failed || buf.n > strlen("{}"))
        json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!json.p)
        return tc_fail_memory(cx);
    *ret_json = json;
    return TC_OK;
}

/* Calls that only the client can answer. Those of other kinds than function_call are never
 * offered, so the gate refuses them: a text as arguments, a kind as a name will do. What they
 * were called by stays out of the signature, since they go back as calls of functions. */
static bool is_call(struct tc_str type)
{
    static const char *const kinds[] = {"function_call", "custom_tool_call", "local_shell_call", "shell_call",
                                        "apply_patch_call", "computer_call"};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tc_str_is(type, kinds[i]))
            return true;
    return false;
}

static enum tc_err take_other_call(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *item)
{
    struct tc_str name = member(item, "name"), input = member(item, "input");

    return tc_builder_call(cx, builder, &(struct tc_call_piece){
        .index = -1,
        .id = member(item, "call_id"),
        .name = name.n ? name : member(item, "type"),
        .arguments = input.n ? input : TC_STR("{}"),
        .whole = true,
    });
}

static enum tc_err take_call(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *item)
{
    static const char *const keys[] = {"id", "namespace", "caller", "async", NULL};
    struct tc_call_piece piece = {.index = -1, .id = member(item, "call_id"), .name = member(item, "name")};
    enum tc_err e = tc_builder_piece_arguments(cx, &piece, tc_json_get_c(item, "arguments"));

    if (!e)
        e = signature_of(cx, item, keys, &piece.signature);
    piece.whole = true;
    return e ? e : tc_builder_call(cx, builder, &piece);
}

/* The calls inside a call of `parallel`, which models make though nobody offers it: their
 * number, 0 when it is not exactly of that form. */
static size_t wrapped_calls(struct tc_cx *cx, const struct tc_json *item, const struct tc_json **ret_uses)
{
    const struct tc_json *arguments, *use, *uses;
    struct tc_str name = member(item, "name");
    struct tc_json_iter it;

    if (!tc_str_is(name, "parallel") && !tc_str_is(name, "multi_tool_use.parallel"))
        return 0;
    if (tc_json_parse_root(cx, member(item, "arguments"), NULL, &arguments)) {
        tc_fail_clear(cx);
        return 0;
    }
    uses = tc_json_get_c(arguments, "tool_uses");
    if (tc_json_count(arguments) != 1 || !tc_json_is(uses, TC_JSON_ARRAY))
        return 0;
    for (it = tc_json_iter(uses); tc_json_next(&it, NULL, &use);) {
        if (!tc_str_starts(member(use, "recipient_name"), TC_STR("functions.")) ||
            !tc_json_get_c(use, "parameters") || tc_json_count(use) != 2)
            return 0;
    }
    *ret_uses = uses;
    return tc_json_count(uses);
}

/* The first one has the id of the whole. */
static enum tc_err take_wrapped(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str id,
                                const struct tc_json *uses)
{
    struct tc_json_iter it = tc_json_iter(uses);
    const struct tc_json *use;
    enum tc_err e = TC_OK;

    for (size_t i = 0; !e && tc_json_next(&it, NULL, &use); i++) {
        struct tc_call_piece piece = {
            .index = -1,
            .id = i == 0 ? id : tc_arena_printf(cx->arena, "%.*s_%zu", TC_STR_ARG(id), i),
            .name = tc_str_from(member(use, "recipient_name"), strlen("functions.")),
        };
        if (!piece.id.p)
            return tc_fail_memory(cx);
        e = tc_builder_piece_arguments(cx, &piece, tc_json_get_c(use, "parameters"));
        piece.whole = true;
        if (!e)
            e = tc_builder_call(cx, builder, &piece);
    }
    return e;
}

static enum tc_err take_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *item)
{
    struct tc_str json;

    /* The server has kept nothing, so that reasoning without its contents is of no use to it. */
    if (tc_str_is(member(item, "type"), "reasoning") && member(item, "encrypted_content").n == 0 &&
        tc_json_count(tc_json_get_c(item, "content")) == 0)
        return TC_OK;
    json = tc_json_text(cx->arena, item);
    return json.p ? tc_builder_opaque(cx, builder, json) : tc_fail_memory(cx);
}

static enum tc_err take_message(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *item)
{
    const struct tc_json *part;
    struct tc_json_iter it;
    enum tc_err e = TC_OK;

    for (it = tc_json_iter(tc_json_get_c(item, "content")); !e && tc_json_next(&it, NULL, &part);) {
        e = tc_builder_text(cx, builder, member(part, "text"));
        if (!e)
            e = tc_builder_text(cx, builder, member(part, "refusal"));
    }
    return e;
}

/* What its text lacks; all of it where no piece of it was streamed. */
static enum tc_err end_message(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *item)
{
    static const char *const keys[] = {"id", "phase", NULL};
    const struct tc_json *part;
    struct tc_json_iter it;
    struct tc_str signature;
    size_t text = 0;
    enum tc_err e = signature_of(cx, item, keys, &signature);

    for (it = tc_json_iter(tc_json_get_c(item, "content")); tc_json_next(&it, NULL, &part);)
        text += member(part, "text").n + member(part, "refusal").n;
    if (!e && text && !tc_builder_in_text(builder))
        e = take_message(cx, builder, item);
    if (!e && text && signature.n)
        e = tc_builder_text_signature(cx, builder, signature);
    tc_builder_break(builder);
    return e;
}

/* An item that is done. */
static enum tc_err end_item(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *item)
{
    struct tc_str type = member(item, "type");
    const struct tc_json *uses = NULL;

    if (tc_str_is(type, "message"))
        return end_message(cx, builder, item);
    if (!is_call(type))
        return take_opaque(cx, builder, item);
    if (!tc_str_is(type, "function_call"))
        return take_other_call(cx, builder, item);
    if (wrapped_calls(cx, item, &uses) > 0)
        return take_wrapped(cx, builder, member(item, "call_id"), uses);
    return take_call(cx, builder, item);
}

/* The readable part of reasoning that was not streamed. */
static void hear_reasoning(struct tc_reply_builder *builder, const struct tc_json *item)
{
    const struct tc_json *part;
    struct tc_json_iter it;

    for (it = tc_json_iter(tc_json_get_c(item, "summary")); tc_json_next(&it, NULL, &part);)
        tc_builder_reasoning(builder, member(part, "text"));
}

/* The end */

static bool is_refused(const struct tc_json *output)
{
    const struct tc_json *item, *part;
    struct tc_json_iter it, in;

    for (it = tc_json_iter(output); tc_json_next(&it, NULL, &item);)
        for (in = tc_json_iter(tc_json_get_c(item, "content")); tc_json_next(&in, NULL, &part);)
            if (tc_str_is(member(part, "type"), "refusal"))
                return true;
    return false;
}

static void take_usage(struct tc_reply_builder *builder, const struct tc_json *usage)
{
    struct tc_usage u = tc_builder_usage_none;

    tc_json_int(tc_json_get_c(usage, "input_tokens"), &u.input);
    tc_json_int(tc_json_get_c(usage, "output_tokens"), &u.output);
    tc_json_int(tc_json_pointer(usage, TC_STR("/input_tokens_details/cached_tokens")), &u.cached);
    tc_json_int(tc_json_pointer(usage, TC_STR("/input_tokens_details/cache_write_tokens")), &u.cache_written);
    tc_json_int(tc_json_pointer(usage, TC_STR("/output_tokens_details/reasoning_tokens")), &u.reasoning);
    tc_builder_usage(builder, &u);
}

static enum tc_err end_response(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *response)
{
    struct tc_str status = member(response, "status"),
                  reason = tc_json_str(tc_json_pointer(response, TC_STR("/incomplete_details/reason")));

    take_usage(builder, tc_json_get_c(response, "usage"));
    if (tc_json_is(tc_json_get_c(response, "error"), TC_JSON_OBJECT) || tc_str_is(status, "failed"))
        return tc_fault_fail(cx, response);
    if (tc_str_is(reason, "max_output_tokens"))
        return tc_builder_end(cx, builder, TC_FINISH_LENGTH, reason);
    if (tc_str_is(reason, "content_filter"))
        return tc_builder_end(cx, builder, TC_FINISH_FILTER, reason);
    if (status.n && !tc_str_is(status, "completed"))
        return tc_builder_end(cx, builder, TC_FINISH_OTHER, reason.n ? reason : status);
    if (is_refused(tc_json_get_c(response, "output")))
        return tc_builder_end(cx, builder, TC_FINISH_FILTER, TC_STR("refusal"));
    return tc_builder_end(cx, builder, TC_FINISH_STOP, status);
}

/* What the response lists and no event brought: calls, or everything. */
static bool is_news(const struct tc_reply_builder *builder, const struct tc_json *item)
{
    struct tc_str id = member(item, "call_id");

    return is_call(member(item, "type")) && id.n && !tc_builder_has_call(builder, id);
}

static enum tc_err take_output(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *output)
{
    bool all = !tc_builder_begun(builder);
    struct tc_json_iter it = tc_json_iter(output);
    const struct tc_json *item;
    enum tc_err e = TC_OK;

    while (!e && tc_json_next(&it, NULL, &item)) {
        if (!all && !is_news(builder, item))
            continue;
        hear_reasoning(builder, item);
        e = end_item(cx, builder, item);
    }
    return e;
}

enum tc_err tc_responses_whole(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body)
{
    enum tc_err e;

    if (!tc_json_is(tc_json_get_c(body, "output"), TC_JSON_ARRAY) &&
        !tc_json_is(tc_json_get_c(body, "error"), TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "It has neither \"output\" nor \"error\"");
    e = tc_builder_origin(cx, builder, member(body, "model"), member(body, "id"));
    if (!e)
        e = take_output(cx, builder, tc_json_get_c(body, "output"));
    return e ? e : end_response(cx, builder, body);
}

enum tc_err tc_responses_event(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                               const struct tc_json *data)
{
    const struct tc_json *error = tc_json_get_c(data, "error"), *response = tc_json_get_c(data, "response");
    struct tc_str said = member(data, "type");

    if (said.n)
        type = said;
    if (tc_str_is(type, "response.output_text.delta") || tc_str_is(type, "response.refusal.delta"))
        return tc_builder_text(cx, builder, member(data, "delta"));
    if (tc_str_is(type, "response.reasoning_summary_text.delta") || tc_str_is(type, "response.reasoning_text.delta")) {
        tc_builder_reasoning(builder, member(data, "delta"));
        return TC_OK;
    }
    if (tc_str_is(type, "response.output_item.done"))
        return end_item(cx, builder, tc_json_get_c(data, "item"));
    if (tc_str_is(type, "response.created"))
        return tc_builder_origin(cx, builder, member(response, "model"), member(response, "id"));
    if (tc_str_is(type, "response.completed") || tc_str_is(type, "response.incomplete") ||
        tc_str_is(type, "response.failed") || tc_str_is(type, "response.cancelled"))
        return tc_responses_whole(cx, builder, response);
    if (tc_str_is(type, "error") || tc_json_is(error, TC_JSON_OBJECT))
        return tc_fault_fail(cx, data);
    return TC_OK; /* beginnings, pieces that come again when done, and what is yet to be invented */
}
