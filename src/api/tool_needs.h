/*
 * What a tool depends on and where that is supplied, and to how many agents it is offered.
 */
#ifndef TC_API_TOOL_NEEDS_H
#define TC_API_TOOL_NEEDS_H

#include "api/tool_row.h"

/* The whole picture of a tool, as one value. A need is met when some model or agent, or this machine, has it; null
 * where that lies with the caller. */
PARKS enum tc_err tc_tool_needs_write(struct tc_cx *cx, struct tc_api_call *call, const struct tc_tool_row *row);

#endif
