/*
 * Tasks in both wires: the extension of the metadata era and what one revision of
 * the handshake era had in its core.
 */
#include "base/clock.h"
#include "mcp/server/jobs.h"
#include "mcp/server/methods.h"
#include "mcp/server/parked_state.h"

/* The client knows tasks, as it says now or as its revision does. */
static enum tc_err check_known(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request)
{
    if (tc_dialog_is_metadata(d)) {
        if (d->envelope.abilities & TC_ABILITY_TASKS)
            return TC_OK;
        tc_fail(cx, TC_E_MCP_CAPABILITY, "The request does not declare the extension for tasks.");
        return tc_fail_details(
            cx, TC_STR("{\"requiredCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}}"));
    }
    if (tc_dialog_core_tasks(d))
        return TC_OK;
    return tc_fail(cx, TC_E_RPC_METHOD, "The method \"%.*s\" is not known here.", TC_STR_ARG(request->method));
}

static enum tc_err find(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                        struct tc_parked **ret)
{
    enum tc_err e = check_known(cx, d, request);

    return e ? e : tc_jobs_find(cx, d, request->params, ret);
}

enum tc_err tc_method_tasks_get(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                struct tc_jsonw *w)
{
    struct tc_parked *job;
    enum tc_err e = find(cx, d, request, &job);

    if (e)
        return e;
    tc_method_open(w, d);
    tc_jobs_write(w, job, tc_dialog_is_metadata(d));
    return tc_method_close(cx, w, d, TC_STR(""));
}

/* Answers to questions; what is missing stays open. */
enum tc_err tc_method_tasks_update(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                   struct tc_jsonw *w)
{
    const struct tc_json *answers = tc_json_get_c(request->params, "inputResponses");
    struct tc_parked *job;
    enum tc_err e = find(cx, d, request, &job);

    if (e)
        return e;
    if (!tc_json_is(answers, TC_JSON_OBJECT))
        return tc_fail(cx, TC_E_RPC_PARAMS, "tasks/update needs inputResponses, an object.");
    tc_parked_deliver(job, answers);
    job->job.updated_ms = tc_clock_wall_ms(cx->clock);
    tc_method_open(w, d);
    return tc_method_close(cx, w, d, TC_STR(""));
}

enum tc_err tc_method_tasks_cancel(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                   struct tc_jsonw *w)
{
    struct tc_parked *job;
    enum tc_err e = find(cx, d, request, &job);

    if (e)
        return e;
    if (!tc_dialog_is_metadata(d) && !job->task)
        return tc_fail(cx, TC_E_RPC_PARAMS, "The task has ended already.");
    tc_jobs_cancel(job, tc_clock_wall_ms(cx->clock));
    tc_method_open(w, d);
    if (!tc_dialog_is_metadata(d))
        tc_jobs_write(w, job, false);
    return tc_method_close(cx, w, d, TC_STR(""));
}

enum tc_err tc_method_tasks_list(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                 struct tc_jsonw *w)
{
    size_t from;
    enum tc_err e = check_known(cx, d, request);

    if (!e)
        e = tc_method_cursor(cx, request->params, 0, &from);
    if (e)
        return e;
    tc_jsonw_object(w);
    tc_jsonw_key(w, "tasks");
    tc_jobs_write_all(w, d);
    tc_jsonw_end(w);
    return TC_OK;
}

/* The result of the call, as it would have come at once. */
static enum tc_err write_outcome(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_parked *job)
{
    const struct tc_json *outcome = tc_jobs_outcome(job), *result = tc_json_get_c(outcome, "result"), *value;
    struct tc_json_iter it = tc_json_iter(result);
    struct tc_str key;

    if (!result)
        return tc_fail(cx, TC_E_CANCELED, "The task has no result: %.*s",
                       TC_STR_ARG(outcome ? tc_json_str(tc_json_pointer(outcome, TC_STR("/error/message")))
                                          : TC_STR("it was cancelled.")));
    tc_jsonw_object(w);
    while (tc_json_next(&it, &key, &value)) {
        if (tc_str_is(key, "_meta"))
            continue;
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_key(w, "_meta");
    tc_jsonw_object(w);
    for (it = tc_json_iter(tc_json_get_c(result, "_meta")); it.object && tc_json_next(&it, &key, &value);) {
        tc_jsonw_key_str(w, key);
        tc_jsonw_value(w, value);
    }
    tc_jsonw_key(w, "io.modelcontextprotocol/related-task");
    tc_jsonw_object(w);
    tc_jsonw_kcstr(w, "taskId", job->job.id);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    tc_jsonw_end(w);
    return TC_OK;
}

enum tc_err tc_method_tasks_result(struct tc_cx *cx, const struct tc_dialog *d, const struct tc_rpc *request,
                                   struct tc_jsonw *w)
{
    struct tc_parked *job;
    enum tc_err e = check_known(cx, d, request);

    if (!e)
        e = tc_jobs_wait(cx, d, request->params, &job);
    return e ? e : write_outcome(cx, w, job);
}
