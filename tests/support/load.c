/*
 * Load on an MCP server, cheap enough not to be what is measured: one thread, one
 * epoll, a lane for each call that is in flight. Over HTTP a lane is a connection
 * that is kept; with SSE the answers of all lanes come on one stream; over stdio all
 * lanes share the pipes of a child. A call is sent when the one before has been
 * answered, and counts as failed unless its answer is a result without isError.
 *
 * usage: load PARALLEL MS PARAMS http|sse PORT PATH [FIELD…]
 *        load PARALLEL MS PARAMS stdio COMMAND [ARG…]
 *
 * MS is for how long, PARAMS the params of tools/call, FIELD a line of the request's
 * head. Prints one line of JSON: calls, failed, seconds, and p50, p99 and max in
 * microseconds.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "toolcrib/buf.h"

enum { LANES_MAX = 1024, CALLS_MAX = 10 * 1000 * 1000, ANSWER_MAX = 64 << 20, READ = 64 << 10 };

#define HELLO                                                                                                          \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","          \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"load\",\"version\":\"1\"}}}"
#define READY "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"

struct lane {
    int in, out;
    struct tc_buf answer; /* received, not yet whole */
    int64_t sent_us;
    int owed;             /* what is still to come before the next call: an answer; with SSE also the POST's */
};

struct load {
    struct lane lanes[LANES_MAX];
    int parallel, epoll;
    int64_t start_us, end_us;
    long sent, done, failed;
    const char *params, *path; /* path: NULL over stdio */
    bool sse;
    struct lane stream;   /* with SSE: where answers come */
    struct tc_buf events; /* what came on it, without its chunks */
    char endpoint[512];   /* with SSE: where messages go, the path */
    char *const *fields;
    char session[256]; /* a line of the head, or empty */
    struct tc_buf request;
    int *took_us;
};

static void die(const char *what)
{
    fprintf(stderr, "load: %s (%s)\n", what, strerror(errno));
    exit(1);
}

static int64_t now_us(void)
{
    return tc_clock_mono_us(&tc_clock_system);
}

/* --- sending --- */

static void write_all(int fd, struct tc_str data)
{
    while (data.n) {
        ssize_t n = write(fd, data.p, data.n);

        if (n < 0 && errno != EINTR)
            die("cannot send");
        data = tc_str_from(data, n > 0 ? (size_t)n : 0);
    }
}

