/*
 * The server that records and lets the test answer; the socket that says one thing.
 */
#include "support/web.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"

static void record(struct test_web *web, const struct tc_exchange *ex)
{
    static const char *const names[] = {"accept", "content-type", "mcp-session-id", "mcp-protocol-version",
                                        "last-event-id", "authorization", "mcp-method", "mcp-name", "x-own", "x-other"};
    const struct tc_request *request = tc_exchange_request(ex);

    tc_buf_printf(&web->log, "%.*s %.*s\n", TC_STR_ARG(request->method), TC_STR_ARG(request->path));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct tc_str value = tc_exchange_header(ex, tc_str_of(names[i]));

        if (value.p)
            tc_buf_printf(&web->log, "%s: %.*s\n", names[i], TC_STR_ARG(value));
    }
    tc_buf_printf(&web->log, "\n%.*s\n---\n", TC_STR_ARG(tc_exchange_body(ex)));
}

static void handle(struct tc_cx *cx, void *arg, struct tc_exchange *ex)
{
    struct test_web *web = arg;
    int n = web->requests++;

    record(web, ex);
    web->serve(cx, web, ex, n);
    web->served_last = tc_task_check(cx);
    web->served++;
}

static void on_message(void *arg, struct tc_cx *cx, const struct tc_link_message *message)
{
    struct test_web *web = arg;
    struct tc_str params = message->rpc.params ? tc_json_text(cx->arena, message->rpc.params) : TC_STR("");
    int i = web->heard++;

    if (i >= TEST_WEB_HEARD_MAX)
        return;
    web->heard_use[i] = message->use;
    web->heard_what[i] = (char *)tc_arena_printf(&web->arena, "%.*s%.*s%s%.*s", TC_STR_ARG(message->rpc.id),
                                                 TC_STR_ARG(message->rpc.method), params.n ? " " : "",
                                                 TC_STR_ARG(params)).p;
}

static void on_ended(void *arg)
{
    ((struct test_web *)arg)->ended++;
}

void test_web_init(struct tc_cx *cx, struct test_web *web, test_web_fn *serve)
{
    struct tc_server_options options = {.handler = handle, .arg = web};

    *web = (struct test_web){.serve = serve};
    web->events = (struct tc_link_events){.message = on_message, .ended = on_ended, .arg = web};
    tc_buf_init(&web->log, 1 << 20);
    tc_arena_init(&web->arena, 0);
    expect_int(tc_server_create(cx, tc_task_loop(cx), &options, &web->server), TC_OK);
    expect_int(tc_server_listen_tcp(cx, web->server, "127.0.0.1", 0, &web->port), TC_OK);
    expect_int(tc_client_create(cx, tc_task_loop(cx), &web->client), TC_OK);
}

void test_web_finish(struct tc_cx *cx, struct test_web *web)
{
    tc_client_destroy(web->client);
    tc_server_stop(cx, web->server, 0);
    tc_server_destroy(web->server);
    tc_buf_finish(&web->log);
    tc_arena_finish(&web->arena);
}

struct tc_str test_web_url(struct tc_cx *cx, const struct test_web *web, const char *path)
{
    return tc_arena_printf(cx->arena, "http://127.0.0.1:%d%s", web->port, path);
}

/* --- answers --- */

void test_web_json(struct tc_cx *cx, struct tc_exchange *ex, int status, const char *json)
{
    tc_exchange_json(cx, ex, status, tc_str_of(json));
}

void test_web_json_with(struct tc_cx *cx, struct tc_exchange *ex, const char *json, const char *name,
                        const char *value)
{
    struct tc_header extra = {tc_str_of(name), tc_str_of(value)};
    struct tc_exchange_reply reply = {.status = 200,
                                      .content_type = TC_STR("application/json"),
                                      .extra = {&extra, 1},
                                      .body = tc_str_of(json)};

    tc_exchange_reply(cx, ex, &reply);
}

void test_web_status(struct tc_cx *cx, struct tc_exchange *ex, int status)
{
    struct tc_exchange_reply reply = {.status = status};

    tc_exchange_reply(cx, ex, &reply);
}

void test_web_stream(struct tc_cx *cx, struct tc_exchange *ex, const char *text)
{
    struct tc_exchange_reply reply = {
        .status = 200, .content_type = TC_STR("text/event-stream"), .body = tc_str_of(text)};

    tc_exchange_stream_begin(cx, ex, &reply);
}

void test_web_write(struct tc_cx *cx, struct tc_exchange *ex, const char *text)
{
    tc_exchange_stream_write(cx, ex, tc_str_of(text));
}

bool test_web_is(const struct tc_exchange *ex, const char *method)
{
    return tc_str_is(tc_exchange_request(ex)->method, method);
}

bool test_web_says(const struct tc_exchange *ex, const char *part)
{
    return tc_str_find(tc_exchange_body(ex), tc_str_of(part)) != SIZE_MAX;
}

bool test_web_saw(struct tc_cx *cx, struct test_web *web, const char *part)
{
    for (int i = 0; i < 400; i++) {
        if (tc_str_find(tc_buf_get(&web->log), tc_str_of(part)) != SIZE_MAX)
            return true;
        tc_task_sleep(cx, 5);
    }
    print_error("not seen: \"%s\" in\n%.*s\n", part, TC_STR_ARG(tc_buf_get(&web->log)));
    return false;
}

int test_web_count(const struct test_web *web, const char *part)
{
    struct tc_str rest = tc_buf_get(&web->log), p = tc_str_of(part);
    size_t at;
    int n = 0;

    for (; (at = tc_str_find(rest, p)) != SIZE_MAX; n++)
        rest = tc_str_from(rest, at + p.n);
    return n;
}

