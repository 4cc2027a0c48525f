/*
 * Most clients are new enough: then the text passes without being read.
 */
#include "mcp/server/content.h"

#include "toolcrib/json.h"

static const struct {
    const char *type;
    enum tc_mcp_feature since;
} kinds[] = {
    {"resource_link", TC_MCP_RESOURCE_LINK},
    {"audio", TC_MCP_AUDIO},
};

/* The block is of a kind that the revision does not know. */
static bool is_new(const struct tc_mcp_revision *revision, struct tc_str type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (tc_str_is(type, kinds[i].type))
            return !tc_mcp_revision_has(revision, kinds[i].since);
    return false;
}

static void write_as_text(struct tc_jsonw *w, const struct tc_json *block, struct tc_str type)
{
    struct tc_str uri = tc_json_str(tc_json_get_c(block, "uri")), name = tc_json_str(tc_json_get_c(block, "name")),
                  mime = tc_json_str(tc_json_get_c(block, "mimeType"));

    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "type", "text");
    tc_jsonw_key(w, "text");
    if (tc_str_is(type, "resource_link"))
        tc_jsonw_printf(w, "Resource: %.*s (%.*s)", TC_STR_ARG(uri), TC_STR_ARG(name));
    else
        tc_jsonw_printf(w, "Sound (%.*s) is left out: the client's protocol revision has none.", TC_STR_ARG(mime));
    tc_jsonw_end(w);
}

/* An object with another value for uri. */
static enum tc_err write_renamed(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_json *object,
                                 const struct tc_content_rules *rules)
{
    struct tc_json_iter it = tc_json_iter(object);
    const struct tc_json *value;
    struct tc_str key, uri;

    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        if (!tc_str_is(key, "uri") || !tc_json_is(value, TC_JSON_STRING)) {
            tc_jsonw_value(w, value);
            continue;
        }
        uri = rules->uri(cx, rules->arg, tc_json_str(value));
        if (!uri.p)
            return tc_fail_memory(cx);
        tc_jsonw_str(w, uri);
    }
    tc_jsonw_end(w);
    return TC_OK;
}

/* The resource inside of a block is renamed, nothing else. */
static enum tc_err write_embedded(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_json *block,
                                  const struct tc_content_rules *rules)
{
    struct tc_json_iter it = tc_json_iter(block);
    const struct tc_json *value;
    struct tc_str key;
    enum tc_err e = TC_OK;

    tc_jsonw_object(w);
    while (!e && tc_json_next(&it, &key, &value)) {
        tc_jsonw_key_str(w, key);
        if (tc_str_is(key, "resource") && tc_json_is(value, TC_JSON_OBJECT))
            e = write_renamed(cx, w, value, rules);
        else
            tc_jsonw_value(w, value);
    }
    tc_jsonw_end(w);
    return e;
}

enum tc_err tc_mcp_content_write_block(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_json *block,
                                       const struct tc_content_rules *rules)
{
    struct tc_str type = tc_json_str(tc_json_get_c(block, "type"));

    if (rules->revision && is_new(rules->revision, type)) {
        write_as_text(w, block, type);
        return TC_OK;
    }
    if (rules->uri && tc_str_is(type, "resource_link"))
        return write_renamed(cx, w, block, rules);
    if (rules->uri && tc_str_is(type, "resource"))
        return write_embedded(cx, w, block, rules);
    tc_jsonw_value(w, block);
    return TC_OK;
}

enum tc_err tc_mcp_content_write(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str content,
                                 const struct tc_content_rules *rules)
{
    struct tc_json_limits limits = {.max_bytes = content.n + 1};
    const struct tc_json *root, *block;
    struct tc_json_iter it;
    bool plain = !rules->uri;
    enum tc_err e;

    for (size_t i = 0; rules->revision && i < sizeof kinds / sizeof *kinds; i++) /* a scan is cheaper than reading */
        plain = plain && (tc_mcp_revision_has(rules->revision, kinds[i].since) ||
                          tc_str_find(content, tc_str_of(kinds[i].type)) == SIZE_MAX);
    if (plain) {
        tc_jsonw_raw(w, content);
        return TC_OK;
    }
    e = tc_json_parse_root(cx, content, &limits, &root);
    if (e)
        return e;
    tc_jsonw_array(w);
    for (it = tc_json_iter(root); !e && tc_json_next(&it, NULL, &block);)
        e = tc_mcp_content_write_block(cx, w, block, rules);
    tc_jsonw_end(w);
    return e;
}
