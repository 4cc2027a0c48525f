/*
 * Channels from any bytes: what is accepted is stored in one form, which decodes to
 * itself, and each of its models can be found by its name.
 */
#include <stdlib.h>

#include "policy/channel.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena};
    struct tc_channel *channel, *again;
    struct tc_str stored;

    tc_arena_init(&arena, 0);
    if (!tc_channel_decode(&cx, tc_str_n((const char *)data, size), &channel)) {
        stored = tc_json_text(&arena, tc_json_doc_root(channel->doc));
        check(tc_channel_decode(&cx, stored, &again) == TC_OK);
        check(tc_str_eq(stored, tc_json_text(&arena, tc_json_doc_root(again->doc))));
        check(channel->id.n > 0 && tc_str_eq(channel->id, again->id) && channel->models_n == again->models_n);
        for (size_t i = 0; i < channel->models_n; i++)
            check(tc_channel_find(again, channel->models[i].name) == &again->models[i]);
        tc_channel_unref(channel);
        tc_channel_unref(again);
    } else {
        check(cx.err.message.n > 0);
    }
    tc_arena_finish(&arena);
    return 0;
}
