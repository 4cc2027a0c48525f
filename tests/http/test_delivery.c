/*
 * What the kernel tells of a connection whose other side has ended it, each way.
 */
#include "http/delivery.h"
#include "support/test.h"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <sys/socket.h>
#include <unistd.h>

struct pair {
    int client, server;
};

/* One exchange is over on it, as on a kept connection. */
static struct pair make_pair(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct pair pair = {.client = socket(AF_INET, SOCK_STREAM, 0)};
    char text[16];

    assert_int_equal(bind(listener, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(connect(pair.client, (struct sockaddr *)&address, size), 0);
    pair.server = accept(listener, NULL, NULL);
    close(listener);
    assert_int_equal(send(pair.client, "first", 5, 0), 5);
    assert_int_equal(recv(pair.server, text, 5, MSG_WAITALL), 5);
    assert_int_equal(send(pair.server, "answer", 6, 0), 6);
    assert_int_equal(recv(pair.client, text, 6, MSG_WAITALL), 6);
    return pair;
}

static void send_second(struct pair pair)
{
    assert_int_equal(send(pair.client, "second", 6, MSG_NOSIGNAL), 6);
}

static void drop_what_comes(struct pair pair)
{
    struct sock_filter drop = {BPF_RET | BPF_K, 0, 0, 0};
    struct sock_fprog program = {1, &drop};

    assert_int_equal(setsockopt(pair.server, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program), 0);
}

/* After the other side has closed. */
static void assert_failed(struct pair pair, size_t n, bool failed)
{
    char byte;

    recv(pair.client, &byte, 1, 0); /* until that is here */
    assert_int_equal(tc_delivery_failed(pair.client, n), failed);
    close(pair.client);
}

void test_delivery__a_connection_that_was_closed_before_is_proof(void **state)
{
    struct pair pair = make_pair();

    (void)state;
    assert_false(tc_delivery_failed(pair.client, 0)); /* open */
    drop_what_comes(pair);
    send_second(pair);
    assert_false(tc_delivery_failed(pair.client, 0)); /* not received, and may yet be */
    close(pair.server);
    assert_failed(pair, 4, true);

    pair = make_pair();
    drop_what_comes(pair);
    send_second(pair);
    close(pair.server);
    assert_failed(pair, 5, false); /* there are no 7 bytes */

    pair = make_pair();
    close(pair.server);
    send_second(pair); /* refused with a reset */
    assert_failed(pair, 4, true);
}

void test_delivery__nothing_else_is(void **state)
{
    struct linger abort = {.l_onoff = 1};
    struct pair pair = make_pair();
    char text[16];

    (void)state;
    send_second(pair);
    assert_int_equal(recv(pair.server, text, 6, MSG_WAITALL), 6);
    close(pair.server);
    assert_failed(pair, 0, false); /* all of it was read */

    pair = make_pair();
    send_second(pair);
    close(pair.server);
    assert_failed(pair, 0, false); /* received and not read: a reset, as when a part was */

    pair = make_pair();
    send_second(pair);
    assert_int_equal(recv(pair.server, text, 6, MSG_WAITALL), 6);
    setsockopt(pair.server, SOL_SOCKET, SO_LINGER, &abort, sizeof abort);
    close(pair.server);
    assert_failed(pair, 0, false); /* read, then a reset */

    pair = make_pair();
    close(pair.server);
    assert_failed(pair, 0, false); /* nothing was sent */
    assert_false(tc_delivery_failed(-1, 0));
}
