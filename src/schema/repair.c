/*
 * Repair: where a value fails, the readings of it that lose nothing are a string
 * read as the JSON that it encodes, and a null left out that an optional
 * property refuses. `expand` follows the schema to what fails and gathers the
 * sets of changes that could mend it, one set an alternative; each is tried on a
 * new document. A value that validates as it came is never touched.
 *
 * The result stands only if one set explains all others that validate too: the
 * reading is then the smallest and the only one.
 */
#include "base/mem.h"
#include "json/node.h"
#include "schema/check.h"
#include "schema/path.h"
#include "schema/walk.h"

enum {
    SETS_MAX = 16,   /* alternatives looked at */
    TRIALS_MAX = 64, /* documents built */
    ROUNDS_MAX = 4,  /* strings inside encoded strings */
    SOLUTIONS_MAX = 8,
    DOCUMENT_MAX = 64 * 1024 * 1024
};

struct change {
    const struct tc_json *v; /* in the document of the round */
    const struct tc_path *path;
    bool drop;
};

struct set {
    struct change changes[TC_SCHEMA_REPAIRS_MAX];
    uint32_t n;
};

struct sets {
    struct set set[SETS_MAX];
    uint32_t n; /* 0: nothing can mend it */
};

struct solution {
    struct tc_json_doc *doc; /* a reference of its own */
    const struct tc_schema_change *changes;
    uint32_t n;
};

struct repair {
    struct tc_cx *cx;
    struct tc_walk walk;
    struct solution solutions[SOLUTIONS_MAX];
    uint32_t solutions_n, trials;
    bool too_many; /* more alternatives than are looked at: no repair */
    bool no_memory;
};

struct spot {
    const struct tc_schema_node *node;
    const struct tc_json *v;
    const struct tc_path *path;
};

static void expand(struct repair *r, struct spot spot, struct sets *sets);

/* --- sets of changes --- */

static bool has(const struct set *set, const struct tc_json *v)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->changes[i].v == v)
            return true;
    return false;
}

/* Adds the change to every set; a set that is full cannot mend anything. */
static void add_to_all(struct sets *sets, struct change change)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < sets->n; i++) {
        struct set *set = &sets->set[i];
        if (!has(set, change.v)) {
            if (set->n == TC_SCHEMA_REPAIRS_MAX)
                continue;
            set->changes[set->n++] = change;
        }
        if (kept != i)
            sets->set[kept] = *set;
        kept++;
    }
    sets->n = kept;
}

static bool same(const struct set *a, const struct set *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (!has(b, a->changes[i].v))
            return false;
    return true;
}

static void add_set(struct repair *r, struct sets *to, const struct set *set)
{
    for (uint32_t i = 0; i < to->n; i++)
        if (same(&to->set[i], set))
            return;
    if (to->n == SETS_MAX)
        r->too_many = true;
    else
        to->set[to->n++] = *set;
}

/* --- readings --- */

/* The types that the node takes, by `type`, enum and const. */
static unsigned wanted_types(const struct tc_schema_node *node)
{
    unsigned types = node->types;

    for (unsigned i = 0; i < 2; i++) {
        unsigned values = node->values[i] ? node->values[i]->types : TC_TYPES_ALL;
        if (types & TC_TYPES_INTEGER && values & 1 << TC_JSON_NUMBER)
            values |= TC_TYPES_INTEGER;
        types &= values;
    }
    return types;
}

/* Does the whole text parse as one JSON value, without a key twice? */
static bool parses(struct repair *r, struct tc_str text)
{
    struct tc_json_doc *doc;
    bool whole;

    if (tc_json_parse(r->cx, text, NULL, &doc)) {
        r->no_memory = r->no_memory || r->cx->err.code == TC_E_NO_MEMORY;
        return false;
    }
    whole = tc_json_doc_duplicate(doc).p == NULL;
    tc_json_doc_unref(doc);
    return whole;
}

static bool is_whole(struct tc_str s)
{
    for (size_t i = s.n && s.p[0] == '-'; i < s.n; i++)
        if ((unsigned char)(s.p[i] - '0') > 9)
            return false;
    return true;
}

