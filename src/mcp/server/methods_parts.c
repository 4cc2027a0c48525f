/*
 * What several methods need.
 */
#include "mcp/server/methods.h"
#include "mcp/server/pages.h"
#include "runtime/servers_offer.h"

enum { META_MAX = 1024 * 1024 };

struct tc_invocation tc_method_invocation(const struct tc_dialog *d)
{
    return (struct tc_invocation){
        .surface = "mcp",
        .principal = *d->principal,
        .agent = d->agent,
        .answers = tc_envelope_answers(&d->envelope),
        .caller = d->caller,
    };
}

enum tc_err tc_method_pass(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_pass *pass,
                           const struct tc_json **ret_result, int *ret_code)
{
    struct tc_invocation invocation = tc_method_invocation(d);

    for (unsigned round = 0;; round++) {
        enum tc_err e = tc_pass_request(cx, d->runtime, &invocation, pass, ret_result, ret_code);
        if (e != TC_E_MCP_PAGE)
            return e;
        e = tc_pages_open(cx, d, round);
        if (e)
            return e;
    }
}

struct tc_str tc_method_meta_of(struct tc_cx *cx, const struct tc_json *result)
{
    const struct tc_json *meta = tc_json_get_c(result, "_meta");
    struct tc_str text = tc_json_is(meta, TC_JSON_OBJECT) ? tc_json_text(cx->arena, meta) : TC_STR("");

    return text.p ? text : TC_STR("");
}

enum tc_err tc_method_parsed(struct tc_cx *cx, struct tc_buf *buf, const struct tc_json **ret)
{
    struct tc_str text = tc_buf_dup(buf, cx->arena);

    tc_buf_finish(buf);
    return text.p ? tc_json_parse_root(cx, text, NULL, ret) : tc_fail_memory(cx);
}

enum tc_err tc_method_string(struct tc_cx *cx, const char *key, struct tc_str value, const struct tc_json **ret)
{
    struct tc_buf buf;
    struct tc_jsonw w;

    tc_buf_init(&buf, META_MAX);
    tc_jsonw_init(&w, &buf);
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, key, value);
    tc_jsonw_end(&w);
    return tc_method_parsed(cx, &buf, ret);
}

static bool is_private(struct tc_str key)
{
    return tc_str_is(key, "progressToken") || tc_str_starts(key, TC_STR("io.modelcontextprotocol/"));
}

enum tc_err tc_method_meta(struct tc_cx *cx, const struct tc_json *params, const struct tc_json **ret)
{
    struct tc_json_iter it = tc_json_iter(tc_json_get_c(params, "_meta"));
    const struct tc_json *value;
    struct tc_str key;
    struct tc_buf buf;
    struct tc_jsonw w;
    size_t n = 0;

    *ret = NULL;
    if (!it.object)
        return TC_OK;
    tc_buf_init(&buf, META_MAX);
    tc_jsonw_init(&w, &buf);
    while (tc_json_next(&it, &key, &value)) {
        if (is_private(key))
            continue;
        if (n++ == 0)
            tc_jsonw_object(&w);
        tc_jsonw_key_str(&w, key);
        tc_jsonw_value(&w, value);
    }
    if (n == 0)
        return TC_OK;
    tc_jsonw_end(&w);
    return tc_method_parsed(cx, &buf, ret);
}

/* --- links --- */

struct links {
    struct tc_offer offer;
    struct tc_str uuid;
};

static struct tc_str client_uri(struct tc_cx *cx, const void *arg, struct tc_str uri)
{
    const struct links *links = arg;

    if (tc_str_starts(uri, TC_STR("toolcrib://results/"))) /* we have put it there */
        return uri;
    return tc_offer_uri(cx, &links->offer, links->uuid, uri);
}

enum tc_err tc_method_links(struct tc_cx *cx, const struct tc_dialog *d, struct tc_str uuid,
                            struct tc_content_rules *rules)
{
    struct links *links;

    if (uuid.n == 0 || !tc_servers_collide(d->runtime->servers))
        return TC_OK;
    links = TC_ARENA_NEW(cx->arena, struct links);
    if (!links)
        return tc_fail_memory(cx);
    links->uuid = uuid;
    rules->uri = client_uri;
    rules->arg = links;
    return tc_offer_get(cx, d->runtime, d->agent, TC_SOURCE_RESOURCES, 0, &links->offer);
}
