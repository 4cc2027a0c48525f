/*
 * A call that the server goes on with as a task: it is asked for its status until
 * the task has come to its end, and what it wants to know meanwhile is put to the
 * caller. The core tasks of revision 2025-11-25 bring their result in an answer of
 * its own and ask in requests; those of the extension have both in their status.
 */
#include "mcp/client/answer.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_turn.h"
#include "mcp/codec/input.h"
#include "mcp/codec/task.h"

enum {
    POLL_MS = 1000, /* where the server suggests nothing */
    POLL_LEAST_MS = 50,
    POLL_MOST_MS = 60000,
    GET_MS = 60000, /* for one status */
    CANCEL_MS = 2000,
    MISSES_MAX = 5 /* statuses in a row that did not come */
};

struct waiting {
    struct tc_peer_turn *turn;
    bool core;
    struct tc_str id; /* in the caller's arena */
    struct tc_mcp_task task; /* in that of the last status */
    struct tc_arena *status; /* which goes with the caller's, so that a result in it stays */
    int misses; /* in a row */
    struct tc_str responses; /* for the next request */
};

/* --- requests about a task --- */

static void write_id(struct tc_jsonw *w, const void *arg)
{
    const struct waiting *waiting = arg;

    tc_jsonw_kstr(w, "taskId", waiting->id);
    if (waiting->responses.n) {
        tc_jsonw_key(w, "inputResponses");
        tc_jsonw_raw(w, waiting->responses);
    }
}

static enum tc_err ask(struct tc_cx *cx, struct waiting *waiting, const char *method, int64_t timeout_ms,
                       struct tc_link_reply *ret_reply)
{
    struct tc_peer_turn *turn = waiting->turn;
    struct tc_peer_asking asking = {.method = method,
                                    .write = write_id,
                                    .arg = waiting,
                                    .name = waiting->id,
                                    .caller = turn->use.caller,
                                    .use = &turn->use,
                                    .timeout_ms = timeout_ms};

    return tc_peer_ask(cx, turn->peer, &asking, ret_reply);
}

/* The caller waits no longer. Whether that ends the task is the server's to say. */
static void cancel(struct tc_cx *cx, struct waiting *waiting)
{
    struct tc_link_reply reply;

    if (!tc_peer_alive(waiting->turn->peer))
        return;
    waiting->responses = tc_str_n("", 0);
    tc_task_shield(cx);
    ask(cx, waiting, "tasks/cancel", CANCEL_MS, &reply);
    tc_task_unshield(cx);
}

/* --- ends --- */

/* The task was begun: whatever keeps this side from its end leaves that unknown. */
static void give_up(struct tc_cx *cx, struct waiting *waiting, enum tc_err code, struct tc_source_reply *reply)
{
    struct tc_str why = cx->err.message;

    if (code == TC_E_TIMEOUT)
        tc_answer_none(reply, TC_OUTCOME_UNKNOWN, "The task of the server did not end in time.");
    else if (code == TC_E_CANCELED || code == TC_E_SHUTDOWN)
        tc_answer_none(reply, TC_OUTCOME_UNKNOWN, "The call was cancelled before the task of the server ended.");
    else
        *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_UNKNOWN, .message = why};
    tc_fail_clear(cx);
    cancel(cx, waiting);
    tc_fail_clear(cx);
}

static void read_error(const struct waiting *waiting, struct tc_source_reply *reply)
{
    const struct tc_json *error = waiting->task.error;
    int64_t code = 0;

    if (!tc_json_int(tc_json_get_c(error, "code"), &code) || code < INT32_MIN || code > INT32_MAX)
        code = 0;
    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_SERVER_ERROR,
                                      .rpc_code = (int)code,
                                      .message = tc_json_str(tc_json_get_c(error, "message")),
                                      .data = tc_json_get_c(error, "data")};
    if (reply->message.n == 0)
        reply->message = waiting->task.message.n ? waiting->task.message : TC_STR("The task of the server failed.");
}

/* Of a core task: its answer is that of the call. Blocks until there is one. */
static void fetch_result(struct tc_cx *cx, struct waiting *waiting, struct tc_source_reply *reply)
{
    struct tc_link_reply fetched = {0};
    enum tc_err code = ask(cx, waiting, "tasks/result", tc_peer_turn_left_ms(waiting->turn), &fetched);

    if (code == TC_OK || (code == TC_E_MCP_PROTOCOL && fetched.base.outcome == TC_OUTCOME_SERVER_ERROR)) {
        tc_fail_clear(cx);
        *reply = fetched.base;
    } else {
        give_up(cx, waiting, code, reply);
    }
}

/* Fills in the reply of a task that has come to its end. */
static void read_end(struct tc_cx *cx, struct waiting *waiting, struct tc_source_reply *reply)
{
    const struct tc_mcp_task *task = &waiting->task;
    struct tc_str message;

    if (task->status == TC_MCP_TASK_CANCELLED) {
        message = tc_arena_printf(cx->arena, "The server cancelled the task. %.*s", TC_STR_ARG(task->message));
        *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_SERVER_ERROR,
                                          .message = message.p ? message : TC_STR("The server cancelled the task.")};
    } else if (waiting->core) {
        fetch_result(cx, waiting, reply);
    } else if (task->status == TC_MCP_TASK_FAILED) {
        read_error(waiting, reply);
    } else if (tc_json_is(task->result, TC_JSON_OBJECT)) {
        *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT, .result = task->result};
    } else {
        reply->outcome = TC_OUTCOME_UNSUPPORTED;
        reply->message = TC_STR("The task of the server has ended without a result.");
    }
}

