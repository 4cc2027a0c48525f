/*
 * A request in other words, for a server that has refused it for a part which the request
 * can do without. Pure.
 */
#ifndef TC_MODELS_RETELL_H
#define TC_MODELS_RETELL_H

#include "toolcrib/model.h"

/* The request as it can be sent once more after that answer; *ret_changed false: there is
 * nothing to leave out. Shares what it does not change with `request`, the rest is in
 * cx->arena.
 *   - Schemas of which the server can make no grammar are said by types alone.
 *   - Reasoning and signatures that the server does not take are left out of earlier turns;
 *     the present one keeps its own, since models want those back. */
enum tc_err tc_retell(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str said,
                      struct tc_model_request *ret_request, bool *ret_changed);

#endif
