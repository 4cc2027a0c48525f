/*
 * Call names: what a model or client sees (spec 2). A name is given once and
 * kept in a ledger, so that it never moves to another tool. Everything here is
 * pure: the runtime commits to the store what a round gives.
 *
 * One ledger belongs to one agent and style. A name that it has stays, also where
 * a smaller maximum is asked for later: who uses one style for runs and clients
 * passes the smaller maximum for both.
 */
#ifndef TC_CATALOG_NAMES_H
#define TC_CATALOG_NAMES_H

#include "base/map.h"
#include "catalog/catalog.h"

enum tc_style { TC_STYLE_MCP, TC_STYLE_SERVER, TC_STYLE_DMR, TC_STYLE_BARE };
enum { TC_NAMES_MAX_RUN = 64, TC_NAMES_MAX_CLIENT = 50, TC_NAMES_MAX_LEAST = 24 }; /* bytes */

const char *tc_style_name(enum tc_style style);
bool tc_style_of(struct tc_str name, enum tc_style *ret);

/* --- the ledger --- */

struct tc_name {
    struct tc_str id, name; /* one block, owned by the ledger */
};
/* A zeroed struct is an empty ledger. */
struct tc_names {
    struct tc_name **by_id; /* in the order of a catalog, so that both are walked together */
    size_t n, cap;
    struct tc_map by_name;  /* call name → struct tc_name * */
};
void tc_names_finish(struct tc_names *names);
/* Adds a pair; the same pair again changes nothing. TC_E_STORE_CONFLICT when the
 * name or the id is taken otherwise. Quick when ids come in their order. */
enum tc_err tc_names_add(struct tc_cx *cx, struct tc_names *names, struct tc_str id, struct tc_str name);
struct tc_str tc_names_get(const struct tc_names *names, struct tc_str id);     /* "" when it has none */
struct tc_str tc_names_owner(const struct tc_names *names, struct tc_str name); /* ToolId, "" when free */
/* Position of the first pair at or after `from` whose id is not below `id`.
 * Constant time when the answer is near `from`. */
size_t tc_names_seek(const struct tc_names *names, size_t from, struct tc_str id);

/* --- giving names --- */

/* The names given in one go; the ledger is read, not changed. */
struct tc_names_round {
    const struct tc_names *ledger;
    enum tc_style style;
    size_t max;           /* bytes of a name, prefix included; at least TC_NAMES_MAX_LEAST */
    struct tc_map taken;  /* name → the struct tc_descriptor * that it is for */
    struct tc_map next;   /* base → the suffix to try next, so that n equal bases cost n tries */
};
void tc_names_round_init(struct tc_names_round *round, const struct tc_names *ledger, enum tc_style style, size_t max);
void tc_names_round_finish(struct tc_names_round *round);
/* Keeps the fixed names of the catalog's built-ins for them. */
enum tc_err tc_names_reserve(struct tc_cx *cx, struct tc_names_round *round, const struct tc_catalog *catalog);
/* Gives a name to a tool that has none in the ledger: built-ins their fixed one,
 * others by style; taken ones get __2, __3. In the arena. Call in id order. */
enum tc_err tc_names_give(struct tc_cx *cx, struct tc_names_round *round, const struct tc_descriptor *tool,
                          struct tc_str *ret_name);

/* The fixed call name of a built-in's native name, in the arena; p is NULL without memory. */
struct tc_str tc_names_builtin(struct tc_arena *arena, struct tc_str native);
/* True for task_return, tool_search and the call name of every built-in of the
 * contract, whether or not it is in this build. */
bool tc_names_reserved(struct tc_str name);

#endif
