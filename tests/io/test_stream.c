#include "support/task.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "io/stream.h"
#include "toolcrib/buf.h"

enum { MEGA = 1024 * 1024, BIG = 10 * MEGA };

static bool make_pair(struct tc_cx *cx, struct tc_stream **ends)
{
    int fds[2];

    return expect_int(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0) &&
           expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[0], &ends[0]), TC_OK) &&
           expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[1], &ends[1]), TC_OK);
}

/* A stream and the plain descriptor of its peer. */
static struct tc_stream *make_half(struct tc_cx *cx, int *ret_fd)
{
    struct tc_stream *stream = NULL;
    int fds[2];

    expect_int(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[0], &stream), TC_OK);
    *ret_fd = fds[1];
    return stream;
}

/* Big data both ways */

struct side {
    struct tc_stream *stream;
    unsigned seed;
    int64_t pause_ms;
    size_t got;
};

static unsigned char byte_at(unsigned seed, size_t i)
{
    return (unsigned char)((i * 2654435761u + seed) >> 13);
}

static void write_big(struct tc_cx *cx, void *arg)
{
    struct side *side = arg;
    char *data = tc_arena_alloc(cx->arena, BIG);

    for (size_t i = 0; i < BIG; i++)
        data[i] = (char)byte_at(side->seed, i);
    for (size_t at = 0, n = 1; at < BIG; at += n, n = n * 3 + 1) {
        n = n < BIG - at ? n : BIG - at;
        expect_int(tc_stream_write(cx, side->stream, tc_str_n(data + at, n)), TC_OK);
    }
    memset(data, 0, BIG); /* nothing of it is needed any more */
}

static void read_big(struct tc_cx *cx, void *arg)
{
    struct side *side = arg;
    struct tc_buf buf;

    tc_buf_init(&buf, BIG);
    while (side->got < BIG) {
        size_t bad = 0;

        if (!expect_int(tc_stream_read(cx, side->stream, &buf, 60 * 1000), TC_OK))
            break;
        for (size_t i = 0; i < buf.n; i++)
            bad += (unsigned char)buf.p[i] != byte_at(side->seed, side->got + i);
        expect_int(bad, 0);
        side->got += buf.n;
        tc_buf_clear(&buf);
        if (side->pause_ms && side->got % 5 == 0)
            tc_task_sleep(cx, side->pause_ms);
    }
    tc_buf_finish(&buf);
}

static void both_ways(struct tc_cx *cx, void *arg)
{
    struct tc_stream *ends[2];
    struct side writers[2], readers[2];
    struct tc_task_group group;

    (void)arg;
    if (!make_pair(cx, ends))
        return;
    tc_task_group_init(&group, tc_task_loop(cx));
    for (int i = 0; i < 2; i++) {
        writers[i] = (struct side){.stream = ends[i], .seed = (unsigned)i};
        readers[i] = (struct side){.stream = ends[!i], .seed = (unsigned)i, .pause_ms = i ? 2 : 0};
        expect_int(tc_task_spawn(cx, group.loop, &group, "writer", write_big, &writers[i]), TC_OK);
        expect_int(tc_task_spawn(cx, group.loop, &group, "reader", read_big, &readers[i]), TC_OK);
    }
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(readers[0].got, BIG);
    expect_int(readers[1].got, BIG);
    tc_stream_close(ends[0]);
    tc_stream_close(ends[1]);
}

void test_stream__moves_ten_megabytes_both_ways_at_once(void **state)
{
    (void)state;
    test_task_run(both_ways, NULL);
}

/* Ends and limits of reading */

