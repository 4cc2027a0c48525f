/*
 * Containment with any-markers; stops at the first difference.
 */
#include "pattern.h"

#define ANY "…"

bool pattern_text(struct tc_str pattern, struct tc_str actual)
{
    struct tc_str any = TC_STR(ANY);
    size_t at = tc_str_find(pattern, any), found;
    struct tc_str part;

    if (at == SIZE_MAX)
        return tc_str_eq(pattern, actual);
    if (!tc_str_starts(actual, tc_str_n(pattern.p, at)))
        return false;
    actual = tc_str_from(actual, at);
    pattern = tc_str_from(pattern, at + any.n);
    while ((at = tc_str_find(pattern, any)) != SIZE_MAX) {
        part = tc_str_n(pattern.p, at);
        found = tc_str_find(actual, part);
        if (found == SIZE_MAX)
            return false;
        actual = tc_str_from(actual, found + part.n);
        pattern = tc_str_from(pattern, at + any.n);
    }
    return tc_str_ends(actual, pattern);
}

struct matching {
    struct tc_arena *arena;
    struct pattern_difference *difference;
};

static bool differ(struct matching *m, struct tc_str path, const struct tc_json *pattern, const struct tc_json *actual)
{
    *m->difference = (struct pattern_difference){
        path,
        pattern ? tc_json_text(m->arena, pattern) : TC_STR("no more items"),
        actual ? tc_json_text(m->arena, actual) : TC_STR("nothing"),
    };
    return false;
}

static bool is_text(const struct tc_json *v, const char *text)
{
    return tc_json_is(v, TC_JSON_STRING) && tc_str_is(tc_json_str(v), text);
}

static bool match(struct matching *m, struct tc_str path, const struct tc_json *pattern, const struct tc_json *actual);

static bool match_object(struct matching *m, struct tc_str path, const struct tc_json *pattern,
                         const struct tc_json *actual)
{
    struct tc_json_iter it = tc_json_iter(pattern);
    const struct tc_json *value, *there;
    struct tc_str key, at;

    if (!tc_json_is(actual, TC_JSON_OBJECT))
        return differ(m, path, pattern, actual);
    while (tc_json_next(&it, &key, &value)) {
        at = tc_arena_printf(m->arena, "%.*s/%.*s", TC_STR_ARG(path), TC_STR_ARG(key));
        there = tc_json_get(actual, key);
        if (is_text(value, "(absent)")) {
            if (there)
                return differ(m, at, value, there);
        } else if (!match(m, at, value, there)) {
            return false;
        }
    }
    return true;
}

static bool match_array(struct matching *m, struct tc_str path, const struct tc_json *pattern,
                        const struct tc_json *actual)
{
    struct tc_json_iter it = tc_json_iter(pattern), other = tc_json_iter(actual);
    const struct tc_json *value, *there;
    struct tc_str key, at;
    size_t i = 0;

    if (!tc_json_is(actual, TC_JSON_ARRAY))
        return differ(m, path, pattern, actual);
    for (; tc_json_next(&it, &key, &value); i++) {
        if (is_text(value, ANY) && i + 1 == tc_json_count(pattern))
            return true;
        if (!tc_json_next(&other, &key, &there))
            there = NULL;
        at = tc_arena_printf(m->arena, "%.*s/%zu", TC_STR_ARG(path), i);
        if (!match(m, at, value, there))
            return false;
    }
    if (!tc_json_next(&other, &key, &there))
        return true;
    return differ(m, tc_arena_printf(m->arena, "%.*s/%zu", TC_STR_ARG(path), i), NULL, there);
}

static bool match(struct matching *m, struct tc_str path, const struct tc_json *pattern, const struct tc_json *actual)
{
    if (is_text(pattern, ANY))
        return actual || differ(m, path, pattern, actual);
    if (!actual)
        return differ(m, path, pattern, actual);
    switch (tc_json_type(pattern)) {
    case TC_JSON_OBJECT:
        return match_object(m, path, pattern, actual);
    case TC_JSON_ARRAY:
        return match_array(m, path, pattern, actual);
    case TC_JSON_STRING:
        return (tc_json_is(actual, TC_JSON_STRING) && pattern_text(tc_json_str(pattern), tc_json_str(actual))) ||
               differ(m, path, pattern, actual);
    default:
        return tc_json_equal(pattern, actual) || differ(m, path, pattern, actual);
    }
}

bool pattern_matches(struct tc_arena *arena, const struct tc_json *pattern, const struct tc_json *actual,
                     struct pattern_difference *ret_difference)
{
    struct matching m = {arena, ret_difference};

    return match(&m, TC_STR(""), pattern, actual);
}
