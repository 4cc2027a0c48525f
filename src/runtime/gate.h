/*
 * The gate: may this name be called now (spec 5). Stateless; a name is never
 * bent to another tool.
 */
#ifndef TC_RUNTIME_GATE_H
#define TC_RUNTIME_GATE_H

#include "runtime/view.h"

enum { TC_GATE_NEAR = 3, TC_GATE_LISTED = 50, TC_GATE_ECHO = 200 /* characters of a name that is repeated */ };

/* The offered tool. A name that once belonged to a tool of this agent is
 * TC_E_TOOL_NOT_ALLOWED with the present reason, *ret_id then names the tool; any
 * other is TC_E_MODEL_UNKNOWN_TOOL_CALL that names what is offered and at most
 * three near names. */
PARKS enum tc_err tc_gate_name(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                               const struct tc_view *view, struct tc_str name, const struct tc_view_tool **ret_tool,
                               struct tc_str *ret_id);
/* Fails with TC_E_TOOL_NOT_ALLOWED, "tool.not_allowed: <present reason>" in words
 * for a model: without ids of ours, without what is for operators. */
PARKS enum tc_err tc_gate_refuse(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                                 struct tc_str id);
/* May it still run now? TC_E_TOOL_NOT_ALLOWED. *ret_ask: with an approval only. Cheap
 * while the registry has not moved. */
PARKS enum tc_err tc_gate_permission(struct tc_cx *cx, struct tc_registry *registry, struct tc_views *views,
                                     const struct tc_view_key *key, const struct tc_view *view,
                                     const struct tc_view_tool *tool, bool *ret_ask);

#endif
