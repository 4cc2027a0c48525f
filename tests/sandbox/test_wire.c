#include "support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/wire.h"

static struct tc_str packed(const struct tc_sandbox_request *request, struct tc_buf *buf)
{
    tc_buf_init(buf, TC_WIRE_MESSAGE_MAX);
    tc_wire_put_request(buf, request);
    assert_false(buf->failed);
    return tc_buf_get(buf);
}

static struct tc_sandbox_request make_request(void)
{
    static struct tc_sandbox_grant grants[] = {
        {TC_STR_INIT("/"), TC_SANDBOX_WRITE | TC_SANDBOX_MOUNT, 7}, {TC_STR_INIT("/skills"), TC_SANDBOX_MOUNT, 8}};
    static struct tc_str hidden[] = {TC_STR_INIT("/.toolcrib")}, shown[] = {TC_STR_INIT("/a"), TC_STR_INIT("/b")};

    return (struct tc_sandbox_request){.script = TC_STR("echo \0 hi"), .cwd = TC_STR("/a"), .wall_ms = 30000,
                                       .stream_bytes = 131072, .bytes_max = 1 << 30, .files_max = 100000,
                                       .bytes_used = 5, .files_used = 2, .own_tmp = true, .grants = grants,
                                       .grants_n = 2, .hidden = hidden, .hidden_n = 1, .shown = shown, .shown_n = 2};
}

