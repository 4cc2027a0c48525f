/*
 * What callers ask of a server: a call or a request, with as many rounds as it
 * takes. A round whose result requires input puts the questions to the caller and
 * sends the same request again, with a new id, the answers and the server's state.
 */
#include "base/clock.h"
#include "base/utf8.h"
#include "io/loop.h"
#include "mcp/client/answer.h"
#include "mcp/client/peer_state.h"
#include "mcp/client/peer_turn.h"
#include "mcp/codec/input.h"
#include "mcp/codec/tools.h"

enum { ROUNDS_MAX = 10, LEVEL_MS = 10000 };

/* --- one request on the link --- */

static void write_members(struct tc_jsonw *w, const struct tc_peer_turn *turn)
{
    struct tc_json_iter it;
    const struct tc_json *v;
    struct tc_str key;

    if (turn->call) {
        tc_jsonw_kstr(w, "name", turn->call->tool);
        tc_jsonw_kvalue(w, "arguments", turn->call->arguments);
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

static enum tc_err send(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *ret_reply)
{
    struct tc_peer *peer = turn->peer;
    struct tc_link_reply reply;
    struct tc_link_request request = {
        .method = turn->method,
        .write_params = write_turn,
        .arg = turn,
        .use = &turn->use,
        .identity = peer->identity,
        .timeout_ms = turn->rounds ? tc_peer_turn_left_ms(turn) : turn->timeout_ms,
    };
    enum tc_err code = peer->link->ops->request(cx, peer->link, &request, &reply);

    if (code == TC_OK)
        *ret_reply = reply.base;
    return code;
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

static enum tc_err run_rounds(struct tc_cx *cx, struct tc_peer_turn *turn, struct tc_source_reply *reply)
{
    enum tc_mcp_result_type type;
    enum tc_err code;

    for (;;) {
        code = send(cx, turn, reply);
        if (code != TC_OK || reply->outcome != TC_OUTCOME_RESULT)
            break;
        type = tc_mcp_result_type(reply->result, turn->peer->revision);
        if (type == TC_MCP_RESULT_COMPLETE)
            break;
        if (type == TC_MCP_RESULT_INPUT && may_require_input(turn)) {
            if (!prepare_round(cx, turn, reply))
                break;
            continue;
        }
        refuse_type(cx, reply);
        break;
    }
    if (code == TC_OK || turn->rounds == 0)
        return code;
    /* What is sent first decides: it has left, and this process failed later. */
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
    struct tc_peer_asking asking = {
        .method = "logging/setLevel", .write = write_level, .timeout_ms = LEVEL_MS, .arg = &caller->log_level};
    struct tc_link_reply reply;

    if (level < 0 || (peer->log_level >= 0 && peer->log_level <= level) || !tc_peer_has(peer, TC_MCP_HANDSHAKE) ||
        !tc_peer_capability(peer, "logging"))
        return;
    peer->log_level = level;
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

/* A notification is sent, and that is its result. */
static enum tc_err notify(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                          struct tc_source_reply *ret_reply)
{
    struct tc_str params = request->params ? tc_json_text(cx->arena, request->params) : tc_str_n("", 0);
    enum tc_err code = request->params && !params.p ? tc_fail_memory(cx) : TC_OK;

    *ret_reply = (struct tc_source_reply){.outcome = TC_OUTCOME_RESULT};
    if (code == TC_OK)
        code = tc_json_parse_root(cx, TC_STR("{}"), NULL, &ret_reply->result);
    return code == TC_OK ? peer->link->ops->notify(cx, peer->link, request->method, params) : code;
}

enum tc_err tc_peer_request(struct tc_cx *cx, struct tc_peer *peer, const struct tc_source_request *request,
                            struct tc_source_reply *ret_reply)
{
    struct tc_peer_turn turn = {.peer = peer,
                                .use.caller = request->caller,
                                .method = request->method,
                                .request = request,
                                .meta = request->meta,
                                .timeout_ms = request->timeout_ms};

    if (tc_str_starts(tc_str_of(request->method), TC_STR("notifications/")))
        return notify(cx, peer, request, ret_reply);
    return run_turn(cx, &turn, ret_reply);
}

/* --- requests whose failure is an error --- */

struct own_request {
    const struct tc_peer *peer;
    const struct tc_peer_asking *asking;
};

static void write_own(struct tc_jsonw *w, int64_t id, void *arg)
{
    const struct own_request *own = arg;

    (void)id;
    tc_jsonw_object(w);
    if (own->asking->write)
        own->asking->write(w, own->asking->arg);
    tc_peer_write_meta(w, own->peer, own->asking->caller, NULL, 0);
    tc_jsonw_end(w);
}

/* What an outcome means for who needs the result. */
static enum tc_err read_outcome(struct tc_cx *cx, const struct tc_peer *peer, const char *method,
                                const struct tc_source_reply *reply)
{
    switch (reply->outcome) {
    case TC_OUTCOME_RESULT:
        return TC_OK;
    case TC_OUTCOME_SERVER_ERROR:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "The server answered %s with error %d: %.*s", method, reply->rpc_code,
                       TC_STR_ARG(tc_utf8_head(reply->message, TC_PEER_SHOWN_CHARS)));
    case TC_OUTCOME_UNSUPPORTED:
        return tc_fail(cx, TC_E_MCP_PROTOCOL, "%.*s It was asked for %s.", TC_STR_ARG(reply->message), method);
    default:
        return tc_fail(cx, peer->link->ops->alive(peer->link) ? TC_E_TIMEOUT : TC_E_CLOSED, "%.*s It was asked for %s.",
                       TC_STR_ARG(reply->message), method);
    }
}

enum tc_err tc_peer_ask(struct tc_cx *cx, struct tc_peer *peer, const struct tc_peer_asking *asking,
                        struct tc_link_reply *ret_reply)
{
    struct own_request own = {peer, asking};
    struct tc_link_request request = {
        .method = asking->method,
        .write_params = write_own,
        .arg = &own,
        .identity = peer->identity,
        .timeout_ms = asking->timeout_ms,
        .untold = asking->untold,
    };
    enum tc_err code = peer->link->ops->request(cx, peer->link, &request, ret_reply);

    if (code != TC_OK)
        return code;
    if (peer->memory)
        peer->memory->refusal = ret_reply->base.outcome == TC_OUTCOME_RESULT ? 0 : ret_reply->http_status;
    if (ret_reply->base.outcome != TC_OUTCOME_RESULT)
        code = tc_task_check(cx); /* whether it was this side that gave up */
    return code == TC_OK ? read_outcome(cx, peer, asking->method, &ret_reply->base) : code;
}
