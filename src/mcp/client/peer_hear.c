/*
 * What a server sends unasked: progress and log go to the caller that they
 * belong to, changes to the owner, and requests are answered.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/client/peer_state.h"
#include "mcp/codec/clean.h"

enum { CHANGE_MS = 200, ANSWER_MAX = 4096 };

/* --- notifications --- */

static struct tc_str clean(struct tc_cx *cx, const struct tc_link_message *message, struct tc_str s)
{
    return message->suspect ? tc_utf8_cleaned(cx->arena, s) : s;
}

/* Whose it is, as far as there is no doubt. */
static struct tc_caller *caller_of(const struct tc_peer *peer, const struct tc_link_message *message)
{
    const struct tc_peer_use *use = message->use;

    if (!use && peer->uses && !peer->uses->next)
        use = peer->uses;
    return use ? use->caller : NULL;
}

static void on_progress(struct tc_cx *cx, const struct tc_link_message *message)
{
    const struct tc_peer_use *use = message->use;
    const struct tc_json *params = message->rpc.params, *progress = tc_json_get_c(params, "progress"),
                         *total = tc_json_get_c(params, "total"), *text = tc_json_get_c(params, "message");

    if (!use || !use->caller || !use->caller->ops->progress || !tc_json_is(progress, TC_JSON_NUMBER))
        return;
    use->caller->ops->progress(use->caller, tc_json_str(progress),
                               tc_json_is(total, TC_JSON_NUMBER) ? tc_json_str(total) : tc_str_n("", 0),
                               tc_json_is(text, TC_JSON_STRING) ? clean(cx, message, tc_json_str(text))
                                                                : tc_str_n("", 0));
}

static void on_log(struct tc_cx *cx, const struct tc_peer *peer, const struct tc_link_message *message)
{
    struct tc_caller *caller = caller_of(peer, message);
    const struct tc_json *params = message->rpc.params, *data = tc_json_get_c(params, "data");

    if (!caller || !caller->ops->log || !data)
        return;
    if (message->suspect && tc_mcp_clean(cx, data, &data) != TC_OK)
        return;
    caller->ops->log(caller, clean(cx, message, tc_json_str(tc_json_get_c(params, "level"))),
                     clean(cx, message, tc_json_str(tc_json_get_c(params, "logger"))), data);
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

static void on_list_changed(struct tc_cx *cx, struct tc_peer *peer, unsigned kinds)
{
    unsigned due = peer->changes_due | kinds;
    struct tc_peer_job *job = peer->changes_due ? NULL : tc_mem_zalloc(1, sizeof *job);

    if (job)
        job->run = tell_changes;
    if (peer->changes_due || (job && tc_peer_spawn(cx, peer, "mcp-changed", job) == TC_OK))
        peer->changes_due = due;
}

static void on_notification(struct tc_cx *cx, struct tc_peer *peer, const struct tc_link_message *message)
{
    struct tc_str method = message->rpc.method;

    if (tc_str_is(method, "notifications/progress"))
        on_progress(cx, message);
    else if (tc_str_is(method, "notifications/message"))
        on_log(cx, peer, message);
    else if (tc_str_is(method, "notifications/tools/list_changed"))
        on_list_changed(cx, peer, 1u << TC_SOURCE_TOOLS);
    else if (tc_str_is(method, "notifications/prompts/list_changed"))
        on_list_changed(cx, peer, 1u << TC_SOURCE_PROMPTS);
    else if (tc_str_is(method, "notifications/resources/list_changed"))
        on_list_changed(cx, peer, 1u << TC_SOURCE_RESOURCES | 1u << TC_SOURCE_TEMPLATES);
}

/* --- requests --- */

/* A task of its own: over HTTP an answer takes its time. */
struct answering {
    struct tc_peer_job job;
    struct tc_buf text;
};

static void send_answer(struct tc_cx *cx, struct tc_peer_job *job)
{
    struct answering *answering = (struct answering *)job;
    struct tc_link *link = job->peer->link;

    link->ops->answer(cx, link, tc_buf_get(&answering->text));
}

static void drop_answer(struct tc_peer_job *job)
{
    tc_buf_finish(&((struct answering *)job)->text);
}

/* No capability was declared, so there is nothing that it may ask but whether
 * this side is alive. */
static void on_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_rpc *rpc)
{
    struct answering *answering = tc_mem_zalloc(1, sizeof *answering);

    if (!answering)
        return;
    answering->job.run = send_answer;
    answering->job.drop = drop_answer;
    tc_buf_init(&answering->text, ANSWER_MAX);
    if (tc_str_is(rpc->method, "ping"))
        tc_rpc_write_result(&answering->text, rpc->id, TC_STR("{}"));
    else
        tc_rpc_write_error(&answering->text, rpc->id, -32601, TC_STR("This client offers no such method."), TC_STR(""));
    tc_peer_spawn(cx, peer, "mcp-answer", &answering->job);
}

void tc_peer_hear(void *arg, struct tc_cx *cx, const struct tc_link_message *message)
{
    struct tc_peer *peer = arg;

    if (message->rpc.kind == TC_RPC_NOTIFICATION)
        on_notification(cx, peer, message);
    else
        on_request(cx, peer, &message->rpc);
}
