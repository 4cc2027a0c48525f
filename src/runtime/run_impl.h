/*
 * A run under way; private to runs.c, run*.c and turn*.c. It lives from its start until
 * its task has ended and nobody watches it any more. All of it belongs to the loop's
 * thread; its task alone changes tape and row.
 */
#ifndef TC_RUNTIME_RUN_IMPL_H
#define TC_RUNTIME_RUN_IMPL_H

#include "runtime/channels.h"
#include "runtime/discovery.h"
#include "runtime/guards.h"
#include "runtime/run_journal.h"
#include "runtime/run_offer.h"
#include "runtime/runs.h"
#include "runtime/transcript.h"
#include "toolcrib/run.h"
#include "toolcrib/workspace.h"

enum {
    TC_RUN_DRIFTS = 20,            /* turns of text alone where a call is due */
    TC_RUN_PAUSES = 20,            /* answers one after another that want to be asked again */
    TC_RUN_TURN_BYTES = 256 * 1024 * 1024,
    TC_RUN_INPUT_MAX = 64 * 1024 * 1024 /* bytes of what one is asked */
};

/* What a run waits with; in the table of its run while somebody can answer. */
struct tc_run_question {
    struct tc_str id;
    const char *kind;              /* "clarify", "confirmation" */
    struct tc_str members;         /* JSON members of it */
    struct tc_event answered;
    struct tc_json_doc *answer;    /* owned */
    struct tc_run_question *next;
};

struct tc_run_service {
    struct tc_run *run;
};

struct tc_run {
    struct tc_runs *owner;
    struct tc_event *closing;      /* the owner's: no more runs */
    struct tc_runtime *runtime;
    size_t refs;
    struct tc_arena arena;         /* what lasts as long as it */
    struct tc_run_row row;
    struct tc_run_request request; /* copies */
    struct tc_channels_model model;
    struct tc_view *view;          /* pinned */
    struct tc_view_key key;
    struct tc_invocation invocation;
    struct tc_run_service service;
    struct tc_run_offer *offer;
    struct tc_tape tape;
    struct tc_transcript transcript; /* of the tape's window, as far as it was shown */
    struct tc_run_journal journal;
    struct tc_guards guards;
    struct tc_map call_ids;        /* of the window and of this execution */
    const bool *offered;           /* in this turn, by position in the view; NULL: all of it */
    enum tc_choice choice;         /* of this turn */
    struct tc_str system;          /* the prompt */
    struct tc_str hint;            /* with the error that ended it */
    unsigned stage;
    struct tc_str lost;            /* path of an image that the last request could not show; p NULL: none */
    int64_t before, started_at;    /* before: model turns of the invocations before this one */
    struct tc_usage usage;         /* summed up */
    int64_t reported;              /* tokens that the last turn took, as the model counts; 0: not told */
    int64_t estimated;             /* of the window then, as we do */
    bool resumed, revision, stored; /* stored: its row says that it runs */

    /* what its tools did */
    bool committed;                /* a commit was confirmed */
    bool finished;                 /* it ends after this turn */
    bool failed_call;              /* a call of this turn has failed */
    char candidate[TC_WORKSPACE_SHA_SIZE]; /* hash of the body that was told last */

    /* how the loop stands */
    int drifts, pauses;
    bool asked_again, compacted;   /* after an answer that is none; since the window was full */

    size_t calls_running;          /* how many of the turn's calls are in the pipeline */
    struct tc_run_question *questions;
    int waiting;                   /* how many of its calls wait for somebody */
    struct tc_task *task;          /* NULL before it runs and after */
    bool cancelled;                /* by somebody */
    bool revoked;                  /* since its token was */
    struct tc_event ended;
};

/* The task's body (run.c): from the input on the tape to the end of the run. */
PARKS void tc_run_task(struct tc_cx *cx, void *run);
/* How it stands, stored; nothing when that is how it stood. */
PARKS enum tc_err tc_run_set_status(struct tc_cx *cx, struct tc_run *run, const char *status);

/* Notes that it is over, as its row says. */
enum tc_err tc_run_note_end(struct tc_cx *cx, struct tc_run *run);

/* What one turn came to (turn.c). */
enum tc_turn_end {
    TC_TURN_CALLED,  /* calls ran: go on */
    TC_TURN_SPOKE,   /* text alone */
    TC_TURN_EMPTY,
    TC_TURN_PAUSED,
    TC_TURN_MALFORMED,
    TC_TURN_WRITTEN, /* a call stood in the text; the first time */
    TC_TURN_FULL     /* the window is full */
};
/* One model turn, its calls included, on the tape and in the journal. cx->arena is the
 * turn's. */
PARKS enum tc_err tc_turn_play(struct tc_cx *cx, struct tc_run *run, enum tc_turn_end *ret_end,
                               struct tc_str *ret_text);

/* What the next turn offers; in cx->arena. */
enum tc_err tc_turn_offer(struct tc_cx *cx, struct tc_run *run, struct tc_discovery_turn *ret);
/* The request of the next turn; borrows from the run and lives in cx->arena. */
PARKS enum tc_err tc_turn_request(struct tc_cx *cx, struct tc_run *run, struct tc_model_request *ret_request);

/* Asks whoever watches (run_questions.c). The answer is in cx->arena; p NULL: declined.
 * TC_E_TIMEOUT when nobody answered in time, TC_E_QUESTION_WITHDRAWN when the run stops.
 * members: JSON members of the question, such as "\"question\":…". */
PARKS enum tc_err tc_run_ask(struct tc_cx *cx, struct tc_run *run, const char *kind, struct tc_str members,
                             const struct tc_json **ret_answer);
/* Notes that a question is over: "answered", "declined", "timeout" or "withdrawn". */
enum tc_err tc_run_note_answered(struct tc_cx *cx, struct tc_run *run, struct tc_str id, const char *outcome);
/* The same, stored: it waits for one less. */
PARKS enum tc_err tc_run_over_with(struct tc_cx *cx, struct tc_run *run, struct tc_str id, const char *outcome);
/* It waits for somebody, or for one less. */
PARKS enum tc_err tc_run_waits(struct tc_cx *cx, struct tc_run *run, bool waits);
/* asked of its invocation (turn_calls.c); arg is the run. */
PARKS enum tc_err tc_run_approval_asked(struct tc_cx *cx, void *arg, const struct tc_approval_row *row);

/* A note of the runtime to the model, on the tape. */
enum tc_err tc_run_note(struct tc_cx *cx, struct tc_run *run, struct tc_str text);

/* Its task is done: whoever waits or watches is told (runs.c). */
void tc_run_over(struct tc_run *run);
void tc_run_unref(struct tc_run *run);

#endif
