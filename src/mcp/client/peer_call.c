/*
 * What callers ask of a server: a call or a request, with as many rounds as it
 * takes. A round whose result requires input puts the questions to the caller and
 * sends the same request again, with a new id, the answers and the server's state.
 */
#include "base/clock.h"
#include "base/utf8.h"
#include "io/loop.h"
#include "mcp/client/answer.h"
#include "mcp/client/peer_ask.h"
#include "mcp/client/peer_state.h"
#include "mcp/client/peer_turn.h"
#include "mcp/codec/input.h"
#include "mcp/codec/tools.h"

enum { ROUNDS_MAX = 10, LEVEL_MS = 10000, HEADER_MISMATCH = -32020 };

/* --- one request on the link --- */

static void write_task(struct tc_jsonw *w, int64_t ttl_ms)
{
    tc_jsonw_key(w, "task");
    tc_jsonw_object(w);
    tc_jsonw_kint(w, "ttl", ttl_ms);
    tc_jsonw_end(w);
}

static void write_members(struct tc_jsonw *w, const struct tc_peer_turn *turn)
{
    struct tc_json_iter it;
    const struct tc_json *v;
    struct tc_str key;

    if (turn->call) {
        tc_jsonw_kstr(w, "name", turn->call->tool);
        tc_jsonw_kvalue(w, "arguments", turn->call->arguments);
        if (turn->as_task)
            write_task(w, turn->timeout_ms);
        return;
    }
    for (it = tc_json_iter(turn->request->params); tc_json_next(&it, &key, &v);) {
        if (tc_str_is(key, "_meta"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, v);
    }
}

static void write_turn(struct tc_jsonw *w, int64_t id, void *arg)
{
    struct tc_peer_turn *turn = arg;
    const struct tc_caller *caller = turn->use.caller;

    turn->id = id;
    tc_jsonw_object(w);
    write_members(w, turn);
    if (turn->responses.n) {
        tc_jsonw_key(w, "inputResponses");
        tc_jsonw_raw(w, turn->responses);
    }
    if (turn->state)
        tc_jsonw_kvalue(w, "requestState", turn->state);
    tc_peer_write_meta(w, turn->peer, caller, turn->meta, caller && caller->ops->progress ? id : 0);
    tc_jsonw_end(w);
}

int64_t tc_peer_turn_left_ms(const struct tc_peer_turn *turn)
{
    int64_t left_us = turn->until_us - tc_clock_mono_us(tc_loop_clock(turn->peer->loop));

    return left_us > 0 ? (left_us + 999) / 1000 : 0;
}

/* What stands for the request in a header field. */
static struct tc_str name_of(const struct tc_peer_turn *turn)
{
    struct tc_str method = tc_str_of(turn->method);

    if (turn->call)
        return turn->call->tool;
    if (tc_str_is(method, "prompts/get") || tc_str_is(method, "tools/call"))
        return tc_json_str(tc_json_get_c(turn->request->params, "name"));
    if (tc_str_is(method, "resources/read"))
        return tc_json_str(tc_json_get_c(turn->request->params, "uri"));
    return tc_str_n("", 0);
}

static enum tc_err send(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *ret_reply)
{
    struct tc_peer *peer = turn->peer;
    const struct tc_peer_tool *tool = turn->call ? tc_peer_tool(peer, turn->call->tool) : NULL;
    struct tc_link_reply reply;
    struct tc_link_request request = {
        .method = turn->method,
        .write_params = write_turn,
        .arg = turn,
        .use = &turn->use,
        .identity = peer->identity,
        .timeout_ms = turn->rounds ? tc_peer_turn_left_ms(turn) : turn->timeout_ms,
    };
    enum tc_err code;

    turn->as_task = tool && tool->as_task;
    code = tc_peer_headers(cx, peer, turn->method, name_of(turn), tool, turn->call ? turn->call->arguments : NULL,
                           &request.headers);
    if (code == TC_OK)
        code = peer->link->ops->request(cx, peer->link, &request, &reply);
    if (code != TC_OK)
        return code;
    *ret_reply = reply.base;
    if (reply.base.outcome == TC_OUTCOME_NOT_SENT && reply.cause.code != TC_OK) {
        ret_reply->code = reply.cause.code;
        ret_reply->hint = reply.cause.hint;
    }
    return TC_OK;
}

/* --- rounds --- */

/* It has answered, though not with a result, and so it is known what became of
 * it; unless the caller has gone. */
void tc_peer_turn_fail(struct tc_cx *cx, struct tc_source_reply *reply)
{
    enum tc_err code = cx->err.code;

    if (code == TC_E_CANCELED || code == TC_E_SHUTDOWN) {
        tc_answer_none(reply, TC_OUTCOME_UNKNOWN, "The call was cancelled before the server had a result.");
    } else {
        reply->outcome = TC_OUTCOME_UNSUPPORTED;
        reply->message = cx->err.message;
    }
    tc_fail_clear(cx);
}

/* False when the reply is final. */
static bool prepare_round(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *reply)
{
    struct tc_mcp_input input;
    enum tc_err code = tc_mcp_input_read(cx, reply->result, &input);

    if (code == TC_OK && ++turn->rounds > ROUNDS_MAX)
        code = tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The server has asked for input %d times and gave no result.",
                       ROUNDS_MAX);
    turn->responses = tc_str_n("", 0);
    turn->state = input.state;
    if (code == TC_OK && input.requests)
        code = tc_peer_answer(cx, turn, input.requests, &turn->responses);
    if (code != TC_OK)
        tc_peer_turn_fail(cx, reply);
    return code == TC_OK;
}

