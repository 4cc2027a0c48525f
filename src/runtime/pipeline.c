/*
 * The order of a call: gate, arguments, schema, permission, intent, execution,
 * result, record. `struct tc_passage` is one call on its way; each step fills a part
 * and returns an error that ends the way, except that what a model can mend turns
 * into an error result and is recorded like any other.
 */
#include "base/clock.h"
#include "base/mem.h"
#include "runtime/approvals.h"
#include "runtime/discovery.h"
#include "runtime/gate.h"
#include "runtime/pipeline_impl.h"

/* --- the steps before execution --- */

static struct tc_str verdict(enum tc_err e)
{
    return e ? tc_str_of(tc_err_info(e)->name) : TC_STR("ok");
}

static enum tc_err find_tool(struct tc_cx *cx, struct tc_passage *p)
{
    struct tc_str id = TC_STR("");
    enum tc_err e;

    if (p->request->by_id) {
        p->offered = tc_view_find_id(p->view, p->request->name);
        id = p->request->name;
        p->row.call_name = p->offered ? p->offered->name : id;
        e = TC_OK;
    } else if (p->turn) {
        e = tc_gate_turn(cx, p->runtime->views, &p->key, p->view, p->turn, p->request->name, &p->offered, &id);
    } else {
        e = tc_gate_name(cx, p->runtime->views, &p->key, p->view, p->request->name, &p->offered, &id);
    }
    p->row.tool_id = p->offered ? p->offered->tool->id : id;
    if (p->offered) {
        p->tool = p->named = p->offered->tool;
        return TC_OK;
    }
    if (id.n) { /* known, but not offered: for the record, and for an admin who may call it all the same */
        size_t at = tc_catalog_find(p->view->catalog, id);
        p->named = at == SIZE_MAX ? NULL : p->view->catalog->tools[at];
        if (p->named && p->invocation->as_admin) {
            tc_fail_clear(cx);
            p->tool = p->named;
            if (!p->tool->schema)
                return tc_fail(cx, TC_E_TOOL_NOT_ALLOWED, "This tool's schema is not usable: %.*s",
                               TC_STR_ARG(p->tool->schema_fault));
            return TC_OK;
        }
    }
    return e ? e : tc_gate_refuse(cx, p->runtime->views, &p->key, id);
}

/* What was held against the call before it came here. */
static enum tc_err check_refusal(struct tc_cx *cx, struct tc_passage *p)
{
    if (!p->request->refusal)
        return TC_OK;
    cx->err = *p->request->refusal;
    return cx->err.code;
}

static enum tc_err check_guard(struct tc_cx *cx, const struct tc_passage *p, const struct tc_json *arguments)
{
    const struct tc_call_guard *guard = p->request->guard;

    return guard ? guard->check(cx, guard->arg, p->tool, arguments) : TC_OK;
}

static enum tc_err read_arguments(struct tc_cx *cx, struct tc_passage *p)
{
    struct tc_arguments_rules rules = {
        .schema = p->tool->schema,
        .input_schema = p->tool->input_schema,
        .renamed = p->tool->renamed,
        .repair = p->view->rules.repair,
    };
    const struct tc_json *object;
    enum tc_err e = tc_arguments_read(cx, p->request->arguments, &object);

    p->row.arguments = verdict(e);
    if (e)
        return e;
    p->checked.object = object;
    e = tc_arguments_check(cx, &rules, object, &p->checked);
    p->row.schema = verdict(e);
    return e ? tc_pipeline_record_refused(cx, p, object) : tc_pipeline_record_canonical(cx, p);
}

/* The guard hears of arguments that are refused as well: they would be again. */
static enum tc_err check_arguments(struct tc_cx *cx, struct tc_passage *p)
{
    enum tc_err e = read_arguments(cx, p), guarded;
    struct tc_error fault = cx->err;

    if (e && e != TC_E_TOOL_INVALID_ARGUMENTS)
        return e;
    guarded = check_guard(cx, p, p->checked.object ? p->checked.object : p->request->arguments);
    if (guarded)
        return guarded;
    cx->err = fault;
    return e;
}

