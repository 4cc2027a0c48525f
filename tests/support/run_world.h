/*
 * A runtime with runs on a model that answers from a script, and the agent "work".
 */
#ifndef TESTS_SUPPORT_RUN_WORLD_H
#define TESTS_SUPPORT_RUN_WORLD_H

#include "runtime/runs.h"
#include "support/played_models.h"
#include "support/runtime.h"

struct run_world {
    struct tc_cx *cx;
    struct test_runtime t;
    struct played_models models;
    struct tc_runs *runs;
    struct tc_run_request request; /* of the next start; text and agent are filled in */
    struct tc_str id;              /* of the run started last */
    struct tc_run_row row;         /* of the run that ended last */
};

/* Runs body in a task with a script of turns; agent: JSON with ' for ", without its id. */
typedef void run_world_fn(struct run_world *w);
void run_world(run_world_fn *body, const char *agent, const char *script);
void run_world_virtual(run_world_fn *body, const char *agent, const char *script);

/* Starts a run with that text, if that can be: its id is empty when not. */
PARKS enum tc_err run_world_try(struct run_world *w, const char *text);
/* Starts a run with that text. */
PARKS void run_world_start(struct run_world *w, const char *text);
/* The same, and waits until it has ended; its status. */
PARKS const char *run_world_run(struct run_world *w, const char *text);
/* Waits for the last run; its status. */
PARKS const char *run_world_wait(struct run_world *w);
/* Types of all events of the last run, with spaces between. */
PARKS struct tc_str run_world_events(struct run_world *w);
/* JSON of its last event of that type; empty when there is none. */
PARKS struct tc_str run_world_event(struct run_world *w, const char *type);
/* Waits until it has an event of that type, at most a second of yields; its JSON. */
PARKS const struct tc_json *run_world_await(struct run_world *w, const char *type);
/* A file of the last run's workspace; p NULL: there is none. */
struct tc_str run_world_file(struct run_world *w, const char *path);
/* Other runs on the same store: a former process is gone, however it went. */
PARKS void run_world_restart(struct run_world *w);
/* What the model was shown in that turn, counted from 0. */
#define run_world_seen(w, turn) ((w)->models.seen[turn])

#endif
