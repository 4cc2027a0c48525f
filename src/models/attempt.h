/*
 * One try of a turn: sends the request, reads the answer to its end or to what is wrong
 * with it, closes. It knows nothing of other tries.
 */
#ifndef TC_MODELS_ATTEMPT_H
#define TC_MODELS_ATTEMPT_H

#include "http/client.h"
#include "models/retry.h"
#include "toolcrib/provider.h"

struct tc_attempt {
    struct tc_client *client;
    const struct tc_provider *provider;
    const struct tc_model_sink *sink; /* may be NULL */
    struct tc_client_request http;
    int64_t max_output;               /* of the request, or 0 */
    int64_t first_ms, idle_ms;        /* until the answer begins, between two pieces of it */
    /* what came of it */
    int status;                       /* of an answer that is an error; 0: there was none */
    struct tc_retry_advice advice;
};

/* The reply in cx->arena. A failure has a TC_E_MODEL_ code, its message what the server
 * said or why it could not be asked, nothing of ours. */
PARKS enum tc_err tc_attempt_make(struct tc_cx *cx, struct tc_attempt *attempt, struct tc_model_reply *ret_reply);
/* An error of the client, as one of a model; what was not answered at all is `otherwise`.
 * What ended the task stays what it is. */
enum tc_err tc_attempt_failed(struct tc_cx *cx, enum tc_err err, enum tc_err otherwise);

#endif
