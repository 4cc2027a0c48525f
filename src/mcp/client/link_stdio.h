/*
 * The link to a program: messages are lines on its stdin and stdout. Whatever
 * ends it (close, the program's exit, a broken pipe, shutdown), its supervising
 * task settles the requests and ends the program with all its processes.
 */
#ifndef TC_MCP_CLIENT_LINK_STDIO_H
#define TC_MCP_CLIENT_LINK_STDIO_H

#include "mcp/client/guard.h"
#include "mcp/client/link.h"

struct tc_link_stdio_options {
    struct tc_loop *loop;
    struct tc_guard *guard;
    const struct tc_guard_launch *launch; /* used during open only */
    size_t line_max; /* bytes of one message of the server; 0: 64 MiB */
};

/* Starts the program. One reference is the caller's. TC_E_MCP_START_FAILED. Its
 * end: input closed, 1 s to exit, then as tc_guard_child_end does, at most about
 * 6 s in all. */
PARKS
enum tc_err tc_link_stdio_open(struct tc_cx *cx, const struct tc_link_stdio_options *options,
                               const struct tc_link_events *events, struct tc_link **ret_link);

#endif