static enum tc_err ask_for(struct tc_cx *cx, struct tc_passage *p)
{
    const struct tc_approvals_question question = {
        .invocation = p->invocation,
        .tool = p->tool,
        .arguments = p->checked.object,
        .row = &p->row,
        .recorded = &p->recorded,
    };
    enum tc_err e = tc_approvals_ask(cx, p->runtime->approvals, &question);

    p->approved = !e;
    return e;
}

/* Permission is what holds after the last parking call: asking is one. */
static enum tc_err check_permission(struct tc_cx *cx, struct tc_passage *p)
{
    bool ask = false;
    enum tc_err e = TC_OK;

    if (!p->invocation->as_admin)
        e = tc_gate_permission(cx, p->runtime->registry, p->runtime->views, &p->key, p->view, p->offered, &ask);
    if (!e && ask && !p->approved) {
        e = ask_for(cx, p);
        if (!e)
            e = tc_gate_permission(cx, p->runtime->registry, p->runtime->views, &p->key, p->view, p->offered, &ask);
    }
    if (!e && p->approved)
        e = tc_approvals_holds(cx, p->runtime->approvals, p->tool);
    if (!e && (p->invocation->run.n || p->approved)) /* asked for long ago, perhaps */
        e = tc_access_require(cx, p->runtime->access, &p->invocation->principal);
    p->row.permission = verdict(e);
    return e;
}

static enum tc_err before(struct tc_cx *cx, struct tc_passage *p)
{
    enum tc_err e = tc_pipeline_record_snapshot(cx, p), raw;
    struct tc_error fault;

    if (e)
        return e;
    e = find_tool(cx, p);
    if (!e)
        e = check_refusal(cx, p);
    fault = cx->err;
    p->row.gate = verdict(e);
    if (e && !tc_execute_recoverable(e)) /* which tool was meant is not sure, so neither is what is secret */
        return e;
    raw = tc_pipeline_record_raw(cx, p);
    if (raw)
        return raw;
    cx->err = fault;
    if (!e)
        e = check_arguments(cx, p);
    if (!e)
        e = check_permission(cx, p);
    if (!e)
        e = tc_pipeline_record_intent(cx, p);
    if (!e) /* the commit has parked: the caller may be gone, the permission another one */
        e = tc_task_check(cx);
    if (!e)
        e = check_permission(cx, p);
    return e;
}

/* --- the way as a whole --- */

/* Whether it becomes a result that the model reads. */
static bool is_mendable(const struct tc_passage *p, enum tc_err e)
{
    if (e == TC_E_MODEL_UNKNOWN_TOOL_CALL)
        return p->request->turn != NULL;
    return e != TC_E_MODEL_TOOL_CHOICE_VIOLATION && e != TC_E_TOOL_TURN_SNAPSHOT_MISMATCH && tc_execute_recoverable(e);
}

/* A client's loads; those of a run are for its loop. */
static enum tc_err apply_load(struct tc_cx *cx, const struct tc_passage *p)
{
    const struct tc_json *tools = tc_json_pointer(p->digest.root, TC_STR("/structuredContent/tools")), *id;
    size_t n = tc_json_count(tools), at = 0;
    struct tc_str *ids;
    struct tc_json_iter it;

    if (p->execution.kind != TC_EFFECT_TOOLS_LOADED || p->request->turn)
        return TC_OK;
    ids = TC_ARENA_NEW_N(cx->arena, struct tc_str, n + 1);
    if (!ids)
        return tc_fail_memory(cx);
    for (it = tc_json_iter(tools); tc_json_next(&it, NULL, &id);)
        ids[at++] = tc_json_str(id);
    return tc_discovery_client_load(cx, p->runtime->discovery, &p->invocation->principal, p->invocation->agent, ids, n);
}

static enum tc_err travel(struct tc_cx *cx, struct tc_passage *p, struct tc_call_result *ret)
{
    struct tc_discovery_service tools = {p->view, p->turn ? p->turn->offered : NULL, !p->request->turn};
    enum tc_err e = before(cx, p);

