/*
 * Runs and their journals (spec 1): what a run was asked, how it stands, and its
 * events in order, for watching. Numbers of events rise by one from 1 in each run.
 */
#ifndef TC_PORTS_STORE_RUNS_H
#define TC_PORTS_STORE_RUNS_H

#include "ports/store_tapes.h"

struct tc_run_row {
    struct tc_str id;
    struct tc_str agent, tape;
    struct tc_str surface, principal_kind, principal_id;
    struct tc_str status;      /* "running", "waiting", "completed", "partial_success", "failed", "cancelled",
                                * "interrupted" */
    struct tc_str stage;
    struct tc_str channel, model;
    struct tc_str input;       /* JSON: what it was asked */
    struct tc_str snapshot;    /* hash of its invocation's snapshot */
    struct tc_str frame;       /* hash of its execution's frame (runtime/run_frame.h), stored as a snapshot is */
    struct tc_str error_code, error_message;
    struct tc_str usage;       /* JSON; may be empty */
    int64_t steps;             /* model turns */
    int64_t events;            /* number of the last event; counted by the store */
    int64_t created_at, updated_at, ended_at;
};

struct tc_run_event {
    int64_t seq, at;
    struct tc_str type;        /* "run_started", "tool_call_completed", … */
    struct tc_str invocation;
    struct tc_str json;        /* an object */
};

/* What a run has to put on record at once. */
struct tc_run_step {
    struct tc_str run;
    const struct tc_run_row *row;     /* how it stands, as by `update`; NULL: as it was */
    struct tc_run_event *events;
    size_t events_n;
    struct tc_str tape;               /* that the entries go on, or that is let go */
    int64_t last;                     /* of the tape, as in its append */
    struct tc_tape_entry *entries;
    size_t entries_n;
    bool let_go;                      /* no run is active on the tape any more */
};

struct tc_run_filter {
    struct tc_str agent, status, tape, principal_id; /* empty: any */
};

enum { TC_RUN_EVENTS_MAX = 500, TC_RUN_GROUPS_MAX = 20000 };

enum tc_run_status {
    TC_RUN_RUNNING,
    TC_RUN_WAITING,
    TC_RUN_COMPLETED,
    TC_RUN_PARTIAL_SUCCESS,
    TC_RUN_FAILED,
    TC_RUN_CANCELLED,
    TC_RUN_INTERRUPTED,
    TC_RUN_STATUSES
};

struct tc_run_figures {
    int64_t runs, by_status[TC_RUN_STATUSES];
};

struct tc_run_group {
    struct tc_str agent;
    struct tc_run_figures figures;
};

struct tc_run_sums_query {
    int64_t from, to;    /* created_at ≥ from, < to */
    int64_t limit;       /* of groups, 0 to TC_RUN_GROUPS_MAX */
};

struct tc_run_sums {
    struct tc_run_figures totals, previous; /* of the span, and of the one as long before it */
    int64_t live;                           /* running or waiting, whenever they began */
    struct tc_run_group *groups;            /* most runs first, then by agent */
    size_t groups_n;
    int64_t groups_total;
};

struct tc_store_runs_ops {
    enum tc_err (*create)(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row);
    enum tc_err (*get)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, struct tc_run_row *ret_row);
    /* Sorted by "createdAt"; searched by id, agent and model. */
    enum tc_err (*page)(struct tc_cx *cx, struct tc_store *self, const struct tc_store_page *page,
                        const struct tc_run_filter *filter, struct tc_run_row **ret_rows, size_t *ret_n,
                        int64_t *ret_total);
    /* TC_E_USAGE for a span or limit that is none. */
    enum tc_err (*sums)(struct tc_cx *cx, struct tc_store *self, const struct tc_run_sums_query *query,
                        struct tc_run_sums *ret_sums);
    /* Sets all but id, agent, tape, surface, principal, input, created_at and events. */
    enum tc_err (*update)(struct tc_cx *cx, struct tc_store *self, const struct tc_run_row *row);
    /* All or nothing; the seq of events and entries is filled in. TC_E_STORE_NOT_FOUND: no such
     * run or tape; TC_E_STORE_CONFLICT: `last` is not the tape's. */
    enum tc_err (*record)(struct tc_cx *cx, struct tc_store *self, struct tc_run_step *step);
    /* Events after `after`, or the last ones before `before` when that is not 0, in order;
     * limit ≤ TC_RUN_EVENTS_MAX. */
    enum tc_err (*events)(struct tc_cx *cx, struct tc_store *self, struct tc_str id, int64_t after, int64_t before,
                          int64_t limit, struct tc_run_event **ret_events, size_t *ret_n);
    /* At the start: runs that a former process left running or waiting become interrupted,
     * ended `now`, and no tape has an active run; how many. */
    enum tc_err (*close_open)(struct tc_cx *cx, struct tc_store *self, int64_t now, int64_t *ret_n);
    /* Removes runs that ended before `before`, with their events; how many. */
    enum tc_err (*prune)(struct tc_cx *cx, struct tc_store *self, int64_t before, int64_t *ret_n);
};

#endif
