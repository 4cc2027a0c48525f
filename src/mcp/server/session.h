/*
 * Sessions of MCP clients of the handshake era: who they are, what they declared,
 * which of their requests are under way, what they were asked, which messages may
 * have to be sent again. In memory; an unknown id is answered with 404, so that a
 * client starts anew.
 */
#ifndef TC_MCP_SERVER_SESSION_H
#define TC_MCP_SERVER_SESSION_H

#include "base/map.h"
#include "base/rand.h"
#include "io/task.h"
#include "mcp/server/envelope.h"
#include "mcp/server/feed.h"
#include "mcp/server/subscriptions.h"
#include "runtime/access.h"

enum { TC_SESSIONS_MAX = 4096, TC_SESSIONS_PER_TOKEN = 256 };

struct tc_session {
    char id[TC_RAND_HANDLE_SIZE];
    struct tc_arena arena;
    struct tc_str principal, agent; /* whose it is */
    struct tc_envelope envelope;    /* as initialize and logging/setLevel left it */
    int64_t used_at;                /* wall ms */
    struct tc_map requests;         /* id text → struct tc_task of a request under way */
    struct tc_map asked;            /* id text → struct tc_ask: questions put to the client */
    int64_t last_ask;               /* id of the last one */
    struct tc_feed *main;           /* what no request is the cause of; a reference */
    struct tc_feed *feeds;       /* kept ones, the newest first; the main one among them */
    uint32_t last_feed;           /* number of the newest */
    struct tc_subscriptions subscriptions;
    bool roots_told, roots_changed; /* a task tells of changed roots; they have changed again */
    size_t holders;                 /* tasks that use it */
    bool ended;
};

struct tc_sessions {
    struct tc_map by_id;
    struct tc_servers *servers; /* where resources are subscribed to; NULL: nowhere */
    int64_t idle_ms;
};

void tc_sessions_init(struct tc_sessions *sessions, struct tc_servers *servers, int64_t idle_ms);
void tc_sessions_finish(struct tc_sessions *sessions); /* nobody holds one */
/* Where there are too many, the longest unused one ends. TC_E_BUSY when all are in use. */
enum tc_err tc_sessions_create(struct tc_cx *cx, struct tc_sessions *sessions, const struct tc_principal *principal,
                               struct tc_str agent, const struct tc_envelope *envelope,
                               struct tc_session **ret_session);
/* The session of that id if it is this principal's, held until tc_session_leave;
 * TC_E_MCP_SESSION_UNKNOWN. */
enum tc_err tc_sessions_enter(struct tc_cx *cx, struct tc_sessions *sessions, struct tc_str id,
                              const struct tc_principal *principal, struct tc_str agent,
                              struct tc_session **ret_session);
void tc_sessions_leave(struct tc_sessions *sessions, struct tc_session *session, int64_t now);
/* Cancels what is under way, closes its streams; gone when the last holder has left. */
void tc_sessions_end(struct tc_sessions *sessions, struct tc_session *session);

/* A new kept stream of the session; the reference is the caller's. Old ones that
 * are closed and all written make room. */
enum tc_err tc_session_feed(struct tc_cx *cx, struct tc_session *session, struct tc_feed **ret_feed);
/* Borrowed; NULL when it is not there any more. */
struct tc_feed *tc_session_find_feed(const struct tc_session *session, uint32_t number);

#endif
