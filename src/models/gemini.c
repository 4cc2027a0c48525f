/*
 * Google's Gemini protocol (generateContent): contents of parts. All responses to the
 * calls of a turn open the one content of the user behind it.
 *
 * Signatures: of a text {thoughtSignature}, of a call {id, thoughtSignature}, as the
 * model said them. A call that has no id of Gemini's goes without one and pairs by name
 * and order, like its response. Where the model refuses calls that are not signed, the
 * first call of a turn that Gemini did not make says so with the value that is
 * documented for this.
 *
 * A call name that begins with a digit or a dash has an underscore before it here.
 *
 * An opaque part is a part, or {continuationToken}: behind a pause the request is sent
 * again as it was, with that token, and without what the answer was so far.
 */
#include "base/percent.h"
#include "models/body.h"
#include "models/gemini_answer.h"

/* Parts */

static void write_text(struct tc_jsonw *w, struct tc_str text)
{
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "text", text);
    tc_jsonw_end(w);
}

static void write_image(struct tc_jsonw *w, const struct tc_image_data *image)
{
    tc_jsonw_object(w);
    tc_jsonw_key(w, "inlineData");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "mimeType", image->mime);
    tc_jsonw_kstr(w, "data", image->base64);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* A name of Gemini begins with a letter or an underscore; what reads answers takes the
 * one that was put before it off again. */
static void write_name(struct tc_jsonw *w, struct tc_str name)
{
    tc_jsonw_printf(w, "%s%.*s", tc_gemini_is_odd_name(name) ? "_" : "", TC_STR_ARG(name));
}

static void write_response(struct tc_jsonw *w, const struct tc_model_request *request, struct tc_str id,
                           const struct tc_part *result)
{
    enum tc_result_images images = result->images_n ? request->caps->result_images : TC_RESULT_IMAGES_NONE;

    tc_jsonw_object(w);
    tc_jsonw_key(w, "functionResponse");
    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "id", id);
    tc_jsonw_key(w, "name");
    write_name(w, result->name);
    tc_jsonw_key(w, "response");
    tc_jsonw_object(w);
    tc_jsonw_key(w, result->is_error ? "error" : "output");
    tc_body_result_text(w, request, result, false);
    tc_jsonw_end(w);
    if (images == TC_RESULT_IMAGES_NATIVE) {
        tc_jsonw_key(w, "parts");
        tc_jsonw_array(w);
        for (size_t i = 0; i < result->images_n; i++)
            write_image(w, &result->images[i]);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void write_result_images(struct tc_jsonw *w, const struct tc_message *message, size_t results)
{
    for (size_t i = 0; i < results; i++) {
        const struct tc_part *result = &message->parts[i];
        for (size_t k = 0; k < result->images_n; k++) {
            tc_jsonw_object(w);
            tc_jsonw_key(w, "text");
            tc_body_image_label(w, result, i + 1, k);
            tc_jsonw_end(w);
            write_image(w, &result->images[k]);
        }
    }
}

static enum tc_err write_user(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_model_request *request,
                              const struct tc_message *message, const struct tc_message *calls)
{
    size_t results = tc_body_results(message);
    const struct tc_json *signature;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < results && !e; i++) {
        e = tc_body_call_signature(cx, calls, i, &signature);
        write_response(w, request, tc_json_str(tc_json_get_c(signature, "id")), &message->parts[i]);
    }
    if (request->caps->result_images == TC_RESULT_IMAGES_USER_MESSAGE)
        write_result_images(w, message, results);
    for (size_t i = results; i < message->n; i++) {
        if (message->parts[i].kind == TC_PART_IMAGE)
            write_image(w, message->parts[i].images);
        else
            write_text(w, message->parts[i].text);
    }
    return e;
}

static enum tc_err write_call(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_part *part, bool must_be_signed)
{
    const struct tc_json *signature;
    struct tc_str signed_by;
    enum tc_err e = tc_body_signature(cx, part, &signature);

    if (e)
        return e;
    signed_by = tc_json_str(tc_json_get_c(signature, "thoughtSignature"));
    if (!signed_by.n && must_be_signed)
        signed_by = TC_STR("skip_thought_signature_validator");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "functionCall");
    tc_jsonw_object(w);
    tc_jsonw_kopt(w, "id", tc_json_str(tc_json_get_c(signature, "id")));
    tc_jsonw_key(w, "name");
    write_name(w, part->name);
    tc_jsonw_kvalue(w, "args", part->arguments);
    tc_jsonw_end(w);
    tc_jsonw_kopt(w, "thoughtSignature", signed_by);
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_said(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_part *part)
{
    const struct tc_json *signature;
    enum tc_err e = tc_body_signature(cx, part, &signature);

    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "text", part->text);
    tc_jsonw_kopt(w, "thoughtSignature", tc_json_str(tc_json_get_c(signature, "thoughtSignature")));
    tc_jsonw_end(w);
    return e;
}

