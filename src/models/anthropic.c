/*
 * Anthropic's Messages protocol: messages of blocks. All results of a turn open the one
 * message of the user behind it; thinking goes back as it came, where it stood.
 *
 * The prefix that a server may keep (tools, then system, then messages) is marked at its
 * three ends: the last tool that is not deferred, the system text, and the last block of
 * the last message of the user.
 */
#include "models/anthropic_answer.h"
#include "models/body.h"

enum { MAX_TOKENS = 8192 }; /* the protocol wants a number; every model that is offered takes this one */

/* Blocks */

static void write_cache_mark(struct tc_jsonw *w, const struct tc_model_request *request)
{
    if (!request->caps->cache_marks)
        return;
    tc_jsonw_key(w, "cache_control");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "ephemeral");
    tc_jsonw_end(w);
}

/* An image or a text that is open, for more members. */
static void open_image(struct tc_jsonw *w, const struct tc_image_data *image)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "image");
    tc_jsonw_key(w, "source");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "base64");
    tc_jsonw_kstr(w, "media_type", image->mime);
    tc_jsonw_kstr(w, "data", image->base64);
    tc_jsonw_end(w);
}

static void open_text(struct tc_jsonw *w)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "text");
    tc_jsonw_key(w, "text");
}

static void open_result(struct tc_jsonw *w, const struct tc_model_request *request, const struct tc_part *result)
{
    enum tc_result_images images = result->images_n ? request->caps->result_images : TC_RESULT_IMAGES_NONE;

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "tool_result");
    tc_jsonw_kstr(w, "tool_use_id", result->id);
    tc_jsonw_key(w, "content");
    if (images == TC_RESULT_IMAGES_NATIVE) {
        tc_jsonw_array(w);
        open_text(w);
        tc_jsonw_str(w, result->text);
        tc_jsonw_end(w);
        for (size_t i = 0; i < result->images_n; i++) {
            open_image(w, &result->images[i]);
            tc_jsonw_end(w);
        }
        tc_jsonw_end(w);
    } else {
        tc_body_result_text(w, request, result, false);
    }
    if (result->is_error)
        tc_jsonw_kbool(w, "is_error", true);
}

/* Messages */

static bool is_said(const struct tc_part *part)
{
    return part->kind != TC_PART_TEXT || tc_str_trim(part->text).n > 0; /* a blank text is refused */
}

static bool anything_said(const struct tc_message *message)
{
    for (size_t i = 0; i < message->n; i++)
        if (is_said(&message->parts[i]))
            return true;
    return false;
}

static void write_result_images(struct tc_jsonw *w, const struct tc_message *message, size_t results)
{
    for (size_t i = 0; i < results; i++) {
        const struct tc_part *result = &message->parts[i];
        for (size_t k = 0; k < result->images_n; k++) {
            open_text(w);
            tc_body_image_label(w, result, i + 1, k);
            tc_jsonw_end(w);
            open_image(w, &result->images[k]);
            tc_jsonw_end(w);
        }
    }
}

static void write_user(struct tc_jsonw *w, const struct tc_model_request *request, const struct tc_message *message,
                       bool mark)
{
    size_t results = tc_body_results(message), last = message->n;

    while (last > 0 && !is_said(&message->parts[last - 1]))
        last--;
    for (size_t i = 0; i < last; i++) {
        const struct tc_part *part = &message->parts[i];
        if (i == results && request->caps->result_images == TC_RESULT_IMAGES_USER_MESSAGE)
            write_result_images(w, message, results);
        if (!is_said(part))
            continue;
        if (part->kind == TC_PART_RESULT) {
            open_result(w, request, part);
        } else if (part->kind == TC_PART_IMAGE) {
            open_image(w, part->images);
        } else {
            open_text(w);
            tc_jsonw_str(w, part->text);
        }
        if (mark && i + 1 == last)
            write_cache_mark(w, request);
        tc_jsonw_end(w);
    }
    if (last == results && request->caps->result_images == TC_RESULT_IMAGES_USER_MESSAGE)
        write_result_images(w, message, results);
}

static void write_assistant(struct tc_jsonw *w, const struct tc_message *message)
{
    for (size_t i = 0; i < message->n; i++) {
        const struct tc_part *part = &message->parts[i];
        if (part->kind == TC_PART_OPAQUE) {
            tc_jsonw_raw(w, part->opaque);
        } else if (part->kind == TC_PART_CALL) {
            tc_jsonw_object(w);
            tc_jsonw_kcstr(w, "type", "tool_use");
            tc_jsonw_kstr(w, "id", part->id);
            tc_jsonw_kstr(w, "name", part->name);
            tc_jsonw_kvalue(w, "input", part->arguments);
            tc_jsonw_end(w);
        } else if (is_said(part)) {
            open_text(w);
            tc_jsonw_str(w, part->text);
            tc_jsonw_end(w);
        }
    }
}

static void write_messages(struct tc_jsonw *w, const struct tc_model_request *request)
{
    size_t marked = request->messages_n;

    while (marked > 0 && (request->messages[marked - 1].role != TC_ROLE_USER ||
                          !anything_said(&request->messages[marked - 1])))
        marked--;
    tc_jsonw_array(w);
    for (size_t i = 0; i < request->messages_n; i++) {
        const struct tc_message *message = &request->messages[i];
        if (!anything_said(message))
            continue;
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "role", message->role == TC_ROLE_USER ? "user" : "assistant");
        tc_jsonw_key(w, "content");
        tc_jsonw_array(w);
        if (message->role == TC_ROLE_USER)
            write_user(w, request, message, i + 1 == marked);
        else
            write_assistant(w, message);
        tc_jsonw_end(w);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* Tools */

static bool is_deferred(const struct tc_model_request *request, const struct tc_model_tool *tool)
{
    return tool->deferred && request->caps->native_deferral;
}

static void write_schema(struct tc_jsonw *w, const struct tc_json *schema)
{
    if (schema) {
        tc_jsonw_kvalue(w, "input_schema", schema);
        return;
    }
    tc_jsonw_key(w, "input_schema");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "object");
    tc_jsonw_end(w);
}

