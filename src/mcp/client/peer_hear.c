/*
 * What a server tells unasked: progress, log and the like go to the caller that
 * they belong to, changes to the owner.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"
#include "mcp/codec/clean.h"

enum { CHANGE_MS = 200 };

static struct tc_str clean(struct tc_cx *cx, const struct tc_link_message *message, struct tc_str s)
{
    return message->suspect ? tc_utf8_cleaned(cx->arena, s) : s;
}

static void on_progress(struct tc_cx *cx, const struct tc_peer *peer, const struct tc_link_message *message)
{
    const struct tc_peer_use *use = tc_peer_use_of(peer, message);
    const struct tc_json *params = message->rpc.params, *progress = tc_json_get_c(params, "progress"),
                         *total = tc_json_get_c(params, "total"), *text = tc_json_get_c(params, "message");

    if (!use || !use->caller || !use->caller->ops->progress || !tc_json_is(progress, TC_JSON_NUMBER))
        return;
    use->caller->ops->progress(
        use->caller, tc_json_str(progress), tc_json_is(total, TC_JSON_NUMBER) ? tc_json_str(total) : tc_str_n("", 0),
        tc_json_is(text, TC_JSON_STRING) ? clean(cx, message, tc_json_str(text)) : tc_str_n("", 0));
}

/* A level that is none is let through: better than lost. */
static bool is_loud_enough(const struct tc_caller *caller, struct tc_str level)
{
    int wanted = tc_peer_level(caller->log_level), is = tc_peer_level(level);

    return wanted < 0 || is < 0 || is >= wanted;
}

static void on_log(struct tc_cx *cx, const struct tc_peer *peer, const struct tc_link_message *message)
{
    const struct tc_peer_use *use = tc_peer_use_of(peer, message);
    const struct tc_json *params = message->rpc.params, *data = tc_json_get_c(params, "data");
    struct tc_str level = tc_json_str(tc_json_get_c(params, "level"));

    if (!use || !use->caller || !use->caller->ops->log || !data || !is_loud_enough(use->caller, level))
        return;
    if (message->suspect && tc_mcp_clean(cx, data, &data) != TC_OK)
        return;
    use->caller->ops->log(use->caller, clean(cx, message, level),
                          clean(cx, message, tc_json_str(tc_json_get_c(params, "logger"))), data);
}

/* What somebody was sent to a page for is done. */
static void on_elicited(struct tc_cx *cx, const struct tc_peer *peer, const struct tc_link_message *message)
{
    const struct tc_peer_use *use = tc_peer_use_of(peer, message);
    const struct tc_json *id = tc_json_get_c(message->rpc.params, "elicitationId");

    if (use && use->caller && use->caller->ops->elicited && tc_json_is(id, TC_JSON_STRING))
        use->caller->ops->elicited(use->caller, clean(cx, message, tc_json_str(id)));
}

static void on_cancelled(struct tc_cx *cx, struct tc_peer *peer, const struct tc_json *id)
{
    struct tc_str text = tc_json_is(id, TC_JSON_STRING) ? tc_json_text(cx->arena, id) : tc_json_str(id);

    if (text.p)
        tc_peer_withdraw(peer, text);
}

static void tell_changes(struct tc_cx *cx, struct tc_peer_job *job)
{
    struct tc_peer *peer = job->peer;
    enum tc_err code = tc_task_sleep(cx, CHANGE_MS);
    unsigned due = peer->changes_due;

    peer->changes_due = 0;
    for (int kind = 0; kind < TC_SOURCE_KINDS && code == TC_OK && peer->events.list_changed; kind++) {
        if (due & 1u << kind && tc_peer_alive(peer))
            peer->events.list_changed(peer->events.arg, (enum tc_source_kind)kind);
    }
}

void tc_peer_changed(struct tc_cx *cx, struct tc_peer *peer, unsigned kinds)
{
    unsigned due = peer->changes_due | kinds;
    struct tc_peer_job *job = peer->changes_due ? NULL : tc_mem_zalloc(1, sizeof *job);

    if (job)
        job->run = tell_changes;
    if (peer->changes_due || (job && tc_peer_spawn(cx, peer, "mcp-changed", job) == TC_OK))
        peer->changes_due = due;
}

static void on_updated(struct tc_cx *cx, struct tc_peer *peer, const struct tc_link_message *message)
{
    struct tc_str uri = clean(cx, message, tc_json_str(tc_json_get_c(message->rpc.params, "uri")));

    if (uri.n && tc_uri_set_has(peer->uris, uri) && peer->events.resource_updated && !peer->closing)
        peer->events.resource_updated(peer->events.arg, uri);
}

static void on_notification(struct tc_cx *cx, struct tc_peer *peer, const struct tc_link_message *message)
{
    struct tc_str method = message->rpc.method;

    if (tc_str_is(method, "notifications/progress"))
        on_progress(cx, peer, message);
    else if (tc_str_is(method, "notifications/message"))
        on_log(cx, peer, message);
    else if (tc_str_is(method, "notifications/cancelled"))
        on_cancelled(cx, peer, tc_json_get_c(message->rpc.params, "requestId"));
    else if (tc_str_is(method, "notifications/elicitation/complete"))
        on_elicited(cx, peer, message);
    else if (tc_str_is(method, "notifications/resources/updated"))
        on_updated(cx, peer, message);
    else if (tc_str_is(method, "notifications/tools/list_changed"))
        tc_peer_changed(cx, peer, 1u << TC_SOURCE_TOOLS);
    else if (tc_str_is(method, "notifications/prompts/list_changed"))
        tc_peer_changed(cx, peer, 1u << TC_SOURCE_PROMPTS);
    else if (tc_str_is(method, "notifications/resources/list_changed"))
        tc_peer_changed(cx, peer, 1u << TC_SOURCE_RESOURCES | 1u << TC_SOURCE_TEMPLATES);
}

void tc_peer_hear(void *arg, struct tc_cx *cx, const struct tc_link_message *message)
{
    struct tc_peer *peer = arg;

    if (message->rpc.kind == TC_RPC_NOTIFICATION)
        on_notification(cx, peer, message);
    else
        tc_peer_hear_request(cx, peer, message);
}
