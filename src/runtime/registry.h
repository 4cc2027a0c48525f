/*
 * What is known now: the catalog of all tools and, in step with it, the state of
 * each one (the operator's settings, its source's health and approvals).
 *
 * One thread, the loop's. Readers use it between two parking calls, or keep a
 * reference on the catalog. `version` counts every change; what was computed
 * from the registry is stale when it differs.
 */
#ifndef TC_RUNTIME_REGISTRY_H
#define TC_RUNTIME_REGISTRY_H

#include "policy/resolver.h"
#include "ports/store_tools.h"
#include "runtime/pulse.h"

struct tc_registry;

struct tc_registry_view {
    struct tc_catalog *catalog;
    const struct tc_tool_state *states; /* [catalog->n] */
    uint64_t version;
};

/* One tool of a source, with what its source's governance says of it. */
struct tc_registry_tool {
    struct tc_descriptor *descriptor; /* borrowed; the registry takes a reference */
    bool quarantined, unavailable;
    bool newcomer;                    /* see struct tc_tool_state */
    bool excluded;                    /* by its source's configuration: as if its permission were off */
    enum tc_permission permission;
    struct tc_str detail, missing;    /* as in struct tc_tool_state; copied */
};

enum tc_err tc_registry_create(struct tc_cx *cx, struct tc_registry **ret_registry);
void tc_registry_destroy(struct tc_registry *registry);

/* Borrowed until the next change. */
struct tc_registry_view tc_registry_get(const struct tc_registry *registry);

/* The tools of a source ("builtin", a server's UUID, …) become these; n 0 takes
 * it out. On failure nothing changed. */
enum tc_err tc_registry_set_source(struct tc_cx *cx, struct tc_registry *registry, struct tc_str source,
                                   const struct tc_registry_tool *tools, size_t n);
/* The health of a source's tools changed. Unknown sources are ignored. */
enum tc_err tc_registry_set_health(struct tc_cx *cx, struct tc_registry *registry, struct tc_str source,
                                   enum tc_server_state state, struct tc_str detail);

/* The stored row of a tool; the editable columns take effect. Copies. One older
 * than what is known is left aside. */
enum tc_err tc_registry_set_row(struct tc_cx *cx, struct tc_registry *registry, const struct tc_tool_row *row);
/* The row, borrowed until it is set again; NULL when there is none. */
const struct tc_tool_row *tc_registry_row(const struct tc_registry *registry, struct tc_str id);
/* All rows by id, each with its place in the catalog (SIZE_MAX: detached); borrowed until the next change. Made at the
 * first question after one. */
struct tc_registry_row {
    const struct tc_tool_row *row;
    size_t index;
};
enum tc_err tc_registry_rows(struct tc_cx *cx, struct tc_registry *registry, const struct tc_registry_row **ret_rows,
                             size_t *ret_n);
/* Walks all rows: size_t at = 0; while ((row = tc_registry_next_row(r, &at))). */
const struct tc_tool_row *tc_registry_next_row(const struct tc_registry *registry, size_t *at);

/* Counts the version up: something else that resolutions depend on has changed, an agent
 * or a composite. */
void tc_registry_touch(struct tc_registry *registry, enum tc_pulse_kind what);
/* Beats there at each change; it outlives the registry. */
void tc_registry_set_pulse(struct tc_registry *registry, struct tc_pulse *pulse);
/* Calls the watchers without a change of the registry: what some client is offered has
 * changed all the same. */
void tc_registry_tell(struct tc_registry *registry);
/* Called after each change, on the loop; must not park. */
void tc_registry_watch(struct tc_registry *registry, void (*fn)(void *arg), void *arg);
/* Ends what was asked for with that arg. */
void tc_registry_unwatch(struct tc_registry *registry, const void *arg);

#endif