static void read_ends(struct tc_cx *cx, void *arg)
{
    struct tc_stream *stream;
    struct tc_buf buf;
    int peer;

    (void)arg;
    stream = make_half(cx, &peer);
    tc_buf_init(&buf, 8);
    expect_int(tc_stream_read(cx, stream, &buf, 0), TC_E_TIMEOUT);
    expect_int(tc_stream_read(cx, stream, &buf, 5), TC_E_TIMEOUT);
    expect_int(write(peer, "abc", 3), 3);
    expect_int(tc_stream_read(cx, stream, &buf, 1000), TC_OK);
    expect_int(write(peer, "defghijk", 8), 8);
    expect_int(tc_stream_read(cx, stream, &buf, 1000), TC_OK); /* appends up to the maximum */
    expect_text(tc_buf_get(&buf), "abcdefgh");
    expect_int(tc_stream_read(cx, stream, &buf, 1000), TC_E_LIMIT);
    tc_buf_drop(&buf, 8);
    close(peer);
    expect_int(tc_stream_read(cx, stream, &buf, 1000), TC_OK);
    expect_text(tc_buf_get(&buf), "ijk");
    expect_int(tc_stream_read(cx, stream, &buf, 1000), TC_E_CLOSED);
    expect_int(tc_stream_read(cx, stream, &buf, 1000), TC_E_CLOSED);
    expect_int(cx->err.code, TC_E_CLOSED);
    expect_int(tc_stream_write(cx, stream, TC_STR("x")), TC_E_CLOSED); /* and no SIGPIPE */
    tc_buf_finish(&buf);
    tc_stream_close(stream);
    tc_stream_close(NULL);
}

void test_stream__read_honours_timeout_maximum_and_end(void **state)
{
    (void)state;
    test_task_run(read_ends, NULL);
}

static void pipes(struct tc_cx *cx, void *arg)
{
    struct tc_stream *in, *out;
    struct tc_buf buf;
    int fds[2];

    (void)arg;
    expect_int(pipe(fds), 0);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[0], &in), TC_OK);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[1], &out), TC_OK);
    expect(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
    tc_buf_init(&buf, 1000);
    expect_int(tc_stream_write(cx, out, TC_STR("through a pipe")), TC_OK);
    expect_int(tc_stream_write(cx, out, TC_STR("")), TC_OK);
    expect_int(tc_stream_read(cx, in, &buf, 1000), TC_OK);
    expect_text(tc_buf_get(&buf), "through a pipe");
    tc_stream_close(in);
    expect_int(tc_stream_write(cx, out, TC_STR("x")), TC_E_CLOSED);
    tc_stream_close(out);
    tc_buf_finish(&buf);
}

void test_stream__reads_and_writes_pipes(void **state)
{
    (void)state;
    test_task_run(pipes, NULL);
}

static void bad_descriptors(struct tc_cx *cx, void *arg)
{
    struct tc_stream *stream = NULL;
    int fd = open("/proc/self/status", O_RDONLY);

    (void)arg;
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fd, &stream), TC_E_IO); /* a file has no readiness */
    expect_int(fcntl(fd, F_GETFD), -1);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), 1000, &stream), TC_E_IO);
    expect(stream == NULL);
    if (tc_mem_fail_at(1, true)) {
        fd = dup(1);
        expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fd, &stream), TC_E_NO_MEMORY);
        tc_mem_fail_at(0, false);
        expect_int(fcntl(fd, F_GETFD), -1);
    }
}

void test_stream__refuses_what_cannot_be_watched_and_closes_it(void **state)
{
    (void)state;
    test_task_run(bad_descriptors, NULL);
}

/* Cancelling and closing under a parked task */

struct user {
    struct tc_stream *stream;
    enum tc_err code, second;
    size_t n;
};

static void read_once(struct tc_cx *cx, void *arg)
{
    struct user *user = arg;
    struct tc_buf buf;

    tc_buf_init(&buf, 100);
    user->code = tc_stream_read(cx, user->stream, &buf, -1);
    user->n = buf.n;
    tc_buf_finish(&buf);
}

static void write_much(struct tc_cx *cx, void *arg)
{
    struct user *user = arg;
    char *data = tc_arena_zalloc(cx->arena, 1, MEGA);

    user->code = tc_stream_write(cx, user->stream, tc_str_n(data, MEGA));
    memset(data, 'x', MEGA); /* must not reach the peer */
}

static void close_under(struct tc_cx *cx, void *arg)
{
    struct user reader = {0}, writer = {0};
    struct tc_task_group group;
    int peer;

    (void)arg;
    reader.stream = writer.stream = make_half(cx, &peer);
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, group.loop, &group, "reader", read_once, &reader), TC_OK);
    expect_int(tc_task_spawn(cx, group.loop, &group, "writer", write_much, &writer), TC_OK);
    tc_task_sleep(cx, 2);
    tc_stream_close(reader.stream);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(reader.code, TC_E_CLOSED);
    expect_int(writer.code, TC_E_CLOSED);
    close(peer);
}

void test_stream__close_wakes_reader_and_writer(void **state)
{
    (void)state;
    test_task_run(close_under, NULL);
}

