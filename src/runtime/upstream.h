/*
 * One MCP server in memory: row, definitions, connection. Private to servers*.c and upstream_*.c.
 */
#ifndef TC_RUNTIME_UPSTREAM_H
#define TC_RUNTIME_UPSTREAM_H

#include "base/map.h"
#include "io/timer.h"
#include "runtime/server_history.h"
#include "runtime/servers.h"
#include "runtime/servers_offer.h"

enum { TC_UPSTREAM_RETRY_MIN_MS = 1000 }; /* of the pauses between tries to connect */

struct tc_upstream_turn;

struct tc_upstream_offer { /* what it has besides tools */
    struct tc_json_doc *lists[TC_SOURCE_KINDS]; /* NULL: not read yet */
    uint64_t hashes[TC_SOURCE_KINDS];
    unsigned stale;                    /* bit per kind: must be read again */
    bool known;                        /* was read once */
    bool lost;                         /* the connection that it was read from has ended */
    bool reading;                      /* a task is at it */
    struct tc_event read;
    struct tc_map subscriptions;       /* resource URI → size_t, how many want to hear of it */
};

struct tc_upstream {
    struct tc_servers *owner;
    struct tc_arena arena;             /* row and config; replaced as a whole */
    struct tc_server_row row;          /* version 0: not stored yet, no task may have it */
    const struct tc_json *config;
    struct tc_upstream_rules rules;    /* of the row's settings */
    bool in_config;                    /* of the configuration, at this start */

    struct tc_arena found_arena;       /* row.found, when that was set alone */
    struct tc_arena tools_arena;       /* definitions; replaced as a whole */
    struct tc_definition_row *tools;
    size_t tools_n, held;              /* held: present, and not as approved */

    struct tc_tool_source *source;     /* NULL until it is opened */
    struct tc_arena lister_arena;
    struct tc_str lister;              /* whose login its lists were read with last; empty: one for all, or none */
    bool fresh;                        /* the list was read since it was started */
    bool ended;                        /* by itself, and is not back yet */
    const char *state;
    struct tc_arena error_arena, last_error_arena;
    struct tc_str error;               /* why it is down now; empty otherwise */
    struct tc_server_health health;    /* last_error is in its arena */
    struct tc_server_history history;
    size_t users;                      /* calls in the source, which is not closed below them */
    struct tc_event idle;
    size_t running, queued;            /* calls that have their turn, and that wait for it */
    struct tc_upstream_turn *turns;    /* those that wait, in their order */
    struct tc_timer rest;              /* until it is stopped for want of calls */
    int64_t used_us;                   /* when a call ended last, or it was started */
    bool busy;                         /* a changing operation is under way */
    struct tc_event free;
    bool stale;                        /* the list must be read again */
    bool tended;                       /* one task connects it and reads its list */
    int64_t retry_ms;                  /* back-off of that task */
    struct tc_upstream_offer offer;
};

struct tc_servers {
    struct tc_servers_options options;
    struct tc_map by_uuid;             /* → struct tc_upstream */
    struct tc_task_group tasks;        /* connecting and refreshing */
    bool closing;
    struct tc_event said;              /* a line of some log, never left set */
    bool said_closed;
    struct tc_servers_watch watch;
    uint64_t offers_version;           /* counts changes of what is offered */
    bool colliding;                    /* some resource URI is listed by two servers */
};

static inline bool tc_upstream_is_away(const struct tc_upstream *server)
{
    return !server || server->row.removed || server->row.paused;
}

struct tc_upstream *tc_upstream_find(struct tc_servers *servers, struct tc_str name_or_uuid);
struct tc_upstream *tc_upstream_by_config_name(struct tc_servers *servers, struct tc_str name); /* removed ones too */
enum tc_err tc_upstream_lookup(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                               struct tc_upstream **ret);
enum tc_err tc_upstream_create(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row,
                             struct tc_upstream **ret);
/* TC_E_MCP_SERVER_INVALID for settings (JSON text) that do not decode: to be asked
 * before they are stored. */
