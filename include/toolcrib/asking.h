/*
 * A question to whoever stands behind a call: the person who started the run, or the
 * client that made it.
 */
#ifndef TOOLCRIB_ASKING_H
#define TOOLCRIB_ASKING_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_asking_service;

struct tc_asking {
    struct tc_str question;
    const struct tc_str *options; /* to choose from; none: any answer */
    size_t options_n;
};
/* The answer, in cx->arena. TC_E_CLARIFY_UNAVAILABLE, _DECLINED, _TIMEOUT. */
PARKS enum tc_err tc_asking_ask(struct tc_cx *cx, struct tc_asking_service *service, const struct tc_asking *asking,
                                struct tc_str *ret_answer);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
