/*
 * The walk over a schema that finds declarations, and the writing of values.
 */
#include "mcp/codec/param_header.h"

#include <string.h>

#include "base/base64.h"
#include "base/utf8.h"

enum { SHOWN_CHARS = 60, PATH_MAX_BYTES = 4096 };

static const int64_t SAFE_INTEGER = (INT64_C(1) << 53) - 1;

struct walk {
    struct tc_mcp_param_header *items;
    size_t n;
    struct tc_buf path; /* of the property at hand */
};

/* --- declarations --- */

static bool is_token(struct tc_str s)
{
    static const char others[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];

        if (!((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
              (c != '\0' && strchr(others, c))))
            return false;
    }
    return s.n > 0;
}

/* The protocol names the first three; the last is in use, too. */
static bool is_primitive(const struct tc_json *type)
{
    static const char *const types[] = {"string", "integer", "boolean"};

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (tc_json_is(type, TC_JSON_STRING) && tc_str_is(tc_json_str(type), types[i]))
            return true;
    }
    return false;
}

static enum tc_err refuse(struct tc_cx *cx, const struct walk *walk, const char *reason)
{
    return tc_fail(cx, TC_E_MCP_PROTOCOL, "x-mcp-header at \"%.*s\" of its input schema %s.",
                   TC_STR_ARG(tc_utf8_head(tc_buf_get(&walk->path), SHOWN_CHARS)), reason);
}

static enum tc_err declare(struct tc_cx *cx, struct walk *walk, const struct tc_json *schema, bool reachable)
{
    const struct tc_json *v = tc_json_get_c(schema, "x-mcp-header");
    struct tc_mcp_param_header *header = &walk->items[walk->n];

    if (!reachable || walk->path.n == 0)
        return refuse(cx, walk, "is on no property that properties alone lead to");
    if (!tc_json_is(v, TC_JSON_STRING) || !is_token(tc_json_str(v)))
        return refuse(cx, walk, "is no name of a header field");
    if (!is_primitive(tc_json_get_c(schema, "type")))
        return refuse(cx, walk, "is on a property that is no string, integer or boolean");
    if (walk->n == TC_MCP_PARAM_HEADERS_MAX)
        return refuse(cx, walk, "is one of too many");
    header->name = tc_arena_printf(cx->arena, "Mcp-Param-%.*s", TC_STR_ARG(tc_json_str(v)));
    header->path = tc_buf_dup(&walk->path, cx->arena);
    if (!header->name.p || !header->path.p)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < walk->n; i++) {
        if (tc_str_eq_nocase(walk->items[i].name, header->name))
            return refuse(cx, walk, "names a header field that another one names");
    }
    walk->n++;
    return TC_OK;
}

/* --- the walk; it goes as deep as the parser does (TC_JSON_DEPTH_MAX) --- */

static enum tc_err visit(struct tc_cx *cx, struct walk *walk, const struct tc_json *schema, bool reachable);

static void push(struct walk *walk, struct tc_str key)
{
    tc_buf_char(&walk->path, '/');
    for (size_t i = 0; i < key.n; i++) {
        if (key.p[i] == '~')
            tc_buf_cstr(&walk->path, "~0");
        else if (key.p[i] == '/')
            tc_buf_cstr(&walk->path, "~1");
        else
            tc_buf_char(&walk->path, key.p[i]);
    }
}

/* Each member or item of a container, or it alone. */
static enum tc_err visit_all(struct tc_cx *cx, struct walk *walk, const struct tc_json *container, bool reachable)
{
    struct tc_json_iter it = tc_json_iter(container);
    const struct tc_json *schema;
    size_t n = walk->path.n;
    struct tc_str key;
    enum tc_err code = TC_OK;

    while (code == TC_OK && tc_json_next(&it, &key, &schema)) {
        push(walk, key);
        code = walk->path.failed ? tc_fail(cx, TC_E_MCP_PROTOCOL, "Its input schema is nested too deep.")
                                 : visit(cx, walk, schema, reachable);
        walk->path.n = n;
    }
    return code;
}

