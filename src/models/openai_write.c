/*
 * Requests of Chat Completions. The transcript's rules (model.h) are relied on: results
 * stand first in their message, behind the calls that they belong to.
 */
#include "models/openai_write.h"

#include "models/body.h"

/* A request on its way into a buffer. Functions that cannot fail otherwise leave their
 * failure in the buffer. */
struct out {
    struct tc_cx *cx;
    const struct tc_model_request *request;
    const struct tc_model_caps *caps;
    struct tc_jsonw w;
};

static bool begin_member(struct out *out, const char *key)
{
    return tc_body_key(&out->w, out->request, key);
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
    tc_body_data_uri(w, image);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
}

/* Whether the images of results follow in a message of the user. */
static bool has_followers(const struct out *out, const struct tc_message *message)
{
    size_t i, n = 0;

    for (i = 0; i < tc_body_results(message); i++)
        n += message->parts[i].images_n;
    return n > 0 && out->caps->result_images == TC_RESULT_IMAGES_USER_MESSAGE;
}

static void write_results(struct out *out, const struct tc_message *message)
{
    size_t i;

    for (i = 0; i < tc_body_results(message); i++) {
        const struct tc_part *part = &message->parts[i];

        begin_message(&out->w, "tool");
        tc_jsonw_kstr(&out->w, "tool_call_id", part->id);
        tc_jsonw_key(&out->w, "content");
        tc_body_result_text(&out->w, out->request, part, true);
        tc_jsonw_end(&out->w);
    }
}

static void write_followers(struct tc_jsonw *w, const struct tc_message *message)
{
    size_t i, j;

    for (i = 0; i < tc_body_results(message); i++) {
        const struct tc_part *part = &message->parts[i];

        for (j = 0; j < part->images_n; j++) {
            begin_typed(w, "text");
            tc_jsonw_key(w, "text");
            tc_body_image_label(w, part, i + 1, j);
            tc_jsonw_end(w);
            write_image(w, &part->images[j]);
        }
    }
}

static void write_user_parts(struct out *out, const struct tc_message *message)
{
    size_t i;

    tc_jsonw_array(&out->w);
    if (has_followers(out, message))
        write_followers(&out->w, message);
    for (i = tc_body_results(message); i < message->n; i++) {
        if (message->parts[i].kind == TC_PART_TEXT)
            write_text_chunk(&out->w, message->parts[i].text);
        else if (message->parts[i].kind == TC_PART_IMAGE)
            write_image(&out->w, message->parts[i].images);
    }
    tc_jsonw_end(&out->w);
}

static void write_user(struct out *out, const struct tc_message *message)
{
    size_t results = tc_body_results(message), own = message->n - results;
    const struct tc_part *first = message->parts + results;
    bool follow = has_followers(out, message);

    write_results(out, message);
    if (own == 0 && !follow)
        return;
    if (results && !out->caps->user_after_tool) {
        begin_message(&out->w, "assistant");
        tc_jsonw_kcstr(&out->w, "content", "I have the results.");
        tc_jsonw_end(&out->w);
    }
    begin_message(&out->w, "user");
    tc_jsonw_key(&out->w, "content");
    if (own == 1 && !follow && first->kind == TC_PART_TEXT)
        tc_jsonw_str(&out->w, first->text);
    else
        write_user_parts(out, message);
    tc_jsonw_end(&out->w);
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

static void write_reasoning(struct out *out, const struct reasoning *r)
{
    size_t i;

    for (i = 0; i < r->n; i++)
        if (opaque_of(r->parts[i]) == OPAQUE_MEMBERS)
            tc_body_extra(&out->w, r->parts[i], NULL);
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
            write_user(out, &request->messages[i]);
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
    tc_body_extra(&out.w, request->extra, NULL);
    tc_jsonw_end(&out.w);
    return tc_body_end(cx, to);
}
