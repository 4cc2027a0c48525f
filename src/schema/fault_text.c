/*
 * Faults in words, for a model that is to mend its call: what was expected, what
 * came, and where one can be named, the nearest right thing. Values are cut, and
 * those of secret properties are not shown.
 */
#include "base/utf8.h"
#include "json/node.h"
#include "schema/explain.h"
#include "toolcrib/buf.h"

enum {
    VALUE_CHARS = 80,
    LIST_ITEMS = 16, /* names or values listed */
    LOOKED_AT = 256, /* names compared for the nearest */
    TEXT_MAX = 16 * 1024
};

struct words {
    struct tc_buf expected, got, hint;
    const struct tc_explain_fault *fault;
};

/* --- values --- */

static void put_cut(struct tc_buf *buf, struct tc_str text, size_t chars)
{
    struct tc_str head = tc_utf8_head(text, chars);

    tc_buf_str(buf, head);
    if (head.n < text.n)
        tc_buf_cstr(buf, "…");
}

/* A scalar as JSON, cut. */
static void put_scalar(struct tc_buf *buf, const struct tc_json *v)
{
    struct tc_json cut;
    struct tc_str head;

    if (v->type == TC_JSON_NUMBER) {
        put_cut(buf, tc_node_text(v), VALUE_CHARS);
        return;
    }
    if (v->type != TC_JSON_STRING) {
        tc_json_print(buf, v);
        return;
    }
    head = tc_utf8_head(tc_node_text(v), VALUE_CHARS);
    cut = (struct tc_json){.type = TC_JSON_STRING, .n = (uint32_t)head.n, .u.text = head.p};
    tc_json_print(buf, &cut);
    if (head.n < v->n)
        tc_buf_cstr(buf, "…");
}

/* A schema's value: containers too, if they are short. */
static void put_value(struct tc_buf *buf, const struct tc_json *v)
{
    struct tc_buf whole;

    if (v->type < TC_JSON_ARRAY) {
        put_scalar(buf, v);
        return;
    }
    tc_buf_init(&whole, TEXT_MAX);
    tc_json_print(&whole, v);
    if (whole.failed)
        tc_buf_printf(buf, "a certain %s", tc_json_type_name(v->type));
    else
        put_cut(buf, tc_buf_get(&whole), VALUE_CHARS);
    tc_buf_finish(&whole);
}