/* Can the string be read, in one way, as a value of another wanted type? */
static bool can_decode(struct repair *r, const struct tc_json *v, unsigned types)
{
    struct tc_str text = tc_node_text(v), inside = tc_str_trim(text);
    char first = inside.n ? inside.p[0] : '\0';

    if (tc_str_is(text, "true"))
        return types & 1 << TC_JSON_TRUE;
    if (tc_str_is(text, "false"))
        return types & 1 << TC_JSON_FALSE;
    if (first == '[')
        return types & 1 << TC_JSON_ARRAY && parses(r, text);
    if (first == '{')
        return types & 1 << TC_JSON_OBJECT && parses(r, text);
    if (inside.n != text.n || !(first == '-' || (first >= '0' && first <= '9')))
        return false;
    if (types & 1 << TC_JSON_NUMBER)
        return parses(r, text);
    return types & TC_TYPES_INTEGER && is_whole(text) && parses(r, text);
}

static bool matches(struct repair *r, const struct tc_schema_node *node, const struct tc_json *v)
{
    return tc_walk_node(&r->walk, node, v, NULL);
}

/* Does the value itself fail, apart from what is in it? */
static bool fails_directly(struct repair *r, const struct tc_schema_node *node, const struct tc_json *v)
{
    const struct tc_schema_string *string = node->string;

    if (!tc_check_type(node->types, v))
        return true;
    for (unsigned i = 0; i < 2; i++)
        if (node->values[i] && !tc_check_values(node->values[i], r->walk.schema->seed, v))
            return true;
    if (v->type == TC_JSON_STRING && string)
        return !tc_check_length(string, tc_node_text(v)) ||
               (string->pattern && tc_walk_regex(&r->walk, string->pattern, tc_node_text(v)) != TC_ECMA_YES) ||
               !tc_walk_format(&r->walk, string, tc_node_text(v));
    for (uint32_t i = 0; v->type == TC_JSON_NUMBER && node->numbers && i < node->numbers->n; i++)
        if (!tc_check_number(&node->numbers->check[i], tc_node_text(v)))
            return true;
    return false;
}

/* --- following the schema --- */

static void expand_array(struct repair *r, struct spot spot, struct sets *sets)
{
    const struct tc_schema_array *array = spot.node->array;
    const struct tc_json *item = spot.v + 1;

    if (spot.v->n < array->min || spot.v->n > array->max)
        sets->n = 0;
    for (uint32_t i = 0; i < spot.v->n && sets->n > 0; i++, item += tc_node_span(item)) {
        const struct tc_schema_node *node = i < array->prefix_n ? array->prefix[i] : array->rest;
        const struct tc_path *path;
        if (!node || matches(r, node, item))
            continue;
        path = tc_path_index(r->cx->arena, spot.path, i);
        r->no_memory = r->no_memory || !path;
        expand(r, (struct spot){node, item, path}, sets);
    }
}

static void expand_member(struct repair *r, struct spot spot, const struct tc_schema_node *node,
                          const struct tc_json *key, struct sets *sets)
{
    const struct tc_path *path;

    if (sets->n == 0 || matches(r, node, key + 1))
        return;
    path = tc_path_key(r->cx->arena, spot.path, tc_node_text(key));
    r->no_memory = r->no_memory || !path;
    expand(r, (struct spot){node, key + 1, path}, sets);
}

static void expand_key(struct repair *r, struct spot spot, const struct tc_json *key, struct sets *sets)
{
    const struct tc_schema_object *object = spot.node->object;
    uint32_t cursor = 0;
    const struct tc_schema_property *property =
        tc_check_property(object, r->walk.schema->seed, tc_node_text(key), &cursor);
    bool known = property && property->node;

    if (known && !property->required && key[1].type == TC_JSON_NULL && !matches(r, property->node, key + 1)) {
        const struct tc_path *path = tc_path_key(r->cx->arena, spot.path, tc_node_text(key));
        r->no_memory = r->no_memory || !path;
        add_to_all(sets, (struct change){key + 1, path, true});
        return;
    }
    if (known)
        expand_member(r, spot, property->node, key, sets);
    for (uint32_t i = 0; i < object->patterns_n; i++) {
        if (tc_walk_regex(&r->walk, object->patterns[i].regex, tc_node_text(key)) != TC_ECMA_YES)
            continue;
        known = true;
        expand_member(r, spot, object->patterns[i].node, key, sets);
    }
    if (!known && object->additional)
        expand_member(r, spot, object->additional, key, sets);
    if (object->names && !matches(r, object->names, key))
        sets->n = 0;
}

