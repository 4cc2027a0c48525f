/*
 * The keywords of objects: one table of what is known of each key, patterns,
 * dependencies.
 */
#include "schema/fill.h"

/* --- the table of keys --- */

struct table {
    struct tc_schema_property *rows;
    uint32_t n, mask;
    uint32_t *slots;
};

static bool make_table(struct tc_fill *f, size_t max, struct table *table)
{
    uint32_t slots = 1;

    while (slots < max * 2)
        slots *= 2;
    table->mask = slots - 1;
    table->rows = TC_ARENA_NEW_N(f->arena, struct tc_schema_property, max);
    table->slots = TC_ARENA_NEW_N(f->arena, uint32_t, slots);
    return table->rows && table->slots;
}

static struct tc_schema_property *row_of(const struct tc_fill *f, struct table *table, struct tc_str key)
{
    uint32_t at = (uint32_t)tc_schema_hash(f->c->schema->seed, key) & table->mask;

    for (; table->slots[at]; at = (at + 1) & table->mask)
        if (tc_str_eq(table->rows[table->slots[at] - 1].key, key))
            return &table->rows[table->slots[at] - 1];
    table->rows[table->n].key = key;
    table->rows[table->n].head = tc_schema_head(key);
    table->rows[table->n].tail = tc_schema_tail(key);
    table->slots[at] = ++table->n;
    return &table->rows[table->n - 1];
}

static enum tc_err add_properties(struct tc_fill *f, struct table *table)
{
    const struct tc_json *map = f->kw[TC_KW_PROPERTIES], *value;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err err = TC_OK;

    if (map && map->type != TC_JSON_OBJECT)
        return tc_compile_refuse(f->c, f->node, TC_KW_PROPERTIES, "an object of schemas");
    for (it = tc_json_iter(map); !err && tc_json_next(&it, &key, &value);)
        err = tc_fill_child(f, TC_KW_PROPERTIES, (struct tc_fill_step){value, key, TC_SCHEMA_NONE},
                            &row_of(f, table, key)->node);
    return err;
}

static enum tc_err add_required(struct tc_fill *f, struct table *table, uint32_t *ret_n)
{
    const struct tc_json *list = f->kw[TC_KW_REQUIRED], *value;
    struct tc_json_iter it;

    if (list && list->type != TC_JSON_ARRAY)
        return tc_compile_refuse(f->c, f->node, TC_KW_REQUIRED, "an array of strings");
    for (it = tc_json_iter(list); tc_json_next(&it, NULL, &value);) {
        struct tc_schema_property *row;
        if (value->type != TC_JSON_STRING)
            return tc_compile_refuse(f->c, f->node, TC_KW_REQUIRED, "an array of strings");
        row = row_of(f, table, tc_json_str(value));
        *ret_n += !row->required;
        row->required = true;
    }
    return TC_OK;
}

static enum tc_err fill_keys(struct tc_fill *f, struct tc_schema_object *object)
{
    struct table table = {.n = 0};
    enum tc_err err;

    if (!f->kw[TC_KW_PROPERTIES] && !f->kw[TC_KW_REQUIRED])
        return TC_OK;
    if (!make_table(f, tc_json_count(f->kw[TC_KW_PROPERTIES]) + tc_json_count(f->kw[TC_KW_REQUIRED]), &table))
        return tc_fail_memory(f->c->cx);
    err = add_properties(f, &table);
    if (!err)
        err = add_required(f, &table, &object->required_n);
    object->properties = table.rows;
    object->properties_n = table.n;
    object->slots = table.n > TC_SCHEMA_SLOTS_FROM ? table.slots : NULL;
    object->mask = table.mask;
    return err;
}

/* --- patterns --- */

static enum tc_err fill_patterns(struct tc_fill *f, struct tc_schema_object *object)
{
    const struct tc_json *map = f->kw[TC_KW_PATTERN_PROPERTIES], *value;
    struct tc_schema_pattern *patterns;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err err = TC_OK;

    if (!map)
        return TC_OK;
    if (map->type != TC_JSON_OBJECT)
        return tc_compile_refuse(f->c, f->node, TC_KW_PATTERN_PROPERTIES, "an object of schemas");
    patterns = TC_ARENA_NEW_N(f->arena, struct tc_schema_pattern, tc_json_count(map));
    if (!patterns)
        return tc_fail_memory(f->c->cx);
    for (it = tc_json_iter(map); !err && tc_json_next(&it, &key, &value);) {
        struct tc_schema_pattern *pattern = &patterns[object->patterns_n++];
        pattern->text = key;
        err = tc_fill_regex(f, TC_KW_PATTERN_PROPERTIES, key, &pattern->regex);
        if (!err)
            err = tc_fill_child(f, TC_KW_PATTERN_PROPERTIES, (struct tc_fill_step){value, key, TC_SCHEMA_NONE},
                                &pattern->node);
    }
    object->patterns = patterns;
    return err;
}

/* --- dependencies --- */

