/*
 * Writes what a schema says in the words of one provider. A view is settled
 * first: words that the provider does not take become others that it takes, or
 * text of the description, each time with a report. What is left is written.
 *
 * The result is for a model to read and a provider to accept. It is looser than
 * the original where it must be; arguments are checked by the original.
 */
#include "schema/project.h"

#include <stdio.h>

#include "json/number.h"

enum {
    LEVEL_MAX = 30, /* objects and arrays inside each other */
    DEPTH_MAX = 50, /* schemas inside each other */
    OUT_MAX = 64 * 1024 * 1024,
    TEXT_MAX = 400,
    NAME_MAX_BYTES = 40
};

#define HAS(p, symbol) (((p)->row->words & TC_WORD_BIT(symbol)) != 0)
#define IS(p, trait) (((p)->row->traits & TC_PROJECT_##trait) != 0)

static void write_schema(struct tc_project *p, struct tc_project_spot spot);

static bool is_structured(const struct tc_project_view *v)
{
    return v->props || v->kw[TC_WORD_ITEMS] || v->kw[TC_WORD_PREFIX_ITEMS] || v->kw[TC_WORD_ENUM] ||
           v->kw[TC_WORD_CONST] || v->kw[TC_WORD_ADDITIONAL_PROPERTIES];
}

static void describe(struct tc_project *p, struct tc_project_view *v, enum tc_word word)
{
    if (v->kw[word])
        tc_project_describe(p, v, word, v->kw[word], v->at[word]);
    v->kw[word] = NULL;
}

static void lose(struct tc_project *p, struct tc_project_view *v, enum tc_word word, const char *action)
{
    tc_project_lose(p, v->at[word] ? v->at[word] : v->pointer, word, action);
}

/* A document of our own: the value, if there is one, between two pieces of text. */
static const struct tc_json *make(struct tc_project *p, const char *before, const struct tc_json *value,
                                  const char *behind)
{
    const struct tc_json *made = NULL;
    struct tc_buf buf;

    tc_buf_init(&buf, OUT_MAX);
    tc_buf_cstr(&buf, before);
    if (value)
        tc_json_print(&buf, value);
    tc_buf_cstr(&buf, behind);
    if (buf.failed || tc_json_parse_root(p->cx, tc_buf_get(&buf), NULL, &made))
        p->no_memory = true;
    tc_buf_finish(&buf);
    return made;
}

/* --- settling: alternatives --- */

static bool is_null_schema(const struct tc_json *schema)
{
    return tc_project_types_of(tc_json_get_c(schema, "type")) == TC_PROJECT_NULL;
}

static void settle_one_of(struct tc_project *p, struct tc_project_view *v)
{
    if (!v->kw[TC_WORD_ONE_OF] || HAS(p, ONE_OF))
        return;
    if (v->kw[TC_WORD_ANY_OF]) {
        describe(p, v, TC_WORD_ONE_OF);
        return;
    }
    lose(p, v, TC_WORD_ONE_OF, "written as anyOf");
    v->kw[TC_WORD_ANY_OF] = v->kw[TC_WORD_ONE_OF];
    v->at[TC_WORD_ANY_OF] = v->at[TC_WORD_ONE_OF];
    v->kw[TC_WORD_ONE_OF] = NULL;
}

/* Nothing but a description stands beside anyOf. */
static void settle_beside(struct tc_project *p, struct tc_project_view *v)
{
    if (!v->kw[TC_WORD_DESCRIPTION])
        v->kw[TC_WORD_DESCRIPTION] = v->kw[TC_WORD_TITLE];
    v->kw[TC_WORD_TITLE] = NULL;
    for (unsigned word = 0; word < TC_WORD_N; word++)
        if (word != TC_WORD_DESCRIPTION && word != TC_WORD_ANY_OF)
            describe(p, v, (enum tc_word)word);
}

/* One alternative beside null is no alternative where null is said otherwise. */
static void settle_any_of(struct tc_project *p, struct tc_project_view *v)
{
    const struct tc_json *list = v->kw[TC_WORD_ANY_OF], *schema, *only = NULL;
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_path *at;
    uint32_t others = 0, which = 0;
    bool null = false;

    if (!list || !IS(p, ALONE))
        return;
    for (uint32_t i = 0; tc_json_next(&it, NULL, &schema); i++) {
        if (is_null_schema(schema)) {
            null = true;
            continue;
        }
        others++;
        which = i;
        only = schema;
    }
    if (others == 1) {
        at = tc_project_step(p, v->at[TC_WORD_ANY_OF], tc_word_text(TC_WORD_ANY_OF));
        v->kw[TC_WORD_ANY_OF] = NULL;
        v->nullable = v->nullable || null;
        if (v->types && null)
            v->types &= ~(unsigned)TC_PROJECT_NULL;
        tc_project_gather(p, v, only, tc_project_item(p, at, which));
    } else if (is_structured(v)) {
        describe(p, v, TC_WORD_ANY_OF);
    } else {
        v->nullable = v->nullable || (null && IS(p, NULLABLE));
        settle_beside(p, v);
    }
}

