/*
 * A transfer: its callbacks fill buffers on the loop, the task empties them. There
 * are two for the body, since what the task was given must stay while more comes.
 */
#include "http/transfer.h"

#include <openssl/x509_vfy.h>
#include <stdio.h>

#include "http/address.h"
#include "http/url.h"

enum { HEAD_MAX = 64 * 1024, HEADERS_MAX = 200, CONNECT_MS = 10 * 1000 };

/* Callbacks of libcurl; none of them may end a transfer or park */

static size_t take_body(char *p, size_t size, size_t n, void *arg)
{
    struct tc_client_stream *stream = arg;

    (void)size;
    if (stream->in.n >= TC_TRANSFER_WINDOW) {
        stream->paused = true;
        return CURL_WRITEFUNC_PAUSE;
    }
    stream->total += n;
    stream->too_large = stream->max && stream->total > stream->max;
    tc_buf_add(&stream->in, p, n);
    tc_event_set(&stream->changed);
    return stream->too_large || stream->in.failed ? 0 : n;
}

static size_t take_head(char *p, size_t size, size_t n, void *arg)
{
    struct tc_client_stream *stream = arg;
    struct tc_str line = tc_str_n(p, n);
    long status = 0;

    (void)size;
    if (stream->head_done)
        return n; /* a trailer */
    if (tc_str_starts(line, TC_STR("HTTP/")))
        tc_buf_clear(&stream->head); /* a 1xx stood before it */
    tc_buf_str(&stream->head, line);
    curl_easy_getinfo(stream->easy, CURLINFO_RESPONSE_CODE, &status);
    if (tc_str_trim(line).n == 0 && status >= 200) {
        stream->head_done = true;
        tc_event_set(&stream->changed);
    }
    return stream->head.failed ? 0 : n;
}

static size_t give_body(char *p, size_t size, size_t n, void *arg)
{
    struct tc_client_stream *stream = arg;
    struct tc_str left = tc_str_from(stream->body, stream->body_at);

    n = size * n < left.n ? size * n : left.n;
    memcpy(p, left.p, n);
    stream->body_at += n;
    return n;
}

/* libcurl sends a request again when a kept connection turns out dead: not one
 * of which the other side may have seen all. By then it has left that connection. */
static int rewind_body(void *arg, curl_off_t offset, int origin)
{
    struct tc_client_stream *stream = arg;

    if (origin != SEEK_SET || offset != 0 || (stream->body_at > 0 && !stream->may_repeat))
        return CURL_SEEKFUNC_FAIL;
    stream->body_at = 0;
    stream->may_repeat = false;
    return CURL_SEEKFUNC_OK;
}