static bool lacks(const struct tc_schema_object *object, const struct tc_json *v)
{
    for (uint32_t i = 0; i < object->properties_n && object->required_n > 0; i++)
        if (object->properties[i].required && !tc_json_get(v, object->properties[i].key))
            return true;
    return v->n < object->min || v->n > object->max;
}

static void expand_object(struct repair *r, struct spot spot, struct sets *sets)
{
    const struct tc_schema_object *object = spot.node->object;
    const struct tc_json *key = spot.v + 1, *end = spot.v + spot.v->u.box.span;

    if (lacks(object, spot.v))
        sets->n = 0;
    for (; object->per_member && key < end && sets->n > 0; key = tc_node_next_key(key))
        if (!(key->flags & TC_NODE_LOST))
            expand_key(r, spot, key, sets);
    for (uint32_t i = 0; i < object->dependencies_n && sets->n > 0; i++) {
        const struct tc_schema_dependency *dependency = &object->dependencies[i];
        if (!tc_json_get(spot.v, dependency->key))
            continue;
        for (uint32_t j = 0; j < dependency->required_n; j++)
            if (!tc_json_get(spot.v, dependency->required[j]))
                sets->n = 0;
        if (dependency->node && !matches(r, dependency->node, spot.v))
            expand(r, (struct spot){dependency->node, spot.v, spot.path}, sets);
    }
}

/* What mends any branch mends the whole. */
static void expand_branches(struct repair *r, struct spot spot, const struct tc_schema_rule *rule, struct sets *sets)
{
    struct sets *all = tc_mem_zalloc(1, sizeof *all), *one = tc_mem_alloc(sizeof *one);

    r->no_memory = r->no_memory || !all || !one;
    for (uint32_t i = 0; i < rule->n && !r->no_memory && !r->too_many && !r->walk.err; i++) {
        *one = *sets;
        expand(r, (struct spot){rule->nodes[i], spot.v, spot.path}, one);
        for (uint32_t j = 0; j < one->n; j++)
            add_set(r, all, &one->set[j]);
    }
    if (all)
        *sets = *all;
    tc_mem_free(all);
    tc_mem_free(one);
}

static uint32_t count_matches(struct repair *r, const struct tc_schema_rule *rule, const struct tc_json *v)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < rule->n; i++)
        n += matches(r, rule->nodes[i], v);
    return n;
}

static void expand_rule(struct repair *r, struct spot spot, const struct tc_schema_rule *rule, struct sets *sets)
{
    const struct tc_schema_node *next = NULL;
    uint32_t n;

    switch (rule->rule) {
    case TC_KW_ALL_OF:
        for (uint32_t i = 0; i < rule->n && sets->n > 0; i++)
            if (!matches(r, rule->nodes[i], spot.v))
                expand(r, (struct spot){rule->nodes[i], spot.v, spot.path}, sets);
        return;
    case TC_KW_ANY_OF:
    case TC_KW_ONE_OF:
        n = count_matches(r, rule, spot.v);
        if (n == 0)
            expand_branches(r, spot, rule, sets);
        else if (n > 1 && rule->rule == TC_KW_ONE_OF)
            sets->n = 0;
        return;
    case TC_KW_NOT:
        if (matches(r, rule->nodes[0], spot.v))
            sets->n = 0;
        return;
    case TC_KW_IF:
        next = matches(r, rule->nodes[0], spot.v) ? rule->nodes[1] : rule->nodes[2];
        break;
    default:
        next = tc_walk_target(&r->walk, rule);
        break;
    }
    if (next && !matches(r, next, spot.v))
        expand(r, (struct spot){next, spot.v, spot.path}, sets);
}

static void expand_inside(struct repair *r, struct spot spot, struct sets *sets)
{
    if (spot.v->type == TC_JSON_OBJECT && spot.node->object)
        expand_object(r, spot, sets);
    else if (spot.v->type == TC_JSON_ARRAY && spot.node->array)
        expand_array(r, spot, sets);
    for (uint32_t i = 0; i < spot.node->rules_n && sets->n > 0; i++)
        expand_rule(r, spot, &spot.node->rules[i], sets);
}