static void cancel_under(struct tc_cx *cx, void *arg)
{
    struct user reader = {0}, writer = {0};
    struct tc_task *tasks[2];
    struct tc_task_group group;
    char *got = tc_arena_alloc(cx->arena, MEGA);
    ssize_t n, total = 0;
    int peer;

    (void)arg;
    reader.stream = writer.stream = make_half(cx, &peer);
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "reader", read_once, &reader, &tasks[0]), TC_OK);
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "writer", write_much, &writer, &tasks[1]), TC_OK);
    tc_task_sleep(cx, 2);
    tc_task_cancel(tasks[0], TC_E_CANCELED);
    tc_task_cancel(tasks[1], TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(reader.code, TC_E_CANCELED);
    expect_int(writer.code, TC_E_CANCELED);
    /* Writing is over, since half a message is out; reading can go on. */
    expect_int(tc_stream_write(cx, writer.stream, TC_STR("x")), TC_E_CLOSED);
    expect_int(write(peer, "abc", 3), 3);
    read_once(cx, &reader);
    expect_int(reader.code, TC_OK);
    expect_int(reader.n, 3);
    while ((n = recv(peer, got, MEGA, MSG_DONTWAIT)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            if (got[i] != 0) {
                expect(false);
                break;
            }
        total += n;
    }
    expect(total > 0 && total < MEGA);
    tc_stream_close(reader.stream);
    close(peer);
}

void test_stream__cancelled_write_sends_nothing_afterwards(void **state)
{
    (void)state;
    test_task_run(cancel_under, NULL);
}

static void cancel_full(struct tc_cx *cx, void *arg)
{
    struct user writer = {0};
    struct tc_task *task;
    struct tc_task_group group;
    char filler[4096] = {0};
    int peer;

    (void)arg;
    writer.stream = make_half(cx, &peer);
    tc_task_group_init(&group, tc_task_loop(cx));
    for (;;) { /* fill it up with whole messages */
        int64_t old = tc_task_deadline_set(cx, tc_clock_mono_us(cx->clock) + 2000);
        enum tc_err code = tc_stream_write(cx, writer.stream, tc_str_n(filler, 1));

        tc_task_deadline_restore(cx, old);
        if (code != TC_OK) {
            expect_int(code, TC_E_TIMEOUT);
            break;
        }
    }
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "writer", write_much, &writer, &task), TC_OK);
    tc_task_sleep(cx, 2);
    tc_task_cancel(task, TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(writer.code, TC_E_CANCELED);
    while (recv(peer, filler, sizeof filler, MSG_DONTWAIT) > 0)
        ;
    expect_int(tc_stream_write(cx, writer.stream, TC_STR("whole")), TC_OK); /* none of the cancelled one was sent */
    expect_int(recv(peer, filler, sizeof filler, MSG_DONTWAIT), 5);
    tc_stream_close(writer.stream);
    close(peer);
}

void test_stream__write_cancelled_before_its_first_byte_leaves_it_usable(void **state)
{
    (void)state;
    test_task_run(cancel_full, NULL);
}

static void read_forever(struct tc_cx *cx, void *arg)
{
    struct user *user = arg;
    struct tc_buf buf;

    tc_buf_init(&buf, 1024);
    while ((user->code = tc_stream_read(cx, user->stream, &buf, -1)) == TC_OK) {
        user->n += buf.n;
        tc_buf_clear(&buf);
    }
    tc_buf_finish(&buf);
}

static void busy_stream(struct tc_cx *cx, void *arg)
{
    struct user user = {0};
    struct tc_task *task;
    struct tc_task_group group;
    int fds[2], turns = 0;
    char *data = tc_arena_zalloc(cx->arena, 1, 128 * 1024);

    (void)arg;
    expect_int(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    expect(write(fds[1], data, 128 * 1024) == 128 * 1024);
    expect_int(tc_stream_open_fd(cx, tc_task_loop(cx), fds[0], &user.stream), TC_OK);
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn_ref(cx, group.loop, &group, "reader", read_forever, &user, &task), TC_OK);
    while (user.n < 128 * 1024 && ++turns < 10000)
        tc_task_yield(cx);
    expect(turns >= 128 / 16); /* 128 reads of 1 KiB were there to take without waiting */
    tc_task_cancel(task, TC_E_CANCELED);
    expect_int(tc_task_join(cx, &group), TC_OK);
    expect_int(user.code, TC_E_CANCELED);
    tc_stream_close(user.stream);
    close(fds[1]);
}