static curl_socket_t open_allowed(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct tc_client_stream *stream = arg;

    (void)purpose;
    if ((stream->public_only && !tc_address_is_public(&address->addr)) ||
        (stream->no_link_local && tc_address_is_link_local(&address->addr))) {
        stream->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Called when there is a connection, before anything is sent. A kept one of another
 * request may lead elsewhere. */
static int check_allowed(void *arg, char *peer, char *local, int peer_port, int local_port)
{
    struct tc_client_stream *stream = arg;

    (void)local, (void)peer_port, (void)local_port;
    stream->sending = true;
    stream->unheard = false;
    if ((!stream->public_only || tc_address_text_is_public(peer)) &&
        (!stream->no_link_local || !tc_address_text_is_link_local(peer)))
        return CURL_PREREQFUNC_OK;
    stream->refused = true;
    return CURL_PREREQFUNC_ABORT;
}

/* Preparing */

/* What of a URL may be shown: no user, path or query. */
static void set_origin(struct tc_client_stream *stream, struct tc_str url)
{
    size_t start = tc_str_find(url, TC_STR("://")), end, at;
    struct tc_str host;

    start = start == SIZE_MAX ? 0 : start + 3;
    for (end = start; end < url.n && !strchr("/?#\\", url.p[end]);)
        end++;
    host = tc_str_n(url.p + start, end - start);
    at = tc_str_chr(host, '@');
    if (at != SIZE_MAX)
        host = tc_str_from(host, at + 1);
    snprintf(stream->origin, sizeof stream->origin, "%.*s%.*s", (int)(start < 9 ? start : 0), url.p, TC_STR_ARG(host));
}

static bool text_ok(struct tc_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= ' ' || s.p[i] == 0x7f)
            return false;
    return s.n > 0;
}

static bool add_field(struct tc_client_stream *stream, const char *line)
{
    struct curl_slist *fields = line ? curl_slist_append(stream->fields, line) : NULL;

    if (fields)
        stream->fields = fields;
    return fields != NULL;
}

static enum tc_err set_fields(struct tc_cx *cx, struct tc_client_stream *stream,
                              const struct tc_client_request *request)
{
    bool ok = add_field(stream, "Expect:"); /* libcurl would wait a second for servers that do not know it */

    for (size_t i = 0; i < request->headers.n; i++) {
        const struct tc_header *h = &request->headers.items[i];
        struct tc_str line;

        if (!tc_header_name_ok(h->name) || !tc_header_value_ok(h->value))
            return tc_fail(cx, TC_E_USAGE, "A header field of the request is malformed.");
        line = h->value.n ? tc_arena_printf(cx->arena, "%.*s: %.*s", TC_STR_ARG(h->name), TC_STR_ARG(h->value))
                          : tc_arena_printf(cx->arena, "%.*s;", TC_STR_ARG(h->name));
        ok = ok && add_field(stream, line.p);
    }
    if (!tc_header_get(request->headers, TC_STR("Content-Type")).p)
        ok = ok && add_field(stream, "Content-Type:");
    if (!ok)
        return tc_fail_memory(cx);
    curl_easy_setopt(stream->easy, CURLOPT_HTTPHEADER, stream->fields);
    return TC_OK;
}

static enum tc_err set_method(struct tc_cx *cx, struct tc_client_stream *stream,
                              const struct tc_client_request *request)
{
    struct tc_str method = request->method.n ? request->method : request->body.n ? TC_STR("POST") : TC_STR("GET");
    bool with_body = request->body.n || tc_str_is(method, "POST") || tc_str_is(method, "PUT") ||
                     tc_str_is(method, "PATCH");
    char *name = tc_arena_cstr(cx->arena, method);

    if (!tc_header_name_ok(method))
        return tc_fail(cx, TC_E_USAGE, "The method of the request is malformed.");
    if (!name)
        return tc_fail_memory(cx);
    if (with_body) {
        curl_easy_setopt(stream->easy, CURLOPT_POST, 1L);
        curl_easy_setopt(stream->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.n);
        curl_easy_setopt(stream->easy, CURLOPT_READFUNCTION, give_body);
        curl_easy_setopt(stream->easy, CURLOPT_READDATA, stream);
        curl_easy_setopt(stream->easy, CURLOPT_SEEKFUNCTION, rewind_body);
        curl_easy_setopt(stream->easy, CURLOPT_SEEKDATA, stream);
    } else if (tc_str_is(method, "HEAD")) {
        curl_easy_setopt(stream->easy, CURLOPT_NOBODY, 1L);
    }
    if (request->body.n == 0 && !tc_str_is(method, "GET") && !tc_str_is(method, "HEAD")) {
        curl_easy_setopt(stream->easy, CURLOPT_FRESH_CONNECT, 1L); /* no body to rewind would stop a second sending */
        curl_easy_setopt(stream->easy, CURLOPT_FORBID_REUSE, 1L);
    }
    curl_easy_setopt(stream->easy, CURLOPT_CUSTOMREQUEST, name);
    return TC_OK;
}

static void set_callbacks(struct tc_client_stream *stream)
{
    CURL *easy = stream->easy;

    curl_easy_setopt(easy, CURLOPT_PRIVATE, stream);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, stream->reason);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, stream);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, stream);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "toolcrib/" TC_VERSION);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, check_allowed);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, stream);
    if (!stream->public_only && !stream->no_link_local)
        return;
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_allowed);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, stream);
}

/* What means something on this machine and in its network only: a proxy would take it
 * for its own. A last label that begins with a digit is an address, however written. */
static bool is_for_no_proxy(struct tc_str text)
{
    struct tc_url url;
    char host[256];
    const char *label;

    if (!tc_url_parse(text, &url) || url.host.n >= sizeof host)
        return false;
    memcpy(host, url.host.p, url.host.n);
    host[url.host.n] = '\0';
    if (tc_url_is_loopback(&url))
        return true;
    if (tc_address_is_text(host))
        return !tc_address_text_is_public(host);
    label = strrchr(host, '.');
    label = label ? label + 1 : host;
    return *label >= '0' && *label <= '9';
}

enum tc_err tc_transfer_init(struct tc_cx *cx, struct tc_client_stream *stream, const struct tc_client_request *request)
{
    char *url = tc_arena_cstr(cx->arena, request->url), *path = tc_arena_cstr(cx->arena, request->unix_socket);
    enum tc_err err;

    tc_buf_init(&stream->head, HEAD_MAX);
    tc_buf_init(&stream->in, TC_TRANSFER_WINDOW + CURL_MAX_WRITE_SIZE);
    tc_buf_init(&stream->given, TC_TRANSFER_WINDOW + CURL_MAX_WRITE_SIZE);
    stream->body = request->body;
    stream->max = request->max_bytes;
    stream->public_only = request->public_only;
    stream->no_link_local = request->no_link_local;
    set_origin(stream, request->url);
    if (!url || !path)
        return tc_fail_memory(cx);
    if (!text_ok(request->url) || strlen(path) != request->unix_socket.n)
        return tc_fail(cx, TC_E_USAGE, "The URL of the request is malformed.");
    set_callbacks(stream);
    if (curl_easy_setopt(stream->easy, CURLOPT_URL, url) != CURLE_OK)
        return tc_fail_memory(cx);
    if (*path)
        curl_easy_setopt(stream->easy, CURLOPT_UNIX_SOCKET_PATH, path);
    if (*path || stream->public_only || is_for_no_proxy(request->url))
        curl_easy_setopt(stream->easy, CURLOPT_PROXY, "");
    err = set_fields(cx, stream, request);
    return err ? err : set_method(cx, stream, request);
}

