/*
 * From the keywords of one subschema to a node. Keywords whose value is of the
 * wrong kind are refused with their place; keywords that the dialect does not
 * have are ignored.
 */
#include "schema/fill.h"

/* --- children --- */

static bool is_schema(const struct tc_json *value)
{
    return value->type == TC_JSON_OBJECT || value->type == TC_JSON_TRUE || value->type == TC_JSON_FALSE;
}

enum tc_err tc_fill_child(struct tc_fill *f, enum tc_keyword word, struct tc_fill_step step,
                          const struct tc_schema_node **ret_node)
{
    struct tc_schema_node *node = tc_compile_want(f->c, (struct tc_compile_target){step.value, f->node->resource});

    if (!node)
        return f->c->cx->err.code;
    if (!node->up && !node->key.p) { /* not seen before */
        node->up = f->node;
        node->word = (uint8_t)word;
        node->key = step.key;
        node->index = step.index;
    }
    *ret_node = node;
    return is_schema(step.value) ? TC_OK : tc_compile_refuse(f->c, node, TC_KW_COUNT, "an object or a boolean");
}

enum tc_err tc_fill_one(struct tc_fill *f, enum tc_keyword word, const struct tc_schema_node **ret_node)
{
    struct tc_fill_step step = {f->kw[word], {NULL, 0}, TC_SCHEMA_NONE};

    return step.value ? tc_fill_child(f, word, step, ret_node) : TC_OK;
}

enum tc_err tc_fill_list(struct tc_fill *f, enum tc_keyword word, const struct tc_schema_node *const **ret_nodes,
                         uint32_t *ret_n)
{
    const struct tc_json *list = f->kw[word], *value;
    struct tc_json_iter it;
    const struct tc_schema_node **nodes;
    uint32_t n = 0;
    enum tc_err err = TC_OK;

    if (list->type != TC_JSON_ARRAY)
        return tc_compile_refuse(f->c, f->node, word, "an array of schemas");
    nodes = TC_ARENA_NEW_N(f->arena, const struct tc_schema_node *, tc_json_count(list));
    if (!nodes)
        return tc_fail_memory(f->c->cx);
    for (it = tc_json_iter(list); !err && tc_json_next(&it, NULL, &value); n++)
        err = tc_fill_child(f, word, (struct tc_fill_step){value, {NULL, 0}, n}, &nodes[n]);
    *ret_nodes = nodes;
    *ret_n = n;
    return err;
}

enum tc_err tc_fill_count(struct tc_fill *f, enum tc_keyword word, uint32_t *ret_count)
{
    const struct tc_json *value = f->kw[word];
    struct tc_str text = tc_json_str(value);
    int64_t count;

    if (!value)
        return TC_OK;
    if (value->type != TC_JSON_NUMBER || !tc_number_is_integer(text) || tc_number_cmp(text, TC_STR("0")) < 0)
        return tc_compile_refuse(f->c, f->node, word, "a whole number, 0 or more");
    if (!tc_number_int(text, &count) || count >= TC_SCHEMA_NONE)
        count = TC_SCHEMA_NONE - 1;
    *ret_count = (uint32_t)count;
    return TC_OK;
}

/* --- types and values --- */