/* Whether a result of this method may be something else than its end. */
static bool may_require_input(const struct tc_peer_turn *turn)
{
    struct tc_str method = tc_str_of(turn->method);

    return turn->call || tc_str_is(method, "tools/call") || tc_str_is(method, "prompts/get") ||
           tc_str_is(method, "resources/read");
}

static void refuse_type(struct tc_cx *cx, struct tc_source_reply *reply)
{
    struct tc_str type = tc_json_str(tc_json_get_c(reply->result, "resultType"));

    tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The result is of type \"%.*s\", which was not asked for.",
            TC_STR_ARG(tc_utf8_head(type, TC_PEER_SHOWN_CHARS)));
    tc_peer_turn_fail(cx, reply);
}

/* The task that a result stands for, or NULL. */
static const struct tc_json *task_of(const struct tc_peer_turn *turn, const struct tc_source_reply *reply)
{
    if (turn->as_task)
        return tc_json_get_c(reply->result, "task");
    return turn->call && tc_mcp_result_type(reply->result, turn->peer->revision) == TC_MCP_RESULT_TASK ? reply->result
                                                                                                       : NULL;
}

/* What comes of an answer: true when the request is to be sent again. */
static bool go_on(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *reply)
{
    enum tc_mcp_result_type type = tc_mcp_result_type(reply->result, turn->peer->revision);
    const struct tc_json *task = task_of(turn, reply);

    if (task) {
        tc_peer_await_task(cx, turn, task, reply);
        return false;
    }
    if (type == TC_MCP_RESULT_INPUT && may_require_input(turn))
        return prepare_round(cx, turn, reply);
    if (type != TC_MCP_RESULT_COMPLETE)
        refuse_type(cx, reply);
    return false;
}

/* A call whose header fields do not fit its tool has not been run. The tool may
 * have changed since it was listed. */
static bool can_relist(const struct tc_peer_turn *turn, const struct tc_source_reply *reply)
{
    return reply->outcome == TC_OUTCOME_SERVER_ERROR && reply->rpc_code == HEADER_MISMATCH && turn->call &&
           turn->peer->link->ops->takes_headers && !turn->relisted;
}

static bool list_tools(struct tc_cx *cx, struct tc_peer_turn *turn)
{
    const struct tc_json *entries;

    if (tc_peer_list(cx, turn->peer, TC_SOURCE_TOOLS, tc_peer_turn_left_ms(turn), &entries) == TC_OK)
        return true;
    tc_fail_clear(cx); /* what comes of the call without it is told by the server */
    return false;
}

static enum tc_err run_rounds(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *reply)
{
    bool again = true, sent = false;
    enum tc_err code = TC_OK;

    if (turn->call && tc_peer_wants_tools(turn->peer))
        list_tools(cx, turn);
    while (again && code == TC_OK) {
        code = send(cx, turn, reply);
        if (code != TC_OK)
            break;
        if (can_relist(turn, reply)) {
            turn->relisted = true;
            again = list_tools(cx, turn);
        } else {
            again = reply->outcome == TC_OUTCOME_RESULT && go_on(cx, turn, reply);
            sent = true;
        }
    }
    if (code == TC_OK || !sent)
        return code;
    /* What was sent first decides: it has left, and this process failed later. */
    tc_answer_none(reply, TC_OUTCOME_UNKNOWN, "The call was given up between two rounds.");
    tc_fail_clear(cx);
    return TC_OK;
}

/* --- levels of log messages --- */

static void write_level(struct tc_jsonw *w, const void *arg)
{
    tc_jsonw_kstr(w, "level", *(const struct tc_str *)arg);
}

/* In the era of the handshake the level is the connection's: the least that any
 * caller has asked for. What it is for others is held back (peer_hear.c). */
static void set_level(struct tc_cx *cx, struct tc_peer *peer, const struct tc_caller *caller)
{
    int level = caller && caller->ops->log ? tc_peer_level(caller->log_level) : -1;
    struct tc_peer_asking asking = {.method = "logging/setLevel", .write = write_level, .timeout_ms = LEVEL_MS};
    struct tc_link_reply reply;

    if (level < 0 || (peer->log_level >= 0 && peer->log_level <= level) || !tc_peer_has(peer, TC_MCP_HANDSHAKE) ||
        !tc_peer_capability(peer, "logging"))
        return;
    peer->log_level = level;
    asking.arg = &caller->log_level;
    if (tc_peer_ask(cx, peer, &asking, &reply) != TC_OK)
        tc_fail_clear(cx); /* it then says what it likes */
}