static enum tc_err fill_dependent_keys(struct tc_fill *f, const struct tc_json *list,
                                       struct tc_schema_dependency *dependency)
{
    struct tc_str *keys = TC_ARENA_NEW_N(f->arena, struct tc_str, tc_json_count(list));
    struct tc_json_iter it;
    const struct tc_json *value;

    if (!keys)
        return tc_fail_memory(f->c->cx);
    for (it = tc_json_iter(list); tc_json_next(&it, NULL, &value);) {
        if (value->type != TC_JSON_STRING)
            return tc_compile_refuse(f->c, f->node, dependency->rule, "an object of arrays of strings");
        keys[dependency->required_n++] = tc_json_str(value);
    }
    dependency->required = keys;
    return TC_OK;
}

static enum tc_err add_dependencies(struct tc_fill *f, enum tc_keyword word, struct tc_schema_object *object,
                                    struct tc_schema_dependency *to)
{
    const struct tc_json *map = f->kw[word], *value;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err err = TC_OK;

    if (map && map->type != TC_JSON_OBJECT)
        return tc_compile_refuse(f->c, f->node, word, "an object");
    for (it = tc_json_iter(map); !err && tc_json_next(&it, &key, &value);) {
        struct tc_schema_dependency *dependency = &to[object->dependencies_n++];
        *dependency = (struct tc_schema_dependency){.rule = word, .key = key};
        if (value->type == TC_JSON_ARRAY && word != TC_KW_DEPENDENT_SCHEMAS)
            err = fill_dependent_keys(f, value, dependency);
        else if (word == TC_KW_DEPENDENT_REQUIRED)
            err = tc_compile_refuse(f->c, f->node, word, "an object of arrays of strings");
        else
            err = tc_fill_child(f, word, (struct tc_fill_step){value, key, TC_SCHEMA_NONE}, &dependency->node);
    }
    return err;
}

static enum tc_err fill_dependencies(struct tc_fill *f, struct tc_schema_object *object)
{
    size_t n = tc_json_count(f->kw[TC_KW_DEPENDENCIES]) + tc_json_count(f->kw[TC_KW_DEPENDENT_REQUIRED]) +
               tc_json_count(f->kw[TC_KW_DEPENDENT_SCHEMAS]);
    struct tc_schema_dependency *dependencies = TC_ARENA_NEW_N(f->arena, struct tc_schema_dependency, n);
    enum tc_err err;

    if (!dependencies)
        return tc_fail_memory(f->c->cx);
    object->dependencies = dependencies;
    err = add_dependencies(f, TC_KW_DEPENDENCIES, object, dependencies);
    if (!err)
        err = add_dependencies(f, TC_KW_DEPENDENT_REQUIRED, object, dependencies);
    return err ? err : add_dependencies(f, TC_KW_DEPENDENT_SCHEMAS, object, dependencies);
}

/* --- all of them --- */

static bool any_keyword(const struct tc_fill *f)
{
    static const enum tc_keyword words[] = {
        TC_KW_PROPERTIES,         TC_KW_REQUIRED,          TC_KW_PATTERN_PROPERTIES,     TC_KW_ADDITIONAL_PROPERTIES,
        TC_KW_PROPERTY_NAMES,     TC_KW_MIN_PROPERTIES,    TC_KW_MAX_PROPERTIES,         TC_KW_DEPENDENCIES,
        TC_KW_DEPENDENT_REQUIRED, TC_KW_DEPENDENT_SCHEMAS, TC_KW_UNEVALUATED_PROPERTIES,
    };

    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (f->kw[words[i]])
            return true;
    return false;
}

static enum tc_err fill_schemas(struct tc_fill *f, struct tc_schema_object *object)
{
    enum tc_err err = tc_fill_one(f, TC_KW_ADDITIONAL_PROPERTIES, &object->additional);

    object->additional_rule = TC_KW_ADDITIONAL_PROPERTIES;
    if (!err)
        err = tc_fill_one(f, TC_KW_PROPERTY_NAMES, &object->names);
    return err ? err : tc_fill_one(f, TC_KW_UNEVALUATED_PROPERTIES, &object->unevaluated);
}

enum tc_err tc_fill_object(struct tc_fill *f)
{
    struct tc_schema_object *object;
    enum tc_err err;

    if (!any_keyword(f))
        return TC_OK;
    object = TC_ARENA_NEW(f->arena, struct tc_schema_object);
    if (!object)
        return tc_fail_memory(f->c->cx);
    f->node->object = object;
    object->max = TC_SCHEMA_NONE;
    err = tc_fill_count(f, TC_KW_MIN_PROPERTIES, &object->min);
    if (!err)
        err = tc_fill_count(f, TC_KW_MAX_PROPERTIES, &object->max);
    if (!err)
        err = fill_keys(f, object);
    if (!err)
        err = fill_patterns(f, object);
    if (!err)
        err = fill_schemas(f, object);
    if (!err)
        err = fill_dependencies(f, object);
    object->least = object->min > object->required_n ? object->min : object->required_n;
    object->by_name = !object->patterns_n && !object->names;
    object->per_member = object->properties_n || object->patterns_n || object->additional || object->names;
    return err;
}
