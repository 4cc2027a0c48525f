/*
 * The bytes of an answer of Chat Completions on their way through the reader of events,
 * the provider and the builder, in pieces of the size that the first byte says; see
 * model.h for what is asked of the reply.
 */
#include "model.h"

#include "models/answer.h"

extern const struct tc_provider tc_provider_openai;

static enum tc_err feed_bytes(struct tc_cx *cx, struct tc_reply_builder *builder, size_t piece, struct tc_str in)
{
    struct tc_answer answer;
    enum tc_err e = TC_OK;

    tc_answer_init(&answer, &tc_provider_openai, builder, TC_STR(""));
    while (!e && in.n && !answer.done) {
        size_t n = in.n < piece ? in.n : piece;

        e = tc_answer_feed(cx, &answer, tc_str_n(in.p, n));
        in = tc_str_from(in, n);
    }
    if (!e)
        e = tc_answer_end(cx, &answer);
    tc_answer_finish(&answer);
    return e;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_reply_builder *builder;
    struct tc_model_reply reply;

    if (size == 0)
        return 0;
    tc_arena_init(&arena, 256 << 20);
    check(tc_builder_create(&cx, NULL, &builder) == TC_OK);
    if (feed_bytes(&cx, builder, (size_t)data[0] + 1, tc_str_n((const char *)data + 1, size - 1)) == TC_OK) {
        check(tc_builder_ended(builder));
        check(tc_builder_reply(&cx, builder, 0, &reply) == TC_OK);
        show_again(&cx, &tc_provider_openai, &reply);
    }
    tc_builder_destroy(builder);
    tc_arena_finish(&arena);
    return 0;
}
