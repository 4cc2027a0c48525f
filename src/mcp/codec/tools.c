/*
 * Checks of tools/list pages and of CallToolResult; the block types are a table.
 */
#include "mcp/codec/tools.h"

#include "base/utf8.h"

enum { FIELDS_MAX = 4, SHOWN_CHARS = 40 };

struct field {
    const char *name;
    enum tc_json_type type;
    bool required;
};

struct block {
    const char *type;
    struct field fields[FIELDS_MAX];
};

static const struct block blocks[] = {
    {"text", {{"text", TC_JSON_STRING, true}}},
    {"image", {{"data", TC_JSON_STRING, true}, {"mimeType", TC_JSON_STRING, true}}},
    {"audio", {{"data", TC_JSON_STRING, true}, {"mimeType", TC_JSON_STRING, true}}},
    {"resource_link",
     {{"uri", TC_JSON_STRING, true}, {"name", TC_JSON_STRING, false}, {"mimeType", TC_JSON_STRING, false}}},
    {"resource", {{"resource", TC_JSON_OBJECT, true}}},
};

static const struct field embedded[] = {
    {"uri", TC_JSON_STRING, true},
    {"mimeType", TC_JSON_STRING, false},
    {"text", TC_JSON_STRING, false},
    {"blob", TC_JSON_STRING, false},
};

static enum tc_err check_fields(struct tc_cx *cx, const struct tc_json *object, const struct field *fields, size_t n,
                                size_t at)
{
    for (size_t i = 0; i < n && fields[i].name; i++) {
        const struct tc_json *v = tc_json_get_c(object, fields[i].name);

        if (tc_json_is(v, fields[i].type) || (!fields[i].required && (!v || tc_json_is(v, TC_JSON_NULL))))
            continue;
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "Block %zu of the result has %s \"%s\".", at,
                       v ? "a wrong type in" : "no", fields[i].name);
    }
    return TC_OK;
}

static enum tc_err check_embedded(struct tc_cx *cx, const struct tc_json *resource, size_t at)
{
    enum tc_err code = check_fields(cx, resource, embedded, sizeof embedded / sizeof embedded[0], at);

    if (code == TC_OK && !tc_json_get_c(resource, "text") && !tc_json_get_c(resource, "blob"))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE,
                       "Block %zu of the result embeds a resource without text or blob.", at);
    return code;
}

static enum tc_err check_block(struct tc_cx *cx, const struct tc_json *block, size_t at, size_t *unknown)
{
    struct tc_str type = tc_json_str(tc_json_get_c(block, "type"));
    enum tc_err code;

    if (!tc_json_is(block, TC_JSON_OBJECT) || !tc_json_is(tc_json_get_c(block, "type"), TC_JSON_STRING))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "Block %zu of the result has no type.", at);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (!tc_str_is(type, blocks[i].type))
            continue;
        code = check_fields(cx, block, blocks[i].fields, FIELDS_MAX, at);
        if (code == TC_OK && tc_str_is(type, "resource"))
            code = check_embedded(cx, tc_json_get_c(block, "resource"), at);
        return code;
    }
    (*unknown)++;
    return TC_OK;
}

static enum tc_err check_blocks(struct tc_cx *cx, const struct tc_json *content, size_t *ret_unknown)
{
    struct tc_json_iter it;
    struct tc_str key;
    const struct tc_json *block;
    size_t at = 0, unknown = 0;
    enum tc_err code;

    for (it = tc_json_iter(content); tc_json_next(&it, &key, &block); at++) {
        code = check_block(cx, block, at, &unknown);
        if (code != TC_OK)
            return code;
    }
    *ret_unknown = unknown;
    return TC_OK;
}

/* A member that is null counts as absent. */
static const struct tc_json *member(const struct tc_json *object, const char *key)
{
    const struct tc_json *v = tc_json_get_c(object, key);

    return tc_json_is(v, TC_JSON_NULL) ? NULL : v;
}

enum tc_err tc_mcp_tools_result(struct tc_cx *cx, const struct tc_json *result, const struct tc_mcp_revision *revision,
                                struct tc_mcp_result *ret_result)
{
    struct tc_mcp_result read = {0};
    const struct tc_json *is_error = member(result, "isError"), *kind = member(result, "resultType");
    enum tc_err code;
    bool any;

    if (!tc_json_is(result, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The result of the call is no object.");
    if (kind && !tc_str_is(tc_json_str(kind), "complete"))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The result is of type \"%.*s\", which was not asked for.",
                       TC_STR_ARG(tc_utf8_head(tc_json_str(kind), SHOWN_CHARS)));
    read.content = member(result, "content");
    any = tc_mcp_revision_has(revision, TC_MCP_STRUCTURED_ANY);
    read.structured = any ? tc_json_get_c(result, "structuredContent") : member(result, "structuredContent");
    read.structured_odd = read.structured && !any && !tc_json_is(read.structured, TC_JSON_OBJECT);
    if (!read.content && !read.structured)
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The result of the call has no content.");
    if (read.content && !tc_json_is(read.content, TC_JSON_ARRAY))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The content of the result is no array.");
    if (is_error && !tc_json_is(is_error, TC_JSON_TRUE) && !tc_json_is(is_error, TC_JSON_FALSE))
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "isError of the result is neither true nor false.");
    read.is_error = tc_json_bool(is_error, false);
    code = check_blocks(cx, read.content, &read.unknown_blocks);
    if (code == TC_OK)
        *ret_result = read;
    return code;
}

enum tc_err tc_mcp_tools_page(struct tc_cx *cx, const struct tc_mcp_list *list, const struct tc_json *result,
                              struct tc_mcp_page *ret_page)
{
    const struct tc_json *entries = tc_json_get_c(result, list->key), *cursor = member(result, "nextCursor");

    if (!tc_json_is(result, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The answer to %s is no object.", list->method);
    if (!entries || (!tc_json_is(entries, TC_JSON_ARRAY) && !tc_json_is(entries, TC_JSON_NULL)))
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The answer to %s has no array \"%s\".", list->method, list->key);
    if (cursor && !tc_json_is(cursor, TC_JSON_STRING))
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The answer to %s has a nextCursor that is no string.", list->method);
    ret_page->entries = tc_json_is(entries, TC_JSON_ARRAY) ? entries : NULL;
    ret_page->cursor = tc_json_str(cursor);
    return TC_OK;
}
