/*
 * A server behind a URL, as both HTTP links reach it: what goes with each request,
 * whose grant it carries, the refusals and redirects that are dealt with on the
 * way, and what a status says of a request's fate.
 */
#ifndef TC_MCP_CLIENT_REMOTE_H
#define TC_MCP_CLIENT_REMOTE_H

#include "http/client.h"
#include "mcp/client/auth.h"

struct tc_remote {
    struct tc_client *client;
    struct tc_str url;
    struct tc_header_list headers; /* configured: none of those that a link sets */
    struct tc_auth *auth;          /* NULL: the configured headers are all there is */
    bool public_only;              /* never link-local addresses, whatever this says */
};

/* A copy whose strings belong to the arena; client and auth are borrowed. */
enum tc_err tc_remote_copy(struct tc_cx *cx, const struct tc_remote *remote, struct tc_arena *arena,
                           struct tc_remote *ret_copy);

struct tc_remote_request {
    struct tc_str url;             /* empty: the server's; else of its origin */
    struct tc_str method;
    struct tc_header_list headers; /* the link's */
    struct tc_header_list own;     /* the request's: in place of the link's of that name */
    struct tc_str body;            /* must stay until the stream is closed */
    struct tc_str identity;        /* whose grant; empty: the server's */
    struct tc_client_handle *handle;
    int64_t timeout_ms;            /* until the head has come, all tries together; negative: the task's deadline */
};

struct tc_remote_answer {
    int status;
    struct tc_header_list headers; /* in the arena */
    struct tc_client_stream *stream;
};

/* Sends, until there is an answer that is neither a refusal for which the grants
 * have a better token, nor a redirect within the origin that keeps the method.
 * *ret_acted (always written) is false as long as the server provably did not act
 * on the request. Errors: the client's, TC_E_HTTP_UPSTREAM for a redirect that is
 * not followed, those of the grants (TC_E_MCP_LOGIN_REQUIRED among them). */
PARKS enum tc_err tc_remote_open(struct tc_cx *cx, const struct tc_remote *remote,
                                 const struct tc_remote_request *request, bool *ret_acted,
                                 struct tc_remote_answer *ret_answer);

/* Closes a stream of which nothing more is wanted. When its end is near, it is
 * awaited beside, by a task of the group, so that the connection can be kept. */
PARKS void tc_remote_drop(struct tc_cx *cx, struct tc_task_group *group, struct tc_client_stream *stream);

/* Whether a status says that the request was turned away before anything came of
 * it, by whoever answered. */
bool tc_remote_turned_away(int status, struct tc_header_list headers);
/* Records what a status that is no success means for a person. */
enum tc_err tc_remote_fail(struct tc_cx *cx, const struct tc_remote *remote, int status);

/* "https://host:port", borrowed; all of a URL that may be shown. */
struct tc_str tc_remote_origin(const struct tc_remote *remote);

#endif