static void send_message(struct load *load, struct lane *lane, struct tc_str message)
{
    struct tc_buf *out = &load->request;

    tc_buf_clear(out);
    if (load->path) {
        tc_buf_printf(out, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s", load->path, load->session);
        for (char *const *field = load->fields; *field; field++)
            tc_buf_printf(out, "%s\r\n", *field);
        tc_buf_printf(out,
                      "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
                      "Content-Length: %zu\r\n\r\n%.*s",
                      message.n, TC_STR_ARG(message));
    } else {
        tc_buf_str(out, message);
        tc_buf_char(out, '\n');
    }
    write_all(lane->out, tc_buf_get(out));
}

/* The id tells the lane, too. */
static void send_call(struct load *load, int lane)
{
    char message[64 * 1024];
    int n = snprintf(message, sizeof message,
                     "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"tools/call\",\"params\":%s}",
                     (++load->sent) * LANES_MAX + lane, load->params);

    load->lanes[lane].owed = load->sse ? 2 : 1;
    load->lanes[lane].sent_us = now_us();
    send_message(load, &load->lanes[lane], tc_str_n(message, (size_t)n));
}

/* --- receiving --- */

static struct tc_str field_of(struct tc_str head, struct tc_str name)
{
    struct tc_str line;

    while (tc_str_split(&head, '\n', &line))
        if (line.n > name.n && line.p[name.n] == ':' && tc_str_eq_nocase(tc_str_n(line.p, name.n), name))
            return tc_str_trim(tc_str_from(line, name.n + 1));
    return TC_STR("");
}

/* Where the chunks that begin at `at` end; 0 while they have not. */
static size_t chunks_end(struct tc_str in, size_t at)
{
    for (;;) {
        size_t line = tc_str_find(tc_str_from(in, at), TC_STR("\r\n")), size;

        if (at >= in.n || line == SIZE_MAX)
            return 0;
        size = strtoul(in.p + at, NULL, 16);
        at += line + 2 + size + 2;
        if (at > in.n)
            return 0;
        if (size == 0)
            return at;
    }
}

/* The first message of `in` when it is whole: a line, or a response with its head. */
static bool take_message(const struct load *load, struct tc_str in, struct tc_str *ret)
{
    size_t end = load->path ? tc_str_find(in, TC_STR("\r\n\r\n")) : tc_str_chr(in, '\n'), whole;
    struct tc_str head;
    int64_t size = 0;

    if (end == SIZE_MAX)
        return false;
    head = tc_str_n(in.p, end);
    if (!load->path)
        whole = end + 1;
    else if (tc_str_eq_nocase(field_of(head, TC_STR("Transfer-Encoding")), TC_STR("chunked")))
        whole = chunks_end(in, end + 4);
    else
        whole = tc_str_int(field_of(head, TC_STR("Content-Length")), &size), whole = end + 4 + (size_t)size;
    *ret = tc_str_n(in.p, whole);
    return whole > 0 && whole <= in.n;
}

static void receive(struct lane *lane)
{
    char *to = tc_buf_reserve(&lane->answer, READ);
    ssize_t n = to ? read(lane->in, to, READ) : -1;

    if (n <= 0)
        die("the server ended the connection");
    lane->answer.n += (size_t)n;
}

/* Sends what is no call, and waits for what is answered. */
static void ask(struct load *load, const char *message, bool answered)
{
    struct lane *lane = &load->lanes[0];
    struct tc_str answer, session;

    send_message(load, lane, tc_str_of(message));
    if (!answered)
        return;
    while (!take_message(load, tc_buf_get(&lane->answer), &answer))
        receive(lane);
    session = load->path ? field_of(answer, TC_STR("Mcp-Session-Id")) : TC_STR("");
    if (session.n)
        snprintf(load->session, sizeof load->session, "Mcp-Session-Id: %.*s\r\n", TC_STR_ARG(session));
    tc_buf_drop(&lane->answer, answer.n);
}

static int lane_of(const struct load *load, struct tc_str answer, int on)
{
    size_t at = tc_str_find(answer, TC_STR("\"id\":"));

    if (load->path || at == SIZE_MAX)
        return on;
    return (int)(strtol(answer.p + at + 5, NULL, 10) % LANES_MAX);
}

static bool is_good(struct tc_str answer)
{
    return tc_str_find(answer, TC_STR("\"result\"")) != SIZE_MAX &&
           tc_str_find(answer, TC_STR("\"isError\":true")) == SIZE_MAX;
}

/* Something that a lane waited for has come; after the last of it the next call goes. */
static void settle(struct load *load, int of)
{
    if (--load->lanes[of].owed == 0 && now_us() < load->end_us && load->sent < CALLS_MAX)
        send_call(load, of);
}

static void count(struct load *load, struct tc_str answer, int of)
{
    if (!is_good(answer) && load->failed++ == 0)
        fprintf(stderr, "load: the first failure: %.*s\n", TC_STR_ARG(answer));
    load->took_us[load->done++] = (int)(now_us() - load->lanes[of].sent_us);
    settle(load, of);
}

static void on_readable(struct load *load, int on)
{
    struct lane *lane = &load->lanes[on];
    struct tc_str answer, in;

    receive(lane);
    in = tc_buf_get(&lane->answer);
    while (take_message(load, in, &answer)) {
        if (load->sse)
            settle(load, on);
        else
            count(load, answer, lane_of(load, answer, on));
        in = tc_str_from(in, answer.n);
    }
    tc_buf_drop(&lane->answer, lane->answer.n - in.n);
}

/* --- SSE --- */

/* Moves what has come of the stream to the events, without its chunks. */
static void strip_chunks(struct load *load)
{
    struct tc_str in;
    size_t line, size;

    for (;;) {
        in = tc_buf_get(&load->stream.answer);
        line = tc_str_find(in, TC_STR("\r\n"));
        size = line == SIZE_MAX ? 0 : strtoul(in.p, NULL, 16);
        if (line == SIZE_MAX || in.n < line + size + 4)
            return;
        tc_buf_add(&load->events, in.p + line + 2, size);
        tc_buf_drop(&load->stream.answer, line + size + 4);
    }
}

/* The data of the first event that is whole; that of pings and the like is empty. */
static bool take_event(struct load *load, struct tc_str *ret)
{
    struct tc_str in = tc_buf_get(&load->events), event, line;
    size_t end = tc_str_find(in, TC_STR("\n\n"));

    if (end == SIZE_MAX)
        return false;
    event = tc_str_n(in.p, end);
    *ret = TC_STR("");
    while (tc_str_split(&event, '\n', &line))
        if (tc_str_starts(line, TC_STR("data:")))
            *ret = tc_str_trim(tc_str_from(line, 5));
    return true;
}

static void drop_event(struct load *load)
{
    tc_buf_drop(&load->events, tc_str_find(tc_buf_get(&load->events), TC_STR("\n\n")) + 2);
}

static void on_event(struct load *load)
{
    struct tc_str data;

    receive(&load->stream);
    strip_chunks(load);
    for (; take_event(load, &data); drop_event(load)) {
        size_t at = tc_str_find(data, TC_STR("\"id\":"));

        if (at != SIZE_MAX)
            count(load, data, (int)(strtol(data.p + at + 5, NULL, 10) % LANES_MAX));
    }
}

/* Waits for one event on the stream, and copies its data. */
static void await_event(struct load *load, char *data, size_t size)
{
    struct tc_str event = TC_STR("");

    for (;;) {
        strip_chunks(load);
        if (take_event(load, &event) && event.n)
            break;
        if (take_event(load, &event))
            drop_event(load);
        else
            receive(&load->stream);
    }
    snprintf(data, size, "%.*s", TC_STR_ARG(event));
    drop_event(load);
}

/* --- the whole --- */

static int connect_to(int port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&to, sizeof to) != 0)
        die("cannot connect");
    return fd;
}

