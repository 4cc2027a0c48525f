/*
 * The compiled form of a schema: one node a subschema, reached by pointers,
 * immutable once compile.c has returned it, all in the schema's own arena.
 * Strings and JSON values borrow from the documents that the schema keeps.
 *
 * A node splits its keywords by what they apply to: a set of types, then one
 * block for numbers, strings, arrays and objects each, then the rules that apply
 * to any value. A walk looks at the block of the instance's type only.
 */
#ifndef TC_SCHEMA_PROGRAM_H
#define TC_SCHEMA_PROGRAM_H

#include <stdatomic.h>

#include "schema/block.h"
#include "schema/key.h"
#include "toolcrib/schema.h"

enum {
    /* A set of types: 1 << enum tc_json_type, both booleans, and whole numbers,
     * which the parser does not tell from others. */
    TC_TYPES_ALL = 0x7f,
    TC_TYPES_BOOLEAN = 1 << TC_JSON_FALSE | 1 << TC_JSON_TRUE,
    TC_TYPES_INTEGER = 0x80,

    TC_SCHEMA_NODES_MAX = 100000,
    TC_SCHEMA_REGEXES_MAX = 2000,
    TC_SCHEMA_STEPS_MAX = 10 * 1000 * 1000, /* of one validation */
    TC_SCHEMA_DEPTH_MAX = 480,              /* nodes inside each other; instances have at most 128 */
    TC_SCHEMA_STACK_MAX = 160 * 1024,       /* bytes of a task's stack, where that is less */
    TC_SCHEMA_NONE = 0x7fffffff             /* no limit, no index */
};

enum tc_schema_flag {
    TC_SCHEMA_FALSE = 1 << 0,   /* refuses everything */
    TC_SCHEMA_LEAF = 1 << 1,    /* the set of types says all */
    TC_SCHEMA_FORWARD = 1 << 2, /* the compiler's: one reference and nothing else; becomes what it refers to */
    TC_SCHEMA_MARKS = 1 << 3,   /* has unevaluatedItems or unevaluatedProperties */
    TC_SCHEMA_SECRET = 1 << 4,  /* its value is not shown in faults */
    TC_SCHEMA_MET = 1 << 5      /* the compiler's, see shorten_chain */
};

struct tc_schema_node {
    uint8_t types;
    uint8_t flags;
    uint16_t rules_n;
    uint32_t resource;
    const struct tc_schema_numbers *numbers;
    const struct tc_schema_string *string;
    const struct tc_schema_array *array;
    const struct tc_schema_object *object;
    const struct tc_schema_values *values[2]; /* enum, const */
    const struct tc_schema_rule *rules;

    /* where it stands, for messages */
    const struct tc_schema_node *up; /* NULL: `key` is the whole place */
    struct tc_str key;               /* member under `word` */
    uint32_t index;                  /* item under `word`, or TC_SCHEMA_NONE */
    uint8_t word;                    /* enum tc_keyword */
    const struct tc_json *source;
};

/* What a schema resource (a document, or an embedded one with its own $id)
 * offers to dynamic references. */
struct tc_schema_anchor {
    uint32_t name;
    const struct tc_schema_node *node;
};

struct tc_schema_resource {
    uint32_t anchors_n;
    const struct tc_schema_anchor *anchors;
};

struct tc_schema {
    _Atomic uint32_t refs;
    bool dynamic; /* some reference depends on the path to it */
    struct tc_arena arena;
    const struct tc_schema_node *root;
    const struct tc_schema_resource *resources;
    uint64_t seed;
    struct tc_json_doc **docs;
    uint32_t docs_n;
    struct tc_ecma **regexes;
    uint32_t regexes_n;
};

/* Objects of more properties than this have slots, and enums of more values. */
enum { TC_SCHEMA_SLOTS_FROM = 8 };

/* Where a keyword of the node stands: "/properties/a/type", "#anchor/type". */
struct tc_str tc_schema_place(struct tc_arena *arena, const struct tc_schema_node *node, struct tc_str keyword);

#endif
