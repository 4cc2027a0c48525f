/*
 * One request to a server and what has to happen before its answer is the link's.
 */
#include "mcp/client/remote.h"

#include <stdlib.h>

#include "base/clock.h"
#include "http/reference.h"

enum {
    SENDS_MAX = 4,     /* of one request: without a token, with one, with a wider one, with a fresh one */
    REDIRECTS_MAX = 3,
    HEADERS_MAX = 128, /* of one request */
    DRAIN_MS = 1000,   /* for the end of a body of which all is known */
    DRAIN_BYTES = 64 << 10
};

struct tc_str tc_remote_origin(const struct tc_remote *remote)
{
    struct tc_url url;

    return tc_url_parse(remote->url, &url) ? url.origin : TC_STR("The server");
}

enum tc_err tc_remote_copy(struct tc_cx *cx, const struct tc_remote *remote, struct tc_arena *arena,
                           struct tc_remote *ret_copy)
{
    struct tc_header *items = TC_ARENA_NEW_N(arena, struct tc_header, remote->headers.n + 1);
    struct tc_remote copy = *remote;
    bool ok = items != NULL;

    copy.url = tc_arena_dup(arena, remote->url);
    for (size_t i = 0; i < remote->headers.n && ok; i++) {
        items[i].name = tc_arena_dup(arena, remote->headers.items[i].name);
        items[i].value = tc_arena_dup(arena, remote->headers.items[i].value);
        ok = items[i].name.p && items[i].value.p;
    }
    if (!ok || !copy.url.p)
        return tc_fail_memory(cx);
    copy.headers.items = items;
    *ret_copy = copy;
    return TC_OK;
}

/* --- one sending --- */

struct sending {
    const struct tc_remote *remote;
    const struct tc_remote_request *request;
    struct tc_str url;   /* after redirects */
    struct tc_str token; /* of this try */
    int sends, redirects;
};

static enum tc_err add(struct tc_cx *cx, struct tc_header *to, size_t *n, struct tc_header header)
{
    if (*n == HEADERS_MAX)
        return tc_fail(cx, TC_E_LIMIT, "A request to the server has more than %d header fields.", HEADERS_MAX);
    to[(*n)++] = header;
    return TC_OK;
}

static enum tc_err compose(struct tc_cx *cx, const struct sending *s, struct tc_header_list *ret_headers)
{
    struct tc_header *to = TC_ARENA_NEW_N(cx->arena, struct tc_header, HEADERS_MAX);
    const struct tc_header_list lists[] = {s->request->headers, s->request->own, s->remote->headers};
    struct tc_str bearer;
    size_t n = 0;
    enum tc_err code = to ? TC_OK : tc_fail_memory(cx);

    for (size_t l = 0; l < 3; l++) {
        for (size_t i = 0; i < lists[l].n && code == TC_OK; i++) {
            if (l != 0 || !tc_header_get(s->request->own, lists[l].items[i].name).p)
                code = add(cx, to, &n, lists[l].items[i]);
        }
    }
    if (code == TC_OK && s->token.n) {
        bearer = tc_arena_printf(cx->arena, "Bearer %.*s", TC_STR_ARG(s->token));
        code = bearer.p ? add(cx, to, &n, (struct tc_header){TC_STR("Authorization"), bearer}) : tc_fail_memory(cx);
    }
    *ret_headers = (struct tc_header_list){to, n};
    return code;
}

static bool has_proxy(struct tc_str url)
{
    static const char *const names[] = {"http_proxy", "all_proxy", "ALL_PROXY", "https_proxy", "HTTPS_PROXY"};
    bool https = tc_str_starts(url, TC_STR("https:"));

    for (size_t i = https ? 1 : 0; i < (https ? 5 : 3); i++) {
        const char *value = getenv(names[i]);

        if (value && *value)
            return true;
    }
    return false;
}

/* Who has a proxy because there is no other way out has to be told that it was not used. */
static enum tc_err explain_proxy(struct tc_cx *cx, const struct sending *s, enum tc_err code)
{
    if ((code == TC_E_HTTP_UPSTREAM || code == TC_E_TIMEOUT) && s->remote->public_only && !cx->err.hint.n &&
        has_proxy(s->url))
        tc_fail_hint(cx, "The proxy of the environment is not used for servers that must be public; with --own-network "
                         "(ownNetwork) it is.");
    return code;
}

