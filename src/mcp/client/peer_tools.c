/*
 * What must be known of tools in order to call them, noted when they are listed:
 * the arguments that go into header fields, and whether one is a task only.
 */
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"

enum { ARENA_MAX = 8 << 20, DROPPED_MAX = 16 << 10, ENTRIES_MAX_BYTES = 64 << 20 };

struct tc_peer_tools {
    struct tc_arena arena;
    struct tc_map notes; /* name → tc_peer_tool, in the arena */
    struct tc_str dropped;
};

void tc_peer_tools_destroy(struct tc_peer_tools *tools)
{
    if (!tools)
        return;
    tc_map_finish(&tools->notes);
    tc_arena_finish(&tools->arena);
    tc_mem_free(tools);
}

struct tc_str tc_peer_tools_dropped(const struct tc_peer_tools *tools)
{
    return tools ? tools->dropped : tc_str_n("", 0);
}

static bool mirrors(const struct tc_peer *peer)
{
    return peer->link->ops->takes_headers && tc_peer_has(peer, TC_MCP_REQUEST_META);
}

static bool has_core_tasks(const struct tc_peer *peer)
{
    const struct tc_json *requests = tc_json_get_c(tc_peer_capability(peer, "tasks"), "requests");

    return tc_peer_has(peer, TC_MCP_CORE_TASKS) && tc_json_get_c(tc_json_get_c(requests, "tools"), "call");
}

bool tc_peer_wants_tools(const struct tc_peer *peer)
{
    return !peer->tools && (mirrors(peer) || has_core_tasks(peer));
}

const struct tc_peer_tool *tc_peer_tool(const struct tc_peer *peer, struct tc_str name)
{
    return peer->tools ? tc_map_get(&peer->tools->notes, name) : NULL;
}

/* --- noting --- */

/* One listing under way. */
struct noting {
    const struct tc_peer *peer;
    struct tc_peer_tools *tools;
    struct tc_cx kept; /* its arena is the notes' */
    struct tc_buf entries; /* those that stay, once one was dropped */
    struct tc_buf dropped;
    struct tc_jsonw dropped_w;
    size_t dropped_n;
};

static void drop(struct noting *noting, struct tc_str name, struct tc_str reason)
{
    if (noting->dropped_n++ == 0)
        tc_jsonw_array(&noting->dropped_w);
    if (noting->dropped.n > DROPPED_MAX / 2)
        return;
    tc_jsonw_object(&noting->dropped_w);
    tc_jsonw_kstr(&noting->dropped_w, "tool", tc_utf8_head(name, TC_PEER_SHOWN_CHARS));
    tc_jsonw_kstr(&noting->dropped_w, "reason", reason);
    tc_jsonw_end(&noting->dropped_w);
}

/* False when the entry cannot be called. */
static bool note(struct noting *noting, const struct tc_json *entry)
{
    struct tc_str name = tc_json_str(tc_json_get_c(entry, "name"));
    struct tc_str support = tc_json_str(tc_json_get_c(tc_json_get_c(entry, "execution"), "taskSupport"));
    struct tc_peer_tool found = {0}, *kept;

    found.as_task = has_core_tasks(noting->peer) && tc_str_is(support, "required");
    if (mirrors(noting->peer) &&
        tc_mcp_param_headers_read(&noting->kept, tc_json_get_c(entry, "inputSchema"), &found.headers) != TC_OK) {
        drop(noting, name, noting->kept.err.message);
        return false;
    }
    if (!found.as_task && found.headers.n == 0)
        return true;
    kept = TC_ARENA_NEW(&noting->tools->arena, struct tc_peer_tool);
    if (kept)
        *kept = found;
    if (!kept || !tc_map_put(&noting->tools->notes, name, kept)) {
        drop(noting, name, TC_STR("There is no memory for what it takes to call it."));
        return false;
    }
    return true;
}

