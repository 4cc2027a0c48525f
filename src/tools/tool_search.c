/*
 * tool.search: finds tools that are not offered yet, and loads what it finds.
 */
#include "toolcrib/discovery.h"
#include "toolcrib/jsonw.h"
#include "toolcrib/tool.h"

enum { NAMES_MAX = 25, BUF_MAX = 64 * 1024 * 1024 };

/* What a call came to. */
struct found {
    struct tc_discovery_tool tools[NAMES_MAX];
    size_t n;
    struct tc_str unknown[NAMES_MAX];
    size_t unknown_n;
    size_t fresh; /* tools that were not offered before */
};

/* "select:a, b": by exact names. */
static bool takes_names(struct tc_str query, struct tc_str *ret_names)
{
    struct tc_str word = TC_STR("select:");

    if (query.n < word.n || !tc_str_eq_nocase(tc_str_n(query.p, word.n), word))
        return false;
    *ret_names = tc_str_from(query, word.n);
    return true;
}

static bool has(const struct found *found, struct tc_str id)
{
    for (size_t i = 0; i < found->n; i++)
        if (tc_str_eq(found->tools[i].id, id))
            return true;
    return false;
}

static enum tc_err select_names(struct tc_cx *cx, struct tc_discovery_service *service, struct tc_str names,
                                struct found *found)
{
    struct tc_discovery_tool tool;
    struct tc_str name;
    bool known = false;
    enum tc_err e = TC_OK;

    while (!e && names.p && tc_str_split(&names, ',', &name)) {
        name = tc_str_trim(name);
        if (name.n == 0)
            continue;
        if (found->n + found->unknown_n == NAMES_MAX) {
            tc_fail(cx, TC_E_TOOL_INVALID_ARGUMENTS, "More than %d names; nothing was loaded.", NAMES_MAX);
            return tc_fail_hint(cx, "Select those that the next step needs.");
        }
        e = tc_discovery_select(cx, service, name, &tool, &known);
        if (!e && !known)
            found->unknown[found->unknown_n++] = name;
        else if (!e && !has(found, tool.id))
            found->tools[found->n++] = tool;
    }
    return e;
}

static enum tc_err search(struct tc_cx *cx, struct tc_discovery_service *service, struct tc_str query, size_t limit,
                          struct found *found)
{
    struct tc_discovery_tool *tools;
    size_t n;
    enum tc_err e = tc_discovery_search(cx, service, query, limit, &tools, &n);

    if (e)
        return e;
    found->n = n < NAMES_MAX ? n : NAMES_MAX;
    if (found->n)
        memcpy(found->tools, tools, found->n * sizeof *tools);
    return TC_OK;
}

/* --- the result --- */

static enum tc_err put_tools(struct tc_cx *cx, struct tc_call *call, const struct found *found, bool offered)
{
    for (size_t i = 0; i < found->n; i++) {
        const struct tc_discovery_tool *tool = &found->tools[i];
        enum tc_err e;
        if (tool->offered != offered)
            continue;
        e = tc_call_printf(cx, call, "- %.*s%s%.*s\n", TC_STR_ARG(tool->name), tool->summary.n ? ": " : "",
                           TC_STR_ARG(tool->summary));
        if (!e && tool->why.n)
            e = tc_call_printf(cx, call, "  matches %.*s\n", TC_STR_ARG(tool->why));
        if (e)
            return e;
    }
    return TC_OK;
}

static enum tc_err put_unknown(struct tc_cx *cx, struct tc_call *call, struct tc_discovery_service *service,
                               struct tc_str name)
{
    struct tc_str near[TC_DISCOVERY_NEAR];
    size_t n = tc_discovery_near(service, name, near);
    enum tc_err e = tc_call_printf(cx, call, "There is no tool \"%.*s\"", TC_STR_ARG(name));

    for (size_t i = 0; !e && i < n; i++)
        e = tc_call_printf(cx, call, "%s%.*s", i == 0 ? "; near it: " : ", ", TC_STR_ARG(near[i]));
    return e ? e : tc_call_text(cx, call, TC_STR(".\n"));
}

static enum tc_err put_nothing(struct tc_cx *cx, struct tc_call *call, struct tc_discovery_service *service)
{
    struct tc_str scope = tc_discovery_scope(cx, service);

    if (!scope.p)
        return tc_fail_memory(cx);
    return tc_call_printf(cx, call, "Nothing was found among %.*s. Try other words for one step of the task: what is "
                          "to be done, and to what; or go on without.\n", TC_STR_ARG(scope));
}

