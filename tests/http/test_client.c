/*
 * The client against the server of this project, and against sockets that
 * behave badly. All in one loop in real time.
 */
#include "http/client.h"
#include "support/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "http/server.h"
#include "io/loop.h"

struct fixture {
    struct test_cx test;
    struct tc_loop *loop;
    struct tc_server *server;
    struct tc_client *client;
    void (*body)(struct fixture *f, struct tc_cx *cx);
    int port;
    int started, ended;
    size_t streamed;  /* bytes that the flooding handler got rid of */
    enum tc_err last; /* why the last waiting or streaming handler ended */
};

static void answer_echo(struct tc_cx *cx, struct tc_exchange *ex)
{
    const struct tc_request *r = tc_exchange_request(ex);
    struct tc_header extra[] = {{TC_STR("X-Method"), r->method},
                                {TC_STR("X-Query"), r->query},
                                {TC_STR("X-Back"), tc_exchange_header(ex, TC_STR("X-There"))},
                                {TC_STR("X-Type"), tc_exchange_header(ex, TC_STR("Content-Type"))}};
    struct tc_exchange_reply reply = {
        .status = 200, .content_type = TC_STR("text/plain"), .extra = {extra, 4}, .body = tc_exchange_body(ex)};

    tc_exchange_reply(cx, ex, &reply);
}

static void answer_stream(struct tc_cx *cx, struct fixture *f, struct tc_exchange *ex, size_t pieces, size_t size)
{
    struct tc_exchange_reply reply = {.status = 200, .content_type = TC_STR("text/event-stream")};
    char *piece = tc_arena_alloc(cx->arena, size);

    memset(piece, 'x', size);
    f->last = tc_exchange_stream_begin(cx, ex, &reply);
    for (size_t i = 0; i < pieces && !f->last; i++) {
        f->last = tc_exchange_stream_write(cx, ex, tc_str_n(piece, size));
        if (!f->last && size < 1000)
            f->last = tc_task_sleep(cx, 2);
        f->streamed += size;
    }
    if (!f->last && !tc_str_is(tc_exchange_request(ex)->path, "/broken"))
        f->last = tc_exchange_stream_end(cx, ex);
}

static void handler(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct fixture *f = arg;
    struct tc_str path = tc_exchange_request(ex)->path;
    struct tc_header location = {TC_STR("Location"), TC_STR("/echo")};
    struct tc_exchange_reply moved = {.status = 302, .extra = {&location, 1}};

    f->started++;
    if (tc_str_is(path, "/echo")) {
        answer_echo(cx, ex);
    } else if (tc_str_is(path, "/wait")) {
        f->last = tc_task_sleep(cx, 60 * 1000);
    } else if (tc_str_is(path, "/moved")) {
        tc_exchange_reply(cx, ex, &moved);
    } else if (tc_str_is(path, "/stream")) {
        answer_stream(cx, f, ex, 5, 10);
    } else if (tc_str_is(path, "/broken")) {
        answer_stream(cx, f, ex, 1, 10);
    } else if (tc_str_is(path, "/flood")) {
        answer_stream(cx, f, ex, 1000, 64 * 1024);
    } else {
        tc_fail(cx, TC_E_HTTP_NOT_FOUND, "Nothing is here.");
        tc_exchange_fail(cx, ex);
    }
    f->ended++;
}

static void main_task(struct tc_cx *cx, void *arg)
{
    struct fixture *f = arg;
    struct tc_server_options options = {.handler = handler, .arg = f};

    assert_int_equal(tc_server_create(cx, f->loop, &options, &f->server), TC_OK);
    assert_int_equal(tc_server_listen_tcp(cx, f->server, "127.0.0.1", 0, &f->port), TC_OK);
    assert_int_equal(tc_client_create(cx, f->loop, &f->client), TC_OK);
    f->body(f, cx);
    tc_client_destroy(f->client);
    tc_server_stop(cx, f->server, 0);
    tc_server_destroy(f->server);
}