/* Nothing but an object stands at the root. */
static void settle_root(struct tc_project *p, struct tc_project_view *v)
{
    static const enum tc_word said[] = {TC_WORD_ENUM, TC_WORD_CONST, TC_WORD_NOT};

    if (v->types && !(v->types & TC_PROJECT_OBJECT))
        lose(p, v, TC_WORD_TYPE, "made an object");
    v->types = TC_PROJECT_OBJECT;
    v->nullable = false;
    if (v->kw[TC_WORD_ANY_OF])
        tc_project_merge_branches(p, v, TC_WORD_ANY_OF);
    if (v->kw[TC_WORD_ONE_OF])
        tc_project_merge_branches(p, v, TC_WORD_ONE_OF);
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        describe(p, v, said[i]);
}

/* --- settling: values --- */

/* Draft 4 has booleans that make the limit beside them exclusive. */
static void settle_exclusive(struct tc_project_view *v, enum tc_word exclusive, enum tc_word limit)
{
    bool on = tc_json_is(v->kw[exclusive], TC_JSON_TRUE);

    if (tc_json_is(v->kw[exclusive], TC_JSON_NUMBER))
        return;
    v->kw[exclusive] = on ? v->kw[limit] : NULL;
    v->at[exclusive] = v->at[limit];
    if (on)
        v->kw[limit] = NULL;
}

/* Whole numbers have a limit that is not exclusive. */
static void settle_bound(struct tc_project *p, struct tc_project_view *v, enum tc_word exclusive, enum tc_word limit,
                         int step)
{
    int64_t value;
    char text[32];

    if (!v->kw[exclusive] || p->row->words >> exclusive & 1 || v->kw[limit] || v->types & TC_PROJECT_REAL ||
        !(v->types & TC_PROJECT_INTEGER) || !tc_json_int(v->kw[exclusive], &value) || value > INT32_MAX ||
        value < INT32_MIN)
        return;
    snprintf(text, sizeof text, "%lld", (long long)value + step);
    v->at[limit] = v->at[exclusive];
    v->kw[limit] = make(p, text, NULL, "");
    v->kw[exclusive] = NULL;
}

/* What values are among an enum's, as types. */
static unsigned enum_types(const struct tc_json *list)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *value;
    unsigned types = 0;

    while (tc_json_next(&it, NULL, &value))
        types |= tc_project_type_of_value(value);
    return types;
}

static bool has_empty(const struct tc_json *list)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *value;

    while (tc_json_next(&it, NULL, &value))
        if (tc_json_is(value, TC_JSON_STRING) && tc_json_str(value).n == 0)
            return true;
    return false;
}

static void settle_enum(struct tc_project *p, struct tc_project_view *v)
{
    const struct tc_json *list;
    unsigned types, others;

    if (v->kw[TC_WORD_CONST] && (!HAS(p, CONST) || IS(p, STRICT))) {
        if (v->kw[TC_WORD_ENUM])
            describe(p, v, TC_WORD_ENUM);
        v->kw[TC_WORD_ENUM] = make(p, "[", v->kw[TC_WORD_CONST], "]");
        v->at[TC_WORD_ENUM] = v->at[TC_WORD_CONST];
        v->kw[TC_WORD_CONST] = NULL;
    }
    list = v->kw[TC_WORD_ENUM];
    types = enum_types(list);
    others = types & ~(unsigned)TC_PROJECT_NULL;
    if (!list)
        return;
    if (others == 0 && (types == 0 || IS(p, ONE_TYPE)))
        describe(p, v, TC_WORD_ENUM);
    else if (p->row->enum_max && p->enums_n + tc_json_count(list) > p->row->enum_max)
        describe(p, v, TC_WORD_ENUM);
    else if (IS(p, STRICT) && types & (TC_PROJECT_ARRAY | TC_PROJECT_OBJECT))
        describe(p, v, TC_WORD_ENUM);
    else if (IS(p, TEXT_ENUM) &&
             ((others != TC_PROJECT_TEXT && (!others || others & ~(unsigned)TC_PROJECT_NUMBER)) || has_empty(list)))
        describe(p, v, TC_WORD_ENUM);
    v->types = v->types ? v->types : types & TC_PROJECT_REAL ? types | TC_PROJECT_INTEGER : types;
    if (types & TC_PROJECT_NULL && (!v->types || v->types & TC_PROJECT_NULL))
        v->nullable = true;
    if (IS(p, TEXT_ENUM) && v->kw[TC_WORD_ENUM] && others & TC_PROJECT_NUMBER) {
        lose(p, v, TC_WORD_ENUM, "numbers written as text");
        v->types = TC_PROJECT_TEXT;
    }
    p->enums_n += v->kw[TC_WORD_ENUM] ? (unsigned)tc_json_count(list) : 0;
}

