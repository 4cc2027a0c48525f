/*
 * The walk over a document by its table.
 */
#include "policy/form.h"

#include "base/utf8.h"

struct place {
    const struct place *up; /* NULL: the document itself */
    struct tc_str key;
};

struct walk {
    struct tc_cx *cx;
    const struct tc_form *form;
    struct tc_jsonw w;
};

/* --- faults --- */

/* The JSON Pointer of a place, in the arena. */
static struct tc_str pointer(struct tc_cx *cx, const struct place *place)
{
    struct tc_str up, key = TC_STR("");
    struct tc_buf buf;

    if (!place || !place->up)
        return key;
    up = pointer(cx, place->up);
    tc_buf_init(&buf, 64 * 1024);
    tc_buf_str(&buf, up);
    tc_buf_char(&buf, '/');
    for (size_t i = 0; i < place->key.n; i++) {
        if (place->key.p[i] == '~' || place->key.p[i] == '/')
            tc_buf_cstr(&buf, place->key.p[i] == '~' ? "~0" : "~1");
        else
            tc_buf_char(&buf, place->key.p[i]);
    }
    key = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return key.p ? key : up;
}

enum tc_err tc_form_refuse(struct tc_cx *cx, const struct tc_form *form, struct tc_str field, const char *fmt, ...)
{
    struct tc_str asked, subject = field.n ? field : tc_str_of(form->subject);
    va_list ap;

    va_start(ap, fmt);
    asked = tc_arena_vprintf(cx->arena, fmt, ap);
    va_end(ap);
    if (!asked.p)
        return tc_fail_memory(cx);
    if (tc_fail(cx, form->code, "%.*s %.*s", TC_STR_ARG(subject), TC_STR_ARG(asked)) != form->code)
        return cx->err.code;
    return tc_fail_field(cx, field);
}

static enum tc_err refuse(struct walk *walk, const struct place *place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static enum tc_err refuse(struct walk *walk, const struct place *place, const char *fmt, ...)
{
    struct tc_str asked;
    va_list ap;

    va_start(ap, fmt);
    asked = tc_arena_vprintf(walk->cx->arena, fmt, ap);
    va_end(ap);
    if (!asked.p)
        return tc_fail_memory(walk->cx);
    return tc_form_refuse(walk->cx, walk->form, pointer(walk->cx, place), "%.*s", TC_STR_ARG(asked));
}

static enum tc_err refuse_choice(struct walk *walk, const struct place *place, const char *const *choices)
{
    struct tc_str list = TC_STR("");

    for (; *choices; choices++)
        list = tc_arena_printf(walk->cx->arena, "%.*s%s%s", TC_STR_ARG(list), list.n ? ", " : "", *choices);
    if (!list.p)
        return tc_fail_memory(walk->cx);
    return refuse(walk, place, "must be one of: %.*s.", TC_STR_ARG(list));
}

static enum tc_err refuse_key(struct walk *walk, const struct place *place, const struct tc_form_field *fields)
{
    const char *nearest = fields->name;
    size_t best = SIZE_MAX;
    enum tc_err err = refuse(walk, place, "is not a known field.");

    for (; fields->name; fields++) {
        size_t distance = tc_str_distance(place->key, tc_str_of(fields->name), 128);
        if (distance < best) {
            best = distance;
            nearest = fields->name;
        }
    }
    return err == walk->form->code ? tc_fail_hint(walk->cx, "The nearest known one is \"%s\".", nearest) : err;
}

/* --- the walk --- */

int tc_form_choice(const char *const *choices, struct tc_str name)
{
    for (int i = 0; choices[i]; i++)
        if (tc_str_is(name, choices[i]))
            return i;
    return -1;
}

static enum tc_err write_object(struct walk *walk, const struct place *place, const struct tc_form_field *fields,
                                const struct tc_json *json);

static enum tc_err write_text(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                              const struct tc_json *json)
{
    struct tc_str text = tc_json_str(json);
    size_t n = tc_utf8_count(text);

    if (!tc_json_is(json, TC_JSON_STRING))
        return refuse(walk, place, "must be a string.");
    if (n < (size_t)field->min || n > (size_t)field->max)
        return refuse(walk, place, "must have %d to %d characters, and has %zu.", (int)field->min, (int)field->max, n);
    if (field->check && !field->check(walk->cx, text))
        return refuse(walk, place, "must be %s.", field->what);
    tc_jsonw_str(&walk->w, text);
    return TC_OK;
}

static enum tc_err write_number(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                                const struct tc_json *json)
{
    bool or_null = field->kind == TC_FORM_NUMBER_OR_NULL;
    int64_t value;

    if (or_null && tc_json_is(json, TC_JSON_NULL)) {
        tc_jsonw_null(&walk->w);
        return TC_OK;
    }
    if (!tc_json_int(json, &value) || value < field->min || value > field->max)
        return refuse(walk, place, "must be %sa whole number from %lld to %lld.", or_null ? "null or " : "",
                      (long long)field->min, (long long)field->max);
    tc_jsonw_int(&walk->w, value);
    return TC_OK;
}

static enum tc_err write_choice(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                                const struct tc_json *json)
{
    if (!tc_json_is(json, TC_JSON_STRING) || tc_form_choice(field->choices, tc_json_str(json)) < 0)
        return refuse_choice(walk, place, field->choices);
    tc_jsonw_str(&walk->w, tc_json_str(json));
    return TC_OK;
}

/* Whether the item stands in the list before its own place. */
static bool stands_before(const struct tc_json *list, const struct tc_json *item)
{
    struct tc_json_iter it = tc_json_iter(list);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value) && value != item)
        if (tc_str_eq(tc_json_str(value), tc_json_str(item)))
            return true;
    return false;
}

