/*
 * The task owns its struct and takes it out of the table at its end. Whoever else
 * has to do with it finds it by state or feed, between two parking calls.
 */
#include "mcp/server/parked.h"

#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "mcp/server/jobs.h"
#include "mcp/server/parked_state.h"

enum {
    RETRIES_MAX = 100,   /* of one request */
    KEEP_MS = 60 * 1000  /* an answer that nobody is there to take */
};

static const char *const parking_methods[] = {"tools/call", "prompts/get", "resources/read"};

/* --- all of them --- */

void tc_parking_init(struct tc_parking *parking, struct tc_loop *loop)
{
    *parking = (struct tc_parking){.loop = loop};
    tc_task_group_init(&parking->tasks, loop);
}

void tc_parking_close(struct tc_parking *parking)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&parking->by_state, &at, &key, &value);) {
        struct tc_parked *parked = value;
        if (!parked->outlet.feed && !parked->job.id[0])
            tc_task_cancel(parked->task, TC_E_SHUTDOWN);
    }
}

void tc_parking_finish(struct tc_cx *cx, struct tc_parking *parking)
{
    tc_task_shield(cx);
    tc_task_group_cancel(&parking->tasks, TC_E_SHUTDOWN);
    tc_task_join(cx, &parking->tasks);
    tc_task_unshield(cx);
    tc_map_finish(&parking->by_state);
    tc_jobs_finish(parking);
}

bool tc_parked_wanted(const struct tc_dialog *d, const struct tc_rpc *request)
{
    for (size_t i = 0; i < sizeof parking_methods / sizeof *parking_methods; i++)
        if (tc_str_is(request->method, parking_methods[i]))
            return d->envelope.abilities ||
                   tc_json_get_c(request->params, "requestState") || tc_json_get_c(request->params, "inputResponses");
    return false;
}

static enum tc_err bad_state(struct tc_cx *cx)
{
    tc_fail(cx, TC_E_MCP_STATE, "This requestState does not belong to this request, or its time has passed.");
    return tc_fail_hint(cx, "Send the request anew, without requestState and inputResponses.");
}

/* --- the task --- */

void tc_parked_destroy(struct tc_parked *parked)
{
    tc_json_doc_unref(parked->job.outcome);
    tc_feed_unref(parked->outlet.feed);
    tc_json_doc_unref(parked->doc);
    tc_arena_finish(&parked->arena);
    tc_mem_free(parked);
}

/* The answer was begun for the first try; the one that waits may be a later one. */
static void readdress(const struct tc_parked *parked, struct tc_buf *answer)
{
    static const struct tc_str head = TC_STR_INIT("{\"jsonrpc\":\"2.0\",\"id\":");
    struct tc_buf old = *answer;

    if (tc_str_eq(parked->id, parked->rpc.id) || old.n < head.n + parked->rpc.id.n)
        return;
    tc_buf_init(answer, TC_OUTLET_ANSWER_MAX);
    tc_buf_str(answer, head);
    tc_buf_str(answer, parked->id);
    tc_buf_str(answer, tc_str_from(tc_buf_get(&old), head.n + parked->rpc.id.n));
    tc_buf_finish(&old);
}

static void run(struct tc_cx *cx, void *arg)
{
    struct tc_parked *parked = arg;
    struct tc_buf answer;
    int status;

    tc_buf_init(&answer, TC_OUTLET_ANSWER_MAX);
    status = tc_dialog_answer(cx, &parked->dialog, &parked->rpc, &answer);
    while (!parked->job.id[0] && !parked->outlet.feed && tc_task_wait(cx, &parked->joined, KEEP_MS) == TC_OK)
        tc_event_clear(&parked->joined);
    tc_map_remove(&parked->parking->by_state, tc_str_of(parked->state));
    if (parked->job.id[0]) {
        tc_jobs_end(parked, tc_buf_get(&answer), tc_clock_wall_ms(cx->clock));
        tc_buf_finish(&answer);
        return;
    }
    readdress(parked, &answer);
    tc_parked_hand_over(parked, tc_buf_get(&answer), status);
    tc_buf_finish(&answer);
    tc_parked_destroy(parked);
}

/* --- requests --- */

/* The client that waits is another one now. */
static enum tc_err attach(struct tc_cx *cx, struct tc_parked *parked, const struct tc_parked_request *request,
                          struct tc_feed **ret)
{
    const struct tc_envelope *envelope = &request->dialog->envelope;
    struct tc_str id = tc_arena_dup(&parked->arena, request->rpc->id),
                  token = request->events ? tc_envelope_progress_token(&parked->arena, request->rpc->params)
                                          : TC_STR("");
    enum tc_err e = id.p && token.p ? tc_feed_create(cx, 0, ret) : tc_fail_memory(cx);

    if (e)
        return e;
    parked->id = id;
    parked->since_us = tc_clock_mono_us(cx->clock);
    parked->outlet.token = token;
    parked->outlet.log_level = request->events ? envelope->log_level : TC_LOG_NONE;
    parked->outlet.caller.log_level = tc_str_of(tc_envelope_log_name(parked->outlet.log_level));
    parked->outlet.feed = tc_feed_ref(*ret);
    return TC_OK;
}