static void note_all(struct noting *noting, const struct tc_json *entries)
{
    struct tc_json_iter it;
    const struct tc_json *entry;
    struct tc_str key;
    bool first = true;

    tc_buf_char(&noting->entries, '[');
    for (it = tc_json_iter(entries); tc_json_next(&it, &key, &entry);) {
        if (!note(noting, entry))
            continue;
        if (!first)
            tc_buf_char(&noting->entries, ',');
        tc_json_print(&noting->entries, entry);
        first = false;
    }
    tc_buf_char(&noting->entries, ']');
}

static enum tc_err finish(struct tc_cx *cx, struct noting *noting, const struct tc_json *entries,
                          const struct tc_json **ret_entries)
{
    struct tc_json_limits limits = {.max_bytes = ENTRIES_MAX_BYTES};

    if (noting->dropped_n == 0) {
        *ret_entries = entries;
        return TC_OK;
    }
    tc_jsonw_end(&noting->dropped_w);
    noting->tools->dropped = tc_buf_dup(&noting->dropped, &noting->tools->arena);
    if (noting->entries.failed || !noting->tools->dropped.p)
        return tc_fail_memory(cx);
    return tc_json_parse_root(cx, tc_buf_get(&noting->entries), &limits, ret_entries);
}

enum tc_err tc_peer_note_tools(struct tc_cx *cx, struct tc_peer *peer, const struct tc_json *entries,
                               const struct tc_json **ret_entries)
{
    struct noting noting = {.peer = peer, .tools = tc_mem_zalloc(1, sizeof *noting.tools), .kept = *cx};
    enum tc_err code;

    if (!noting.tools)
        return tc_fail_memory(cx);
    tc_arena_init(&noting.tools->arena, ARENA_MAX);
    noting.kept.arena = &noting.tools->arena;
    tc_buf_init(&noting.entries, ENTRIES_MAX_BYTES);
    tc_buf_init(&noting.dropped, DROPPED_MAX);
    tc_jsonw_init(&noting.dropped_w, &noting.dropped);
    note_all(&noting, entries);
    code = finish(cx, &noting, entries, ret_entries);
    tc_buf_finish(&noting.entries);
    tc_buf_finish(&noting.dropped);
    if (code != TC_OK) {
        tc_peer_tools_destroy(noting.tools);
        return code;
    }
    tc_peer_tools_destroy(peer->tools);
    peer->tools = noting.tools;
    return TC_OK;
}

/* --- header fields --- */

static enum tc_err add_params(struct tc_cx *cx, const struct tc_peer_tool *tool, const struct tc_json *arguments,
                              struct tc_header *items, size_t *n)
{
    struct tc_str value;
    enum tc_err code;

    for (size_t i = 0; tool && i < tool->headers.n; i++) {
        code = tc_mcp_param_header_value(cx, tc_json_pointer(arguments, tool->headers.items[i].path), &value);
        if (code != TC_OK)
            return code;
        if (!value.p)
            continue;
        items[*n].name = tc_arena_dup(cx->arena, tool->headers.items[i].name); /* notes may go while it waits */
        if (!items[*n].name.p)
            return tc_fail_memory(cx);
        items[(*n)++].value = value;
    }
    return TC_OK;
}

enum tc_err tc_peer_headers(struct tc_cx *cx, const struct tc_peer *peer, const char *method, struct tc_str name,
                            const struct tc_peer_tool *tool, const struct tc_json *arguments,
                            struct tc_header_list *ret_headers)
{
    size_t n = 0, most = 2 + (tool ? tool->headers.n : 0);
    struct tc_header *items;
    enum tc_err code;

    *ret_headers = (struct tc_header_list){0};
    if (!mirrors(peer))
        return TC_OK;
    items = TC_ARENA_NEW_N(cx->arena, struct tc_header, most);
    if (!items)
        return tc_fail_memory(cx);
    items[n++] = (struct tc_header){TC_STR("Mcp-Method"), tc_str_of(method)};
    if (name.n) {
        items[n] = (struct tc_header){TC_STR("Mcp-Name"), tc_mcp_header_text(cx->arena, name)};
        if (!items[n++].value.p)
            return tc_fail_memory(cx);
    }
    code = add_params(cx, tool, arguments, items, &n);
    if (code == TC_OK)
        *ret_headers = (struct tc_header_list){items, n};
    return code;
}
