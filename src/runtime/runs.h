/*
 * Runs: one execution of an agent for one input, as a task of its own. A run outlives
 * the request that started it; whoever watches reads its journal, and questions that it
 * asks are answered by id, from wherever.
 *
 * The record comes first: a run's entries are on its tape, its events in its journal,
 * before anybody is told of them, so that a killed process can go on with it.
 */
#ifndef TC_RUNTIME_RUNS_H
#define TC_RUNTIME_RUNS_H

#include "ports/store_runs.h"
#include "runtime/pipeline.h"

struct tc_runs;

struct tc_run_request {
    struct tc_str agent;
    const char *surface;             /* "run" is what its calls are recorded as; this is who started it */
    struct tc_principal principal;
    struct tc_str text;              /* what it is asked */
    struct tc_str session;           /* name of a session of this agent, made when new; empty: a tape of its own */
    struct tc_str tape;              /* id of a tape to go on with; empty: by session */
    const struct tc_json *parts;     /* the same where it has images: [{text} or {image: {data}}], base64; or NULL */
    const struct tc_json *history;   /* earlier messages that a caller keeps itself: [{role, content}], content
                                      * being a text or parts; or NULL */
    struct tc_str instructions;      /* added to the agent's; may be empty */
    struct tc_str workspace_dir;     /* a directory of the operator; empty: the run's or session's own */
    struct tc_str channel, model;    /* instead of the agent's; may be empty */
    unsigned stage;                  /* one TC_SCENE_ stage bit; 0: the agent's */
    bool answers;                    /* somebody will answer clarify, approvals and confirmations */
    bool attended;                   /* a person waits beside it and can approve, as its caller */
    bool confirms;                   /* somebody confirms commits; else they count as confirmed */
};

/* Loads; runs that a former process left behind become interrupted. */
PARKS enum tc_err tc_runs_create(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_runs **ret_runs);
/* Cancels what runs and waits for it. NULL is fine. */
PARKS void tc_runs_destroy(struct tc_cx *cx, struct tc_runs *runs);

/* Starts one. TC_E_RUN_ACTIVE: another run is active on that session.
 * TC_E_CHANNEL_NONE: no model is there for the agent; the hint says how to get one. */
PARKS enum tc_err tc_runs_start(struct tc_cx *cx, struct tc_runs *runs, const struct tc_run_request *request,
                                struct tc_str *ret_id);
/* Goes on with a run that was interrupted, cancelled or failed. TC_E_RUN_UNKNOWN_OUTCOME
 * names the calls whose outcome is not known, unless they are accepted; TC_E_RUN_ACTIVE,
 * TC_E_RUN_COMPLETED. */
PARKS enum tc_err tc_runs_resume(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, bool accept_unknown);
/* Another invocation on the same snapshot: the output so far is kept and `text` asks for
 * a change of it. */
PARKS enum tc_err tc_runs_revise(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, struct tc_str text);
/* It ends soon; nothing happens to one that has ended. TC_E_RUN_NOT_FOUND. */
PARKS enum tc_err tc_runs_cancel(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id);
/* Waits until it has ended and reads its row; a cancelled waiter leaves it running. */
PARKS enum tc_err tc_runs_wait(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, struct tc_run_row *ret_row);

struct tc_runs_counts {
    size_t live, waiting; /* those that are active; those of them that wait for an answer */
};
struct tc_runs_counts tc_runs_counts(const struct tc_runs *runs); /* NULL: there are none */

/* Its requests put together again, see run_replay.h. */
struct tc_run_replay;
PARKS enum tc_err tc_runs_replay(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, struct tc_run_replay *ret);

/* A question that a run waits with: of kind "clarify", "approval" or "confirmation". Its id
 * is in the event question_asked. answer: {text} or {option}, {choice, comment?}, or
 * {confirmed, comment?}; {declined: true} for any. Who started the run answers an approval
 * as its caller, an operator else as one. TC_E_QUESTION_CLOSED, TC_E_APPROVAL_CHANNEL. */
struct tc_run_answer {
    struct tc_str question;
    const struct tc_principal *principal; /* who answers */
    const struct tc_json *answer;
};
PARKS enum tc_err tc_runs_answer(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id,
                                 const struct tc_run_answer *answer);

/* The journal from after `after` on: what is stored, else waits until more comes. *ret_n 0
 * with TC_OK: the run has ended and all of it was read. Deltas of text that are on their way
 * come as events without a number (seq 0) and are not kept. TC_E_TIMEOUT when nothing came
 * in time; watching can go on. */
struct tc_run_watch;
PARKS enum tc_err tc_runs_watch(struct tc_cx *cx, struct tc_runs *runs, struct tc_str id, int64_t after,
                                struct tc_run_watch **ret_watch);
PARKS enum tc_err tc_run_watch_next(struct tc_cx *cx, struct tc_run_watch *watch, int64_t timeout_ms,
                                    struct tc_run_event **ret_events, size_t *ret_n);
void tc_run_watch_close(struct tc_run_watch *watch);

#endif
