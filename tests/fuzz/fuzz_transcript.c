/*
 * Any entries for a tape: each line is the first letter of a kind and JSON. Whatever is
 * stored, what a model is shown of it keeps the rules of toolcrib/model.h, and each
 * provider writes a request in which every call has its one result, and the same bytes
 * whether the entries came at once or one after the other. So when the tape was summed up
 * by extracts. The first byte says what the model takes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "runtime/compact.h"
#include "runtime/tape.h"
#include "runtime/transcript.h"
#include "stores/memory.h"
#include "toolcrib/provider.h"

extern const struct tc_provider tc_provider_openai, tc_provider_responses, tc_provider_anthropic, tc_provider_gemini;

enum { ENTRIES = 64 };

#define check(holds) check_at((holds), __LINE__)
static void check_at(bool holds, int line)
{
    if (holds)
        return;
    fprintf(stderr, "line %d does not hold\n", line);
    abort();
}

static enum tc_err load(struct tc_cx *cx, void *arg, struct tc_str path, struct tc_str *ret_base64)
{
    (void)cx;
    (void)arg;
    *ret_base64 = path.n % 2 ? TC_STR("QUJD") : tc_str_n(NULL, 0);
    return TC_OK;
}

/* --- the rules of a transcript --- */

static bool is_fit(struct tc_str text, size_t max)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'))
            return false;
    }
    return text.n > 0 && text.n <= max;
}

static void check_unique(const struct tc_message *messages, size_t n, struct tc_str id)
{
    size_t seen = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < messages[i].n; k++)
            seen += messages[i].parts[k].kind == TC_PART_CALL && tc_str_eq(messages[i].parts[k].id, id);
    check(seen == 1);
}

/* The calls of one message against the message behind it. */
static size_t check_calls(const struct tc_message *messages, size_t n, size_t at, const struct tc_model_caps *caps)
{
    size_t calls = 0;

    for (size_t k = 0; k < messages[at].n; k++) {
        const struct tc_part *call = &messages[at].parts[k], *result;
        if (call->kind != TC_PART_CALL)
            continue;
        check(messages[at].role == TC_ROLE_ASSISTANT && tc_json_is(call->arguments, TC_JSON_OBJECT));
        check(is_fit(call->name, 64) && is_fit(call->id, caps->ids == TC_ID_NINE ? 9 : 40));
        check(at + 1 < n && calls < messages[at + 1].n);
        result = &messages[at + 1].parts[calls++];
        check(result->kind == TC_PART_RESULT && tc_str_eq(result->id, call->id) && tc_str_eq(result->name, call->name));
        check(tc_str_trim(result->text).n > 0);
        check_unique(messages, n, call->id);
    }
    return calls;
}

static void check_transcript(const struct tc_message *messages, size_t n, const struct tc_model_caps *caps)
{
    size_t calls = 0;

    check(n == 0 || messages[0].role == TC_ROLE_USER);
    for (size_t i = 0; i < n; i++) {
        check(messages[i].n > 0 && (i == 0 || messages[i].role != messages[i - 1].role));
        for (size_t k = 0; k < messages[i].n; k++) {
            const struct tc_part *part = &messages[i].parts[k];
            check((part->kind == TC_PART_RESULT) == (messages[i].role == TC_ROLE_USER && k < calls));
            check(part->kind != TC_PART_IMAGE || (part->images_n == 1 && caps->image_input));
        }
        calls = check_calls(messages, n, i, caps);
    }
    check(calls == 0);
}

/* --- the requests --- */

static struct tc_str of(const struct tc_json *object, const char *key)
{
    return tc_json_str(tc_json_get_c(object, key));
}

