/*
 * The steps of a case, one function each, found by their words.
 */
#ifndef TESTS_CASES_STEP_H
#define TESTS_CASES_STEP_H

#include "world.h"

PARKS void step_run(struct world *world, const struct outline *step);
/* What must hold at the end, whatever happened: nothing of the audit is lost, and
 * another start on the same store goes well. */
PARKS void step_finish(struct world *world);

#endif
