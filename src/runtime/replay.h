/*
 * Replay of one call (spec 6): never runs a tool or a model. Gate, arguments,
 * schema, repair and shaping are done again from the stored raw arguments,
 * snapshot and result, and compared with what the record says.
 */
#ifndef TC_RUNTIME_REPLAY_H
#define TC_RUNTIME_REPLAY_H

#include "runtime/runtime.h"

struct tc_replay_step {
    const char *name;  /* "gate", "arguments", "schema", "canonical", "repair", "shaping" */
    struct tc_str recorded, replayed;
    bool same;
    bool skipped;      /* could not be compared; replayed says why */
};

enum { TC_REPLAY_STEPS = 6 };

struct tc_replay {
    struct tc_str audit_id;
    bool same;
    struct tc_replay_step steps[TC_REPLAY_STEPS];
    size_t n;
};

/* TC_E_AUDIT_NOT_FOUND. A difference is no error: see same. */
PARKS enum tc_err tc_replay_call(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str audit_id,
                                 struct tc_replay *ret);

#endif