static enum tc_err visit(struct tc_cx *cx, struct walk *walk, const struct tc_json *schema, bool reachable)
{
    /* Where schemas may lie, other than in properties: in a member itself, in its
     * items, or in its members. */
    static const char *const single[] = {"items",
                                         "contains",
                                         "additionalProperties",
                                         "unevaluatedProperties",
                                         "unevaluatedItems",
                                         "propertyNames",
                                         "not",
                                         "if",
                                         "then",
                                         "else"};
    static const char *const several[] = {"prefixItems",      "oneOf", "anyOf",      "allOf", "patternProperties",
                                          "dependentSchemas", "$defs", "definitions"};
    const struct tc_json *items = tc_json_get_c(schema, "items");
    enum tc_err code = TC_OK;

    if (!tc_json_is(schema, TC_JSON_OBJECT))
        return TC_OK;
    if (tc_json_get_c(schema, "x-mcp-header"))
        code = declare(cx, walk, schema, reachable);
    if (code == TC_OK)
        code = visit_all(cx, walk, tc_json_get_c(schema, "properties"), reachable);
    for (size_t i = 0; i < sizeof single / sizeof single[0] && code == TC_OK; i++)
        code = visit(cx, walk, tc_json_get_c(schema, single[i]), false);
    for (size_t i = 0; i < sizeof several / sizeof several[0] && code == TC_OK; i++)
        code = visit_all(cx, walk, tc_json_get_c(schema, several[i]), false);
    if (code == TC_OK && tc_json_is(items, TC_JSON_ARRAY)) /* as older dialects have it */
        code = visit_all(cx, walk, items, false);
    return code;
}

enum tc_err tc_mcp_param_headers_read(struct tc_cx *cx, const struct tc_json *schema,
                                      struct tc_mcp_param_headers *ret_headers)
{
    struct walk walk = {.items = TC_ARENA_NEW_N(cx->arena, struct tc_mcp_param_header, TC_MCP_PARAM_HEADERS_MAX + 1)};
    enum tc_err code;

    if (!walk.items)
        return tc_fail_memory(cx);
    tc_buf_init(&walk.path, PATH_MAX_BYTES);
    code = visit(cx, &walk, schema, true);
    tc_buf_finish(&walk.path);
    if (code == TC_OK)
        *ret_headers = (struct tc_mcp_param_headers){walk.items, walk.n};
    return code;
}

/* --- values --- */

static bool is_plain(struct tc_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if ((c < 0x20 && c != '\t') || c > 0x7e)
            return false;
    }
    return text.n == 0 ||
           (text.p[0] != ' ' && text.p[0] != '\t' && text.p[text.n - 1] != ' ' && text.p[text.n - 1] != '\t');
}

struct tc_str tc_mcp_header_text(struct tc_arena *arena, struct tc_str text)
{
    static const struct tc_str before = TC_STR_INIT("=?base64?"), after = TC_STR_INIT("?=");
    struct tc_str encoded;

    if (is_plain(text) && !(tc_str_starts(text, before) && tc_str_ends(text, after)))
        return text;
    encoded = tc_base64_encode(arena, TC_BASE64_STANDARD, text);
    if (!encoded.p)
        return encoded;
    return tc_arena_printf(arena, "%.*s%.*s%.*s", TC_STR_ARG(before), TC_STR_ARG(encoded), TC_STR_ARG(after));
}

/* p is NULL without memory. */
static struct tc_str number_text(struct tc_cx *cx, const struct tc_json *number)
{
    int64_t whole;

    if (tc_json_int(number, &whole) && whole <= SAFE_INTEGER && whole >= -SAFE_INTEGER)
        return tc_arena_printf(cx->arena, "%lld", (long long)whole);
    return tc_json_str(number);
}

enum tc_err tc_mcp_param_header_value(struct tc_cx *cx, const struct tc_json *argument, struct tc_str *ret_value)
{
    struct tc_str value;

    switch (tc_json_type(argument)) {
    case TC_JSON_TRUE:
        value = TC_STR("true");
        break;
    case TC_JSON_FALSE:
        value = TC_STR("false");
        break;
    case TC_JSON_NUMBER:
        value = number_text(cx, argument);
        break;
    case TC_JSON_STRING:
        value = tc_mcp_header_text(cx->arena, tc_json_str(argument));
        break;
    default:
        *ret_value = tc_str_n(NULL, 0);
        return TC_OK;
    }
    if (!value.p)
        return tc_fail_memory(cx);
    *ret_value = value;
    return TC_OK;
}
