/*
 * The frame of an execution: all that its requests to the model are made of besides the
 * tape. It is written when the execution begins and stored under its hash, as snapshots
 * are. A resumption goes on with its snapshot and prompt, and a replay puts requests
 * together from it, whatever the settings say by then.
 */
#ifndef TC_RUNTIME_RUN_FRAME_H
#define TC_RUNTIME_RUN_FRAME_H

#include "runtime/run_impl.h"

struct tc_run_frame {
    struct tc_str snapshot;                  /* hash; its text is stored beside the frame */
    struct tc_str system;                    /* the prompt */
    struct tc_str provider, base_url, model; /* which quirks a request is written with */
    bool image_input;
    int64_t max_output, context_window;      /* context_window: by which a summary is cut */
    const struct tc_json *extra;             /* members of each request, or NULL */
};

/* Of a run with view, model and prompt: stores snapshot and frame, and names the frame in
 * its row. */
PARKS enum tc_err tc_run_frame_put(struct tc_cx *cx, struct tc_run *run);
/* In cx->arena. TC_E_RUN_MATERIAL: it is not kept any more; TC_E_STORE_BROKEN. */
PARKS enum tc_err tc_run_frame_get(struct tc_cx *cx, struct tc_store *store, struct tc_str hash,
                                   struct tc_run_frame *ret_frame);
/* The text of its snapshot, in the same way. */
PARKS enum tc_err tc_run_frame_snapshot(struct tc_cx *cx, struct tc_store *store, const struct tc_run_frame *frame,
                                        struct tc_str *ret_json);

#endif
