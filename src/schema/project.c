/*
 * Writes what a schema says, gathered and settled, in the words of one provider.
 *
 * The result is for a model to read and a provider to accept. It is looser than
 * the original where it must be; arguments are checked by the original.
 */
#include "schema/project.h"

#include <stdio.h>

enum { OUT_MAX = 64 * 1024 * 1024, TEXT_MAX = 400, NAME_MAX_BYTES = 40 };

static void write_schema(struct tc_project *p, struct tc_project_spot spot);

/* --- writing: simple members --- */

static void write_types(struct tc_project *p, unsigned types)
{
    static const char *const names[TC_PROJECT_TYPES_N] = {"null", "boolean", "integer", "number", "string", "array",
                                                          "object"};
    unsigned n = 0;

    if (types & TC_PROJECT_REAL)
        types &= ~(unsigned)TC_PROJECT_INTEGER;
    n = (unsigned)__builtin_popcount(types);
    if (n == 0)
        return;
    tc_jsonw_key(&p->w, "type");
    if (n > 1)
        tc_jsonw_array(&p->w);
    for (unsigned i = TC_PROJECT_TYPES_N; i-- > 0;)
        if (types >> i & 1)
            tc_jsonw_cstr(&p->w, names[i]);
    if (n > 1)
        tc_jsonw_end(&p->w);
}

/* The values that are of these types; all of them where types are not apart. */
static void write_enum(struct tc_project *p, const struct tc_project_view *v, unsigned types, bool null)
{
    struct tc_json_iter it = tc_json_iter(v->kw[TC_WORD_ENUM]);
    const struct tc_json *value;
    bool has_null = false;

    tc_jsonw_key(&p->w, "enum");
    tc_jsonw_array(&p->w);
    while (tc_json_next(&it, NULL, &value)) {
        has_null = has_null || value->type == TC_JSON_NULL;
        if (IS(p, TEXT_ENUM) && value->type != TC_JSON_NULL)
            tc_jsonw_str(&p->w, tc_json_str(value));
        else if (!IS(p, ONE_TYPE) || tc_project_type_of_value(value) & types & ~(unsigned)TC_PROJECT_NULL)
            tc_jsonw_value(&p->w, value);
    }
    if (null && !has_null && !IS(p, ONE_TYPE))
        tc_jsonw_null(&p->w);
    tc_jsonw_end(&p->w);
    if (IS(p, TEXT_ENUM))
        tc_jsonw_kcstr(&p->w, "format", "enum");
}

static bool is_copied(enum tc_word word)
{
    switch (word) {
    case TC_WORD_CONST: case TC_WORD_TITLE: case TC_WORD_DEFAULT: case TC_WORD_EXAMPLES: case TC_WORD_PATTERN:
    case TC_WORD_FORMAT: case TC_WORD_UNIQUE_ITEMS: case TC_WORD_MIN_CONTAINS: case TC_WORD_MAX_CONTAINS:
    case TC_WORD_DEPENDENT_REQUIRED: case TC_WORD_NOT: case TC_WORD_MULTIPLE_OF: case TC_WORD_MINIMUM:
    case TC_WORD_MAXIMUM: case TC_WORD_EXCLUSIVE_MINIMUM: case TC_WORD_EXCLUSIVE_MAXIMUM: case TC_WORD_MIN_LENGTH:
    case TC_WORD_MAX_LENGTH: case TC_WORD_MIN_ITEMS: case TC_WORD_MAX_ITEMS: case TC_WORD_MIN_PROPERTIES:
    case TC_WORD_MAX_PROPERTIES:
        return true;
    default:
        return false;
    }
}

/* Keywords whose value is no schema, where they are about these types. */
static void write_copied(struct tc_project *p, const struct tc_project_view *v, unsigned types)
{
    for (unsigned i = 0; i < TC_WORD_N; i++) {
        enum tc_word word = (enum tc_word)i;
        if (!v->kw[word] || !is_copied(word) || !(p->row->words >> word & 1))
            continue;
        if (types && !(tc_word_types(word) & types))
            continue;
        if (word == TC_WORD_FORMAT && IS(p, TEXT_ENUM) && v->kw[TC_WORD_ENUM])
            continue;
        tc_jsonw_key_str(&p->w, tc_word_text(word));
        tc_jsonw_value(&p->w, v->kw[word]);
    }
}

