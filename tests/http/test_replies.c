/*
 * Answers that leave together: many clients, pipelines, and clients that do not read.
 */
#include "support/peer.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "http/replies.h"
#include "http/server.h"
#include "io/loop.h"

#define ASK(n) "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " #n "\r\n\r\n"

enum { CLIENTS = 3 * TC_REPLIES_MAX + 5, PIPELINED = 40 * 1000 };

struct fixture {
    struct test_cx test;
    struct tc_loop *loop;
    struct tc_server *server;
    void (*body)(struct fixture *f, struct tc_cx *cx);
    int port;
    int started;
    struct peer *alone;     /* who asks for /alone */
    struct tc_event answered;
    bool arrived;           /* its answer, while its handler still ran */
};

static void handler(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct tc_exchange_reply echo = {.status = 200, .body = tc_exchange_body(ex)};
    struct fixture *f = arg;

    f->started++;
    if (tc_str_is(tc_exchange_request(ex)->path, "/alone")) {
        struct pollfd reading = {.fd = f->alone->fd, .events = POLLIN};

        tc_exchange_reply(cx, ex, &echo);
        f->arrived = poll(&reading, 1, 2000) == 1;
        tc_event_set(&f->answered);
        return;
    }
    if (tc_str_is(tc_exchange_request(ex)->path, "/echo")) {
        tc_exchange_reply(cx, ex, &echo);
        return;
    }
    tc_exchange_stream_begin(cx, ex, &(struct tc_exchange_reply){.status = 200, .body = TC_STR("streamed")});
    tc_exchange_stream_end(cx, ex);
}

static void main_task(struct tc_cx *cx, void *arg)
{
    struct tc_server_options options = {.handler = handler, .arg = arg};
    struct fixture *f = arg;

    assert_int_equal(tc_server_create(cx, f->loop, &options, &f->server), TC_OK);
    assert_int_equal(tc_server_listen_tcp(cx, f->server, "127.0.0.1", 0, &f->port), TC_OK);
    f->body(f, cx);
    tc_server_stop(cx, f->server, 0);
    tc_server_destroy(f->server);
}

static void run(void (*body)(struct fixture *f, struct tc_cx *cx))
{
    struct fixture f = {.body = body};

    test_cx_init(&f.test);
    assert_int_equal(tc_loop_create_virtual(&f.test.cx, 1796000000000, &f.loop), TC_OK);
    assert_int_equal(tc_task_spawn(&f.test.cx, f.loop, NULL, "test", main_task, &f), TC_OK);
    tc_loop_run(f.loop);
    tc_loop_destroy(f.loop);
    test_cx_finish(&f.test);
}

static void each_its_own(struct fixture *f, struct tc_cx *cx)
{
    struct peer *peers = tc_arena_zalloc(cx->arena, CLIENTS, sizeof *peers);
    struct tc_str body;
    char text[16];

    for (int i = 0; i < CLIENTS; i++)
        peer_open_tcp(cx, &peers[i], f->port);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < CLIENTS; i++) { /* nobody has a turn before all have asked */
            snprintf(text, sizeof text, "%04d", i);
            peer_send(&peers[i], TC_STR(ASK(4)));
            peer_send(&peers[i], tc_str_n(text, 4));
        }
        for (int i = 0; i < CLIENTS; i++) {
            snprintf(text, sizeof text, "%04d", i);
            assert_int_equal(peer_response(&peers[i], false, NULL, &body), 200);
            assert_str(body, text);
        }
    }
    assert_int_equal(f->started, 3 * CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        peer_close(&peers[i]);
}

void test_replies__each_of_many_clients_gets_its_own(void **state)
{
    (void)state;
    run(each_its_own);
}

static void lone(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str body;
    struct peer p;

    f->alone = &p;
    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR("GET /alone HTTP/1.1\r\nHost: a\r\n\r\n"));
    assert_int_equal(tc_task_wait(cx, &f->answered, -1), TC_OK);
    assert_true(f->arrived);
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    peer_close(&p);
}

void test_replies__wait_for_none_where_no_other_comes(void **state)
{
    (void)state;
    run(lone);
}