bool test_web_served(struct tc_cx *cx, const struct test_web *web, int n)
{
    for (int i = 0; i < 400 && web->served < n; i++)
        tc_task_sleep(cx, 5);
    return expect_int(web->served, n);
}

/* --- a Streamable HTTP link to it --- */

struct tc_link *test_web_link_to(struct tc_cx *cx, struct test_web *web, struct tc_remote remote)
{
    struct tc_link_http_options options = {
        .loop = tc_task_loop(cx), .remote = &remote, .message_max = TEST_WEB_MESSAGE_MAX};
    struct tc_link *link = NULL;

    remote.client = web->client;
    if (!remote.url.p)
        remote.url = test_web_url(cx, web, "/mcp");
    expect_int(tc_link_http_open(cx, &options, &web->events, &link), TC_OK);
    return link;
}

struct tc_link *test_web_link(struct tc_cx *cx, struct test_web *web, test_web_fn *serve)
{
    test_web_init(cx, web, serve);
    return test_web_link_to(cx, web, (struct tc_remote){0});
}

void test_web_link_close(struct tc_cx *cx, struct tc_link *link)
{
    link->ops->close(link);
    expect_int(link->ops->join(cx, link, 15000), TC_OK);
    link->ops->unref(link);
}

void test_web_link_finish(struct tc_cx *cx, struct test_web *web, struct tc_link *link)
{
    test_web_link_close(cx, link);
    test_web_finish(cx, web);
}

struct tc_link_status test_web_link_status(const struct tc_link *link)
{
    struct tc_link_status status;

    link->ops->status(link, &status);
    return status;
}

const struct tc_mcp_revision *test_web_revision(const char *name)
{
    return tc_mcp_revision_find(tc_str_of(name));
}

/* --- requests over a link --- */

static void write_empty(struct tc_jsonw *w, int64_t id, void *arg)
{
    (void)id, (void)arg;
    tc_jsonw_object(w);
    tc_jsonw_end(w);
}

struct tc_link_reply test_web_send(struct tc_cx *cx, struct tc_link *link, struct tc_link_request request)
{
    struct tc_link_reply reply = {.http_status = -1};

    if (!request.write_params)
        request.write_params = write_empty;
    expect_int(link->ops->request(cx, link, &request, &reply), TC_OK);
    return reply;
}

struct tc_link_reply test_web_ask(struct tc_cx *cx, struct tc_link *link, const char *method)
{
    return test_web_send(cx, link, (struct tc_link_request){.method = method, .timeout_ms = 5000});
}

bool test_web_ok(struct tc_link_reply reply)
{
    return reply.base.outcome == TC_OUTCOME_RESULT && tc_json_bool(tc_json_get_c(reply.base.result, "ok"), false);
}

bool test_web_message_has(struct tc_str message, const char *part)
{
    if (tc_str_find(message, tc_str_of(part)) != SIZE_MAX)
        return true;
    print_error("\"%s\" is not in \"%.*s\"\n", part, TC_STR_ARG(message));
    return false;
}

/* --- a socket that says one thing --- */

struct test_raw {
    pthread_t thread;
    int listener, stop[2];
    const char *bytes;
    size_t n;
    int linger_ms;
};

/* True when the descriptor can be read; false when it is time to stop. */
static bool await(struct test_raw *raw, int fd, int ms)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = raw->stop[0], .events = POLLIN}};

    return poll(fds, 2, ms) > 0 && !fds[1].revents;
}

static void say(struct test_raw *raw, int fd)
{
    char head[8192];
    size_t n = 0;
    ssize_t got = 1;

    while (n < sizeof head - 1 && got > 0 && await(raw, fd, 5000)) {
        got = recv(fd, head + n, sizeof head - 1 - n, 0);
        n += got > 0 ? (size_t)got : 0;
        head[n] = '\0';
        if (strstr(head, "\r\n\r\n"))
            break;
    }
    while (got > 0 && await(raw, fd, 30)) /* what is left unread at close would take the answer with it */
        got = recv(fd, head, sizeof head, 0);
    got = 1;
    for (size_t at = 0; at < raw->n && got > 0; at += (size_t)got)
        got = send(fd, raw->bytes + at, raw->n - at, MSG_NOSIGNAL);
    if (raw->linger_ms)
        await(raw, raw->stop[0], raw->linger_ms);
}

static void *serve_raw(void *arg)
{
    struct test_raw *raw = arg;

    while (await(raw, raw->listener, -1)) {
        int fd = accept(raw->listener, NULL, NULL);

        if (fd < 0)
            break;
        say(raw, fd);
        close(fd);
    }
    return NULL;
}

struct test_raw *test_raw_start(const char *bytes, size_t n, int linger_ms, int *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct test_raw *raw = calloc(1, sizeof *raw);
    socklen_t size = sizeof address;

    *raw = (struct test_raw){.bytes = bytes, .n = n, .linger_ms = linger_ms};
    raw->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    expect_int(bind(raw->listener, (struct sockaddr *)&address, size), 0);
    expect_int(listen(raw->listener, 8), 0);
    expect_int(getsockname(raw->listener, (struct sockaddr *)&address, &size), 0);
    expect_int(pipe(raw->stop), 0);
    expect_int(pthread_create(&raw->thread, NULL, serve_raw, raw), 0);
    *ret_port = ntohs(address.sin_port);
    return raw;
}

void test_raw_stop(struct test_raw *raw)
{
    expect_int(write(raw->stop[1], "x", 1), 1);
    pthread_join(raw->thread, NULL);
    close(raw->listener);
    close(raw->stop[0]);
    close(raw->stop[1]);
    free(raw);
}
