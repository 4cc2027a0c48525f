/*
 * The walk that says why. It follows only values that fail, asks tc_walk_node
 * for every verdict, and of alternatives that all fail keeps the faults of the
 * one that fits best: the type first, then what looks like a tag (enum or const
 * of a member), then the number of faults.
 */
#include "schema/explain.h"

#include <stdlib.h>

#include "schema/check.h"

enum { FAULTS_MAX = 64, WEIGHT_TYPE = 100000, WEIGHT_TAG = 1000, WEIGHT_OTHER = 10 };

struct explain {
    struct tc_walk walk;
    struct tc_arena *arena;
    struct tc_explain_fault *faults;
    uint32_t n;
    bool no_memory;
};

/* The value in question and the schema it failed. */
struct spot {
    const struct tc_schema_node *node;
    const struct tc_json *v;
    const struct tc_path *path;
};

static void explain(struct explain *e, struct spot spot);

/* Past FAULTS_MAX the last one is written over. */
static struct tc_explain_fault *add(struct explain *e, struct spot spot, enum tc_keyword rule)
{
    struct tc_explain_fault *fault = &e->faults[e->n < FAULTS_MAX ? e->n++ : FAULTS_MAX - 1];

    *fault = (struct tc_explain_fault){.path = spot.path, .node = spot.node, .rule = rule, .v = spot.v};
    return fault;
}

static bool matches(struct explain *e, const struct tc_schema_node *node, const struct tc_json *v)
{
    return tc_walk_node(&e->walk, node, v, NULL);
}

static const struct tc_path *key_path(struct explain *e, const struct tc_path *up, struct tc_str key)
{
    const struct tc_path *path = tc_path_key(e->arena, up, key);

    e->no_memory = e->no_memory || !path;
    return path;
}

static void explain_member(struct explain *e, struct spot at, const struct tc_schema_node *node,
                           const struct tc_json *key)
{
    const struct tc_path *path;

    if (matches(e, node, key + 1))
        return;
    path = key_path(e, at.path, tc_node_text(key));
    if (path)
        explain(e, (struct spot){node, key + 1, path});
}

static void explain_item(struct explain *e, struct spot at, const struct tc_schema_node *node, uint32_t index)
{
    const struct tc_path *path;

    if (matches(e, node, at.v))
        return;
    path = tc_path_index(e->arena, at.path, index);
    e->no_memory = e->no_memory || !path;
    if (path)
        explain(e, (struct spot){node, at.v, path});
}

/* --- scalars --- */

static void explain_values(struct explain *e, struct spot spot)
{
    static const enum tc_keyword rules[2] = {TC_KW_ENUM, TC_KW_CONST};

    for (unsigned i = 0; i < 2; i++)
        if (spot.node->values[i] && !tc_check_values(spot.node->values[i], e->walk.schema->seed, spot.v))
            add(e, spot, rules[i]);
}

static void explain_number(struct explain *e, struct spot spot)
{
    const struct tc_schema_numbers *numbers = spot.node->numbers;

    for (uint32_t i = 0; numbers && i < numbers->n; i++)
        if (!tc_check_number(&numbers->check[i], tc_node_text(spot.v)))
            add(e, spot, numbers->check[i].rule)->about.number = &numbers->check[i];
}

static void explain_string(struct explain *e, struct spot spot)
{
    const struct tc_schema_string *string = spot.node->string;
    struct tc_str text = tc_node_text(spot.v);
    struct tc_schema_string only;

    if (!string)
        return;
    only = (struct tc_schema_string){.min = string->min, .max = TC_SCHEMA_NONE};
    if (!tc_check_length(&only, text))
        add(e, spot, TC_KW_MIN_LENGTH);
    else if (!tc_check_length(string, text))
        add(e, spot, TC_KW_MAX_LENGTH);
    if (string->pattern && tc_walk_regex(&e->walk, string->pattern, text) != TC_ECMA_YES)
        add(e, spot, TC_KW_PATTERN);
    if (!tc_walk_format(&e->walk, string, text))
        add(e, spot, TC_KW_FORMAT);
}

