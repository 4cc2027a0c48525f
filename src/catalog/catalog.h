/*
 * The catalog: every known tool, ordered by id, immutable and reference
 * counted. A change makes a new catalog that shares the descriptors.
 * Tools are spoken of by their index in one catalog.
 */
#ifndef TC_CATALOG_CATALOG_H
#define TC_CATALOG_CATALOG_H

#include "catalog/descriptor.h"

/* Where task.return and tool.search are: outside what agents choose, so that
 * neither toolsets, lists nor permissions of an agent reach them. */
#define TC_TOOLSET_RUNTIME "runtime"
#define TC_TOOL_SEARCH_ID "builtin:tool.search"

/* What the resolver asks of every tool, copied out of its descriptor. */
struct tc_trait {
    uint16_t flags, scenes; /* TC_TOOL_, TC_SCENE_ */
    uint8_t capability;
    bool internal : 1;      /* visibility internal */
    bool faulty : 1;        /* its schema did not compile */
    bool builtin : 1;
    bool runtime : 1;       /* a built-in of TC_TOOLSET_RUNTIME */
    bool deferrable : 1;    /* group extended or mcp, and not always loaded */
    bool search : 1;        /* tool.search */
    uint32_t tokens;        /* of its definition, estimated */
};

struct tc_catalog {
    size_t n;
    struct tc_descriptor **tools;   /* by id, bytewise */
    size_t toolsets_n;
    struct tc_str *toolsets;        /* names that tools belong to, by name */
    uint16_t *toolset_of;           /* [n] index into toolsets */
    struct tc_trait *traits;        /* [n] */
    bool mirrored;                  /* some tool is */
    size_t refs;
};

/* Takes one reference on each descriptor given (borrowed from the caller).
 * TC_E_TOOL_DUPLICATE names the id that stands twice. */
enum tc_err tc_catalog_create(struct tc_cx *cx, struct tc_descriptor *const *tools, size_t n,
                              struct tc_catalog **ret_catalog);
struct tc_catalog *tc_catalog_ref(struct tc_catalog *catalog);
void tc_catalog_unref(struct tc_catalog *catalog); /* NULL is fine */

/* Index of the tool, or SIZE_MAX. */
size_t tc_catalog_find(const struct tc_catalog *catalog, struct tc_str id);
/* Index of the first tool whose id is not below `id`; catalog->n when there is none. */
size_t tc_catalog_lower_bound(const struct tc_catalog *catalog, struct tc_str id);
/* Index of the toolset, or SIZE_MAX. */
size_t tc_catalog_toolset(const struct tc_catalog *catalog, struct tc_str name);

#endif
