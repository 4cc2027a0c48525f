/*
 * What agents*.c share.
 */
#ifndef TC_RUNTIME_AGENTS_IMPL_H
#define TC_RUNTIME_AGENTS_IMPL_H

#include "base/map.h"
#include "io/lock.h"
#include "runtime/agents.h"

struct tc_composite {
    struct tc_arena arena;
    struct tc_toolset toolset;
    int64_t version;
};

struct tc_agents {
    struct tc_store *store;
    struct tc_registry *registry;
    struct tc_lock saving;    /* store and memory change in the same order */
    struct tc_map by_id;      /* agent id → struct tc_agent */
    struct tc_map composites; /* name → struct tc_composite */
    struct tc_map ledgers;    /* "agent/style" → struct ledger */
    struct tc_toolsets view;  /* of composites, rebuilt on change */
};

/* A composite toolset as it is stored: TC_E_TOOLSET_… for one that does not decode. */
enum tc_err tc_composite_decode(struct tc_cx *cx, struct tc_str json, struct tc_composite **ret);
/* Takes it, in the place of one of that name; also on failure. */
enum tc_err tc_composite_keep(struct tc_cx *cx, struct tc_agents *agents, struct tc_composite *composite);
void tc_composite_destroy(struct tc_composite *composite); /* NULL is fine */

#endif
