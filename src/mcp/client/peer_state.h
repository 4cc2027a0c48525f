/*
 * The inside of a peer, shared by the files that make it: peer.c (life),
 * peer_greet.c (eras), peer_params.c (what goes with each request), peer_list.c,
 * peer_call.c (what is asked), peer_use.c (whose it is), peer_hear.c and
 * peer_question.c (what comes unasked).
 */
#ifndef TC_MCP_CLIENT_PEER_STATE_H
#define TC_MCP_CLIENT_PEER_STATE_H

#include "mcp/client/peer.h"

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
    int64_t token; /* of its progress while a task runs for it and no request is in flight; or 0 */
    bool alone; /* entered as the only one (see tc_peer_enter) */
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
    size_t waiting_alone;
    struct tc_event left; /* pulsed when a use ends */
    int log_level; /* set by logging/setLevel, as tc_peer_level has it; -1: none */
    struct tc_peer_job *jobs;
    struct tc_event quiet; /* no job is left */
    size_t questions; /* being answered now */
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

/* --- what goes with each request --- */

/* The member _meta, when there is something to say in it. extra: the caller's, or
 * NULL; what is said by this side in its place is left out. token: of progress, or
 * 0. */
void tc_peer_write_meta(struct tc_jsonw *w, const struct tc_peer *peer, const struct tc_caller *caller,
                        const struct tc_json *extra, int64_t token);
/* An object of capabilities, as the value. */
void tc_peer_write_capabilities(struct tc_jsonw *w, const struct tc_mcp_revision *revision, unsigned abilities);
void tc_peer_write_info(struct tc_jsonw *w); /* the member clientInfo's value */
/* Severity of a level, 0 (debug) to 7 (emergency); -1 for one that is none. */
int tc_peer_level(struct tc_str name);

/* --- requests of the peer's own --- */

struct tc_peer_asking {
    const char *method;
    void (*write)(struct tc_jsonw *w, const void *arg); /* members of params; NULL: none */
    const void *arg;
    struct tc_str name; /* for Mcp-Name; empty: none */
    struct tc_caller *caller; /* in whose name; may be NULL */
    int64_t timeout_ms;
    bool untold; /* as in tc_link_request */
};
/* One request whose failure is an error: TC_E_MCP_PROTOCOL (also for an error of
 * the server: reply has its code), TC_E_TIMEOUT, TC_E_CLOSED, a cancellation. */
PARKS
enum tc_err tc_peer_ask(struct tc_cx *cx, struct tc_peer *peer, const struct tc_peer_asking *asking,
                        struct tc_link_reply *ret_reply);

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

/* --- what comes unasked --- */

/* The link's event. */
void tc_peer_hear(void *peer, struct tc_cx *cx, const struct tc_link_message *message);
void tc_peer_hear_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_link_message *message);
/* The server waits no longer for the answer to that request of its. */
void tc_peer_withdraw(struct tc_peer *peer, struct tc_str id);
/* Cancels the answering of a use's questions. */
void tc_peer_cancel_questions(struct tc_peer *peer, const struct tc_peer_use *use);

#endif
