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

#include "schema/keyword.h"
#include "schema/regex.h"
#include "toolcrib/json.h"
#include "toolcrib/schema.h"

enum {
    /* A set of types: 1 << enum tc_json_type, both booleans, and whole numbers,
     * which the parser does not tell from others. */
    TC_TYPES_ALL = 0x7f,
    TC_TYPES_BOOLEAN = 1 << TC_JSON_FALSE | 1 << TC_JSON_TRUE,
    TC_TYPES_INTEGER = 0x80,

    TC_SCHEMA_NODES_MAX = 100000,
    TC_SCHEMA_STEPS_MAX = 10 * 1000 * 1000, /* of one validation */
    TC_SCHEMA_DEPTH_MAX = 512,              /* nodes inside each other; instances have at most 128 */
    TC_SCHEMA_NONE = 0x7fffffff             /* no limit, no index */
};

enum tc_schema_flag {
    TC_SCHEMA_FALSE = 1 << 0,   /* refuses everything */
    TC_SCHEMA_LEAF = 1 << 1,    /* the set of types says all */
    TC_SCHEMA_FORWARD = 1 << 2, /* one reference and nothing else */
    TC_SCHEMA_MARKS = 1 << 3,   /* has unevaluatedItems or unevaluatedProperties */
    TC_SCHEMA_SECRET = 1 << 4   /* its value is not shown in faults */
};

struct tc_schema_node;

/* minimum, maximum, exclusive…, multipleOf. */
struct tc_schema_number {
    enum tc_keyword rule;
    bool whole; /* value holds it */
    int64_t value;
    struct tc_str lexeme;
};

struct tc_schema_numbers {
    uint32_t n;
    struct tc_schema_number check[];
};

struct tc_schema_string {
    uint32_t min, max; /* characters */
    const struct tc_regex *pattern;
    struct tc_str pattern_text;
    uint16_t format; /* enum tc_format, 0: none or not asserted */
};

struct tc_schema_array {
    uint32_t min, max;
    uint32_t prefix_n;
    bool unique;
    bool contains_marks;            /* contains counts as evaluation (2020-12) */
    enum tc_keyword rest_rule;      /* items, additionalItems, or unevaluatedItems where that is the same */
    const struct tc_schema_node *const *prefix;
    const struct tc_schema_node *rest, *contains, *unevaluated;
    uint32_t contains_min, contains_max;
};

struct tc_schema_property {
    struct tc_str key;
    uint64_t head, tail; /* of the key, see tc_schema_head */
    const struct tc_schema_node *node; /* NULL: only required */
    bool required;
};

struct tc_schema_pattern {
    const struct tc_regex *regex;
    struct tc_str text;
    const struct tc_schema_node *node;
};

/* Where `key` is there: these keys must be too, and the whole must match node. */
struct tc_schema_dependency {
    enum tc_keyword rule;
    struct tc_str key;
    const struct tc_str *required;
    uint32_t required_n;
    const struct tc_schema_node *node;
};

struct tc_schema_object {
    uint32_t min, max;
    uint32_t properties_n, required_n, patterns_n, dependencies_n;
    uint32_t mask; /* of slots */
    bool per_member; /* something is to be done with each member */
    enum tc_keyword additional_rule; /* additionalProperties, or unevaluatedProperties where that is the same */
    const struct tc_schema_property *properties; /* those of `properties`, in order, then the rest of `required` */
    const uint32_t *slots; /* hash table of index + 1; NULL for a few */
    const struct tc_schema_pattern *patterns;
    const struct tc_schema_dependency *dependencies;
    const struct tc_schema_node *additional, *names, *unevaluated;
};

/* enum and const. */
struct tc_schema_values {
    const struct tc_json *const *value;
    uint32_t n;
    uint32_t cost;  /* nodes of all values */
    uint8_t types;  /* of the values */
};

/* allOf, anyOf, oneOf, not, if, references. */
struct tc_schema_rule {
    enum tc_keyword rule;
    uint32_t n;
    uint32_t dynamic;                          /* name of a dynamic reference; 0: static */
    const struct tc_schema_node *const *nodes; /* if: condition, then, else; the last two may be NULL */
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
    struct tc_regex **regexes;
    uint32_t regexes_n;
};

static inline uint64_t tc_schema_mix(uint64_t a, uint64_t b)
{
    __uint128_t product = (__uint128_t)(a ^ 0x9e3779b97f4a7c15u) * (b ^ 0xd1b54a32d192ed03u);

    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Of the keys of objects; seeded, since instances choose the keys looked up. */
static inline uint64_t tc_schema_hash(uint64_t seed, struct tc_str s)
{
    uint64_t word, hash = seed ^ s.n;

    while (s.n > 8) {
        memcpy(&word, s.p, 8);
        hash = tc_schema_mix(hash, word);
        s = tc_str_n(s.p + 8, s.n - 8);
    }
    word = 0;
    memcpy(&word, s.p ? s.p : "", s.n);
    return tc_schema_mix(hash, word);
}

/* The first and the last bytes of a key as words: keys of one length up to 16
 * are equal when both words are. */
static inline uint64_t tc_schema_head(struct tc_str s)
{
    uint64_t word = 0;
    uint32_t low, high;

    if (s.n >= 8) {
        memcpy(&word, s.p, 8);
        return word;
    }
    if (s.n >= 4) {
        memcpy(&low, s.p, 4);
        memcpy(&high, s.p + s.n - 4, 4);
        return low | (uint64_t)high << 32;
    }
    if (s.n > 0)
        word = (uint64_t)(unsigned char)s.p[0] | (uint64_t)(unsigned char)s.p[s.n / 2] << 8 |
               (uint64_t)(unsigned char)s.p[s.n - 1] << 16;
    return word;
}

static inline uint64_t tc_schema_tail(struct tc_str s)
{
    return s.n > 8 ? tc_schema_head(tc_str_n(s.p + s.n - 8, 8)) : 0;
}

/* Objects of more properties than this have slots. */
enum { TC_SCHEMA_SLOTS_FROM = 8 };

/* Where a keyword of the node stands: "/properties/a/type", "#anchor/type". */
struct tc_str tc_schema_place(struct tc_arena *arena, const struct tc_schema_node *node, struct tc_str keyword);

#endif