/* --- arrays --- */

static void explain_items(struct explain *e, struct spot spot, const struct tc_schema_array *array)
{
    const struct tc_json *item = spot.v + 1;

    for (uint32_t i = 0; i < spot.v->n && e->n < FAULTS_MAX; i++, item += tc_node_span(item)) {
        const struct tc_schema_node *node = i < array->prefix_n ? array->prefix[i] : array->rest;
        if (node && node->flags & TC_SCHEMA_FALSE && i >= array->prefix_n) {
            add(e, spot, array->rest_rule)->first = array->prefix_n;
            return;
        }
        if (node)
            explain_item(e, (struct spot){spot.node, item, spot.path}, node, i);
    }
}

static void explain_contains(struct explain *e, struct spot spot, const struct tc_schema_array *array)
{
    const struct tc_json *item = spot.v + 1;
    uint32_t found = 0;

    for (uint32_t i = 0; i < spot.v->n; i++, item += tc_node_span(item))
        found += matches(e, array->contains, item);
    if (found < array->contains_min)
        add(e, spot, array->contains_min == 1 ? TC_KW_CONTAINS : TC_KW_MIN_CONTAINS)->first = found;
    if (found > array->contains_max)
        add(e, spot, TC_KW_MAX_CONTAINS)->first = found;
}

static void explain_array(struct explain *e, struct spot spot)
{
    const struct tc_schema_array *array = spot.node->array;
    uint32_t first = 0, second = 0;

    if (!array)
        return;
    if (spot.v->n < array->min)
        add(e, spot, TC_KW_MIN_ITEMS);
    if (spot.v->n > array->max)
        add(e, spot, TC_KW_MAX_ITEMS);
    explain_items(e, spot, array);
    if (array->unique && !tc_walk_unique(&e->walk, spot.v, &first, &second)) {
        struct tc_explain_fault *fault = add(e, spot, TC_KW_UNIQUE_ITEMS);
        fault->first = first;
        fault->second = second;
    }
    if (array->contains)
        explain_contains(e, spot, array);
}

/* --- objects --- */

/* A key that may not be there. */
static void add_unknown(struct explain *e, struct spot spot, const struct tc_json *key, enum tc_keyword rule)
{
    struct spot below = {spot.node, key + 1, key_path(e, spot.path, tc_node_text(key))};
    struct tc_explain_fault *fault;

    if (!below.path)
        return;
    fault = add(e, below, rule);
    fault->key = tc_node_text(key);
    fault->about.object = spot.node->object;
}

static void explain_key(struct explain *e, struct spot spot, const struct tc_schema_object *object,
                        const struct tc_json *key)
{
    uint32_t cursor = 0;
    const struct tc_schema_property *property =
        tc_check_property(object, e->walk.schema->seed, tc_node_text(key), &cursor);
    bool known = property && property->node;

    if (known)
        explain_member(e, spot, property->node, key);
    for (uint32_t i = 0; i < object->patterns_n; i++) {
        if (tc_walk_regex(&e->walk, object->patterns[i].regex, tc_node_text(key)) != TC_ECMA_YES)
            continue;
        known = true;
        explain_member(e, spot, object->patterns[i].node, key);
    }
    if (!known && object->additional && object->additional->flags & TC_SCHEMA_FALSE)
        add_unknown(e, spot, key, object->additional_rule);
    else if (!known && object->additional)
        explain_member(e, spot, object->additional, key);
    if (object->names && !matches(e, object->names, key))
        add_unknown(e, spot, key, TC_KW_PROPERTY_NAMES);
}

static void explain_required(struct explain *e, struct spot spot, const struct tc_schema_object *object)
{
    for (uint32_t i = 0; i < object->properties_n; i++) {
        const struct tc_schema_property *property = &object->properties[i];
        if (property->required && !tc_json_get(spot.v, property->key))
            add(e, spot, TC_KW_REQUIRED)->key = property->key;
    }
}