static bool names_a_secret(struct tc_str key)
{
    static const char *const words[] = {"password", "passwd",  "secret",     "token",       "apikey",
                                        "api_key",  "api-key", "credential", "private_key", "authorization"};
    char lower[64];
    size_t n = key.n < sizeof lower ? key.n : sizeof lower;

    for (size_t i = 0; i < n; i++)
        lower[i] = (char)(key.p[i] >= 'A' && key.p[i] <= 'Z' ? key.p[i] + 32 : key.p[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (tc_str_find(tc_str_n(lower, n), tc_str_of(words[i])) != SIZE_MAX)
            return true;
    return false;
}

static bool is_secret(const struct tc_explain_fault *fault)
{
    for (const struct tc_path *path = fault->path; path; path = path->up)
        if (path->key.p && names_a_secret(path->key))
            return fault->v->type == TC_JSON_STRING;
    return fault->node->flags & TC_SCHEMA_SECRET;
}

static void put_keys(struct tc_buf *buf, const struct tc_json *object)
{
    struct tc_json_iter it;
    struct tc_str key;
    const struct tc_json *value;
    unsigned n = 0;

    for (it = tc_json_iter(object); n < LIST_ITEMS && tc_json_next(&it, &key, &value); n++) {
        tc_buf_cstr(buf, n ? ", " : "");
        put_cut(buf, key, VALUE_CHARS / 2);
    }
    if (tc_json_count(object) > n)
        tc_buf_cstr(buf, ", …");
}

/* "string \"x\"", "array of 3 items", "object with a, b". */
static void put_got(struct tc_buf *buf, const struct tc_explain_fault *fault)
{
    const struct tc_json *v = fault->v;

    if (v->type == TC_JSON_NULL) {
        tc_buf_cstr(buf, "null");
    } else if (v->type == TC_JSON_ARRAY) {
        tc_buf_printf(buf, "array of %u item%s", (unsigned)v->n, v->n == 1 ? "" : "s");
    } else if (v->type == TC_JSON_OBJECT && v->n == 0) {
        tc_buf_cstr(buf, "empty object");
    } else if (v->type == TC_JSON_OBJECT) {
        tc_buf_cstr(buf, "object with ");
        put_keys(buf, v);
    } else {
        tc_buf_cstr(buf, tc_json_type_name(v->type));
        if (is_secret(fault)) {
            tc_buf_cstr(buf, " (not shown)");
            return;
        }
        tc_buf_char(buf, ' ');
        put_scalar(buf, v);
    }
}

/* --- the nearest name --- */

struct nearest {
    struct tc_str wrong, best;
    size_t distance;
};

static bool part_of(struct tc_str part, struct tc_str whole)
{
    return part.n >= 3 && whole.n > part.n && tc_str_find(whole, part) != SIZE_MAX;
}

static void consider(struct nearest *nearest, struct tc_str name)
{
    size_t limit = nearest->wrong.n / 3 > 3 ? 3 : nearest->wrong.n / 3 + (nearest->wrong.n < 3);
    size_t distance = tc_str_distance(nearest->wrong, name, limit);

    if (tc_str_eq_nocase(nearest->wrong, name))
        distance = 0;
    else if (distance > limit && (part_of(nearest->wrong, name) || part_of(name, nearest->wrong)))
        distance = limit + 1; /* good enough if nothing is closer */
    else if (distance > limit)
        return;
    if (nearest->best.p && distance >= nearest->distance)
        return;
    nearest->best = name;
    nearest->distance = distance;
}

static void put_quoted(struct tc_buf *buf, struct tc_str name)
{
    struct tc_json string = {.type = TC_JSON_STRING, .n = (uint32_t)name.n, .u.text = name.p ? name.p : ""};

    put_scalar(buf, &string);
}

static void hint_nearest(struct tc_buf *hint, const struct nearest *nearest)
{
    if (!nearest->best.p)
        return;
    tc_buf_cstr(hint, "Did you mean ");
    put_quoted(hint, nearest->best);
    tc_buf_cstr(hint, "?");
}

/* --- keys --- */

static bool knows(const struct tc_schema_object *object, struct tc_str key)
{
    for (uint32_t i = 0; i < object->properties_n && i < LOOKED_AT; i++)
        if (tc_str_eq(object->properties[i].key, key))
            return true;
    return false;
}

static void say_required(struct words *w)
{
    const struct tc_explain_fault *fault = w->fault;
    struct nearest nearest = {.wrong = fault->key};
    struct tc_json_iter it = tc_json_iter(fault->v);
    struct tc_str key;
    const struct tc_json *value;
    unsigned looked = 0;

    tc_buf_cstr(&w->expected, "the property ");
    put_quoted(&w->expected, fault->key);
    put_got(&w->got, fault);
    for (; looked < LOOKED_AT && tc_json_next(&it, &key, &value); looked++)
        if (!knows(fault->node->object, key))
            consider(&nearest, key);
    if (nearest.best.p) {
        tc_buf_cstr(&w->hint, "You gave ");
        put_quoted(&w->hint, nearest.best);
        tc_buf_cstr(&w->hint, "; is that the one?");
    }
}

static void say_unknown(struct words *w)
{
    const struct tc_schema_object *object = w->fault->about.object;
    struct nearest nearest = {.wrong = w->fault->key};
    unsigned listed = 0;

    for (uint32_t i = 0; i < object->properties_n && i < LOOKED_AT; i++) {
        struct tc_str name = object->properties[i].key;
        if (!object->properties[i].node)
            continue;
        consider(&nearest, name);
        if (listed < LIST_ITEMS) {
            tc_buf_cstr(&w->expected, listed ? ", " : "only the properties ");
            put_cut(&w->expected, name, VALUE_CHARS / 2);
        }
        listed++;
    }
    if (listed == 0)
        tc_buf_cstr(&w->expected, "no such property");
    else if (listed > LIST_ITEMS)
        tc_buf_cstr(&w->expected, ", …");
    tc_buf_cstr(&w->got, "the unknown property ");
    put_quoted(&w->got, w->fault->key);
    hint_nearest(&w->hint, &nearest);
}

static void say_dependency(struct words *w)
{
    tc_buf_cstr(&w->expected, "the property ");
    put_quoted(&w->expected, w->fault->key);
    tc_buf_cstr(&w->expected, ", since ");
    put_quoted(&w->expected, w->fault->about.dependency->key);
    tc_buf_cstr(&w->expected, " is given");
    put_got(&w->got, w->fault);
}

/* --- types and values --- */

static void put_types(struct tc_buf *buf, unsigned types)
{
    static const struct {
        unsigned bit;
        const char *name;
    } rows[] = {
        {1 << TC_JSON_STRING, "string"}, {TC_TYPES_INTEGER, "integer"},   {1 << TC_JSON_NUMBER, "number"},
        {1 << TC_JSON_TRUE, "boolean"},  {1 << TC_JSON_OBJECT, "object"}, {1 << TC_JSON_ARRAY, "array"},
        {1 << TC_JSON_NULL, "null"},
    };
    bool first = true;

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!(types & rows[i].bit) || (rows[i].bit == TC_TYPES_INTEGER && types & 1 << TC_JSON_NUMBER))
            continue;
        tc_buf_cstr(buf, first ? "" : " or ");
        tc_buf_cstr(buf, rows[i].name);
        first = false;
    }
    if (first)
        tc_buf_cstr(buf, "no value");
}

