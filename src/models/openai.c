/*
 * OpenAI Chat Completions, and with it every server that speaks like it: how they differ
 * is said by the capabilities of a request (rows.c), never by a name in here.
 *
 * Opaque items are objects. {"type": "reasoning.…"} is an entry of reasoning_details,
 * {"type": "thinking"} a chunk of content; of any other the members are members of the
 * assistant's message: {"reasoning_content": …}.
 */
#include "toolcrib/provider.h"

#include "models/body.h"
#include "models/builder.h"
#include "models/fault.h"
#include "models/openai_write.h"

/* Keys of opaque items; those of reasoning_details are their indexes. */
enum { KEY_REASONING = -1, KEY_THINKING = -2 };

static enum tc_err wire(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str key,
                        struct tc_model_wire *ret_wire)
{
    struct tc_model_wire wire = {.path = TC_STR("/chat/completions")};
    enum tc_err err = tc_body_bearer(cx, key, &wire);

    (void)request;
    if (!err)
        *ret_wire = wire;
    return err;
}

/* --- reasoning --- */

/* Members of a detail that come in pieces; the others come once, or again as they were. */
static bool is_piece(struct tc_str member)
{
    return tc_str_is(member, "text") || tc_str_is(member, "summary") || tc_str_is(member, "data");
}

static enum tc_err take_detail(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *detail)
{
    struct tc_json_iter it = tc_json_iter(detail);
    const struct tc_json *value;
    struct tc_str member;
    int64_t key = 0;
    enum tc_err err = TC_OK;

    if (!tc_json_int(tc_json_get_c(detail, "index"), &key) || key < 0)
        key = 0;
    while (!err && tc_json_next(&it, &member, &value)) {
        struct tc_str json;

        if (tc_json_is(value, TC_JSON_STRING) && is_piece(member)) {
            err = tc_builder_opaque_append(cx, builder, key, member, tc_json_str(value));
        } else if (!tc_json_is(value, TC_JSON_NULL) || !tc_builder_opaque_has(builder, key, member)) {
            json = tc_json_text(cx->arena, value);
            err = json.p ? tc_builder_opaque_set(cx, builder, key, member, json) : tc_fail_memory(cx);
        }
    }
    return err;
}

/* Servers say it as reasoning_content or as reasoning, a router beside it as details,
 * which then are what it wants back. */
static enum tc_err take_reasoning(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *message)
{
    static const char *const names[] = {"reasoning_content", "reasoning"};
    const struct tc_json *details = tc_json_get_c(message, "reasoning_details"), *detail;
    struct tc_json_iter it = tc_json_iter(details);
    bool heard = false;
    enum tc_err err = TC_OK;
    size_t i;

    for (i = 0; i < 2 && !err && !heard; i++) {
        const struct tc_json *text = tc_json_get_c(message, names[i]);

        heard = tc_json_str(text).n > 0;
        tc_builder_reasoning(builder, tc_json_str(text));
        if (tc_json_is(text, TC_JSON_STRING) && heard && tc_json_count(details) == 0)
            err = tc_builder_opaque_append(cx, builder, KEY_REASONING, tc_str_of(names[i]), tc_json_str(text));
    }
    while (!err && tc_json_next(&it, NULL, &detail)) {
        if (!heard)
            tc_builder_reasoning(builder, tc_json_str(tc_json_get_c(detail, "text")));
        err = take_detail(cx, builder, detail);
    }
    return err;
}

/* --- content --- */

static enum tc_err take_thinking(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *thinking)
{
    struct tc_json_iter it = tc_json_iter(thinking);
    const struct tc_json *piece;
    enum tc_err err = tc_builder_opaque_set(cx, builder, KEY_THINKING, TC_STR("type"), TC_STR("\"thinking\""));

    while (!err && tc_json_next(&it, NULL, &piece)) {
        struct tc_str text = tc_json_str(tc_json_get_c(piece, "text"));

        tc_builder_reasoning(builder, text);
        err = tc_builder_opaque_append(cx, builder, KEY_THINKING, TC_STR("text"), text);
    }
    return err;
}

