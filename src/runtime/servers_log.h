/*
 * What happened at a server lately, for operators to follow. See server_history.h for what
 * is kept.
 */
#ifndef TC_RUNTIME_SERVERS_LOG_H
#define TC_RUNTIME_SERVERS_LOG_H

#include "io/task.h"
#include "runtime/server_history.h"

struct tc_servers;

/* Lines with a seq over `after`, in the arena. TC_E_MCP_SERVER_NOT_FOUND. */
enum tc_err tc_servers_log(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, int64_t after,
                           struct tc_server_line **ret_lines, size_t *ret_n);
/* The same, waiting until there is one, at most timeout_ms: TC_E_TIMEOUT, TC_E_SHUTDOWN. */
PARKS enum tc_err tc_servers_log_next(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name, int64_t after,
                                      int64_t timeout_ms, struct tc_server_line **ret_lines, size_t *ret_n);
/* Who waits for lines gets TC_E_SHUTDOWN, now and from here on. */
void tc_servers_log_close(struct tc_servers *servers);

enum tc_err tc_servers_minutes(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                               struct tc_server_minute ret_minutes[TC_SERVER_MINUTES]);

/* The times that it was in one state, oldest first; the last one lasts. */
enum tc_err tc_servers_spans(struct tc_cx *cx, struct tc_servers *servers, struct tc_str name,
                             struct tc_server_span **ret_spans, size_t *ret_n);

/* A call to a tool of that server is over, refused ones too. outcome: "ok", or a code. */
struct tc_servers_call_note {
    struct tc_str uuid, tool, outcome;
    int64_t us;
    bool sent, failed; /* sent: it reached the server, and counts there */
};
void tc_servers_note_call(struct tc_cx *cx, struct tc_servers *servers, const struct tc_servers_call_note *note);

#endif
