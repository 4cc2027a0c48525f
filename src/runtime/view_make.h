/*
 * How views come into being; for view*.c.
 */
#ifndef TC_RUNTIME_VIEW_MAKE_H
#define TC_RUNTIME_VIEW_MAKE_H

#include "runtime/view.h"

/* Of a resolution without new names, at that version of the registry. Parks while tools
 * describe themselves; the resolution is not read after that. */
PARKS enum tc_err tc_view_make(struct tc_cx *cx, const struct tc_resolution *resolution, uint64_t version,
                         struct tc_view **ret);

/* All that is known now; borrowed until the registry changes. */
struct tc_catalog *tc_views_catalog(const struct tc_views *views);

/* --- the cache's, for its other files --- */

/* The input of a resolution as things are now. */
void tc_views_input(const struct tc_views *views, const struct tc_view_key *key, const struct tc_agent *agent,
                    const struct tc_names *names, struct tc_resolve_input *ret);
/* A key as text, in the arena; p NULL without memory. */
struct tc_str tc_views_key_text(struct tc_cx *cx, const struct tc_view_key *key);
struct tc_tallies; /* of view_tally.c */
struct tc_tallies *tc_tallies_create(void); /* NULL without memory */
void tc_tallies_destroy(struct tc_tallies *tallies); /* NULL is fine */
struct tc_tallies *tc_views_tallies(struct tc_views *views);
struct tc_registry *tc_views_registry(const struct tc_views *views);
struct tc_agents *tc_views_agents(const struct tc_views *views);

/* --- its parts, in this order --- */

/* Empty, with room for n tools and references on agent and catalog. */
enum tc_err tc_view_create(struct tc_cx *cx, struct tc_agent *agent, struct tc_catalog *catalog, size_t n,
                           struct tc_view **ret);
enum tc_err tc_view_set_model(struct tc_cx *cx, struct tc_view *view, const struct tc_model *model);
/* With all tools named: by_name. */
void tc_view_order(struct tc_view *view);
/* With all tools described. */
enum tc_err tc_view_write_list(struct tc_cx *cx, struct tc_view *view);

/* The input schema of a tool with that agent's words for its properties: the tool's own,
 * or one in cx->arena. */
enum tc_err tc_view_schema(struct tc_cx *cx, const struct tc_agent *agent, const struct tc_descriptor *tool,
                           const struct tc_json **ret);

#endif
