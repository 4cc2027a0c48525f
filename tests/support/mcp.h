/*
 * A scripted MCP server (mcp_script_server.c) behind a guard, for tests inside
 * tasks.
 */
#ifndef TESTS_SUPPORT_MCP_H
#define TESTS_SUPPORT_MCP_H

#include "mcp/client/guard.h"
#include "mcp/client/peer.h"
#include "support/task.h"

struct test_mcp {
    struct tc_guard *guard;
    struct tc_peer *peer;
    char *dir; /* for files of the test */
    const char *record; /* what the server has received */
    int changed, ended; /* events */
    char updated[256]; /* [uri] for each resource that was */
    struct tc_peer_memory memory;
    size_t line_max; /* options */
    int64_t start_ms;
};

/* A caller that notes what it is told and asked, and answers each question with
 * `answer`; without one it waits until it is cancelled. */
struct test_caller {
    struct tc_caller base;
    const char *answer; /* JSON text of a result */
    int64_t delay_ms;
    int asked, rounds, cancelled;
    char text[4096]; /* [progress/total message] <level logger data> {method params} (elicited) */
};
void test_caller_init(struct test_caller *caller, unsigned abilities);

/* Starts a guard; below its folder lies the record. */
void test_mcp_init(struct tc_cx *cx, struct test_mcp *mcp);
/* Starts a scripted server as mcp->peer. */
PARKS
enum tc_err test_mcp_open(struct tc_cx *cx, struct test_mcp *mcp, const char *script);
/* Closes what is open, the guard too, and removes the folder. */
PARKS
void test_mcp_finish(struct tc_cx *cx, struct test_mcp *mcp);

/* What a server of the era without handshake answers to server/discover, as the
 * first two lines of a script; CAPABILITIES are its members. */
#define TEST_MCP_MODERN(CAPABILITIES)                                                                                  \
    "on server/discover\nresult {\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"                  \
    "\"ttlMs\":0,\"cacheScope\":\"public\",\"capabilities\":{" CAPABILITIES "},\"_meta\":{"                            \
    "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"modern\",\"version\":\"2\"}}}\n"

/* One call of "echo" with these arguments. */
PARKS
struct tc_source_reply test_mcp_call(struct tc_cx *cx, struct test_mcp *mcp, const char *arguments, int64_t timeout_ms);
PARKS
struct tc_source_reply test_mcp_call_as(struct tc_cx *cx, struct test_mcp *mcp, struct test_caller *caller,
                                        const char *arguments, int64_t timeout_ms);
/* One request without params. */
PARKS
struct tc_source_reply test_mcp_request(struct tc_cx *cx, struct test_mcp *mcp, const char *method, int64_t timeout_ms);
/* The text of the first block; empty when there is none. */
struct tc_str test_mcp_text(const struct tc_source_reply *reply);
/* All that the server has received so far. */
struct tc_str test_mcp_record(struct tc_cx *cx, const struct test_mcp *mcp);
/* How many times this is in it. */
int test_mcp_count(struct tc_cx *cx, const struct test_mcp *mcp, const char *part);
/* Whether the server has received a line that holds this; waits up to 2 s. */
PARKS
bool test_mcp_received(struct tc_cx *cx, struct test_mcp *mcp, const char *part);
const struct tc_json *test_mcp_json(struct tc_cx *cx, const char *text);
/* Whether the process exists and is no zombie. */
bool test_mcp_alive(int pid);

#endif
