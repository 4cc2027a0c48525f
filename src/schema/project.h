/*
 * A projection under way; private to the project*.c files. project_rows.c has
 * what each provider takes, project_view.c gathers what a schema says, project.c
 * writes that as the provider wants it, project_names.c renames parameters.
 *
 * All memory is of cx->arena; `no_memory` is looked at once, at the end.
 */
#ifndef TC_SCHEMA_PROJECT_H
#define TC_SCHEMA_PROJECT_H

#include "schema/path.h"
#include "toolcrib/jsonw.h"
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

struct tc_project_def { /* a schema that is written below $defs */
    const struct tc_json *schema;
    const struct tc_path *pointer;
    struct tc_str name;
};

struct tc_project {
    struct tc_cx *cx;
    const struct tc_json *root;
    const struct tc_project_row *row;
    struct tc_jsonw w;
    struct tc_buf out;
    struct tc_schema_projection done;
    size_t losses_cap, renames_cap, nulls_cap;
    struct tc_project_def *defs;
    size_t defs_n, defs_cap;
    const struct tc_json *active[64]; /* targets of the references being written out */
    unsigned active_n;
    unsigned depth, inner;   /* schemas being written inside each other; gathered inside each other */
    unsigned steps, enums_n; /* schemas looked at; values of enums written */
    bool no_memory;
};

/* One schema at its place; pointer and path are NULL at the root. */
struct tc_project_spot {
    const struct tc_json *schema;
    const struct tc_path *pointer; /* in the original schema */
    const struct tc_path *path;    /* of its values in the arguments */
    bool anywhere;                 /* below $defs: path counts from there */
    bool nullable;                 /* null must be allowed */
    unsigned types;                /* those of a schema that says none; 0: all */
    unsigned level;                /* objects and arrays around it */
    struct tc_str description;     /* of a schema that says none */
};

struct tc_project_prop {
    struct tc_project_prop *next;
    struct tc_str name;
    const struct tc_json *schema;
    const struct tc_path *pointer;
    bool required;
};

/* What a schema says, with all that it refers to. */
struct tc_project_view {
    const struct tc_json *kw[TC_WORD_N];
    const struct tc_path *at[TC_WORD_N]; /* the schema that has the keyword */
    const struct tc_path *pointer;
    struct tc_project_prop *props, **props_end;
    unsigned props_n;
    unsigned types;  /* 0: not said */
    bool nullable;   /* an OpenAPI schema that says so */
    bool cut;        /* recursion goes no deeper here */
    bool never;      /* false */
    unsigned active; /* references to leave again */
    struct tc_buf notes;
};

void tc_project_view_init(struct tc_project *p, struct tc_project_view *view, struct tc_project_spot spot);
void tc_project_view_finish(struct tc_project *p, struct tc_project_view *view);
/* Adds another schema that must hold as well. */
void tc_project_gather(struct tc_project *p, struct tc_project_view *view, const struct tc_json *schema,
                       const struct tc_path *pointer);
/* Makes alternatives at the root one object: all their properties, of which
 * those are required that every alternative requires. */
void tc_project_merge_branches(struct tc_project *p, struct tc_project_view *view, enum tc_word word);
struct tc_project_prop *tc_project_prop(struct tc_project *p, struct tc_project_view *view, struct tc_str name);
/* The schema that a reference inside the document means, or NULL. */
const struct tc_json *tc_project_target(struct tc_project *p, struct tc_str ref, const struct tc_path **ret_pointer);
/* Types that a value of `type`, or values of enum, or the keywords say. */
unsigned tc_project_types_of(const struct tc_json *type);
unsigned tc_project_type_of_value(const struct tc_json *value);

const struct tc_path *tc_project_step(struct tc_project *p, const struct tc_path *up, struct tc_str key);
const struct tc_path *tc_project_item(struct tc_project *p, const struct tc_path *up, uint32_t index);
void tc_project_lose(struct tc_project *p, const struct tc_path *at, enum tc_word word, const char *action);
/* Says the keyword in the description and reports it. */
void tc_project_describe(struct tc_project *p, struct tc_project_view *view, enum tc_word word,
                         const struct tc_json *value, const struct tc_path *at);
/* The name on the wire. */
struct tc_str tc_project_name(struct tc_project *p, struct tc_str name, struct tc_project_spot owner);
/* Notes that null at that property means that it was left out. */
void tc_project_note_null(struct tc_project *p, struct tc_str name, struct tc_project_spot owner);
bool tc_project_grow(struct tc_project *p, void **items, size_t n, size_t *cap, size_t size);

#endif
