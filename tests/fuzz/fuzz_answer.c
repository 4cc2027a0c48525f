/*
 * The bytes of an answer through the reader of events, a provider and the builder: what
 * they come to does not depend on where the network cut them. The first byte says which
 * provider and which Content-Type, the second how the third reading is cut; the first is
 * in one piece, the second byte by byte. A reply is shown to its model again (model.h).
 */
#include "model.h"

#include "models/answer.h"

extern const struct tc_provider tc_provider_openai, tc_provider_responses, tc_provider_anthropic, tc_provider_gemini;

static const struct tc_provider *const providers[] = {&tc_provider_openai, &tc_provider_responses,
                                                      &tc_provider_anthropic, &tc_provider_gemini};
static const char *const types[] = {"", "text/event-stream", "application/json", "text/plain"};

struct reading {
    struct tc_buf heard; /* text and, in brackets, reasoning and names of calls */
    enum tc_err err;
    struct tc_model_reply reply;
};

/* Deltas may be cut in other places: only what they make together is compared. */
static void hear_text(void *arg, struct tc_str delta)
{
    tc_buf_str(&((struct reading *)arg)->heard, delta);
}

static void hear_call(void *arg, struct tc_str name)
{
    tc_buf_printf(&((struct reading *)arg)->heard, "<%.*s>", TC_STR_ARG(name));
}

/* How many bytes the next piece has: 0 for all, 1 for one, else by chance of the seed. */
static size_t next_piece(unsigned *seed, size_t left)
{
    size_t n;

    if (*seed < 2)
        return *seed ? 1 : left;
    *seed = *seed * 1103515245u + 12345u;
    n = (*seed >> 16) % 13 + 1;
    return n < left ? n : left;
}

static enum tc_err feed_pieces(struct tc_cx *cx, struct tc_answer *answer, unsigned seed, struct tc_str in)
{
    enum tc_err err = TC_OK;

    while (!err && in.n && !answer->done) {
        size_t n = next_piece(&seed, in.n);
        char *piece = malloc(n);

        memcpy(piece, in.p, n);
        err = tc_answer_feed(cx, answer, tc_str_n(piece, n));
        free(piece);
        in = tc_str_from(in, n);
    }
    return err ? err : tc_answer_end(cx, answer);
}

static void read_answer(struct tc_cx *cx, uint8_t what, unsigned seed, struct tc_str in, struct reading *ret)
{
    const struct tc_provider *provider = providers[what % 4];
    const struct tc_model_sink sink = {.text = hear_text, .call = hear_call, .arg = ret};
    struct tc_reply_builder *builder;
    struct tc_answer answer;

    tc_buf_init(&ret->heard, 64 << 20);
    check(tc_builder_create(cx, &sink, &builder) == TC_OK);
    tc_answer_init(&answer, provider, builder, tc_str_of(types[what / 4 % 4]));
    ret->err = feed_pieces(cx, &answer, seed, in);
    tc_answer_finish(&answer);
    if (!ret->err) {
        check(tc_builder_ended(builder));
        check(tc_builder_reply(cx, builder, 0, &ret->reply) == TC_OK);
        show_again(cx, provider, &ret->reply);
    } else {
        check(tc_err_info(ret->err)->name[0]);
        tc_fail_clear(cx);
    }
    tc_builder_destroy(builder);
}

static void check_item(const struct tc_item *a, const struct tc_item *b)
{
    check(a->kind == b->kind && a->is_object == b->is_object && a->cut == b->cut);
    check(!a->arguments.p == !b->arguments.p);
    check(tc_str_eq(a->text, b->text) && tc_str_eq(a->id, b->id) && tc_str_eq(a->name, b->name) &&
          tc_str_eq(a->arguments, b->arguments) && tc_str_eq(a->opaque, b->opaque));
}

static void check_same(const struct reading *a, const struct reading *b)
{
    const struct tc_model_reply *x = &a->reply, *y = &b->reply;

    check(a->err == b->err);
    if (a->err)
        return;
    check(tc_str_eq(tc_buf_get(&a->heard), tc_buf_get(&b->heard)));
    check(x->n == y->n && x->finish == y->finish && tc_str_eq(x->finish_text, y->finish_text) &&
          tc_str_eq(x->model, y->model) && tc_str_eq(x->id, y->id));
    check(memcmp(&x->usage, &y->usage, sizeof x->usage) == 0);
    for (size_t i = 0; i < x->n; i++)
        check_item(&x->items[i], &y->items[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct reading readings[3];
    struct tc_str in;

    if (size < 2)
        return 0;
    in = tc_str_n((const char *)data + 2, size - 2);
    tc_arena_init(&arena, 256 << 20);
    for (unsigned i = 0; i < 3; i++)
        read_answer(&cx, data[0], i < 2 ? i : 2u + data[1], in, &readings[i]);
    check_same(&readings[0], &readings[1]);
    check_same(&readings[0], &readings[2]);
    for (size_t i = 0; i < 3; i++)
        tc_buf_finish(&readings[i].heard);
    tc_arena_finish(&arena);
    return 0;
}
