/*
 * What a person reads when a model could not be asked: one sentence and the next step.
 * Pure. No key ever stands in them, whatever the server said.
 */
#ifndef TC_MODELS_EXPLAIN_H
#define TC_MODELS_EXPLAIN_H

#include "models/rows.h"

struct tc_explain {
    const struct tc_row *row;
    const struct tc_model_target *target;
    struct tc_str model;
    struct tc_str url;        /* that was asked */
    int status;               /* of the answer; 0: there was none, or its stream says it */
    int64_t asked_ms;         /* to wait, as the server says; -1: it does not */
    const struct tc_str *names; /* models that the server lists, for one that is not found */
    size_t names_n;
};

/* Records the failure anew: cx->err.message is what the server said, or why it could not
 * be heard. Codes that are not TC_E_MODEL_ ones stay. Returns the code. */
enum tc_err tc_explain(struct tc_cx *cx, const struct tc_explain *what, enum tc_err code);

#endif
