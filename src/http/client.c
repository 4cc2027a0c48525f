/*
 * The task's side of transfers: opening, waiting, reading, ending. A transfer is
 * taken from libcurl before its memory goes, however the task ended.
 */
#include "http/client.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "http/curlloop.h"
#include "http/delivery.h"
#include "http/origins.h"
#include "http/transfer.h"

enum {
    SPARE_MAX = 16, /* handles kept for the next request */
    TIMEOUT_MS = 60 * 1000,
    KEEP_MARGIN_S = 2,
};
static const size_t fetch_max = 16 * 1024 * 1024;

struct tc_client {
    struct tc_curlloop *curlloop;
    const char *ca_file, *ca_dir; /* in place of the system's; NULL: those */
    struct tc_origins origins;
    size_t open, spares;
    CURL *spare[SPARE_MAX];
};

/* Client */

static void on_done(void *transfer, CURLcode result)
{
    struct tc_client_stream *stream = transfer;

    stream->done = true;
    stream->result = result;
    tc_event_set(&stream->changed);
}

/* Requests that share a connection cannot be told apart by what of it was received. */
static void on_left(void *transfer, curl_socket_t fd)
{
    struct tc_client_stream *stream = transfer;
    const struct tc_origin *known;

    if (stream->head_done || !stream->sending)
        return;
    stream->sending = false;
    known = tc_origins_find(&stream->client->origins, stream->origin);
    stream->unheard = (known ? !known->shares : tc_str_starts(tc_str_of(stream->origin), TC_STR("http://"))) &&
                      tc_delivery_failed(fd, stream->body_at);
    stream->may_repeat = stream->unheard;
}

