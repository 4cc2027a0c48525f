/*
 * Where the to-do list of plan.update lives: on the tape of a run, else in the
 * workspace's .toolcrib/plan.json. The service hides which.
 */
#ifndef TOOLCRIB_PLAN_H
#define TOOLCRIB_PLAN_H

#include "toolcrib/cx.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tc_plan_service;

/* Stores the whole list (JSON text of {"items":[…],"note"?}). */
PARKS enum tc_err tc_plan_store(struct tc_cx *cx, struct tc_plan_service *plan, struct tc_str json);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
