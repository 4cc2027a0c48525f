/*
 * Batches, which one revision has: an array of messages whose requests are answered
 * by an array. They run side by side; while a batch is under way nothing is told or
 * asked, since there is one answer for all.
 */
#include "mcp/server/asks.h"
#include "mcp/server/endpoint_state.h"
#include "mcp/server/notices.h"

enum { BATCH_MAX = 100 };

struct item {
    struct tc_endpoint *endpoint;
    const struct tc_dialog *dialog;
    struct tc_rpc rpc;
    struct tc_buf answer;
};

static void item_task(struct tc_cx *cx, void *arg)
{
    struct item *item = arg;

    tc_dialog_answer(cx, item->dialog, &item->rpc, &item->answer);
}

static void refuse_item(struct tc_cx *cx, struct item *item, const char *why)
{
    tc_fail(cx, TC_E_RPC_INVALID, "A message of this batch %s.", why);
    tc_dialog_error(cx, item->dialog->envelope.revision, item->rpc.id, &item->answer);
    tc_fail_clear(cx);
}

static enum tc_err begin_item(struct tc_cx *cx, struct tc_task_group *group, struct item *item)
{
    const struct tc_dialog *d = item->dialog;

    switch (item->rpc.kind) {
    case TC_RPC_REQUEST:
        if (!tc_str_is(item->rpc.method, "initialize"))
            return tc_task_spawn(cx, tc_task_loop(cx), group, "mcp batch", item_task, item);
        refuse_item(cx, item, "is initialize, which comes alone");
        return TC_OK;
    case TC_RPC_NOTIFICATION:
        tc_notices_take(cx, item->endpoint, d, &item->rpc);
        return TC_OK;
    case TC_RPC_RESULT:
    case TC_RPC_ERROR:
        if (d->session)
            tc_asks_answer(d->session, &item->rpc);
        return TC_OK;
    default:
        refuse_item(cx, item, item->rpc.fault ? item->rpc.fault : "is a batch itself");
        return TC_OK;
    }
}

static void reply(struct tc_cx *cx, struct tc_post *post, const struct item *items, size_t n)
{
    struct tc_buf body;

    tc_buf_init(&body, TC_OUTLET_ANSWER_MAX);
    for (size_t i = 0; i < n; i++) {
        if (items[i].answer.n == 0)
            continue;
        tc_buf_char(&body, body.n ? ',' : '[');
        tc_buf_str(&body, tc_buf_get(&items[i].answer));
    }
    if (body.n)
        tc_buf_char(&body, ']');
    if (body.failed) {
        tc_fail_memory(cx);
        tc_endpoint_refuse(cx, post->exchange, TC_STR(""));
    } else {
        tc_endpoint_reply(cx, post->exchange, body.n ? 200 : 202, tc_buf_get(&body), NULL);
    }
    tc_buf_finish(&body);
}

static enum tc_err run(struct tc_cx *cx, struct tc_post *post, const struct tc_json *messages, struct item *items)
{
    struct tc_json_iter it = tc_json_iter(messages);
    const struct tc_json *message;
    struct tc_task_group group;
    enum tc_err e = TC_OK, joined;

    tc_task_group_init(&group, tc_task_loop(cx));
    for (struct item *item = items; !e && tc_json_next(&it, NULL, &message); item++) {
        item->endpoint = post->endpoint;
        item->dialog = &post->dialog;
        tc_buf_init(&item->answer, TC_OUTLET_ANSWER_MAX);
        e = tc_rpc_read(cx, message, &item->rpc);
        if (!e)
            e = begin_item(cx, &group, item);
    }
    joined = tc_task_join(cx, &group);
    return e ? e : joined;
}

void tc_batch_serve(struct tc_cx *cx, struct tc_post *post, const struct tc_json *messages)
{
    size_t n = tc_json_count(messages);
    struct item *items = NULL;
    enum tc_err e = TC_OK;

    if (!tc_mcp_revision_has(post->dialog.envelope.revision, TC_MCP_BATCH))
        e = tc_fail(cx, TC_E_RPC_INVALID, "Batches of messages are not part of this revision.");
    else if (n > BATCH_MAX)
        e = tc_fail(cx, TC_E_RPC_INVALID, "A batch has at most %d messages.", BATCH_MAX);
    else if (!(items = TC_ARENA_NEW_N(cx->arena, struct item, n + 1)))
        e = tc_fail_memory(cx);
    else
        e = run(cx, post, messages, items);
    if (e)
        tc_endpoint_refuse(cx, post->exchange, TC_STR(""));
    else
        reply(cx, post, items, n);
    for (size_t i = 0; items && i < n; i++)
        tc_buf_finish(&items[i].answer);
}
