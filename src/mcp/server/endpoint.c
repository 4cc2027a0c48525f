/*
 * One endpoint for all revisions: who calls and for whom is settled here, then the
 * HTTP method says what it is about.
 */
#include "mcp/server/endpoint.h"

#include "base/clock.h"
#include "base/mem.h"
#include "io/loop.h"
#include "mcp/server/endpoint_state.h"
#include "mcp/server/jobs.h"
#include "runtime/servers_offer.h"

enum { IDLE_MS = 30 * 60 * 1000 }; /* of a session */

static void on_change(void *arg)
{
    struct tc_endpoint *endpoint = arg;

    for (struct tc_watch *watch = endpoint->watches; watch; watch = watch->next) {
        watch->changed = true;
        tc_event_set(&watch->feed->wake);
    }
}

/* A notification that a resource was updated, as this client names it. */
static void tell_updated(struct tc_feed *feed, const struct tc_subscriptions *subscriptions, struct tc_str uuid,
                         struct tc_str native, struct tc_str tag)
{
    struct tc_str uri = tc_subscriptions_match(subscriptions, uuid, native);
    struct tc_buf buf;
    struct tc_jsonw w;

    if (!uri.p || !feed)
        return;
    tc_buf_init(&buf, 1024 * 1024);
    tc_rpc_open_request(&w, &buf, TC_STR(""), "notifications/resources/updated");
    tc_jsonw_object(&w);
    tc_jsonw_kstr(&w, "uri", uri);
    if (tag.n) {
        tc_jsonw_key(&w, "_meta");
        tc_jsonw_raw(&w, tag);
    }
    tc_jsonw_end(&w);
    tc_jsonw_end(&w);
    if (!buf.failed)
        tc_feed_push(feed, tc_buf_get(&buf), TC_FEED_ONCE);
    tc_buf_finish(&buf);
}

static void on_updated(void *arg, struct tc_str uuid, struct tc_str native)
{
    struct tc_endpoint *endpoint = arg;
    struct tc_str key;
    void *value;

    for (size_t at = 0; tc_map_next(&endpoint->sessions.by_id, &at, &key, &value);) {
        struct tc_session *session = value;
        tell_updated(session->main, &session->subscriptions, uuid, native, TC_STR(""));
    }
    for (struct tc_watch *watch = endpoint->watches; watch; watch = watch->next)
        if (watch->subscriptions)
            tell_updated(watch->feed, watch->subscriptions, uuid, native, watch->tag);
}

/* --- requests under way --- */

static int64_t now_us(const struct tc_endpoint *endpoint)
{
    return tc_loop_lately_us(endpoint->runtime->loop);
}

static void tend_at(struct tc_endpoint *endpoint, int64_t at_us)
{
    if (endpoint->timer.at == 0 || at_us < endpoint->timer.due)
        tc_timer_set(&endpoint->timer, at_us);
}

void tc_endpoint_tend(struct tc_endpoint *endpoint, int within_ms)
{
    tend_at(endpoint, now_us(endpoint) + (int64_t)within_ms * 1000);
}

static void on_timer(struct tc_timer *timer)
{
    struct tc_endpoint *endpoint = (struct tc_endpoint *)((char *)timer - offsetof(struct tc_endpoint, timer));
    int64_t next_us = tc_jobs_tend(&endpoint->parking, tc_loop_clock(endpoint->runtime->loop));

    tc_outlets_tend(&endpoint->outlets, now_us(endpoint));
    if (endpoint->outlets.first || endpoint->parking.by_state.n || endpoint->parking.by_job.n)
        tc_endpoint_tend(endpoint, TC_ENDPOINT_TEND_MS);
    if (next_us != INT64_MAX)
        tend_at(endpoint, next_us);
}

/* --- life --- */

enum tc_err tc_endpoint_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_endpoint **ret_endpoint)
{
    struct tc_endpoint *endpoint = tc_mem_zalloc(1, sizeof *endpoint);