/* Chat Completions: behind a message with calls come its results, in their order. */
static size_t pairs_chat(const struct tc_json *messages)
{
    size_t pairs = 0;

    for (size_t i = 0, n = tc_json_count(messages); i < n;) {
        const struct tc_json *calls = tc_json_get_c(tc_json_at(messages, i++), "tool_calls");
        for (size_t k = 0; k < tc_json_count(calls); k++, pairs++, i++) {
            check(tc_str_is(of(tc_json_at(messages, i), "role"), "tool"));
            check(tc_str_eq(of(tc_json_at(messages, i), "tool_call_id"), of(tc_json_at(calls, k), "id")));
        }
        check(i >= n || !tc_str_is(of(tc_json_at(messages, i), "role"), "tool"));
    }
    return pairs;
}

static size_t pairs_responses(const struct tc_json *input)
{
    size_t n = tc_json_count(input), calls = 0, pairs = 0;

    for (size_t i = 0; i < n; i++) {
        const struct tc_json *item = tc_json_at(input, i);
        size_t outputs = 0;
        for (size_t k = i; k < n; k++)
            outputs += tc_str_is(of(tc_json_at(input, k), "type"), "function_call_output") &&
                       tc_str_eq(of(tc_json_at(input, k), "call_id"), of(item, "call_id"));
        pairs += tc_str_is(of(item, "type"), "function_call_output");
        calls += tc_str_is(of(item, "type"), "function_call");
        check(!tc_str_is(of(item, "type"), "function_call") || outputs == 1);
    }
    check(calls == pairs);
    return calls;
}

/* Anthropic and Gemini: parts of one message, answered by parts of the next one. */
static size_t pairs_parts(const struct tc_json *messages, const char *list, const char *call, const char *result)
{
    size_t pairs = 0;

    for (size_t i = 0; i < tc_json_count(messages); i++) {
        const struct tc_json *parts = tc_json_get_c(tc_json_at(messages, i), list),
                             *next = tc_json_get_c(tc_json_at(messages, i + 1), list);
        size_t at = 0;
        for (size_t k = 0; k < tc_json_count(parts); k++) {
            const struct tc_json *one = tc_json_at(parts, k), *answer;
            if (!tc_str_is(of(one, "type"), call) && !tc_json_get_c(one, call))
                continue;
            answer = tc_json_at(next, at++);
            pairs++;
            if (tc_json_get_c(one, call))
                check(tc_str_eq(of(tc_json_get_c(one, call), "name"), of(tc_json_get_c(answer, result), "name")));
            else
                check(tc_str_is(of(answer, "type"), result) && tc_str_eq(of(answer, "tool_use_id"), of(one, "id")));
        }
    }
    return pairs;
}

static size_t count_calls(const struct tc_message *messages, size_t n)
{
    size_t calls = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < messages[i].n; k++)
            calls += messages[i].parts[k].kind == TC_PART_CALL;
    return calls;
}

static void check_request(struct tc_cx *cx, const struct tc_provider *provider, struct tc_str body, size_t calls)
{
    struct tc_json_limits limits = {.max_bytes = 64 << 20};
    const struct tc_json *root;
    size_t pairs;

    check(tc_json_parse_root(cx, body, &limits, &root) == TC_OK);
    if (provider == &tc_provider_openai)
        pairs = pairs_chat(tc_json_get_c(root, "messages"));
    else if (provider == &tc_provider_responses)
        pairs = pairs_responses(tc_json_get_c(root, "input"));
    else if (provider == &tc_provider_anthropic)
        pairs = pairs_parts(tc_json_get_c(root, "messages"), "content", "tool_use", "tool_result");
    else
        pairs = pairs_parts(tc_json_get_c(root, "contents"), "parts", "functionCall", "functionResponse");
    check(pairs == calls);
}