/* The search comes first, so that there is a tool which is not deferred. */
static void write_search(struct tc_jsonw *w, const struct tc_model_request *request)
{
    bool needed = false;

    for (size_t i = 0; i < request->tools_n; i++)
        needed = needed || is_deferred(request, &request->tools[i]);
    if (!needed)
        return;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "tool_search_tool_bm25_20251119");
    tc_jsonw_kcstr(w, "name", "tool_search_tool_bm25");
    tc_jsonw_end(w);
}

static void write_tools(struct tc_jsonw *w, const struct tc_model_request *request)
{
    size_t marked = request->tools_n;

    while (marked > 0 && is_deferred(request, &request->tools[marked - 1]))
        marked--;
    tc_jsonw_array(w);
    write_search(w, request);
    for (size_t i = 0; i < request->tools_n; i++) {
        const struct tc_model_tool *tool = &request->tools[i];
        tc_jsonw_object(w);
        tc_jsonw_kstr(w, "name", tool->name);
        tc_jsonw_kopt(w, "description", tool->description);
        write_schema(w, tool->schema);
        if (is_deferred(request, tool))
            tc_jsonw_kbool(w, "defer_loading", true);
        if (i + 1 == marked)
            write_cache_mark(w, request);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

/* A model that thinks takes no forced choice. */
static bool takes_forced(const struct tc_model_request *request)
{
    struct tc_str thinking = tc_json_str(tc_json_pointer(request->extra, TC_STR("/thinking/type")));

    return request->caps->forced_choice && (thinking.n == 0 || tc_str_is(thinking, "disabled"));
}

static void write_choice(struct tc_jsonw *w, const struct tc_model_request *request)
{
    bool serial = request->serial && request->caps->parallel_switch && request->choice != TC_CHOICE_NONE;
    const char *type = "auto";

    if (request->choice == TC_CHOICE_NONE)
        type = "none";
    else if (request->choice == TC_CHOICE_REQUIRED && takes_forced(request))
        type = "any";
    else if (request->choice == TC_CHOICE_TOOL && takes_forced(request))
        type = "tool";
    else if (!serial)
        return;
    if (!tc_body_key(w, request, "tool_choice"))
        return;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", type);
    if (strcmp(type, "tool") == 0)
        tc_jsonw_kstr(w, "name", request->choice_name);
    if (serial)
        tc_jsonw_kbool(w, "disable_parallel_tool_use", true);
    tc_jsonw_end(w);
}

/* The request */

static void write_system(struct tc_jsonw *w, const struct tc_model_request *request)
{
    tc_jsonw_array(w);
    open_text(w);
    tc_jsonw_str(w, request->system);
    write_cache_mark(w, request);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static enum tc_err write_body(struct tc_cx *cx, const struct tc_model_request *request, struct tc_buf *to)
{
    struct tc_jsonw w;

    tc_jsonw_init(&w, to);
    tc_jsonw_object(&w);
    if (tc_body_key(&w, request, "model"))
        tc_jsonw_str(&w, request->model);
    if (tc_body_key(&w, request, "max_tokens"))
        tc_jsonw_int(&w, request->max_output > 0 ? request->max_output : MAX_TOKENS);
    if (request->tools_n && tc_body_key(&w, request, "tools"))
        write_tools(&w, request);
    if (request->tools_n)
        write_choice(&w, request);
    if (tc_str_trim(request->system).n && tc_body_key(&w, request, "system"))
        write_system(&w, request);
    if (tc_body_key(&w, request, "messages"))
        write_messages(&w, request);
    if (request->stream && tc_body_key(&w, request, "stream"))
        tc_jsonw_bool(&w, true);
    tc_body_extra(&w, request->extra, NULL);
    tc_jsonw_end(&w);
    return tc_body_end(cx, to);
}

static enum tc_err wire(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str key,
                        struct tc_model_wire *ret_wire)
{
    (void)cx;
    (void)request;
    *ret_wire = (struct tc_model_wire){.path = TC_STR("/v1/messages")};
    ret_wire->headers[ret_wire->headers_n++] =
        (struct tc_model_header){TC_STR("anthropic-version"), TC_STR("2023-06-01")};
    if (key.n)
        ret_wire->headers[ret_wire->headers_n++] = (struct tc_model_header){TC_STR("x-api-key"), key};
    return TC_OK;
}

static enum tc_err models(struct tc_cx *cx, const struct tc_json *body, struct tc_str **ret_names, size_t *ret_n)
{
    return tc_body_names(cx, tc_json_get_c(body, "data"), "id", ret_names, ret_n);
}

const struct tc_provider tc_provider_anthropic = {
    .name = "anthropic",
    .title = "Anthropic Messages",
    .base_url = "https://api.anthropic.com",
    .key_variable = "ANTHROPIC_API_KEY",
    .caps = {.schema = TC_SCHEMA_ANTHROPIC,
             .name_max = 64,
             .result_images = TC_RESULT_IMAGES_NATIVE,
             .image_input = true,
             .parallel_switch = true,
             .replays_reasoning = true,
             .cache_marks = true,
             .user_after_tool = true},
    .write = write_body,
    .wire = wire,
    .event = tc_anthropic_event,
    .whole = tc_anthropic_whole,
    .models_path = "/v1/models?limit=1000",
    .models = models,
};
