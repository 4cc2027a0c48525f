/*
 * Lists of what a server has: all pages, and never for ever.
 */
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"
#include "mcp/codec/tools.h"

enum { PAGES_MAX = 100, ENTRIES_MAX = 10000, LIST_MAX = 64 << 20 };

static const struct tc_mcp_list lists[] = {
    [TC_SOURCE_TOOLS] = {"tools/list", "tools"},
    [TC_SOURCE_PROMPTS] = {"prompts/list", "prompts"},
    [TC_SOURCE_RESOURCES] = {"resources/list", "resources"},
    [TC_SOURCE_TEMPLATES] = {"resources/templates/list", "resourceTemplates"},
};

struct listing {
    const struct tc_mcp_list *list;
    struct tc_str cursors[PAGES_MAX]; /* of the pages but the first */
    size_t pages, entries;
    struct tc_buf array; /* the entries of all pages but a single one */
};

static enum tc_err add_page(struct tc_cx *cx, struct listing *listing, const struct tc_mcp_page *page)
{
    struct tc_json_iter it;
    const struct tc_json *entry;
    struct tc_str key;

    for (it = tc_json_iter(page->entries); tc_json_next(&it, &key, &entry); listing->entries++) {
        tc_buf_char(&listing->array, listing->entries ? ',' : '[');
        tc_json_print(&listing->array, entry);
    }
    if (listing->entries > ENTRIES_MAX)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server lists more than %d %s.", ENTRIES_MAX, listing->list->key);
    if (listing->array.failed)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server's list of %s is longer than %d MiB.", listing->list->key,
                       LIST_MAX >> 20);
    return TC_OK;
}

static enum tc_err note_cursor(struct tc_cx *cx, struct listing *listing, struct tc_str cursor)
{
    struct tc_str kept = tc_arena_dup(cx->arena, cursor);

    if (!kept.p)
        return tc_fail_memory(cx);
    for (size_t i = 0; i < listing->pages; i++) {
        if (tc_str_eq(listing->cursors[i], cursor))
            return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server's list of %s never ends: a cursor came twice.",
                           listing->list->key);
    }
    if (listing->pages + 1 == PAGES_MAX)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server's list of %s has more than %d pages.", listing->list->key,
                       PAGES_MAX);
    listing->cursors[listing->pages++] = kept;
    return TC_OK;
}

static void write_cursor(struct tc_jsonw *w, const void *arg)
{
    const struct listing *listing = arg;

    if (listing->pages)
        tc_jsonw_kstr(w, "cursor", listing->cursors[listing->pages - 1]);
}

/* One page. An unknown method means that there is nothing of that kind: some
 * servers have only resources. */
static enum tc_err get_page(struct tc_cx *cx, struct tc_peer *peer, const struct listing *listing, int64_t timeout_ms,
                            struct tc_mcp_page *ret_page)
{
    struct tc_peer_asking asking = {
        .method = listing->list->method, .write = write_cursor, .arg = listing, .timeout_ms = timeout_ms};
    struct tc_link_reply reply = {0};
    enum tc_err code = tc_peer_ask(cx, peer, &asking, &reply);

    if (code == TC_OK)
        return tc_mcp_tools_page(cx, listing->list, reply.base.result, ret_page);
    if (code == TC_E_MCP_PROTOCOL && reply.base.outcome == TC_OUTCOME_SERVER_ERROR && reply.base.rpc_code == -32601) {
        *ret_page = (struct tc_mcp_page){0};
        return TC_OK;
    }
    return code;
}

/* All pages but the first, each in an arena of its own: what a server puts
 * around its entries must not pile up. */
static enum tc_err add_more_pages(struct tc_cx *cx, struct tc_peer *peer, struct listing *listing,
                                  struct tc_mcp_page *page, int64_t timeout_ms)
{
    struct tc_arena arena;
    struct tc_cx page_cx = *cx;
    enum tc_err code = add_page(cx, listing, page);

    tc_arena_init(&arena, 0);
    while (code == TC_OK && page->cursor.n) {
        code = note_cursor(cx, listing, page->cursor);
        if (code != TC_OK)
            break;
        tc_arena_reset(&arena);
        page_cx.arena = &arena;
        code = get_page(&page_cx, peer, listing, timeout_ms, page);
        if (code != TC_OK)
            tc_fail(cx, code, "%.*s", TC_STR_ARG(page_cx.err.message));
        else
            code = add_page(cx, listing, page);
    }
    tc_arena_finish(&arena);
    return code;
}

static enum tc_err get_pages(struct tc_cx *cx, struct tc_peer *peer, struct listing *listing, int64_t timeout_ms,
                             const struct tc_json **ret_entries)
{
    struct tc_mcp_page page = {0};
    enum tc_err code = get_page(cx, peer, listing, timeout_ms, &page);

    if (code == TC_OK && page.cursor.n == 0 && page.entries && tc_json_count(page.entries) <= ENTRIES_MAX) {
        *ret_entries = page.entries; /* as in most cases: nothing to put together */
        return TC_OK;
    }
    if (code == TC_OK)
        code = add_more_pages(cx, peer, listing, &page, timeout_ms);
    if (code != TC_OK)
        return code;
    tc_buf_cstr(&listing->array, listing->entries ? "]" : "[]");
    if (listing->array.failed)
        return tc_fail_memory(cx);
    return tc_json_parse_root(cx, tc_buf_get(&listing->array), &(struct tc_json_limits){.max_bytes = LIST_MAX},
                              ret_entries);
}

/* By its capabilities. Tools are what most servers are for, and some forget to say
 * that they have them. */
static bool has(const struct tc_peer *peer, enum tc_source_kind kind)
{
    static const char *const names[] = {
        [TC_SOURCE_PROMPTS] = "prompts", [TC_SOURCE_RESOURCES] = "resources", [TC_SOURCE_TEMPLATES] = "resources"};

    return kind == TC_SOURCE_TOOLS || tc_peer_capability(peer, names[kind]);
}

enum tc_err tc_peer_list(struct tc_cx *cx, struct tc_peer *peer, enum tc_source_kind kind, int64_t timeout_ms,
                         const struct tc_json **ret_entries)
{
    struct listing *listing = TC_ARENA_NEW(cx->arena, struct listing);
    const struct tc_json *entries = NULL;
    enum tc_err code;

    if (!listing)
        return tc_fail_memory(cx);
    listing->list = &lists[kind];
    tc_buf_init(&listing->array, LIST_MAX);
    tc_peer_ref(peer);
    if (has(peer, kind))
        code = get_pages(cx, peer, listing, timeout_ms, &entries);
    else
        code = tc_json_parse_root(cx, TC_STR("[]"), NULL, &entries);
    if (code == TC_OK && kind == TC_SOURCE_TOOLS)
        code = tc_peer_note_tools(cx, peer, entries, &entries);
    if (code == TC_OK)
        *ret_entries = entries;
    tc_peer_unref(peer);
    tc_buf_finish(&listing->array);
    return code;
}
