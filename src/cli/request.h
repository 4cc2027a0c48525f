/*
 * The admin API as the command uses it: one request, one JSON answer. What the
 * daemon refuses becomes the failure of the call, code and all.
 */
#ifndef TC_CLI_REQUEST_H
#define TC_CLI_REQUEST_H

#include "cli/cli.h"
#include "toolcrib/jsonw.h"

struct tc_cli_query {
    const char *name; /* NULL ends a list */
    struct tc_str value; /* an empty one is left out */
};

/* The body of a POST while it is written; an object that is open. */
struct tc_cli_body {
    struct tc_buf buf;
    struct tc_jsonw w;
};
void tc_cli_body_init(struct tc_cli_body *body);
void tc_cli_body_finish(struct tc_cli_body *body); /* for one that is not sent */

/* *ret_answer lives as long as the run. query may be NULL. TC_E_DAEMON_UNAVAILABLE
 * when the daemon cannot be reached. */
PARKS enum tc_err tc_cli_get(struct tc_cx *cx, struct tc_cli *cli, const char *path, const struct tc_cli_query *query,
                             const struct tc_json **ret_answer);
/* Closes the object, sends and finishes the body, also on failure. When the
 * daemon went away after the request was sent: TC_E_MCP_OUTCOME_UNKNOWN. */
PARKS enum tc_err tc_cli_post(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_cli_body *body,
                              const struct tc_json **ret_answer);
/* The same where the answer may be a stream of events instead: fn is told of each but
 * the last, which is the result or an error. */
struct tc_cli_events {
    PARKS enum tc_err (*fn)(struct tc_cx *cx, struct tc_cli *cli, void *arg, const struct tc_json *data);
    void *arg;
};
PARKS enum tc_err tc_cli_post_events(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_cli_body *body,
                                     const struct tc_cli_events *events, const struct tc_json **ret_answer);
/* {"id": id} */
PARKS enum tc_err tc_cli_post_id(struct tc_cx *cx, struct tc_cli *cli, const char *path, struct tc_str id,
                                 const struct tc_json **ret_answer);

/* The ToolId that TOOL on a command line means (spec 12), for the names of that agent; agent may be empty. */
PARKS enum tc_err tc_cli_tool_id(struct tc_cx *cx, struct tc_cli *cli, struct tc_str tool, struct tc_str agent,
                                 struct tc_str *ret_id);

/* The error object of an answer as the failure in cx; returns its code. Pure. */
enum tc_err tc_cli_refusal(struct tc_cx *cx, int status, const struct tc_json *answer);
/* Path and encoded query, in the arena; p is NULL without memory. */
struct tc_str tc_cli_url(struct tc_cx *cx, const char *path, const struct tc_cli_query *query);

#endif
