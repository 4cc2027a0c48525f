/*
 * Recorded when it is over: such requests only read, as read-only built-ins do.
 */
#include "runtime/pass.h"

#include "base/clock.h"
#include "base/rand.h"
#include "ports/store_audit.h"
#include "runtime/redact.h"
#include "runtime/reply.h"
#include "runtime/servers_offer.h"

enum { BAD_PARAMS = -32602 };

static enum tc_err from_error(struct tc_cx *cx, const struct tc_source_reply *reply)
{
    if (tc_reply_needs(cx, reply))
        return cx->err.code;
    if (reply->rpc_code == BAD_PARAMS)
        return tc_fail(cx, TC_E_RPC_PARAMS, "The server refused the request: %.*s", TC_STR_ARG(reply->message));
    return tc_fail(cx, TC_E_MCP_SERVER_ERROR, "The server answered with error %d: %.*s", reply->rpc_code,
                   TC_STR_ARG(reply->message));
}

static enum tc_err from_reply(struct tc_cx *cx, const struct tc_source_reply *reply)
{
    switch (reply->outcome) {
    case TC_OUTCOME_RESULT:
        return TC_OK;
    case TC_OUTCOME_SERVER_ERROR:
        return from_error(cx, reply);
    case TC_OUTCOME_UNSUPPORTED:
        return tc_fail(cx, TC_E_MCP_UNSUPPORTED_RESPONSE, "The server's answer is not a result: %.*s",
                       TC_STR_ARG(reply->message));
    case TC_OUTCOME_NOT_SENT:
        if (reply->code == TC_E_MCP_LOGIN_REQUIRED || reply->code == TC_E_MCP_AUTHORIZATION) {
            tc_fail(cx, reply->code, "%.*s", TC_STR_ARG(reply->message));
            return reply->hint.n ? tc_fail_hint(cx, "%.*s", TC_STR_ARG(reply->hint)) : reply->code;
        }
        return tc_fail(cx, TC_E_MCP_NOT_SENT, "The request was not sent: %.*s", TC_STR_ARG(reply->message));
    case TC_OUTCOME_UNKNOWN:
        break;
    }
    return tc_fail(cx, TC_E_MCP_OUTCOME_UNKNOWN, "No answer came: %.*s", TC_STR_ARG(reply->message));
}

static struct tc_str make_id(struct tc_cx *cx, int64_t at)
{
    char id[TC_RAND_ID_SIZE];

    tc_rand_id(at, id);
    return tc_arena_dup(cx->arena, tc_str_of(id));
}

/* The failure in cx stays, unless the record itself fails. */
static enum tc_err record(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                          const struct tc_pass *pass, int64_t started_us)
{
    struct tc_error fault = cx->err;
    int64_t at = tc_clock_wall_ms(cx->clock);
    struct tc_redaction redaction;
    struct tc_audit_row row = {
        .at = at,
        .state = TC_STR("done"),
        .surface = tc_str_of(invocation->surface),
        .principal_kind = invocation->principal.kind,
        .principal_id = invocation->principal.id,
        .agent = invocation->agent,
        .invocation = make_id(cx, at),
        .call_id = make_id(cx, at),
        .tool_id = TC_STR(""),
        .call_name = tc_str_of(pass->method),
        .is_error = fault.code != TC_OK,
        .error_code = fault.code ? tc_str_of(tc_err_info(fault.code)->name) : TC_STR(""),
        .total_us = tc_clock_mono_us(cx->clock) - started_us,
    };
    enum tc_err e;

    tc_rand_id_after(at, runtime->last_id);
    row.id = tc_arena_dup(cx->arena, tc_str_of(runtime->last_id));
    row.exec_us = row.total_us;
    tc_redact_init(&redaction, runtime->redact_key);
    e = row.id.p && row.invocation.p && row.call_id.p ? TC_OK : tc_fail_memory(cx);
    if (!e && pass->asked)
        e = tc_redact_value(cx, &redaction, pass->asked, &row.raw);
    if (!e)
        e = runtime->store->audit->add_done(cx, runtime->store, &row, NULL);
    tc_pulse_beat(&runtime->pulse, TC_PULSE_CALLS);
    if (!e)
        cx->err = fault;
    return e;
}

enum tc_err tc_pass_request(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                            const struct tc_pass *pass, const struct tc_json **ret_result, int *ret_code)
{
    struct tc_source_request request = {
        .method = pass->method, .params = pass->params, .meta = pass->meta, .caller = invocation->caller,
        .identity = invocation->agent};
    int64_t started_us = tc_clock_mono_us(cx->clock);
    struct tc_source_reply reply;
    enum tc_err e = tc_servers_request(cx, runtime->servers, pass->uuid, &request, &reply), recorded;

    *ret_code = 0;
    if (!e) {
        tc_fail_clear(cx);
        e = from_reply(cx, &reply);
    }
    if (e == TC_E_RPC_PARAMS || e == TC_E_MCP_SERVER_ERROR || e == TC_E_MCP_CAPABILITY || e == TC_E_MCP_PAGE)
        *ret_code = reply.rpc_code;
    tc_task_shield(cx);
    recorded = record(cx, runtime, invocation, pass, started_us);
    tc_task_unshield(cx);
    if (e || recorded)
        return e ? e : recorded;
    *ret_result = reply.result;
    return TC_OK;
}
