/*
 * Whether what was sent over a TCP connection can have been received: what the
 * kernel knows of it. Inside of http/ only.
 */
#ifndef TC_HTTP_DELIVERY_H
#define TC_HTTP_DELIVERY_H

#include <stdbool.h>
#include <stddef.h>

/* True when the other side provably ended the connection before it had received the
 * last n + 2 bytes that were sent. False also when nothing is known. May take the
 * socket's pending error: of use before it is closed. */
bool tc_delivery_failed(int fd, size_t n);

#endif
