/*
 * The keywords that a projection knows, and what a provider takes of them.
 */
#ifndef TC_SCHEMA_PROJECT_ROW_H
#define TC_SCHEMA_PROJECT_ROW_H

#include "toolcrib/schema.h"

/* TC_WORD(symbol, text, types that it applies to, how the description says it).
 * TC_WORD_JSON stands for the value as JSON; no words: "keyword: value". */
#define TC_WORD_JSON "%.*s"
#define TC_WORD_ROWS                                                                                                   \
    TC_WORD(TYPE, "type", ANY, NULL)                                                                                   \
    TC_WORD(ENUM, "enum", ANY, "One of " TC_WORD_JSON ".")                                                             \
    TC_WORD(CONST, "const", ANY, "Always " TC_WORD_JSON ".")                                                           \
    TC_WORD(DESCRIPTION, "description", ANY, NULL)                                                                     \
    TC_WORD(TITLE, "title", ANY, NULL)                                                                                 \
    TC_WORD(DEFAULT, "default", ANY, "Default: " TC_WORD_JSON ".")                                                     \
    TC_WORD(EXAMPLES, "examples", ANY, "Examples: " TC_WORD_JSON ".")                                                  \
    TC_WORD(FORMAT, "format", TEXT_OR_NUMBER, "Format: " TC_WORD_JSON ".")                                             \
    TC_WORD(PATTERN, "pattern", TEXT, "Must match the pattern " TC_WORD_JSON ".")                                      \
    TC_WORD(MIN_LENGTH, "minLength", TEXT, "At least " TC_WORD_JSON " characters.")                                    \
    TC_WORD(MAX_LENGTH, "maxLength", TEXT, "At most " TC_WORD_JSON " characters.")                                     \
    TC_WORD(MINIMUM, "minimum", NUMBER, "At least " TC_WORD_JSON ".")                                                  \
    TC_WORD(MAXIMUM, "maximum", NUMBER, "At most " TC_WORD_JSON ".")                                                   \
    TC_WORD(EXCLUSIVE_MINIMUM, "exclusiveMinimum", NUMBER, "Greater than " TC_WORD_JSON ".")                           \
    TC_WORD(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", NUMBER, "Less than " TC_WORD_JSON ".")                              \
    TC_WORD(MULTIPLE_OF, "multipleOf", NUMBER, "A multiple of " TC_WORD_JSON ".")                                      \
    TC_WORD(ITEMS, "items", ARRAY, NULL)                                                                               \
    TC_WORD(PREFIX_ITEMS, "prefixItems", ARRAY, "Items by position: " TC_WORD_JSON ".")                                \
    TC_WORD(ADDITIONAL_ITEMS, "additionalItems", ARRAY, NULL)                                                          \
    TC_WORD(UNEVALUATED_ITEMS, "unevaluatedItems", ARRAY, NULL)                                                        \
    TC_WORD(CONTAINS, "contains", ARRAY, "Some item matches " TC_WORD_JSON ".")                                        \
    TC_WORD(MIN_CONTAINS, "minContains", ARRAY, NULL)                                                                  \
    TC_WORD(MAX_CONTAINS, "maxContains", ARRAY, NULL)                                                                  \
    TC_WORD(MIN_ITEMS, "minItems", ARRAY, "At least " TC_WORD_JSON " items.")                                          \
    TC_WORD(MAX_ITEMS, "maxItems", ARRAY, "At most " TC_WORD_JSON " items.")                                           \
    TC_WORD(UNIQUE_ITEMS, "uniqueItems", ARRAY, "No item twice.")                                                      \
    TC_WORD(PROPERTIES, "properties", OBJECT, NULL)                                                                    \
    TC_WORD(REQUIRED, "required", OBJECT, "Must have " TC_WORD_JSON ".")                                               \
    TC_WORD(ADDITIONAL_PROPERTIES, "additionalProperties", OBJECT, "Other members: " TC_WORD_JSON ".")                 \
    TC_WORD(PATTERN_PROPERTIES, "patternProperties", OBJECT, "Members whose name matches: " TC_WORD_JSON ".")          \
    TC_WORD(PROPERTY_NAMES, "propertyNames", OBJECT, "Names of members: " TC_WORD_JSON ".")                            \
    TC_WORD(MIN_PROPERTIES, "minProperties", OBJECT, "At least " TC_WORD_JSON " members.")                             \
    TC_WORD(MAX_PROPERTIES, "maxProperties", OBJECT, "At most " TC_WORD_JSON " members.")                              \
    TC_WORD(DEPENDENT_REQUIRED, "dependentRequired", OBJECT, "Members that need others: " TC_WORD_JSON ".")            \
    TC_WORD(DEPENDENT_SCHEMAS, "dependentSchemas", OBJECT, NULL)                                                       \
    TC_WORD(DEPENDENCIES, "dependencies", OBJECT, "Members that need others: " TC_WORD_JSON ".")                       \
    TC_WORD(UNEVALUATED_PROPERTIES, "unevaluatedProperties", OBJECT, NULL)                                             \
    TC_WORD(ANY_OF, "anyOf", ANY, "Matches at least one of " TC_WORD_JSON ".")                                         \
    TC_WORD(ONE_OF, "oneOf", ANY, "Matches exactly one of " TC_WORD_JSON ".")                                          \
    TC_WORD(ALL_OF, "allOf", ANY, "Matches all of " TC_WORD_JSON ".")                                                  \
    TC_WORD(NOT, "not", ANY, "Does not match " TC_WORD_JSON ".")                                                       \
    TC_WORD(IF, "if", ANY, "If it matches " TC_WORD_JSON ":")                                                          \
    TC_WORD(THEN, "then", ANY, "then " TC_WORD_JSON ".")                                                               \
    TC_WORD(ELSE, "else", ANY, "else " TC_WORD_JSON ".")                                                               \
    TC_WORD(REF, "$ref", ANY, "Also as " TC_WORD_JSON ".")                                                             \
    TC_WORD(NULLABLE, "nullable", ANY, NULL)

enum tc_word {
#define TC_WORD(symbol, text, types, phrase) TC_WORD_##symbol,
    TC_WORD_ROWS
#undef TC_WORD
        TC_WORD_N
};
_Static_assert(TC_WORD_N <= 64, "sets of words are 64 bits");
#define TC_WORD_BIT(symbol) (UINT64_C(1) << TC_WORD_##symbol)

enum tc_project_types { /* a set: what `type` names, as bits */
    TC_PROJECT_NULL = 1 << 0,
    TC_PROJECT_BOOLEAN = 1 << 1,
    TC_PROJECT_INTEGER = 1 << 2,
    TC_PROJECT_REAL = 1 << 3, /* number, which integer is part of */
    TC_PROJECT_TEXT = 1 << 4,
    TC_PROJECT_ARRAY = 1 << 5,
    TC_PROJECT_OBJECT = 1 << 6,
    TC_PROJECT_TYPES_N = 7,
    TC_PROJECT_NUMBER = TC_PROJECT_INTEGER | TC_PROJECT_REAL,
    TC_PROJECT_TEXT_OR_NUMBER = TC_PROJECT_TEXT | TC_PROJECT_NUMBER,
    TC_PROJECT_ANY = 0x7f
};

enum tc_project_trait {
    TC_PROJECT_INLINE = 1 << 0,      /* what $ref means is written out */
    TC_PROJECT_STRICT = 1 << 1,      /* objects are closed, every property is required, optional ones may be null */
    TC_PROJECT_TYPED = 1 << 2,       /* every schema says a type */
    TC_PROJECT_ONE_TYPE = 1 << 3,    /* `type` is one name, never a list */
    TC_PROJECT_NULLABLE = 1 << 4,    /* null is said by "nullable": true */
    TC_PROJECT_ALONE = 1 << 5,       /* structure never stands beside anyOf */
    TC_PROJECT_BARE_ANY = 1 << 6,    /* nothing at all stands beside anyOf */
    TC_PROJECT_TEXT_ENUM = 1 << 7,   /* values of enum are strings */
    TC_PROJECT_NEED_ITEMS = 1 << 8,  /* an array says its items */
    TC_PROJECT_NO_MAPS = 1 << 9,     /* an object says its properties */
    TC_PROJECT_NO_EMPTY = 1 << 10,   /* no parameters: no schema */
    TC_PROJECT_WHOLE_BOUNDS = 1 << 11 /* bounds of numbers are for whole ones */
};

enum tc_project_names { TC_PROJECT_NAMES_ANY, TC_PROJECT_NAMES_DOTTED, TC_PROJECT_NAMES_WORD };

struct tc_project_row {
    const char *name;
    uint64_t words;      /* the keywords that may stand there */
    unsigned traits;
    const char *formats; /* " date-time date "; NULL: all */
    uint32_t bound_max;  /* of minLength and its like; 0: any */
    uint16_t depth_max, enum_max;
    uint8_t names;
};

const struct tc_project_row *tc_project_row(enum tc_schema_provider provider);
struct tc_str tc_word_text(enum tc_word word);
unsigned tc_word_types(enum tc_word word);
const char *tc_word_phrase(enum tc_word word);
/* TC_WORD_N when it is none. */
enum tc_word tc_word_find(struct tc_str text);

#endif
