/*
 * The inside of a peer, shared by the files that make it: peer.c (life),
 * peer_greet.c (eras), peer_params.c (what goes with each request), peer_list.c,
 * peer_ask.c, peer_call.c, peer_task.c and peer_roots.c (what is asked and told),
 * peer_use.c (whose it is), peer_tools.c (what must be known for that), peer_hear.c,
 * peer_question.c and peer_listen.c (what comes unasked).
 */
#ifndef TC_MCP_CLIENT_PEER_STATE_H
#define TC_MCP_CLIENT_PEER_STATE_H

#include "mcp/client/peer.h"
#include "mcp/client/uri_set.h"

struct tc_peer_tools;
struct tc_peer_listen;

enum {
    TC_PEER_SHOWN_CHARS = 200, /* of what a server says, in a sentence */
    TC_PEER_VERDICT_MAX = 400
};

/* A task of a peer's own: run once, then dropped and freed. Closing the peer
 * cancels it. First member of a struct that tc_mem_free takes. */
struct tc_peer_job {
    struct tc_peer *peer;
    void (*run)(struct tc_cx *cx, struct tc_peer_job *job); /* PARKS */
    void (*drop)(struct tc_peer_job *job); /* may be NULL */
    struct tc_task *task;
    struct tc_peer_job *prev, *next;
};

/* One use by a caller while it lasts, in the memory of its task: a call or a
 * request with all its rounds. */
struct tc_peer_use {
    struct tc_caller *caller; /* or NULL */
    struct tc_str task; /* the id of the task that runs for it, or empty */
    int64_t token; /* of its progress while a task runs for it and no request is in flight; or 0 */
    bool alone; /* entered as the only one (see tc_peer_enter) */
    bool roots; /* no request: roots/list is expected (peer_roots.c) */
    size_t asked; /* questions of the server so far */
    size_t open; /* of which are being answered now */
    struct tc_event answered; /* none is */
    struct tc_peer_use *prev, *next;
};

struct tc_peer {
    unsigned refs;
    struct tc_loop *loop;
    struct tc_peer_events events;
    struct tc_peer_memory *memory; /* or NULL */
    struct tc_str identity;
    struct tc_link *link; /* NULL until dialled */
    bool closing; /* asked for by the owner: no events */
    struct tc_arena arena; /* what the greeting brought */
    const struct tc_mcp_revision *revision; /* NULL: not known yet */
    const struct tc_json *hello; /* the answer to initialize or server/discover */
    bool plain; /* it is not asked server/discover: it has ended on that */
    bool discovering; /* server/discover is the last that it was asked */
    bool greeted;
    char verdict[TC_PEER_VERDICT_MAX]; /* why the greeting was given up; empty: it was not */
    struct tc_peer_use *uses;
    bool one_by_one; /* it asks, and nothing told whose call that belonged to */
    bool roots_asked; /* it has asked for roots, whatever it was answered */
    size_t waiting_alone;
    struct tc_event left; /* pulsed when a use ends */
    int log_level; /* set by logging/setLevel, as tc_peer_level has it; -1: none */
    struct tc_peer_job *jobs;
    struct tc_event quiet; /* no job is left */
    size_t questions; /* being answered now */
    struct tc_peer_tools *tools; /* what was noted at the last listing; NULL: none was */
    struct tc_uri_set *uris; /* resources that updates are wanted of: the connection's, or own_uris */
    struct tc_uri_set own_uris;
    struct tc_peer_listen *listen; /* the open subscription, or NULL */
    unsigned changes_due; /* a bit for each tc_source_kind that list_changed will be called for */
};

static inline bool tc_peer_has(const struct tc_peer *peer, enum tc_mcp_feature feature)
{
    return peer->revision && tc_mcp_revision_has(peer->revision, feature);
}

/* The server's capability of that name, or NULL. */
const struct tc_json *tc_peer_capability(const struct tc_peer *peer, const char *name);

/* Starts a job, which is taken over also on failure. */
enum tc_err tc_peer_spawn(struct tc_cx *cx, struct tc_peer *peer, const char *name, struct tc_peer_job *job);

/* --- the greeting --- */

/* The peer is of use once it returned TC_OK. */
PARKS
enum tc_err tc_peer_greet(struct tc_cx *cx, struct tc_peer *peer, int64_t timeout_ms);

/* --- subscriptions --- */

/* After the greeting: to changes of lists, and to what was subscribed to before. */
void tc_peer_subscribe_all(struct tc_cx *cx, struct tc_peer *peer);
/* That resource is to be heard of, or not any more: kept for the next connection,
 * and asked for where the era has no request for it. TC_E_LIMIT. */
enum tc_err tc_peer_subscribe(struct tc_cx *cx, struct tc_peer *peer, struct tc_str uri, bool wanted);

/* --- uses --- */

/* Parks while uses must come one by one. Fails with TC_E_TIMEOUT or a
 * cancellation, before anything was sent. */
PARKS
enum tc_err tc_peer_enter(struct tc_cx *cx, struct tc_peer *peer, struct tc_peer_use *use, int64_t timeout_ms);
/* Ends the answering of its questions and waits for that. */
PARKS
void tc_peer_leave(struct tc_cx *cx, struct tc_peer *peer, struct tc_peer_use *use);
/* The use that a message belongs to, as far as there is no doubt; else NULL. */
struct tc_peer_use *tc_peer_use_of(const struct tc_peer *peer, const struct tc_link_message *message);

/* notifications/roots/list_changed, where the server is to hear of it; then waits
 * until it has asked for them, at most as long as the request may take:
 * TC_E_TIMEOUT. */
PARKS
enum tc_err tc_peer_tell_roots(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request);

/* --- what comes unasked --- */

/* The link's event. */
void tc_peer_hear(void *peer, struct tc_cx *cx, const struct tc_link_message *message);
void tc_peer_hear_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_link_message *message);
/* Those lists are stale: a bit for each tc_source_kind. */
void tc_peer_changed(struct tc_cx *cx, struct tc_peer *peer, unsigned kinds);
/* The server waits no longer for the answer to that request of its. */
void tc_peer_withdraw(struct tc_peer *peer, struct tc_str id);
/* Cancels the answering of a use's questions. */
void tc_peer_cancel_questions(struct tc_peer *peer, const struct tc_peer_use *use);

#endif
