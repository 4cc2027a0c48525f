/*
 * What Gemini answers. Calls come whole. A signature belongs to the part that has it and
 * goes back on that part; the model's thoughts themselves do not.
 */
#include "models/gemini_answer.h"

#include "models/fault.h"
#include "toolcrib/jsonw.h"

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* Parts */

/* An object of the members that are there, or nothing. */
static enum tc_err signature_of(struct tc_cx *cx, struct tc_str id, struct tc_str signature, struct tc_str *ret_json)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str json = TC_STR("");

    tc_buf_init(&buf, (size_t)TC_BUILDER_BYTES_MAX * 6); /* escaped */
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kopt(&w, "id", id);
    tc_jsonw_kopt(&w, "thoughtSignature", signature);
    tc_jsonw_end(&w);
    if (id.n || signature.n)
        json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!json.p)
        return tc_fail_memory(cx);
    *ret_json = json;
    return TC_OK;
}

bool tc_gemini_is_odd_name(struct tc_str name)
{
    size_t at = 0;

    while (at < name.n && name.p[at] == '_')
        at++;
    return at < name.n && (name.p[at] == '-' || (name.p[at] >= '0' && name.p[at] <= '9'));
}

/* The name as it was before write_name; those that Gemini invents may have no underscore. */
static struct tc_str name_back(struct tc_str name)
{
    bool longer = tc_gemini_is_odd_name(name) && name.p[0] == '_';

    return longer ? tc_str_from(name, 1) : name;
}

static enum tc_err take_call(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *part)
{
    const struct tc_json *call = tc_json_get_c(part, "functionCall");
    struct tc_call_piece piece = {
        .index = -1, .id = member(call, "id"), .name = name_back(member(call, "name")), .whole = true};
    enum tc_err e = tc_builder_piece_arguments(cx, &piece, tc_json_get_c(call, "args"));

    /* pieces come only to who asks for them; a call must not run without what is in them */
    if (!e && (tc_json_get_c(call, "partialArgs") || tc_json_bool(tc_json_get_c(call, "willContinue"), false)))
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "It sends the arguments of a call in pieces");
    if (!piece.arguments.p) { /* a call without any is complete, and the next one is another */
        piece.arguments = TC_STR("{}");
        piece.object = true;
    }
    if (!e)
        e = signature_of(cx, piece.id, member(part, "thoughtSignature"), &piece.signature);
    return e ? e : tc_builder_call(cx, builder, &piece);
}

static enum tc_err take_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *part)
{
    struct tc_str json = tc_json_text(cx->arena, part);

    return json.p ? tc_builder_opaque(cx, builder, json) : tc_fail_memory(cx);
}

static enum tc_err take_text(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *part)
{
    struct tc_str text = member(part, "text"), signature = member(part, "thoughtSignature"), json;
    enum tc_err e;

    if (signature.n && !text.n)
        return take_opaque(cx, builder, part);
    e = tc_builder_text(cx, builder, text);
    if (e || !signature.n)
        return e;
    e = signature_of(cx, TC_STR(""), signature, &json);
    return e ? e : tc_builder_text_signature(cx, builder, json);
}

static enum tc_err take_part(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *part)
{
    if (tc_json_get_c(part, "functionCall"))
        return take_call(cx, builder, part);
    if (tc_json_bool(tc_json_get_c(part, "thought"), false)) {
        tc_builder_reasoning(builder, member(part, "text"));
        return member(part, "thoughtSignature").n ? take_opaque(cx, builder, part) : TC_OK;
    }
    if (tc_json_is(tc_json_get_c(part, "text"), TC_JSON_STRING))
        return take_text(cx, builder, part);
    return take_opaque(cx, builder, part);
}

/* The end */