/* spot.v fails spot.node: narrows *sets to what may mend that too. */
static void expand(struct repair *r, struct spot spot, struct sets *sets)
{
    struct tc_walk_scope scope;

    if (!tc_walk_charge(&r->walk, 1) || tc_walk_is_deep(&r->walk, TC_SCHEMA_DEPTH_MAX / 2) || r->no_memory) {
        sets->n = 0;
        return;
    }
    if (fails_directly(r, spot.node, spot.v)) {
        if (spot.v->type == TC_JSON_STRING && can_decode(r, spot.v, wanted_types(spot.node)))
            add_to_all(sets, (struct change){spot.v, spot.path, false});
        else
            sets->n = 0;
        return;
    }
    scope = (struct tc_walk_scope){r->walk.scope, spot.node->resource};
    r->walk.scope = &scope;
    r->walk.depth++;
    expand_inside(r, spot, sets);
    r->walk.depth--;
    r->walk.scope = scope.up;
}

/* --- a new document --- */

static const struct change *change_of(const struct set *set, const struct tc_json *v)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->changes[i].v == v)
            return &set->changes[i];
    return NULL;
}

static bool changes_below(const struct set *set, const struct tc_json *v)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->changes[i].v > v && set->changes[i].v < v + tc_node_span(v))
            return true;
    return false;
}

/* Goes as deep as documents do, TC_JSON_DEPTH_MAX. */
static void write(struct tc_buf *buf, const struct set *set, const struct tc_json *v)
{
    bool object = v->type == TC_JSON_OBJECT, first = true;
    const struct tc_json *at = v + 1, *end = v + tc_node_span(v);

    if (change_of(set, v)) {
        tc_buf_str(buf, tc_node_text(v));
        return;
    }
    if (!changes_below(set, v)) {
        tc_json_print(buf, v);
        return;
    }
    tc_buf_char(buf, object ? '{' : '[');
    for (; at < end; at = object ? tc_node_next_key(at) : at + tc_node_span(at)) {
        const struct change *change = object ? change_of(set, at + 1) : NULL;
        if ((object && at->flags & TC_NODE_LOST) || (change && change->drop))
            continue;
        tc_buf_cstr(buf, first ? "" : ",");
        first = false;
        if (object) {
            tc_json_print(buf, at);
            tc_buf_char(buf, ':');
        }
        write(buf, set, object ? at + 1 : at);
    }
    tc_buf_char(buf, object ? '}' : ']');
}

static struct tc_json_doc *apply(struct repair *r, const struct set *set, const struct tc_json *root)
{
    struct tc_json_doc *doc = NULL;
    struct tc_buf buf;

    tc_buf_init(&buf, DOCUMENT_MAX);
    write(&buf, set, root);
    if (buf.failed || tc_json_parse(r->cx, tc_buf_get(&buf), NULL, &doc))
        r->no_memory = r->no_memory || buf.failed || r->cx->err.code == TC_E_NO_MEMORY;
    tc_buf_finish(&buf);
    return doc;
}

/* --- the search --- */

/* What was done before, and then the set, as the caller sees it. */
static struct tc_schema_change *list_changes(struct repair *r, const struct solution *before, const struct set *set)
{
    struct tc_arena *arena = r->cx->arena;
    struct tc_schema_change *list = TC_ARENA_NEW_N(arena, struct tc_schema_change, before->n + set->n);

    if (list && before->n)
        memcpy(list, before->changes, before->n * sizeof list[0]);
    for (uint32_t i = 0; list && i < set->n; i++) {
        const struct change *change = &set->changes[i];
        struct tc_schema_change *to = &list[before->n + i];
        to->path = tc_path_text(arena, change->path);
        to->from = tc_json_text(arena, change->v);
        to->to = change->drop ? tc_str_n(NULL, 0) : tc_arena_dup(arena, tc_str_trim(tc_node_text(change->v)));
        if (!to->path.p || !to->from.p || (!change->drop && !to->to.p))
            list = NULL;
    }
    r->no_memory = r->no_memory || !list;
    return list;
}

static void keep(struct repair *r, const struct solution *solution)
{
    const struct tc_json *root = tc_json_doc_root(solution->doc);

    for (uint32_t i = 0; i < r->solutions_n; i++)
        if (tc_json_equal(tc_json_doc_root(r->solutions[i].doc), root))
            return;
    if (r->solutions_n == SOLUTIONS_MAX) {
        r->too_many = true;
        return;
    }
    tc_json_doc_ref(solution->doc);
    r->solutions[r->solutions_n++] = *solution;
}