static void run(void (*body)(struct fixture *f, struct tc_cx *cx))
{
    struct fixture f = {.body = body};

    test_cx_init(&f.test);
    assert_int_equal(tc_loop_create(&f.test.cx, &f.loop), TC_OK);
    assert_int_equal(tc_task_spawn(&f.test.cx, f.loop, NULL, "test", main_task, &f), TC_OK);
    tc_loop_run(f.loop);
    tc_loop_destroy(f.loop);
    test_cx_finish(&f.test);
}

static struct tc_str url(struct fixture *f, struct tc_cx *cx, const char *path)
{
    return tc_arena_printf(cx->arena, "http://127.0.0.1:%d%s", f->port, path);
}

static struct tc_client_response fetch(struct fixture *f, struct tc_cx *cx, struct tc_client_request request)
{
    struct tc_client_response response = {.status = 0};

    if (tc_client_fetch(cx, f->client, &request, &response))
        fail_msg("%.*s", TC_STR_ARG(cx->err.message));
    return response;
}

static enum tc_err fetch_fails(struct fixture *f, struct tc_cx *cx, struct tc_client_request request)
{
    struct tc_client_response response;

    return tc_client_fetch(cx, f->client, &request, &response);
}

static bool says(struct tc_cx *cx, const char *what)
{
    return tc_str_find(cx->err.message, tc_str_of(what)) != SIZE_MAX;
}

static struct tc_str back(struct tc_client_response *r, const char *name)
{
    return tc_header_get(r->headers, tc_str_of(name));
}

static void fetching(struct fixture *f, struct tc_cx *cx)
{
    struct tc_header there[] = {{TC_STR("X-There"), TC_STR("a b")}, {TC_STR("X-Empty"), TC_STR("")}};
    char *large = tc_arena_alloc(cx->arena, 3 << 20);
    struct tc_client_response r;
    bool sent = false;

    memset(large, 'L', 3 << 20);
    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo?a=1"), .headers = {there, 2}, .sent = &sent});
    assert_int_equal(r.status, 200);
    assert_true(sent);
    assert_int_equal(r.body.n, 0);
    assert_str(back(&r, "x-method"), "GET");
    assert_str(back(&r, "X-Query"), "a=1");
    assert_str(back(&r, "X-Back"), "a b");
    assert_str(back(&r, "Content-Type"), "text/plain");

    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .body = TC_STR("a\0b")});
    assert_true(tc_str_eq(r.body, TC_STR("a\0b")));
    assert_str(back(&r, "X-Method"), "POST");
    assert_str(back(&r, "X-Type"), ""); /* none made up */
    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .body = tc_str_n(large, 3 << 20)});
    assert_true(tc_str_eq(r.body, tc_str_n(large, 3 << 20)));
    r = fetch(f, cx, (struct tc_client_request){.method = TC_STR("PUT"), .url = url(f, cx, "/echo")});
    assert_str(back(&r, "X-Method"), "PUT");
    r = fetch(f, cx, (struct tc_client_request){.method = TC_STR("HEAD"), .url = url(f, cx, "/echo")});
    assert_str(back(&r, "X-Method"), "HEAD");
    assert_int_equal(r.body.n, 0);
    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/none")});
    assert_int_equal(r.status, 404);
    assert_str(r.body, "{\"error\":{\"code\":\"http.not_found\",\"message\":\"Nothing is here.\"}}");
    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/moved")});
    assert_int_equal(r.status, 302);
    assert_str(back(&r, "Location"), "/echo");
    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/stream")});
    assert_int_equal(r.body.n, 50);
    assert_int_equal(tc_server_connections(f->server), 1); /* kept and used again, but for the PUT without a body */
}

void test_client__fetches_whole_answers_on_kept_connections(void **state)
{
    (void)state;
    run(fetching);
}