    if (!endpoint)
        return tc_fail_memory(cx);
    endpoint->runtime = runtime;
    if (!tc_timer_init(&endpoint->timer, runtime->loop, on_timer)) {
        tc_mem_free(endpoint);
        return tc_fail_memory(cx);
    }
    tc_sessions_init(&endpoint->sessions, runtime->servers, IDLE_MS);
    tc_parking_init(&endpoint->parking, runtime->loop);
    tc_task_group_init(&endpoint->calls, runtime->loop);
    tc_registry_watch(runtime->registry, on_change, endpoint);
    tc_access_watch(runtime->access, on_change, endpoint);
    tc_servers_watch(runtime->servers, (struct tc_servers_watch){on_change, on_updated, endpoint});
    *ret_endpoint = endpoint;
    return TC_OK;
}

void tc_endpoint_end_streams(struct tc_endpoint *endpoint)
{
    if (!endpoint)
        return;
    endpoint->ending = true;
    tc_parking_close(&endpoint->parking);
    on_change(endpoint);
}

void tc_endpoint_destroy(struct tc_cx *cx, struct tc_endpoint *endpoint)
{
    if (!endpoint)
        return;
    tc_parking_finish(cx, &endpoint->parking);
    tc_task_shield(cx);
    tc_task_group_cancel(&endpoint->calls, TC_E_SHUTDOWN);
    tc_task_join(cx, &endpoint->calls);
    tc_task_unshield(cx);
    tc_access_unwatch(endpoint->runtime->access, endpoint);
    tc_servers_watch(endpoint->runtime->servers, (struct tc_servers_watch){0});
    tc_registry_unwatch(endpoint->runtime->registry, endpoint);
    tc_timer_finish(&endpoint->timer);
    tc_sessions_finish(&endpoint->sessions);
    tc_mem_free(endpoint);
}

/* --- answers --- */

static const struct tc_str json_type = TC_STR_INIT("application/json");

void tc_endpoint_reply(struct tc_cx *cx, struct tc_exchange *exchange, int status, struct tc_str body,
                       const struct tc_session *session)
{
    struct tc_header fields[] = {{TC_STR("Mcp-Session-Id"), tc_str_of(session ? session->id : "")}};
    struct tc_exchange_reply r = {
        .status = status,
        .content_type = body.n ? json_type : TC_STR(""),
        .extra = {fields, session ? 1 : 0},
        .body = body,
    };

    tc_exchange_reply(cx, exchange, &r); /* a client that is gone needs no answer */
}

void tc_endpoint_refuse(struct tc_cx *cx, struct tc_exchange *exchange, struct tc_str id)
{
    static const struct tc_header allow[] = {{TC_STR_INIT("Allow"), TC_STR_INIT("POST, GET, DELETE")}};
    int status = tc_err_info(cx->err.code)->http_status;
    struct tc_exchange_reply r = {
        .status = status < 400 ? 400 : status,
        .content_type = json_type,
        .extra = {allow, status == 405 ? 1 : 0},
    };
    struct tc_buf body;

    tc_buf_init(&body, TC_OUTLET_ANSWER_MAX);
    tc_dialog_error(cx, NULL, id, &body);
    r.body = tc_buf_get(&body);
    tc_exchange_reply(cx, exchange, &r);
    tc_buf_finish(&body);
}

bool tc_endpoint_accepts(const struct tc_exchange *exchange, const char *type)
{
    struct tc_str accept = tc_exchange_header(exchange, TC_STR("Accept"));

    return !accept.p || tc_header_has(accept, tc_str_of(type)) || tc_header_has(accept, TC_STR("*/*"));
}

