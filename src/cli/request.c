/*
 * Requests over the Unix socket. The host of the URL means nothing there.
 */
#include "cli/request.h"

#include "base/percent.h"
#include "http/client.h"

enum { BODY_MAX = 64 * 1024 * 1024, ANSWER_MAX = 512 * 1024 * 1024, URL_MAX = 64 * 1024, ATTACHES = 5 };

static const struct tc_json_limits answer_limits = {.max_bytes = ANSWER_MAX, .flags = TC_JSON_BORROW};

struct tc_str tc_cli_url(struct tc_cx *cx, const char *path, const struct tc_cli_query *query)
{
    char separator = '?';
    struct tc_str url;
    struct tc_buf buf;

    tc_buf_init(&buf, URL_MAX);
    tc_buf_printf(&buf, "http://localhost%s", path);
    for (; query && query->name; query++) {
        if (query->value.n == 0)
            continue;
        tc_buf_printf(&buf, "%c%s=", separator, query->name);
        tc_percent_encode(&buf, query->value);
        separator = '&';
    }
    url = tc_buf_dup(&buf, cx->arena);
    tc_buf_finish(&buf);
    return url;
}

/* --- refusals --- */

/* For a code of another version: what the status says of it. */
static enum tc_err code_of_status(int status)
{
    switch (status) {
    case 400:
        return TC_E_HTTP_BAD_REQUEST;
    case 401:
    case 403:
        return TC_E_AUTH_FORBIDDEN;
    case 404:
        return TC_E_HTTP_NOT_FOUND;
    case 409:
        return TC_E_STORE_CONFLICT;
    case 413:
        return TC_E_HTTP_TOO_LARGE;
    case 502:
    case 503:
    case 504:
        return TC_E_DAEMON_UNAVAILABLE;
    default:
        return TC_E_INTERNAL;
    }
}

enum tc_err tc_cli_refusal(struct tc_cx *cx, int status, const struct tc_json *answer)
{
    const struct tc_json *error = tc_json_get_c(answer, "error"), *details = tc_json_get_c(error, "details");
    struct tc_str message = tc_json_str(tc_json_get_c(error, "message")),
                  hint = tc_json_str(tc_json_get_c(error, "hint")), field = tc_json_str(tc_json_get_c(error, "field"));
    enum tc_err code = tc_err_find(tc_json_str(tc_json_get_c(error, "code")));

    if (!code)
        code = code_of_status(status);
    if (message.n)
        tc_fail(cx, code, "%.*s", TC_STR_ARG(message));
    else
        tc_fail(cx, code, "The daemon answered with status %d.", status);
    if (hint.n)
        tc_fail_hint(cx, "%.*s", TC_STR_ARG(hint));
    if (field.n)
        tc_fail_field(cx, field);
    if (details)
        tc_fail_details(cx, tc_json_text(cx->arena, details));
    return code;
}

/* The transfer itself failed. */
static enum tc_err fail_transfer(struct tc_cx *cx, enum tc_err e, bool maybe_done)
{
    struct tc_str why = cx->err.message;

    if (e != TC_E_HTTP_UPSTREAM && e != TC_E_CLOSED && e != TC_E_IO)
        return e;
    if (maybe_done) {
        tc_fail(cx, TC_E_MCP_OUTCOME_UNKNOWN, "The daemon went away before it answered: %.*s", TC_STR_ARG(why));
        return tc_fail_hint(cx, "It may have been done. Check before doing it again.");
    }
    tc_fail(cx, TC_E_DAEMON_UNAVAILABLE, "The daemon cannot be reached: %.*s", TC_STR_ARG(why));
    return tc_fail_hint(cx, "toolcrib doctor looks for the reason.");
}

/* --- requests --- */

struct request {
    struct tc_str url, body; /* body.p NULL: a GET */
    bool sent;
};