static void start_child(char *const *argv, struct lane *lane)
{
    int in[2], out[2];

    if (pipe(in) != 0 || pipe(out) != 0)
        die("no pipe");
    if (fork() == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[1]);
        close(out[0]);
        execvp(argv[0], argv);
        die("cannot start the server");
    }
    close(in[0]);
    close(out[1]);
    lane->in = out[0];
    lane->out = in[1];
}

/* Opens the stream, whose first event says where messages go. */
static void open_stream(struct load *load, int port)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = LANES_MAX};
    size_t head;

    tc_buf_init(&load->stream.answer, ANSWER_MAX);
    tc_buf_init(&load->events, ANSWER_MAX);
    load->stream.in = load->stream.out = connect_to(port);
    tc_buf_printf(&load->request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n",
                  load->path);
    write_all(load->stream.out, tc_buf_get(&load->request));
    while ((head = tc_str_find(tc_buf_get(&load->stream.answer), TC_STR("\r\n\r\n"))) == SIZE_MAX)
        receive(&load->stream);
    tc_buf_drop(&load->stream.answer, head + 4);
    await_event(load, load->endpoint, sizeof load->endpoint);
    load->path = load->endpoint;
    if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, load->stream.in, &event) != 0)
        die("cannot watch a connection");
}

static void open_lanes(struct load *load, char **argv)
{
    int n = load->path ? load->parallel : 1;

    for (int i = 0; i < n; i++) {
        struct lane *lane = &load->lanes[i];
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};

        tc_buf_init(&lane->answer, ANSWER_MAX);
        if (load->path)
            lane->in = lane->out = connect_to(atoi(argv[5]));
        else
            start_child(argv + 5, lane);
        if (epoll_ctl(load->epoll, EPOLL_CTL_ADD, lane->in, &event) != 0)
            die("cannot watch a connection");
    }
    for (int i = n; i < load->parallel; i++)
        load->lanes[i].out = load->lanes[0].out;
}

static void run(struct load *load)
{
    struct epoll_event events[64];

    for (int i = 0; i < load->parallel; i++)
        send_call(load, i);
    while (load->done < load->sent) {
        int n = epoll_wait(load->epoll, events, 64, 30000);

        if (n == 0)
            die("no answer within 30 s");
        for (int i = 0; i < n; i++) {
            if (events[i].data.u32 == LANES_MAX)
                on_event(load);
            else
                on_readable(load, (int)events[i].data.u32);
        }
    }
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
    static struct load load;
    char answer[512];
    double seconds;

    if (argc < 6) {
        fprintf(stderr, "usage: load PARALLEL MS PARAMS http|sse PORT PATH [FIELD...] | stdio COMMAND [ARG...]\n");
        return 2;
    }
    load.parallel = atoi(argv[1]) < LANES_MAX ? atoi(argv[1]) : LANES_MAX;
    load.params = argv[3];
    load.path = strcmp(argv[4], "stdio") != 0 ? argv[6] : NULL;
    load.sse = strcmp(argv[4], "sse") == 0;
    load.fields = argv + (load.path ? 7 : argc);
    load.took_us = malloc(CALLS_MAX * sizeof *load.took_us);
    load.epoll = epoll_create1(0);
    tc_buf_init(&load.request, ANSWER_MAX);
    if (load.sse)
        open_stream(&load, atoi(argv[5]));
    open_lanes(&load, argv);
    ask(&load, HELLO, true);
    if (load.sse)
        await_event(&load, answer, sizeof answer);
    ask(&load, READY, load.path != NULL);
    load.start_us = now_us();
    load.end_us = load.start_us + atol(argv[2]) * 1000;
    run(&load);
    seconds = (double)(now_us() - load.start_us) / 1e6;
    qsort(load.took_us, (size_t)load.done, sizeof *load.took_us, by_size);
    printf("{\"calls\":%ld,\"failed\":%ld,\"seconds\":%.3f,\"p50\":%d,\"p99\":%d,\"max\":%d}\n", load.done, load.failed,
           seconds, load.took_us[load.done / 2], load.took_us[load.done * 99 / 100], load.took_us[load.done - 1]);
    return load.failed > 0;
}
