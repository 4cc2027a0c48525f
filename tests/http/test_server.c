/*
 * The server over real sockets. Most tests run on a virtual loop, so that
 * deadlines are moved by hand; the client is in support/peer.c.
 */
#include "http/server.h"
#include "support/peer.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/loop.h"

struct fixture {
    struct test_cx test;
    struct tc_loop *loop;
    struct tc_server *server;
    struct tc_server_options options;
    void (*body)(struct fixture *f, struct tc_cx *cx);
    int port;
    int started, ended; /* handlers */
    enum tc_err last;   /* why the last waiting or streaming handler ended */
    struct tc_exchange_peer peer;
};

static void answer_wait(struct tc_cx *cx, struct fixture *f, struct tc_exchange *ex)
{
    f->last = tc_task_sleep(cx, 60 * 1000);
    if (f->last)
        tc_exchange_fail(cx, ex);
    else
        tc_exchange_json(cx, ex, 200, TC_STR("{}"));
}

static void answer_stream(struct tc_cx *cx, struct fixture *f, struct tc_exchange *ex, size_t pieces, size_t size)
{
    struct tc_exchange_reply reply = {.status = 200, .content_type = TC_STR("text/plain"), .body = TC_STR("first;")};
    char *piece = tc_arena_alloc(cx->arena, size + 1);

    memset(piece, 'x', size);
    f->last = tc_exchange_stream_begin(cx, ex, &reply);
    for (size_t i = 0; i < pieces && !f->last; i++)
        f->last = tc_exchange_stream_write(cx, ex, tc_str_n(piece, size));
    if (!f->last && !tc_str_is(tc_exchange_request(ex)->path, "/broken"))
        f->last = tc_exchange_stream_end(cx, ex);
}

static void answer_big(struct tc_cx *cx, struct fixture *f, struct tc_exchange *ex)
{
    struct tc_exchange_reply reply = {.status = 200};
    char *body = tc_arena_alloc(cx->arena, 20 << 20);

    memset(body, 'b', 20 << 20);
    reply.body = tc_str_n(body, 20 << 20);
    f->last = tc_exchange_reply(cx, ex, &reply);
}

static void answer_extra(struct tc_cx *cx, struct tc_exchange *ex)
{
    struct tc_header good = {TC_STR("X-A"), TC_STR("1")}, bad = {TC_STR("X-A"), TC_STR("1\r\nX-B: 2")};
    struct tc_exchange_reply reply = {.status = 201, .extra = {&bad, 1}, .body = TC_STR("ok"), .close = true};

    assert_int_equal(tc_exchange_reply(cx, ex, &reply), TC_E_INTERNAL);
    assert_false(tc_exchange_replied(ex));
    reply.extra.items = &good;
    assert_int_equal(tc_exchange_reply(cx, ex, &reply), TC_OK);
}

static void handler(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct fixture *f = arg;
    struct tc_str path = tc_exchange_request(ex)->path;
    struct tc_exchange_reply echo = {.status = 200, .content_type = TC_STR("text/plain"), .body = tc_exchange_body(ex)};

    f->started++;
    f->peer = *tc_exchange_peer(ex);
    if (tc_str_is(path, "/echo"))
        tc_exchange_reply(cx, ex, &echo);
    else if (tc_str_is(path, "/wait"))
        answer_wait(cx, f, ex);
    else if (tc_str_is(path, "/stream"))
        answer_stream(cx, f, ex, 3, 5);
    else if (tc_str_is(path, "/broken"))
        answer_stream(cx, f, ex, 1, 5);
    else if (tc_str_is(path, "/flood"))
        answer_stream(cx, f, ex, 100 * 1000, 64 * 1024);
    else if (tc_str_is(path, "/big"))
        answer_big(cx, f, ex);
    else if (tc_str_is(path, "/extra"))
        answer_extra(cx, ex);
    else if (tc_str_is(path, "/empty"))
        tc_exchange_reply(cx, ex, &(struct tc_exchange_reply){.status = 204});
    else if (tc_str_is(path, "/fail")) {
        tc_fail(cx, TC_E_CONFIG_INVALID, "A \"quoted\" reason.");
        tc_fail_hint(cx, "Do better.");
        tc_exchange_fail(cx, ex);
    }
    f->ended++;
}

