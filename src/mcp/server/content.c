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

enum tc_err tc_mcp_content_write(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str content,
                                 const struct tc_mcp_revision *revision)
{
    struct tc_json_limits limits = {.max_bytes = content.n + 1};
    const struct tc_json *root, *block;
    struct tc_json_iter it;
    struct tc_str key;
    bool knows_all = true;
    enum tc_err e;

    for (size_t i = 0; revision && i < sizeof kinds / sizeof *kinds; i++) /* a scan is cheaper than to read it all */
        knows_all = knows_all && (tc_mcp_revision_has(revision, kinds[i].since) ||
                                  tc_str_find(content, tc_str_of(kinds[i].type)) == SIZE_MAX);
    if (knows_all) {
        tc_jsonw_raw(w, content);
        return TC_OK;
    }
    e = tc_json_parse_root(cx, content, &limits, &root);
    if (e)
        return e;
    tc_jsonw_array(w);
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &block);) {
        struct tc_str type = tc_json_str(tc_json_get_c(block, "type"));
        if (is_new(revision, type))
            write_as_text(w, block, type);
        else
            tc_jsonw_value(w, block);
    }
    tc_jsonw_end(w);
    return TC_OK;
}