/* Contents */

static enum tc_err read_continuation(struct tc_cx *cx, const struct tc_part *part, struct tc_str *ret_token)
{
    const struct tc_json *opaque = NULL;
    enum tc_err e = part->kind == TC_PART_OPAQUE ? tc_body_signature(cx, part, &opaque) : TC_OK;

    *ret_token = tc_json_str(tc_json_get_c(opaque, "continuationToken"));
    return e;
}

/* A content without parts is refused; what says where an answer goes on is none. */
static enum tc_err is_said(struct tc_cx *cx, const struct tc_message *message, bool *ret_said)
{
    struct tc_str token;
    enum tc_err e = TC_OK;

    *ret_said = false;
    for (size_t i = 0; i < message->n && !e && !*ret_said; i++) {
        e = read_continuation(cx, &message->parts[i], &token);
        *ret_said = !token.n && (message->parts[i].kind != TC_PART_TEXT || message->parts[i].text.n);
    }
    return e;
}

static enum tc_err write_model(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_model_request *request,
                               const struct tc_message *message)
{
    bool first = request->caps->signed_calls;
    struct tc_str token;
    enum tc_err e = TC_OK;

    for (size_t i = 0; i < message->n && !e; i++) {
        const struct tc_part *part = &message->parts[i];
        if (part->kind == TC_PART_CALL) {
            e = write_call(cx, w, part, first);
            first = false;
        } else if (part->kind == TC_PART_OPAQUE) {
            e = read_continuation(cx, part, &token);
            if (!token.n)
                tc_jsonw_raw(w, part->opaque);
        } else if (part->text.n) {
            e = write_said(cx, w, part);
        }
    }
    return e;
}

