/*
 * Answers that the network cuts: a recorded stream of each provider is ended at one byte
 * after the other, by an end of the connection or by a reset, with and without chunks. A
 * try that was cut leaves nothing behind, above all no call. And servers that answer in
 * ways that no server should, byte by byte, for ever, or not at all.
 */
#include "support/model_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

#define HEAD "HTTP/1.1 200 OK\r\nconnection: close\r\n"
enum { CLOCK_MS = 20 };

#define EVENTS HEAD "content-type: text/event-stream\r\n"

/* A server that writes bytes as they are; the first answer is cut, all others are whole. */
struct raw {
    struct model_stage *stage;
    int fd, port, served;
    bool stop, stopped;
    struct tc_str bytes;
    size_t cut;          /* of the first answer; SIZE_MAX: it is whole */
    bool reset;
    int64_t byte_ms;     /* between two bytes; 0: all at once */
    size_t loop_from;    /* behind the end it goes on from here, for ever; 0: it ends */
};

static void read_request(struct tc_cx *cx, int fd)
{
    char buf[64 * 1024];
    size_t n = 0, head, length;

    for (;;) {
        ssize_t got = read(fd, buf + n, sizeof buf - n);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            return;
        n += got > 0 ? (size_t)got : 0;
        if (n && buf[0] == 0x16)
            return; /* it says hello by TLS */
        head = tc_str_find(tc_str_n(buf, n), TC_STR("\r\n\r\n"));
        if (head != SIZE_MAX) {
            size_t at = tc_str_find(tc_str_n(buf, head), TC_STR("ontent-length: "));
            buf[n < sizeof buf ? n : sizeof buf - 1] = '\0';
            length = at == SIZE_MAX ? tc_str_find(tc_str_n(buf, head), TC_STR("ontent-Length: ")) : at;
            length = length == SIZE_MAX ? 0 : strtoul(buf + length + 15, NULL, 10);
            if (n >= head + 4 + length)
                return;
        }
        tc_task_yield(cx);
    }
}

/* False when the other side has gone. */
static bool put(struct tc_cx *cx, const struct raw *raw, int fd, const char *p, size_t n)
{
    while (n && !raw->stop) {
        size_t piece = raw->byte_ms ? 1 : n;
        ssize_t sent = send(fd, p, piece, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN)
            return false;
        p += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
        if (raw->byte_ms)
            tc_task_sleep(cx, raw->byte_ms);
        else if (sent <= 0)
            tc_task_yield(cx);
    }
    return !raw->stop;
}

static void answer(struct tc_cx *cx, struct raw *raw, int fd)
{
    size_t n = raw->served++ ? SIZE_MAX : raw->cut;
    bool there;

    n = n < raw->bytes.n ? n : raw->bytes.n;
    read_request(cx, fd);
    there = put(cx, raw, fd, raw->bytes.p, n);
    while (there && raw->loop_from && !raw->stop)
        there = put(cx, raw, fd, raw->bytes.p + raw->loop_from, raw->bytes.n - raw->loop_from);
    if (raw->reset && n < raw->bytes.n)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
    close(fd);
}

static void serve(struct tc_cx *cx, void *arg)
{
    struct raw *raw = arg;

    while (!raw->stop) {
        int fd = accept4(raw->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0)
            answer(cx, raw, fd);
        else
            tc_task_yield(cx);
    }
    close(raw->fd);
    raw->stopped = true;
}

/* Faster than the stage's: what the sockets do takes a few rounds of the loop, waiting
 * for a retry many. */
static void run_clock(struct tc_cx *cx, void *arg)
{
    const struct raw *raw = arg;

    while (!raw->stopped) {
        tc_loop_advance(tc_task_loop(cx), CLOCK_MS);
        tc_task_yield(cx);
    }
}

static void start(struct tc_cx *cx, struct raw *raw, struct model_stage *stage)
{
    struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof addr;

    *raw = (struct raw){.stage = stage, .cut = SIZE_MAX};
    raw->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    expect_int(bind(raw->fd, (struct sockaddr *)&addr, sizeof addr), 0);
    expect_int(listen(raw->fd, 16), 0);
    expect_int(getsockname(raw->fd, (struct sockaddr *)&addr, &size), 0);
    raw->port = ntohs(addr.sin_port);
    stage->clock = false;
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "raw", serve, raw), TC_OK);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "clock of raw", run_clock, raw), TC_OK);
    stage->target.base_url = tc_arena_printf(&stage->web.arena, "http://127.0.0.1:%d", raw->port);
}

