/*
 * Requests of Chat Completions. The transcript's rules (model.h) are relied on: results
 * stand first in their message, behind the calls that they belong to.
 */
#include "models/openai_write.h"

#include <stdio.h>

#include "toolcrib/jsonw.h"

/* A request on its way into a buffer. Functions that cannot fail otherwise leave their
 * failure in the buffer. */
struct out {
    struct tc_cx *cx;
    const struct tc_model_request *request;
    const struct tc_model_caps *caps;
    struct tc_jsonw w;
};

/* The key of a member, unless the request sets it by itself. */
static bool begin_member(struct out *out, const char *key)
{
    if (tc_json_get_c(out->request->extra, key))
        return false;
    tc_jsonw_key(&out->w, key);
    return true;
}

static void begin_typed(struct tc_jsonw *w, const char *type)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", type);
}

static void begin_message(struct tc_jsonw *w, const char *role)
{
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "role", role);
}

/* --- tools --- */

static void write_tool(struct tc_jsonw *w, const struct tc_model_tool *tool)
{
    begin_typed(w, "function");
    tc_jsonw_key(w, "function");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", tool->name);
    tc_jsonw_kopt(w, "description", tool->description);
    if (tool->schema)
        tc_jsonw_kvalue(w, "parameters", tool->schema);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void write_choice(struct out *out)
{
    enum tc_choice choice = out->request->choice;
    struct tc_jsonw *w = &out->w;

    if (choice == TC_CHOICE_AUTO || (choice != TC_CHOICE_NONE && !out->caps->forced_choice) ||
        !begin_member(out, "tool_choice"))
        return;
    if (choice != TC_CHOICE_TOOL) {
        tc_jsonw_cstr(w, choice == TC_CHOICE_NONE ? "none" : "required");
        return;
    }
    begin_typed(w, "function");
    tc_jsonw_key(w, "function");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", out->request->choice_name);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

static void write_tools(struct out *out)
{
    const struct tc_model_request *request = out->request;
    size_t i;

    if (request->tools_n == 0)
        return;
    if (begin_member(out, "tools")) {
        tc_jsonw_array(&out->w);
        for (i = 0; i < request->tools_n; i++)
            write_tool(&out->w, &request->tools[i]);
        tc_jsonw_end(&out->w);
    }
    write_choice(out);
    if (out->caps->parallel_switch && (request->serial || out->caps->serial_unless_asked) &&
        begin_member(out, "parallel_tool_calls"))
        tc_jsonw_bool(&out->w, !request->serial);
}

/* --- messages of the user, results of tools --- */

static void write_text_chunk(struct tc_jsonw *w, struct tc_str text)
{
    begin_typed(w, "text");
    tc_jsonw_kstr(w, "text", text);
    tc_jsonw_end(w);
}

static void write_image(struct tc_jsonw *w, const struct tc_image_data *image)
{
    begin_typed(w, "image_url");
    tc_jsonw_key(w, "image_url");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "url");
    tc_jsonw_raw(w, TC_STR("\"data:")); /* a MIME type and base64 need no escape */
    tc_buf_str(w->buf, image->mime);
    tc_buf_cstr(w->buf, ";base64,");
    tc_buf_str(w->buf, image->base64);
    tc_buf_char(w->buf, '"');
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* Where results cannot hold images they follow in a message of the user, numbered over
 * the turn. */
static size_t following_images(const struct out *out, const struct tc_message *message)
{
    size_t i, n = 0;

    if (out->caps->result_images != TC_RESULT_IMAGES_USER_MESSAGE)
        return 0;
    for (i = 0; i < message->n; i++)
        if (message->parts[i].kind == TC_PART_RESULT)
            n += message->parts[i].images_n;
    return n;
}

/* The text of a result, and where its images are. */
static enum tc_err result_text(struct tc_cx *cx, const struct tc_part *part, size_t *image, size_t images,
                               struct tc_str *ret_text)
{
    struct tc_buf text;
    size_t i;

    *ret_text = part->text;
    if (images == 0 || part->images_n == 0)
        return TC_OK;
    tc_buf_init(&text, part->text.n + part->images_n * 64);
    tc_buf_str(&text, part->text);
    for (i = 0; i < part->images_n; i++)
        tc_buf_printf(&text, "\n[Image %zu of %zu follows.]", ++*image, images);
    *ret_text = tc_buf_dup(&text, cx->arena);
    tc_buf_finish(&text);
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

static enum tc_err write_results(struct out *out, const struct tc_message *message, size_t images)
{
    size_t i, image = 0;

    for (i = 0; i < message->n; i++) {
        const struct tc_part *part = &message->parts[i];
        struct tc_str text;
        enum tc_err err;

        if (part->kind != TC_PART_RESULT)
            continue;
        err = result_text(out->cx, part, &image, images, &text);
        if (err)
            return err;
        begin_message(&out->w, "tool");
        tc_jsonw_kstr(&out->w, "tool_call_id", part->id);
        tc_jsonw_kstr(&out->w, "content", text);
        tc_jsonw_end(&out->w);
    }
    return TC_OK;
}

static void write_result_images(struct tc_jsonw *w, const struct tc_message *message, size_t images)
{
    size_t i, j, n = 0;
    char label[64];

    for (i = 0; i < message->n && images > 0; i++) {
        const struct tc_part *part = &message->parts[i];

        for (j = 0; part->kind == TC_PART_RESULT && j < part->images_n; j++) {
            snprintf(label, sizeof label, "Image %zu of %zu, from the results above:", ++n, images);
            write_text_chunk(w, tc_str_of(label));
            write_image(w, &part->images[j]);
        }
    }
}

static void write_user_parts(struct tc_jsonw *w, const struct tc_message *message, size_t images)
{
    size_t i;

    tc_jsonw_array(w);
    write_result_images(w, message, images);
    for (i = 0; i < message->n; i++) {
        if (message->parts[i].kind == TC_PART_TEXT)
            write_text_chunk(w, message->parts[i].text);
        else if (message->parts[i].kind == TC_PART_IMAGE)
            write_image(w, message->parts[i].images);
    }
    tc_jsonw_end(w);
}

static enum tc_err write_user(struct out *out, const struct tc_message *message)
{
    size_t i, images = following_images(out, message), own = 0, results = 0;
    const struct tc_part *first = NULL;
    enum tc_err err = write_results(out, message, images);

    for (i = 0; i < message->n; i++) {
        if (message->parts[i].kind == TC_PART_RESULT)
            results++;
        else if (own++ == 0)
            first = &message->parts[i];
    }
    if (err || own + images == 0)
        return err;
    if (results && !out->caps->user_after_tool) {
        begin_message(&out->w, "assistant");
        tc_jsonw_kcstr(&out->w, "content", "I have the results.");
        tc_jsonw_end(&out->w);
    }
    begin_message(&out->w, "user");
    tc_jsonw_key(&out->w, "content");
    if (own == 1 && images == 0 && first->kind == TC_PART_TEXT)
        tc_jsonw_str(&out->w, first->text);
    else
        write_user_parts(&out->w, message, images);
    tc_jsonw_end(&out->w);
    return TC_OK;
}

/* --- messages of the model --- */

enum opaque { OPAQUE_MEMBERS, OPAQUE_DETAIL, OPAQUE_THINKING };

static enum opaque opaque_of(const struct tc_json *opaque)
{
    struct tc_str type = tc_json_str(tc_json_get_c(opaque, "type"));

    if (tc_str_starts(type, TC_STR("reasoning.")))
        return OPAQUE_DETAIL;
    return tc_str_is(type, "thinking") ? OPAQUE_THINKING : OPAQUE_MEMBERS;
}

/* The opaque parts of a message, parsed. */
struct reasoning {
    const struct tc_json **parts;
    size_t n, details, thinking;
};

static enum tc_err read_reasoning(struct out *out, const struct tc_message *message, struct reasoning *ret)
{
    struct reasoning r = {.parts = TC_ARENA_NEW_N(out->cx->arena, const struct tc_json *, message->n + 1)};
    enum tc_err err;
    size_t i;

    if (!r.parts)
        return tc_fail_memory(out->cx);
    for (i = 0; i < message->n && out->caps->replays_reasoning; i++) {
        enum opaque kind;

        if (message->parts[i].kind != TC_PART_OPAQUE)
            continue;
        err = tc_json_parse_root(out->cx, message->parts[i].opaque, NULL, &r.parts[r.n]);
        if (err)
            return err;
        kind = opaque_of(r.parts[r.n++]);
        r.details += kind == OPAQUE_DETAIL;
        r.thinking += kind == OPAQUE_THINKING;
    }
    *ret = r;
    return TC_OK;
}

static void write_members(struct tc_jsonw *w, const struct tc_json *object)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
}

static void write_reasoning(struct out *out, const struct reasoning *r)
{
    size_t i;

    for (i = 0; i < r->n; i++)
        if (opaque_of(r->parts[i]) == OPAQUE_MEMBERS)
            write_members(&out->w, r->parts[i]);
    if (r->n == 0 && out->caps->empty_reasoning)
        tc_jsonw_kcstr(&out->w, "reasoning_content", "");
    if (r->details == 0)
        return;
    tc_jsonw_key(&out->w, "reasoning_details");
    tc_jsonw_array(&out->w);
    for (i = 0; i < r->n; i++)
        if (opaque_of(r->parts[i]) == OPAQUE_DETAIL)
            tc_jsonw_value(&out->w, r->parts[i]);
    tc_jsonw_end(&out->w);
}

static void write_thinking(struct tc_jsonw *w, const struct tc_json *opaque)
{
    begin_typed(w, "thinking");
    tc_jsonw_key(w, "thinking");
    tc_jsonw_array(w);
    write_text_chunk(w, tc_json_str(tc_json_get_c(opaque, "text")));
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* Texts that stood apart are joined by an empty line. */
static enum tc_err join_texts(struct tc_cx *cx, const struct tc_message *message, struct tc_str *ret_text)
{
    struct tc_buf text;
    size_t i;

    tc_buf_init(&text, cx->arena->max);
    for (i = 0; i < message->n; i++) {
        if (message->parts[i].kind != TC_PART_TEXT || message->parts[i].text.n == 0)
            continue;
        if (text.n)
            tc_buf_cstr(&text, "\n\n");
        tc_buf_str(&text, message->parts[i].text);
    }
    *ret_text = tc_buf_dup(&text, cx->arena);
    tc_buf_finish(&text);
    return ret_text->p ? TC_OK : tc_fail_memory(cx);
}

static void write_content(struct out *out, const struct reasoning *r, struct tc_str text, bool calls)
{
    size_t i;

    tc_jsonw_key(&out->w, "content");
    if (r->thinking > 0) {
        tc_jsonw_array(&out->w);
        for (i = 0; i < r->n; i++)
            if (opaque_of(r->parts[i]) == OPAQUE_THINKING)
                write_thinking(&out->w, r->parts[i]);
        if (text.n)
            write_text_chunk(&out->w, text);
        tc_jsonw_end(&out->w);
    } else if (text.n || !calls || out->caps->empty_content) {
        tc_jsonw_str(&out->w, text);
    } else {
        tc_jsonw_null(&out->w);
    }
}

static enum tc_err write_call(struct out *out, const struct tc_part *part)
{
    struct tc_str arguments = part->arguments ? tc_json_text(out->cx->arena, part->arguments) : TC_STR("{}");
    struct tc_jsonw *w = &out->w;

    if (!arguments.p)
        return tc_fail_memory(out->cx);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "id", part->id);
    tc_jsonw_kcstr(w, "type", "function");
    tc_jsonw_key(w, "function");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "name", part->name);
    tc_jsonw_kstr(w, "arguments", arguments);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static enum tc_err write_calls(struct out *out, const struct tc_message *message)
{
    enum tc_err err = TC_OK;
    size_t i;

    tc_jsonw_key(&out->w, "tool_calls");
    tc_jsonw_array(&out->w);
    for (i = 0; i < message->n && !err; i++)
        if (message->parts[i].kind == TC_PART_CALL)
            err = write_call(out, &message->parts[i]);
    tc_jsonw_end(&out->w);
    return err;
}

static enum tc_err write_assistant(struct out *out, const struct tc_message *message)
{
    struct reasoning r;
    struct tc_str text;
    bool calls = false;
    size_t i;
    enum tc_err err = read_reasoning(out, message, &r);

    if (!err)
        err = join_texts(out->cx, message, &text);
    if (err)
        return err;
    for (i = 0; i < message->n; i++)
        calls = calls || message->parts[i].kind == TC_PART_CALL;
    begin_message(&out->w, "assistant");
    write_content(out, &r, text, calls);
    write_reasoning(out, &r);
    if (calls)
        err = write_calls(out, message);
    tc_jsonw_end(&out->w);
    return err;
}

/* --- the whole --- */

static enum tc_err write_messages(struct out *out)
{
    const struct tc_model_request *request = out->request;
    enum tc_err err = TC_OK;
    size_t i;

    if (!begin_member(out, "messages"))
        return TC_OK;
    tc_jsonw_array(&out->w);
    if (request->system.n) {
        begin_message(&out->w, "system");
        tc_jsonw_kstr(&out->w, "content", request->system);
        tc_jsonw_end(&out->w);
    }
    for (i = 0; i < request->messages_n && !err; i++) {
        if (request->messages[i].role == TC_ROLE_USER)
            err = write_user(out, &request->messages[i]);
        else
            err = write_assistant(out, &request->messages[i]);
    }
    tc_jsonw_end(&out->w);
    return err;
}

static void write_options(struct out *out)
{
    const struct tc_model_request *request = out->request;

    if (request->max_output > 0 && begin_member(out, out->caps->old_limit ? "max_tokens" : "max_completion_tokens"))
        tc_jsonw_int(&out->w, request->max_output);
    if (!request->stream)
        return;
    if (begin_member(out, "stream"))
        tc_jsonw_bool(&out->w, true);
    if (out->caps->usage_in_stream && begin_member(out, "stream_options")) {
        tc_jsonw_object(&out->w);
        tc_jsonw_kbool(&out->w, "include_usage", true);
        tc_jsonw_end(&out->w);
    }
}

enum tc_err tc_openai_write(struct tc_cx *cx, const struct tc_model_request *request, struct tc_buf *to)
{
    struct out out = {.cx = cx, .request = request, .caps = request->caps};
    enum tc_err err;

    tc_jsonw_init(&out.w, to);
    tc_jsonw_object(&out.w);
    if (begin_member(&out, "model"))
        tc_jsonw_str(&out.w, request->model);
    err = write_messages(&out);
    if (err)
        return err;
    write_tools(&out);
    write_options(&out);
    write_members(&out.w, request->extra);
    tc_jsonw_end(&out.w);
    return to->failed ? tc_fail_memory(cx) : TC_OK;
}
