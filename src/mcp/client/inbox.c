/*
 * From bytes to messages: events, documents, batches.
 */
#include "mcp/client/inbox.h"

#include <string.h>

#include "mcp/codec/clean.h"

void tc_inbox_init(struct tc_inbox *inbox, bool streams, size_t max, const struct tc_inbox_events *events)
{
    *inbox = (struct tc_inbox){.events = *events, .streams = streams, .max = max};
    tc_sse_init(&inbox->sse, max);
    tc_buf_init(&inbox->body, max);
    tc_arena_init(&inbox->arena, 0);
}

void tc_inbox_finish(struct tc_inbox *inbox)
{
    tc_sse_finish(&inbox->sse);
    tc_buf_finish(&inbox->body);
    tc_arena_finish(&inbox->arena);
}

/* --- texts --- */

static void skip(struct tc_inbox *inbox, struct tc_str text, const char *trouble)
{
    inbox->skipped++;
    inbox->trouble = trouble;
    inbox->shown_n = text.n < sizeof inbox->shown ? text.n : sizeof inbox->shown;
    memcpy(inbox->shown, text.p, inbox->shown_n);
}

/* Why it is no message, or NULL. */
static const char *take_message(struct tc_cx *cx, struct tc_inbox *inbox, const struct tc_json *json,
                                struct tc_inbox_message *message)
{
    if (tc_rpc_read(cx, json, &message->rpc) != TC_OK)
        return "finds no memory here";
    if (message->rpc.kind == TC_RPC_BATCH)
        return "is a batch in a batch";
    if (message->rpc.kind == TC_RPC_INVALID && !tc_json_get_c(json, "result") && !tc_json_get_c(json, "error"))
        return message->rpc.fault;
    inbox->messages++;
    inbox->events.message(inbox->events.arg, cx, message);
    return NULL;
}

static void take_document(struct tc_cx *cx, struct tc_inbox *inbox, struct tc_str text,
                          struct tc_inbox_message *message)
{
    const struct tc_json *root = tc_json_doc_root(message->doc), *item;
    const char *trouble = NULL, *found;
    struct tc_json_iter it;
    struct tc_str key;

    if (tc_json_is(root, TC_JSON_ARRAY)) {
        for (it = tc_json_iter(root); tc_json_next(&it, &key, &item);) {
            found = take_message(cx, inbox, item, message);
            trouble = found ? found : trouble;
        }
    } else {
        trouble = take_message(cx, inbox, root, message);
    }
    if (trouble)
        skip(inbox, text, trouble);
}

static void take_text(struct tc_cx *cx, struct tc_inbox *inbox, struct tc_str text)
{
    struct tc_json_limits limits = {.max_bytes = inbox->max, .flags = TC_JSON_CLEAN};
    struct tc_inbox_message message = {.suspect = tc_mcp_clean_suspect(text)};
    struct tc_cx text_cx = *cx;

    inbox->texts++;
    text = tc_str_trim(text);
    if (text.n == 0)
        return; /* an event that only brings an id */
    text_cx.arena = &inbox->arena;
    if (tc_json_parse(&text_cx, text, &limits, &message.doc) == TC_OK) {
        take_document(&text_cx, inbox, text, &message);
        tc_json_doc_unref(message.doc);
    } else {
        skip(inbox, text, "is no valid JSON");
    }
    tc_arena_reset(&inbox->arena);
}

/* --- bytes --- */

static void take_event(struct tc_cx *cx, struct tc_inbox *inbox, const struct tc_sse_event *event)
{
    if (event->type.n == 0 || tc_str_is(event->type, "message"))
        take_text(cx, inbox, event->data);
    else if (inbox->events.other)
        inbox->events.other(inbox->events.arg, cx, event);
}

static bool feed_stream(struct tc_cx *cx, struct tc_inbox *inbox, struct tc_str data)
{
    struct tc_sse_event event;
    enum tc_sse_status status;

    while ((status = tc_sse_feed(&inbox->sse, &data, &event)) == TC_SSE_EVENT)
        take_event(cx, inbox, &event);
    if (status == TC_SSE_TOO_LARGE)
        inbox->fault = "is longer than allowed";
    return !inbox->fault;
}

bool tc_inbox_feed(struct tc_cx *cx, struct tc_inbox *inbox, struct tc_str data)
{
    if (inbox->fault)
        return false;
    if (inbox->streams)
        return feed_stream(cx, inbox, data);
    tc_buf_str(&inbox->body, data);
    if (inbox->body.failed)
        inbox->fault = "is longer than allowed";
    return !inbox->fault;
}

void tc_inbox_end(struct tc_cx *cx, struct tc_inbox *inbox)
{
    if (!inbox->streams && !inbox->fault)
        take_text(cx, inbox, tc_buf_get(&inbox->body));
    tc_buf_finish(&inbox->body);
}

struct tc_str tc_inbox_last_id(const struct tc_inbox *inbox)
{
    return tc_buf_get(&inbox->sse.id);
}

int64_t tc_inbox_retry_ms(const struct tc_inbox *inbox)
{
    return inbox->sse.retry_ms;
}