static enum tc_err fetch(struct tc_cx *cx, struct tc_cli *cli, struct request *r,
                         struct tc_client_response *ret_response)
{
    struct tc_header fields[] = {{TC_STR("Content-Type"), TC_STR("application/json")}};
    bool post = r->body.p != NULL;
    struct tc_client_request request = {
        .method = post ? TC_STR("POST") : TC_STR("GET"),
        .url = r->url,
        .unix_socket = cli->socket,
        .headers = {fields, post ? 1 : 0},
        .body = r->body,
        .timeout_ms = cli->timeout_ms,
        .max_bytes = ANSWER_MAX,
        .sent = &r->sent,
    };

    return tc_client_fetch(cx, cli->client, &request, ret_response);
}

/* The daemon may be another command, which ends when its own work is done: then
 * whoever comes next holds the data folder, perhaps we. */
static enum tc_err fetch_from_any(struct tc_cx *cx, struct tc_cli *cli, struct request *r,
                                  struct tc_client_response *ret_response)
{
    enum tc_err e = fetch(cx, cli, r, ret_response);

    for (int i = 0; i < ATTACHES && e == TC_E_HTTP_UPSTREAM && (!r->sent || !r->body.p); i++) {
        e = cli->host->ops->attach(cx, cli->host, &cli->place, &cli->socket);
        if (e)
            return e;
        e = fetch(cx, cli, r, ret_response);
    }
    return e ? fail_transfer(cx, e, r->body.p && r->sent) : TC_OK;
}

static enum tc_err exchange(struct tc_cx *cx, struct tc_cli *cli, struct tc_str url, struct tc_str body,
                            const struct tc_json **ret_answer)
{
    struct request request = {.url = url, .body = body};
    struct tc_client_response response;
    const struct tc_json *answer;
    enum tc_err e = url.p ? fetch_from_any(cx, cli, &request, &response) : tc_fail_memory(cx);

    if (e)
        return e;
    e = tc_json_parse_root(cx, response.body, &answer_limits, &answer);
    if (response.status >= 400)
        return tc_cli_refusal(cx, response.status, e ? NULL : answer);
    if (e)
        return tc_fail(cx, TC_E_INTERNAL, "The daemon's answer is no JSON.");
    *ret_answer = answer;
    return TC_OK;
}

enum tc_err tc_cli_get(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_cli_query *query,
                       const struct tc_json **ret_answer)
{
    return exchange(cx, cli, tc_cli_url(cx, path, query), tc_str_n(NULL, 0), ret_answer);
}

void tc_cli_body_init(struct tc_cli_body *body)
{
    tc_buf_init(&body->buf, BODY_MAX);
    tc_jsonw_init(&body->w, &body->buf);
    tc_jsonw_object(&body->w);
}

void tc_cli_body_finish(struct tc_cli_body *body)
{
    tc_buf_finish(&body->buf);
}

enum tc_err tc_cli_post(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_cli_body *body,
                        const struct tc_json **ret_answer)
{
    enum tc_err e;

    tc_jsonw_end(&body->w);
    if (body->buf.failed)
        e = tc_fail(cx, TC_E_JSON_SIZE, "The request is larger than %d MiB.", BODY_MAX >> 20);
    else
        e = exchange(cx, cli, tc_cli_url(cx, path, NULL), tc_buf_get(&body->buf), ret_answer);
    tc_cli_body_finish(body);
    return e;
}

enum tc_err tc_cli_post_id(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_str id,
                           const struct tc_json **ret_answer)
{
    struct tc_cli_body body;

    tc_cli_body_init(&body);
    tc_jsonw_kstr(&body.w, "id", id);
    return tc_cli_post(cx, cli, path, &body, ret_answer);
}

enum tc_err tc_cli_tool_id(struct tc_cx *cx, struct tc_cli *cli, struct tc_str tool, struct tc_str agent,
                           struct tc_str *ret_id)
{
    const struct tc_cli_query query[] = {{"id", tool}, {"agent", agent}, {NULL, {NULL, 0}}};
    const struct tc_json *answer;
    enum tc_err e = tc_cli_get(cx, cli, "/admin/tool/info", query, &answer);

    if (!e)
        *ret_id = tc_json_str(tc_json_get_c(answer, "name"));
    return e;
}