/* --- uses --- */

static enum tc_err not_entered(struct tc_cx *cx, enum tc_err code, struct tc_source_reply *reply)
{
    if (code == TC_E_TIMEOUT)
        tc_answer_none(reply, TC_OUTCOME_NOT_SENT,
                       "The server asks questions, so calls to it run one at a time, and another took all the time.");
    else
        tc_answer_none(reply, TC_OUTCOME_NOT_SENT, "The call was cancelled before it was sent.");
    tc_fail_clear(cx);
    return TC_OK;
}

static enum tc_err run_turn(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *reply)
{
    struct tc_peer *peer = turn->peer;
    enum tc_err code = tc_peer_enter(cx, peer, &turn->use, turn->timeout_ms);

    if (code != TC_OK)
        return not_entered(cx, code, reply);
    turn->until_us = tc_clock_mono_us(tc_loop_clock(peer->loop)) + turn->timeout_ms * 1000;
    set_level(cx, peer, turn->use.caller);
    code = run_rounds(cx, turn, reply);
    tc_peer_leave(cx, peer, &turn->use);
    return code;
}

static void check_result(struct tc_cx *cx, const struct tc_peer *peer, struct tc_source_reply *reply)
{
    struct tc_mcp_result result;

    if (reply->outcome != TC_OUTCOME_RESULT || tc_mcp_tools_result(cx, reply->result, peer->revision, &result) == TC_OK)
        return;
    reply->outcome = TC_OUTCOME_UNSUPPORTED;
    reply->message = cx->err.message;
    tc_fail_clear(cx);
}

enum tc_err tc_peer_call(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_call *call,
                         struct tc_source_reply *ret_reply)
{
    struct tc_peer_turn turn = {.peer = peer,
                                .use.caller = call->caller,
                                .method = "tools/call",
                                .call = call,
                                .meta = call->meta,
                                .timeout_ms = call->timeout_ms};
    enum tc_err code;

    tc_peer_ref(peer);
    code = run_turn(cx, &turn, ret_reply);
    if (code == TC_OK)
        check_result(cx, peer, ret_reply);
    tc_peer_unref(peer);
    return code;
}

static enum tc_err set_empty(struct tc_cx *cx, struct tc_source_reply *reply)
{
    *reply = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT};
    return tc_json_parse_root(cx, TC_STR("{}"), NULL, &reply->result);
}

/* A notification is sent, and that is its result. Changed roots are told to who wants
 * to know. */
static enum tc_err notify(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                          struct tc_source_reply *ret_reply)
{
    struct tc_str params = request->params ? tc_json_text(cx->arena, request->params) : tc_str_n("", 0);
    enum tc_err code = request->params && !params.p ? tc_fail_memory(cx) : TC_OK;

    if (code == TC_OK)
        code = set_empty(cx, ret_reply);
    if (code == TC_OK && tc_str_is(tc_str_of(request->method), "notifications/roots/list_changed")) {
        if (tc_peer_tell_roots(cx, peer, request) != TC_OK)
            code = tc_task_check(cx); /* a server that does not ask is no failure */
        tc_fail_clear(cx);
        return code;
    }
    return code == TC_OK ? peer->link->ops->notify(cx, peer->link, request->method, params) : code;
}

static enum tc_err run_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                               struct tc_source_reply *ret_reply)
{
    struct tc_peer_turn turn = {.peer = peer,
                                .use.caller = request->caller,
                                .method = request->method,
                                .request = request,
                                .meta = request->meta,
                                .timeout_ms = request->timeout_ms};

    return run_turn(cx, &turn, ret_reply);
}

/* In the era without handshake it is part of what is listened to. */
static enum tc_err subscribe(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                             struct tc_source_reply *ret_reply)
{
    struct tc_str uri = tc_json_str(tc_json_get_c(request->params, "uri"));
    bool wanted = tc_str_is(tc_str_of(request->method), "resources/subscribe");
    enum tc_err code =
        tc_peer_has(peer, TC_MCP_LISTEN) ? set_empty(cx, ret_reply) : run_request(cx, peer, request, ret_reply);

    if (code == TC_OK && ret_reply->outcome == TC_OUTCOME_RESULT)
        code = tc_peer_subscribe(cx, peer, uri, wanted);
    if (code != TC_E_LIMIT)
        return code;
    *ret_reply = (struct tc_source_reply){.outcome = TC_OUTCOME_NOT_SENT, .message = cx->err.message};
    tc_fail_clear(cx);
    return TC_OK;
}

enum tc_err tc_peer_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                            struct tc_source_reply *ret_reply)
{
    struct tc_str method = tc_str_of(request->method);

    if (tc_str_starts(method, TC_STR("notifications/")))
        return notify(cx, peer, request, ret_reply);
    if (tc_str_is(method, "resources/subscribe") || tc_str_is(method, "resources/unsubscribe"))
        return subscribe(cx, peer, request, ret_reply);
    return run_request(cx, peer, request, ret_reply);
}
