/*
 * What Anthropic Messages answers. Blocks that are neither text nor a call of ours are
 * opaque: thinking, and what the server's own tools said. Each goes back member by member
 * as it came, also when all that it holds is a signature.
 */
#include "models/anthropic_answer.h"

#include "models/fault.h"

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* Blocks */

static enum tc_err begin_opaque(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t index,
                                const struct tc_json *block)
{
    struct tc_json_iter it = tc_json_iter(block);
    const struct tc_json *value;
    struct tc_str key, json;
    enum tc_err e = tc_builder_opaque_begin(cx, builder, index);

    while (!e && tc_json_next(&it, &key, &value)) {
        if (tc_json_is(value, TC_JSON_STRING)) {
            e = tc_builder_opaque_append(cx, builder, index, key, tc_json_str(value));
            continue;
        }
        json = tc_json_text(cx->arena, value);
        e = json.p ? tc_builder_opaque_set(cx, builder, index, key, json) : tc_fail_memory(cx);
    }
    tc_builder_reasoning(builder, member(block, "thinking"));
    return e;
}

/* streamed: the input of a call comes in pieces, and {} stands in its place. */
static enum tc_err begin_block(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t index,
                               const struct tc_json *block, bool streamed)
{
    const struct tc_json *input = tc_json_get_c(block, "input");
    struct tc_str type = member(block, "type");
    struct tc_call_piece piece = {.index = index, .id = member(block, "id"), .name = member(block, "name")};
    enum tc_err e = TC_OK;

    if (tc_str_is(type, "text")) {
        tc_builder_break(builder);
        return tc_builder_text(cx, builder, member(block, "text"));
    }
    if (!tc_str_is(type, "tool_use"))
        return begin_opaque(cx, builder, index, block);
    if (!streamed || tc_json_count(input) > 0)
        e = tc_builder_piece_arguments(cx, &piece, input);
    return e ? e : tc_builder_call(cx, builder, &piece);
}

static enum tc_err take_input(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t index, struct tc_str piece)
{
    if (tc_builder_is_opaque(builder, index))
        return tc_builder_opaque_piece(cx, builder, index, TC_STR("input"), piece);
    return tc_builder_call(cx, builder, &(struct tc_call_piece){.index = index, .arguments = piece});
}

static enum tc_err take_delta(struct tc_cx *cx, struct tc_reply_builder *builder, int64_t index,
                              const struct tc_json *delta)
{
    struct tc_str type = member(delta, "type");

    if (tc_str_is(type, "text_delta"))
        return tc_builder_text(cx, builder, member(delta, "text"));
    if (tc_str_is(type, "input_json_delta"))
        return take_input(cx, builder, index, member(delta, "partial_json"));
    if (tc_str_is(type, "thinking_delta")) {
        tc_builder_reasoning(builder, member(delta, "thinking"));
        return tc_builder_opaque_append(cx, builder, index, TC_STR("thinking"), member(delta, "thinking"));
    }
    if (tc_str_is(type, "signature_delta"))
        return tc_builder_opaque_append(cx, builder, index, TC_STR("signature"), member(delta, "signature"));
    return TC_OK; /* citations, and what is yet to be invented */
}

/* The end */

static enum tc_finish finish_of(struct tc_str reason)
{
    static const struct {
        const char *reason;
        enum tc_finish finish;
    } rows[] = {
        {"end_turn", TC_FINISH_STOP},      {"stop_sequence", TC_FINISH_STOP},
        {"tool_use", TC_FINISH_CALLS},     {"max_tokens", TC_FINISH_LENGTH},
        {"pause_turn", TC_FINISH_PAUSE},   {"compaction", TC_FINISH_PAUSE},
        {"refusal", TC_FINISH_FILTER},     {"model_context_window_exceeded", TC_FINISH_CONTEXT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tc_str_is(reason, rows[i].reason))
            return rows[i].finish;
    return TC_FINISH_OTHER;
}

static enum tc_err take_end(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *holder)
{
    struct tc_str reason = member(holder, "stop_reason");

    return reason.n ? tc_builder_end(cx, builder, finish_of(reason), reason) : TC_OK;
}

/* input_tokens leaves out what was read from a cache or written to one. */
static void take_usage(struct tc_reply_builder *builder, const struct tc_json *usage)
{
    struct tc_usage u = tc_builder_usage_none;

    tc_json_int(tc_json_get_c(usage, "output_tokens"), &u.output);
    tc_json_int(tc_json_get_c(usage, "cache_read_input_tokens"), &u.cached);
    tc_json_int(tc_json_get_c(usage, "cache_creation_input_tokens"), &u.cache_written);
    tc_json_int(tc_json_pointer(usage, TC_STR("/output_tokens_details/thinking_tokens")), &u.reasoning);
    if (tc_json_int(tc_json_get_c(usage, "input_tokens"), &u.input)) {
        if (u.cached > 0 && u.cached <= INT64_MAX / 4 && u.input <= INT64_MAX / 4)
            u.input += u.cached;
        if (u.cache_written > 0 && u.cache_written <= INT64_MAX / 4 && u.input <= INT64_MAX / 2)
            u.input += u.cache_written;
    }
    tc_builder_usage(builder, &u);
}

enum tc_err tc_anthropic_whole(struct tc_cx *cx, struct tc_reply_builder *builder, const struct tc_json *body)
{
    const struct tc_json *block, *content = tc_json_get_c(body, "content"), *error = tc_json_get_c(body, "error");
    struct tc_json_iter it = tc_json_iter(content);
    enum tc_err e;

    if (tc_json_is(error, TC_JSON_OBJECT))
        return tc_fault_fail(cx, body);
    if (!tc_json_is(content, TC_JSON_ARRAY))
        return tc_fail(cx, TC_E_MODEL_PROTOCOL, "It has neither \"content\" nor \"error\"");
    e = tc_builder_origin(cx, builder, member(body, "model"), member(body, "id"));
    for (int64_t i = 0; !e && tc_json_next(&it, NULL, &block); i++)
        e = begin_block(cx, builder, i, block, false);
    take_usage(builder, tc_json_get_c(body, "usage"));
    return e ? e : take_end(cx, builder, body);
}

enum tc_err tc_anthropic_event(struct tc_cx *cx, struct tc_reply_builder *builder, struct tc_str type,
                               const struct tc_json *data)
{
    const struct tc_json *message = tc_json_get_c(data, "message"), *error = tc_json_get_c(data, "error");
    struct tc_str said = member(data, "type");
    int64_t index = 0;

    if (said.n)
        type = said;
    if (!tc_json_int(tc_json_get_c(data, "index"), &index) || index < 0)
        index = 0;
    if (tc_str_is(type, "message_start")) {
        take_usage(builder, tc_json_get_c(message, "usage"));
        return tc_builder_origin(cx, builder, member(message, "model"), member(message, "id"));
    }
    if (tc_str_is(type, "content_block_start"))
        return begin_block(cx, builder, index, tc_json_get_c(data, "content_block"), true);
    if (tc_str_is(type, "content_block_delta"))
        return take_delta(cx, builder, index, tc_json_get_c(data, "delta"));
    if (tc_str_is(type, "message_delta")) {
        take_usage(builder, tc_json_get_c(data, "usage"));
        return take_end(cx, builder, tc_json_get_c(data, "delta"));
    }
    if (tc_str_is(type, "error") || tc_json_is(error, TC_JSON_OBJECT))
        return tc_fault_fail(cx, data);
    return TC_OK; /* ping, ends of blocks, and what is yet to be invented */
}