void test_wire__a_request_comes_as_it_was(void **state)
{
    struct tc_sandbox_request request = make_request(), got;
    struct test_cx test;
    struct tc_buf buf;

    (void)state;
    test_cx_init(&test);
    assert_true(tc_wire_get_request(&test.arena, packed(&request, &buf), &got));
    assert_int_equal(got.script.n, 9);
    assert_memory_equal(got.script.p, "echo \0 hi", 10);
    assert_str(got.cwd, "/a");
    assert_int_equal(got.cwd.p[2], '\0');
    assert_int_equal(got.wall_ms, 30000);
    assert_int_equal(got.stream_bytes, 131072);
    assert_int_equal(got.bytes_max, 1 << 30);
    assert_int_equal(got.files_max, 100000);
    assert_int_equal(got.bytes_used, 5);
    assert_int_equal(got.files_used, 2);
    assert_true(got.own_tmp);
    assert_int_equal(got.grants_n, 2);
    assert_str(got.grants[1].path, "/skills");
    assert_int_equal(got.grants[0].flags, TC_SANDBOX_WRITE | TC_SANDBOX_MOUNT);
    assert_int_equal(got.grants[0].fd, -1);
    assert_int_equal(got.hidden_n, 1);
    assert_str(got.hidden[0], "/.toolcrib");
    assert_int_equal(got.shown_n, 2);
    assert_str(got.shown[1], "/b");
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

void test_wire__a_request_that_was_cut_is_none(void **state)
{
    struct tc_sandbox_request request = make_request(), got;
    struct test_cx test;
    struct tc_buf buf;
    struct tc_str all = packed(&request, &buf);

    (void)state;
    test_cx_init(&test);
    for (size_t n = 0; n < all.n; n++)
        assert_false(tc_wire_get_request(&test.arena, tc_str_n(all.p, n), &got));
    tc_buf_char(&buf, 'x');
    assert_false(tc_wire_get_request(&test.arena, tc_buf_get(&buf), &got));
    tc_buf_finish(&buf);
    request.cwd = TC_STR("relative");
    assert_false(tc_wire_get_request(&test.arena, packed(&request, &buf), &got));
    tc_buf_finish(&buf);
    request = make_request();
    request.grants_n = 0;
    assert_false(tc_wire_get_request(&test.arena, packed(&request, &buf), &got));
    tc_buf_finish(&buf);
    test_cx_finish(&test);
}

void test_wire__an_end_and_a_file_come_as_they_were(void **state)
{
    static const char hash[] = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
    struct tc_wire_last last = {.end = {.status = 3, .limit = TC_STR("wall"), .message = TC_STR("time"),
                                        .more_files = true, .stdout_bytes = 10, .stderr_bytes = 20, .work = 30,
                                        .wall_ns = 40, .cpu_ns = 50, .peak_kib = 60},
                                .out = TC_STR("a\0b"), .err = TC_STR("e")}, got;
    struct tc_sandbox_file file = {.state = TC_SANDBOX_FILE_HASHED, .path = TC_STR("/a/b")}, got_file;
    struct tc_buf buf;

    (void)state;
    tc_buf_init(&buf, 65536);
    tc_wire_put_last(&buf, &last);
    assert_int_equal(buf.p[0], TC_WIRE_END);
    assert_true(tc_wire_get_last(tc_str_from(tc_buf_get(&buf), 1), &got));
    assert_int_equal(got.end.status, 3);
    assert_str(got.end.limit, "wall");
    assert_str(got.end.message, "time");
    assert_true(got.end.more_files && !got.end.failed);
    assert_int_equal(got.end.peak_kib, 60);
    assert_true(tc_str_eq(got.out, TC_STR("a\0b")));
    assert_str(got.err, "e");
    assert_false(tc_wire_get_last(tc_str_from(tc_buf_get(&buf), 2), &got));

    tc_buf_clear(&buf);
    memcpy(file.sha256, hash, sizeof hash);
    tc_wire_put_file(&buf, &file);
    assert_true(tc_wire_get_file(tc_str_from(tc_buf_get(&buf), 1), &got_file));
    assert_str(got_file.path, "/a/b");
    assert_string_equal(got_file.sha256, hash);
    buf.p[buf.n - 2] = 'X'; /* no hex */
    assert_false(tc_wire_get_file(tc_str_from(tc_buf_get(&buf), 1), &got_file));
    tc_buf_finish(&buf);
}

void test_wire__an_end_takes_as_much_output_as_one_piece(void **state)
{
    static char bytes[TC_WIRE_PIECE_MAX + 1];
    struct tc_wire_last last = {.end = {.limit = TC_STR(""), .message = TC_STR("")}, .out = TC_STR("12")}, got;
    struct tc_buf buf;

    (void)state;
    tc_buf_init(&buf, 2 * TC_WIRE_PIECE_MAX);
    last.err = tc_str_n(bytes, TC_WIRE_PIECE_MAX - 2);
    tc_wire_put_last(&buf, &last);
    assert_true(tc_wire_get_last(tc_str_from(tc_buf_get(&buf), 1), &got));
    assert_int_equal(got.err.n, TC_WIRE_PIECE_MAX - 2);

    tc_buf_clear(&buf);
    last.err = tc_str_n(bytes, TC_WIRE_PIECE_MAX - 1);
    tc_wire_put_last(&buf, &last);
    assert_false(tc_wire_get_last(tc_str_from(tc_buf_get(&buf), 1), &got));
    tc_buf_finish(&buf);
}

void test_wire__descriptors_pass_beside_a_message(void **state)
{
    char bytes[8];
    int pair[2], fds[2], given = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct tc_wire_in in = {.p = bytes, .size = sizeof bytes, .fds = fds, .fds_max = 2};

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    assert_int_equal(tc_wire_send(pair[0], TC_STR("two"), 0, (int[]){given, given}, 2), 0);
    assert_int_equal(tc_wire_recv(pair[1], 0, &in), 0);
    assert_int_equal(in.n, 3);
    assert_int_equal(in.fds_n, 2);
    assert_int_equal(fcntl(fds[0], F_GETFD), FD_CLOEXEC);
    close(fds[0]);
    close(fds[1]);

    /* more than there is room for: nothing of it stays open */
    assert_int_equal(tc_wire_send(pair[0], TC_STR("three"), 0, (int[]){given, given, given}, 3), 0);
    assert_int_equal(tc_wire_recv(pair[1], 0, &in), 0);
    assert_int_equal(in.fds_n, 2);
    close(fds[0]);
    close(fds[1]);
    assert_int_equal(tc_wire_send(pair[0], TC_STR("much too long"), 0, &given, 1), 0);
    assert_int_equal(tc_wire_recv(pair[1], 0, &in), EMSGSIZE);
    assert_int_equal(in.fds_n, 0);
    assert_int_equal(dup(given), fds[0]); /* the lowest free one again */
    close(fds[0]);

    close(pair[0]);
    assert_int_equal(tc_wire_recv(pair[1], 0, &in), 0);
    assert_int_equal(in.n, 0);
    assert_int_equal(tc_wire_send(pair[1], TC_STR("x"), 0, NULL, 0), EPIPE);
    close(pair[1]);
    close(given);
}