/* A text, or chunks of one. */
static enum tc_err take_content(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *content)
{
    struct tc_json_iter it = tc_json_iter(content);
    const struct tc_json *chunk;
    enum tc_err err = TC_OK;

    if (tc_json_is(content, TC_JSON_STRING))
        return tc_builder_text(cx, builder, tc_json_str(content));
    while (!err && tc_json_next(&it, NULL, &chunk)) {
        const struct tc_json *thinking = tc_json_get_c(chunk, "thinking");

        if (thinking)
            err = take_thinking(cx, builder, thinking);
        else
            err = tc_builder_text(cx, builder, tc_json_str(tc_json_get_c(chunk, "text")));
    }
    return err;
}

/* --- calls --- */

/* arguments: the member that holds them. */
static enum tc_err take_function(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *function,
                                 const char *arguments, struct tc_call_piece *piece)
{
    enum tc_err err;

    piece->name = tc_json_str(tc_json_get_c(function, "name"));
    err = tc_builder_piece_arguments(cx, piece, tc_json_get_c(function, arguments));
    return err ? err : tc_builder_call(cx, builder, piece);
}

/* index: of a call that says none, by its place; negative: by nothing. */
static enum tc_err take_call(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *call,
                             int64_t index)
{
    struct tc_call_piece piece = {.index = index, .id = tc_json_str(tc_json_get_c(call, "id"))};
    const struct tc_json *said = tc_json_get_c(call, "index"), *custom = tc_json_get_c(call, "custom");

    if (!said)
        said = tc_json_get_c(tc_json_get_c(call, "function"), "index");
    if (said && (!tc_json_int(said, &piece.index) || piece.index < 0))
        piece.index = index;
    if (tc_json_is(custom, TC_JSON_OBJECT)) /* with a text as its input; goes back as a function's */
        return take_function(cx, builder, custom, "input", &piece);
    return take_function(cx, builder, tc_json_get_c(call, "function"), "arguments", &piece);
}

static enum tc_err take_calls(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *message,
                              bool whole)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(message, "tool_calls"));
    const struct tc_json *call, *old = tc_json_get_c(message, "function_call");
    struct tc_call_piece piece = {.index = 0};
    enum tc_err err = TC_OK;
    int64_t i = 0;

    while (!err && tc_json_next(&it, NULL, &call))
        err = take_call(cx, builder, call, whole ? i++ : -1);
    if (!err && i == 0 && tc_json_is(old, TC_JSON_OBJECT))
        err = take_function(cx, builder, old, "arguments", &piece);
    return err;
}

/* --- the end --- */

static enum tc_err take_finish(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str word)
{
    static const struct {
        const char *word;
        enum tc_finish finish;
    } finishes[] = {
        {"stop", TC_FINISH_STOP},           {"tool_calls", TC_FINISH_CALLS}, {"function_call", TC_FINISH_CALLS},
        {"length", TC_FINISH_LENGTH},       {"max_tokens", TC_FINISH_LENGTH}, {"content_filter", TC_FINISH_FILTER},
        {"sensitive", TC_FINISH_FILTER},    {"refusal", TC_FINISH_FILTER},   {"model_length", TC_FINISH_CONTEXT},
        {"end_turn", TC_FINISH_STOP},       {"eos", TC_FINISH_STOP},         {"stop_sequence", TC_FINISH_STOP},
        {"tool_use", TC_FINISH_CALLS},
    };
    size_t i;

    if (word.n == 0)
        return TC_OK;
    if (tc_str_is(word, "insufficient_system_resource"))
        return tc_fail(cx, TC_E_MODEL_OVERLOADED, "It ended with insufficient_system_resource");
    if (tc_str_is(word, "error") || tc_str_is(word, "abort"))
        return tc_fail(cx, TC_E_MODEL_BROKEN, "It ended with %.*s", TC_STR_ARG(word));
    for (i = 0; i < sizeof finishes / sizeof finishes[0]; i++)
        if (tc_str_is(word, finishes[i].word))
            return tc_builder_end(cx, builder, finishes[i].finish, word);
    return tc_builder_end(cx, builder, TC_FINISH_OTHER, word);
}

