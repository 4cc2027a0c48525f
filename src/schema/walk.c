/*
 * The walk that says yes or no. It visits each value once a schema that applies
 * to it and stops at the first keyword that fails.
 *
 * Recursion is bounded by TC_SCHEMA_DEPTH_MAX and _STACK_MAX, and work by TC_SCHEMA_STEPS_MAX;
 * past either, `err` is set and every verdict is false, so that `not` must look
 * at it. Marks are kept only below a schema with unevaluated….
 */
#include "schema/walk.h"

#include "base/mem.h"
#include "schema/check.h"
#include "schema/format.h"

/* Frames of the same caller start within this of each other. */
enum { FRAME_SLACK = 4096 };

/* Rare paths have frames of their own, so that those of the usual one stay small. */
#define APART __attribute__((noinline))

void tc_walk_init(struct tc_walk *walk, struct tc_cx *cx, const struct tc_schema *schema)
{
    walk->cx = cx;
    walk->schema = schema;
    walk->scope = NULL;
    walk->steps = TC_SCHEMA_STEPS_MAX;
    walk->depth = 0;
    walk->stack = (uintptr_t)__builtin_frame_address(0) + FRAME_SLACK;
    walk->err = TC_OK;
    walk->words_used = 0;
    walk->regex.used = 0;
    walk->regex.general = walk->regex.data = NULL;
}

enum tc_err tc_walk_finish(struct tc_walk *walk)
{
    if (walk->regex.general)
        tc_ecma_scratch_finish(&walk->regex);
    if (walk->err == TC_E_NO_MEMORY)
        return tc_fail_memory(walk->cx);
    if (walk->err)
        return tc_fail(walk->cx, TC_E_SCHEMA_BUDGET,
                       "Checking this value against its schema takes more work than is allowed.");
    return TC_OK;
}

static bool spent(struct tc_walk *walk)
{
    walk->err = walk->err ? walk->err : TC_E_SCHEMA_BUDGET;
    return false;
}

/* --- marks --- */

bool tc_walk_marks_init(struct tc_walk *walk, struct tc_walk_marks *marks, const struct tc_json *v)
{
    marks->all = false;
    marks->words = (v->n + 63) / 64;
    if (marks->words <= TC_WALK_WORDS - walk->words_used) {
        marks->bits = walk->words + walk->words_used;
        walk->words_used += marks->words;
        memset(marks->bits, 0, marks->words * sizeof marks->bits[0]);
        return true;
    }
    if (!tc_walk_charge(walk, marks->words))
        return false;
    marks->bits = tc_mem_zalloc(marks->words, sizeof marks->bits[0]);
    if (!marks->bits)
        walk->err = TC_E_NO_MEMORY;
    return marks->bits != NULL;
}

void tc_walk_marks_finish(struct tc_walk *walk, struct tc_walk_marks *marks)
{
    if (marks->bits >= walk->words && marks->bits <= walk->words + TC_WALK_WORDS)
        walk->words_used -= marks->words;
    else
        tc_mem_free(marks->bits);
}

