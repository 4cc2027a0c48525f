/*
 * Runs as routes have them, /v1/runs and /admin/run alike: what starts one, what is
 * told of one, and its journal as a page or as a stream.
 */
#ifndef TC_API_RUNNING_H
#define TC_API_RUNNING_H

#include "api/api.h"
#include "runtime/runs.h"

/* Members of the body that starts a run, as schema texts; closed by who uses them. */
#define TC_RUNNING_START                                                                                               \
    "\"input\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4000000},"                                           \
    "\"session\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128},"                                             \
    "\"instructions\":{\"type\":\"string\",\"maxLength\":1000000},"                                                    \
    "\"stage\":{\"enum\":[\"plain\",\"session\",\"chat_foreground\",\"chat_background\"]},"                            \
    "\"answers\":{\"type\":\"boolean\"},\"confirms\":{\"type\":\"boolean\"},"                                          \
    "\"wait\":{\"type\":\"boolean\"},\"stream\":{\"type\":\"boolean\"}"
#define TC_RUNNING_ANSWER                                                                                              \
    "\"question\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128},"                                            \
    "\"text\":{\"type\":\"string\",\"maxLength\":1000000},\"option\":{\"type\":\"integer\",\"minimum\":1},"            \
    "\"choice\":{\"enum\":[\"once\",\"run\",\"always\",\"no\"]},\"comment\":{\"type\":\"string\",\"maxLength\":4000}," \
    "\"confirmed\":{\"type\":\"boolean\"},\"declined\":{\"type\":\"boolean\"}"
#define TC_RUNNING_RESUME "\"acceptUnknown\":{\"type\":\"boolean\"}"
#define TC_RUNNING_REVISE "\"input\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4000000}"
#define TC_RUNNING_CLOSED(required, properties)                                                                        \
    "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[" required "],\"properties\":{" properties "}}"
#define TC_RUNNING_STATUS                                                                                              \
    "{\"enum\":[\"running\",\"waiting\",\"completed\",\"partial_success\",\"failed\",\"cancelled\",\"interrupted\"]}"
#define TC_RUNNING_EVENTS "{events [RunEvent]}"

/* Rows of parameters for a journal. */
#define TC_RUNNING_JOURNAL                                                                                             \
    {"after", false, "Events behind this number", "{\"type\":\"integer\",\"minimum\":0}"},                             \
        {"before", false, "The last events before this number", "{\"type\":\"integer\",\"minimum\":0}"},               \
        {"limit", false, "How many at most; 100", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":500}"}

/* The runs of this process; TC_E_CHANNEL_NONE where there can be none. */
enum tc_err tc_running_runs(struct tc_cx *cx, const struct tc_api_call *call, struct tc_runs **ret_runs);
/* A run that this caller may see: TC_E_RUN_NOT_FOUND also for somebody else's. An agent's
 * token sees what it started, others see all. */
PARKS enum tc_err tc_running_get(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id,
                                 struct tc_run_row *ret_row);
/* Starts what the body says and answers: with its journal as a stream when that is wanted,
 * else with its row, at once or when it has ended. */
PARKS enum tc_err tc_running_start(struct tc_cx *cx, struct tc_api_call *call, struct tc_str agent,
                                   const char *surface);
/* Its row as an object; what it was asked only with bodies. */
void tc_running_write(struct tc_jsonw *w, const struct tc_run_row *row, bool bodies);
/* An event; without bodies what it tells in numbers, names, codes and ids. */
enum tc_err tc_running_write_event(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_run_event *event,
                                   bool bodies);
/* ?after= ?before= ?limit= of the journal as JSON, or, where the client accepts it, all
 * that comes after Last-Event-ID or ?after= as events until the run has ended. */
PARKS enum tc_err tc_running_events(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);
/* The row of one. */
PARKS enum tc_err tc_running_show(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);
/* What is done to one, as the body says; its row is the answer. */
PARKS enum tc_err tc_running_cancel(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);
PARKS enum tc_err tc_running_resume(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);
PARKS enum tc_err tc_running_revise(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);
/* A question's answer from the body. */
PARKS enum tc_err tc_running_answer(struct tc_cx *cx, struct tc_api_call *call, struct tc_str id);

#endif