static enum tc_err send_once(struct tc_cx *cx, const struct sending *s, bool *sent, struct tc_remote_answer *ret)
{
    struct tc_client_request request = {
        .method = s->request->method,
        .url = s->url,
        .body = s->request->body,
        .timeout_ms = -1,
        .public_only = s->remote->public_only,
        .no_link_local = true,
        .handle = s->request->handle,
        .sent = sent,
    };
    struct tc_client_response head;
    enum tc_err code = compose(cx, s, &request.headers);

    if (code == TC_OK)
        code = tc_client_open(cx, s->remote->client, &request, &head, &ret->stream);
    if (code != TC_OK)
        return *sent ? code : explain_proxy(cx, s, code);
    ret->status = head.status;
    ret->headers = head.headers;
    return TC_OK;
}

/* --- redirects --- */

static bool is_redirect(int status)
{
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* The method and body are kept by these two only; the others may also be the
 * answer to what was done. */
static bool keeps_method(int status)
{
    return status == 307 || status == 308;
}

/* Finds out where to, or fails. */
static enum tc_err redirect(struct tc_cx *cx, struct sending *s, const struct tc_remote_answer *answer)
{
    struct tc_str location = tc_header_get(answer->headers, TC_STR("Location")), target = {NULL, 0};
    struct tc_url here, there;
    bool known = tc_url_parse(s->url, &here);

    if (known && location.p)
        target = tc_reference_resolve(cx->arena, &here, location);
    if (!target.p || !tc_url_parse(target, &there))
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "%.*s redirects (HTTP %d) to nowhere.",
                       TC_STR_ARG(tc_remote_origin(s->remote)), answer->status);
    if (!tc_url_same_origin(&here, &there)) {
        tc_fail(cx, TC_E_HTTP_UPSTREAM, "%.*s redirects to %.*s; nothing is sent to another origin.",
                TC_STR_ARG(here.origin), TC_STR_ARG(there.origin));
        return tc_fail_hint(cx, "If the server has moved there, give it that URL.");
    }
    if (!keeps_method(answer->status) || ++s->redirects > REDIRECTS_MAX) {
        tc_fail(cx, TC_E_HTTP_UPSTREAM, "%.*s redirects (HTTP %d) from the configured URL%s.", TC_STR_ARG(here.origin),
                answer->status, s->redirects > REDIRECTS_MAX ? " without end" : "");
        return tc_fail_hint(cx, "Give the server its final URL, often the same with or without a \"/\" at the end.");
    }
    s->url = target;
    return TC_OK;
}

/* --- refusals --- */

static bool can_retry(const struct sending *s, const struct tc_remote_answer *answer)
{
    bool challenged = tc_header_get(answer->headers, TC_STR("WWW-Authenticate")).p != NULL;

    return s->remote->auth && s->sends < SENDS_MAX &&
           (answer->status == 401 || (answer->status == 403 && challenged));
}

static enum tc_err tell_refusal(struct tc_cx *cx, const struct sending *s, const struct tc_remote_answer *answer)
{
    struct tc_auth *auth = s->remote->auth;
    struct tc_str challenge = tc_header_get(answer->headers, TC_STR("WWW-Authenticate"));
    struct tc_auth_refusal refusal = {
        .status = answer->status, .challenge = challenge.p ? challenge : TC_STR(""), .token = s->token};

    return auth->ops->refused(cx, auth, s->request->identity, &refusal);
}

/* --- all of it --- */

static enum tc_err send_until_answered(struct tc_cx *cx, struct sending *s, bool *acted, struct tc_remote_answer *ret)
{
    struct tc_auth *auth = s->remote->auth;
    bool again = true;
    enum tc_err code = TC_OK;

