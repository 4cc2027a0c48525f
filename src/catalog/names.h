/*
 * Call names: what a model or client sees (spec 2). Names are given once per
 * agent and style and kept in a ledger, so that a name never moves to another
 * tool. The functions are pure: the runtime commits what they propose.
 */
#ifndef TC_CATALOG_NAMES_H
#define TC_CATALOG_NAMES_H

#include "base/map.h"
#include "catalog/catalog.h"

enum tc_style { TC_STYLE_MCP, TC_STYLE_SERVER, TC_STYLE_DMR, TC_STYLE_BARE };
enum { TC_NAMES_MAX_RUN = 64, TC_NAMES_MAX_CLIENT = 50 };

const char *tc_style_name(enum tc_style style);
bool tc_style_of(struct tc_str name, enum tc_style *ret);

/* The ledger of one agent and style: who has which name. */
struct tc_names {
    struct tc_map by_id;   /* ToolId → struct tc_name * */
    struct tc_map by_name; /* call name → struct tc_name * */
};
struct tc_name {
    struct tc_str id, name; /* owned by the ledger */
};
void tc_names_finish(struct tc_names *names);
/* Adds a pair; TC_E_STORE_CONFLICT when the name or the id is taken otherwise. */
enum tc_err tc_names_add(struct tc_cx *cx, struct tc_names *names, struct tc_str id, struct tc_str name);
struct tc_str tc_names_get(const struct tc_names *names, struct tc_str id);   /* "" when it has none */
struct tc_str tc_names_owner(const struct tc_names *names, struct tc_str name); /* ToolId, "" when free */

/* Proposes a name for a tool that has none: built-in dots to underscores (fixed,
 * reserved), others by style, at most `max` bytes, neither in the ledger, nor
 * reserved, nor in `taken` (name → any), to which the caller adds it. In the arena. */
enum tc_err tc_names_propose(struct tc_cx *cx, const struct tc_descriptor *tool, enum tc_style style, size_t max,
                             const struct tc_names *ledger, const struct tc_map *taken, struct tc_str *ret_name);
/* The fixed call name of a built-in's native name, in the arena. */
struct tc_str tc_names_builtin(struct tc_arena *arena, struct tc_str native);
/* True for task_return, tool_search and every built-in's call name. */
bool tc_names_reserved(struct tc_str name);

#endif