/* What the keywords are about, where no type says it. */
static void settle_types(struct tc_project *p, struct tc_project_view *v)
{
    bool inferred = IS(p, TYPED) || IS(p, ALONE);

    if (v->types || !inferred)
        return;
    for (unsigned word = 0; word < TC_WORD_N; word++)
        if (v->kw[word] && tc_word_types((enum tc_word)word) != TC_PROJECT_ANY)
            v->types |= tc_word_types((enum tc_word)word);
    if (v->types & TC_PROJECT_TEXT && v->kw[TC_WORD_FORMAT])
        v->types &= ~(unsigned)TC_PROJECT_NUMBER;
    if (v->props)
        v->types |= TC_PROJECT_OBJECT;
}

/* --- settling: the rest --- */

static bool fits_format(const struct tc_project *p, const struct tc_project_view *v)
{
    struct tc_str format = tc_json_str(v->kw[TC_WORD_FORMAT]), rest, one;
    bool text = v->types == 0 || v->types & TC_PROJECT_TEXT;

    if (!p->row->formats)
        return true;
    for (rest = tc_str_of(p->row->formats); tc_str_split(&rest, ' ', &one);) {
        bool number = tc_str_is(one, "float") || tc_str_is(one, "double") || tc_str_is(one, "int32") ||
                      tc_str_is(one, "int64");
        if (one.n && tc_str_eq(one, format))
            return number != text;
    }
    return false;
}

static bool is_bound(enum tc_word word)
{
    return word == TC_WORD_MIN_LENGTH || word == TC_WORD_MAX_LENGTH || word == TC_WORD_MIN_ITEMS ||
           word == TC_WORD_MAX_ITEMS;
}

/* May the keyword be written with this value? */
static bool may_stand(const struct tc_project *p, const struct tc_project_view *v, enum tc_word word)
{
    const struct tc_json *value = v->kw[word];
    int64_t bound = 0;

    if (!(p->row->words >> word & 1))
        return false;
    if (word == TC_WORD_FORMAT)
        return fits_format(p, v);
    if (p->row->bound_max && is_bound(word))
        return tc_json_int(value, &bound) && bound <= (int64_t)p->row->bound_max;
    if (IS(p, WHOLE_BOUNDS) && tc_word_types(word) == TC_PROJECT_NUMBER)
        return (v->types & ~(unsigned)TC_PROJECT_NULL) == TC_PROJECT_INTEGER && tc_json_int(value, &bound);
    return true;
}

static bool refers(const struct tc_json *value, unsigned depth)
{
    struct tc_json_iter it = tc_json_iter(value);
    struct tc_str key;

    while (depth < TC_JSON_DEPTH_MAX && tc_json_next(&it, &key, &value))
        if (tc_str_is(key, "$ref") || refers(value, depth + 1))
            return true;
    return false;
}

static void settle_rest(struct tc_project *p, struct tc_project_view *v)
{
    for (unsigned i = 0; i < TC_WORD_N; i++) {
        enum tc_word word = (enum tc_word)i;
        if (!v->kw[word] || may_stand(p, v, word))
            continue;
        switch (word) {
        case TC_WORD_TITLE:
        case TC_WORD_ADDITIONAL_ITEMS: /* with the items */
        case TC_WORD_PREFIX_ITEMS:
            break;
        case TC_WORD_ADDITIONAL_PROPERTIES:
            if (tc_json_is(v->kw[word], TC_JSON_FALSE))
                lose(p, v, word, "left out");
            else if (!IS(p, NO_MAPS) && !tc_json_is(v->kw[word], TC_JSON_TRUE) && tc_json_count(v->kw[word]) > 0)
                tc_project_describe(p, v, word, v->kw[word], v->at[word]);
            break;
        default:
            describe(p, v, word);
        }
    }
    if (v->kw[TC_WORD_NOT] && refers(v->kw[TC_WORD_NOT], 0)) /* what it lost would make it say more */
        describe(p, v, TC_WORD_NOT);
}