static void explain_dependencies(struct explain *e, struct spot spot, const struct tc_schema_object *object)
{
    for (uint32_t i = 0; i < object->dependencies_n; i++) {
        const struct tc_schema_dependency *dependency = &object->dependencies[i];
        if (!tc_json_get(spot.v, dependency->key))
            continue;
        for (uint32_t j = 0; j < dependency->required_n; j++) {
            struct tc_explain_fault *fault;
            if (tc_json_get(spot.v, dependency->required[j]))
                continue;
            fault = add(e, spot, dependency->rule);
            fault->key = dependency->required[j];
            fault->about.dependency = dependency;
        }
        if (dependency->node && !matches(e, dependency->node, spot.v))
            explain(e, (struct spot){dependency->node, spot.v, spot.path});
    }
}

static void explain_object(struct explain *e, struct spot spot)
{
    const struct tc_schema_object *object = spot.node->object;
    const struct tc_json *key = spot.v + 1, *end = spot.v + spot.v->u.box.span;

    if (!object)
        return;
    if (spot.v->n < object->min)
        add(e, spot, TC_KW_MIN_PROPERTIES);
    if (spot.v->n > object->max)
        add(e, spot, TC_KW_MAX_PROPERTIES);
    for (; object->per_member && key < end && e->n < FAULTS_MAX; key = tc_node_next_key(key))
        if (!(key->flags & TC_NODE_LOST))
            explain_key(e, spot, object, key);
    explain_required(e, spot, object);
    explain_dependencies(e, spot, object);
}

/* --- rules --- */

/* Where no alternative takes the type, the types that they take together; 0
 * where some does. */
static unsigned refused_types(const struct tc_schema_rule *rule, const struct tc_json *v)
{
    unsigned types = 0;

    for (uint32_t i = 0; i < rule->n; i++) {
        const struct tc_schema_node *node = rule->nodes[i];
        if (tc_check_type(node->types, v))
            return 0;
        types |= node->types;
    }
    return types;
}

/* How far the faults from `from` on are from a match; lower is closer. */
static unsigned weigh(const struct explain *e, uint32_t from, uint32_t depth)
{
    unsigned weight = 0;

    for (uint32_t i = from; i < e->n; i++) {
        const struct tc_explain_fault *fault = &e->faults[i];
        uint32_t below = tc_path_depth(fault->path) - depth;
        if (below == 0 && (fault->rule == TC_KW_TYPE || fault->rule == TC_KW_CONST || fault->rule == TC_KW_ENUM))
            weight += WEIGHT_TYPE;
        else if (below == 1 && (fault->rule == TC_KW_CONST || fault->rule == TC_KW_ENUM))
            weight += WEIGHT_TAG;
        else
            weight += WEIGHT_OTHER;
    }
    return weight;
}

static void explain_alternatives(struct explain *e, struct spot spot, const struct tc_schema_rule *rule)
{
    uint32_t start = e->n, kept = 0;
    unsigned best = 0, types = refused_types(rule, spot.v);

    if (types) {
        add(e, spot, TC_KW_TYPE)->types = types;
        return;
    }
    for (uint32_t i = 0; i < rule->n && !e->walk.err; i++) {
        unsigned weight;
        e->n = start + kept;
        if (e->n >= FAULTS_MAX)
            return;
        explain(e, (struct spot){rule->nodes[i], spot.v, spot.path});
        weight = weigh(e, start + kept, tc_path_depth(spot.path));
        if (i > 0 && weight >= best)
            continue;
        memmove(&e->faults[start], &e->faults[start + kept], (e->n - start - kept) * sizeof e->faults[0]);
        kept = e->n - start - kept;
        best = weight;
    }
    e->n = start + kept;
}

