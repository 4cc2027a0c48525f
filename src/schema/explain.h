/*
 * What is wrong, before it is put into words.
 */
#ifndef TC_SCHEMA_EXPLAIN_H
#define TC_SCHEMA_EXPLAIN_H

#include "schema/path.h"
#include "schema/walk.h"

struct tc_explain_fault {
    const struct tc_path *path;
    const struct tc_schema_node *node; /* that has the keyword */
    enum tc_keyword rule;
    const struct tc_json *v;     /* the value at fault */
    struct tc_str key;           /* the missing, unknown or dependent key */
    uint32_t first, second;      /* equal items, matches counted */
    unsigned types;              /* type: those accepted */
    union {
        const struct tc_schema_number *number;
        const struct tc_schema_dependency *dependency;
        const struct tc_schema_object *object; /* that does not know the key */
    } about;
};

/* Puts a fault into words. False without memory. */
bool tc_explain_text(struct tc_arena *arena, const struct tc_explain_fault *fault, struct tc_schema_fault *ret_fault);

#endif
