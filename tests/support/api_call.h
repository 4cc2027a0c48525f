/*
 * A request to the API without a socket: the body by the route's input schema, then the
 * real handler, as the server does it, on a connection that nobody opened. So nothing can
 * be streamed.
 */
#ifndef TESTS_SUPPORT_API_CALL_H
#define TESTS_SUPPORT_API_CALL_H

#include "api/api.h"
#include "http/router.h"

struct api_call {
    struct tc_runtime *runtime;
    const struct tc_router *router;
    const struct tc_principal *principal;
    struct tc_str agent;               /* of the principal; may be empty */
    struct tc_str method, path, query; /* query without its '?'; may be empty */
    struct tc_str body;                /* JSON text; empty: {} */
};

/* A router of all routes; the caller's also when it fails. */
enum tc_err api_call_router(struct tc_cx *cx, struct tc_router *ret_router);
PARKS enum tc_err api_call_make(struct tc_cx *cx, const struct api_call *call, struct tc_jsonw *out);
/* False: the route has an output schema, and the answer does not fit it. */
bool api_call_fits(struct tc_cx *cx, const struct api_call *call, const struct tc_json *answer);

#endif
