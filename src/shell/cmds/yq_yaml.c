/*
 * Reading by libyaml's events; writing by hand, since libyaml does not indent the items
 * of a list below a key.
 */
#include "shell/cmds/yq_yaml.h"

#include <math.h>
#include <stdlib.h>
#include <yaml.h>

struct loader {
    yaml_parser_t parser;
    yaml_event_t event;
    jv anchors; /* by name */
    jv problem; /* a message, or null */
    int depth;
};

static bool fail(struct loader *l, const char *message)
{
    if (jv_get_kind(l->problem) == JV_KIND_NULL)
        l->problem = jv_string_fmt("%s, line %d, column %d", message, (int)l->parser.mark.line + 1,
                                   (int)l->parser.mark.column + 1);
    return false;
}

static bool next(struct loader *l)
{
    yaml_event_delete(&l->event);
    if (yaml_parser_parse(&l->parser, &l->event))
        return true;
    return fail(l, l->parser.problem ? l->parser.problem : "no memory");
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool is_decimal(const char *s)
{
    s += *s == '-' || *s == '+';
    return *s && strspn(s, "0123456789") == strlen(s);
}

/* [-+]digits[.digits][e[-+]digits] with a digit somewhere. */
static bool is_float(const char *s)
{
    size_t digits;

    s += *s == '-' || *s == '+';
    digits = strspn(s, "0123456789");
    s += digits;
    if (*s == '.') {
        size_t more = strspn(++s, "0123456789");

        digits += more;
        s += more;
    }
    if (digits == 0)
        return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '-' || *s == '+';
        if (!*s || strspn(s, "0123456789") != strlen(s))
            return false;
        return true;
    }
    return !*s;
}

/* What a plain scalar is; a string when it is nothing else. */
static jv resolve(const char *s, size_t n)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
    static const char *const trues[] = {"true", "True", "TRUE", NULL};
    static const char *const falses[] = {"false", "False", "FALSE", NULL};
    static const char *const infs[] = {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", NULL};
    static const char *const minus_infs[] = {"-.inf", "-.Inf", "-.INF", NULL};
    static const char *const nans[] = {".nan", ".NaN", ".NAN", NULL};

    if (is_one_of(s, nulls) || is_one_of(s, nans))
        return jv_null();
    if (is_one_of(s, trues) || is_one_of(s, falses))
        return jv_bool(s[0] == 't' || s[0] == 'T');
    if (is_one_of(s, infs) || is_one_of(s, minus_infs))
        return jv_number(s[0] == '-' ? -INFINITY : INFINITY);
    if (s[0] == '0' && s[1] == 'x' && s[2] && strspn(s + 2, "0123456789abcdefABCDEF") == n - 2)
        return jv_number((double)strtoull(s + 2, NULL, 16));
    if (s[0] == '0' && (s[1] == 'o' || s[1] == '0' || (s[1] >= '1' && s[1] <= '7')) &&
        strspn(s + 1 + (s[1] == 'o'), "01234567") == n - 1 - (s[1] == 'o'))
        return jv_number((double)strtoull(s + 1 + (s[1] == 'o'), NULL, 8));
    if (is_decimal(s) || is_float(s))
        return jv_number(strtod(s, NULL));
    return jv_string_sized(s, (int)n);
}

static jv scalar(const yaml_event_t *event)
{
    const char *s = (const char *)event->data.scalar.value;
    size_t n = event->data.scalar.length;
    const char *tag = (const char *)event->data.scalar.tag;

    if (event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || (tag && strcmp(tag, YAML_STR_TAG) == 0))
        return jv_string_sized(s, (int)n);
    return resolve(s, n);
}

static jv value(struct loader *l);

/* The anchor of the event at hand; invalid when it has none. */
static jv anchor_of(const yaml_event_t *event)
{
    const yaml_char_t *anchor = event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
                                : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
                                : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
                                                                           : NULL;

    return anchor ? jv_string((const char *)anchor) : jv_invalid();
}

