/*
 * A peer of the era without handshake, or with one, on a memory link, whose server
 * is a list of answers: each is for the next message of its method; the last one
 * of a method is for all that follow. "$ID" in an answer is the message's id.
 */
#ifndef TESTS_SUPPORT_STAGED_H
#define TESTS_SUPPORT_STAGED_H

#include "mcp/client/peer.h"
#include "support/memory_link.h"
#include "support/task.h"

struct staged_answer {
    const char *method;
    const char *line; /* or lines; NULL: none, it waits */
};

struct staged {
    struct memory_link link;
    const struct staged_answer *answers;
    size_t n;
    uint64_t used; /* a bit for each */
    struct tc_peer *peer;
    struct tc_peer_memory memory;
    int changed;
    char updated[256]; /* [uri] for each resource that was */
};

#define STAGED_MODERN(CAPABILITIES)                                                                                    \
    {                                                                                                                  \
        "server/discover", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"resultType\":\"complete\","                  \
                           "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{" CAPABILITIES "}}}"              \
    }
#define STAGED_LEGACY(CAPABILITIES)                                                                                    \
    {                                                                                                                  \
        "initialize", "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"protocolVersion\":\"2025-11-25\","                \
                      "\"capabilities\":{" CAPABILITIES "},\"serverInfo\":{\"name\":\"x\",\"version\":\"1\"}}}"        \
    }
#define STAGED_RESULT(METHOD, RESULT)                                                                                  \
    {                                                                                                                  \
        METHOD, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":" RESULT "}"                                               \
    }
#define STAGED_ERROR(METHOD, CODE)                                                                                     \
    {                                                                                                                  \
        METHOD, "{\"jsonrpc\":\"2.0\",\"id\":$ID,\"error\":{\"code\":" CODE ",\"message\":\"no\"}}"                    \
    }

/* The link, for who opens the peer; answers are set already. headers: as over HTTP. */
void staged_prepare(struct staged *staged, struct tc_loop *loop, bool headers);
/* Opens the peer. */
PARKS
void staged_open(struct tc_cx *cx, struct staged *staged, const struct staged_answer *answers, size_t n, bool headers);
PARKS
void staged_close(struct tc_cx *cx, struct staged *staged);
/* One call of that tool. */
PARKS
struct tc_source_reply staged_call(struct tc_cx *cx, struct staged *staged, const char *tool, const char *arguments,
                                   struct tc_caller *caller, int64_t timeout_ms);
/* Lets time pass until the group is empty; a virtual clock. */
PARKS
void staged_pass(struct tc_cx *cx, int64_t ms);

#endif
