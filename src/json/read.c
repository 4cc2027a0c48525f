/*
 * Reading of nodes: values, members, items, walking, JSON Pointer, equality.
 */
#include "json/index.h"
#include "json/node.h"
#include "json/number.h"

const char *tc_json_type_name(enum tc_json_type type)
{
    static const char *const names[] = {"null", "boolean", "boolean", "number", "string", "array", "object"};

    return names[type];
}

size_t tc_json_count(const struct tc_json *v)
{
    return v && tc_node_is_box(v) ? v->n : 0;
}

struct tc_str tc_json_str(const struct tc_json *v)
{
    return v && (v->type == TC_JSON_STRING || v->type == TC_JSON_NUMBER) ? tc_node_text(v) : tc_str_n("", 0);
}

bool tc_json_int(const struct tc_json *v, int64_t *ret_value)
{
    return tc_json_is(v, TC_JSON_NUMBER) && tc_number_int(tc_node_text(v), ret_value);
}

bool tc_json_double(const struct tc_json *v, double *ret_value)
{
    return tc_json_is(v, TC_JSON_NUMBER) && tc_number_double(tc_node_text(v), ret_value);
}

bool tc_json_bool(const struct tc_json *v, bool otherwise)
{
    return tc_json_is(v, TC_JSON_TRUE) || (otherwise && !tc_json_is(v, TC_JSON_FALSE));
}

struct tc_json_iter tc_json_iter(const struct tc_json *container)
{
    if (!container || !tc_node_is_box(container))
        return (struct tc_json_iter){NULL, NULL, false};
    return (struct tc_json_iter){container + 1, container + container->u.box.span, container->type == TC_JSON_OBJECT};
}

bool tc_json_next(struct tc_json_iter *it, struct tc_str *ret_key, const struct tc_json **ret_value)
{
    const struct tc_json *value;
    struct tc_str key = {"", 0};

    while (it->object && it->at < it->end && it->at->flags & TC_NODE_LOST)
        it->at = tc_node_next_key(it->at);
    if (it->at == it->end)
        return false;
    value = it->at;
    if (it->object)
        key = tc_node_text(value++);
    it->at = value + tc_node_span(value);
    if (ret_key)
        *ret_key = key;
    *ret_value = value;
    return true;
}

const struct tc_json *tc_json_get(const struct tc_json *object, struct tc_str key)
{
    const struct tc_json *end;

    if (!tc_json_is(object, TC_JSON_OBJECT))
        return NULL;
    if (object->u.box.index) {
        const struct tc_json *found = tc_index_find(object, key);
        return found ? found + 1 : NULL;
    }
    end = object + object->u.box.span;
    for (const struct tc_json *name = object + 1; name < end; name = tc_node_next_key(name))
        if (name->n == key.n && !(name->flags & TC_NODE_LOST) && tc_str_eq(tc_node_text(name), key))
            return name + 1;
    return NULL;
}

const struct tc_json *tc_json_get_c(const struct tc_json *object, const char *key)
{
    return tc_json_get(object, tc_str_of(key));
}

const struct tc_json *tc_json_at(const struct tc_json *array, size_t i)
{
    const struct tc_json *item;

    if (!tc_json_is(array, TC_JSON_ARRAY) || i >= array->n)
        return NULL;
    for (item = array + 1; i > 0; i--)
        item += tc_node_span(item);
    return item;
}

/* Whether the pointer token, with ~0 and ~1 in it, means the key. */
static bool token_is(struct tc_str token, struct tc_str key)
{
    size_t k = 0;

    for (size_t i = 0; i < token.n; i++, k++) {
        char c = token.p[i];

        if (c == '~') {
            if (++i == token.n || (token.p[i] != '0' && token.p[i] != '1'))
                return false;
            c = token.p[i] == '0' ? '~' : '/';
        }
        if (k == key.n || key.p[k] != c)
            return false;
    }
    return k == key.n;
}

static const struct tc_json *member_by_token(const struct tc_json *object, struct tc_str token)
{
    struct tc_json_iter it;
    const struct tc_json *value;
    struct tc_str key;

    if (tc_str_chr(token, '~') == SIZE_MAX)
        return tc_json_get(object, token);
    for (it = tc_json_iter(object); tc_json_next(&it, &key, &value);)
        if (token_is(token, key))
            return value;
    return NULL;
}

static const struct tc_json *item_by_token(const struct tc_json *array, struct tc_str token)
{
    int64_t i;

    if (token.n == 0 || token.p[0] == '-' || (token.p[0] == '0' && token.n > 1) || !tc_str_int(token, &i))
        return NULL;
    return tc_json_at(array, (size_t)i);
}

const struct tc_json *tc_json_pointer(const struct tc_json *v, struct tc_str pointer)
{
    struct tc_str token;

    if (pointer.n == 0)
        return v;
    if (pointer.p[0] != '/')
        return NULL;
    pointer = tc_str_n(pointer.p + 1, pointer.n - 1);
    while (v && tc_str_split(&pointer, '/', &token)) {
        if (v->type == TC_JSON_OBJECT)
            v = member_by_token(v, token);
        else if (v->type == TC_JSON_ARRAY)
            v = item_by_token(v, token);
        else
            v = NULL;
    }
    return v;
}

/* The two recursions below go as deep as documents do, TC_JSON_DEPTH_MAX. */
static bool equal_items(const struct tc_json *a, const struct tc_json *b)
{
    struct tc_json_iter x = tc_json_iter(a), y = tc_json_iter(b);
    const struct tc_json *u, *v;

    while (tc_json_next(&x, NULL, &u) && tc_json_next(&y, NULL, &v))
        if (!tc_json_equal(u, v))
            return false;
    return true;
}

static bool equal_members(const struct tc_json *a, const struct tc_json *b)
{
    struct tc_json_iter x = tc_json_iter(a), y = tc_json_iter(b);
    struct tc_str key, guess;
    const struct tc_json *u, *v;

    while (tc_json_next(&x, &key, &u)) {
        if (!tc_json_next(&y, &guess, &v) || !tc_str_eq(key, guess)) /* the same order is likely */
            v = tc_json_get(b, key);
        if (!v || !tc_json_equal(u, v))
            return false;
    }
    return true;
}

bool tc_json_equal(const struct tc_json *a, const struct tc_json *b)
{
    if (!a || !b || a->type != b->type)
        return a == b;
    switch (a->type) {
    case TC_JSON_NUMBER:
        return tc_number_cmp(tc_node_text(a), tc_node_text(b)) == 0;
    case TC_JSON_STRING:
        return tc_str_eq(tc_node_text(a), tc_node_text(b));
    case TC_JSON_ARRAY:
        return a->n == b->n && equal_items(a, b);
    case TC_JSON_OBJECT:
        return a->n == b->n && equal_members(a, b);
    default:
        return true;
    }
}
