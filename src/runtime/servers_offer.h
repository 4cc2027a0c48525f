/*
 * What MCP servers offer besides tools: prompts, resources, templates. The lists
 * are held in memory, read again when a server says so, and answered from there;
 * everything else is asked of the server.
 */
#ifndef TC_RUNTIME_SERVERS_OFFER_H
#define TC_RUNTIME_SERVERS_OFFER_H

#include "io/task.h"
#include "ports/tool_source.h"

struct tc_servers;

/* One server that can be used now, by its lists; in the arena, which keeps them. */
struct tc_offered {
    struct tc_str uuid, name;
    int64_t created_at;
    const struct tc_json *lists[TC_SOURCE_KINDS]; /* arrays, or NULL; TC_SOURCE_TOOLS is not filled in */
    uint64_t hashes[TC_SOURCE_KINDS];
};
/* Those that are neither paused, removed, down nor off, the oldest first, so that
 * what a later one brings changes nothing for the others. wait_ms: how long to wait
 * for servers that are starting; 0: not at all. */
PARKS enum tc_err tc_servers_offered(struct tc_cx *cx, struct tc_servers *servers, int64_t wait_ms,
                                     struct tc_offered **ret, size_t *ret_n);
/* Of one server, whatever its state, as its lists were read last. TC_E_MCP_SERVER_NOT_FOUND. */
enum tc_err tc_servers_offer_of(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                                struct tc_offered *ret);
/* Some resource URI is listed by more than one server. */
bool tc_servers_collide(const struct tc_servers *servers);

/* A request to a server; connects when needed. As tc_servers_call, also in that it
 * counts and waits where only so many may be under way. */
PARKS enum tc_err tc_servers_request(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                                     const struct tc_source_request *request, struct tc_source_reply *ret_reply);
/* Tells a server that is connected of changed roots of the caller, and lets it ask for
 * them; never connects. */
PARKS enum tc_err tc_servers_roots_changed(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                                           struct tc_str identity, struct tc_caller *caller);
/* Subscribes to a resource for one more listener; the server is asked for the
 * first one only. TC_E_MCP_SERVER_ERROR when it refuses. */
PARKS enum tc_err tc_servers_subscribe(struct tc_cx *cx, struct tc_servers *servers, struct tc_str uuid,
                                       struct tc_str uri);
/* One listener less. The server hears of the last one leaving, in a task beside. */
void tc_servers_unsubscribe(struct tc_servers *servers, struct tc_str uuid, struct tc_str uri);

/* Called on the loop; must not park. */
struct tc_servers_watch {
    void (*changed)(void *arg); /* some list is another one */
    void (*updated)(void *arg, struct tc_str uuid, struct tc_str uri);
    void *arg;
};
/* One watcher at a time; a zeroed one ends it. */
void tc_servers_watch(struct tc_servers *servers, struct tc_servers_watch watch);

#endif
