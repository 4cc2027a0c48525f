/*
 * Replay of a run (spec 6): each request that its model was sent is put together again,
 * from the tape and the frame of its execution, and its hash compared with the journal's.
 * Runs neither a tool nor a model, and looks at no setting.
 */
#ifndef TC_RUNTIME_RUN_REPLAY_H
#define TC_RUNTIME_RUN_REPLAY_H

#include "runtime/run_start.h"

struct tc_run_replay_request {
    int64_t turn, entry;             /* entry: the last one of the tape that it showed */
    bool summary;                    /* a compaction asked, not a turn */
    struct tc_str recorded, replayed; /* hashes */
    bool same;
    struct tc_str why;               /* it could not be put together, or where it differs; else empty */
};

struct tc_run_replay {
    struct tc_run_replay_request *requests;
    size_t n;
    bool same;                       /* all of them are */
};

/* Of a run that is over; TC_E_RUN_ACTIVE. In cx->arena. */
PARKS enum tc_err tc_run_replay(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_run_offers *offers,
                                struct tc_str id, struct tc_run_replay *ret);

#endif