static void main_task(struct tc_cx *cx, void *arg)
{
    struct fixture *f = arg;

    assert_int_equal(tc_server_create(cx, f->loop, &f->options, &f->server), TC_OK);
    assert_int_equal(tc_server_listen_tcp(cx, f->server, "127.0.0.1", 0, &f->port), TC_OK);
    f->body(f, cx);
    tc_server_stop(cx, f->server, 0);
    tc_server_destroy(f->server);
}

static void run_with(struct fixture *f, bool is_virtual, void (*body)(struct fixture *f, struct tc_cx *cx))
{
    test_cx_init(&f->test);
    f->body = body;
    f->options.handler = handler;
    f->options.arg = f;
    assert_int_equal(is_virtual ? tc_loop_create_virtual(&f->test.cx, 1796000000000, &f->loop)
                                : tc_loop_create(&f->test.cx, &f->loop),
                     TC_OK);
    assert_int_equal(tc_task_spawn(&f->test.cx, f->loop, NULL, "test", main_task, f), TC_OK);
    tc_loop_run(f->loop);
    tc_loop_destroy(f->loop);
    test_cx_finish(&f->test);
}

static void run(void (*body)(struct fixture *f, struct tc_cx *cx))
{
    struct fixture f = {.port = 0};

    run_with(&f, true, body);
}

#define H " HTTP/1.1\r\nHost: a\r\n"
#define ECHO(text, length) "POST /echo" H "Content-Length: " length "\r\n\r\n" text

/* Keep-alive, pipelining */

static void keep_alive(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str head, body;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    for (int i = 0; i < 3; i++) {
        peer_send(&p, TC_STR(ECHO("hello", "5")));
        assert_int_equal(peer_response(&p, false, &head, &body), 200);
        assert_str(body, "hello");
        assert_true(tc_str_find(head, TC_STR("Date: Mon, 30 Nov 2026 ")) != SIZE_MAX);
        assert_true(tc_str_find(head, TC_STR("Content-Type: text/plain\r\n")) != SIZE_MAX);
        assert_true(tc_str_find(head, TC_STR("Connection:")) == SIZE_MAX);
    }
    assert_int_equal(tc_server_connections(f->server), 1);
    assert_string_equal(f->peer.address, "127.0.0.1");
    assert_false(f->peer.is_unix);
    assert_true(f->peer.uid == UINT32_MAX && f->peer.gid == UINT32_MAX && f->peer.pid == 0);
    peer_send(&p, TC_STR("GET /echo" H "Connection: close\r\n\r\n"));
    assert_int_equal(peer_response(&p, false, &head, &body), 200);
    assert_true(tc_str_find(head, TC_STR("Connection: close\r\n")) != SIZE_MAX);
    peer_drain(&p);
    peer_close(&p);
}

void test_server__keeps_the_connection_until_asked_to_close(void **state)
{
    (void)state;
    run(keep_alive);
}

static void old_version(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str head, body;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
    assert_int_equal(peer_response(&p, false, &head, &body), 200);
    assert_true(tc_str_find(head, TC_STR("Connection: keep-alive\r\n")) != SIZE_MAX);
    peer_send(&p, TC_STR("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"));
    peer_drain(&p);
    assert_true(tc_str_find(tc_buf_get(&p.got), TC_STR("chunked")) == SIZE_MAX);
    assert_true(tc_str_ends(tc_buf_get(&p.got), TC_STR("\r\n\r\nfirst;xxxxxxxxxxxxxxx")));
    peer_close(&p);
}

void test_server__speaks_to_clients_of_http_1_0(void **state)
{
    (void)state;
    run(old_version);
}

static void pipelining(struct fixture *f, struct tc_cx *cx)
{
    struct tc_buf many;
    struct tc_str body;
    struct peer p;
    char text[16];

    peer_open_tcp(cx, &p, f->port);
    tc_buf_init(&many, 1 << 20);
    for (int i = 0; i < 500; i++)
        tc_buf_printf(&many, "POST /echo" H "Content-Length: 4\r\n\r\n%04d", i);
    peer_send(&p, tc_buf_get(&many));
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "%04d", i);
        assert_int_equal(peer_response(&p, false, NULL, &body), 200);
        assert_str(body, text);
    }
    assert_int_equal(f->started, 500);
    tc_buf_finish(&many);
    peer_close(&p);
}

void test_server__answers_pipelined_requests_in_order(void **state)
{
    (void)state;
    run(pipelining);
}

