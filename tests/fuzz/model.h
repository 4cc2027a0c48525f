/*
 * What a server may answer, through one provider: each line of the input is the data of
 * an event, or of a whole answer where it begins with '='. Nothing of it may crash the
 * reading; what was read is shown to the same model again, and that request is JSON.
 */
#ifndef TESTS_FUZZ_MODEL_H
#define TESTS_FUZZ_MODEL_H

#include <stdlib.h>

#include "base/clock.h"
#include "models/builder.h"
#include "toolcrib/provider.h"

static void check(bool holds)
{
    if (!holds)
        abort();
}

static inline enum tc_err feed(struct tc_cx *cx, const struct tc_provider *provider, struct tc_reply_builder *builder,
                        struct tc_str rest)
{
    struct tc_json_limits limits = {.flags = TC_JSON_CLEAN};
    const struct tc_json *data;
    struct tc_str line;
    enum tc_err e = TC_OK;

    while (!e && tc_str_split(&rest, '\n', &line)) {
        bool whole = tc_str_starts(line, TC_STR("="));
        if (tc_json_parse_root(cx, tc_str_from(line, whole), &limits, &data))
            continue;
        e = whole ? provider->whole(cx, builder, data) : provider->event(cx, builder, TC_STR(""), data);
    }
    return e;
}

/* An item as the loop shows it again: arguments that are none become {}. */
static struct tc_part part_of(struct tc_cx *cx, const struct tc_item *item, size_t number)
{
    struct tc_part part = {.text = item->text, .opaque = item->opaque, .name = item->name};
    const struct tc_json *opaque;

    if (item->opaque.n)
        check(tc_json_parse_root(cx, item->opaque, NULL, &opaque) == TC_OK);
    part.kind = item->kind == TC_ITEM_TEXT ? TC_PART_TEXT : TC_PART_OPAQUE;
    if (item->kind != TC_ITEM_CALL)
        return part;
    part.kind = TC_PART_CALL;
    part.id = tc_arena_printf(cx->arena, "call%05zu", number);
    if (tc_json_parse_root(cx, item->arguments, NULL, &part.arguments) ||
        !tc_json_is(part.arguments, TC_JSON_OBJECT))
        check(tc_json_parse_root(cx, TC_STR("{}"), NULL, &part.arguments) == TC_OK);
    return part;
}

static void show_again(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_reply *reply)
{
    struct tc_message messages[2] = {{.role = TC_ROLE_ASSISTANT}, {.role = TC_ROLE_USER}};
    struct tc_model_request request = {.model = TC_STR("m"), .caps = &provider->caps, .messages_n = 2};
    const struct tc_json *root;
    struct tc_buf body;

    request.messages = messages;
    for (size_t i = 0; i < 2; i++)
        messages[i].parts = TC_ARENA_NEW_N(cx->arena, struct tc_part, reply->n + 1);
    for (size_t i = 0; i < reply->n; i++) {
        struct tc_part part = part_of(cx, &reply->items[i], i);
        messages[0].parts[messages[0].n++] = part;
        if (part.kind != TC_PART_CALL)
            continue;
        part.kind = TC_PART_RESULT;
        part.text = TC_STR("done");
        messages[1].parts[messages[1].n++] = part;
    }
    tc_buf_init(&body, 64 << 20);
    check(provider->write(cx, &request, &body) == TC_OK);
    check(tc_json_parse_root(cx, tc_buf_get(&body), NULL, &root) == TC_OK);
    tc_buf_finish(&body);
}

static inline int fuzz_model(const struct tc_provider *provider, const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_reply_builder *builder;
    struct tc_model_reply reply;

    tc_arena_init(&arena, 256 << 20);
    check(tc_builder_create(&cx, NULL, &builder) == TC_OK);
    if (feed(&cx, provider, builder, tc_str_n((const char *)data, size)) == TC_OK) {
        check(tc_builder_reply(&cx, builder, 0, &reply) == TC_OK);
        show_again(&cx, provider, &reply);
    }
    tc_builder_destroy(builder);
    tc_arena_finish(&arena);
    return 0;
}

#endif
