/*
 * Who stands behind a reverse proxy: X-Forwarded-For, -Proto and -Host, and Forwarded
 * (RFC 7239), from proxies that are trusted. Of anybody else these fields say nothing.
 */
#ifndef TC_HTTP_FORWARDED_H
#define TC_HTTP_FORWARDED_H

#include "http/address.h"
#include "http/header.h"
#include "toolcrib/cx.h"

struct tc_forwarded_trust {
    bool any;                              /* whoever connects */
    const struct tc_address_range *ranges; /* else these */
    size_t n;
};

/* Borrowed from the fields; what they do not tell is empty. */
struct tc_forwarded {
    struct tc_str address; /* numeric, or a proxy's word for an address that it hides */
    struct tc_str proto, host;
};

/* Whether the fields of who connects from there count. */
bool tc_forwarded_trusts(const struct tc_forwarded_trust *trust, struct tc_str address);
/* What the proxies say of the client: that of the last one which is not trusted itself. A field of
 * the other family that says otherwise may be the client's own, and is refused, as is a malformed
 * one: TC_E_HTTP_BAD_REQUEST. */
enum tc_err tc_forwarded_read(struct tc_cx *cx, const struct tc_forwarded_trust *trust, struct tc_header_list headers,
                              struct tc_forwarded *ret);

#endif
