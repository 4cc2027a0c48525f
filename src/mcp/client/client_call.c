/*
 * What is asked of a server: requests with their deadline and cancellation, the
 * handshake, the pages of lists, and calls.
 */
#include <stdio.h>

#include "base/utf8.h"
#include "mcp/client/client_state.h"
#include "mcp/codec/clean.h"
#include "mcp/codec/tools.h"

enum { PAGES_MAX = 100, ENTRIES_MAX = 10000, LIST_MAX = 64 << 20, SHOWN_CHARS = 200 };

/* --- one request --- */

/* Keeps the document of an answer for as long as the caller's arena; made before
 * the request leaves, since nothing may fail for memory after. */
struct keeper {
    struct tc_json_doc *doc;
};

static void drop_document(void *arg)
{
    tc_json_doc_unref(((struct keeper *)arg)->doc);
}

struct exchange {
    struct tc_mcp_client *client;
    struct tc_pending pending;
    struct keeper *keeper;
    struct tc_jsonw w;
};

static void set_reply(struct tc_source_reply *reply, enum tc_outcome outcome, const char *message)
{
    *reply = (struct tc_source_reply){.outcome = outcome, .message = tc_str_of(message)};
}

/* The reason of the connection's end, kept by the arena: the client may go first. */
static void set_ended(struct tc_cx *cx, const struct tc_mcp_client *client, enum tc_outcome outcome,
                      struct tc_source_reply *reply)
{
    struct tc_str reason = tc_arena_dup(cx->arena, tc_str_of(client->reason));

    set_reply(reply, outcome, reason.p ? reason.p : "The connection to the server ended.");
}

/* Up to where the value of params is to be written with ex->w. On failure
 * nothing has been sent: with TC_E_CLOSED the connection is over. */
static enum tc_err begin(struct tc_cx *cx, struct exchange *ex, const char *method, int64_t timeout_ms)
{
    struct tc_mcp_client *client = ex->client;
    char id[24];
    enum tc_err code;

    ex->keeper = TC_ARENA_NEW(cx->arena, struct keeper);
    if (!ex->keeper || !tc_arena_defer(cx->arena, drop_document, ex->keeper))
        return tc_fail_memory(cx);
    code = tc_task_wait(cx, &client->outbox.room, timeout_ms);
    if (code != TC_OK)
        return code;
    if (client->over.set || client->outbox.closed) {
        code = tc_task_wait(cx, &client->settled, timeout_ms); /* until it is known why */
        return code == TC_OK ? tc_fail(cx, TC_E_CLOSED, "%s", client->reason) : code;
    }
    if (!tc_pendings_add(&client->pendings, &ex->pending))
        return tc_fail_memory(cx);
    snprintf(id, sizeof id, "%lld", (long long)ex->pending.id);
    tc_rpc_open_request(&ex->w, &client->outbox.next, tc_str_of(id), method);
    return TC_OK;
}

static void tell_cancelled(struct tc_mcp_client *client, int64_t id)
{
    struct tc_jsonw w;
    uint64_t start, end;

    if (!tc_outbox_has_room(&client->outbox))
        return;
    tc_rpc_open_request(&w, &client->outbox.next, tc_str_n("", 0), "notifications/cancelled");
    tc_jsonw_object(&w);
    tc_jsonw_kint(&w, "requestId", id);
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (!tc_outbox_commit(&client->outbox, &start, &end))
        tc_mcp_client_end(client, "There is no memory for messages to the server.");
}

/* The caller waits no longer, for whatever reason. */
static void abandon(struct tc_cx *cx, struct exchange *ex, enum tc_err why, int64_t timeout_ms,
                    struct tc_source_reply *reply)
{
    struct tc_mcp_client *client = ex->client;
    struct tc_pending *pending = &ex->pending;
    size_t n = (size_t)(pending->end - pending->start) + 1;
    struct tc_str message;

    tc_pendings_remove(&client->pendings, pending);
    if (tc_outbox_withdraw(&client->outbox, pending->start, pending->end)) {
        tc_pendings_shift(&client->pendings, pending->start, n);
        set_reply(reply, TC_OUTCOME_NOT_SENT, "The server takes no input; the call was withdrawn.");
        return;
    }
    tell_cancelled(client, pending->id);
    message = tc_arena_printf(cx->arena, "The server did not answer within %lld ms.", (long long)timeout_ms);
    if (why == TC_E_TIMEOUT && message.p)
        set_reply(reply, TC_OUTCOME_UNKNOWN, message.p);
    else
        set_reply(reply, TC_OUTCOME_UNKNOWN, "The call was cancelled before the server answered.");
}