static enum tc_err write_list(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                              const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    enum tc_err err = TC_OK;
    struct tc_str key;
    size_t i = 0;

    if (!tc_json_is(json, TC_JSON_ARRAY))
        return refuse(walk, place, "must be a list of strings.");
    if (tc_json_count(json) > TC_FORM_ENTRIES_MAX)
        return refuse(walk, place, "must have at most %d entries.", TC_FORM_ENTRIES_MAX);
    tc_jsonw_array(&walk->w);
    while (!err && tc_json_next(&it, &key, &value)) {
        struct place item = {place, tc_arena_printf(walk->cx->arena, "%zu", i++)};
        if (!item.key.p)
            return tc_fail_memory(walk->cx);
        err = field->choices ? write_choice(walk, &item, field, value) : write_text(walk, &item, field, value);
        if (!err && stands_before(json, value))
            err = refuse(walk, &item, "stands in the list twice.");
    }
    if (!err)
        tc_jsonw_end(&walk->w);
    return err;
}

static enum tc_err write_map(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                             const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    enum tc_err err = TC_OK;
    struct tc_str key;

    if (!tc_json_is(json, TC_JSON_OBJECT))
        return refuse(walk, place, "must be an object.");
    if (tc_json_count(json) > TC_FORM_ENTRIES_MAX)
        return refuse(walk, place, "must have at most %d entries.", TC_FORM_ENTRIES_MAX);
    tc_jsonw_object(&walk->w);
    while (!err && tc_json_next(&it, &key, &value)) {
        struct place member = {place, key};
        if (key.n == 0 || tc_utf8_count(key) > TC_FORM_KEY_MAX)
            err = refuse(walk, &member, "has a key that is empty or longer than %d characters.", TC_FORM_KEY_MAX);
        else if (field->check && !field->check(walk->cx, key))
            err = refuse(walk, &member, "has a key that must be %s.", field->what);
        if (err)
            return err;
        tc_jsonw_key_str(&walk->w, key);
        if (field->kind == TC_FORM_MAP_OF_CHOICE)
            err = write_choice(walk, &member, field, value);
        else if (field->kind == TC_FORM_MAP_OF_OBJECT)
            err = write_object(walk, &member, field->members, value);
        else
            err = write_text(walk, &member, &(struct tc_form_field){.min = field->min, .max = field->max}, value);
    }
    if (!err)
        tc_jsonw_end(&walk->w);
    return err;
}

