/*
 * One subschema on its way into a node; private to fill.c and fill_object.c.
 */
#ifndef TC_SCHEMA_FILL_H
#define TC_SCHEMA_FILL_H

#include "json/number.h"
#include "schema/check.h"
#include "schema/compile.h"
#include "schema/format.h"
#include "schema/uri.h"

struct tc_fill {
    struct tc_compile *c;
    struct tc_arena *arena; /* of the schema */
    struct tc_schema_node *node;
    struct tc_dialect dialect;
    const struct tc_json *kw[TC_KW_COUNT]; /* its keywords */
};

/* A subschema below a keyword: under a key, at an index, or the value itself. */
struct tc_fill_step {
    const struct tc_json *value;
    struct tc_str key;
    uint32_t index;
};

enum tc_err tc_fill_child(struct tc_fill *f, enum tc_keyword word, struct tc_fill_step step,
                          const struct tc_schema_node **ret_node);
/* The schema that the keyword is; nothing is written when it is absent. */
enum tc_err tc_fill_one(struct tc_fill *f, enum tc_keyword word, const struct tc_schema_node **ret_node);
/* The schemas of an array; the keyword must be there. */
enum tc_err tc_fill_list(struct tc_fill *f, enum tc_keyword word, const struct tc_schema_node *const **ret_nodes,
                         uint32_t *ret_n);
/* A limit of 0 or more; nothing is written when it is absent. */
enum tc_err tc_fill_count(struct tc_fill *f, enum tc_keyword word, uint32_t *ret_count);
/* The compiled pattern, shared by all that have the same text. */
enum tc_err tc_fill_regex(struct tc_fill *f, enum tc_keyword word, struct tc_str pattern,
                          const struct tc_ecma **ret_regex);
enum tc_err tc_fill_object(struct tc_fill *f);

#endif