static void read_trouble(struct tc_cx *cx, const struct tc_pending *pending, struct tc_source_reply *reply)
{
    struct tc_str message = tc_arena_printf(cx->arena, "The answer of the server %s.", pending->trouble);

    set_reply(reply, TC_OUTCOME_UNSUPPORTED, message.p ? message.p : "The answer of the server is of no use.");
}

/* The document is the keeper's already. */
static void read_answer(struct tc_cx *cx, const struct tc_pending *pending, struct tc_source_reply *reply)
{
    const struct tc_rpc *answer = &pending->answer;
    const struct tc_json *result = answer->result, *data = answer->data;
    struct tc_str message = answer->message;
    enum tc_err code = TC_OK;

    if (pending->suspect && answer->kind == TC_RPC_RESULT) {
        code = tc_mcp_clean(cx, result, &result);
    } else if (pending->suspect) {
        message = tc_utf8_cleaned(cx->arena, message);
        code = message.n && !message.p ? TC_E_NO_MEMORY : data ? tc_mcp_clean(cx, data, &data) : TC_OK;
    }
    if (code != TC_OK)
        set_reply(reply, TC_OUTCOME_UNKNOWN, "The server answered, but there was no memory for the answer.");
    else if (answer->kind == TC_RPC_RESULT)
        *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT, .result = result};
    else
        *reply = (struct tc_source_reply){
            .outcome = TC_OUTCOME_SERVER_ERROR, .rpc_code = answer->code, .message = message, .data = data};
}

/* After params were written: sends, waits, reads. Always fills the reply. */
static void finish(struct tc_cx *cx, struct exchange *ex, int64_t timeout_ms, struct tc_source_reply *reply)
{
    struct tc_mcp_client *client = ex->client;
    struct tc_pending *pending = &ex->pending;
    enum tc_err code;

    tc_jsonw_end(&ex->w);
    if (!tc_outbox_commit(&client->outbox, &pending->start, &pending->end)) {
        tc_pendings_remove(&client->pendings, pending);
        tc_mcp_client_end(client, "There is no memory for messages to the server.");
        set_reply(reply, TC_OUTCOME_NOT_SENT, "There is no memory for the call.");
        return;
    }
    code = tc_task_wait(cx, &pending->done, timeout_ms);
    ex->keeper->doc = pending->doc;
    if (pending->trouble)
        read_trouble(cx, pending, reply);
    else if (pending->doc)
        read_answer(cx, pending, reply); /* also when it came at the same moment as a cancellation */
    else if (pending->lost)
        set_ended(cx, client, pending->end <= client->outbox.written ? TC_OUTCOME_UNKNOWN : TC_OUTCOME_NOT_SENT, reply);
    else
        abandon(cx, ex, code, timeout_ms, reply);
}

/* What begin's failure means for the caller. */
static enum tc_err not_begun(struct tc_cx *cx, const struct tc_mcp_client *client, enum tc_err code,
                             struct tc_source_reply *reply)
{
    if (code == TC_E_CLOSED)
        set_ended(cx, client, TC_OUTCOME_NOT_SENT, reply);
    else if (code == TC_E_TIMEOUT)
        set_reply(reply, TC_OUTCOME_NOT_SENT, "The server takes no input.");
    else
        return code;
    return TC_OK;
}

enum tc_err tc_mcp_client_request(struct tc_cx *cx, struct tc_mcp_client *client, const char *method,
                                  struct tc_str params, int64_t timeout_ms, struct tc_source_reply *ret_reply)
{
    struct exchange ex = {.client = client};
    enum tc_err code;

    tc_mcp_client_ref(client);
    code = begin(cx, &ex, method, timeout_ms);
    if (code == TC_OK) {
        tc_jsonw_raw(&ex.w, params.n ? params : TC_STR("{}"));
        finish(cx, &ex, timeout_ms, ret_reply);
    } else {
        code = not_begun(cx, client, code, ret_reply);
    }
    tc_mcp_client_unref(client);
    return code;
}

/* --- calls --- */

/* The caller's _meta without its progress token, which is another's: ours is the
 * request's id. */