static void by_unix_socket(struct fixture *f, struct tc_cx *cx)
{
    char *dir = test_tmpdir(cx->arena);
    struct tc_str path = tc_arena_printf(cx->arena, "%s/s", dir);
    struct tc_client_response r;

    assert_int_equal(tc_server_listen_unix(cx, f->server, path.p), TC_OK);
    r = fetch(f, cx, (struct tc_client_request){
                         .url = TC_STR("http://toolcrib/echo"), .unix_socket = path, .body = TC_STR("x")});
    assert_str(r.body, "x");
    assert_int_equal(fetch_fails(f, cx,
                                 (struct tc_client_request){.url = TC_STR("http://toolcrib/echo"),
                                                            .unix_socket = TC_STR("/nowhere/at/all")}),
                     TC_E_HTTP_UPSTREAM);
    tc_server_stop(cx, f->server, 100);
    test_rmtree(dir);
}

void test_client__connects_to_unix_sockets(void **state)
{
    (void)state;
    run(by_unix_socket);
}

static int closed_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, n), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &n), 0);
    close(fd);
    return ntohs(address.sin_port);
}

static void failures(struct fixture *f, struct tc_cx *cx)
{
    struct tc_header forged = {TC_STR("X-A"), TC_STR("1\r\nX-B: 2")};
    static const char *const bad_urls[] = {"", "http://a b/", "ftp://127.0.0.1/", "file:///etc/passwd", "http://",
                                           "http://127.0.0.1/\r\nX: y"};
    bool sent = true;

    assert_int_equal(fetch_fails(f, cx,
                                 (struct tc_client_request){
                                     .url = tc_arena_printf(cx->arena, "http://me:pw@127.0.0.1:%d/secret?key=secret",
                                                            closed_port()),
                                     .sent = &sent}),
                     TC_E_HTTP_UPSTREAM);
    assert_false(sent);
    assert_true(says(cx, "http://127.0.0.1:"));
    assert_false(says(cx, "secret") || says(cx, "pw"));
    for (size_t i = 0; i < sizeof bad_urls / sizeof *bad_urls; i++)
        assert_int_equal(fetch_fails(f, cx, (struct tc_client_request){.url = tc_str_of(bad_urls[i])}), TC_E_USAGE);
    assert_int_equal(
        fetch_fails(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .headers = {&forged, 1}}),
        TC_E_USAGE);
    assert_int_equal(
        fetch_fails(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .method = TC_STR("A B")}),
        TC_E_USAGE);
    assert_int_equal(f->started, 0);

    assert_int_equal(
        fetch_fails(f, cx, (struct tc_client_request){.url = url(f, cx, "/wait"), .timeout_ms = 50, .sent = &sent}),
        TC_E_TIMEOUT);
    assert_true(sent);
    while (f->ended < 1)
        tc_task_sleep(cx, 1);
    assert_int_equal(f->last, TC_E_CANCELED); /* the transfer was ended, not left behind */

    assert_int_equal(fetch_fails(f, cx,
                                 (struct tc_client_request){
                                     .url = url(f, cx, "/echo"), .body = TC_STR("0123456789"), .max_bytes = 9}),
                     TC_E_LIMIT);
    assert_int_equal(
        fetch(f, cx,
              (struct tc_client_request){.url = url(f, cx, "/echo"), .body = TC_STR("0123456789"), .max_bytes = 10})
            .body.n,
        10);
    assert_int_equal(fetch_fails(f, cx, (struct tc_client_request){.url = url(f, cx, "/broken")}),
                     TC_E_HTTP_UPSTREAM);
}

void test_client__failures_are_told_apart(void **state)
{
    (void)state;
    run(failures);
}

static void only_public(struct fixture *f, struct tc_cx *cx)
{
    struct tc_str local = tc_arena_printf(cx->arena, "http://localhost:%d/echo", f->port);

    assert_int_equal(
        fetch_fails(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .public_only = true}),
        TC_E_HTTP_ADDRESS);
    fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo")});
    assert_int_equal(
        fetch_fails(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .public_only = true}),
        TC_E_HTTP_ADDRESS); /* also on the kept connection */
    assert_int_equal(fetch_fails(f, cx, (struct tc_client_request){.url = local, .public_only = true}),
                     TC_E_HTTP_ADDRESS);
    assert_int_equal(f->started, 1);
}

