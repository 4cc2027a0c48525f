/*
 * What goes with every message, and the messages that want no answer.
 */
#include <stdio.h>

#include "mcp/client/link_http_state.h"

enum {
    NOTIFY_MS = 10 * 1000,
    ANSWER_MS = 30 * 1000,
    GOODBYE_MS = 2 * 1000,
    SMALL_MAX = 64 << 20    /* bytes of a message that is no request */
};

/* --- headers --- */

struct tc_header_list tc_link_http_headers(const struct tc_link_http *link, bool post, struct tc_str last_id,
                                           struct tc_header to[TC_LINK_HTTP_HEADERS_MAX])
{
    size_t n = 0;

    to[n++] = (struct tc_header){TC_STR("Accept"), post ? TC_STR("application/json, text/event-stream")
                                                        : TC_STR("text/event-stream")};
    if (post)
        to[n++] = (struct tc_header){TC_STR("Content-Type"), TC_STR("application/json")};
    if (link->session.n)
        to[n++] = (struct tc_header){TC_STR("Mcp-Session-Id"), tc_buf_get(&link->session)};
    if (link->revision && tc_mcp_revision_has(link->revision, TC_MCP_VERSION_HEADER))
        to[n++] = (struct tc_header){TC_STR("MCP-Protocol-Version"), tc_str_of(link->revision->name)};
    if (last_id.n)
        to[n++] = (struct tc_header){TC_STR("Last-Event-ID"), last_id};
    return (struct tc_header_list){to, n};
}

bool tc_link_http_is_stream(struct tc_header_list headers)
{
    return tc_header_has(tc_header_get(headers, TC_STR("Content-Type")), TC_STR("text/event-stream"));
}

/* --- messages without an answer --- */

/* Sends a message and looks at nothing but whether the session is still known. */
static enum tc_err post(struct tc_cx *cx, struct tc_link_http *link, struct tc_str body, int64_t timeout_ms)
{
    struct tc_header headers[TC_LINK_HTTP_HEADERS_MAX];
    struct tc_remote_request request = {
        .method = TC_STR("POST"),
        .headers = tc_link_http_headers(link, true, TC_STR(""), headers),
        .body = body,
        .timeout_ms = timeout_ms,
    };
    struct tc_remote_answer answer;
    bool acted;
    enum tc_err code = tc_remote_open(cx, &link->remote, &request, &acted, &answer);

    if (code != TC_OK)
        return code;
    if (answer.status == 404 && link->session.n)
        tc_link_http_forgotten(link);
    tc_remote_drop(cx, &link->group, answer.stream);
    return TC_OK;
}

/* Its loss is no error, but the caller's own end is. */
static enum tc_err post_lossy(struct tc_cx *cx, struct tc_link_http *link, const struct tc_buf *body,
                              int64_t timeout_ms)
{
    enum tc_err code = TC_OK;

    if (body->failed)
        return tc_fail_memory(cx);
    tc_link_http_ref(&link->base);
    if (!link->over.set && post(cx, link, tc_buf_get(body), timeout_ms) != TC_OK) {
        tc_fail_clear(cx);
        code = tc_task_check(cx);
    }
    tc_link_http_unref(&link->base);
    return code;
}

enum tc_err tc_link_http_notify(struct tc_cx *cx, struct tc_link *self, const char *method, struct tc_str params)
{
    struct tc_link_http *link = (struct tc_link_http *)self;
    struct tc_buf body;
    enum tc_err code;

    tc_buf_init(&body, SMALL_MAX);
    tc_rpc_write_request(&body, tc_str_n("", 0), method, params);
    tc_link_http_ref(self);
    code = post_lossy(cx, link, &body, NOTIFY_MS);
    tc_buf_finish(&body);
    if (code == TC_OK && tc_str_is(tc_str_of(method), "notifications/initialized"))
        tc_link_http_listen(cx, link);
    tc_link_http_unref(self);
    return code;
}

enum tc_err tc_link_http_answer(struct tc_cx *cx, struct tc_link *self, struct tc_str message)
{
    struct tc_buf body;
    enum tc_err code;

    tc_buf_init(&body, SMALL_MAX);
    tc_buf_str(&body, message);
    code = post_lossy(cx, (struct tc_link_http *)self, &body, ANSWER_MS);
    tc_buf_finish(&body);
    return code;
}

/* --- the end --- */

void tc_link_http_say_goodbye(struct tc_cx *cx, void *arg)
{
    struct tc_link_http *link = arg;
    struct tc_header headers[TC_LINK_HTTP_HEADERS_MAX];
    struct tc_remote_request request = {
        .method = TC_STR("DELETE"),
        .headers = tc_link_http_headers(link, false, TC_STR(""), headers),
        .timeout_ms = GOODBYE_MS,
    };
    struct tc_remote_answer answer;
    bool acted;

    if (tc_remote_open(cx, &link->remote, &request, &acted, &answer) == TC_OK)
        tc_client_close(answer.stream);
}