static enum tc_err write_contents(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_model_request *request,
                                  size_t n)
{
    enum tc_err e = TC_OK;

    tc_jsonw_array(w);
    for (size_t i = 0; i < n && !e; i++) {
        const struct tc_message *message = &request->messages[i];
        bool user = message->role == TC_ROLE_USER, said;
        e = is_said(cx, message, &said);
        if (e || !said)
            continue;
        tc_jsonw_object(w);
        tc_jsonw_kcstr(w, "role", user ? "user" : "model");
        tc_jsonw_key(w, "parts");
        tc_jsonw_array(w);
        e = user ? write_user(cx, w, request, message, i ? message - 1 : NULL) : write_model(cx, w, request, message);
        tc_jsonw_end(w);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    return e;
}

/* The token of an answer that paused, and the messages before that answer. */
static enum tc_err find_pause(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str *ret_token,
                              size_t *ret_n)
{
    size_t n = request->messages_n;
    struct tc_str token = {0}, found = {0};
    enum tc_err e = TC_OK;

    while (n > 0 && request->messages[n - 1].role == TC_ROLE_ASSISTANT) {
        const struct tc_message *message = &request->messages[--n];
        for (size_t i = 0; i < message->n && !e && !found.n; i++) {
            e = read_continuation(cx, &message->parts[i], &token);
            found = token;
        }
    }
    *ret_token = found;
    *ret_n = found.n ? n : request->messages_n;
    return e;
}

/* Tools */

static void write_tools(struct tc_jsonw *w, const struct tc_model_request *request)
{
    const char *key = request->caps->schema == TC_SCHEMA_GEMINI ? "parameters" : "parametersJsonSchema";

    tc_jsonw_array(w);
    tc_jsonw_object(w);
    tc_jsonw_key(w, "functionDeclarations");
    tc_jsonw_array(w);
    for (size_t i = 0; i < request->tools_n; i++) {
        const struct tc_model_tool *tool = &request->tools[i];
        tc_jsonw_object(w);
        tc_jsonw_key(w, "name");
        write_name(w, tool->name);
        tc_jsonw_kopt(w, "description", tool->description);
        if (tool->schema)
            tc_jsonw_kvalue(w, key, tool->schema);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void write_choice(struct tc_jsonw *w, const struct tc_model_request *request)
{
    bool forced = request->choice != TC_CHOICE_NONE;

    if (request->choice == TC_CHOICE_AUTO || (forced && !request->caps->forced_choice) ||
        !tc_body_key(w, request, "toolConfig"))
        return;
    tc_jsonw_object(w);
    tc_jsonw_key(w, "functionCallingConfig");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "mode", forced ? "ANY" : "NONE");
    if (request->choice == TC_CHOICE_TOOL) {
        tc_jsonw_key(w, "allowedFunctionNames");
        tc_jsonw_array(w);
        write_name(w, request->choice_name);
        tc_jsonw_end(w);
    }
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* The request */

static void write_system(struct tc_jsonw *w, struct tc_str system)
{
    tc_jsonw_object(w);
    tc_jsonw_key(w, "parts");
    tc_jsonw_array(w);
    write_text(w, system);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* The one member that a channel may want to add to, not replace. */
static void write_generation(struct tc_jsonw *w, const struct tc_model_request *request)
{
    const struct tc_json *theirs = tc_json_get_c(request->extra, "generationConfig");
    struct tc_model_request inner = {.extra = theirs};

    if (request->max_output <= 0 && !theirs)
        return;
    tc_jsonw_key(w, "generationConfig");
    tc_jsonw_object(w);
    if (request->max_output > 0 && tc_body_key(w, &inner, "maxOutputTokens"))
        tc_jsonw_int(w, request->max_output);
    tc_body_extra(w, theirs, NULL);
    tc_jsonw_end(w);
}

static enum tc_err write_body(struct tc_cx *cx, const struct tc_model_request *request, struct tc_buf *to)
{
    struct tc_str token;
    struct tc_jsonw w;
    size_t n;
    enum tc_err e = find_pause(cx, request, &token, &n);

    if (e)
        return e;
    tc_jsonw_init(&w, to);
    tc_jsonw_object(&w);
    if (request->system.n && tc_body_key(&w, request, "systemInstruction"))
        write_system(&w, request->system);
    if (request->tools_n && tc_body_key(&w, request, "tools"))
        write_tools(&w, request);
    if (request->tools_n)
        write_choice(&w, request);
    if (tc_body_key(&w, request, "contents"))
        e = write_contents(cx, &w, request, n);
    write_generation(&w, request);
    tc_jsonw_kopt(&w, "continuationToken", token);
    tc_body_extra(&w, request->extra, "generationConfig");
    tc_jsonw_end(&w);
    return e ? e : tc_body_end(cx, to);
}

/* A name with a slash is a path of the server's: "tunedModels/mine". */
static enum tc_err wire(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str key,
                        struct tc_model_wire *ret_wire)
{
    struct tc_str rest = request->model, part, path;
    struct tc_buf buf;

    tc_buf_init(&buf, 4096);
    tc_buf_cstr(&buf, tc_str_chr(rest, '/') == SIZE_MAX ? "/v1beta/models" : "/v1beta");
    while (tc_str_split(&rest, '/', &part)) {
        tc_buf_char(&buf, '/');
        tc_percent_encode(&buf, part);
    }
    tc_buf_cstr(&buf, request->stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
    path = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    if (!path.p)
        return tc_fail_memory(cx);
    *ret_wire = (struct tc_model_wire){.path = path};
    if (key.n)
        ret_wire->headers[ret_wire->headers_n++] = (struct tc_model_header){TC_STR("x-goog-api-key"), key};
    return TC_OK;
}

static enum tc_err models(struct tc_cx *cx, const struct tc_json *body, struct tc_str **ret_names, size_t *ret_n)
{
    enum tc_err e = tc_body_names(cx, tc_json_get_c(body, "models"), "name", ret_names, ret_n);

    for (size_t i = 0; !e && i < *ret_n; i++)
        if (tc_str_starts((*ret_names)[i], TC_STR("models/")))
            (*ret_names)[i] = tc_str_from((*ret_names)[i], strlen("models/"));
    return e;
}

const struct tc_provider tc_provider_gemini = {
    .name = "gemini",
    .title = "Google Gemini",
    .base_url = "https://generativelanguage.googleapis.com",
    .key_variable = "GEMINI_API_KEY",
    .caps = {.schema = TC_SCHEMA_GEMINI_JSON,
             .name_max = 64,
             .result_images = TC_RESULT_IMAGES_NATIVE,
             .image_input = true,
             .forced_choice = true,
             .replays_reasoning = true,
             .user_after_tool = true,
             .signed_calls = true},
    .write = write_body,
    .wire = wire,
    .event = tc_gemini_event,
    .whole = tc_gemini_whole,
    .models_path = "/v1beta/models?pageSize=1000",
    .models = models,
};