/* --- writing: schemas inside --- */

static struct tc_project_spot inside(struct tc_project *p, const struct tc_project_view *v,
                                     const struct tc_project_spot *spot, enum tc_word word)
{
    const struct tc_path *at = v->at[word] ? v->at[word] : v->pointer;

    return (struct tc_project_spot){.schema = v->kw[word],
                                    .pointer = tc_project_step(p, at, tc_word_text(word)),
                                    .path = spot->path,
                                    .anywhere = spot->anywhere,
                                    .level = spot->level + 1};
}

/* All that a view and its place say in words. */
static struct tc_str words_of(struct tc_project *p, const struct tc_project_view *v, const struct tc_project_spot *spot)
{
    struct tc_str own = tc_json_str(v->kw[TC_WORD_DESCRIPTION]), notes = tc_buf_get(&v->notes), all;

    if (own.n == 0 && !HAS(p, TITLE))
        own = tc_json_str(v->kw[TC_WORD_TITLE]);
    all = tc_arena_printf(p->cx->arena, "%.*s%s%.*s%s%.*s", TC_STR_ARG(spot->description),
                          spot->description.n && own.n ? " " : "", TC_STR_ARG(own),
                          notes.n && (own.n || spot->description.n) ? " " : "", TC_STR_ARG(notes));
    p->no_memory = p->no_memory || !all.p;
    return all;
}

static void write_description(struct tc_project *p, const struct tc_project_view *v,
                              const struct tc_project_spot *spot, const char *more)
{
    struct tc_str text = words_of(p, v, spot);

    if (more)
        text = tc_arena_printf(p->cx->arena, "%.*s%s%s", TC_STR_ARG(text), text.n ? " " : "", more);
    p->no_memory = p->no_memory || !text.p;
    tc_jsonw_kopt(&p->w, "description", text);
}

static void write_list(struct tc_project *p, const struct tc_project_view *v, const struct tc_project_spot *spot,
                       enum tc_word word, bool null)
{
    struct tc_str first = IS(p, BARE_ANY) ? words_of(p, v, spot) : TC_STR("");
    struct tc_project_spot child = inside(p, v, spot, word);
    const struct tc_path *at = child.pointer;
    struct tc_json_iter it = tc_json_iter(v->kw[word]);

    if (word != TC_WORD_PREFIX_ITEMS)
        child.level--;
    if (word == TC_WORD_ANY_OF && IS(p, ALONE))
        child.types = v->types;
    if (word == TC_WORD_ANY_OF && IS(p, BARE_ANY))
        child.description = first;
    tc_jsonw_key_str(&p->w, tc_word_text(word));
    tc_jsonw_array(&p->w);
    for (uint32_t i = 0; tc_json_next(&it, NULL, &child.schema) && !p->no_memory; i++) {
        if (null && tc_project_is_null(child.schema))
            continue;
        child.pointer = tc_project_item(p, at, i);
        child.nullable = null && IS(p, NULLABLE);
        write_schema(p, child);
        child.description = TC_STR("");
    }
    if (null && !IS(p, NULLABLE)) {
        tc_jsonw_object(&p->w);
        tc_jsonw_kcstr(&p->w, "type", "null");
        tc_jsonw_end(&p->w);
    }
    tc_jsonw_end(&p->w);
}

static void write_child(struct tc_project *p, const struct tc_project_view *v, const struct tc_project_spot *spot,
                        enum tc_word word)
{
    struct tc_project_spot child = inside(p, v, spot, word);

    tc_jsonw_key_str(&p->w, tc_word_text(word));
    if (word == TC_WORD_ADDITIONAL_PROPERTIES)
        child.path = tc_project_step(p, spot->path, TC_STR("*"));
    if (tc_json_is(child.schema, TC_JSON_FALSE) || (tc_json_is(child.schema, TC_JSON_TRUE) && !IS(p, TYPED)))
        tc_jsonw_value(&p->w, child.schema);
    else
        write_schema(p, child);
}

static void write_map(struct tc_project *p, const struct tc_project_view *v, const struct tc_project_spot *spot,
                      enum tc_word word)
{
    struct tc_project_spot child = inside(p, v, spot, word);
    const struct tc_path *at = child.pointer;
    struct tc_json_iter it = tc_json_iter(v->kw[word]);
    struct tc_str key;