/* As OpenSSL has them; libcurl leaves them to its callers. */
static const char *environment(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

enum tc_err tc_client_create(struct tc_cx *cx, struct tc_loop *loop, struct tc_client **ret_client)
{
    const struct tc_curlloop_events events = {.done = on_done, .left = on_left};
    struct tc_client *client = tc_mem_zalloc(1, sizeof *client);
    enum tc_err err;

    if (!client)
        return tc_fail_memory(cx);
    err = tc_curlloop_create(cx, loop, &events, &client->curlloop);
    if (err) {
        tc_mem_free(client);
        return err;
    }
    client->ca_file = environment("SSL_CERT_FILE");
    client->ca_dir = environment("SSL_CERT_DIR");
    *ret_client = client;
    return TC_OK;
}

void tc_client_destroy(struct tc_client *client)
{
    if (!client)
        return;
    assert(client->open == 0);
    while (client->spares > 0)
        curl_easy_cleanup(client->spare[--client->spares]);
    tc_curlloop_destroy(client->curlloop);
    tc_mem_free(client);
}

/* Streams */

static enum tc_err new_stream(struct tc_cx *cx, struct tc_client *client, struct tc_client_stream **ret_stream)
{
    struct tc_client_stream *stream = tc_mem_zalloc(1, sizeof *stream);

    if (!stream)
        return tc_fail_memory(cx);
    stream->easy = client->spares ? client->spare[--client->spares] : curl_easy_init();
    if (!stream->easy) {
        tc_mem_free(stream);
        return tc_fail_memory(cx);
    }
    stream->client = client;
    client->open++;
    *ret_stream = stream;
    return TC_OK;
}

void tc_client_close(struct tc_client_stream *stream)
{
    struct tc_client *client;

    if (!stream)
        return;
    client = stream->client;
    if (stream->handle)
        stream->handle->stream = NULL;
    if (stream->added)
        tc_curlloop_remove(client->curlloop, stream->easy);
    if (client->spares < SPARE_MAX) {
        curl_easy_reset(stream->easy);
        client->spare[client->spares++] = stream->easy;
    } else {
        curl_easy_cleanup(stream->easy);
    }
    tc_transfer_finish(stream);
    client->open--;
    tc_mem_free(stream);
}

void tc_client_abort(struct tc_client_handle *handle)
{
    handle->aborted = true;
    if (handle->stream)
        tc_event_set(&handle->stream->changed);
}

void tc_client_detach(struct tc_client_handle *handle)
{
    if (handle->stream)
        handle->stream->handle = NULL;
    handle->stream = NULL;
}

/* Waiting */

static enum tc_err wait_changed(struct tc_cx *cx, struct tc_client_stream *stream, int64_t timeout_ms)
{
    enum tc_err err = TC_OK;

    if (!stream->handle || !stream->handle->aborted) {
        tc_event_clear(&stream->changed);
        err = tc_task_wait(cx, &stream->changed, timeout_ms);
    }
    if (stream->handle && stream->handle->aborted)
        return tc_fail(cx, TC_E_CANCELED, "The request to %s was given up.", stream->origin);
    return err;
}

/* Gives what ended a wait the name of the other side. */
static enum tc_err explain(struct tc_cx *cx, const struct tc_client_stream *stream, enum tc_err err)
{
    if (err == TC_E_TIMEOUT)
        return tc_fail(cx, err, "%s did not answer in time.", stream->origin);
    return err;
}

static enum tc_err await_head(struct tc_cx *cx, struct tc_client_stream *stream)
{
    enum tc_err err = TC_OK;

    while (!err && !stream->head_done && !stream->done)
        err = wait_changed(cx, stream, -1);
    if (err)
        return explain(cx, stream, err);
    return stream->head_done ? TC_OK : tc_transfer_fail(cx, stream); /* a later failure shows when it is read */
}

/* What the wire has seen, for those who ask. */
static void note_sent(const struct tc_client_request *request, const struct tc_client_stream *stream)
{
    long n = 0;

    if (!request->sent)
        return;
    curl_easy_getinfo(stream->easy, CURLINFO_REQUEST_SIZE, &n);
    *request->sent = (n > 0 && !stream->unheard) || stream->head_done;
}

/* The instant by which the answer, or its head, has to be there. */
static int64_t deadline_of(struct tc_cx *cx, const struct tc_client_request *request)
{
    int64_t ms = request->timeout_ms ? request->timeout_ms : TIMEOUT_MS;

    return ms < 0 ? INT64_MAX : tc_clock_mono_us(cx->clock) + ms * 1000;
}

/* False without memory. */
static bool set_trust(const struct tc_client *client, CURL *easy)
{
    return (!client->ca_file || curl_easy_setopt(easy, CURLOPT_CAINFO, client->ca_file) == CURLE_OK) &&
           (!client->ca_dir || curl_easy_setopt(easy, CURLOPT_CAPATH, client->ca_dir) == CURLE_OK);
}

/* A connection is not used any more a second before the server would end it. */
static void set_age(const struct tc_client_stream *stream)
{
    const struct tc_origin *known = tc_origins_find(&stream->client->origins, stream->origin);

    if (!known || known->keep_s == TC_ORIGINS_SILENT)
        return;
    if (known->keep_s > KEEP_MARGIN_S) /* libcurl counts whole seconds that have passed */
        curl_easy_setopt(stream->easy, CURLOPT_MAXAGE_CONN, (long)known->keep_s - KEEP_MARGIN_S);
    else
        curl_easy_setopt(stream->easy, CURLOPT_FRESH_CONNECT, 1L);
}

static void note_origin(struct tc_client_stream *stream, const struct tc_client_response *head)
{
    long version = CURL_HTTP_VERSION_NONE;

    curl_easy_getinfo(stream->easy, CURLINFO_HTTP_VERSION, &version);
    tc_origins_note(&stream->client->origins, stream->origin, head->headers,
                    version != CURL_HTTP_VERSION_1_0 && version != CURL_HTTP_VERSION_1_1);
}

static enum tc_err perform(struct tc_cx *cx, struct tc_client_stream *stream, const struct tc_client_request *request)
{
    enum tc_err err = tc_transfer_init(cx, stream, request);
    int64_t old;

    if (err)
        return err;
    if (!set_trust(stream->client, stream->easy))
        return tc_fail_memory(cx);
    set_age(stream);
    if (request->handle) {
        request->handle->stream = stream;
        stream->handle = request->handle;
    }
    stream->added = tc_curlloop_add(stream->client->curlloop, stream->easy);
    if (!stream->added)
        return tc_fail_memory(cx);
    old = tc_task_deadline_set(cx, deadline_of(cx, request));
    err = await_head(cx, stream);
    tc_task_deadline_restore(cx, old);
    note_sent(request, stream);
    return err;
}

enum tc_err tc_client_open(struct tc_cx *cx, struct tc_client *client, const struct tc_client_request *request,
                           struct tc_client_response *ret_head, struct tc_client_stream **ret_stream)
{
    struct tc_client_stream *stream = NULL;
    enum tc_err err = new_stream(cx, client, &stream);

    if (request->sent)
        *request->sent = false;
    if (err)
        return err;
    err = perform(cx, stream, request);
    if (!err)
        err = tc_transfer_head(cx, stream, ret_head);
    if (!err)
        note_origin(stream, ret_head);
    if (err) {
        tc_client_close(stream);
        return err;
    }
    *ret_stream = stream;
    return TC_OK;
}

/* Lets the sender go on when the buffer has room again. */
static void resume(struct tc_client_stream *stream)
{
    if (!stream->paused || stream->done)
        return;
    stream->paused = false;
    curl_easy_pause(stream->easy, CURLPAUSE_CONT);
}

enum tc_err tc_client_read(struct tc_cx *cx, struct tc_client_stream *stream, int64_t timeout_ms,
                           struct tc_str *ret_data)
{
    struct tc_buf empty = stream->given;
    enum tc_err err = TC_OK;

    while (!err && stream->in.n == 0 && !stream->done) {
        resume(stream);
        if (stream->in.n == 0 && !stream->done)
            err = wait_changed(cx, stream, timeout_ms);
    }
    if (err)
        return explain(cx, stream, err);
    if (stream->in.failed)
        return tc_fail_memory(cx);
    if (stream->in.n == 0 && stream->result != CURLE_OK)
        return tc_transfer_fail(cx, stream);
    if (stream->in.n == 0)
        return tc_fail(cx, TC_E_CLOSED, "The answer of %s has ended.", stream->origin);
    tc_buf_clear(&empty);
    stream->given = stream->in;
    stream->in = empty;
    *ret_data = tc_buf_get(&stream->given);
    resume(stream);
    return TC_OK;
}

static enum tc_err read_all(struct tc_cx *cx, struct tc_client_stream *stream, struct tc_buf *body)
{
    struct tc_str piece;
    enum tc_err err;

    while (!(err = tc_client_read(cx, stream, -1, &piece)))
        tc_buf_str(body, piece);
    if (err != TC_E_CLOSED)
        return err;
    tc_fail_clear(cx);
    return body->failed ? tc_fail_memory(cx) : TC_OK;
}

enum tc_err tc_client_fetch(struct tc_cx *cx, struct tc_client *client, const struct tc_client_request *request,
                            struct tc_client_response *ret_response)
{
    struct tc_client_request limited = *request;
    struct tc_client_response response;
    struct tc_client_stream *stream;
    struct tc_buf body;
    int64_t old = tc_task_deadline_set(cx, deadline_of(cx, request));
    enum tc_err err;

    limited.max_bytes = request->max_bytes ? request->max_bytes : fetch_max;
    err = tc_client_open(cx, client, &limited, &response, &stream);
    if (!err) {
        tc_buf_init(&body, limited.max_bytes);
        err = read_all(cx, stream, &body);
        tc_client_close(stream);
        if (!err) {
            response.body = tc_buf_dup(&body, cx->arena);
            err = response.body.p ? TC_OK : tc_fail_memory(cx);
        }
        tc_buf_finish(&body);
    }
    tc_task_deadline_restore(cx, old);
    if (err)
        return err;
    *ret_response = response;
    return TC_OK;
}
