/*
 * Checking and repairing the arguments of a call; they are read in arguments_read.c.
 */
#include "runtime/arguments.h"

#include "runtime/markup.h"
#include "toolcrib/jsonw.h"

/* The present name of a parameter that was called `old`, or "". */
static struct tc_str present_name(struct tc_str renamed, struct tc_str old)
{
    struct tc_str pair, left;

    while (tc_str_split(&renamed, ' ', &pair)) {
        if (tc_str_split(&pair, '=', &left) && tc_str_eq(left, old) && pair.p)
            return pair;
    }
    return TC_STR("");
}

/* A key that the tool does not know and that had another name. */
static enum tc_err check_renamed(struct tc_cx *cx, const struct tc_arguments_rules *rules, const struct tc_json *object)
{
    const struct tc_json *properties = tc_json_get_c(rules->input_schema, "properties"), *value;
    struct tc_json_iter it = tc_json_iter(object);
    struct tc_str key, now;

    while (rules->renamed.n && tc_json_next(&it, &key, &value)) {
        if (tc_json_get(properties, key))
            continue;
        now = present_name(rules->renamed, key);
        if (now.n) {
            tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "The parameter \"%.*s\" is now called \"%.*s\"; nothing ran.",
                    TC_STR_ARG(key), TC_STR_ARG(now));
            return tc_fail_hint(cx, "Call again with \"%.*s\".", TC_STR_ARG(now));
        }
    }
    return TC_OK;
}

static bool holds_mark(const struct tc_json *value, struct tc_str *ret_mark)
{
    struct tc_json_iter it = tc_json_iter(value);
    const struct tc_json *inner;

    if (tc_json_is(value, TC_JSON_STRING))
        return tc_markup_in_value(tc_json_str(value), ret_mark);
    while (tc_json_next(&it, NULL, &inner))
        if (holds_mark(inner, ret_mark))
            return true;
    return false;
}

/* Marks of the call itself in a value: the model has closed it at the wrong place, and what
 * else stands in it nobody knows. */
static enum tc_err check_marks(struct tc_cx *cx, const struct tc_json *object)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *value;
    struct tc_str key, mark;

    while (tc_json_next(&it, &key, &value)) {
        if (!holds_mark(value, &mark))
            continue;
        tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS,
                "\"%.*s\" holds \"%.*s\", a mark that ends a part of the call itself; nothing ran.", TC_STR_ARG(key),
                TC_STR_ARG(mark));
        tc_fail_hint(cx, "Send each value without such marks. One that belongs to the text is sent together with the "
                         "mark that opens it.");
        return tc_fail_field(cx, tc_arena_printf(cx->arena, "/%.*s", TC_STR_ARG(key)));
    }
    return TC_OK;
}

static enum tc_err explain(struct tc_cx *cx, const struct tc_arguments_rules *rules, const struct tc_json *object)
{
    struct tc_schema_fault *faults;
    struct tc_buf lines;
    struct tc_str text;
    size_t n;
    enum tc_err e = tc_schema_faults(cx, rules->schema, object, TC_ARGUMENTS_FAULTS, &faults, &n);

    if (e)
        return e;
    tc_buf_init(&lines, 64 * 1024);
    for (size_t i = 0; i < n; i++)
        tc_schema_fault_line(&lines, &faults[i]);
    text = tc_buf_dup(&lines, cx->arena);
    tc_buf_finish(&lines);
    if (!text.p)
        return tc_fail_memory(cx);
    text = tc_str_trim(text);
    tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "The arguments do not fit this tool; nothing ran.\n%.*s",
            TC_STR_ARG(text));
    if (n)
        tc_fail_field(cx, faults[0].path);
    return TC_E_TOOL_INVALID_ARGUMENTS;
}

enum tc_err tc_arguments_check(struct tc_cx *cx, const struct tc_arguments_rules *rules, const struct tc_json *object,
                               struct tc_arguments_checked *ret)
{
    const struct tc_json *repaired = NULL;
    bool valid;
    enum tc_err e = tc_schema_validate(cx, rules->schema, object, &valid);

    if (e)
        return e;
    e = check_marks(cx, object);
    if (e)
        return e;
    *ret = (struct tc_arguments_checked){.object = object};
    if (valid)
        return TC_OK;
    e = check_renamed(cx, rules, object);
    if (e)
        return e;
    if (rules->repair)
        e = tc_schema_repair(cx, rules->schema, object, &repaired, &ret->changes, &ret->changes_n);
    if (e)
        return e;
    if (!repaired)
        return explain(cx, rules, object);
    ret->object = repaired;
    return TC_OK;
}

struct tc_str tc_arguments_changes_text(struct tc_cx *cx, const struct tc_schema_change *changes, size_t n)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    struct tc_str text;

    tc_buf_init(&buf, 8 * 1024 * 1024);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_array(&w);
    for (size_t i = 0; i < n; i++) {
        tc_jsonw_object(&w);
        tc_jsonw_kstr(&w, "path", changes[i].path);
        tc_jsonw_key(&w, "from");
        tc_jsonw_raw(&w, changes[i].from);
        tc_jsonw_key(&w, "to");
        tc_jsonw_raw(&w, changes[i].to.p ? changes[i].to : TC_STR("null"));
        tc_jsonw_end(&w);
    }
    tc_jsonw_end(&w);
    text = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return text;
}
