/*
 * Whatever a server says, in either era: a peer asks, and each line of the input is
 * what it hears next. It must come to an end, tell its callers something, and leave
 * nothing behind. "$ID" in a line is the id of the request at hand.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "io/loop.h"
#include "mcp/client/peer.h"
#include "support/memory_link.h"

enum { LINES_A_MESSAGE = 3 };

struct run {
    struct memory_link link;
    struct tc_str rest;
    bool done;
    bool headers;
};

static void check(bool holds)
{
    if (!holds)
        abort();
}

static void serve(struct memory_link *link, const struct tc_rpc *message, void *arg)
{
    struct run *run = arg;
    struct tc_str line;
    size_t at;

    for (int i = 0; i < LINES_A_MESSAGE && tc_str_split(&run->rest, '\n', &line); i++) {
        while ((at = tc_str_find(line, TC_STR("$ID"))) != SIZE_MAX) {
            tc_buf_str(&link->said, tc_str_n(line.p, at));
            tc_buf_str(&link->said, message->id);
            line = tc_str_from(line, at + 3);
        }
        memory_link_say_str(link, line);
    }
}

static void on_progress(struct tc_caller *self, struct tc_str progress, struct tc_str total, struct tc_str message)
{
    (void)self, (void)progress, (void)total, (void)message;
}

static void on_log(struct tc_caller *self, struct tc_str level, struct tc_str logger, const struct tc_json *data)
{
    (void)self, (void)level, (void)logger;
    check(data != NULL);
}

static enum tc_err on_ask(struct tc_cx *cx, struct tc_caller *self, struct tc_question *questions, size_t n)
{
    enum tc_err code = tc_task_sleep(cx, 50);

    check(n > 0 && (tc_question_needs(&questions[0]) & self->abilities));
    for (size_t i = 0; i < n && code == TC_OK; i++)
        code = tc_json_parse_root(cx, TC_STR("{\"action\":\"accept\",\"content\":{}}"), NULL, &questions[i].result);
    return code;
}

static void on_elicited(struct tc_caller *self, struct tc_str id)
{
    (void)self, (void)id;
}

static void on_changed(void *arg, enum tc_source_kind kind)
{
    (void)arg;
    check(kind < TC_SOURCE_KINDS);
}

static void use(struct tc_cx *cx, struct tc_peer *peer)
{
    static const struct tc_caller_ops ops = {
        .progress = on_progress, .log = on_log, .ask = on_ask, .elicited = on_elicited};
    struct tc_caller caller = {
        .ops = &ops, .abilities = TC_ABILITY_FORM | TC_ABILITY_ROOTS, .log_level = TC_STR("info")};
    struct tc_source_call call = {.tool = TC_STR("t"), .caller = &caller, .timeout_ms = 3000};
    struct tc_source_request request = {.method = "resources/read", .caller = &caller, .timeout_ms = 3000};
    struct tc_source_reply reply;
    struct tc_peer_status status;
    const struct tc_json *entries;

    for (int kind = 0; kind < TC_SOURCE_KINDS; kind++) {
        entries = NULL;
        if (tc_peer_list(cx, peer, (enum tc_source_kind)kind, 3000, &entries) == TC_OK)
            check(tc_json_is(entries, TC_JSON_ARRAY));
    }
    check(tc_json_parse_root(cx, TC_STR("{\"a\":\"x\",\"b\":{\"c\":1}}"), NULL, &call.arguments) == TC_OK);
    for (int i = 0; i < 2; i++) {
        if (tc_peer_call(cx, peer, &call, &reply) == TC_OK)
            check(reply.outcome == TC_OUTCOME_RESULT ? reply.result != NULL : reply.message.n > 0);
    }
    request.params = call.arguments;
    tc_peer_request(cx, peer, &request, &reply);
    request.method = "resources/subscribe";
    tc_peer_request(cx, peer, &request, &reply);
    tc_peer_status(peer, &status);
}

static void run_peer(struct tc_cx *cx, void *arg)
{
    struct run *run = arg;
    struct tc_peer_memory memory = {0};
    struct tc_peer_options options = {
        .loop = tc_task_loop(cx),
        .dial = memory_link_dial,
        .dial_arg = &run->link,
        .start_ms = 5000,
        .memory = &memory,
        .events.list_changed = on_changed,
    };
    struct tc_peer *peer;

    if (tc_peer_open(cx, &options, &peer) == TC_OK) {
        use(cx, peer);
        tc_peer_close(peer);
        check(tc_peer_join(cx, peer, 60000) == TC_OK);
        tc_peer_unref(peer);
    } else {
        check(cx->err.message.n > 0);
    }
    run->done = true;
}

/* Time passes as long as the peer is at it. */
static void pass_time(struct tc_cx *cx, void *arg)
{
    const struct run *run = arg;

    while (!run->done) {
        for (int i = 0; i < 8 && !run->done; i++)
            tc_task_yield(cx);
        if (!run->done)
            tc_loop_advance(tc_task_loop(cx), 500);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run run = {.headers = size && data[0] & 1};
    struct tc_arena arena;
    struct tc_cx cx = {.arena = &arena, .clock = &tc_clock_system};
    struct tc_loop *loop;

    if (size == 0)
        return 0;
    run.rest = tc_str_n((const char *)data + 1, size - 1);
    tc_arena_init(&arena, 0);
    check(tc_loop_create_virtual(&cx, 1000000, &loop) == TC_OK);
    memory_link_init(&run.link, loop);
    run.link.ops.takes_headers = run.headers;
    run.link.serve = serve;
    run.link.arg = &run;
    check(tc_task_spawn(&cx, loop, NULL, "peer", run_peer, &run) == TC_OK);
    check(tc_task_spawn(&cx, loop, NULL, "time", pass_time, &run) == TC_OK);
    tc_loop_run(loop);
    check(run.link.refs == 0 && run.link.pendings.n == 0);
    memory_link_finish(&run.link);
    tc_loop_destroy(loop);
    tc_arena_finish(&arena);
    return 0;
}
