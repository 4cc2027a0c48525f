/*
 * OpenAI's Responses protocol: a flat list of items in the order in which they came
 * about. Nothing is kept on the server (store: false), so reasoning comes encrypted and
 * goes back as it came, where it stood. Calls and results pair by call_id.
 *
 * Signatures: of a call {id, namespace, caller, async}, of a text {id, phase}, as far as
 * the model said them. Opaque parts are whole items: reasoning, and what the server's own
 * search for tools said and found.
 */
#include "models/body.h"
#include "models/responses_answer.h"

/* Input */

static void write_image(struct tc_jsonw *w, const struct tc_image_data *image)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "input_image");
    tc_jsonw_kcstr(w, "detail", "auto");
    tc_jsonw_key(w, "image_url");
    tc_body_data_uri(w, image);
    tc_jsonw_end(w);
}

static void open_text(struct tc_jsonw *w, const char *type)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", type);
    tc_jsonw_key(w, "text");
}

/* signature: of the call that it answers, whose caller is said again. */
static void write_result(struct tc_jsonw *w, const struct tc_model_request *request, const struct tc_part *result,
                         const struct tc_json *signature)
{
    enum tc_result_images images = result->images_n ? request->caps->result_images : TC_RESULT_IMAGES_NONE;
    const struct tc_json *caller = tc_json_get_c(signature, "caller");

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "function_call_output");
    tc_jsonw_kstr(w, "call_id", result->id);
    if (caller)
        tc_jsonw_kvalue(w, "caller", caller);
    tc_jsonw_key(w, "output");
    if (images == TC_RESULT_IMAGES_NATIVE) {
        tc_jsonw_array(w);
        open_text(w, "input_text");
        tc_body_result_text(w, request, result, true);
        tc_jsonw_end(w);
        for (size_t i = 0; i < result->images_n; i++)
            write_image(w, &result->images[i]);
        tc_jsonw_end(w);
    } else {
        tc_body_result_text(w, request, result, true);
    }
    tc_jsonw_end(w);
}

static void open_user(struct tc_jsonw *w)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "message");
    tc_jsonw_kcstr(w, "role", "user");
    tc_jsonw_key(w, "content");
}

/* Images of results as a message of the user, where a result has no place for them. */
static void write_result_images(struct tc_jsonw *w, const struct tc_message *message, size_t results)
{
    bool open = false;

    for (size_t i = 0; i < results; i++) {
        const struct tc_part *result = &message->parts[i];
        if (result->images_n && !open) {
            open_user(w);
            tc_jsonw_array(w);
            open = true;
        }
        for (size_t k = 0; k < result->images_n; k++) {
            open_text(w, "input_text");
            tc_body_image_label(w, result, i + 1, k);
            tc_jsonw_end(w);
            write_image(w, &result->images[k]);
        }
    }
    if (open) {
        tc_jsonw_end(w);
        tc_jsonw_end(w);
    }
}

/* calls: the message before it, or NULL. */
static enum tc_err write_user(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_model_request *request,
                              const struct tc_message *message, const struct tc_message *calls)
{
    size_t results = tc_body_results(message);
    const struct tc_json *signature;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < results && !e; i++) {
        e = tc_body_call_signature(cx, calls, i, &signature);
        write_result(w, request, &message->parts[i], signature);
    }
    if (request->caps->result_images == TC_RESULT_IMAGES_USER_MESSAGE)
        write_result_images(w, message, results);
    if (results == message->n)
        return e;
    open_user(w);
    tc_jsonw_array(w);
    for (size_t i = results; i < message->n; i++) {
        const struct tc_part *part = &message->parts[i];
        if (part->kind == TC_PART_IMAGE) {
            write_image(w, part->images);
        } else {
            open_text(w, "input_text");
            tc_jsonw_str(w, part->text);
            tc_jsonw_end(w);
        }
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return e;
}

/* The members of a part's signature, into the item that is open. */
static enum tc_err write_signature(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_part *part,
                                   const struct tc_json **ret_signature)
{
    const struct tc_json *value = NULL, *object;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err e = tc_body_signature(cx, part, &object);

    for (it = tc_json_iter(object); !e && tc_json_next(&it, &key, &value);) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    *ret_signature = object;
    return e;
}

/* With an id it is an item of the model's; without one it may be anybody's. */
static enum tc_err write_said(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_part *part)
{
    const struct tc_json *signature = NULL;
    enum tc_err e;

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "message");
    tc_jsonw_kcstr(w, "role", "assistant");
    e = write_signature(cx, w, part, &signature);
    if (tc_json_get_c(signature, "id")) {
        tc_jsonw_kcstr(w, "status", "completed");
        tc_jsonw_key(w, "content");
        tc_jsonw_array(w);
        open_text(w, "output_text");
        tc_jsonw_str(w, part->text);
        tc_jsonw_key(w, "annotations");
        tc_jsonw_array(w);
        tc_jsonw_end(w);
        tc_jsonw_end(w);
        tc_jsonw_end(w);
    } else {
        tc_jsonw_kstr(w, "content", part->text);
    }
    tc_jsonw_end(w);
    return e;
}

static enum tc_err write_call(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_part *part)
{
    const struct tc_json *signature;
    struct tc_str arguments = tc_json_text(cx->arena, part->arguments);
    enum tc_err e = arguments.p ? TC_OK : tc_fail_memory(cx);

    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "function_call");
    e = write_signature(cx, w, part, &signature);
    tc_jsonw_kstr(w, "call_id", part->id);
    tc_jsonw_kstr(w, "name", part->name);
    tc_jsonw_kstr(w, "arguments", arguments);
    tc_jsonw_end(w);
    return e;
}

