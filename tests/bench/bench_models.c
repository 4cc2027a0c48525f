/*
 * A streamed answer of Chat Completions with 1,000 deltas of text and one with as many
 * fragments of arguments, from bytes as they come from a socket to the reply; beside it
 * the parsing of the same events as JSON alone. Rounds are interleaved, the median counts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "models/answer.h"

extern const struct tc_provider tc_provider_openai;

enum { DELTAS = 1000, ROUNDS = 31, PIECE = 16 * 1024 };

static void die(const char *why)
{
    fprintf(stderr, "bench_models: %s\n", why);
    exit(1);
}

static const char head[] = "data: {\"id\":\"chatcmpl-0123456789\",\"object\":\"chat.completion.chunk\","
                           "\"created\":1700000000,\"model\":\"test-model\",\"system_fingerprint\":\"fp_0123\","
                           "\"choices\":[{\"index\":0,\"delta\":";

static void write_stream(struct tc_buf *to, const char *delta)
{
    int i;

    tc_buf_printf(to, "%s{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\"}}]}}]}\n\n", head);
    for (i = 0; i < DELTAS; i++)
        tc_buf_printf(to, "%s%s,\"logprobs\":null,\"finish_reason\":null}]}\n\n", head, delta);
    tc_buf_printf(to, "%s{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", head);
}

static void read_stream(struct tc_cx *cx, struct tc_str in)
{
    struct tc_reply_builder *builder;
    struct tc_model_reply reply;
    struct tc_answer answer;

    if (tc_builder_create(cx, NULL, &builder))
        die("no memory");
    tc_answer_init(&answer, &tc_provider_openai, builder, TC_STR("text/event-stream"));
    while (in.n) {
        size_t n = in.n < PIECE ? in.n : PIECE;

        if (tc_answer_feed(cx, &answer, tc_str_n(in.p, n)))
            die("the stream was refused");
        in = tc_str_from(in, n);
    }
    if (tc_answer_end(cx, &answer) || tc_builder_reply(cx, builder, 0, &reply) || reply.n == 0)
        die("there is no reply");
    tc_answer_finish(&answer);
    tc_builder_destroy(builder);
}

static void parse_events(struct tc_cx *cx, struct tc_str in)
{
    struct tc_json_doc *doc;
    struct tc_str line;

    while (tc_str_split(&in, '\n', &line)) {
        if (!tc_str_starts(line, TC_STR("data: {")))
            continue;
        if (tc_json_parse(cx, tc_str_from(line, 6), NULL, &doc))
            die("an event was refused");
        tc_json_doc_unref(doc);
    }
}

/* Nanoseconds a delta. */
static double measure(void (*run)(struct tc_cx *, struct tc_str), struct tc_cx *cx, struct tc_str in)
{
    int64_t start = tc_clock_mono_us(cx->clock);
    int i;

    for (i = 0; i < 10; i++) {
        run(cx, in);
        tc_arena_reset(cx->arena);
    }
    return (double)(tc_clock_mono_us(cx->clock) - start) * 1000 / 10 / DELTAS;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void bench(struct tc_cx *cx, const char *name, const char *delta)
{
    double whole[ROUNDS], parse[ROUNDS];
    struct tc_buf stream;
    int i;

    tc_buf_init(&stream, 1 << 24);
    write_stream(&stream, delta);
    for (i = 0; i < ROUNDS; i++) {
        whole[i] = measure(read_stream, cx, tc_buf_get(&stream));
        parse[i] = measure(parse_events, cx, tc_buf_get(&stream));
    }
    qsort(whole, ROUNDS, sizeof whole[0], by_size);
    qsort(parse, ROUNDS, sizeof parse[0], by_size);
    printf("%-10s %6.0f ns a delta, JSON alone %6.0f ns, ratio %.2f\n", name, whole[ROUNDS / 2], parse[ROUNDS / 2],
           whole[ROUNDS / 2] / parse[ROUNDS / 2]);
    tc_buf_finish(&stream);
}

int main(void)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};

    tc_arena_init(&arena, 0);
    bench(&cx, "text", "{\"content\":\" word\"}");
    bench(&cx, "arguments", "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\" word\"}}]}");
    tc_arena_finish(&arena);
    return 0;
}
