/*
 * The keywords of JSON Schema: in which drafts each exists, which vocabulary it
 * is of, and how subschemas lie inside it.
 */
#ifndef TC_SCHEMA_KEYWORD_H
#define TC_SCHEMA_KEYWORD_H

#include "toolcrib/schema.h"

/* TC_KEYWORD(symbol, text, first draft, last draft, vocabulary, shape) */
#define TC_KEYWORD_ROWS                                                                                                \
    TC_KEYWORD(SCHEMA, "$schema", 4, 2020_12, CORE, NONE)                                                              \
    TC_KEYWORD(ID4, "id", 4, 4, CORE, NONE)                                                                            \
    TC_KEYWORD(ID, "$id", 6, 2020_12, CORE, NONE)                                                                      \
    TC_KEYWORD(ANCHOR, "$anchor", 2019_09, 2020_12, CORE, NONE)                                                        \
    TC_KEYWORD(DYNAMIC_ANCHOR, "$dynamicAnchor", 2020_12, 2020_12, CORE, NONE)                                         \
    TC_KEYWORD(RECURSIVE_ANCHOR, "$recursiveAnchor", 2019_09, 2019_09, CORE, NONE)                                     \
    TC_KEYWORD(VOCABULARY, "$vocabulary", 2019_09, 2020_12, CORE, NONE)                                                \
    TC_KEYWORD(REF, "$ref", 4, 2020_12, CORE, NONE)                                                                    \
    TC_KEYWORD(DYNAMIC_REF, "$dynamicRef", 2020_12, 2020_12, CORE, NONE)                                               \
    TC_KEYWORD(RECURSIVE_REF, "$recursiveRef", 2019_09, 2019_09, CORE, NONE)                                           \
    TC_KEYWORD(DEFS, "$defs", 2019_09, 2020_12, CORE, MAP)                                                             \
    TC_KEYWORD(DEFINITIONS, "definitions", 4, 2020_12, CORE, MAP)                                                      \
    TC_KEYWORD(TYPE, "type", 4, 2020_12, VALIDATION, NONE)                                                             \
    TC_KEYWORD(ENUM, "enum", 4, 2020_12, VALIDATION, NONE)                                                             \
    TC_KEYWORD(CONST, "const", 6, 2020_12, VALIDATION, NONE)                                                           \
    TC_KEYWORD(MULTIPLE_OF, "multipleOf", 4, 2020_12, VALIDATION, NONE)                                                \
    TC_KEYWORD(MINIMUM, "minimum", 4, 2020_12, VALIDATION, NONE)                                                       \
    TC_KEYWORD(MAXIMUM, "maximum", 4, 2020_12, VALIDATION, NONE)                                                       \
    TC_KEYWORD(EXCLUSIVE_MINIMUM, "exclusiveMinimum", 4, 2020_12, VALIDATION, NONE)                                    \
    TC_KEYWORD(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", 4, 2020_12, VALIDATION, NONE)                                    \
    TC_KEYWORD(MIN_LENGTH, "minLength", 4, 2020_12, VALIDATION, NONE)                                                  \
    TC_KEYWORD(MAX_LENGTH, "maxLength", 4, 2020_12, VALIDATION, NONE)                                                  \
    TC_KEYWORD(PATTERN, "pattern", 4, 2020_12, VALIDATION, NONE)                                                       \
    TC_KEYWORD(FORMAT, "format", 4, 2020_12, FORMAT, NONE)                                                             \
    TC_KEYWORD(MIN_ITEMS, "minItems", 4, 2020_12, VALIDATION, NONE)                                                    \
    TC_KEYWORD(MAX_ITEMS, "maxItems", 4, 2020_12, VALIDATION, NONE)                                                    \
    TC_KEYWORD(UNIQUE_ITEMS, "uniqueItems", 4, 2020_12, VALIDATION, NONE)                                              \
    TC_KEYWORD(MIN_CONTAINS, "minContains", 2019_09, 2020_12, VALIDATION, NONE)                                        \
    TC_KEYWORD(MAX_CONTAINS, "maxContains", 2019_09, 2020_12, VALIDATION, NONE)                                        \
    TC_KEYWORD(MIN_PROPERTIES, "minProperties", 4, 2020_12, VALIDATION, NONE)                                          \
    TC_KEYWORD(MAX_PROPERTIES, "maxProperties", 4, 2020_12, VALIDATION, NONE)                                          \
    TC_KEYWORD(REQUIRED, "required", 4, 2020_12, VALIDATION, NONE)                                                     \
    TC_KEYWORD(DEPENDENT_REQUIRED, "dependentRequired", 2019_09, 2020_12, VALIDATION, NONE)                            \
    TC_KEYWORD(PREFIX_ITEMS, "prefixItems", 2020_12, 2020_12, APPLICATOR, LIST)                                        \
    TC_KEYWORD(ITEMS, "items", 4, 2020_12, APPLICATOR, ONE_OR_LIST)                                                    \
    TC_KEYWORD(ADDITIONAL_ITEMS, "additionalItems", 4, 2019_09, APPLICATOR, ONE)                                       \
    TC_KEYWORD(CONTAINS, "contains", 6, 2020_12, APPLICATOR, ONE)                                                      \
    TC_KEYWORD(PROPERTIES, "properties", 4, 2020_12, APPLICATOR, MAP)                                                  \
    TC_KEYWORD(PATTERN_PROPERTIES, "patternProperties", 4, 2020_12, APPLICATOR, MAP)                                   \
    TC_KEYWORD(ADDITIONAL_PROPERTIES, "additionalProperties", 4, 2020_12, APPLICATOR, ONE)                             \
    TC_KEYWORD(PROPERTY_NAMES, "propertyNames", 6, 2020_12, APPLICATOR, ONE)                                           \
    TC_KEYWORD(DEPENDENT_SCHEMAS, "dependentSchemas", 2019_09, 2020_12, APPLICATOR, MAP)                               \
    TC_KEYWORD(DEPENDENCIES, "dependencies", 4, 2020_12, APPLICATOR, MAP)                                              \
    TC_KEYWORD(ALL_OF, "allOf", 4, 2020_12, APPLICATOR, LIST)                                                          \
    TC_KEYWORD(ANY_OF, "anyOf", 4, 2020_12, APPLICATOR, LIST)                                                          \
    TC_KEYWORD(ONE_OF, "oneOf", 4, 2020_12, APPLICATOR, LIST)                                                          \
    TC_KEYWORD(NOT, "not", 4, 2020_12, APPLICATOR, ONE)                                                                \
    TC_KEYWORD(IF, "if", 7, 2020_12, APPLICATOR, ONE)                                                                  \
    TC_KEYWORD(THEN, "then", 7, 2020_12, APPLICATOR, ONE)                                                              \
    TC_KEYWORD(ELSE, "else", 7, 2020_12, APPLICATOR, ONE)                                                              \
    TC_KEYWORD(UNEVALUATED_ITEMS, "unevaluatedItems", 2019_09, 2020_12, UNEVALUATED, ONE)                              \
    TC_KEYWORD(UNEVALUATED_PROPERTIES, "unevaluatedProperties", 2019_09, 2020_12, UNEVALUATED, ONE)                    \
    TC_KEYWORD(CONTENT_SCHEMA, "contentSchema", 2019_09, 2020_12, CONTENT, ONE)                                        \
    TC_KEYWORD(WRITE_ONLY, "writeOnly", 4, 2020_12, CORE, NONE)                                                        \
    TC_KEYWORD(X_SECRET, "x-secret", 4, 2020_12, CORE, NONE)

enum tc_keyword {
#define TC_KEYWORD(symbol, text, first, last, vocabulary, shape) TC_KW_##symbol,
    TC_KEYWORD_ROWS
#undef TC_KEYWORD
    TC_KW_COUNT
};

enum tc_vocabulary {
    TC_VOCABULARY_CORE = 1 << 0,
    TC_VOCABULARY_APPLICATOR = 1 << 1,
    TC_VOCABULARY_UNEVALUATED = 1 << 2,
    TC_VOCABULARY_VALIDATION = 1 << 3,
    TC_VOCABULARY_FORMAT = 1 << 4,
    TC_VOCABULARY_CONTENT = 1 << 5,
    TC_VOCABULARY_ASSERT_FORMAT = 1 << 6, /* format is asserted, not only noted */
    TC_VOCABULARY_ALL = 0x3f
};

enum tc_keyword_shape {
    TC_SHAPE_NONE, /* no subschemas */
    TC_SHAPE_ONE,
    TC_SHAPE_LIST,
    TC_SHAPE_ONE_OR_LIST,
    TC_SHAPE_MAP /* values that are arrays are no schemas (dependencies) */
};

/* How a schema is to be read. */
struct tc_dialect {
    enum tc_schema_draft draft; /* never DEFAULT */
    unsigned vocabularies;
};

struct tc_keyword_info {
    struct tc_str text;
    uint8_t first, last; /* enum tc_schema_draft */
    uint8_t vocabulary, shape;
};

const struct tc_keyword_info *tc_keyword_info(enum tc_keyword keyword);
/* The keyword with that text if the dialect has it, else TC_KW_COUNT. */
enum tc_keyword tc_keyword_find(struct tc_str text, struct tc_dialect dialect);

#endif