static void stop(struct tc_cx *cx, struct raw *raw)
{
    raw->stop = true;
    while (!raw->stopped)
        tc_task_yield(cx);
    tc_task_yield(cx); /* the clock stops, too */
}

/* One turn with these bytes; its memory goes with it. */
static enum tc_err ask(struct tc_cx *cx, struct raw *raw, struct tc_arena *arena)
{
    struct tc_cx one = {.arena = arena, .clock = cx->clock, .task = cx->task};
    enum tc_err e;

    raw->served = 0;
    raw->stage->retries = 0;
    tc_buf_clear(&raw->stage->heard);
    e = model_stage_turn(&one, raw->stage);
    cx->err = one.err;
    return e;
}

/* --- cut anywhere --- */

enum { STRIDE = 11 }; /* of the bytes after which it is cut: the three ways have others of them */

struct recorded {
    const char *provider, *stream;
};

static struct tc_str chunks(struct tc_cx *cx, struct tc_str text)
{
    struct tc_buf buf;
    struct tc_str all;

    tc_buf_init(&buf, 1 << 20);
    tc_buf_cstr(&buf, EVENTS "transfer-encoding: chunked\r\n\r\n");
    for (size_t at = 0; at < text.n; at += 100) {
        size_t n = text.n - at < 100 ? text.n - at : 100;
        tc_buf_printf(&buf, "%zx\r\n%.*s\r\n", n, (int)n, text.p + at);
    }
    tc_buf_cstr(&buf, "0\r\n\r\n");
    all = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return all;
}

/* What was heard since the last retry: all before it is void. */
static struct tc_str heard(const struct model_stage *stage)
{
    struct tc_str text = tc_buf_get(&stage->heard);
    size_t at;

    while ((at = tc_str_chr(text, '#')) != SIZE_MAX)
        text = tc_str_from(text, at + 1);
    return text;
}

static void cut_at(struct tc_cx *cx, struct raw *raw, struct tc_str said, struct tc_str heard_whole)
{
    struct model_stage *stage = raw->stage;
    struct tc_arena arena;
    enum tc_err e;

    tc_arena_init(&arena, 0);
    e = ask(cx, raw, &arena);
    if (e || !tc_str_eq(model_stage_said(cx, stage), said) || stage->reply.finish != TC_FINISH_CALLS ||
        !tc_str_eq(heard(stage), heard_whole) || stage->retries != raw->served - 1 || raw->served > 2) {
        expect(false);
        print_error("%.*s cut at %zu: %s, %d tries, \"%.*s\"\n", TC_STR_ARG(stage->target.provider), raw->cut,
                    tc_err_info(e)->name, raw->served, TC_STR_ARG(tc_buf_get(&stage->heard)));
    }
    for (size_t i = 0; !e && i < stage->reply.n; i++)
        expect(!stage->reply.items[i].cut);
    tc_arena_finish(&arena);
}

/* `cx->arena` keeps what the whole answer says. */
static void cut_everywhere(struct tc_cx *cx, struct raw *raw, const struct recorded *recorded, size_t from)
{
    struct tc_str said, heard_whole;
    size_t first = 0;

    raw->cut = SIZE_MAX;
    raw->stage->target.provider = tc_str_of(recorded->provider);
    expect_int(raw->stage->models->ops->caps(cx, raw->stage->models, &raw->stage->target, TC_STR("m1"),
                                             &raw->stage->caps), TC_OK);
    if (!expect_int(ask(cx, raw, cx->arena), TC_OK)) {
        print_error("%.*s\n", TC_STR_ARG(cx->err.message));
        return;
    }
    expect_int(raw->served, 1);
    said = model_stage_said(cx, raw->stage);
    heard_whole = tc_arena_dup(cx->arena, heard(raw->stage));
    expect_text(said, "I look.look({\"at\":1})look({\"at\":2})");
    for (raw->cut = from; raw->cut < raw->bytes.n; raw->cut += STRIDE) {
        cut_at(cx, raw, said, heard_whole);
        if (raw->served == 1 && first == 0)
            first = raw->cut;
    }
    /* what ends the answer stands in its last event or two; nothing before it does */
    expect(first == 0 || first + 420 > raw->bytes.n);
}

static void cut(struct tc_cx *cx, struct model_stage *stage, const struct recorded *recorded)
{
    struct tc_str text = tc_str_of(recorded->stream);
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = tc_arena_printf(cx->arena, EVENTS "\r\n%.*s", TC_STR_ARG(text));
    cut_everywhere(cx, &raw, recorded, 0);
    raw.reset = true;
    cut_everywhere(cx, &raw, recorded, 2);
    raw.reset = false;
    raw.bytes = chunks(cx, text);
    cut_everywhere(cx, &raw, recorded, 4);
    stop(cx, &raw);
}

