/*
 * The frame of all results, and the methods that speak of the server itself.
 */
#include "mcp/server/methods.h"

enum { DISCOVER_TTL_MS = 60 * 60 * 1000 }; /* a build's capabilities do not change */

void tc_method_open(struct tc_jsonw *w, const struct tc_dialog *d)
{
    tc_jsonw_object(w);
    if (tc_dialog_is_metadata(d))
        tc_jsonw_kcstr(w, "resultType", "complete");
}

void tc_method_cache(struct tc_jsonw *w, const struct tc_dialog *d, int64_t ttl_ms, const char *scope)
{
    if (!tc_mcp_revision_has(d->envelope.revision, TC_MCP_CACHE_HINTS))
        return;
    tc_jsonw_kint(w, "ttlMs", ttl_ms);
    tc_jsonw_kcstr(w, "cacheScope", scope);
}

/* --- _meta --- */

#define SERVER_INFO "{\"name\":\"toolcrib\",\"version\":\"" TC_VERSION "\"}"

struct tc_str tc_dialog_server_meta(void)
{
    return TC_STR("{\"io.modelcontextprotocol/serverInfo\":" SERVER_INFO "}");
}

static void open_meta(struct tc_jsonw *w)
{
    tc_jsonw_key(w, "_meta");
    tc_jsonw_object(w);
    tc_jsonw_key(w, "io.modelcontextprotocol/serverInfo");
    tc_jsonw_raw(w, TC_STR(SERVER_INFO));
}

/* What a server behind us says of itself in keys of the protocol is not for our client. */
static enum tc_err write_filtered(struct tc_cx *cx, struct tc_jsonw *w, struct tc_str meta)
{
    struct tc_json_limits limits = {.max_bytes = meta.n + 1};
    const struct tc_json *root, *value;
    struct tc_json_iter it;
    struct tc_str key;
    enum tc_err e = tc_json_parse_root(cx, meta, &limits, &root);

    if (e)
        return e;
    for (it = tc_json_iter(root); tc_json_next(&it, &key, &value);) {
        if (tc_str_starts(key, TC_STR("io.modelcontextprotocol/")))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    return TC_OK;
}

enum tc_err tc_method_close(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_dialog *d, struct tc_str meta)
{
    enum tc_err e = TC_OK;

    if (tc_dialog_is_metadata(d)) {
        open_meta(w);
        if (meta.n > 2 && tc_str_find(meta, TC_STR("io.modelcontextprotocol/")) != SIZE_MAX)
            e = write_filtered(cx, w, meta);
        else if (meta.n > 2) /* its members, as they are */
            tc_buf_printf(w->buf, ",%.*s", TC_STR_ARG(tc_str_n(meta.p + 1, meta.n - 2)));
        tc_jsonw_end(w);
    } else if (meta.n) {
        tc_jsonw_key(w, "_meta");
        tc_jsonw_raw(w, meta);
    }
    tc_jsonw_end(w);
    return e;
}

/* --- pages --- */

enum tc_err tc_method_cursor(struct tc_cx *cx, const struct tc_json *params, size_t n, size_t *ret_from)
{
    const struct tc_json *cursor = tc_json_get_c(params, "cursor");
    int64_t from;

    *ret_from = 0;
    if (!cursor)
        return TC_OK;
    if (!tc_json_is(cursor, TC_JSON_STRING) || !tc_str_int(tc_json_str(cursor), &from) || from < 1 ||
        (uint64_t)from >= n)
        return tc_fail(cx, TC_E_RPC_PARAMS, "This cursor is not one that was given out.");
    *ret_from = (size_t)from;
    return TC_OK;
}

void tc_method_next(struct tc_jsonw *w, size_t from, size_t n)
{
    if (from + TC_METHOD_PAGE >= n)
        return;
    tc_jsonw_key(w, "nextCursor");
    tc_jsonw_printf(w, "%zu", from + TC_METHOD_PAGE);
}

/* --- initialize, discover, ping --- */

static const struct {
    const char *key, *text;
    enum tc_mcp_feature since; /* 0: always */
    bool parks;                /* only where a call can outlive its request */
} capabilities[] = {
    {"completions", "{}", TC_MCP_AUDIO, false},
    {"logging", "{}", 0, false},
    {"prompts", "{\"listChanged\":true}", 0, false},
    {"resources", "{\"listChanged\":true,\"subscribe\":true}", 0, false},
    {"tools", "{\"listChanged\":true}", 0, false},
    {"tasks", "{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}", TC_MCP_CORE_TASKS, true},
    {"extensions", "{\"io.modelcontextprotocol/tasks\":{}}", TC_MCP_REQUEST_META, true},
};

static void write_capabilities(struct tc_jsonw *w, const struct tc_dialog *d, const struct tc_mcp_revision *revision)
{
    tc_jsonw_key(w, "capabilities");
    tc_jsonw_object(w);
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
        if ((capabilities[i].since && !tc_mcp_revision_has(revision, capabilities[i].since)) ||
            (capabilities[i].parks && !d->parking))
            continue;
        tc_jsonw_key(w, capabilities[i].key);
        tc_jsonw_raw(w, tc_str_of(capabilities[i].text));
    }
    tc_jsonw_end(w);
}

enum tc_err tc_method_initialize(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    const struct tc_mcp_revision *revision =
        tc_dialog_revision(tc_json_str(tc_json_get_c(request->params, "protocolVersion")));

    (void)cx;
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "protocolVersion", revision->name);
    write_capabilities(w, d, revision);
    tc_jsonw_key(w, "serverInfo");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "name", "toolcrib");
    if (tc_mcp_revision_has(revision, TC_MCP_TITLES))
        tc_jsonw_kcstr(w, "title", "Toolcrib");
    tc_jsonw_kcstr(w, "version", TC_VERSION);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

enum tc_err tc_method_discover(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                               struct tc_jsonw *w)
{
    (void)request;
    tc_method_open(w, d);
    tc_jsonw_key(w, "supportedVersions");
    tc_jsonw_array(w);
    for (size_t i = 0; tc_mcp_revision_at(i); i++)
        if (tc_mcp_revision_has(tc_mcp_revision_at(i), TC_MCP_REQUEST_META))
            tc_jsonw_cstr(w, tc_mcp_revision_at(i)->name);
    tc_jsonw_end(w);
    write_capabilities(w, d, d->envelope.revision);
    tc_method_cache(w, d, DISCOVER_TTL_MS, "public");
    return tc_method_close(cx, w, d, TC_STR(""));
}

enum tc_err tc_method_ping(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                           struct tc_jsonw *w)
{
    (void)cx, (void)d, (void)request;
    tc_jsonw_object(w);
    tc_jsonw_end(w);
    return TC_OK;
}

/* Of the session; calls that are under way keep theirs. */
enum tc_err tc_method_set_level(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                struct tc_jsonw *w)
{
    struct tc_str name = tc_json_str(tc_json_get_c(request->params, "level"));
    int level = tc_envelope_log_level(name);

    if (level == TC_LOG_NONE)
        return tc_fail(cx, TC_E_RPC_PARAMS, "\"%.*s\" is none of the log levels.", TC_STR_ARG(name));
    if (d->session)
        d->session->envelope.log_level = level;
    return tc_method_ping(cx, d, request, w);
}
