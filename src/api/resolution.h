/*
 * A resolution as the interface and the command read it: what is offered, and for all the rest
 * why not, with what such a sentence is made of.
 */
#ifndef TC_API_RESOLUTION_H
#define TC_API_RESOLUTION_H

#include "api/agent_model.h"

struct tc_api_resolution {
    const struct tc_resolution *resolution;
    const struct tc_agent_model *model;
    bool brief; /* of each description its first paragraph */
};

/* Nothing parks. */
enum tc_err tc_api_resolution_write(struct tc_cx *cx, struct tc_api_call *call,
                                    const struct tc_api_resolution *resolution);

/* --- parts --- */

/* Whose tool it is: "builtin", "mcp:<server>", "ext:<id>", "host". */
void tc_api_tool_source(struct tc_jsonw *w, const struct tc_descriptor *tool);
/* The member "detail": why, in a sentence. */
void tc_api_detail(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *resolution, size_t index,
                   enum tc_reason reason);
/* [{reason, detail, params}], the one that decides first. */
void tc_api_reasons(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_resolution *resolution, size_t index,
                    uint16_t reasons);
/* [{reason, count}], the largest first. */
void tc_api_reason_counts(struct tc_jsonw *w, const uint32_t counts[TC_REASON_COUNT]);
void tc_api_model(struct tc_jsonw *w, const struct tc_model *model, struct tc_str channel);

/* Shapes of answers, see api/shape.h. */
#define TC_CAPABILITY_SHAPE "(text|vision|multimodal)"
#define TC_REASON_SHAPE                                                                                                \
    "(globally_disabled|agent_toolset_not_enabled|agent_tool_disabled|permission_off|capability_mismatch|"             \
    "needs_image_input|scene_filtered|unavailable|server_paused|server_down|quarantined|over_provider_limit)"
#define TC_RESOLVED_MEMBERS                                                                                            \
    "id string, name string|null, label string, description string, toolset string, source string, "                   \
    "capability " TC_CAPABILITY_SHAPE ", isCore boolean, canDisable boolean, permission (allow|ask|off), "             \
    "deferred boolean, hintSource (code|operator)|null, newTool boolean, tokens integer"
#define TC_RESOLUTION_COMPONENTS                                                                                       \
    {"Reason",                                                                                                         \
     "{reason " TC_REASON_SHAPE ", detail string, params {toolset? string, "                                           \
     "scope? (agent|server|exclude|disabled|allow|changed|new|schema), pattern? string|null, server? string|null, "    \
     "model? string|null, needed? " TC_CAPABILITY_SHAPE ", present? " TC_CAPABILITY_SHAPE ", scenes? [string], "       \
     "stage? string, condition? (stage|memory|skills|master|answers|run|search), missing? string|null, "               \
     "cause? string|null, newTool? boolean, limit? integer}}"},                                                        \
    {"ReasonCount", "{reason " TC_REASON_SHAPE ", count integer}"},                                                    \
    {"ResolvedTool", "{" TC_RESOLVED_MEMBERS "}"},                                                                     \
    {"LeftOutTool", "{" TC_RESOLVED_MEMBERS ", reason " TC_REASON_SHAPE ", reasons [Reason]}"},                        \
    {"Resolution",                                                                                                     \
     "{agent string, style (mcp|server|dmr|bare), "                                                                    \
     "scene {stage string, memory boolean, skills boolean, crewRole string|null, answers boolean, run boolean}, "      \
     "model {name string|null, channel string|null, capability " TC_CAPABILITY_SHAPE ", imageInput boolean, "          \
     "contextWindow integer, maxTools integer|null}, tools [ResolvedTool], out [LeftOutTool], "                        \
     "summary {offered integer, out [ReasonCount]}, toolsets [{name string, label string, source string|null, "        \
     "offered integer, total integer, enabled boolean}], discovery {mode (auto|on|off), schemaTokens integer, "        \
     "budget integer|null, deferred integer, offeredTokens integer}, diagnostics [Diagnostic]}"}

#endif
