/*
 * The grammar of ToolIds. A ToolId is opaque to everyone else: only this file
 * looks inside, so a provider form is added here and nowhere else.
 */
#include "catalog/tool_id.h"

#include "base/utf8.h"

static bool is_lower_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* The canonical form of RFC 9562: 8-4-4-4-12, lower case. */
static bool is_uuid(struct tc_str s)
{
    if (s.n != 36)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? s.p[i] != '-' : !is_lower_hex(s.p[i]))
            return false;
    }
    return true;
}

static bool is_extension(struct tc_str s)
{
    if (s.n == 0 || s.n > TC_TOOL_ID_EXTENSION_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f)
            return false;
    return true;
}

static bool read_provider(struct tc_str text, struct tc_tool_id *id)
{
    struct tc_str mcp = TC_STR("mcp/"), extension = TC_STR("extension/");

    id->provider_text = text;
    id->subject = TC_STR("");
    if (tc_str_is(text, "builtin")) {
        id->provider = TC_PROVIDER_BUILTIN;
        return true;
    }
    if (tc_str_is(text, "host")) {
        id->provider = TC_PROVIDER_HOST;
        return true;
    }
    if (tc_str_starts(text, mcp)) {
        id->provider = TC_PROVIDER_MCP;
        id->subject = tc_str_from(text, mcp.n);
        return is_uuid(id->subject);
    }
    if (tc_str_starts(text, extension)) {
        id->provider = TC_PROVIDER_EXTENSION;
        id->subject = tc_str_from(text, extension.n);
        return is_extension(id->subject);
    }
    return false;
}

enum tc_err tc_tool_id_parse(struct tc_cx *cx, struct tc_str text, struct tc_tool_id *ret_id)
{
    size_t colon = tc_str_chr(text, ':');
    struct tc_tool_id id;

    if (colon == SIZE_MAX || text.n > TC_TOOL_ID_MAX || tc_utf8_valid(text) != text.n) {
        struct tc_str shown = tc_utf8_cleaned(cx->arena, tc_utf8_head(text, 80));
        tc_fail(cx, TC_E_TOOL_ID_INVALID, "\"%.*s\" is not a ToolId.", TC_STR_ARG(shown));
        return tc_fail_hint(cx, "A ToolId is provider:name, such as builtin:dice.roll, of at most %d bytes.",
                            TC_TOOL_ID_MAX);
    }
    if (colon == 0)
        return tc_fail(cx, TC_E_TOOL_PROVIDER_EMPTY, "The ToolId \"%.*s\" has nothing before its colon.",
                       TC_STR_ARG(text));
    if (!read_provider(tc_str_n(text.p, colon), &id)) {
        tc_fail(cx, TC_E_TOOL_PROVIDER_INVALID, "The ToolId \"%.*s\" has no known provider before its colon.",
                TC_STR_ARG(text));
        return tc_fail_hint(cx, "Providers are builtin, host, extension/<id>, and mcp/<uuid> in lower case.");
    }
    id.native = tc_str_from(text, colon + 1);
    if (id.native.n == 0)
        return tc_fail(cx, TC_E_TOOL_NAME_EMPTY, "The ToolId \"%.*s\" has no name after its colon.", TC_STR_ARG(text));
    *ret_id = id;
    return TC_OK;
}
