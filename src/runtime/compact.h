/*
 * Compaction: what was said before becomes a summary, so that the conversation goes on
 * fitting the model's window. Cut only between complete rounds; images go with their
 * message.
 */
#ifndef TC_RUNTIME_COMPACT_H
#define TC_RUNTIME_COMPACT_H

#include "io/task.h"
#include "runtime/channels.h"
#include "runtime/tape.h"
#include "toolcrib/model.h"

struct tc_run;
struct tc_runtime;

/* Sums up the tape of the run with its model, else by extracts, and begins a new window.
 * TC_E_TAPE_TOO_SHORT when there is nothing to sum up. */
PARKS enum tc_err tc_compact_run(struct tc_cx *cx, struct tc_run *run);
/* The same when the window is full to three quarters; nothing when there is nothing. */
PARKS enum tc_err tc_compact_when_due(struct tc_cx *cx, struct tc_run *run);

/* Who writes the summary; write NULL: it is made of extracts. */
struct tc_compact_writer {
    /* PARKS. Of what was said, rendered as text. p NULL: extracts will do. */
    enum tc_err (*write)(struct tc_cx *cx, void *arg, struct tc_str said, struct tc_str *ret_summary);
    void *arg;
    /* Whether a tool that was loaded stays so; NULL: all do. */
    bool (*stays)(void *stays_arg, struct tc_str tool_id);
    void *stays_arg;
    struct tc_str model;  /* its name, for the record */
    int64_t keep_tokens;  /* that stay as they are at the end */
    int64_t said_tokens;  /* at most, of what is rendered; 0: all */
};
/* Entries that begin a window: an anchor, the words that stand for what was before, what is
 * loaded, the plan. */
struct tc_window {
    struct tc_tape_write writes[4];
    size_t n;
};
struct tc_compacted {
    int64_t from, to;     /* the entries that the summary stands for */
    int64_t tokens;       /* that they took */
    struct tc_window window;
};
/* Begins a new window on the tape, which is opened again. The caller has claimed it. */
PARKS enum tc_err tc_compact_tape(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                                  const struct tc_compact_writer *writer, struct tc_compacted *ret);

/* What was before is out of the model's sight, and a text stands for it. */
struct tc_handoff {
    struct tc_str name; /* of the anchor */
    struct tc_str text; /* shown to the model first; may be empty */
};
/* Begins a new window with them, the plan, and what is loaded (of the writer `stays` alone
 * counts). The caller has claimed the tape, which is opened again. */
PARKS enum tc_err tc_compact_handoff(struct tc_cx *cx, struct tc_tape *tape, struct tc_str run,
                                     const struct tc_compact_writer *writer, const struct tc_handoff *handoff);

/* --- by hand (compact_stored.c) --- */

/* Sums up all of a stored tape with its agent's model, else by extracts. TC_E_RUN_ACTIVE
 * while a run is on it, TC_E_TAPE_NOT_FOUND, TC_E_TAPE_TOO_SHORT. */
PARKS enum tc_err tc_compact_stored(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id,
                                    struct tc_compacted *ret);

/* The same of a handoff; *ret_anchor: the number of its anchor. TC_E_RUN_ACTIVE,
 * TC_E_TAPE_NOT_FOUND. */
PARKS enum tc_err tc_handoff_stored(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str id,
                                    const struct tc_handoff *handoff, int64_t *ret_anchor);

/* A writer's write whose arg is this. */
struct tc_compact_model {
    struct tc_runtime *runtime;
    const struct tc_channels_model *model;
    struct tc_run *run;   /* whose record has what the model was asked; NULL: nobody's */
};
PARKS enum tc_err tc_compact_write(struct tc_cx *cx, void *model, struct tc_str said, struct tc_str *ret_summary);

/* --- to look at --- */

typedef enum tc_err tc_compact_write_fn(struct tc_cx *cx, void *arg, struct tc_str said, struct tc_str *ret_summary);
/* Has a summary of the run's tape written as tc_compact_run would, and does nothing with
 * it. */
PARKS enum tc_err tc_compact_look(struct tc_cx *cx, struct tc_run *run, tc_compact_write_fn *write, void *arg);
/* The request for a summary of what was said; it borrows from the others. */
struct tc_compact_request {
    struct tc_part part;
    struct tc_message message;
    struct tc_model_request request;
};
void tc_compact_request_init(struct tc_compact_request *request, const struct tc_channels_model *model,
                             struct tc_str said);

#endif