static void read_ahead(struct fixture *f, struct tc_cx *cx)
{
    size_t size = 300 * 1000;
    char *fill = tc_arena_alloc(cx->arena, size);
    struct tc_str body;
    struct peer p;

    memset(fill, 'f', size);
    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /wait" H "\r\n" "POST /echo" H "Content-Length: 300000\r\n\r\n"));
    peer_send(&p, tc_str_n(fill, size / 2)); /* more than is read ahead */
    peer_await(cx, &f->started, 1);
    tc_loop_advance(f->loop, 60 * 1000);
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_str(body, "{}");
    peer_send(&p, tc_str_n(fill, size / 2));
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_true(tc_str_eq(body, tc_str_n(fill, size)));
    peer_close(&p);
}

void test_server__reads_a_bounded_part_ahead(void **state)
{
    (void)state;
    run(read_ahead);
}

/* Answers */

static void methods(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str head, body;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("HEAD /echo" H "Content-Length: 3\r\n\r\nabc"));
    assert_int_equal(peer_response(&p, true, &head, &body), 200);
    assert_true(tc_str_find(head, TC_STR("Content-Length: 3\r\n")) != SIZE_MAX);
    peer_send(&p, TC_STR("HEAD /stream" H "\r\n"));
    assert_int_equal(peer_response(&p, true, &head, &body), 200);
    peer_send(&p, TC_STR("GET /empty" H "\r\n"));
    assert_int_equal(peer_response(&p, false, &head, &body), 204);
    assert_true(tc_str_find(head, TC_STR("Content-Length")) == SIZE_MAX);
    peer_send(&p, TC_STR("GET /fail" H "\r\n"));
    assert_int_equal(peer_response(&p, false, &head, &body), 400);
    assert_str(body, "{\"error\":{\"code\":\"config.invalid\",\"message\":\"A \\\"quoted\\\" reason.\","
                     "\"hint\":\"Do better.\"}}");
    peer_send(&p, TC_STR("GET /none" H "\r\n"));
    assert_int_equal(peer_response(&p, false, &head, &body), 500);
    assert_str(body, "{\"error\":{\"code\":\"internal\",\"message\":\"The request was not answered.\"}}");
    peer_send(&p, TC_STR("GET /extra" H "\r\n"));
    assert_int_equal(peer_response(&p, false, &head, &body), 201);
    assert_true(tc_str_find(head, TC_STR("X-A: 1\r\n")) != SIZE_MAX);
    assert_str(body, "ok");
    peer_drain(&p);
    assert_int_equal(p.got.n, 0);
    peer_close(&p);
}

void test_server__answers_of_each_kind(void **state)
{
    (void)state;
    run(methods);
}

static void streams(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str head;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /stream" H "\r\nGET /empty" H "\r\n"));
    assert_int_equal(peer_response(&p, true, &head, NULL), 200);
    assert_true(tc_str_find(head, TC_STR("Transfer-Encoding: chunked\r\n")) != SIZE_MAX);
    peer_await(cx, &f->ended, 2);
    while (tc_str_find(tc_buf_get(&p.got), TC_STR("204")) == SIZE_MAX && peer_read(&p))
        peer_turn(cx);
    assert_true(tc_str_starts(
        tc_buf_get(&p.got), TC_STR("6\r\nfirst;\r\n5\r\nxxxxx\r\n5\r\nxxxxx\r\n5\r\nxxxxx\r\n0\r\n\r\nHTTP/1.1 204")));
    tc_buf_clear(&p.got);
    peer_send(&p, TC_STR("GET /broken" H "\r\n"));
    peer_drain(&p);
    assert_true(tc_str_ends(tc_buf_get(&p.got), TC_STR("6\r\nfirst;\r\n5\r\nxxxxx\r\n")));
    peer_close(&p);
}

void test_server__streams_in_chunks_and_shows_a_broken_one(void **state)
{
    (void)state;
    run(streams);
}

