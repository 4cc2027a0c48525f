/*
 * The gate: may this name be called now (spec 5). Stateless; a name is never
 * bent to another tool.
 */
#ifndef TC_RUNTIME_GATE_H
#define TC_RUNTIME_GATE_H

#include "runtime/view.h"
#include "toolcrib/model.h"

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
/* The turn contract: what one turn of a run may call. */
struct tc_turn {
    struct tc_str snapshot;  /* hash of that which the tools were offered from */
    const bool *offered;     /* by position in the view's tools; NULL: all of them */
    enum tc_choice choice;
    struct tc_str choice_id; /* ToolId of TC_CHOICE_TOOL */
};
/* As tc_gate_name, within the contract; of a tool that is on demand and not loaded the
 * failure says how it is, and *ret_id names it. TC_E_TOOL_TURN_SNAPSHOT_MISMATCH and
 * TC_E_MODEL_TOOL_CHOICE_VIOLATION are for the run, not for the model. */
PARKS enum tc_err tc_gate_turn(struct tc_cx *cx, struct tc_views *views, const struct tc_view_key *key,
                               const struct tc_view *view, const struct tc_turn *turn, struct tc_str name,
                               const struct tc_view_tool **ret_tool, struct tc_str *ret_id);
/* May it still run now? TC_E_TOOL_NOT_ALLOWED. *ret_ask: with an approval only. Cheap
 * while the registry has not moved. */
PARKS enum tc_err tc_gate_permission(struct tc_cx *cx, struct tc_registry *registry, struct tc_views *views,
                                     const struct tc_view_key *key, const struct tc_view *view,
                                     const struct tc_view_tool *tool, bool *ret_ask);

#endif
