/*
 * A whole Toolcrib in one task, for tests of the runtime and its surfaces: the
 * memory store, two built-in tools, one fake kind of MCP server, and, when a test
 * wants them, API, MCP endpoint and HTTP server on loopback.
 *
 * Everything runs on the loop of the test's task; what the runtime does between
 * two operations of the store is reached through `before`.
 */
#ifndef TESTS_SUPPORT_CRIB_H
#define TESTS_SUPPORT_CRIB_H

#include "daemon/dispatch.h"
#include "ports/store_audit.h"
#include "runtime/pipeline.h"
#include "runtime/servers.h"
#include "support/peer.h"
#include "support/task.h"

struct test_crib;

/* What every fake server does; change it at any time. */
struct test_upstream {
    const char *tools;           /* the array of tools/list */
    const char *prompts, *resources, *templates; /* the other lists; NULL: empty */
    enum tc_err fails;           /* listing fails with it */
    bool hold;                   /* list and call wait for test_crib_release */
    bool ends;                   /* the connection is reported gone while it lists */
    struct tc_event go;
    enum tc_outcome outcome;     /* of calls; RESULT echoes the arguments */
    const char *error;           /* with SERVER_ERROR: JSON of its data, and its code */
    int error_code;
    const char *result;          /* JSON of a CallToolResult instead of the echo */
    /* Runs in a call before it is answered, with its caller; an error is left aside. */
    enum tc_err (*during)(struct tc_cx *cx, struct test_crib *crib, struct tc_caller *caller);
    /* Answers what is no call of a tool: JSON of a result, in the arena. NULL: "{}". */
    struct tc_str (*request)(struct tc_cx *cx, struct test_crib *crib, const struct tc_source_request *request);
    int opens, closes, lists, calls, requests, open; /* open: now */
    struct tc_caller *caller;    /* of the call that came last */
    int64_t timeout_ms;          /* of that call */
    struct tc_tool_source_events events;   /* of the source opened last */
};

enum test_store_op { TEST_STORE_NONE, TEST_STORE_INTENT, TEST_STORE_DONE, TEST_STORE_FINISH, TEST_STORE_SNAPSHOT };

struct test_crib {
    struct tc_store *store;
    struct tc_runtime *runtime;
    struct tc_runtime_options options;
    struct tc_models *models;    /* of runtimes that are started from now on; NULL: none */
    struct test_upstream up;
    int64_t written;             /* runs of the built-in that writes */
    int64_t echoed;              /* runs of the one that reads */
    /* Called in the task of the caller before the store does `at`; an error is the
     * operation's. */
    enum test_store_op at;
    enum tc_err (*before)(struct tc_cx *cx, struct test_crib *crib);
    char *dir;
    /* only after test_crib_listen */
    struct tc_config config;
    struct tc_api *api;
    struct tc_endpoint *endpoint;
    struct tc_server *server;
    struct tc_dispatch dispatch;
    int port;
    struct tc_str token;         /* of an admin */
};

/* Opens one, runs body in a task with an arena that ends before the runtime does,
 * and closes all. config_servers: JSON of mcpServers, or NULL. Fails the test when
 * an expectation failed or a count of calls was not given back. */
typedef void test_crib_fn(struct tc_cx *cx, struct test_crib *crib);
void test_crib_run(test_crib_fn *body, const char *config_servers);
void test_crib_run_virtual(test_crib_fn *body, const char *config_servers); /* on a virtual clock */
/* Ends the runtime and starts another on the same store. */
PARKS enum tc_err test_crib_restart(struct tc_cx *cx, struct test_crib *crib, const char *config_servers);

/* Serves on loopback, with a token of an admin. */
PARKS void test_crib_listen(struct tc_cx *cx, struct test_crib *crib);
/* One request on a connection of its own; head is "METHOD /path" and further
 * fields, each after "\r\n"; Host, Authorization and Content-Length are added
 * unless named. Returns the status. */
PARKS int test_crib_ask(struct tc_cx *cx, struct test_crib *crib, const char *head, const char *body,
                        struct tc_str *ret_head, struct tc_str *ret_body);
/* A token of role agent, bound to that one. */
PARKS struct tc_str test_crib_token(struct tc_cx *cx, struct test_crib *crib, const char *agent);

/* Adds a server with that name to the runtime and to the agent `default`. */
PARKS enum tc_err test_crib_add(struct tc_cx *cx, struct test_crib *crib, const char *name);
/* Saves the agent `default` with these further members, such as "\"memory\":true". */
PARKS enum tc_err test_crib_agent(struct tc_cx *cx, struct test_crib *crib, const char *members);
/* A call by the agent `default`; arguments is JSON text, or NULL for none. */
PARKS enum tc_err test_crib_call(struct tc_cx *cx, struct test_crib *crib, const char *name, const char *arguments,
                                 struct tc_call_result *ret);
PARKS enum tc_err test_crib_call_json(struct tc_cx *cx, struct test_crib *crib, const char *name,
                                      const struct tc_json *arguments, struct tc_call_result *ret);
/* All audit rows, oldest first. */
PARKS size_t test_crib_rows(struct tc_cx *cx, struct test_crib *crib, struct tc_audit_row **ret_rows);
/* The only audit row; fails the test when there are none or several. */
PARKS struct tc_audit_row test_crib_row(struct tc_cx *cx, struct test_crib *crib);
void test_crib_release(struct test_crib *crib);
const struct tc_json *test_crib_json(struct tc_cx *cx, const char *text);
/* Lets other tasks run until nothing more happens at once. */
PARKS void test_crib_settle(struct tc_cx *cx);

#endif
