/*
 * What tool.search works with: the tools of this snapshot that are offered on demand.
 * Nothing is loaded here: the effect of the call says what is, and the runtime makes
 * it hold for the next turn of a run, or for the client's list.
 */
#ifndef TOOLCRIB_DISCOVERY_H
#define TOOLCRIB_DISCOVERY_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum { TC_DISCOVERY_LIMIT = 5, TC_DISCOVERY_LIMIT_MAX = 25, TC_DISCOVERY_NEAR = 3 };

struct tc_discovery_service;

struct tc_discovery_tool {
    struct tc_str id, name; /* name: its call name */
    struct tc_str summary;  /* of its description, one line */
    struct tc_str entry;    /* JSON text of the tool as lists have it; empty where nobody needs it */
    struct tc_str why;      /* how a search matched it: "city (name, parameters)"; may be empty */
    bool offered;           /* already */
};

/* The best of the tools that are on demand, loaded or not, in the arena. */
PARKS enum tc_err tc_discovery_search(struct tc_cx *cx, struct tc_discovery_service *service, struct tc_str query,
                                      size_t limit, struct tc_discovery_tool **ret_tools, size_t *ret_n);
/* Any tool of the snapshot by its call name, ToolId or the name that it has at home, if
 * only one has it; *ret_found tells. */
enum tc_err tc_discovery_select(struct tc_cx *cx, struct tc_discovery_service *service, struct tc_str name,
                                struct tc_discovery_tool *ret_tool, bool *ret_found);
/* The call names that are nearest to one that nobody has; how many there are. */
size_t tc_discovery_near(struct tc_discovery_service *service, struct tc_str name,
                         struct tc_str ret_names[TC_DISCOVERY_NEAR]);
/* What can be searched: "37 tools of github, files, notes". p NULL without memory. */
struct tc_str tc_discovery_scope(struct tc_cx *cx, struct tc_discovery_service *service);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
