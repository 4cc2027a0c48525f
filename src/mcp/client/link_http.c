/*
 * The life of a link over Streamable HTTP: its requests end before it does, its
 * own tasks end with it.
 */
#include "mcp/client/link_http.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "mcp/client/link_http_state.h"

enum {
    MESSAGE_MAX = 64 << 20,
    SESSION_MAX = 4096,
    SETTLE_MS = 5000,  /* for the other requests, when the session is gone */
    ABORTED_MS = 5000, /* for them to notice that they were ended */
};

/* --- memory --- */

void tc_link_http_ref(struct tc_link *self)
{
    ((struct tc_link_http *)self)->refs++;
}

void tc_link_http_unref(struct tc_link *self)
{
    struct tc_link_http *link = (struct tc_link_http *)self;

    if (!link || --link->refs > 0)
        return;
    assert(link->finished.set && !link->flights);
    tc_buf_finish(&link->session);
    tc_arena_finish(&link->arena);
    tc_mem_free(link);
}

/* --- what comes --- */

static const struct tc_link_http_flight *find(const struct tc_link_http *link, struct tc_str token)
{
    int64_t id;

    if (!tc_str_int(token, &id))
        return NULL;
    for (const struct tc_link_http_flight *flight = link->flights; flight; flight = flight->next) {
        if (flight->id == id)
            return flight;
    }
    return NULL;
}

void tc_link_http_hear(struct tc_cx *cx, struct tc_link_http *link, const struct tc_link_http_flight *flight,
                       const struct tc_inbox_message *message)
{
    struct tc_link_message heard = {.rpc = message->rpc, .doc = message->doc, .suspect = message->suspect};

    if (link->closing)
        return;
    if (tc_str_is(message->rpc.method, "notifications/progress"))
        flight = find(link, tc_json_str(tc_json_get_c(message->rpc.params, "progressToken")));
    heard.use = flight ? flight->use : NULL;
    link->events.message(link->events.arg, cx, &heard);
}

void tc_link_http_count(struct tc_link_http *link, const struct tc_inbox *inbox)
{
    link->heard += inbox->texts;
    link->messages += inbox->messages;
    link->skipped += inbox->skipped;
    link->too_long += inbox->fault != NULL;
    if (inbox->skipped == 0)
        return;
    link->skipped_line_n = inbox->shown_n;
    memcpy(link->skipped_line, inbox->shown, inbox->shown_n);
}

/* --- the end --- */

void tc_link_http_end(struct tc_link_http *link, const char *reason)
{
    if (!link->over.set)
        snprintf(link->reason, sizeof link->reason, "%s", reason);
    tc_event_set(&link->over);
}

void tc_link_http_forgotten(struct tc_link_http *link)
{
    link->forgotten = true;
    tc_link_http_end(link, "The server does not know the session any more.");
}

/* Requests that are under way may still be answered when it was not the owner who
 * ended the link; not for ever. */
static void settle(struct tc_cx *cx, struct tc_link_http *link, bool patient)
{
    if (patient)
        tc_task_wait(cx, &link->idle, SETTLE_MS);
    for (struct tc_link_http_flight *flight = link->flights; flight; flight = flight->next)
        tc_client_abort(&flight->handle);
    tc_task_wait(cx, &link->empty, ABORTED_MS);
}

/* Holds a reference of its own until the end. */
static void supervise(struct tc_cx *cx, void *arg)
{
    struct tc_link_http *link = arg;
    enum tc_err code = tc_task_wait(cx, &link->over, -1);
    bool polite;

    tc_task_shield(cx);
    if (code != TC_OK)
        tc_link_http_end(link, "Toolcrib is shutting down.");
    settle(cx, link, code == TC_OK && !link->closing);
    tc_task_group_cancel(&link->group, TC_E_CANCELED);
    tc_task_join(cx, &link->group);
    if (!link->closing && link->events.ended)
        link->events.ended(link->events.arg);
    polite = code == TC_OK && link->session.n > 0 && !link->forgotten;
    if (polite && tc_task_spawn(cx, link->loop, &link->group, "mcp-bye", tc_link_http_say_goodbye, link) == TC_OK)
        tc_task_join(cx, &link->group);
    tc_event_set(&link->finished);
    tc_task_unshield(cx);
    tc_link_http_unref(&link->base);
}