void test_client__public_only_reaches_no_local_address(void **state)
{
    (void)state;
    run(only_public);
}

static void never_link_local(struct fixture *f, struct tc_cx *cx)
{
    static const char *const urls[] = {"http://169.254.169.254/latest/meta-data", "http://[fe80::1]/",
                                       "http://[::ffff:169.254.169.254]/"};
    struct tc_client_response r;
    bool sent;

    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        sent = true;
        assert_int_equal(fetch_fails(f, cx,
                                     (struct tc_client_request){
                                         .url = tc_str_of(urls[i]), .no_link_local = true, .sent = &sent}),
                         TC_E_HTTP_ADDRESS);
        assert_false(sent);
    }
    r = fetch(f, cx, (struct tc_client_request){.url = url(f, cx, "/echo"), .no_link_local = true});
    assert_int_equal(r.status, 200); /* loopback is another matter */
}

void test_client__link_local_addresses_can_be_shut_out(void **state)
{
    (void)state;
    run(never_link_local);
}

struct aborter {
    struct tc_client_handle *handle;
    int64_t after_ms;
};

static void abort_later(struct tc_cx *cx, void *arg)
{
    struct aborter *aborter = arg;

    tc_task_sleep(cx, aborter->after_ms);
    tc_client_abort(aborter->handle);
}

static void abort_in(struct tc_cx *cx, struct aborter *aborter)
{
    assert_int_equal(tc_task_spawn(cx, tc_task_loop(cx), NULL, "abort", abort_later, aborter), TC_OK);
}

static void aborting(struct fixture *f, struct tc_cx *cx)
{
    struct tc_client_handle waiting = {0}, reading = {0}, before = {.aborted = true};
    struct tc_client_request request = {.url = url(f, cx, "/wait"), .handle = &waiting};
    struct tc_client_stream *stream;
    struct tc_client_response head;
    struct tc_str data;
    enum tc_err err;

    abort_in(cx, &(struct aborter){&waiting, 20});
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_E_CANCELED);
    assert_int_equal(tc_task_check(cx), TC_OK); /* the request was ended, not the task */
    assert_null(waiting.stream);
    while (f->ended < 1)
        tc_task_sleep(cx, 1);
    assert_int_equal(f->last, TC_E_CANCELED);

    request = (struct tc_client_request){.url = url(f, cx, "/flood"), .handle = &reading};
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    abort_in(cx, &(struct aborter){&reading, 5});
    while (!(err = tc_client_read(cx, stream, 1000, &data)))
        ;
    assert_int_equal(err, TC_E_CANCELED);
    tc_client_close(stream);
    tc_client_abort(&reading); /* of one that is gone */

    request = (struct tc_client_request){.url = url(f, cx, "/echo"), .handle = &before};
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_E_CANCELED);
}

void test_client__requests_are_ended_from_outside(void **state)
{
    (void)state;
    run(aborting);
}

/* Streams */

static void streaming(struct fixture *f, struct tc_cx *cx)
{
    struct tc_client_request request = {.url = url(f, cx, "/stream")};
    struct tc_client_stream *stream;
    struct tc_client_response head;
    struct tc_str data;
    size_t n = 0, pieces = 0;
    enum tc_err err;

    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    assert_int_equal(head.status, 200);
    assert_str(tc_header_get(head.headers, TC_STR("content-type")), "text/event-stream");
    while (!(err = tc_client_read(cx, stream, 1000, &data))) {
        n += data.n;
        pieces++;
    }
    assert_int_equal(err, TC_E_CLOSED);
    assert_int_equal(n, 50);
    assert_true(pieces > 1); /* as they came, not at the end */
    assert_int_equal(tc_client_read(cx, stream, 1000, &data), TC_E_CLOSED);
    tc_client_close(stream);

    request.url = url(f, cx, "/broken");
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    assert_int_equal(tc_client_read(cx, stream, 1000, &data), TC_OK);
    assert_str(data, "xxxxxxxxxx");
    assert_int_equal(tc_client_read(cx, stream, 1000, &data), TC_E_HTTP_UPSTREAM);
    tc_client_close(stream);
    tc_client_close(NULL);
}

