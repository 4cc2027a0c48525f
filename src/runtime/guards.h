/*
 * The guard against a model that makes the same call over and over: a call that was
 * answered n times with the same result, nothing having been changed meanwhile, is not
 * made once more (agent.same_call).
 */
#ifndef TC_RUNTIME_GUARDS_H
#define TC_RUNTIME_GUARDS_H

#include "base/map.h"
#include "catalog/descriptor.h"

struct tc_guards {
    int64_t same_call;   /* 0: no guard */
    struct tc_map calls; /* hash of ToolId and canonical arguments → what came of it */
    uint64_t changes;    /* how often something was changed */
};

void tc_guards_init(struct tc_guards *guards, int64_t same_call);
void tc_guards_finish(struct tc_guards *guards);

/* TC_E_AGENT_SAME_CALL. arguments as they would run. */
enum tc_err tc_guards_check(struct tc_cx *cx, const struct tc_guards *guards, const struct tc_descriptor *tool,
                            const struct tc_json *arguments);
/* The call was answered so. changed: it changed something that other calls can see. */
enum tc_err tc_guards_answered(struct tc_cx *cx, struct tc_guards *guards, const struct tc_descriptor *tool,
                               const struct tc_json *arguments, struct tc_str result, bool changed);

#endif
