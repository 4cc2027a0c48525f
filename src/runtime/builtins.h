/*
 * The built-in tools in the registry: each is there, and is unavailable while what it needs
 * of this machine or of the operator is missing.
 */
#ifndef TC_RUNTIME_BUILTINS_H
#define TC_RUNTIME_BUILTINS_H

#include "runtime/runtime.h"
#include "runtime/tool_config.h"

/* A key or secret that a tool declares. */
struct tc_supply {
    const char *kind;        /* "setting", "secret" */
    struct tc_str name;      /* of the setting or secret */
    const char *description; /* one line */
    bool met;                /* it is there, or the tool does without */
};
/* All of a tool, keys first; in the arena. */
PARKS enum tc_err tc_builtins_supplies(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_tool *tool,
                                       struct tc_supply **ret_supplies, size_t *ret_n);
/* What is missing now is told to the registry, at start and when an operator has supplied something. */
PARKS enum tc_err tc_builtins_refresh(struct tc_cx *cx, struct tc_runtime *runtime);
/* A secret that the tool declares, in the arena; empty: it is optional, and not set.
 * TC_E_TOOL_EXECUTOR_UNAVAILABLE: it is not there. */
PARKS enum tc_err tc_builtins_secret(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_tool *tool,
                                     const char *name, struct tc_str *ret_secret);

#endif
