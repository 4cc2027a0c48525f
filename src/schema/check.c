/*
 * Tests of single keywords. Numbers that are short and without an exponent are
 * compared as integers; all others exactly, by their digits.
 */
#include "schema/check.h"

#include "base/utf8.h"
#include "json/number.h"

enum { SHORT_DIGITS = 18 };

/* A number cut to its whole part, towards zero. */
struct cut {
    int64_t whole;
    bool negative, fraction; /* there is more behind the point than zeros */
};

/* False for a long one or one with an exponent. */
static bool cut_number(struct tc_str s, struct cut *ret_cut)
{
    struct cut cut = {0, s.n && s.p[0] == '-', false};
    size_t i = cut.negative, digits = 0;

    for (; i < s.n && (unsigned char)(s.p[i] - '0') <= 9; i++, digits++)
        if (digits < SHORT_DIGITS)
            cut.whole = cut.whole * 10 + (s.p[i] - '0');
    if (digits > SHORT_DIGITS)
        return false;
    if (i < s.n && s.p[i] == '.')
        for (i++; i < s.n && (unsigned char)(s.p[i] - '0') <= 9; i++)
            cut.fraction = cut.fraction || s.p[i] != '0';
    if (i < s.n)
        return false;
    cut.whole = cut.negative ? -cut.whole : cut.whole;
    *ret_cut = cut;
    return true;
}

static int compare(struct tc_str lexeme, const struct tc_schema_number *limit)
{
    struct cut cut;

    if (!limit->whole || !cut_number(lexeme, &cut))
        return tc_number_cmp(lexeme, limit->lexeme);
    if (cut.whole != limit->value || !cut.fraction)
        return cut.whole < limit->value ? -1 : cut.whole > limit->value;
    return cut.negative ? -1 : 1;
}

static bool is_multiple(struct tc_str lexeme, const struct tc_schema_number *divisor)
{
    struct cut cut;

    if (divisor->whole && cut_number(lexeme, &cut))
        return !cut.fraction && cut.whole % divisor->value == 0;
    return tc_number_multiple_of(lexeme, divisor->lexeme);
}

bool tc_check_whole(struct tc_str lexeme)
{
    return tc_number_is_integer(lexeme);
}

bool tc_check_number(const struct tc_schema_number *check, struct tc_str lexeme)
{
    switch (check->rule) {
    case TC_KW_MINIMUM:
        return compare(lexeme, check) >= 0;
    case TC_KW_MAXIMUM:
        return compare(lexeme, check) <= 0;
    case TC_KW_EXCLUSIVE_MINIMUM:
        return compare(lexeme, check) > 0;
    case TC_KW_EXCLUSIVE_MAXIMUM:
        return compare(lexeme, check) < 0;
    default:
        return is_multiple(lexeme, check);
    }
}

bool tc_check_length_slow(const struct tc_schema_string *string, struct tc_str text)
{
    size_t n;

    if (text.n < string->min || (text.n + 3) / 4 > string->max)
        return false;
    n = tc_utf8_count(text);
    return n >= string->min && n <= string->max;
}

/* An exponent, cut where no real one reaches. */
static int64_t read_exponent(struct tc_str s)
{
    bool negative = s.n && s.p[0] == '-';
    int64_t value = 0;

    for (size_t i = s.n && (s.p[0] == '-' || s.p[0] == '+'); i < s.n; i++)
        value = value > INT32_MAX ? value : value * 10 + (s.p[i] - '0');
    return negative ? -value : value;
}

/* Over the digits from the first to the last that is not 0, and the place of the
 * point before them: the same for every way to write the value. */
static uint64_t hash_number(uint64_t seed, struct tc_str s)
{
    bool negative = s.n && s.p[0] == '-', started = false, behind = false;
    uint64_t hash = seed, zeros = 0;
    int64_t point = 0;
    size_t i = negative;

    for (; i < s.n && (s.p[i] | 0x20) != 'e'; i++) {
        if (s.p[i] == '.') {
            behind = true;
            continue;
        }
        if (s.p[i] == '0') {
            point += started ? !behind : -behind;
            zeros += started;
            continue;
        }
        started = true;
        point += !behind;
        for (; zeros > 0; zeros--)
            hash = tc_schema_mix(hash, '0');
        hash = tc_schema_mix(hash, (unsigned char)s.p[i]);
    }
    if (!started)
        return tc_schema_mix(seed, 0);
    point += i < s.n ? read_exponent(tc_str_from(s, i + 1)) : 0;
    return tc_schema_mix(hash, (uint64_t)point * 2 + negative);
}

/* Goes as deep as documents do, TC_JSON_DEPTH_MAX. */
uint64_t tc_check_hash(uint64_t seed, const struct tc_json *v)
{
    struct tc_json_iter it;
    struct tc_str key;
    const struct tc_json *value;
    uint64_t hash = tc_schema_mix(seed, v->type);

    switch (v->type) {
    case TC_JSON_NUMBER:
        return hash_number(hash, tc_node_text(v));
    case TC_JSON_STRING:
        return tc_schema_hash(hash, tc_node_text(v));
    case TC_JSON_ARRAY:
        for (it = tc_json_iter(v); tc_json_next(&it, NULL, &value);)
            hash = tc_schema_mix(hash, tc_check_hash(seed, value));
        return hash;
    case TC_JSON_OBJECT: /* without order */
        for (it = tc_json_iter(v); tc_json_next(&it, &key, &value);)
            hash += tc_schema_mix(tc_schema_hash(seed, key), tc_check_hash(seed, value));
        return hash;
    default:
        return hash;
    }
}

static bool find_value(const struct tc_schema_values *values, uint64_t seed, const struct tc_json *v)
{
    uint32_t at = (uint32_t)tc_check_hash(seed, v) & values->mask;

    for (; values->slots[at]; at = (at + 1) & values->mask)
        if (tc_json_equal(values->value[values->slots[at] - 1], v))
            return true;
    return false;
}

static bool find_string(const struct tc_schema_values *values, const struct tc_json *v)
{
    uint64_t head = tc_schema_head(tc_node_text(v));

    for (uint32_t i = 0; i < values->n; i++) {
        const struct tc_json *one = values->value[i];
        if (values->heads[i] == head && one->n == v->n && one->type == TC_JSON_STRING &&
            (v->n <= sizeof head || memcmp(one->u.text, v->u.text, v->n) == 0))
            return true;
    }
    return false;
}

bool tc_check_values(const struct tc_schema_values *values, uint64_t seed, const struct tc_json *v)
{
    if (!(values->types >> v->type & 1))
        return false;
    if (values->slots)
        return find_value(values, seed, v);
    if (v->type == TC_JSON_STRING)
        return find_string(values, v);
    for (uint32_t i = 0; i < values->n; i++)
        if (tc_json_equal(values->value[i], v))
            return true;
    return false;
}

const struct tc_schema_property *tc_check_property_slow(const struct tc_schema_object *object, uint64_t seed,
                                                        struct tc_str key, uint32_t *cursor)
{
    const struct tc_schema_property *rows = object->properties;

    if (!object->slots) {
        for (uint32_t i = 0; i < object->properties_n; i++) {
            if (!tc_check_key(&rows[i], key))
                continue;
            *cursor = i + 1;
            return &rows[i];
        }
        return NULL;
    }
    for (uint32_t at = (uint32_t)tc_schema_hash(seed, key) & object->mask; object->slots[at];
         at = (at + 1) & object->mask) {
        uint32_t i = object->slots[at] - 1;
        if (!tc_check_key(&rows[i], key))
            continue;
        *cursor = i + 1;
        return &rows[i];
    }
    return NULL;
}