static enum tc_finish finish_of(struct tc_str reason)
{
    static const struct {
        const char *reason;
        enum tc_finish finish;
    } rows[] = {
        {"STOP", TC_FINISH_STOP},
        {"MAX_TOKENS", TC_FINISH_LENGTH},
        {"CONTINUATION", TC_FINISH_PAUSE},
        {"MALFORMED_FUNCTION_CALL", TC_FINISH_MALFORMED},
        {"UNEXPECTED_TOOL_CALL", TC_FINISH_MALFORMED},
        {"MALFORMED_RESPONSE", TC_FINISH_MALFORMED},
        {"SAFETY", TC_FINISH_FILTER},
        {"RECITATION", TC_FINISH_FILTER},
        {"LANGUAGE", TC_FINISH_FILTER},
        {"BLOCKLIST", TC_FINISH_FILTER},
        {"PROHIBITED_CONTENT", TC_FINISH_FILTER},
        {"SPII", TC_FINISH_FILTER},
        {"ESCALATION", TC_FINISH_FILTER},
        {"MODEL_ARMOR", TC_FINISH_FILTER},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tc_str_is(reason, rows[i].reason))
            return rows[i].finish;
    return TC_FINISH_OTHER;
}

/* Where a long answer can go on; the last one counts. See gemini.c. */
static enum tc_err take_continuation(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *token)
{
    struct tc_str json;

    if (!tc_json_is(token, TC_JSON_STRING))
        return TC_OK;
    json = tc_json_text(cx->arena, token);
    return json.p ? tc_builder_opaque_set(cx, builder, 0, TC_STR("continuationToken"), json) : tc_fail_memory(cx);
}

static enum tc_err take_end(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *candidate)
{
    struct tc_str reason = member(candidate, "finishReason");
    enum tc_err e = take_continuation(cx, builder, tc_json_get_c(candidate, "continuationToken"));

    return e || !reason.n ? e : tc_builder_end(cx, builder, finish_of(reason), reason);
}

/* Thoughts are counted beside the answer, results of the server's own tools beside the prompt. */
static void take_usage(struct tc_reply_builder *builder, const struct tc_json *usage)
{
    struct tc_usage u = tc_builder_usage_none;
    int64_t tools = 0;

    tc_json_int(tc_json_get_c(usage, "promptTokenCount"), &u.input);
    tc_json_int(tc_json_get_c(usage, "cachedContentTokenCount"), &u.cached);
    tc_json_int(tc_json_get_c(usage, "candidatesTokenCount"), &u.output);
    tc_json_int(tc_json_get_c(usage, "thoughtsTokenCount"), &u.reasoning);
    tc_json_int(tc_json_get_c(usage, "toolUsePromptTokenCount"), &tools);
    if (u.input >= 0 && tools > 0 && u.input <= INT64_MAX - tools)
        u.input += tools;
    if (u.reasoning > 0 && u.output < 0)
        u.output = 0;
    if (u.reasoning > 0 && u.output <= INT64_MAX - u.reasoning)
        u.output += u.reasoning;
    tc_builder_usage(builder, &u);
}

enum tc_err tc_gemini_whole(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body)
{
    const struct tc_json *part, *error = tc_json_get_c(body, "error"),
                         *candidate = tc_json_at(tc_json_get_c(body, "candidates"), 0);
    struct tc_str blocked = tc_json_str(tc_json_pointer(body, TC_STR("/promptFeedback/blockReason")));
    struct tc_json_iter it = tc_json_iter(tc_json_pointer(candidate, TC_STR("/content/parts")));
    enum tc_err e;

    if (tc_json_is(error, TC_JSON_OBJECT))
        return tc_fault_fail(cx, body);
    if (!tc_json_is(body, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "It is no object");
    e = tc_builder_origin(cx, builder, member(body, "modelVersion"), member(body, "responseId"));
    while (!e && tc_json_next(&it, NULL, &part))
        e = take_part(cx, builder, part);
    take_usage(builder, tc_json_get_c(body, "usageMetadata"));
    if (!e && blocked.n)
        e = tc_builder_end(cx, builder, TC_FINISH_FILTER, blocked);
    return e ? e : take_end(cx, builder, candidate);
}

enum tc_err tc_gemini_event(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                            const struct tc_json *data)
{
    (void)type;
    return tc_gemini_whole(cx, builder, data);
}
