/*
 * libcurl's multi interface on the loop: its sockets are watched by libuv, its
 * one timer is libuv's. Transfers run in real time also on a virtual loop. Inside
 * of http/ only.
 */
#ifndef TC_HTTP_CURLLOOP_H
#define TC_HTTP_CURLLOOP_H

#include <curl/curl.h>

#include "toolcrib/cx.h"

struct tc_loop;
struct tc_curlloop;

/* Called on the loop's thread; transfer is its CURLOPT_PRIVATE. */
struct tc_curlloop_events {
    void (*done)(void *transfer, CURLcode result); /* it has ended; outside of libcurl */
    /* It has nothing to do with that socket any more, which may be closed next; from
     * inside of libcurl. */
    void (*left)(void *transfer, curl_socket_t fd);
};

enum tc_err tc_curlloop_create(struct tc_cx *cx, struct tc_loop *loop, const struct tc_curlloop_events *events,
                               struct tc_curlloop **ret_curlloop);
/* Every transfer must have been removed. NULL is fine. */
void tc_curlloop_destroy(struct tc_curlloop *curlloop);
/* Never from inside a callback of libcurl. False without memory. */
bool tc_curlloop_add(struct tc_curlloop *curlloop, CURL *easy);
void tc_curlloop_remove(struct tc_curlloop *curlloop, CURL *easy);

#endif
