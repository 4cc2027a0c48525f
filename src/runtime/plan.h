/*
 * The to-do list of plan.update, kept in the workspace's .toolcrib/plan.json.
 */
#ifndef TC_RUNTIME_PLAN_H
#define TC_RUNTIME_PLAN_H

#include "runtime/workspace.h"
#include "toolcrib/plan.h"

/* The workspace must outlive it. NULL: what keeps it is the tape of the run, which takes
 * it from the call's result. */
struct tc_plan_service {
    struct tc_workspace *workspace;
};

void tc_plan_service_init(struct tc_plan_service *plan, struct tc_workspace *workspace);
/* The stored list as JSON text, in cx->arena; empty when none was stored yet. */
PARKS enum tc_err tc_plan_load(struct tc_cx *cx, struct tc_plan_service *plan, struct tc_str *ret_json);

#endif
