/*
 * Tasks in both wires: the extension of the metadata era and what one revision of
 * the handshake era had in its core.
 */
#include "base/clock.h"
#include "json/edit.h"
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

/* The error of the call, as it would have come at once. */
static enum tc_err fail_as(struct tc_cx *cx, const struct tc_json *error)
{
    struct tc_str path[] = {TC_STR("code")}, message = tc_json_str(tc_json_get_c(error, "message")), details;
    const struct tc_json *data = tc_json_get_c(error, "data");
    enum tc_err code = tc_err_find(tc_json_str(tc_json_get_c(data, "code")));

    if (!code)
        return tc_fail(cx, TC_E_CANCELED, "The task has no result: it was cancelled.");
    details = tc_json_edited(cx->arena, data, path, 1, TC_STR("")); /* the code is written anew */
    if (!details.p)
        return tc_fail_memory(cx);
    tc_fail(cx, code, "%.*s", TC_STR_ARG(message));
    return tc_fail_details(cx, details);
}

/* The result, likewise, with what it belongs to. */
static enum tc_err write_outcome(struct tc_cx *cx, struct tc_jsonw *w, const struct tc_parked *job)
{
    struct tc_str path[] = {TC_STR("_meta"), TC_STR("io.modelcontextprotocol/related-task")}, related, text;
    const struct tc_json *outcome = tc_jobs_outcome(job), *result = tc_json_get_c(outcome, "result");

    if (!result)
        return fail_as(cx, tc_json_get_c(outcome, "error"));
    related = tc_arena_printf(cx->arena, "{\"taskId\":\"%s\"}", job->job.id);
    text = related.p ? tc_json_edited(cx->arena, result, path, 2, related) : related;
    if (!text.p)
        return tc_fail_memory(cx);
    tc_jsonw_raw(w, text);
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
