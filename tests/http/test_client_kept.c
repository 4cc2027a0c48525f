/*
 * The client on kept connections that their server ends: when it says so before, and
 * when it does it this very moment. The servers are plain sockets.
 */
#include "http/client.h"
#include "support/task.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "io/loop.h"

struct kept {
    int listener, port, clients, requests;
    const char *headers;   /* of each answer */
    bool deaf, gone;       /* after one answer the connection receives nothing and is ended; so is the listener */
    struct tc_task_group group;
    struct tc_client *client;
};

/* Whatever comes is dropped before TCP sees it, as on a line that loses it. */
static void make_deaf(int fd)
{
    struct sock_filter drop = {BPF_RET | BPF_K, 0, 0, 0};
    struct sock_fprog program = {1, &drop};

    expect_int(setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program), 0);
}

static void answer(const struct kept *kept, int fd)
{
    char text[256];
    int n = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n%sContent-Length: 2\r\n\r\nok", kept->headers);

    expect_int(send(fd, text, (size_t)n, MSG_NOSIGNAL), n);
}

static void serve_one(struct tc_cx *cx, void *arg)
{
    struct kept *kept = arg;
    int fd = accept4(kept->listener, NULL, NULL, SOCK_NONBLOCK);
    bool open = fd >= 0, deaf = kept->deaf;
    char text[4096];

    kept->clients++;
    kept->deaf = false;
    while (open && tc_task_sleep(cx, 1) == TC_OK) {
        ssize_t n = recv(fd, text, sizeof text, 0);

        open = n > 0 || (n < 0 && errno == EAGAIN);
        if (n <= 0)
            continue;
        kept->requests++;
        if (deaf)
            make_deaf(fd);
        answer(kept, fd);
        if (deaf)
            open = tc_task_sleep(cx, 100) != TC_OK; /* the next request is on its way by now, and lost */
    }
    if (kept->gone)
        close(kept->listener);
    if (fd >= 0)
        close(fd);
}

static void accept_all(struct tc_cx *cx, void *arg)
{
    struct kept *kept = arg;
    fd_set ready;
    struct timeval now = {0};

    while (tc_task_sleep(cx, 1) == TC_OK && !(kept->gone && kept->clients)) {
        FD_ZERO(&ready);
        FD_SET(kept->listener, &ready);
        if (select(kept->listener + 1, &ready, NULL, NULL, &now) > 0)
            tc_task_spawn(cx, tc_task_loop(cx), &kept->group, "connection", serve_one, kept);
        tc_task_sleep(cx, 1);
    }
}

static void begin(struct tc_cx *cx, struct kept *kept)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;

    kept->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    expect_int(bind(kept->listener, (struct sockaddr *)&address, size), 0);
    expect_int(listen(kept->listener, 8), 0);
    expect_int(getsockname(kept->listener, (struct sockaddr *)&address, &size), 0);
    kept->port = ntohs(address.sin_port);
    tc_task_group_init(&kept->group, tc_task_loop(cx));
    expect_int(tc_client_create(cx, tc_task_loop(cx), &kept->client), TC_OK);
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), &kept->group, "accept", accept_all, kept), TC_OK);
}

static void end(struct tc_cx *cx, struct kept *kept)
{
    tc_client_destroy(kept->client);
    tc_task_group_cancel(&kept->group, TC_E_CANCELED);
    tc_task_join(cx, &kept->group);
    if (!kept->gone)
        close(kept->listener);
}

static enum tc_err post(struct tc_cx *cx, struct kept *kept, bool *sent)
{
    struct tc_client_request request = {.url = tc_arena_printf(cx->arena, "http://127.0.0.1:%d/x", kept->port),
                                        .body = TC_STR("do it once"),
                                        .timeout_ms = 5000,
                                        .sent = sent};
    struct tc_client_response response;
    enum tc_err code = tc_client_fetch(cx, kept->client, &request, &response);

    if (code == TC_OK)
        expect_text(response.body, "ok");
    return code;
}

static void lost_on_the_way(struct tc_cx *cx, void *arg)
{
    struct kept kept = {.headers = "", .deaf = true};
    bool sent;
    (void)arg;

    begin(cx, &kept);
    expect_int(post(cx, &kept, &sent), TC_OK);
    tc_task_sleep(cx, 20);
    expect_int(post(cx, &kept, &sent), TC_OK);
    expect(sent);
    expect_int(kept.clients, 2);
    expect_int(kept.requests, 2); /* so the second was received once */
    end(cx, &kept);
}

void test_client_kept__a_request_that_was_not_received_goes_again_on_another_connection(void **state)
{
    (void)state;
    test_task_run(lost_on_the_way, NULL);
}

static void nowhere_to_go(struct tc_cx *cx, void *arg)
{
    struct kept kept = {.headers = "", .deaf = true, .gone = true};
    bool sent;
    (void)arg;

    begin(cx, &kept);
    expect_int(post(cx, &kept, &sent), TC_OK);
    tc_task_sleep(cx, 20);
    sent = true;
    expect_int(post(cx, &kept, &sent), TC_E_HTTP_UPSTREAM);
    expect(!sent);
    expect_int(kept.requests, 1);
    end(cx, &kept);
}

void test_client_kept__one_that_cannot_go_again_was_not_sent(void **state)
{
    (void)state;
    test_task_run(nowhere_to_go, NULL);
}

static void as_stated(struct tc_cx *cx, void *arg)
{
    static const struct {
        const char *headers;
        int pause_ms, clients;
    } cases[] = {
        {"", 1100, 1},
        {"Keep-Alive: timeout=60, max=99\r\n", 1100, 1},
        {"keep-alive: max=99,  Timeout=3\r\n", 0, 1},
        {"keep-alive: max=99,  Timeout=3\r\n", 2100, 2},
        {"Keep-Alive: timeout=2\r\n", 0, 2},
        {"Keep-Alive: timeout=0\r\n", 0, 2},
        {"Keep-Alive: timeout=soon, timeout=-4\r\n", 1100, 1},
    };
    (void)arg;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kept kept = {.headers = cases[i].headers};
        bool sent;

        begin(cx, &kept);
        expect_int(post(cx, &kept, &sent), TC_OK);
        tc_task_sleep(cx, cases[i].pause_ms + 1);
        expect_int(post(cx, &kept, &sent), TC_OK);
        if (kept.clients != cases[i].clients)
            print_message("  case %zu: %s", i, cases[i].headers);
        expect_int(kept.clients, cases[i].clients);
        end(cx, &kept);
    }
}

void test_client_kept__connections_are_left_before_the_time_that_the_server_states(void **state)
{
    (void)state;
    test_task_run(as_stated, NULL);
}
