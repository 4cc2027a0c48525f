/*
 * The parts of a compiled subschema: what its keywords say of numbers, strings,
 * arrays and objects, and the rules for any value.
 */
#ifndef TC_SCHEMA_BLOCK_H
#define TC_SCHEMA_BLOCK_H

#include "schema/keyword.h"
#include "schema/ecma.h"
#include "toolcrib/json.h"

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
    const struct tc_ecma *pattern;
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
    const struct tc_ecma *regex;
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
    uint32_t least; /* members: min, or as many as are required */
    uint32_t properties_n, required_n, patterns_n, dependencies_n;
    uint32_t mask; /* of slots */
    bool per_member; /* something is to be done with each member */
    bool by_name;    /* which its name alone decides: no patterns, no propertyNames */
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
    const uint64_t *heads; /* of the strings among them, see tc_schema_head */
    const uint32_t *slots; /* hash table of index + 1; NULL for a few */
    uint32_t n, mask;
    uint32_t cost; /* steps that a look-up is charged with */
    uint8_t types; /* of the values */
};

/* allOf, anyOf, oneOf, not, if, references. */
struct tc_schema_rule {
    enum tc_keyword rule;
    uint32_t n;
    uint32_t dynamic;                          /* name of a dynamic reference; 0: static */
    const struct tc_schema_node *const *nodes; /* if: condition, then, else; the last two may be NULL */
};

#endif
