/*
 * The steps of a case, one function each, found by their words.
 */
#ifndef TESTS_CASES_STEP_H
#define TESTS_CASES_STEP_H

#include "world.h"

/* subject: the first word; rest: what follows the verb, lines below included. */
typedef void step_fn(struct world *w, const struct outline *step, struct tc_str subject, struct tc_str rest);

struct verb {
    const char *word;
    step_fn *fn;
};

/* Those of runs (step_runs.c). */
extern const struct verb step_runs_plain[], step_runs_of_subject[];
/* What must hold of all runs and tapes before a restart, in which a run may wait for its
 * answer, and behind one (check_runs.c). */
PARKS void step_runs_rest(struct world *world);
PARKS void step_runs_finish(struct world *world);

PARKS void step_run(struct world *world, const struct outline *step);
/* What must hold at the end, whatever happened: nothing of the audit is lost, and
 * another start on the same store goes well. */
PARKS void step_finish(struct world *world);

#endif
