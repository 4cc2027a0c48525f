/*
 * /v1/runs: runs of the token's agent, for programs.
 */
#include "api/running.h"

static struct tc_str run_id(const struct tc_api_call *call)
{
    return tc_router_param(call->match, TC_STR("id"));
}

static enum tc_err start(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_start(cx, call, call->agent, "rest");
}

static enum tc_err list(struct tc_cx *cx, struct tc_api_call *call)
{
    bool bound = call->principal->role == TC_ROLE_AGENT;
    const struct tc_run_filter filter = {
        .agent = call->agent,
        .status = tc_api_query(cx, call, "status"),
        .principal_id = bound ? call->principal->id : TC_STR(""),
    };
    struct tc_store *store = call->runtime->store;
    struct tc_run_row *rows;
    int64_t total;
    struct tc_store_page page;
    size_t n;
    enum tc_err e = tc_api_query_page(cx, call, &page);

    if (!e)
        e = store->runs->page(cx, store, &page, &filter, &rows, &n, &total);
    if (e)
        return e;
    tc_api_page_open(call);
    for (size_t i = 0; i < n; i++)
        tc_running_write(call->out, &rows[i], false);
    tc_api_page_close(call, &page, total);
    return TC_OK;
}

static enum tc_err get(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_show(cx, call, run_id(call));
}

static enum tc_err events(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_events(cx, call, run_id(call));
}

static enum tc_err answer(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_answer(cx, call, run_id(call));
}

static enum tc_err cancel(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_cancel(cx, call, run_id(call));
}

static enum tc_err resume(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_resume(cx, call, run_id(call));
}

static enum tc_err revise(struct tc_cx *cx, struct tc_api_call *call)
{
    return tc_running_revise(cx, call, run_id(call));
}

#define CLOSED TC_RUNNING_CLOSED

static const struct tc_api_param of_list[] = {{"status", false, "Only runs of this state", TC_RUNNING_STATUS},
                                             TC_API_QUERY_PAGE, {0}};
static const struct tc_api_param of_journal[] = {TC_RUNNING_JOURNAL, {0}};

static const struct tc_api_route routes[] = {
    {{"POST", "/v1/runs"}, TC_API_AGENT, "Start a run (\"stream\": its events as they come, \"wait\": its end)",
     CLOSED("\"input\"", TC_RUNNING_START), "Run", start,
     .types = "text/event-stream"},
    {{"GET", "/v1/runs"}, TC_API_AGENT, "Runs of this token, newest first", NULL,
     "{list [Run], pagination Pagination}", list, .query = of_list},
    {{"GET", "/v1/runs/{id}"}, TC_API_AGENT, "One run", NULL, "Run", get},
    {{"GET", "/v1/runs/{id}/events"}, TC_API_AGENT,
     "Its journal, or as it comes with Accept: text/event-stream", NULL,
     TC_RUNNING_EVENTS, events, .query = of_journal, .types = "text/event-stream"},
    {{"POST", "/v1/runs/{id}/answer"}, TC_API_AGENT, "Answer a question: clarify, approval or confirmation",
     CLOSED("\"question\"", TC_RUNNING_ANSWER), "Done", answer},
    {{"POST", "/v1/runs/{id}/cancel"}, TC_API_AGENT, "Cancel it", CLOSED("", ""), "Run", cancel},
    {{"POST", "/v1/runs/{id}/resume"}, TC_API_AGENT, "Go on with one that was interrupted, cancelled or failed",
     CLOSED("", TC_RUNNING_RESUME), "Run", resume},
    {{"POST", "/v1/runs/{id}/revise"}, TC_API_AGENT, "Ask for a change of its output, with the same tools",
     CLOSED("\"input\"", TC_RUNNING_REVISE), "Run", revise},
};

const struct tc_api_resource tc_api_runs = {"runs", "Runs of an agent", routes, sizeof routes / sizeof *routes};
