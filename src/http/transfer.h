/*
 * One transfer of libcurl: what it is asked for, what its callbacks collect, why
 * it failed. Inside of client.c only, which waits for it on behalf of a task.
 */
#ifndef TC_HTTP_TRANSFER_H
#define TC_HTTP_TRANSFER_H

#include <curl/curl.h>

#include "http/client.h"
#include "toolcrib/buf.h"

enum {
    TC_TRANSFER_WINDOW = 256 * 1024, /* of a body that is not read; then the socket is left alone */
    TC_TRANSFER_ORIGIN = 160
};

struct tc_client_stream {
    struct tc_client *client;
    struct tc_client_handle *handle; /* or NULL */
    CURL *easy;
    struct curl_slist *fields;
    struct tc_str body; /* of the request */
    size_t body_at;
    struct tc_buf head, in, given; /* head lines; body that came; body that the task has */
    struct tc_event changed;
    size_t total, max; /* bytes of the body; 0: no limit */
    CURLcode result;
    bool added, head_done, done, paused, too_large, refused, public_only, no_link_local;
    bool sending;    /* there is a connection for the request */
    bool unheard;    /* the last connection was ended before the request had been received (delivery.h) */
    bool may_repeat; /* for that reason the body may be given again */
    char origin[TC_TRANSFER_ORIGIN]; /* scheme, host and port, for messages; perhaps cut */
    char reason[CURL_ERROR_SIZE];
};

/* The stream is zeroed but for its handle, which is fresh or reset. On failure
 * finish it as well. */
enum tc_err tc_transfer_init(struct tc_cx *cx, struct tc_client_stream *stream,
                             const struct tc_client_request *request);
/* Frees all but the handle. */
void tc_transfer_finish(struct tc_client_stream *stream);
/* Records why a transfer failed that is done. */
enum tc_err tc_transfer_fail(struct tc_cx *cx, const struct tc_client_stream *stream);
/* Status and fields of the head that has come, in cx->arena. */
enum tc_err tc_transfer_head(struct tc_cx *cx, const struct tc_client_stream *stream,
                             struct tc_client_response *ret_head);

#endif