static void search(struct repair *r, const struct tc_json *root, const struct solution *before, unsigned round);

static void try_set(struct repair *r, const struct tc_json *root, const struct solution *before, const struct set *set,
                    unsigned round)
{
    struct solution next = {.n = before->n + set->n};

    if (set->n == 0 || next.n > TC_SCHEMA_REPAIRS_MAX)
        return;
    if (r->trials++ == TRIALS_MAX) {
        r->too_many = true;
        return;
    }
    next.changes = list_changes(r, before, set);
    next.doc = next.changes ? apply(r, set, root) : NULL;
    if (!next.doc)
        return;
    if (matches(r, r->walk.schema->root, tc_json_doc_root(next.doc)))
        keep(r, &next);
    else if (round < ROUNDS_MAX)
        search(r, tc_json_doc_root(next.doc), &next, round + 1);
    tc_json_doc_unref(next.doc);
}

/* root fails: tries what may mend it, after what was done before. */
static void search(struct repair *r, const struct tc_json *root, const struct solution *before, unsigned round)
{
    struct sets *sets = tc_mem_zalloc(1, sizeof *sets);

    if (!sets) {
        r->no_memory = true;
        return;
    }
    sets->n = 1;
    expand(r, (struct spot){r->walk.schema->root, root, NULL}, sets);
    for (uint32_t i = 0; i < sets->n && !r->too_many && !r->no_memory && !r->walk.err; i++)
        try_set(r, root, before, &sets->set[i], round);
    tc_mem_free(sets);
}

static bool includes(const struct solution *all, const struct tc_schema_change *one)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (tc_str_eq(all->changes[i].path, one->path) && tc_str_eq(all->changes[i].to, one->to))
            return true;
    return false;
}

/* The solution that all others only add to, or NULL. */
static const struct solution *only_solution(const struct repair *r)
{
    const struct solution *best = NULL;

    if (r->too_many || r->walk.err)
        return NULL;
    for (uint32_t i = 0; i < r->solutions_n; i++)
        if (!best || r->solutions[i].n < best->n)
            best = &r->solutions[i];
    for (uint32_t i = 0; i < r->solutions_n; i++)
        for (uint32_t j = 0; j < best->n; j++)
            if (!includes(&r->solutions[i], &best->changes[j]))
                return NULL;
    return best;
}

static void unref_doc(void *doc)
{
    tc_json_doc_unref(doc);
}

static enum tc_err hand_over(struct repair *r, const struct tc_json **ret_repaired,
                             struct tc_schema_change **ret_changes, size_t *ret_n)
{
    const struct solution *solution = only_solution(r);

    *ret_repaired = NULL;
    *ret_changes = NULL;
    *ret_n = 0;
    if (!solution)
        return TC_OK;
    if (!tc_arena_defer(r->cx->arena, unref_doc, solution->doc))
        return tc_fail_memory(r->cx);
    *ret_repaired = tc_json_doc_root(tc_json_doc_ref(solution->doc));
    *ret_changes = (struct tc_schema_change *)solution->changes;
    *ret_n = solution->n;
    return TC_OK;
}

enum tc_err tc_schema_repair(struct tc_cx *cx, const struct tc_schema *schema, const struct tc_json *instance,
                             const struct tc_json **ret_repaired, struct tc_schema_change **ret_changes, size_t *ret_n)
{
    struct repair *r = tc_mem_zalloc(1, sizeof *r);
    struct solution nothing_done = {.n = 0};
    enum tc_err err;

    if (!r)
        return tc_fail_memory(cx);
    r->cx = cx;
    tc_walk_init(&r->walk, cx, schema);
    if (instance && !matches(r, schema->root, instance))
        search(r, instance, &nothing_done, 1);
    tc_fail_clear(cx); /* what did not parse is no failure */
    err = r->no_memory ? tc_fail_memory(cx) : hand_over(r, ret_repaired, ret_changes, ret_n);
    r->walk.err = TC_OK;
    tc_walk_finish(&r->walk);
    for (uint32_t i = 0; i < r->solutions_n; i++)
        tc_json_doc_unref(r->solutions[i].doc);
    tc_mem_free(r);
    return err;
}
