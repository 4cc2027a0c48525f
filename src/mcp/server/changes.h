/*
 * Whether what an agent is offered is different from what it was before.
 */
#ifndef TC_MCP_SERVER_CHANGES_H
#define TC_MCP_SERVER_CHANGES_H

#include "mcp/server/dialog.h"
#include "ports/tool_source.h"

enum { TC_CHANGES_TOOLS, TC_CHANGES_PROMPTS, TC_CHANGES_RESOURCES }; /* bits */

struct tc_changes { /* zeroed: nothing was looked at */
    char tools[65];  /* hash of what may be offered */
    uint64_t loads;  /* how often that was widened */
    uint64_t others[TC_SOURCE_KINDS];
};

/* Looks again. *ret_kinds has bit i set when the list that tc_changes_at(i) tells of
 * has changed since the last look; none the first time. */
PARKS enum tc_err tc_changes_look(struct tc_cx *cx, const struct tc_dialog *dialog, struct tc_changes *changes,
                                  unsigned *ret_kinds);
/* The notifications, by bit; NULL past the last. */
const char *tc_changes_at(size_t i);

#endif
