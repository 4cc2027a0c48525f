/*
 * What a start says to a person: where it listens, the first tokens (once), and
 * snippets to paste into an MCP client.
 */
#ifndef TC_DAEMON_WELCOME_H
#define TC_DAEMON_WELCOME_H

#include "daemon/config.h"
#include "io/task.h"

struct tc_runtime;

/* Where the program lies, in the arena; its name alone where that is not known. */
struct tc_str tc_welcome_command(struct tc_arena *arena);

/* In a store without any token it makes one for an admin and one for the agent
 * `default`. browsers: they find the web interface here. Prints to stdout. Parks. */
PARKS enum tc_err tc_welcome_print(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_config *config,
                                   int port, bool browsers);

#endif