/* Text that begins as a number does. */
static bool numeric(const struct tc_json *v)
{
    struct tc_str text = tc_str_trim(tc_json_str(v));

    if (text.n > 1 && (text.p[0] == '-' || text.p[0] == '+'))
        text = tc_str_from(text, 1);
    return text.n && text.p[0] >= '0' && text.p[0] <= '9';
}

static void say_type(struct words *w)
{
    unsigned types = w->fault->types;
    const struct tc_json *v = w->fault->v;

    put_types(&w->expected, types);
    put_got(&w->got, w->fault);
    if (v->type == TC_JSON_STRING && types & (1 << TC_JSON_ARRAY | 1 << TC_JSON_OBJECT))
        tc_buf_cstr(&w->hint,
                    types & 1 << TC_JSON_ARRAY ? "Give a JSON array, not text." : "Give a JSON object, not text.");
    else if (v->type == TC_JSON_STRING && types & TC_TYPES_BOOLEAN)
        tc_buf_cstr(&w->hint, "Write true or false without quotes.");
    else if (v->type == TC_JSON_STRING && types & (1 << TC_JSON_NUMBER | TC_TYPES_INTEGER))
        tc_buf_cstr(&w->hint, numeric(v) ? "Write the number without quotes." : "Give a number.");
    else if (v->type == TC_JSON_NUMBER && types & TC_TYPES_INTEGER)
        tc_buf_cstr(&w->hint, "Give a whole number.");
    else if (v->type < TC_JSON_ARRAY && types & 1 << TC_JSON_ARRAY)
        tc_buf_cstr(&w->hint, "Give an array, also for one item.");
    else if (v->type == TC_JSON_NUMBER && types & 1 << TC_JSON_STRING)
        tc_buf_cstr(&w->hint, "Put it in quotes.");
}

static void say_values(struct words *w)
{
    const struct tc_schema_values *values = w->fault->node->values[w->fault->rule == TC_KW_CONST];
    struct nearest nearest = {.wrong = tc_json_str(w->fault->v)};

    for (uint32_t i = 0; i < values->n && i < LIST_ITEMS; i++) {
        tc_buf_cstr(&w->expected, i ? ", " : values->n > 1 ? "one of " : "");
        put_value(&w->expected, values->value[i]);
    }
    if (values->n > LIST_ITEMS)
        tc_buf_printf(&w->expected, " and %u more", (unsigned)(values->n - LIST_ITEMS));
    if (values->n == 0)
        tc_buf_cstr(&w->expected, "no value");
    for (uint32_t i = 0; i < values->n && i < LOOKED_AT; i++)
        if (w->fault->v->type == TC_JSON_STRING && values->value[i]->type == TC_JSON_STRING && values->n > 1)
            consider(&nearest, tc_node_text(values->value[i]));
    put_got(&w->got, w->fault);
    hint_nearest(&w->hint, &nearest);
}

