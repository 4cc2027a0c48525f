/*
 * What each tool of a view says of itself to the model: the agent's text for it, else what
 * the tool says at this moment, else what is written in it (spec 3).
 */
#ifndef TC_RUNTIME_DESCRIPTION_H
#define TC_RUNTIME_DESCRIPTION_H

#include "runtime/view.h"

/* Fills in all descriptions of a view that has all its names. */
PARKS enum tc_err tc_description_fill(struct tc_cx *cx, struct tc_view *view);

/* What a tool of the resolution's catalog is described by, offered or not, with the names of that resolution;
 * short of what a tool says of itself at the moment. In cx->arena or borrowed; p NULL without memory. */
struct tc_str tc_description_written(struct tc_cx *cx, const struct tc_resolution *resolution,
                                     const struct tc_descriptor *tool);

/* What the agent says of that tool: {description?, properties?}, or NULL. */
const struct tc_json *tc_description_overrides(const struct tc_agent *agent, struct tc_str id);

#endif
