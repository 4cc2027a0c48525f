/*
 * The inside of a peer, shared by the files that make it: peer.c (life),
 * peer_greet.c, peer_list.c, peer_call.c (what is asked), peer_hear.c (what
 * comes unasked).
 */
#ifndef TC_MCP_CLIENT_PEER_STATE_H
#define TC_MCP_CLIENT_PEER_STATE_H

#include "mcp/client/peer.h"

enum { TC_PEER_SHOWN_CHARS = 200 /* of what a server says, in a sentence */ };

/* A task of a peer's own: run once, then dropped and freed. Closing the peer
 * cancels it. First member of a struct that tc_mem_free takes. */
struct tc_peer_job {
    struct tc_peer *peer;
    void (*run)(struct tc_cx *cx, struct tc_peer_job *job); /* PARKS */
    void (*drop)(struct tc_peer_job *job);                  /* may be NULL */
    struct tc_task *task;
    struct tc_peer_job *prev, *next;
};

/* One request of a caller while it lasts, in the memory of its task. */
struct tc_peer_use {
    struct tc_caller *caller; /* or NULL */
    struct tc_peer_use *prev, *next;
};

struct tc_peer {
    unsigned refs;
    struct tc_loop *loop;
    struct tc_peer_events events;
    struct tc_peer_memory *memory; /* or NULL */
    struct tc_str identity;
    struct tc_link *link;       /* NULL until dialled */
    bool closing;               /* asked for by the owner: no events */
    struct tc_arena arena;      /* what the greeting brought */
    const struct tc_mcp_revision *revision;
    const struct tc_json *hello; /* the answer to initialize */
    struct tc_peer_use *uses;
    struct tc_peer_job *jobs;
    struct tc_event quiet;      /* no job is left */
    unsigned changes_due;       /* a bit for each tc_source_kind that list_changed will be called for */
};

/* Starts a job, which is taken over also on failure. */
enum tc_err tc_peer_spawn(struct tc_cx *cx, struct tc_peer *peer, const char *name, struct tc_peer_job *job);

/* The link's event. */
void tc_peer_hear(void *peer, struct tc_cx *cx, const struct tc_link_message *message);

/* The peer is of use once it returned TC_OK. */
PARKS enum tc_err tc_peer_greet(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms);

/* One request whose failure is an error; params is JSON text or empty.
 * TC_E_MCP_PROTOCOL (also for an error of the server: reply has its code),
 * TC_E_TIMEOUT, TC_E_CLOSED, a cancellation. */
PARKS enum tc_err tc_peer_ask(struct tc_cx *cx, struct tc_peer *peer, const char *method, struct tc_str params,
                              int64_t timeout_ms, struct tc_source_reply *ret_reply);

#endif