/* --- until the end --- */

static void finish_arena(void *arg)
{
    tc_arena_finish(arg);
}

static enum tc_err make_arena(struct tc_cx *cx, struct waiting *waiting)
{
    waiting->status = TC_ARENA_NEW(cx->arena, struct tc_arena);
    if (!waiting->status)
        return tc_fail_memory(cx);
    tc_arena_init(waiting->status, 0);
    return tc_arena_defer(cx->arena, finish_arena, waiting->status) ? TC_OK : tc_fail_memory(cx);
}

/* What the server wants to know, and was not told yet. */
static enum tc_err meet_wishes(struct tc_cx *cx, struct waiting *waiting)
{
    struct tc_link_reply reply;
    enum tc_err code = tc_mcp_input_check(cx, waiting->task.requests);

    if (code == TC_OK)
        code = tc_peer_answer(cx, waiting->turn, waiting->task.requests, &waiting->responses);
    if (code != TC_OK || waiting->responses.n == 0)
        return code;
    code = ask(cx, waiting, "tasks/update", tc_peer_turn_left_ms(waiting->turn), &reply);
    waiting->responses = tc_str_n("", 0);
    return code;
}

static enum tc_err pause(struct tc_cx *cx, const struct waiting *waiting)
{
    int64_t ms = waiting->task.poll_ms ? waiting->task.poll_ms : POLL_MS, left_ms = tc_peer_turn_left_ms(waiting->turn);

    ms = ms < POLL_LEAST_MS ? POLL_LEAST_MS : ms > POLL_MOST_MS ? POLL_MOST_MS : ms;
    if (left_ms == 0)
        return tc_fail(cx, TC_E_TIMEOUT, "The task did not end in time.");
    return tc_task_sleep(cx, ms < left_ms ? ms : left_ms);
}

static enum tc_err get_status(struct tc_cx *cx, struct waiting *waiting)
{
    int64_t left_ms = tc_peer_turn_left_ms(waiting->turn);
    struct tc_link_reply reply = {0};
    enum tc_err code = ask(cx, waiting, "tasks/get", left_ms < GET_MS ? left_ms : GET_MS, &reply);

    return code == TC_OK ? tc_mcp_task_read(cx, reply.base.result, &waiting->task) : code;
}

/* A status that does not come is no end of the task, for a while. */
static enum tc_err poll(struct tc_cx *cx, struct waiting *waiting)
{
    struct tc_cx status_cx = *cx;
    enum tc_err code;

    tc_arena_reset(waiting->status);
    status_cx.arena = waiting->status;
    waiting->task = (struct tc_mcp_task){.status = TC_MCP_TASK_WORKING};
    code = get_status(&status_cx, waiting);
    if (code == TC_OK)
        waiting->misses = 0;
    else if (code == TC_E_TIMEOUT && tc_task_check(cx) == TC_OK && tc_peer_turn_left_ms(waiting->turn) > 0 &&
             ++waiting->misses < MISSES_MAX)
        code = TC_OK;
    else
        tc_fail(cx, code, "%.*s", TC_STR_ARG(status_cx.err.message));
    return code;
}

static enum tc_err await_end(struct tc_cx *cx, struct waiting *waiting)
{
    enum tc_err code = TC_OK;

    while (code == TC_OK) {
        if (waiting->task.status == TC_MCP_TASK_INPUT && waiting->core)
            break; /* its questions come while its result is waited for */
        if (waiting->task.status == TC_MCP_TASK_INPUT)
            code = meet_wishes(cx, waiting);
        else if (waiting->task.status != TC_MCP_TASK_WORKING)
            break;
        if (code == TC_OK)
            code = pause(cx, waiting);
        if (code == TC_OK)
            code = poll(cx, waiting);
    }
    return code;
}

void tc_peer_await_task(struct tc_cx *cx, struct tc_peer_turn *turn, const struct tc_json *task,
                        struct tc_source_reply *reply)
{
    struct waiting waiting = {.turn = turn, .core = tc_peer_has(turn->peer, TC_MCP_HANDSHAKE)};
    enum tc_err code = tc_mcp_task_read(cx, task, &waiting.task);

    if (code != TC_OK) {
        tc_peer_turn_fail(cx, reply);
        return;
    }
    waiting.id = waiting.task.id;
    turn->use.task = waiting.id;
    turn->use.token = turn->id;
    turn->answered_n = 0;
    code = make_arena(cx, &waiting);
    if (code == TC_OK)
        code = await_end(cx, &waiting);
    if (code == TC_OK)
        read_end(cx, &waiting, reply);
    else
        give_up(cx, &waiting, code, reply);
    turn->use.task = tc_str_n("", 0);
    turn->use.token = 0;
}
