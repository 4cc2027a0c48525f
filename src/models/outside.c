/*
 * A form a protocol: where its requests hold tools and messages, how its messages are
 * told from others, and how one becomes a whole answer.
 */
#include "models/outside.h"

#include <assert.h>

#include "models/builder.h"
#include "toolcrib/jsonw.h"

enum { BODY_MAX = 256 * 1024 * 1024 };

/* Forms */

static bool has_type(const struct tc_json *list, const char *type)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *item;

    while (tc_json_next(&it, NULL, &item))
        if (tc_str_is(tc_json_str(tc_json_get_c(item, "type")), type))
            return true;
    return false;
}

static bool is_array(const struct tc_json *value)
{
    return tc_json_is(value, TC_JSON_ARRAY);
}

static bool is_openai(const struct tc_json *m)
{
    return is_array(tc_json_get_c(m, "choices")) || is_array(tc_json_get_c(m, "tool_calls")) ||
           tc_json_get_c(m, "message") ||
           (tc_json_get_c(m, "role") && tc_json_type(tc_json_get_c(m, "content")) != TC_JSON_OBJECT &&
            tc_json_get_c(m, "content") && !is_array(tc_json_get_c(m, "content")));
}

static bool is_responses(const struct tc_json *m)
{
    return is_array(tc_json_get_c(m, "output")) || has_type(m, "function_call") || has_type(m, "message") ||
           has_type(m, "reasoning");
}

static bool is_anthropic(const struct tc_json *m)
{
    return is_array(tc_json_get_c(m, "content")) || has_type(m, "tool_use") || has_type(m, "text");
}

static bool is_gemini(const struct tc_json *m)
{
    return is_array(tc_json_get_c(m, "candidates")) || is_array(tc_json_get_c(m, "parts")) ||
           is_array(tc_json_pointer(m, TC_STR("/content/parts")));
}

static const struct form {
    const char *protocol;
    bool (*is)(const struct tc_json *message);
    const char *whole;           /* a member that whole answers have */
    const char *inner;           /* a member that may hold the message; NULL: none does */
    const char *before, *behind; /* what makes a message a whole answer */
    const char *messages;        /* the member of requests that has them */
    bool items;                  /* calls stand there one by one, not in a message */
} forms[] = {
    {"gemini", is_gemini, "candidates", "content", "{\"candidates\":[{\"content\":", "}]}", "contents", false},
    {"responses", is_responses, "output", NULL, "{\"output\":", "}", "input", true},
    {"openai", is_openai, "choices", "message", "{\"choices\":[{\"message\":", "}]}", "messages", false},
    {"anthropic", is_anthropic, "content", NULL, "{\"content\":", "}", "messages", false},
};
enum { FORMS = sizeof forms / sizeof *forms };

static const struct form *form_of(const struct tc_provider *provider)
{
    size_t i = 0;

    while (strcmp(forms[i].protocol, provider->name) != 0) {
        i++;
        assert(i < FORMS); /* each provider has one */
    }
    return &forms[i];
}

const char *tc_outside_protocol(const struct tc_json *message)
{
    for (size_t i = 0; i < FORMS; i++)
        if (forms[i].is(message))
            return forms[i].protocol;
    return NULL;
}

/* Reading */

static enum tc_err make_whole(struct tc_cx *cx, const struct form *form, const struct tc_json *message,
                              const struct tc_json **ret_whole)
{
    const struct tc_json *inner = form->inner ? tc_json_get_c(message, form->inner) : NULL;
    struct tc_json_limits limits = {.max_bytes = BODY_MAX};
    struct tc_buf buf;
    enum tc_err e;

    if (is_array(tc_json_get_c(message, form->whole))) {
        *ret_whole = message;
        return TC_OK;
    }
    tc_buf_init(&buf, BODY_MAX);
    tc_buf_cstr(&buf, form->before);
    tc_json_print(&buf, tc_json_is(inner, TC_JSON_OBJECT) ? inner : message);
    tc_buf_cstr(&buf, form->behind);
    e = buf.failed ? tc_fail_memory(cx) : tc_json_parse_root(cx, tc_buf_get(&buf), &limits, ret_whole);
    tc_buf_finish(&buf);
    return e;
}

enum tc_err tc_outside_read(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_json *message,
                            struct tc_model_reply *ret_reply)
{
    const struct form *form = form_of(provider);
    struct tc_reply_builder *builder;
    const struct tc_json *whole;
    enum tc_err e;