void test_client__streams_give_pieces_as_they_come(void **state)
{
    (void)state;
    run(streaming);
}

static void back_pressure(struct fixture *f, struct tc_cx *cx)
{
    struct tc_client_request request = {.url = url(f, cx, "/flood")};
    struct tc_client_stream *stream;
    struct tc_client_response head;
    struct tc_str data;
    size_t n = 0, stuck;
    enum tc_err err;

    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    tc_task_sleep(cx, 100);
    stuck = f->streamed;
    tc_task_sleep(cx, 100);
    assert_int_equal(f->streamed, stuck); /* nobody reads, so nothing more is sent */
    assert_true(stuck < 16u << 20);
    while (!(err = tc_client_read(cx, stream, 1000, &data)))
        n += data.n;
    assert_int_equal(err, TC_E_CLOSED);
    assert_int_equal(n, 1000u * 64 * 1024);
    tc_client_close(stream);

    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    assert_int_equal(tc_client_read(cx, stream, 1000, &data), TC_OK);
    tc_client_close(stream); /* in the middle */
    while (f->ended < 2)
        tc_task_sleep(cx, 1);
    assert_true(f->last == TC_E_CLOSED || f->last == TC_E_CANCELED);

    request.max_bytes = 1 << 20;
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    for (n = 0; !(err = tc_client_read(cx, stream, 1000, &data));)
        n += data.n;
    assert_int_equal(err, TC_E_LIMIT);
    assert_true(n <= (1 << 20) + 16 * 1024);
    tc_client_close(stream);
}

void test_client__what_is_not_read_is_not_sent(void **state)
{
    (void)state;
    run(back_pressure);
}

static void quiet(struct fixture *f, struct tc_cx *cx)
{
    struct tc_client_request request = {.url = url(f, cx, "/flood")};
    struct tc_client_stream *stream;
    struct tc_client_response head;
    struct tc_str data;

    request.url = url(f, cx, "/wait");
    request.timeout_ms = 30;
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_E_TIMEOUT);
    request.url = url(f, cx, "/stream"); /* pauses 2 ms between pieces */
    request.timeout_ms = 0;
    assert_int_equal(tc_client_open(cx, f->client, &request, &head, &stream), TC_OK);
    while (tc_client_read(cx, stream, 0, &data) == TC_OK)
        ;
    assert_int_equal(cx->err.code, TC_E_TIMEOUT);
    assert_int_equal(tc_client_read(cx, stream, 1000, &data), TC_OK); /* and on it goes */
    tc_client_close(stream);
}

void test_client__a_quiet_stream_times_out_and_can_be_read_on(void **state)
{
    (void)state;
    run(quiet);
}

/* Cancelling and many at once */

struct job {
    struct fixture *f;
    const char *path;
    enum tc_err err;
};

static void one_fetch(struct tc_cx *cx, void *arg)
{
    struct job *job = arg;
    struct tc_client_request request = {.url = url(job->f, cx, job->path), .body = TC_STR("body")};
    struct tc_client_response response;

    job->err = tc_client_fetch(cx, job->f->client, &request, &response);
    if (!job->err && !tc_str_is(response.body, "body"))
        job->err = TC_E_INTERNAL;
}

static void many(struct fixture *f, struct tc_cx *cx)
{
    enum { N = 100 };
    struct job jobs[N];
    struct tc_task_group group;

    tc_task_group_init(&group, f->loop);
    for (int i = 0; i < N; i++) {
        jobs[i] = (struct job){f, "/echo", TC_E_INTERNAL};
        assert_int_equal(tc_task_spawn(cx, f->loop, &group, "fetch", one_fetch, &jobs[i]), TC_OK);
    }
    tc_task_join(cx, &group);
    for (int i = 0; i < N; i++)
        assert_int_equal(jobs[i].err, TC_OK);

    for (int i = 0; i < N; i++) {
        jobs[i].path = "/wait";
        assert_int_equal(tc_task_spawn(cx, f->loop, &group, "fetch", one_fetch, &jobs[i]), TC_OK);
    }
    while (f->started < 2 * N)
        tc_task_sleep(cx, 1);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    for (int i = 0; i < N; i++)
        assert_int_equal(jobs[i].err, TC_E_CANCELED);
    while (f->ended < 2 * N)
        tc_task_sleep(cx, 1);
    assert_int_equal(f->last, TC_E_CANCELED);
}

