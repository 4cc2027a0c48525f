/*
 * Tools on demand (spec 9): which of a view's tools are offered, what a search finds
 * among the others, and what clients have loaded.
 *
 * The resolver decides what is deferred (struct tc_view_tool.deferred). In runs the
 * tape holds what was loaded, in entries `loaded`. For clients it is kept here, in
 * memory, per token and agent: a load widens the list of that token in every session
 * of it, and lasts as long as the process; whoever comes back later searches again.
 */
#ifndef TC_RUNTIME_DISCOVERY_H
#define TC_RUNTIME_DISCOVERY_H

#include "runtime/access.h"
#include "runtime/view.h"
#include "toolcrib/discovery.h"
#include "toolcrib/model_caps.h"

enum { TC_DISCOVERY_LOADED_MAX = 512 /* tools that one client can have loaded: the oldest go */ };

/* --- a turn --- */

/* What is offered: tools that are not deferred, and those of the ToolIds `loaded`, in
 * the order in which they were loaded. max: tools at most, the latest loads are kept;
 * 0: no limit. *ret_offered, in the arena, is by position in view->tools; NULL: all. */
enum tc_err tc_discovery_offered(struct tc_cx *cx, const struct tc_view *view, const struct tc_str *loaded,
                                 size_t loaded_n, size_t max, bool **ret_offered);

/* Positions of the tools that are offered, in order, in the arena. */
enum tc_err tc_discovery_positions(struct tc_cx *cx, const struct tc_view *view, const bool *offered,
                                   size_t **ret_positions, size_t *ret_n);

struct tc_discovery_turn {
    bool *offered;  /* as above: what may be called */
    bool *deferred; /* which of those are sent as deferred; NULL: none */
};
/* A turn with a model of these caps. One that finds deferred tools itself is sent all
 * of them, so all may be called; tool.search, which it has no use for, is left out. */
enum tc_err tc_discovery_turn(struct tc_cx *cx, const struct tc_view *view, const struct tc_model_caps *caps,
                              const struct tc_str *loaded, size_t loaded_n, struct tc_discovery_turn *ret_turn);
/* Whether these caps are used so for this view. */
bool tc_discovery_native(const struct tc_view *view, const struct tc_model_caps *caps);

/* Drops from `loaded` what a compaction takes back: tools that are ephemeral, or gone.
 * Keeps the order; returns how many are left. */
size_t tc_discovery_lasting(const struct tc_view *view, struct tc_str *loaded, size_t loaded_n);

/* --- clients --- */

struct tc_discovery_clients;

enum tc_err tc_discovery_clients_create(struct tc_cx *cx, struct tc_registry *registry,
                                        struct tc_discovery_clients **ret_clients);
void tc_discovery_clients_destroy(struct tc_discovery_clients *clients); /* NULL is fine */

/* As tc_discovery_offered, of what this client has loaded. */
enum tc_err tc_discovery_client(struct tc_cx *cx, struct tc_discovery_clients *clients,
                                const struct tc_principal *principal, const struct tc_view *view, bool **ret_offered);
/* Loads; the watchers of the registry are told when something is new. */
enum tc_err tc_discovery_client_load(struct tc_cx *cx, struct tc_discovery_clients *clients,
                                     const struct tc_principal *principal, struct tc_str agent,
                                     const struct tc_str *ids, size_t n);
/* How often this client's loads have changed. */
enum tc_err tc_discovery_client_changes(struct tc_cx *cx, const struct tc_discovery_clients *clients,
                                        const struct tc_principal *principal, struct tc_str agent,
                                        uint64_t *ret_changes);

/* --- the service of tool.search --- */

struct tc_discovery_service {
    const struct tc_view *view;
    const bool *offered; /* NULL: all */
    bool entries;        /* results hold the tools' entries: for a client; a model is sent them in its next turn */
};

#endif