static enum tc_err put_text(struct tc_cx *cx, struct tc_call *call, struct tc_discovery_service *service,
                            const struct found *found)
{
    enum tc_err e = TC_OK;

    if (found->fresh)
        e = tc_call_text(cx, call, TC_STR("Loaded; they can be called from now on:\n"));
    if (!e)
        e = put_tools(cx, call, found, false);
    if (!e && found->n > found->fresh)
        e = tc_call_text(cx, call, TC_STR("Loaded already:\n"));
    if (!e)
        e = put_tools(cx, call, found, true);
    for (size_t i = 0; !e && i < found->unknown_n; i++)
        e = put_unknown(cx, call, service, found->unknown[i]);
    if (!e && found->n + found->unknown_n == 0)
        e = put_nothing(cx, call, service);
    return e;
}

static enum tc_err put_structured(struct tc_cx *cx, struct tc_call *call, const struct found *found)
{
    struct tc_buf buf;
    struct tc_jsonw w;
    enum tc_err e;

    tc_buf_init(&buf, BUF_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_key(&w, "tools");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < found->n; i++)
        if (!found->tools[i].offered)
            tc_jsonw_str(&w, found->tools[i].id);
    tc_jsonw_end(&w);
    tc_jsonw_key(&w, "found");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < found->n; i++)
        if (found->tools[i].entry.n)
            tc_jsonw_raw(&w, found->tools[i].entry);
    tc_jsonw_end(&w);
    tc_jsonw_key(&w, "unknown");
    tc_jsonw_array(&w);
    for (size_t i = 0; i < found->unknown_n; i++)
        tc_jsonw_str(&w, found->unknown[i]);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    e = buf.failed ? tc_fail_memory(cx) : tc_call_structured(cx, call, tc_buf_get(&buf));
    tc_buf_finish(&buf);
    return e;
}

static enum tc_err run(struct tc_cx *cx, struct tc_call *call)
{
    struct tc_discovery_service *service = tc_call_discovery(call);
    const struct tc_json *arguments = tc_call_arguments(call);
    struct tc_str query = tc_str_trim(tc_json_str(tc_json_get_c(arguments, "query"))), names;
    struct found *found = TC_ARENA_NEW(cx->arena, struct found);
    int64_t limit = TC_DISCOVERY_LIMIT;
    enum tc_err e;

    if (!found)
        return tc_fail_memory(cx);
    if (!service)
        return tc_fail(cx, TC_E_TOOL_EXECUTOR_UNAVAILABLE, "There are no tools to be searched here.");
    tc_json_int(tc_json_get_c(arguments, "limit"), &limit);
    e = takes_names(query, &names) ? select_names(cx, service, names, found)
                                   : search(cx, service, query, (size_t)limit, found);
    if (e)
        return e;
    for (size_t i = 0; i < found->n; i++)
        found->fresh += !found->tools[i].offered;
    e = put_text(cx, call, service, found);
    if (!e)
        e = put_structured(cx, call, found);
    if (!e && found->fresh)
        tc_call_effect(call, TC_EFFECT_TOOLS_LOADED, TC_STR(""));
    return e;
}

#define DESCRIPTION                                                                                                    \
    "Finds tools that are not offered yet and loads them, so that they can be called afterwards. Search for one step " \
    "at a time: what is to be done, and to what. Tools whose names are known are loaded with select: and their "       \
    "names, with commas between."

/* What there is to be found is said where the search is offered. */
static enum tc_err describe(struct tc_cx *cx, struct tc_discovery_service *tools, struct tc_str *ret_text)
{
    struct tc_str scope = tc_discovery_scope(cx, tools);

    *ret_text = tc_arena_printf(cx->arena, DESCRIPTION " There are %.*s.", TC_STR_ARG(scope));
    return scope.p && ret_text->p ? TC_OK : tc_fail_memory(cx);
}

const struct tc_tool tc_tool_tool_search = {
    .name = "tool.search",
    .toolset = "runtime",
    .title = "Search tools",
    .description = DESCRIPTION,
    .input_schema =
        "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"query\"],\"properties\":{"
        "\"query\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,\"description\":\"Words for what the tool "
        "is to do, such as \\\"send an email\\\"; or select:name,other_name by exact names.\"},"
        "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":25,\"default\":5,\"description\":\"How many tools "
        "are loaded at most.\"}}}",
    .output_schema =
        "{\"type\":\"object\",\"required\":[\"tools\",\"found\",\"unknown\"],\"properties\":{"
        "\"tools\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
        "\"found\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}},"
        "\"unknown\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}}",
    .example = "{\"query\":\"read a web page\"}",
    .flags = TC_TOOL_READ_ONLY | TC_TOOL_IDEMPOTENT | TC_TOOL_CANNOT_DISABLE | TC_TOOL_ALWAYS_LOAD |
             TC_TOOL_SELF_BOUNDED,
    .describe = describe,
    .run = run};
