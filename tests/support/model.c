/*
 * Requests and replies of models as texts.
 */
#include "support/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "models/answer.h"
#include "support/test.h"

enum { PIECE = 7 };

/* Requests */

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "the text of a request is wrong: %s\n", what);
        abort();
    }
}

static struct tc_str member(const struct tc_json *object, const char *key)
{
    const struct tc_json *value = tc_json_get_c(object, key);

    return value ? tc_json_str(value) : TC_STR("");
}

static struct tc_image_data image_of(const struct tc_json *pair)
{
    check(tc_json_count(pair) == 2, "an image is [mime, base64]");
    return (struct tc_image_data){tc_json_str(tc_json_at(pair, 0)), tc_json_str(tc_json_at(pair, 1))};
}

static void read_images(struct tc_cx *cx, const struct tc_json *list, struct tc_part *part)
{
    part->images_n = tc_json_count(list);
    part->images = TC_ARENA_NEW_N(cx->arena, struct tc_image_data, part->images_n + 1);
    for (size_t i = 0; i < part->images_n; i++)
        part->images[i] = image_of(tc_json_at(list, i));
}

static struct tc_part read_part(struct tc_cx *cx, const struct tc_json *json)
{
    const struct tc_json *call = tc_json_get_c(json, "call"), *result = tc_json_get_c(json, "result"),
                         *image = tc_json_get_c(json, "image"), *opaque = tc_json_get_c(json, "opaque"),
                         *signature = tc_json_get_c(json, "signature"), *holder = call ? call : result;
    struct tc_part part = {.kind = TC_PART_TEXT, .text = member(result ? result : json, "text")};

    part.id = member(holder, "id");
    part.name = member(holder, "name");
    if (signature)
        part.opaque = tc_json_text(cx->arena, signature);
    if (call) {
        part.kind = TC_PART_CALL;
        part.arguments = tc_json_get_c(call, "arguments");
        check(tc_json_is(part.arguments, TC_JSON_OBJECT), "arguments are an object");
    } else if (result) {
        part.kind = TC_PART_RESULT;
        part.is_error = tc_json_bool(tc_json_get_c(result, "error"), false);
        read_images(cx, tc_json_get_c(result, "images"), &part);
    } else if (image) {
        part.kind = TC_PART_IMAGE;
        part.images = TC_ARENA_NEW(cx->arena, struct tc_image_data);
        part.images[0] = image_of(image);
        part.images_n = 1;
    } else if (opaque) {
        part.kind = TC_PART_OPAQUE;
        part.opaque = tc_json_text(cx->arena, opaque);
    } else {
        check(tc_json_get_c(json, "text") != NULL, "a part that is none");
    }
    return part;
}

static struct tc_message *read_messages(struct tc_cx *cx, const struct tc_json *list, size_t *ret_n)
{
    size_t n = tc_json_count(list);
    struct tc_message *messages = TC_ARENA_NEW_N(cx->arena, struct tc_message, n + 1);

    for (size_t i = 0; i < n; i++) {
        const struct tc_json *json = tc_json_at(list, i), *parts = tc_json_get_c(json, "user");
        messages[i].role = parts ? TC_ROLE_USER : TC_ROLE_ASSISTANT;
        if (!parts)
            parts = tc_json_get_c(json, "assistant");
        check(tc_json_is(parts, TC_JSON_ARRAY), "a message is {user: […]} or {assistant: […]}");
        messages[i].n = tc_json_count(parts);
        messages[i].parts = TC_ARENA_NEW_N(cx->arena, struct tc_part, messages[i].n + 1);
        for (size_t k = 0; k < messages[i].n; k++)
            messages[i].parts[k] = read_part(cx, tc_json_at(parts, k));
    }
    *ret_n = n;
    return messages;
}

static struct tc_model_tool *read_tools(struct tc_cx *cx, const struct tc_json *list, size_t *ret_n)
{
    size_t n = tc_json_count(list);
    struct tc_model_tool *tools = TC_ARENA_NEW_N(cx->arena, struct tc_model_tool, n + 1);

    for (size_t i = 0; i < n; i++) {
        const struct tc_json *json = tc_json_at(list, i);
        tools[i].name = member(json, "name");
        tools[i].description = member(json, "description");
        tools[i].schema = tc_json_get_c(json, "schema");
        tools[i].deferred = tc_json_bool(tc_json_get_c(json, "deferred"), false);
    }
    *ret_n = n;
    return tools;
}

static enum tc_choice read_choice(const struct tc_json *choice)
{
    if (tc_str_is(tc_json_str(choice), "none"))
        return TC_CHOICE_NONE;
    if (tc_str_is(tc_json_str(choice), "required"))
        return TC_CHOICE_REQUIRED;
    return tc_json_is(choice, TC_JSON_OBJECT) ? TC_CHOICE_TOOL : TC_CHOICE_AUTO;
}

void test_model_request(struct tc_cx *cx, const struct tc_json *json, const struct tc_model_caps *caps,
                        struct tc_model_request *ret_request)
{
    struct tc_model_request r = {.caps = caps, .model = member(json, "model"), .system = member(json, "system")};

