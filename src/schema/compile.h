/*
 * The state of one compilation, shared by its parts: compile.c drives and
 * finishes, refs.c knows documents and names, fill.c turns the keywords of one
 * subschema into a node. Nodes wait in a queue to be filled, so that no chain of
 * references makes the compiler recurse.
 *
 * What outlives the compilation is in schema->arena, the rest in `work`.
 */
#ifndef TC_SCHEMA_COMPILE_H
#define TC_SCHEMA_COMPILE_H

#include "base/map.h"
#include "schema/program.h"

struct tc_compile_doc {
    const struct tc_json *root;
    struct tc_schema_node **nodes; /* by place in the document */
    uint32_t *resources;           /* index + 1 where a resource starts */
};

struct tc_compile_anchor {
    struct tc_compile_anchor *next;
    struct tc_str name; /* empty: $recursiveAnchor */
    const struct tc_json *value;
};

struct tc_compile_resource {
    struct tc_str uri; /* absolute where the document says so, no fragment */
    const struct tc_json *root;
    uint32_t doc;
    struct tc_dialect dialect;
    struct tc_compile_anchor *dynamic;
};

struct tc_compile {
    struct tc_cx *cx;
    struct tc_schema *schema;
    const struct tc_schema_options *options;
    struct tc_arena work;
    struct tc_compile_doc *docs;
    struct tc_compile_resource *resources;
    uint32_t docs_n, docs_cap, resources_n, resources_cap;
    struct tc_map targets; /* URI to resource, "resource#anchor" to value */
    struct tc_map regexes; /* pattern to struct tc_ecma */
    struct tc_schema_node **queue;
    uint32_t queue_n, queue_cap, filled; /* every node there is; the first `filled` are done */
    struct tc_str *dynamic_names;        /* those that dynamic references use; number - 1 */
    uint32_t dynamic_n, dynamic_cap;
    struct tc_json_doc **schema_docs; /* becomes schema->docs */
    uint32_t schema_docs_cap, regexes_cap;
};

/* A schema value and the resource that it is in. */
struct tc_compile_target {
    const struct tc_json *value;
    uint32_t resource;
};

/* Room for one more; moves *items. False without memory. */
bool tc_compile_grow(struct tc_arena *arena, void **items, uint32_t n, uint32_t *cap, size_t size);
/* Fails: the keyword at the node must be `expected`. */
enum tc_err tc_compile_refuse(struct tc_compile *c, const struct tc_schema_node *node, enum tc_keyword keyword,
                              const char *expected);

/* --- refs.c --- */
/* A copy of the document under that URI, scanned for names. */
enum tc_err tc_refs_add(struct tc_compile *c, struct tc_str uri, const struct tc_json *root, uint32_t *ret_resource);
/* What `reference` means in the resource; *ret_place is text for messages. */
enum tc_err tc_refs_resolve(struct tc_compile *c, uint32_t resource, struct tc_str reference,
                            struct tc_compile_target *ret_target, struct tc_str *ret_place);
/* The resource that starts at value, or `otherwise`. */
uint32_t tc_refs_resource_at(const struct tc_compile *c, const struct tc_json *value, uint32_t otherwise);
/* The dynamic anchor of that name, or NULL; empty: $recursiveAnchor. */
const struct tc_json *tc_refs_dynamic(const struct tc_compile *c, uint32_t resource, struct tc_str name);

/* --- dialect.c --- */
/* How a schema whose $schema is that reads; `otherwise` without one. */
enum tc_err tc_dialect_find(struct tc_compile *c, const struct tc_json *schema, struct tc_dialect otherwise,
                            struct tc_dialect *ret_dialect);
/* The document handed over or built in under that URI, or NULL with *ret_text. */
const struct tc_json *tc_dialect_document(const struct tc_compile *c, struct tc_str uri, struct tc_str *ret_text);

/* --- compile.c --- */
/* The node of a subschema, to be filled later; NULL after a failure. */
struct tc_schema_node *tc_compile_want(struct tc_compile *c, struct tc_compile_target target);

/* --- fill.c --- */
enum tc_err tc_fill_node(struct tc_compile *c, struct tc_schema_node *node);

#endif
