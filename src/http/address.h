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
/* Whether text is a numeric address at all. */
bool tc_address_is_text(const char *text);
/* 169.254/16 and fe80::/10, also as IPv4 inside IPv6, and the addresses beside them
 * at which clouds answer with the secrets of their machines. */
bool tc_address_is_link_local(const struct sockaddr *address);
bool tc_address_text_is_link_local(const char *text);

#endif