/* Nothing of what is inside is written. */
static void cut(struct tc_project *p, struct tc_project_view *v)
{
    settle_types(p, v);
    v->props = NULL;
    v->kw[TC_WORD_ITEMS] = v->kw[TC_WORD_PREFIX_ITEMS] = v->kw[TC_WORD_ADDITIONAL_PROPERTIES] = NULL;
    v->kw[TC_WORD_ANY_OF] = v->kw[TC_WORD_ONE_OF] = v->kw[TC_WORD_ALL_OF] = v->kw[TC_WORD_PROPERTIES] = NULL;
    v->cut = true;
}

static void settle(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot)
{
    unsigned level_max = p->row->depth_max ? p->row->depth_max : LEVEL_MAX;

    settle_exclusive(v, TC_WORD_EXCLUSIVE_MINIMUM, TC_WORD_MINIMUM);
    settle_exclusive(v, TC_WORD_EXCLUSIVE_MAXIMUM, TC_WORD_MAXIMUM);
    if (!spot->pointer) {
        settle_root(p, v);
    } else {
        settle_one_of(p, v);
        settle_any_of(p, v);
    }
    if (v->never) {
        tc_project_lose(p, v->pointer, TC_WORD_N, "a schema that refuses everything: said in the description");
        tc_buf_cstr(&v->notes, v->notes.n ? " No value is right here." : "No value is right here.");
    }
    if (spot->types && !v->types)
        v->types = spot->types;
    if (!v->cut && (spot->level >= level_max || p->depth > DEPTH_MAX)) {
        tc_project_lose(p, v->pointer, TC_WORD_N, "too deep: left out");
        cut(p, v);
    } else if (v->cut) {
        cut(p, v);
    }
    settle_enum(p, v);
    settle_types(p, v);
    settle_bound(p, v, TC_WORD_EXCLUSIVE_MINIMUM, TC_WORD_MINIMUM, 1);
    settle_bound(p, v, TC_WORD_EXCLUSIVE_MAXIMUM, TC_WORD_MAXIMUM, -1);
    settle_rest(p, v);
}

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
        if (null && is_null_schema(child.schema))
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

/* Draft 2020-12's words for a schema a position. */
static void settle_tuple(struct tc_project *p, struct tc_project_view *v)
{
    static const struct tc_json nothing = {.type = TC_JSON_NULL};
    const struct tc_json *list;

    if (tc_json_is(v->kw[TC_WORD_ITEMS], TC_JSON_ARRAY)) {
        v->kw[TC_WORD_PREFIX_ITEMS] = v->kw[TC_WORD_ITEMS];
        v->at[TC_WORD_PREFIX_ITEMS] = v->at[TC_WORD_ITEMS];
        v->kw[TC_WORD_ITEMS] = v->kw[TC_WORD_ADDITIONAL_ITEMS];
        v->at[TC_WORD_ITEMS] = v->at[TC_WORD_ADDITIONAL_ITEMS];
    }
    list = v->kw[TC_WORD_PREFIX_ITEMS];
    if (!list || HAS(p, PREFIX_ITEMS))
        return;
    describe(p, v, TC_WORD_PREFIX_ITEMS);
    if (tc_json_count(list) > 0)
        v->kw[TC_WORD_ITEMS] = make(p, "{\"anyOf\":", list, "}");
    if (!v->kw[TC_WORD_ITEMS])
        v->kw[TC_WORD_ITEMS] = &nothing;
}

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
            lose(p, v, TC_WORD_ADDITIONAL_PROPERTIES, "closed: no other members");
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
    if (v->kw[TC_WORD_ENUM] && (!IS(p, ONE_TYPE) || types & enum_types(v->kw[TC_WORD_ENUM]) ||
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
    bool null = v->types & TC_PROJECT_NULL || v->nullable || spot->nullable, bare = IS(p, ALONE) && !is_structured(v);
    unsigned names;

    if (v->types == TC_PROJECT_NULL && !IS(p, NULLABLE)) {
        write_members(p, v, spot, TC_PROJECT_NULL, false);
        return;
    }
    if (v->kw[TC_WORD_ANY_OF] && bare) {
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
    settle(p, &view, &spot);
    settle_tuple(p, &view);
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
