/*
 * Toolsets: the nine of the contract (spec 7), one a server (mcp-<name>), one an
 * extension (ext-<id>), and composites of the operator that include others.
 * Cycles and diamonds among includes are harmless.
 */
#ifndef TC_CATALOG_TOOLSET_H
#define TC_CATALOG_TOOLSET_H

#include "catalog/catalog.h"

struct tc_toolset_info {
    const char *name, *title, *description;
};
/* base planning interaction chat memory skill crew vision document, in order. */
extern const struct tc_toolset_info tc_toolset_builtin[];
extern const size_t tc_toolset_builtin_n;
/* What an agent without the field has: base, planning, interaction. */
extern const char *const tc_toolset_defaults[];
extern const size_t tc_toolset_defaults_n;

struct tc_toolset {
    struct tc_str name, title, description;
    struct tc_str *includes;
    size_t includes_n;
};
/* The operator's composites, any order. A composite that has the name of another
 * toolset is not looked at. */
struct tc_toolsets {
    const struct tc_toolset *items;
    size_t n;
};

enum { TC_TOOLSET_RANK_MAX = 0xffff };

/* For each toolset index of the catalog, ranks[i] becomes 1 + the position of the
 * first of `names` that reaches it, 0 when none does. "all" and "*" reach every
 * one. ranks has room for catalog->toolsets_n. Names and includes that nobody
 * knows are put in *ret_unknown, each once, at most 100 (arena). composites may be NULL. */
enum tc_err tc_toolset_expand(struct tc_cx *cx, const struct tc_catalog *catalog, const struct tc_toolsets *composites,
                              const struct tc_str *names, size_t n, uint16_t *ranks, struct tc_str **ret_unknown,
                              size_t *ret_unknown_n);
/* One of `names` is that toolset, includes it, or stands for all: whether or not it
 * has tools. composites may be NULL. */
enum tc_err tc_toolset_reaches(struct tc_cx *cx, const struct tc_toolsets *composites, const struct tc_str *names,
                               size_t n, struct tc_str toolset, bool *ret_reaches);
/* [a-z0-9][a-z0-9_-]{0,63} */
bool tc_toolset_name_ok(struct tc_str name);

#endif
