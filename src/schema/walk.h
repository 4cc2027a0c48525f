/*
 * One walk of an instance along a program, in a caller's stack frame. Nothing is
 * allocated but for what is large: see take_words and the table of uniqueItems.
 */
#ifndef TC_SCHEMA_WALK_H
#define TC_SCHEMA_WALK_H

#include "schema/program.h"

/* Resources entered on the way to a node, innermost first. */
struct tc_walk_scope {
    const struct tc_walk_scope *up;
    uint32_t resource;
};

/* Which items or members of one instance some schema has evaluated. */
struct tc_walk_marks {
    uint64_t *bits; /* by order in the instance */
    uint32_t words;
    bool all;
};

enum { TC_WALK_WORDS = 128 };

struct tc_walk {
    struct tc_cx *cx;
    const struct tc_schema *schema;
    const struct tc_walk_scope *scope;
    int32_t steps; /* left, 0 or more */
    uint32_t depth;
    uintptr_t stack; /* an address in the frame where it began */
    enum tc_err err; /* why the walk cannot tell; then every verdict is false */
    uint32_t words_used;
    struct tc_ecma_scratch regex;
    uint64_t words[TC_WALK_WORDS]; /* for small sets of marks */
};

void tc_walk_init(struct tc_walk *walk, struct tc_cx *cx, const struct tc_schema *schema);
/* Returns what went wrong, recorded in cx, or TC_OK. */
enum tc_err tc_walk_finish(struct tc_walk *walk);

/* Takes n steps; false and err when there are not so many left. */
static inline bool tc_walk_charge(struct tc_walk *walk, size_t n)
{
    if (n <= (size_t)walk->steps) {
        walk->steps -= (int32_t)n;
        return true;
    }
    walk->err = walk->err ? walk->err : TC_E_SCHEMA_BUDGET;
    return false;
}

/* May the walk go no deeper? Frames of sanitized builds are large, so their
 * bytes count as well. */
static inline bool tc_walk_is_deep(const struct tc_walk *walk, uint32_t max)
{
    return walk->depth >= max || walk->stack - (uintptr_t)__builtin_frame_address(0) > TC_SCHEMA_STACK_MAX;
}

/* Does the instance match the node? */
bool tc_walk_node(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                  struct tc_walk_marks *marks);
/* The node's verdict without unevaluated…, and into *marks what it evaluates. */
bool tc_walk_marked(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                    struct tc_walk_marks *marks);
/* What a reference means here. */
const struct tc_schema_node *tc_walk_target(const struct tc_walk *walk, const struct tc_schema_rule *rule);
enum tc_ecma_verdict tc_walk_regex(struct tc_walk *walk, const struct tc_ecma *regex, struct tc_str text);
bool tc_walk_format(struct tc_walk *walk, const struct tc_schema_string *string, struct tc_str text);
/* The first two equal items, by place. */
bool tc_walk_unique(struct tc_walk *walk, const struct tc_json *array, uint32_t *ret_first, uint32_t *ret_second);

/* Marks for the items or members of v, none set; false without memory. Given
 * back in the opposite order. */
bool tc_walk_marks_init(struct tc_walk *walk, struct tc_walk_marks *marks, const struct tc_json *v);
void tc_walk_marks_finish(struct tc_walk *walk, struct tc_walk_marks *marks);
static inline bool tc_walk_is_marked(const struct tc_walk_marks *marks, uint32_t i)
{
    return marks->all || (marks->bits[i / 64] >> (i % 64) & 1);
}

#endif