static void continues(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str body;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("POST /echo" H "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n"));
    assert_int_equal(peer_response(&p, true, NULL, NULL), 100);
    peer_send(&p, TC_STR("ab"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_str(body, "ab");
    peer_send(&p, TC_STR("POST /echo" H "Content-Length: 2\r\nExpect: 100-continue\r\n\r\nab"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 200); /* did not wait, is not told */
    peer_send(&p, TC_STR("POST /echo" H "Content-Length: 9999999\r\nExpect: 100-continue\r\n\r\n"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 413);
    peer_drain(&p);
    peer_close(&p);
    (void)f;
}

void test_server__tells_a_waiting_client_to_go_on(void **state)
{
    (void)state;
    run(continues);
}

/* Refusals */

static void refusals(struct fixture *f, struct tc_cx *cx)
{
    static const struct {
        struct tc_str raw;
        int status;
        const char *code;
    } cases[] = {
        {TC_STR_INIT("GET / HTTP/1.1\r\n\r\n"), 400, "http.bad_request"},
        {TC_STR_INIT("GET /\n\n"), 400, "http.bad_request"},
        {TC_STR_INIT("POST /echo" H "Content-Length: 4194305\r\n\r\n"), 413, "http.too_large"},
        {TC_STR_INIT("POST /echo" H "Transfer-Encoding: chunked\r\n\r\n0x2\r\n"), 400, "http.bad_request"},
    };
    struct tc_buf large;
    struct tc_str head, body;
    struct peer p;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        peer_open_tcp(cx, &p, f->port);
        peer_send(&p, cases[i].raw);
        peer_send(&p, TC_STR("GET /echo" H "\r\n")); /* must not run */
        assert_int_equal(peer_response(&p, false, &head, &body), cases[i].status);
        assert_true(tc_str_find(head, TC_STR("Connection: close\r\n")) != SIZE_MAX);
        assert_true(tc_str_find(body, tc_str_of(cases[i].code)) != SIZE_MAX);
        peer_drain(&p);
        assert_int_equal(p.got.n, 0);
        peer_close(&p);
    }
    tc_buf_init(&large, 1 << 20);
    tc_buf_cstr(&large, "GET /echo" H);
    while (large.n < 100 * 1000)
        tc_buf_cstr(&large,
                    "X-Fill: 0123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                    "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\r\n");
    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, tc_buf_get(&large));
    assert_int_equal(peer_response(&p, false, &head, &body), 431);
    peer_drain(&p);
    peer_close(&p);
    tc_buf_finish(&large);
    assert_int_equal(f->started, 0);
}

void test_server__refuses_with_a_reason_and_runs_nothing_behind_it(void **state)
{
    (void)state;
    run(refusals);
}

static void too_many(struct fixture *f, struct tc_cx *cx)
{
    struct peer p[4];
    struct tc_str body;

    for (int i = 0; i < 4; i++)
        peer_open_tcp(cx, &p[i], f->port);
    for (int i = 0; i < 3; i++) {
        peer_send(&p[i], TC_STR("GET /empty" H "\r\n"));
        assert_int_equal(peer_response(&p[i], false, NULL, &body), 204);
    }
    assert_int_equal(peer_response(&p[3], false, NULL, &body), 503);
    assert_true(tc_str_find(body, TC_STR("\"busy\"")) != SIZE_MAX);
    peer_drain(&p[3]);
    for (int i = 0; i < 4; i++)
        peer_close(&p[i]);
    while (tc_server_connections(f->server) > 0)
        peer_turn(cx);
    peer_open_tcp(cx, &p[0], f->port);
    peer_send(&p[0], TC_STR("GET /empty" H "\r\n"));
    assert_int_equal(peer_response(&p[0], false, NULL, &body), 204);
    peer_close(&p[0]);
}

void test_server__over_its_limit_of_connections_it_says_so(void **state)
{
    struct fixture f = {.options = {.connections = 3}};

    (void)state;
    run_with(&f, true, too_many);
}

/* Deadlines */

static void slow_head(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str drip = TC_STR("GET /echo "), body;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    for (int i = 0; i < 9; i++) { /* a drip does not move the deadline */
        peer_send(&p, tc_str_n(drip.p + i, 1));
        for (int k = 0; k < 20; k++)
            peer_turn(cx);
        tc_loop_advance(f->loop, 1000);
        assert_true(peer_read(&p));
        assert_int_equal(p.got.n, 0);
    }
    tc_loop_advance(f->loop, 2000);
    assert_int_equal(peer_response(&p, false, NULL, &body), 408);
    peer_drain(&p);
    peer_close(&p);
}

void test_server__head_has_an_absolute_deadline(void **state)
{
    (void)state;
    run(slow_head);
}

static void slow_body(struct fixture *f, struct tc_cx *cx)
{
    char fill[2048];
    struct tc_str body;
    struct peer fast, slow;

    memset(fill, 'f', sizeof fill);
    peer_open_tcp(cx, &fast, f->port);
    peer_open_tcp(cx, &slow, f->port);
    peer_send(&fast, TC_STR("POST /echo" H "Content-Length: 30720\r\n\r\n"));
    peer_send(&slow, TC_STR("POST /echo" H "Content-Length: 30720\r\n\r\n"));
    for (int i = 0; i < 15; i++) {
        peer_send(&fast, tc_str_n(fill, sizeof fill));
        peer_send(&slow, tc_str_n(fill, 100));
        for (int k = 0; k < 20; k++)
            peer_turn(cx);
        tc_loop_advance(f->loop, 1000);
    }
    assert_int_equal(peer_response(&slow, false, NULL, &body), 408);
    assert_int_equal(peer_response(&fast, false, NULL, &body), 200);
    assert_int_equal(body.n, 30720);
    peer_close(&fast);
    peer_close(&slow);
}

void test_server__body_must_keep_a_rate(void **state)
{
    (void)state;
    run(slow_body);
}

static void idle(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str body;
    struct peer used, silent;

    peer_open_tcp(cx, &used, f->port);
    peer_open_tcp(cx, &silent, f->port);
    peer_send(&used, TC_STR("GET /empty" H "\r\n"));
    assert_int_equal(peer_response(&used, false, NULL, &body), 204);
    tc_loop_advance(f->loop, 59 * 1000);
    for (int k = 0; k < 20; k++)
        peer_turn(cx);
    assert_true(peer_read(&used) && peer_read(&silent));
    tc_loop_advance(f->loop, 2000);
    peer_drain(&used);
    peer_drain(&silent);
    assert_int_equal(used.got.n + silent.got.n, 0);
    peer_close(&used);
    peer_close(&silent);
}

void test_server__idle_connections_are_closed(void **state)
{
    (void)state;
    run(idle);
}

static void stall(struct fixture *f, struct tc_cx *cx)
{
    struct peer p;
    size_t before;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /flood" H "\r\n"));
    peer_await(cx, &f->started, 1);
    for (int k = 0; k < 2000; k++) /* the buffers of the system fill */
        peer_turn(cx);
    for (int i = 0; i < 6; i++) { /* a slow reader lives on */
        tc_loop_advance(f->loop, 20 * 1000);
        assert_int_equal(f->ended, 0);
        before = p.got.n;
        while (p.got.n < before + (8 << 20) && peer_read(&p))
            peer_turn(cx);
    }
    for (int k = 0; k < 2000; k++)
        peer_turn(cx);
    tc_loop_advance(f->loop, 32 * 1000); /* now it reads nothing */
    peer_await(cx, &f->ended, 1);
    assert_int_equal(f->last, TC_E_CLOSED);
    peer_close(&p);
}

void test_server__slow_reader_is_served_and_a_stalled_one_cut(void **state)
{
    (void)state;
    run(stall);
}

static void big(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str body;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /big" H "\r\n"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_int_equal(body.n, 20 << 20);
    assert_true(body.p[0] == 'b' && body.p[body.n - 1] == 'b');
    assert_int_equal(f->last, TC_OK);
    peer_send(&p, TC_STR("GET /big" H "\r\n"));
    peer_await(cx, &f->started, 2);
    for (int k = 0; k < 50; k++)
        peer_turn(cx);
    peer_reset(&p); /* in the middle of it */
    peer_await(cx, &f->ended, 2);
    assert_true(f->last == TC_E_CLOSED || f->last == TC_E_CANCELED);
}

void test_server__large_answers_wait_for_the_client(void **state)
{
    (void)state;
    run(big);
}

/* The client leaves */

static void leave(struct fixture *f, struct tc_cx *cx)
{
    for (int how = 0; how < 4; how++) {
        struct peer p;

        f->last = TC_OK;
        peer_open_tcp(cx, &p, f->port);
        peer_send(&p, TC_STR("GET /wait" H "\r\n"));
        peer_await(cx, &f->started, how + 1);
        if (how == 0) {
            peer_close(&p);
        } else if (how == 1) {
            peer_reset(&p);
        } else if (how == 2) { /* ends its side only, which counts as gone */
            shutdown(p.fd, SHUT_WR);
        } else {
            peer_send(&p, TC_STR("GET /echo" H "\r\n"));
            peer_close(&p);
        }
        peer_await(cx, &f->ended, how + 1);
        assert_int_equal(f->last, TC_E_CANCELED);
        if (how == 2)
            peer_close(&p);
    }
    while (tc_server_connections(f->server) > 0)
        peer_turn(cx);
    assert_int_equal(f->started, 4); /* what was pipelined behind did not run */
}

void test_server__client_that_leaves_cancels_its_handler(void **state)
{
    (void)state;
    run(leave);
}

static void leave_with_much_unread(struct fixture *f, struct tc_cx *cx)
{
    char fill[1024];
    struct peer p;

    memset(fill, 'f', sizeof fill);
    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /wait" H "\r\nPOST /echo" H "Content-Length: 1000000\r\n\r\n"));
    for (int i = 0; i < 100; i++) /* over what is read ahead, within what the system buffers */
        peer_send(&p, tc_str_n(fill, sizeof fill));
    peer_await(cx, &f->started, 1);
    for (int k = 0; k < 50; k++)
        peer_turn(cx);
    peer_close(&p);
    for (int k = 0; k < 50; k++)
        peer_turn(cx);
    tc_loop_advance(f->loop, 600); /* one sweep */
    peer_await(cx, &f->ended, 1);
    assert_int_equal(f->last, TC_E_CANCELED);
}

void test_server__client_that_leaves_is_seen_behind_unread_data(void **state)
{
    (void)state;
    run(leave_with_much_unread);
}

/* Unix sockets */

static void unix_socket(struct fixture *f, struct tc_cx *cx)
{
    char *dir = test_tmpdir(cx->arena), *path = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/s", dir));
    struct tc_str body;
    struct stat sb;
    struct peer p;

    assert_int_equal(tc_server_listen_unix(cx, f->server, path), TC_OK);
    assert_int_equal(stat(path, &sb), 0);
    assert_int_equal(sb.st_mode & 0777, 0600);
    peer_open_unix(cx, &p, path);
    peer_send(&p, TC_STR(ECHO("hello", "5")));
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_str(body, "hello");
    assert_true(f->peer.is_unix);
    assert_int_equal(f->peer.uid, getuid());
    assert_int_equal(f->peer.gid, getgid());
    assert_int_equal(f->peer.pid, getpid());
    assert_string_equal(f->peer.address, "");
    peer_close(&p);

    assert_int_equal(tc_server_listen_unix(cx, f->server, path), TC_E_LISTEN_FAILED); /* it is there already */
    path = tc_arena_alloc(cx->arena, 200);
    memset(path, 'x', 199);
    path[199] = '\0';
    assert_int_equal(tc_server_listen_unix(cx, f->server, path), TC_E_LISTEN_FAILED);
    tc_server_stop(cx, f->server, 0);
    for (int k = 0; k < 5; k++)
        peer_turn(cx);
    path = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/s", dir));
    assert_int_equal(access(path, F_OK), -1);
    test_rmtree(dir);
}

void test_server__unix_socket_is_private_and_knows_its_peer(void **state)
{
    (void)state;
    run(unix_socket);
}

static void listening(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str body;
    struct peer p;
    int port = 0;

    assert_int_equal(tc_server_listen_tcp(cx, f->server, "127.0.0.1", f->port, &port), TC_E_LISTEN_FAILED);
    assert_true(tc_str_find(cx->err.message, TC_STR("127.0.0.1:")) != SIZE_MAX);
    assert_true(cx->err.hint.n > 0);
    assert_int_equal(tc_server_listen_tcp(cx, f->server, "127.0.0.1", 70000, &port), TC_E_LISTEN_FAILED);
    assert_int_equal(tc_server_listen_tcp(cx, f->server, "no.such.host.invalid", 0, &port), TC_E_LISTEN_FAILED);
    assert_int_equal(tc_server_listen_tcp(cx, f->server, "localhost", 0, &port), TC_OK);
    peer_open_tcp(cx, &p, port);
    peer_send(&p, TC_STR("GET /empty" H "\r\n"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 204);
    peer_close(&p);
    if (tc_server_listen_tcp(cx, f->server, "::1", 0, &port) != TC_OK) {
        printf("not run: no IPv6 loopback\n");
        return;
    }
    peer_open_tcp6(cx, &p, port);
    peer_send(&p, TC_STR("GET /empty" H "\r\n"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 204);
    assert_string_equal(f->peer.address, "::1");
    peer_close(&p);
}

void test_server__listens_by_name_and_tells_why_it_cannot(void **state)
{
    struct fixture f = {.port = 0};

    (void)state;
    run_with(&f, false, listening);
}

/* Stopping */

static void stop(struct fixture *f, struct tc_cx *cx)
{
    struct peer idle_one, half, waiting;

    peer_open_tcp(cx, &idle_one, f->port);
    peer_open_tcp(cx, &half, f->port);
    peer_open_tcp(cx, &waiting, f->port);
    peer_send(&half, TC_STR("GET /ec"));
    peer_send(&waiting, TC_STR("GET /wait" H "\r\n"));
    peer_await(cx, &f->started, 1);
    tc_server_stop(cx, f->server, 30); /* in real time */
    assert_int_equal(f->ended, 1);
    assert_int_equal(f->last, TC_E_SHUTDOWN);
    peer_drain(&idle_one);
    peer_drain(&half);
    assert_int_equal(idle_one.got.n + half.got.n, 0);
    peer_drain(&waiting);
    assert_true(tc_str_starts(tc_buf_get(&waiting.got), TC_STR("HTTP/1.1 503 "))); /* it could still say so */
    assert_true(tc_str_find(tc_buf_get(&waiting.got), TC_STR("Connection: close\r\n")) != SIZE_MAX);
    peer_close(&idle_one);
    peer_close(&half);
    peer_close(&waiting);
}

void test_server__stop_ends_the_idle_and_then_the_busy(void **state)
{
    struct fixture f = {.port = 0};

    (void)state;
    run_with(&f, false, stop);
}

static void crowd(struct fixture *f, struct tc_cx *cx)
{
    enum { N = 1000 };
    struct peer *p = tc_arena_alloc(cx->arena, N * sizeof *p);
    struct tc_str body;

    for (int i = 0; i < N; i++)
        peer_open_tcp(cx, &p[i], f->port);
    for (int i = 0; i < N; i++)
        peer_send(&p[i], TC_STR(ECHO("hello", "5")));
    for (int i = 0; i < N; i++) {
        assert_int_equal(peer_response(&p[i], false, NULL, &body), 200);
        assert_str(body, "hello");
    }
    assert_int_equal(tc_server_connections(f->server), N);
    tc_loop_advance(f->loop, 30 * 1000);
    peer_send(&p[500], TC_STR(ECHO("again", "5")));
    assert_int_equal(peer_response(&p[500], false, NULL, &body), 200);
    tc_loop_advance(f->loop, 40 * 1000);
    for (int i = 0; i < N; i++) {
        if (i != 500)
            peer_drain(&p[i]);
        peer_close(&p[i]);
    }
    while (tc_server_connections(f->server) > 0)
        peer_turn(cx);
}

void test_server__holds_a_thousand_idle_connections(void **state)
{
    struct fixture f = {.port = 0};
    struct rlimit limit;

    (void)state;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < 2100) {
        printf("not run: the limit of open files is %lu\n", (unsigned long)limit.rlim_cur);
        return;
    }
    run_with(&f, true, crowd);
}

/* Memory */

static void exhausted(struct fixture *f, struct tc_cx *cx)
{
    struct peer p;

    for (size_t nth = 1; nth < 40; nth++) {
        peer_open_tcp(cx, &p, f->port);
        peer_send(&p, TC_STR(ECHO("hello", "5")));
        tc_mem_fail_at(nth, false);
        for (int k = 0; k < 10; k++)
            peer_turn(cx);
        tc_mem_fail_at(0, false);
        tc_loop_advance(f->loop, 600);
        for (int k = 0; k < 10; k++)
            peer_turn(cx);
        peer_read(&p);
        if (!p.eof || p.got.n)
            assert_true(tc_str_starts(tc_buf_get(&p.got), TC_STR("HTTP/1.1 ")));
        peer_close(&p);
    }
    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR(ECHO("hello", "5")));
    assert_int_equal(peer_response(&p, false, NULL, NULL), 200);
    peer_close(&p);
}

void test_server__outlives_each_failing_allocation(void **state)
{
    (void)state;
    run(exhausted);
}
