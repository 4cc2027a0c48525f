/*
 * A model that plays turns from a script: for demos and tests, without a network and
 * without a wait that was not asked for. It has no state: which turn is due follows from
 * the transcript alone, so a run can be resumed, forked and asked again.
 *
 * Provider "scripted", base URL the path of the script, or "embedded" (or empty) for the
 * one of the demo. docs/internals/models.md describes scripts.
 */
#ifndef TC_MODELS_SCRIPTED_H
#define TC_MODELS_SCRIPTED_H

#include "ports/models.h"

extern const struct tc_model_caps tc_scripted_caps;

bool tc_scripted_is(const struct tc_model_target *target);
/* As the port's turn. TC_E_MODEL_SCRIPT: the script cannot be read, has no turn that is
 * due, or was shown something else than it expects. */
PARKS enum tc_err tc_scripted_turn(struct tc_cx *cx, const struct tc_model_target *target,
                                   const struct tc_model_request *request, const struct tc_model_watch *watch,
                                   struct tc_model_reply *ret_reply);
/* The request as JSON text: Chat Completions, as that provider writes it. */
enum tc_err tc_scripted_body(struct tc_cx *cx, const struct tc_model_request *request, struct tc_str *ret_body);

#endif