    if (!r.model.n)
        r.model = TC_STR("test-model");
    r.messages = read_messages(cx, tc_json_get_c(json, "messages"), &r.messages_n);
    r.tools = read_tools(cx, tc_json_get_c(json, "tools"), &r.tools_n);
    r.choice = read_choice(tc_json_get_c(json, "choice"));
    r.choice_name = member(tc_json_get_c(json, "choice"), "tool");
    r.serial = tc_json_bool(tc_json_get_c(json, "serial"), false);
    r.stream = tc_json_bool(tc_json_get_c(json, "stream"), false);
    tc_json_int(tc_json_get_c(json, "maxOutput"), &r.max_output);
    r.extra = tc_json_get_c(json, "extra");
    *ret_request = r;
}

struct tc_str test_model_body(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *by_caps,
                              const char *request)
{
    struct tc_model_request r;
    const struct tc_json *json, *again;
    struct tc_str text;
    struct tc_buf buf;

    assert_int_equal(tc_json_parse_root(cx, tc_str_of(request), NULL, &json), TC_OK);
    test_model_request(cx, json, by_caps ? by_caps : &provider->caps, &r);
    tc_buf_init(&buf, 1 << 24);
    assert_int_equal(provider->write(cx, &r, &buf), TC_OK);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    assert_int_equal(tc_json_parse_root(cx, text, NULL, &again), TC_OK);
    return text;
}

/* Replies */

static void on_reasoning(void *arg, struct tc_str delta)
{
    tc_buf_printf(arg, "heard %.*s\n", TC_STR_ARG(delta));
}

/* In pieces that fall inside of lines and characters. */
static enum tc_err feed(struct tc_cx *cx, struct tc_answer *answer, struct tc_str bytes)
{
    enum tc_err e = TC_OK;

    while (!e && bytes.n) {
        size_t n = bytes.n < PIECE ? bytes.n : PIECE;
        e = tc_answer_feed(cx, answer, tc_str_n(bytes.p, n));
        bytes = tc_str_from(bytes, n);
    }
    return e ? e : tc_answer_end(cx, answer);
}

static void show_item(struct tc_buf *to, const struct tc_item *item)
{
    if (item->kind == TC_ITEM_TEXT)
        tc_buf_printf(to, "text \"%.*s\"", TC_STR_ARG(item->text));
    else if (item->kind == TC_ITEM_OPAQUE)
        tc_buf_cstr(to, "opaque");
    else
        tc_buf_printf(to, "call %.*s %.*s %.*s%s%s", TC_STR_ARG(item->id), TC_STR_ARG(item->name),
                      TC_STR_ARG(item->arguments.p ? item->arguments : TC_STR("(none)")),
                      item->is_object ? " object" : "", item->cut ? " cut" : "");
    if (item->opaque.n)
        tc_buf_printf(to, " %.*s", TC_STR_ARG(item->opaque));
    tc_buf_char(to, '\n');
}

static void show(struct tc_buf *to, const struct tc_model_reply *reply)
{
    static const char *const finishes[] = {"STOP", "CALLS", "LENGTH", "FILTER", "PAUSE", "MALFORMED", "CONTEXT",
                                           "OTHER"};
    const struct tc_usage *u = &reply->usage;

    for (size_t i = 0; i < reply->n; i++)
        show_item(to, &reply->items[i]);
    tc_buf_printf(to, "%s \"%.*s\" usage %lld %lld %lld %lld %lld %.*s %.*s\n", finishes[reply->finish],
                  TC_STR_ARG(reply->finish_text), (long long)u->input, (long long)u->output, (long long)u->cached,
                  (long long)u->cache_written, (long long)u->reasoning, TC_STR_ARG(reply->model),
                  TC_STR_ARG(reply->id));
}

struct tc_str test_model_reply(struct tc_cx *cx, const struct tc_provider *provider, const char *bytes)
{
    struct tc_reply_builder *builder;
    struct tc_model_sink sink = {.reasoning = on_reasoning};
    struct tc_model_reply reply;
    struct tc_answer answer;
    struct tc_str text;
    struct tc_buf shown;
    enum tc_err e;

    tc_buf_init(&shown, 1 << 24);
    sink.arg = &shown;
    assert_int_equal(tc_builder_create(cx, &sink, &builder), TC_OK);
    tc_answer_init(&answer, provider, builder, TC_STR(""));
    e = feed(cx, &answer, tc_str_of(bytes));
    if (!e)
        e = tc_builder_reply(cx, builder, 0, &reply);
    if (e)
        tc_buf_printf(&shown, "error %s: %.*s\n", tc_err_info(e)->name, TC_STR_ARG(cx->err.message));
    else
        show(&shown, &reply);
    tc_answer_finish(&answer);
    tc_builder_destroy(builder);
    text = tc_buf_dup(&shown, cx->arena);
    tc_buf_finish(&shown);
    return text;
}

/* Both at once */

void test_model_writes(const struct tc_provider *provider, const struct tc_model_caps *by_caps, const char *request,
                       const char *expected)
{
    struct test_cx test;

    test_cx_init(&test);
    assert_str(test_model_body(&test.cx, provider, by_caps, request), expected);
    test_cx_finish(&test);
}

void test_model_reads(const struct tc_provider *provider, const char *bytes, const char *expected)
{
    struct test_cx test;

    test_cx_init(&test);
    assert_str(test_model_reply(&test.cx, provider, bytes), expected);
    test_cx_finish(&test);
}
