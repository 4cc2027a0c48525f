/*
 * WWW-Authenticate (RFC 9110 section 11.6.1, RFC 6750, RFC 9728): what a server
 * that refused a request says about the token it wants. Pure.
 */
#ifndef TC_OAUTH_CHALLENGE_H
#define TC_OAUTH_CHALLENGE_H

#include "toolcrib/cx.h"

enum { TC_CHALLENGE_MAX = 8 * 1024 };

/* Of the Bearer challenge; what it does not say is empty. Strings lie in the arena
 * or in the field. */
struct tc_challenge {
    bool bearer; /* there is one */
    struct tc_str scope, error, description, resource_metadata;
};

/* Reads a field of one or more challenges; the first Bearer that names its metadata
 * counts, else the first Bearer. What cannot be read is passed over, a field over
 * TC_CHALLENGE_MAX as a whole. Fails with TC_E_NO_MEMORY only. */
enum tc_err tc_challenge_parse(struct tc_cx *cx, struct tc_str field, struct tc_challenge *ret_challenge);

#endif