    if (!e) {
        p->left_us = tc_clock_mono_us(cx->clock);
        e = tc_execute(cx, p->runtime, p->invocation, p->request, &tools, p->tool, p->checked.object, &p->execution);
        p->back_us = tc_clock_mono_us(cx->clock);
        if (e && tc_execute_recoverable(e))
            e = tc_execute_failed(cx, &p->execution);
    } else if (is_mendable(p, e)) {
        e = tc_execute_failed(cx, &p->execution);
    }
    tc_task_shield(cx); /* what ran is recorded, whoever hung up */
    if (!e)
        e = tc_pipeline_result_shape(cx, p);
    if (!e)
        e = tc_pipeline_record_end(cx, p);
    tc_task_unshield(cx);
    if (e)
        tc_pipeline_record_fault(cx, p, e);
    else
        e = apply_load(cx, p);
    return e ? e : tc_pipeline_result_give(cx, p, ret);
}

/* Calls under way of one principal: a limit, so that one client cannot take all.
 * What is over it leaves no record: a flood must not fill the store. */
static enum tc_err enter(struct tc_cx *cx, struct tc_runtime *runtime, struct tc_str who, size_t **ret_count)
{
    size_t *count = tc_map_get(&runtime->calls, who), under_way = count ? *count : 0;

    if (under_way >= (size_t)runtime->calls_per_token) {
        tc_fail(cx, TC_E_BUSY, "This client has %zu calls under way already.", under_way);
        return tc_fail_hint(cx, "Wait for one of them, or raise limits.callsPerToken.");
    }
    if (!count) {
        count = tc_mem_zalloc(1, sizeof *count);
        if (!count || !tc_map_put(&runtime->calls, who, count)) {
            tc_mem_free(count);
            return tc_fail_memory(cx);
        }
    }
    ++*count;
    *ret_count = count;
    return TC_OK;
}

static void leave(struct tc_runtime *runtime, struct tc_str who, size_t *count)
{
    if (--*count == 0) {
        tc_map_remove(&runtime->calls, who);
        tc_mem_free(count);
    }
}

/* What a client has not loaded it is not offered; an operator is no client. */
static enum tc_err find_contract(struct tc_cx *cx, struct tc_passage *p)
{
    bool *offered;
    enum tc_err e;

    if (p->turn || p->view->deferred_n == 0 || p->invocation->as_admin)
        return TC_OK;
    e = tc_discovery_client(cx, p->runtime->discovery, &p->invocation->principal, p->view, &offered);
    p->contract = (struct tc_turn){.snapshot = tc_str_of(p->view->snapshot), .offered = offered};
    p->turn = &p->contract;
    return e;
}

static enum tc_err find_view(struct tc_cx *cx, struct tc_passage *p)
{
    enum tc_err e;

    p->turn = p->request->turn;
    if (p->invocation->view) {
        p->view = p->invocation->view;
        p->key = *p->invocation->key;
        return TC_OK;
    }
    e = tc_view_borrow(cx, p->runtime->views, &p->key, &p->view);
    if (!e)
        e = find_contract(cx, p);
    if (e)
        tc_pipeline_record_fault(cx, p, e);
    return e;
}

enum tc_err tc_pipeline_call(struct tc_cx *cx, struct tc_runtime *runtime, const struct tc_invocation *invocation,
                             const struct tc_call_request *request, struct tc_call_result *ret_result)
{
    struct tc_passage p = {
        .runtime = runtime,
        .invocation = invocation,
        .request = request,
        .key = {.agent = invocation->agent, .client = true, .answers = invocation->answers},
    };
    struct tc_str who = invocation->run.n ? invocation->run : invocation->principal.id;
    size_t *count;
    enum tc_err e = enter(cx, runtime, who, &count);

    if (e)
        return e;
    e = tc_pipeline_record_begin(cx, &p);
    if (!e)
        e = find_view(cx, &p);
    if (!e)
        e = travel(cx, &p, ret_result);
    leave(runtime, who, count);
    return e;
}