    while (code == TC_OK && again) {
        *acted = false;
        if (auth)
            code = auth->ops->token(cx, auth, s->request->identity, &s->token);
        if (code == TC_OK)
            code = send_once(cx, s, acted, ret);
        if (code != TC_OK)
            return code;
        s->sends++;
        again = is_redirect(ret->status) || can_retry(s, ret);
        if (!again)
            break;
        tc_client_close(ret->stream);
        ret->stream = NULL;
        *acted = is_redirect(ret->status) && !keeps_method(ret->status);
        code = is_redirect(ret->status) ? redirect(cx, s, ret) : tell_refusal(cx, s, ret);
    }
    return code;
}

enum tc_err tc_remote_open(struct tc_cx *cx, const struct tc_remote *remote, const struct tc_remote_request *request,
                           bool *ret_acted, struct tc_remote_answer *ret_answer)
{
    struct sending s = {.remote = remote, .request = request, .url = request->url.n ? request->url : remote->url};
    struct tc_remote_answer answer = {0};
    int64_t old = INT64_MAX;
    enum tc_err code;

    *ret_acted = false;
    if (request->timeout_ms >= 0)
        old = tc_task_deadline_set(cx, tc_clock_mono_us(cx->clock) + request->timeout_ms * 1000);
    code = send_until_answered(cx, &s, ret_acted, &answer);
    if (request->timeout_ms >= 0)
        tc_task_deadline_restore(cx, old);
    if (code == TC_OK)
        *ret_answer = answer;
    return code;
}

/* --- the end of a stream --- */

static void read_to_end(struct tc_cx *cx, void *arg)
{
    struct tc_client_stream *stream = arg;
    struct tc_str data;
    size_t n = 0;

    while (n < DRAIN_BYTES && tc_client_read(cx, stream, DRAIN_MS, &data) == TC_OK)
        n += data.n;
    tc_client_close(stream);
}

void tc_remote_drop(struct tc_cx *cx, struct tc_task_group *group, struct tc_client_stream *stream)
{
    struct tc_error err = cx->err; /* of what came before: it is still to be told */
    struct tc_str data;
    enum tc_err code = tc_client_read(cx, stream, 0, &data);

    if (code == TC_OK || code == TC_E_TIMEOUT)
        code = tc_task_spawn(cx, group->loop, group, "mcp-drain", read_to_end, stream);
    if (code != TC_OK)
        tc_client_close(stream);
    cx->err = err;
}

/* --- what a status means --- */

bool tc_remote_turned_away(int status, struct tc_header_list headers)
{
    static const int before[] = {401, 404, 405, 406, 410, 411, 413, 414, 415, 417, 421, 426, 431, 505};

    /* 403 is also what a filter puts in place of an answer. */
    if (status == 403)
        return tc_header_get(headers, TC_STR("WWW-Authenticate")).p != NULL;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        if (before[i] == status)
            return true;
    }
    return false;
}

enum tc_err tc_remote_fail(struct tc_cx *cx, const struct tc_remote *remote, int status)
{
    struct tc_str origin = tc_remote_origin(remote);

    switch (status) {
    case 401:
        if (remote->auth)
            return tc_fail(cx, TC_E_MCP_LOGIN_REQUIRED, "%.*s wants to know who asks (HTTP 401).", TC_STR_ARG(origin));
        tc_fail(cx, TC_E_MCP_AUTHORIZATION, "%.*s does not take the credentials of the request (HTTP 401).",
                TC_STR_ARG(origin));
        return tc_fail_hint(cx, "Give it others: --header \"Authorization=Bearer …\".");
    case 403:
        return tc_fail(cx, TC_E_MCP_AUTHORIZATION, "%.*s refuses the request (HTTP 403).", TC_STR_ARG(origin));
    case 404:
    case 405:
        tc_fail(cx, TC_E_HTTP_UPSTREAM, "%.*s has no MCP endpoint at this path (HTTP %d).", TC_STR_ARG(origin), status);
        return tc_fail_hint(cx, "The path is often /mcp, or /sse for an older server.");
    case 429:
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "%.*s has had too many requests (HTTP 429).", TC_STR_ARG(origin));
    default:
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "%.*s answered with HTTP %d.", TC_STR_ARG(origin), status);
    }
}