static void write_meta(struct tc_jsonw *w, const struct tc_source_call *call, int64_t id)
{
    bool progress = call->caller && call->caller->ops->progress;
    struct tc_json_iter it;
    const struct tc_json *v;
    struct tc_str key;

    if (!progress && tc_json_count(call->meta) == 0)
        return;
    tc_jsonw_key(w, "_meta");
    tc_jsonw_object(w);
    for (it = tc_json_iter(call->meta); tc_json_next(&it, &key, &v);) {
        if (tc_str_is(key, "progressToken"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, v);
    }
    if (progress)
        tc_jsonw_kint(w, "progressToken", id);
    tc_jsonw_end(w);
}

static void check_result(struct tc_cx *cx, const struct tc_mcp_client *client, struct tc_source_reply *reply)
{
    struct tc_mcp_result result;

    if (reply->outcome != TC_OUTCOME_RESULT ||
        tc_mcp_tools_result(cx, reply->result, client->revision, &result) == TC_OK)
        return;
    reply->outcome = TC_OUTCOME_UNSUPPORTED;
    reply->message = cx->err.message;
    tc_fail_clear(cx);
}

enum tc_err tc_mcp_client_call(struct tc_cx *cx, struct tc_mcp_client *client, const struct tc_source_call *call,
                               struct tc_source_reply *ret_reply)
{
    struct exchange ex = {.client = client, .pending.caller = call->caller};
    enum tc_err code;

    tc_mcp_client_ref(client);
    code = begin(cx, &ex, "tools/call", call->timeout_ms);
    if (code == TC_OK) {
        tc_jsonw_object(&ex.w);
        tc_jsonw_kstr(&ex.w, "name", call->tool);
        tc_jsonw_kvalue(&ex.w, "arguments", call->arguments);
        write_meta(&ex.w, call, ex.pending.id);
        tc_jsonw_end(&ex.w);
        finish(cx, &ex, call->timeout_ms, ret_reply);
        check_result(cx, client, ret_reply);
    } else {
        code = not_begun(cx, client, code, ret_reply);
    }
    tc_mcp_client_unref(client);
    return code;
}

/* --- requests whose failure is an error --- */

static enum tc_err ask(struct tc_cx *cx, struct tc_mcp_client *client, const char *method, struct tc_str params,
                       int64_t timeout_ms, struct tc_source_reply *reply)
{
    enum tc_err code = tc_mcp_client_request(cx, client, method, params, timeout_ms, reply);

    if (code == TC_OK && reply->outcome != TC_OUTCOME_RESULT)
        code = tc_task_check(cx); /* whether it was this side that gave up */
    if (code != TC_OK)
        return code;
    switch (reply->outcome) {
    case TC_OUTCOME_RESULT:
        return TC_OK;
    case TC_OUTCOME_SERVER_ERROR:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered %s with error %d: %.*s", method, reply->rpc_code,
                       TC_STR_ARG(tc_utf8_head(reply->message, SHOWN_CHARS)));
    case TC_OUTCOME_UNSUPPORTED:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "%.*s It was asked for %s.", TC_STR_ARG(reply->message), method);
    default:
        return tc_fail(cx, client->over.set ? TC_E_CLOSED : TC_E_TIMEOUT, "%.*s It was asked for %s.",
                       TC_STR_ARG(reply->message), method);
    }
}

static enum tc_err read_hello(struct tc_cx *cx, struct tc_mcp_client *client, const struct tc_json *result)
{
    struct tc_str version = tc_json_str(tc_json_get_c(result, "protocolVersion"));

    if (!tc_json_is(result, TC_JSON_OBJECT) || version.n == 0)
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered initialize without a protocolVersion.");
    client->revision = tc_mcp_revision_find(version);
    if (!client->revision)
        return tc_fail(cx, TC_E_MCP_VERSION, "The server speaks revision \"%.*s\" of the protocol, which is not known.",
                       TC_STR_ARG(tc_utf8_head(version, SHOWN_CHARS)));
    client->hello = result;
    return TC_OK;
}

enum tc_err tc_mcp_client_greet(struct tc_cx *cx, struct tc_mcp_client *client, int64_t timeout_ms)
{
    static const char params[] = "{\"protocolVersion\":\"%s\",\"capabilities\":{},"
                                 "\"clientInfo\":{\"name\":\"toolcrib\",\"version\":\"" TC_VERSION "\"}}";
    struct tc_cx kept = *cx; /* the answer stays as long as the client */
    struct tc_source_reply reply;
    struct tc_str text;
    uint64_t start, end;
    enum tc_err code;