static unsigned type_bits(struct tc_str name)
{
    static const struct {
        const char *name;
        unsigned bits;
    } rows[] = {
        {"string", 1 << TC_JSON_STRING}, {"object", 1 << TC_JSON_OBJECT}, {"integer", TC_TYPES_INTEGER},
        {"number", 1 << TC_JSON_NUMBER}, {"boolean", TC_TYPES_BOOLEAN},   {"array", 1 << TC_JSON_ARRAY},
        {"null", 1 << TC_JSON_NULL},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (tc_str_is(name, rows[i].name))
            return rows[i].bits;
    return 0;
}

static enum tc_err fill_type(struct tc_fill *f)
{
    static const char expected[] = "one of string, integer, number, boolean, object, array, null, or an array of those";
    const struct tc_json *type = f->kw[TC_KW_TYPE], *value;
    struct tc_json_iter it;
    unsigned types = 0;

    if (!type)
        return TC_OK;
    if (type->type == TC_JSON_STRING) {
        types = type_bits(tc_json_str(type));
    } else {
        for (it = tc_json_iter(type); type->type == TC_JSON_ARRAY && tc_json_next(&it, NULL, &value);) {
            unsigned bits = type_bits(tc_json_str(value));
            if (!bits)
                return tc_compile_refuse(f->c, f->node, TC_KW_TYPE, expected);
            types |= bits;
        }
    }
    if (!types)
        return tc_compile_refuse(f->c, f->node, TC_KW_TYPE, expected);
    if (types & 1 << TC_JSON_NUMBER)
        types &= ~(unsigned)TC_TYPES_INTEGER;
    f->node->types = (uint8_t)types;
    return TC_OK;
}

static bool index_values(struct tc_fill *f, struct tc_schema_values *values)
{
    uint32_t slots_n = 1, *slots;

    while (slots_n < values->n * 2)
        slots_n *= 2;
    slots = TC_ARENA_NEW_N(f->arena, uint32_t, slots_n);
    if (!slots)
        return false;
    values->mask = slots_n - 1;
    for (uint32_t i = 0; i < values->n; i++) {
        uint32_t at = (uint32_t)tc_check_hash(f->c->schema->seed, values->value[i]) & values->mask;
        while (slots[at])
            at = (at + 1) & values->mask;
        slots[at] = i + 1;
    }
    values->slots = slots;
    return true;
}

static enum tc_err keep_values(struct tc_fill *f, unsigned slot, const struct tc_json *list, uint32_t n)
{
    struct tc_schema_values *values = TC_ARENA_NEW(f->arena, struct tc_schema_values);
    const struct tc_json **kept = TC_ARENA_NEW_N(f->arena, const struct tc_json *, n);
    uint64_t *heads = TC_ARENA_NEW_N(f->arena, uint64_t, n);

    if (!values || !kept || !heads)
        return tc_fail_memory(f->c->cx);
    for (uint32_t i = 0; i < n; i++) {
        kept[i] = list;
        heads[i] = list->type == TC_JSON_STRING ? tc_schema_head(tc_node_text(list)) : 0;
        values->types |= (uint8_t)(1 << list->type);
        values->cost += tc_node_span(list);
        list += tc_node_span(list);
    }
    values->value = kept;
    values->heads = heads;
    values->n = n;
    values->cost /= n ? 8 * (n > TC_SCHEMA_SLOTS_FROM ? n : 1) : 1;
    if (n > TC_SCHEMA_SLOTS_FROM && !index_values(f, values))
        return tc_fail_memory(f->c->cx);
    f->node->values[slot] = values;
    return TC_OK;
}

static enum tc_err fill_values(struct tc_fill *f)
{
    const struct tc_json *list = f->kw[TC_KW_ENUM];
    enum tc_err err = TC_OK;

    if (list && list->type != TC_JSON_ARRAY)
        return tc_compile_refuse(f->c, f->node, TC_KW_ENUM, "an array");
    if (list)
        err = keep_values(f, 0, list + 1, list->n);
    if (!err && f->kw[TC_KW_CONST])
        err = keep_values(f, 1, f->kw[TC_KW_CONST], 1);
    return err;
}

/* --- numbers and strings --- */

static enum tc_err fill_number(struct tc_fill *f, enum tc_keyword word, enum tc_keyword rule,
                               struct tc_schema_numbers *numbers)
{
    const struct tc_json *value = f->kw[word];
    struct tc_schema_number *check = &numbers->check[numbers->n];

    if (!value)
        return TC_OK;
    if (value->type != TC_JSON_NUMBER)
        return tc_compile_refuse(f->c, f->node, word, "a number");
    *check = (struct tc_schema_number){.rule = rule, .lexeme = tc_json_str(value)};
    if (word == TC_KW_MULTIPLE_OF && !tc_number_is_divisor(check->lexeme))
        return tc_compile_refuse(f->c, f->node, word, "a number over 0 of at most 37 digits");
    check->whole = tc_number_int(check->lexeme, &check->value);
    numbers->n++;
    return TC_OK;
}

/* Draft 4: a boolean that makes the limit beside it exclusive. */
static enum tc_err fill_exclusive4(struct tc_fill *f, enum tc_keyword word, enum tc_keyword limit,
                                   enum tc_keyword *rule)
{
    const struct tc_json *value = f->kw[word];

    *rule = tc_json_is(value, TC_JSON_TRUE) ? word : limit;
    if (value && value->type != TC_JSON_TRUE && value->type != TC_JSON_FALSE)
        return tc_compile_refuse(f->c, f->node, word, "a boolean in draft-04");
    f->kw[word] = NULL;
    return TC_OK;
}

static enum tc_err fill_numbers(struct tc_fill *f)
{
    static const enum tc_keyword words[] = {TC_KW_MINIMUM, TC_KW_MAXIMUM, TC_KW_EXCLUSIVE_MINIMUM,
                                            TC_KW_EXCLUSIVE_MAXIMUM, TC_KW_MULTIPLE_OF};
    enum { WORDS_N = sizeof words / sizeof words[0] };
    enum tc_keyword rules[WORDS_N];
    struct tc_schema_numbers *numbers;
    bool any = false;
    enum tc_err err = TC_OK;

    for (unsigned i = 0; i < WORDS_N; i++)
        any = any || f->kw[words[i]];
    if (!any)
        return TC_OK;
    memcpy(rules, words, sizeof rules);
    if (f->dialect.draft == TC_SCHEMA_DRAFT_4) {
        err = fill_exclusive4(f, TC_KW_EXCLUSIVE_MINIMUM, TC_KW_MINIMUM, &rules[0]);
        if (!err)
            err = fill_exclusive4(f, TC_KW_EXCLUSIVE_MAXIMUM, TC_KW_MAXIMUM, &rules[1]);
    }
    numbers = tc_arena_zalloc(f->arena, 1, sizeof *numbers + WORDS_N * sizeof numbers->check[0]);
    if (!numbers)
        return tc_fail_memory(f->c->cx);
    for (unsigned i = 0; !err && i < WORDS_N; i++)
        err = fill_number(f, words[i], rules[i], numbers);
    f->node->numbers = numbers;
    return err;
}

enum tc_err tc_fill_regex(struct tc_fill *f, enum tc_keyword word, struct tc_str pattern,
                          const struct tc_ecma **ret_regex)
{
    struct tc_compile *c = f->c;
    struct tc_ecma *regex = tc_map_get(&c->regexes, pattern);
    enum tc_err err;

    if (!regex) {
        if (c->schema->regexes_n == TC_SCHEMA_REGEXES_MAX)
            return tc_fail(c->cx, TC_E_SCHEMA_BUDGET, "The schema has more than %d patterns.",
                           (int)TC_SCHEMA_REGEXES_MAX);
        if (!tc_compile_grow(f->arena, (void **)&c->schema->regexes, c->schema->regexes_n, &c->regexes_cap,
                             sizeof regex))
            return tc_fail_memory(c->cx);
        err = tc_ecma_compile(c->cx, pattern, &regex);
        if (err == TC_E_SCHEMA_INVALID)
            tc_fail_field(c->cx, tc_schema_place(c->cx->arena, f->node, tc_keyword_info(word)->text));
        if (err)
            return err;
        c->schema->regexes[c->schema->regexes_n++] = regex;
        if (!tc_map_put(&c->regexes, pattern, regex))
            return tc_fail_memory(c->cx);
    }
    *ret_regex = regex;
    return TC_OK;
}

static enum tc_err fill_string(struct tc_fill *f)
{
    const struct tc_json *pattern = f->kw[TC_KW_PATTERN], *format = f->kw[TC_KW_FORMAT];
    struct tc_schema_string *string;
    bool asserted = format && (f->c->options->formats || (f->dialect.vocabularies & TC_VOCABULARY_ASSERT_FORMAT));
    enum tc_err err;

    if (format && format->type != TC_JSON_STRING)
        return tc_compile_refuse(f->c, f->node, TC_KW_FORMAT, "a string");
    if (tc_str_is(tc_json_str(format), "password"))
        f->node->flags |= TC_SCHEMA_SECRET;
    if (!f->kw[TC_KW_MIN_LENGTH] && !f->kw[TC_KW_MAX_LENGTH] && !pattern && !asserted)
        return TC_OK;
    string = TC_ARENA_NEW(f->arena, struct tc_schema_string);
    if (!string)
        return tc_fail_memory(f->c->cx);
    string->max = TC_SCHEMA_NONE;
    string->format = (uint16_t)(asserted ? tc_format_find(tc_json_str(format), f->dialect.draft) : 0);
    f->node->string = string;
    err = tc_fill_count(f, TC_KW_MIN_LENGTH, &string->min);
    if (!err)
        err = tc_fill_count(f, TC_KW_MAX_LENGTH, &string->max);
    if (err || !pattern)
        return err;
    if (pattern->type != TC_JSON_STRING)
        return tc_compile_refuse(f->c, f->node, TC_KW_PATTERN, "a string");
    string->pattern_text = tc_json_str(pattern);
    return tc_fill_regex(f, TC_KW_PATTERN, string->pattern_text, &string->pattern);
}

/* --- arrays --- */

static enum tc_err fill_items(struct tc_fill *f, struct tc_schema_array *array)
{
    const struct tc_json *items = f->kw[TC_KW_ITEMS];
    enum tc_err err = TC_OK;

    array->rest_rule = TC_KW_ITEMS;
    if (f->dialect.draft == TC_SCHEMA_DRAFT_2020_12) {
        if (tc_json_is(items, TC_JSON_ARRAY)) {
            tc_compile_refuse(f->c, f->node, TC_KW_ITEMS, "one schema since 2020-12");
            return tc_fail_hint(f->c->cx, "Use prefixItems for a schema a position, or say $schema of an older draft.");
        }
        if (f->kw[TC_KW_PREFIX_ITEMS])
            err = tc_fill_list(f, TC_KW_PREFIX_ITEMS, &array->prefix, &array->prefix_n);
    } else if (tc_json_is(items, TC_JSON_ARRAY)) {
        err = tc_fill_list(f, TC_KW_ITEMS, &array->prefix, &array->prefix_n);
        array->rest_rule = TC_KW_ADDITIONAL_ITEMS;
    }
    return err                               ? err
           : array->rest_rule == TC_KW_ITEMS ? tc_fill_one(f, TC_KW_ITEMS, &array->rest)
                                             : tc_fill_one(f, TC_KW_ADDITIONAL_ITEMS, &array->rest);
}

static enum tc_err fill_contains(struct tc_fill *f, struct tc_schema_array *array)
{
    enum tc_err err = tc_fill_one(f, TC_KW_CONTAINS, &array->contains);

    array->contains_min = 1;
    array->contains_max = TC_SCHEMA_NONE;
    array->contains_marks = f->dialect.draft == TC_SCHEMA_DRAFT_2020_12;
    if (!err)
        err = tc_fill_count(f, TC_KW_MIN_CONTAINS, &array->contains_min);
    return err ? err : tc_fill_count(f, TC_KW_MAX_CONTAINS, &array->contains_max);
}

static bool any_of(const struct tc_fill *f, const enum tc_keyword *words, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (f->kw[words[i]])
            return true;
    return false;
}

static enum tc_err fill_array(struct tc_fill *f)
{
    static const enum tc_keyword words[] = {
        TC_KW_ITEMS,     TC_KW_PREFIX_ITEMS, TC_KW_CONTAINS,         TC_KW_MIN_ITEMS,
        TC_KW_MAX_ITEMS, TC_KW_UNIQUE_ITEMS, TC_KW_UNEVALUATED_ITEMS};
    struct tc_schema_array *array;
    const struct tc_json *unique = f->kw[TC_KW_UNIQUE_ITEMS];
    enum tc_err err;

    if (!any_of(f, words, sizeof words / sizeof words[0]))
        return TC_OK;
    array = TC_ARENA_NEW(f->arena, struct tc_schema_array);
    if (!array)
        return tc_fail_memory(f->c->cx);
    f->node->array = array;
    array->max = TC_SCHEMA_NONE;
    array->unique = tc_json_is(unique, TC_JSON_TRUE);
    if (unique && unique->type != TC_JSON_TRUE && unique->type != TC_JSON_FALSE)
        return tc_compile_refuse(f->c, f->node, TC_KW_UNIQUE_ITEMS, "a boolean");
    err = tc_fill_count(f, TC_KW_MIN_ITEMS, &array->min);
    if (!err)
        err = tc_fill_count(f, TC_KW_MAX_ITEMS, &array->max);
    if (!err)
        err = fill_items(f, array);
    if (!err)
        err = fill_contains(f, array);
    return err ? err : tc_fill_one(f, TC_KW_UNEVALUATED_ITEMS, &array->unevaluated);
}

/* --- rules --- */

static enum tc_err dynamic_name(struct tc_compile *c, struct tc_str name, uint32_t *ret_number)
{
    uint32_t i = 0;

    while (i < c->dynamic_n && !tc_str_eq(c->dynamic_names[i], name))
        i++;
    if (i == c->dynamic_n) {
        if (!tc_compile_grow(&c->work, (void **)&c->dynamic_names, i, &c->dynamic_cap, sizeof name))
            return tc_fail_memory(c->cx);
        c->dynamic_names[c->dynamic_n++] = name;
    }
    *ret_number = i + 1;
    return TC_OK;
}

/* A dynamic reference is one only if what it means at first is a dynamic anchor
 * of that name. */
static enum tc_err make_dynamic(struct tc_fill *f, struct tc_compile_target target, struct tc_schema_rule *rule)
{
    struct tc_str text = tc_json_str(f->kw[rule->rule]), name = TC_STR("");
    uint32_t resource = tc_refs_resource_at(f->c, target.value, target.resource);

    if (rule->rule == TC_KW_DYNAMIC_REF) {
        size_t at = tc_str_chr(text, '#');
        name = at == SIZE_MAX ? TC_STR("") : tc_uri_decode(&f->c->work, tc_str_from(text, at + 1));
        if (!name.p)
            return tc_fail_memory(f->c->cx);
        if (name.n == 0 || name.p[0] == '/')
            return TC_OK;
    }
    return tc_refs_dynamic(f->c, resource, name) == target.value ? dynamic_name(f->c, name, &rule->dynamic) : TC_OK;
}

static enum tc_err fill_reference(struct tc_fill *f, enum tc_keyword word, struct tc_schema_rule *rule)
{
    const struct tc_json *text = f->kw[word];
    const struct tc_schema_node **to = TC_ARENA_NEW(f->arena, const struct tc_schema_node *);
    struct tc_compile_target target;
    struct tc_schema_node *node;
    struct tc_str place;
    enum tc_err err;

    if (!to)
        return tc_fail_memory(f->c->cx);
    if (text->type != TC_JSON_STRING)
        return tc_compile_refuse(f->c, f->node, word, "a string");
    err = tc_refs_resolve(f->c, f->node->resource, tc_json_str(text), &target, &place);
    if (err == TC_E_SCHEMA_REF)
        return tc_fail_field(f->c->cx, tc_schema_place(f->c->cx->arena, f->node, tc_keyword_info(word)->text));
    if (err)
        return err;
    node = tc_compile_want(f->c, target);
    if (!node)
        return f->c->cx->err.code;
    if (!node->up && !node->key.p) {
        node->key = tc_arena_dup(f->arena, place);
        if (!node->key.p)
            return tc_fail_memory(f->c->cx);
    }
    if (!is_schema(target.value))
        return tc_compile_refuse(f->c, node, TC_KW_COUNT, "an object or a boolean, since a reference means it");
    *to = node;
    *rule = (struct tc_schema_rule){.rule = word, .n = 1, .nodes = to};
    return word == TC_KW_REF ? TC_OK : make_dynamic(f, target, rule);
}

static enum tc_err fill_if(struct tc_fill *f, struct tc_schema_rule *rule)
{
    const struct tc_schema_node **nodes = TC_ARENA_NEW_N(f->arena, const struct tc_schema_node *, 3);
    enum tc_err err;

    if (!nodes)
        return tc_fail_memory(f->c->cx);
    *rule = (struct tc_schema_rule){.rule = TC_KW_IF, .n = 3, .nodes = nodes};
    err = tc_fill_one(f, TC_KW_IF, &nodes[0]);
    if (!err)
        err = tc_fill_one(f, TC_KW_THEN, &nodes[1]);
    return err ? err : tc_fill_one(f, TC_KW_ELSE, &nodes[2]);
}

static enum tc_err fill_not(struct tc_fill *f, struct tc_schema_rule *rule)
{
    const struct tc_schema_node **nodes = TC_ARENA_NEW(f->arena, const struct tc_schema_node *);

    if (!nodes)
        return tc_fail_memory(f->c->cx);
    *rule = (struct tc_schema_rule){.rule = TC_KW_NOT, .n = 1, .nodes = nodes};
    return tc_fill_one(f, TC_KW_NOT, &nodes[0]);
}

static enum tc_err fill_rule(struct tc_fill *f, enum tc_keyword word, struct tc_schema_rule *rule)
{
    switch (word) {
    case TC_KW_REF:
    case TC_KW_DYNAMIC_REF:
    case TC_KW_RECURSIVE_REF:
        return fill_reference(f, word, rule);
    case TC_KW_IF:
        return fill_if(f, rule);
    case TC_KW_NOT:
        return fill_not(f, rule);
    default:
        rule->rule = word;
        return tc_fill_list(f, word, &rule->nodes, &rule->n);
    }
}

static enum tc_err fill_rules(struct tc_fill *f)
{
    static const enum tc_keyword words[] = {TC_KW_REF,    TC_KW_DYNAMIC_REF, TC_KW_RECURSIVE_REF, TC_KW_ALL_OF,
                                            TC_KW_ANY_OF, TC_KW_ONE_OF,      TC_KW_NOT,           TC_KW_IF};
    enum { WORDS_N = sizeof words / sizeof words[0] };
    struct tc_schema_rule rules[WORDS_N] = {{.n = 0}}, *kept;
    uint16_t n = 0;
    enum tc_err err = TC_OK;

    for (unsigned i = 0; !err && i < WORDS_N; i++)
        if (f->kw[words[i]])
            err = fill_rule(f, words[i], &rules[n++]);
    if (err || n == 0)
        return err;
    kept = TC_ARENA_NEW_N(f->arena, struct tc_schema_rule, n);
    if (!kept)
        return tc_fail_memory(f->c->cx);
    memcpy(kept, rules, n * sizeof rules[0]);
    f->node->rules = kept;
    f->node->rules_n = n;
    return TC_OK;
}

/* --- a node --- */

static void read_keywords(struct tc_fill *f, const struct tc_json *source)
{
    struct tc_json_iter it;
    struct tc_str key;
    const struct tc_json *value;

    for (it = tc_json_iter(source); tc_json_next(&it, &key, &value);) {
        enum tc_keyword keyword = tc_keyword_find(key, f->dialect);
        if (keyword != TC_KW_COUNT)
            f->kw[keyword] = value;
    }
    if (f->kw[TC_KW_REF] && f->dialect.draft <= TC_SCHEMA_DRAFT_7) { /* the siblings of $ref do not count */
        value = f->kw[TC_KW_REF];
        memset(f->kw, 0, sizeof f->kw);
        f->kw[TC_KW_REF] = value;
    }
}

/* Where nothing beside can mark members or items, unevaluated… is additional…. */
static void simplify_unevaluated(struct tc_fill *f)
{
    struct tc_schema_array *array = (struct tc_schema_array *)f->node->array;
    struct tc_schema_object *object = (struct tc_schema_object *)f->node->object;
    bool alone = f->node->rules_n == 0;

    if (array && array->unevaluated && (array->rest || (alone && !(array->contains && array->contains_marks)))) {
        if (!array->rest) {
            array->rest = array->unevaluated;
            array->rest_rule = TC_KW_UNEVALUATED_ITEMS;
        }
        array->unevaluated = NULL;
    }
    for (uint32_t i = 0; object && i < object->dependencies_n; i++)
        alone = alone && !object->dependencies[i].node;
    if (object && object->unevaluated && (object->additional || alone)) {
        if (!object->additional) {
            object->additional = object->unevaluated;
            object->additional_rule = TC_KW_UNEVALUATED_PROPERTIES;
            object->per_member = true;
        }
        object->unevaluated = NULL;
    }
    if ((array && array->unevaluated) || (object && object->unevaluated))
        f->node->flags |= TC_SCHEMA_MARKS;
}

enum tc_err tc_fill_node(struct tc_compile *c, struct tc_schema_node *node)
{
    struct tc_fill f = {
        .c = c, .arena = &c->schema->arena, .node = node, .dialect = c->resources[node->resource].dialect};
    enum tc_err err;

    if (node->source->type == TC_JSON_FALSE) {
        node->flags |= TC_SCHEMA_FALSE;
        node->types = 0;
    }
    if (node->source->type != TC_JSON_OBJECT)
        return TC_OK;
    read_keywords(&f, node->source);
    if (tc_json_bool(f.kw[TC_KW_WRITE_ONLY], false) || tc_json_bool(f.kw[TC_KW_X_SECRET], false))
        node->flags |= TC_SCHEMA_SECRET;
    err = fill_type(&f);
    if (!err)
        err = fill_values(&f);
    if (!err)
        err = fill_numbers(&f);
    if (!err)
        err = fill_string(&f);
    if (!err)
        err = fill_array(&f);
    if (!err)
        err = tc_fill_object(&f);
    if (!err)
        err = fill_rules(&f);
    if (!err)
        simplify_unevaluated(&f);
    return err;
}