static enum tc_err write_assistant(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_message *message)
{
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < message->n && !e; i++) {
        const struct tc_part *part = &message->parts[i];
        if (part->kind == TC_PART_OPAQUE)
            tc_jsonw_raw(w, part->opaque);
        else if (part->kind == TC_PART_CALL)
            e = write_call(cx, w, part);
        else if (part->text.n)
            e = write_said(cx, w, part);
    }
    return e;
}

static enum tc_err write_input(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_model_request *request)
{
    enum tc_err e = TC_OK;

    tc_jsonw_array(w);
    for (size_t i = 0; i < request->messages_n && !e; i++) {
        const struct tc_message *message = &request->messages[i];
        if (message->role == TC_ROLE_USER)
            e = write_user(cx, w, request, message, i ? message - 1 : NULL);
        else
            e = write_assistant(cx, w, message);
    }
    tc_jsonw_end(w);
    return e;
}

/* Tools */

static void write_tools(struct tc_jsonw *w, const struct tc_model_request *request)
{
    bool search = false;

    tc_jsonw_array(w);
    for (size_t i = 0; i < request->tools_n; i++) {
        const struct tc_model_tool *tool = &request->tools[i];
        bool deferred = tool->deferred && request->caps->native_deferral;
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "type", "function");
        tc_jsonw_kstr(w, "name", tool->name);
        tc_jsonw_kopt(w, "description", tool->description);
        tc_jsonw_kvalue(w, "parameters", tool->schema);
        tc_jsonw_kbool(w, "strict", false); /* left out it would mean that every parameter is required */
        if (deferred)
            tc_jsonw_kbool(w, "defer_loading", true);
        tc_jsonw_end(w);
        search = search || deferred;
    }
    if (search) {
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "type", "tool_search");
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
}

static void write_choice(struct tc_jsonw *w, const struct tc_model_request *request)
{
    bool forced = request->choice == TC_CHOICE_REQUIRED || request->choice == TC_CHOICE_TOOL;

    if (request->choice == TC_CHOICE_AUTO || (forced && !request->caps->forced_choice))
        return;
    if (!tc_body_key(w, request, "tool_choice"))
        return;
    if (request->choice != TC_CHOICE_TOOL) {
        tc_jsonw_cstr(w, request->choice == TC_CHOICE_NONE ? "none" : "required");
        return;
    }
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "function");
    tc_jsonw_kstr(w, "name", request->choice_name);
    tc_jsonw_end(w);
}

/* The request */

static void write_switches(struct tc_jsonw *w, const struct tc_model_request *request)
{
    if (request->serial && request->tools_n && request->caps->parallel_switch &&
        tc_body_key(w, request, "parallel_tool_calls"))
        tc_jsonw_bool(w, false);
    if (request->max_output > 0 && tc_body_key(w, request, "max_output_tokens"))
        tc_jsonw_int(w, request->max_output);
    if (tc_body_key(w, request, "store"))
        tc_jsonw_bool(w, false);
    if (request->caps->replays_reasoning && tc_body_key(w, request, "include")) {
        tc_jsonw_array(w);
        tc_jsonw_cstr(w, "reasoning.encrypted_content");
        tc_jsonw_end(w);
    }
    if (request->stream && tc_body_key(w, request, "stream"))
        tc_jsonw_bool(w, true);
}

static enum tc_err write_body(struct tc_cx *cx, const struct tc_model_request *request, struct tc_buf *to)
{
    struct tc_jsonw w;
    enum tc_err e = TC_OK;

    tc_jsonw_init(&w, to);
    tc_jsonw_object(&w);
    if (tc_body_key(&w, request, "model"))
        tc_jsonw_str(&w, request->model);
    if (request->system.n && tc_body_key(&w, request, "instructions"))
        tc_jsonw_str(&w, request->system);
    if (request->tools_n && tc_body_key(&w, request, "tools"))
        write_tools(&w, request);
    if (request->tools_n)
        write_choice(&w, request);
    if (tc_body_key(&w, request, "input"))
        e = write_input(cx, &w, request);
    write_switches(&w, request);
    tc_body_extra(&w, request->extra, NULL);
    tc_jsonw_end(&w);
    return e ? e : tc_body_end(cx, to);
}

static enum tc_err wire(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str key,
                        struct tc_model_wire *ret_wire)
{
    (void)request;
    *ret_wire = (struct tc_model_wire){.path = TC_STR("/responses")};
    return tc_body_bearer(cx, key, ret_wire);
}

static enum tc_err models(struct tc_cx *cx, const struct tc_json *body, struct tc_str **ret_names, size_t *ret_n)
{
    return tc_body_names(cx, tc_json_get_c(body, "data"), "id", ret_names, ret_n);
}

const struct tc_provider tc_provider_responses = {
    .name = "responses",
    .title = "OpenAI Responses",
    .base_url = "https://api.openai.com/v1",
    .key_variable = "OPENAI_API_KEY",
    .caps = {.schema = TC_SCHEMA_RESPONSES,
             .name_max = 64,
             .tools_max = 128,
             .result_images = TC_RESULT_IMAGES_NATIVE,
             .image_input = true,
             .forced_choice = true,
             .parallel_switch = true,
             .empty_content = true,
             .replays_reasoning = true,
             .user_after_tool = true},
    .write = write_body,
    .wire = wire,
    .event = tc_responses_event,
    .whole = tc_responses_whole,
    .models_path = "/models",
    .models = models,
};