/* --- limits --- */

static void say_number(struct words *w)
{
    static const struct {
        enum tc_keyword rule;
        const char *text;
    } rows[] = {
        {TC_KW_MINIMUM, "at least"},
        {TC_KW_MAXIMUM, "at most"},
        {TC_KW_EXCLUSIVE_MINIMUM, "more than"},
        {TC_KW_EXCLUSIVE_MAXIMUM, "less than"},
        {TC_KW_MULTIPLE_OF, "a multiple of"},
    };

    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].rule == w->fault->rule)
            tc_buf_printf(&w->expected, "%s ", rows[i].text);
    put_cut(&w->expected, w->fault->about.number->lexeme, VALUE_CHARS);
    put_got(&w->got, w->fault);
}

static void say_count(struct words *w, const char *how, uint32_t limit, const char *unit)
{
    const char *many = limit == 1 ? "" : "s";

    if (unit[0] == 'p') /* property */
        tc_buf_printf(&w->expected, "%s %u propert%s", how, (unsigned)limit, limit == 1 ? "y" : "ies");
    else
        tc_buf_printf(&w->expected, "%s %u %s%s", how, (unsigned)limit, unit, many);
}

static void say_string(struct words *w)
{
    const struct tc_schema_string *string = w->fault->node->string;
    size_t chars = tc_utf8_count(tc_node_text(w->fault->v));

    put_got(&w->got, w->fault);
    switch (w->fault->rule) {
    case TC_KW_MIN_LENGTH:
        say_count(w, "at least", string->min, "character");
        tc_buf_printf(&w->got, " of %zu", chars);
        break;
    case TC_KW_MAX_LENGTH:
        say_count(w, "at most", string->max, "character");
        tc_buf_printf(&w->got, " of %zu", chars);
        break;
    case TC_KW_PATTERN:
        tc_buf_cstr(&w->expected, "text that matches ");
        put_cut(&w->expected, string->pattern_text, 200);
        break;
    default:
        tc_buf_cstr(&w->expected, "text of the format ");
        put_cut(&w->expected, tc_json_str(tc_json_get(w->fault->node->source, TC_STR("format"))), VALUE_CHARS);
        break;
    }
}

static void say_array(struct words *w)
{
    const struct tc_schema_array *array = w->fault->node->array;

    put_got(&w->got, w->fault);
    switch (w->fault->rule) {
    case TC_KW_MIN_ITEMS:
        say_count(w, "at least", array->min, "item");
        break;
    case TC_KW_MAX_ITEMS:
        say_count(w, "at most", array->max, "item");
        break;
    case TC_KW_UNIQUE_ITEMS:
        tc_buf_cstr(&w->expected, "items that all differ");
        tc_buf_printf(&w->got, " of which %u and %u are equal", (unsigned)w->fault->first, (unsigned)w->fault->second);
        break;
    case TC_KW_CONTAINS:
    case TC_KW_MIN_CONTAINS:
        say_count(w, "at least", array->contains_min, "item");
        tc_buf_printf(&w->expected, " that match%s \"contains\"", array->contains_min == 1 ? "es" : "");
        break;
    case TC_KW_MAX_CONTAINS:
        say_count(w, "at most", array->contains_max, "item");
        tc_buf_printf(&w->expected, " that match%s \"contains\"", array->contains_max == 1 ? "es" : "");
        break;
    default:
        say_count(w, "at most", w->fault->first, "item");
        break;
    }
}

static void say_other(struct words *w)
{
    const struct tc_schema_object *object = w->fault->node->object;

    put_got(&w->got, w->fault);
    switch (w->fault->rule) {
    case TC_KW_MIN_PROPERTIES:
        say_count(w, "at least", object->min, "property");
        break;
    case TC_KW_MAX_PROPERTIES:
        say_count(w, "at most", object->max, "property");
        break;
    case TC_KW_ONE_OF:
        tc_buf_cstr(&w->expected, "a match of exactly one alternative");
        tc_buf_printf(&w->got, " that matches both %u and %u", (unsigned)w->fault->first, (unsigned)w->fault->second);
        break;
    case TC_KW_NOT:
        tc_buf_cstr(&w->expected, "a value that does not match \"not\"");
        break;
    default:
        tc_buf_cstr(&w->expected, "no value here");
        break;
    }
}