void test_stream__a_reader_that_never_waits_lets_others_run(void **state)
{
    (void)state;
    test_task_run(busy_stream, NULL);
}

/* Connecting */

static int listen_on(int family, const struct sockaddr *address, socklen_t size, int backlog)
{
    int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    expect(fd >= 0 && bind(fd, address, size) == 0 && listen(fd, backlog) == 0);
    return fd;
}

static void connect_tcp(struct tc_cx *cx, void *arg)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = listen_on(AF_INET, (struct sockaddr *)&address, size, 5), port, peer;
    struct tc_stream *stream = NULL;
    char got[8] = {0};

    (void)arg;
    getsockname(listener, (struct sockaddr *)&address, &size);
    port = ntohs(address.sin_port);
    expect_int(tc_stream_connect_tcp(cx, "127.0.0.1", port, &stream), TC_OK);
    peer = accept(listener, NULL, NULL);
    expect_int(tc_stream_write(cx, stream, TC_STR("hello")), TC_OK);
    expect_int(read(peer, got, sizeof got), 5);
    tc_stream_close(stream);
    close(peer);
    close(listener);
    stream = NULL;
    expect_int(tc_stream_connect_tcp(cx, "127.0.0.1", port, &stream), TC_E_IO);
    expect_text(cx->err.message, "Connecting to 127.0.0.1 failed: Connection refused.");
    expect_int(tc_stream_connect_tcp(cx, "localhost", port, &stream), TC_E_USAGE);
    expect_int(tc_stream_connect_tcp(cx, "127.0.0.1", 0, &stream), TC_E_USAGE);
    expect_int(tc_stream_connect_tcp(cx, "127.0.0.1", 70000, &stream), TC_E_USAGE);
    expect(stream == NULL);
}

void test_stream__connects_over_tcp_to_numeric_addresses(void **state)
{
    (void)state;
    test_task_run(connect_tcp, NULL);
}

static void accept_later(struct tc_cx *cx, void *arg)
{
    int *fds = arg;

    for (int i = 1; i <= 3;) {
        expect_int(tc_task_sleep(cx, 10), TC_OK);
        fds[i] = accept(fds[0], NULL, NULL);
        if (fds[i] >= 0)
            i++;
        else if (!expect_int(errno, EAGAIN))
            break;
    }
}

static void connect_unix(struct tc_cx *cx, void *arg)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char *dir = test_tmpdir(cx->arena), *path;
    struct tc_stream *streams[3] = {0};
    struct tc_task_group group;
    int fds[4];

    (void)arg;
    path = tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "%s/socket", dir));
    expect_int(tc_stream_connect_unix(cx, path, &streams[0]), TC_E_IO);
    expect(tc_str_find(cx->err.message, TC_STR("No such file")) != SIZE_MAX);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    fds[0] = listen_on(AF_UNIX, (struct sockaddr *)&address, sizeof address, 0);
    tc_task_group_init(&group, tc_task_loop(cx));
    expect_int(tc_task_spawn(cx, group.loop, &group, "acceptor", accept_later, fds), TC_OK);
    for (int i = 0; i < 3; i++) /* more than the backlog takes */
        expect_int(tc_stream_connect_unix(cx, path, &streams[i]), TC_OK);
    for (int i = 0; i < 3; i++)
        tc_stream_close(streams[i]);
    expect_int(tc_task_join(cx, &group), TC_OK);
    for (int i = 0; i < 4; i++)
        close(fds[i]);
    expect_int(tc_stream_connect_unix(cx, tc_arena_cstr(cx->arena, tc_arena_printf(cx->arena, "/%0200d", 1)),
                                      &streams[0]), TC_E_IO);
    test_rmtree(dir);
}

void test_stream__connects_to_unix_sockets_and_waits_for_a_full_backlog(void **state)
{
    (void)state;
    test_task_run(connect_unix, NULL);
}

/* Lines */