static jv sequence(struct loader *l)
{
    jv array = jv_array();

    while (next(l) && l->event.type != YAML_SEQUENCE_END_EVENT) {
        jv item = value(l);

        if (!jv_is_valid(item)) {
            jv_free(array);
            return item;
        }
        array = jv_array_append(array, item);
    }
    return array;
}

/* "<<": what the object does not have itself is taken from another, or from several. */
static jv merged(jv object, jv from)
{
    if (jv_get_kind(from) == JV_KIND_ARRAY) {
        jv_array_foreach(from, i, one)
            object = merged(object, one);
        jv_free(from);
        return object;
    }
    if (jv_get_kind(from) != JV_KIND_OBJECT) {
        jv_free(from);
        return object;
    }
    return jv_object_merge(from, object);
}

static jv mapping(struct loader *l)
{
    jv object = jv_object(), merge = jv_invalid();

    while (next(l) && l->event.type != YAML_MAPPING_END_EVENT) {
        jv key = value(l), item;

        if (jv_is_valid(key) && jv_get_kind(key) != JV_KIND_STRING)
            key = jv_dump_string(key, 0);
        item = jv_is_valid(key) && next(l) ? value(l) : jv_invalid();
        if (!jv_is_valid(item)) {
            jv_free(key);
            jv_free(merge);
            jv_free(object);
            return item;
        }
        if (strcmp(jv_string_value(key), "<<") == 0) {
            jv_free(merge);
            merge = item;
            jv_free(key);
        } else {
            object = jv_object_set(object, key, item);
        }
    }
    return jv_is_valid(merge) ? merged(object, merge) : object;
}

static jv alias(struct loader *l)
{
    jv found = jv_object_get(jv_copy(l->anchors), jv_string((const char *)l->event.data.alias.anchor));

    if (!jv_is_valid(found))
        fail(l, "found undefined alias");
    return found;
}

/* The value that the event at hand begins. */
static jv value(struct loader *l)
{
    jv anchor = anchor_of(&l->event), v = jv_invalid();

    if (++l->depth > YQ_DEPTH_MAX)
        fail(l, "nested too deeply");
    else if (l->event.type == YAML_ALIAS_EVENT)
        v = alias(l);
    else if (l->event.type == YAML_SCALAR_EVENT)
        v = scalar(&l->event);
    else if (l->event.type == YAML_SEQUENCE_START_EVENT)
        v = sequence(l);
    else if (l->event.type == YAML_MAPPING_START_EVENT)
        v = mapping(l);
    if (jv_is_valid(v) && jv_get_kind(l->problem) != JV_KIND_NULL) {
        jv_free(v);
        v = jv_invalid();
    }
    if (jv_is_valid(v) && jv_is_valid(anchor))
        l->anchors = jv_object_set(l->anchors, jv_copy(anchor), jv_copy(v));
    jv_free(anchor);
    l->depth--;
    return v;
}

jv tc_yq_load(struct tc_str text)
{
    struct loader l = {.anchors = jv_object(), .problem = jv_null()};
    jv documents = jv_array(), v;
    bool more;

    if (!yaml_parser_initialize(&l.parser)) {
        jv_free(documents);
        jv_free(l.anchors);
        return jv_invalid_with_msg(jv_string("no memory"));
    }
    yaml_parser_set_input_string(&l.parser, (const unsigned char *)text.p, text.n);
    while ((more = next(&l)) && l.event.type != YAML_STREAM_END_EVENT) {
        if (l.event.type != YAML_DOCUMENT_START_EVENT)
            continue;
        if (!next(&l))
            break;
        v = value(&l);
        if (!jv_is_valid(v) || jv_get_kind(l.problem) != JV_KIND_NULL) {
            jv_free(v);
            break;
        }
        documents = jv_array_append(documents, v);
    }
    yaml_event_delete(&l.event);
    yaml_parser_delete(&l.parser);
    jv_free(l.anchors);
    if (jv_get_kind(l.problem) == JV_KIND_NULL) {
        jv_free(l.problem);
        return documents;
    }
    jv_free(documents);
    return jv_invalid_with_msg(l.problem);
}
