/*
 * The request parser: the first bytes choose where the rest is cut. Fed whole
 * and in pieces it must give the same requests; of what it accepts, llhttp must
 * not make other requests or other bodies.
 */
#include <llhttp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "http/reqparse.h"

struct trace {
    struct tc_buf text;   /* all that was read */
    struct tc_buf bodies; /* one behind the other */
    enum tc_err code;
    size_t requests, done_n; /* complete ones, and the bytes of their bodies */
};

static void put(struct trace *trace, struct tc_str s)
{
    tc_buf_str(&trace->text, s);
    tc_buf_char(&trace->text, '\n');
}

static void put_head(struct trace *trace, const struct tc_request *r)
{
    put(trace, r->method);
    put(trace, r->path);
    put(trace, r->query);
    put(trace, r->host);
    for (size_t i = 0; i < r->headers.n; i++) {
        put(trace, r->headers.items[i].name);
        put(trace, r->headers.items[i].value);
    }
    tc_buf_printf(&trace->text, "%lld %d %d %d ", (long long)r->content_length, r->minor, r->keep_alive,
                  r->expect_continue);
}

static void feed(struct tc_reqparse *parser, struct trace *trace, struct tc_str in)
{
    struct tc_str piece;

    for (;;) {
        switch (tc_reqparse_feed(parser, &in, &piece)) {
        case TC_REQPARSE_MORE:
            if (in.n)
                abort();
            return;
        case TC_REQPARSE_HEAD:
            put_head(trace, &parser->request);
            break;
        case TC_REQPARSE_BODY:
            tc_buf_str(&trace->text, piece);
            tc_buf_str(&trace->bodies, piece);
            break;
        case TC_REQPARSE_DONE:
            put(trace, TC_STR(" done"));
            trace->requests++;
            trace->done_n = trace->bodies.n;
            tc_reqparse_reset(parser);
            break;
        case TC_REQPARSE_BAD:
            trace->code = parser->code;
            if (!parser->code || !parser->message)
                abort();
            return;
        }
    }
}

static void run(struct trace *trace, struct tc_str raw, size_t step)
{
    static const struct tc_reqparse_limits limits = {
        .head_bytes = 1024, .headers = 8, .target_bytes = 128, .body_bytes = 512};
    struct tc_reqparse parser;

    *trace = (struct trace){.code = TC_OK};
    tc_buf_init(&trace->text, 1 << 22);
    tc_buf_init(&trace->bodies, 1 << 22);
    tc_reqparse_init(&parser, &limits);
    for (size_t at = 0; at < raw.n && !trace->code; at += step) {
        size_t n = raw.n - at < step ? raw.n - at : step;
        char *copy = malloc(n);

        memcpy(copy, raw.p + at, n);
        feed(&parser, trace, tc_str_n(copy, n));
        free(copy);
    }
    tc_reqparse_finish(&parser);
}

static int peer_body(llhttp_t *parser, const char *p, size_t n)
{
    tc_buf_add(&((struct trace *)parser->data)->bodies, p, n);
    return 0;
}

static int peer_done(llhttp_t *parser)
{
    struct trace *trace = parser->data;

    parser->upgrade = 0;
    trace->requests++;
    trace->done_n = trace->bodies.n;
    return 0;
}

/* True when llhttp refuses something in it. */
static bool run_peer(struct trace *trace, struct tc_str raw)
{
    static const llhttp_settings_t settings = {.on_body = peer_body, .on_message_complete = peer_done};
    llhttp_t parser;

    *trace = (struct trace){.code = TC_OK};
    tc_buf_init(&trace->bodies, 1 << 22);
    llhttp_init(&parser, HTTP_REQUEST, &settings);
    llhttp_set_lenient_keep_alive(&parser, 1);
    parser.data = trace;
    return llhttp_execute(&parser, raw.p, raw.n) != HPE_OK;
}

/* llhttp is stricter about chunk extensions and may stop early, but what it
 * reads until then must be what was read here. */
static void check_peer(struct tc_str raw, const struct trace *ours)
{
    struct trace peer;
    bool refused = run_peer(&peer, raw);

    if (refused ? peer.requests > ours->requests : peer.requests != ours->requests || peer.done_n != ours->done_n)
        abort();
    if (peer.done_n > ours->done_n || (peer.done_n && memcmp(peer.bodies.p, ours->bodies.p, peer.done_n)))
        abort();
    tc_buf_finish(&peer.bodies);
}

static void finish(struct trace *trace)
{
    tc_buf_finish(&trace->text);
    tc_buf_finish(&trace->bodies);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tc_str raw;
    struct trace whole, cut;

    if (size < 2)
        return 0;
    raw = tc_str_n((const char *)data + 1, size - 1);
    run(&whole, raw, raw.n);
    run(&cut, raw, 1u + data[0] % 64);
    if (whole.code != cut.code || whole.requests != cut.requests)
        abort();
    if (!whole.code && !tc_str_eq(tc_buf_get(&whole.text), tc_buf_get(&cut.text)))
        abort();
    if (!whole.code)
        check_peer(raw, &whole);
    finish(&whole);
    finish(&cut);
    return 0;
}
