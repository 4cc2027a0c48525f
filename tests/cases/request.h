/*
 * Requests of a case and their replies: an MCP message answered by the real
 * dialog, or an API request answered by the real handler of its route. Each runs
 * in a task of its own, with an arena of its own, as the daemon does it.
 */
#ifndef TESTS_CASES_REQUEST_H
#define TESTS_CASES_REQUEST_H

#include "world.h"

struct reply {
    struct reply *next;
    struct tc_str label;       /* of a call that was begun */
    struct world *world;
    struct tc_principal principal;
    struct tc_str agent;
    bool mcp, quiet;           /* quiet: for the runner itself, never struck by a fault */
    struct tc_str method;      /* of JSON-RPC, or of HTTP */
    struct tc_str path, query; /* of an API request */
    struct tc_str body;        /* params or body, JSON text; empty: none */
    struct tc_event done;
    struct tc_task *task;      /* that answers; NULL when it has */

    struct tc_str text;        /* what came back: a result or body, or {"error": …} */
    bool failed;               /* it is an error of the protocol */
    struct tc_str code;        /* its dotted code */
    struct tc_str said;        /* its message, and its hint on a line of its own */
    struct tc_str progress;    /* JSON array of the notifications */
};

/* As an agent's client: "mcp" requests, or API routes for agents. As a role:
 * "viewer", "operator", "admin". The fields up to body are filled in. */
struct reply *request_of_agent(struct world *world, struct tc_str agent);
struct reply *request_of_role(struct world *world, struct tc_str role);
/* An API request of a role. */
struct reply *request_to(struct world *world, const char *role, const char *method, const char *path,
                         struct tc_str body);

/* Starts it; with wait, comes back with the reply. */
PARKS void request_run(struct reply *reply, bool wait);
PARKS void request_wait(struct reply *reply);
/* The client is gone. */
void request_cancel(struct reply *reply);

#endif