static void count(const struct tc_json *usage, const char *pointer, int64_t *ret)
{
    tc_json_int(tc_json_pointer(usage, tc_str_of(pointer)), ret);
}

static void take_usage(struct tc_reply_builder *builder, const struct tc_json *usage)
{
    struct tc_usage u = tc_builder_usage_none;

    if (!tc_json_is(usage, TC_JSON_OBJECT))
        return;
    count(usage, "/prompt_tokens", &u.input);
    count(usage, "/completion_tokens", &u.output);
    count(usage, "/prompt_cache_hit_tokens", &u.cached);
    count(usage, "/prompt_tokens_details/cached_tokens", &u.cached);
    count(usage, "/prompt_tokens_details/cache_write_tokens", &u.cache_written);
    count(usage, "/completion_tokens_details/reasoning_tokens", &u.reasoning);
    tc_builder_usage(builder, &u);
}

/* --- answers --- */

/* What an event's delta and a whole message have in common. */
static enum tc_err take_message(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *message,
                                bool whole)
{
    enum tc_err err = take_reasoning(cx, builder, message);

    if (!err)
        err = take_content(cx, builder, tc_json_get_c(message, "content"));
    if (!err)
        err = tc_builder_text(cx, builder, tc_json_str(tc_json_get_c(message, "refusal")));
    return err ? err : take_calls(cx, builder, message, whole);
}

static enum tc_err take_answer(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *data,
                               bool whole)
{
    const struct tc_json *choice = tc_json_at(tc_json_get_c(data, "choices"), 0), *message;
    int64_t index;
    enum tc_err err;

    err = tc_builder_origin(cx, builder, tc_json_str(tc_json_get_c(data, "model")),
                            tc_json_str(tc_json_get_c(data, "id")));
    if (err)
        return err;
    take_usage(builder, tc_json_get_c(data, "usage"));
    if (!choice || (tc_json_int(tc_json_get_c(choice, "index"), &index) && index != 0))
        return TC_OK;
    message = tc_json_get_c(choice, "delta");
    if (!tc_json_is(message, TC_JSON_OBJECT))
        message = tc_json_get_c(choice, "message");
    err = take_message(cx, builder, message, whole);
    return err ? err : take_finish(cx, builder, tc_json_str(tc_json_get_c(choice, "finish_reason")));
}

static enum tc_err event(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                         const struct tc_json *data)
{
    if (tc_str_is(type, "error"))
        return tc_fault_fail(cx, data);
    return take_answer(cx, builder, data, false);
}

static enum tc_err whole(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body)
{
    if (tc_json_count(tc_json_get_c(body, "choices")) == 0)
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "It has no choices");
    return take_answer(cx, builder, body, true);
}

static enum tc_err models(struct tc_cx *cx, const struct tc_json *body, struct tc_str **ret_names, size_t *ret_n)
{
    return tc_body_names(cx, tc_json_get_c(body, "data"), "id", ret_names, ret_n);
}

const struct tc_provider tc_provider_openai = {
    .name = "openai",
    .title = "OpenAI",
    .base_url = "https://api.openai.com/v1",
    .key_variable = "OPENAI_API_KEY",
    .caps = {.schema = TC_SCHEMA_OPENAI,
             .name_max = 64,
             .tools_max = 128,
             .result_images = TC_RESULT_IMAGES_USER_MESSAGE,
             .image_input = true,
             .forced_choice = true,
             .parallel_switch = true,
             .user_after_tool = true,
             .usage_in_stream = true},
    .write = tc_openai_write,
    .wire = wire,
    .event = event,
    .whole = whole,
    .models_path = "/models",
    .models = models,
};