    child.path = tc_project_step(p, spot->path, TC_STR("*"));
    tc_jsonw_key_str(&p->w, tc_word_text(word));
    tc_jsonw_object(&p->w);
    while (tc_json_next(&it, &key, &child.schema) && !p->no_memory) {
        child.pointer = tc_project_step(p, at, key);
        tc_jsonw_key_str(&p->w, key);
        write_schema(p, child);
    }
    tc_jsonw_end(&p->w);
}

/* --- writing: arrays --- */

static void write_array(struct tc_project *p, const struct tc_project_view *v, const struct tc_project_spot *spot)
{
    struct tc_project_spot child = inside(p, v, spot, TC_WORD_ITEMS);

    if (v->kw[TC_WORD_PREFIX_ITEMS])
        write_list(p, v, spot, TC_WORD_PREFIX_ITEMS, false);
    if (v->kw[TC_WORD_CONTAINS])
        write_child(p, v, spot, TC_WORD_CONTAINS);
    if (!v->kw[TC_WORD_ITEMS] && !IS(p, NEED_ITEMS))
        return;
    tc_jsonw_key(&p->w, "items");
    if (v->kw[TC_WORD_PREFIX_ITEMS] && tc_json_is(child.schema, TC_JSON_FALSE) && !IS(p, ALONE)) {
        tc_jsonw_bool(&p->w, false);
        return;
    }
    child.path = tc_project_step(p, spot->path, TC_STR("*"));
    write_schema(p, child);
}

/* --- writing: objects --- */

static bool refuses_null(const struct tc_json *schema)
{
    unsigned types = tc_project_types_of(tc_json_get_c(schema, "type"));

    return types && !(types & TC_PROJECT_NULL) && !tc_json_bool(tc_json_get_c(schema, "nullable"), false);
}

static void write_property(struct tc_project *p, const struct tc_project_prop *prop,
                           const struct tc_project_view *v, const struct tc_project_spot *spot)
{
    static const struct tc_json any = {.type = TC_JSON_TRUE};
    struct tc_project_spot child = inside(p, v, spot, TC_WORD_PROPERTIES);

    child.schema = prop->schema ? prop->schema : &any;
    child.pointer = prop->pointer ? prop->pointer : tc_project_step(p, child.pointer, prop->name);
    child.path = tc_project_step(p, spot->path, prop->name);
    child.nullable = IS(p, STRICT) && !prop->required;
    if (child.nullable && refuses_null(child.schema))
        tc_project_note_null(p, prop->name, *spot);
    tc_jsonw_key_str(&p->w, tc_project_name(p, prop->name, *spot));
    write_schema(p, child);
}

static bool is_written(const struct tc_project_prop *prop)
{
    return !tc_json_is(prop->schema, TC_JSON_FALSE);
}

static void write_required(struct tc_project *p, const struct tc_project_view *v, const struct tc_project_spot *spot)
{
    bool any = IS(p, STRICT);

    for (const struct tc_project_prop *prop = v->props; prop; prop = prop->next)
        any = any || (prop->required && is_written(prop));
    if (!any)
        return;
    tc_jsonw_key(&p->w, "required");
    tc_jsonw_array(&p->w);
    for (const struct tc_project_prop *prop = v->props; prop; prop = prop->next)
        if ((prop->required || IS(p, STRICT)) && is_written(prop))
            tc_jsonw_str(&p->w, tc_project_name(p, prop->name, *spot));
    tc_jsonw_end(&p->w);
}

static void write_others(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot)
{
    const struct tc_json *others = v->kw[TC_WORD_ADDITIONAL_PROPERTIES];

    if (IS(p, STRICT)) {
        if (tc_json_is(others, TC_JSON_TRUE) || tc_json_is(others, TC_JSON_OBJECT))
            tc_project_lose(p, v->at[TC_WORD_ADDITIONAL_PROPERTIES], TC_WORD_ADDITIONAL_PROPERTIES,
                            "closed: no other members");
        tc_jsonw_kbool(&p->w, "additionalProperties", false);
    } else if (others && HAS(p, ADDITIONAL_PROPERTIES)) {
        write_child(p, v, spot, TC_WORD_ADDITIONAL_PROPERTIES);
    }
}

