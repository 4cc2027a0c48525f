/*
 * The walk over a schema has a depth limit; what lies deeper mirrors nothing.
 */
#include "mcp/server/mirror.h"

#include "base/utf8.h"
#include "runtime/image.h"

enum { DEPTH = 32 };

static const struct {
    const char *method, *key; /* where the subject of a method is */
} subjects[] = {
    {"tools/call", "name"},
    {"prompts/get", "name"},
    {"resources/read", "uri"},
    {"tasks/get", "taskId"},
    {"tasks/update", "taskId"},
    {"tasks/cancel", "taskId"},
};

bool tc_mirror_decode(struct tc_cx *cx, struct tc_str value, struct tc_str *ret)
{
    static const struct tc_str prefix = TC_STR_INIT("=?base64?"), suffix = TC_STR_INIT("?=");
    struct tc_str text;
    size_t n;
    char *to;

    *ret = value;
    if (value.n < prefix.n + suffix.n || !tc_str_starts(value, prefix) || !tc_str_ends(value, suffix))
        return true;
    text = tc_str_n(value.p + prefix.n, value.n - prefix.n - suffix.n);
    n = text.n % 4 ? SIZE_MAX : tc_image_base64_size(text); /* padded, as it must be */
    to = n == SIZE_MAX ? NULL : tc_arena_alloc(cx->arena, n + 4);
    if (!to || !tc_image_base64_decode(text, to))
        return false;
    *ret = tc_str_n(to, n);
    return tc_utf8_valid(*ret) == n;
}

/* The only field of that name; two of them may have been read differently on the way. */
static enum tc_err find(struct tc_cx *cx, struct tc_header_list headers, struct tc_str name, struct tc_str *ret)
{
    *ret = tc_str_n(NULL, 0);
    for (size_t i = 0; i < headers.n; i++) {
        if (!tc_str_eq_nocase(headers.items[i].name, name))
            continue;
        if (ret->p)
            return tc_fail(cx, TC_E_MCP_HEADER, "The header field %.*s stands twice.", TC_STR_ARG(name));
        *ret = tc_str_trim(headers.items[i].value);
    }
    return TC_OK;
}

/* wanted is what the body says. */
static enum tc_err compare(struct tc_cx *cx, struct tc_header_list headers, const char *name, struct tc_str wanted)
{
    struct tc_str value, meant;
    enum tc_err e = find(cx, headers, tc_str_of(name), &value);

    if (e)
        return e;
    if (!value.p)
        return tc_fail(cx, TC_E_MCP_HEADER, "The header field %s is missing.", name);
    if (!tc_mirror_decode(cx, value, &meant))
        return tc_fail(cx, TC_E_MCP_HEADER, "The header field %s cannot be decoded.", name);
    if (!tc_str_eq(meant, wanted))
        return tc_fail(cx, TC_E_MCP_HEADER, "The header field %s says \"%.*s\", the message \"%.*s\".", name,
                       TC_STR_ARG(meant), TC_STR_ARG(wanted));
    return TC_OK;
}

enum tc_err tc_mirror_check(struct tc_cx *cx, struct tc_header_list headers, const struct tc_rpc *request,
                            struct tc_str version)
{
    const struct tc_json *subject = NULL;
    enum tc_err e = compare(cx, headers, "MCP-Protocol-Version", version);

    if (!e)
        e = compare(cx, headers, "Mcp-Method", request->method);
    for (size_t i = 0; !e && i < sizeof subjects / sizeof *subjects; i++) {
        if (tc_str_is(request->method, subjects[i].method))
            subject = tc_json_get_c(request->params, subjects[i].key);
    }
    if (!e && tc_json_is(subject, TC_JSON_STRING)) /* the method itself says what is wrong with another one */
        e = compare(cx, headers, "Mcp-Name", tc_json_str(subject));
    return e;
}

/* Whether the text of a field stands for that argument. */
static bool says(struct tc_cx *cx, struct tc_str text, const struct tc_json *argument)
{
    const struct tc_json *number;
    bool same;

    switch (tc_json_type(argument)) {
    case TC_JSON_STRING:
        return tc_str_eq(text, tc_json_str(argument));
    case TC_JSON_TRUE:
        return tc_str_is(text, "true");
    case TC_JSON_FALSE:
        return tc_str_is(text, "false");
    case TC_JSON_NUMBER:
        if (tc_str_eq(text, tc_json_str(argument)))
            return true;
        same = tc_json_parse_root(cx, text, NULL, &number) == TC_OK && tc_json_is(number, TC_JSON_NUMBER) &&
               tc_json_equal(number, argument);
        tc_fail_clear(cx);
        return same;
    default:
        return false;
    }
}

static enum tc_err check_one(struct tc_cx *cx, struct tc_header_list headers, struct tc_str suffix,
                             const struct tc_json *argument)
{
    bool absent = !argument || tc_json_is(argument, TC_JSON_NULL);
    struct tc_str name = tc_arena_printf(cx->arena, "Mcp-Param-%.*s", TC_STR_ARG(suffix)), value, meant;
    enum tc_err e = name.p ? find(cx, headers, name, &value) : tc_fail_memory(cx);

    if (e || (absent && !value.p) || !tc_header_name_ok(suffix))
        return e;
    if (absent)
        return tc_fail(cx, TC_E_MCP_HEADER, "The header field %.*s is there, its argument is not.", TC_STR_ARG(name));
    if (!value.p)
        return tc_fail(cx, TC_E_MCP_HEADER, "The header field %.*s is missing.", TC_STR_ARG(name));
    if (!tc_mirror_decode(cx, value, &meant) || !says(cx, meant, argument))
        return tc_fail(cx, TC_E_MCP_HEADER, "The header field %.*s does not say what its argument says.",
                       TC_STR_ARG(name));
    return TC_OK;
}

static enum tc_err walk(struct tc_cx *cx, struct tc_header_list headers, const struct tc_json *schema,
                        const struct tc_json *arguments, int depth)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(schema, "properties"));
    const struct tc_json *property, *suffix;
    struct tc_str key;
    enum tc_err e = TC_OK;

    if (!it.object)
        return TC_OK;
    while (!e && tc_json_next(&it, &key, &property)) {
        const struct tc_json *argument = tc_json_get(arguments, key);
        suffix = tc_json_get_c(property, "x-mcp-header");
        if (tc_json_is(suffix, TC_JSON_STRING))
            e = check_one(cx, headers, tc_json_str(suffix), argument);
        else if (depth < DEPTH && tc_json_get_c(property, "properties"))
            e = walk(cx, headers, property, argument, depth + 1);
    }
    return e;
}

enum tc_err tc_mirror_check_arguments(struct tc_cx *cx, struct tc_header_list headers, const struct tc_json *schema,
                                      const struct tc_json *arguments)
{
    return walk(cx, headers, schema, arguments, 0);
}