static void short_lines(struct tc_cx *cx, void *arg)
{
    struct tc_stream_lines lines;
    struct tc_str line;
    int peer;
    struct tc_stream *stream = make_half(cx, &peer);

    (void)arg;
    tc_stream_lines_init(&lines, stream, 10);
    expect_int(tc_stream_line(cx, &lines, 2, &line), TC_E_TIMEOUT);
    expect_int(write(peer, "one\n\ntwo\r\n0123456789\nthr", 24), 24);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK);
    expect_text(line, "one");
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK);
    expect_text(line, "");
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK);
    expect_text(line, "two\r");
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK);
    expect_text(line, "0123456789");
    expect_int(tc_stream_line(cx, &lines, 2, &line), TC_E_TIMEOUT); /* and what has come is kept */
    expect_int(write(peer, "ee\nlast", 7), 7);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK);
    expect_text(line, "three");
    close(peer);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK);
    expect_text(line, "last");
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_E_CLOSED);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_E_CLOSED);
    tc_stream_lines_finish(&lines);
    tc_stream_close(stream);
}

void test_stream__lines_are_split_at_lf(void **state)
{
    (void)state;
    test_task_run(short_lines, NULL);
}

struct lines_feed {
    struct tc_stream *stream;
    size_t lengths[8];
};

static void feed_lines(struct tc_cx *cx, void *arg)
{
    struct lines_feed *feed = arg;
    char *data = tc_arena_alloc(cx->arena, 2 * MEGA);

    for (int i = 0; feed->lengths[i]; i++) {
        size_t n = feed->lengths[i];

        memset(data, 'a' + i, n);
        data[n] = '\n';
        expect_int(tc_stream_write(cx, feed->stream, tc_str_n(data, n + 1)), TC_OK);
    }
    tc_stream_close(feed->stream);
}

static void long_lines(struct tc_cx *cx, void *arg)
{
    enum { MAX = 100 * 1000 };
    struct lines_feed feed = {.lengths = {MAX, MAX + 1, 5, 2 * MEGA - 1, MAX - 1, MAX + 70000, 3}};
    struct tc_stream *ends[2];
    struct tc_stream_lines lines;
    struct tc_str line;

    (void)arg;
    if (!make_pair(cx, ends))
        return;
    feed.stream = ends[1];
    expect_int(tc_task_spawn(cx, tc_task_loop(cx), NULL, "feed", feed_lines, &feed), TC_OK);
    tc_stream_lines_init(&lines, ends[0], MAX);
    for (int i = 0; feed.lengths[i]; i++) {
        enum tc_err code = tc_stream_line(cx, &lines, 10000, &line);

        expect_int(code, feed.lengths[i] > MAX ? TC_E_LIMIT : TC_OK);
        if (code == TC_OK) {
            expect_int(line.n, feed.lengths[i]);
            expect(line.p[0] == 'a' + i && line.p[line.n - 1] == 'a' + i);
        }
    }
    expect_int(tc_stream_line(cx, &lines, 10000, &line), TC_E_CLOSED);
    tc_stream_lines_finish(&lines);
    tc_stream_close(ends[0]);
}

void test_stream__a_line_that_is_too_long_is_skipped_to_its_end(void **state)
{
    (void)state;
    test_task_run(long_lines, NULL);
}

static void lines_without_memory(struct tc_cx *cx, void *arg)
{
    struct tc_stream_lines lines;
    struct tc_str line;
    int peer;
    struct tc_stream *stream = make_half(cx, &peer);
    char big[6000];

    (void)arg;
    if (!tc_mem_fail_at(0, false))
        goto end;
    memset(big, 'b', sizeof big);
    tc_stream_lines_init(&lines, stream, 20000);
    expect_int(write(peer, "first\n", 6), 6);
    tc_mem_fail_at(1, true);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_E_NO_MEMORY);
    tc_mem_fail_at(0, false);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK); /* nothing of it had been read */
    expect_text(line, "first");
    for (int i = 0; i < 2; i++)
        expect_int(write(peer, big, sizeof big), sizeof big);
    expect_int(tc_stream_line(cx, &lines, 5, &line), TC_E_TIMEOUT);
    tc_mem_fail_at(1, true);
    expect_int(write(peer, big, sizeof big), sizeof big);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_E_NO_MEMORY);
    tc_mem_fail_at(0, false);
    expect_int(write(peer, "\nnext\n", 6), 6);
    expect_int(tc_stream_line(cx, &lines, 1000, &line), TC_OK); /* its beginning was lost, so all of it is */
    expect_text(line, "next");
    tc_stream_lines_finish(&lines);
end:
    close(peer);
    tc_stream_close(stream);
}

void test_stream__lines_start_afresh_after_missing_memory(void **state)
{
    (void)state;
    test_task_run(lines_without_memory, NULL);
}