void tc_transfer_finish(struct tc_client_stream *stream)
{
    curl_slist_free_all(stream->fields);
    tc_buf_finish(&stream->head);
    tc_buf_finish(&stream->in);
    tc_buf_finish(&stream->given);
}

/* The outcome */

/* What the verifier says that a person can mend. */
static enum tc_err fail_certificate(struct tc_cx *cx, const struct tc_client_stream *stream)
{
    long verdict = X509_V_OK;

    curl_easy_getinfo(stream->easy, CURLINFO_SSL_VERIFYRESULT, &verdict);
    tc_fail(cx, TC_E_HTTP_CERTIFICATE, "The certificate of %s is not trusted: %s.", stream->origin,
            *stream->reason ? stream->reason : curl_easy_strerror(stream->result));
    switch (verdict) {
    case X509_V_OK:
    case X509_V_ERR_UNSPECIFIED: /* the name is looked at before the chain */
        return tc_fail_hint(cx, "Use a name in the URL that the certificate is for.");
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
        return tc_fail_hint(cx, "If the authority behind it is your own, name its certificate (a PEM file) in "
                                "SSL_CERT_FILE where toolcrib is started, or add it to those of the system.");
    default:
        return tc_fail_hint(cx, "The server needs another certificate, unless the clock of this machine is wrong.");
    }
}

enum tc_err tc_transfer_fail(struct tc_cx *cx, const struct tc_client_stream *stream)
{
    long sent = 0;

    curl_easy_getinfo(stream->easy, CURLINFO_REQUEST_SIZE, &sent);
    if (stream->too_large)
        return tc_fail(cx, TC_E_LIMIT, "The answer of %s is larger than %zu bytes.", stream->origin,
                       stream->max);
    if (stream->refused)
        return tc_fail(cx, TC_E_HTTP_ADDRESS, "%s has an address that is not %s.", stream->origin,
                       stream->public_only ? "public" : "reached from here");
    if (stream->head.failed)
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "The head of the answer of %s is too large.",
                       stream->origin);
    switch (stream->result) {
    case CURLE_OUT_OF_MEMORY:
        return tc_fail_memory(cx);
    case CURLE_OPERATION_TIMEDOUT:
        return tc_fail(cx, TC_E_TIMEOUT, "%s did not take the connection in time.", stream->origin);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
        if (sent)
            return tc_fail(cx, TC_E_HTTP_UPSTREAM, "The request to %s failed: the answer is not HTTP.",
                           stream->origin);
        return tc_fail(cx, TC_E_USAGE, "The URL of the request is malformed, or not http or https.");
    case CURLE_PEER_FAILED_VERIFICATION:
        return fail_certificate(cx, stream);
    case CURLE_SSL_CACERT_BADFILE:
        tc_fail(cx, TC_E_HTTP_CERTIFICATE, "The certificates of trusted authorities cannot be read: %s.",
                *stream->reason ? stream->reason : curl_easy_strerror(stream->result));
        return tc_fail_hint(cx, "SSL_CERT_FILE and SSL_CERT_DIR, where toolcrib is started, say where they are.");
    case CURLE_SEND_FAIL_REWIND:
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "%s closed the connection without an answer.",
                       stream->origin);
    default:
        return tc_fail(cx, TC_E_HTTP_UPSTREAM, "The request to %s failed: %s.", stream->origin,
                       *stream->reason ? stream->reason : curl_easy_strerror(stream->result));
    }
}

enum tc_err tc_transfer_head(struct tc_cx *cx, const struct tc_client_stream *stream,
                             struct tc_client_response *ret_head)
{
    struct tc_str text = tc_buf_dup(&stream->head, cx->arena), line;
    struct tc_header *headers = tc_arena_alloc(cx->arena, HEADERS_MAX * sizeof *headers);
    long status = 0;
    size_t n = 0;

    if (!text.p || !headers)
        return tc_fail_memory(cx);
    tc_str_split(&text, '\n', &line); /* the status line */
    while (n < HEADERS_MAX && tc_str_split(&text, '\n', &line)) {
        size_t colon = tc_str_chr(line, ':');

        if (colon == SIZE_MAX)
            continue;
        headers[n].name = tc_str_trim(tc_str_n(line.p, colon));
        headers[n++].value = tc_str_trim(tc_str_from(line, colon + 1));
    }
    curl_easy_getinfo(stream->easy, CURLINFO_RESPONSE_CODE, &status);
    *ret_head = (struct tc_client_response){.status = (int)status, .headers = {headers, n}, .body = TC_STR("")};
    return TC_OK;
}
