/*
 * Blocking connects and sends (loopback takes them at once), reads that never
 * block, and turns of the loop in between.
 */
#include "support/peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "io/loop.h"

enum { PATIENCE_S = 10 };

static void start(struct tc_cx *cx, struct peer *peer, int fd)
{
    *peer = (struct peer){.cx = cx, .fd = fd};
    tc_buf_init(&peer->got, 256u << 20);
}

void peer_open_tcp(struct tc_cx *cx, struct peer *peer, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    start(cx, peer, fd);
}

void peer_open_tcp6(struct tc_cx *cx, struct peer *peer, int port)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

    address.sin6_addr = in6addr_loopback;
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    start(cx, peer, fd);
}

void peer_open_unix(struct tc_cx *cx, struct peer *peer, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(strlen(path) < sizeof address.sun_path);
    strcpy(address.sun_path, path);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    start(cx, peer, fd);
}

void peer_close(struct peer *peer)
{
    close(peer->fd);
    tc_buf_finish(&peer->got);
}

void peer_reset(struct peer *peer)
{
    struct linger linger = {.l_onoff = 1};

    setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    peer_close(peer);
}

void peer_send(struct peer *peer, struct tc_str data)
{
    while (data.n > 0) {
        ssize_t n = send(peer->fd, data.p, data.n, MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n < 0 && errno != EAGAIN)
            return; /* the server has cut it: the test sees that when it reads */
        if (n > 0)
            data = tc_str_from(data, (size_t)n);
        else
            peer_turn(peer->cx);
    }
}

bool peer_read(struct peer *peer)
{
    for (;;) {
        char *to = tc_buf_reserve(&peer->got, 64 * 1024);
        ssize_t n;

        assert_non_null(to);
        n = recv(peer->fd, to, 64 * 1024, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN)
            return true;
        if (n <= 0) {
            peer->eof = true;
            return false;
        }
        peer->got.n += (size_t)n;
    }
}

static void ring(void *arg)
{
    tc_event_set(arg);
}

void peer_turn(struct tc_cx *cx)
{
    struct tc_event event = {.set = false};

    if (tc_loop_post(tc_task_loop(cx), ring, &event)) { /* comes by way of the poll, as all else that is ready */
        tc_task_shield(cx);
        tc_task_wait(cx, &event, -1);
        tc_task_unshield(cx);
    }
}

static time_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec;
}

/* Bytes of the response at the front of got, or 0 while it is not whole. */
static size_t whole(struct peer *peer, bool head_only, size_t *ret_head)
{
    struct tc_str got = tc_buf_get(&peer->got);
    size_t end = tc_str_find(got, TC_STR("\r\n\r\n")), at, length;

    if (end == SIZE_MAX)
        return 0;
    *ret_head = end + 4;
    at = tc_str_find(tc_str_n(got.p, end), TC_STR("Content-Length: "));
    length = head_only || at == SIZE_MAX ? 0 : strtoul(got.p + at + 16, NULL, 10);
    return got.n >= *ret_head + length ? *ret_head + length : 0;
}

int peer_response(struct peer *peer, bool head_only, struct tc_str *ret_head, struct tc_str *ret_body)
{
    time_t until = now() + PATIENCE_S;
    struct tc_str all;
    size_t n, head = 0;

    while ((n = whole(peer, head_only, &head)) == 0) {
        if (peer->eof)
            return -1;
        if (now() > until)
            fail_msg("no response; so far: %.*s", TC_STR_ARG(tc_buf_get(&peer->got)));
        peer_turn(peer->cx);
        peer_read(peer);
    }
    all = tc_arena_dup(peer->cx->arena, tc_str_n(peer->got.p, n));
    tc_buf_drop(&peer->got, n);
    if (ret_head)
        *ret_head = tc_str_n(all.p, head);
    if (ret_body)
        *ret_body = tc_str_from(all, head);
    assert_true(tc_str_starts(all, TC_STR("HTTP/1.1 ")));
    return atoi(all.p + 9);
}

void peer_drain(struct peer *peer)
{
    time_t until = now() + PATIENCE_S;

    while (peer_read(peer)) {
        if (now() > until)
            fail_msg("the server did not close");
        peer_turn(peer->cx);
    }
}

void peer_await(struct tc_cx *cx, const int *flag, int value)
{
    time_t until = now() + PATIENCE_S;

    while (*flag != value) {
        if (now() > until)
            fail_msg("waited for %d, is %d", value, *flag);
        peer_turn(cx);
    }
}
