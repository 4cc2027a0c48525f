/*
 * System and developer messages are instructions, wherever they stand; of the others the
 * last is what the run is asked, and those before it are what its caller kept. Images are
 * the user's, as data: URLs.
 */
#include "api/chat_messages.h"

#include "toolcrib/jsonw.h"

enum { TEXT_MAX = 64 * 1024 * 1024 };

struct content {
    struct tc_str text;          /* its text parts, a line each */
    const struct tc_json *parts; /* NULL: text alone */
};

struct conversation {
    struct tc_buf instructions;
    struct tc_buf history; /* JSON array */
    struct tc_jsonw w;     /* into history */
    struct content asked;  /* the last message */
};

static struct tc_str member(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* --- content --- */

/* What follows "base64," in a data: URL. */
static enum tc_err read_url(struct tc_cx *cx, struct tc_str url, struct tc_str *ret_base64)
{
    struct tc_str rest = tc_str_from(url, 5), head;

    if (!tc_str_starts(url, TC_STR("data:"))) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "An image is taken as a data: URL; nothing is fetched.");
        return tc_fail_hint(cx, "Send \"data:image/png;base64,…\".");
    }
    if (!tc_str_split(&rest, ',', &head) || !tc_str_ends(head, TC_STR(";base64")))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The data: URL of an image is to be in base64.");
    *ret_base64 = rest;
    return TC_OK;
}

static enum tc_err take_image(struct tc_cx *cx, const struct tc_json *part, bool is_user, struct tc_jsonw *w)
{
    const struct tc_json *image = tc_json_get_c(part, "image_url");
    struct tc_str base64;
    enum tc_err e;

    if (!is_user)
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Only messages of the user have images.");
    e = read_url(cx, tc_json_is(image, TC_JSON_STRING) ? tc_json_str(image) : member(image, "url"), &base64);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_key(w, "image");
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "data", base64);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

static void take_text(struct tc_str more, struct tc_buf *text, struct tc_jsonw *w)
{
    if (more.n == 0)
        return;
    if (text->n)
        tc_buf_char(text, '\n');
    tc_buf_str(text, more);
    tc_jsonw_object(w);
    tc_jsonw_kstr(w, "text", more);
    tc_jsonw_end(w);
}

static enum tc_err take_parts(struct tc_cx *cx, const struct tc_json *content, bool is_user, struct tc_buf *text,
                              struct tc_jsonw *w, bool *ret_images)
{
    struct tc_json_iter it = tc_json_iter(content);
    const struct tc_json *part;
    enum tc_err e = TC_OK;

    *ret_images = false;
    tc_jsonw_array(w);
    while (!e && tc_json_next(&it, NULL, &part)) {
        struct tc_str type = member(part, "type");
        if (tc_str_is(type, "text")) {
            take_text(member(part, "text"), text, w);
        } else if (tc_str_is(type, "image_url")) {
            *ret_images = true;
            e = take_image(cx, part, is_user, w);
        } else {
            e = tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Parts of the type \"%.*s\" are not taken, only text and image_url.",
                        TC_STR_ARG(type));
        }
    }
    tc_jsonw_end(w);
    return e;
}

/* A string, or an array of parts. */
static enum tc_err read_content(struct tc_cx *cx, const struct tc_json *content, bool is_user, struct content *ret)
{
    struct tc_buf text, json;
    struct tc_jsonw w;
    bool images = false;
    enum tc_err e;

    *ret = (struct content){.text = tc_json_str(content)};
    if (!tc_json_is(content, TC_JSON_ARRAY))
        return TC_OK;
    tc_buf_init(&text, TEXT_MAX);
    tc_buf_init(&json, TEXT_MAX);
    tc_jsonw_init(&w, &json);
    e = take_parts(cx, content, is_user, &text, &w, &images);
    if (!e) {
        ret->text = tc_buf_dup(&text, cx->arena);
        e = ret->text.p && !json.failed ? TC_OK : tc_fail_memory(cx);
    }
    if (!e && images)
        e = tc_json_parse_root(cx, tc_buf_get(&json), NULL, &ret->parts);
    tc_buf_finish(&text);
    tc_buf_finish(&json);
    return e;
}

/* --- messages --- */

static void keep_message(struct conversation *c, const struct content *content, bool is_user)
{
    tc_jsonw_object(&c->w);
    tc_jsonw_kcstr(&c->w, "role", is_user ? "user" : "assistant");
    if (content->parts)
        tc_jsonw_kvalue(&c->w, "content", content->parts);
    else
        tc_jsonw_kstr(&c->w, "content", content->text);
    tc_jsonw_end(&c->w);
}

static bool instructs(const struct tc_json *message)
{
    struct tc_str role = member(message, "role");

    return tc_str_is(role, "system") || tc_str_is(role, "developer");
}

static enum tc_err take_message(struct tc_cx *cx, struct conversation *c, const struct tc_json *message, bool last)
{
    struct tc_str role = member(message, "role");
    bool is_user = tc_str_is(role, "user");
    struct content content;
    enum tc_err e;

    if (tc_json_get_c(message, "tool_calls") || tc_str_is(role, "tool") || tc_str_is(role, "function"))
        return tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "Tools are the agent's own here, so their calls are not taken.");
    e = read_content(cx, tc_json_get_c(message, "content"), is_user, &content);
    if (e)
        return e;
    if (instructs(message)) {
        if (c->instructions.n)
            tc_buf_str(&c->instructions, TC_STR("\n\n"));
        tc_buf_str(&c->instructions, content.text);
    } else if (last && is_user) {
        c->asked = content;
    } else {
        keep_message(c, &content, is_user);
    }
    return TC_OK;
}

static enum tc_err read_messages(struct tc_cx *cx, const struct tc_json *messages, struct conversation *c)
{
    size_t n = tc_json_count(messages), last = n;
    enum tc_err e = TC_OK;

    while (last > 0 && instructs(tc_json_at(messages, last - 1)))
        last--;
    tc_jsonw_array(&c->w);
    for (size_t i = 0; !e && i < n; i++)
        e = take_message(cx, c, tc_json_at(messages, i), i + 1 == last);
    tc_jsonw_end(&c->w);
    if (!e && c->asked.text.n == 0 && !c->asked.parts)
        e = tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "The last message is to be the user's, with text or an image.");
    return e ? e : c->instructions.failed || c->history.failed ? tc_fail_memory(cx) : TC_OK;
}

enum tc_err tc_chat_messages(struct tc_cx *cx, const struct tc_json *messages, struct tc_run_request *request)
{
    struct conversation c = {.asked.text = TC_STR("")};
    enum tc_err e;

    tc_buf_init(&c.instructions, TEXT_MAX);
    tc_buf_init(&c.history, TEXT_MAX);
    tc_jsonw_init(&c.w, &c.history);
    e = read_messages(cx, messages, &c);
    if (!e)
        e = tc_json_parse_root(cx, tc_buf_get(&c.history), NULL, &request->history);
    if (!e) {
        request->text = c.asked.text;
        request->parts = c.asked.parts;
        request->instructions = tc_buf_dup(&c.instructions, cx->arena);
        e = request->instructions.p ? TC_OK : tc_fail_memory(cx);
    }
    tc_buf_finish(&c.instructions);
    tc_buf_finish(&c.history);
    return e;
}