enum tc_err tc_upstream_check_settings(struct tc_cx *cx, struct tc_str settings);
/* Stores a row, its secrets sealed. */
PARKS enum tc_err tc_upstream_put(struct tc_cx *cx, struct tc_servers *servers, const struct tc_server_row *row);
/* Takes a new row over (copies); on failure nothing changed. */
enum tc_err tc_upstream_set_row(struct tc_cx *cx, struct tc_upstream *server, const struct tc_server_row *row);
enum tc_err tc_upstream_set_tools(struct tc_cx *cx, struct tc_upstream *server, const struct tc_definition_row *rows,
                                size_t n);
void tc_upstream_destroy(struct tc_upstream *server);

/* One changing operation at a time. What was known of it before may have changed meanwhile. */
PARKS enum tc_err tc_upstream_lock(struct tc_cx *cx, struct tc_upstream *server);
void tc_upstream_unlock(struct tc_upstream *server);

/* Opens the source if there is none, lists, applies governance, stores what is new. The caller
 * holds the lock, and publishes. first: everything seen is approved. A failure is kept as the
 * server's state, but not that the caller was cancelled. */
PARKS enum tc_err tc_upstream_connect(struct tc_cx *cx, struct tc_upstream *server, bool first);
/* Waits for its calls, closes the source. A failure in cx stays. */
PARKS void tc_upstream_disconnect(struct tc_cx *cx, struct tc_upstream *server);
/* Of one tool: what was set for it, else what newTools gave it, else the server's. */
enum tc_permission tc_upstream_permission(const struct tc_upstream *server, const struct tc_definition_row *row);
/* Puts the definitions into the registry under the present rules and health. */
enum tc_err tc_upstream_publish(struct tc_cx *cx, struct tc_upstream *server);
/* A text in place of what the arena held. Without memory it is left out. */
struct tc_str tc_upstream_set_text(struct tc_arena *arena, struct tc_str text);
/* Reads a list of the source, which is there: with the login for all or, where each agent has
 * its own, with one that the server takes. TC_E_MCP_LOGIN_REQUIRED says whose is wanted. */
PARKS enum tc_err tc_upstream_list(struct tc_cx *cx, struct tc_upstream *server, enum tc_source_kind kind,
                                   const struct tc_json **ret_entries);
/* A state and since when; an error is kept as the last one, too. */
void tc_upstream_set_state(struct tc_cx *cx, struct tc_upstream *server, const char *state, struct tc_str error);
/* Connected, with a list of this connection: calls can go. */
bool tc_upstream_is_started(const struct tc_upstream *server);
/* Something ended: with idleStopMs, the time without calls begins now. */
void tc_upstream_rest(struct tc_cx *cx, struct tc_upstream *server);
void tc_upstream_rested(struct tc_timer *timer); /* of that time */
/* A turn for a call or request until it leaves, at the latest when it is due (TC_E_TIMEOUT). */
PARKS enum tc_err tc_upstream_enter(struct tc_cx *cx, struct tc_upstream *server, int64_t due_us);
void tc_upstream_leave(struct tc_upstream *server);
/* Hands turns to those who wait, in their order: there may be more than before. */
void tc_upstream_grant(struct tc_upstream *server);
/* What kept a call from being sent (queued: it had no turn yet), as its reply; else a fault. */
enum tc_err tc_upstream_held_back(struct tc_cx *cx, enum tc_err e, bool queued, struct tc_source_reply *reply);
/* Has the server connected and listed beside, with back-off until it works, by one task. */
void tc_upstream_tend(struct tc_upstream *server);

/* What is offered besides tools: read again soon, in a task beside. Called when a
 * connection was made, and when the server says that a list has changed. */
void tc_upstream_offer_connected(struct tc_upstream *server);
void tc_upstream_offer_stale(struct tc_upstream *server, enum tc_source_kind kind);
void tc_upstream_offer_updated(void *server, struct tc_str uri);
/* A new connection knows nothing of what was subscribed to. */
PARKS void tc_upstream_subscribe_again(struct tc_cx *cx, struct tc_upstream *server);
void tc_upstream_offer_finish(struct tc_upstream_offer *offer);

/* Compares a fresh list with what is known: new rows for all that is listed or was
 * known. Pure. */
enum tc_err tc_upstream_govern(struct tc_cx *cx, const struct tc_upstream *server, const struct tc_json *list,
                               bool first, int64_t now, struct tc_definition_row **ret_rows, size_t *ret_n);

#endif
