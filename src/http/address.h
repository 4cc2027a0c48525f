/*
 * Which network addresses are the public internet's: what an outgoing request
 * on behalf of others may connect to.
 */
#ifndef TC_HTTP_ADDRESS_H
#define TC_HTTP_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* False for loopback, private, link-local, multicast, documentation and other
 * special ranges (the registries of RFC 6890), for IPv4 addresses of such kind
 * inside IPv6 ones, and for every other family. */
bool tc_address_is_public(const struct sockaddr *address);
/* The same for a numeric address as text. */
bool tc_address_text_is_public(const char *text);

#endif
