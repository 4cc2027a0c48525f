/*
 * Telling a server, beside, that nobody waits for a request any more: for links
 * whose notifications park, while the caller is gone already.
 */
#ifndef TC_MCP_CLIENT_CANCEL_H
#define TC_MCP_CLIENT_CANCEL_H

#include "mcp/client/link.h"

/* Sends notifications/cancelled from a task of the group, which the link joins
 * before it ends. A loss is no error. */
void tc_cancel_tell(struct tc_cx *cx, struct tc_task_group *group, struct tc_link *link, int64_t id);

#endif