static enum tc_err prepare(struct tc_cx *cx, struct tc_parked *parked, const struct tc_parked_request *request)
{
    const struct tc_dialog *d = request->dialog;
    enum tc_err e;

    tc_arena_init(&parked->arena, 0);
    tc_rand_handle(parked->state);
    parked->doc = tc_json_doc_ref(request->doc);
    parked->rpc = *request->rpc;
    parked->rpc.id = tc_arena_dup(&parked->arena, request->rpc->id);
    e = tc_dialog_keep(cx, &parked->arena, d, &parked->principal, &parked->dialog);
    parked->dialog.caller = &parked->outlet.caller;
    parked->outlet.caller = (struct tc_caller){.ops = &tc_parked_caller, .abilities = d->envelope.abilities};
    parked->outlet.revision = d->envelope.revision;
    return e || parked->rpc.id.p ? e : tc_fail_memory(cx);
}

static enum tc_err start(struct tc_cx *cx, struct tc_parking *parking, const struct tc_parked_request *request,
                         struct tc_feed **ret_feed)
{
    struct tc_parked *parked;
    enum tc_err e = request->job ? tc_jobs_check_room(cx, parking, request->dialog->principal->id) : TC_OK;

    if (e)
        return e;
    parked = tc_mem_zalloc(1, sizeof *parked);
    if (!parked)
        return tc_fail_memory(cx);
    parked->parking = parking;
    e = prepare(cx, parked, request);
    if (request->job) { /* it belongs to no session, so nobody can be asked */
        parked->dialog.session = NULL;
        parked->outlet.caller.abilities = 0;
    }
    if (!e)
        e = attach(cx, parked, request, ret_feed);
    if (e) {
        tc_parked_destroy(parked);
        return e;
    }
    if (!tc_map_put(&parking->by_state, tc_str_of(parked->state), parked))
        e = tc_fail_memory(cx);
    if (!e)
        e = tc_task_spawn_ref(cx, parking->loop, &parking->tasks, "mcp request", run, parked, &parked->task);
    if (e) {
        tc_map_remove(&parking->by_state, tc_str_of(parked->state));
        tc_feed_unref(*ret_feed);
        tc_parked_destroy(parked);
    }
    if (!e && request->job)
        tc_jobs_promote(parked, tc_clock_wall_ms(cx->clock));
    return e;
}

static enum tc_err join(struct tc_cx *cx, struct tc_parking *parking, const struct tc_parked_request *request,
                        struct tc_feed **ret_feed)
{
    const struct tc_dialog *d = request->dialog;
    struct tc_str state = tc_json_str(tc_json_get_c(request->rpc->params, "requestState"));
    struct tc_parked *parked = tc_map_get(&parking->by_state, state);
    char digest[TC_HASH_HEX_SIZE];
    enum tc_err e = tc_parked_digest(cx, request->rpc, digest);

    if (e)
        return e;
    if (!parked || !parked->asked || parked->job.id[0] || !tc_str_eq(parked->principal.id, d->principal->id) ||
        !tc_str_eq(parked->dialog.agent, d->agent) || !tc_hash_same(digest, parked->digest, sizeof digest))
        return bad_state(cx);
    if (parked->outlet.feed)
        return tc_fail(cx, TC_E_MCP_STATE, "The request of this state is under way already.");
    if (++parked->retries > RETRIES_MAX)
        return tc_fail(cx, TC_E_LIMIT, "This request was retried more than %d times.", RETRIES_MAX);
    e = attach(cx, parked, request, ret_feed);
    if (e)
        return e;
    if (tc_parked_deliver(parked, tc_json_get_c(request->rpc->params, "inputResponses")))
        tc_parked_show(parked);
    else
        tc_event_set(&parked->joined);
    return TC_OK;
}

enum tc_err tc_parked_begin(struct tc_cx *cx, struct tc_parking *parking, const struct tc_parked_request *request,
                            struct tc_feed **ret_feed)
{
    const struct tc_json *state = tc_json_get_c(request->rpc->params, "requestState"),
                         *answers = tc_json_get_c(request->rpc->params, "inputResponses");

    if (answers && !tc_json_is(answers, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_RPC_PARAMS, "inputResponses is an object.");
    if (state && !tc_json_is(state, TC_JSON_STRING))
        return tc_fail(cx, TC_E_RPC_PARAMS, "requestState is the string that was given out.");
    return state ? join(cx, parking, request, ret_feed) : start(cx, parking, request, ret_feed);
}

void tc_parked_abandon(struct tc_parking *parking, const struct tc_feed *feed)
{
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&parking->by_state, &at, &key, &value);) {
        struct tc_parked *parked = value;
        if (parked->outlet.feed == feed)
            tc_task_cancel(parked->task, TC_E_CANCELED);
    }
}