static void write_object(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot)
{
    if (v->props || IS(p, STRICT) || !spot->pointer) {
        tc_jsonw_key(&p->w, "properties");
        tc_jsonw_object(&p->w);
        for (const struct tc_project_prop *prop = v->props; prop && !p->no_memory; prop = prop->next) {
            if (is_written(prop))
                write_property(p, prop, v, spot);
            else
                tc_project_lose(p, prop->pointer, TC_WORD_N, "a property that must not be there: left out");
        }
        tc_jsonw_end(&p->w);
    }
    write_required(p, v, spot);
    write_others(p, v, spot);
    if (v->kw[TC_WORD_PATTERN_PROPERTIES])
        write_map(p, v, spot, TC_WORD_PATTERN_PROPERTIES);
    if (v->kw[TC_WORD_PROPERTY_NAMES])
        write_child(p, v, spot, TC_WORD_PROPERTY_NAMES);
}

/* --- writing: one schema --- */

/* An object whose members cannot be named, as text that repair reads back. */
static bool write_as_text(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot,
                          unsigned types, bool null)
{
    char more[TEXT_MAX + 64];
    struct tc_str others = tc_json_text(p->cx->arena, v->kw[TC_WORD_ADDITIONAL_PROPERTIES]);

    if (types != TC_PROJECT_OBJECT || v->props || !IS(p, NO_MAPS) || !spot->pointer)
        return false;
    if (tc_json_is(v->kw[TC_WORD_ADDITIONAL_PROPERTIES], TC_JSON_OBJECT) && others.n <= TEXT_MAX)
        snprintf(more, sizeof more, "A JSON object, written as text. Its members: %.*s.", TC_STR_ARG(others));
    else
        snprintf(more, sizeof more, "A JSON object, written as text.");
    tc_project_lose(p, v->pointer, TC_WORD_TYPE, "an object of any members: written as JSON text in a string");
    if (IS(p, NULLABLE) || !IS(p, ONE_TYPE))
        write_types(p, TC_PROJECT_TEXT | (null && !IS(p, NULLABLE) ? TC_PROJECT_NULL : 0));
    else
        write_types(p, TC_PROJECT_TEXT);
    if (null && IS(p, NULLABLE))
        tc_jsonw_kbool(&p->w, "nullable", true);
    write_description(p, v, spot, more);
    return true;
}

/* The members of one object of the output. */
static void write_members(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot,
                          unsigned types, bool null)
{
    if (write_as_text(p, v, spot, types, null))
        return;
    write_types(p, types | (null && types && !IS(p, ONE_TYPE) ? TC_PROJECT_NULL : 0));
    if (null && IS(p, NULLABLE))
        tc_jsonw_kbool(&p->w, "nullable", true);
    write_description(p, v, spot, NULL);
    if (v->kw[TC_WORD_ENUM] && (!IS(p, ONE_TYPE) || types & tc_project_enum_types(v->kw[TC_WORD_ENUM]) ||
                                (IS(p, TEXT_ENUM) && types & TC_PROJECT_TEXT)))
        write_enum(p, v, types, null);
    write_copied(p, v, types);
    if ((types & TC_PROJECT_ARRAY) || (!types && (v->kw[TC_WORD_ITEMS] || v->kw[TC_WORD_PREFIX_ITEMS])))
        write_array(p, v, spot);
    if ((types & TC_PROJECT_OBJECT) || (!types && v->props))
        write_object(p, v, spot);
    if (v->kw[TC_WORD_ALL_OF])
        write_list(p, v, spot, TC_WORD_ALL_OF, false);
    if (v->kw[TC_WORD_ONE_OF])
        write_list(p, v, spot, TC_WORD_ONE_OF, false);
    if (v->kw[TC_WORD_ANY_OF])
        write_list(p, v, spot, TC_WORD_ANY_OF, false);
}

/* anyOf with all that belongs to it and nothing else. */
static void write_alternatives(struct tc_project *p, struct tc_project_view *v, struct tc_project_spot *spot, bool null)
{
    if (!IS(p, BARE_ANY))
        write_description(p, v, spot, NULL);
    write_list(p, v, spot, TC_WORD_ANY_OF, null);
}