static void explain_one_of(struct explain *e, struct spot spot, const struct tc_schema_rule *rule)
{
    struct tc_explain_fault *fault;
    uint32_t found[2] = {0, 0}, n = 0;

    for (uint32_t i = 0; i < rule->n && n < 2; i++)
        if (matches(e, rule->nodes[i], spot.v))
            found[n++] = i;
    if (n == 0) {
        explain_alternatives(e, spot, rule);
        return;
    }
    if (n < 2)
        return;
    fault = add(e, spot, TC_KW_ONE_OF);
    fault->first = found[0];
    fault->second = found[1];
}

static void explain_all(struct explain *e, struct spot spot, const struct tc_schema_rule *rule)
{
    for (uint32_t i = 0; i < rule->n; i++)
        if (!matches(e, rule->nodes[i], spot.v))
            explain(e, (struct spot){rule->nodes[i], spot.v, spot.path});
}

static bool any_matches(struct explain *e, const struct tc_schema_rule *rule, const struct tc_json *v)
{
    for (uint32_t i = 0; i < rule->n; i++)
        if (matches(e, rule->nodes[i], v))
            return true;
    return false;
}

static void explain_rule(struct explain *e, struct spot spot, const struct tc_schema_rule *rule)
{
    const struct tc_schema_node *next;

    switch (rule->rule) {
    case TC_KW_ALL_OF:
        explain_all(e, spot, rule);
        return;
    case TC_KW_ANY_OF:
        if (!any_matches(e, rule, spot.v))
            explain_alternatives(e, spot, rule);
        return;
    case TC_KW_ONE_OF:
        explain_one_of(e, spot, rule);
        return;
    case TC_KW_NOT:
        if (matches(e, rule->nodes[0], spot.v))
            add(e, spot, TC_KW_NOT);
        return;
    case TC_KW_IF:
        next = matches(e, rule->nodes[0], spot.v) ? rule->nodes[1] : rule->nodes[2];
        break;
    default:
        next = tc_walk_target(&e->walk, rule);
        break;
    }
    if (next && !matches(e, next, spot.v))
        explain(e, (struct spot){next, spot.v, spot.path});
}

/* --- unevaluated --- */

static void explain_unmarked(struct explain *e, struct spot spot, const struct tc_walk_marks *marks)
{
    bool object = spot.v->type == TC_JSON_OBJECT;
    const struct tc_schema_node *rest = object ? spot.node->object->unevaluated : spot.node->array->unevaluated;
    const struct tc_json *at = spot.v + 1, *end = spot.v + spot.v->u.box.span;
    uint32_t i = 0;

    while (at < end && e->n < FAULTS_MAX) {
        const struct tc_json *value = object ? at + 1 : at;
        bool skip = (object && at->flags & TC_NODE_LOST) || tc_walk_is_marked(marks, i);
        if (!skip && object && rest->flags & TC_SCHEMA_FALSE)
            add_unknown(e, spot, at, TC_KW_UNEVALUATED_PROPERTIES);
        else if (!skip && object)
            explain_member(e, spot, rest, at);
        else if (!skip)
            explain_item(e, (struct spot){spot.node, value, spot.path}, rest, i);
        i += !(object && at->flags & TC_NODE_LOST);
        at = value + tc_node_span(value);
    }
}

static void explain_unevaluated(struct explain *e, struct spot spot)
{
    const struct tc_schema_node *node = spot.node;
    struct tc_walk_marks marks;
    bool applies = (spot.v->type == TC_JSON_OBJECT && node->object && node->object->unevaluated) ||
                   (spot.v->type == TC_JSON_ARRAY && node->array && node->array->unevaluated);

    if (!applies || !tc_walk_marks_init(&e->walk, &marks, spot.v))
        return;
    if (tc_walk_marked(&e->walk, node, spot.v, &marks) && !marks.all)
        explain_unmarked(e, spot, &marks);
    tc_walk_marks_finish(&e->walk, &marks);
}

/* --- a node --- */