static void serve_nothing(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n)
{
    (void)web;
    (void)n;
    test_web_status(cx, ex, 500);
}

#define CHAT(delta) "data: {\"id\":\"c1\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"

static void cut_openai(struct tc_cx *cx, struct model_stage *stage)
{
    static const struct recorded recorded = {
        "openai",
        CHAT("{\"role\":\"assistant\",\"content\":\"I \"}") CHAT("{\"content\":\"look.\"}")
        CHAT("{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"look\","
             "\"arguments\":\"{\\\"at\\\":\"}}]}")
        CHAT("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}")
        CHAT("{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"look\","
             "\"arguments\":\"{\\\"at\\\":2}\"}}]}")
        "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4}}\n\ndata: [DONE]\n\n"};

    cut(cx, stage, &recorded);
}

void test_cut__chat_completions_at_each_byte(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, cut_openai);
}

#define RESPONSE(type, more) "data: {\"type\":\"response." type "\"" more "}\n\n"
#define ITEM(n) ",\"output_index\":" n
#define CALLED(n, id, at)                                                                                              \
    RESPONSE("output_item.added", ITEM(n) ",\"item\":{\"type\":\"function_call\",\"id\":\"fc" n "\",\"call_id\":\"" id \
             "\",\"name\":\"look\",\"arguments\":\"\"}")                                                               \
    RESPONSE("function_call_arguments.delta", ITEM(n) ",\"item_id\":\"fc" n "\",\"delta\":\"{\\\"at\\\":\"")           \
    RESPONSE("function_call_arguments.delta", ITEM(n) ",\"item_id\":\"fc" n "\",\"delta\":\"" at "}\"")                \
    RESPONSE("output_item.done", ITEM(n) ",\"item\":{\"type\":\"function_call\",\"id\":\"fc" n "\",\"call_id\":\"" id  \
             "\",\"name\":\"look\",\"arguments\":\"{\\\"at\\\":" at "}\"}")

static void cut_responses(struct tc_cx *cx, struct model_stage *stage)
{
    static const struct recorded recorded = {
        "responses",
        RESPONSE("created", ",\"response\":{\"id\":\"r\",\"model\":\"m\",\"output\":[]}")
        RESPONSE("output_text.delta", ITEM("0") ",\"item_id\":\"m0\",\"delta\":\"I look.\"")
        RESPONSE("output_item.done", ITEM("0") ",\"item\":{\"type\":\"message\",\"id\":\"m0\",\"content\":[{\"type\":"
                 "\"output_text\",\"text\":\"I look.\"}]}")
        CALLED("1", "a", "1") CALLED("2", "b", "2")
        RESPONSE("completed", ",\"response\":{\"id\":\"r\",\"status\":\"completed\",\"output\":[],\"usage\":"
                 "{\"input_tokens\":9,\"output_tokens\":4}}")};

    cut(cx, stage, &recorded);
}

void test_cut__responses_at_each_byte(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, cut_responses);
}

#define MESSAGE(type, more) "event: " type "\ndata: {\"type\":\"" type "\"" more "}\n\n"
#define USED(n, id, at)                                                                                                \
    MESSAGE("content_block_start", ",\"index\":" n ",\"content_block\":{\"type\":\"tool_use\",\"id\":\"" id            \
            "\",\"name\":\"look\",\"input\":{}}")                                                                      \
    MESSAGE("content_block_delta", ",\"index\":" n ",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":"       \
            "\"{\\\"at\\\":\"}")                                                                                       \
    MESSAGE("content_block_delta", ",\"index\":" n ",\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"" at  \
            "}\"}")                                                                                                    \
    MESSAGE("content_block_stop", ",\"index\":" n)

static void cut_anthropic(struct tc_cx *cx, struct model_stage *stage)
{
    static const struct recorded recorded = {
        "anthropic",
        MESSAGE("message_start", ",\"message\":{\"id\":\"m\",\"model\":\"m\",\"usage\":{\"input_tokens\":9}}")
        MESSAGE("content_block_start", ",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}")
        MESSAGE("content_block_delta", ",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"I look.\"}")
        MESSAGE("content_block_stop", ",\"index\":0")
        USED("1", "a", "1") USED("2", "b", "2")
        MESSAGE("message_delta", ",\"delta\":{\"stop_reason\":\"tool_use\"},\"usage\":{\"output_tokens\":4}")
        MESSAGE("message_stop", "")};

    cut(cx, stage, &recorded);
}