    if (!form->is(message)) {
        tc_fail(cx, TC_E_HTTP_BAD_REQUEST, "This is no message of an assistant as %s has it.", provider->title);
        return tc_fail_hint(cx, "Send the message that the provider answered with as it came, or name its form by "
                                "?format=.");
    }
    e = make_whole(cx, form, message, &whole);
    if (!e)
        e = tc_builder_create(cx, NULL, &builder);
    if (e)
        return e;
    e = provider->whole(cx, builder, whole);
    if (!e)
        e = tc_builder_reply(cx, builder, 0, ret_reply);
    tc_builder_destroy(builder);
    return e;
}

/* Writing */

static enum tc_err write_body(struct tc_cx *cx, const struct tc_provider *provider,
                              const struct tc_model_request *request, const struct tc_json **ret_body)
{
    struct tc_json_limits limits = {.max_bytes = BODY_MAX};
    struct tc_buf buf;
    enum tc_err e;

    tc_buf_init(&buf, BODY_MAX);
    e = provider->write(cx, request, &buf);
    if (!e)
        e = tc_json_parse_root(cx, tc_buf_get(&buf), &limits, ret_body);
    tc_buf_finish(&buf);
    return e;
}

/* The list without its first items. */
static enum tc_err print_from(struct tc_cx *cx, const struct tc_json *list, size_t from, struct tc_str *ret_json)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *item;
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, BODY_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_array(&w);
    for (size_t i = 0; tc_json_next(&it, NULL, &item); i++)
        if (i >= from)
            tc_jsonw_value(&w, item);
    tc_jsonw_end(&w);
    *ret_json = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return ret_json->p ? TC_OK : tc_fail_memory(cx);
}

/* As a request is written, without what is of one conversation. */
static struct tc_model_caps plain(const struct tc_model_caps *caps)
{
    struct tc_model_caps c = *caps;

    c.cache_marks = c.native_deferral = false;
    return c;
}

enum tc_err tc_outside_tools(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *caps,
                             const struct tc_model_tool *tools, size_t n, struct tc_str *ret_json)
{
    struct tc_model_caps c = plain(caps);
    struct tc_model_request request = {.model = TC_STR("m"), .caps = &c, .tools = tools, .tools_n = n};
    const struct tc_json *body;
    enum tc_err e = write_body(cx, provider, &request, &body);

    return e ? e : print_from(cx, tc_json_get_c(body, "tools"), 0, ret_json);
}

static enum tc_err calls_of(struct tc_cx *cx, const struct tc_model_reply *reply, struct tc_message *ret_message)
{
    struct tc_part *parts = TC_ARENA_NEW_N(cx->arena, struct tc_part, reply->n + 1);
    const struct tc_json *nothing;
    size_t n = 0;
    enum tc_err e = parts ? tc_json_parse_root(cx, TC_STR("{}"), NULL, &nothing) : tc_fail_memory(cx);

    for (size_t i = 0; i < reply->n && !e; i++) {
        const struct tc_item *item = &reply->items[i];
        if (item->kind == TC_ITEM_CALL)
            parts[n++] = (struct tc_part){.kind = TC_PART_CALL, .id = item->id, .name = item->name,
                                          .arguments = nothing, .opaque = item->opaque};
    }
    *ret_message = (struct tc_message){TC_ROLE_ASSISTANT, parts, n};
    return e;
}

enum tc_err tc_outside_answer(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *caps,
                              const struct tc_model_reply *reply, const struct tc_part *results,
                              struct tc_str *ret_json)
{
    const struct form *form = form_of(provider);
    struct tc_model_caps c = plain(caps);
    struct tc_message messages[2] = {{.role = TC_ROLE_ASSISTANT}, {.role = TC_ROLE_USER}};
    struct tc_model_request request = {.model = TC_STR("m"), .caps = &c, .messages = messages, .messages_n = 2};
    const struct tc_json *body;
    enum tc_err e = calls_of(cx, reply, &messages[0]);
    size_t n = messages[0].n;

    if (!e && n == 0) {
        *ret_json = TC_STR("[]");
        return TC_OK;
    }
    messages[1].n = n;
    messages[1].parts = TC_ARENA_NEW_N(cx->arena, struct tc_part, n + 1);
    if (!e && !messages[1].parts)
        e = tc_fail_memory(cx);
    for (size_t i = 0; i < n && !e; i++) {
        messages[1].parts[i] = results[i];
        messages[1].parts[i].kind = TC_PART_RESULT;
        messages[1].parts[i].id = messages[0].parts[i].id;
        messages[1].parts[i].name = messages[0].parts[i].name;
    }
    if (!e)
        e = write_body(cx, provider, &request, &body);
    return e ? e : print_from(cx, tc_json_get_c(body, form->messages), form->items ? n : 1, ret_json);
}