static void mark(struct tc_walk_marks *marks, uint32_t i)
{
    marks->bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static void merge(struct tc_walk_marks *to, const struct tc_walk_marks *from)
{
    to->all = to->all || from->all;
    for (uint32_t i = 0; i < to->words; i++)
        to->bits[i] |= from->bits[i];
}

/* --- strings --- */

enum tc_ecma_verdict tc_walk_regex(struct tc_walk *walk, const struct tc_ecma *regex, struct tc_str text)
{
    enum tc_ecma_verdict verdict = TC_ECMA_LIMIT;

    if (tc_walk_charge(walk, 8 + text.n / 16))
        verdict = tc_ecma_match(regex, &walk->regex, text);
    if (verdict == TC_ECMA_LIMIT)
        spent(walk);
    return verdict;
}

bool tc_walk_format(struct tc_walk *walk, const struct tc_schema_string *string, struct tc_str text)
{
    if (!string->format)
        return true;
    return tc_walk_charge(walk, tc_format_cost(string->format, text)) && tc_format_check(string->format, text);
}

static bool walk_string(struct tc_walk *walk, const struct tc_schema_string *string, const struct tc_json *v)
{
    struct tc_str text = tc_node_text(v);

    if (!tc_check_length(string, text))
        return false;
    if (string->pattern && tc_walk_regex(walk, string->pattern, text) != TC_ECMA_YES)
        return false;
    return tc_walk_format(walk, string, text);
}

/* --- scalars --- */

static bool walk_values(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v)
{
    for (unsigned i = 0; i < 2; i++) {
        const struct tc_schema_values *values = node->values[i];
        if (!values)
            continue;
        if (!tc_walk_charge(walk, values->cost + (values->slots ? tc_node_span(v) / 8 : 0)))
            return false;
        if (!tc_check_values(values, walk->schema->seed, v))
            return false;
    }
    return true;
}

static bool walk_numbers(const struct tc_schema_numbers *numbers, const struct tc_json *v)
{
    for (uint32_t i = 0; i < numbers->n; i++)
        if (!tc_check_number(&numbers->check[i], tc_node_text(v)))
            return false;
    return true;
}

/* What a node says of a scalar apart from its rules, and of any value by enum and
 * const. */
static bool walk_scalar(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v)
{
    if (v->type == TC_JSON_STRING && node->string && !walk_string(walk, node->string, v))
        return false;
    if (v->type == TC_JSON_NUMBER && node->numbers && !walk_numbers(node->numbers, v))
        return false;
    return !(node->values[0] || node->values[1]) || walk_values(walk, node, v);
}

/* --- arrays and objects --- */

/* The head of tc_walk_node, inline where children are looked at: most end here. */
static inline bool child(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v)
{
    if (!tc_check_type(node->types, v))
        return false;
    if (node->flags & TC_SCHEMA_LEAF)
        return true;
    return v->type < TC_JSON_ARRAY && node->rules_n == 0 ? walk_scalar(walk, node, v)
                                                         : tc_walk_node(walk, node, v, NULL);
}

static bool walk_contains(struct tc_walk *walk, const struct tc_schema_array *array, const struct tc_json *v,
                          struct tc_walk_marks *marks)
{
    const struct tc_json *item = v + 1;
    bool marking = marks && array->contains_marks;
    uint32_t found = 0;

    for (uint32_t i = 0; i < v->n; i++, item += tc_node_span(item)) {
        if (!child(walk, array->contains, item)) {
            if (walk->err)
                return false;
            continue;
        }
        found++;
        if (marking)
            mark(marks, i);
        else if (found >= array->contains_min && array->contains_max == TC_SCHEMA_NONE)
            return true;
    }
    return found >= array->contains_min && found <= array->contains_max;
}

static bool walk_array(struct tc_walk *walk, const struct tc_schema_array *array, const struct tc_json *v,
                       struct tc_walk_marks *marks)
{
    const struct tc_json *item = v + 1, *end = v + v->u.box.span;
    uint32_t i = 0, first, second;

    if (v->n < array->min || v->n > array->max || !tc_walk_charge(walk, v->n))
        return false;
    for (; i < array->prefix_n && item < end; i++, item += tc_node_span(item)) {
        if (!child(walk, array->prefix[i], item))
            return false;
        if (marks)
            mark(marks, i);
    }
    if (array->rest) {
        for (; item < end; item += tc_node_span(item))
            if (!child(walk, array->rest, item))
                return false;
        if (marks)
            marks->all = true;
    }
    if (array->unique && !tc_walk_unique(walk, v, &first, &second))
        return false;
    return !array->contains || walk_contains(walk, array, v, marks);
}

/* *known: some keyword of this schema has evaluated the member. */
static bool walk_patterns(struct tc_walk *walk, const struct tc_schema_object *object, const struct tc_json *key,
                          bool *known)
{
    for (uint32_t i = 0; i < object->patterns_n; i++) {
        const struct tc_schema_pattern *pattern = &object->patterns[i];
        if (tc_walk_regex(walk, pattern->regex, tc_node_text(key)) != TC_ECMA_YES) {
            if (walk->err)
                return false;
            continue;
        }
        *known = true;
        if (!child(walk, pattern->node, key + 1))
            return false;
    }
    return true;
}

static bool walk_members(struct tc_walk *walk, const struct tc_schema_object *object, const struct tc_json *v,
                         struct tc_walk_marks *marks)
{
    const struct tc_json *key = v + 1, *end = v + v->u.box.span;
    uint32_t cursor = 0, seen = 0, i = 0;

    for (; key < end; key = tc_node_next_key(key)) {
        const struct tc_schema_property *property;
        bool known = false;

        if (key->flags & TC_NODE_LOST)
            continue;
        property = tc_check_property(object, walk->schema->seed, tc_node_text(key), &cursor);
        if (property) {
            seen += property->required;
            known = property->node != NULL;
            if (known && !child(walk, property->node, key + 1))
                return false;
        }
        if (object->patterns_n && !walk_patterns(walk, object, key, &known))
            return false;
        if (!known && object->additional) {
            known = true;
            if (!child(walk, object->additional, key + 1))
                return false;
        }
        if (object->names && !child(walk, object->names, key))
            return false;
        if (marks && known)
            mark(marks, i);
        i++;
    }
    return seen == object->required_n;
}

/* The usual case of walk_members. */
static bool walk_names(struct tc_walk *walk, const struct tc_schema_object *object, const struct tc_json *v)
{
    const struct tc_json *key = v + 1, *end = v + v->u.box.span;
    uint32_t cursor = 0, seen = 0;

    for (; key < end; key = tc_node_next_key(key)) {
        const struct tc_schema_property *property;
        const struct tc_schema_node *node;

        if (key->flags & TC_NODE_LOST)
            continue;
        property = tc_check_property(object, walk->schema->seed, tc_node_text(key), &cursor);
        node = property ? property->node : NULL;
        seen += property && property->required;
        if (!node)
            node = object->additional;
        if (node && !child(walk, node, key + 1))
            return false;
    }
    return seen == object->required_n;
}

static bool walk_dependencies(struct tc_walk *walk, const struct tc_schema_object *object, const struct tc_json *v,
                              struct tc_walk_marks *marks)
{
    for (uint32_t i = 0; i < object->dependencies_n; i++) {
        const struct tc_schema_dependency *dependency = &object->dependencies[i];
        if (!tc_json_get(v, dependency->key))
            continue;
        if (!tc_walk_charge(walk, dependency->required_n))
            return false;
        for (uint32_t j = 0; j < dependency->required_n; j++)
            if (!tc_json_get(v, dependency->required[j]))
                return false;
        if (dependency->node && !tc_walk_node(walk, dependency->node, v, marks))
            return false;
    }
    return true;
}

static bool walk_object(struct tc_walk *walk, const struct tc_schema_object *object, const struct tc_json *v,
                        struct tc_walk_marks *marks)
{
    if (v->n < object->least || v->n > object->max || !tc_walk_charge(walk, v->n + object->dependencies_n))
        return false;
    if (object->per_member &&
        !(object->by_name && !marks ? walk_names(walk, object, v) : walk_members(walk, object, v, marks)))
        return false;
    return object->dependencies_n == 0 || walk_dependencies(walk, object, v, marks);
}

/* --- rules --- */

const struct tc_schema_node *tc_walk_target(const struct tc_walk *walk, const struct tc_schema_rule *rule)
{
    const struct tc_schema_node *found = rule->nodes[0];

    if (!rule->dynamic)
        return found;
    for (const struct tc_walk_scope *scope = walk->scope; scope; scope = scope->up) {
        const struct tc_schema_resource *resource = &walk->schema->resources[scope->resource];
        for (uint32_t i = 0; i < resource->anchors_n; i++)
            if (resource->anchors[i].name == rule->dynamic)
                found = resource->anchors[i].node; /* the outermost wins */
    }
    return found;
}

/* A branch that may fail: its marks count only if it does not. */
static APART bool branch_marked(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                                struct tc_walk_marks *marks)
{
    struct tc_walk_marks own;
    bool ok;

    if (!tc_walk_marks_init(walk, &own, v))
        return false;
    ok = tc_walk_node(walk, node, v, &own);
    if (ok)
        merge(marks, &own);
    tc_walk_marks_finish(walk, &own);
    return ok;
}

static inline bool branch(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                          struct tc_walk_marks *marks)
{
    return marks ? branch_marked(walk, node, v, marks) : child(walk, node, v);
}

static bool walk_alternatives(struct tc_walk *walk, const struct tc_schema_rule *rule, const struct tc_json *v,
                              struct tc_walk_marks *marks)
{
    uint32_t matches = 0;

    for (uint32_t i = 0; i < rule->n; i++) {
        if (!branch(walk, rule->nodes[i], v, marks)) {
            if (walk->err)
                return false;
            continue;
        }
        if (rule->rule == TC_KW_ONE_OF ? ++matches > 1 : !marks) /* anyOf goes on for the marks only */
            return rule->rule == TC_KW_ANY_OF;
        matches = 1;
    }
    return matches == 1;
}

static bool walk_if(struct tc_walk *walk, const struct tc_schema_rule *rule, const struct tc_json *v,
                    struct tc_walk_marks *marks)
{
    const struct tc_schema_node *next;

    if (!marks && !rule->nodes[1] && !rule->nodes[2])
        return true;
    next = branch(walk, rule->nodes[0], v, marks) ? rule->nodes[1] : rule->nodes[2];
    if (walk->err)
        return false;
    return !next || tc_walk_node(walk, next, v, marks);
}

static bool walk_rule(struct tc_walk *walk, const struct tc_schema_rule *rule, const struct tc_json *v,
                      struct tc_walk_marks *marks)
{
    switch (rule->rule) {
    case TC_KW_ALL_OF:
        for (uint32_t i = 0; i < rule->n; i++)
            if (!tc_walk_node(walk, rule->nodes[i], v, marks))
                return false;
        return true;
    case TC_KW_ANY_OF:
    case TC_KW_ONE_OF:
        return walk_alternatives(walk, rule, v, marks);
    case TC_KW_NOT:
        return !child(walk, rule->nodes[0], v) && !walk->err;
    case TC_KW_IF:
        return walk_if(walk, rule, v, marks);
    default:
        return tc_walk_node(walk, tc_walk_target(walk, rule), v, marks);
    }
}

/* --- nodes --- */

bool tc_walk_marked(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                    struct tc_walk_marks *marks)
{
    if (v->type == TC_JSON_OBJECT && node->object && !walk_object(walk, node->object, v, marks))
        return false;
    if (v->type == TC_JSON_ARRAY && node->array && !walk_array(walk, node->array, v, marks))
        return false;
    if (!walk_scalar(walk, node, v))
        return false;
    for (uint32_t i = 0; i < node->rules_n; i++)
        if (!walk_rule(walk, &node->rules[i], v, marks))
            return false;
    return true;
}

/* What no mark is on must match the schema of unevaluated…. */
static bool walk_unmarked(struct tc_walk *walk, const struct tc_schema_node *rest, const struct tc_json *v,
                          struct tc_walk_marks *marks)
{
    const struct tc_json *at = v + 1, *end = v + v->u.box.span;
    uint32_t i = 0;

    while (at < end && !marks->all) {
        const struct tc_json *value = v->type == TC_JSON_OBJECT ? at + 1 : at;
        bool lost = at->flags & TC_NODE_LOST && v->type == TC_JSON_OBJECT;
        if (!lost && !tc_walk_is_marked(marks, i++) && !child(walk, rest, value))
            return false;
        at = value + tc_node_span(value);
    }
    marks->all = true;
    return true;
}

static APART bool walk_unevaluated(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                                   struct tc_walk_marks *marks)
{
    const struct tc_schema_node *rest = v->type == TC_JSON_OBJECT ? (node->object ? node->object->unevaluated : NULL)
                                                                  : (node->array ? node->array->unevaluated : NULL);
    struct tc_walk_marks own;
    bool ok;

    if (!rest)
        return tc_walk_marked(walk, node, v, marks);
    if (!tc_walk_marks_init(walk, &own, v))
        return false;
    ok = tc_walk_marked(walk, node, v, &own) && walk_unmarked(walk, rest, v, &own);
    if (ok && marks)
        merge(marks, &own);
    tc_walk_marks_finish(walk, &own);
    return ok;
}

static inline bool walk_into(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                             struct tc_walk_marks *marks)
{
    if (node->flags & TC_SCHEMA_MARKS && v->type >= TC_JSON_ARRAY)
        return walk_unevaluated(walk, node, v, marks);
    return tc_walk_marked(walk, node, v, marks);
}

static APART bool walk_scoped(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                              struct tc_walk_marks *marks)
{
    struct tc_walk_scope scope = {walk->scope, node->resource};
    bool ok;

    walk->scope = &scope;
    ok = walk_into(walk, node, v, marks);
    walk->scope = scope.up;
    return ok;
}

bool tc_walk_node(struct tc_walk *walk, const struct tc_schema_node *node, const struct tc_json *v,
                  struct tc_walk_marks *marks)
{
    bool ok;

    if (!tc_check_type(node->types, v))
        return false;
    if (node->flags & TC_SCHEMA_LEAF)
        return true;
    if (tc_walk_is_deep(walk, TC_SCHEMA_DEPTH_MAX) || !tc_walk_charge(walk, 1))
        return spent(walk);
    walk->depth++;
    if (walk->schema->dynamic && (!walk->scope || walk->scope->resource != node->resource))
        ok = walk_scoped(walk, node, v, marks);
    else
        ok = walk_into(walk, node, v, marks);
    walk->depth--;
    return ok;
}

enum tc_err tc_schema_validate(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                               bool *ret_valid)
{
    static const struct tc_json nothing = {.type = TC_JSON_NULL};
    struct tc_walk walk;
    bool valid;
    enum tc_err err;

    tc_walk_init(&walk, cx, schema);
    valid = tc_walk_node(&walk, schema->root, instance ? instance : &nothing, NULL);
    err = tc_walk_finish(&walk);
    if (!err)
        *ret_valid = valid;
    return err;
}
