/*
 * The tests of single keywords, used by the walk that says yes or no and by the
 * one that says why.
 */
#ifndef TC_SCHEMA_CHECK_H
#define TC_SCHEMA_CHECK_H

#include "json/node.h"
#include "schema/program.h"

/* A whole value: 1, 1.0, 1e2. */
bool tc_check_whole(struct tc_str lexeme);
/* minimum and its kin, multipleOf. */
bool tc_check_number(const struct tc_schema_number *check, struct tc_str lexeme);
/* tc_check_length by counting. */
bool tc_check_length_slow(const struct tc_schema_string *string, struct tc_str text);
/* Is the value one of enum or const? */
bool tc_check_values(const struct tc_schema_values *values, uint64_t seed, const struct tc_json *v);
/* Equal for equal values (JSON Schema equality). */
uint64_t tc_check_hash(uint64_t seed, const struct tc_json *v);
/* tc_check_property where the guess was wrong. */
const struct tc_schema_property *tc_check_property_slow(const struct tc_schema_object *object, uint64_t seed,
                                                        struct tc_str key, uint32_t *cursor);

/* minLength and maxLength, in characters. Text of n bytes has n / 4 to n of them,
 * which mostly decides. */
static inline bool tc_check_length(const struct tc_schema_string *string, struct tc_str text)
{
    return ((text.n + 3) / 4 >= string->min && text.n <= string->max) || tc_check_length_slow(string, text);
}

static inline bool tc_check_key(const struct tc_schema_property *row, struct tc_str key)
{
    return row->key.n == key.n && row->head == tc_schema_head(key) && row->tail == tc_schema_tail(key) &&
           (key.n <= 16 || memcmp(row->key.p, key.p, key.n) == 0);
}

/* What the object says of a key by name, or NULL. *cursor is the row that is
 * likely next and starts at 0. */
static inline const struct tc_schema_property *tc_check_property(const struct tc_schema_object *object, uint64_t seed,
                                                                 struct tc_str key, uint32_t *cursor)
{
    if (*cursor < object->properties_n && tc_check_key(&object->properties[*cursor], key))
        return &object->properties[(*cursor)++];
    return tc_check_property_slow(object, seed, key, cursor);
}

/* The types of a node; whole numbers are looked at closer. */
static inline bool tc_check_type(unsigned types, const struct tc_json *v)
{
    if (types >> v->type & 1)
        return true;
    if (v->type != TC_JSON_NUMBER || !(types & TC_TYPES_INTEGER))
        return false;
    return v->flags & TC_NODE_WHOLE || tc_check_whole(tc_node_text(v));
}

#endif