void test_client__many_at_once_and_all_cancelled(void **state)
{
    (void)state;
    run(many);
}

/* Servers that break off */

struct rude {
    int fd, clients, requests;
    int serve; /* requests to answer on a connection; the next one is read and the connection closed */
};

/* Serves one connection after the other until its socket is closed. */
static void rude_server(struct tc_cx *cx, void *arg)
{
    struct rude *rude = arg;
    char text[4096];

    while (tc_task_sleep(cx, 1) == TC_OK) {
        int fd = accept4(rude->fd, NULL, NULL, SOCK_NONBLOCK), served = 0;
        ssize_t n = 0;

        if (fd < 0)
            continue;
        rude->clients++;
        while (n >= 0 || errno == EAGAIN) {
            if (tc_task_sleep(cx, 1))
                break;
            n = recv(fd, text, sizeof text, 0);
            if (n == 0)
                break;
            if (n < 0)
                continue;
            rude->requests++;
            if (served++ == rude->serve)
                break;
            send(fd, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 40, MSG_NOSIGNAL);
        }
        close(fd);
    }
}

static void never_twice(struct fixture *f, struct tc_cx *cx)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    struct rude rude = {.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), .serve = 1};
    struct tc_client_request request = {.body = TC_STR("do it once")};
    struct tc_task_group group;
    bool sent = false;

    assert_int_equal(bind(rude.fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(rude.fd, 8), 0);
    assert_int_equal(getsockname(rude.fd, (struct sockaddr *)&address, &size), 0);
    request.url = tc_arena_printf(cx->arena, "http://127.0.0.1:%d/x", ntohs(address.sin_port));
    request.sent = &sent;
    tc_task_group_init(&group, f->loop);
    assert_int_equal(tc_task_spawn(cx, f->loop, &group, "rude", rude_server, &rude), TC_OK);

    assert_str(fetch(f, cx, request).body, "ok");
    assert_int_equal(fetch_fails(f, cx, request), TC_E_HTTP_UPSTREAM); /* taken on the kept connection, then cut */
    assert_true(sent);
    assert_int_equal(rude.requests, 2);
    assert_int_equal(rude.clients, 1);

    request.body = TC_STR("");
    request.method = TC_STR("DELETE");
    assert_str(fetch(f, cx, request).body, "ok");
    assert_str(fetch(f, cx, request).body, "ok"); /* without a body: never on a kept connection */
    assert_int_equal(rude.requests, 4);
    tc_task_group_cancel(&group, TC_E_CANCELED);
    tc_task_join(cx, &group);
    close(rude.fd);
}

void test_client__a_request_is_never_sent_twice(void **state)
{
    (void)state;
    run(never_twice);
}

static void exhausted(struct fixture *f, struct tc_cx *cx)
{
    struct tc_client_request request = {.url = url(f, cx, "/none"), .timeout_ms = 200};
    struct tc_client_response response;
    enum tc_err err;
    size_t failed = 0;

    for (size_t nth = 1; nth < 40; nth++) {
        tc_mem_fail_at(nth, false);
        err = tc_client_fetch(cx, f->client, &request, &response);
        tc_mem_fail_at(0, false);
        if (err)
            failed++;
        else
            assert_true(response.status == 404 || response.status == 503);
    }
    assert_true(failed > 0);
    assert_int_equal(fetch(f, cx, request).status, 404);
}

void test_client__outlives_each_failing_allocation(void **state)
{
    (void)state;
    run(exhausted);
}