static void close_link(struct tc_link *self)
{
    struct tc_link_http *link = (struct tc_link_http *)self;

    link->closing = true;
    tc_link_http_end(link, "The connection was closed.");
}

static enum tc_err join(struct tc_cx *cx, struct tc_link *self, int64_t timeout_ms)
{
    return tc_task_wait(cx, &((struct tc_link_http *)self)->finished, timeout_ms);
}

/* --- state --- */

static void agreed(struct tc_link *self, const struct tc_mcp_revision *revision)
{
    ((struct tc_link_http *)self)->revision = revision;
}

static bool alive(const struct tc_link *self)
{
    return !((const struct tc_link_http *)self)->over.set;
}

static void status(const struct tc_link *self, struct tc_link_status *ret_status)
{
    const struct tc_link_http *link = (const struct tc_link_http *)self;

    *ret_status = (struct tc_link_status){
        .reason = link->over.set ? tc_str_of(link->reason) : tc_str_n("", 0),
        .forgotten = link->forgotten,
        .heard = link->heard,
        .output = tc_str_n("", 0),
        .skipped_line = tc_str_n(link->skipped_line, link->skipped_line_n),
        .in_flight = link->in_flight,
        .messages = link->messages,
        .skipped = link->skipped,
        .late = link->late,
        .too_long = link->too_long,
    };
}

static const struct tc_link_ops ops = {
    .name = "http",
    .takes_headers = true,
    .request = tc_link_http_request,
    .notify = tc_link_http_notify,
    .answer = tc_link_http_answer,
    .agreed = agreed,
    .alive = alive,
    .status = status,
    .close = close_link,
    .join = join,
    .ref = tc_link_http_ref,
    .unref = tc_link_http_unref,
};

/* --- the start --- */

static enum tc_err make(struct tc_cx *cx, const struct tc_link_http_options *options,
                        const struct tc_link_events *events, struct tc_link_http **ret_link)
{
    struct tc_link_http *link = tc_mem_zalloc(1, sizeof *link);
    enum tc_err code;

    if (!link)
        return tc_fail_memory(cx);
    link->base.ops = &ops;
    link->refs = 1;
    link->loop = options->loop;
    link->events = *events;
    link->message_max = options->message_max ? options->message_max : MESSAGE_MAX;
    tc_arena_init(&link->arena, 0);
    tc_buf_init(&link->session, SESSION_MAX);
    tc_event_set(&link->idle);
    tc_event_set(&link->empty);
    tc_task_group_init(&link->group, options->loop);
    code = tc_remote_copy(cx, options->remote, &link->arena, &link->remote);
    if (code != TC_OK) {
        tc_arena_finish(&link->arena);
        tc_mem_free(link);
        return code;
    }
    *ret_link = link;
    return TC_OK;
}

enum tc_err tc_link_http_open(struct tc_cx *cx, const struct tc_link_http_options *options,
                              const struct tc_link_events *events, struct tc_link **ret_link)
{
    struct tc_link_http *link;
    enum tc_err code = make(cx, options, events, &link);

    if (code != TC_OK)
        return code;
    tc_link_http_ref(&link->base); /* the supervisor's */
    code = tc_task_spawn(cx, options->loop, NULL, "mcp-http", supervise, link);
    if (code != TC_OK) {
        link->refs = 1;
        tc_event_set(&link->finished);
        tc_link_http_unref(&link->base);
        return code;
    }
    *ret_link = &link->base;
    return TC_OK;
}
