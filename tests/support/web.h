/*
 * An HTTP server inside the test, whose every answer the test writes, and what a
 * link to it needs. All in one loop in real time, for tests inside tasks.
 */
#ifndef TESTS_SUPPORT_WEB_H
#define TESTS_SUPPORT_WEB_H

#include "http/client.h"
#include "http/server.h"
#include "mcp/client/link.h"
#include "mcp/client/link_http.h"
#include "support/task.h"

struct test_web;

/* Answers one request; n counts them from 0. */
typedef void test_web_fn(struct tc_cx *cx, struct test_web *web, struct tc_exchange *ex, int n);

enum { TEST_WEB_HEARD_MAX = 16 };

struct test_web {
    test_web_fn *serve;
    void *arg;              /* of the test */
    struct tc_server *server;
    struct tc_client *client;
    int port;
    struct tc_buf log;      /* of the requests: "POST /mcp\nname: value\n…\n\nbody\n---\n" */
    int requests, served;   /* begun, ended */
    enum tc_err served_last; /* what the serving task had to hear at its end */
    struct tc_link_events events; /* that count, below */
    int ended;
    int heard;
    char *heard_what[TEST_WEB_HEARD_MAX]; /* method and params of each message */
    void *heard_use[TEST_WEB_HEARD_MAX];
    struct tc_arena arena;
};

void test_web_init(struct tc_cx *cx, struct test_web *web, test_web_fn *serve);
PARKS void test_web_finish(struct tc_cx *cx, struct test_web *web);
/* "http://127.0.0.1:<port><path>" */
struct tc_str test_web_url(struct tc_cx *cx, const struct test_web *web, const char *path);

/* --- answers --- */
PARKS void test_web_json(struct tc_cx *cx, struct tc_exchange *ex, int status, const char *json);
/* With one further field. */
PARKS void test_web_json_with(struct tc_cx *cx, struct tc_exchange *ex, const char *json, const char *name,
                              const char *value);
PARKS void test_web_status(struct tc_cx *cx, struct tc_exchange *ex, int status);
/* Begins a stream of events and sends the text as it is. */
PARKS void test_web_stream(struct tc_cx *cx, struct tc_exchange *ex, const char *text);
PARKS void test_web_write(struct tc_cx *cx, struct tc_exchange *ex, const char *text);

/* What of a request a test asks about. */
bool test_web_is(const struct tc_exchange *ex, const char *method);
bool test_web_says(const struct tc_exchange *ex, const char *part); /* in the body */

/* Whether the log holds it; waits up to 2 s. */
PARKS bool test_web_saw(struct tc_cx *cx, struct test_web *web, const char *part);

/* How often. */
int test_web_count(const struct test_web *web, const char *part);
/* Until n requests have been served; 2 s at most. */
PARKS bool test_web_served(struct tc_cx *cx, const struct test_web *web, int n);

/* --- a Streamable HTTP link to it --- */

enum { TEST_WEB_MESSAGE_MAX = 1 << 20 };

/* Starts the server, too. */
PARKS struct tc_link *test_web_link(struct tc_cx *cx, struct test_web *web, test_web_fn *serve);
/* To a server that was started; what the remote leaves out is filled in. */
struct tc_link *test_web_link_to(struct tc_cx *cx, struct test_web *web, struct tc_remote remote);
PARKS void test_web_link_close(struct tc_cx *cx, struct tc_link *link);
/* And the server. */
PARKS void test_web_link_finish(struct tc_cx *cx, struct test_web *web, struct tc_link *link);
struct tc_link_status test_web_link_status(const struct tc_link *link);
const struct tc_mcp_revision *test_web_revision(const char *name);

/* --- requests over a link --- */

/* Params are {} unless the request writes some. Fails the test when it fails. */
PARKS struct tc_link_reply test_web_send(struct tc_cx *cx, struct tc_link *link, struct tc_link_request request);
/* The method with params {}, within 5 s. */
PARKS struct tc_link_reply test_web_ask(struct tc_cx *cx, struct tc_link *link, const char *method);
/* A result {"ok": true}. */
bool test_web_ok(struct tc_link_reply reply);
bool test_web_message_has(struct tc_str message, const char *part);

/* --- a socket that says one thing --- */

/* A listener that reads a request's head and answers with these bytes, then closes
 * (linger_ms later). Serves one connection after another until it is finished. */
struct test_raw;
struct test_raw *test_raw_start(const char *bytes, size_t n, int linger_ms, int *ret_port);
void test_raw_stop(struct test_raw *raw);

#endif