/* Each type as an alternative of its own, where a list of types is not to be had. */
static void write_by_type(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot,
                          unsigned types, bool null)
{
    tc_jsonw_key(&p->w, "anyOf");
    tc_jsonw_array(&p->w);
    for (unsigned i = 0; i < TC_PROJECT_TYPES_N; i++) {
        unsigned one = 1u << i;
        if (!(types & one) || (one == TC_PROJECT_INTEGER && types & TC_PROJECT_REAL))
            continue;
        tc_jsonw_object(&p->w);
        write_members(p, v, spot, one, null && IS(p, NULLABLE));
        tc_jsonw_end(&p->w);
    }
    if (null && !IS(p, NULLABLE)) {
        tc_jsonw_object(&p->w);
        tc_jsonw_kcstr(&p->w, "type", "null");
        tc_jsonw_end(&p->w);
    }
    tc_jsonw_end(&p->w);
}

/* Types where anything goes and a type must be said. */
static unsigned any_types(struct tc_project *p, struct tc_project_view *v, bool *null)
{
    tc_project_lose(p, v->pointer, TC_WORD_TYPE, "any value: narrowed to text, numbers and booleans");
    *null = true;
    return IS(p, NULLABLE) ? TC_PROJECT_TEXT : TC_PROJECT_TEXT | TC_PROJECT_NUMBER | TC_PROJECT_BOOLEAN;
}

static void write_view(struct tc_project *p, struct tc_project_view *v, struct tc_project_spot *spot)
{
    unsigned types = v->types & ~(unsigned)TC_PROJECT_NULL;
    bool null = v->types & TC_PROJECT_NULL || v->nullable || spot->nullable;
    unsigned names;

    if (v->types == TC_PROJECT_NULL && !IS(p, NULLABLE)) {
        write_members(p, v, spot, TC_PROJECT_NULL, false);
        return;
    }
    if (v->kw[TC_WORD_ANY_OF] && IS(p, ALONE) && !tc_project_is_structured(v)) {
        write_alternatives(p, v, spot, null);
        return;
    }
    if (types == 0 && IS(p, TYPED))
        types = any_types(p, v, &null);
    if (types & TC_PROJECT_OBJECT && types != TC_PROJECT_OBJECT && !v->props && IS(p, NO_MAPS)) {
        tc_project_lose(p, v->pointer, TC_WORD_TYPE, "an object of any members: left out beside other types");
        types &= ~(unsigned)TC_PROJECT_OBJECT;
    }
    names = types & TC_PROJECT_REAL ? types & ~(unsigned)TC_PROJECT_INTEGER : types;
    if (IS(p, ONE_TYPE) && (__builtin_popcount(names) > 1 || (null && !IS(p, NULLABLE))))
        write_by_type(p, v, spot, types, null);
    else
        write_members(p, v, spot, types, null);
}

/* --- definitions --- */

static struct tc_str def_name(struct tc_project *p, const struct tc_path *pointer)
{
    struct tc_str last = pointer && pointer->key.p ? pointer->key : TC_STR("root");
    char text[NAME_MAX_BYTES + 16];
    size_t n = last.n > NAME_MAX_BYTES ? NAME_MAX_BYTES : last.n;
    struct tc_str name;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)last.p[i];
        bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
        text[i] = plain ? (char)c : '_';
    }
    for (size_t i = 0; i < p->defs_n; i++) {
        if (!tc_str_eq(p->defs[i].name, tc_str_n(text, n)))
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "_%zu", p->defs_n + 1);
        break;
    }
    name = tc_arena_dup(p->cx->arena, tc_str_n(text, n));
    p->no_memory = p->no_memory || !name.p;
    return name;
}

static struct tc_str define(struct tc_project *p, const struct tc_json *target, const struct tc_path *pointer)
{
    for (size_t i = 0; i < p->defs_n; i++)
        if (p->defs[i].schema == target)
            return p->defs[i].name;
    if (!tc_project_grow(p, (void **)&p->defs, p->defs_n, &p->defs_cap, sizeof *p->defs))
        return TC_STR("");
    p->defs[p->defs_n] = (struct tc_project_def){target, pointer, def_name(p, pointer)};
    return p->defs[p->defs_n++].name;
}