void test_cut__messages_at_each_byte(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, cut_anthropic);
}

#define PART(part) "data: {\"candidates\":[{\"content\":{\"role\":\"model\",\"parts\":[" part "]}"

static void cut_gemini(struct tc_cx *cx, struct model_stage *stage)
{
    static const struct recorded recorded = {
        "gemini",
        PART("{\"text\":\"I look.\"}") "}],\"modelVersion\":\"m\",\"responseId\":\"r\"}\n\n"
        PART("{\"functionCall\":{\"name\":\"look\",\"args\":{\"at\":1}}}") "}]}\n\n"
        PART("{\"functionCall\":{\"name\":\"look\",\"args\":{\"at\":2}}}")
        ",\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"promptTokenCount\":9,\"candidatesTokenCount\":4}}\n\n"};

    cut(cx, stage, &recorded);
}

void test_cut__gemini_at_each_byte(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, cut_gemini);
}

/* --- as no server should --- */

#define HELLO                                                                                                          \
    CHAT("{\"content\":\"Hello.\"}") "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"

static int64_t since(struct tc_cx *cx, int64_t began_us)
{
    return (tc_clock_mono_us(cx->clock) - began_us) / 1000;
}

static void byte_by_byte(struct tc_cx *cx, struct model_stage *stage)
{
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = TC_STR(EVENTS "\r\n" HELLO "data: [DONE]\n\n");
    raw.byte_ms = 1000;
    expect_int(model_stage_turn(cx, stage), TC_OK);
    expect_text(model_stage_said(cx, stage), "Hello.");
    expect_int(stage->retries, 0);
    stop(cx, &raw);
}

void test_cut__one_byte_a_second_is_an_answer(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, byte_by_byte);
}

static void for_ever(struct tc_cx *cx, struct model_stage *stage)
{
    int64_t began = tc_clock_mono_us(cx->clock);
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = TC_STR(EVENTS "\r\n" CHAT("{\"content\":\"a\"}"));
    raw.loop_from = strlen(EVENTS "\r\n");
    raw.byte_ms = 5;
    stage->target.idle_ms = 5000;
    stage->target.tries = 1;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_TIMEOUT);
    expect(since(cx, began) >= 60 * 5000 && since(cx, began) < 75 * 5000);
    stop(cx, &raw);
}

void test_cut__an_answer_that_goes_on_for_ever_is_left(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, for_ever);
}

static void slow_error(struct tc_cx *cx, struct model_stage *stage)
{
    int64_t began = tc_clock_mono_us(cx->clock);
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = TC_STR("HTTP/1.1 503 Busy\r\nconnection: close\r\n\r\naaaa");
    raw.loop_from = raw.bytes.n - 4;
    raw.byte_ms = 100;
    stage->target.tries = 1;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_OVERLOADED);
    expect(since(cx, began) < 30 * 1000);
    stop(cx, &raw);
}

void test_cut__the_body_of_an_error_is_not_waited_for_long(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, slow_error);
}

static void fields_for_ever(struct tc_cx *cx, struct model_stage *stage)
{
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = TC_STR(EVENTS "x-a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n");
    raw.loop_from = strlen(EVENTS);
    stage->target.tries = 1;
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_UNREACHABLE);
    stop(cx, &raw);
}

void test_cut__fields_have_an_end(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, fields_for_ever);
}

/* Compression was not asked for; nothing is unpacked, however much it would be. */
static void packed(struct tc_cx *cx, struct model_stage *stage)
{
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = TC_STR(HEAD "content-encoding: gzip\r\ncontent-type: application/json\r\n\r\n\x1f\x8b\x08\x00");
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_PROTOCOL);
    expect_int(stage->retries, 0);
    stop(cx, &raw);
}

void test_cut__what_is_packed_is_not_unpacked(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, packed);
}

static void no_tls(struct tc_cx *cx, struct model_stage *stage)
{
    struct raw raw;

    start(cx, &raw, stage);
    raw.bytes = TC_STR(EVENTS "\r\n" HELLO);
    stage->target.base_url = tc_arena_printf(cx->arena, "https://127.0.0.1:%d", raw.port);
    expect_int(model_stage_turn(cx, stage), TC_E_MODEL_UNREACHABLE);
    expect_int(stage->retries, 2);
    stop(cx, &raw);
}

void test_cut__a_server_without_tls_is_not_reached_by_it(void **state)
{
    (void)state;
    model_stage_run(serve_nothing, no_tls);
}