/* The request of the tape's items, taken `step` at a time and shown each time. */
static void write_request(struct tc_cx *cx, const struct tc_provider *provider, const struct tc_model_caps *caps,
                          const struct tc_tape *tape, size_t step, struct tc_buf *to)
{
    const struct tc_transcript_options options = {
        .provider = tc_str_of(provider->name), .model = TC_STR("m"), .caps = caps, .image = load};
    struct tc_model_request request = {.model = TC_STR("m"), .caps = caps, .stream = true};
    struct tc_transcript t = {0};
    struct tc_message *messages = NULL;

    for (size_t at = 0; at < tape->n; at += step) {
        size_t n = tape->n - at < step ? tape->n - at : step;
        check(tc_transcript_take(cx, &t, &options, tape->items + at, n) == TC_OK);
        check(tc_transcript_show(cx, &t, &options, &messages, &request.messages_n) == TC_OK);
        check_transcript(messages, request.messages_n, caps);
    }
    request.messages = messages;
    tc_buf_init(to, 64 << 20);
    if (request.messages_n) {
        check(provider->write(cx, &request, to) == TC_OK);
        check_request(cx, provider, tc_buf_get(to), count_calls(messages, request.messages_n));
    }
    tc_transcript_finish(&t);
}

static void check_tape(struct tc_cx *cx, const struct tc_tape *tape, uint8_t takes)
{
    static const struct tc_provider *const providers[] = {&tc_provider_openai, &tc_provider_responses,
                                                          &tc_provider_anthropic, &tc_provider_gemini};

    for (size_t i = 0; i < 4; i++) {
        struct tc_model_caps caps = providers[i]->caps;
        struct tc_buf all, some;

        caps.ids = takes & 1 ? TC_ID_NINE : TC_ID_ANY;
        caps.image_input = takes & 2;
        caps.result_images = (enum tc_result_images)(takes / 4 % 3);
        caps.replays_reasoning = takes & 16;
        write_request(cx, providers[i], &caps, tape, tape->n ? tape->n : 1, &all);
        write_request(cx, providers[i], &caps, tape, 1 + takes / 32 % 4, &some);
        check(tc_str_eq(tc_buf_get(&all), tc_buf_get(&some)));
        tc_buf_finish(&all);
        tc_buf_finish(&some);
    }
}

/* --- the tape --- */

static enum tc_tape_kind kind_of(char letter)
{
    static const char letters[] = "mrnaspifeo";
    const char *at = letter ? strchr(letters, letter) : NULL;

    return at ? (enum tc_tape_kind)(at - letters) : TC_TAPE_OTHER;
}

static void fill(struct tc_cx *cx, struct tc_tape *tape, struct tc_str in)
{
    struct tc_tape_write writes[ENTRIES];
    const struct tc_json *root;
    struct tc_str line;
    size_t n = 0;

    while (n < ENTRIES && tc_str_split(&in, '\n', &line)) {
        if (line.n < 2 || tc_json_parse_root(cx, tc_str_from(line, 1), NULL, &root))
            continue;
        writes[n++] = (struct tc_tape_write){kind_of(line.p[0]), tc_str_from(line, 1)};
    }
    if (n)
        check(tc_tape_append(cx, tape, TC_STR("run"), writes, n) == TC_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    const struct tc_compact_writer writer = {.model = TC_STR("m"), .keep_tokens = size % 100};
    struct tc_compacted done;
    struct tc_store *store;
    struct tc_tape_row row;
    struct tc_tape tape;
    enum tc_err e;

    if (size == 0)
        return 0;
    tc_arena_init(&arena, 512 << 20);
    check(tc_memory_open(&cx, &store) == TC_OK);
    check(tc_tape_create(&cx, store, &(struct tc_tape_new){TC_STR("a"), TC_STR("s"), TC_STR("")}, &row) == TC_OK);
    check(tc_tape_open(&cx, store, row.id, &tape) == TC_OK);
    fill(&cx, &tape, tc_str_n((const char *)data + 1, size - 1));
    check_tape(&cx, &tape, data[0]);
    tc_tape_finish(&tape);
    check(tc_tape_open(&cx, store, row.id, &tape) == TC_OK);
    check_tape(&cx, &tape, data[0]);
    e = tc_compact_tape(&cx, &tape, TC_STR("run"), &writer, &done);
    check(e == TC_OK || e == TC_E_TAPE_TOO_SHORT);
    check_tape(&cx, &tape, data[0]);
    tc_tape_finish(&tape);
    store->close(&cx, store);
    tc_arena_finish(&arena);
    return 0;
}