/* A reference with nothing beside it but words about it. */
static bool is_mere_reference(const struct tc_json *schema)
{
    struct tc_json_iter it = tc_json_iter(schema);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        enum tc_word word = tc_word_find(key);
        if (word < TC_WORD_N && word != TC_WORD_REF && word != TC_WORD_DESCRIPTION && word != TC_WORD_TITLE &&
            word != TC_WORD_DEFAULT && word != TC_WORD_EXAMPLES)
            return false;
    }
    return tc_json_is(tc_json_get_c(schema, "$ref"), TC_JSON_STRING);
}

static bool write_reference(struct tc_project *p, const struct tc_project_spot *spot)
{
    struct tc_str ref = tc_json_str(tc_json_get_c(spot->schema, "$ref")), name, place;
    const struct tc_path *pointer = NULL;
    const struct tc_json *target;

    if (!spot->pointer || !HAS(p, REF) || !is_mere_reference(spot->schema))
        return false;
    target = tc_project_target(p, ref, &pointer);
    if (!target)
        return false;
    name = define(p, target, pointer);
    place = tc_arena_printf(p->cx->arena, "#/$defs/%.*s", TC_STR_ARG(name));
    p->no_memory = p->no_memory || !place.p;
    tc_jsonw_object(&p->w);
    if (spot->nullable) {
        tc_jsonw_key(&p->w, "anyOf");
        tc_jsonw_array(&p->w);
        tc_jsonw_object(&p->w);
    }
    tc_jsonw_kstr(&p->w, "$ref", place);
    if (spot->nullable) {
        tc_jsonw_end(&p->w);
        tc_jsonw_object(&p->w);
        tc_jsonw_kcstr(&p->w, "type", "null");
        tc_jsonw_end(&p->w);
        tc_jsonw_end(&p->w);
    } else if (!IS(p, ALONE)) {
        tc_jsonw_kopt(&p->w, "description", tc_json_str(tc_json_get_c(spot->schema, "description")));
    }
    tc_jsonw_end(&p->w);
    return true;
}

static void write_defs(struct tc_project *p)
{
    if (p->defs_n == 0)
        return;
    tc_jsonw_key(&p->w, "$defs");
    tc_jsonw_object(&p->w);
    for (size_t i = 0; i < p->defs_n && !p->no_memory; i++) { /* grows meanwhile */
        struct tc_project_def def = p->defs[i];
        tc_jsonw_key_str(&p->w, def.name);
        write_schema(p, (struct tc_project_spot){.schema = def.schema,
                                                 .pointer = def.pointer ? def.pointer
                                                                        : tc_project_step(p, NULL, TC_STR("")),
                                                 .anywhere = true,
                                                 .level = 1});
    }
    tc_jsonw_end(&p->w);
}

static void write_schema(struct tc_project *p, struct tc_project_spot spot)
{
    struct tc_project_view view;

    if (write_reference(p, &spot))
        return;
    p->depth++;
    tc_project_view_init(p, &view, spot);
    tc_project_gather(p, &view, spot.schema, spot.pointer);
    tc_project_settle(p, &view, &spot);
    tc_jsonw_object(&p->w);
    write_view(p, &view, &spot);
    if (!spot.pointer)
        write_defs(p);
    tc_jsonw_end(&p->w);
    tc_project_view_finish(p, &view);
    p->depth--;
}

/* --- public --- */

static bool is_empty(const struct tc_json *schema)
{
    return tc_json_count(tc_json_get_c(schema, "properties")) == 0;
}

enum tc_err tc_schema_project(struct tc_cx *cx, const struct tc_json *schema, enum tc_schema_provider provider,
                              struct tc_schema_projection *ret_projection)
{
    struct tc_project p = {.cx = cx, .root = schema, .row = tc_project_row(provider)};
    enum tc_err err = TC_OK;

    tc_buf_init(&p.out, OUT_MAX);
    tc_jsonw_init(&p.w, &p.out);
    write_schema(&p, (struct tc_project_spot){.schema = schema});
    if (p.no_memory || p.out.failed)
        err = tc_fail_memory(cx);
    else
        err = tc_json_parse_root(cx, tc_buf_get(&p.out), NULL, &p.done.schema);
    tc_buf_finish(&p.out);
    if (err)
        return err;
    if (IS(&p, NO_EMPTY) && is_empty(p.done.schema))
        p.done.schema = NULL;
    *ret_projection = p.done;
    return TC_OK;
}