static void do_delete(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                      struct tc_dialog *dialog)
{
    struct tc_str id = tc_exchange_header(exchange, TC_STR("Mcp-Session-Id"));
    enum tc_err e = id.p ? TC_OK : tc_fail(cx, TC_E_HTTP_METHOD, "DELETE needs the Mcp-Session-Id to end.");

    if (!e)
        e = tc_sessions_enter(cx, &endpoint->sessions, id, dialog->principal, dialog->agent, &dialog->session);
    if (e) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
        return;
    }
    tc_sessions_end(&endpoint->sessions, dialog->session);
    tc_endpoint_reply(cx, exchange, 204, TC_STR(""), NULL);
    tc_sessions_leave(&endpoint->sessions, dialog->session, tc_clock_wall_ms(cx->clock));
}

/* --- who may --- */

static enum tc_err agent_of(struct tc_cx *cx, const struct tc_principal *principal, struct tc_str path_agent,
                            struct tc_str *ret_agent)
{
    if (principal->role == TC_ROLE_AGENT) {
        if (path_agent.n && !tc_str_eq(path_agent, principal->agent)) {
            tc_fail(cx, TC_E_AUTH_AGENT_MISMATCH, "This token is bound to another agent than \"%.*s\".",
                    TC_STR_ARG(path_agent));
            return tc_fail_hint(cx, "Use /mcp, or a token of that agent.");
        }
        *ret_agent = principal->agent;
        return TC_OK;
    }
    if (principal->role == TC_ROLE_ADMIN && path_agent.n) {
        *ret_agent = path_agent;
        return TC_OK;
    }
    tc_fail(cx, TC_E_AUTH_AGENT_REQUIRED, "MCP needs a token that is bound to an agent.");
    return tc_fail_hint(cx, "Make one with toolcrib token create --agent NAME; an admin may use /mcp/<agent>.");
}

/* The agent that this is about, and what of the dialog is settled by it. */
static enum tc_err begin(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_str path_agent,
                         struct tc_dialog *dialog)
{
    struct tc_agent *agent;
    enum tc_err e = agent_of(cx, dialog->principal, path_agent, &dialog->agent);

    return e ? e : tc_agents_get(cx, endpoint->runtime->agents, dialog->agent, &agent);
}

void tc_endpoint_serve(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                       const struct tc_principal *principal, struct tc_str path_agent)
{
    struct tc_dialog dialog = {
        .runtime = endpoint->runtime, .principal = principal, .parking = &endpoint->parking};
    struct tc_str method = tc_exchange_request(exchange)->method;

    if (begin(cx, endpoint, path_agent, &dialog)) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
    } else if (tc_str_is(method, "POST")) {
        tc_post_serve(cx, endpoint, exchange, &dialog);
    } else if (tc_str_is(method, "GET")) {
        tc_streams_get(cx, endpoint, exchange, &dialog);
    } else if (tc_str_is(method, "DELETE")) {
        do_delete(cx, endpoint, exchange, &dialog);
    } else {
        tc_fail(cx, TC_E_HTTP_METHOD, "The MCP endpoint takes POST, GET and DELETE.");
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
    }
}

void tc_endpoint_serve_sse(struct tc_cx *cx, struct tc_endpoint *endpoint, struct tc_exchange *exchange,
                           const struct tc_principal *principal, struct tc_str path_agent)
{
    struct tc_dialog dialog = {.runtime = endpoint->runtime, .principal = principal}; /* nothing is parked */
    struct tc_str method = tc_exchange_request(exchange)->method;

    if (begin(cx, endpoint, path_agent, &dialog)) {
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
    } else if (tc_str_is(method, "GET")) {
        tc_sse_transport_open(cx, endpoint, exchange, &dialog, path_agent);
    } else if (tc_str_is(method, "POST")) {
        tc_sse_transport_post(cx, endpoint, exchange, &dialog);
    } else {
        tc_fail(cx, TC_E_HTTP_METHOD, "GET opens the stream, POST carries messages.");
        tc_endpoint_refuse(cx, exchange, TC_STR(""));
    }
}
