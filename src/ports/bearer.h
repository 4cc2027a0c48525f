/*
 * Access tokens that somebody else issued, an OpenID provider, and what they say of
 * their bearer. Implemented by oauth/oidc; the runtime's access asks it.
 */
#ifndef TC_PORTS_BEARER_H
#define TC_PORTS_BEARER_H

#include "io/task.h"
#include "toolcrib/cx.h"

struct tc_bearer;

struct tc_bearer_claims {
    struct tc_str subject, agent; /* in the arena */
    int64_t expires_at;           /* wall clock, ms */
};

struct tc_bearer_ops {
    /* MUST. Might the text be such a token? Says nothing of whether it is a good one. */
    bool (*looks_like)(const struct tc_bearer *self, struct tc_str token);
    /* MUST, PARKS. TC_E_AUTH_INVALID with what is wrong with it, TC_E_AUTH_SCOPE when
     * it is good and does not suffice, else what keeps it from being checked now. */
    enum tc_err (*verify)(struct tc_cx *cx, struct tc_bearer *self, struct tc_str token,
                          struct tc_bearer_claims *ret_claims);
};

struct tc_bearer {
    const struct tc_bearer_ops *ops;
};

#endif