    kept.arena = &client->arena;
    text = tc_arena_printf(cx->arena, params, tc_mcp_revision_newest(TC_MCP_HANDSHAKE)->name);
    if (!text.p)
        return tc_fail_memory(cx);
    code = ask(&kept, client, "initialize", text, timeout_ms, &reply);
    if (code == TC_OK)
        code = read_hello(&kept, client, reply.result);
    if (code != TC_OK) /* in words that outlive the client */
        return tc_fail(cx, code == TC_E_CLOSED ? TC_E_MCP_START_FAILED : code, "%.*s", TC_STR_ARG(kept.err.message));
    tc_rpc_write_request(&client->outbox.next, tc_str_n("", 0), "notifications/initialized", tc_str_n("", 0));
    return tc_outbox_commit(&client->outbox, &start, &end) ? TC_OK : tc_fail_memory(cx);
}

/* --- lists --- */

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

/* One page. An unknown method means that there is nothing of that kind: some
 * servers have only resources. */
static enum tc_err get_page(struct tc_cx *cx, struct tc_mcp_client *client, const struct listing *listing,
                            int64_t timeout_ms, struct tc_mcp_page *ret_page)
{
    struct tc_source_reply reply = {0};
    struct tc_buf params;
    struct tc_jsonw w;
    enum tc_err code;

    tc_buf_init(&params, LIST_MAX);
    tc_jsonw_init(&w, &params);
    tc_jsonw_object(&w);
    if (listing->pages)
        tc_jsonw_kstr(&w, "cursor", listing->cursors[listing->pages - 1]);
    tc_jsonw_end(&w);
    code = params.failed ? tc_fail_memory(cx)
                         : ask(cx, client, listing->list->method, tc_buf_get(&params), timeout_ms, &reply);
    tc_buf_finish(&params);
    if (code == TC_OK)
        return tc_mcp_tools_page(cx, listing->list, reply.result, ret_page);
    if (reply.outcome == TC_OUTCOME_SERVER_ERROR && reply.rpc_code == -32601) {
        *ret_page = (struct tc_mcp_page){0};
        return TC_OK;
    }
    return code;
}

/* All pages but the first, each in an arena of its own: what a server puts
 * around its entries must not pile up. */
static enum tc_err add_more_pages(struct tc_cx *cx, struct tc_mcp_client *client, struct listing *listing,
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
        code = get_page(&page_cx, client, listing, timeout_ms, page);
        if (code != TC_OK)
            tc_fail(cx, code, "%.*s", TC_STR_ARG(page_cx.err.message));
        else
            code = add_page(cx, listing, page);
    }
    tc_arena_finish(&arena);
    return code;
}

static enum tc_err get_pages(struct tc_cx *cx, struct tc_mcp_client *client, struct listing *listing,
                             int64_t timeout_ms, const struct tc_json **ret_entries)
{
    struct tc_mcp_page page = {0};
    enum tc_err code = get_page(cx, client, listing, timeout_ms, &page);

    if (code == TC_OK && page.cursor.n == 0 && page.entries && tc_json_count(page.entries) <= ENTRIES_MAX) {
        *ret_entries = page.entries; /* as in most cases: nothing to put together */
        return TC_OK;
    }
    if (code == TC_OK)
        code = add_more_pages(cx, client, listing, &page, timeout_ms);
    if (code != TC_OK)
        return code;
    tc_buf_cstr(&listing->array, listing->entries ? "]" : "[]");
    if (listing->array.failed)
        return tc_fail_memory(cx);
    return tc_json_parse_root(cx, tc_buf_get(&listing->array), &(struct tc_json_limits){.max_bytes = LIST_MAX},
                              ret_entries);
}

enum tc_err tc_mcp_client_list(struct tc_cx *cx, struct tc_mcp_client *client, enum tc_source_kind kind,
                               int64_t timeout_ms, const struct tc_json **ret_entries)
{
    struct listing *listing = TC_ARENA_NEW(cx->arena, struct listing);
    enum tc_err code;

    if (!listing)
        return tc_fail_memory(cx);
    listing->list = &lists[kind];
    tc_buf_init(&listing->array, LIST_MAX);
    tc_mcp_client_ref(client);
    code = get_pages(cx, client, listing, timeout_ms, ret_entries);
    tc_mcp_client_unref(client);
    tc_buf_finish(&listing->array);
    return code;
}
