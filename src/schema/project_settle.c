/*
 * Settling of a view for one provider: words that it does not take become others
 * that it takes, or text of the description, each time with a report.
 */
#include "schema/project.h"

#include <stdio.h>

#include "json/number.h"

enum {
    LEVEL_MAX = 30, /* objects and arrays inside each other */
    DEPTH_MAX = 50, /* schemas inside each other */
    TEXT_MAX = 64 * 1024 * 1024
};

bool tc_project_is_structured(const struct tc_project_view *v)
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

    tc_buf_init(&buf, TEXT_MAX);
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

bool tc_project_is_null(const struct tc_json *schema)
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
        if (tc_project_is_null(schema)) {
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
    } else if (tc_project_is_structured(v)) {
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
unsigned tc_project_enum_types(const struct tc_json *list)
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
    types = tc_project_enum_types(list);
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

void tc_project_settle(struct tc_project *p, struct tc_project_view *v, const struct tc_project_spot *spot)
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
    settle_tuple(p, v);
}
