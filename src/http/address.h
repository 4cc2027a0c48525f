/*
 * Which network addresses are the public internet's: what an outgoing request
 * on behalf of others may connect to. Ranges of addresses.
 */
#ifndef TC_HTTP_ADDRESS_H
#define TC_HTTP_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "toolcrib/str.h"

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

struct tc_address_range {
    uint8_t net[16]; /* IPv4 as IPv6 maps it */
    unsigned bits;
};
/* "192.0.2.7", "10.0.0.0/8", "fd00::/8"; false for anything else, also where bits of the network are
 * set behind its prefix. */
bool tc_address_range_parse(struct tc_str text, struct tc_address_range *ret);
/* Of a numeric address as text. */
bool tc_address_range_has(const struct tc_address_range *range, const char *text);

#endif