static void explain_by_type(struct explain *e, struct spot spot)
{
    if (spot.v->type == TC_JSON_NUMBER)
        explain_number(e, spot);
    else if (spot.v->type == TC_JSON_STRING)
        explain_string(e, spot);
    else if (spot.v->type == TC_JSON_ARRAY)
        explain_array(e, spot);
    else if (spot.v->type == TC_JSON_OBJECT)
        explain_object(e, spot);
}

static void explain_inside(struct explain *e, struct spot spot)
{
    uint32_t before = e->n;

    explain_values(e, spot);
    if (e->n == before) /* of a wrong choice nothing else matters */
        explain_by_type(e, spot);
    for (uint32_t i = 0; i < spot.node->rules_n && e->n < FAULTS_MAX; i++)
        explain_rule(e, spot, &spot.node->rules[i]);
    if (e->n == before)
        explain_unevaluated(e, spot);
}

/* spot.v fails spot.node. */
static void explain(struct explain *e, struct spot spot)
{
    struct tc_walk_scope scope;

    if (e->no_memory || !tc_walk_charge(&e->walk, 1) || tc_walk_is_deep(&e->walk, TC_SCHEMA_DEPTH_MAX / 2))
        return;
    if (spot.node->flags & TC_SCHEMA_FALSE) {
        add(e, spot, spot.node->up ? (enum tc_keyword)spot.node->word : TC_KW_NOT);
        return;
    }
    if (!tc_check_type(spot.node->types, spot.v)) {
        add(e, spot, TC_KW_TYPE)->types = spot.node->types;
        return;
    }
    scope = (struct tc_walk_scope){e->walk.scope, spot.node->resource};
    e->walk.scope = &scope;
    e->walk.depth++;
    explain_inside(e, spot);
    e->walk.depth--;
    e->walk.scope = scope.up;
}

/* --- public --- */

/* Deepest first; of one depth in the order found. */
static void sort(struct tc_explain_fault *faults, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct tc_explain_fault one = faults[i];
        uint32_t j = i;
        for (; j > 0 && tc_path_depth(faults[j - 1].path) < tc_path_depth(one.path); j--)
            faults[j] = faults[j - 1];
        faults[j] = one;
    }
}

static enum tc_err put_into_words(struct tc_cx *cx, const struct explain *e, size_t max,
                                  struct tc_schema_fault **ret_faults, size_t *ret_n)
{
    size_t n = e->n < max ? e->n : max;
    struct tc_schema_fault *faults = TC_ARENA_NEW_N(cx->arena, struct tc_schema_fault, n);

    if (!faults)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < n; i++)
        if (!tc_explain_text(cx->arena, &e->faults[i], &faults[i]))
            return tc_fail_memory(cx);
    *ret_faults = faults;
    *ret_n = n;
    return TC_OK;
}

enum tc_err tc_schema_faults(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                             size_t max, struct tc_schema_fault **ret_faults, size_t *ret_n)
{
    static const struct tc_json nothing = {.type = TC_JSON_NULL};
    struct spot root = {schema->root, instance ? instance : &nothing, NULL};
    struct explain *e;
    enum tc_err err;

    e = TC_ARENA_NEW(cx->arena, struct explain);
    if (e)
        e->faults = TC_ARENA_NEW_N(cx->arena, struct tc_explain_fault, FAULTS_MAX);
    if (!e || !e->faults)
        return tc_fail_memory(cx);
    e->arena = cx->arena;
    tc_walk_init(&e->walk, cx, schema);
    if (!matches(e, root.node, root.v) && !e->walk.err) {
        explain(e, root);
        if (e->n == 0) /* too deep to say more */
            add(e, root, TC_KW_NOT);
    }
    if (e->n > 0 && !e->no_memory)
        e->walk.err = TC_OK; /* what was found stands */
    err = tc_walk_finish(&e->walk);
    if (!err && e->no_memory)
        err = tc_fail_memory(cx);
    if (err)
        return err;
    sort(e->faults, e->n);
    return put_into_words(cx, e, max, ret_faults, ret_n);
}
