/*
 * Uses of a peer by callers. They run side by side, until a server asks something
 * and nothing tells during whose call: from then on a use whose caller can be asked
 * is the only one while it lasts, so that there is no doubt.
 */
#include "base/clock.h"
#include "io/loop.h"
#include "mcp/client/peer_state.h"

static bool can_be_asked(const struct tc_caller *caller)
{
    return caller && caller->ops->ask && caller->abilities;
}

/* One that is to be alone waits for all others; those that need not be wait for it,
 * also while it waits itself. */
static bool may_enter(const struct tc_peer *peer, bool alone)
{
    if (!peer->one_by_one || !peer->uses)
        return true;
    return !alone && !peer->uses->alone && peer->waiting_alone == 0;
}

static enum tc_err await_turn(struct tc_cx *cx, struct tc_peer *peer, bool alone, int64_t timeout_ms)
{
    int64_t deadline;
    enum tc_err code = TC_OK;

    if (may_enter(peer, alone))
        return TC_OK;
    deadline = tc_task_deadline_set(cx, tc_clock_mono_us(tc_loop_clock(peer->loop)) + timeout_ms * 1000);
    peer->waiting_alone += alone;
    do
        code = tc_task_wait(cx, &peer->left, -1);
    while (code == TC_OK && !may_enter(peer, alone));
    peer->waiting_alone -= alone;
    tc_task_deadline_restore(cx, deadline);
    return code;
}

enum tc_err tc_peer_enter(struct tc_cx *cx, struct tc_peer *peer, struct tc_peer_use *use, int64_t timeout_ms)
{
    bool alone = can_be_asked(use->caller);
    enum tc_err code;

    tc_peer_ref(peer);
    code = await_turn(cx, peer, alone, timeout_ms);
    if (code != TC_OK) {
        tc_peer_unref(peer);
        return code;
    }
    use->alone = peer->one_by_one && alone;
    use->next = peer->uses;
    if (use->next)
        use->next->prev = use;
    peer->uses = use;
    return TC_OK;
}

void tc_peer_leave(struct tc_cx *cx, struct tc_peer *peer, struct tc_peer_use *use)
{
    if (use->open) {
        tc_peer_cancel_questions(peer, use);
        tc_task_shield(cx);
        tc_task_wait(cx, &use->answered, -1);
        tc_task_unshield(cx);
    }
    if (use->prev)
        use->prev->next = use->next;
    else
        peer->uses = use->next;
    if (use->next)
        use->next->prev = use->prev;
    if (peer->one_by_one) {
        tc_event_set(&peer->left);
        tc_event_clear(&peer->left);
    }
    tc_peer_unref(peer);
}

static struct tc_peer_use *find_token(const struct tc_peer *peer, int64_t token)
{
    struct tc_peer_use *use = peer->uses;

    while (use && use->token != token)
        use = use->next;
    return use;
}

/* A question during a core task names the task. */
static struct tc_peer_use *find_task(const struct tc_peer *peer, const struct tc_json *params)
{
    const struct tc_json *related =
        tc_json_get_c(tc_json_get_c(params, "_meta"), "io.modelcontextprotocol/related-task");
    struct tc_str id = tc_json_str(tc_json_get_c(related, "taskId"));
    struct tc_peer_use *use = id.n ? peer->uses : NULL;

    while (use && !tc_str_eq(use->task, id))
        use = use->next;
    return use;
}

/* Where roots have changed, that is why they are asked for. */
static struct tc_peer_use *find_roots(const struct tc_peer *peer)
{
    struct tc_peer_use *use = peer->uses;

    while (use && !use->roots)
        use = use->next;
    return use;
}

struct tc_peer_use *tc_peer_use_of(const struct tc_peer *peer, const struct tc_link_message *message)
{
    struct tc_peer_use *use = message->use ? message->use : find_task(peer, message->rpc.params);
    int64_t token;

    if (use)
        return use;
    if (message->rpc.kind == TC_RPC_NOTIFICATION && tc_str_is(message->rpc.method, "notifications/progress"))
        return tc_str_int(tc_json_str(tc_json_get_c(message->rpc.params, "progressToken")), &token) && token > 0
                   ? find_token(peer, token)
                   : NULL;
    if (message->rpc.kind == TC_RPC_REQUEST && tc_str_is(message->rpc.method, "roots/list") && (use = find_roots(peer)))
        return use;
    return peer->uses && !peer->uses->next ? peer->uses : NULL;
}