static enum tc_err write_objects(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                                 const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    enum tc_err err = TC_OK;
    struct tc_str key;
    size_t i = 0;

    if (!tc_json_is(json, TC_JSON_ARRAY))
        return refuse(walk, place, "must be a list of objects.");
    if (tc_json_count(json) > TC_FORM_ENTRIES_MAX)
        return refuse(walk, place, "must have at most %d entries.", TC_FORM_ENTRIES_MAX);
    tc_jsonw_array(&walk->w);
    while (!err && tc_json_next(&it, &key, &value)) {
        struct place item = {place, tc_arena_printf(walk->cx->arena, "%zu", i++)};

        err = item.key.p ? write_object(walk, &item, field->members, value) : tc_fail_memory(walk->cx);
    }
    if (!err)
        tc_jsonw_end(&walk->w);
    return err;
}

static enum tc_err write_value(struct walk *walk, const struct place *place, const struct tc_form_field *field,
                               const struct tc_json *json)
{
    switch (field->kind) {
    case TC_FORM_TEXT:
        return write_text(walk, place, field, json);
    case TC_FORM_FLAG:
        if (!tc_json_is(json, TC_JSON_TRUE) && !tc_json_is(json, TC_JSON_FALSE))
            return refuse(walk, place, "must be true or false.");
        tc_jsonw_bool(&walk->w, tc_json_bool(json, false));
        return TC_OK;
    case TC_FORM_NUMBER:
    case TC_FORM_NUMBER_OR_NULL:
        return write_number(walk, place, field, json);
    case TC_FORM_CHOICE:
        return write_choice(walk, place, field, json);
    case TC_FORM_LIST:
        return write_list(walk, place, field, json);
    case TC_FORM_MAP_OF_CHOICE:
    case TC_FORM_MAP_OF_TEXT:
    case TC_FORM_MAP_OF_OBJECT:
        return write_map(walk, place, field, json);
    case TC_FORM_OBJECT:
        return write_object(walk, place, field->members, json);
    case TC_FORM_OBJECTS:
        return write_objects(walk, place, field, json);
    case TC_FORM_ANY_OBJECT:
        if (!tc_json_is(json, TC_JSON_OBJECT))
            return refuse(walk, place, "must be an object.");
        tc_jsonw_value(&walk->w, json);
        return TC_OK;
    }
    return TC_OK;
}

static bool is_retired(const struct tc_form *form, struct tc_str key)
{
    return form->retired && tc_form_choice(form->retired, key) >= 0;
}

static enum tc_err check_keys(struct walk *walk, const struct place *place, const struct tc_form_field *fields,
                              const struct tc_json *json)
{
    struct tc_json_iter it = tc_json_iter(json);
    const struct tc_json *value;
    struct tc_str key;

    while (tc_json_next(&it, &key, &value)) {
        const struct tc_form_field *field = fields;
        while (field->name && !tc_str_is(key, field->name))
            field++;
        if (!field->name && !is_retired(walk->form, key))
            return refuse_key(walk, &(struct place){place, key}, fields);
    }
    return TC_OK;
}

static enum tc_err write_absent(struct walk *walk, const struct place *place, const struct tc_form_field *field)
{
    if (field->required)
        return refuse(walk, place, "is missing.");
    if (field->otherwise) {
        tc_jsonw_key(&walk->w, field->name);
        field->otherwise(&walk->w);
    }
    return TC_OK;
}

static enum tc_err write_object(struct walk *walk, const struct place *place, const struct tc_form_field *fields,
                                const struct tc_json *json)
{
    enum tc_err err;

    if (!tc_json_is(json, TC_JSON_OBJECT))
        return refuse(walk, place, "must be an object.");
    err = check_keys(walk, place, fields, json);
    if (err)
        return err;
    tc_jsonw_object(&walk->w);
    for (const struct tc_form_field *field = fields; !err && field->name; field++) {
        struct place at = {place, tc_str_of(field->name)};
        const struct tc_json *value = tc_json_get(json, at.key);

        if (!value) {
            err = write_absent(walk, &at, field);
            continue;
        }
        tc_jsonw_key_str(&walk->w, at.key);
        err = write_value(walk, &at, field, value);
    }
    if (!err)
        tc_jsonw_end(&walk->w);
    return err;
}

enum tc_err tc_form_write(struct tc_cx *cx, const struct tc_form *form, const struct tc_json *json, struct tc_buf *to)
{
    struct walk walk = {.cx = cx, .form = form};
    struct place root = {0};
    enum tc_err err;

    tc_jsonw_init(&walk.w, to);
    err = write_object(&walk, &root, form->fields, json);
    return !err && to->failed ? tc_fail_memory(cx) : err;
}
