/*
 * Checks of pages; params of other questions pass as they are.
 */
#include "mcp/codec/page.h"

static bool is_page(const struct tc_json *params)
{
    return tc_str_is(tc_json_str(tc_json_get_c(params, "mode")), "url");
}

static bool has_text(const struct tc_json *params, const char *key)
{
    return tc_json_is(tc_json_get_c(params, key), TC_JSON_STRING);
}

const struct tc_json *tc_mcp_pages(const struct tc_json *data)
{
    const struct tc_json *pages = tc_json_get_c(data, "elicitations"), *page;
    struct tc_json_iter it;

    if (!tc_json_is(pages, TC_JSON_ARRAY) || tc_json_count(pages) == 0 || tc_json_count(pages) > TC_MCP_PAGES_MAX)
        return NULL;
    for (it = tc_json_iter(pages); tc_json_next(&it, NULL, &page);)
        if (!tc_json_is(page, TC_JSON_OBJECT) || !is_page(page) || !has_text(page, "url") ||
            !has_text(page, "message") || !has_text(page, "elicitationId"))
            return NULL;
    return pages;
}

void tc_mcp_page_write(struct tc_jsonw *w, const struct tc_json *params, const struct tc_mcp_revision *revision,
                       struct tc_str id)
{
    bool has_ids = tc_mcp_revision_has(revision, TC_MCP_ELICITATION_ID);
    struct tc_json_iter it = tc_json_iter(params);
    const struct tc_json *value;
    struct tc_str key;

    if (!is_page(params) || has_ids == has_text(params, "elicitationId")) {
        tc_jsonw_value(w, params);
        return;
    }
    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "elicitationId"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    if (has_ids)
        tc_jsonw_kstr(w, "elicitationId", id);
    tc_jsonw_end(w);
}