/* --- all of them --- */

static void say(struct words *w)
{
    bool refused = w->fault->node->flags & TC_SCHEMA_FALSE;

    switch (refused ? TC_KW_COUNT : w->fault->rule) {
    case TC_KW_TYPE:
        say_type(w);
        return;
    case TC_KW_ENUM:
    case TC_KW_CONST:
        say_values(w);
        return;
    case TC_KW_MINIMUM:
    case TC_KW_MAXIMUM:
    case TC_KW_EXCLUSIVE_MINIMUM:
    case TC_KW_EXCLUSIVE_MAXIMUM:
    case TC_KW_MULTIPLE_OF:
        say_number(w);
        return;
    case TC_KW_MIN_LENGTH:
    case TC_KW_MAX_LENGTH:
    case TC_KW_PATTERN:
    case TC_KW_FORMAT:
        say_string(w);
        return;
    case TC_KW_MIN_ITEMS:
    case TC_KW_MAX_ITEMS:
    case TC_KW_UNIQUE_ITEMS:
    case TC_KW_CONTAINS:
    case TC_KW_MIN_CONTAINS:
    case TC_KW_MAX_CONTAINS:
    case TC_KW_ITEMS:
    case TC_KW_ADDITIONAL_ITEMS:
    case TC_KW_UNEVALUATED_ITEMS:
        say_array(w);
        return;
    case TC_KW_REQUIRED:
        say_required(w);
        return;
    case TC_KW_ADDITIONAL_PROPERTIES:
    case TC_KW_UNEVALUATED_PROPERTIES:
    case TC_KW_PROPERTY_NAMES:
        say_unknown(w);
        return;
    case TC_KW_DEPENDENCIES:
    case TC_KW_DEPENDENT_REQUIRED:
        say_dependency(w);
        return;
    default:
        say_other(w);
        return;
    }
}

bool tc_explain_text(struct tc_arena *arena, const struct tc_explain_fault *fault, struct tc_schema_fault *ret_fault)
{
    bool refused = fault->node->flags & TC_SCHEMA_FALSE;
    struct tc_str rule = tc_keyword_info(fault->rule)->text;
    struct words w = {.fault = fault};

    tc_buf_init(&w.expected, TEXT_MAX);
    tc_buf_init(&w.got, TEXT_MAX);
    tc_buf_init(&w.hint, TEXT_MAX);
    say(&w);
    ret_fault->path = tc_path_text(arena, fault->path);
    ret_fault->rule = rule;
    ret_fault->schema_path = tc_schema_place(arena, fault->node, refused ? TC_STR("") : rule);
    ret_fault->expected = tc_buf_dup(&w.expected, arena);
    ret_fault->got = tc_buf_dup(&w.got, arena);
    ret_fault->hint = tc_buf_dup(&w.hint, arena);
    tc_buf_finish(&w.expected);
    tc_buf_finish(&w.got);
    tc_buf_finish(&w.hint);
    return ret_fault->path.p && ret_fault->expected.p && ret_fault->got.p && ret_fault->hint.p;
}

/* On one line, whatever is in it. */
static void put_line(struct tc_buf *buf, struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++)
        tc_buf_char(buf, (unsigned char)text.p[i] < 0x20 || text.p[i] == 0x7f ? ' ' : text.p[i]);
}

void tc_schema_fault_line(struct tc_buf *buf, const struct tc_schema_fault *fault)
{
    put_line(buf, fault->path.n ? fault->path : TC_STR("(root)"));
    tc_buf_char(buf, ' ');
    put_line(buf, fault->rule);
    tc_buf_cstr(buf, ": expected ");
    put_line(buf, fault->expected);
    tc_buf_cstr(buf, "; got ");
    put_line(buf, fault->got);
    tc_buf_char(buf, '.');
    if (fault->hint.n)
        tc_buf_char(buf, ' ');
    put_line(buf, fault->hint);
    tc_buf_char(buf, '\n');
}