static void before_others(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str body, rest;
    struct peer p;

    peer_open_tcp(cx, &p, f->port);
    peer_send(&p, TC_STR(ASK(3) "one" ASK(3) "two" "GET /stream HTTP/1.0\r\n\r\n"));
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_str(body, "one");
    assert_int_equal(peer_response(&p, false, NULL, &body), 200);
    assert_str(body, "two");
    peer_drain(&p);
    rest = tc_buf_get(&p.got);
    assert_true(tc_str_starts(rest, TC_STR("HTTP/1.1 200 OK\r\n")) && tc_str_ends(rest, TC_STR("\r\n\r\nstreamed")));
    peer_close(&p);
}

void test_replies__come_before_what_is_written_after_them(void **state)
{
    (void)state;
    run(before_others);
}

/* Sends what the system takes now, from *at on. */
static void send_more(struct peer *p, struct tc_str all, size_t *at)
{
    while (*at < all.n) {
        size_t n = all.n - *at < 4000 ? all.n - *at : 4000;
        ssize_t sent = send(p->fd, all.p + *at, n, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (sent <= 0)
            return;
        *at += (size_t)sent;
    }
}

/* A client that asks and asks and reads nothing. */
static void flood(struct fixture *f, struct tc_cx *cx, struct peer *p, struct tc_buf *asked)
{
    size_t at = 0;
    int before = -1;

    tc_buf_init(asked, 16 << 20);
    for (int i = 0; i < PIPELINED; i++)
        tc_buf_printf(asked, ASK(200) "%0200d", i);
    peer_open_tcp(cx, p, f->port);
    while (before != f->started) {
        before = f->started;
        for (int k = 0; k < 200; k++) {
            send_more(p, tc_buf_get(asked), &at);
            peer_turn(cx);
        }
    }
    assert_in_range(f->started, 100, PIPELINED - 1);
    tc_buf_drop(asked, at);
}

static void read_late(struct fixture *f, struct tc_cx *cx)
{
    struct tc_buf asked;
    struct tc_str body;
    char text[201];
    struct peer p;
    size_t at = 0;

    flood(f, cx, &p, &asked);
    tc_loop_advance(f->loop, 20 * 1000);
    for (int i = 0; i < PIPELINED; i++) {
        send_more(&p, tc_buf_get(&asked), &at);
        snprintf(text, sizeof text, "%0200d", i);
        assert_int_equal(peer_response(&p, false, NULL, &body), 200);
        assert_str(body, text);
        tc_arena_reset(cx->arena);
    }
    peer_close(&p);
    tc_buf_finish(&asked);
}

void test_replies__wait_for_a_client_that_reads_late(void **state)
{
    (void)state;
    run(read_late);
}

static void read_never(struct fixture *f, struct tc_cx *cx)
{
    struct tc_buf asked;
    struct peer p;

    flood(f, cx, &p, &asked);
    assert_int_equal(tc_server_connections(f->server), 1);
    tc_loop_advance(f->loop, 32 * 1000);
    for (int i = 0; i < 100 && tc_server_connections(f->server); i++)
        peer_turn(cx);
    assert_int_equal(tc_server_connections(f->server), 0);
    peer_close(&p);
    tc_buf_finish(&asked);
}

void test_replies__a_client_that_never_reads_is_cut(void **state)
{
    (void)state;
    run(read_never);
}

/* It has asked, and is gone before the turn ends in which it is answered. */
static void leave_early(struct fixture *f, struct tc_cx *cx)
{
    struct peer p, other;
    struct tc_str body;

    for (int i = 0; i < 20; i++) {
        peer_open_tcp(cx, &p, f->port);
        peer_open_tcp(cx, &other, f->port);
        peer_send(&p, TC_STR(ASK(3) "bye" ASK(3) "bye"));
        peer_send(&other, TC_STR(ASK(3) "yes"));
        peer_reset(&p);
        assert_int_equal(peer_response(&other, false, NULL, &body), 200);
        assert_str(body, "yes");
        peer_close(&other);
    }
    while (tc_server_connections(f->server) > 0)
        peer_turn(cx);
}

void test_replies__a_client_that_left_keeps_nobody_waiting(void **state)
{
    (void)state;
    run(leave_early);
}
